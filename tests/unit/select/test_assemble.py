from __future__ import annotations

import re
from dataclasses import replace

import pytest

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
    Selection,
)
from ctxpack.render import renderer
from ctxpack.select import PieceCounter, assemble, finish, fit_frame, select
from ctxpack.select.excerpt import cut_to_fit
from ctxpack.select.packing import PackingState, gain
from ctxpack.select.pieces import span
from ctxpack.system.tokens import counter
from tests.building import COUNTED_FORMATS, NO_GIT, pack_with, piece_of, query_for
from tests.counting import FakeCounter


def piece_counter(name: str = "markdown") -> PieceCounter:
    return PieceCounter(renderer(name), FakeCounter())


def lines(count: int, word: str = "value") -> str:
    return "".join(f"{word}_{number} = compute({number})\n" for number in range(count))


def fragment(
    path: str = "a.py", start: int = 1, count: int = 10, value: float = 5.0, kind: Kind = Kind.CODE, text: str = ""
) -> Fragment:
    text = text or lines(count, f"{path.replace('.', '_')}_{start}")
    return piece_of(
        text, path, start, kind=kind, value=value, score=min(1.0, value / 10), confidence=Confidence.MEDIUM,
        reasons=(f"reason of {path}:{start}",), keywords=("compute",), strategy="ranked",
    )  # fmt: skip


def pack_of(budget: int, tree: str = "") -> Pack:
    request = Request(Scope.TASK, "compute it")
    query = query_for(words={"compute": 1.0})
    return pack_with(budget=budget, request=request, query=query, state=NO_GIT, strategy="ranked", tree=tree)


def paths(pack: Pack) -> list[str]:
    return [piece.provenance.path for piece in pack.selection.fragments]


def spans(pack: Pack) -> list[tuple[str, int, int]]:
    origins = [piece.provenance for piece in pack.selection.fragments]
    return [(origin.path, origin.start_line, origin.end_line) for origin in origins]


@pytest.mark.parametrize("name", COUNTED_FORMATS)
@pytest.mark.parametrize("budget", [400, 999, 1_000, 1_003, 2_000, 8_000])
def test_the_count_in_the_report_is_that_of_the_report(name: str, budget: int) -> None:
    candidates = [fragment(f"m{number}.py", value=9 - number / 10) for number in range(60)]
    pack, text = assemble(candidates, pack_of(budget), piece_counter(name))
    assert pack.tokens_used == FakeCounter().count(text) <= budget
    shown = re.search(r'(?:searched; |pieces; |piece; |tokens="|"used":)([\d,]+)', text)
    if name in {"markdown-compact", "messages"}:  # they show no count
        return
    assert shown is not None
    assert int(shown[1].replace(",", "")) == pack.tokens_used


@pytest.mark.parametrize("name", COUNTED_FORMATS)
@pytest.mark.parametrize("budget", [3_000, 8_000, 20_000])
def test_the_budget_is_used_while_there_is_something_to_say(name: str, budget: int) -> None:
    candidates = [fragment(f"m{number}.py", count=5 + number % 70, value=9 - number / 20) for number in range(150)]
    pack, _ = assemble(candidates, pack_of(budget), piece_counter(name), {"code": 0.3})
    assert pack.tokens_used >= 0.9 * budget


def test_the_most_valuable_come_in_and_the_next_are_named() -> None:
    candidates = [fragment(f"m{number:02}.py", start=9, value=number / 4) for number in range(40)]
    pack, text = assemble(candidates, pack_of(2_000), piece_counter())
    assert paths(pack) == [f"m{number:02}.py" for number in range(39, 39 - len(paths(pack)), -1)]
    missed = pack.selection.omissions
    assert [omission.path for omission in missed] == [
        f"m{number:02}.py" for number in range(39 - len(paths(pack)), 39 - len(paths(pack)) - len(missed), -1)
    ]
    assert (missed[0].reason, missed[0].tokens > 0) == ("budget full", True)
    assert f"{missed[0].path}:{missed[0].start_line}" in text


