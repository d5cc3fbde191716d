from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.model import Fragment, Kind
from ctxpack.query.understand import Aim, PackDefaults
from ctxpack.select import Limits, assemble, bound_of_filler, limits_of, select
from ctxpack.select.excerpt import is_mere_passage
from ctxpack.select.limits import far_from_place, relevant_pieces, strong_pieces, weak_parts, weak_tail
from ctxpack.settings import Settings
from tests.unit.select.test_assemble import fragment, lines, pack_of, paths, piece_counter, spans

WORKFLOW = ".github/workflows/test.yml"


def test_limits_are_those_of_the_settings() -> None:
    settings = Settings(Path("r"), Path("c"), duplicate_threshold=0.9, min_score=0.1, max_files=3, compress=True)
    assert limits_of(settings) == Limits(0.9, 0.8, 0.1, 3, compress=True, fewest=16, leading=5)


def test_what_is_not_relevant_enough_stays_out() -> None:
    given = [fragment("a.py", value=5), fragment("b.py", value=2), replace(fragment("c.py", value=1), required=True)]
    assert [each.provenance.path for each in relevant_pieces(given, Limits(min_score=0.3))] == ["a.py", "c.py"]
    assert relevant_pieces(given, Limits()) == given


def test_a_floor_keeps_out_what_the_search_found_to_be_much_weaker_than_its_best() -> None:
    given = [fragment("a.py", value=8), fragment("b.py", value=4), fragment("c.py", value=3)]
    searched = [replace(each, strategy="search") for each in given]
    other = replace(fragment("d.md", value=1), strategy="other")
    forced = replace(searched[2], required=True)
    kept = relevant_pieces([*searched, other], Limits(floor=0.5))
    assert [each.provenance.path for each in kept] == ["a.py", "b.py", "d.md"]
    assert forced in relevant_pieces([searched[0], forced], Limits(floor=0.5))


def test_the_rest_of_a_definition_comes_with_its_best_part() -> None:
    parts = [fragment("a.py", at, 40, value) for at, value in ((1, 2), (41, 8), (81, 2), (121, 2))]
    given = [replace(each, strategy="search", cut_from=(1, 120)) for each in parts]
    given[-1] = replace(given[-1], cut_from=(121, 160))
    kept = relevant_pieces(given, Limits(floor=0.5))
    assert [each.provenance.start_line for each in kept] == [1, 41, 81], "the definition below is another one"
    page = [replace(each, provenance=replace(each.provenance, kind=Kind.DOC)) for each in given]
    assert relevant_pieces(page, Limits(floor=0.5)) == page[1:2]
    long = [
        replace(fragment("a.py", at, 90, value), strategy="search", cut_from=(1, 180))
        for at, value in ((1, 8), (91, 2))
    ]
    assert relevant_pieces(long, Limits(floor=0.5)) == long[:1]


def test_short_filler_between_other_pieces_of_its_file_closes_the_gap() -> None:
    given = [fragment("a.py", at, value=value) for at, value in ((1, 8), (10, 1), (20, 7), (30, 1))]
    above, between, below, after = (replace(each, strategy="search") for each in given)
    kept = relevant_pieces([above, between, below, after], Limits(floor=0.5))
    assert [(each.provenance.start_line, each.is_bridge) for each in kept] == [(1, False), (10, True), (20, False)]


@pytest.mark.parametrize(
    ("aims", "led_by", "kept"),
    [
        ({Aim.EXPLAIN}, Kind.README, ["best", "0.py", "1.py", "2.py"]),
        ({Aim.WHERE}, Kind.README, ["best", "0.py", "1.py", "2.py"]),
        ({Aim.EXPLAIN}, Kind.CODE, ["best"]),
        ({Aim.HOW_TO}, Kind.README, ["best"]),
    ],
)
def test_a_page_that_explains_comes_with_the_code_that_does_it(
    aims: Collection[Aim], led_by: Kind, kept: list[str]
) -> None:
    pieces = [fragment("best", value=10), *(fragment(f"{at}.py", value=4 - at / 10) for at in range(4))]
    pieces += [fragment("low.py", value=3), fragment("a.md", value=4)]
    kinds = {"best": led_by, "a.md": Kind.DOC}
    given = [
        replace(
            each,
            strategy="search",
            provenance=replace(each.provenance, kind=kinds.get(each.provenance.path, Kind.CODE)),
        )
        for each in pieces
    ]
    assert [each.provenance.path for each in relevant_pieces(given, Limits(floor=0.5, aims=frozenset(aims)))] == kept


