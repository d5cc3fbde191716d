"""Signals of paths: files and folders that are named, or called like a word of the request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.model import Mention
from ctxpack.query.tokens import split
from ctxpack.rank.bm25 import file_scores
from ctxpack.rank.board import PATH_FIELD, Board

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxpack.rank.bm25 import Scores


def by_path_words(board: Board) -> Scores:
    """BM25 of each path by subtokens."""
    return file_scores(board.view, "path", board.concepts, PATH_FIELD)


def mentioned_paths(board: Board) -> Scores:
    """Weight of a path mention over the number of files that match its longest suffix."""
    return _named(board, [mention for mention in board.query.mentions if mention.kind == "path"])


def frame_files(board: Board) -> Scores:
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


_COVERAGE_POWER, _PRECISION_POWER = 0.3, 0.7  # fitted on 32 repositories in 19 languages
_PREFIX = 3  # letters that a prefix match needs at least
_SHORTEST_SHARE = 0.6  # a token that is a prefix of the other counts by length, at least this


def match(board: Board) -> Scores:
    """coverage^.3 · precision^.7 of the file name without suffix against the request's terms."""
    return _over_files(board, stem_tokens, lambda cover, share: cover**_COVERAGE_POWER * share**_PRECISION_POWER)


def nearby(board: Board) -> Scores:
    """The idf share of the request that file name and parent folder name together cover."""
    return _over_files(board, lambda path: (*stem_tokens(path), *parent_tokens(path)), lambda cover, _: cover)


def stem_tokens(path: str) -> tuple[str, ...]:
    """The subtokens of a file's name without its suffixes; of its folder for index and init files."""
    parts = path.split("/")
    stem = parts[-1].split(".", 1)[0] or parts[-1].lstrip(".")
    if stem.lower() in ("__init__", "index", "mod", "main", "lib") and len(parts) > 1:
        stem = parts[-2]
    return split(stem)


def parent_tokens(path: str) -> tuple[str, ...]:
    """The subtokens of a file's folder."""
    parts = path.split("/")
    return split(parts[-2]) if len(parts) > 1 else ()


def _over_files(
    board: Board, tokens_of: Callable[[str], tuple[str, ...]], score: Callable[[float, float], float]
) -> Scores:
    import numpy as np

    weights = {term: board.term_idf[term] * weight for term, weight in board.terms.items()}
    total = sum(weights.values())
    scores = np.zeros(len(board.view.files))
    likeness = _Likeness(tuple(weights))
    for number, file in enumerate(board.view.files):
        tokens = tokens_of(file.path)
        matches = [found for token in tokens if (found := likeness.of(token))]
        if matches:
            best: dict[str, float] = {}
            for term, like in (pair for found in matches for pair in found):
                best[term] = max(best.get(term, 0.0), like)
            cover = sum(like * weights[term] for term, like in best.items()) / total
            share = sum(max(like for _, like in found) for found in matches) / len(tokens)
            scores[number] = score(cover, share)
    return scores


class _Likeness:
    """Which terms a token is like, remembered by token: a repository has few distinct name parts."""

    def __init__(self, terms: tuple[str, ...]) -> None:
        self._by_start: dict[str, list[str]] = {}
        for term in terms:
            self._by_start.setdefault(term[:_PREFIX], []).append(term)
        self._known: dict[str, tuple[tuple[str, float], ...]] = {}

    def of(self, token: str) -> tuple[tuple[str, float], ...]:
        """The terms like ``token`` and how alike they are."""
        if token not in self._known:
            near = self._by_start.get(token[:_PREFIX], ())
            self._known[token] = tuple((term, like) for term in near if (like := alike(term, token)))
        return self._known[token]


def alike(term: str, token: str) -> float:
    """1 for equal tokens, .6 to 1 where one is a prefix of the other, else 0."""
    if term == token:
        return 1.0
    short, long = sorted((term, token), key=len)
    if len(short) >= _PREFIX and long.startswith(short):
        return max(_SHORTEST_SHARE, len(short) / len(long))
    return 0.0
