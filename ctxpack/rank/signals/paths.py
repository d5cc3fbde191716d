"""The words of the request in the path, and paths that the request names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.model import Mention
from ctxpack.rank.bm25 import file_scores
from ctxpack.rank.board import PATH, Board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxpack.rank.bm25 import Scores


def by_words(board: Board) -> Scores:
    """BM25 of each path by subtokens."""
    return file_scores(board.view, "path", board.concepts, PATH)


def mentioned(board: Board) -> Scores:
    """Weight of a path mention over the number of files that match its longest suffix."""
    return _named(board, [mention for mention in board.query.mentions if mention.kind == "path"])


def frames(board: Board) -> Scores:
    """Weight of a traceback frame over the number of files that match its path."""
    return _named(board, [mention for mention in board.query.mentions if mention.kind == "frame"])


def _named(board: Board, mentions: Sequence[Mention]) -> Scores:
    import numpy as np

    scores = np.zeros(len(board.view.files))
    for mention in mentions:
        files = matching(board, mention.text)
        for number in files:
            scores[number] = max(scores[number], mention.weight / len(files))
    return scores


def matching(board: Board, text: str) -> tuple[int, ...]:
    """The files whose path ends with the longest suffix of a mentioned path that any file ends with."""
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    for start in range(len(parts)):
        files = board.view.files.with_suffix("/".join(parts[start:]))
        if files:
            return files
    return ()
