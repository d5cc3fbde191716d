"""The dependencies strategy: what a file imports, what imports it, and how many more files depend on it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, derived_piece, lines_piece
from ctxpack.gather.long_texts import document_pieces
from ctxpack.gather.outlines import outline_text
from ctxpack.gather.place_lines import FRAME, lines_to_show
from ctxpack.gather.uses import NAMED_BY_FILE, Use, name_words, names_for_others, names_in, names_of, uses
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Fragment, Kind, Scope, SourceFile
from ctxpack.parse.chunking import CONTAINERS
from ctxpack.query.subtokens import find_words, stem_of, subtokens
from ctxpack.text import first_of

_IMPORTED, _IMPORTER = 0.6, 0.55
_LOWER_IMPORT = 0.02  # value lost with each place down the list
_MAX_IMPORTED, _MAX_IMPORTERS = 20, 8
_UNUSED_HERE = 3  # imported files for requested lines that use none
_MAX_READ = 40  # importers that are looked into
_USES = 2  # pieces of one importer
_CLASSES = frozenset({"class", "enum", "impl", "interface", "object", "record", "struct", "trait"})
_HEIRS = (["extends"], ["implements"], ["with"], [":"])  # how the second line of a head begins
_COMMENTS = ("*", "/*", "//", "#")
_CONSTRUCTORS = frozenset({"constructor", "__init__", "__construct", "initialize", "init"})
_NAMED_LIMIT, _PLAIN_LIMIT = 2_400, 900  # characters of an outline
_HEAD = 60  # lines of a file that defines nothing
_OPEN_PACKAGES = frozenset("csharp go groovy hcl java kotlin php r ruby scala swift".split())  # noqa: SIM905 -- a table of words
_SHORTEST = 4  # letters of a name that is looked up
_SOURCES = lazy_pattern(r"\A(?:[^/]{1,200}/)*?src/\w{1,40}/(?:java|kotlin|scala|groovy)/")
_MEMBER = lazy_pattern(r"(?:(?<=[\w)\]?])\.|->|::)[ \t]{0,4}(\w{1,80})")  # what is taken of an object or a class


def neighbouring_imports(context: Context) -> Sequence[Fragment]:
    """Imported files first, the most used ones first; then the importers that use most."""
    return [piece for file in context.subjects for piece in (*_imports_of(context, file), *_importers(context, file))]


def _imports_of(context: Context, file: SourceFile) -> Iterator[Fragment]:
    targets = _targets(context, file)
    near = _words_at(context, file)
    if near and context.counter.text(context.view.files.text(file.path)) > context.settings.budget - FRAME:
        targets = [each for each in targets if each.names & near] or targets[:_UNUSED_HERE]  # it is not shown whole
    members = frozenset(_MEMBER.findall(context.view.files.text(file.path)))
    for place, each in enumerate(targets[:_MAX_IMPORTED]):
        shown = each.names | _members_in(context, each, members)
        text = outline_text(context, each.file.path, _NAMED_LIMIT, shown) or outline_text(
            context, each.file.path, _PLAIN_LIMIT
        )
        why = f"imported by {file.path}" if each.is_imported else f"in its package, used by {file.path}"
        role = Role("dependencies", _IMPORTED - _LOWER_IMPORT * place, (why,), keywords=tuple(sorted(each.names)))
        if text:
            yield derived_piece(context, each.file, text, role)
        elif each.file.language in NAMED_BY_FILE:
            yield lines_piece(context, each.file, (1, min(_HEAD, len(context.lines(each.file.path)))), role)


@dataclass(frozen=True, slots=True)
class _Target:
    """A file that another one uses, and which of the names that it defines."""

    file: SourceFile
    names: frozenset[str]
    is_imported: bool = True


def _members_in(context: Context, target: _Target, members: frozenset[str]) -> set[str]:
    """The names of some members that the used definitions of a file have: methods that are called."""
    symbols = context.view.files.exact(target.file.path).symbols
    homes = {each.qualified for each in symbols if each.name in target.names}
    return {each.name for each in symbols if each.name in members and each.qualified.rpartition(".")[0] in homes}


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


def _paths_with(context: Context, field: str, names: Iterable[str]) -> set[str]:
    """The files that have one of some names in a field of the index; short ones are in too many."""
    view = context.view
    wanted = sorted({name.lower() for name in names if len(name) >= _SHORTEST})
    numbers = (number for name in wanted for number in view.postings.file_terms(field, name).docs)
    return {view.files[int(number)].path for number in numbers}


@lru_cache(maxsize=65_536)
def package_of(folder: str) -> str:
    """The package that a folder holds: where there are several roots of sources, as Maven has them, the part below."""
    return _SOURCES.sub("", folder, count=1)


def _neighbours(context: Context, file: SourceFile, field: str, names: Iterable[str]) -> list[SourceFile]:
    """The code of a file's package, which it imports without a word, that holds one of some names in a field."""
    view = context.view
    if file.language not in _OPEN_PACKAGES:
        return []
    package = package_of(_folder_of(file.path))
    beside = {each.path: each for each in view.files.entries.in_folders(lambda name: package_of(name) == package)}
    own = {name.lower() for name in names_of(context, file.path)} if field == "definition" else set()
    found = _paths_with(context, field, {name for name in names if name.lower() not in own})
    kept = [each for path in sorted(found & beside.keys() - {file.path}) if (each := beside[path])]
    return [each for each in kept if each.kind is Kind.CODE and each.language == file.language][:_MAX_READ]


