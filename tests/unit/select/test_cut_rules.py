"""In every language an excerpt holds whole statements: no cut is inside a bracket, a long text or a comment."""

from __future__ import annotations

import pytest

from ctxpack.parse.languages import Language, languages
from ctxpack.render import renderer
from ctxpack.select import PieceCounter
from ctxpack.select.excerpt import cut_to_fit
from tests.building import piece_of
from tests.counting import FakeCounter

COUNTER = PieceCounter(renderer("markdown"), FakeCounter())
CODE = [each for each in languages() if not each.is_prose]
ENDS = {"/*": "*/"}
"""What ends a comment of several lines, by its mark; a long text ends with the mark that begins it."""


def statements_of(record: Language) -> list[list[str]]:
    """For each way in which a language has statements of several lines one of them, with short ones behind it."""
    opened = [*record.strings, *(mark for mark in record.comments if mark in ENDS)]
    long = [[f"text {mark}", "wait ) for it", "here ( too", ENDS.get(mark, mark)] for mark in opened]
    long = [["call (", "first ,", "second [", "third ] )"], *long]
    return [
        each for at, several in enumerate(long) for each in (several, [f"one {at}"], [f"two {at}"], [f"three {at}"])
    ]


@pytest.mark.parametrize("record", CODE, ids=lambda each: each.name)
def test_no_cut_is_inside_a_statement(record: Language) -> None:
    statements = statements_of(record)
    text = "".join(f"{line}\n" for each in statements for line in each)
    borders = {0}
    for each in statements:
        borders.add(max(borders) + len(each))
    whole = piece_of(text, "a", language=record.name, keywords=("second", "wait"))
    cuts = set()
    for room in range(1, COUNTER.fragment(whole)):
        excerpt = cut_to_fit(whole, room, COUNTER)
        if excerpt is not None:
            cuts.add((excerpt.provenance.start_line - 1, excerpt.provenance.end_line))
    several = {(start, end) for start, end in cuts if end - start > 1}  # one line is the least, and not cut by rules
    assert several
    assert [cut for cut in sorted(several) if not borders.issuperset(cut)] == []