@pytest.mark.parametrize("budget", range(250, 1_000, 50))
def test_in_a_small_pack_a_line_about_what_just_missed_goes_before_a_piece(budget: int) -> None:
    candidates = [fragment(f"m{number}.py", start=9, count=40, value=9 - number) for number in range(8)]
    bare = replace(pack_of(budget), budget=budget)
    pack, _ = assemble(candidates, bare, piece_counter())
    chosen = select(candidates, bare, piece_counter(), {})
    assert set(paths(pack)) == {piece.provenance.path for piece in chosen.fragments}


def test_what_does_not_fit_is_skipped_and_smaller_ones_go_on() -> None:
    giant = fragment("giant.py", text="x" * 30_000 + "\n", value=6)
    pack, _ = assemble(
        [*(fragment(f"m{number}.py", value=7 + number) for number in range(4)), giant, fragment("small.py", value=1)],
        pack_of(1_100),
        piece_counter(),
    )
    assert "small.py" in paths(pack)


def test_size_and_crowding_lower_the_gain() -> None:
    crowd = [fragment("crowd.py", start=1 + 20 * number, value=0.3 - number / 1_000) for number in range(10)]
    lone = fragment("lone.py", value=0.275)
    pack, _ = assemble([*crowd, lone], pack_of(900), piece_counter())
    assert "lone.py" in paths(pack)
    assert 1 < paths(pack).count("crowd.py") < 10


@pytest.mark.parametrize(("kind", "share"), [(Kind.CODE, 0.45), (Kind.DOC, 0.6)])
def test_a_page_may_take_more_of_a_pack_than_a_file_of_code(kind: Kind, share: float) -> None:
    state = PackingState(1_000, {}, piece_counter())
    first, second = (replace(fragment("a", start, kind=kind), strategy="search") for start in (1, 11))
    state.take(state.offer(first), first)
    taken = 1_000 - state.room
    assert state.has_share(second, int(1_000 * share) - taken)
    assert not state.has_share(second, int(1_000 * share) - taken + 1)


def test_only_other_places_of_a_file_crowd_a_piece() -> None:
    """What goes on in a piece is no further place of its file."""
    state = PackingState(9_000, {}, piece_counter())
    for each in (fragment("page.py", start) for start in (1, 11, 21)):
        state.take(state.offer(each), each)
    below, apart = fragment("page.py", 31), fragment("page.py", 51)
    assert state.around(below, state.saving(below)).taken == 0
    assert state.around(apart, state.saving(apart)).taken == 3
    state.take(state.offer(apart), apart)
    assert state.around(below, state.saving(below)).taken == 1
    assert gain(below, state.around(below, state.saving(below))) > gain(below, state.around(below))


def test_what_adjoins_a_piece_comes_before_what_needs_a_heading_of_its_own() -> None:
    best, other = fragment("a.py", value=9), fragment("b.py", count=4, value=1.02)
    beside = [fragment("a.py", start, count=2, value=1) for start in (11, 13, 15)]
    room = next(budget for budget in range(100, 2_000) if _fits([best, other], budget))
    assert spans(assemble([best, other, *beside], pack_of(room), piece_counter())[0]) == [("a.py", 1, 16)]


def test_what_adjoins_does_not_come_before_what_is_worth_much_more() -> None:
    best, beside = fragment("a.py", 1, value=9), fragment("a.py", 11, value=1)
    other = fragment("b.py", value=2)
    room = next(budget for budget in range(100, 2_000) if _fits([best, other], budget))
    assert paths(assemble([best, beside, other], pack_of(room), piece_counter())[0]) == ["a.py", "b.py"]


