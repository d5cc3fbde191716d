"""The dependencies strategy: what a file imports, what imports it, and how many more files depend on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, derived_piece, lines_piece
from ctxpack.gather.long_texts import document_pieces
from ctxpack.gather.outlines import outline_text
from ctxpack.gather.place_lines import FRAME, lines_to_show
from ctxpack.gather.uses import name_words, names_in, names_of, uses
from ctxpack.light import dataclass
from ctxpack.model import Fragment, Kind, Scope, SourceFile
from ctxpack.query.subtokens import find_words, stem_of
from ctxpack.text import first_of

_IMPORTED, _IMPORTER = 0.6, 0.55
_LOWER_IMPORT = 0.02  # value lost with each place down the list
_MAX_IMPORTED, _MAX_IMPORTERS = 20, 8
_UNUSED_HERE = 3  # imported files for requested lines that use none
_MAX_READ = 40  # importers that are looked into
_USES = 2  # pieces of one importer
_NAMED_LIMIT, _PLAIN_LIMIT = 2_400, 900  # characters of an outline
_OPEN_PACKAGES = frozenset("csharp go groovy hcl java kotlin php ruby scala swift".split())  # noqa: SIM905 -- a table of words
_SHORTEST = 4  # letters of a name that is looked up


def neighbouring_imports(context: Context) -> Sequence[Fragment]:
    """Imported files first, the most used ones first; then the importers that use most."""
    return [piece for file in context.subjects for piece in (*_imports_of(context, file), *_importers(context, file))]


def _imports_of(context: Context, file: SourceFile) -> Iterator[Fragment]:
    targets = _targets(context, file)
    near = _words_at(context, file)
    if near and context.counter.text(context.view.files.text(file.path)) > context.settings.budget - FRAME:
        targets = [each for each in targets if each.names & near] or targets[:_UNUSED_HERE]  # it is not shown whole
    for place, each in enumerate(targets[:_MAX_IMPORTED]):
        text = outline_text(context, each.file.path, _NAMED_LIMIT, each.names) or outline_text(
            context, each.file.path, _PLAIN_LIMIT
        )
        if text:
            why = f"imported by {file.path}" if each.is_imported else f"in its package, used by {file.path}"
            role = Role("dependencies", _IMPORTED - _LOWER_IMPORT * place, (why,), keywords=tuple(sorted(each.names)))
            yield derived_piece(context, each.file, text, role)


@dataclass(frozen=True, slots=True)
class _Target:
    """A file that another one uses, and which of the names that it defines."""

    file: SourceFile
    names: frozenset[str]
    is_imported: bool = True


def _targets(context: Context, file: SourceFile) -> list[_Target]:
    """What a file imports or, in its package, uses without that: first what the requested lines use, then by names.

    Of a folder that is imported as a whole, such as a package in Go, only the files of which something is used.
    """
    view, words, near = context.view, name_words(context, file.path), _words_at(context, file)
    imported = [target for path in view.graph.imports(file.path) if (target := view.files.get(path)) is not None]
    targets = [_Target(each, words.intersection(names_of(context, each.path))) for each in imported]
    in_use = {_folder_of(each.file.path) for each in targets if each.names}
    targets = [each for each in targets if each.names or _folder_of(each.file.path) not in in_use]
    for each in _neighbours(context, file, "definition", words):
        if each not in imported and (names := words.intersection(names_of(context, each.path))):
            targets.append(_Target(each, names, is_imported=False))
    return sorted(targets, key=lambda each: (-len(each.names & near), -len(each.names), each.file.path))


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def _neighbours(context: Context, file: SourceFile, field: str, names: Iterable[str]) -> list[SourceFile]:
    """The code of a file's package, which it imports without a word, that holds one of some names in a field."""
    view = context.view
    if file.language not in _OPEN_PACKAGES:
        return []
    folder = _folder_of(file.path)
    beside = {each.path: each for each in view.files.entries.in_folders(lambda name: name == folder)}
    own = {name.lower() for name in names_of(context, file.path)} if field == "definition" else set()
    found: set[str] = set()
    for name in {name.lower() for name in names if len(name) >= _SHORTEST} - own:
        found.update(view.files[int(number)].path for number in view.postings.file_terms(field, name).docs)
    kept = [each for path in sorted(found & beside.keys() - {file.path}) if (each := beside[path])]
    return [each for each in kept if each.kind is Kind.CODE and each.language == file.language][:_MAX_READ]


