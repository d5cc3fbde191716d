"""What the definition at the place of a request calls, of its own file and of those it imports."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxpack.gather.context import Context
from ctxpack.gather.place import Span, is_stub
from ctxpack.gather.place_lines import ENCLOSING_KINDS, lines_to_show
from ctxpack.model import Kind, SourceFile, Symbol

MAX_NEAR, MAX_FAR = 5, 6  # definitions of the file itself, and of others
WHOLE_FUNCTION_LINES = 60  # a longer definition is told by its signature
_MAX_FILES = 40  # imported files that are looked into
_CALL = re.compile(r"((?:\w+(?:\.|::|->|\?\.))*)([A-Za-z_]\w*[!?]?)(?:::<[^>\n]*>|<[\w, ]+>)?\s?\(")
_SELF = frozenset({"self", "this", "cls", "Self", "super", "that"})
_RECEIVER = re.compile(r"func\s*\((\w+)")  # what Go calls the object of a method
_SEPARATORS = re.compile(r"\?\.|\.|::|->")


def called_here(context: Context) -> list[Symbol]:
    """The short definitions of the file in question that the one at the place calls, in the order of the calls."""
    place = context.place
    home = place.innermost if place is not None else None
    if place is None or home is None or home.kind in ENCLOSING_KINDS:
        return []
    span = lines_to_show(context, place)
    calls = _calls(context.text(place.file.path, (home.start_line, home.end_line)), home)
    near = (each for each in _within(context, place.file, calls, home) if not _is_in(each, span))
    return [each for each in near if each.end_line - each.start_line < WHOLE_FUNCTION_LINES][:MAX_NEAR]


def called_elsewhere(context: Context) -> list[tuple[SourceFile, Symbol]]:
    """The definitions of imported files that the one at the place calls, in the order of the calls."""
    place = context.place
    home = place.innermost if place is not None else None
    if place is None or home is None or home.kind in ENCLOSING_KINDS:
        return []
    calls = _calls(context.text(place.file.path, (home.start_line, home.end_line)), home)
    return list(_elsewhere(context, place.file, calls))[:MAX_FAR]


def _calls(text: str, home: Symbol) -> dict[str, set[str]]:
    """The names that a text calls, each with what it is asked of: ``self``, a class, a module, or nothing."""
    found: dict[str, set[str]] = {}
    for match in _CALL.finditer(text):
        name = match[2].rstrip("!")
        receiver = next((part for part in reversed(_SEPARATORS.split(match[1])) if part), "")
        if name != home.name or receiver:
            found.setdefault(name, set()).add(receiver)
    return found


def _within(context: Context, file: SourceFile, calls: dict[str, set[str]], home: Symbol) -> Iterator[Symbol]:
    """The definitions of the file itself that are called: of its class by ``self``, of another by the class's name."""
    owner = home.qualified.rpartition(".")[0]
    symbols = context.view.exact(file.path).symbols
    lines = context.lines(file.path)
    own = _RECEIVER.match(home.signature)
    selves = _SELF | {own[1]} if own else _SELF
    for name, receivers in calls.items():
        named = [each for each in symbols if each.name == name and each.qualified != home.qualified]
        meant = [each for each in named if _is_meant(each, receivers, owner, selves)]
        if meant:
            yield min(meant, key=lambda each: (is_stub(each, lines), each.start_line))


def _is_meant(each: Symbol, receivers: set[str], owner: str, selves: frozenset[str]) -> bool:
    outer = each.qualified.rpartition(".")[0]
    if not outer:
        return "" in receivers
    is_own = outer == owner and not receivers.isdisjoint({"", *selves})
    return is_own or outer.rpartition(".")[2] in receivers or (outer == owner.rpartition(".")[0] and "" in receivers)


def _elsewhere(context: Context, file: SourceFile, calls: dict[str, set[str]]) -> Iterator[tuple[SourceFile, Symbol]]:
    """The definitions of imported files that are called by their own name, or by that of their class or module."""
    targets = [context.view.files.get(path) for path in context.view.graph.imports(file.path)[:_MAX_FILES]]
    targets += _siblings(context, file)
    known = {each.name for each in context.view.exact(file.path).symbols if each.name == each.qualified}
    parsed = [(each, context.view.exact(each.path).symbols, context.lines(each.path)) for each in targets if each]
    for name, receivers in calls.items():
        if name in known:
            continue
        found = [
            (is_stub(symbol, lines), target, symbol)
            for target, symbols, lines in parsed
            for symbol in symbols
            if symbol.name == name and _is_named(symbol, target, receivers)
        ]
        if found:
            yield min(found, key=lambda item: (item[0], item[1].path, item[2].start_line))[1:]


def _siblings(context: Context, file: SourceFile) -> list[SourceFile]:
    """The other files of a folder whose definitions need no import, as in a package of Go."""
    if file.language != "go":
        return []
    folder = file.path.rpartition("/")[0]
    others = (each for each in context.view.files if each.path.rpartition("/")[0] == folder)
    return [each for each in others if each.language == "go" and each.kind is Kind.CODE and each != file][:_MAX_FILES]


def _is_named(symbol: Symbol, target: SourceFile, receivers: set[str]) -> bool:
    outer = symbol.qualified.rpartition(".")[0].rpartition(".")[2]
    modules = set(target.path.rpartition(".")[0].split("/")[-2:])
    return outer in receivers if outer else not receivers.isdisjoint({"", *modules})


def _is_in(symbol: Symbol, span: Span) -> bool:
    return span[0] <= symbol.end_line and symbol.start_line <= span[1]
