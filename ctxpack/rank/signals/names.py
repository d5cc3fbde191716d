"""Signals of names: definitions, files and folders that the request names, or whose names resemble its words."""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from typing import TYPE_CHECKING

from ctxpack.discover.traits import is_record
from ctxpack.model import Kind, Mention, Shape
from ctxpack.query.lookups import models_of
from ctxpack.query.understand import Aim, aims_of, options_of
from ctxpack.rank.bm25 import among, file_scores
from ctxpack.rank.board import NAME_PREFIX, PATH_FIELD, Board

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ctxpack.rank.bm25 import Scores


_COMMONNESS = 0.8  # a name defined n times counts 1 / n^.8 for each
_OTHER_CASE = 0.25  # "Timeout" means the class before the method timeout(); on 579 short questions NDCG@10 .884 → .885


def defining_chunks(board: Board) -> Scores:
    """For each chunk: the identifiers of the request that it defines, weighted by rarity."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for name, weight in board.query.identifiers.items():
        docs = board.view.postings.terms("definition", name.lower()).docs
        if len(docs):
            as_written = board.view.postings.terms("definition", name).docs
            share = np.where(among(docs, np.sort(as_written)), 1.0, _OTHER_CASE)
            is_word = name.istitle()  # "the Location header" is not about location()
            scores[docs] += (share if len(as_written) or is_word else 1.0) * weight / len(docs) ** _COMMONNESS
    return scores


def defining_files(board: Board) -> Scores:
    """For each file: the identifiers of the request that it defines."""
    return board.files_sum(defining_chunks(board))


def plain_chunks(board: Board) -> Scores:
    """For each chunk: words of the request, code-shaped or not, that are the whole name of what it defines."""
    return _score_definitions(board, board.query.words)


def _score_definitions(board: Board, weights: Mapping[str, float]) -> Scores:
    """For each chunk: the weighted names that it defines, weighted by rarity too."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for name, weight in weights.items():
        docs = board.view.postings.terms("definition", name).docs
        if len(docs):
            scores[docs] += weight / len(docs) ** _COMMONNESS
    return scores


def plain_files(board: Board) -> Scores:
    """For each file: words of the request that are the whole name of a definition."""
    return board.files_max(plain_chunks(board))


def similar_files(board: Board) -> Scores:
    """For each file: the best BM25 of the request against the name or heading path of one of its chunks."""
    return board.files_max(board.name)


def dotted_chunks(board: Board) -> Scores:
    """For each chunk: dotted names of the request whose last two parts it defines."""
    return _score_definitions(board, _pairs(board))


def dotted_files(board: Board) -> Scores:
    """For each file: dotted names that refer to it, as a module or as ``Class.method``."""
    scores = board.files_sum(dotted_chunks(board))
    for mention in board.query.mentions:
        if mention.kind == "dotted":
            number = _module(board, mention.text)
            if number is not None:
                scores[number] += mention.weight
    return scores


def _pairs(board: Board) -> dict[str, float]:
    pairs: defaultdict[str, float] = defaultdict(float)
    for mention in board.query.mentions:
        parts = mention.text.replace("::", ".").replace("/", ".").lower().split(".")
        if mention.kind == "dotted" and len(parts) > 1:
            pairs[".".join(parts[-2:])] = max(pairs[".".join(parts[-2:])], mention.weight)
    return dict(pairs)


def _module(board: Board, name: str) -> int | None:
    """The file of the longest leading part of a dotted name that is a module."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        path = board.view.files.modules.get(".".join(parts[:end]))
        if path is not None and (end > 1 or len(parts) == 1):
            return board.view.files.numbers.get(path)
    return None


def frame_chunks(board: Board) -> Scores:
    """For each chunk: weight of a traceback frame whose file and function it is."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for mention in board.query.mentions:
        if mention.kind == "frame" and mention.function:
            docs = board.view.postings.terms("definition", mention.function.rpartition(".")[2].lower()).docs
            files = files_matching(board, mention.text)
            here = docs[np.isin(board.view.postings.chunk_file[docs], files)]
            scores[here] = np.maximum(scores[here], mention.weight)
    return scores


