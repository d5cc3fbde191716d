"""Signals of what a request refers to without its name: the code behind a text that users see, behind an endpoint."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final

from ctxpack.light import lazy_pattern
from ctxpack.model import Lane, Trait
from ctxpack.query.mentions import quotes_of
from ctxpack.query.precedents import METHODS, Endpoint, endpoints_of
from ctxpack.query.subtokens import raw_words, share_of_quotation, split, stem_of
from ctxpack.rank.bm25 import ChunkScores, scores_of
from ctxpack.rank.board import Board, Explained
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


def chunks_using_messages(board: Board) -> ChunkScores:
    """For each chunk: it uses the key of a message that the request quotes, such as ``t("errors.too_long")``.

    The text that users see is often in a file of translations alone.
    """
    scores: dict[int, float] = {}
    for number, words in _quoted_messages(board):
        for key in _keys_in(board, number, words):
            users = _users_of_key(board, key)
            named = [user for each in users for user in _users_of_key(board, _constant_with(board, each, key))]
            for group, share in ((users, 1.0), (named, _OF_CONSTANT)):
                scores |= {each: max(scores.get(each, 0.0), share * len(group) ** -0.5) for each in group}
        for original in _originals_in(board, number, words):
            holders = texts.holders_of_quotation(board, original).items()
            scores |= {each: max(scores.get(each, 0.0), share) for each, share in holders if _is_code(board, each)}
    return scores_of(scores)


def files_using_messages(board: Board) -> Scores:
    """For each file: it uses the key of a message that the request quotes."""
    return board.files_max(chunks_using_messages(board))


def _quoted_messages(board: Board) -> list[tuple[int, tuple[str, ...]]]:
    """The chunks of translations and settings that hold a quotation of the request, each with its words."""
    found: list[tuple[int, tuple[str, ...]]] = []
    for words in quotes_of(board.query.text):
        for number in texts.holders_of_quotation(board, words):
            file = _file_of(board, number)
            if Trait.TRANSLATION in file.traits or file.kind.lane is Lane.CONFIG:
                found.append((number, words))
    return found[:_MOST_MESSAGES]


def _file_of(board: Board, number: int) -> SourceFile:
    return board.view.files[int(board.view.postings.chunk_file[number])]


def _is_code(board: Board, number: int) -> bool:
    file = _file_of(board, number)
    return file.kind.lane is Lane.CODE and Trait.TRANSLATION not in file.traits


def _keys_in(board: Board, number: int, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The keys under which a chunk has a quotation, on its line or the one above, after the names around each.

    Such as ``("en", "errors", "too_long")``, with the name of the file as the first.
    """
    path = _file_of(board, number).path
    lines = board.view.files.all_lines(path)
    for at in _lines_with(board, number, words):
        at_key = next((line for line in (at, at - 1) if line >= 0 and _KEY.match(lines[line])), None)
        if at_key is not None:
            key = (stem_of(path), *_names_around(lines, at_key), *_key_of(lines[at_key]).split("."))
            is_form = key[-1] in _FORMS_OF_MESSAGE or key[-1] == key[0].removesuffix("s") == "message"
            yield key[:-1] if is_form else key


def _lines_with(board: Board, number: int, words: tuple[str, ...]) -> list[int]:
    """The lines of a chunk, from 0 for the first of its file, that hold most of a quotation."""
    chunk = board.view.postings.chunk(number)
    lines = board.view.files.all_lines(_file_of(board, number).path)[: chunk.end_line]
    numbers = range(chunk.start_line - 1, len(lines))
    return [at for at in numbers if share_of_quotation(words, lines[at]) >= texts.QUOTED_SHARE]


