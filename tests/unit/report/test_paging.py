"""What a pack left out comes on the pages behind it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.model import Confidence, Form, Fragment, Pack, Request, Scope
from ctxpack.pipeline import run_pack
from ctxpack.report.making import without_shown
from ctxpack.settings import Settings
from ctxpack.system.tokens import counter
from tests.building import piece_of
from tests.pages import read_page

TASK = Request(Scope.TASK, text="retry upload")


@pytest.fixture
def report_pack(demo: Path, tmp_path: Path) -> Pack:
    return run_pack(TASK, Settings(root=demo, cache_dir=tmp_path / "cache", budget=800)).pack


def test_first_page_is_the_report_itself(demo: Path, tmp_path: Path) -> None:
    report = run_pack(TASK, Settings(root=demo, cache_dir=tmp_path / "cache", budget=800))
    first = next(report.pack.pages())
    assert (first.pack, first.text) == (report.pack, report.text)


def test_pages_go_on_until_everything_that_was_gathered_is_shown_once(report_pack: Pack) -> None:
    pages = list(report_pack.pages())
    assert len(pages) > 2
    assert all(counter("o200k_base").count(page.text) == page.pack.tokens_used <= 800 for page in pages)
    pieces = [each for page in pages for each in page.pack.selection.fragments]
    lines = [
        (each.provenance.path, line)
        for each in pieces
        for line in range(each.provenance.start_line, each.provenance.end_line + 1)
    ]
    assert len(set(lines)) == len(lines)
    assert report_pack.rest
    assert not without_shown(report_pack.rest.fragments, pieces)  # type: ignore[attr-defined] # it is a Remainder


@pytest.mark.parametrize("form", ["messages", "markdown-compact"])
def test_sources_are_numbered_through_all_pages(demo: Path, tmp_path: Path, form: str) -> None:
    report = run_pack(TASK, Settings(root=demo, cache_dir=tmp_path / "cache", budget=800, format=form))
    numbers = [int(each) for page in report.pack.pages() for each in re.findall(r"\[Source (\d+)\] `", page.text)]
    assert len(numbers) > 5
    assert numbers == list(range(1, len(numbers) + 1))


def test_better_pieces_come_on_earlier_pages(report_pack: Pack) -> None:
    best = [max(each.value for each in page.pack.selection.fragments) for page in report_pack.pages()]
    assert best[0] == 1.0
    assert best[-1] < best[1]


def test_pages_behind_the_first_say_so_and_repeat_neither_tree_nor_notes(report_pack: Pack) -> None:
    with_notes = replace(report_pack, notes=("Something was said.",))
    _, second, *_ = with_notes.pages()
    assert second.pack.notes == ("Page 2: pieces that earlier pages left out.",)
    assert second.pack.tree == ""
    assert set(second.pack.strategy.split(", ")) == {each.strategy for each in second.pack.selection.fragments}


def test_a_pack_that_nothing_is_known_of_has_no_pages(report_pack: Pack) -> None:
    assert list(replace(report_pack, rest=None).pages()) == []


def piece(start: int, text: str, form: Form = Form.FULL) -> Fragment:
    return piece_of(text, "a.py", start, form=form, score=0.5, confidence=Confidence.LOW, required=True)


def spans(fragments: tuple[Fragment, ...]) -> list[tuple[int, int, Form]]:
    return [(each.provenance.start_line, each.provenance.end_line, each.form) for each in fragments]


def test_lines_around_what_was_shown_are_excerpts() -> None:
    whole = piece(10, "a\n\nb\nc\n\nd\n")
    left = without_shown([whole], [piece(12, "b\nc\n")])
    assert spans(left) == [(10, 10, Form.EXCERPT), (15, 15, Form.EXCERPT)]
    assert [each.text for each in left] == ["a\n", "d\n"]
    assert all(each.cut_from == (10, 15) and not each.required for each in left)


def test_what_says_nothing_is_not_left() -> None:
    assert without_shown([piece(1, "def f():\n    {\n}\n")], [piece(1, "def f():\n")]) == ()


def test_an_outline_is_not_shown_twice_but_its_lines_may_follow() -> None:
    outline, whole = piece(1, "def f\n", Form.OUTLINE), piece(1, "def f():\n")
    assert without_shown([outline, whole], [outline]) == (replace(whole, required=False),)


def test_lines_of_another_text_of_the_file_are_other_lines() -> None:
    now, before = piece(1, "x = 2\n"), replace(piece(1, "x = 1\n"), layer="0123abcd")
    assert [each.layer for each in without_shown([now, before], [now])] == ["0123abcd"]


def test_pages_for_a_browser_are_whole_and_number_their_pieces_through(demo: Path, tmp_path: Path) -> None:
    report = run_pack(TASK, Settings(root=demo, cache_dir=tmp_path / "cache", budget=800, format="html"))
    pages = list(report.pack.pages())
    assert pages[0].text == report.text
    ids = [each.attributes["id"] for page in pages for each in read_page(page.text).all("details", class_="piece")]
    assert len(pages) > 1
    assert ids == [f"p{number}" for number in range(1, len(ids) + 1)]
