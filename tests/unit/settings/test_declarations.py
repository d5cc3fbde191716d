"""Every declared setting, from where it is written to its effect in ``Settings``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import typer

from ctxpack.cli.app import ALL
from ctxpack.cli.options import CommandSpec, Flags, declared_flags
from ctxpack.errors import ConfigError, UsageError
from ctxpack.settings import SETTINGS, ContextFile, Settings, StrategyEntry
from ctxpack.settings.declaration import PROGRAM, Origin, format_default
from ctxpack.settings.fields import BY_KEY
from ctxpack.settings.loading import load
from ctxpack.settings.sources import user_file
from ctxpack.settings.tables import AllowEntry

HERE = str(Path(__file__).resolve())
FOLDER = str(Path(__file__).resolve().parent)
SAMPLES: Mapping[str, tuple[object, object]] = {
    "allow": ([{"value": "AKIA*", "reason": "an example"}], (AllowEntry("an example", "AKIA*"),)),
    "allow_commands": (True, True),
    "around": (5, 5),
    "budget": ("9k", 9_000),
    "cache_dir": (FOLDER, Path(FOLDER)),
    "circuit_failures": (4, 4),
    "circuit_seconds": (2.5, 2.5),
    "compress": (True, True),
    "context": (
        [{"path": "AGENTS.md", "request": "layout"}],
        (ContextFile("AGENTS.md", "layout"),),
    ),
    "data_dir": (FOLDER, Path(FOLDER)),
    "degraded_share": (0.5, 0.5),
    "disable": (["readme"], ("readme",)),
    "duplicate_threshold": (0.5, 0.5),
    "embedder": ("http", "http"),
    "embedding_key_variable": ("KEY", "KEY"),
    "embedding_missing": (7, 7),
    "embedding_model": ("small", "small"),
    "embedding_timeout": (7.5, 7.5),
    "embedding_url": ("http://localhost:1/v1", "http://localhost:1/v1"),
    "enable": (["tags", "history"], ("tags", "history")),
    "encoding": ("llama3", "llama3"),
    "exclude": (["vendor/**", "*.{js,ts}"], ("vendor/**", "*.{js,ts}")),
    "flag_injections": (True, True),
    "format": ("json", "json"),
    "history": (HERE, HERE),
    "include": (["src/**"], ("src/**",)),
    "instructions": (HERE, HERE),
    "metrics": (HERE, HERE),
    "intent": ("review", "review"),
    "kinds": ({"spec": ["design/*.md"]}, {"spec": ("design/*.md",)}),
    "limit": (3, 3),
    "line_numbers": (True, True),
    "llm": ("llm -m x", "llm -m x"),
    "llm_timeout": (9, 9.0),
    "time_limit": (9, 9.0),
    "wait": (True, True),
    "max_file_size": ("500 kB", 500_000),
    "max_files": (0, 0),
    "max_rounds": (2, 2),
    "memory_days": (7, 7.0),
    "memory_recency": (0.5, 0.5),
    "memory_relevance": (0.5, 0.5),
    "min_score": (0.25, 0.25),
    "model": ("gpt-5", "gpt-5"),
    "models": ({"house": {"window": 32_000}}, {"house": {"window": 32_000}}),
    "more_markers": (["MORE:"], ("MORE:",)),
    "order": ("path", "path"),
    "overlap_threshold": (0.5, 0.5),
    "pack_cache": ("1M", 1_000_000),
    "require": (["docs"], ("docs",)),
    "rerank": ("llm", "llm"),
    "remote_timeout": (9, 9.0),
    "rerank_timeout": (8, 8.0),
    "pii": (True, True),
    "pii_engines": (["presidio"], ("presidio",)),
    "pii_timeout": (7, 7.0),
    "rerank_top": (8, 8),
    "reserve": ("answer=1k,buffer=5%", {"answer": 1_000, "buffer": 0.05}),
    "semantic": (True, True),
    "session": ("courier", "courier"),
    "shares": ({"docs": 0.4}, {"docs": 0.4}),
    "stats": (True, True),
    "strategies": (["search"], ("search",)),
    "strategy": ([{"id": "search", "priority": 3}], (StrategyEntry("search", priority=3),)),
    "synonyms": ({"log": ["trace"]}, {"log": ("trace",)}),
    "system": (HERE, HERE),
    "workspace": ({"all": "."}, {"all": "."}),
    "use_cache": (False, False),
    "use_dot_ignore": (False, False),
    "use_gitignore": (False, False),
    "use_history": (False, False),
    "use_instructions": (False, False),
    "use_readme": (False, False),
    "use_redaction": (False, False),
    "use_synonyms": (False, False),
    "use_tree": (False, False),
    "use_typos": (False, False),
    "window": ("100k", 100_000),
}
"""Key -> a value as a file writes it, and what it becomes; no value is the default."""
POLICIES: Mapping[str, str] = {
    "limits": "[limits]\n{key} = 1\n",
    "strategies": '[strategies]\nforbid = ["*"]\n',
    "commands": '[commands]\nforbid = ["*"]\n',
    "formats": '[formats]\nforbid = ["json"]\n',
    "redaction": 'redaction = "required"\n',
    "pii": 'pii = "required"\n',
    "embedders": '[embedders]\nforbid = ["*"]\n',
    "services": '[services]\nforbid = ["*"]\n',
}
"""The table that governs a setting -> a policy against any value of it."""
BREAKING: Mapping[str, object] = {"pii": False}
"""A value that a policy is against, where the sample is what it requires."""
FIELD_OF_RULE = {"embedders": "semantic", "services": "semantic"}
"""What a policy changes instead of the setting itself."""


def toml(value: object) -> str:
    """A value as TOML writes it in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def typed(value: object) -> str:
    """A value as a variable or a flag has it."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


class Place:
    """A repository, a user and an environment."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "repo"
        self.root.mkdir()
        self.env = {"HOME": str(folder), "USERPROFILE": str(folder), "APPDATA": str(folder / "data")}
        self.policy = folder / "policy.toml"

    def load(self, env: Mapping[str, str], values: Mapping[str, object] | None = None) -> Settings:
        return load(self.root, values, {**self.env, **env})

    def write(self, source: Origin, text: str) -> None:
        path = user_file(self.env) if Origin.USER in source else self.root / "ctxpack.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def value_of(settings: Settings, key: str) -> object:
    """The field of a key; whose a strategy is and where it lies is tested elsewhere."""
    value = getattr(settings, BY_KEY[key].name)
    if key == "strategy":
        return tuple(StrategyEntry(each.id, priority=each.priority) for each in value)
    return value


