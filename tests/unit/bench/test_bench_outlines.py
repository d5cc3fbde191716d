"""The two ways to outline a file are compared on the code of both."""

from __future__ import annotations

from pathlib import Path

from tests.indexing import write
from tests.scripting import bench

outlines = bench("outlines")
CODE = "".join(f"def step_{number}(value):\n    return value + {number}\n\n\n" for number in range(9))


def test_only_code_that_both_know_is_measured(tmp_path: Path) -> None:
    texts = {"a.py": CODE, "b.py": CODE, "tests/test_a.py": CODE, "c.md": CODE, "d.nim": CODE, "e.py": "x = 1\n"}
    found = outlines.files_of([write(tmp_path, texts)], 9)
    assert {name: [path for path, _ in its] for name, its in found.items()} == {"python": ["a.py", "b.py"]}
    assert len(outlines.files_of([tmp_path], 1)["python"]) == 1


def test_definitions_of_both_are_counted_and_the_times_compared() -> None:
    its = outlines.measure("python", [("a.py", CODE), ("b.py", CODE)], 1)
    assert (its.files, its.size, its.definitions, its.shared) == (2, 2 * len(CODE), 18, 18)
    line = outlines.row("python", outlines.Outlines(2, 1_500, 0.002, 0.007, 20, 19))
    assert line.split() == ["python", "2", "1.5", "2.0", "7.0", "3.50", "95.0%"]
