"""Trees made at random give the files of git, as a work tree, as a folder and without git."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

import pytest

fileset = import_module("fileset")


@pytest.mark.parametrize("seed", range(2))
def test_trees_made_at_random_give_the_files_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", os.devnull)
    assert list(fileset.check_trees(tmp_path, 8, seed)) == []


def test_what_is_hidden_by_mistake_is_a_difference() -> None:
    (found,) = fileset.compare("a way", 3, {"a", "b"}, {"b", "c"})
    assert (found.more, found.less) == (("a",), ("c",))
    assert list(fileset.compare("a way", 3, {"a"}, {"a"})) == []