def test_filler_is_left_out_where_enough_better_pieces_are_there() -> None:
    given = [replace(fragment(f"{at}.py", value=value), strategy="search") for at, value in enumerate((8, 3, 3, 2, 2))]
    limits = Limits(floor=0.2, filler=0.5, fewest=2)
    assert [each.provenance.path for each in relevant_pieces(given, limits)] == ["0.py", "1.py", "2.py"], "equals stay"
    assert relevant_pieces(given, replace(limits, fewest=5)) == given
    assert relevant_pieces(given, replace(limits, fewest=9)) == given
    assert [each.provenance.path for each in relevant_pieces(given, replace(limits, floor=0.5, fewest=9))] == ["0.py"]


@pytest.mark.parametrize(
    ("aims", "led_by", "kept"),
    [
        ({Aim.WHERE}, Kind.CODE, ["best", "a.py", "Makefile", WORKFLOW, "b.spec"]),
        ({Aim.WHERE}, Kind.TEST, ["best", "a.py", "Makefile", WORKFLOW, "b.spec", "test_a.py", "run_tests.py"]),
        ({Aim.CHANGE}, Kind.CODE, ["best", "a.py", "Makefile", WORKFLOW, "b.spec", "test_a.py", "run_tests.py"]),
        (
            {Aim.CHANGE},
            Kind.DOC,
            ["best", "a.py", "Makefile", WORKFLOW, "b.md", "README.md", "b.spec", "test_a.py", "run_tests.py"],
        ),
        ({Aim.EXPLAIN}, Kind.CODE, ["best", "a.py", "Makefile", WORKFLOW, "b.md", "README.md", "b.spec"]),
        ({Aim.EXPLAIN}, Kind.DOC, ["best", "a.py", "Makefile", WORKFLOW, "b.spec"]),
        ({Aim.ONBOARD, Aim.WHERE}, Kind.DOC, ["best", "Makefile", "run_tests.py"]),
        ({Aim.ONBOARD, Aim.CHECKS}, Kind.DOC, ["best", "Makefile", WORKFLOW, "run_tests.py"]),
        (
            {Aim.RECORD},
            Kind.CODE,
            ["best", "a.py", "Makefile", WORKFLOW, "b.md", "README.md", "CHANGELOG.md", "site/NEWS-1.txt", "b.spec"],
        ),
        ((), Kind.CODE, ["best", "a.py", "Makefile", WORKFLOW, "b.md", "README.md", "b.spec"]),
    ],
)
def test_what_the_aim_has_little_use_for_is_filler_however_few_pieces_there_are(
    aims: Collection[Aim], led_by: Kind, kept: list[str]
) -> None:
    weak = [
        ("a.py", Kind.CODE), ("Makefile", Kind.CONFIG), (WORKFLOW, Kind.CONFIG), ("b.md", Kind.DOC),
        ("README.md", Kind.README), ("CHANGELOG.md", Kind.DOC), ("site/NEWS-1.txt", Kind.DATA),
        ("b.spec", Kind.SPEC), ("test_a.py", Kind.TEST),
        ("run_tests.py", Kind.TEST),
    ]  # fmt: skip
    given = [fragment("best", value=9), *(fragment(path, value=3.5) for path, _ in weak)]
    found = [
        replace(each, strategy="search", provenance=replace(each.provenance, kind=kind))
        for each, kind in zip(given, (led_by, *(kind for _, kind in weak)), strict=True)
    ]
    limits = Limits(floor=0.2, filler=0.5, fewest=9, aims=frozenset(aims))
    assert [each.provenance.path for each in relevant_pieces(found, limits)] == kept
    assert {each.provenance.path for each in relevant_pieces(found[::-1], limits)} == set(kept)
    forced = [replace(each, required=True) for each in found]
    assert relevant_pieces(forced, limits) == forced
    only_floor = {each.provenance.path for each in found} - {
        each.provenance.path for each in relevant_pieces(found, replace(limits, filler=0.0))
    }
    assert only_floor == {"CHANGELOG.md", "site/NEWS-1.txt"} - set(kept) | {WORKFLOW} - set(kept)


