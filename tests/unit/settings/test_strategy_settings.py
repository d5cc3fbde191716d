"""How strategies are chosen and limited in the layers of the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.errors import ConfigError
from ctxpack.settings import StrategyEntry
from ctxpack.settings.loading import load
from tests.configuring import write_user_file


def test_what_is_switched_on_and_off_adds_up(root: Path, env: dict[str, str]) -> None:
    write_user_file(env, "disable = ['tests']\nenable = ['conventions']\n")
    (root / "ctxpack.toml").write_text("disable = ['readme']\nenable = 'history, changes'\n", encoding="utf-8")
    settings = load(root, {"disable": "tree"}, env)
    assert settings.disable == ("tests", "readme", "tree")
    assert settings.enable == ("conventions", "history", "changes")
    assert settings.origins["disable"] == "--without"


def test_what_is_asked_for_wins_over_a_weaker_layer(root: Path, env: dict[str, str]) -> None:
    (root / "ctxpack.toml").write_text("disable = ['readme', 'tests', 'tags']\n", encoding="utf-8")
    settings = load(root, {"strategies": "search,tests"}, env | {"CTXPACK_ENABLE": "readme"})
    assert (settings.strategies, settings.enable, settings.disable) == (("search", "tests"), ("readme",), ("tags",))


def test_what_is_switched_off_wins_over_a_weaker_layer(root: Path, env: dict[str, str]) -> None:
    (root / "ctxpack.toml").write_text("enable = ['conventions']\n", encoding="utf-8")
    settings = load(root, {"disable": "conventions"}, env)
    assert (settings.enable, settings.disable) == (("conventions",), ("conventions",))


def test_entries_remember_whose_they_are_and_where_they_lie(root: Path, env: dict[str, str]) -> None:
    own = write_user_file(env, "[[strategy]]\nid = 'a'\ncommand = 'tool --x'\n")
    (root / "ctxpack.toml").write_text(
        "[[strategy]]\nid = 'b'\ncommand = 'theirs'\nname = 'B'\nscopes = ['task', 'file']\npriority = 7\n"
        "max_tokens = '2k'\ntimeout = 2.5\ndefault = false\n",
        encoding="utf-8",
    )
    settings = load(root, env=env)
    assert settings.strategy_entries == (
        StrategyEntry("a", "tool --x", folder=str(own.parent), is_own=True),
        StrategyEntry("b", "theirs", "B", ("task", "file"), 7, 2000, 2.5, is_default=False, folder=str(root)),
    )
    assert settings.digest != load(root, env=env | {"HOME": "/nowhere"}).digest


@pytest.mark.parametrize("is_own", [True, False])
def test_a_repository_cannot_trust_itself(root: Path, env: dict[str, str], is_own: bool) -> None:  # noqa: FBT001
    text = "allow_commands = true\n"
    if is_own:
        write_user_file(env, text)
        assert load(root, env=env).allow_commands
        return
    (root / "ctxpack.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="allow_commands cannot be set here"):
        load(root, env=env)
    assert load(root.parent, env=env | {"CTXPACK_ALLOW_COMMANDS": "1"}).allow_commands


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("strategy = 5", "strategy must be written as [[strategy]]"),
        ("[[strategy]]\nname = 'x'", "strategy must be an entry with id = …"),
        ("[[strategy]]\nid = ''", "strategy must be an entry whose id is a text"),
        ("[[strategy]]\nid = 'a'\ntimeout = 0", "an entry whose timeout is a number of seconds above 0"),
        ("[[strategy]]\nid = 'a'\nscopes = ['all']", "an entry whose scopes is a list of task, file, component, diff"),
        ("[[strategy]]\nid = 'a'\npriority = 101", "an entry whose priority is a whole number from 0 to 100"),
        ("[[strategy]]\nid = 'a'\ncomand = 'x'", "entries whose keys are among id, command"),
        ("[[strategy]]\nid = 'a'\ncommand = '\"open'", "an entry whose command is a command such as"),
        ("[[strategy]]\nid = 'a'\n[[strategy]]\nid = 'a'", "entries with different ids; a is there twice"),
    ],
)
def test_mistakes_in_an_entry_are_named(root: Path, env: dict[str, str], text: str, message: str) -> None:
    (root / "ctxpack.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load(root, env=env)
    assert message in str(error.value)
