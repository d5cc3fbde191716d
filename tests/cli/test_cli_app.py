"""Which commands are made for what is typed."""

from __future__ import annotations

import pytest

from ctxpack.cli.app import COMMANDS, app_for
from ctxpack.cli.options import COMMAND_GROUPS

IN_GROUPS = sorted(COMMANDS, key=lambda name: COMMAND_GROUPS.index(COMMANDS[name].group))


@pytest.mark.parametrize(
    ("arguments", "made"),
    [
        (["task", "x", "--bogus"], ["task"]),
        (["why-not"], ["why-not"]),
        (["--version"], []),
        (["-V"], []),
        (["--version", "task"], IN_GROUPS),
        (["tsak", "x"], IN_GROUPS),
        ([], IN_GROUPS),
    ],
)
def test_only_what_may_be_meant_is_made_a_command(arguments: list[str], made: list[str]) -> None:
    assert [each.name for each in app_for(arguments).registered_commands] == made