def parse(*arguments: str) -> Flags:
    """What the command line makes of some arguments."""
    found: list[Flags] = []

    def probe(flags: Flags) -> None:
        found.append(flags)

    app = typer.Typer()
    CommandSpec(probe, ALL, ("limit", "llm", "max_rounds")).register(app, "probe")
    typer.main.get_command(app).main(args=list(arguments), standalone_mode=False)
    return found[0]


def test_there_is_a_sample_of_every_setting() -> None:
    assert {*SAMPLES} == {*BY_KEY}
    for key, (_, value) in SAMPLES.items():
        assert value != BY_KEY[key].default


def test_settings_are_what_is_declared() -> None:
    settings = Settings(Path("/repo"), Path("/cache"))
    for name, each in SETTINGS.items():
        assert each.meaning[0].isupper()
        assert each.meaning.endswith(".")
        if name not in {"root", "cache_dir", "origins"}:
            assert getattr(settings, name) == each.default
        assert (each.sources == PROGRAM) == (each.reader is None)
        assert each.rule in {"", *POLICIES}


def test_no_flag_means_two_things() -> None:
    names = [
        name
        for _, flag in declared_flags()
        for name in f"{flag.names.replace('/', ' ')} {flag.also} {flag.foreign}".split()
    ]
    assert len(names) == len({*names})


