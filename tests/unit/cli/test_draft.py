"""What happens to a pack while pieces are taken out and pulled in, the budget changes, and strategies are left out."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import Request, Scope, load, pack
from ctxpack.answer import Report
from ctxpack.cli.draft import LEAST_TOKENS, Draft, DraftRow, draft_of
from ctxpack.errors import BudgetError
from ctxpack.model import Form
from ctxpack.system.tokens import counter
from tests.trying import examples

DEMO = Path(__file__).parent.parent.parent.parent / "fixtures" / "demo"
TASK = "fix the retry bug in the uploader"
COUNTER = counter("o200k_base")


@cache
def report_of(scope: Scope, words: str, budget: str) -> Report:
    request = Request(scope, path=words) if scope is Scope.FILE else Request(scope, text=words)
    with TemporaryDirectory() as folder:  # outside any history, which would be read as well
        report = pack(request, load(shutil.copytree(DEMO, Path(folder) / "demo"), {"budget": budget}))
    assert report.pack.selection.fragments
    return report


def made(budget: str = "8k", scope: Scope = Scope.TASK, words: str = TASK) -> Draft:
    report = report_of(scope, words, budget)
    return draft_of(report.pack, report.text)


def paths(draft: Draft) -> list[str]:
    return [each.provenance.path for each in draft.pack.selection.fragments]


def overlap(one: DraftRow, other: DraftRow) -> bool:
    return one.key[0] == other.key[0] and one.key[1] <= other.key[2] and other.key[1] <= one.key[2]


def holds_its_budget(draft: Draft) -> bool:
    return COUNTER.count(draft.text) == draft.pack.tokens_used <= draft.budget


def test_nothing_is_changed_before_somebody_does() -> None:
    draft = made()
    assert not draft.is_changed
    assert [each.is_in for each in draft.rows()].count(True) == len(paths(draft)) > 3
    assert sum(draft.tokens_by_lane().values()) < draft.pack.tokens_used


def test_a_piece_is_taken_out_and_its_room_is_given_to_others() -> None:
    draft = made("1k")
    row = next(iter(draft.rows()))
    before = {each.key for each in draft.rows() if each.is_in}
    draft.toggle(row)
    assert not [each for each in draft.rows() if each.is_in and overlap(each, row)]
    assert {each.key for each in draft.rows() if each.is_in} - before
    assert holds_its_budget(draft)
    assert draft.is_changed
    assert next(each for each in draft.rows() if each.what in draft.out).reason == "you took it out"


@pytest.mark.parametrize("number", [0, 2, -1])
def test_what_was_taken_out_stays_where_it_was(number: int) -> None:
    draft = made()
    before = [each.key for each in draft.rows() if each.is_in]
    draft.toggle(next(each for each in draft.rows() if each.key == before[number]))
    after = [each.key for each in draft.rows()]
    above = [each for each in before[: before.index(before[number])] if each in after]
    assert after.index(before[number]) == (after.index(above[-1]) + 1 if above else 0)


def test_pieces_taken_out_one_after_the_other_stay_together() -> None:
    draft = made("1k")
    for number in range(2):
        row = list(draft.rows())[number]
        draft.toggle(row)
        assert list(draft.rows())[number].what is row.what
    assert [each.is_in for each in draft.rows()][:3] == [False, False, True]


def test_what_was_taken_out_comes_back() -> None:
    draft = made("1k")
    row = next(iter(draft.rows()))
    draft.toggle(row)
    draft.toggle(next(each for each in draft.rows() if each.key == row.key and not each.is_in))
    assert [each for each in draft.rows() if each.is_in and overlap(each, row)]
    assert draft.out == ()
    assert holds_its_budget(draft)


def test_what_just_missed_is_pulled_in() -> None:
    draft = made("1k")
    missed = next(each for each in draft.rows() if not each.is_in)
    draft.toggle(missed)
    assert missed.key[0] in paths(draft)
    assert holds_its_budget(draft)


def test_a_strategy_is_left_out_and_taken_in_again() -> None:
    draft = made(scope=Scope.FILE, words="processing/uploader.py")
    before = draft.text
    assert {"document", "tests"} <= set(draft.strategies)
    assert "tests" in {each.strategy for each in draft.pack.selection.fragments}
    draft.use(frozenset(draft.strategies) - {"tests"})
    assert "tests" not in {each.strategy for each in draft.pack.selection.fragments}
    assert holds_its_budget(draft)
    draft.use(frozenset(draft.strategies))
    assert draft.text == before


def test_a_budget_is_changed_by_steps_and_by_number() -> None:
    draft = made()
    before = draft.text
    for _ in range(8):
        draft.smaller()
        assert holds_its_budget(draft)
    assert draft.budget < 2_000
    small = len(paths(draft))
    draft.resize(8_000)
    assert draft.text == before
    assert len(paths(draft)) >= small
    draft.larger()
    assert draft.budget == 10_000


@pytest.mark.parametrize("budget", ["400", "1k", "1250", "8k", "100k"])
def test_more_and_less_undo_each_other(budget: str) -> None:
    draft = made(budget)
    text, before = draft.text, draft.budget
    draft.larger()
    assert before * 1.2 < draft.budget < before * 1.3
    draft.smaller()
    assert (draft.budget, draft.text) == (before, text)


def test_what_cannot_be_changes_nothing() -> None:
    draft = made()
    state = draft.text, draft.budget, draft.out, draft.without
    with pytest.raises(BudgetError, match="Nothing would be left"):
        draft.use(frozenset())
    assert (draft.text, draft.budget, draft.out, draft.without) == state
    draft.resize(0)
    assert draft.budget == LEAST_TOKENS


def test_it_is_saved_in_another_format_within_its_budget() -> None:
    draft = made("1k")
    draft.toggle(next(iter(draft.rows())))
    for name, mark in (("xml", "<"), ("json", "{"), ("html", "<!doctype html>"), ("markdown", "# Context")):
        assert draft.text_in(name).startswith(mark)
    assert COUNTER.count(draft.text_in("json")) <= 1_000
    assert draft.text_in("markdown") == draft.text


@settings(max_examples=examples(15, 100), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["toggle", "larger", "smaller"]), st.integers(0, 20)), max_size=8))
def test_whatever_is_done_the_budget_holds_and_what_is_out_stays_out(steps: list[tuple[str, int]]) -> None:
    draft = made("1k")
    for action, number in steps:
        try:
            if action == "toggle":
                rows = list(draft.rows())
                draft.toggle(rows[number % len(rows)])
            else:
                getattr(draft, action)()
        except BudgetError:
            continue
        assert holds_its_budget(draft)
        for gone in draft.out:
            for piece in draft.pack.selection.fragments:
                ours, its = piece.provenance, gone.provenance
                is_same = ours.path == its.path and piece.form is not Form.OUTLINE
                assert not (is_same and ours.start_line <= its.end_line and its.start_line <= ours.end_line)
