"""The measures of the benchmark scripts, by hand."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts" / "bench"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bench_{name}", SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


relevance, speed, startup = (script(name) for name in ("relevance", "speed", "startup"))


def test_all_gold_files_must_be_among_the_first() -> None:
    assert relevance.file_accuracy(["a", "b", "c"], ["a", "c"], 3) == 1
    assert relevance.file_accuracy(["a", "b", "c"], ["a", "c"], 2) == 0
    assert relevance.file_accuracy(["a", "b", "c"], ["a", "c"], 1) == 1  # more gold than places: all places are gold
    assert relevance.file_accuracy([], ["a"], 10) == 0


def test_reciprocal_rank_is_of_the_first_gold_file() -> None:
    assert relevance.reciprocal_rank(["x", "a", "b"], ["b", "a"]) == 0.5
    assert relevance.reciprocal_rank(["x"], ["a"]) == 0


def test_a_result_hits_where_lines_meet() -> None:
    assert relevance.hits(("src/a.py", 10, 20), ("a.py", 20, 30))
    assert not relevance.hits(("src/a.py", 10, 20), ("a.py", 21, 30))
    assert relevance.hits(("a.py", 10, 20), ("a.py", None, None))
    assert not relevance.hits(("ba.py", 1, 2), ("a.py", None, None))


def test_discounted_gain_counts_each_target_once() -> None:
    results = [("a", 1, 5), ("a", 6, 9), ("b", 1, 2)]
    assert relevance.discounted_gain(results, [("a", None, None)]) == 1
    assert relevance.discounted_gain(results, [("b", None, None)]) == pytest.approx(0.5)
    assert relevance.discounted_gain(results, [("c", None, None)]) == 0
    assert relevance.discounted_gain([("a", 1, 1), ("b", 1, 1)], [("a", None, None), ("b", None, None)]) == 1


def test_a_hunk_is_held_only_whole() -> None:
    held = [("a", 1, 10), ("a", 11, 20), ("b", 5, 6)]
    assert relevance.share_held(held, [("a", 8, 12)]) == 1
    assert relevance.share_held(held, [("a", 8, 12), ("b", 6, 7)]) == 0.5


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("see src/store.py", "path"),
        ("see store.py", "basename"),
        ("`Store` fails", "stem"),
        ("pkg.store.load fails", "stem"),
        ("restore fails", "no"),
    ],
)
def test_openness(query: str, named: str) -> None:
    assert relevance.openness(query, ["src/store.py"]) == named


def test_an_interval_surrounds_the_mean() -> None:
    low, high = relevance.interval([0.0, 1.0] * 50)
    assert 0.35 < low < 0.5 < high < 0.65
    assert relevance.interval([1.0]) == (1.0, 1.0)


def test_a_row_of_the_speed_table() -> None:
    runs = [speed.Run(wall, cpu, 50, 1234, status) for wall, cpu, status in ((3, 2, 0), (1, 1.5, 0), (2, 9, 1))]
    assert speed.row("x", runs) == ("x", "3", "2.00 (1.00-3.00)", "1.50", "50", "1,234", "exit 1")
    assert speed.megabytes(5_000_000, "darwin") == 5
    assert speed.megabytes(5_000, "linux") == 5
    assert speed.table([("a", "n"), ("bb", "10")]) == "a    n\nbb  10"


def test_import_times_are_read_and_the_least_kept() -> None:
    one = "import time: self [us] | cumulative | imported package\nimport time:       500 |        900 |   a.b\n"
    two = "import time:       300 |        900 |   a.b\nimport time:       400 |        400 | c\n"
    assert startup.import_times(one) == {"a.b": 500}
    assert startup.slowest([one, two], 5) == [("c", 400), ("a.b", 300)]
    assert startup.heavy(["numpy.linalg", "json"]) == ["numpy"]


@pytest.mark.parametrize("name", ["relevance", "speed", "startup"])
def test_help_is_there(name: str) -> None:
    done = subprocess.run(
        [sys.executable, SCRIPTS / f"{name}.py", "--help"], capture_output=True, text=True, check=True
    )
    assert "Standard library" in done.stdout