@pytest.mark.parametrize(("best", "kept"), [("lib/a.js", ["lib/a.js", "lib/b.js"]), ("dist/a.js", None)])
def test_what_was_built_or_is_kept_of_others_is_filler_beside_code_that_somebody_wrote(
    best: str, kept: list[str] | None
) -> None:
    others = ("lib/b.js", "dist/node/a.cjs", "vendor/a.js", "static/a.min.js")
    given = [fragment(best, value=9), *(fragment(path, value=7) for path in others)]
    found = [replace(each, strategy="search") for each in given]
    limits = Limits(floor=0.2, filler=0.3, fewest=9)
    assert [each.provenance.path for each in relevant_pieces(found, limits)] == (kept or [best, *others])


@pytest.mark.parametrize(
    ("symbol", "lines", "stays"),
    [("Guide > See Also", 6, False), ("related pages", 6, False), ("Guide > See Also", 40, True), ("Links", 6, True)],
)
def test_a_short_section_that_only_leads_to_other_pages_is_filler(symbol: str, lines: int, *, stays: bool) -> None:
    best, beside, last = (fragment(path, value=9) for path in ("best.md", "guide.md", "guide.md"))
    origin = replace(last.provenance, symbol=symbol, kind=Kind.DOC, score=0.5, start_line=101, end_line=100 + lines)
    above = replace(beside.provenance, kind=Kind.DOC, start_line=90, end_line=100)
    given = [best, replace(beside, provenance=above), replace(last, provenance=origin, value=5.0)]
    found = [replace(each, strategy="search") for each in given]
    kept = relevant_pieces(found, Limits(floor=0.2, filler=0.3, fewest=9))
    assert (found[-1] in kept) == stays


@pytest.mark.parametrize(("value", "bound"), [(3, 0.5), (5, 0.56), (6, 0.0)])
def test_a_pack_tells_below_which_part_of_the_best_score_all_is_that_was_left_out(value: float, bound: float) -> None:
    given = [fragment("a.py", value=9), fragment("b.md", value=value, kind=Kind.DOC)]
    found = [replace(each, strategy="search") for each in given]
    limits = Limits(floor=0.2, filler=0.5, fewest=1, aims=frozenset({Aim.WHERE}))
    pack, _ = assemble(found, pack_of(8_000), piece_counter(), limits=limits)
    assert bound_of_filler(found, pack, limits) == bound


def test_what_the_request_names_is_no_filler_unless_it_is_below_half_the_floor() -> None:
    values = (9, 8, 3, 1, 0.8)
    given = [fragment(f"{at}.py", value=value) for at, value in enumerate(values)]
    named = [replace(each, strategy="search", is_named=True) for each in given]
    assert relevant_pieces(named, Limits(floor=0.2, filler=0.5, fewest=2)) == named[:4]


def test_a_line_or_two_beside_a_better_piece_are_no_filler() -> None:
    given = [fragment("a.py", start, value=value, count=count) for start, value, count in ((1, 1, 3), (4, 8, 9))]
    apart, long = fragment("a.py", 14, value=1, count=3), fragment("b.py", 1, value=1, count=30)
    beside = fragment("b.py", 31, value=7, count=9)
    searched = [replace(each, strategy="search") for each in (*given, apart, long, beside)]
    kept = relevant_pieces(searched, Limits(floor=0.1, filler=0.5, fewest=2))
    assert kept == [searched[0], searched[1], searched[4]]


def test_the_number_of_pieces_that_stay_follows_the_budget() -> None:
    plain = Settings(Path("r"), Path("c"))
    budgets = (1_000, 8_000, 32_000)
    assert [limits_of(replace(plain, budget=budget)).fewest for budget in budgets] == [14, 16, 64]


def test_a_request_chooses_limits_only_where_the_settings_have_none() -> None:
    choice = PackDefaults(floor=0.5, filler=0.6, max_files=9)
    plain = Settings(Path("r"), Path("c"))
    found = limits_of(plain, choice)
    assert (found.floor, found.filler, found.max_files) == (0.5, 0.6, 9)
    assert (limits_of(plain).floor, limits_of(plain).max_files) == (0, 0)
    own = replace(plain, min_score=0.0, max_files=0)
    assert (limits_of(own, choice).floor, limits_of(own, choice).filler, limits_of(own, choice).max_files) == (0, 0, 0)


