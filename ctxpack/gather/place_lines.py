"""The lines to show for a place in a file, and those that other strategies show because of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.focus import Place, Span, is_stub, section_of, wrappers
from ctxpack.gather.outlines import signature_end
from ctxpack.light import lazy_pattern
from ctxpack.model import Kind, SourceFile, Symbol
from ctxpack.query.subtokens import subtokens
from ctxpack.settings import DEFAULT_AROUND, Settings

FRAME = 220  # tokens of the budget that the frame of a report may take
_WHOLE_LINES = 120  # a definition or section of at most this many lines is shown whole around a selection
_SHARE, _CHARACTERS = 0.4, 3.5  # of the budget for the lines around a place in something longer, and of a token
_LONG_SHARE = 0.5  # of the budget, for a class, a section or a window that is shown whole
ENCLOSING_KINDS = frozenset(
    {"class", "struct", "interface", "enum", "trait", "module", "namespace", "object", "protocol"}
)
_MARGIN = 20  # lines before and behind a selection in something longer
_UNDERLINE = lazy_pattern(r"([=\-~^\"'`#*+.:_])\1{2,}\s*")


def lines_to_show(context: Context, place: Place) -> Span:
    """The lines to show for a place: a window around a cursor; a selection with the unit around it.

    Where the budget is small, as many of them around the place as a part of it holds.
    """
    span, unit = _preferred_lines(context, place), _unit(context, place)
    cost = context.counter.text(context.text(place.file.path, span))
    if cost <= context.settings.budget * _LONG_SHARE or (span == unit and _has_room(context, place, span)):
        return span
    return unit if unit is not None and _has_room(context, place, unit) else _fitting(context, place, span)


def _preferred_lines(context: Context, place: Place) -> Span:
    last = max(1, len(context.lines(place.file.path)))
    first, end = place.span
    unit = _unit(context, place)
    if place.how == "cursor":
        margin = context.settings.around
        window = max(1, first - margin), min(last, end + margin)
        return _around_cursor(context, place, window, unit)
    if place.how == "symbol":
        return place.span
    if unit and unit[1] - unit[0] < _WHOLE_LINES:
        return unit
    low, high = unit or (1, last)
    return max(low, first - _MARGIN), min(high, end + _MARGIN)


def _around_cursor(context: Context, place: Place, window: Span, unit: Span | None) -> Span:
    """The unit of a cursor whole, and the window around it without the definitions that its ends would cut.

    A window whose width was asked for stays as wide, and brings a section only where that is shorter.
    """
    margin = context.settings.around
    is_asked = margin != DEFAULT_AROUND or "around" in context.settings.origins
    is_short = unit is not None and unit[1] - unit[0] <= 2 * margin
    is_whole = unit is not None and _has_room(context, place, unit) and (is_short or place.innermost is not None)
    if not is_asked:
        spans = [(each.start_line, each.end_line) for each in context.view.exact(place.file.path).symbols]
        above = [end + 1 for start, end in spans if start < window[0] <= end < place.span[0]]
        below = [start - 1 for start, end in spans if place.span[1] < start <= window[1] < end]
        window = max([window[0], *above]), min([window[1], *below])
    return (min(window[0], unit[0]), max(window[1], unit[1])) if unit is not None and is_whole else window


def _has_room(context: Context, place: Place, unit: Span) -> bool:
    """Whether a definition can be shown whole: a function if it fits at all, a class or section in half the budget."""
    inner = place.innermost
    is_long = inner is None or inner.kind in ENCLOSING_KINDS
    room = context.settings.budget * _LONG_SHARE if is_long else context.settings.budget - 2 * FRAME
    return context.counter.text(context.text(place.file.path, unit)) <= room


def head_lines(context: Context, place: Place) -> list[tuple[Span, str]]:
    """The first lines of each definition or section around what is shown, the outermost first, with their names."""
    start = lines_to_show(context, place)[0]
    lines = context.lines(place.file.path)
    found = [((each.start_line, signature_end(lines, each)), each.qualified) for each in place.around]
    found = found or _headings(context, place, lines)
    return [(span, name) for span, name in found if span[1] < start]


def lines_of_place(context: Context) -> list[Span]:
    """The lines of the file that other strategies show because of the place; in order, none overlapping."""
    place = context.place
    if place is None:
        return []
    spans = [lines_to_show(context, place)] if is_on_place(place_strategy(place), context.settings) else []
    if is_on_place("heading", context.settings):
        spans += [span for span, _ in head_lines(context, place)]
    return sorted(spans)


def names_at(context: Context) -> tuple[str, ...]:
    """The names of the definitions around the place but mere wrappers, the innermost first; empty without one."""
    place = context.place
    if place is None:
        return ()
    without = wrappers(context.view.exact(place.file.path).symbols)
    return tuple(dict.fromkeys(each.name for each in reversed(place.around) if each.qualified not in without))


def call_of(name: str) -> re.Pattern[str]:
    """What a call of a definition looks like: its name before a bracket, or behind what it belongs to.

    In Lisps, whose names have hyphens, behind a bracket or a quote.
    """
    if "-" in name:
        return re.compile(rf"[('] *{re.escape(name)}(?![\w-])")
    return re.compile(rf"\b{re.escape(name)}\(|[.:>@]{re.escape(name)}\b")


def place_strategy(place: Place) -> str:
    """The strategy that shows a place."""
    return "cursor" if place.how == "cursor" else "selection"


def _fitting(context: Context, place: Place, span: Span) -> Span:
    """The lines of ``span`` nearest to the place that have room."""
    lines = context.lines(place.file.path)
    room = int(context.settings.budget * _CHARACTERS * _SHARE)
    sizes = {number: len(lines[number - 1]) + 1 for number in range(span[0], span[1] + 1) if number <= len(lines)}
    if sum(sizes.values()) <= room:
        return span
    first, last = max(span[0], place.span[0]), min(span[1], place.span[1])
    held = range(first, last + 1)
    room -= sum(sizes.get(number, 0) for number in held)
    for number in sorted(set(sizes).difference(held), key=lambda at: (max(held[0] - at, at - held[-1]), at)):
        room -= sizes[number]
        if room < 0:
            break
        first, last = min(first, number), max(last, number)
    return first, last


def _unit(context: Context, place: Place) -> Span | None:
    """The definition around a place, else the part of the document."""
    inner: Symbol | None = place.innermost
    if inner is not None:
        return inner.start_line, inner.end_line
    section = section_of(context.view.files.exact(place.file.path), place.span[0])
    if section is None or not section.heading or section.end_line < place.span[1]:
        return None
    end, lines = section.end_line, context.lines(place.file.path)
    while end > place.span[1] and not lines[end - 1].strip():
        end -= 1
    return section.start_line, end


def _headings(context: Context, place: Place, lines: Sequence[str]) -> list[tuple[Span, str]]:
    """The headings of a document above a place, from its title to that of the section."""
    chunks = context.view.files.exact(place.file.path).chunks
    section = section_of(context.view.files.exact(place.file.path), place.span[0])
    found: list[tuple[Span, str]] = []
    for depth in range(1, len(section.heading) + 1 if section else 0):
        path = section.heading[:depth] if section else ()
        home = next((each for each in chunks if each.heading == path and each.start_line <= place.span[0]), None)
        if home is not None:
            end = home.start_line + (
                home.start_line < len(lines) and bool(_UNDERLINE.fullmatch(lines[home.start_line]))
            )
            found.append(((home.start_line, end), " > ".join(path)))
    return found


def is_on_place(name: str, settings: Settings) -> bool:
    """Whether the settings let one of the strategies for a place run."""
    is_chosen = not settings.strategies or name in settings.strategies or name in settings.enable
    return is_chosen and name not in settings.disable


def block_around(lines: Sequence[str], span: Span, number: int, most: int, least: int) -> Span | None:
    """The outermost indented block around a line that has at most ``most`` lines, with what opens and closes it.

    Where a longer one is around it, a block of less than ``least`` lines is none: it shows less than its surroundings.
    """
    found: Span | None = None
    start = end = number
    while True:
        inner = min(_indent(lines[at - 1]) for at in range(start, end + 1) if lines[at - 1].strip())
        above = (at for at in range(start - 1, span[0] - 1, -1) if lines[at - 1].strip())
        start = next((at for at in above if _indent(lines[at - 1]) < inner), 0)
        if not start:
            return found
        outer = _indent(lines[start - 1])
        below = (at for at in range(end + 1, min(span[1], start + most) + 1) if lines[at - 1].strip())
        after = next((at for at in below if _indent(lines[at - 1]) <= outer), span[1] + 1)
        end = after if after <= span[1] and _CLOSING.fullmatch(lines[after - 1].strip()) else after - 1
        while not lines[end - 1].strip():
            end -= 1
        if end - start >= most:
            return found if found and found[1] - found[0] >= least else None
        found = (start, end)


_CLOSING = lazy_pattern(r"(?:end|[)}\]])[)}\];,]{0,9}")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


MAX_NEAR, MAX_FAR = 5, 6  # definitions of the file itself, and of others
_WHOLE_FUNCTION_LINES, _WHOLE_FUNCTION_SHARE = 60, 0.12  # of what is shown whole, one of both; the share of the budget
_MAX_FILES = 40  # imported files that are looked into
_CALL = lazy_pattern(
    r"(?<!\w)((?:\w{1,100}(?:\.|::|->|\?\.)){0,12})([A-Za-z_]\w{0,100}[!?]?)"
    r"(?:::<[^>\n]{0,200}>|<[\w, ]{1,200}>)?\s?\("
)
_SELF = frozenset({"self", "this", "cls", "Self", "super", "that"})
_RECEIVER = lazy_pattern(r"func\s*\((\w+)")  # what Go calls the object of a method
_SEVERAL_WORDS = 2
_SEPARATORS = lazy_pattern(r"\?\.|\.|::|->")


def is_shown_whole(context: Context, file: SourceFile, symbol: Symbol) -> bool:
    """Whether a called definition is short enough to be shown whole; a longer one is told by its signature."""
    span = symbol.start_line, symbol.end_line
    room = _WHOLE_FUNCTION_SHARE * context.settings.budget
    return span[1] - span[0] < _WHOLE_FUNCTION_LINES or context.counter.text(context.text(file.path, span)) <= room


def callees_here(context: Context) -> list[Symbol]:
    """The short definitions of the same file that the requested definition calls, in the order of the calls."""
    found = _home_and_calls(context)
    if found is None:
        return []
    place, home, calls = found
    span = lines_to_show(context, place)
    near = (each for each in _own_callees(context, place.file, calls, home) if not _is_in(each, span))
    return [each for each in near if is_shown_whole(context, place.file, each)][:MAX_NEAR]


def callees_elsewhere(context: Context) -> list[tuple[SourceFile, Symbol]]:
    """The definitions of imported files that the requested definition calls, in the order of the calls."""
    found = _home_and_calls(context)
    return list(_foreign_callees(context, found[0].file, found[2]))[:MAX_FAR] if found else []


def _home_and_calls(context: Context) -> tuple[Place, Symbol, dict[str, set[str]]] | None:
    """The place of the request, its definition and the calls in it; None if there is no function."""
    place = context.place
    home = place.innermost if place is not None else None
    if place is None or home is None or home.kind in ENCLOSING_KINDS:
        return None
    return place, home, _calls(context.text(place.file.path, (home.start_line, home.end_line)), home)


def _calls(text: str, home: Symbol) -> dict[str, set[str]]:
    """The names that a text calls, each with its receiver: ``self``, a class, a module, nothing, or a dot: a result."""
    found: dict[str, set[str]] = {}
    for match in _CALL.finditer(text):
        name = match[2].rstrip("!")
        of_result = "." if text[: match.start()].endswith((".", "->")) else ""
        receiver = next((part for part in reversed(_SEPARATORS.split(match[1])) if part), of_result)
        if name != home.name or receiver:
            found.setdefault(name, set()).add(receiver)
    return found


def _own_callees(context: Context, file: SourceFile, calls: dict[str, set[str]], home: Symbol) -> Iterator[Symbol]:
    """The called definitions of the same file: of its class by ``self``, of another one by the class's name.

    Where only one has a name of several words it is meant whatever object it is called on.
    """
    owner = home.qualified.rpartition(".")[0]
    symbols = context.view.exact(file.path).symbols
    lines = context.lines(file.path)
    own = _RECEIVER.match(home.signature)
    selves = _SELF | {own[1]} if own else _SELF
    for name, receivers in calls.items():
        named = [each for each in symbols if each.name == name and each.qualified != home.qualified]
        meant = [each for each in named if _is_meant(each, receivers, owner, selves)]
        is_clear = len(named) == 1 and len([*subtokens(name)]) >= _SEVERAL_WORDS
        if meant := meant or (named if is_clear else []):
            yield min(meant, key=lambda each: (is_stub(each, lines), each.start_line))


def _is_meant(each: Symbol, receivers: set[str], owner: str, selves: frozenset[str]) -> bool:
    outer = each.qualified.rpartition(".")[0]
    if not outer:
        return "" in receivers
    is_own = outer == owner and not receivers.isdisjoint({"", *selves})
    return is_own or outer.rpartition(".")[2] in receivers or (outer == owner.rpartition(".")[0] and "" in receivers)


def _foreign_callees(
    context: Context, file: SourceFile, calls: dict[str, set[str]]
) -> Iterator[tuple[SourceFile, Symbol]]:
    """The called definitions of imported files, by their own name, or by that of their class or module."""
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
    others = context.view.files.entries.in_folders(lambda each: each == folder)
    return [each for each in others if each.language == "go" and each.kind is Kind.CODE and each != file][:_MAX_FILES]


def _is_named(symbol: Symbol, target: SourceFile, receivers: set[str]) -> bool:
    outer = symbol.qualified.rpartition(".")[0].rpartition(".")[2]
    modules = set(target.path.rpartition(".")[0].split("/")[-2:])
    return outer in receivers if outer else not receivers.isdisjoint({"", *modules})


def _is_in(symbol: Symbol, span: Span) -> bool:
    return span[0] <= symbol.end_line and symbol.start_line <= span[1]
