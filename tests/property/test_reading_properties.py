"""What a report holds is read back from it, whatever its pieces contain."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.errors import UsageError
from ctxpack.model import Form, Fragment, Pack, Request, Scope
from ctxpack.render import renderer, wording
from ctxpack.render.read_back import read_report
from ctxpack.render.reports import legal, report
from ctxpack.text import lines_of, printable, valid
from ctxpack.workflows.matching import texts_of
from tests.building import COUNTED_FORMATS, STATE, pack_with, piece_of
from tests.property.test_format_properties import CONVERSATIONS, pieces
from tests.trying import examples


def packed(fragments: Sequence[Fragment], **fields: Any) -> Pack:  # noqa: ANN401 - whatever a field of Pack takes
    request = Request(Scope.TASK, "Mend the retry\n\nof [Source 1] `x`")
    return pack_with(*fragments, request=request, budget=4_000, **fields)


@pytest.mark.parametrize("name", COUNTED_FORMATS)
@settings(max_examples=examples(20, 100))
@given(
    st.lists(pieces(), min_size=1, max_size=4), CONVERSATIONS, st.booleans(),
    st.sampled_from(["", "ctxpack diff 'a`b..c' --order path", "ctxpack file 'x y.py' --line 3"]),
)  # fmt: skip
def test_every_piece_of_a_report_is_read_back(
    name: str,
    fragments: list[Fragment],
    conversation: object,
    dirty: bool,  # noqa: FBT001 - hypothesis gives it by its place
    recipe: str,
) -> None:
    state = replace(STATE, dirty=dirty)
    pack = packed(fragments, state=state, conversation=conversation, recipe=recipe)
    text = report(pack, renderer(name))
    read = read_report(text.encode("utf-8", "replace"))
    assert (read.format, read.recipe, read.is_dirty) == (name, recipe, dirty)
    assert read.commit == STATE.commit[: len(read.commit)]
    assert len(read.commit) >= 8
    shown = [(each.provenance.start_line, legal(each.text.rstrip("\n"))) for each in fragments]
    assert [(each.start_line, legal(each.text.rstrip("\n"))) for each in read.pieces] == shown
    paths = [valid(each.provenance.path) if name == "json" else printable(each.provenance.path) for each in fragments]
    assert [each.path for each in read.pieces] == paths
    for piece in read.pieces:
        assert not dirty or read.digits(piece) == wording.digits_of(piece.text)


@pytest.mark.parametrize("name", COUNTED_FORMATS)
@settings(max_examples=examples(20, 100))
@given(st.lists(pieces(), min_size=1, max_size=3))
def test_line_numbers_are_told_from_the_text(name: str, fragments: list[Fragment]) -> None:
    read = read_report(report(packed(fragments), renderer(name, line_numbers=True)).encode("utf-8", "replace"))
    for piece, fragment in zip(read.pieces, fragments, strict=True):
        text = "\n".join(lines_of(fragment.text.rstrip("\n")))
        assert legal(text) in {legal(each.rstrip("\n")) for each in texts_of(piece)}


@pytest.mark.parametrize("name", COUNTED_FORMATS)
@settings(max_examples=examples(20, 100))
@given(st.lists(pieces(), min_size=1, max_size=3), st.data())
def test_how_a_piece_differs_from_its_file_is_read_back(
    name: str, fragments: list[Fragment], data: st.DataObject
) -> None:
    varied = [
        replace(
            each,
            form=Form.EXCERPT,
            cut_from=(1, 900),
            dropped=data.draw(st.sampled_from([(), ("blank lines",), ("licence header", "long literals")])),
            layer=data.draw(st.sampled_from(["", "0123456789abcdef"])),
            provenance=replace(each.provenance, blob="0123456789abcdef", commit="fedcba9876543210"),
        )
        for each in fragments
    ]
    read = read_report(report(packed(varied), renderer(name)).encode("utf-8", "replace"))
    for piece, fragment in zip(read.pieces, varied, strict=True):
        assert (piece.form, piece.dropped, piece.is_other_version) == (
            Form.EXCERPT,
            fragment.dropped,
            bool(fragment.layer),
        )
        assert not fragment.layer or "0123456789abcdef".startswith(piece.blob[:7] or "none")


@pytest.mark.parametrize("name", COUNTED_FORMATS)
@settings(max_examples=examples(20, 100))
@given(st.lists(pieces(), min_size=1, max_size=3), CONVERSATIONS, st.data())
def test_a_damaged_report_is_read_or_refused(
    name: str, fragments: list[Fragment], conversation: object, data: st.DataObject
) -> None:
    pack = packed(fragments, conversation=conversation, recipe="ctxpack diff")
    whole = report(pack, renderer(name)).encode("utf-8", "replace")
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    with suppress(UsageError):
        found = read_report(whole[:start] + data.draw(st.binary(max_size=9)) + whole[end:])
        assert all(each.start_line <= 10**9 for each in found.pieces)


def test_a_part_of_a_kept_file_is_read() -> None:
    text = report(packed([piece_of("x = 1\n")]), renderer("markdown"))
    kept = f"# Ours\n\n<!-- ctxpack:start -->\n{text}<!-- ctxpack:end -->\n\nMore.\n"
    read = read_report(kept.replace("\n", "\r\n").encode())
    assert (read.is_part, [each.text for each in read.pieces]) == (True, ["x = 1\n"])
    assert not read_report(text.encode()).is_part