def test_only_the_best_files_have_pieces() -> None:
    given = [fragment("a.py", value=2), fragment("b.py", value=5), fragment("a.py", 30, value=6), fragment("c.py")]
    kept = relevant_pieces([*given, replace(fragment("r.md", value=0), required=True)], Limits(max_files=3))
    assert [each.provenance.path for each in kept] == ["a.py", "b.py", "a.py", "r.md"]


def test_what_nearly_repeats_a_piece_is_mentioned_with_that_piece() -> None:
    text = lines(60)
    changed = text.replace("compute(30)", "compute(31)")
    given = [fragment("a.py", text=text, value=8), fragment("b.py", text=changed, value=7), fragment("c.py", value=1)]
    pack, report = assemble(given, pack_of(8_000), piece_counter())
    assert paths(pack) == ["a.py", "c.py"]
    assert [(each.path, each.reason) for each in pack.selection.omissions] == [("b.py", "97 % the same as a.py:1-60")]
    assert "b.py:1" not in report, "there is nothing new to open"


def test_lines_about_what_repeats_leave_room_for_the_others() -> None:
    twins = [fragment(f"t{at}.py", text=lines(40), value=8 - at / 10) for at in range(9)]
    others = [fragment(f"m{at}.py", start=9, count=40, value=3 - at / 100) for at in range(150)]
    pack, _ = assemble([*twins, *others], pack_of(12_000), piece_counter())
    reasons = [each.reason for each in pack.selection.omissions]
    assert [reason.startswith("same text as t0.py") for reason in reasons] == [False] * 22 + [True] * 2


def test_required_pieces_stay_even_where_they_repeat() -> None:
    given = [replace(fragment(path, text=lines(20)), required=True) for path in ("a.py", "b.py")]
    assert paths(assemble(given, pack_of(4_000), piece_counter())[0]) == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("said", "score", "is_kept"), [(3, 0.74, False), (3, 0.76, True), (5, 0.59, False), (6, 0.59, True)]
)
def test_a_piece_that_hardly_says_anything_is_one_of_the_best_or_none(
    said: int, score: float, *, is_kept: bool
) -> None:
    best = replace(fragment("a.py", value=10), strategy="search")
    crumb = replace(fragment("b.py", text="x = 1\n\n" * said, value=10 * score), strategy="search")
    weak = weak_tail([best, crumb], Limits(floor=0.3, leading=5))
    assert weak == (frozenset() if is_kept else {crumb})
    assert not weak_tail([best, replace(crumb, is_named=True)], Limits(floor=0.3, leading=5))


@pytest.mark.parametrize(
    ("aims", "path", "kind", "is_kept"),
    [
        ((), "test_other.py", Kind.TEST, False),
        ((), "test_sender.py", Kind.TEST, True),
        ({Aim.REVIEW}, "test_other.py", Kind.TEST, True),
        ((), "examples/a.py", Kind.CODE, False),
        ({Aim.HOW_TO}, "examples/a.py", Kind.CODE, False),
        ({Aim.EVERYWHERE}, "examples/a.py", Kind.CODE, True),
    ],
)
def test_an_example_and_a_test_of_something_else_are_filler(
    aims: Collection[Aim], path: str, kind: Kind, *, is_kept: bool
) -> None:
    best, other = (
        replace(fragment(name, value=value), strategy="search") for name, value in (("sender.py", 10), (path, 6))
    )
    origin = replace(other.provenance, kind=kind)
    limits = Limits(floor=0.2, filler=0.35, fewest=9, aims=frozenset(aims))
    assert len(relevant_pieces([best, replace(other, provenance=origin)], limits)) == 1 + is_kept


