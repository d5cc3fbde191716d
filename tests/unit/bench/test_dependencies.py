"""Every dependency has bounds, is in the lock, and has a licence that is allowed."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]
script = runpy.run_path(str(PROJECT / "scripts" / "dependencies"))


def test_every_dependency_has_a_lower_and_an_upper_bound() -> None:
    declared = script["declared"](extras=script["extras"]())
    assert len(declared) > 40
    assert script["unbounded"](declared) == []
    assert script["unbounded"](["a>=1", "b<2", "c", "d>=1,<2", "e==3"]) == ["a>=1", "b<2", "c"]


def test_the_lowest_versions_are_those_of_the_bounds() -> None:
    assert script["lowest"](["numpy>=1.26,<3", "tree-sitter-c>=0.24.2,<0.25", "x<2"]) == [
        "numpy==1.26", "tree-sitter-c==0.24.2",
    ]  # fmt: skip


def test_the_lock_has_every_dependency_in_an_allowed_version() -> None:
    assert script["missing_from_lock"]() == []
    assert set(map(script["name_of"], script["declared"]())) < set(script["locked"]())


@pytest.mark.parametrize(
    ("version", "requirement", "allowed"),
    [
        ("1.26.4", "numpy>=1.26,<3", True), ("3.0", "numpy>=1.26,<3", False), ("1.9", "numpy>=1.26,<3", False),
        ("2", "x>=2.0.0,<3", True), ("", "x>=1,<2", False), ("0.28.1", "typer>=0.28,<0.29", True),
    ],
)  # fmt: skip
def test_versions_are_compared_by_their_numbers(version: str, requirement: str, allowed: bool) -> None:  # noqa: FBT001
    assert script["is_allowed"](version, requirement) == allowed


def test_licences_of_all_that_is_installed_are_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    assert script["licences"]() == 0
    rows = capsys.readouterr().out.splitlines()
    assert any(row.startswith("numpy ") for row in rows)
    assert not [row for row in rows if "unknown" in row or "GPL" in row]
