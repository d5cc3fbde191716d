from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ctxpack.errors import BudgetError
from ctxpack.model import (
    Confidence,
    Expansion,
    Form,
    Fragment,
    Kind,
    Pack,
    Request,
    Scope,
)
from ctxpack.model.formats import FORMATS
from ctxpack.render import renderer
from ctxpack.render.wording import next_places
from ctxpack.select import PieceCounter, assemble
from ctxpack.settings.window import estimating_counter
from ctxpack.system.tokens import TokenCounter, counter
from ctxpack.text import lines_of
from tests.building import pack_with, piece_of, query_for
from tests.counting import FakeCounter
from tests.trying import examples

COUNTERS: tuple[TokenCounter, ...] = (
    FakeCounter(size=3),
    counter("o200k_base"),
    counter("gemma3"),
    estimating_counter(counter("o200k_base"), 1.55),
)
LINES = st.one_of(
    st.sampled_from(
        [
            "", "", "def run(self):", "    return 1", "```", "````python", "~~~", "# Heading", "]]>", "</document>",
            "</document_content>", "<!-- & -->", "========", '"}],', "Слово. И ещё.", "x" * 400, "\x0c", "\r", "\u2028",
        ]
    ),
    st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=60),
)  # fmt: skip
NAMES = st.sampled_from(["a.py", "docs/b.md", "caf\udce9.txt", "we`ird\n<&\"'>.c", "tests/test_a.py"])
FILES = st.dictionaries(NAMES, st.lists(LINES, min_size=1, max_size=60), min_size=1, max_size=4)
KINDS = {"a.py": Kind.CODE, "docs/b.md": Kind.DOC, "tests/test_a.py": Kind.TEST}


@st.composite
def candidates(draw: st.DrawFn) -> list[Fragment]:
    """Spans of some files, overlapping as they like; some are required, some are outlines."""
    fragments: list[Fragment] = []
    for path, rows in sorted(draw(FILES).items()):
        for _ in range(draw(st.integers(0, 6))):
            start = draw(st.integers(1, len(rows)))
            end = draw(st.integers(start, len(rows)))
            if not "".join(rows[start - 1 : end]).strip():
                continue
            value = draw(st.floats(-2, 9))
            fragments.append(
                piece_of(
                    "\n".join(rows[start - 1 : end]) + "\n", path, start, kind=KINDS.get(path, Kind.DATA),
                    score=max(0.0, value / 9), confidence=Confidence.LOW, reasons=("names `run`\n", ""),
                    keywords=("run", "слово"), tags=("t<",), symbol=draw(st.sampled_from(["", "A.`b`"])),
                    form=draw(st.sampled_from([Form.FULL, Form.FULL, Form.FULL, Form.OUTLINE])),
                    language=draw(st.sampled_from(["python", "markdown", ""])),
                    required=draw(st.integers(0, 9)) == 0, value=value,
                )
            )  # fmt: skip
    return list({(f.provenance.path, f.provenance.start_line, f.provenance.end_line): f for f in fragments}.values())


def pack_of(budget: int) -> Pack:
    added = (Expansion("пуск", "run", "translation", 0.5),)
    return pack_with(
        budget=budget,
        request=Request(Scope.TASK, "run `it` <now> & ]]>"),
        query=query_for("run", words={"run": 1.0}, expansions=added),
        tree="r/\n└── a.py ```",
        notes=("A note.",),
    )


