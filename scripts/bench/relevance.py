#!/usr/bin/env python3
"""Score how well ctxpack finds what a task needs, in this process: for tuning, several tasks a second.

  relevance.py --tasks FILE.jsonl --mirrors DIR [--repo R] [--limit N] [--budgets 4000,8000,16000] [--set KEY=VALUE]
               [--out ROWS.jsonl]

A task is a line of JSON: its fields stand in tasks.py. DIR holds git repositories as OWNER+NAME/repo,
OWNER+NAME/repo/.git or OWNER+NAME. Trees share their objects and lie, like the indexes, in --work, which may be kept
for the next run. --set gives a setting as a configuration file would: --set use_synonyms=false.

Measured: file@k, 1 if all gold files are among the first k distinct files of the ranked list (with more gold files than
k: if all first k are gold); mrr, one over the rank of the first gold file; ndcg@10, each gold file or target once, at
the first result that hits it; fn@k, 1 if each changed function is met by one of the first k results that is at most
three times its length and 30 lines; files@B and lines@B, the share of gold files of which a pack of B tokens holds
something, and of gold hunks that it holds whole; over@B, the share of packs above their budget, counted anew. Each with
the mean, a 95 % bootstrap interval over tasks and the number of tasks; then all by gold_in_query, and the main measure
by repository. Standard library, ctxpack and what it installs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures import summary
from measures import Span, Task, list_measures, named_in_query, pack_measures
from tasks import in_order, read_tasks, task_parser, trees_of, write_rows

if TYPE_CHECKING:
    from ctxpack.settings import Settings

LIMIT = 100  # results of the ranked list


def score(task: Task, root: Path, budgets: Sequence[int], given: Mapping[str, str], cache: Path) -> dict[str, float]:
    """Every measure that the task allows, under the settings that were given."""
    from ctxpack.settings.loading import load

    settings = load(root / task.get("root", ""), {"limit": LIMIT, **given}, {"CTXPACK_CACHE_DIR": str(cache)})
    began = time.perf_counter()
    ranked = list(_ranked(task, settings))
    measured = {"search s": time.perf_counter() - began, **list_measures(task, ranked)}
    for budget in budgets if task.get("gold_files") else ():
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
    from ctxpack.pipeline import run_pack
    from ctxpack.system.tokens import counter

    try:
        report = run_pack(Request(Scope.TASK, text=task["query"]), replace(settings, budget=budget))
    except CtxpackError:  # nothing found, or nothing fits: nothing held
        return pack_measures(task, [], budget, 0)
    origins = [fragment.provenance for fragment in report.pack.selection.fragments]
    held = [(origin.path, origin.start_line, origin.end_line) for origin in origins]
    return pack_measures(task, held, budget, counter(settings.encoding).count(report.text))


def setting(text: str) -> tuple[str, str]:
    """A key and its value, from ``KEY=VALUE``."""
    key, is_there, value = text.partition("=")
    if not is_there:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key, value


def _refused(given: Mapping[str, str]) -> str:
    """What is wrong with settings, before an hour is spent on them."""
    from ctxpack.errors import CtxpackError
    from ctxpack.settings.loading import load

    try:
        load(Path.cwd(), given)
    except CtxpackError as error:
        return str(error)
    return ""


def main() -> int:
    """Score the tasks and print the summary."""
    parser = task_parser(__doc__)
    parser.add_argument("--work", type=Path, help="where trees and indexes are kept; default: a folder that goes away")
    parser.add_argument("--budgets", default="4000,8000,16000", help="tokens of the packs; empty for no packs")
    parser.add_argument("--set", type=setting, action="append", default=[], help="a setting; may be repeated")
    options = parser.parse_args()
    if complaint := _refused(dict(options.set)):
        parser.error(complaint)
    mirrors = options.mirrors.resolve()
    tasks = in_order(read_tasks(options.tasks, options.repo, options.limit), mirrors)
    with tempfile.TemporaryDirectory(prefix="ctxpack-relevance-") as folder:
        work = (options.work or Path(folder)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        rows = list(_rows(tasks, mirrors, work, options))
    write_rows(rows, options.out)
    print(summary(rows) if rows else "no task could be scored")
    return 0 if rows else 1


def _rows(tasks: Sequence[Task], mirrors: Path, work: Path, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    from ctxpack.errors import CtxpackError

    budgets = [int(budget) for budget in options.budgets.split(",") if budget]
    for task, tree in trees_of(tasks, mirrors, work):
        try:
            measures = score(task, tree, budgets, dict(options.set), work / "cache")
        except CtxpackError as error:  # a bug, or a state that discover refuses: told, not counted
            print(f"{task['id']}: {error}", file=sys.stderr)
            continue
        yield {"id": task["id"], "repo": task["repo"], "gold_in_query": named_in_query(task), "measures": measures}


if __name__ == "__main__":
    sys.exit(main())