def _originals_in(board: Board, number: int, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words of the messages of which a chunk of a gettext catalogue has a quotation as the translation."""
    path = _file_of(board, number).path
    lines = board.view.files.all_lines(path) if path.endswith(texts.CATALOGUES) else []
    for at in _lines_with(board, number, words) if lines else ():
        above = range(at, max(-1, at - _LINES_OF_MESSAGE), -1)
        end = next((line for line in above if lines[line].startswith("msgstr")), at)
        before = range(end, max(-1, end - _LINES_OF_MESSAGE), -1)
        start = next((line for line in before if lines[line].startswith("msgid ")), end)
        text = " ".join(re.sub(r'^\s*(?:msgid\s*)?"|"\s*$', "", line) for line in lines[start:end])
        yield tuple(word.lower() for word in raw_words(text))


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


def _names_around(lines: Sequence[str], at: int) -> tuple[str, ...]:
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
        found = [number for number in _chunks_with_words(board, written) if _is_use(board, number, written)]
        if found and len(found) <= _MOST_USING:
            return found
        if start == -_NAMES_AROUND:
            found = [number for number in _chunks_with_words(board, key[-1]) if _is_use_in_place(board, number, key)]
            if found:
                return found
    return []


def _is_use_in_place(board: Board, number: int, key: tuple[str, ...]) -> bool:
    """Whether a chunk has the last name of a key as ``t(".name")``: the names around it are in its path or symbol."""
    is_short = re.search(rf"[\"'`]\.{re.escape(key[-1])}[\"'`]", texts.text_of(board, number)) is not None
    words = set(split(_file_of(board, number).path)) | set(split(board.view.postings.chunk(number).symbol))
    return is_short and words.issuperset(part for name in key[-_NAMES_AROUND:-1] for part in split(name))


def _chunks_with_words(board: Board, name: str, around: str = "") -> list[int]:
    """The chunks of code with all subtokens of a name; none if too many have them.

    Then only those in files that also have what stands ``around`` it.
    """
    import numpy as np

    postings = board.view.postings
    held = [np.sort(postings.terms("sub", part).docs) for word in raw_words(name) for part in split(word)]
    numbers = reduce(np.intersect1d, held) if held else np.zeros(0, np.int64)
    code = board.view.files.entries.of_classes(
        lambda each: each.kind.lane is Lane.CODE and Trait.TRANSLATION not in each.traits
    )
    numbers = numbers[np.isin(postings.chunk_file[numbers], code)]
    for part in (part for word in raw_words(around) for part in split(word)) if len(numbers) > _MOST_READ else ():
        files = np.union1d(postings.file_terms("sub", part).docs, postings.file_terms("path", part).docs)
        numbers = numbers[np.isin(postings.chunk_file[numbers], files)]
    found: list[int] = numbers.tolist()
    return found if len(found) <= _MOST_READ else []


def _is_use(board: Board, number: int, name: str) -> bool:
    """Whether a chunk has a name; a plain word only in quotation marks, as a symbol, or after what has texts."""
    is_plain = name.isalpha() and name.islower()
    before, after = (_BEFORE_WORD, "(?![\\w.-])") if is_plain else ("(?<![\\w-])", "(?![\\w-])")
    return re.search(f"{before}{re.escape(name)}{after}", texts.text_of(board, number)) is not None


# --- endpoints --------------------------------------------------------------------------------------------------------

_HOLE: Final = lazy_pattern(r"(?P<before>[\w.@~-]*+)[:*$<{\[(\\].*")  # what stands for any part, in any notation
_FORMAT_OF_ROUTE: Final = lazy_pattern(r"\.(?:json|xml|rss|[{:][^/]{1,40})$|\(\.:\w{1,20}\)$")
_PREFIX: Final = lazy_pattern(r"api|rest|v\d{1,2}", re.IGNORECASE)  # mostly set elsewhere, for all routes at once
_LITERAL: Final = lazy_pattern(
    rf"[\"'`](?P<text>(?:(?P<method>{METHODS})[ \t]+)?[\w.~%:@$*+=<>{{}}\[\]()?|\\^/-]{{1,160}})[\"'`]"
)
_METHOD_OF_LINE: Final = lazy_pattern(
    r"(?:^|[\s.@\[]|Http|Route::)(?P<call>(?i:get|post|put|patch|delete))(?:Mapping)?(?=[\s(])"
    r"|(?:[\"']|[Mm]ethods?\.)(?P<name>GET|POST|PUT|PATCH|DELETE)\b"
)
_TAKES_VALUE: Final = lazy_pattern(r" = |\b(?:return|if)\b")  # such as ``limit = query.get("limit")``
_NAME_ON_LINE: Final = lazy_pattern(r"[A-Za-z_]\w{3,80}")
_ENDS_OF_ROUTES: Final = frozenset({"route", "page", "index", "+page", "+server", "_index", "mod"})
_MOST_ENDPOINTS: Final = 3  # of a request
_MOST_SERVING: Final = 8  # chunks with an endpoint: in more of them it says nothing
_LEAST_SHARED: Final = 0.5  # of the fixed parts of an endpoint
_MOUNTED: Final = 0.7  # what a fixed part counts that is elsewhere in the file: routes are mounted under others
_OTHER_METHOD, _NO_METHOD = 0.6, 0.8  # of the score, where a line is about another method than the request, or of none
_CALLER: Final = 0.7  # of the score, where the endpoint is filled in: what serves it has names there instead
_FILLED_IN: Final = lazy_pattern(r"%[ds]|\$\{")
_GROUP: Final = 0.8  # of the score, for a route that the end of the endpoint, a number or the like, comes behind
_HANDLER: Final = 0.9  # of the score, for the function that a route names
_OTHER_CHUNK: Final = 0.7  # of the score, for what is beside the function of the method in a file that is a route
_MOST_HANDLERS: Final = 2  # definitions of a name: with more it is unclear which is meant


def serving_chunks(board: Board) -> ChunkScores:
    """For each chunk: it serves an endpoint of the request, such as the function behind ``GET /v1/users/3``."""
    return scores_of({number: score for number, (score, _) in _servers(board).items()})


def serving_files(board: Board) -> Explained:
    """For each file: it serves an endpoint of the request, by the routes in it or by its place in the project."""
    servers = _servers(board)
    scores = scores_of({number: score for number, (score, _) in servers.items()})
    served = {int(board.view.postings.chunk_file[number]): endpoint for number, (_, endpoint) in servers.items()}
    return Explained(board.files_max(scores), {file: f"its file answers or calls {it}" for file, it in served.items()})


def _servers(board: Board) -> dict[int, tuple[float, Endpoint]]:
    """The chunks that serve an endpoint of the request, with how sure that is (0..1), and the endpoint."""
    found: dict[int, tuple[float, Endpoint]] = {}
    for endpoint in _endpoints(board):
        scores = _by_literals(board, endpoint)
        for number, score in _by_files(board, endpoint).items():
            scores[number] = max(score, scores.get(number, 0.0))
        best = max(scores.values(), default=0.0)
        near = {number: score for number, score in scores.items() if score >= _OTHER_CHUNK * best}
        found |= {number: (score, endpoint) for number, score in near.items() if len(near) <= 2 * _MOST_SERVING}
    return found


def _endpoints(board: Board) -> list[Endpoint]:
    """The endpoints in the text of a request that may be those of a server, and are no files of this repository."""
    terms = board.view.postings.terms
    found = endpoints_of(
        board.query.text, lambda part: any(_is_own_code(board, each) for each in terms("word", part.lower()).docs)
    )
    return [each for each in found if "/".join(each.parts) not in board.view.files.numbers][:_MOST_ENDPOINTS]


def lines_of_routes(board: Board, number: int) -> list[int]:
    """The lines of a chunk, numbered as in its file, that lead an endpoint of the request to a function elsewhere."""
    chunk, lines = board.view.postings.chunk(number), texts.text_of(board, number).split("\n")
    return [
        at
        for endpoint in _endpoints(board)
        for at, line in enumerate(lines, chunk.start_line)
        if _fit_of_line(board, number, line, endpoint) >= _OTHER_CHUNK
        and any(board.view.postings.chunk(each).symbol != chunk.symbol for each in _handlers_on(board, number, line))
    ]


def _by_literals(board: Board, endpoint: Endpoint) -> dict[int, float]:
    """The chunks with a route that an endpoint fits, and those that define what such a line names.

    The last part of an endpoint may be what is filled into a route: ``/reports/weekly`` for ``/reports/:period``.
    """
    scores, fixed = dict[int, float](), endpoint.fixed
    for ends in (range(len(fixed), len(fixed) + 1), range(len(fixed) - 1, 1, -1)):
        runs = [(fixed[start:end], fixed[:start]) for end in ends for start in range(end)]
        found = [_chunks_with_words(board, " ".join(run), " ".join(before)) for run, before in runs]
        for number in dict.fromkeys(each for numbers in found for each in numbers if _is_own_code(board, each)):
            for line in texts.text_of(board, number).split("\n"):
                score = _fit_of_line(board, number, line, endpoint)
                handlers = _handlers_on(board, number, line) if score else ()
                for each, share in ((number, 1.0), *((each, _HANDLER) for each in handlers)):
                    scores[each] = max(share * score, scores.get(each, 0.0))
        if scores := {number: score for number, score in scores.items() if score >= _LEAST_SHARED}:
            break
    return scores


def _is_own_code(board: Board, number: int) -> bool:
    return _is_code(board, number) and not _file_of(board, number).traits


def _fit_of_line(board: Board, number: int, line: str, endpoint: Endpoint) -> float:
    """How much of an endpoint a route on a line has: 1 for all of its fixed parts."""
    best, methods_of_line = 0.0, {(match["call"] or match["name"]).upper() for match in _METHOD_OF_LINE.finditer(line)}
    for match in _LITERAL.finditer(line):
        if "/" not in match["text"] and (not methods_of_line or _TAKES_VALUE.search(line)):
            continue
        written = match["text"].removeprefix(match["method"] or "").strip().split("/")
        route = [bare for part in written if (bare := part.strip("^$"))]
        methods = methods_of_line | ({match["method"]} if match["method"] else set())
        share = 1.0 if not endpoint.method or endpoint.method in methods else _OTHER_METHOD if methods else _NO_METHOD
        share *= _CALLER if _FILLED_IN.search(match["text"]) else 1.0
        ends = ((endpoint.parts, 1.0), (endpoint.without_end, _GROUP))
        best = max(best, *(share * of_end * _fit(board, number, parts, route, endpoint) for parts, of_end in ends))
    return best


def _fit(board: Board, number: int, parts: Sequence[str], route: Sequence[str], endpoint: Endpoint) -> float:
    """The share of fixed parts of an endpoint that a route has; those before it count where its file has them."""
    shared = _count_shared(parts, route)
    if not shared:
        return 0.0
    before = [part for part in parts[: len(parts) - len(route)] if part in endpoint.fixed]
    mounted = sum(_PREFIX.fullmatch(part) is not None or _holds_part(board, number, part) for part in before)
    return (shared + _MOUNTED * mounted) / sum(part in endpoint.fixed for part in parts)


def _count_shared(parts: Sequence[str], route: Sequence[str]) -> int:
    """How many parts at the end of an endpoint are the same as those of a route; 0 where it does not fit."""
    if not route or len(route) > len(parts):
        return 0
    pairs = [
        (_FORMAT_OF_ROUTE.sub("", part).lower(), _FORMAT_OF_ROUTE.sub("", own).lower())
        for part, own in zip(parts[-len(route) :], route, strict=True)
    ]
    holes = ((part, own, _HOLE.fullmatch(own)) for part, own in pairs)
    fits = (part == own or (hole is not None and part.startswith(hole["before"])) for part, own, hole in holes)
    return sum(part == own for part, own in pairs) if all(fits) else 0


def _holds_part(board: Board, number: int, part: str) -> bool:
    """Whether the file of a chunk has the words of a part of an endpoint, in its path or its text."""
    file = int(board.view.postings.chunk_file[number])
    words = [token for word in raw_words(part) for token in split(word)]
    postings = board.view.postings
    held = [file in postings.file_terms(field, word).docs for word in words for field in ("path", "sub")]
    return bool(words) and all(path or text for path, text in zip(held[::2], held[1::2], strict=True))


def _handlers_on(board: Board, number: int, line: str) -> Iterator[int]:
    """The chunks of code that define what a line with a route names.

    Of several definitions, and of what stands in quotation marks, those that its file imports, or beside it, or in a
    file that the line names: ``"users#show"``, ``[UserController::class, 'show']``.
    """
    path, postings = _file_of(board, number).path, board.view.postings
    outside = set(_NAME_ON_LINE.findall(_LITERAL.sub(" ", line)))
    names = [each for each in _NAME_ON_LINE.findall(line) if each.upper() not in METHODS.split("|")]
    imported = {path, *board.view.graph.imports(path)}

    def is_near(each: int) -> bool:
        other = _file_of(board, each).path
        is_beside = other in imported or other.rpartition("/")[0] == path.rpartition("/")[0]
        return (is_beside and name in outside) or any(
            stem_of(other).lower().startswith(file.lower()) for file in names if file != name
        )

    for name in dict.fromkeys(names if "href=" not in line else ()):
        found = [each for each in postings.terms("definition", name.lower()).docs.tolist() if _is_own_code(board, each)]
        if len(found) > _MOST_HANDLERS or name not in outside:
            found = [each for each in found if is_near(each)]
        if len(found) <= _MOST_HANDLERS:
            chunks = ((each, postings.chunk(each)) for each in found)
            yield from (each for each, chunk in chunks if last_name(chunk.symbol) == name and chunk.kind != "rule")


def _by_files(board: Board, endpoint: Endpoint) -> dict[int, float]:
    """The chunks of files whose places in the project are the endpoint: ``app/api/users/[id]/route.ts``."""
    scores: dict[int, float] = {}
    last = endpoint.fixed[-1].lower()
    for number, path in enumerate(board.view.files.entries.paths.listed):
        if last in path.lower() and _is_route(path, endpoint.parts):
            chunks = board.view.postings.chunks_of(number)
            scores |= {
                n: 1.0 if _is_of_method(board, n, endpoint) else _OTHER_CHUNK for n in chunks if _is_own_code(board, n)
            }
    return scores


def _is_route(path: str, parts: tuple[str, ...]) -> bool:
    """Whether a file is where a framework looks for what serves an endpoint."""
    *folders, name = path.split("/")
    stem = re.sub(r"\.(?:server|client)$", "", name.rpartition(".")[0])
    tail = [] if stem in _ENDS_OF_ROUTES else stem.split(".")
    route = [part for part in (*folders, *tail) if not part.startswith(("(", "@"))]
    is_long = len(parts) > 1 or not tail
    return is_long and len(route) >= len(parts) and _count_shared(parts, route[-len(parts) :]) > 0


def _is_of_method(board: Board, number: int, endpoint: Endpoint) -> bool:
    name = last_name(board.view.postings.chunk(number).symbol)
    return not endpoint.method or name.upper() == endpoint.method
