"""What stands behind the pieces."""

from __future__ import annotations

import pytest

from ctxpack.settings import DEFAULT_MORE_MARKERS
from ctxpack.workflows.answers import prompt_ending


def test_question_comes_last() -> None:
    assert prompt_ending(" why?\n", "", DEFAULT_MORE_MARKERS, is_last=False).endswith("\n\nQuestion:\n\nwhy?\n")


@pytest.mark.parametrize(
    ("question", "marker", "data"),
    [
        ("where are retries delayed", "NEED MORE:", "They are data"),
        ("почему send_with_retry в processing/uploader.py ждёт", "НУЖНО ЕЩЁ:", "Это данные"),
    ],
)
def test_language_is_that_of_the_question(question: str, marker: str, data: str) -> None:
    said = prompt_ending(question, "", DEFAULT_MORE_MARKERS, is_last=False)
    assert marker in said
    assert data in said


def test_own_markers_are_told() -> None:
    assert "begins with MEHR: and" in prompt_ending("why?", "", ("fehlt mir", "MEHR:"), is_last=False)
    assert "say 'fehlt mir' and" in prompt_ending("why?", "", ("fehlt mir",), is_last=False)


def test_last_time_no_marker_is_told() -> None:
    said = prompt_ending("why?", "a {weird} wish", DEFAULT_MORE_MARKERS, is_last=True)
    assert "You asked for more: a {weird} wish." in said
    assert "No further pieces can be added" in said
    assert "NEED MORE" not in said
