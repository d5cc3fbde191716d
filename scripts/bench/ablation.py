#!/usr/bin/env python3
"""What each part of the ranker is worth: the measures change by so much when it is left out.

  ablation.py --tasks FILE.jsonl [--tasks FILE.jsonl ...] --mirrors DIR [--limit N] [--only PATTERN] [--budget B]
              [--measures file@5,mrr,...] [--out ROWS.jsonl]
  ablation.py --rows ROWS.jsonl [--rows ROWS.jsonl ...]       the table of earlier runs

Left out, one at a time: each file signal, the phrases, each chunk signal, each cost of a kind of file, each part of how
chunks stand beside others of their file (file share, rank and repeat costs, ...), and the words that each origin adds
to a request (synonyms, inflections, corrections, ...). For each task the index is opened once and every signal is
computed once; then the ranked list is made again without each. What takes no part in a task's ranking, a signal without
points, leaves it as it is and costs nothing; what takes no part in any has no row.

A table for each measure (those of relevance.py: see there): a row is what is off, a column a set of tasks, a cell the
change in points of a hundred, its paired 95 % bootstrap interval, and on how many tasks it gained and lost; a star
where the interval does not hold 0. With --budget also files and lines "in pieces": what the best pieces hold, in the
order of their worth for a pack, until B tokens are full; without the pack's frame and shares. Standard library,
ctxpack and what it installs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from figures import interval, mean
from measures import DEEPEST, Span, Task, files_held, list_measures, named_in_query, share_held
from tasks import checkout, in_order, read_tasks

if TYPE_CHECKING:
    from ctxpack.index import IndexView
    from ctxpack.model import Query
    from ctxpack.rank.board import Board, Purpose
    from ctxpack.rank.chunks import ChunkRanking
    from ctxpack.rank.weights import Tables
    from ctxpack.settings import Settings

LIMIT: Final = 100  # results of the ranked list
MEASURES: Final = "file@1,file@5,mrr,fn@10,ndcg@10"
ALL_ON: Final = ""
UNCHANGED: Final = "·"
_NAME_WIDTH, _CELL_WIDTH = 26, 30


@dataclass
class Trial:
    """One task in one state of its repository, ranked again and again."""

    task: Task
    view: IndexView
    query: Query
    budget: int
    only: str
    _tokens: dict[tuple[str, int, int], int] = field(default_factory=dict)

    def outcomes(self) -> Iterator[tuple[str, dict[str, float]]]:
        """The measures with everything on, then those without each thing that takes part."""
        from variants import remembering, variants, without_expansions

        from ctxpack.rank.board import Board
        from ctxpack.rank.weights import BUILT_IN_TABLES

        board = Board(self.query, self.view)
        tables = remembering(BUILT_IN_TABLES, board)
        base = self._rankings(board, tables)
        yield ALL_ON, self._measured(base)
        for each in variants(tables):
            if self._is_wanted(each.name) and any(each.matters(ranking) for ranking in base):
                yield each.name, self._measured(self._rankings(board, each.tables))
        for name, query in without_expansions(self.query).items():
            if self._is_wanted(name):
                own = replace(BUILT_IN_TABLES, phrases=tables.phrases)
                yield name, self._measured(self._rankings(Board(query, self.view), own))

    def _is_wanted(self, name: str) -> bool:
        return fnmatchcase(name, self.only)

    def _rankings(self, board: Board, tables: Tables) -> list[ChunkRanking]:
        from ctxpack.rank.chunks import ChunkRanking
        from ctxpack.rank.file_scores import score_files

        return [ChunkRanking(board, score_files(board, purpose, tables), purpose) for purpose in self._purposes()]

    def _purposes(self) -> tuple[Purpose, ...]:
        from ctxpack.rank import Purpose

        return (Purpose.LIST, Purpose.PACK) if self.budget else (Purpose.LIST,)

    def _measured(self, rankings: Sequence[ChunkRanking]) -> dict[str, float]:
        measured = list_measures(self.task, self._list(rankings[0]))
        for ranking in rankings[1:]:
            held = self._pieces(ranking)
            if gold := self.task.get("gold_files"):
                measured["files in pieces"] = files_held(held, gold)
            if hunks := self.task.get("gold_hunks"):
                measured["lines in pieces"] = share_held(held, [(a, b, c) for a, b, c in hunks])
        return measured

    def _list(self, ranking: ChunkRanking) -> list[Span]:
        """The first results, as far as the measures look: to the first gold file, and to the last place that counts."""
        gold, twins = set(self.task.get("gold_files", ())), set(self.task.get("twins", ()))
        found: list[Span] = []
        files: set[str] = set()
        for span in self._spans(ranking):
            found.append(span)
            files.add(span[0])
            if min(len(found), len(files - twins)) >= DEEPEST and (not gold or files & gold):
                break
        return found

    def _spans(self, ranking: ChunkRanking) -> Iterator[Span]:
        """A list as it is told, or the pieces of a pack for as long as they are asked for."""
        from ctxpack.rank import Purpose
        from ctxpack.rank.evidence import coverage
        from ctxpack.rank.places import distinct_places, group_places

        covered, is_list = coverage(ranking.board), ranking.purpose is Purpose.LIST
        prefix = f"{self.task['root']}/" if self.task.get("root") else ""
        for found in group_places(ranking, covered, LIMIT) if is_list else distinct_places(ranking, covered):
            yield f"{prefix}{self.view.files[found.place.file].path}", found.chunk.start_line, found.chunk.end_line

    def _pieces(self, ranking: ChunkRanking) -> list[Span]:
        held: list[Span] = []
        left = self.budget
        for piece in self._spans(ranking):
            if piece not in self._tokens:
                self._tokens[piece] = self._cost(*piece)
            left -= self._tokens[piece]
            if left < 0:
                break
            held.append(piece)
        return held

    def _cost(self, path: str, first: int, last: int) -> int:
        from ctxpack.system.tokens import counter

        inside = path.removeprefix(f"{self.task['root']}/") if self.task.get("root") else path
        return counter().count(self.view.files.lines(inside, first, last))


@contextmanager
def _state(task: Task, options: argparse.Namespace) -> Iterator[tuple[IndexView, Settings] | None]:
    """The index of a task's repository as of its commit, or None."""
    from ctxpack.index.opening import open_repository
    from ctxpack.settings.loading import load

    tree = checkout(task, options.mirrors, options.work)
    if tree is None:
        print(f"{task['id']}: no mirror holds {task['commit'][:12]} of {task['repo']}", file=sys.stderr)
        yield None
        return
    settings = load(tree / task.get("root", ""), {}, {"CTXPACK_CACHE_DIR": str(options.work / "cache")})
    with open_repository(settings) as view:
        yield view, settings


