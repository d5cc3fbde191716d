"""Means over tasks with 95 % bootstrap intervals, and the tables that show them. Shared by the benchmark scripts.

A row is what came of one task: {"id", "repo", "gold_in_query", "measures": {name: value}}.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from measures import DEPTH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Row = Mapping[str, Any]
DRAWS = 2000
OPENNESS = ("path", "basename", "stem", "no")


def interval(values: Sequence[float], seed: int = 1) -> tuple[float, float]:
    """The 95 % bootstrap interval of a mean; of the differences of two systems on the same tasks, a paired one."""
    import numpy as np

    means = np.sort(_draws(len(values), seed) @ np.asarray(values, np.float64) / len(values))
    return float(means[int(0.025 * DRAWS)]), float(means[int(0.975 * DRAWS) - 1])


@lru_cache(maxsize=16)
def _draws(size: int, seed: int) -> NDArray[np.float64]:
    """How often each of ``size`` tasks is drawn, in each draw."""
    import numpy as np

    chosen = np.random.default_rng(seed).integers(0, size, (DRAWS, size))
    return np.stack([np.bincount(each, minlength=size) for each in chosen]).astype(np.float64)


def summary(rows: Sequence[Row]) -> str:
    """The table of measures, then all of them by how openly a gold file is named, and the main one by repository."""
    names = measure_names(rows)
    lines = [f"{'measure':14} {'mean':>7}   {'95 % interval':16} tasks"]
    for name in names:
        values = values_of(rows, name)
        low, high = interval(values)
        lines.append(f"{name:14} {mean(values):7.3f}   [{low:.3f}, {high:.3f}]   {len(values):5}")
    lines += ["", *_by_openness(rows, [name for name in names if not name.endswith(" s")])]
    main = "file@5" if "file@5" in names else f"ndcg@{DEPTH}"
    lines += ["", f"{main} by repo"]
    for repo, group in grouped(rows, "repo").items():
        if values := values_of(group, main):
            lines.append(f"  {repo:32} {mean(values):.3f}   {len(values):5}")
    return "\n".join(lines)


def _by_openness(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    groups = grouped(rows, "gold_in_query")
    groups = {key: groups[key] for key in (*OPENNESS, *groups) if key in groups}
    width = 21
    heads = [f"{key} ({len(group)})" for key, group in groups.items()]
    lines = [f"{'by gold_in_query':16} {''.join(f'{head:{width}}' for head in heads)}".rstrip()]
    for name in names:
        cells = [cell(values_of(group, name)) for group in groups.values()]
        lines.append(f"{name:16} {''.join(f'{each:{width}}' for each in cells)}".rstrip())
    return lines


def cell(values: Sequence[float]) -> str:
    """A mean and its interval, as short as can be read; ``-`` without values."""
    if not values:
        return "-"
    low, high = interval(values)
    return f"{mean(values):.3f} [{low:.2f}, {high:.2f}]"


def measure_names(rows: Sequence[Row]) -> list[str]:
    """Every measure that some row has, in the order in which they come up."""
    return list(dict.fromkeys(name for row in rows for name in row["measures"]))


def values_of(rows: Sequence[Row], name: str) -> list[float]:
    """A measure of every row that has it."""
    return [row["measures"][name] for row in rows if name in row["measures"]]


def mean(values: Sequence[float]) -> float:
    """The mean of at least one value."""
    return sum(values) / len(values)


def grouped(rows: Sequence[Row], field: str) -> dict[str, list[Row]]:
    """The rows by what a field holds, sorted."""
    groups: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row[field]].append(row)
    return dict(sorted(groups.items()))
