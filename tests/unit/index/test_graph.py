from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ctxpack.errors import BrokenIndexError
from ctxpack.index import arrays, graph
from ctxpack.index.graph import Graph

ODD = b"caf\xe9.py".decode("utf-8", "surrogateescape")


def made(folder: Path, edges: Mapping[str, tuple[str, ...]]) -> Graph:
    arrays.save_arrays(folder / "graph", graph.graph_arrays(edges))
    return graph.load_graph(folder / "graph")


def test_edges_are_seen_from_both_ends_and_sorted(tmp_path: Path) -> None:
    found = made(tmp_path, {"z.py": ("b.py", "a.py"), "a.py": ("b.py",), ODD: ("a.py",)})
    assert found.imports("z.py") == ("a.py", "b.py")
    assert found.importers("b.py") == ("a.py", "z.py")
    assert found.importers("a.py") == (ODD, "z.py") if ODD < "z.py" else ("z.py", ODD)
    assert found.imports("b.py") == found.imports("unknown") == ()
    assert found.in_degrees(["unknown", "a.py", "b.py", "z.py"]).tolist() == [0, 2, 2, 0]


def test_no_edges(tmp_path: Path) -> None:
    found = made(tmp_path, {})
    assert (found.paths, found.imports("a"), found.in_degrees(["a"]).tolist()) == ((), (), [0])


def test_a_file_of_other_arrays_is_broken(tmp_path: Path) -> None:
    arrays.save_arrays(tmp_path / "graph", {})
    with pytest.raises(BrokenIndexError, match="lacks"):
        graph.load_graph(tmp_path / "graph")