def test_what_adjoins_a_long_piece_and_matters_less_stands_on_its_own() -> None:
    state = PackingState(100_000, {}, piece_counter())
    section, lesser, equal = fragment(count=151), fragment(start=152, value=4.7), fragment(start=152, value=4.9)
    state.take(state.offer(section), section)
    assert state.saving(lesser) == 1 < state.saving(equal)
    short, next_to_it = fragment("b.py", count=150), fragment("b.py", start=151, value=4.7)
    state.take(state.offer(short), short)
    assert state.saving(next_to_it) > 1


def _fits(fragments: list[Fragment], budget: int) -> bool:
    try:
        pack, _ = assemble(fragments, pack_of(budget), piece_counter())
    except BudgetError:
        return False
    return sum(map(_lines, pack.selection.fragments)) == sum(map(_lines, fragments))


def _lines(piece: Fragment) -> int:
    return piece.provenance.end_line - piece.provenance.start_line + 1


def test_neighbours_of_a_file_become_one_piece() -> None:
    pack, _ = assemble(
        [fragment("a.py", 11, value=6), fragment("a.py", 1, value=5), fragment("a.py", 30, value=4)],
        pack_of(4_000),
        piece_counter(),
    )
    assert spans(pack) == [("a.py", 1, 20), ("a.py", 30, 39)]
    merged = pack.selection.fragments[0]
    assert merged.text == lines(10, "a_py_1") + lines(10, "a_py_11")
    assert merged.provenance.reasons == ("reason of a.py:11", "reason of a.py:1")
    assert merged.provenance.score == 0.6
    assert merged.form is Form.FULL


def test_overlapping_picks_become_one_piece() -> None:
    text = lines(30)
    rows = text.splitlines(keepends=True)
    whole = fragment("a.py", 1, text=text)
    first = replace(whole, text="".join(rows[:20]), provenance=replace(whole.provenance, end_line=20))
    second = replace(whole, text="".join(rows[9:]), provenance=replace(whole.provenance, start_line=10))
    inner = replace(whole, text="".join(rows[3:5]), provenance=replace(whole.provenance, start_line=4, end_line=5))
    pack, _ = assemble([first, second, inner], pack_of(4_000), piece_counter())
    assert spans(pack) == [("a.py", 1, 30)]
    assert pack.selection.fragments[0].text == text


def test_an_outline_never_covers_lines_twice() -> None:
    outline = replace(fragment("a.py", 1, 5, value=9), form=Form.OUTLINE)
    outline = replace(outline, provenance=replace(outline.provenance, end_line=100))
    pack, _ = assemble([outline, fragment("a.py", 40, value=5)], pack_of(4_000), piece_counter())
    assert spans(pack) == [("a.py", 1, 100)]


def test_the_same_text_is_packed_once() -> None:
    text = lines(10)
    pack, _ = assemble(
        [fragment("a.py", text=text), fragment("vendor/a.py", text=text, value=4)], pack_of(4_000), piece_counter()
    )
    assert paths(pack) == ["a.py"]


def methods(count: int, last: str = "") -> str:
    """The same methods each time but for what the last one does."""
    return "".join(f"def step_{at}(value):\n    return value * {at} + offset\n" for at in range(count)) + last


def test_what_differs_a_little_comes_in_while_half_of_the_room_is_free() -> None:
    near = [
        fragment(f"{name}.py", text=methods(20, f"def get():\n    return {name}_cache.load()\n"), value=4)
        for name in ("first", "second", "third")
    ]
    pack, _ = assemble(near, pack_of(9_000), piece_counter())
    assert paths(pack) == ["first.py", "second.py", "third.py"]
    reasons = [piece.provenance.reasons[-1] for piece in pack.selection.fragments]
    assert reasons[0] == "reason of first.py:1"
    assert all(re.fullmatch(r"9\d % of it is in .*, but there is room for both", each) for each in reasons[1:])
    pack, _ = assemble(near, pack_of(500), piece_counter())
    assert paths(pack) == ["first.py"]
    assert [(each.path, each.is_double) for each in pack.selection.omissions] == [("third.py", True)]


