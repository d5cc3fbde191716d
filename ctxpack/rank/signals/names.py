"""Signals of names: definitions, files and folders that the request names, or whose names resemble its words."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING

from ctxpack.discover.traits import STYLE_SHEETS
from ctxpack.index import IndexView
from ctxpack.index.postings import among, distinct
from ctxpack.light import lazy_pattern
from ctxpack.model import Chunk, Kind, Mention, Shape
from ctxpack.query.lines import hunks_in
from ctxpack.query.lookups import names_called_on
from ctxpack.query.precedents import precedent_of
from ctxpack.query.subtokens import MIN_PART, split
from ctxpack.query.understand import Aim, aims_of
from ctxpack.rank.bm25 import ChunkScores, file_scores, scores_of, sum_scores
from ctxpack.rank.board import NAME_PREFIX, PATH_FIELD, Board, alike
from ctxpack.text import last_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.postings import Numbers
    from ctxpack.rank.bm25 import Scores


_COMMONNESS = 0.8  # a name defined n times counts 1 / n^.8 for each
_ELSEWHERE = 0.4  # of the weight of a frame, for a function of its name where another one is nearer to its line
_NAMELESS = 0.7  # of the weight of a frame, for the line alone: it may be that of another version
_OTHER_CASE = 0.25  # "Timeout" means the class before the method timeout(); on 579 short questions NDCG@10 .884 → .885


def defining_chunks(board: Board) -> ChunkScores:
    """For each chunk: the identifiers of the request that it defines, weighted by rarity."""
    import numpy as np

    parts: list[tuple[Numbers, Scores]] = []
    for name, weight in board.query.identifiers.items():
        docs = board.view.postings.terms("definition", name.lower()).docs
        if len(docs):
            as_written = board.view.postings.terms("definition", name).docs
            rarity = len(docs) ** -_COMMONNESS
            own = len(as_written) ** -_COMMONNESS if len(as_written) else rarity  # atMost() hides no class AtMost
            is_word = name.istitle()  # "the Location header" is not about location()
            other = _OTHER_CASE * rarity if len(as_written) or is_word else rarity
            parts.append((docs, weight * np.where(among(docs, np.sort(as_written)), own, other)))
    return sum_scores(parts, len(board.view.postings.chunk_file))


def defining_files(board: Board) -> Scores:
    """For each file: the identifiers of the request that it defines."""
    return board.files_sum(defining_chunks(board))


def plain_chunks(board: Board) -> ChunkScores:
    """For each chunk: words of the request, code-shaped or not, that are the whole name of what it defines.

    What a rule of a style sheet is for, such as ``button``, is no name of it.
    """
    import numpy as np

    found = _score_definitions(board, board.query.words)
    styles = board.view.files.entries.ending_with(STYLE_SHEETS)
    is_name = ~among(board.view.postings.chunk_file[found.numbers], np.array(styles, np.int64))
    return ChunkScores(found.numbers[is_name], found.values[is_name])


def _score_definitions(board: Board, weights: Mapping[str, float]) -> ChunkScores:
    """For each chunk: the weighted names that it defines, weighted by rarity too."""
    board.view.postings.look_up("definition", weights)
    named = ((board.view.postings.terms("definition", name).docs, weight) for name, weight in weights.items())
    parts = [(docs, weight / len(docs) ** _COMMONNESS) for docs, weight in named if len(docs)]
    return sum_scores(parts, len(board.view.postings.chunk_file))


def defined_name(board: Board, number: int) -> str:
    """The name of the request that a chunk defines, as the code writes it if it is the chunk's own; empty for none."""
    names, postings = (*board.query.identifiers, *_pairs(board), *board.query.words), board.view.postings
    held = (each for each in names if number in postings.terms("definition", each.lower()).docs)
    name, own = (each.rpartition(".")[2] for each in (next(held, ""), postings.chunk(number).symbol))
    return own if name and own.casefold() == name.casefold() else name


def plain_files(board: Board) -> Scores:
    """For each file: words of the request that are the whole name of a definition."""
    return board.files_max(plain_chunks(board))


def similar_files(board: Board) -> Scores:
    """For each file: the best BM25 of the request against the name or heading path of one of its chunks."""
    return board.files_max(board.name)


def dotted_chunks(board: Board) -> ChunkScores:
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
    """The last two parts of dotted names, and called names with what they may be called on: ``client.close``."""
    pairs = dict.fromkeys(names_called_on(board.query.text), 1.0)
    for mention in board.query.mentions:
        parts = mention.text.replace("::", ".").replace("/", ".").lower().split(".")
        if mention.kind == "dotted" and len(parts) > 1:
            pairs[".".join(parts[-2:])] = max(pairs.get(".".join(parts[-2:]), 0.0), mention.weight)
    return pairs


