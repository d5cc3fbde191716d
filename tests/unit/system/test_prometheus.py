"""Metrics in a file: as Prometheus' own parser reads them, and nothing is lost where several processes add to them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from ctxpack.workflows.metrics import ForeignFileError, Metric, Samples, add_to_file, metrics_text, read_metrics

RUNS = Metric("runs_total", "Runs.")
SECONDS = Metric("seconds", "Seconds of a run.", (0.1, 1.0, 10.0))
METRICS = {each.name: each for each in (RUNS, SECONDS)}
LABELS = st.dictionaries(st.sampled_from(["command", "repository"]), st.text(max_size=9), max_size=2)


@given(st.lists(st.tuples(LABELS, st.floats(0, 100)), max_size=9))
def test_what_is_written_is_read_by_prometheus_and_back(observed: list[tuple[dict[str, str], float]]) -> None:
    samples = Samples()
    for labels, value in observed:
        samples.count(RUNS, labels, value)
        samples.observe(SECONDS, labels, value)
    text = metrics_text(METRICS.values(), samples)
    assert read_metrics(text, METRICS.values()) == samples
    found = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    expected = {(name, tuple(sorted(labels))): value for (name, labels), value in samples.values.items()}
    assert {key: pytest.approx(value) for key, value in expected.items()} == found


def test_buckets_hold_all_that_is_not_larger() -> None:
    samples = Samples()
    for value in (0.1, 0.5, 99.0):
        samples.observe(SECONDS, {"phase": "rank"}, value)
    lines = metrics_text(METRICS.values(), samples).splitlines()
    assert lines == [
        "# HELP seconds Seconds of a run.",
        "# TYPE seconds histogram",
        'seconds_bucket{phase="rank",le="0.1"} 1',
        'seconds_bucket{phase="rank",le="1"} 2',
        'seconds_bucket{phase="rank",le="10"} 2',
        'seconds_bucket{phase="rank",le="+Inf"} 3',
        'seconds_sum{phase="rank"} 99.6',
        'seconds_count{phase="rank"} 3',
    ]


@pytest.mark.parametrize("data", [b"Buy milk.\n", b"runs_total{a=b} 1\n", b"\xff\xfe", b"runs_total one\n"])
def test_a_foreign_file_stays_as_it_is(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "m.prom"
    path.write_bytes(data)
    with pytest.raises(ForeignFileError):
        add_to_file(path, METRICS, Samples())
    assert path.read_bytes() == data


def test_nothing_is_lost_where_processes_add_at_the_same_time(tmp_path: Path) -> None:
    path, processes, times = tmp_path / "m.prom", 6, 20
    code = (
        "import sys; from pathlib import Path; from ctxpack.workflows.metrics import *\n"
        "runs, seconds = Metric('runs_total', 'Runs.'), Metric('seconds', 'Seconds.', (1.0,))\n"
        f"for _ in range({times}):\n"
        "    samples = Samples(); samples.count(runs, {}); samples.observe(seconds, {'who': sys.argv[2]}, 0.5)\n"
        "    add_to_file(Path(sys.argv[1]), {'runs_total': runs, 'seconds': seconds}, samples)\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), str(who)]) for who in range(processes)]
    assert [each.wait() for each in running] == [0] * processes
    found = {family.name: family for family in text_string_to_metric_families(path.read_text(encoding="utf-8"))}
    assert [sample.value for sample in found["runs"].samples] == [processes * times]
    counts = [sample.value for sample in found["seconds"].samples if sample.name == "seconds_count"]
    assert counts == [times] * processes
    assert sorted(each.name for each in tmp_path.iterdir()) == [".m.prom.lock", "m.prom"]
