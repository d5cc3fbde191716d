"""Signals of the contents of a file: words, quotations, phrases, best chunks, and size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ctxpack.discover.traits import is_guide, is_on_structure, is_record, is_way_in, tells_structure
from ctxpack.index.postings import among, distinct
from ctxpack.light import lazy_pattern
from ctxpack.model import Lane, Shape, Trait
from ctxpack.query.lookups import wants_structure
from ctxpack.query.precedents import quotes_of, version_to_change, wants_entry
from ctxpack.query.subtokens import long_numbers_of, options_of, share_of_quotation
from ctxpack.query.understand import Aim, aims_of
from ctxpack.rank.bm25 import ChunkScores, concepts_of, file_scores, scores_of, sum_scores
from ctxpack.rank.board import FILE_FIELD, BestFiles, Board
from ctxpack.rank.signals.names import MOST_HOLDING, chunks_with_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.model.columns import FileTable
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
        near[word] = _with_neighbours(among(numbers, postings.terms("word", word).docs))
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


CATALOGUES: Final = (".po", ".pot")  # of gettext, with a message over several lines
QUOTED_SHARE: Final = 0.6  # of a quotation, that the line of a message must hold: what it is filled with differs
_READ: Final = 40  # chunks that are read for a quotation, those first that hold most of its words
_HELD: Final = 0.5  # of its words, that a chunk must hold to be read: names and figures in a message differ
_LEAST: Final = 0.3  # of its runs, below which nothing is quoted
_IN_TRANSLATIONS: Final = 0.6  # of its share
_BRIEF: Final = 5  # words: of fewer each must be there, or "bad day of month" is quoted by "the first day of month"


def quoting_chunks(board: Board) -> ChunkScores:
    """For each chunk: the shares of each quotation's word runs that it contains, together."""
    parts = [(each.numbers, each.values) for each in _shares_of_quotes(board)]
    return sum_scores(parts, len(board.view.postings.chunk_file))


def quoting_files(board: Board) -> Scores:
    """The best chunk of each file for each quotation, together: parts of a message may stand in several places."""
    import numpy as np

    return sum(map(board.files_max, _shares_of_quotes(board)), np.zeros(len(board.view.files)))


def _shares_of_quotes(board: Board) -> Iterator[ChunkScores]:
    """For each quotation: the share of its word runs that each chunk contains."""
    for words in quotes_of(board.query.text):
        shares = holders_of_quotation(board, words)
        yield scores_of({number: share * _said_share(board, number) for number, share in shares.items()})


def _said_share(board: Board, number: int) -> float:
    """What a quotation counts in a chunk: in translations less, for what shows the text matters more than the text."""
    file = board.view.files[int(board.view.postings.chunk_file[number])]
    return _IN_TRANSLATIONS if Trait.TRANSLATION in file.traits and file.kind.lane is Lane.CONFIG else 1.0


def holders_of_quotation(board: Board, words: tuple[str, ...]) -> dict[int, float]:
    """Return the chunks that contain enough of a quotation, given by its lower-case words, and the share of it."""
    import numpy as np

    postings = board.view.postings
    held = sum_scores([(postings.terms("word", word).docs, 1.0) for word in set(words)], len(postings.chunk_file))
    is_enough = held.values >= _HELD * len(set(words))
    enough, counts = held.numbers[is_enough], held.values[is_enough]
    files = postings.chunk_file[enough]  # of equals the first by path, in whatever order they were indexed
    first = enough[np.lexsort((enough, files, -counts))[:_READ]].tolist()
    shares = {number: _share_held(board, number, words) for number in first}
    return {number: share for number, share in shares.items() if share >= (_LEAST if len(words) >= _BRIEF else 1)}


