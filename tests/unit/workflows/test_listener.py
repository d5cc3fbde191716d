"""An answer is passed on as it comes, without the lines that only ask for more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.workflows.answers import AnswerFilter, line_markers, text_after_marker

MARKERS = ("NEED MORE:", "not enough context")
ANSWERS = st.lists(
    st.sampled_from(["NEED MORE: a.py", "NEED MORE:", "- b.py", "", "Need", "NEED MORE", "It is so.", "> x", "  "])
).map("\n".join)


def heard(parts: list[str], markers: tuple[str, ...] = MARKERS) -> tuple[list[str], bool]:
    passed: list[str] = []
    listener = AnswerFilter(markers, passed.append)
    for part in parts:
        listener.add(part)
    listener.end()
    return passed, listener.has_passed


def test_text_is_passed_on_at_once() -> None:
    passed: list[str] = []
    listener = AnswerFilter(MARKERS, passed.append)
    listener.add("The ")
    assert passed == ["The "]
    listener.add("end\nNe")
    assert passed == ["The ", "end\n"]
    listener.add("ver")
    assert passed == ["The ", "end\n", "Never"]


@pytest.mark.parametrize(
    ("answer", "passed"),
    [
        ("NEED MORE: a.py\n", ""),
        ("\n\nNEED MORE:\n- a.py\n- b.py\n", ""),
        ("\n So it is.\nneed more: a.py\nBut so.", " So it is.\nBut so."),
        ("NEED MORE:\n- a.py\n\nThe rest.\n", "The rest.\n"),
        ("**NEED MORE:** a.py", ""),
        ("NEED MORE", "NEED MORE"),
        ("> ", "> "),
    ],
)
def test_only_lines_that_ask_are_held_back(answer: str, passed: str) -> None:
    assert "".join(heard([answer])[0]) == passed
    assert "".join(heard(list(answer))[0]) == "".join(heard([answer])[0])


@given(ANSWERS, st.data())
def test_it_does_not_matter_in_which_parts_it_comes(answer: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(answer)))))
    parts = [answer[start:end] for start, end in zip([0, *cuts], [*cuts, len(answer)], strict=True)]
    whole, has_passed = heard([answer])
    assert "".join(heard(parts)[0]) == "".join(whole)
    assert has_passed == bool("".join(whole).strip())
    assert not [
        line for line in "".join(whole).split("\n") if text_after_marker(line, line_markers(MARKERS)) is not None
    ]


@given(ANSWERS)
def test_without_markers_everything_that_says_something_is_passed_on(answer: str) -> None:
    assert "".join(heard([answer], ())[0]).strip() == answer.strip()
