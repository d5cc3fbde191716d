"""Policies: what they allow, how they bend what files say, and that nothing loosens them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.errors import ConfigError, UsageError
from ctxpack.gather.plan import is_on, plan, state_of
from ctxpack.gather.registry import registry
from ctxpack.model import Request, Scope
from ctxpack.settings import Settings
from ctxpack.settings.loading import load
from ctxpack.settings.policies import policy_file, read_policies
from ctxpack.settings.tables import NameRules
from ctxpack.understand.request import check_request

TASK = Request(Scope.TASK, text="fix the retry bug")


class Place:
    """A repository folder and a policy, written as a test needs them."""

    def __init__(self, folder: Path) -> None:
        self.root, self.policy = folder / "repo", folder / "policy.toml"
        self.root.mkdir()
        self.env = {"HOME": str(folder), "USERPROFILE": str(folder), "CTXPACK_POLICY": str(self.policy)}

    def load(self, policy: str, project: str = "", flags: dict[str, object] | None = None, **env: str) -> Settings:
        self.policy.write_text(policy, encoding="utf-8")
        (self.root / "ctxpack.toml").write_text(project, encoding="utf-8")
        return load(self.root, flags, {**self.env, **env})


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize(
    ("choice", "name", "rule"),
    [
        (NameRules(), "search", ""),
        (NameRules(forbid=("his*",)), "history", 'forbid "his*"'),
        (NameRules(allow=("search", "te*")), "tests", ""),
        (NameRules(allow=("search",)), "tests", "allow search"),
        (NameRules(allow=()), "tests", "allow none"),
        (NameRules(allow=("tests",), forbid=("tests",)), "tests", 'forbid "tests"'),
    ],
)
def test_a_choice_names_the_rule_against_a_name(choice: NameRules, name: str, rule: str) -> None:
    assert choice.rule_against(name) == rule


@pytest.mark.parametrize(
    ("policy", "flags", "flag", "rule"),
    [
        ('redaction = "required"', {"use_redaction": False}, "--no-redact", 'redaction = "required"'),
        ('limits = {budget = "16k"}', {"budget": "20k"}, "--budget", "[limits] budget = 16,000"),
        ('formats = {forbid = ["json"]}', {"format": "json"}, "--format", '[formats] forbid "json"'),
        ('formats = {allow = ["xml"]}', {"format": "json"}, "--format", "[formats] allow xml"),
        ('strategies = {forbid = ["history"]}', {"enable": "history"}, "--enable", '[strategies] forbid "history"'),
        ('strategies = {forbid = ["history"]}', {"require": "history"}, "--require history", "[strategies] forbid"),
        ('strategies = {require = ["tests"]}', {"disable": "tests"}, "--without", '[strategies] require "tests"'),
        ('commands = {allow = ["llm"]}', {"rerank": "/usr/bin/curl x"}, "--rerank", "[commands] allow llm"),
        ('commands = {forbid = ["*"]}', {"llm": "llm -m x"}, "--llm", '[commands] forbid "*"'),
        ("embedders = {allow = []}", {"semantic": True}, "--semantic", "[embedders] allow none"),
        ("limits = {rerank_timeout = 5}", {"rerank_timeout": 9}, "--rerank-timeout", "[limits] rerank_timeout = 5"),
    ],
)
def test_a_flag_against_a_rule_is_refused_and_told_why(
    place: Place, policy: str, flags: dict[str, object], flag: str, rule: str
) -> None:
    with pytest.raises(UsageError) as caught:
        place.load(policy, flags=flags)
    assert str(caught.value).startswith(f"{flag} is not allowed: the policy {place.policy} says {rule}")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("policy", "project", "field", "value", "note"),
    [
        ('limits = {budget = "16k"}', 'budget = "20k"', "budget", 16_000, "budget is 16,000"),
        ('formats = {forbid = ["json"]}', 'format = "json"', "format", "markdown", "The format is markdown"),
        ('strategies = {forbid = ["hi*"]}', 'enable = ["history"]', "enable", (), "The strategy history is left out"),
        ('strategies = {require = ["tests"]}', 'disable = ["tests"]', "disable", (), "The strategy tests is on"),
        ("embedders = {forbid = ['s*']}", "semantic = true", "semantic", False, "Meanings are not compared"),
    ],
)
def test_a_file_is_bent_with_a_note(
    place: Place, policy: str, project: str, field: str, value: object, note: str
) -> None:
    settings = place.load(policy, project)
    assert getattr(settings, field) == value
    assert settings.notes[0].startswith(f"{note}, not as ctxpack.toml says: the policy {place.policy} says ")
    assert settings.origins[field] == str(place.policy)


def test_variables_and_profiles_do_not_loosen_it_either(place: Place) -> None:
    kept = place.load('redaction = "required"', CTXPACK_USE_REDACTION="false")
    assert (kept.use_redaction, kept.origins["use_redaction"]) == (True, str(place.policy))
    assert kept.notes[0].startswith("Secrets are taken out, not as CTXPACK_USE_REDACTION says: the policy")
    assert place.load("limits = {budget = 4000}", CTXPACK_BUDGET="9k").budget == 4_000
    project = "[profile.wide]\nbudget = 9000\n"
    assert place.load("limits = {budget = 4000}", project, CTXPACK_PROFILE="wide").budget == 4_000


def test_a_default_beyond_a_limit_is_bent_without_a_word(place: Place) -> None:
    settings = place.load("limits = {budget = 4000}")
    assert (settings.budget, settings.notes) == (4_000, ())


def test_a_window_gives_no_more_than_the_limit(place: Place) -> None:
    settings = place.load("limits = {budget = 4000}", flags={"window": "200k", "format": "messages"})
    assert settings.budget == 4_000
    assert settings.notes == (f"The budget is 4,000 tokens: the policy {place.policy} says [limits] budget = 4,000.",)


def test_a_service_is_known_by_its_host(place: Place) -> None:
    place.env |= {"CTXPACK_EMBEDDER": "http", "CTXPACK_SEMANTIC": "true"}
    policy = 'services = {allow = ["localhost", "*.example.org"]}'
    assert place.load(policy, CTXPACK_EMBEDDING_URL="http://ai.example.org/v1").semantic
    assert not place.load(policy, CTXPACK_EMBEDDING_URL="https://api.example.com/v1").semantic


def test_programs_of_strategies_are_commands(place: Place) -> None:
    project = '[[strategy]]\nid = "tickets"\ncommand = "curl x"\n[[strategy]]\nid = "search"\npriority = 3\n'
    settings = place.load('commands = {allow = ["jq"]}', project)
    assert [entry.id for entry in settings.strategy_entries] == ["search"]
    assert settings.notes == (f"The strategy tickets is not run: the policy {place.policy} says [commands] allow jq.",)


def test_kept_files_are_within_the_limits(place: Place) -> None:
    project = '[[context]]\npath = "AGENTS.md"\nrequest = "how"\nbudget = 9000\n'
    (entry,) = place.load("limits = {budget = 4000}", project).contexts
    assert entry.budget == 4_000
    with pytest.raises(ConfigError, match=r"cannot have the format json: the policy"):
        place.load('formats = {forbid = ["json"]}', project + 'format = "json"\n')


def test_strategies_are_planned_by_the_rules(place: Place) -> None:
    settings = place.load('strategies = {forbid = ["readme"], require = ["conventions"]}')
    known = registry(settings)
    ids = [each.id for each in plan(TASK, settings, known).strategies]
    assert ids == ["search", "conventions", "tree"]
    readme = known.strategies["readme"]
    assert (state_of(readme, settings), is_on(readme, settings)) == (f"off ({place.policy})", False)
    assert state_of(known.strategies["conventions"], settings) == "on"


def test_a_required_strategy_runs_beside_chosen_ones(place: Place) -> None:
    settings = place.load('strategies = {require = ["conventions"]}', flags={"strategies": "search"})
    assert [each.id for each in plan(TASK, settings, registry(settings)).strategies] == ["search", "conventions"]


def test_the_machine_s_policy_and_the_variable_s_both_hold(tmp_path: Path) -> None:
    machine, own = tmp_path / "machine.toml", tmp_path / "own.toml"
    machine.write_text("limits = {budget = 4000}", encoding="utf-8")
    own.write_text("limits = {budget = 9000}\nredaction = 'required'", encoding="utf-8")
    found = read_policies({"CTXPACK_POLICY": str(own)}, machine)
    assert [(each.limits["budget"], each.needs_redaction) for each in found] == [(4000, False), (9000, True)]
    assert read_policies({}, tmp_path / "none.toml") == ()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("redaction = ", "is not valid: "),
        ("redaction = 'off'", 'redaction must be "required" or "optional"'),
        ("colour = 1", "it has an unknown key 'colour'"),
        ("[limits]\nbugdet = 3", "[limits] has an unknown key 'bugdet'"),
        ("[limits]\nbudget = -3", "limits.budget must be a positive whole number"),
        ("[strategies]\nallow = 'x'", "strategies.allow must be a list"),
        ("[formats]\nrequire = ['xml']", "[formats] has an unknown key 'require'"),
        ("[strategies]\nforbid = ['a']\nrequire = ['a']", '[strategies] requires a and says forbid "a"'),
        ("formats = 3", "formats must be a table"),
    ],
)
def test_a_policy_that_is_not_understood_stops_the_run(place: Place, written: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        place.load(written)
    assert f"The policy {place.policy} is not valid: " in str(caught.value)
    assert told in str(caught.value)


def test_a_policy_that_is_named_but_not_there_stops_the_run(place: Place) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read: No such file"):
        load(place.root, env=place.env)


def test_a_policy_that_is_a_folder_or_no_text_stops_the_run(place: Place, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_policies({}, tmp_path)
    place.policy.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="is not valid"):
        load(place.root, env=place.env)


def test_settings_that_a_program_bends_are_refused(place: Place) -> None:
    settings = place.load('redaction = "required"\nlimits = {budget = 4000}')
    check_request(TASK, settings)
    for bent in (replace(settings, use_redaction=False), replace(settings, budget=5_000)):
        with pytest.raises(UsageError, match="These settings are not allowed: the policy"):
            check_request(TASK, bent)


def test_every_platform_has_a_place_that_no_variable_moves() -> None:
    places = {policy_file(each) for each in ("linux", "darwin", "win32")}
    assert len(places) == 3
    assert all(place.name == "policy.toml" for place in places)
