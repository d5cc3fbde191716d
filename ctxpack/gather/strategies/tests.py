"""The tests strategy: the tests of a file, by their name and by what they import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, line_count, lines_piece, whole_piece
from ctxpack.gather.similarity import key_of
from ctxpack.gather.uses import names_for_others, names_in, names_of, uses
from ctxpack.index import IndexView
from ctxpack.light import dataclass, replace
from ctxpack.model import Fragment, Kind, Scope, SourceFile, Trait
from ctxpack.parse.languages import without_test_mark
from ctxpack.query.lines import hunks_in
from ctxpack.query.subtokens import find_words, is_identifier, stem_of, subtokens
from ctxpack.understand.change import names_of_changed

_BY_NAME, _BY_IMPORT = 0.65, 0.5
_NEXT = 0.9  # of the value, for each further piece of one test file
_WHOLE_LINES = 60
_WHOLE_OWN_LINES, _WHOLE_OWN = 400, 0.3  # of the test of a requested file by its name, and a value
_PLAIN_FOLDERS = frozenset({"src", "lib", "libs", "app", "main", "source", "sources", "pkg", "packages", "internal"})
_OPENING = 2  # letters of a word that stay when its ending is taken off
_MAX_FILES, _MAX_PIECES = 5, 4
_MOST_TESTED = 4  # definitions that changed tests test
_MOST_IMPORTING = 2  # pieces of tests that only import what a component has


def gather_tests(context: Context) -> Sequence[Fragment]:
    """The pieces of each test file that use most of what the file defines.

    Of a component those with its names; else few of the others, which mostly only need what it defines. Of a diff also
    what the changed tests test.
    """
    if context.change is not None:
        found = [piece for file in context.subjects for piece in _of_file(context, file, by_import=True)]
        return [*found, *islice(_tested_definitions(context), _MOST_TESTED)]
    is_component = context.request.scope is Scope.COMPONENT
    found = [piece for file in context.subjects for piece in _of_file(context, file, by_import=not is_component)]
    if found or not is_component:
        return found
    importing = (piece for file in context.subjects for piece in _of_file(context, file, by_import=True))
    return [*islice(importing, _MOST_IMPORTING)]


def _tested_definitions(context: Context) -> Iterator[Fragment]:
    """The definitions that changed tests use of what their files import, short ones whole; none that changed itself."""
    view = context.view
    own = {(each.file.path, each.symbol.qualified) for each in context.changed}
    there = [each for each in context.changed if not each.is_gone and view.files.get(each.file.path)]
    for path in dict.fromkeys(each.file.path for each in there if each.file.kind is Kind.TEST):
        spans = [(each.symbol.start_line, each.symbol.end_line) for each in there if each.file.path == path]
        words = {word for span in spans for word in find_words(context.text(path, span))}
        targets = [file for name in view.graph.imports(path) if (file := view.files.get(name))]
        for file in (each for each in targets if each.kind is Kind.CODE and not each.traits):
            names = words.intersection(names_of(context, file.path))
            for symbol in view.files.exact(file.path).symbols if names else ():
                is_short = symbol.end_line - symbol.start_line < _WHOLE_LINES
                if symbol.name in names and is_short and (file.path, symbol.qualified) not in own:
                    role = Role("tests", _BY_IMPORT, (f"tested by {path}",), symbol=symbol.qualified)
                    yield lines_piece(context, file, (symbol.start_line, symbol.end_line), role)


_COMMON = 12  # files of tests that hold a name: in more of them it tells little
_PASTED = 0.55  # the value of a piece
_MOST_OF_PASTED, _OF_ONE_TEST = 4, 2  # pieces, in all and of one file


def tests_of_pasted_diff(context: Context) -> list[Fragment]:
    """The pieces of tests that use what a diff in the text of a request changes; none where there is no diff."""
    view, names, tests = context.view, _names_in_diff(context), dict[int, int]()
    for name in sorted(names):
        docs = view.postings.file_terms("word", name.lower()).docs.tolist()
        found = [number for number in docs if view.files[number].kind is Kind.TEST and not view.files[number].traits]
        for number in found if len(found) <= _COMMON else ():
            tests[number] = tests.get(number, 0) + 1
    telling = [number for number in tests if 2 * tests[number] > max(tests.values())]
    ranked = sorted(telling, key=lambda number: (-tests[number], view.files[number].path))
    pieces = (
        lines_piece(context, view.files[number], use.span, role)
        for number in ranked
        for use in uses(context, view.files[number].path, names)[:_OF_ONE_TEST]
        for role in [Role("search", _PASTED, (f"uses {', '.join(use.names)} of the diff",), symbol=use.title)]
    )
    return [*islice(pieces, _MOST_OF_PASTED)]


def _names_in_diff(context: Context) -> frozenset[str]:
    """The names of the definitions that a diff in the text changes, and those on its lines that the repository has."""
    names, view = set[str](), context.view
    for hunk in hunks_in(context.request.text):
        names.update(word for line in hunk.lines for word in find_words(line) if is_identifier(word))
        line = context.line_of(hunk)
        around = view.files.exact(hunk.path).enclosing(line, line) if line else None
        names.update([around.name] if around and is_identifier(around.name) else [])
    return frozenset(name for name in names if len(view.postings.terms("definition", name.lower()).docs))


@lru_cache(maxsize=20_000)
def tested_name(path: str) -> str:
    """The subject of a test by its name: ``test_queue.py`` and ``QueueTest.java`` → ``queue``; empty for no test."""
    stem, bare = stem_of(path), _bare_name(path)
    return key_of(bare) if bare != stem else ""


def _of_file(context: Context, file: SourceFile, *, by_import: bool) -> Iterator[Fragment]:
    changed = names_of_changed(context.changed, file.path)
    names = tuple(changed) or names_for_others(context, file.path)
    used = tuple(changed) if context.change else names
    tests = (
        (test, value, reason)
        for test, value, reason in _tests(context, file)
        if value > _BY_IMPORT or (by_import and names_in(context, test.path, used))  # a package is for many things
    )
    for place, (test, value, reason) in enumerate(islice(tests, _MAX_FILES)):
        yield from _pieces(context, test, names, Role("tests", value - 0.02 * place, (reason,)))


def _tests(context: Context, file: SourceFile) -> list[tuple[SourceFile, float, str]]:
    """Test files, those by name first, then those that import the file; near ones before far ones."""
    view = context.view
    importers = {*view.graph.importers(file.path), *view.graph.importers_of_fronts(file.path)}
    names = _names_of(file.path)
    found: list[tuple[SourceFile, float, str]] = []
    elsewhere: list[SourceFile] = []
    for test in view.files.entries.of_kinds((Kind.TEST,)):
        if test.path == file.path:
            continue
        if not _is_named_for(test.path, names) or _is_of_namesake(view, test, file):
            if test.path in importers:
                found.append((test, _BY_IMPORT, f"test that imports {file.path}"))
        elif test.path in importers or (_is_near(test.path, file.path) and not _belongs_elsewhere(view, test, file)):
            found.append((test, _BY_NAME, f"test of {file.path} by its name"))
        elif Trait.GENERATED not in test.traits:  # a snapshot tests nothing
            elsewhere.append(test)
    if not found and len(elsewhere) == 1 and _is_about(context, elsewhere[0], file):
        found = [(elsewhere[0], _BY_NAME, f"test of {file.path} by its name")]
    return sorted(found, key=lambda item: (-item[1], -_shared_folders(item[0].path, file.path), item[0].path))


def _is_about(context: Context, test: SourceFile, file: SourceFile) -> bool:
    """Whether a test in another folder, which only shares the file's name, uses a name that the file defines."""
    key, view = key_of(stem_of(file.path)), context.view
    namesakes = [each for each in view.files.entries.of_kinds((Kind.CODE,)) if key_of(stem_of(each.path)) == key]
    return namesakes == [file] and bool(names_in(context, test.path, names_of(context, file.path)))


