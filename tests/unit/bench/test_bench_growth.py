"""The plot of growth: what is measured, the exponents, and the picture."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.conftest import PROJECT
from tests.indexing import commit
from tests.scripting import bench

growth = bench("growth")
SIZES = [
    {"files": size, "index": size / 100, "first cpu": size / 500, "first peak": 60 + size / 100, "request cpu": 0.5,
     "request peak": 70.0, "edit cpu": 0.6, "edit peak": 70.0}
    for size in (1_000, 10_000, 80_000)
]  # fmt: skip


def test_the_exponent_is_the_slope_of_the_logarithms() -> None:
    assert growth.exponent([(1, 5), (10, 50), (1_000, 5_000)]) == pytest.approx(1)
    assert growth.exponent([(1, 2), (100, 20)]) == pytest.approx(0.5)
    assert growth.exponent([(1, 3), (100, 3)]) == pytest.approx(0)
    assert growth.exponent([(5, 3), (5, 9)]) == 0


def test_files_are_taken_evenly() -> None:
    paths = [str(number) for number in range(10)]
    assert growth.spread(paths, 5) == ["0", "2", "4", "6", "8"]
    assert growth.spread(paths, 10) == growth.spread(paths, 99) == paths
    assert len({*growth.spread(paths, 7)}) == 7


def test_the_picture_has_every_line_with_its_exponent() -> None:
    drawn = growth.drawn({"sizes": SIZES, "budgets": [{"budget": 2_000, "cpu": 1.0}, {"budget": 200_000, "cpu": 10.0}]})
    ET.fromstring(drawn)  # noqa: S314 -- our own text
    for legend in ("first run (1.00)", "new request (0.00)", "index (1.00)", "new request (0.50)"):
        assert f">{legend}<" in drawn
    assert drawn.count("<polyline") == 7
    assert len(drawn) < 20_000


def test_what_was_not_measured_has_no_panel() -> None:
    drawn = growth.drawn({"sizes": SIZES, "budgets": []})
    assert drawn.count('fill="none" stroke="#555555"') == 2
    assert "budget" not in drawn


def test_one_size_alone_is_drawn() -> None:
    ET.fromstring(growth.drawn({"sizes": SIZES[:1], "budgets": []}))  # noqa: S314 -- our own text


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="what a run costs cannot be told")
def test_a_small_repository_is_measured_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    root = tmp_path / "root"
    words = ("retry", "stone", "tower", "water", "yard", "zebra")
    commit(root, {f"part_{word}.py": f"def {word}(connection):\n    return connection\n" for word in words})
    data, out = tmp_path / "data.json", tmp_path / "out.svg"
    flags = ["--root", str(root), "--sizes", "3,100", "--budgets", "2000", "--runs", "1", "--folder", str(tmp_path)]
    assert growth.main([*flags, "--data", str(data), "--out", str(out)]) == 0
    found = json.loads(data.read_text())
    assert [row["files"] for row in found["sizes"]] == [3, 6]
    assert all(row[key] > 0 for row in found["sizes"] for key in ("first cpu", "request cpu", "edit peak", "index"))
    assert [row["budget"] for row in found["budgets"]] == [2_000]
    before = out.read_text()
    out.unlink()
    assert growth.main(["--draw", "--data", str(data), "--out", str(out)]) == 0
    assert out.read_text() == before
