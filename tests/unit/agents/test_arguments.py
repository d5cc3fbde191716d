"""What is wrong with an argument is told in a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ctxpack.agents.handler import Arguments
from ctxpack.agents.tools import PACK_CONTEXT
from ctxpack.errors import UsageError
from ctxpack.model import Places


def arguments(**values: object) -> Arguments:
    return Arguments("pack_context", PACK_CONTEXT.takes, values)


def test_unknown_arguments_name_the_one_that_was_meant() -> None:
    with pytest.raises(UsageError, match="no argument 'tsk'") as caught:
        arguments(tsk="x")
    assert caught.value.hint == "Did you mean task?"
    with pytest.raises(UsageError) as caught:
        arguments(zzz=1)
    assert caught.value.hint.startswith("It takes task, directory")


def test_null_is_the_same_as_nothing() -> None:
    its = arguments(task=None, budget=None)
    assert (its.text("task"), its.number("budget", 7, (1, 9)), its.texts("require")) == ("", 7, ())


@pytest.mark.parametrize("value", ["x", True, 0, 10, 1.5, [1]])
def test_numbers_are_whole_and_within_their_limits(value: object) -> None:
    with pytest.raises(UsageError, match="budget must be a whole number from 1 to 9"):
        arguments(budget=value).number("budget", 1, (1, 9))


def test_a_whole_number_may_be_written_with_a_point() -> None:
    assert arguments(budget=3.0).number("budget", 1, (1, 9)) == 3


def test_texts_are_texts() -> None:
    with pytest.raises(UsageError, match="task must be a string"):
        arguments(task=3).text("task")
    with pytest.raises(UsageError, match="needs the argument task"):
        arguments(task="  ").text("task", required=True)
    with pytest.raises(UsageError, match="require must be a list of strings"):
        arguments(require=["a", 3]).texts("require")
    assert arguments(require=["a"]).texts("require") == ("a",)


def test_a_path_is_inside_the_folder(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    for written in ("a/b.py", "./a/b.py", "a/../a/b.py", str(root / "a" / "b.py")):
        assert Arguments("read_chunk", {"properties": {"path": {}}}, {"path": written}).path(Places(root)) == "a/b.py"
    for written in ("../b.py", os.path.join("a", "..", "..", "b.py"), "a\0b", str(root.parent / "b.py")):  # noqa: PTH118
        with pytest.raises(UsageError, match="is outside"):
            Arguments("read_chunk", {"properties": {"path": {}}}, {"path": written}).path(Places(root))
