"""Events in the library, with real strategies and commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack import Request, Scope, load, pack
from ctxpack.errors import NothingFoundError
from ctxpack.events import SILENT, Degraded, Event, Health, Observer, PackMade, Started, State, StrategyFinished
from tests.commanding import command_of


def test_a_program_hears_what_happens_in_order(demo: Path) -> None:
    events: list[Event] = []
    report = pack(Request(Scope.TASK, text="fix the retry bug"), load(demo), on_event=events.append)
    assert events[0] == Started("task", "demo", 8_000)
    assert {each.strategy for each in events[1:-1] if isinstance(each, StrategyFinished)} == {"search", "readme"}
    last = events[-1]
    assert isinstance(last, PackMade)
    assert (last.pieces, last.tokens) == (len(report.pack.selection.fragments), report.pack.tokens_used)


def test_it_hears_of_parts_that_fail_also_from_other_threads(demo: Path, tmp_path: Path) -> None:
    broken = command_of(tmp_path, "sys.exit(3)")
    (demo / "ctxpack.toml").write_text(f"[[strategy]]\nid = 'tickets'\ncommand = '{broken}'\n", encoding="utf-8")
    settings = load(demo, {"rerank": broken, "allow_commands": True})
    heard: list[Health] = []
    events: list[Event] = []
    pack(Request(Scope.TASK, text="fix the retry bug"), settings, on_event=events.append, on_degraded=heard.append)
    assert [(each.state, each.failures) for each in heard] == [(State.DEGRADED, 1)] * 2
    assert {each.part.split(" ")[1] for each in heard} == {"reranking", "program"}
    assert len([each for each in events if isinstance(each, Degraded)]) == 2
    assert StrategyFinished("tickets", 0, "failed", 0).outcome in {
        each.outcome for each in events if isinstance(each, StrategyFinished)
    }


def test_a_run_that_fails_has_started_but_made_no_pack(demo: Path) -> None:
    events: list[Event] = []
    with pytest.raises(NothingFoundError):
        pack(Request(Scope.TASK, text="qqqxyz"), load(demo, {"strategies": "search"}), on_event=events.append)
    assert isinstance(events[0], Started)
    assert not any(isinstance(each, PackMade) for each in events)


def test_who_does_not_listen_hears_nothing_of_a_part_and_a_listener_both_of_its_state_and_the_event() -> None:
    health = Health("x", State.DOWN, 3)
    SILENT.report_degraded(health)
    events: list[Event] = []
    heard: list[Health] = []
    Observer(on_event=events.append, on_health=heard.append).report_degraded(health)
    assert (events, heard) == ([Degraded("x", "down", 3)], [health])