def _module(board: Board, name: str) -> int | None:
    """The file of the longest leading part of a dotted name that is a module."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        path = board.view.files.modules.get(".".join(parts[:end]))
        if path is not None and (end > 1 or len(parts) == 1):
            return board.view.files.numbers.get(path)
    return None


def frame_chunks(board: Board) -> ChunkScores:
    """For each chunk: weight of a traceback frame whose function or line it is, over the number of files so called."""
    import numpy as np

    scores: defaultdict[int, float] = defaultdict(float)
    for mention in board.query.mentions:
        if mention.kind == "frame":
            files = files_matching(board.view, mention.text)
            docs = board.view.postings.terms("definition", last_name(mention.function).lower()).docs
            heads = docs[among(board.view.postings.chunk_file[docs], np.sort(files))].tolist()
            near = _near_line(board, heads, mention.line) if heads else _at_line(board, files, mention.line)
            for number, share in near:
                scores[number] = max(scores[number], mention.weight * share / len(files))
    return scores_of(scores)


def _near_line(board: Board, heads: Sequence[int], line: int) -> list[tuple[int, float]]:
    """Return chunks and their shares: 1 for what of each file is nearest to a line, or all ``heads`` without one.

    That is the part that holds it, and less for the beginning of its definition; or the beginning of the nearest one.
    Definitions elsewhere get less, and nothing where one here holds the line.
    """
    postings, shares = board.view.postings, list[tuple[int, float]]()
    by_file: defaultdict[int, dict[int, int]] = defaultdict(dict)  # file -> part -> the head of its definition
    for head in heads:
        by_file[int(postings.chunk_file[head])] |= dict.fromkeys(_parts_of(board, head), head)
    for parts in by_file.values():
        away = {part: _lines_between(postings.chunk(part), line) if line else 0 for part in parts}
        least = min(away.values())
        nearest = {part: head for part, head in parts.items() if away[part] == least}
        if least or not line:
            shares += ((head, 1.0 if head in nearest.values() else _ELSEWHERE) for head in set(parts.values()))
            continue
        shares += [*((head, _ELSEWHERE) for head in nearest.values()), *((part, 1.0) for part in nearest)]
    return shares


def _parts_of(board: Board, head: int) -> range:
    """The chunks of the definition that begins in a chunk: a long one is split."""
    postings = board.view.postings
    last, symbol, its = head + 1, postings.chunk(head).symbol, postings.chunks_of(int(postings.chunk_file[head]))
    while symbol and last < its.stop and postings.chunk(last).symbol == symbol:
        last += 1
    return range(head, last)


def _at_line(board: Board, files: Sequence[int], line: int) -> list[tuple[int, float]]:
    """Return the chunk that holds a line, where only one file can be meant: a function without a name is there."""
    postings = board.view.postings
    chunks = postings.chunks_of(files[0]) if line and len(files) == 1 else ()
    return [(number, _NAMELESS) for number in chunks if not _lines_between(postings.chunk(number), line)]


def _lines_between(chunk: Chunk, line: int) -> int:
    return max(chunk.start_line - line, line - chunk.end_line, 0)


def by_path_words(board: Board) -> Scores:
    """BM25 of each path by subtokens."""
    return file_scores(board.view, "path", board.concepts, PATH_FIELD)


def mentioned_paths(board: Board) -> Scores:
    """Weight of a path mention over the number of files that match its longest suffix; also the files of folders."""
    import numpy as np

    paths = [mention for mention in board.query.mentions if mention.kind == "path"]
    is_diff, is_issue = bool(hunks_in(board.query.text)), board.query.shape is Shape.ISSUE

    def share(mention: Mention, file: int) -> float:
        is_cause = is_issue and board.view.files[file].kind is not Kind.TEST
        return _WITH_LINE if is_diff or (mention.line and not is_cause) else 1.0

    scores, few = _mention_scores(board, paths, share), 1 if is_issue else _FEW_BELOW
    for folder in dict.fromkeys(match["folder"].lower() for match in _FOLDER.finditer(board.query.text)):
        files = _files_below(board, folder)
        if len(files) <= _MOST_BELOW:
            scores[files] = np.maximum(scores[files], math.sqrt(few / max(few, len(files))))
    return scores


_WITH_LINE = 0.3  # of the weight of a path whose line is meant, and comes in any case; an issue may name its cause so
# Two words with a slash are mostly prose, "read/write": only the folders of the repository tell.
_FOLDER = lazy_pattern(
    r"(?<![\w./:@~\\-])(?:\.?/)?(?P<folder>[\w-][\w.-]{0,60}(?:/[\w-][\w.-]{0,60}){1,8}(?<!\.))(?![\w:\\-]|[./]\w)"
)
_MOST_BELOW = 200  # files: what lies in so large a part is no answer for that alone
_FEW_BELOW = 16  # files: a question about a folder with so few is about all of them; a long request only passes it by


def _files_below(board: Board, folder: str) -> NDArray[np.int64]:
    """The files in folders whose path is, or ends with a slash and, a text in lower case, and in those below them."""
    entries, inside = board.view.files.entries, f"/{folder}/"
    return entries.of_folders([inside in f"/{each.lower()}/" for each in entries.folders[0]])


def frame_files(board: Board) -> Scores:
    """Weight of a traceback frame over the number of files that match its path."""
    return _mention_scores(board, [mention for mention in board.query.mentions if mention.kind == "frame"])


def _mention_scores(
    board: Board, mentions: Sequence[Mention], share: Callable[[Mention, int], float] = lambda *_: 1.0
) -> Scores:
    import numpy as np

    scores = np.zeros(len(board.view.files))
    for mention in mentions:
        for number in (files := files_matching(board.view, mention.text)):
            scores[number] = max(scores[number], mention.weight * share(mention, number) / len(files))
    return scores


def files_matching(view: IndexView, text: str) -> tuple[int, ...]:
    """The files whose path ends with the longest suffix of a mentioned path that any file ends with."""
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return next(filter(None, (view.files.with_suffix("/".join(parts[start:])) for start in range(len(parts)))), ())


_COVERAGE_POWER, _PRECISION_POWER = 0.3, 0.7  # fitted on 32 repositories in 19 languages


def file_names(board: Board) -> Scores:
    """coverage^.3 · precision^.7 of the file name without suffix against the request's terms."""
    like = board.derive(_NameLikeness)
    return board.files_with({number: like[stem][2] for number, (stem, _) in board.name_tokens.items()})


