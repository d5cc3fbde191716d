"""The component strategy: folders, files, definitions and pages with a name or a similar one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from ctxpack.discover.traits import is_licence_or_credits, is_record, is_style_sheet
from ctxpack.errors import NothingFoundError, suggest
from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span
from ctxpack.gather.fragments import Role, line_count, lines_piece, whole_piece
from ctxpack.gather.long_texts import body_of, document_pieces, regions_of
from ctxpack.gather.outlines import Room, gaps_between, outline_gaps, span_of
from ctxpack.gather.similarity import Match, has_words, key_of, nearest_names, split_name
from ctxpack.gather.strategies.pages import in_current_edition, pieces_with_tags, without_copies
from ctxpack.gather.strategies.readme import main_readme, project_overview
from ctxpack.light import replace
from ctxpack.model import WHOLE_PROJECT, Candidate, Chunk, Fragment, Lane, Provenance, SourceFile, Trait
from ctxpack.parse.chunking import VALUES
from ctxpack.query.subtokens import english_stem, stem_of
from ctxpack.rank.evidence import reasons_of
from ctxpack.text import last_name

_DEFINITION, _PAGE, _FILE, _FOLDER, _TEST = 0.95, 0.9, 0.85, 0.75, 0.5  # of a match's score
_BESIDE_PLACE = 0.65  # of a match's score: a definition, where a folder or file has that very name
_FOREIGN = 0.4  # of the value, in a file that is not the project's own work
_MADE_TRAITS = frozenset({Trait.GENERATED, Trait.MINIFIED})
_FOREIGN_TRAITS = _MADE_TRAITS | {Trait.VENDORED}
_BESIDE_OWN = _FOREIGN_TRAITS | {Trait.EXAMPLE}
_LOWER = 0.02  # value lost with each file of a folder
_HOLDS, _MOST_HOLDING = 0.7, 6  # score of what has the name in its own, and how many of these come
_BESIDE_MUCH = 0.5  # of the value of these, where what has the very name already takes room
_WHOLE_SHARE = 0.85  # of the budget, for what is shown in full; the rest is for outlines, tests and users
_SHORT_FILE = 120  # lines up to which a file comes whole though others of its folder do not
_OUTLINE_LIMIT, _FOLDER_LIMIT = 3_000, 1_200  # characters
_LEAST_LINES = 2  # that follow the first of a definition shown for itself, or of a file of a folder
_SHORT_GAP = 20  # lines beside such definitions that come along: their outline would hardly be shorter
_FOR_OUTLINES = 0.2  # of what is for full texts, that such definitions leave
_LIKE_SHARE = 0.5  # of it, for one text of what has a similar name
_FOR_CODE = 0.5  # the same, that a page leaves
_NEXT = 0.95  # of the value, for each further one
_NEXT_FOLDER = 0.85  # the same for each further folder of one name
_MAX_FILES = 12
_NAMED = 2.5  # doublings of a file's importers that the folder's name in its own is worth
_MOST_CENTRAL = 4  # long files of a folder that most others import: their outlines take room first
_FEW_FILES = 6  # of a folder: of so few also the best parts of the long ones come
_MAX_SPREAD = 8  # files by one name: with more of them, such as tests.py, the name says nothing
_MAX_PAGES = 3  # among them
_BEST_PLACES = 5  # that tell whether the words of a name belong together


def gather_component(context: Context) -> Sequence[Fragment | str]:
    """The pieces of everything with the name; a remark where nothing has it, but one of the best places all its words.

    Raises NothingFoundError with similar names if there is neither.
    """
    try:
        return component_pieces(context)
    except NothingFoundError:
        if _is_written_of(context):
            return [f"Nothing in the repository is called {context.request.name!r}; these pieces have its words."]
        raise


def component_pieces(context: Context) -> Sequence[Fragment]:
    """The pieces of everything with the name. Raises NothingFoundError with similar names if there is nothing."""
    if context.request.name.strip() == WHOLE_PROJECT:
        return [*project_overview(context)]
    best = context.matches[0].score if context.matches else 0.0
    close = [match for match in context.matches if match.score >= best * best]
    room = Room(context, _WHOLE_SHARE)
    found = [*_of_matches(context, close, room)]
    if found:
        found += _holding(context, [match for match in context.matches if match not in close], found, room)
    names = [context.request.name, *(match.name for match in close if match.score >= 1)]
    found += pieces_with_tags(context, tuple(dict.fromkeys(name.strip().lower() for name in names)), ("has the {}", ""))
    if not found and not context.matches:
        raise _nothing_found_error(context)
    return found


def _is_written_of(context: Context) -> bool:
    """Whether a name has several words, and one of the best places holds all of them, in any form."""
    stems = {english_stem(word) for word in split_name(context.request.name)}
    best = ({english_stem(word) for word in each.keywords} for each in context.candidates[:_BEST_PLACES])
    return len(stems) > 1 and any(map(stems.issubset, best))


def _holding(context: Context, matches: Sequence[Match], found: Sequence[Fragment], room: Room) -> Iterator[Fragment]:
    """The folders and files that have the name in theirs, but what was found: for what room is left, unless it is all.

    A query in a file getFunnel belongs to the component funnel, though folders of that very name are shown first.
    """
    is_beside_little = room.is_nearly_free
    if not is_beside_little:
        room.open_up()
    shown = {piece.provenance.path for piece in found if _is_most(context, piece.provenance)}
    places = [match for match in matches if match.what != "definition" and match.score >= _HOLDS]
    further = [replace(match, paths=tuple(path for path in match.paths if path not in shown)) for match in places]
    holding = [match for match in further if match.paths][:_MOST_HOLDING]
    for piece in _of_matches(context, holding, room):
        yield piece if is_beside_little else replace(piece, required=False, value=_BESIDE_MUCH * piece.value)


def _is_most(context: Context, shown: Provenance) -> bool:
    """Whether a piece spans more than half of its file."""
    return 2 * (shown.end_line - shown.start_line + 1) > line_count(context, shown.path)


def _in_order(context: Context, matches: Sequence[Match]) -> Iterator[Match]:
    """The matches as they take room: files of the name first, those that are no work of the project itself last."""
    own: list[Match] = []
    others: list[Match] = []
    is_code_there = any(_holds_code(context, match) for match in matches)
    is_told = is_code_there or any(match.what == "definition" for match in matches)
    for match in matches:
        files = [file for path in match.paths if (file := context.view.files.get(path))]
        if match.what != "file":
            own += [] if is_told and files and all(map(_is_made_page, files)) else [match]
            continue
        files = [file for file in files if not (is_code_there and is_style_sheet(file.path))]
        files = [file for file in files if not (is_told and _is_made_page(file))]
        foreign = {file.path for file in files if _stands_aside(file)}
        kept = tuple(file.path for file in files if file.path not in foreign)
        if kept:  # a parser stands beside the grammar that it is made of
            foreign -= {file.path for file in files if not _MADE_TRAITS.isdisjoint(file.traits)}
        own += [replace(match, paths=kept)] if kept else []
        others += [replace(match, paths=tuple(sorted(foreign)))] if foreign else []
    own.sort(key=lambda match: (-match.score, match.what != "file", -_imports_of(context, match)))
    yield from own
    yield from others


def _is_made_page(file: SourceFile) -> bool:
    """Whether a file is a page that a program made, mostly from code."""
    return file.kind.lane is Lane.DOCS and not _MADE_TRAITS.isdisjoint(file.traits)


def _stands_aside(file: SourceFile) -> bool:
    """Whether a file is no work of the project itself, an example, or only tells how a page looks."""
    return not _BESIDE_OWN.isdisjoint(file.traits) or is_style_sheet(file.path)


def _imports_of(context: Context, match: Match) -> int:
    """How many files import those of a place: code precedes the templates that it fills, and a model its icon."""
    files = context.view.files
    return sum(int(files.in_degrees[files.numbers[path]]) for path in match.paths) if not match.chunks else 0


def _nothing_found_error(context: Context) -> NothingFoundError:
    name = context.request.name
    near = nearest_names(name, context.view)
    hint = suggest(near) or f"Name a folder, a file or a class, or: ctxpack search {name}"
    return NothingFoundError(f"Nothing in the repository is called {name!r}.", hint=hint)


def _of_matches(context: Context, matches: Sequence[Match], room: Room) -> Iterator[Fragment]:
    folders = 0
    for match in _in_order(context, matches):
        room.limit_texts(1.0 if match.score >= 1 else _LIKE_SHARE)
        if match.what == "folder":
            pieces, share = _folder(context, match, room, is_first=not folders), _NEXT_FOLDER**folders
            yield from (replace(piece, value=share * piece.value) for piece in pieces)
            folders += 1
        else:
            yield from _of_match(context, match, room)


def _of_match(context: Context, match: Match, room: Room) -> Iterator[Fragment]:
    if match.what == "definition":
        yield from _definitions(context, match, room)
    else:
        named = [path for path in match.paths if not is_record(path)]
        files = _nearest(context, without_copies(context, in_current_edition(context, named)))
        for place, file in enumerate(files):
            lane = file.kind.lane
            share = _PAGE if lane is Lane.DOCS else _FILE if lane is Lane.CODE else _TEST
            share *= _FOREIGN if _stands_aside(file) else 1
            score = match.score - _LOWER * place
            role = Role("component", score * share, (_match_reason(match, "file"),))
            pieces = _file(context, file, role, room)
            yield from pieces if _stands_aside(file) else map(_ask_for_code, pieces)


def _nearest(context: Context, files: Sequence[SourceFile]) -> list[SourceFile]:
    """Sort files of one name: own work, code, those in a folder of that name, what others import; and pages."""

    def rank(file: SourceFile) -> tuple[bool, bool, bool, int, int, str]:
        *_, folder, _ = ("", *file.path.split("/"))
        is_alone = key_of(folder) != key_of(stem_of(file.path))
        imports = int(all_files.in_degrees[all_files.numbers[file.path]])
        return bool(file.traits), file.kind.lane is not Lane.CODE, is_alone, -imports, file.path.count("/"), file.path

    all_files = context.view.files
    ordered = sorted(files, key=rank)
    pages = [file for file in ordered if file.kind.lane is Lane.DOCS][:_MAX_PAGES]
    others = [file for file in ordered if file.kind.lane is not Lane.DOCS]
    return others[: _MAX_SPREAD - len(pages)] + pages


def _definitions(context: Context, match: Match, room: Room) -> Iterator[Fragment]:
    places = (other for other in context.matches if other.score >= match.score * match.score)
    has_place = any(_holds_code(context, other) for other in places)
    homes = [context.view.files[int(context.view.postings.chunk_file[number])] for number in match.chunks]
    best_lane = Lane.CODE if any(file.kind.lane is Lane.CODE for file in homes) else Lane.TESTS  # helpers of tests
    for place, (number, file) in enumerate(zip(match.chunks, homes, strict=True)):
        chunk = context.view.postings.chunk(number)
        span, kind = _definition_of(context, file, chunk, last_name(match.name))
        is_made = not _MADE_TRAITS.isdisjoint(file.traits)
        is_test = file.kind.lane is not (Lane.CODE if has_place else best_lane)
        is_line = span[0] == span[1] and kind in VALUES
        is_lesser = is_made or is_test or is_line or kind == "namespace" or is_style_sheet(file.path)
        if (has_place and is_lesser) or (is_line and match.score < 1) or room.holds(file.path, span):
            continue
        is_beside = has_place and kind == "method"  # of a class that is something else
        share = _TEST if is_test else _BESIDE_PLACE if has_place else _DEFINITION
        share *= _FOREIGN if is_beside or _FOREIGN_TRAITS.intersection(file.traits) else 1
        value = match.score * share - _LOWER * place
        role = Role("component", max(value, 0.0), (_match_reason(match, "definition"),), symbol=chunk.symbol)
        pieces = _whole_or_outline(context, file, span, role, room)
        yield from pieces if is_beside else map(_ask_for_code, pieces)


def _holds_code(context: Context, match: Match) -> bool:
    """Whether a match is a folder or file of code: beside a page of its name, a definition is what is meant."""
    files = map(context.view.files.get, match.paths if match.what != "definition" else ())
    return any(file is not None and file.kind.lane is Lane.CODE and not is_style_sheet(file.path) for file in files)


def _definition_of(context: Context, file: SourceFile, chunk: Chunk, name: str) -> tuple[Span, str]:
    """All lines of a definition that begins in a chunk, which may be its head alone, and its kind; else the chunk's."""
    start, end = chunk.start_line, chunk.end_line
    own = (each for each in context.view.exact(file.path).symbols if start <= each.start_line <= end)
    found = next((each for each in own if each.name.lower() == name.lower()), None)
    return ((found.start_line, found.end_line), found.kind) if found else ((start, end), chunk.kind)


