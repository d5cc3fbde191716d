"""What settings say about redaction: personal data, engines, and what is let through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.errors import ConfigError
from ctxpack.model import Kind
from ctxpack.redact import Rules, redact, redact_fragments, rules_of
from ctxpack.redact.rules import rules_to_keep
from ctxpack.settings.loading import load
from ctxpack.settings.tables import AllowEntry
from tests.building import piece_of

LINE = "password = 'Xk29!fkQ'  # of bob@example.org\n"
MARKED = "password = '[REDACTED:password]'  # of [REDACTED:email]\n"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (AllowEntry("why", value="Xk29!fkQ"), MARKED.replace("[REDACTED:password]", "Xk29!fkQ")),
        (AllowEntry("why", value="*@example.org"), MARKED.replace("[REDACTED:email]", "bob@example.org")),
        (AllowEntry("why", kind="email"), MARKED.replace("[REDACTED:email]", "bob@example.org")),
        (AllowEntry("why", path="tests/*"), LINE),
        (AllowEntry("why", path="docs/*"), MARKED),
        (AllowEntry("why", value="Xk29!fkQ", path="docs/*"), MARKED),
    ],
)
def test_the_allow_list_lets_through_what_all_fields_of_an_entry_are_about(entry: AllowEntry, expected: str) -> None:
    rules = Rules(personal=True, allowed=(entry,))
    (piece,), _ = redact_fragments([piece_of(LINE, "tests/a.py", kind=Kind.TEST)], rules)
    assert piece.text == expected


def test_every_entry_gives_its_reason(tmp_path: Path) -> None:
    place = tmp_path / "ctxpack.toml"
    place.write_text('[[allow]]\nvalue = "AKIA*"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="an entry with reason"):
        load(tmp_path, env={})
    place.write_text('[[allow]]\nreason = "why"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="an entry with value, path or kind"):
        load(tmp_path, env={})
    place.write_text('[[allow]]\nvalue = "a"\npath = "docs/*"\nreason = "an example"\n', encoding="utf-8")
    (entry,) = load(tmp_path, env={}).allow
    assert str(entry) == "a value in docs/*: an example"


def test_what_is_kept_never_holds_secrets_and_no_personal_data_where_it_is_on(tmp_path: Path) -> None:
    settings = replace(load(tmp_path, env={}), use_redaction=False, allow=(AllowEntry("why", path="*"),))
    assert rules_of(settings).is_off
    assert rules_to_keep(settings) == Rules()
    assert rules_to_keep(replace(settings, pii=True)) == Rules(personal=True)


def test_a_policy_requires_both_and_says_what_stays(tmp_path: Path) -> None:
    policy, root = tmp_path / "policy.toml", tmp_path / "repo"
    root.mkdir()
    (root / "ctxpack.toml").write_text('[[allow]]\npath = "*"\nreason = "ours"\n', encoding="utf-8")
    policy.write_text(
        'redaction = "required"\npii = "required"\n[[allow]]\nvalue = "help@example.org"\nreason = "public"\n',
        encoding="utf-8",
    )
    off = {"CTXPACK_PII": "false", "CTXPACK_USE_REDACTION": "false"}
    settings = load(root, env={"CTXPACK_POLICY": str(policy), **off})
    assert (settings.pii, settings.use_redaction) == (True, True)
    assert settings.allow == (AllowEntry("public", value="help@example.org"),)
    assert any(
        note.startswith("The allow-list of the configuration is not used: the policy") for note in settings.notes
    )
    assert (
        redact("help@example.org bob@example.org", rules=rules_of(settings)).text == "help@example.org [REDACTED:email]"
    )


def test_the_key_of_caches_tells_rules_apart_and_keeps_that_of_secrets_alone() -> None:
    rules = [Rules(), Rules(secrets=False), Rules(personal=True), Rules(allowed=(AllowEntry("why", kind="email"),))]
    assert len({each.digest for each in rules}) == len(rules)
    assert (Rules().digest, Rules(secrets=False).digest) == ("True", "False")
