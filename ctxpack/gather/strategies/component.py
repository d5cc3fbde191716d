"""The component strategy: folders, files, definitions and pages with a name or a similar one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ctxpack.discover.traits import is_entry_point, is_way_in, tells_structure
from ctxpack.errors import NothingFoundError, suggest
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, line_count, lines_piece, whole_piece
from ctxpack.gather.long_texts import document_pieces
from ctxpack.gather.outlines import outline_gaps, span_of
from ctxpack.gather.similarity import Match, nearest_names
from ctxpack.gather.strategies.pages import pieces_with_tags
from ctxpack.gather.strategies.readme import README_REASON, main_readme
from ctxpack.model import WHOLE_PROJECT, Candidate, Fragment, Lane, SourceFile, Trait
from ctxpack.rank.evidence import reasons_of
from ctxpack.system.tokens import CHARACTERS_PER_TOKEN

_DEFINITION, _PAGE, _FILE, _FOLDER, _TEST = 0.95, 0.9, 0.85, 0.75, 0.5  # of a match's score
_BESIDE_PLACE = 0.65  # of a match's score: a definition, where a folder or file has that very name
_FOREIGN = 0.4  # of the value, in a file that is not the project's own work
_FOREIGN_TRAITS = frozenset({Trait.VENDORED, Trait.GENERATED, Trait.MINIFIED})
_LOWER = 0.02  # value lost with each file of a folder
_WHOLE_LINES = 120
_OUTLINE_LIMIT, _FOLDER_LIMIT = 3_000, 1_200  # characters
_PARTS_SHARE, _MAX_PARTS = 0.25, 4  # of the budget, and definitions of the main file
_LEAST_LINES = 2  # that follow the first of such a definition
_NEXT = 0.95  # of the value, for each further one
_MAX_FILES = 12
_MAX_SPREAD = 8  # files by one name: with more of them, such as tests.py, the name says nothing
_MAX_PAGES = 3  # among them


def gather_component(context: Context) -> Sequence[Fragment]:
    """The pieces of everything with the name. Raises NothingFoundError with similar names if there is nothing."""
    if context.request.name.strip() == WHOLE_PROJECT:
        return [*_project(context)]
    best = context.matches[0].score if context.matches else 0.0
    close = [match for match in context.matches if match.score >= best * best]
    found = [piece for match in close for piece in _of_match(context, match)]
    names = [context.request.name, *(match.name for match in close if match.score >= 1)]
    found += pieces_with_tags(context, tuple(dict.fromkeys(name.strip().lower() for name in names)), ("has the {}", ""))
    if not found and not context.matches:
        raise _nothing_found_error(context)
    return found


_PLANS, _MANIFEST, _ENTRY, _CORE = 0.95, 0.8, 0.75, 0.7  # values of what is in the overview of a project
_MOST_PLANS, _MOST_ENTRIES, _MOST_CORE = 6, 4, 16  # files of each kind
_MANIFESTS = ("pyproject.toml", "package.json", "go.mod", "Cargo.toml", "composer.json", "pom.xml", "build.gradle")
_MANIFEST_LINES = 40
_CORE_LIMIT = 900  # characters of an outline


def _project(context: Context) -> Iterator[Fragment]:
    """An overview: the readme, what tells the structure, the manifest, where programs begin, and the central code."""
    view = context.view
    own = [file for file in view.files if not file.traits and file.size]
    readme = main_readme(own)
    plans = [file for file in own if file.kind.lane is Lane.DOCS and file is not readme and tells_structure(file.path)]
    plans.sort(key=lambda file: (is_way_in(file.path), file.path.count("/"), file.path))
    if readme is not None:
        yield from document_pieces(context, readme, Role("component", 1.0, (README_REASON,), score=1.0))
    for place, file in enumerate(plans[:_MOST_PLANS]):
        why = "a guide for contributors" if is_way_in(file.path) else "tells how the project is structured"
        role = Role("component", _PLANS - _LOWER * place, (why,))
        yield from document_pieces(context, file, role)
    for manifest in filter(None, map(view.files.get, _MANIFESTS)):
        last = min(line_count(context, manifest.path), _MANIFEST_LINES)
        yield lines_piece(context, manifest, (1, last), Role("component", _MANIFEST, ("declares the project",)))
    code = [file for file in own if file.kind.lane is Lane.CODE]
    entries = [file for file in code if is_entry_point(file.path)][:_MOST_ENTRIES]
    for file in entries:
        yield from _file(context, file, _ENTRY / _FILE, "a program begins here")
    for place, file in enumerate(_central([file for file in code if file not in entries], context)):
        role = Role("component", _CORE - _LOWER * place, ("many files import it",))
        yield from outline_gaps(context, file, (), (_CORE_LIMIT, role))


def _central(files: Sequence[SourceFile], context: Context) -> list[SourceFile]:
    """The files that most others import: the first of each folder, then the second ones."""
    view = context.view
    imports = {file.path: int(view.files.in_degrees[view.files.numbers[file.path]]) for file in files}
    seen: Counter[str] = Counter()
    ranked: list[tuple[int, int, str, SourceFile]] = []
    for file in sorted(files, key=lambda file: (-imports[file.path], file.path)):
        folder = file.path.rpartition("/")[0]
        if imports[file.path]:
            ranked.append((seen[folder], -imports[file.path], file.path, file))
        seen[folder] += 1
    return [file for *_, file in sorted(ranked, key=lambda item: item[:3])[:_MOST_CORE]]


def _nothing_found_error(context: Context) -> NothingFoundError:
    name = context.request.name
    near = nearest_names(name, context.view)
    hint = suggest(near) or f"Name a folder, a file or a class, or: ctxpack search {name}"
    return NothingFoundError(f"Nothing in the repository is called {name!r}.", hint=hint)


def _of_match(context: Context, match: Match) -> Iterator[Fragment]:
    if match.what == "definition":
        yield from _definitions(context, match)
    elif match.what == "folder":
        yield from _folder(context, match)
    else:
        files = _nearest([file for path in match.paths if (file := context.view.files.get(path))])
        for place, file in enumerate(files):
            yield from _file(context, file, match.score - _LOWER * place, _match_reason(match, "file"))


def _nearest(files: Sequence[SourceFile]) -> list[SourceFile]:
    """Sort files of one name: own work first, code before data, files near the root first; and pages."""
    ordered = sorted(
        files, key=lambda file: (bool(file.traits), file.kind.lane is not Lane.CODE, file.path.count("/"), file.path)
    )
    pages = [file for file in ordered if file.kind.lane is Lane.DOCS][:_MAX_PAGES]
    others = [file for file in ordered if file.kind.lane is not Lane.DOCS]
    return others[: _MAX_SPREAD - len(pages)] + pages


def _definitions(context: Context, match: Match) -> Iterator[Fragment]:
    has_place = any(other.what != "definition" and other.score >= match.score for other in context.matches)
    for place, number in enumerate(match.chunks):
        chunk = context.view.postings.chunk(number)
        file = context.view.files[int(context.view.postings.chunk_file[number])]
        share = (_BESIDE_PLACE if has_place else _DEFINITION) if file.kind.lane is Lane.CODE else _TEST
        value = match.score * share * (_FOREIGN if _FOREIGN_TRAITS.intersection(file.traits) else 1) - _LOWER * place
        role = Role("component", max(value, 0.0), (_match_reason(match, "definition"),), symbol=chunk.symbol)
        yield lines_piece(context, file, (chunk.start_line, chunk.end_line), role)


def _file(context: Context, file: SourceFile, score: float, reason: str) -> Iterator[Fragment]:
    if file.kind.lane is Lane.DOCS:
        yield from document_pieces(context, file, Role("component", score * _PAGE, (reason,)))
        return
    role = Role("component", score * (_FILE if file.kind.lane is Lane.CODE else _TEST), (reason,))
    if 0 < line_count(context, file.path) <= _WHOLE_LINES:
        yield whole_piece(context, file, role)
    else:
        yield from _outline_of(context, file, role)


def _folder(context: Context, match: Match) -> Iterator[Fragment]:
    """The folder's readme and pages, and its code in outline, the most imported first."""
    view = context.view
    files = [file for path in match.paths if (file := view.files.get(path))]
    top = min((file.path.rpartition("/")[0] for file in files), key=lambda folder: (folder.count("/"), folder))
    readme = main_readme(files, (top,))
    if readme is not None:
        yield from document_pieces(context, readme, Role("component", match.score * _PAGE, (f"the readme of {top}",)))
    reason = f"in the folder {match.name}"
    code = [file for file in files if file.kind.lane is Lane.CODE]
    code.sort(
        key=lambda file: (-int(view.files.in_degrees[view.files.numbers[file.path]]), file.path.count("/"), file.path)
    )
    pages = [file for file in files if file.kind.lane is Lane.DOCS and file is not readme]
    for place, file in enumerate(code[:_MAX_FILES]):
        role = Role("component", match.score * _FOLDER - _LOWER * place, (reason,))
        yield from outline_gaps(context, file, (), (_FOLDER_LIMIT, role))
    for place, file in enumerate(pages[:_MAX_FILES]):
        value = match.score * _FOLDER - _LOWER * place
        yield from document_pieces(context, file, Role("component", value, (reason,)))