def _outcomes(name: str, tasks: Sequence[Task], options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A row for each task and each thing that is off, tasks of one state together."""
    from ctxpack.query.understand import query_of_text
    from ctxpack.understand.request import add_forms

    done = 0
    for _, group in groupby(tasks, key=lambda task: (task["repo"], task["commit"], task.get("root", ""))):
        group_places = list(group)
        with _state(group_places[0], options) as state:
            for task in group_places if state else ():
                view, settings = state
                query = add_forms(query_of_text(task["query"]), view, settings)
                about = {"set": name, "id": task["id"]}
                for off, measures in Trial(task, view, query, options.budget, options.only).outcomes():
                    more = {} if off else {"repo": task["repo"], "gold_in_query": named_in_query(task)}
                    yield {**about, **more, "off": off, "measures": measures}
        done += len(group_places)
        print(f"\r{name}: {done} of {len(tasks)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def tables_of(rows: Sequence[Mapping[str, Any]], measures: Sequence[str]) -> str:
    """A table for each of the measures that some set has."""
    sets = list(dict.fromkeys(row["set"] for row in rows))
    offs = _in_order(row["off"] for row in rows if row["off"])
    found = {(row["set"], row["off"], row["id"]): row["measures"] for row in rows}
    return "\n\n".join(
        _table(measure, offs, shown, found)
        for measure in measures
        if (shown := [name for name in sets if any(row["set"] == name and measure in row["measures"] for row in rows)])
    )


def _in_order(offs: Iterable[str]) -> list[str]:
    """Each name once, in the order of the ranker's tables, then all others by name."""
    from variants import variants

    from ctxpack.rank.weights import BUILT_IN_TABLES

    known = [each.name for each in variants(BUILT_IN_TABLES)]
    return sorted(set(offs), key=lambda name: (known.index(name) if name in known else len(known), name))


def _table(
    measure: str, offs: Sequence[str], sets: Sequence[str], found: Mapping[tuple[str, str, str], Mapping[str, float]]
) -> str:
    base: dict[str, dict[str, float]] = {name: {} for name in sets}
    for (name, off, task), measures in found.items():
        if name in base and off == ALL_ON and measure in measures:
            base[name][task] = measures[measure]
    heads = [f"{name} ({len(values)})" for name, values in base.items()]
    lines = [_line(measure, heads), _line("all on", [_percent(list(values.values())) for values in base.values()])]
    idle = []
    for off in offs:
        cells = [
            change([found.get((name, off, task), {}).get(measure, value) - value for task, value in values.items()])
            for name, values in base.items()
        ]
        if set(cells) == {UNCHANGED}:
            idle.append(off)
        else:
            lines.append(_line(off, cells))
    return "\n".join([*lines, *([f"nothing changes without {', '.join(idle)}"] if idle else [])])


def _percent(values: Sequence[float]) -> str:
    low, high = interval(values)
    return f"{100 * mean(values):.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def change(differences: Sequence[float]) -> str:
    """A mean difference in points of a hundred, its interval, tasks gained and lost; a dot where nothing changed."""
    gained, lost = sum(each > 0 for each in differences), sum(each < 0 for each in differences)
    if not gained + lost:
        return UNCHANGED
    low, high = (100 * bound for bound in interval(differences))
    star = "" if low <= 0 <= high else "*"
    return f"{100 * mean(differences):+.1f} [{low:+.1f}, {high:+.1f}] +{gained} -{lost}{star}"


def _line(name: str, cells: Iterable[str]) -> str:
    return f"{name:{_NAME_WIDTH}} {''.join(f'{cell:{_CELL_WIDTH}}' for cell in cells)}".rstrip()


def _rows(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for file in options.rows:
        with file.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)
    for file in options.tasks:
        tasks = in_order(read_tasks(file, options.repo, options.limit), options.mirrors)
        yield from _outcomes(file.stem, tasks, options)


def main() -> int:
    """Rank without each part and print what that changes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=Path, action="append", default=[], help="a file of tasks; may be repeated")
    parser.add_argument("--mirrors", type=Path, help="the folder of git repositories")
    parser.add_argument("--work", type=Path, help="where trees and indexes are kept; default: a folder that goes away")
    parser.add_argument("--repo", action="append", help="only tasks of this repository; may be repeated")
    parser.add_argument("--limit", type=int, help="number of tasks of each set, drawn with a fixed seed")
    parser.add_argument("--only", default="*", help='try only what is named like this: "chunk: *"')
    parser.add_argument("--budget", type=int, default=0, help="also measure what pieces of this many tokens hold")
    parser.add_argument("--measures", default=MEASURES, help=f"those to print; default: {MEASURES}")
    parser.add_argument("--rows", type=Path, action="append", default=[], help="rows that --out wrote; may be repeated")
    parser.add_argument("--out", type=Path, help="write a line of JSON for each task and each thing that is off")
    options = parser.parse_args()
    if bool(options.tasks) != bool(options.mirrors) or not (options.tasks or options.rows):
        parser.error("give --tasks with --mirrors, or --rows")
    with tempfile.TemporaryDirectory(prefix="ctxpack-ablation-") as folder:
        options.work = (options.work or Path(folder)).resolve()
        options.work.mkdir(parents=True, exist_ok=True)
        rows = list(_rows(options))
    if options.out:
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    measures = [*options.measures.split(","), *(["files in pieces", "lines in pieces"] if options.budget else [])]
    print(tables_of(rows, measures) if rows else "no task could be ranked")
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
