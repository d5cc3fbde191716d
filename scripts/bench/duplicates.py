#!/usr/bin/env python3
"""Measure how much of packs stands in them twice.

  duplicates.py --tasks FILE --mirrors DIR --work DIR [--budget N] [--limit N]

For every task a pack is made of the repository as it was. Of its content, what counts as said twice are runs of three
or more lines that stand in an earlier piece too, whatever their indentation. Prints the mean, the worst packs, and how
many are over five in a hundred.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from tasks import checkout, in_order, read_tasks

from ctxpack.errors import CtxpackError
from ctxpack.model import Fragment, Request, Scope
from ctxpack.pipeline import run_pack
from ctxpack.select.alike import repeated_characters, runs, telling_lines, tells
from ctxpack.settings.loading import load

ALLOWED = 0.05
_WORST = 5


def share(pieces: Iterable[Fragment]) -> float:
    """The part of the characters of some pieces that stand in an earlier piece."""
    known = set[tuple[str, ...]]()
    total = again = 0
    for piece in pieces:
        lines = telling_lines(piece.text)
        again += repeated_characters(piece.text, known)
        total += sum(map(len, lines))
        known.update(filter(tells, runs(piece.text)))
    return again / total if total else 0.0


def main() -> int:
    """Make the packs and print the figures; fails where a pack is over what is allowed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", required=True, type=Path, help="a file of tasks")
    parser.add_argument("--mirrors", required=True, type=Path, help="where the repositories lie")
    parser.add_argument("--work", required=True, type=Path, help="where they are checked out and indexed")
    parser.add_argument("--budget", default="8000", help="tokens of a pack; default: 8000")
    parser.add_argument("--limit", type=int, help="number of tasks, drawn with a fixed seed")
    options = parser.parse_args()
    found: list[tuple[float, str]] = []
    for task in in_order(read_tasks(options.tasks, limit=options.limit), options.mirrors):
        tree = checkout(task, options.mirrors, options.work)
        if tree is None:
            continue
        own = {"CTXPACK_CACHE_DIR": str(options.work / "cache"), "HOME": str(options.work)}
        settings = load(tree / task.get("root", ""), {"budget": options.budget}, own)
        try:
            made = run_pack(Request(Scope.TASK, text=task["query"]), settings)
        except CtxpackError as error:
            print(f"{task['id']}: {error}", file=sys.stderr)
            continue
        found.append((share(made.pack.selection.fragments), task["id"]))
    found.sort(reverse=True)
    over = sum(each > ALLOWED for each, _ in found)
    print(
        f"{len(found)} packs, {100 * sum(each for each, _ in found) / max(1, len(found)):.2f} % said twice on average"
    )
    print(f"{over} over {100 * ALLOWED:.0f} %")
    for each, name in found[:_WORST]:
        print(f"{100 * each:6.1f} %  {name}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
