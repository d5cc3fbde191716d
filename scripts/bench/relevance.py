#!/usr/bin/env python3
"""Score how well ctxpack finds what a task needs, in this process: for tuning, several tasks a second.

  relevance.py --tasks FILE.jsonl --mirrors DIR [--repo R] [--limit N] [--budgets 4000,8000,16000] [--out ROWS.jsonl]

A task is a line of JSON. Used of it:
  id, repo       a name; OWNER/NAME of the repository
  commit         the state to search: later commits are not seen
  query          the request
  gold_files     paths that the answer has to hold; or, for short questions,
  targets        [path, first line or null, last line or null] each
  gold_hunks     optional: [path, first line, last line] of what a fix changed
  root           optional: the folder of the repository to search, "" for all
  mirror         optional: OWNER/NAME of a fork that holds the commit
  twins          optional: paths that are as good as a gold file and are left out of the ranking
  gold_in_query  optional: how openly the request names a gold file: path, basename, stem or no; found out if missing
DIR holds git repositories as OWNER+NAME/repo, OWNER+NAME/repo/.git or OWNER+NAME. Trees share their objects and lie,
like the indexes, in --work, which may be kept for the next run.

Measured: file@k, 1 if all gold files are among the first k distinct files of the ranked list (with more gold files than
k: if all first k are gold); mrr, one over the rank of the first gold file; ndcg@10, each gold file or target once, at
the first result that hits it; lines@B, the share of gold hunks that a pack of B tokens holds whole; over@B, the share
of packs above their budget, counted anew. Each with the mean, a 95 % bootstrap interval over tasks and the number of
tasks; then the main measure by gold_in_query and by repository. Standard library and ctxpack only.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctxpack.settings import Settings

Task = Mapping[str, Any]
Span = tuple[str, int | None, int | None]
FIRST = (1, 3, 5, 10)
LIMIT = 100  # results of the ranked list
DEPTH = 10  # of ndcg


def file_accuracy(files: Sequence[str], gold: Sequence[str], first: int) -> float:
    """1 if the first files are as good as they can be, else 0."""
    found = sum(path in files[:first] for path in gold)
    return float(found >= min(len(gold), first))


def reciprocal_rank(files: Sequence[str], gold: Sequence[str]) -> float:
    """One over the rank of the first gold file; 0 without one."""
    return next((1 / rank for rank, path in enumerate(files, 1) if path in gold), 0.0)


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


def share_held(fragments: Sequence[Span], hunks: Sequence[Span]) -> float:
    """The share of hunks whose every line is in some fragment."""
    return sum(_is_held(fragments, *hunk) for hunk in hunks) / len(hunks)


def _is_held(fragments: Sequence[Span], path: str, start: int | None, end: int | None) -> bool:
    missing = set(range(start or 1, (end or 1) + 1))
    for name, first, last in fragments:
        if name == path:
            missing.difference_update(range(first or 1, (last or 1) + 1))
    return not missing


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


def interval(values: Sequence[float], draws: int = 2000, seed: int = 1) -> tuple[float, float]:
    """The 95 % bootstrap interval of a mean."""
    chance = random.Random(seed)  # noqa: S311 - a sample, not a secret
    means = sorted(sum(chance.choices(values, k=len(values))) / len(values) for _ in range(draws))
    return means[int(0.025 * draws)], means[int(0.975 * draws) - 1]


def checkout(task: Task, mirrors: Path, work: Path) -> Path | None:
    """A tree of the task's commit, the same folder for every commit of a repository; None where it is not at hand."""
    mirror = _mirror(task, mirrors)
    if mirror is None:
        return None
    tree = work / mirror.parent.name if mirror.name in {"repo", ".git"} else work / mirror.name
    if not (tree / ".git").exists():
        command = ["git", "clone", "-q", "--shared", "--no-checkout", str(mirror), str(tree)]
        subprocess.run(command, check=True, capture_output=True)
    for arguments in (("checkout", "-q", "-f", "--detach", task["commit"]), ("clean", "-q", "-ffdx")):
        if subprocess.run(["git", "-C", str(tree), *arguments], check=False, capture_output=True).returncode:
            return None
    return tree


def _mirror(task: Task, mirrors: Path) -> Path | None:
    names = [name.replace("/", "+") for name in (task.get("mirror"), task["repo"]) if name]
    places = [mirrors / name / inner for name in names for inner in ("repo", "repo/.git", "")]
    return next((place for place in places if (place / "HEAD").exists() and (place / "objects").exists()), None)


def score(task: Task, root: Path, budgets: Sequence[int], cache: Path) -> dict[str, float]:
    """Every measure that the task allows."""
    from ctxpack.configuration import load

    settings = load(root / task.get("root", ""), {"limit": LIMIT}, {"CTXPACK_CACHE_DIR": str(cache)})
    began = time.perf_counter()
    ranked = list(_ranked(task, settings))
    measured = {"search s": time.perf_counter() - began}
    twins = task.get("twins", ())
    files = list(dict.fromkeys(path for path, *_ in ranked if path not in twins))
    gold = task.get("gold_files")
    targets = [(path, None, None) for path in gold] if gold else [(a, b, c) for a, b, c in task["targets"]]
    shown: list[Span] = [(path, None, None) for path in files] if gold else ranked
    if gold:
        measured |= {f"file@{first}": file_accuracy(files, gold, first) for first in FIRST}
        measured["mrr"] = reciprocal_rank(files, gold)
    measured[f"ndcg@{DEPTH}"] = discounted_gain(shown, targets)
    for budget in budgets if gold else ():
        measured |= _packed(task, settings, budget)
    return measured


