"""What an answer says is missing."""

from __future__ import annotations

import pytest

from ctxpack.settings import DEFAULT_MORE_MARKERS
from ctxpack.workflows.answers import find_missing


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("NEED MORE: utils/backoff.py, EventQueue.push", "utils/backoff.py, EventQueue.push"),
        ("need more:   retries  ", "retries"),
        ("**NEED MORE:** `utils/backoff.py`", "utils/backoff.py"),
        ("> - NEED MORE: a.py\n> - NEED MORE: b.py", "a.py; b.py"),
        ("```\nNEED MORE: a.py\n```", "a.py"),
        ("As far as I see it is fine.\r\nNEED MORE: a.py\r\n", "a.py"),
        ("NEED MORE:\n- a.py\n- `b.py`\n\nUntil then: wait.", "a.py, b.py"),
        ("NEED MORE:", ""),
        ("НУЖНО ЕЩЁ: очередь событий", "очередь событий"),
        ("Нужно еще: очередь", "очередь"),
        ("It seems so. I need to see the code of utils/backoff.py to be sure. Bye.", "code of utils/backoff.py"),
        ("There is not enough context about retries!", "There is not enough context about retries!"),
        ("This is not enough to say how the queue drains.", "This is not enough to say how the queue drains."),
        ("Данных недостаточно: нет кода очереди.", "Данных недостаточно: нет кода очереди."),
        ("Здесь не хватает контекста: что делает очередь?", "Здесь не хватает контекста: что делает очередь?"),
    ],
)
def test_what_is_wanted_is_found(answer: str, wanted: str) -> None:
    found = find_missing(answer, DEFAULT_MORE_MARKERS)
    assert found is not None
    assert found == wanted or (wanted and wanted in found and "Bye" not in found and "It seems" not in found)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Retries are delayed in utils/backoff.py:10.",
        "NEED MORE: nothing",
        "Нужно ещё: нет.",
        "Write NEED MORE: if you must.",
        'Then it prints\n```python\nraise Error("not enough information")\n```\nand ends.',
        "```\nnot enough context",
    ],
)
def test_an_answer_that_is_enough(answer: str) -> None:
    assert find_missing(answer, DEFAULT_MORE_MARKERS) is None


def test_markers_are_the_user_s() -> None:
    assert find_missing("MEHR: a.py", ("MEHR:",)) == "a.py"
    assert find_missing("Dazu fehlt mir die Queue. Schade.", ("fehlt mir",)) == "Dazu fehlt mir die Queue."
    assert find_missing("NEED MORE: a.py", ("MEHR:",)) is None
    assert find_missing("NEED MORE: a.py", ()) is None


def test_what_is_wanted_has_a_bound() -> None:
    wanted = find_missing("NEED MORE: " + "x " * 5_000, DEFAULT_MORE_MARKERS)
    assert wanted is not None
    assert len(wanted) < 600