def _is_of_namesake(view: IndexView, test: SourceFile, file: SourceFile) -> bool:
    """Whether a test is of a file beside this one, with whose name it agrees in number too: option and options."""
    name = _bare_name(test.path)
    folder, slash, own = file.path.rpartition("/")
    namesake = f"{folder}{slash}{name}.{own.rpartition('.')[2]}"
    return stem_of(own) != name and view.files.get(namesake) is not None


def _belongs_elsewhere(view: IndexView, test: SourceFile, file: SourceFile) -> bool:
    """Whether a test imports another file with the same name, or is next to one."""
    key, folder = key_of(stem_of(file.path)), test.path.rpartition("/")[0]
    neighbours = view.files.entries.in_folders(lambda each: each == folder)
    others = (*view.graph.imports(test.path), *(each.path for each in neighbours if each.kind is Kind.CODE))
    return any(path != file.path and key_of(stem_of(path)) == key for path in others)


@dataclass(frozen=True, slots=True)
class _Names:
    """The parts of a file name for comparison: its key, its words, those of its folder."""

    key: str
    words: frozenset[str]
    folder: frozenset[str]
    openings: tuple[str, ...]  # of the words: a cheap look tells that most tests cannot hold them


def _names_of(path: str) -> _Names:
    words = _words(stem_of(path))
    openings = tuple(sorted(word[:_OPENING] for word in words if word.isascii()))
    return _Names(key_of(stem_of(path)), words, _folder_words(path), openings)