@pytest.mark.parametrize("name", [each.name for each in FORMATS if not each.counted_as])
@settings(max_examples=examples(15, 80), deadline=None)
@given(
    fragments=candidates(),
    budget=st.integers(60, 4_000),
    encoding=st.sampled_from(COUNTERS),
    shares=st.sampled_from([{}, {"docs": 0.2, "code": 0.5}]),
    line_numbers=st.booleans(),
)
def test_every_report_keeps_its_promises(
    name: str,
    fragments: list[Fragment],
    budget: int,
    encoding: TokenCounter,
    shares: dict[str, float],
    line_numbers: bool,  # noqa: FBT001 - hypothesis passes by keyword
) -> None:
    piece_counter = PieceCounter(renderer(name, line_numbers=line_numbers), encoding)
    try:
        pack, text = assemble(fragments, pack_of(budget), piece_counter, shares)
    except BudgetError:
        reject()
    assert pack.tokens_used == encoding.count(text) <= budget
    assert text.encode("utf-8")
    assert_nothing_twice(pack)
    assert_text_is_of_the_file(pack, fragments)
    assert {f.provenance.path for f in fragments if f.required} <= {f.provenance.path for f in pack.selection.fragments}
    PARSERS[name](text, pack)
    assert assemble(fragments[::-1], pack_of(budget), PieceCounter(piece_counter.renderer, encoding), shares) == (
        pack,
        text,
    )


def key(fragment: Fragment) -> tuple[str, int]:
    return fragment.provenance.path, fragment.provenance.start_line


def assert_nothing_twice(pack: Pack) -> None:
    for above, below in pairwise(sorted(pack.selection.fragments, key=key)):
        if above.provenance.path == below.provenance.path:
            assert above.provenance.end_line < below.provenance.start_line


def assert_text_is_of_the_file(pack: Pack, fragments: list[Fragment]) -> None:
    rows: dict[tuple[str, int], str] = {}
    for fragment in fragments:
        origin = fragment.provenance
        rows |= {(origin.path, origin.start_line + at): row for at, row in enumerate(lines_of(fragment.text))}
    for piece in pack.selection.fragments:
        origin = piece.provenance
        if not piece.text.endswith(" …\n") and piece.form is not Form.OUTLINE:
            numbers = range(origin.start_line, origin.end_line + 1)
            assert [rows[origin.path, number] for number in numbers] == piece.text.removesuffix("\n").split("\n")


def check_markdown(text: str, pack: Pack) -> None:
    fences = [token for token in MarkdownIt().parse(text) if token.type == "fence"]
    shown = [piece for piece in pack.selection.fragments if piece.text.strip()]
    assert len(fences) == len(shown) + bool(next_places(pack))


def check_xml(text: str, pack: Pack) -> None:
    root = ET.fromstring(text)  # noqa: S314 - our own text
    assert len(root.findall("document")) == len(pack.selection.fragments)


def check_json(text: str, pack: Pack) -> None:
    whole = json.loads(text)
    assert len(whole["fragments"]) == len(pack.selection.fragments)
    assert whole["tokens"]["used"] == pack.tokens_used


def check_plain(text: str, pack: Pack) -> None:
    assert all(f"\n{'=' * 8}" in text for _ in pack.selection.fragments)


def check_messages(text: str, pack: Pack) -> None:
    check_markdown(json.loads(text)[-1]["content"], pack)


PARSERS = {
    "markdown": check_markdown,
    "markdown-compact": lambda text, pack: check_markdown(text, replace(pack, tree="")),
    "markdown-narrative": check_markdown,
    "messages": check_messages,
    "xml": check_xml,
    "json": check_json,
    "plain": check_plain,
}


@settings(max_examples=examples(12, 40), deadline=None)
@given(candidates())
def test_a_big_budget_holds_every_line(fragments: list[Fragment]) -> None:
    verbatim = [replace(fragment, form=Form.FULL) for fragment in fragments]
    pack, _ = assemble(verbatim, pack_of(1_000_000), PieceCounter(renderer("plain"), FakeCounter(size=3)))
    held = {
        (piece.provenance.path, number)
        for piece in pack.selection.fragments
        for number in range(piece.provenance.start_line, piece.provenance.end_line + 1)
    }
    texts = {piece.text.strip() for piece in pack.selection.fragments}
    for fragment in verbatim:
        numbers = range(fragment.provenance.start_line, fragment.provenance.end_line + 1)
        is_held = all((fragment.provenance.path, number) in held for number in numbers)
        assert is_held or fragment.text.strip() in texts or any(fragment.text.strip() in text for text in texts)