@pytest.mark.parametrize("key", sorted(BY_KEY))
def test_a_file_sets_it_where_it_may(place: Place, key: str) -> None:
    written, expected = SAMPLES[key]
    line = f"{key} = {toml(written)}\n"
    for source in (Origin.USER, Origin.PROJECT):
        for profile in (False, True):
            place.write(Origin.USER, "")
            place.write(source, f"[profile.house]\n{line}" if profile else line)
            if (source | Origin.PROFILE if profile else source) in BY_KEY[key].sources:
                settings = place.load({"CTXPACK_PROFILE": "house" if profile else ""})
                assert value_of(settings, key) == expected
                assert BY_KEY[key].name in settings.origins
            else:
                with pytest.raises(ConfigError, match=f"{key} (cannot be set here|is not a known setting)"):
                    place.load({})
            place.write(source, "")


@pytest.mark.parametrize("key", sorted(BY_KEY))
def test_a_variable_sets_it_where_it_may(place: Place, key: str) -> None:
    written, expected = SAMPLES[key]
    each, variable = BY_KEY[key], {BY_KEY[key].variable: typed(written)}
    if Origin.VARIABLE in each.sources:
        settings = place.load(variable)
        assert value_of(settings, key) == expected
        assert settings.origins[each.name] == each.variable
    else:
        with pytest.raises(ConfigError, match=f"{each.variable} is not a known setting"):
            place.load(variable)


@pytest.mark.parametrize("key", sorted(key for key, each in BY_KEY.items() if each.flag))
def test_a_flag_sets_it(place: Place, key: str) -> None:
    written, expected = SAMPLES[key]
    each = BY_KEY[key]
    assert each.flag is not None
    alone = each.flag.kind in {"switch", "pair"}
    for name in (each.flag.name, *each.flag.names.split()[1:]):
        flags = parse(name) if alone else parse(name, typed(written))
        window = {"CTXPACK_WINDOW": "100k"} if key == "reserve" else {}
        settings = place.load(window, flags.values)
        assert value_of(settings, key) == expected
        assert settings.origins[each.name] == each.flag.name
    if each.flag.implies:
        assert getattr(settings, each.flag.implies)
    assert each.flag_help.endswith(".")


def test_what_is_not_typed_is_not_set() -> None:
    assert parse() == Flags()
    assert parse("--no-semantic").values == {"semantic": False}


def test_a_list_may_be_repeated_and_a_path_is_that_of_the_current_folder(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.root)
    flags = parse("--include", "a,b", "--include", "c", "--system", "house.md")
    assert flags.values == {"include": "a,b,c", "system": str(place.root / "house.md")}


@pytest.mark.parametrize("key", sorted(key for key, each in BY_KEY.items() if each.rule))
def test_a_policy_governs_it(place: Place, key: str) -> None:
    written = BREAKING.get(key, SAMPLES[key][0])
    each = BY_KEY[key]
    place.policy.write_text(POLICIES[each.rule].format(key=key), encoding="utf-8")
    env = {"CTXPACK_POLICY": str(place.policy), "CTXPACK_SEMANTIC": "true", "CTXPACK_EMBEDDER": "http"}
    changed = FIELD_OF_RULE.get(each.rule, each.name)
    if key != "require":  # what is no strategy may be a path, so that only a built-in profile gives way
        settings = place.load(env | {each.variable: typed(written)})
        assert settings.origins[changed] == str(place.policy)
        assert settings.notes
        assert getattr(settings, changed) in {1, "", (), "markdown", each.default, False}
    if changed == each.name:
        with pytest.raises(UsageError, match=f"{each.typed_name}.* is not allowed: the policy"):
            place.load(env, {each.name: typed(written)})


def test_defaults_are_written_as_users_do() -> None:
    assert [format_default(each) for each in (8_000, 1_000_000, 20, 1_500, "path")] == [
        "8k",
        "1M",
        "20",
        "1500",
        "path",
    ]
