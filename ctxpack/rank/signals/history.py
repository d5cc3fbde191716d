"""What the repository's own history says: commits with similar messages, and what changed lately."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.index.history import message_tokens
from ctxpack.rank.bm25 import idf
from ctxpack.rank.board import Board

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

_B = 0.5
_K1 = 1.2
_COMMON_SHARE = 0.2  # terms in more than this share of the messages say nothing
_VOTERS = 150
_LARGEST_COMMIT = 30  # files; wider commits are sweeps
_HALF_LIFE_SECONDS = 2 * 365.25 * 86_400


def message_scores(board: Board) -> Scores:
    """BM25 of each commit message against the stems of the title."""
    import numpy as np

    history = board.view.history
    scores = np.zeros(len(history))
    if not len(history):
        return scores
    lengths = history.messages.lengths.astype(np.float64)
    norms = _K1 * (1 - _B + _B * lengths / max(lengths.mean(), 1.0))
    for token in sorted(set(message_tokens(" ".join(board.title)))):
        found = history.messages.find(token)
        if found is not None and len(found[0]) <= _COMMON_SHARE * len(history):
            docs, counts = found[0], found[1].astype(np.float64)
            scores[docs] += idf(len(docs), len(history)) * (_K1 + 1) * counts / (counts + norms[docs])
    return scores


def votes(board: Board) -> Scores:
    """Commits with similar messages vote for the files they changed: (score / best)^2 / sqrt(files)."""
    import numpy as np

    scores = np.zeros(len(board.view.files))
    messages = message_scores(board)
    if not len(messages) or not messages.max() > 0:
        return scores
    history, numbers = board.view.history, board.view.history_numbers
    for commit in np.argsort(-messages, kind="stable")[:_VOTERS].tolist():
        changed = history.changed(commit)
        if messages[commit] <= 0 or not 0 < len(changed) <= _LARGEST_COMMIT:
            continue
        places = numbers[changed]
        scores[places[places >= 0]] += (messages[commit] / messages.max()) ** 2 / len(changed) ** 0.5
    return scores


def recency(board: Board) -> Scores:
    """.5^(age / 2 years) of the newest remembered commit of each file, against HEAD's date."""
    import numpy as np

    view = board.view
    history = view.history
    newest = np.zeros(len(view.files))
    places = view.history_numbers[history.files]
    times = np.repeat(history.times, np.diff(history.ends))
    np.maximum.at(newest, places[places >= 0], times[places >= 0])
    age = np.maximum(view.state.commit_time - newest, 0)
    return np.where(newest > 0, 0.5 ** (age / _HALF_LIFE_SECONDS), 0.0)
