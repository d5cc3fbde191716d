"""Cut files into chunks, with every line in exactly one: code at its definitions, documents at their headings.

A function or the head of a class is a chunk, and so is a section. What is long is split where it does least harm, and
what is tiny is joined with its neighbour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Chunk, Symbol
from ctxpack.parse.languages.documents import start_with_anchors
from ctxpack.parse.languages.record import Heading
from ctxpack.text import FENCE_MARK, open_fences

LONGEST_CHUNK = 60
WINDOW = 40

# what a line begins or ends with that belongs to the line before or after it, whatever the language
_GOES_ON = lazy_pattern(
    r"\s*(?:[)\]},.?:&|+/]|->|=>|(?:else|elif|elsif|except|catch|finally|rescue|end|and|or|then|do|in)\b)"
)
_OPEN = ("(", "[", ",", "\\", "=", "+", "|", "&", "?", "=>", "->")
_BLANK_ABOVE = 4  # blanks of indentation that a blank line above makes up for
_IS_ABOVE = lazy_pattern(r"\s*(?:@\w|#|//|/\*|\*|--\s)")  # decorators and comments are above what they are about


def indentation(line: str) -> int:
    """Return how many blanks or tabs ``line`` starts with."""
    return len(line) - len(line.lstrip(" \t"))


def goes_on(above: str, line: str) -> bool:
    """Return whether ``line`` belongs to the statement or comment of the line ``above``, as far as their looks tell."""
    return above.rstrip().endswith(_OPEN) or bool(_IS_ABOVE.match(above) or _GOES_ON.match(line))


def _is_within_entry(above: str, line: str) -> bool:
    """Return the same of data, where a comma ends an entry, and a brace or bracket begins what is in it."""
    return above.rstrip().endswith(("{", "[", "(", ":")) or bool(_IS_ABOVE.match(above) or _GOES_ON.match(line))


def cut_points(
    lines: Sequence[str], start: int, end: int, longest: int, belongs: Callable[[str, str], bool] = goes_on
) -> list[tuple[int, int]]:
    """Cut the lines ``start..end`` (from 1, both included) into parts of at most ``longest`` lines.

    A part ends where the next line begins a statement at the lowest indentation, after a blank line if there is one.
    ``belongs`` tells whether a line belongs to what is above it.
    """
    parts = []
    while end - start + 1 > longest:
        cut = _cheapest_cut(lines, start, longest, belongs)
        parts.append((start, cut - 1))
        start = cut
    parts.append((start, end))
    return parts


def _cheapest_cut(lines: Sequence[str], start: int, longest: int, belongs: Callable[[str, str], bool]) -> int:
    """Return the line of the last two thirds at which a part ends best; the last one of equals."""
    numbers = range(start + longest, start + longest // 3, -1)
    below_blank = [number for number in numbers if not (above := lines[number - 2]) or above.isspace()]
    cut, cost = _cheapest_of(lines, below_blank, belongs)
    if cost >= (False, 0):  # else no line below another one is as good
        cut, _ = _cheapest_of(lines, numbers, belongs)
    return cut or min(numbers, key=lambda number: _cost_of_blank(lines, number))


def _cheapest_of(
    lines: Sequence[str], numbers: Iterable[int], belongs: Callable[[str, str], bool]
) -> tuple[int, tuple[bool, int]]:
    """Return the first of the cheapest of some lines, 0 if all are blank.

    Its cost says whether it belongs to what is above it, and its depth, where a blank line above counts.
    """
    cut, is_bound, least = 0, True, 0
    for number in numbers:
        line, above = lines[number - 1], lines[number - 2]
        bare = line.lstrip(" \t")
        depth = len(line) - len(bare)
        if cut and not is_bound and depth - _BLANK_ABOVE >= least:
            continue  # whatever is above it, it is no better
        if not bare or bare.isspace():
            continue
        if not above or above.isspace():
            depth -= _BLANK_ABOVE
        if cut and not is_bound and depth >= least:
            continue  # whatever its statement, it is no better
        belonging = belongs(above, line)
        if not cut or (belonging, depth) < (is_bound, least):
            cut, is_bound, least = number, belonging, depth
            if not belonging and depth == -_BLANK_ABOVE:
                break  # nothing is better
    return cut, (is_bound, least)


def _cost_of_blank(lines: Sequence[str], number: int) -> tuple[bool, int]:
    line, above = lines[number - 1], lines[number - 2]
    return goes_on(above, line), indentation(line) - (0 if above.strip() else _BLANK_ABOVE)


CONTAINERS = frozenset(
    {"class", "struct", "interface", "trait", "module", "namespace", "object", "impl", "enum", "union", "protocol"}
    | {"extension", "mixin", "service", "message"}
)
VALUES = frozenset({"constant", "variable", "field"})
_TINY = 3  # lines; neighbours of this size share a chunk
_GROUP = 20  # lines of a shared chunk at most
_CLOSERS = frozenset("})];,")

_Piece = tuple[int, int, Symbol | None]


def cut_code(lines: Sequence[str], symbols: Sequence[Symbol]) -> tuple[Chunk, ...]:
    """Cut a file with these lines and symbols (sorted by start, outer before inner)."""
    if not lines:
        return ()
    if not symbols:
        return cut_windows(lines)
    pieces = _absorb_closers(lines, _pieces(len(lines), symbols))
    pieces = _merge_tiny(lines, _join_titles(lines, pieces))
    first = symbols[0].start_line
    chunks: list[Chunk] = []
    for start, end, owner in pieces:
        kind = owner.kind if owner else "header" if start < first else "window"
        name = owner.qualified if owner else ""
        if end - start < LONGEST_CHUNK:
            chunks.append(Chunk(start, end, kind, name))
            continue
        chunks.extend(Chunk(a, b, kind, name) for a, b in cut_points(lines, start, end, LONGEST_CHUNK))
    return tuple(chunks)


def cut_windows(lines: Sequence[str]) -> tuple[Chunk, ...]:
    """Cut a text without known definitions into windows that end at blank lines."""
    if not lines:
        return ()
    return tuple(Chunk(a, b, "window") for a, b in cut_points(lines, 1, len(lines), WINDOW))


def _pieces(total: int, symbols: Sequence[Symbol]) -> list[_Piece]:
    pieces: list[_Piece] = []
    stack: list[Symbol] = []
    position = 1

    def emit(end: int) -> None:
        nonlocal position
        if end >= position:
            pieces.append((position, end, stack[-1] if stack else None))
            position = end + 1

    for symbol in symbols:
        while stack and stack[-1].end_line < symbol.start_line:
            emit(stack[-1].end_line)
            stack.pop()
        if symbol.end_line < position or (stack and not _may_be_cut(stack[-1])):
            continue
        emit(symbol.start_line - 1)
        stack.append(symbol)
    while stack:
        emit(stack[-1].end_line)
        stack.pop()
    emit(total)
    return pieces


def _may_be_cut(symbol: Symbol) -> bool:
    return symbol.kind in CONTAINERS or symbol.end_line - symbol.start_line >= LONGEST_CHUNK


def _absorb_closers(lines: Sequence[str], pieces: list[_Piece]) -> list[_Piece]:
    """Give lines that only close something to the piece before them."""
    kept: list[_Piece] = []
    for start, end, owner in pieces:
        begin = start
        if kept and (owner is None or owner.start_line < start):
            begin = _after_closers(lines, start, end)
        if begin > start:
            kept[-1] = (kept[-1][0], begin - 1, kept[-1][2])
        if begin <= end:
            kept.append((begin, end, owner))
    return kept


def _after_closers(lines: Sequence[str], start: int, end: int) -> int:
    """Return the first line of these after those that close something; blank lines alone close nothing."""
    after = next((number for number in range(start, end + 1) if not closes(lines[number - 1])), end + 1)
    return after if after > end or any(line.strip() for line in lines[start - 1 : after - 1]) else start


_COMMENT_MARKS = ("//", "#", "--", ";", "/*", "*", "%")
_TAG_MARK = "<!--"  # it begins or ends a region, of which it is no part


def _join_titles(lines: Sequence[str], pieces: list[_Piece]) -> list[_Piece]:
    """Give short comments between two definitions, such as ``// MARK: Uploads``, to the one that follows."""
    kept: list[_Piece] = []
    for start, end, owner in pieces:
        begin = start
        if owner and owner.start_line == start and len(kept) > 1 and _is_title(lines, kept[-1]):
            above, _, _ = kept.pop()
            begin = next(number for number in range(above, start) if lines[number - 1].strip())
            kept[-1] = (kept[-1][0], begin - 1, kept[-1][2])
        kept.append((begin, end, owner))
    return kept