def _file(context: Context, file: SourceFile, role: Role, room: Room) -> Iterator[Fragment]:
    last = line_count(context, file.path)
    if file.kind.lane is Lane.DOCS:
        is_plain = regions_of(context, file.path) is None
        is_whole = is_plain and last > 0 and room.takes(file, (1, last), leaving=_FOR_CODE)
        yield from (whole_piece(context, file, role),) if is_whole else document_pieces(context, file, role)
    elif file.kind.lane is not Lane.CODE and last > _SHORT_FILE:
        yield from outline_gaps(context, file, (), (_OUTLINE_LIMIT, role))
    elif last and not room.holds(file.path, body_of(context, file)):
        yield from _whole_or_outline(context, file, body_of(context, file), role, room)


def _folder(context: Context, match: Match, room: Room, *, is_first: bool) -> Iterator[Fragment]:
    """The folder's readme and pages, and its code: own work before examples, what weighs most first.

    All files come whole where they fit, else the short ones, and the others in outline: those that most files import
    take room first.
    """
    view = context.view
    files = [file for path in match.paths if (file := view.files.get(path))]
    top = min((file.path.rpartition("/")[0] for file in files), key=lambda folder: (folder.count("/"), folder))
    readme = main_readme(files, (top,))
    if readme is not None:
        yield from _file(context, readme, Role("component", match.score * _PAGE, (f"the readme of {top}",)), room)
    reason = f"in the folder {match.name}"
    degrees = {file: int(view.files.in_degrees[view.files.numbers[file.path]]) for file in files}
    named = {
        path for each in context.matches if each.what == "file" for path in each.paths if each.score >= match.score
    }
    others = [file for file in files if file.path not in named]  # those came before
    code = [file for file in others if file.kind.lane is Lane.CODE]
    weights = {file: _weight(context, file, match.name) for file in code}
    code.sort(
        key=lambda file: (_stands_aside(file), bool(file.traits), -weights[file], file.path.count("/"), file.path)
    )
    code = code or _configuration(others)  # a chart of Helm
    all_fit, code = room.has(code), code[:_MAX_FILES]
    roles = {file: Role("component", match.score * _FOLDER - _LOWER * at, (reason,)) for at, file in enumerate(code)}
    kept: dict[SourceFile, list[Fragment]] = {}
    if not all_fit and len(code) > _FEW_FILES:
        imported = sorted(filter(degrees.get, code), key=lambda file: -degrees[file])
        kept = _outlines_in_room(context, {file: roles[file] for file in imported}, room)
    shown = _whole_files(context, code, room, all_fit=all_fit)
    for file, role in roles.items():
        if file in shown:
            whole = lines_piece(context, file, body_of(context, file), role)
            yield _ask_for_code(whole) if (all_fit and is_first) or degrees[file] else whole
        elif file in kept:
            yield from (replace(piece, required=True) for piece in kept[file])
        elif len(code) <= _FEW_FILES:
            yield from _whole_or_outline(context, file, body_of(context, file), role, room, limit=_FOLDER_LIMIT)
        else:
            yield from outline_gaps(context, file, (), (_FOLDER_LIMIT, role))
    pages = [file for file in files if file.kind.lane is Lane.DOCS and file is not readme]
    own = (file for file in pages if not is_record(file.path) and not is_licence_or_credits(file.path))
    telling = [file for file in own if not (code and _is_made_page(file))]
    for place, file in enumerate(telling[:_MAX_FILES]):
        value = match.score * _FOLDER - _LOWER * place
        yield from document_pieces(context, file, Role("component", value, (reason,)))


