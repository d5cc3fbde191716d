"""Lines that have only one end of a block of code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.gather.focus import torn_block

_BLOCKS = """var (
    one = call({
        a,
    })
    two = 2
)

# said
run(() => {
    if (a) {
        b
    } else {
        c
#if d
        e
    }
})
"""


@pytest.mark.parametrize(
    ("start", "end", "block"),
    [
        (1, 5, (1, 6)),  # without its last line
        (1, 6, None),
        (2, 4, None),  # a whole statement of a block
        (2, 3, (2, 4)),
        (3, 6, (1, 6)),
        (9, 13, (9, 17)),
        (11, 16, (10, 16)),
        (10, 16, None),
        (13, 15, None),  # whole lines, and a line of the preprocessor
        (7, 17, None),
    ],
)
def test_lines_with_one_end_of_a_block_are_told_by_indentation(
    start: int, end: int, block: tuple[int, int] | None
) -> None:
    assert torn_block(_BLOCKS.splitlines(), start, end) == block


def test_blank_lines_tear_nothing() -> None:
    assert torn_block(["", "", "x"], 1, 2) is None


def test_a_file_that_begins_deep_in_a_block_has_nothing_above() -> None:
    assert torn_block(["#[cfg(any(", "    a,", "))]", "use b;"], 1, 3) is None


@given(st.lists(st.sampled_from(["", "a {", "    a", "  }", "}", "# a", "    # a", ")"]), min_size=1), st.data())
def test_the_block_of_any_lines_holds_them_and_lies_within_their_file(lines: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(1, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    first, last = torn_block(lines, start, end) or (start, end)
    assert 1 <= first <= start <= end <= last <= len(lines)