def test_what_differs_a_little_and_is_long_stays_out() -> None:
    own = {name: "".join(f"{name}_{at} = {at} * {name}\n" for at in range(18)) for name in ("first", "second")}
    long = [fragment(f"{name}.py", text=methods(120, last), value=4) for name, last in own.items()]
    pack, _ = assemble(long, pack_of(9_000), piece_counter())
    assert paths(pack) == ["first.py"]


def test_a_copy_stays_out_however_much_room_is_free() -> None:
    whole = methods(20)
    copies = [
        fragment("a.py", text=whole),
        fragment("b.py", text=whole, value=4),
        fragment("c.py", text="\n".join(whole.splitlines()[10:]) + "\n", value=3),
        fragment("d.py", text=whole.replace("value * 7 ", "value ** 7 "), value=3),
    ]
    pack, _ = assemble(copies, pack_of(20_000), piece_counter())
    assert paths(pack) == ["a.py"]


def test_reading_order_is_files_by_best_score_and_lines_within() -> None:
    pack, _ = assemble(
        [fragment("b.py", 50, value=9), fragment("a.py", value=6), fragment("b.py", 1, value=2)],
        pack_of(4_000),
        piece_counter(),
    )
    assert spans(pack) == [("b.py", 1, 10), ("b.py", 50, 59), ("a.py", 1, 10)]


def test_a_lane_keeps_to_its_share_while_others_want_the_room() -> None:
    tests = [fragment(f"tests/t{number}.py", value=9, kind=Kind.TEST) for number in range(30)]
    code = [fragment(f"c{number}.py", value=2) for number in range(30)]
    with_share, _ = assemble([*tests, *code], pack_of(3_000), piece_counter(), {"tests": 0.2})
    count = sum(path.startswith("tests/") for path in paths(with_share))
    assert 1 <= count <= 0.25 * len(paths(with_share))
    alone, _ = assemble(tests, pack_of(3_000), piece_counter(), {"tests": 0.2})
    assert len(paths(alone)) > 2 * count
    assert len(paths(assemble([*tests, *code], pack_of(3_000), piece_counter(), {"test": 0.2})[0])) > count


def test_required_pieces_stay_whatever_their_worth() -> None:
    readme = replace(fragment("README.md", value=-9, kind=Kind.README), required=True)
    pack, _ = assemble(
        [*(fragment(f"m{number}.py", value=9) for number in range(50)), readme], pack_of(1_000), piece_counter()
    )
    assert "README.md" in paths(pack)


def test_required_pieces_that_are_too_long_become_excerpts() -> None:
    wanted = [replace(fragment(f"r{number}.py", count=300), required=True) for number in range(3)]
    pack, text = assemble([*wanted, replace(fragment("s.py", count=3), required=True)], pack_of(2_000), piece_counter())
    forms = {piece.provenance.path: piece.form for piece in pack.selection.fragments}
    assert forms == {"r0.py": Form.EXCERPT, "r1.py": Form.EXCERPT, "r2.py": Form.EXCERPT, "s.py": Form.FULL}
    assert "excerpt of 1-300" in text
    assert pack.tokens_used >= 0.85 * 2_000


@pytest.mark.parametrize("name", COUNTED_FORMATS)
def test_a_budget_that_cannot_hold_what_is_required_says_what_it_needs(name: str) -> None:
    wanted = [replace(fragment(f"r{number}.py"), required=True) for number in range(9)]
    with pytest.raises(BudgetError, match=r"\d+ tokens") as caught:
        assemble(wanted, pack_of(150), piece_counter(name))
    assert caught.value.hint


@pytest.mark.parametrize("name", COUNTED_FORMATS)
def test_a_budget_that_cannot_hold_one_piece_says_what_it_needs(name: str) -> None:
    with pytest.raises(BudgetError, match="needs") as caught:
        assemble([fragment(count=400)], pack_of(20), piece_counter(name))
    needed = int(re.findall(r"\d+", caught.value.hint)[-1])
    pack, _ = assemble([fragment(count=400)], pack_of(needed + 20), piece_counter(name))
    assert len(pack.selection.fragments) == 1