def _weight(context: Context, file: SourceFile, name: str) -> float:
    """The weight of a file in a folder: by the files that import it, its length, and whether it has the folder's name.

    Interfaces are imported by many, what implements them by hardly any; but that is long.
    """
    files = context.view.files
    importers = math.log2(1 + int(files.in_degrees[files.numbers[file.path]]))
    is_named = has_words(stem_of(file.path), key_of(name))
    return importers + math.log2(1 + line_count(context, file.path)) / 2 + _NAMED * is_named


def _outlines_in_room(
    context: Context, roles: Mapping[SourceFile, Role], room: Room
) -> dict[SourceFile, list[Fragment]]:
    """The outlines of the first long ones among some files, as far as there is room for them."""
    long = [file for file in roles if line_count(context, file.path) > _SHORT_FILE][:_MOST_CENTRAL]
    made = {file: list(outline_gaps(context, file, (), (_FOLDER_LIMIT, roles[file]))) for file in long}
    return {file: pieces for file, pieces in made.items() if room.takes_pieces(pieces)}


def _configuration(files: Sequence[SourceFile]) -> list[SourceFile]:
    """The configuration among some files, the longest first."""
    shown = (file for file in files if file.kind.lane is Lane.CONFIG and file.size and "/." not in f"/{file.path}")
    return sorted(shown, key=lambda file: (bool(file.traits), -file.size, file.path))