def _share_held(board: Board, number: int, words: tuple[str, ...]) -> float:
    """The share of a quotation that a chunk contains, of messages one of them: together they hold parts of anything."""
    text, file = text_of(board, number), board.view.files[int(board.view.postings.chunk_file[number])]
    is_data = Trait.TRANSLATION in file.traits and file.kind.lane is Lane.CONFIG
    is_of_lines = is_data and not file.path.endswith(CATALOGUES)
    return max(share_of_quotation(words, part) for part in (text.split("\n") if is_of_lines else [text]))


_CALLED_TOO: Final[Mapping[str, tuple[str, ...]]] = {
    "python": ("py", "version_info"),
    "go": ("golang",),
    "golang": ("go",),
    "node": ("nodejs",),
    "nodejs": ("node",),
    "rust": ("msrv", "rustc", "toolchain"),
    "msrv": ("rust", "rustc", "toolchain"),
    "java": ("jdk",),
    "postgresql": ("postgres",),
    "postgres": ("postgresql",),
}
_MOST_NAMING: Final = 200  # chunks with a name that are read for a version
_OTHER_VERSION: Final = 0.7  # where a file that declares versions has another one than the request names
_SAID: Final = 0.5  # where a document or code has the very version


def version_chunks(board: Board) -> ChunkScores:
    """For each chunk: whether it tells a version of the program whose required version is to change.

    Build files and checks declare it; of documents and code only what has a version that the request names counts.
    What no file declares only has a version if the request gives it as one, not in "raise the limit to 50".
    """
    import numpy as np

    scores, postings = dict[int, float](), board.view.postings
    change = version_to_change(board.query.text)
    if not change.name:
        return scores_of(scores)
    names = (change.name, *_CALLED_TOO.get(change.name, ()))
    chunks = distinct(np.concatenate([postings.terms(field, n).docs for n in names for field in ("sub", "word")]))
    files = postings.chunk_file[chunks]
    declaring = set(chunks[among(files, _declaring(board.view.files.entries, distinct(files)))].tolist())
    told = re.compile(rf"(?i)(?<![a-z])(?:{'|'.join(map(re.escape, names))})(?![a-z]).{{0,25}}?\d")
    named = _written_versions(change.versions)
    for number in sorted(declaring) if len(chunks) > _MOST_NAMING else chunks.tolist():
        chunk, path = postings.chunk(number), board.view.files[int(postings.chunk_file[number])].path
        lines = board.view.files.lines(path, chunk.start_line, chunk.end_line).split("\n")
        telling = [line for line in lines if told.search(line)]
        is_named = any(map(named.search, telling))
        if number in declaring and telling:
            scores[number] = 1.0 if is_named else _OTHER_VERSION
        elif is_named and not is_record(path):
            scores[number] = _SAID
    is_declared = max(scores.values(), default=0.0) > _SAID
    is_version = change.name in _CALLED_TOO or any("." in each for each in change.versions)
    return scores_of(scores if is_declared or is_version else {})


def _written_versions(versions: Sequence[str]) -> re.Pattern[str]:
    """Versions as they are written: ``3.8``, ``py38``, ``(3, 8)``; a pattern that matches nothing for none."""
    forms = {form for each in versions for form in (re.escape(each), each.replace(".", ""), each.replace(".", ", ?"))}
    return re.compile(rf"(?<![\d.])(?:{'|'.join(sorted(forms)) or '(?!)'})(?!\d)")