def _words_at(context: Context, file: SourceFile) -> frozenset[str]:
    """The words of the requested lines, if they are in the file."""
    place = context.place
    if place is None or place.file != file:
        return frozenset()
    return frozenset(find_words(context.text(file.path, lines_to_show(context, place))))


def _importers(context: Context, file: SourceFile) -> Iterator[Fragment]:
    names = names_of(context, file.path)
    importing = [each for path in context.view.graph.importers(file.path) if (each := context.view.files.get(path))]
    importers = [each for each in importing if each.kind is not Kind.TEST][:_MAX_READ]
    beside = [each for each in _neighbours(context, file, "word", names) if each not in importing]
    counted = [(len(names_in(context, each.path, names)), each) for each in importers]
    counted += [(count, each) for each in beside if (count := len(names_in(context, each.path, names)))]
    ranked = sorted(counted, key=lambda item: (-item[0], item[1].path))[:_MAX_IMPORTERS]
    for place, (_, importer) in enumerate(ranked):
        for use in uses(context, importer.path, names)[:_USES]:
            reason = f"imports {file.path}" if importer in importing else f"in its package, uses {file.path}"
            value = _IMPORTER - _LOWER_IMPORT * place
            role = Role("dependencies", value, (reason,), keywords=use.names, symbol=use.title)
            yield lines_piece(context, importer, use.span, role)


_WRITTEN, _COMPUTED = 0.7, 0.5
_FEWEST = 2  # entries of a computed map that nobody asked for by naming the file
_MAX_NAMES = 20  # files in one direction


def dependency_maps(context: Context) -> Sequence[Fragment]:
    """The dependency maps that name the files, or one list per file, computed from the imports.

    Of a component only the list of its first file: what its other files import is mostly each other.
    """
    subjects = context.subjects[:1] if context.request.scope is Scope.COMPONENT else context.subjects
    return [piece for file in subjects for piece in _of_file(context, file)]


def _of_file(context: Context, file: SourceFile) -> Iterator[Fragment]:
    names = (file.path, file.path.rpartition("/")[2], stem_of(file.path))
    maps = [each for each in context.view.files.entries.of_kinds((Kind.DEPENDENCY_MAP,)) if each.path != file.path]
    written = [each for each in maps if any(name in context.view.files.text(each.path) for name in names)]
    for each in written:
        role = Role("dependencies", _WRITTEN, (f"dependency map that names {file.path}",))
        yield from document_pieces(context, each, role, wanted=names)
    if not written:
        yield from _map_of(context, file)


def _map_of(context: Context, file: SourceFile) -> Iterator[Fragment]:
    graph = context.view.graph
    rows = [("imports →", graph.imports(file.path)), ("imported by ←", graph.importers(file.path))]
    if sum(len(paths) for _, paths in rows) < _FEWEST and context.request.scope is not Scope.FILE:
        return
    text = "".join(f"- {title} {first_of(paths, _MAX_NAMES)}\n" for title, paths in rows if paths)
    if text:
        role = Role("dependencies", _COMPUTED, ("computed from the imports",), symbol="dependency map")
        yield derived_piece(context, file, f"{file.path}\n{text}", role)


def gather_dependencies(context: Context) -> Sequence[Fragment]:
    """Of a file the imported files and the importers, then the maps; of a component only the maps."""
    used = neighbouring_imports(context) if context.request.scope is Scope.FILE else ()
    return (*used, *dependency_maps(context))
