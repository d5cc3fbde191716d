"""A window shared out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.errors import BudgetError, UsageError
from ctxpack.settings.readers import RESERVES
from ctxpack.settings.window import Budget, Division

NAMES = st.sampled_from(RESERVES)
AMOUNTS = st.one_of(st.integers(0, 300_000), st.floats(0, 1))


def tokens(division: Division) -> dict[str, int]:
    return {part.name: part.tokens for part in division.parts}


def test_standard_reserves_of_a_large_window_are_so_many_tokens_and_the_buffer_is_a_share() -> None:
    division = Budget(200_000, {}).division({})
    assert tokens(division) == {
        "system": 4_000, "request": 2_000, "history": 16_000, "memory": 1_000, "answer": 16_000, "buffer": 4_000,
    }  # fmt: skip
    assert division.pack == division.left == 157_000


def test_standard_reserves_of_a_small_window_are_shares() -> None:
    division = Budget(8_000, {}).division({})
    assert tokens(division)["answer"] == 1_600
    assert division.pack > 4_000


def test_what_is_counted_takes_the_place_of_its_reserve() -> None:
    division = Budget(100_000, {"system": 9_000, "answer": 0.25}).division({"system": 812, "tools": 300})
    assert tokens(division)["system"] == 812
    assert tokens(division)["answer"] == 25_000
    assert [part.name for part in division.parts if part.is_counted] == ["system", "tools"]
    assert division.pack == 100_000 - sum(tokens(division).values())


def test_a_share_is_rounded_up_and_exact() -> None:
    assert tokens(Budget(1_000, {"answer": 0.07}).division({}))["answer"] == 70
    assert tokens(Budget(1_001, {"answer": 0.5}).division({}))["answer"] == 501


def test_where_nothing_is_left_it_says_what_it_needs() -> None:
    with pytest.raises(BudgetError, match=r"window of 2000 tokens .* take 3480 \(system 100, .* answer 3000") as caught:
        Budget(2_000, {"answer": 3_000}).division({})
    assert caught.value.exit_code == 3
    assert "more than 3480 tokens" in caught.value.hint
    assert "--reserve answer=" in caught.value.hint


def test_the_buffer_covers_the_error_of_an_estimate_unless_it_is_named() -> None:
    assert tokens(Budget(100_000, {}, error=0.12).division())["buffer"] == 12_000
    assert tokens(Budget(100_000, {"buffer": 500}, error=0.12).division())["buffer"] == 500
    assert tokens(Budget(100_000, {}, error=0.01).division())["buffer"] == 2_000


def test_a_budget_that_was_asked_for_stays_even_beyond_the_reserves() -> None:
    division = Budget(10_000, {"answer": 9_000}, asked=8_000).division()
    assert division.pack == 8_000
    assert division.left < division.pack


def test_a_budget_larger_than_its_window_is_refused() -> None:
    with pytest.raises(UsageError, match="A budget of 9000 tokens does not fit a window of 8000"):
        Budget(8_000, {}, asked=9_000).division()


@given(
    window=st.integers(1, 2_000_000),
    reserves=st.dictionaries(NAMES, AMOUNTS),
    used=st.dictionaries(NAMES, st.integers(0, 300_000)),
)
def test_no_division_hands_out_more_than_the_window(
    window: int, reserves: dict[str, int | float], used: dict[str, int]
) -> None:
    try:
        division = Budget(window, reserves).division(used)
    except BudgetError as error:
        assert "leaves nothing for the pack" in str(error)  # noqa: PT017 - only what is left otherwise can be reckoned with
        return
    assert division.pack >= 1
    assert division.pack + sum(part.tokens for part in division.parts) == window
