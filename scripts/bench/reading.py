#!/usr/bin/env python3
"""Score how the packs of ctxpack read: what a good answer needs is in them, whole, with little else.

  reading.py --tasks FILE.jsonl --mirrors DIR [--repo R] [--limit N] [--budget 8000] [--format markdown]
             [--set KEY=VALUE] [--out ROWS.jsonl] [--reports DIR]

A task is a line of JSON: its fields stand in tasks.py; of it, besides, what a reader said of the repository:
  must, nice     [path, first line, last line] each: what a good answer needs, and what helps; without them the gold
                 hunks and the functions that they lie in
  wrong          globs of files that have no place in the answer
A task with an empty ``must`` asks for what the repository does not hold.

Measured: must, the share of needed places of which four fifths of the lines are in the pack; all_must, all are; wrong,
the share of packed lines in files that have no place in it; precision, of packed lines that are needed or help;
content, characters of the pieces' own lines over those of the report; cut, pieces whose brackets or quotes do not close
in them; stump, pieces of at most two lines that say anything; repeated, lines that stand in the pack before; one_file,
lines of its biggest file; nothing, tokens spent where nothing fits; over, packs above their budget. Each with the mean,
a 95 % bootstrap interval over tasks and the number of tasks. --reports keeps each report, to be read by a person.
Standard library, ctxpack and what it installs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from figures import interval, mean, measure_names, values_of
from reading_measures import Piece, reading_measures
from relevance import setting
from tasks import Task, in_order, read_tasks, task_parser, trees_of, write_rows


def pack_of(task: Task, root: Path, options: argparse.Namespace, cache: Path) -> tuple[list[Piece], str, int]:
    """The pieces of the pack of a task, its text, and the tokens of that text, counted anew."""
    from ctxpack.errors import NothingFoundError
    from ctxpack.model import Request, Scope
    from ctxpack.pipeline import run_pack
    from ctxpack.settings.loading import load
    from ctxpack.system.tokens import counter

    given = {"budget": str(options.budget), "format": options.format, **dict(options.set)}
    prefix = f"{task['root']}/" if task.get("root") else ""
    settings = load(root / prefix, given, {"CTXPACK_CACHE_DIR": str(cache)})
    try:
        report = run_pack(Request(Scope.TASK, text=task["query"]), settings)
    except NothingFoundError:
        return [], "", 0
    pieces = [
        Piece(
            f"{prefix}{each.provenance.path}",
            each.provenance.start_line,
            each.provenance.end_line,
            each.text,
            is_code=each.lane == "code",
            is_whole=each.form == "full",
        )
        for each in report.pack.selection.fragments
    ]
    return pieces, report.text, counter(settings.encoding).count(report.text)


def main() -> int:
    """Score the tasks and print the summary."""
    parser = task_parser(__doc__)
    parser.add_argument("--work", type=Path, help="where trees and indexes are kept; default: a folder that goes away")
    parser.add_argument("--budget", type=int, default=8000, help="tokens of a pack")
    parser.add_argument("--format", default="markdown", help="format of the reports")
    parser.add_argument("--set", type=setting, action="append", default=[], help="a setting; may be repeated")
    parser.add_argument("--reports", type=Path, help="keep the reports in this folder")
    options = parser.parse_args()
    mirrors = options.mirrors.resolve()
    tasks = in_order(read_tasks(options.tasks, options.repo, options.limit), mirrors)
    with tempfile.TemporaryDirectory(prefix="ctxpack-reading-") as folder:
        work = (options.work or Path(folder)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        rows = list(_rows(tasks, mirrors, work, options))
    write_rows(rows, options.out)
    print(f"{'measure':12} {'mean':>9}   {'95 % interval':20} tasks")
    for name in measure_names(rows):
        values = values_of(rows, name)
        low, high = interval(values)
        print(f"{name:12} {mean(values):9.3f}   [{low:.3f}, {high:.3f}]{'':6} {len(values):5}")
    return 0 if rows else 1


def _rows(tasks: list[Task], mirrors: Path, work: Path, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for task, tree in trees_of(tasks, mirrors, work):
        pieces, text, tokens = pack_of(task, tree, options, work / "cache")
        if options.reports:
            options.reports.mkdir(parents=True, exist_ok=True)
            (options.reports / f"{task['id'].replace('/', '-')}.md").write_text(text, encoding="utf-8")
        measures = reading_measures(task, pieces, text)
        if not task.get("must", True):
            measures["nothing"] = float(tokens)
        yield {"id": task["id"], "repo": task["repo"], "measures": {**measures, "over": float(tokens > options.budget)}}


if __name__ == "__main__":
    sys.exit(main())