def _outline_of(context: Context, file: SourceFile, role: Role) -> Iterator[Fragment]:
    """A long file in outline; for the main file also the best definitions in full."""
    parts = _best_parts(context, file) if context.subjects[:1] == (file,) else []
    yield from outline_gaps(context, file, sorted(span_of(each) for each in parts), (_OUTLINE_LIMIT, role))
    for place, each in enumerate(parts, 1):
        why = (*role.reasons, *reasons_of(each, 1))
        its = Role("component", role.value * _NEXT**place, why, keywords=each.keywords, symbol=each.chunk.symbol)
        yield lines_piece(context, file, span_of(each), its)


def _best_parts(context: Context, file: SourceFile) -> list[Candidate]:
    """The highest-ranked definitions of the file, within a share of the budget."""
    room = int(context.settings.budget * CHARACTERS_PER_TOKEN * _PARTS_SHARE)
    taken: list[Candidate] = []
    for each in context.candidates:
        start, end = span_of(each)
        if each.file.path != file.path or not each.chunk.symbol or end - start < _LEAST_LINES:
            continue
        size = len(context.text(file.path, (start, end)))
        if size <= room and len(taken) < _MAX_PARTS:
            taken.append(each)
            room -= size
    return taken


def _match_reason(match: Match, noun: str) -> str:
    return f"{noun} of that name" if match.score >= 1 else f"{noun} with the similar name {match.name}"
