"""Runs of three words of the request that stand in the file just so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ctxpack.rank.board import Board

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxpack.rank.bm25 import Scores

_BETWEEN = re.compile(r"\W+")


def found(board: Board, files: Iterable[int]) -> Scores:
    """ln(1 + phrases of the request) of each of ``files``: only the best few, since their texts are read."""
    import numpy as np

    scores = np.zeros(len(board.view.files))
    wanted = [f" {' '.join(phrase)} " for phrase in board.query.phrases]
    if not wanted:
        return scores
    for number in files:
        text = f" {_BETWEEN.sub(' ', board.view.text(board.view.files[number].path).lower())} "
        scores[number] = np.log1p(sum(phrase in text for phrase in wanted))
    return scores
