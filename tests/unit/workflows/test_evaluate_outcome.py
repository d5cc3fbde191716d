"""What came of a task, and the figures over tasks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.model import Lane
from ctxpack.settings import Settings
from ctxpack.workflows.commit_tasks import ChangedFile, Task
from ctxpack.workflows.evaluation import MEASURES, FileOutcome, Outcome, by_lane, differences, figures_of, outcome_of
from tests.indexing import write

TASK = Task("c" * 40, "p" * 40, "delay of retries", ())


def found(path: str, rank: int, lines: int = 10, packed: int = 0, lane: Lane = Lane.CODE) -> FileOutcome:
    return FileOutcome(path, lane, rank, packed > 0, lines, packed)


def measured(*files: FileOutcome) -> dict[str, float]:
    return dict(zip(MEASURES, Outcome(TASK, files).measures, strict=True))


def test_accuracy_counts_the_best_changed_file_and_recall_counts_all() -> None:
    got = measured(found("a.py", 4, lines=30, packed=15), found("b.py", 0), found("c.py", 9, lines=20))
    assert got == {
        "acc@1": 0, "acc@3": 0, "acc@5": 1, "acc@10": 1, "mrr": 0.25, "files": pytest.approx(1 / 3), "lines": 0.25,
    }  # fmt: skip


def test_what_is_not_in_the_ranking_counts_nothing() -> None:
    assert set(measured(found("a.py", 0)).values()) == {0.0}
    assert set(measured(found("a.py", 1, lines=3, packed=3)).values()) == {1.0}


def test_a_lane_counts_only_its_own_files() -> None:
    outcome = Outcome(TASK, (found("a.py", 1), found("t.py", 12, lane=Lane.TESTS)))
    assert outcome.within(Lane.DOCS) is None
    narrow = outcome.within(Lane.TESTS)
    assert narrow is not None
    assert narrow.measures[MEASURES.index("mrr")] == pytest.approx(1 / 12)
    assert [(each.lane, each.tasks) for each in by_lane([outcome, outcome])] == [(Lane.CODE, 2), (Lane.TESTS, 2)]


def test_intervals_hold_the_mean_are_the_same_each_time_and_shrink_with_more_tasks() -> None:
    half = [Outcome(TASK, (found("a.py", 1 if number % 2 else 20),)) for number in range(20)]
    figure = figures_of(half)["acc@1"]
    assert figure.mean == 0.5
    assert 0.2 < figure.low < 0.4
    assert 0.6 < figure.high < 0.8
    assert figures_of(half) == figures_of(half)
    wide, narrow = figure, figures_of(half * 10)["acc@1"]
    assert narrow.high - narrow.low < (wide.high - wide.low) / 2
    same = figures_of(half[:1])["acc@1"]
    assert (same.mean, same.low, same.high) == (0, 0, 0)


def test_differences_are_paired() -> None:
    base = [Outcome(TASK, (found("a.py", 1 if number % 2 else 3),)) for number in range(10)]
    worse = [replace(each, files=(found("a.py", 20),)) for each in base]
    lost = differences(base, worse)
    assert (lost["acc@3"].mean, lost["acc@3"].low, lost["acc@3"].high) == (-1, -1, -1)  # in every pair the same
    assert lost["acc@1"].low < lost["acc@1"].mean == -0.5 < lost["acc@1"].high
    assert {each.mean for each in differences(base, base).values()} == {0}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    retry = "".join(f"def retry_delay_{n}(attempt):\n    return attempt * {n}\n\n\n" for n in range(200))
    write(tmp_path / "repo", {"retry.py": retry, "colour.py": "def paint():\n    return 'red'\n"})
    return Settings(root=tmp_path / "repo", cache_dir=tmp_path / "cache", budget=1_500)


def test_ranks_and_packed_lines_are_those_of_the_real_pack(settings: Settings) -> None:
    changed = (ChangedFile("retry.py", Lane.CODE, ((1, 800),)), ChangedFile("colour.py", Lane.CODE, ((1, 1), (2, 2))))
    outcome = outcome_of(replace(TASK, text="the retry delay of an attempt", files=changed), settings)
    retry, colour = outcome.files
    assert (retry.rank, retry.in_pack, retry.lines) == (1, True, 800)
    assert 0 < retry.lines_in_pack < 800
    assert colour == FileOutcome("colour.py", Lane.CODE, 0, in_pack=False, lines=2, lines_in_pack=0)


def test_nothing_that_matches_is_a_miss_not_an_error(settings: Settings) -> None:
    task = replace(TASK, text="zzyzx qwrtp", files=(ChangedFile("retry.py", Lane.CODE, ((1, 1),)),))
    assert outcome_of(task, settings).files == (found("retry.py", 0, lines=1),)