def folder_names(board: Board) -> Scores:
    """The idf share of the request that file name and parent folder name together cover."""
    like = board.derive(_NameLikeness)
    return board.files_with({number: like.cover(*parts) for number, parts in board.name_tokens.items()})


class _NameLikeness(dict[tuple[str, ...], tuple[dict[str, float], tuple[float, ...], float]]):
    """What the tokens of a name are like, found once, as many files share a folder or a name.

    The terms with their similarity, what each adds to the share of the request that is covered, and the score.
    """

    def __init__(self, board: Board) -> None:
        super().__init__()
        self._weights = {term: board.term_idf[term] * weight for term, weight in board.terms.items()}
        self._total, self._by_start = sum(self._weights.values()), defaultdict[str, list[str]](list)
        for term in board.terms:
            self._by_start[term[:NAME_PREFIX]].append(term)
        self._like = cache(self._find_like)

    def cover(self, stem: tuple[str, ...], folder: tuple[str, ...]) -> float:
        """The share that the names of a file and its folder cover together."""
        (terms, added, _), (others, further, _) = self[stem], self[folder]
        if not terms or not others or terms.keys().isdisjoint(others):
            return sum(added + further) / self._total if added or further else 0.0
        return sum(self._add(_greatest((terms, others)))) / self._total

    def __missing__(self, tokens: tuple[str, ...]) -> tuple[dict[str, float], tuple[float, ...], float]:
        self[tokens] = {}, (), 0.0
        if matches := [found for token in tokens if (found := self._like(token))]:
            added = self._add(terms := _greatest(matches))
            cover, share = sum(added) / self._total, sum(max(found.values()) for found in matches) / len(tokens)
            self[tokens] = terms, added, cover**_COVERAGE_POWER * share**_PRECISION_POWER
        return self[tokens]

    def _add(self, terms: Mapping[str, float]) -> tuple[float, ...]:
        return tuple(like * self._weights[term] for term, like in terms.items())

    def _find_like(self, token: str) -> dict[str, float]:
        """The terms similar to a token, with the similarity."""
        near = self._by_start.get(token[:NAME_PREFIX], ())
        return {term: like for term in near if (like := alike(term, token))}


