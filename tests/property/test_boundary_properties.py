"""Where an excerpt begins and ends: whole statements, closed fences, tables with their head."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.model import Fragment
from ctxpack.render import renderer
from ctxpack.select import PieceCounter
from ctxpack.select.excerpt import cut_to_fit, inside_code, is_row
from ctxpack.text import lines_of, open_fences
from tests.building import piece_of
from tests.counting import FakeCounter
from tests.trying import examples

ROOT = Path(__file__).parent.parent.parent
COUNTER = PieceCounter(renderer("plain"), FakeCounter())
LEAST = 1_500  # characters: of less, hardly anything can be cut
SOURCES = [
    path
    for folder in (ROOT / "fixtures" / "demo", ROOT / "ctxpack" / "select")
    for path in sorted(folder.rglob("*.py"))
    if path.stat().st_size >= LEAST
]
JAVASCRIPT = """\
export function send(batch, {
  retries = 3,
  wait = (attempt) => 2 ** attempt,
} = {}) {
  const text = `first (
    second [
  `;
  /* a comment (
     of two lines */
  const urls = [
    "https://one.example/(",
    "https://two.example",
  ];
  for (const url of urls) {
    post(url, text, {
      retries,
    });
  }
  return wait(retries);
}
"""
BLOCKS = st.sampled_from(
    [
        "# Heading\n", "Some words. They go on\nand on.\n", "```sh\nrun one\n\nrun two\n```\n",
        "- one\n  more of it\n- two\n", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", "~~~\n| x |\n~~~\n",
        "1. first\n2. second\n",
    ]
)  # fmt: skip


def piece(text: str, language: str, keywords: tuple[str, ...] = ()) -> Fragment:
    return piece_of(text, "a", language=language, keywords=keywords)


def span(excerpt: Fragment) -> tuple[int, int]:
    return excerpt.provenance.start_line - 1, excerpt.provenance.end_line


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
@pytest.mark.parametrize("part", [0.3, 0.5, 0.8])
def test_excerpts_of_python_cut_no_bracket_and_no_docstring(source: Path, part: float) -> None:
    text = source.read_text(encoding="utf-8")
    whole = piece(text, "python", ("return", "self"))
    excerpt = cut_to_fit(whole, int(part * COUNTER.fragment(whole)), COUNTER)
    assert excerpt is not None
    start, end = span(excerpt)
    inside = [*inside_code(lines_of(text), "python"), False]
    assert not inside[start]
    assert not inside[end]


@pytest.mark.parametrize("room", range(60, 160, 10))
def test_excerpts_of_javascript_cut_no_text_and_no_bracket(room: int) -> None:
    excerpt = cut_to_fit(piece(JAVASCRIPT, "javascript", ("two",)), room, COUNTER)
    assert excerpt is not None
    start, end = span(excerpt)
    inside = [*inside_code(lines_of(JAVASCRIPT), "javascript"), False]
    assert (inside[start], inside[end]) == (False, False)


@settings(max_examples=examples(60, 200), deadline=None)
@given(st.lists(BLOCKS, min_size=2, max_size=12), st.integers(40, 160), st.sampled_from(["run", "one", "4", "x"]))
def test_excerpts_of_markdown_close_fences_and_keep_the_heads_of_tables(
    blocks: list[str], room: int, keyword: str
) -> None:
    text = "\n".join(blocks)
    excerpt = cut_to_fit(piece(text, "markdown", (keyword,)), room, COUNTER)
    if excerpt is None or excerpt.text.endswith(" …\n"):
        return
    lines = lines_of(text)
    start, end = span(excerpt)
    fenced = open_fences(lines)
    assert fenced[start] == fenced[end]
    assert fenced[start] or start == 0 or not (is_row(lines[start]) and is_row(lines[start - 1]))
