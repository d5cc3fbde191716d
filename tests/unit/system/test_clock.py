from __future__ import annotations

from ctxpack.system.clock import Stopwatch


def test_every_lap_takes_the_time_since_the_one_before() -> None:
    times = iter([10.0, 11.5, 12.0, 15.0])
    watch = Stopwatch(lambda: next(times))
    for stage in ("index", "rank", "index"):
        watch.lap(stage)
    assert watch.seconds == {"index": 4.5, "rank": 0.5}
