"""Which commands are made for what is typed."""

from __future__ import annotations

import pytest

from ctxpack.cli.app import COMMANDS, app_for


@pytest.mark.parametrize(
    ("arguments", "made"),
    [
        (["task", "x", "--bogus"], ["task"]),
        (["why-not"], ["why-not"]),
        (["--version"], []),
        (["-V"], []),
        (["--version", "task"], list(COMMANDS)),
        (["tsak", "x"], list(COMMANDS)),
        ([], list(COMMANDS)),
    ],
)
def test_only_what_may_be_meant_is_made_a_command(arguments: list[str], made: list[str]) -> None:
    assert [each.name for each in app_for(arguments).registered_commands] == made
