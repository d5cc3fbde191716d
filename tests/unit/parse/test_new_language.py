"""A new language is one record: a copy of the package with one more knows its tests, imports and definitions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ctxpack

RECORD = r"""

from ctxpack.parse.languages.modules import resolve_relative
from ctxpack.parse.languages.record import AFTER, Patterns

BREW = Language(
    "brew", suffixes="brew", comments=("#",), strings=(), test_names=(AFTER,),
    imports=(r"\n[ \t]*pour[ \t]+\"(?P<module>[^\"\n]+)\"",), resolve=resolve_relative,
    patterns=Patterns((("function", r"routine[ \t]+NAME"),), ends="word", above=("#",), closer=r"finish\b"),
)
"""
FILES = {
    "kettle.brew": '\npour "cup.brew"\n\n# Heats it.\nroutine boil_water\n  heat (until\n    hot)\nfinish\n',
    "cup.brew": "\nroutine fill_cup\n  tilt\nfinish\n",
    "kettle_test.brew": '\npour "kettle.brew"\n\nroutine boils\n  boil_water\nfinish\n',
}


SPOILT_RECORD = """

def _spoilt(_text, _first_line):
    raise KeyError("sugar")

SPOILT = Language("spoilt", suffixes="spoilt", headings=_spoilt)
"""


def run_with_languages(tmp_path: Path, records: str, files: dict[str, str], *arguments: str) -> dict[str, Any]:
    """Return the JSON report of a copy of the package that knows further languages."""
    copy = tmp_path / "package" / "ctxpack"
    shutil.copytree(Path(ctxpack.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    with (copy / "parse" / "languages" / "others.py").open("a", encoding="utf-8") as file:
        file.write(records)
    root = tmp_path / "repository"
    root.mkdir()
    for name, text in files.items():
        (root / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ctxpack", *arguments, "--root", str(root), "--format", "json", "-q"]
    env = {**os.environ, "PYTHONPATH": str(copy.parent)}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=tmp_path, env=env, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.usefixtures("warm_cache")
def test_a_defect_of_a_language_costs_its_files_alone(tmp_path: Path) -> None:
    files = {**FILES, "sweet.spoilt": "boil water\n"}
    answer = run_with_languages(tmp_path, RECORD + SPOILT_RECORD, files, "task", "boil water")
    assert "kettle.brew" in {each["path"] for each in answer["fragments"]}
    assert answer["skipped"] == {"unreadable": 1}


@pytest.mark.usefixtures("warm_cache")
def test_one_record_is_a_language(tmp_path: Path) -> None:
    answer = run_with_languages(tmp_path, RECORD, FILES, "file", "kettle.brew")
    pieces = {each["path"]: each for each in answer["fragments"]}
    assert (pieces["kettle_test.brew"]["strategy"], pieces["kettle_test.brew"]["kind"]) == ("tests", "test")
    assert pieces["kettle_test.brew"]["symbol"] == "boils"
    assert pieces["cup.brew"]["reasons"] == ["imported by kettle.brew"]
    assert pieces["cup.brew"]["content"].split() == ["2", "routine", "fill_cup"]
    assert pieces["kettle.brew"]["kind"] == "code"
