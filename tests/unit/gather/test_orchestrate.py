"""Strategies that run at once: real plug-ins and programs, good ones and bad ones."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ctxpack.errors import InternalError, NothingFoundError, UsageError
from ctxpack.gather import Context, Gathered, gather
from ctxpack.gather.orchestrate import trim_to_tokens
from ctxpack.gather.registry import Registry, check_names, registry
from ctxpack.gather.strategy import Strategy
from ctxpack.model import Confidence, Form, Fragment, Request, Scope
from ctxpack.settings import Settings, StrategyEntry
from ctxpack.system.clock import Timekeeper
from tests.building import piece_of
from tests.commanding import command_of
from tests.installing import install
from tests.unit.gather.conftest import MakeContext

GROUP = "ctxpack.strategies"
FILES = {
    "README.md": "# Shop\n\nSells things.\n",
    "cart.py": "def price():\n    return 1\n\n\ndef total():\n    return price()\n",
    "other.py": "x = 1\n",
}
TASK = Request(Scope.TASK, text="price of the cart")
HEAD = "from ctxpack.gather.strategy import Scope, Strategy, derived, made, piece\n"
GOOD = "def good(context):\n    return [piece(context, 'other.py', (1, 1), reason='says so', value=.9)]\n"

Plug = Callable[..., None]


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plug:
    """Install a package of a module with some code; ``names`` are its strategies and what they are in the module."""
    count = 0

    def put(code: str, **names: str) -> None:
        nonlocal count
        count += 1
        module = f"plugin_{tmp_path.name.replace('-', '_')}_{count}"
        targets = {name: f"{module}:{attribute}" for name, attribute in names.items()}
        monkeypatch.syspath_prepend(install(tmp_path / f"site-{count}", module, HEAD + code, {GROUP: targets}))

    return put


def gathered(context: MakeContext, request: Request = TASK, **values: object) -> Gathered:
    return gather(context(FILES, request, **values))


def paths(found: Gathered) -> dict[str, str]:
    return {each.strategy: each.provenance.path for each in found.fragments}


def test_a_function_is_a_strategy(context: MakeContext, plug: Plug) -> None:
    plug(GOOD, good="good")
    found = gathered(context)
    (piece,) = [each for each in found.fragments if each.strategy == "good"]
    assert (piece.text, piece.provenance.reasons, piece.value, piece.priority) == ("x = 1\n", ("says so",), 0.9, 40)
    assert found.strategies == ("search", "good", "readme", "tree")
    assert found.notes == ()
    assert {name for name, _ in found.seconds} == {"search", "good", "readme"}


def test_a_strategy_says_what_it_serves_and_whether_it_runs_by_itself(context: MakeContext, plug: Plug) -> None:
    plug(
        GOOD
        + "a = Strategy('a', 'A', good, scopes=(Scope.FILE,))\n"
        + "b = Strategy('b', 'B', good, is_default=False)\n"
        + "c = Strategy('c', 'C', good, priority=90)\n",
        a="a", b="b", c="c",
    )  # fmt: skip
    made = context(FILES, TASK)
    assert gather(made).strategies == ("c", "search", "readme", "tree")


def test_what_is_asked_for_runs(context: MakeContext, plug: Plug) -> None:
    plug(GOOD + "b = Strategy('b', 'B', good, is_default=False)\n", b="b")
    assert gathered(context, enable=("b",), disable=("readme",)).strategies == ("search", "b", "tree")


def test_only_those_that_are_named_run(context: MakeContext, plug: Plug) -> None:
    plug("raise RuntimeError('must not be imported')\n", good="good")
    found = gathered(context, strategies=("readme",))
    assert (found.strategies, found.notes) == (("readme",), ())


FAILURES = {
    "def good(context):\n    raise ValueError('boom')\n": "was skipped: ValueError: boom.",
    "def good(context):\n    yield piece(context, 'no.py', (1, 1), reason='')\n": "no.py is not among the files",
    "def good(context):\n    yield piece(context, 'cart.py', (5, 99), reason='')\n": "cart.py has 6 lines, not 5 to 99",
    "import sys\ndef good(context):\n    sys.exit(1)\n": "was skipped: SystemExit: 1.",
    "def good(context):\n    return 5\n": "was skipped: TypeError",
    "def good(context):\n    return [5]\n": "returned 1 invalid piece: a int is not a Fragment.",
    "import time\ndef wait(context):\n    time.sleep(30)\ngood = Strategy('good', 'G', wait, timeout_s=.2)\n": (
        "was skipped: it took longer than 0.2 s."
    ),
    "raise ImportError('no such thing')\n": "was left out: ImportError: no such thing.",
    "import sys\nsys.exit('off')\n": "was left out: SystemExit: off.",
    "": "has no attribute 'good'",
    "good = 5\n": "is a int, not a Strategy or a function",
    "good = Strategy('another', 'A', len)\n": "it is called 'another', and its entry point 'good'",
    "good = Strategy('good', 'A', len, timeout_s=0)\n": "it needs a scope, a time limit above 0",
    "good = Strategy('good', 'A', len, scopes=('tsk',))\n": "'tsk' is not a valid Scope",
    "def good(context):\n    yield 'the tickets are\\nthree days old.'\n": (
        "The strategy good says: the tickets are three days old."
    ),
    "def good(context):\n    raise ValueError('token ghp_' + 'a1B2' * 9)\n": "[REDACTED:",
}


@pytest.mark.parametrize("code", FAILURES)
def test_a_bad_one_costs_a_note_and_no_more(context: MakeContext, plug: Plug, code: str) -> None:
    plug(code, good="good")
    found = gathered(context)
    assert paths(found)["search"] == "cart.py"
    (note,) = found.notes
    assert FAILURES[code] in note
    assert "strategy good " in note
    assert note.endswith(".")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("text='forged\\n'", "cart.py:1-2 differs from the file"),
        ("value=float('nan')", "is not a number"),
        ("form=Form.OUTLINE, text=' '", "is empty, or no outline"),
        ("form=Form.MENTION", "is empty, or no outline"),
    ],
)
def test_what_does_not_hold_is_left_out(context: MakeContext, plug: Plug, change: str, reason: str) -> None:
    code = "from dataclasses import replace\nfrom ctxpack.model import Form\n"
    code += f"def good(context):\n    yield replace(piece(context, 'cart.py', (1, 2), reason='r'), {change})\n"
    plug(code, good="good")
    found = gathered(context)
    assert "good" not in paths(found)
    assert reason in found.notes[0]


def test_nothing_is_forged_and_nothing_is_forced(context: MakeContext, plug: Plug) -> None:
    code = (
        "from dataclasses import replace\n"
        "def good(context):\n"
        "    made = piece(context, 'other.py', (1, 1), reason='r', value=7.0)\n"
        "    origin = replace(made.provenance, commit='f' * 40, score=9.0, blob='0')\n"
        "    yield replace(made, required=True, strategy='search', priority=999, provenance=origin)\n"
    )
    plug(code, good="good")
    (piece,) = [each for each in gathered(context).fragments if each.provenance.path == "other.py"]
    assert (piece.strategy, piece.required, piece.priority, piece.value) == ("good", False, 40, 1.0)
    assert (piece.provenance.score, len(piece.provenance.blob)) == (1.0, 40)
    assert piece.provenance.commit != "f" * 40


@pytest.mark.parametrize("name", ["derived", "made"])
def test_a_derived_text_stands_beside_the_lines_of_its_file(context: MakeContext, plug: Plug, name: str) -> None:
    plug(f"def good(context):\n    yield {name}(context, 'cart.py', 'Two tickets', reason='open')\n", good="good")
    forms = {each.form: each.text for each in gathered(context).fragments if each.strategy == "good"}
    assert forms == {Form.OUTLINE: "Two tickets\n"}


def test_an_id_is_unique(context: MakeContext, plug: Plug) -> None:
    plug(GOOD, search="good", twin="good")
    plug(GOOD, twin="good")
    found = gathered(context)
    assert "The strategy search of plugin" in found.notes[0]
    assert found.notes[0].endswith("was left out: a built-in one has the same id.")
    assert "has the same id." in found.notes[1]
    assert len(found.notes) == 2


def test_a_plug_in_makes_up_for_a_search_that_finds_nothing(context: MakeContext, plug: Plug) -> None:
    plug(GOOD, good="good")
    found = gathered(context, Request(Scope.TASK, text="zebra crossing"))
    assert paths(found)["good"] == "other.py"


def test_without_any_piece_the_user_hears_of_it(context: MakeContext) -> None:
    with pytest.raises(NothingFoundError, match="No strategy found anything: tree"):
        gathered(context, strategies=("tree",))


def test_where_all_failed_it_is_an_error(context: MakeContext, plug: Plug) -> None:
    plug("def good(context):\n    raise ValueError('boom')\n", good="good")
    with pytest.raises(InternalError, match="The strategy good was skipped: ValueError: boom"):
        gathered(context, strategies=("good",))


def test_what_does_not_serve_the_request_is_told(context: MakeContext) -> None:
    found = gathered(context, enable=("cursor",), disable=("nonsense",))
    assert found.notes == (
        "The strategy cursor does not serve a task, so it was left out.",
        "There is no strategy nonsense to disable.",
    )


def test_no_strategy_at_all_is_a_mistake(context: MakeContext) -> None:
    with pytest.raises(UsageError, match="No strategy is left for a task"):
        gathered(context, strategies=("cursor",))


def settings(tmp_path: Path, **values: object) -> Settings:
    return Settings(root=tmp_path, cache_dir=tmp_path / "cache", **values)  # type: ignore[arg-type]


def test_an_unknown_name_is_told_with_those_near(tmp_path: Path) -> None:
    its = settings(tmp_path, strategies=("search",), enable=("serch",))
    with pytest.raises(UsageError) as error:
        check_names(its, registry(its))
    assert (str(error.value), error.value.hint) == ("There is no strategy 'serch'.", "Did you mean search?")
    its = settings(tmp_path, strategies=("quux",))
    with pytest.raises(UsageError) as error:
        check_names(its, registry(its))
    assert error.value.hint == "See them all: ctxpack strategies"


PROGRAM = """
asked = json.loads(prompt)
assert asked["request"]["text"] == "price of the cart", asked
assert asked["candidates"][0]["path"] == "cart.py"
for line in (
    {"path": "other.py", "start_line": 1, "end_line": 1, "reason": "ticket 14", "score": .7},
    {"path": "cart.py", "text": "Two tickets.", "symbol": "price"},
    {"path": "other.py", "start_line": 1},
    {"path": "gone.py", "start_line": 1, "end_line": 1},
    {"path": 5}, [], {"path": "other.py", "start_line": "1", "end_line": 1},
    {"path": "other.py", "start_line": 1, "end_line": 1, "score": 8},
):
    print(json.dumps(line))
