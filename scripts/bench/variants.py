"""What can be left out of a ranking, one thing at a time: tables without it, or a query without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from ctxpack.model import Query
from ctxpack.rank.bm25 import ChunkScores
from ctxpack.rank.board import BestFiles, Board, Explained, Signal
from ctxpack.rank.chunks import ChunkRanking
from ctxpack.rank.signals import texts
from ctxpack.rank.weights import Tables

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores


@dataclass(frozen=True, slots=True)
class Variant:
    """Tables that lack one thing, and whether that thing takes part in a ranking made with all of them."""

    name: str
    tables: Tables
    matters: Callable[[ChunkRanking], bool]


def variants(tables: Tables) -> Iterator[Variant]:
    """Without each signal over files or chunks, each cost of a kind, each part of a blend."""
    for signal in tables.files:
        rest = tuple(each for each in tables.files if each is not signal)
        yield Variant(f"file: {signal.name}", replace(tables, files=rest), _gives_points(signal))
    for signal in tables.companions:
        company = tuple(each for each in tables.companions if each is not signal)
        yield Variant(f"file: {signal.name}", replace(tables, companions=company), _gives_points(signal))
    silent = replace(tables.phrases, issue=0.0, question=0.0)
    yield Variant(f"file: {silent.name}", replace(tables, phrases=silent), _gives_points(tables.phrases))
    for part in tables.chunks:
        others = tuple(each for each in tables.chunks if each is not part)
        yield Variant(part.name.replace("chunk ", "chunk: ", 1), replace(tables, chunks=others), _weighs(part))
    yield from _without_costs(tables)
    yield from _without_blends(tables)


def _without_costs(tables: Tables) -> Iterator[Variant]:
    names = [field.name for field in fields(next(iter(tables.costs.values())))]
    groups = {**{name: (name,) for name in names}, "all of them": tuple(names)}
    for name, gone in groups.items():
        costs = {shape: replace(each, **dict.fromkeys(gone, 0.0)) for shape, each in tables.costs.items()}
        yield Variant(f"cost: {_spoken(name)}", replace(tables, costs=costs), lambda base: bool(base.files.costs.any()))


def _without_blends(tables: Tables) -> Iterator[Variant]:
    for field in fields(next(iter(tables.blends.values()))):
        name = field.name
        blends = {key: replace(each, **{name: 0.0}) for key, each in tables.blends.items()}
        yield Variant(f"blend: {_spoken(name)}", replace(tables, blends=blends), _blends(name))


def _gives_points(signal: Signal[Any]) -> Callable[[ChunkRanking], bool]:
    return lambda base: signal in base.files.points and bool(base.files.points[signal].any())


def _weighs(signal: Signal[Board]) -> Callable[[ChunkRanking], bool]:
    def weighs(base: ChunkRanking) -> bool:
        is_there = base.weight(signal) > 0 and signal in base.files.tables.chunks
        found = signal.score(base.board) if is_there else None
        return isinstance(found, ChunkScores) and found.max() > 0

    return weighs


def _blends(name: str) -> Callable[[ChunkRanking], bool]:
    return lambda base: getattr(base.files.tables.blends[base.purpose, base.board.query.shape], name) > 0


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def without_expansions(query: Query) -> dict[str, Query]:
    """The query without what each origin added to it, and without all of that."""
    origins = sorted({each.origin for each in query.expansions})
    found = {
        f"words: {origin}": replace(query, expansions=tuple(e for e in query.expansions if e.origin != origin))
        for origin in origins
    }
    return found | ({"words: all of them": replace(query, expansions=())} if origins else {})


def remembering(tables: Tables, board: Board) -> Tables:
    """The same tables for one board alone: each signal is computed once, however many rankings are made."""
    return replace(
        tables,
        files=tuple(_remembering(signal, board) for signal in tables.files),
        chunks=tuple(_remembering(signal, board) for signal in tables.chunks),
        phrases=replace(tables.phrases, score=_RememberedPhrases()),
    )


class _RememberedPhrases:
    """The phrases of one request, for each file that was ever among the best: they are of the request's own words."""

    def __init__(self) -> None:
        self._known: dict[int, float] = {}

    def __call__(self, best: BestFiles) -> Scores:
        files = best.first(texts.READ_FOR_PHRASES).tolist()
        scores = texts.phrase_scores(best.board, [file for file in files if file not in self._known])
        for file in files:
            scores[file] = self._known.setdefault(file, float(scores[file]))
        return scores


def _remembering(signal: Signal[Board], board: Board) -> Signal[Board]:
    known: list[Scores | Explained | ChunkScores] = []

    def score(_: Board) -> Scores | Explained | ChunkScores:
        if not known:
            known.append(signal.score(board))
        return known[0]

    return replace(signal, score=score)
