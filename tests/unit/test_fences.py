"""Fences, read alike wherever text is cut, shortened or shown."""

from __future__ import annotations

import pytest

from ctxpack.text import fence_after, in_fence, inside_fence, open_fences, without_fenced


@pytest.mark.parametrize(
    ("before", "line", "after"),
    [
        ("", "```py", "```"),
        ("", "~~~~ text `with` marks", "~~~~"),
        ("", "    ```", "```"),
        ("", "1. ```sh", "```"),
        ("", "> ~~~", "~~~"),
        ("", "```not a fence```", ""),
        ("", "plain", ""),
        ("```", "```", ""),
        ("```", "  `````  ", ""),
        ("````", "```", "````"),
        ("```", "~~~", "```"),
        ("```", "``` py", "```"),
        ("~~~", "> ~~~", ""),
    ],
)
def test_a_line_opens_or_closes_a_fence(before: str, line: str, after: str) -> None:
    assert fence_after(before, line) == after


@pytest.mark.parametrize("line", ["    ```", "- ```", "> ~~~", "\t```"])
def test_fences_in_lists_count_only_where_they_are_asked_for(line: str) -> None:
    assert fence_after("", line, is_nested=False) == ""
    assert fence_after("", line)


def test_lines_between_fences_are_known() -> None:
    lines = ["a", "- ```", "  # no heading", "  ```", "b", "~~~"]
    assert open_fences(lines) == [False, False, True, True, False, False, True]
    assert without_fenced("\n".join(lines)) == "a\nb"


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("```json\n[1, 2]\n```", "[1, 2]"),
        ("~~~\na\nb\n~~~", "a\nb"),
        ("```\n[1]\n```\nbecause", "```\n[1]\n```\nbecause"),
        ("```\n[1]", "```\n[1]"),
        ("```", "```"),
        ("[1]", "[1]"),
    ],
)
def test_a_text_that_is_one_block_gives_its_inside(text: str, inside: str) -> None:
    assert inside_fence(text) == inside


def test_what_is_fenced_cannot_end_its_fence() -> None:
    text = "a\n````\nb"
    assert inside_fence(in_fence(text, "md").rstrip("\n")) == text
    assert in_fence("") == ""
