"""Pages keep the budget and never show a line twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from ctxpack.errors import BudgetError
from ctxpack.model import Form, Fragment
from ctxpack.report.making import Remainder, without_shown
from ctxpack.select import assemble
from ctxpack.settings import Settings
from ctxpack.text import lines_of
from tests.property.test_budget_properties import candidates, pack_of
from tests.trying import examples

_Line = tuple[str, str, int]


def lines_in(fragments: tuple[Fragment, ...]) -> list[_Line]:
    return [
        (*each.home, line)
        for each in fragments
        if each.form is not Form.OUTLINE
        for line in range(each.provenance.start_line, each.provenance.end_line + 1)
    ]


@settings(max_examples=examples(25, 60), deadline=None)
@given(fragments=candidates(), budget=st.integers(100, 1_500), form=st.sampled_from(["markdown", "xml", "json"]))
def test_pages_keep_the_budget_and_no_line_comes_twice(
    tmp_path_factory: pytest.TempPathFactory, fragments: list[Fragment], budget: int, form: str
) -> None:
    its = Settings(root=Path("r"), cache_dir=tmp_path_factory.getbasetemp() / "cache", budget=budget, format=form)
    gathered = Remainder(tuple(fragments), {}, its)
    try:
        first, text = assemble(fragments, pack_of(budget), gathered.counter())
    except BudgetError:
        reject()
    pages = list(gathered.pages(first))
    assert pages[0].text == text
    seen: set[_Line] = set()
    shown: set[tuple[str, int, int]] = set()
    for page in pages:
        pieces = page.pack.selection.fragments
        assert pieces or not fragments
        assert gathered.counter().tokens.count(page.text) == page.pack.tokens_used <= budget
        new = lines_in(pieces)
        assert len(set(new)) == len(new)
        assert not seen & set(new)
        seen |= set(new)
        origins = (each.provenance for each in pieces if each.form is Form.OUTLINE)
        outlines = {(each.path, each.start_line, each.end_line) for each in origins}
        assert not outlines & shown
        shown |= outlines


@given(candidates(), st.data())
def test_what_is_unseen_are_the_other_lines_as_they_are(fragments: list[Fragment], data: st.DataObject) -> None:
    shown = data.draw(st.lists(st.sampled_from(fragments), max_size=4)) if fragments else []
    known = {
        (*each.home, each.provenance.start_line + at): row
        for each in fragments
        for at, row in enumerate(lines_of(each.text))
    }
    left = without_shown(fragments, shown)
    assert not any(each.required for each in left)
    assert not set(lines_in(left)) & set(lines_in(tuple(shown)))
    for each in left:
        if each.form is not Form.OUTLINE:
            rows = [known[*each.home, each.provenance.start_line + at] for at in range(len(lines_of(each.text)))]
            assert lines_of(each.text) == rows
    gone = set(lines_in(tuple(fragments))) - set(lines_in(left)) - set(lines_in(tuple(shown)))
    whole = [each for each in fragments if each.form is not Form.OUTLINE and each not in shown]
    untouched = [each for each in whole if not set(lines_in((each,))) & set(lines_in(tuple(shown)))]
    assert not gone & set(lines_in(tuple(untouched)))
