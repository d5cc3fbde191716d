from __future__ import annotations

import pytest

from ctxpack.model import Lane, Request, Scope
from ctxpack.query import query_of_text
from ctxpack.query.understand import USUAL_DEFAULTS, defaults_of


def test_a_short_question_has_a_floor_and_more_documents() -> None:
    lookup = defaults_of(Request(Scope.TASK, "url_for"), query_of_text("url_for"))
    text = "How are retries delayed?"
    explain = defaults_of(Request(Scope.TASK, text), query_of_text(text))
    assert (lookup.floor, explain.floor) == (0.5, 0.4)
    assert lookup.max_files < explain.max_files
    assert lookup.shares == {Lane.DOCS: 0.75}


def test_code_in_english_may_score_less_for_a_question_in_russian() -> None:
    text = "события отправляются повторно"
    found = defaults_of(Request(Scope.TASK, text), query_of_text(text))
    assert (found.floor, found.max_files) == (0.4, 12)


@pytest.mark.parametrize("text", ["Fix the crash in the uploader", "Add a limit", "Review the retry code", "one\ntwo"])
def test_work_and_longer_requests_leave_out_the_least_and_filler_alone(text: str) -> None:
    found = defaults_of(Request(Scope.TASK, text), query_of_text(text))
    assert (found.floor, found.filler, found.max_files, found.shares) == (0.2, 0.35, 0, {})


def test_a_long_request_keeps_more_than_a_short_one() -> None:
    text = "The uploader sends a batch twice. " * 20
    found = defaults_of(Request(Scope.TASK, text), query_of_text(text))
    assert (found.floor, found.filler) == (0.2, 0.3)


@pytest.mark.parametrize(
    ("text", "is_message"),
    [
        ("java.lang.Exception: No runnable methods", True),
        ("I get 'no runnable methods in this class' here", True),
        ("Exception: No runnable methods\nI only have one test", False),
        ("It says: no such thing here, and again no such thing", False),
        ("the tests fail with 'no runnable methods' when the class is abstract", False),
        ("add a hint to 'no runnable methods in this class'", False),
        ('PR: "let requests without an origin header pass, webhooks get a 403 otherwise". Would you merge it?', False),
        ("ValidationError Could not parse the body", True),
        ("recoverFromFailure in the retry policy asks for its class by name", False),  # a name, and prose about it
        ("ValidationError in the list view is shown twice", False),
    ],
)
def test_a_message_alone_wants_where_it_is_said(text: str, *, is_message: bool) -> None:
    found = defaults_of(Request(Scope.TASK, text), query_of_text(text))
    assert (found.floor, found.max_files) == (0.5 if is_message else 0.2, 0)


def test_a_request_about_a_file_has_the_usual() -> None:
    assert defaults_of(Request(Scope.FILE, path="a.py"), query_of_text("")) is USUAL_DEFAULTS