print("no JSON")
"""


def program(tmp_path: Path, code: str, **values: object) -> StrategyEntry:
    return StrategyEntry("tool", command_of(tmp_path / "tools", code), **values)  # type: ignore[arg-type]


def test_a_program_brings_pieces_as_json_lines(context: MakeContext, tmp_path: Path) -> None:
    entry = program(tmp_path, PROGRAM, is_own=True, name="Tickets")
    found = gathered(context, strategy_entries=(entry,))
    pieces = [(each.text, each.value, each.provenance.symbol) for each in found.fragments if each.strategy == "tool"]
    assert pieces == [("x = 1\n", 0.7, ""), ("Two tickets.\n", 0.5, "price")]
    assert [note.removeprefix("The strategy tool says: ") for note in found.notes] == [
        "line 3 of its output was left out: it has no end_line.",
        "line 4 of its output was left out: gone.py is not among the files of the repository.",
        "line 5 of its output was left out: path must be a string.",
    ]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("sys.exit('broken')", "ended with status 1: broken."),
        ("time.sleep(60)", "it took longer than 1 s."),
        ("print('x' * 9_000_000)", "printed more than"),
    ],
)
def test_a_bad_program_costs_a_note(context: MakeContext, tmp_path: Path, code: str, said: str) -> None:
    entry = program(tmp_path, code, is_own=True, timeout_s=1.0 if "sleep" in code else 20.0)
    found = gathered(context, strategy_entries=(entry,))
    assert paths(found)["search"] == "cart.py"
    assert said in found.notes[0]


def test_a_program_of_a_repository_is_not_run_unless_it_is_trusted(context: MakeContext, tmp_path: Path) -> None:
    mark = tmp_path / "it-ran"
    entry = program(tmp_path, f"open({str(mark)!r}, 'w').close()")
    found = gathered(context, strategy_entries=(entry,))
    assert "the repository's own configuration names its program" in found.notes[0]
    assert not mark.exists()


def test_a_trusted_program_runs(context: MakeContext, tmp_path: Path) -> None:
    entry = program(tmp_path, "print(json.dumps({'path': 'other.py', 'start_line': 1, 'end_line': 1}))")
    assert paths(gathered(context, strategy_entries=(entry,), allow_commands=True))["tool"] == "other.py"


def test_a_program_runs_in_its_folder(context: MakeContext, tmp_path: Path) -> None:
    code = "print(json.dumps({'path': 'other.py', 'text': os.getcwd()}))"
    found = gathered(context, strategy_entries=(program(tmp_path, code, is_own=True, folder=str(tmp_path)),))
    (piece,) = [each for each in found.fragments if each.strategy == "tool"]
    assert piece.text.strip() == str(tmp_path)


def test_the_users_program_wins_over_a_repositorys_of_the_same_id(tmp_path: Path) -> None:
    entries = (StrategyEntry("x", "theirs"), StrategyEntry("x", "mine", is_own=True))
    known = registry(settings(tmp_path, strategy_entries=entries, allow_commands=True))
    assert known.strategies["x"].origin == "mine"
    assert known.notes == ("The strategy x of theirs was left out: one of mine has the same id.",)


def test_an_entry_without_a_program_sets_limits(context: MakeContext, tmp_path: Path) -> None:
    entries = (StrategyEntry("search", max_tokens=5, priority=1, timeout_s=3.0), StrategyEntry("nothing", priority=1))
    known = registry(settings(tmp_path, strategy_entries=entries))
    search = known.strategies["search"]
    assert (search.max_tokens, search.priority, search.timeout_s) == (5, 1, 3.0)
    assert known.notes == ("There is no strategy nothing to set limits for.",)
    assert list(known.strategies)[-1] == "search"
    found = gathered(context, strategy_entries=entries[:1], enable=("readme",))
    assert paths(found) == {"readme": "README.md"}


def test_the_priority_of_a_strategy_is_that_of_its_pieces(context: MakeContext) -> None:
    entries = (StrategyEntry("search", priority=77),)
    found = gathered(context, strategy_entries=entries, strategies=("search", "readme"))
    assert {each.strategy: each.priority for each in found.fragments} == {"search": 77, "readme": 10}


def fragment(text: str, value: float, *, required: bool = False) -> Fragment:
    return piece_of(text, language="", value=value, required=required, confidence=Confidence.LOW)


def test_the_best_stay_within_a_token_limit_and_the_required_always_do() -> None:
    low, high, long = fragment("one two\n", 0.1), fragment("three four\n", 0.9), fragment("word " * 90, 1.0)
    needed = fragment("must " * 50, 0.0, required=True)
    assert trim_to_tokens([low, high, long], None, "o200k_base") == [low, high, long]
    assert trim_to_tokens([low, high, long], 5, "o200k_base") == [high]
    assert trim_to_tokens([low, high, long], 10, "o200k_base") == [low, high]
    assert trim_to_tokens([low, needed, high], 20, "o200k_base") == [needed]


def test_timings_are_kept_and_unreadable_ones_are_no_error(context: MakeContext) -> None:
    from ctxpack.gather.plan import last_timings

    made = context(FILES, TASK)
    gather(made)
    assert set(last_timings(made.settings)) == {"search", "readme"}
    (made.settings.cache_dir / "strategy-timings.json").write_text("[5]")
    assert last_timings(made.settings) == {}
    gather(made)
    assert set(last_timings(made.settings)) == {"search", "readme"}


def test_every_strategy_of_the_table_can_be_loaded(tmp_path: Path) -> None:
    for strategy in registry(settings(tmp_path)).strategies.values():
        if strategy.id != "tree":
            assert callable(strategy.load()), strategy.id


def test_every_plan_names_strategies_that_serve_it() -> None:
    from ctxpack.gather import PLANS, STRATEGIES

    for scope, names in PLANS.items():
        for name in names:
            assert scope in STRATEGIES[name].scopes, (scope, name)


@pytest.mark.parametrize(("run", "seconds"), [(None, 3.0), (2.0, 2.0)])
def test_one_that_takes_too_long_is_told_and_the_others_stay(
    context: MakeContext, run: float | None, seconds: float
) -> None:
    """By its own limit, or that of the run if that comes first; the clock goes on when the others are done."""
    others, never, its = threading.Event(), threading.Event(), context(FILES, TASK)
    earlier = {*threading.enumerate()}  # those of other tests may take their time

    def wait(_: Context) -> list[Fragment]:
        for thread in {*threading.enumerate()} - earlier - {threading.current_thread()}:
            if thread.name.startswith("ctxpack "):
                thread.join()
        others.set()
        never.wait()
        return []

    endless = Strategy("endless", "Endless", wait, timeout_s=3.0, priority=1, origin="here")
    known = Registry({**registry(its.settings).strategies, "endless": endless})
    keeper = its.view.files.keeper = Timekeeper(run, clock=lambda: 60.0 if others.is_set() else 0.0)
    found = gather(its, known)
    never.set()
    assert keeper.notes == (f"The strategy endless was skipped: it took longer than {seconds:g} s.",)
    assert set(keeper.notes) <= set(found.notes)
    assert paths(found)["search"] == "cart.py"
