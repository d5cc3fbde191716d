"""Test files that match the request vote for what they import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.model import Kind
from ctxpack.rank.board import Board
from ctxpack.rank.signals import body

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

_VOTERS = 15
_POPULARITY = 0.2  # what everything imports is no news


def votes(board: Board) -> Scores:
    """(score / best)^3 / sqrt(imports) / in-degree^.2 of the best test files, for each file they import."""
    import numpy as np

    view = board.view
    scores = np.zeros(len(view.files))
    texts = body.by_subtokens(board)
    is_test = np.fromiter((file.kind is Kind.TEST for file in view.files), bool, len(view.files))
    texts = np.where(is_test, texts, 0.0)
    if not len(texts) or not texts.max() > 0:
        return scores
    degrees, told = view.files.in_degrees, board.told.setdefault("tests", {})
    for number in np.argsort(-texts, kind="stable")[:_VOTERS].tolist():
        targets = [
            view.files.numbers[path]
            for path in view.graph.imports(view.files[number].path)
            if path in view.files.numbers
        ]
        for target in targets:
            share = (texts[number] / texts.max()) ** 3
            scores[target] += share / len(targets) ** 0.5 / max(degrees[target], 1) ** _POPULARITY
            told.setdefault(target, f"{_name(view.files[number].path)}, a test that matches, imports it")
    return scores


def _name(path: str) -> str:
    return path.rpartition("/")[2]