def _ranked(task: Task, settings: Settings) -> Iterator[Span]:
    from ctxpack.pipeline import search

    prefix = f"{task['root']}/" if task.get("root") else ""
    for each in search(task["query"], settings).candidates:
        yield f"{prefix}{each.file.path}", each.chunk.start_line, each.chunk.end_line


def _packed(task: Task, settings: Settings, budget: int) -> dict[str, float]:
    from dataclasses import replace

    from ctxpack.errors import CtxpackError
    from ctxpack.model import Request, Scope
    from ctxpack.pipeline import pack
    from ctxpack.tokens import counter

    try:
        report = pack(Request(Scope.TASK, text=task["query"]), replace(settings, budget=budget))
    except CtxpackError:  # nothing found, or nothing fits: nothing held
        text, held = "", []
    else:
        origins = [fragment.provenance for fragment in report.pack.selection.fragments]
        text, held = report.text, [(origin.path, origin.start_line, origin.end_line) for origin in origins]
    measured = {f"over@{budget}": float(counter(settings.encoding).count(text) > budget)}
    if task.get("gold_hunks"):
        measured[f"lines@{budget}"] = share_held(held, [(a, b, c) for a, b, c in task["gold_hunks"]])
    return measured


def summary(rows: Sequence[Mapping[str, Any]]) -> str:
    """The table of measures, then the main one by how openly a gold file is named and by repository."""
    names = list(dict.fromkeys(name for row in rows for name in row["measures"]))
    lines = [f"{'measure':14} {'mean':>7}   {'95 % interval':16} tasks"]
    for name in names:
        values = [row["measures"][name] for row in rows if name in row["measures"]]
        low, high = interval(values)
        lines.append(f"{name:14} {sum(values) / len(values):7.3f}   [{low:.3f}, {high:.3f}]   {len(values):5}")
    main = "file@5" if "file@5" in names else f"ndcg@{DEPTH}"
    for field in ("gold_in_query", "repo"):
        groups: defaultdict[str, list[float]] = defaultdict(list)
        for row in rows:
            if main in row["measures"]:
                groups[row[field]].append(row["measures"][main])
        lines += ["", f"{main} by {field}"]
        lines += [f"  {group:32} {sum(v) / len(v):.3f}   {len(v):5}" for group, v in sorted(groups.items())]
    return "\n".join(lines)


def _chosen(options: argparse.Namespace) -> list[Task]:
    with options.tasks.open(encoding="utf-8") as lines:
        tasks = [json.loads(line) for line in lines]
    tasks = [task for task in tasks if not options.repo or task["repo"] in options.repo]
    if options.limit and options.limit < len(tasks):
        tasks = random.Random(1).sample(tasks, options.limit)  # noqa: S311 - a sample, not a secret
    return sorted(tasks, key=lambda task: (task["repo"], task["commit"], task["id"]))


def main() -> int:
    """Score the tasks and print the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=Path, required=True, help="a file of tasks, one line of JSON each")
    parser.add_argument("--mirrors", type=Path, required=True, help="the folder of git repositories")
    parser.add_argument("--work", type=Path, help="where trees and indexes are kept; default: a folder that goes away")
    parser.add_argument("--repo", action="append", help="only tasks of this repository; may be repeated")
    parser.add_argument("--limit", type=int, help="so many tasks, drawn with a fixed seed")
    parser.add_argument("--budgets", default="4000,8000,16000", help="tokens of the packs; empty for no packs")
    parser.add_argument("--out", type=Path, help="write a line of JSON for each task")
    options = parser.parse_args()
    budgets = [int(budget) for budget in options.budgets.split(",") if budget]
    with tempfile.TemporaryDirectory(prefix="ctxpack-relevance-") as folder:
        work = (options.work or Path(folder)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        rows = list(_rows(_chosen(options), options.mirrors.resolve(), work, budgets))
    if options.out:
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    print(summary(rows) if rows else "no task could be scored")
    return 0 if rows else 1


def _rows(tasks: Sequence[Task], mirrors: Path, work: Path, budgets: Sequence[int]) -> Iterator[dict[str, Any]]:
    from ctxpack.errors import CtxpackError

    for number, task in enumerate(tasks, 1):
        tree = checkout(task, mirrors, work)
        if tree is None:
            print(f"{task['id']}: no mirror holds {task['commit'][:12]} of {task['repo']}", file=sys.stderr)
            continue
        try:
            measures = score(task, tree, budgets, work / "cache")
        except CtxpackError as error:  # a bug, or a state that discover refuses: told, not counted
            print(f"{task['id']}: {error}", file=sys.stderr)
            continue
        gold = task.get("gold_files") or [path for path, *_ in task["targets"]]
        named = task.get("gold_in_query") or openness(task["query"], gold)
        yield {"id": task["id"], "repo": task["repo"], "gold_in_query": named, "measures": measures}
        print(f"\r{number} of {len(tasks)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
