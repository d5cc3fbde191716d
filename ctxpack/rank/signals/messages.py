"""Signals of texts that users see: the code that shows a text of the request, itself or by its key in a catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ctxpack.index.postings import among
from ctxpack.light import lazy_pattern
from ctxpack.model import Lane, Trait
from ctxpack.model.columns import FileTable
from ctxpack.query.precedents import Caption, captions_of, quotes_of
from ctxpack.query.subtokens import MIN_PART, raw_words, share_of_quotation, split, stem_of
from ctxpack.rank.bm25 import ChunkScores, scores_of
from ctxpack.rank.board import Board
from ctxpack.rank.signals import texts
from ctxpack.text import last_name

if TYPE_CHECKING:
    from ctxpack.model import SourceFile
    from ctxpack.rank.bm25 import Scores


# The name of a value at the beginning of a line: in quotation marks, bare, or in an attribute.
_KEY: Final = lazy_pattern(
    r"""[ \t]*(?:(?P<mark>["'])(?P<quoted>[^"'\n]{1,100})(?P=mark)|(?P<bare>[\w.-]{1,100}))[ \t]*(?:=>|[:=])"""
    r"""|[ \t]*<(?:string|data|entry)\b[^>\n]{0,40}?\bname="(?P<named>[^"\n]{1,100})\""""
)
_SECTION: Final = lazy_pattern(r"\[{1,2}(?P<name>[\w.-]{1,100})\]{1,2}[ \t]*$")
_MOST_MESSAGES: Final = 6  # chunks with a quotation: it may be in the files of several languages
_OF_CONSTANT: Final = 0.8  # of the score, for what uses a constant with the key
_LINES_OF_MESSAGE: Final = 30  # of a catalogue, at most
_LINES_ABOVE: Final = 400  # in which the names around a key are looked for
_NAMES_AROUND: Final = 3  # of a key, that may be written before it where it is used
_FORMS_OF_MESSAGE: Final = frozenset("zero one two few many other".split())  # noqa: SIM905 - by count, below its key
_MOST_USING: Final = 8  # chunks that use a key: in more of them it is the name of much else
_BEFORE_WORD: Final = r"(?:[\"'`:]|(?i:strings?|messages|resources|l10n|i18n)[./]|\(context\)!?\.)"
_MOST_READ: Final = 200  # chunks that hold the words of a key
# The name under which code declares a text: before it (a constant, an error of Go), around it (a member of an enum of
# Java), or on a line below an attribute with it (a variant of Rust, a member of C#). A variable is no such name.
_DECLARED: Final = r"(?:[A-Z]|err[A-Z])\w{3,100}"
_NAMED_TEXT: Final = lazy_pattern(
    rf"(?:^|[\s.])(?P<name>{_DECLARED})(?:[ \t]*:[ \t]*[&'\w]{{1,40}})?[ \t]*(?::?=|:|=>)[ \t]*"
    rf"(?:[\w.!]{{1,60}}\()?\w?[\"'`]"
    rf"|^[ \t]*(?P<member>{_DECLARED})\([^\"\n]{{0,60}}\""
)
_ATTRIBUTE: Final = lazy_pattern(r"[ \t]*(?:#\[|\[|@)\w")
_BELOW_ATTRIBUTE: Final = lazy_pattern(rf"[ \t]*(?P<name>{_DECLARED})[ \t]*(?:[({{,;=]|$)")
_LINES_OF_ATTRIBUTE: Final = 3


def chunks_using_messages(board: Board) -> ChunkScores:
    """For each chunk: it uses the key of a message that the request quotes, such as ``t("errors.too_long")``.

    The text that users see is often in a file of translations alone.
    """
    scores: dict[int, float] = {}
    for number, words in _quoted_messages(board):
        lines = _lines_with(board, number, words)
        for key in _keys_on(board, number, lines):
            users = _users_of_key(board, key)
            named = [user for each in users for user in _users_of_key(board, _constant_with(board, each, key))]
            for group, share in ((users, 1.0), (named, _OF_CONSTANT)):
                scores |= {each: max(scores.get(each, 0.0), share * len(group) ** -0.5) for each in group}
        for original in _originals_on(board, number, lines):
            holders = texts.holders_of_quotation(board, tuple(word.lower() for word in raw_words(original))).items()
            scores |= {each: max(scores.get(each, 0.0), share) for each, share in holders if is_code(board, each)}
    for number, name in _texts_in_code(board):
        users = [each for each in code_with_words(board, name) if each != number and _is_use(board, each, name)]
        if len(users) <= _MOST_USING:
            scores |= {each: max(scores.get(each, 0.0), len(users) ** -0.5) for each in users}
    for number, score in _showing_captions(board).items():
        scores[number] = max(scores.get(number, 0.0), score)
    return scores_of(scores)


def files_using_messages(board: Board) -> Scores:
    """For each file: it uses the key of a message that the request quotes."""
    return board.files_max(board.derive(chunks_using_messages))


def _quoted_messages(board: Board) -> list[tuple[int, tuple[str, ...]]]:
    """The chunks of translations and settings that hold a quotation of the request, each with its words."""
    found: list[tuple[int, tuple[str, ...]]] = []
    for words in quotes_of(board.query.text):
        for number in texts.holders_of_quotation(board, words):
            file = file_of(board, number)
            if Trait.TRANSLATION in file.traits or file.kind.lane is Lane.CONFIG:
                found.append((number, words))
    return found[:_MOST_MESSAGES]


def _texts_in_code(board: Board) -> Iterator[tuple[int, str]]:
    """The chunks of code that declare a quotation of the request under a name that others can use, each with it."""
    for words in quotes_of(board.query.text):
        holders = [each for each in texts.holders_of_quotation(board, words) if is_code(board, each)]
        for number in holders[:_MOST_MESSAGES]:
            lines = board.view.files.all_lines(file_of(board, number).path)
            for name in (_name_of_text(lines, at) for at in _lines_with(board, number, words)):
                if len(split(name)) > 1:
                    yield number, name


def _name_of_text(lines: Sequence[str], at: int) -> str:
    """The name that code gives to the text on a line; ``""`` where it has none."""
    below = [line for line in lines[at + 1 : at + 1 + _LINES_OF_ATTRIBUTE] if not _ATTRIBUTE.match(line)]
    if _ATTRIBUTE.match(lines[at]):
        match = _BELOW_ATTRIBUTE.match(below[0]) if below else None
    else:
        match = _NAMED_TEXT.search(lines[at])
    return next((each for each in match.groupdict().values() if each), "") if match else ""


def file_of(board: Board, number: int) -> SourceFile:
    """Return the file of a chunk."""
    return board.view.files[int(board.view.postings.chunk_file[number])]


def is_code(board: Board, number: int) -> bool:
    """Whether a chunk is of code that is no translation."""
    file = file_of(board, number)
    return file.kind.lane is Lane.CODE and Trait.TRANSLATION not in file.traits


def _keys_on(board: Board, number: int, numbers: Iterable[int]) -> Iterator[tuple[str, ...]]:
    """The keys of a chunk on some of its lines, or the ones above them, after the names around each.

    Such as ``("en", "errors", "too_long")``, with the name of the file as the first.
    """
    path = file_of(board, number).path
    lines = board.view.files.all_lines(path)
    for at in numbers:
        at_key = next((line for line in (at, at - 1) if line >= 0 and _KEY.match(lines[line])), None)
        if at_key is not None:
            key = (stem_of(path), *names_around(lines, at_key), *_key_of(lines[at_key]).split("."))
            is_form = key[-1] in _FORMS_OF_MESSAGE or key[-1] == key[0].removesuffix("s") == "message"
            yield key[:-1] if is_form else key


def _lines_with(board: Board, number: int, words: tuple[str, ...]) -> list[int]:
    """The lines of a chunk, from 0 for the first of its file, that hold most of a quotation."""
    chunk = board.view.postings.chunk(number)
    lines = board.view.files.all_lines(file_of(board, number).path)[: chunk.end_line]
    numbers = range(chunk.start_line - 1, len(lines))
    return [at for at in numbers if share_of_quotation(words, lines[at]) >= texts.QUOTED_SHARE]


def _originals_on(board: Board, number: int, numbers: Iterable[int]) -> Iterator[str]:
    """The messages of which a chunk of a gettext catalogue has the translations on some of its lines."""
    path = file_of(board, number).path
    lines = board.view.files.all_lines(path) if path.endswith(texts.CATALOGUES) else []
    for at in numbers if lines else ():
        above = range(at, max(-1, at - _LINES_OF_MESSAGE), -1)
        end = next((line for line in above if lines[line].startswith("msgstr")), at)
        before = range(end, max(-1, end - _LINES_OF_MESSAGE), -1)
        start = next((line for line in before if lines[line].startswith("msgid ")), end)
        yield "".join(re.sub(r'^\s*(?:msgid\s*)?"|"\s*$', "", line) for line in lines[start:end])


def _constant_with(board: Board, number: int, key: tuple[str, ...]) -> tuple[str, ...]:
    """The constant of a chunk that has a key as its value, after the name around it; empty for none."""
    before = r"(?P<name>\w{2,100})[ \t]{0,9}[:=][ \t]{0,9}[\"'`](?:[\w-]{1,60}[.:]){0,6}"
    constant = re.compile(rf"{before}{re.escape(key[-1])}[\"'`][,;]?")
    found = (constant.fullmatch(line.strip()) for line in texts.text_of(board, number).split("\n"))
    name = next((match["name"] for match in found if match), "")
    around = last_name(board.view.postings.chunk(number).symbol)
    return (around, name) if name and around else ()


def _key_of(line: str) -> str:
    match = _KEY.match(line)
    return next((each for each in match.group("quoted", "bare", "named") if each), "") if match else ""


def names_around(lines: Sequence[str], at: int) -> tuple[str, ...]:
    """The names around the key on a line, the outermost first: of lines with less indentation, or of a section."""
    names, indent = list[str](), _indent(lines[at])
    for line in reversed(lines[max(0, at - _LINES_ABOVE) : at]):
        if (section := _SECTION.match(line)) is not None:
            return (*section["name"].split("."), *names)
        if line.strip() and _indent(line) < indent:
            indent = _indent(line)
            names[:0] = [name] if (name := _key_of(line)) else []
    return tuple(names)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _users_of_key(board: Board, key: tuple[str, ...]) -> list[int]:
    """The chunks of code that have a key, with as many of the names around it as any has; none if too many do."""
    for start in range(-min(len(key), _NAMES_AROUND), 0):
        written = ".".join(key[start:])
        found = [number for number in code_with_words(board, written) if _is_use(board, number, written)]
        if found and len(found) <= _MOST_USING:
            return found
        if start == -_NAMES_AROUND:
            found = [number for number in code_with_words(board, key[-1]) if _is_use_in_place(board, number, key)]
            if found:
                return found
    return []


def _is_use_in_place(board: Board, number: int, key: tuple[str, ...]) -> bool:
    """Whether a chunk has the last name of a key as ``t(".name")``: the names around it are in its path or symbol."""
    is_short = re.search(rf"[\"'`]\.{re.escape(key[-1])}[\"'`]", texts.text_of(board, number)) is not None
    words = set(split(file_of(board, number).path)) | set(split(board.view.postings.chunk(number).symbol))
    return is_short and words.issuperset(part for name in key[-_NAMES_AROUND:-1] for part in split(name))


def code_with_words(board: Board, name: str, around: str = "") -> list[int]:
    """The chunks of code with all subtokens of a name; none if too many have them.

    Then only those in files that also have what stands ``around`` it.
    """
    import numpy as np

    postings = board.view.postings
    numbers = postings.chunks_with_all("sub", (part for word in raw_words(name) for part in split(word)))
    code = board.view.files.entries.of_classes(
        lambda each: each.kind.lane is Lane.CODE and Trait.TRANSLATION not in each.traits
    )
    numbers = numbers[among(postings.chunk_file[numbers], code)]
    for part in (part for word in raw_words(around) for part in split(word)) if len(numbers) > _MOST_READ else ():
        files = np.concatenate([postings.file_terms(field, part).docs for field in ("sub", "path")])
        numbers = numbers[among(postings.chunk_file[numbers], np.sort(files))]
    found: list[int] = numbers.tolist()
    return found if len(found) <= _MOST_READ else []


def _is_use(board: Board, number: int, name: str) -> bool:
    """Whether a chunk has a name; plain words only in quotation marks, as a symbol, or after what has texts."""
    is_plain = " " in name or (name.isalpha() and name.islower())
    before, after = (_BEFORE_WORD, "(?![\\w.-])") if is_plain else ("(?<![\\w-])", "(?![\\w-])")
    return re.search(f"{before}{re.escape(name)}{after}", texts.text_of(board, number)) is not None


# --- captions ---------------------------------------------------------------------------------------------------------

_UNTOLD: Final = 0.5  # of the score of a caption, where only its capital tells that it is one
_MOST_SHOWING: Final = 12  # chunks that show a caption: with more it is a text of much else
_MOST_KEYS: Final = 3  # of a caption of one word: with more it is a common word
_MOST_CATALOGUES, _MOST_CODE = 30, 100  # chunks with the words of a caption that are read
_MARKUP: Final = frozenset(
    "html vue tsx jsx svelte twig jinja blade astro xml xaml dart swift kotlin handlebars haml slim pug razor".split()  # noqa: SIM905
)
_LEADING: Final = 300  # characters of a readme, in which its project is named


def _showing_captions(board: Board) -> dict[int, float]:
    """The chunks of code that show a caption of the request, in full or by its key."""
    found, taken = dict[int, float](), [f" {' '.join(words)} " for words in quotes_of(board.query.text)]
    for group in captions_of(board.query.text):
        for caption in group:
            written = f" {' '.join(caption.words).lower()} "
            if any(written in each for each in taken):
                break
            if showing := _showing(board, caption):
                score = (1.0 if caption.is_told else _UNTOLD) * len(showing) ** -0.5
                found |= {number: max(score, found.get(number, 0.0)) for number in showing}
                taken.append(written)
                break
    return found


def _showing(board: Board, caption: Caption) -> set[int]:
    """The chunks of code that have a caption as a whole text, or use the key of a message that is the caption."""
    catalogues, code = _chunks_with_caption(board, caption)
    is_one_word = len(caption.words) == 1
    is_name = is_one_word and len(board.view.postings.terms("definition", caption.words[0].lower()).docs) > 0
    if not (catalogues or code) or is_name or (not caption.is_told and _is_project(board, caption)):
        return set()
    is_caption = _caption_pattern(caption)
    keys, originals = set[tuple[str, ...]](), set[str]()
    for number in catalogues:
        chunk = board.view.postings.chunk(number)
        lines = board.view.files.all_lines(file_of(board, number).path)[: chunk.end_line]
        at_caption = [at for at in range(chunk.start_line - 1, len(lines)) if is_caption(_value_on(lines[at]))]
        keys |= {key[-_NAMES_AROUND:] for key in _keys_on(board, number, at_caption)}
        originals |= set(_originals_on(board, number, at_caption))
    if is_one_word and len(keys) > _MOST_KEYS:
        return set()
    found = {user for key in keys for user in _users_of_key(board, key)}
    found |= {user for each in found for key in keys for user in _users_of_key(board, _constant_with(board, each, key))}
    for each in [caption, *(Caption(tuple(original.split()), is_told=True) for original in originals if original)]:
        holds, numbers = _caption_pattern(each), code if each is caption else _chunks_with_caption(board, each)[1]
        found |= {n for n in numbers if any(map(holds, map(str.strip, texts.text_of(board, n).split("\n"))))}
    return found if len(found) <= _MOST_SHOWING else set()


def _chunks_with_caption(board: Board, caption: Caption) -> tuple[list[int], list[int]]:
    """The chunks with all words of a caption: of catalogues, English ones first, and of code, what is shown first."""
    import numpy as np

    postings, files = board.view.postings, board.view.files.entries
    words = [word.lower() for each in caption.words for word in raw_words(each) if len(word) >= MIN_PART]
    numbers = postings.chunks_with_all("word", words)
    numbers = numbers[np.lexsort((numbers, postings.chunk_file[numbers]))]  # in whatever order they were indexed
    of_file = postings.chunk_file[numbers]
    catalogues, markup, code = (
        numbers[among(of_file, files.of_classes(fits))].tolist()
        for fits in (
            lambda each: each.kind.lane is Lane.CONFIG or Trait.TRANSLATION in each.traits,
            lambda each: each.kind.lane is Lane.CODE and not each.traits and each.language in _MARKUP,
            lambda each: each.kind.lane is Lane.CODE and not each.traits and each.language not in _MARKUP,
        )
    )
    catalogues.sort(key=lambda number: "en" not in split(file_of(board, number).path))
    return catalogues[:_MOST_CATALOGUES], [*markup, *code][:_MOST_CODE]


def _caption_pattern(caption: Caption) -> Callable[[str], object]:
    """What tells whether a line, or a value on it, has a caption as a whole text."""
    written = r"\s+".join(map(re.escape, caption.words))
    cased = f"(?i:{written})" if caption.is_told and len(caption.words) > 1 else written
    return re.compile(rf"(?:^|[\"'`>}}]\W{{0,3}}){cased}(?:$|\W{{0,3}}[\"'`<{{]|[.:!?…*]{{1,3}}$)").search


def _value_on(line: str) -> str:
    """What a line of a catalogue has behind its key."""
    match = _KEY.match(line)
    return line[match.end() if match else 0 :].strip(" \t,;")


def _is_project(board: Board, caption: Caption) -> bool:
    """Whether a caption is what the readme of the repository calls the project."""
    name, files = " ".join(caption.words), board.view.files
    return any(name in files.text(files.entries.paths[number])[:_LEADING] for number in files.derive(_readmes))


def _readmes(files: FileTable) -> list[int]:
    """The files at the top, or in a folder there, whose path begins as readmes are called."""
    likely = files.of_folders([not each or each.lower().startswith("readme") for each in files.folders[0]]).tolist()
    return [number for number in likely if files.paths[number].lower().startswith("readme")]
