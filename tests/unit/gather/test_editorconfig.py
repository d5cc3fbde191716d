from __future__ import annotations

import pytest

from ctxpack.gather.style_rules import is_outermost, matches, sections_for


@pytest.mark.parametrize(
    ("glob", "path", "is_match"),
    [
        ("*", "a/b.py", True),
        ("*.py", "a/b.py", True),
        ("*.py", "a/b.pyi", False),
        ("*.{js,ts}", "x.ts", True),
        ("*.{js,ts}", "x.tsx", False),
        ("{*.md,docs/**}", "docs/deep/x.txt", True),
        ("Makefile", "sub/Makefile", True),
        ("lib/**.js", "lib/a/b.js", True),
        ("lib/**.js", "src/lib/a.js", False),
        ("/lib/*.js", "lib/a.js", True),
        ("lib/*.js", "lib/a/b.js", False),
        ("?.c", "a.c", True),
        ("?.c", "ab.c", False),
        ("[ab].c", "b.c", True),
        ("[!ab].c", "b.c", False),
        ("file{1..3}.txt", "file2.txt", True),
        ("file{1..3}.txt", "file4.txt", False),
        ("{single}.x", "{single}.x", True),
        ("a\\*b", "a*b", True),
        ("{open", "{open", True),
        ("[a-", "[a-", True),
        ("a+b(c", "a+b(c", True),
        ("[z-a]", "b", False),
    ],
)
def test_globs_are_those_of_the_format(glob: str, path: str, is_match: bool) -> None:  # noqa: FBT001 - a table
    assert matches(glob, path) is is_match


TEXT = "root = true\n\n[*]\nindent_size = 4\n\n# of scripts\n[*.js]\nindent_size = 2\n\n[*.py]\n"


def test_sections_that_hold_are_given_with_their_lines_and_empty_ones_are_not() -> None:
    lines = TEXT.splitlines()
    assert list(sections_for("a.js", lines)) == [("*", (3, 4)), ("*.js", (7, 8))]
    assert list(sections_for("a.py", lines)) == [("*", (3, 4))]


def test_only_the_words_before_the_first_section_make_a_file_the_outermost() -> None:
    assert is_outermost(["ROOT=true"])
    assert not is_outermost(["[*]", "root = true"])
    assert not is_outermost([])


def test_a_glob_may_be_long_but_not_endless() -> None:
    names = ",".join(f"part_{number:02}.py" for number in range(20))
    assert matches(f"{{{names}}}", "src/part_19.py")
    assert not matches(f"{{{names},{names},{names},{names},{names}}}", "src/part_19.py")