def _greatest(found: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The greatest likeness of each term, in the order in which they come."""
    best: dict[str, float] = {}
    for term, like in (pair for each in found for pair in each.items()):
        best[term] = max(best.get(term, 0.0), like)
    return best


MOST_HOLDING = 300  # chunks: what more of them hold is no name of one thing
_OTHER_SPELLING = 0.5  # where the request spells the name out
_FAMILY, _LONGEST_NAME = 0.7, 3  # of the definitions called after a word, that share a longer name; parts of that
_TEST_PARTS = frozenset(("test", "tests"))  # of no name, however many tests there are
_MEMBERS = 0.6  # of a list, that a chunk must hold


def precedent_chunks(board: Board) -> ChunkScores:
    """For each chunk: whether it has the name of what a change is to resemble, in any spelling.

    So ``creditCard`` is ``credit_card`` and ``ZodCreditCard``: what is new is mostly needed wherever its precedent is.
    """
    scores: defaultdict[int, float] = defaultdict(float)
    if not aims_of(board.query.text) & {Aim.CHANGE, Aim.EVERYWHERE}:
        return scores_of(scores)
    precedent = precedent_of(board.query.text)
    for name in precedent.names:
        other = 1.0 if "-" in name else _OTHER_SPELLING  # an option: what takes it has another spelling
        found = chunks_with_name(board, split(name), name) or chunks_with_name(board, split(last_name(name)))
        for number, is_as_written in found.items():
            scores[number] = max(scores[number], 1.0 if is_as_written else other)
    for number in chunks_with_name(board, _family_name(board, precedent.words)):
        scores[number] = 1.0
    for member in precedent.members:
        for number in board.view.postings.terms("word", member).docs.tolist():
            scores[number] += 1 / len(precedent.members)
    least = _MEMBERS if precedent.members else 0.0
    return scores_of({number: score for number, score in scores.items() if score >= least})


def precedent_files(board: Board) -> Scores:
    """For each file: whether it has the name of what a change is to resemble."""
    return board.files_max(precedent_chunks(board))


def _family_name(board: Board, words: Sequence[str]) -> tuple[str, ...]:
    """The parts of the name that most definitions have which are called by the rarest of some words; empty for none."""
    import numpy as np

    forms = {concept.forms[0][0]: [term for term, _ in concept.forms] for concept in board.concepts}
    called: list[tuple[int, str, list[int]]] = []
    for word in words:
        found = [board.view.postings.terms("name", form).docs for form in forms.get(word, [word])]
        numbers = distinct(np.concatenate(found)).tolist()
        if 0 < len(numbers) <= MOST_HOLDING:
            called.append((len(numbers), word, numbers))
    if not called:
        return ()
    _, word, numbers = min(called, key=lambda each: (len(each[2]) == 1, *each))  # one alone is no family
    wanted = set(forms.get(word, [word]))
    own: Counter[tuple[str, ...]] = Counter()
    for parts in map(split, sorted({last_name(board.view.postings.chunk(number).symbol) for number in numbers})):
        ends = [(at, at + length) for length in range(1, _LONGEST_NAME + 1) for at in range(len(parts) - length + 1)]
        runs = {parts[at:end] for at, end in ends}
        own.update(run for run in runs if not wanted.isdisjoint(run) and _TEST_PARTS.isdisjoint(run))
    enough = _FAMILY * max(own.values(), default=0)
    shared = [run for run, count in own.items() if count >= enough]
    return max(shared, key=lambda run: (len(run), own[run], run), default=())


def chunks_with_name(board: Board, parts: tuple[str, ...], name: str = "") -> dict[int, bool]:
    """The chunks with a name in any spelling: ``creditCard``, ``CREDIT_CARD``, "credit card"; none if too many have it.

    Each with whether it is written as ``name`` there.
    """
    import numpy as np

    if not parts:
        return {}
    postings = board.view.postings
    indexed = (part for part in parts if len(part) >= MIN_PART)
    held = (postings.chunks_with_all("sub", indexed), postings.terms("word", "".join(parts)).docs)
    numbers = distinct(np.concatenate(held))
    if len(numbers) > 4 * MOST_HOLDING:  # have the parts, and would have to be read
        return {}
    spelled = re.compile(rf"(?:(?<![A-Za-z])|(?=[A-Z]))(?i:{'[_ -]?'.join(map(re.escape, parts))})(?![a-z])")
    found = {}
    for number in numbers.tolist():
        chunk, path = postings.chunk(number), board.view.files[int(postings.chunk_file[number])].path
        text = board.view.files.lines(path, chunk.start_line, chunk.end_line)
        if spelled.search(text):
            found[number] = name in text
    return found if len(found) <= MOST_HOLDING else {}