def _is_title(lines: Sequence[str], piece: _Piece) -> bool:
    start, end, owner = piece
    if owner and owner.start_line >= start:  # it is no part between two definitions
        return False
    said = [line.strip() for line in lines[start - 1 : end] if line.strip()]
    return 0 < len(said) <= _TINY and all(line.startswith(_COMMENT_MARKS) and _TAG_MARK not in line for line in said)


def closes(line: str) -> bool:
    """Return whether a line says nothing but that something ends, or is blank."""
    bare = line.strip()
    return not bare or bare in ("end", "#endif", "})();") or _CLOSERS.issuperset(bare)


def _merge_tiny(lines: Sequence[str], pieces: list[_Piece]) -> list[_Piece]:
    """Join neighbours at the top level that are too small to mean much alone, and those of one group of constants."""
    kept: list[_Piece] = []
    was_tiny = was_grouped = False
    for start, end, owner in pieces:
        is_short = end - start < _TINY or _height(lines, start, end) <= _TINY
        tiny = is_short and (owner is None or "." not in owner.qualified)
        grouped = _is_in_group(lines, owner) if owner else was_grouped and _is_indented(lines, start, end)
        if grouped:
            joins = was_grouped and indentation(lines[start - 1]) > 0 and end - kept[-1][0] < WINDOW
        else:
            joins = tiny and was_tiny and not was_grouped and end - kept[-1][0] < _GROUP
        if joins:
            kept[-1] = (kept[-1][0], end, kept[-1][2] or owner)
        else:
            kept.append((start, end, owner))
        was_tiny, was_grouped = tiny, grouped
    return kept


