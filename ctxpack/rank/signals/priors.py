"""What is likelier to be asked for, whatever the words: files that many import, and files that hold much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.rank.board import Board

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

_FULL_SIZE = 8.0  # ln(lines + 1) of a file that cannot gain more: about 3,000 lines


def imported(board: Board) -> Scores:
    """ln(1 + in-degree)."""
    import numpy as np

    return np.log1p(board.view.files.in_degrees)


def size(board: Board) -> Scores:
    """min(1, ln(lines + 1) / 8)."""
    import numpy as np

    return np.minimum(1.0, np.log1p(board.view.postings.file_lines) / _FULL_SIZE)
