"""Which answers are orders, and what is said of the others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.rerank import order_of


@pytest.mark.parametrize(
    "answer",
    [
        "[3, 1, 2]",
        "3, 1, 2",
        "3,1,2,",
        "3 1 2",
        "\r\n3\r\n1\r\n2\r\n",
        "```json\n[3, 1, 2]\n```",
        "```\n3, 1, 2\n```\n",
        "~~~~\n[3,\n1,\n2]\n~~~~",
        "<think>\n[1, 2] or [2, 1]?\n</think>\n\n[3, 1, 2]",
    ],
)
def test_good_answers(answer: str) -> None:
    assert order_of(answer, 3) == (2, 0, 1)


def test_not_every_piece_need_be_named() -> None:
    assert order_of("[2]", 30) == (1,)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "it is empty"),
        ("```\n```", "it is empty"),
        ("[]", "it names no piece"),
        ("[1, 2, 2]", "it names piece 2 more than once"),
        ("4", "there is no piece 4, only 1 to 3"),
        ("[0]", "there is no piece 0, only 1 to 3"),
        ("[-1]", "there is no piece -1, only 1 to 3"),
        ("[1, true]", "it is no list of numbers"),
        ("[1.0]", "it is no list of numbers"),
        ('["1", "2"]', "it is no list of numbers"),
        ("[[1, 2]]", "it is no list of numbers"),
        ("[1, 2", "it is no list of numbers"),
        ("[1] [2]", "it is no list of numbers"),
        ("1; 2", "it is no list of numbers"),
        ("1,,2", "it is no list of numbers"),
        ('{"order": [1, 2]}', "it is no list of numbers"),
        ("Sure! [1, 2, 3]", "it is no list of numbers: Sure! [1, 2, 3]"),
        ("The best piece is 2", "it is no list of numbers"),
        ("9" * 5000, "it is no list of numbers"),
        ("[" * 100_000, "it is no list of numbers"),
        ("[" + "9" * 5000 + "]", "it is no list of numbers"),
        ("[" + "9" * 50 + "]", "it is no list of numbers"),
    ],
)
def test_bad_answers(answer: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as caught:
        order_of(answer, 3)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 100


@given(st.text())
def test_any_text_is_an_order_or_refused(answer: str) -> None:
    try:
        places = order_of(answer, 5)
    except ValueError:
        return
    assert len(set(places)) == len(places) > 0
    assert set(places) <= set(range(5))


@given(st.permutations(range(1, 6)), st.sampled_from([", ", ",", " ", "\n", "\t"]))
def test_every_order_can_be_written_in_every_form(numbers: list[int], between: str) -> None:
    places = tuple(number - 1 for number in numbers)
    assert order_of(between.join(map(str, numbers)), 5) == places
    assert order_of(f"```json\n{numbers}\n```", 5) == places
