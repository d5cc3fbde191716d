"""What an answer is worth: the measures of one task, each a number from 0 to 1. Shared by the benchmark scripts.

A span is a path with its first and last line, or None twice for the whole file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Task = Mapping[str, Any]
Span = tuple[str, int | None, int | None]
FIRST = (1, 3, 5, 10)
FUNCTIONS_FIRST = (5, 10)
DEPTH = 10  # of ndcg
DEEPEST = max(*FIRST, *FUNCTIONS_FIRST, DEPTH)  # place that any measure but mrr looks at
_ROOMY, _SLACK = 3, 30  # a result holds a function without burying it: up to so many times its lines, and so many more


def list_measures(task: Task, results: Sequence[Span]) -> dict[str, float]:
    """Every measure of a ranked list that the task allows: file@k, mrr, fn@k, ndcg@10."""
    twins = task.get("twins", ())
    files = list(dict.fromkeys(path for path, *_ in results if path not in twins))
    gold = task.get("gold_files")
    if not gold:
        return {f"ndcg@{DEPTH}": discounted_gain(results, [(a, b, c) for a, b, c in task["targets"]])}
    measured = {f"file@{first}": file_accuracy(files, gold, first) for first in FIRST}
    measured["mrr"] = reciprocal_rank(files, gold)
    measured[f"ndcg@{DEPTH}"] = discounted_gain(_whole(files), _whole(gold))
    if functions := task.get("gold_function_spans"):
        spans = [(a, b, c) for a, b, c in functions]
        measured |= {f"fn@{first}": function_accuracy(results, spans, first) for first in FUNCTIONS_FIRST}
    return measured


def pack_measures(task: Task, held: Sequence[Span], budget: int, used: int) -> dict[str, float]:
    """Every measure of a pack of ``used`` tokens that the task allows: files@B, lines@B, over@B."""
    measured = {f"over@{budget}": float(used > budget)}
    if gold := task.get("gold_files"):
        measured[f"files@{budget}"] = files_held(held, gold)
    if hunks := task.get("gold_hunks"):
        measured[f"lines@{budget}"] = share_held(held, [(a, b, c) for a, b, c in hunks])
    return measured


def file_accuracy(files: Sequence[str], gold: Sequence[str], first: int) -> float:
    """1 if the first files are as good as they can be, else 0."""
    found = sum(path in files[:first] for path in gold)
    return float(found >= min(len(gold), first))


def reciprocal_rank(files: Sequence[str], gold: Sequence[str]) -> float:
    """One over the rank of the first gold file; 0 without one."""
    return next((1 / rank for rank, path in enumerate(files, 1) if path in gold), 0.0)


def function_accuracy(results: Sequence[Span], functions: Sequence[Span], first: int) -> float:
    """1 if the first results are as good as they can be: each of the functions is met by a result of fitting size."""
    found = sum(any(_meets(result, each) for result in results[:first]) for each in functions)
    return float(found >= min(len(functions), first))


def _meets(result: Span, function: Span) -> bool:
    (path, first, last), (gold, start, end) = result, function
    if path != gold or None in (first, last, start, end):
        return False
    overlaps = first <= end and start <= last  # type: ignore[operator]
    return overlaps and last - first <= _ROOMY * (end - start) + _SLACK  # type: ignore[operator]


def hits(result: Span, target: Span) -> bool:
    """Whether a result is of the target's file and shares a line with it, where both have lines."""
    if result[0] != target[0] and not result[0].endswith(f"/{target[0]}"):
        return False
    if None in (*result[1:], *target[1:]):
        return True
    return not (result[2] < target[1] or result[1] > target[2])  # type: ignore[operator]


def discounted_gain(results: Sequence[Span], targets: Sequence[Span], depth: int = DEPTH) -> float:
    """NDCG: every target counts once, at the first result that hits it."""
    ranks = {next((rank for rank, found in enumerate(results[:depth]) if hits(found, each)), None) for each in targets}
    gained = sum(1 / math.log2(rank + 2) for rank in ranks if rank is not None)
    return gained / sum(1 / math.log2(rank + 2) for rank in range(min(depth, len(targets))))


def files_held(fragments: Sequence[Span], gold: Sequence[str]) -> float:
    """The share of gold files of which a pack holds some fragment."""
    paths = {path for path, *_ in fragments}
    return sum(path in paths for path in gold) / len(gold)


def share_held(fragments: Sequence[Span], hunks: Sequence[Span]) -> float:
    """The share of hunks whose every line is in some fragment."""
    return sum(_is_held(fragments, *hunk) for hunk in hunks) / len(hunks)


def _is_held(fragments: Sequence[Span], path: str, start: int | None, end: int | None) -> bool:
    missing = set(range(start or 1, (end or 1) + 1))
    for name, first, last in fragments:
        if name == path:
            missing.difference_update(range(first or 1, (last or 1) + 1))
    return not missing


def _whole(paths: Iterable[str]) -> list[Span]:
    return [(path, None, None) for path in paths]


def named_in_query(task: Task) -> str:
    """How openly the request of a task names a gold file, as the task says or as ``openness`` finds."""
    gold = task.get("gold_files") or [path for path, *_ in task["targets"]]
    return task.get("gold_in_query") or openness(task["query"], gold)


def openness(query: str, gold: Iterable[str]) -> str:
    """How openly a request names a gold file: by ``path``, ``basename``, ``stem`` or ``no``."""
    paths = list(gold)
    names = [path.rpartition("/")[2] for path in paths]
    words = {word.strip("`'\"()[]{}<>,;:!?.") for word in query.split()}
    if any(path in query for path in paths if "/" in path):
        return "path"
    if any(name in query for name in names):
        return "basename"
    stems = {name.partition(".")[0].lower() for name in names}
    parts = {part.lower() for word in words for part in (word, *word.split("."))}
    return "stem" if stems & parts else "no"