def chunks_in_named_classes(board: Board) -> Scores:
    """For each chunk: an identifier of the request is the name of the class or section around it."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for name, weight in board.query.identifiers.items():
        as_written = board.view.postings.terms("definition", name).docs
        is_exact = len(as_written) or name.istitle()
        defining = as_written if is_exact else board.view.postings.terms("definition", name.lower()).docs
        by_path = sorted(defining.tolist(), key=lambda number: (board.view.postings.chunk_file[number], number))
        for number in by_path[:_MOST_CLASSES]:
            inside = _chunks_inside(board, number, name)
            scores[inside] = np.maximum(scores[inside], weight / len(defining) ** 0.5)
    return scores


_MOST_POINTED_AT = 60  # chunks that contain a name: in more of them it says nothing


def chunks_pointed_at(board: Board) -> Scores:
    """For each chunk: it contains an option that a short request names, or what a request takes as a model.

    A model is of something to add ("like isThisYear"): then each place that knows the one may need the other.
    """
    import numpy as np

    query, postings = board.query, board.view.postings
    options = options_of(query.text) if query.shape is Shape.QUESTION else ()
    found = [postings.terms("word", option.lower()).docs for option in options]
    aims = aims_of(query.text)
    if Aim.CHANGE in aims and aims.isdisjoint((Aim.WHERE, Aim.HOW_TO, Aim.EXPLAIN)):
        for model in models_of(query.text):
            parts = [np.sort(postings.terms("sub", part).docs) for part in model.parts]
            found.append(reduce(np.intersect1d, parts) if parts else postings.terms("word", model.name.lower()).docs)
    scores = np.zeros(len(postings.chunk_file))
    for docs in found:
        scores[docs] = 1.0 if len(docs) <= _MOST_POINTED_AT else scores[docs]
    return scores


def files_pointed_at(board: Board) -> Scores:
    """For each file of code, tests or documents: a part of it contains such an option or model."""
    scores = board.files_max(chunks_pointed_at(board))
    for number in scores.nonzero()[0].tolist():
        file = board.view.files[number]
        if file.kind in (Kind.CONFIG, Kind.DATA) or is_record(file.path):
            scores[number] = 0.0  # long lists, of which one place is meant
    return scores


_MOST_CLASSES = 20  # a name with more definitions says nothing


def _chunks_inside(board: Board, number: int, name: str) -> list[int]:
    """The chunk of a definition called ``name`` and those inside it; none where it is a constant of another chunk."""
    view = board.view
    if name.lower() not in view.postings.chunk(number).symbol.lower().split("."):
        return []
    file_chunks = view.postings.chunks_of(int(view.postings.chunk_file[number]))
    inside = []
    for other in range(number, file_chunks.stop):
        parts = view.postings.chunk(other).symbol.lower().split(".")
        if name.lower() not in parts[:-1] and other != number:
            break
        inside.append(other)
    return inside


def by_path_words(board: Board) -> Scores:
    """BM25 of each path by subtokens."""
    return file_scores(board.view, "path", board.concepts, PATH_FIELD)


def mentioned_paths(board: Board) -> Scores:
    """Weight of a path mention over the number of files that match its longest suffix."""
    return _mention_scores(board, [mention for mention in board.query.mentions if mention.kind == "path"])


def frame_files(board: Board) -> Scores:
    """Weight of a traceback frame over the number of files that match its path."""
    return _mention_scores(board, [mention for mention in board.query.mentions if mention.kind == "frame"])


def _mention_scores(board: Board, mentions: Sequence[Mention]) -> Scores:
    import numpy as np

    scores = np.zeros(len(board.view.files))
    for mention in mentions:
        files = files_matching(board, mention.text)
        for number in files:
            scores[number] = max(scores[number], mention.weight / len(files))
    return scores


def files_matching(board: Board, text: str) -> tuple[int, ...]:
    """The files whose path ends with the longest suffix of a mentioned path that any file ends with."""
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    for start in range(len(parts)):
        files = board.view.files.with_suffix("/".join(parts[start:]))
        if files:
            return files
    return ()


_COVERAGE_POWER, _PRECISION_POWER = 0.3, 0.7  # fitted on 32 repositories in 19 languages
_SHORTEST_SHARE = 0.6  # a token that is a prefix of the other counts by length, at least this


def file_names(board: Board) -> Scores:
    """coverage^.3 · precision^.7 of the file name without suffix against the request's terms."""
    stems = {number: stem for number, (stem, _) in board.name_tokens.items()}
    return _over_files(board, stems, lambda cover, share: cover**_COVERAGE_POWER * share**_PRECISION_POWER)


def folder_names(board: Board) -> Scores:
    """The idf share of the request that file name and parent folder name together cover."""
    names = {number: stem + folder for number, (stem, folder) in board.name_tokens.items()}
    return _over_files(board, names, lambda cover, _: cover)


def _over_files(board: Board, names: Mapping[int, tuple[str, ...]], score: Callable[[float, float], float]) -> Scores:
    """Score files by the tokens of their names; all others get nothing."""
    import numpy as np

    weights = {term: board.term_idf[term] * weight for term, weight in board.terms.items()}
    total = sum(weights.values())
    scores = np.zeros(len(board.view.files))
    likeness = _Likeness(tuple(weights))
    for number, tokens in names.items():
        matches = [found for token in tokens if (found := likeness[token])]
        if matches:
            best: dict[str, float] = {}
            for term, like in (pair for found in matches for pair in found):
                best[term] = max(best.get(term, 0.0), like)
            cover = sum(like * weights[term] for term, like in best.items()) / total
            share = sum(max(like for _, like in found) for found in matches) / len(tokens)
            scores[number] = score(cover, share)
    return scores


class _Likeness(dict[str, tuple[tuple[str, float], ...]]):
    """The terms similar to a token, with the similarity, cached: a repository has few distinct name parts."""

    def __init__(self, terms: tuple[str, ...]) -> None:
        super().__init__()
        self._by_start: dict[str, list[str]] = {}
        for term in terms:
            self._by_start.setdefault(term[:NAME_PREFIX], []).append(term)

    def __missing__(self, token: str) -> tuple[tuple[str, float], ...]:
        near = self._by_start.get(token[:NAME_PREFIX], ())
        self[token] = tuple((term, like) for term in near if (like := alike(term, token)))
        return self[token]


def alike(term: str, token: str) -> float:
    """1 for equal tokens, .6 to 1 where one is a prefix of the other, else 0."""
    if term == token:
        return 1.0
    short, long = sorted((term, token), key=len)
    if len(short) >= NAME_PREFIX and long.startswith(short):
        return max(_SHORTEST_SHARE, len(short) / len(long))
    return 0.0
