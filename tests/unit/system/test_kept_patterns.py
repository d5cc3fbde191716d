"""A pattern that an earlier run compiled is the pattern that the standard library makes."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import ctxpack
from ctxpack.light import compile_with, lazy_pattern
from ctxpack.system import patterns
from ctxpack.system.disk import read_sealed
from ctxpack.system.patterns import PatternTable, kept_patterns

SOURCES = (
    (r"(?P<name>\w+)=(?:'[^']*+'|\"[^\"]*+\")", 0),
    (r"(?i)[a-zа-яё]+(?<!x)(?P<end>;)?", re.MULTILINE),
    (r"^ # commented$", re.VERBOSE | re.DOTALL),
    ("[\U000e0000-\U000e0fff一-龥]{2,6}", re.IGNORECASE),
)


def of_the_package() -> list[tuple[str, int]]:
    """The text and flags of every lazy pattern."""
    found = set(SOURCES)
    for each in pkgutil.walk_packages(ctxpack.__path__, "ctxpack."):
        if each.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(each.name)
        except ImportError:  # it belongs to an extra that is not installed
            continue
        for thing in vars(module).values():
            if type(thing).__name__ == "_LazyPattern":
                found.add((thing.pattern, thing.flags & ~re.UNICODE))
    return sorted(found)


def test_kept_patterns_are_those_of_the_standard_library(tmp_path: Path) -> None:
    sources, first = of_the_package(), PatternTable(tmp_path)
    assert len(sources) > len(SOURCES)
    compiled = [re.compile(*each) for each in sources]
    assert [first.compile(*each) for each in sources] == compiled
    first.keep()
    later = PatternTable(tmp_path)
    kept = [later.compile(*each) for each in sources]
    assert kept == compiled
    assert [each.groupindex for each in kept] == [each.groupindex for each in compiled]


def place_of(folder: Path) -> Path:
    return next((folder / "patterns").iterdir())


def test_nothing_is_written_where_nothing_is_new(tmp_path: Path) -> None:
    for _ in range(2):
        table = PatternTable(tmp_path)
        table.compile(*SOURCES[0])
        table.keep()
        written = place_of(tmp_path).stat().st_mtime_ns
    table = PatternTable(tmp_path)
    table.compile(*SOURCES[0])
    table.keep()
    assert place_of(tmp_path).stat().st_mtime_ns == written


def test_the_file_is_read_when_a_pattern_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def read_counted(place: Path) -> bytes:
        read.append(place)
        return read_sealed(place)

    monkeypatch.setattr(patterns, "read_sealed", read_counted)
    with kept_patterns(tmp_path):
        assert not read
        assert lazy_pattern("a+").fullmatch("aa")
        assert lazy_pattern("b+").fullmatch("bb")
    assert len(read) == 1


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"00000000\nnonsense"])
def test_what_is_damaged_is_compiled_anew(tmp_path: Path, damage: bytes) -> None:
    with kept_patterns(tmp_path):
        assert lazy_pattern(r"a+").fullmatch("aa")
    place = place_of(tmp_path)
    whole = place.read_bytes()
    place.write_bytes(damage)
    with kept_patterns(tmp_path):
        assert lazy_pattern(r"a+").fullmatch("aa")
    assert place.read_bytes() == whole


def test_a_program_that_the_engine_refuses_is_replaced(tmp_path: Path) -> None:
    table = PatternTable(tmp_path)
    table.compile("a", 0)
    table._known["a", 0] = (0, [1, 2, 3], 99, {}, ())
    assert table.compile("a", 0) == re.compile("a")


def test_without_a_folder_patterns_are_compiled(tmp_path: Path) -> None:
    with kept_patterns(None):
        assert lazy_pattern("b+").search("abb")
    with kept_patterns(tmp_path / "file/below"):
        (tmp_path / "file").write_text("in the way")
        assert lazy_pattern("b+").search("abb")


def test_another_compiler_is_used_until_the_block_ends() -> None:
    asked = []

    def compile_and_note(text: str, flags: int) -> re.Pattern[str]:
        asked.append(text)
        return re.compile(text, flags)

    with compile_with(compile_and_note):
        assert lazy_pattern("inside").search("inside")
    assert lazy_pattern("outside").search("outside")
    assert asked == ["inside"]
