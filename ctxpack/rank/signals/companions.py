"""Signals of one file about another: changed together, imported, tested."""

from __future__ import annotations

from typing import Final

from ctxpack.index import IndexView
from ctxpack.model import Kind
from ctxpack.rank.board import BestFiles, Board, Explained
from ctxpack.rank.signals import texts
from ctxpack.rank.signals.history import LARGEST_COMMIT

_CHANGED_BY: Final = 8  # of the best files, whose company is asked for
_IMPORTED_BY: Final = 5
_FEWEST_CHANGES: Final = 3  # a file that changed once did so in one company alone
_POPULARITY: Final = 0.3  # what everything imports is no news
_TEMPERATURE: Final = 1.0  # points below the best file over which a file's word falls to a third


def best_weights(best: BestFiles, count: int) -> dict[int, float]:
    """The best files, best first, and what each of them counts: 1 for the first."""
    import numpy as np

    files = best.first(count)
    weights = np.exp((best.total[files] - best.total[files[:1]]) / _TEMPERATURE)
    return dict(zip(files.tolist(), weights.tolist(), strict=True))


def changed_together(best: BestFiles) -> Explained:
    """For each file: the share of its changes that were made together with one of the best files.

    Commits of more than 30 files are passed over.
    """
    import numpy as np

    view, reasons = best.board.view, dict[int, str]()
    history, scores = view.history, np.zeros(len(view.files))
    if not len(history):
        return Explained(scores, reasons)
    sizes = np.diff(history.ends)
    commits = np.repeat(np.arange(len(history)), sizes)
    files = view.history_numbers[history.files]
    counted = (sizes <= LARGEST_COMMIT)[commits] & (files >= 0)
    commits, files = commits[counted], files[counted]
    changes = np.maximum(np.bincount(files, minlength=len(scores)), _FEWEST_CHANGES)
    for file, weight in best_weights(best, _CHANGED_BY).items():
        its = np.zeros(len(history), bool)
        its[commits[files == file]] = True
        together = np.bincount(files[its[commits]], minlength=len(scores))
        together[file] = 0
        scores += weight * together / changes
        for other in np.flatnonzero(together > 1).tolist():
            reasons.setdefault(other, f"{together[other]} commits changed it together with {_name(view, file)}")
    return Explained(scores, reasons)


def imported_by_best(best: BestFiles) -> Explained:
    """For each file: the best files that import it, each divided by sqrt(its imports) and in-degree^.3."""
    import numpy as np

    view, reasons = best.board.view, dict[int, str]()
    scores = np.zeros(len(view.files))
    for file, weight in best_weights(best, _IMPORTED_BY).items():
        paths = view.graph.imports(view.files[file].path)
        targets = [view.files.numbers[path] for path in paths if path in view.files.numbers]
        for target in targets:
            scores[target] += weight / len(targets) ** 0.5 / max(view.files.in_degrees[target], 1) ** _POPULARITY
            reasons.setdefault(target, f"{_name(view, file)} imports it")
    return Explained(scores, reasons)


def _name(view: IndexView, file: int) -> str:
    return view.files[file].path.rpartition("/")[2]


_VOTERS = 15
_TEST_POPULARITY = 0.2  # what everything imports is no news


def test_votes(board: Board) -> Explained:
    """(score / best)^3 / sqrt(imports) / in-degree^.2 of the best test files, for each file they import."""
    import numpy as np

    view, reasons = board.view, dict[int, str]()
    scores = np.zeros(len(view.files))
    scored = texts.by_subtokens(board)
    is_test = np.fromiter((file.kind is Kind.TEST for file in view.files), bool, len(view.files))
    scored = np.where(is_test, scored, 0.0)
    if not len(scored) or not scored.max() > 0:
        return Explained(scores, reasons)
    degrees = view.files.in_degrees
    for number in np.argsort(-scored, kind="stable")[:_VOTERS].tolist():
        targets = [
            view.files.numbers[path]
            for path in view.graph.imports(view.files[number].path)
            if path in view.files.numbers
        ]
        for target in targets:
            share = (scored[number] / scored.max()) ** 3
            scores[target] += share / len(targets) ** 0.5 / max(degrees[target], 1) ** _TEST_POPULARITY
            reasons.setdefault(target, f"{_name(view, number)}, a test that matches, imports it")
    return Explained(scores, reasons)
