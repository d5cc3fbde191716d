"""Short gaps between two pieces of one file."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from ctxpack.gather import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.long_texts import LONGEST, bridge_gaps
from ctxpack.model import Form, Fragment, Request, Scope
from tests.unit.gather.conftest import MakeContext

TASK = Request(Scope.TASK, text="retry of a batch")
LINES = "".join(f"line_{number} = {number}\n" for number in range(1, 91))


def piece(context: Context, path: str, span: tuple[int, int], value: float = 0.5) -> Fragment:
    file = context.view.files.get(path)
    assert file is not None
    return lines_piece(context, file, span, Role("search", value, ("it matches",)))


def spans(pieces: list[Fragment]) -> list[tuple[str, int, int]]:
    found = [each.provenance for each in pieces]
    return sorted((each.path, each.start_line, each.end_line) for each in found)


@pytest.mark.parametrize(("start", "is_joined"), [(12, True), (11 + LONGEST, True), (12 + LONGEST, False), (11, False)])
def test_a_short_gap_is_taken_along(context: MakeContext, start: int, *, is_joined: bool) -> None:
    made = context({"a.py": LINES}, TASK)
    found = bridge_gaps(made, [piece(made, "a.py", (5, 10)), piece(made, "a.py", (start, 80))])
    assert len(found) == 2 + is_joined
    if is_joined:
        assert all(one[2] + 1 == other[1] for one, other in pairwise(spans(found)))
        assert found[-1].text == made.view.files.lines("a.py", 11, start - 1) + "\n"


def test_it_comes_after_both_pieces(context: MakeContext) -> None:
    made = context({"a.py": LINES}, TASK)
    found = bridge_gaps(made, [piece(made, "a.py", (5, 10), 0.9), piece(made, "a.py", (13, 30), 0.4)])
    assert 0.39 < found[-1].value < 0.4


def test_blank_lines_go_to_the_piece_above(context: MakeContext) -> None:
    made = context({"a.py": "one = 1\n\n\ntwo = 2\n"}, TASK)
    found = bridge_gaps(made, [piece(made, "a.py", (4, 4)), piece(made, "a.py", (1, 1))])
    assert spans(found) == [("a.py", 1, 3), ("a.py", 4, 4)]
    assert found[1].text == "one = 1\n\n\n"


def test_files_are_not_joined(context: MakeContext) -> None:
    made = context({"a.py": LINES, "b.py": LINES}, TASK)
    pieces = [piece(made, "a.py", (1, 10)), piece(made, "b.py", (12, 30))]
    assert bridge_gaps(made, pieces) == pieces


CLASS = "class Uploader {\n" + "".join(f"  send{n}() {{\n    return {n};\n  }}\n" for n in range(4)) + "}\n"


@pytest.mark.parametrize(("end", "is_ended"), [(13, True), (10, False)])
def test_the_last_line_of_a_definition_is_there_to_make_it_whole(
    context: MakeContext, end: int, *, is_ended: bool
) -> None:
    made = context({"a.js": CLASS}, TASK)
    found = bridge_gaps(made, [piece(made, "a.js", (1, end))])
    ends = [each for each in found if each.is_bridge and each.cut_from == (1, 14)]
    assert [(each.text, each.provenance.start_line) for each in ends] == ([("}\n", 14)] if is_ended else [])


@pytest.mark.parametrize(("first", "last", "is_there"), [(1, 10, True), (1, 110, False), (4, 13, False)])
def test_the_long_rest_of_a_definition_is_there_for_a_piece_with_its_head(
    context: MakeContext, first: int, last: int, *, is_there: bool
) -> None:
    made = context({"a.js": CLASS.replace("  send0", "  more() {}\n" * 100 + "  send0")}, TASK)
    head = replace(piece(made, "a.js", (first, last)), form=Form.EXCERPT, cut_from=(1, 114))
    rests = [each for each in bridge_gaps(made, [head]) if each.is_bridge and each.cut_from == (1, 114)]
    assert [(each.provenance.start_line, each.provenance.end_line) for each in rests] == [(11, 114)] * is_there


def test_marks_of_regions_are_in_no_rest(context: MakeContext) -> None:
    made = context({"a.js": CLASS.replace("  send0", "  more() {}\n" * 100 + "  // <!--TAG:x-->\n  send0")}, TASK)
    head = replace(piece(made, "a.js", (1, 10)), form=Form.EXCERPT, cut_from=(1, 115))
    assert not [each for each in bridge_gaps(made, [head]) if each.is_bridge and each.cut_from == (1, 115)]


def test_so_is_that_of_a_block_without_a_name(context: MakeContext) -> None:
    text = "const held = run((done) => {\n" + "  step(1);\n" * 12 + "});\n\nstep(2);\n"
    found = bridge_gaps(context({"a.js": text}, TASK), [piece(context({"a.js": text}, TASK), "a.js", (1, 13))])
    assert [(each.text, each.cut_from) for each in found if each.is_bridge] == [("});\n", (1, 14))]