def _is_in_group(lines: Sequence[str], symbol: Symbol) -> bool:
    """Whether a definition is indented though nothing with a name is around it, as in Go's ``const ( … )``."""
    is_value = symbol.kind in ("constant", "variable") and "." not in symbol.qualified
    return is_value and indentation(lines[symbol.end_line - 1]) > 0


def _is_indented(lines: Sequence[str], start: int, end: int) -> bool:
    """Whether no line is at the left margin but those that close something."""
    return all(indentation(line) > 0 or closes(line) for line in lines[start - 1 : end])


def _height(lines: Sequence[str], start: int, end: int) -> int:
    while end > start and not lines[end - 1].strip():
        end -= 1
    return end - start + 1


LONGEST_SECTION = 80
_MOST_OF_SECTION, _SIZE_OF_PART = 12_000, 4_000  # characters: what is larger fits no pack
_SHORT = 3  # lines of a section that is joined with the next one
# Lines that lean on the paragraph before them: lists, tables, an example that it introduces.
_BOUND = lazy_pattern(rf"[ \t]|[-*+][ \t]|\d+[.)][ \t]|\||</|{FENCE_MARK}|\.\.[ \t](?:source)?code")


def cut_sections(lines: Sequence[str], headings: Sequence[Heading]) -> tuple[Chunk, ...]:
    """Cut a document into chunks: what comes before the first heading, then one section a chunk."""
    if not lines:
        return ()
    chunks: list[Chunk] = []
    headings = [each._replace(line=start_with_anchors(lines, each.line)) for each in headings]
    if not headings or headings[0].line > 1:
        end = headings[0].line - 1 if headings else len(lines)
        chunks.append(Chunk(1, end, "header" if headings else "window"))
    chunks.extend(_merge_short(_whole_sections(len(lines), headings)))
    return tuple(part for chunk in chunks for part in _parts(lines, chunk))