def test_the_tail_is_what_is_weak_in_its_file_or_short_behind_the_leading_pieces() -> None:
    values = {"a.py": (10, 6, 5), "b.py": (9, 5.6, 5), "c.py": (8, 7, 6)}
    given = [fragment(path, 1 + 30 * at, value=each) for path in values for at, each in enumerate(values[path])]
    searched = [replace(each, strategy="search", tokens=300) for each in given]
    limits = Limits(floor=0.3, leading=3)
    weak = weak_tail(searched, limits)
    assert sorted((each.path, each.score) for each in (its.provenance for its in weak)) == [
        ("a.py", 0.5),
        ("b.py", 0.5),
        ("c.py", 0.6),
    ]
    assert weak == weak_tail(searched[::-1], limits)
    short = [replace(each, tokens=100) for each in searched]
    beside = replace(fragment("d.py", value=5.5), strategy="search", tokens=100)
    assert weak_tail([*short, beside], limits) - weak_tail(short, limits) == {beside}
    assert not weak_tail([replace(beside, tokens=101), *short], limits) - weak_tail(short, limits)
    assert short[1] not in weak_tail(short, limits), "in the best file"
    equal = [replace(fragment(f"{at}.py", value=5), strategy="search", tokens=20) for at in range(12)]
    assert not weak_tail(equal, limits), "nothing is clearly better"
    for other in (Limits(leading=3), Limits(floor=0.3), replace(limits, aims=frozenset({Aim.EVERYWHERE}))):
        assert not weak_tail(searched, other)
    for kept in ({"required": True}, {"is_named": True}, {"strategy": "tests"}):
        assert not weak_tail([replace(each, **kept) for each in searched], limits)


@pytest.mark.parametrize(
    ("aims", "scores"),
    [
        ({Aim.WHERE, Aim.EXPLAIN}, (10, 6, 5)),
        ({Aim.WHERE, Aim.CHANGE}, (10, 6, 5, 4.9)),  # what is to be changed has several places
        ({Aim.EXPLAIN}, (10, 6, 5, 4.9)),
    ],
)
def test_who_asks_where_something_is_gets_nothing_of_less_than_half_the_best_score(
    aims: set[Aim], scores: tuple[float, ...]
) -> None:
    given = [replace(fragment(f"{value}.py", value=value), strategy="search") for value in (10, 6, 5, 4.9)]
    weak = weak_tail(given, Limits(floor=0.2, leading=5, aims=frozenset(aims)))
    kept = [each.provenance.score for each in given if each not in weak]
    assert kept == [pytest.approx(score / 10) for score in scores]
    assert not far_from_place(given, Limits(leading=5, aims=frozenset(aims))), "with --min-score nothing was left out"


@pytest.mark.parametrize(
    ("path", "symbol", "keywords", "is_shown"),
    [
        ("tools/d.py", "install_tool", (), False),
        ("tools/d.py", "Docker.install_tool", ("tool",), False),
        ("tools/d.py", "install_tool, remove_tool", (), True),  # and something else
        ("tools/d.py", "install_tool", ("install", "tool"), True),  # asked for
        ("tools/d.rb", "install_tool", (), True),
        ("other/d.py", "install_tool", (), True),
    ],
)
def test_of_many_implementations_the_best_are_packed(
    path: str, symbol: str, keywords: tuple[str, ...], *, is_shown: bool
) -> None:
    def implementation(path: str, symbol: str, value: float, keywords: tuple[str, ...] = ()) -> Fragment:
        made = replace(fragment(path, 1 + round(100 * (9 - value)), value=value), strategy="search", tokens=300)
        return replace(made, provenance=replace(made.provenance, symbol=symbol, keywords=keywords))

    best = [implementation(f"tools/{name}.py", "install_tool", 8) for name in "abc"]
    judged = implementation(path, symbol, 7.9, keywords)
    assert (judged not in weak_tail([*best, judged], Limits(floor=0.3, leading=3))) is is_shown


ASKED = Limits(floor=0.3, leading=1, aims=frozenset({Aim.WHERE}))


def found(path: str, start: int, value: float, kind: Kind = Kind.CODE, count: int = 20) -> Fragment:
    return replace(fragment(path, start, count, value, kind), strategy="search", tokens=300)