def _whole_files(context: Context, files: Sequence[SourceFile], room: Room, *, all_fit: bool) -> list[SourceFile]:
    """The files that come whole: all if they fit, else the short ones, then longer ones while some room is left."""
    bodies = {file: body_of(context, file) for file in files}
    lines = {file: end - start + 1 for file, (start, end) in bodies.items()}
    telling = [file for file in files if lines[file] > _LEAST_LINES and not room.holds(file.path, bodies[file])]
    short = [file for file in telling if all_fit or lines[file] <= _SHORT_FILE]
    shown = [file for file in short if room.takes(file, bodies[file])]
    longer = (file for file in telling if file not in short and lines[file] <= 2 * _SHORT_FILE)
    return shown + [file for file in longer if room.takes(file, bodies[file], leaving=_FOR_OUTLINES)]


def _whole_or_outline(
    context: Context, file: SourceFile, span: Span, role: Role, room: Room, *, limit: int = _OUTLINE_LIMIT
) -> Iterator[Fragment]:
    """Some lines of a file whole, if there is room; else the best definitions among them, and the rest in outline."""
    if room.takes(file, span):
        yield lines_piece(context, file, span, role)
        return
    parts = _best_parts(context, file, span, room)
    shown = sorted(map(span_of, parts))
    gaps = gaps_between(shown, span) if shown else []
    bridges = [gap for gap in gaps if gap[1] - gap[0] < _SHORT_GAP and room.takes(file, gap)]
    yield from outline_gaps(context, file, sorted([*shown, *bridges]), (limit, role), within=span)
    for place, each in enumerate(parts, 1):
        why = (*role.reasons, *reasons_of(each, 1))
        its = Role("component", role.value * _NEXT**place, why, keywords=each.keywords, symbol=each.chunk.symbol)
        yield lines_piece(context, file, span_of(each), its)
    yield from (lines_piece(context, file, gap, role) for gap in bridges)


def _best_parts(context: Context, file: SourceFile, within: Span, room: Room) -> list[Candidate]:
    """The highest-ranked definitions in some lines of a file that there is room for."""
    taken: list[Candidate] = []
    for each in context.candidates:
        start, end = span_of(each)
        is_within = each.file.path == file.path and within[0] <= start and end <= within[1]
        is_telling = is_within and each.chunk.symbol and end - start >= _LEAST_LINES
        if is_telling and room.takes(file, (start, end), leaving=_FOR_OUTLINES):
            taken.append(each)
    return taken


def _ask_for_code(piece: Fragment) -> Fragment:
    """Let code in full come before all else: it has the name of the component, or is what resembles it most."""
    return replace(piece, required=True) if piece.lane is Lane.CODE and piece.form.holds_lines else piece


def _match_reason(match: Match, noun: str) -> str:
    return f"{noun} of that name" if match.score >= 1 else f"{noun} with the similar name {match.name}"
