"""Signals of endpoints: the code that serves what a request asks of a server, by its routes or by its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ctxpack.light import lazy_pattern
from ctxpack.query.precedents import METHODS, Endpoint, endpoints_of
from ctxpack.query.subtokens import raw_words, split, stem_of
from ctxpack.rank.bm25 import ChunkScores, scores_of
from ctxpack.rank.board import Board, Explained
from ctxpack.rank.signals import texts
from ctxpack.rank.signals.messages import code_with_words, file_of, is_code
from ctxpack.text import last_name

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
        found = [code_with_words(board, " ".join(run), " ".join(before)) for run, before in runs]
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
    return is_code(board, number) and not file_of(board, number).traits


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
    path, postings = file_of(board, number).path, board.view.postings
    outside = set(_NAME_ON_LINE.findall(_LITERAL.sub(" ", line)))
    names = [each for each in _NAME_ON_LINE.findall(line) if each.upper() not in METHODS.split("|")]
    imported = {path, *board.view.graph.imports(path)}

    def is_near(each: int) -> bool:
        other = file_of(board, each).path
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