def test_a_question_has_no_use_for_the_weak_parts_of_good_files() -> None:
    taken = [found("a.py", 1, 10), found("a.py", 21, 4.9), found("a.py", 61, 5.1), found("b.py", 1, 9)]
    taken += [found("c.md", 1, 8, Kind.DOC), found("c.md", 41, 5.5, Kind.DOC)]
    weak = {taken[1], taken[-1]}
    assert weak_parts(taken, [], ASKED) == weak_parts(taken[::-1], [], ASKED) == weak
    explained = replace(ASKED, aims=frozenset({Aim.EXPLAIN}))
    assert weak_parts(taken, [], explained) == weak - {taken[-1]}, "a page tells it in several sections"
    pages = [replace(each, provenance=replace(each.provenance, kind=Kind.DOC)) for each in taken]
    assert weak_parts(pages, [], ASKED) == {pages[1]}
    for other in (Limits(leading=1), replace(ASKED, aims=frozenset()), replace(ASKED, aims=ASKED.aims | {Aim.CHANGE})):
        assert not weak_parts(taken, [], other)
    for kept in ({"required": True}, {"is_named": True}, {"strategy": "tests"}, {"is_bridge": True}):
        assert not weak_parts([replace(each, **kept) for each in taken], [], ASKED)
    short = replace(taken[1], provenance=replace(taken[1].provenance, end_line=24))
    assert short not in weak_parts([taken[0], short, *taken[2:]], [], ASKED), "it adjoins a better one"


@pytest.mark.parametrize(("between", "is_whole"), [(20, True), (50, False)])
def test_weak_parts_between_good_ones_stay_where_they_are_short(between: int, *, is_whole: bool) -> None:
    parts = [found("a.py", 1, 10), found("a.py", 21, 4.9, count=between), found("a.py", 21 + between, 9)]
    chosen = select(parts, pack_of(8_000), piece_counter(), {}, ASKED).fragments
    assert sum(each.text.count("\n") for each in chosen) == 40 + between * is_whole


def test_two_sections_of_pages_are_enough_beside_the_place_that_is_asked_for() -> None:
    pages = [found("guide.md", at, value, Kind.DOC) for at, value in ((1, 9.5), (31, 9), (61, 8.5), (91, 8))]
    place = found("a.py", 1, 8)
    assert weak_parts([*pages, place], [], ASKED) == set(pages[2:])
    assert not weak_parts(pages, [], ASKED), "no code has it"
    assert not weak_parts([*pages, found("a.py", 1, 6)], [], ASKED)
    explained = replace(ASKED, aims=ASKED.aims | {Aim.EXPLAIN})
    assert not weak_parts([*pages, place], [], explained)


def test_behind_the_leading_pieces_of_a_question_nothing_is_much_weaker_than_the_best() -> None:
    taken = [found(f"{name}.py", 1, value) for name, value in (("a", 10), ("b", 4.9), ("c", 4.8))]
    assert weak_parts(taken, [], ASKED) == {taken[2]}, "the second may be the answer"
    assert not weak_parts(taken, [], replace(ASKED, leading=2))


def test_the_best_code_stays_beside_the_page_that_explains() -> None:
    page, code = found("guide.md", 1, 10, Kind.DOC), [found(f"{name}.py", 1, 4.5) for name in "abcd"]
    explained = replace(ASKED, aims=frozenset({Aim.EXPLAIN}))
    assert len(weak_parts([page, *code], [], explained)) == 1, "three show what the page tells"
    assert len(weak_parts([found("e.py", 1, 10), *code], [], explained)) == 3, "the second may be the answer"


def test_what_the_tail_was_made_of_goes_with_it() -> None:
    taken = [found("a.py", 1, 10), found("b.py", 1, 9), found("b.py", 21, 9), found("b.py", 61, 5)]
    limits = replace(ASKED, aims=frozenset())
    assert weak_parts(taken, taken, limits) == {taken[3]}


def test_strong_pieces_take_the_room_of_weak_ones() -> None:
    taken = [found("a.py", 1, 10)]
    missed = [found("b.py", 1, 7), found("c.py", 1, 6), replace(found("d.py", 1, 9), strategy="tests")]
    assert strong_pieces(missed, taken, ASKED) == missed[:1]
    assert not strong_pieces(missed, taken, replace(ASKED, aims=frozenset()))


def test_a_choice_for_a_question_goes_without_its_weak_parts() -> None:
    text = lines(60, "something")
    strong, weak, other = found("a.py", 1, 10, count=60), found("a.py", 61, 4, count=60), found("b.py", 1, 9)
    given = [strong, replace(weak, text=text), other]
    for limits, kept in ((ASKED, [("a.py", 1, 60), ("b.py", 1, 20)]), (Limits(), [("a.py", 1, 120), ("b.py", 1, 20)])):
        pack, report = assemble(given, pack_of(8_000), piece_counter(), limits=limits)
        assert spans(pack) == kept
        assert ("something" in report) is (limits is not ASKED)


