"""What the repository's own history says: commits with similar messages, and what changed lately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctxpack.index.history import message_tokens
from ctxpack.index.postings import idf
from ctxpack.rank.board import Board, Explained

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

_B = 0.5
_K1 = 1.2
_COMMON_SHARE = 0.2  # terms in more than this share of the messages say nothing
_VOTERS = 150
LARGEST_COMMIT = 30  # files; wider commits are sweeps
_HALF_LIFE_SECONDS = 2 * 365.25 * 86_400


def message_scores(board: Board, terms: Mapping[str, float]) -> Scores:
    """BM25 of each commit message against the stems of some weighted terms."""
    import numpy as np

    history = board.view.history
    scores = np.zeros(len(history))
    if not len(history):
        return scores
    lengths = history.messages.lengths.astype(np.float64)
    norms = _K1 * (1 - _B + _B * lengths / max(lengths.mean(), 1.0))
    for token, weight in _stems(terms).items():
        found = history.messages.find(token)
        if found is not None and len(found[0]) <= _COMMON_SHARE * len(history):
            docs, counts = found[0], found[1].astype(np.float64)
            scores[docs] += weight * idf(len(docs), len(history)) * (_K1 + 1) * counts / (counts + norms[docs])
    return scores


def votes(board: Board) -> Explained:
    """Commits whose messages are like the title vote for the files they changed."""
    return _votes(board, message_scores(board, dict.fromkeys(board.title, 1.0)))


def votes_by_all(board: Board) -> Explained:
    """The same for commits whose messages are like the request as a whole."""
    return _votes(board, message_scores(board, board.query.terms))


def _votes(board: Board, messages: Scores) -> Explained:
    """(score / best)^2 / sqrt(files) of the best commits, for each file they changed."""
    import numpy as np

    scores = np.zeros(len(board.view.files))
    if not len(messages) or not messages.max() > 0:
        return Explained(scores, {})
    history, numbers = board.view.history, board.view.history_numbers
    voters: Counter[int] = Counter()
    for commit in np.argsort(-messages, kind="stable")[:_VOTERS].tolist():
        changed = history.files_of(commit)
        if messages[commit] <= 0 or not 0 < len(changed) <= LARGEST_COMMIT:
            continue
        places = numbers[changed]
        places = places[places >= 0]
        scores[places] += (messages[commit] / messages.max()) ** 2 / len(changed) ** 0.5
        voters.update(places.tolist())
    return Explained(scores, {file: _message_text(count) for file, count in voters.items()})


def _message_text(count: int) -> str:
    return f"{count} commits with similar messages changed it" if count > 1 else "a similar commit changed it"


def _stems(terms: Mapping[str, float]) -> dict[str, float]:
    """The stems of some terms in their order by name, each with the weight of its heaviest term."""
    found: dict[str, float] = {}
    for term in sorted(terms):
        for token in message_tokens(term):
            found[token] = max(found.get(token, 0.0), terms[term])
    return dict(sorted(found.items()))


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