@pytest.mark.parametrize("name", COUNTED_FORMATS)
def test_more_budget_than_is_needed_is_enough(name: str) -> None:
    """Lines about what just missed are for room to spare: they never keep the only piece out.

    The paths are so long that the smallest report needs the budget that two of these lines come with.
    """
    for depth in (100, 280, 310):
        candidates = [fragment(f"{'far/' * depth}m{at}.py", value=at) for at in range(1, 4)]
        with pytest.raises(BudgetError) as caught:
            assemble(candidates, pack_of(30), piece_counter(name))
        first = int(re.findall(r"\d+", caught.value.hint)[-1])
        for more in (12, 25, 40):  # a little more budget may buy the head another line
            assert assemble(candidates, pack_of(first + more), piece_counter(name))[0].selection.fragments


def test_a_small_budget_costs_the_frame_first() -> None:
    big = pack_of(700, tree="tree\n" * 300)
    big = replace(big, query=replace(big.query, expansions=(Expansion("sum", "compute", "synonym", 1.0),)))
    framed = fit_frame(big, piece_counter())
    assert framed.tree == ""
    assert framed.query.expansions
    assert fit_frame(replace(big, budget=70), piece_counter()).query.words == {}
    assert fit_frame(replace(big, budget=8_000), piece_counter()) == replace(big, budget=8_000)


def test_finish_gives_way_from_the_weakest() -> None:
    chosen = tuple(fragment(f"m{number}.py", value=number) for number in range(6))
    wanted = replace(fragment("must.py", value=-5), required=True)
    pack, text = finish(replace(pack_of(500), selection=Selection((*chosen, wanted))), piece_counter())
    assert "must.py" in paths(pack)
    assert "m5.py" in paths(pack)
    assert "m0.py" not in paths(pack)
    assert FakeCounter().count(text) <= 500


def test_select_leaves_room_for_the_frame() -> None:
    pack = pack_of(2_000, tree="x" * 1_600)
    chosen = select([fragment(f"m{number}.py") for number in range(40)], pack, piece_counter(), {})
    finished, _ = finish(replace(pack, selection=chosen), piece_counter())
    assert len(finished.selection.fragments) == len(chosen.fragments)