def _is_named_for(test: str, names: _Names) -> bool:
    """Whether a test is named after the file: with its words in any order, and perhaps those of its folder."""
    if (tested_name(test) or key_of(stem_of(test))) == names.key:
        return True
    lower = stem_of(test).lower()
    if not names.words or not all(opening in lower for opening in names.openings):
        return False
    words, stem, folder = _words(_bare_name(test)), names.words, names.folder
    return words == stem or (stem < words and bool(folder) and folder <= words - stem)


def _is_near(test: str, path: str) -> bool:
    """Whether a test is next to the file, or has the name of the file's folder in its own path."""
    folder = path.rpartition("/")[0]
    name = folder.rpartition("/")[2]
    if test.rpartition("/")[0] == folder or (name not in _PLAIN_FOLDERS and name in test.split("/")[:-1]):
        return True
    return bool(_folder_words(path)) and _folder_words(path) <= _words(_bare_name(test)) - _words(stem_of(path))


def _folder_words(path: str) -> frozenset[str]:
    return _words(path.rpartition("/")[0].rpartition("/")[2])


def _bare_name(test: str) -> str:
    """The name of a test file without what marks it as one."""
    return without_test_mark(stem_of(test))


@lru_cache(maxsize=20_000)
def _words(name: str) -> frozenset[str]:
    return frozenset(key_of(each) for each in subtokens(name))


def _shared_folders(one: str, other: str) -> int:
    return len(set(one.split("/")[:-1]) & set(other.split("/")[:-1]))


def _pieces(context: Context, test: SourceFile, names: tuple[str, ...], role: Role) -> Iterator[Fragment]:
    if 0 < line_count(context, test.path) <= _WHOLE_LINES:
        yield whole_piece(context, test, role)
        return
    found = uses(context, test.path, names)
    if not found and context.place and role.value > _BY_IMPORT:  # nothing tests the lines themselves
        outer = {each.qualified.partition(".")[0] for each in context.view.files.exact(context.place.file.path).symbols}
        found = uses(context, test.path, sorted(outer))[:_OF_ONE_TEST]
    if not found and not context.change:
        found = uses(context, test.path, (*names, *context.query.words))
    for place, use in enumerate(found[:_MAX_PIECES]):
        its = Role(role.strategy, role.value * _NEXT**place, role.reasons, keywords=use.names, symbol=use.title)
        yield lines_piece(context, test, use.span, its)
    is_its_own = role.value > _BY_IMPORT and context.request.scope is Scope.FILE and not context.place
    if is_its_own and 0 < line_count(context, test.path) <= _WHOLE_OWN_LINES:
        yield whole_piece(context, test, replace(role, value=_WHOLE_OWN))  # where room is left