def cut_tables(lines: Sequence[str], headings: Sequence[Heading]) -> tuple[Chunk, ...]:
    """Cut a configuration at its sections: what is long is split like code, what is tiny is joined with the next."""
    whole = [Chunk(1, headings[0].line - 1, "header")] if headings[0].line > 1 else []
    for _, chunk in _whole_sections(len(lines), headings):
        last = whole[-1] if whole else None
        is_tiny = last is not None and last.end_line - last.start_line < _SHORT
        if last and is_tiny and (last.heading == chunk.heading[:-1] or chunk.end_line - last.start_line < _GROUP):
            whole[-1] = replace(chunk, start_line=last.start_line)  # the key above its first block, or both are short
        else:
            whole.append(chunk)
    return tuple(
        replace(chunk, start_line=start, end_line=end)
        for chunk in whole
        for start, end in cut_points(lines, chunk.start_line, chunk.end_line, LONGEST_CHUNK, _is_within_entry)
    )


def _whole_sections(total: int, headings: Sequence[Heading]) -> list[tuple[int, Chunk]]:
    path: list[Heading] = []
    found = []
    for number, heading in enumerate(headings):
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        end = headings[number + 1].line - 1 if number + 1 < len(headings) else total
        titles = tuple(item.title for item in path)
        found.append((heading.level, Chunk(heading.line, end, "section", heading=titles)))
    return found


def _merge_short(found: list[tuple[int, Chunk]]) -> list[Chunk]:
    kept: list[Chunk] = []
    last_level = 0
    for level, chunk in found:
        last = kept[-1] if kept else None
        if last and last.end_line - last.start_line < _SHORT and level >= last_level:
            deeper = chunk.heading[: len(last.heading)] == last.heading
            kept[-1] = replace(last, end_line=chunk.end_line, heading=chunk.heading if deeper else last.heading)
            continue
        kept.append(chunk)
        last_level = level
    return kept


def _parts(lines: Sequence[str], chunk: Chunk) -> list[Chunk]:
    first, last = chunk.start_line, chunk.end_line
    cuts, places = [first], _paragraphs(lines, first, last) if last - first >= LONGEST_SECTION else ()
    while last - cuts[-1] >= LONGEST_SECTION:
        cuts.append(_best_cut(places, cuts[-1]))
    if sum(map(len, lines[first - 1 : last])) > _MOST_OF_SECTION:
        cuts = sorted({*cuts, *_cuts_by_size(lines, first, last)})
    ends = (*(cut - 1 for cut in cuts[1:]), last)
    return [replace(chunk, start_line=start, end_line=end) for start, end in zip(cuts, ends, strict=True)]


def _cuts_by_size(lines: Sequence[str], start: int, end: int) -> list[int]:
    """Return the lines that begin a part where few lines hold much, as the rows of a table of options do."""
    found, size = list[int](), 0
    for number, is_fenced in enumerate(open_fences(lines[start - 1 : end])[:-1], start):
        if is_fenced or (found and size + len(lines[number - 1]) <= _SIZE_OF_PART):
            size += len(lines[number - 1])
        else:
            found, size = [*found, number], len(lines[number - 1])
    return found


def _best_cut(places: Sequence[tuple[int, bool]], start: int) -> int:
    """Return where the next part begins: the last free paragraph in reach, else any paragraph, else the limit."""
    in_reach = [place for place in places if start < place[0] <= start + LONGEST_SECTION]
    free = [line for line, is_bound in in_reach if not is_bound and line > start + LONGEST_SECTION // 4]
    if free:
        return free[-1]
    return in_reach[-1][0] if in_reach else start + LONGEST_SECTION


def _leans(line: str, before: str) -> bool:
    """Whether a paragraph means little without the one before it, whose last line is ``before``."""
    return _BOUND.match(line) is not None or before.rstrip().endswith(":")


def _paragraphs(lines: Sequence[str], start: int, end: int) -> list[tuple[int, bool]]:
    """Return the lines that begin a paragraph outside fences, and whether it leans on what comes before it."""
    is_fenced = open_fences(lines[start - 1 : end])
    return [
        (number, _leans(lines[number - 1], lines[number - 3] if number > start + 1 else ""))
        for number in range(start + 1, end + 1)
        if not is_fenced[number - start] and lines[number - 1].strip() and not lines[number - 2].strip()
    ]
