"""Signals of the contents of a file: words, quotations, phrases, best chunks, and size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ctxpack.light import lazy_pattern
from ctxpack.query.mentions import quotes_of
from ctxpack.query.tokens import raw_words
from ctxpack.rank.bm25 import concepts_of, file_scores
from ctxpack.rank.board import FILE_FIELD, BestFiles, Board

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.rank.bm25 import Scores


def by_subtokens(board: Board) -> Scores:
    """BM25 of each file by subtokens."""
    return file_scores(board.view, "sub", board.concepts, FILE_FIELD)


def by_body_words(board: Board) -> Scores:
    """BM25 of each file by whole words."""
    return file_scores(board.view, "word", concepts_of(board.query.words), FILE_FIELD)


def by_title(board: Board) -> Scores:
    """BM25 of each file by the subtokens of the title alone."""
    return file_scores(board.view, "sub", concepts_of(board.title), FILE_FIELD)


_TAKE, _DECAY = 5, 0.5  # the best five chunks, each half as much as the one before


def best_chunks(board: Board) -> Scores:
    """The best chunk of each file."""
    return board.files_max(board.chunks)


def sum_of_best_chunks(board: Board) -> Scores:
    """The decayed sum of each file's best chunks."""
    return board.files_decayed(board.chunks, _TAKE, _DECAY)


def best_title_chunks(board: Board) -> Scores:
    """The best chunk of each file by the title alone."""
    return board.files_max(board.title_chunks)


_WORD = lazy_pattern(r"\w+")
_TABLE: Final = bytes(
    ord(chr(code).lower()) if chr(code).isalnum() or chr(code) == "_" else ord(" ") for code in range(128)
) + bytes(range(128, 256))
"""Of UTF-8: ASCII letters to lower case, ASCII that is no word to a blank, all else as it is."""


READ_FOR_PHRASES: Final = 60  # files


def phrases(best: BestFiles) -> Scores:
    """ln(1 + phrases of the request) of the best files: only of these, since their texts are read."""
    return phrase_scores(best.board, best.first(READ_FOR_PHRASES).tolist())


def phrase_scores(board: Board, files: Sequence[int]) -> Scores:
    """ln(1 + phrases of the request) of each of ``files``."""
    import numpy as np

    scores = np.zeros(len(board.view.files))
    for number, possible in _possible_phrases(board, files).items():
        text = f" {' '.join(_words(board.view.files.text(board.view.files[number].path)))} "
        scores[number] = np.log1p(sum(f" {' '.join(phrase)} " in text for phrase in possible))
    return scores


def _possible_phrases(board: Board, files: Sequence[int]) -> dict[int, list[tuple[str, ...]]]:
    """The files that may hold a phrase, with all that they may hold, by the words of their chunks.

    What spans chunks is in those around one of them, for a phrase has no more words.
    """
    import numpy as np

    postings = board.view.postings
    numbers = np.array([number for file in files for number in postings.chunks_of(file)], np.int64)
    numbers = numbers[postings.lengths("word")[numbers] > 0]
    near: dict[str, NDArray[np.bool_]] = {}
    for word in {word for phrase in board.query.phrases for word in phrase} & board.query.words.keys():
        holds = np.zeros(len(postings.chunk_file), bool)
        holds[postings.terms("word", word).docs] = True
        near[word] = _with_neighbours(holds[numbers])
    found: dict[int, list[tuple[str, ...]]] = {}
    for phrase in board.query.phrases:
        known = [near[word] for word in phrase if word in near]
        places = np.flatnonzero(np.logical_and.reduce(known)) if known else slice(None)
        for file in dict.fromkeys(postings.chunk_file[numbers[places]].tolist()):
            found.setdefault(file, []).append(phrase)
    return found


def _with_neighbours(holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    found = holds.copy()
    found[1:] |= holds[:-1]
    found[:-1] |= holds[1:]
    return found


def _words(text: str) -> list[str]:
    """The lower-case words of a text; ASCII by table, which is many times faster than a pattern."""
    if not text.isascii():
        lines = text.split("\n")
        text = "\n".join(line if line.isascii() else " ".join(_WORD.findall(line.lower())) for line in lines)
    return text.encode("utf-8", "surrogatepass").translate(_TABLE).decode("utf-8", "surrogatepass").split()


_RUN: Final = 3  # words in a row that are compared
_ESCAPE: Final = lazy_pattern(r"\\[nrt]")  # in a string of code: a letter of no word
_READ: Final = 40  # chunks that are read for a quotation, those first that hold most of its words
_HELD: Final = 0.5  # of its words, that a chunk must hold to be read: names and figures in a message differ
_LEAST: Final = 0.3  # of its runs, below which nothing is quoted


def quoting_chunks(board: Board) -> Scores:
    """For each chunk: the greatest share of a quotation's word runs that it contains."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for words in quotes_of(board.query.text):
        for number, share in _holders(board, words).items():
            scores[number] = max(scores[number], share)
    return scores


def quoting_files(board: Board) -> Scores:
    """The best chunk of each file, by quotations."""
    return board.files_max(quoting_chunks(board))


def _holders(board: Board, words: tuple[str, ...]) -> dict[int, float]:
    """The chunks that contain enough of a quotation, and the share of it."""
    import numpy as np

    held = np.zeros(len(board.view.postings.chunk_file))
    for word in dict.fromkeys(words):
        held[board.view.postings.terms("word", word).docs] += 1
    enough = np.flatnonzero(held >= _HELD * len(set(words)))
    files = board.view.postings.chunk_file[enough]  # of equals the first by path, in whatever order they were indexed
    first = enough[np.lexsort((enough, files, -held[enough]))[:_READ]].tolist()
    runs = {words[start : start + _RUN] for start in range(len(words) - _RUN + 1)}
    found = {}
    for number in first:
        share = len(runs & _runs_in(board, number)) / len(runs)
        if share >= _LEAST:
            found[number] = share
    return found


def _runs_in(board: Board, number: int) -> set[tuple[str, ...]]:
    chunk, path = board.view.postings.chunk(number), board.view.files[int(board.view.postings.chunk_file[number])].path
    text = _ESCAPE.sub(" ", board.view.files.lines(path, chunk.start_line, chunk.end_line))
    words = [word.lower() for word in raw_words(text)]
    return {tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1)}


_FULL_SIZE = 8.0  # ln(lines + 1) of a file that cannot gain more: about 3,000 lines


def size_prior(board: Board) -> Scores:
    """min(1, ln(lines + 1) / 8)."""
    import numpy as np

    return np.minimum(1.0, np.log1p(board.view.postings.file_lines) / _FULL_SIZE)