def test_the_order_of_the_candidates_does_not_matter() -> None:
    candidates = [fragment(f"m{number % 9}.py", start=1 + 12 * (number // 9), value=number % 5) for number in range(60)]
    one = assemble(candidates, pack_of(3_000), piece_counter())
    assert assemble(candidates[::-1], pack_of(3_000), piece_counter()) == one


def test_real_tokens_of_text_are_in_the_fragments() -> None:
    real = PieceCounter(renderer("json"), counter())
    pack, text = assemble([fragment()], pack_of(2_000), real)
    assert pack.selection.fragments[0].tokens == counter().count(lines(10, "a_py_1"))
    assert pack.tokens_used == counter().count(text)


def test_without_candidates_the_report_is_its_frame() -> None:
    pack, text = assemble([], pack_of(2_000), piece_counter())
    assert pack.selection.fragments == ()
    assert text.startswith("# Context: compute it")


def test_what_lies_between_two_pieces_comes_only_with_both() -> None:
    gap = replace(fragment("a.py", 11, 4, value=9), is_bridge=True)
    above, below = fragment("a.py", 1, value=9), fragment("a.py", 15, value=9)
    both, _ = assemble([above, gap, below], pack_of(4_000), piece_counter())
    assert spans(both) == [("a.py", 1, 24)]
    one, _ = assemble([above, gap], pack_of(4_000), piece_counter())
    assert spans(one) == [("a.py", 1, 10)]


@pytest.mark.parametrize("around", [10, 50])
def test_a_gap_that_is_short_beside_what_it_joins_comes_before_weaker_pieces(around: int) -> None:
    above = fragment("a.py", 1, around, value=9)
    gap = replace(fragment("a.py", around + 1, 14, value=9), is_bridge=True)
    below = fragment("a.py", around + 15, around, value=9)
    others = [fragment(f"b{at}.py", count=8, value=5) for at in range(60)]
    pack, _ = assemble([above, gap, below, *others], pack_of(4_000), piece_counter())
    assert (("a.py", 1, 2 * around + 14) in spans(pack)) == (around == 50)


def test_a_file_keeps_to_its_share_unless_the_request_names_it() -> None:
    many = [replace(fragment("a.py", 1 + 20 * at, value=9), strategy="search") for at in range(30)]
    others = [replace(fragment(f"b{at}.py", value=8.5), strategy="search") for at in range(30)]
    pack, _ = assemble([*many, *others], pack_of(4_000), piece_counter())
    assert 0 < paths(pack).count("a.py") < 0.6 * len(paths(pack))
    named, _ = assemble([*(replace(each, is_named=True) for each in many), *others], pack_of(4_000), piece_counter())
    assert paths(named).count("a.py") > paths(pack).count("a.py")


@pytest.mark.parametrize(("value", "is_taken"), [(0.97, True), (0.9, False)])
def test_what_is_nearly_the_best_is_cut_where_its_file_has_no_share_left(value: float, *, is_taken: bool) -> None:
    short = [replace(fragment("a.py", 1 + 30 * at, count=20, value=1.0), strategy="search") for at in range(5)]
    long = replace(fragment("a.py", 500, count=900, value=value), strategy="search")
    others = [replace(fragment(f"b{at}.py", count=20, value=0.6), strategy="search") for at in range(60)]
    pack, _ = assemble([*short, long, *others], pack_of(8_000), piece_counter())
    of_long = [piece for piece in pack.selection.fragments if piece.provenance.start_line >= 500]
    assert [(piece.form, piece.cut_from) for piece in of_long] == [(Form.EXCERPT, (500, 1399))] * is_taken
    assert sum(path.startswith("b") for path in paths(pack)) > 9


def test_what_was_cut_becomes_whole_where_there_is_room_after_all() -> None:
    counter, whole = piece_counter(), fragment("a.py", count=60)
    state = PackingState(counter.fragment(whole) // 2, {}, counter)
    excerpt = cut_to_fit(whole, state.room, counter)
    assert excerpt is not None
    state.take_cut(state.offer(excerpt), whole, excerpt)
    state.complete_cut()
    assert [span(piece) for piece in state.pieces] == [span(excerpt)]  # there is no room
    again = PackingState(state.total, {}, counter)
    again.repeat(state, ())
    for each, spare in ((state, 0), (again, counter.fragment(whole))):
        each.room = counter.fragment(whole) - spare
        each.complete_cut(spare)
        assert [(span(piece), piece.form) for piece in each.pieces] == [((1, 60), Form.FULL)]
        assert each.taken == {"a.py": 1}
        assert each.room == counter.fragment(excerpt) - spare


def test_what_says_little_new_comes_after_what_is_new() -> None:
    first, copy = fragment("a.py", count=40, value=9), fragment("b.py", value=8.9)
    copy = replace(copy, text=first.text.replace("compute(7)", "compute(8)"))
    other = fragment("c.py", count=40, value=8.5)
    room = pack_of(1_400)
    pack, _ = assemble([first, copy, other], room, piece_counter())
    assert "c.py" in paths(pack)
    assert "b.py" not in paths(pack)


@pytest.mark.parametrize(("head", "is_taken"), [("use App\\Part{};", False), ("first_{} = compute({})", True)])
def test_no_excerpt_has_only_the_imports_of_a_file(head: str, is_taken: bool) -> None:  # noqa: FBT001 -- a row of a table
    first = fragment("a.php", count=60, value=9)
    lines_of_head = "\n".join(head.format(number, number) for number in range(12))
    body = "".join(
        f"    public function part_{number}() {{ compute({number} * everything_before_it); }}\n" for number in range(60)
    )
    other = fragment("b.php", value=8, text=f"{lines_of_head}\nclass Batch\n{{\n{body}}}\n")
    other = replace(other, provenance=replace(other.provenance, keywords=("Part", "first")))
    pack, _ = assemble([first, other], pack_of(1_300), piece_counter())
    assert ("b.php" in paths(pack)) is is_taken


def test_what_ends_a_definition_comes_with_a_piece_that_holds_all_before_it() -> None:
    body, end = fragment("a.py", 5, 20), replace(fragment("a.py", 25, 1, value=4), is_bridge=True, cut_from=(5, 25))
    pack, _ = assemble([body, end], pack_of(2_000), piece_counter())
    assert spans(pack) == [("a.py", 5, 25)]
    part = fragment("a.py", 9, 16)
    pack, _ = assemble([part, end], pack_of(2_000), piece_counter())
    assert spans(pack) == [("a.py", 9, 24)]


@pytest.mark.parametrize(("others", "is_whole"), [(1, True), (50, False)])
def test_the_long_rest_of_a_definition_comes_after_its_head_where_much_room_is_left(
    others: int, *, is_whole: bool
) -> None:
    head = replace(fragment("a.py", 5, 20), form=Form.EXCERPT, cut_from=(5, 84))
    rest = replace(fragment("a.py", 25, 60, value=4), is_bridge=True, cut_from=(5, 84))
    pack, _ = assemble([head, rest, *(fragment(f"m{at}.py") for at in range(others))], pack_of(4_000), piece_counter())
    assert (("a.py", 5, 84) in spans(pack)) is is_whole


@pytest.mark.parametrize("is_cut", [True, False])
def test_a_long_hole_is_closed_in_less_room_where_it_is_the_rest_of_a_definition(*, is_cut: bool) -> None:
    whole = (5, 84) if is_cut else None
    head = replace(fragment("a.py", 5, 20), cut_from=whole)
    rest = replace(fragment("a.py", 25, 60, value=4), is_bridge=True, cut_from=whole)
    others = [fragment(f"m{at}.py", count=30) for at in range(9)]  # with them a third of the room is free
    pack, _ = assemble([head, rest, fragment("a.py", 85, 20), *others], pack_of(3_000), piece_counter())
    assert (("a.py", 5, 104) in spans(pack)) is is_cut


def test_some_of_the_best_result_is_in_though_shorter_ones_repeat_parts_of_it() -> None:
    common = lines(20, "common")
    best = replace(fragment("zsh.txt", value=7, text=common + lines(80, "own")), strategy="search")
    best = replace(best, provenance=replace(best.provenance, score=0.95))
    others = [
        replace(fragment(f"shell_{number}.txt", value=8.9, text=common + lines(30, f"own_{number}")), strategy="search")
        for number in range(16)
    ]
    pack, _ = assemble([best, *others], pack_of(4_000), piece_counter())
    assert "zsh.txt" in paths(pack)


@pytest.mark.parametrize(("others", "is_whole"), [(1, True), (40, False)])
def test_a_long_piece_that_was_cut_for_others_is_whole_where_room_is_left(others: int, is_whole: bool) -> None:  # noqa: FBT001 -- a row of a table
    long = replace(fragment("long.py", count=200, value=0.75), strategy="search")
    small = [fragment(f"m{number}.py", value=0.7 - number / 1_000, count=30) for number in range(others)]
    pack, _ = assemble([long, *small], pack_of(8_000), piece_counter())
    assert (("long.py", 1, 200) in spans(pack)) is is_whole
    assert "long.py" in paths(pack)
    (piece,) = (each for each in pack.selection.fragments if each.provenance.path == "long.py")
    assert (piece.form is Form.FULL) is is_whole
