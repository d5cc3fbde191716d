"""Whole reports, case by case: ``fixtures/cases/*.toml``. ``CTXPACK_UPDATE_GOLDEN=1`` writes the reports anew."""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ctxpack.model import Request, Scope
from ctxpack.pipeline import run_pack
from ctxpack.settings import Settings
from tests.indexing import commit, write

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
UPDATE = "CTXPACK_UPDATE_GOLDEN" in os.environ
FILES = ("system", "history", "instructions")  # settings that name a file of the fixtures
NOON = 1_795_262_400.0  # 2026-11-21 12:00 UTC
CASES = sorted((FIXTURES / "cases").glob("*.toml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_case_gives_the_report_that_is_on_file(case: Path, tmp_path: Path) -> None:
    given = tomllib.loads(case.read_text(encoding="utf-8"))
    root = Path(shutil.copytree(FIXTURES / given["root"], tmp_path / given["root"]))
    _edit(root, given.get("edit", ()))
    wanted = given["request"]
    request = Request(**{**wanted, "scope": Scope(wanted["scope"])})
    its: dict[str, Any] = {
        name: str(FIXTURES / value) if name in FILES else value for name, value in given["settings"].items()
    }
    settings = Settings(root=root, cache_dir=tmp_path / "cache", data_dir=tmp_path / "data", **its)
    text = run_pack(request, settings, clock=lambda: NOON).text
    expected = FIXTURES / "reports" / given["report"]
    if UPDATE:
        expected.write_text(text, encoding="utf-8", newline="")
    assert text == expected.read_text(encoding="utf-8")


def _edit(root: Path, edits: Sequence[Mapping[str, str]]) -> None:
    """Commit all files, and change some texts afterwards."""
    if edits:
        commit(root, {}, "Start")
    for each in edits:
        text = (root / each["path"]).read_text(encoding="utf-8")
        assert each["old"] in text
        write(root, {each["path"]: text.replace(each["old"], each["new"])})


def test_there_are_cases() -> None:
    assert CASES
