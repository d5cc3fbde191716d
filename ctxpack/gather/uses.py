"""Uses: the names that a file defines, where other files use them, and what a definition calls."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from ctxpack.discover.editions import language_of_translation, outdated_documents, speaks_of
from ctxpack.discover.traits import is_record
from ctxpack.gather.context import Context
from ctxpack.gather.focus import Place, Span, home_names, wrappers
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.place_lines import ENCLOSING_KINDS, block_around, call_of, names_at
from ctxpack.gather.similarity import longer_names, naming_counts, spellings_of
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Chunk, Confidence, Fragment, Lane, ParsedFile, SourceFile, Symbol, Trait
from ctxpack.query.subtokens import find_words, stem_of
from ctxpack.rank.subject import FoundUses
from ctxpack.text import last_name

_SHORTEST = 3  # letters of a name that says something
_MOST_LEADING = 12  # names of a definition and of what leads to it
_MOST_PASSED_ON = 40  # files whose names an index passes on
_AROUND = 6  # lines before and after a use in something long
_LONG = 60  # lines
_VERY_LONG = 150  # lines of a class: what it is for stands first


def names_of(context: Context, path: str) -> tuple[str, ...]:
    """The names that a file defines for others: its outer definitions but wrappers and ``logger``, else its own.

    Of the file with the requested lines only those of the definition there and of what calls it in that file.
    """
    place = context.place
    if place is not None and place.file.path == path and (near := _names_leading_to(context, place)):
        return near
    symbols = [item for item in context.view.files.exact(path).symbols if item.kind != "extension"]  # it adds to one
    homes, around = home_names(symbols), wrappers(symbols)
    outer = [item for item in symbols if _is_outermost(item, homes, around) and not item.name.startswith("_")]
    outer = [each for each in outer if each.kind != "constant" or not each.name.islower() or "_" in each.name]
    names = tuple(dict.fromkeys(each.name for each in outer if len(each.name) >= _SHORTEST))
    return names or (stem_of(path),)


NAMED_BY_FILE = frozenset({"sql", "yaml"})
"""Languages in which a file that defines nothing is used by its own name, such as a model of dbt."""


def names_for_others(context: Context, path: str) -> tuple[str, ...]:
    """The names that a file defines; of one that defines none, such as the index of a folder, those it passes on."""
    names, file = names_of(context, path), context.view.files.get(path)
    if names != (stem_of(path),) or (file and file.language in NAMED_BY_FILE):
        return names
    if any(each.name in names for each in context.view.files.exact(path).symbols):
        return names
    imported = context.view.graph.imports(path)[:_MOST_PASSED_ON]
    return tuple(dict.fromkeys(name for each in imported for name in names_of(context, each))) or names


def _is_outermost(item: Symbol, homes: Mapping[str, str], around: Container[str]) -> bool:
    """Whether only wrappers are around a definition, which is none of them itself."""
    home = homes[item.qualified]
    if item.qualified in around or (home and home not in around):
        return False
    return item.kind == "module" or item.name == item.qualified.removeprefix(f"{home}.")


def _names_leading_to(context: Context, place: Place) -> tuple[str, ...]:
    """The requested definition and what calls it in its file, level by level up to one that other files name.

    Of one that nothing calls, what it is part of; empty where its name says nothing.
    """
    if place.innermost is None or len(place.innermost.name) < _SHORTEST:
        return ()
    text = context.view.files.text(place.file.path).split("\n")
    bodies = {
        each.name: "\n".join(text[each.start_line - 1 : each.end_line])
        for each in context.view.files.exact(place.file.path).symbols
        if each.kind not in ENCLOSING_KINDS and len(each.name) >= _SHORTEST
    }
    names, level = [place.innermost.name], [place.innermost.name]
    while level and len(names) < _MOST_LEADING and not _is_named_elsewhere(context, place.file, level):
        calls = [call_of(name) for name in level]
        level = [
            each for each, body in bodies.items() if each not in names and any(call.search(body) for call in calls)
        ]
        names += level
    return tuple(names[:_MOST_LEADING]) if len(names) > 1 else names_at(context)


def _is_named_elsewhere(context: Context, file: SourceFile, names: Iterable[str]) -> bool:
    """Whether another file has one of some names as a word."""
    own, postings = context.view.files.numbers[file.path], context.view.postings
    return any((postings.file_terms("word", name.lower()).docs != own).any() for name in names)


def names_in(context: Context, path: str, names: Collection[str]) -> frozenset[str]:
    """The names, of one word each, that a file contains as whole words."""
    text = context.view.files.text(path)
    return frozenset(name for name in names if contains_name(text, name))


def contains_name(text: str, name: str) -> bool:
    """Whether a text contains a name as a whole word; a plain search is ten times as fast as a pattern."""
    marks, at = "_-" if "-" in name else "_", text.find(name)
    while at >= 0:
        if not any(_is_in_word(each, marks) for each in (text[at - 1 : at], text[at + len(name) : at + len(name) + 1])):
            return True
        at = text.find(name, at + 1)
    return False


def _is_in_word(char: str, marks: str = "_") -> bool:
    return char.isalnum() or (char != "" and char in marks)


def name_words(context: Context, path: str) -> frozenset[str]:
    """Every word of a file, as written."""
    return frozenset(find_words(context.view.files.text(path)))


@dataclass(frozen=True, slots=True)
class Use:
    """Lines that use some names: a whole definition or section, or the lines around the first use in a long one."""

    span: Span
    title: str  # of the definition or section
    names: tuple[str, ...]


def uses(context: Context, path: str, names: Collection[str]) -> list[Use]:
    """Where a file uses some of the names; first those with the requested definition, then with most names.

    The lines that only import them do not count, unless nothing else does.
    """
    imports = {item.line for item in context.view.files.facts(path).imports}
    hits = _hits(context.lines(path), names)
    used = {number: found for number, found in hits.items() if number not in imports} or hits
    parsed, places = context.view.files.exact(path), dict[tuple[Span, str], list[int]]()
    for (span, title), numbers in _by_home(context, path, used).items():
        places.setdefault(_outermost_short(parsed, span, title, _LONG), []).extend(numbers)
    found = [
        Use(_around(span, sorted(numbers)[:1]), title, _names_on(numbers, used))
        for (span, title), numbers in places.items()
    ]
    near = set(names_at(context)[:1])
    return sorted(found, key=lambda use: (near.isdisjoint(use.names), -len(use.names), use.span))


@dataclass(frozen=True, slots=True)
class UseExtent:
    """How much of a definition comes with a use: all of it up to ``whole`` lines, else ``around`` lines each way.

    ``blocks``: or the indented block around it, where that is short. Many tests are no definitions, but blocks.
    """

    whole: int = _LONG
    around: int = _AROUND
    blocks: bool = False


_USUAL, _IN_TESTS, _NARROW = UseExtent(), UseExtent(blocks=True), UseExtent(whole=15, around=3, blocks=True)


def every_use(context: Context, path: str, names: Collection[str], extent: UseExtent = _USUAL) -> list[Use]:
    """Each place of a file where one of the names occurs, from the top: imports too, and all in a long definition.

    A definition of one of the names is given as a whole, unless it is very long.
    """
    hits = _hits(context.lines(path), names)
    parsed = context.view.files.exact(path)
    found: dict[Span, tuple[str, list[int]]] = {}
    for (span, title), numbers in _by_home(context, path, hits).items():
        is_defined, outer = last_name(title) in names, _outermost_short(parsed, span, title, extent.whole)
        is_whole = is_defined or (outer[1] and span[1] - span[0] < extent.whole)
        if is_whole:
            place = (_without_end(span), title) if is_defined else outer
            found.setdefault(place[0], (place[1], []))[1].extend(numbers)
            continue
        long, few = (extent.whole // 2 if extent.blocks else 0), 2 * extent.around
        blocks = {number: block_around(context.lines(path), span, number, long, few) for number in numbers}
        for number, block in blocks.items():
            if block:
                found.setdefault(block, (title, []))[1].append(number)
        for group in _close_together([number for number in numbers if not blocks[number]], extent.around):
            found.setdefault(_near(span, group, extent.around), (title, []))[1].extend(group)
    return [Use(span, title, _names_on(numbers, hits)) for span, (title, numbers) in sorted(found.items())]


def _outermost_short(parsed: ParsedFile, span: Span, title: str, most_lines: int) -> tuple[Span, str]:
    """The outermost function of some lines that is short: a function within it says little alone."""
    around = (
        each
        for each in parsed.symbols
        if each.start_line <= span[0] and span[1] <= each.end_line and each.kind not in ENCLOSING_KINDS
    )
    short = [each for each in around if each.end_line - each.start_line < most_lines]
    best = max(short, key=lambda each: each.end_line - each.start_line, default=None)
    return ((best.start_line, best.end_line), best.qualified) if best else (span, title)


def _without_end(span: Span) -> Span:
    return (span[0], span[0] + _LONG - 1) if span[1] - span[0] >= _VERY_LONG else span


def _near(span: Span, numbers: Sequence[int], around: int = _AROUND) -> Span:
    """Some lines around uses."""
    return max(span[0], numbers[0] - around), min(span[1], numbers[-1] + around)


def _by_home(context: Context, path: str, hits: Mapping[int, list[str]]) -> dict[tuple[Span, str], list[int]]:
    """The lines with names, by the definition or section around them."""
    parsed = context.view.files.exact(path)
    places: dict[tuple[Span, str], list[int]] = {}
    for number in hits:
        places.setdefault(_home(parsed, number), []).append(number)
    return places


def _names_on(numbers: Sequence[int], hits: Mapping[int, list[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for number in numbers for name in hits[number]))


def _close_together(numbers: Sequence[int], around: int) -> list[list[int]]:
    """Group sorted line numbers whose surroundings touch."""
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number - groups[-1][-1] <= 2 * around + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


def _hits(lines: Sequence[str], names: Collection[str]) -> dict[int, list[str]]:
    """The names that occur in lines as whole words, by line. All lines are searched at once for speed."""
    text = "\n".join(lines)
    held = [name for name in sorted(names, reverse=True) if name in text]
    found: dict[int, list[str]] = {}
    if not held:
        return found
    ends = list(accumulate(len(line) + 1 for line in lines))
    for match in re.finditer("|".join(rf"{re.escape(name)}(?![\w{'-' * ('-' in name)}])" for name in held), text):
        if not _is_in_word(text[match.start() - 1 : match.start()], "_-" if "-" in match[0] else "_"):
            found.setdefault(bisect_right(ends, match.start()) + 1, []).append(match[0])
    return found


def _home(parsed: ParsedFile, line: int) -> tuple[Span, str]:
    """The innermost definition or the section around a line, and its title."""
    symbol = parsed.enclosing(line, line)
    if symbol is not None:
        return (symbol.start_line, symbol.end_line), symbol.qualified
    chunk = next((each for each in parsed.chunks if each.start_line <= line <= each.end_line), Chunk(line, line, ""))
    return (chunk.start_line, chunk.end_line), " > ".join(chunk.heading)


def _around(span: Span, numbers: Sequence[int]) -> Span:
    """A whole definition or section, or some lines around its uses if it is long."""
    if span[1] - span[0] < _LONG:
        return span
    return _near(span, numbers)


_DEFINED = 0.95  # the value of a definition, and of uses by lane
_USED = {Lane.CODE: 0.9, Lane.CONFIG: 0.85, Lane.DOCS: 0.8, Lane.TESTS: 0.75}
_USED_IN_EXAMPLE = 0.7
_IN_LONGER = 0.75  # of the value: a use of a longer name that has the wanted one as a word
_RANKED = 0.05  # what the ranking adds: it only orders the definitions, and the uses of a lane
_CHARACTERS = 2.5  # of content for a token of the budget: the rest is around it
_HEAD = 60  # lines of a file that is called like what is looked up
_TOLD = 3  # names in a reason
_OUT_OF_WAY = frozenset((Trait.GENERATED, Trait.VENDORED, Trait.MINIFIED, Trait.LOCK, Trait.TRANSLATION))
_KEY = lazy_pattern(r"""\s*["']?([\w.-]{1,100})["']?\s*[:=]""")


def pieces_of_uses(context: Context, asked: FoundUses) -> list[Fragment]:
    """Every place that uses or defines one of the names, by file; then those with a longer name of which it is a word.

    Where they do not all fit the budget, fewer lines come with those in tests and examples. Places in changelogs, in
    documents for an older version and in what nobody writes by hand are only listed, and of the translations in one
    folder only one.
    """
    found = list(_pieces_of_uses(context, asked, _IN_TESTS))
    size = sum(len(piece.text) for piece in found if not piece.is_listed)
    is_over = size > _CHARACTERS * context.settings.budget
    return list(_pieces_of_uses(context, asked, _NARROW)) if is_over else found


def _pieces_of_uses(context: Context, asked: FoundUses, in_tests: UseExtent) -> Iterator[Fragment]:
    view, names, text = context.view, asked.names, context.request.text
    numbers = {int(view.postings.chunk_file[number]) for number in (*asked.chunks, *asked.in_longer)}
    older = {number for number, version in view.files.derive(outdated_documents) if not speaks_of(version, text)}
    outdated = {view.files[number].path for number in older & numbers if numbers - older}
    files = sorted((view.files[number] for number in numbers), key=lambda file: file.path)
    yield from _translations(context, [file for file in files if Trait.TRANSLATION in file.traits], asked)
    for file in files:
        if Trait.TRANSLATION in file.traits:
            continue
        is_listed = is_record(file.path) or file.path in outdated or bool(_OUT_OF_WAY.intersection(file.traits))
        is_example = Trait.EXAMPLE in file.traits
        of_lane = _USED_IN_EXAMPLE if is_example else _USED[file.kind.lane]
        extent = in_tests if is_example or file.kind.lane is Lane.TESTS else _USUAL
        if file.path in names or stem_of(file.path).lower() in names:
            value = _DEFINED + _RANKED if file.path in names else of_lane
            role = Role("search", value, ("its file has the name",), confidence=Confidence.HIGH)
            yield replace(lines_piece(context, file, (1, _HEAD), role), is_listed=is_listed, is_named=True)
            continue
        exact, longer = _names_in_use(context, file, asked)
        for use in every_use(context, file.path, exact | longer, extent):
            is_exact = not exact.isdisjoint(use.names)
            is_defined = is_exact and last_name(use.title) in use.names and file.kind.lane is Lane.CODE
            reason = f"{'defines' if is_defined else 'uses'} {' and '.join(use.names[:_TOLD])}"
            value = (_DEFINED if is_defined and not is_example else of_lane) + _RANKED * _rank_value(
                context, file.path, use.span
            )
            value *= 1 if is_exact else _IN_LONGER
            role = Role("search", value, (reason,), confidence=Confidence.HIGH, symbol=use.title)
            yield replace(lines_piece(context, file, use.span, role), is_listed=is_listed, is_named=is_exact)


def _names_in_use(context: Context, file: SourceFile, asked: FoundUses) -> tuple[set[str], set[str]]:
    """The names that a file has, and the longer ones of which one is a word."""
    text = context.view.files.text(file.path)
    exact = spellings_of(text, asked.names)
    return exact, longer_names(text, asked.names) - exact if asked.in_longer else set()


def _translations(context: Context, files: Sequence[SourceFile], asked: FoundUses) -> Iterator[Fragment]:
    """Of the translations in each folder one place, only for the list: its symbol is the key, and says how many."""
    folders: dict[str, list[SourceFile]] = {}
    for file in files:
        folders.setdefault(file.path.rpartition("/")[0], []).append(file)
    for members in folders.values():
        first, *others = sorted(members, key=lambda file: language_of_translation(file.path) not in {"", "en"})
        lines = context.lines(first.path)
        exact, longer = _names_in_use(context, first, asked)
        hits = sorted(_hits(lines, exact | longer)) or [1]
        key = _KEY.match(lines[hits[0] - 1])
        beside = f" and {len(others)} beside it" if others else ""
        role = Role("search", _USED[Lane.CONFIG], ("uses the name",), symbol=f"{key[1] if key else ''}{beside}".strip())
        yield replace(lines_piece(context, first, (hits[0], hits[-1]), role), is_listed=True, is_named=True)


def _rank_value(context: Context, path: str, span: Span) -> float:
    """The value (0..1) that the ranking gives to some lines; 0 where it does not name them."""
    ranked = (each for each in context.candidates if each.file.path == path)
    met = (each.value for each in ranked if each.chunk.start_line <= span[1] and span[0] <= each.chunk.end_line)
    return max(met, default=0.0)


_LARGE = 4_000  # bytes of a file
_HEADERS, _SOURCES = (".h", ".hh", ".hpp", ".hxx"), (".c", ".cc", ".cpp", ".cxx", ".m", ".mm")


def most_used(context: Context, numbers: Sequence[int], most: int) -> dict[SourceFile, tuple[int, bool]]:
    """The files that most others use, and how many do, with large ones beside them: of a folder each further one less.

    They are those of some numbers. Of files that are imported together, as a package, the one called like it comes
    first, else the longest. Also whether so many import it, or only have its name.
    """
    files, (users, imported) = context.view.files.entries, _users(context, numbers, most)
    paths, sizes, folders = files.paths.listed, files.sizes, files.folders[1]
    used = {folders[number] for number, count in users.items() if count}
    weights = {at: count or int(sizes[at] >= _LARGE and folders[at] in used) for at, count in users.items()}
    seen: Counter[int | tuple[int, int]] = Counter()
    ranked: list[tuple[float, str, int]] = []

    def order_of(number: int) -> tuple[int, bool, int, str]:
        path = paths[number]
        return -weights[number], stem_of(path) != path.split("/")[-2:][0], -sizes[number], path

    for number in sorted(filter(weights.__getitem__, users), key=order_of):
        folder, weight = folders[number], weights[number]
        seen[folder] += 1
        seen[folder, weight] += 1
        ranked.append((-weight / seen[folder] / seen[folder, weight], paths[number], number))
    return {files[at]: (users[at], users[at] == imported[at]) for *_, at in sorted(ranked)[:most]}


def _users(context: Context, numbers: Sequence[int], most: int) -> tuple[dict[int, int], dict[int, int]]:
    """How many files use each of some: what imports a header of C uses the file that does what the header declares.

    Where hardly any file is imported by several, as a loader finds them all, those count that name it. And the imports.
    """
    view, paths = context.view, context.view.files.entries.paths.listed
    homes = {paths[number].rpartition(".")[0]: number for number in numbers if paths[number].endswith(_SOURCES)}
    degrees, users = view.files.in_degrees.tolist(), dict[int, int]()
    for number in numbers:
        path = paths[number]
        home = homes.get(path.rpartition(".")[0], number) if path.endswith(_HEADERS) else number
        is_own = home != number and path in view.graph.imports(paths[home])
        users[home] = users.get(home, 0) + degrees[number] - is_own
    if sum(count > 1 for count in users.values()) >= most:
        return users, users
    named = naming_counts(numbers, view)
    return {number: max(count, named[number]) for number, count in users.items()}, users