def _words_at(context: Context, file: SourceFile) -> frozenset[str]:
    """The words of the requested lines, if they are in the file."""
    place = context.place
    if place is None or place.file != file:
        return frozenset()
    return frozenset(find_words(context.text(file.path, lines_to_show(context, place))))


def _importers(context: Context, file: SourceFile) -> Iterator[Fragment]:
    names = names_for_others(context, file.path)
    view, using = context.view, _paths_with(context, "word", names)
    passed_on = [path for path in view.graph.importers_of_fronts(file.path) if path in using]
    importing = [view.files.get(path) for path in dict.fromkeys((*view.graph.importers(file.path), *passed_on))]
    importers = [each for each in importing if each and each.kind is not Kind.TEST][:_MAX_READ]
    beside = [each for each in _neighbours(context, file, "word", names) if each not in importers]
    counted = [(len(names_in(context, each.path, names)), each) for each in importers]
    counted += [(count, each) for each in beside if (count := len(names_in(context, each.path, names)))]
    weighed = [(-count, *_weight_of_uses(context, each.path, names), each.path, each) for count, each in counted]
    weighed = sorted(weighed, key=lambda item: item[:-1])[:_MAX_IMPORTERS]
    for place, (_, is_user, *_, importer) in enumerate(weighed):
        value = _IMPORTER - _LOWER_IMPORT * place
        outline = "" if is_user else outline_text(context, importer.path, _PLAIN_LIMIT)
        if outline:
            role = Role("dependencies", value, (f"extends or implements what {file.path} defines",))
            yield derived_piece(context, importer, outline, role)
            continue
        for use in _uses_by(context, importer.path, names)[:_USES]:
            reason = f"imports {file.path}" if importer in importers else f"in its package, uses {file.path}"
            role = Role("dependencies", value, (reason,), keywords=use.names, symbol=use.title)
            yield lines_piece(context, importer, use.span, role)


def _weight_of_uses(context: Context, path: str, names: Sequence[str]) -> tuple[bool, int]:
    """A key of a file that uses some names: what implements or extends one comes first, then what uses them most."""
    lines = context.lines(path)
    text = context.view.files.text(path)
    forms = {form for name in names for form in (name, *variable_names(name))}
    return not _inherits(lines, names), -sum(text.count(form) for form in forms)


def _inherits(lines: Sequence[str], names: Collection[str]) -> bool:
    """Whether a class in some lines has one of some names in its head, behind its own name."""
    for line, after in pairwise((*lines, "")):
        is_comment = line.lstrip().startswith(_COMMENTS)
        if not is_comment and any(name in line or name in after for name in names):
            head = find_words(f"{line} {after}" if after.split(maxsplit=1)[:1] in _HEIRS else line)
            place = next((at for at, word in enumerate(head) if word in _CLASSES), len(head))
            if any(word in names for word in head[place + (2 if head[place : place + 1] != ["impl"] else 1) :]):
                return True
    return False


def _uses_by(context: Context, path: str, names: Sequence[str]) -> list[Use]:
    """Where a file uses some names, also by variables that are called like a class.

    Services are handed to a constructor and used elsewhere: where it only declares them counts if nothing else does.
    """
    variables = {form for name in names for form in variable_names(name)} - {*names}
    kinds = {each.qualified: each.kind for each in context.view.files.exact(path).symbols}

    def only_declares(use: Use) -> bool:
        *_, around, own = ("", *use.title.split("."))
        return kinds.get(use.title) in CONTAINERS or own in _CONSTRUCTORS or own == around

    found = uses(context, path, (*names, *sorted(variables)))
    return [use for use in found if not only_declares(use)] or found


def variable_names(name: str) -> tuple[str, ...]:
    """What variables that hold an object of a class are usually called: ``alarmService`` and ``alarm_service``.

    None for a name of one word, which means other things as well.
    """
    words = [*subtokens(name)] if name[:1].isupper() else []
    if len(words) < _FEWEST:
        return ()
    return name[0].lower() + name[1:], "_".join(words)


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
    written = [each for each in maps if _is_named_in(context.view.files.text(each.path), names)]
    for each in written:
        role = Role("dependencies", _WRITTEN, (f"dependency map that names {file.path}",))
        yield from document_pieces(context, each, role, wanted=names)
    if not written:
        yield from _map_of(context, file)


def _is_named_in(text: str, names: tuple[str, str, str]) -> bool:
    """Whether a map names a file: by its path, its name, or its stem at the start of a line or behind an arrow."""
    path, name, stem = names
    mark = r"^\W{0,20}|(?:[-=]>|--|→|←)\W{0,20}"
    return path in text or name in text or re.search(rf"(?:{mark}){re.escape(stem)}\b", text, re.MULTILINE) is not None


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
