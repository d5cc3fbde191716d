"""How the health of outside parts is kept, shared between runs, and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.events import SILENT, Guard, Health, Observer, State, degraded_parts
from ctxpack.settings import Settings


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(root=tmp_path, cache_dir=tmp_path / "cache")


def asked(settings: Settings, clock: Clock, identity: str = "a", observer: Observer = SILENT) -> Guard:
    return Guard(settings, identity, "The service x", observer, clock)


def test_three_failures_in_a_row_open_the_circuit_for_a_while(settings: Settings, clock: Clock) -> None:
    states = []
    for _ in range(4):
        its = asked(settings, clock)
        states.append(its.state)
        its.record_failure()
    assert states == [State.NORMAL, State.DEGRADED, State.DEGRADED, State.DOWN]
    assert asked(settings, clock).why_down == "The service x failed 3 times in a row and is not used for 15 s."
    clock.now += 15
    again = asked(settings, clock)
    assert (again.state, again.reduce(8)) == (State.DEGRADED, 3)
    again.record_failure()
    assert asked(settings, clock).is_down
    clock.now += 15
    asked(settings, clock).record_success()
    assert asked(settings, clock).state is State.NORMAL


def test_degraded_means_fewer_and_a_note(settings: Settings, clock: Clock) -> None:
    its = asked(settings, clock)
    assert (its.reduce(8), its.notes) == (8, ())
    its.record_failure()
    its = asked(settings, clock)
    assert (its.reduce(8), its.reduce(1)) == (3, 1)
    assert its.notes == ("The service x failed last time, so it gets less work.",)


def test_parts_are_told_apart_and_old_failures_forgotten(settings: Settings, clock: Clock) -> None:
    asked(settings, clock).record_failure()
    assert asked(settings, clock, "b").state is State.NORMAL
    assert degraded_parts(settings, clock) == (Health("The service x", State.DEGRADED, 1),)
    clock.now += 3_601
    assert asked(settings, clock).state is State.NORMAL
    assert degraded_parts(settings, clock) == ()


def test_what_identifies_a_part_is_not_written_down(settings: Settings, clock: Clock) -> None:
    asked(settings, clock, "curl -H 'key: geheim'").record_failure()
    assert "geheim" not in (settings.cache_dir / "health.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("written", ["", "[", "[]", '{"a": 3}', '{"a": ["b", "c", "d"]}', "\x00", "[" * 100_000])
def test_what_cannot_be_read_is_normal_and_mended(settings: Settings, clock: Clock, written: str) -> None:
    settings.cache_dir.mkdir()
    (settings.cache_dir / "health.json").write_text(written, encoding="utf-8")
    its = asked(settings, clock)
    assert its.state is State.NORMAL
    its.record_failure()
    assert asked(settings, clock).state is State.DEGRADED


def test_nothing_is_kept_without_a_cache_or_a_folder(tmp_path: Path, clock: Clock) -> None:
    bare = Settings(root=tmp_path, cache_dir=tmp_path / "cache", use_cache=False)
    asked(bare, clock).record_failure()
    assert not bare.cache_dir.exists()
    (tmp_path / "file").write_text("", encoding="utf-8")
    asked(Settings(root=tmp_path, cache_dir=tmp_path / "file"), clock).record_failure()


def test_who_listens_hears_of_every_state_but_normal(settings: Settings, clock: Clock) -> None:
    heard: list[Health] = []
    its = asked(settings, clock, observer=Observer(on_health=heard.append))
    its.record_failure()
    its.record_success()
    asked(settings, clock, observer=Observer(on_health=heard.append)).record_success()
    asked(settings, clock).record_failure()
    assert heard == [Health("The service x", State.DEGRADED, 1)]


def test_how_often_and_how_long_can_be_set(tmp_path: Path, clock: Clock) -> None:
    its = Settings(root=tmp_path, cache_dir=tmp_path, circuit_failures=1, circuit_seconds=2.0, degraded_share=0.5)
    asked(its, clock).record_failure()
    assert asked(its, clock).is_down
    clock.now += 2
    assert asked(its, clock).reduce(8) == 4