def _declaring(files: FileTable, numbers: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return which of some files, by their numbers, are of the kinds that tell what a project needs."""
    import numpy as np

    settings = files.of_classes(lambda each: not each.traits and each.kind.lane is Lane.CONFIG)
    others = files.of_classes(lambda each: not each.traits and not each.kind.is_document)
    ways_in = [number for number in numbers[among(numbers, others)].tolist() if is_way_in(files.paths[number])]
    return distinct(np.concatenate((settings, np.array(ways_in, settings.dtype))))


def version_files(board: Board) -> Scores:
    """For each file: whether it tells a version of the program whose required version is to change."""
    return board.files_max(version_chunks(board))


_ENTRY_LINES: Final = 12  # of a changelog, in which a new entry has its place
_NUMBERS: Final = lazy_pattern(r"\d{1,9}")
_CHANGELOG: Final = lazy_pattern(
    r"(?:changelog|changes|history|news|release[-_ ]?notes|releases)(?:\.(?:md|rst|txt|adoc))?", re.IGNORECASE
)
_RELEASES: Final = lazy_pattern(r"releases?|release[-_ ]?notes|changelogs?|changes|news|whats[-_ ]?new", re.IGNORECASE)
_OF_A_RELEASE: Final = lazy_pattern(r"v?\d{1,9}(?:[._-]\w{1,9}){0,4}\.(?:md|rst|txt|adoc)", re.IGNORECASE)


def entry_chunks(board: Board) -> ChunkScores:
    """For each chunk: whether a new entry of the changelog has its place there, where the request wants one.

    That is the beginning of the changelog, or any part of the newest file where each release has one.
    """
    scores, postings = dict[int, float](), board.view.postings
    newest = board.view.files.derive(newest_record) if wants_entry(board.query.text) else None
    if newest is not None:
        is_of_one_release = bool(_OF_A_RELEASE.fullmatch(board.view.files[newest].path.rpartition("/")[2]))
        for number in postings.chunks_of(newest):
            scores[number] = float(is_of_one_release or postings.chunk(number).start_line <= _ENTRY_LINES)
    return scores_of(scores)


_DEEPEST_OVERVIEW: Final = 2  # folders above that of a document on the structure, which may be that of one part


def overviews(files: FileTable) -> list[int]:
    """The documents that tell, by their names, how the project, or a part of it, is structured."""
    own = files.of_classes(lambda each: each.kind.is_document and not each.traits).tolist()
    return [number for number in own if tells_structure(files.paths[number], _DEEPEST_OVERVIEW)]


def own_overviews(files: FileTable) -> list[int]:
    """The same without guides for contributors, of which only some sections are on the structure."""
    return [number for number in overviews(files) if not is_guide(files.paths[number])]


def overview_chunks(board: Board) -> ChunkScores:
    """For each chunk: whether it is of a document on the structure, where the request asks how parts work together.

    Of a guide for contributors only the sections count that are on the structure.
    """
    view = board.view
    files = view.files.derive(overviews) if wants_structure(board.query.text) else []
    found = ((number, view.files.entries.paths[file]) for file in files for number in view.postings.chunks_of(file))
    return scores_of(
        {n: 1.0 for n, path in found if not is_guide(path) or is_on_structure(view.postings.chunk(n).heading)}
    )


def guide_chunks(board: Board) -> ChunkScores:
    """For each chunk: whether it is of a guide for contributors, where somebody wants to build, test or contribute."""
    files, is_asked = board.view.files.entries, Aim.ONBOARD in aims_of(board.query.text)
    own = files.of_classes(lambda each: each.kind.is_document and not each.traits).tolist() if is_asked else []
    guides = (number for number in own if is_guide(files.paths[number]))
    return scores_of({chunk: 1.0 for number in guides for chunk in board.view.postings.chunks_of(number)})


def newest_record(files: FileTable) -> int | None:
    """The changelog nearest to the top, or the file of the newest release where each has one; None without any."""
    changelogs: list[tuple[int, str, int]] = []
    of_releases: list[tuple[tuple[int, ...], str, int]] = []
    for number in files.of_classes(lambda each: each.kind.is_document and not each.traits).tolist():
        path = files.paths.listed[number]
        above, _, name = path.rpartition("/")
        if _CHANGELOG.fullmatch(name):
            changelogs.append((path.count("/"), path, number))
        elif _RELEASES.fullmatch(above.rpartition("/")[2]) and _OF_A_RELEASE.fullmatch(name):
            of_releases.append((tuple(map(int, _NUMBERS.findall(name))), path, number))
    return min(changelogs)[-1] if changelogs else max(of_releases, default=(0, None))[-1]


_MOST_OF_LITERAL: Final = 40  # chunks: a number or name in more of them is none of one thing


def literal_chunks(board: Board) -> ChunkScores:
    """For each chunk: it has a literal of the request, in any spelling.

    That is an option of several words or a long number of a short request, or a name with several hyphens. The
    words alone are those of much else: ``--changed-within`` is about neither changes nor what is within, and of
    1,800,000 there are three. A review may be longer: its numbers are values that change.
    """
    query, postings, numbers = board.query, board.view.postings, set[int]()
    is_short = query.shape is Shape.QUESTION
    for option in options_of(query.text) if is_short else ():
        docs = postings.terms("word", option.lower()).docs
        if len(docs) <= MOST_HOLDING:
            numbers |= set(docs.tolist())
    for digits in long_numbers_of(query.text) if is_short or Aim.REVIEW in aims_of(query.text) else ():
        numbers |= set(_holders_of_number(board, digits))
    for name in {match[0] for match in _HYPHENATED.finditer(query.text)}:
        numbers |= set(_holders_of_name(board, name))
    return scores_of(dict.fromkeys(numbers, 1.0))


# A word with one hyphen is mostly English: "built-in", "copy-pasted"; but not where a letter is before it: ``v-once``.
_HYPHENATED: Final = lazy_pattern(
    r"(?<![\w/.@:#-])(?:[a-z][a-z0-9]{1,30}(?:-[a-z0-9]{1,30}){2,6}|[a-z]-[a-z]{2,20})(?![\w/@-]|\.\w)"
)


def _holders_of_name(board: Board, name: str) -> list[int]:
    """The chunks with a name in any spelling, where one has it as a key or in quotation marks; none if too many do."""
    found = chunks_with_name(board, tuple(name.split("-")), name)
    if len(found) > _MOST_OF_LITERAL:
        return []
    as_key = re.compile(rf"(?m:^[ \t]*|[\"'`<]){re.escape(name)}(?:[\"'`>=:]|[ \t]+[^ \t])")
    texts = (text_of(board, number) for number, is_as_written in found.items() if is_as_written)
    return list(found) if any(map(as_key.search, texts)) else []


def text_of(board: Board, number: int) -> str:
    """Return the text of a chunk."""
    chunk, path = board.view.postings.chunk(number), board.view.files[int(board.view.postings.chunk_file[number])].path
    return board.view.files.lines(path, chunk.start_line, chunk.end_line)


def literal_files(board: Board) -> Scores:
    """For each file: it contains a literal of the request."""
    return board.files_max(literal_chunks(board))


def _holders_of_number(board: Board, digits: str) -> list[int]:
    """The chunks with a number: 1800000, 1_800_000 or 1,800,000; none if too many have it."""
    import numpy as np

    written = f"{int(digits):,}"
    groups = written.split(",")
    postings = board.view.postings
    whole = [postings.terms("word", mark.join(groups)).docs for mark in ("", "_")]
    apart = postings.terms("word", groups[-1]).docs
    for group in groups[1:-1]:
        apart = apart[among(apart, postings.terms("word", group).docs)]
    if len(groups) == 1 or len(apart) > MOST_HOLDING:
        apart = apart[:0]
    spelled = [number for number in apart.tolist() if written in text_of(board, number)]
    found = sorted({*np.concatenate(whole).tolist(), *spelled})
    return found if len(found) <= _MOST_OF_LITERAL else []


_FULL_SIZE = 8.0  # ln(lines + 1) of a file that cannot gain more: about 3,000 lines


def size_prior(board: Board) -> Scores:
    """min(1, ln(lines + 1) / 8)."""
    import numpy as np

    return np.minimum(1.0, np.log1p(board.view.postings.file_lines) / _FULL_SIZE)
