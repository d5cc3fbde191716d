from __future__ import annotations

import difflib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.understand.change import Hunk, narrow_hunks, new_file_hunks, parse_hunks, subject_said

DIFF = """\
index 1..2 100644
--- a/x
+++ b/x
@@ -1,7 +1,8 @@ def f():
 one
 two
 three
-four
+4
+and more
 five
 six
 seven
@@ -20,3 +21,2 @@
 twenty
-
 last
\\ No newline at end of file
"""


def test_hunks_are_read_with_their_line_numbers() -> None:
    first, second = parse_hunks(DIFF.splitlines())
    assert (first.old_span, first.new_span, first.added, first.removed) == ((1, 7), (1, 8), 2, 1)
    assert [(line.mark, line.new) for line in first.lines if line.mark == "+"] == [("+", 4), ("+", 5)]
    assert (second.old_span, second.new_span) == ((20, 22), (21, 22))
    assert second.lines[-1].mark == "\\"


def test_a_hunk_is_written_as_it_was_read() -> None:
    hunks = parse_hunks(DIFF.splitlines())
    assert hunks[0].text("def f():") + hunks[1].text() == DIFF.split("+++ b/x\n")[1]


def test_less_context_keeps_the_changes_and_the_remark_about_the_last_line() -> None:
    first, second = narrow_hunks(parse_hunks(DIFF.splitlines()), 0)
    assert first.text() == "@@ -4 +4,2 @@\n-four\n+4\n+and more\n"
    assert second.text() == "@@ -21 +21,0 @@\n-\n"
    (last,) = narrow_hunks(parse_hunks(["@@ -1 +1 @@", "-a", "+b", "\\ No newline at end of file"]), 0)
    assert last.text().endswith("+b\n\\ No newline at end of file\n")


def test_a_wide_hunk_falls_into_parts() -> None:
    lines = ["@@ -1,9 +1,9 @@", "-a", "+b", *(f" {number}" for number in range(7)), "-y", "+z"]
    parts = narrow_hunks(parse_hunks(lines), 2)
    assert [part.text().splitlines()[0] for part in parts] == ["@@ -1,3 +1,3 @@", "@@ -7,3 +7,3 @@"]


def test_lines_that_look_like_heads_are_lines() -> None:
    (hunk,) = parse_hunks(["@@ -1,2 +1,2 @@", "--- a/old", "+@@ -1 +1 @@", " diff --git a b"])
    assert [line.text for line in hunk.lines] == ["-- a/old", "@@ -1 +1 @@", "diff --git a b"]


def test_a_new_file_is_one_hunk() -> None:
    (hunk,) = new_file_hunks(["a", "b"])
    assert hunk.text() == "@@ -0,0 +1,2 @@\n+a\n+b\n"
    assert new_file_hunks([]) == ()


LINES = st.lists(st.sampled_from(["", "a", "b", "+c", "-d", " e", "@@ -1 +1 @@"]), max_size=30)


@settings(max_examples=150, deadline=None)
@given(old=LINES, new=LINES, context=st.integers(0, 3))
def test_narrowed_hunks_still_turn_the_old_text_into_the_new(old: list[str], new: list[str], context: int) -> None:
    rows = difflib.unified_diff(old, new, n=3, lineterm="")
    hunks = narrow_hunks(parse_hunks(list(rows)[2:]), context)
    assert patched(old, parse_hunks("".join(hunk.text() for hunk in hunks).splitlines())) == new


def patched(old: list[str], hunks: tuple[Hunk, ...]) -> list[str]:
    """The text after the change, made of the text before it."""
    made, at = list[str](), 0
    for hunk in hunks:
        first, last = hunk.old_span
        start = first - 1 if last >= first else first
        made += old[at:start] + [line.text for line in hunk.lines if line.mark in " +"]
        assert old[start : start + last - first + 1] == [line.text for line in hunk.lines if line.mark in " -"]
        at = start + last - first + 1
    return made + old[at:]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ("docs: fix minor issues in README", "fix in"),
        ("fix(uploader): retry a broken connection", "retry a broken connection"),
        ("Release 1.19.2", "Release"),
        ("docs: README", ""),
    ],
)
def test_what_messages_of_commits_say_of_any_change_is_no_subject(messages: str, said: str) -> None:
    assert " ".join(subject_said(messages).split()) == said
