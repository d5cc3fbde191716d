"""The signals of installed packages, in addition to the built-in ones: the entry points ``ctxpack.signals``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ctxpack.light import dataclass, replace
from ctxpack.rank.board import Board, Explained, Signal
from ctxpack.rank.weights import BUILT_IN_SIGNALS, Tables
from ctxpack.system.plugins import Plugin, plugins, resolve

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

SIGNAL_GROUP: Final = "ctxpack.signals"
_MOST: Final = 3.0  # points that a signal may give: as many as a path that the request names


@dataclass(eq=False)
class _Guarded:
    """A signal of a plug-in: where it fails or returns nonsense, it counts as zero, with a note."""

    name: str
    score: Callable[[Board], Any]
    problem: str = ""

    def __call__(self, board: Board) -> Scores | Explained:
        import numpy as np

        files = len(board.view.files)
        try:
            found = self.score(board)
            reasons = _as_reasons(found.reasons) if isinstance(found, Explained) else {}
            scores = np.asarray(found.scores if isinstance(found, Explained) else found, np.float64)
        except Exception as error:  # noqa: BLE001 - whatever it raises, the others rank
            self.problem = f"The signal {self.name} was left out: {type(error).__name__}: {error}."
            return np.zeros(files)
        if scores.shape != (files,) or not np.isfinite(scores).all() or (scores < 0).any():
            self.problem = f"The signal {self.name} was left out: it must give each file a number from 0."
            return np.zeros(files)
        return Explained(scores, reasons)


def _as_reasons(given: Mapping[int, str]) -> dict[int, str]:
    return {int(number): str(reason) for number, reason in given.items()}


def with_installed(tables: Tables) -> Tables:
    """Add the signals of installed packages to the tables; give the same tables where there are none."""
    signals, _ = _plugin_signals(tuple(sys.path))
    return replace(tables, files=(*tables.files, *signals)) if signals else tables


def signal_of(name: str) -> Signal[Any] | None:
    """The record of the signal that evidence names; None for other evidence, such as the cost of a kind."""
    if name in BUILT_IN_SIGNALS:
        return BUILT_IN_SIGNALS[name]
    return next((each for each in _plugin_signals(tuple(sys.path))[0] if each.name == name), None)


def signal_notes() -> tuple[str, ...]:
    """A sentence for each signal that was left out."""
    signals, notes = _plugin_signals(tuple(sys.path))
    problems = [each.score.problem for each in signals if isinstance(each.score, _Guarded)]
    return (*notes, *(problem for problem in problems if problem))


@lru_cache(maxsize=4)
def _plugin_signals(search_path: tuple[str, ...]) -> tuple[tuple[Signal[Board], ...], tuple[str, ...]]:  # noqa: ARG001 - the cache's key
    signals, notes = list[Signal[Board]](), list[str]()
    for each in plugins(SIGNAL_GROUP):
        try:
            signals.append(_load_signal(each, {*BUILT_IN_SIGNALS, *(its.name for its in signals)}))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a stranger's code may even exit
            said = str(error) or type(error).__name__
            notes.append(f"The signal {each.name} of {each.package} was left out: {said}.")
    return tuple(signals), tuple(notes)


def _load_signal(plugin: Plugin, known: Collection[str]) -> Signal[Board]:
    found = resolve(plugin.target)
    if not isinstance(found, Signal):
        raise TypeError(f"{plugin.target} is a {type(found).__name__}, not a Signal")
    if found.name in known:
        raise ValueError(f"there is one called {found.name!r} already")
    if not (0 <= found.issue <= _MOST and 0 <= found.question <= _MOST):
        raise ValueError(f"its points must be from 0 to {_MOST:g}")
    return replace(found, score=_Guarded(found.name, found.score))
