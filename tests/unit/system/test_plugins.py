from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ctxpack.system.plugins import GROUPS, Plugin, plugin, plugins, resolve
from tests.installing import install

GROUP = "ctxpack.strategies"


def test_without_packages_for_us_nothing_is_looked_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(tmp_path, "other", "x = 1\n", {"console_scripts": {"other": "other:x"}})
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert [plugins(group) for group in GROUPS] == [()] * len(GROUPS)


def test_entry_points_are_found_by_name_and_nothing_is_imported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = install(tmp_path / "1", "zeta", "raise RuntimeError\n", {GROUP: {"b": "zeta:one", "a": "zeta.deep:two.x"}})
    second = install(tmp_path / "2", "alpha", "", {GROUP: {"a": "alpha:one"}, "ctxpack.renderers": {"r": "alpha:r"}})
    monkeypatch.setattr(sys, "path", [str(first), str(second), str(first), str(tmp_path / "missing"), "archive.zip"])
    assert plugins(GROUP) == (
        Plugin("a", "alpha:one", "alpha"),
        Plugin("a", "zeta.deep:two.x", "zeta"),
        Plugin("b", "zeta:one", "zeta"),
    )
    assert plugin("ctxpack.renderers", "r") == Plugin("r", "alpha:r", "alpha")
    assert plugin("ctxpack.renderers", "s") is None
    assert "zeta" not in sys.modules


def test_the_current_folder_brings_nothing_since_it_may_be_a_strangers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(tmp_path, "stranger", "", {GROUP: {"evil": "stranger:x"}})
    monkeypatch.chdir(tmp_path)
    for path in ("", str(tmp_path), "."):
        monkeypatch.setattr(sys, "path", [path])
        assert plugins(GROUP) == ()


def test_a_name_becomes_the_object_and_dots_go_deeper() -> None:
    assert resolve("pathlib:Path.cwd") == Path.cwd
    with pytest.raises(ImportError):
        resolve("no_such_module:x")
    with pytest.raises(AttributeError):
        resolve("pathlib:NoSuchThing")
