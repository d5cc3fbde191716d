"""The table of all languages, and which of them a file is in: by its name, its suffix or the first line of a script.

The families below are loaded when one of their languages is asked for, or when all names are needed.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from ctxpack.languages.record import Language, LanguageRole

FAMILIES = (
    "documents", "python", "web", "c_family", "jvm", "systems", "scripts", "dotnet", "shell", "data", "functional",
    "others",
)  # fmt: skip
C_HEADER = "h"
_SHEBANG = rb"#!\s*(?:\S*/)?env\s+(?:-\S+\s+|\w+=\S+\s+)*(?:\S*/)?([\w-]+)|#!\s*(?:\S*/)?([\w-]+)"
_MARK_BEHIND = r"(?:(?<=[a-z0-9])(?:Tests?|TestCase|Specs?|IT)|[._-](?:unit[._-])?(?:tests?|specs?))$"
_MARK_BEFORE = r"^(?:tests?[._-]|Test(?=[A-Z]))"
_UNKNOWN_TEXT = Language("", role=LanguageRole.PROSE)


class _Names(NamedTuple):
    """Languages by suffix, file name, program and other name."""

    suffixes: dict[str, Language]
    files: dict[str, Language]
    programs: dict[str, Language]
    aliases: dict[str, Language]


def languages() -> Iterator[Language]:
    """Yield every record, family by family: those of ``jvm`` are its ``JVM_LANGUAGES``."""
    for family in FAMILIES:
        yield from getattr(importlib.import_module(f"ctxpack.languages.{family}"), f"{family.upper()}_LANGUAGES")


@cache
def find_language(name: str) -> Language:
    """Return the record of a language by its name, another name or a suffix; one without facts if it is unknown.

    Text without a language, ``""``, counts as prose.
    """
    lowered = name.lower()
    if not lowered:
        return _UNKNOWN_TEXT
    found = next((each for each in languages() if each.name == lowered), None)
    return found or _names().aliases.get(lowered) or _names().suffixes.get(lowered) or Language(lowered)


@lru_cache(maxsize=65_536)  # names repeat
def language_of_name(name: str, *, is_cpp_near: bool = False) -> str:
    """Return the language that a file's name says, or ``""``. A ``.h`` is C++ with C++ files near it."""
    lower = name.lower()
    names = _names()
    if lower in names.files:
        return names.files[lower].name
    suffix = lower.rpartition(".")[2]
    if suffix == C_HEADER:
        return "cpp" if is_cpp_near else "c"
    if suffix != lower and suffix in names.suffixes:
        return names.suffixes[suffix].name
    stem = lower.partition(".")[0]
    return stem if stem == "dockerfile" else ""


def language_of_shebang(head: bytes) -> str:
    """Return the language of a script's ``#!`` line, or ``""``."""
    match = re.match(_SHEBANG, head)
    if not match:
        return ""
    program = (match[1] or match[2]).decode("ascii", "replace").lower()
    programs = _names().programs
    found = programs.get(program) or programs.get(program.rstrip("0123456789.-"))
    return found.name if found else ""


@lru_cache(maxsize=65_536)  # names repeat
def is_test_name(name: str) -> bool:
    """Return whether the file is named like a test of its language."""
    record = _names().suffixes.get(name.rpartition(".")[2])
    pattern = _test_pattern(record.test_names) if record else None
    return pattern is not None and pattern.fullmatch(name) is not None


def without_test_mark(stem: str) -> str:
    """Return the stem of a test's name without the mark of a test: ``QueueTest`` → ``Queue``."""
    return re.sub(f"{_MARK_BEHIND}|{_MARK_BEFORE}", "", stem) or stem


@cache
def _test_pattern(test_names: tuple[str, ...]) -> re.Pattern[str] | None:
    return re.compile(rf"(?:{'|'.join(test_names)})\.[^.]+") if test_names else None


@cache
def _names() -> _Names:
    names = _Names({}, {}, {}, {})
    for each in languages():
        names.suffixes.update(dict.fromkeys(each.suffixes.split(), each))
        names.files.update(dict.fromkeys(each.files.split(), each))
        names.programs.update(dict.fromkeys(each.programs.split(), each))
        names.aliases.update(dict.fromkeys(each.aliases.split(), each))
    return names
