"""Signals of endpoints: the code that serves what a request asks of a server, by its routes or by its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from ctxpack.light import dataclass, lazy_pattern
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
    return scores_of({number: score for number, (score, _) in board.derive(_servers).items()})


def serving_files(board: Board) -> Explained:
    """For each file: it serves an endpoint of the request, by the routes in it or by its place in the project."""
    servers = board.derive(_servers)
    scores = scores_of({number: score for number, (score, _) in servers.items()})
    served = {int(board.view.postings.chunk_file[number]): endpoint for number, (_, endpoint) in servers.items()}
    return Explained(board.files_max(scores), {file: f"its file answers or calls {it}" for file, it in served.items()})


def _servers(board: Board) -> dict[int, tuple[float, Endpoint]]:
    """The chunks that serve an endpoint of the request, with how sure that is (0..1), and the endpoint."""
    found: dict[int, tuple[float, Endpoint]] = {}
    for endpoint in board.derive(_endpoints):
        scores = _by_literals(board, endpoint)
        for others in (_by_files(board, endpoint), _by_parts_of_routes(board, endpoint)):
            scores |= {number: max(score, scores.get(number, 0.0)) for number, score in others.items()}
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
    leading = dict[int, list[int]]()  # a line -> what it leads to
    for endpoint in board.derive(_endpoints):
        for at, line in enumerate(lines, chunk.start_line):
            if _fit_of_line(board, number, line, endpoint) >= _OTHER_CHUNK:
                leading[at] = list(_handlers_on(board, number, line))
        for its, route, score in _routes_in(board, int(board.view.postings.chunk_file[number]), endpoint):
            if its == number and score >= _OTHER_CHUNK:
                leading[route.at + 1] = list(_functions_of(board, number, route))
    symbols = {each: board.view.postings.chunk(each).symbol for found in leading.values() for each in found}
    return sorted(at for at, found in leading.items() if any(symbols[each] != chunk.symbol for each in found))


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

    def is_near(each: int, name: str) -> bool:
        other = file_of(board, each).path
        is_beside = other in imported or other.rpartition("/")[0] == path.rpartition("/")[0]
        return (is_beside and name in outside) or any(
            stem_of(other).lower().startswith(file.lower()) for file in names if file != name
        )

    for name in dict.fromkeys(names if "href=" not in line else ()):
        found = [each for each in postings.terms("definition", name.lower()).docs.tolist() if _is_own_code(board, each)]
        if len(found) > _MOST_HANDLERS or name not in outside:
            found = [each for each in found if is_near(each, name)]
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


# --- routes that are written in parts ---------------------------------------------------------------------------------

_MOST_TABLES: Final = 40  # files with routes that are read
_TABLE_OF_ROUTES: Final = lazy_pattern(r"rout(?:e|er|es|ing)|urls?|api|web|controllers?|resources?|endpoints?|server")
_PATH_GIVEN: Final = r"(?:(?:value|path|uri|prefix)\s{0,3}[=:]\s{0,3})?r?[\"'`](?P<path>[^\"'`\s]{0,160})[\"'`]"
_OF_VARIABLE: Final = lazy_pattern(
    rf"\b(?P<name>\w{{1,60}})\s{{0,3}}:?=\s{{0,3}}(?:(?P<of>\w{{1,60}})\.)?(?:\w{{1,40}}\.)?"
    rf"(?:Map)?(?:Group|group|APIRouter|Subrouter|Party)\([^\n\"']{{0,60}}{_PATH_GIVEN}"
)
_OF_BLOCK: Final = lazy_pattern(
    r"\b(?:Group|group|Route|route|prefix|scope|namespace)\(?\s{0,3}(?:[\"'](?P<path>[^\"'\s]{0,160})[\"']|:(?P<symbol>\w{1,60}))"
    r"[^\n]{0,200}(?:\{|\(|\bdo(?: \|\w{1,20}\|)?|=>|->)\s{0,9}$"
)
_OF_CLASS: Final = lazy_pattern(
    rf"\s*(?:@|#?\[)(?:Controller|RestController|RequestMapping|Route|RoutePrefix|Path)\({_PATH_GIVEN}"
)
_CLASS: Final = lazy_pattern(r"[\w\s]{0,60}?\b(?:class|interface) (?P<name>\w{1,80}?)(?:Controller)?\b")
_ROUTE: Final = lazy_pattern(
    r"(?P<mark>@|\[Http|\b(?P<of>\w{1,60})\.|\)\.|::|^\s*)(?P<method>(?i:get|post|put|patch|delete))(?:Mapping)?"
    r"(?:(?P<opening>[( ]+)(?P<given>[^\n]*)|\]|\s*$)"
)
_FIRST_PATH: Final = lazy_pattern(rf"\s{{0,3}}(?:{_PATH_GIVEN}|:(?P<symbol>\w{{1,60}}))")
_RESOURCE: Final = lazy_pattern(
    r"\b(?P<word>resources?|apiResources?|register(?:_endpoint)?)\(?\s{0,3}r?(?:[\"'](?P<path>[^\"'\s]{1,80})[\"']|:(?P<symbol>\w{1,60}))"
)
_ONLY: Final = lazy_pattern(r"\b(?P<word>only|except)\b(?P<names>[^\n]*)")
_ID: Final = ":id"
_ACTIONS: Final = (
    ("GET", (), "index list"),
    ("POST", (), "create store"),
    ("GET", ("new",), "new"),
    ("GET", ("create",), "create"),
    ("GET", (_ID,), "show retrieve"),
    ("PUT PATCH", (_ID,), "update partial_update"),
    ("DELETE", (_ID,), "destroy delete"),
    ("GET", (_ID, "edit"), "edit"),
)
"""Of a resource: the methods and what comes behind its name, and what frameworks call the functions."""


@dataclass(frozen=True, slots=True)
class _Route:
    """A route on a line, from 0; of a resource with its name and what the function may be called."""

    at: int
    methods: frozenset[str]
    parts: tuple[str, ...]
    resource: str = ""
    actions: tuple[str, ...] = ()


def _parts_of(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.strip("^$").split("/") if part)


def _put_together(lines: Sequence[str]) -> Iterator[_Route]:
    """The routes of a file that are written in several places: in groups, below a class, or as resources."""
    groups: dict[str, tuple[str, ...]] = {}
    around: list[tuple[int, tuple[str, ...], str]] = []  # the indentation, the parts and the resource of what is open
    waiting: tuple[str, ...] | None = None  # the path of the class that follows
    for at, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        _close(around, line.strip(), indent)
        before = tuple(part for _, parts, _ in around for part in parts)
        if (its := _OF_CLASS.match(line)) is not None and not around:
            waiting = _parts_of(its["path"])
        elif (its := _CLASS.match(line)) is not None and (waiting is not None or its[0].endswith("Controller")):
            around = [(indent, tuple(its["name"] if "[" in each else each for each in waiting or ("[",)), "")]
            waiting = None
        elif (its := _RESOURCE.search(line)) is not None:
            name = its["path"] or its["symbol"]
            yield from _of_resource(at, line, before, name, is_one=its["word"] == "resource")
            if line.rstrip().endswith(" do"):
                around.append((indent, (*_parts_of(name), *(() if its["word"] == "resource" else (_ID,))), name))
        elif (its := _OF_VARIABLE.search(line)) is not None:
            groups[its["name"]] = (*(groups.get(its["of"] or "") or before), *_parts_of(its["path"]))
        elif (its := _OF_BLOCK.search(line)) is not None:
            around.append((indent, _parts_of(its["path"] or its["symbol"] or ""), ""))
        elif (its := _ROUTE.search(line)) is not None:
            yield from _of_line(at, its, line, groups.get(its["of"] or "", before), around)


def _close(around: list[tuple[int, tuple[str, ...], str]], line: str, indent: int) -> None:
    """Take from what is open around a line all that ends before or on it."""
    is_end = line.startswith(("}", ")", "end", "]"))
    while line and around and (indent < around[-1][0] or (is_end and indent == around[-1][0])):
        around.pop()


def _of_line(
    at: int, its: re.Match[str], line: str, before: tuple[str, ...], around: Sequence[tuple[int, tuple[str, ...], str]]
) -> Iterator[_Route]:
    """The route of a line within a group or class, whose path may be empty; in a resource a function of its own."""
    given = _FIRST_PATH.match(its["given"] or "")
    if (before := _path_of_chain(line[: its.start("method")]) or before) and (given or its["mark"] in ("@", "[Http")):
        end = _parts_of((given["path"] or given["symbol"] or "") if given else "")
        resource = around[-1][2] if around else ""
        for parts in (before, before[:-1]) if resource else (before,):
            yield _Route(at, frozenset({its["method"].upper()}), (*parts, *end), resource, end[-1:] if resource else ())


def _path_of_chain(before: str) -> tuple[str, ...]:
    """The path of a group that is made on the line of a route: ``r.Group("/user").POST("", add)``."""
    found = re.search(r"\bGroup\([\"'](/[^\"']{0,80})[\"']", before)
    return _parts_of(found[1]) if found else ()


def _of_resource(at: int, line: str, before: tuple[str, ...], name: str, *, is_one: bool) -> Iterator[_Route]:
    """The routes of a resource, without those that its line excludes."""
    limit = _ONLY.search(line)
    for methods, end, names in _ACTIONS:
        actions = tuple(names.split())
        is_named = limit is not None and not set(re.findall(r"\w+", limit["names"])).isdisjoint(actions)
        if limit is None or is_named == (limit["word"] == "only"):
            behind = tuple(part for part in end if not is_one or part != _ID)
            yield _Route(at, frozenset(methods.split()), (*before, *_parts_of(name), *behind), name, actions)


def _by_parts_of_routes(board: Board, endpoint: Endpoint) -> dict[int, float]:
    """The chunks with a route of several parts that an endpoint fits, and those that define what serves it."""
    scores: dict[int, float] = {}
    for file in _tables_of_routes(board, endpoint):
        for number, route, score in _routes_in(board, file, endpoint):
            served = ((each, _HANDLER) for each in _functions_of(board, number, route))
            for each, share in ((number, 1.0), *served):
                scores[each] = max(share * score, scores.get(each, 0.0))
    return scores


def _routes_in(board: Board, file: int, endpoint: Endpoint) -> Iterator[tuple[int, _Route, float]]:
    """The routes of several parts in a file that an endpoint fits, each with its chunk and how well it fits."""
    postings = board.view.postings
    numbers = postings.chunks_of(file)
    for route in _put_together(board.view.files.all_lines(board.view.files.entries.paths.listed[file])):
        own = route.parts
        while own and len(own) > len(endpoint.parts) and _PREFIX.fullmatch(own[0]):
            own = own[1:]
        number = next((each for each in numbers if postings.chunk(each).end_line > route.at), numbers[-1])
        share = 1.0 if endpoint.method in route.methods else 0.0 if endpoint.method else _NO_METHOD
        score = share * _fit(board, number, endpoint.parts, own, endpoint) if share else 0.0
        if score >= _LEAST_SHARED:
            yield number, route, score


def _tables_of_routes(board: Board, endpoint: Endpoint) -> list[int]:
    """The files that are called as those with routes are, first those with most of the fixed parts of an endpoint."""
    postings, paths = board.view.postings, board.view.files.entries.paths.listed
    counts = Counter[int]()
    for part in endpoint.fixed:
        words = [token for word in raw_words(part) for token in split(word)]
        held = [
            {*postings.file_terms("sub", w).docs.tolist(), *postings.file_terms("path", w).docs.tolist()} for w in words
        ]
        counts.update(set.intersection(*held) if held else ())
    fits = [n for n in counts if any(map(_TABLE_OF_ROUTES.fullmatch, split(paths[n].rpartition("/")[2])))]
    own = [n for n in fits if any(_is_own_code(board, each) for each in postings.chunks_of(n)[:1])]
    return sorted(own, key=lambda n: (-counts[n], paths[n]))[:_MOST_TABLES]


def _functions_of(board: Board, number: int, route: _Route) -> Iterator[int]:
    """The chunks that define what serves a route: what its line names, or the function of the class of a resource."""
    postings = board.view.postings
    named = list(_handlers_on(board, number, board.view.files.all_lines(file_of(board, number).path)[route.at]))
    if not route.resource:
        yield from named
        return
    stem = _parts_of(route.resource)[-1].replace("-", "_").lower()
    forms = {stem, f"{stem}s", f"{stem}es", f"{stem[:-1]}ies"}
    classes = [f"{''.join(each.split('_'))}controller" for each in sorted(forms)]
    docs = (each for name in classes for each in postings.terms("definition", name).docs.tolist())
    named = named or [each for each in docs if _is_own_code(board, each)]
    functions = list[int]()
    for each in named:
        file, owner = int(postings.chunk_file[each]), last_name(postings.chunk(each).symbol)
        its = [n for n in postings.chunks_of(file) if owner in postings.chunk(n).symbol]
        functions += [n for n in its if last_name(postings.chunk(n).symbol) in route.actions]
    yield from functions or named  # of several classes called alike those that have such a function