def test_what_a_weak_part_kept_out_comes_into_its_room() -> None:
    best, good, weak = found("a.py", 1, 10), found("c.py", 1, 9), found("c.py", 61, 4, count=60)
    missed = replace(found("b.py", 1, 7, count=30), value=0.2)
    given = [best, good, replace(weak, value=0.99), missed]
    for limits, last in ((Limits(), ("c.py", 61, 120)), (ASKED, ("b.py", 1, 30))):
        pack, _ = assemble(given, pack_of(760), piece_counter(), limits=limits)
        assert spans(pack) == [("a.py", 1, 20), ("c.py", 1, 20), last]


@pytest.mark.parametrize(("start", "spans_then"), [(41, [("a.py", 1, 60)]), (81, [("a.py", 1, 20), ("a.py", 81, 100)])])
def test_what_stands_between_two_pieces_comes_into_the_room_of_a_weak_one(
    start: int, spans_then: list[tuple[str, int, int]]
) -> None:
    best, below, weak = found("a.py", 1, 10), found("a.py", start, 9), found("c.py", 61, 4, count=60)
    between = replace(found("a.py", 21, 5), value=0.2)
    given = [best, below, replace(weak, value=0.99), between]
    pack, _ = assemble(given, pack_of(760), piece_counter(), limits=ASKED)
    assert spans(pack) == spans_then


def long_definition(symbol: str, text: str = "") -> Fragment:
    made = found("a.py", 1, 8)
    body = [f"    other_{at} = something_else({at})" for at in range(160)]
    body[100:106] = ["    rate = parse_rate(text)"] * 6
    text = text or "\n".join(["def main():", *body]) + "\n"
    last = len(text.splitlines())
    origin = replace(made.provenance, symbol=symbol, keywords=("rate", "parse"), end_line=last)
    return replace(made, text=text, provenance=origin)


def test_of_a_long_definition_that_says_little_of_a_question_only_the_passage_comes() -> None:
    for limits, symbol, first, last in (
        (ASKED, "main", 1, 161),
        (ASKED, "Reader.parse_rate", 1, 0),
        (Limits(floor=0.3), "main", 1, 0),
    ):
        pack, report = assemble([long_definition(symbol)], pack_of(6_000), piece_counter(), limits=limits)
        (piece,) = pack.selection.fragments
        is_cut = bool(last)
        assert "parse_rate(text)" in report
        assert (piece.cut_from == (first, last)) is is_cut
        assert (piece.tokens < 0.08 * 6_000) is is_cut
    dense = "\n".join(["def main():", *["    rate = other(rate)"] * 160]) + "\n"
    assert not is_mere_passage(long_definition("main", dense), ASKED)
    assert not is_mere_passage(replace(long_definition("main"), is_named=True), ASKED)
    assert is_mere_passage(long_definition("main"), ASKED)
    assert not is_mere_passage(long_definition("main"), replace(ASKED, leading=0)), "in a small pack any code is long"
    page = long_definition("main")
    page = replace(page, provenance=replace(page.provenance, kind=Kind.DOC))
    assert not is_mere_passage(page, ASKED)


def test_a_long_request_keeps_the_tail() -> None:
    settings = Settings(Path("r"), Path("c"), budget=16_000)
    assert limits_of(settings, PackDefaults(0.2, keeps_tail=True)).leading == 0
    assert limits_of(settings, PackDefaults(0.2)).leading == 15
    assert limits_of(replace(settings, budget=5_000), PackDefaults(0.2)).leading == 0


def test_the_tail_is_not_packed_and_is_among_the_next_places() -> None:
    values = {"a.py": (10, 9, 8, 7, 3), "b.py": (9, 8.5, 8, 3)}
    given = [fragment(path, 1 + 30 * at, value=each) for path in values for at, each in enumerate(values[path])]
    searched = [replace(each, strategy="search") for each in given]
    pack, _ = assemble(searched, pack_of(8_000), piece_counter(), limits=Limits(floor=0.1, leading=5))
    assert 0.3 not in {each.provenance.score for each in pack.selection.fragments}
    assert {(each.path, each.start_line) for each in pack.selection.omissions} == {("a.py", 121), ("b.py", 91)}
