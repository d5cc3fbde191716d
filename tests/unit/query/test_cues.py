from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import ctxpack
from ctxpack.query import dictionary
from ctxpack.query.dictionary import cue_lines, cue_pattern, cue_patterns, is_cyrillic

TEXT = Path(str(dictionary.__file__)).with_name("cues.txt").read_text(encoding="utf-8")
LINES = [line for line in TEXT.splitlines() if line and not line.startswith("# ")]
NAMES = [line[1:].partition("]")[0] for line in LINES if line.startswith("[")]
CODE = "\n".join(path.read_text(encoding="utf-8") for path in Path(ctxpack.__path__[0]).rglob("*.py"))
NAMED_BY_CODE = re.findall(r"\bcue_(?:pattern|patterns|lines)\(\s*\"([^\"]+)\"", CODE)
PIECES = {"name", "number", "owners", "path", "program"}  # what code puts in itself
NAMED_BY_SECTIONS = set(re.findall(r"\{([a-z][^{}]*)\}", TEXT)) - PIECES


def test_every_section_is_used_and_there_is_every_one_that_is_used() -> None:
    used = set(NAMED_BY_CODE)
    used |= {f"{name} in Russian" for name in used} & set(NAMES) | NAMED_BY_SECTIONS
    assert sorted(NAMES) == sorted(used)
    assert len(NAMED_BY_CODE) == len(set(NAMED_BY_CODE))


def test_every_piece_that_a_section_names_is_put_in_by_code() -> None:
    for name in PIECES:
        assert f"{{{name}}}" in TEXT
        assert re.search(rf"\bcue_patterns?\([^)]*\b{name}=", CODE)


def test_a_line_is_short_and_captures_only_what_it_names() -> None:
    for line in TEXT.splitlines():
        assert len(line) <= 120
        assert line == line.strip()
        assert line.startswith(("#", "[")) or not re.search(r"(?<!\\)\[[^\]]*(?<!\\)\(", line), "\\( in a set"


def test_languages_are_told_apart() -> None:
    for name in NAMES:
        if name.endswith(" in Russian"):
            lines = TEXT.partition(f"\n[{name}]")[2].partition("\n\n")[0].splitlines()[1:]
            assert any(is_cyrillic(line) or " in Russian}" in line for line in lines), name


@pytest.mark.parametrize(
    ("text", "is_found"),
    [("Fix it", True), ("a prefix", False), ("fixture", False), ("исправьте это", True), ("неисправно", False)],
)
def test_a_section_is_looked_for_as_whole_words(text: str, is_found: bool) -> None:  # noqa: FBT001
    assert bool(cue_pattern("intent: troubleshoot").search(text)) is is_found


def test_a_section_as_written_has_no_bounds() -> None:
    assert cue_pattern("renaming").pattern.startswith("renam(?:e|ed|ing)|relabel(?:led|ed)?|")
    assert cue_pattern("renaming").pattern.endswith(r"|reads|переимен\w{1,8}")


def test_each_line_can_be_a_pattern_of_its_own() -> None:
    found = cue_patterns("change of a file", path="(?P<path>a.py)")
    assert [pattern.pattern for pattern in found] == list(cue_lines("change of a file", path="(?P<path>a.py)"))
    assert [match["path"] for pattern in found for match in pattern.finditer("We removed the old script a.py")] == [
        "a.py"
    ]
    assert found[-1].search("переименовали файл a.py")


def test_what_a_section_names_stands_in_its_place() -> None:
    assert cue_lines("work adds")[0].endswith(" (?:add|implement|introduce|support|extend)s")


def test_the_file_is_read_when_a_pattern_is_used() -> None:
    code = (
        "from ctxpack.query import dictionary, understand\n"
        "assert not dictionary._sections.cache_info().currsize\n"
        "understand.aims_of('where is it')\n"
        "assert dictionary._sections.cache_info().currsize"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
