"""Long texts: their units, which of them become pieces, and the gaps between pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from ctxpack.discover.traits import is_way_in
from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span
from ctxpack.gather.fragments import Role, line_count, lines_piece
from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Candidate, Chunk, Confidence, Fragment, Kind, Lane, ParsedFile, SourceFile, Symbol, TagRegion
from ctxpack.parse.chunking import CONTAINERS, closes, goes_on
from ctxpack.parse.languages import find_language
from ctxpack.parse.metadata import choose_tags
from ctxpack.query.understand import Aim, aims_of
from ctxpack.text import is_decoration, keywords_in, licence_lines

SMALL_FILE = 2_400  # characters: so a file comes whole; with small classes 1.5 % more of what 95 requests need
# In large packs: at 8,000 tokens they hold 1 % more of the needed lines; at 4,000 requests lose 1 %.
LARGER_FILE, _CHARACTERS_PER_TOKEN = 3_200, 0.4
SMALL_WAY_IN = 4_500  # of a build file or guide, for whoever builds or contributes: one of 95 gets more
# Of a central file, per token of a budget of some size, a sixth of which it may take. At 8,000 tokens eight of 307
# requests get more of what they need, none less; at 4,000 three get less. With 1.1 two of 361 get less, none more.
_CENTRAL_FILE, _LARGEST_CENTRAL_FILE, _LEAST_BUDGET = 0.7, 20_000, 6_000
_WHOLE_FUNCTION = 0.6  # characters per token, of a function of which only an inner one matches: five get more, one less
SMALL_CLASS = 2_000  # characters: a class so short comes with all its members
NEIGHBOUR = 12  # lines of a neighbour that is taken along by what says little alone
FIRST_PART = 30  # lines of the first member or subsection that a mere head is taken with
LITTLE = 2  # lines with a word that say little alone

_WORD = lazy_pattern(r"\w")


def unit(context: Context, path: str, span: Span, name: str) -> tuple[Span, str]:
    """The lines to show for matching lines, and their name: all of a small file or class, no head without its body.

    Lines that only close a block from elsewhere are left out, and so is a licence at the beginning of code.
    """
    lines = context.lines(path)
    file = context.view.files.get(path)
    first = 1 + (licence_of(context, file) if file else 0)
    if _is_short(lines[first - 1 :], _most_of_a_file(context, file)):
        return (first, len(lines)), name if span == (1, len(lines)) else ""
    span = max(span[0], first), max(span[1], first)
    parsed = context.view.exact(path)
    within = without_closers(lines, parsed.symbols, span)
    asked = [each.chunk for each in context.candidates if each.file.path == path]
    if (home := _whole_home(lines, parsed.symbols, within, asked, context.settings.budget)) is not None:
        return (min(home.start_line, span[0]), home.end_line), home.qualified
    if says_little(lines, within):
        within = _extend(lines, parsed.chunks, parsed.symbols, within)
    return without_closers(lines, parsed.symbols, within), name


def _most_of_a_file(context: Context, file: SourceFile | None) -> int:
    """The characters up to which a file comes whole."""
    is_guide = file is not None and file.kind is not Kind.README and is_way_in(file.path)
    if is_guide and Aim.ONBOARD in aims_of(context.request.text):
        return SMALL_WAY_IN
    budget = context.settings.budget
    if file is not None and file.path in context.central_files and budget >= _LEAST_BUDGET:
        return int(min(_CENTRAL_FILE * budget, _LARGEST_CENTRAL_FILE))
    return int(min(max(SMALL_FILE, _CHARACTERS_PER_TOKEN * budget), LARGER_FILE))


def _is_short(lines: Sequence[str], most: int) -> bool:
    """Whether there are at most ``most`` lines and characters, including line ends."""
    return len(lines) <= most and sum(map(len, lines)) + len(lines) <= most


def says_little(lines: Sequence[str], span: Span) -> bool:
    """Whether a span has little content: only a head, a getter, a one-line alias."""
    return sum(_WORD.search(line) is not None for line in lines[span[0] - 1 : span[1]]) <= LITTLE


def licence_of(context: Context, file: SourceFile) -> int:
    """The number of lines of a licence above code and the blank lines after it; 0 where there is none or no code."""
    language = find_language(file.language)
    lines = context.lines(file.path)
    licence = range(0) if language.is_prose else licence_lines(lines, language.comments)
    return next((at for at in range(licence.stop - 1, len(lines)) if lines[at].strip()), 0) if licence else 0


def body_of(context: Context, file: SourceFile) -> Span:
    """All lines of a file behind the licence that it may begin with, which all its neighbours repeat."""
    return 1 + licence_of(context, file), line_count(context, file.path)


def without_closers(lines: Sequence[str], symbols: Sequence[Symbol], span: Span) -> Span:
    """The span without trailing lines that close a definition from before it."""
    start, end = span
    own = max((each.end_line for each in symbols if start <= each.start_line and each.end_line <= end), default=0)
    last = max((each.end_line for each in symbols if each.start_line < start <= each.end_line <= end), default=0)
    if not last:
        return span
    while end > max(start, own) and closes(lines[end - 1]):
        end -= 1
    return start, end


def is_crossed(symbols: Sequence[Symbol], span: Span) -> bool:
    """Whether a definition begins before a span and ends within it."""
    return any(each.start_line < span[0] <= each.end_line < span[1] for each in symbols)


def _whole_home(
    lines: Sequence[str], symbols: Sequence[Symbol], span: Span, asked: Sequence[Chunk], budget: int
) -> Symbol | None:
    """The longest class around a span, or function around more than it, that is short enough to be shown whole.

    A type that has only fields may be longer where most of it is ``asked``.
    """
    for home in symbols:  # outer ones come before inner ones
        if home.start_line <= span[0] and span[1] <= home.end_line:
            most = SMALL_CLASS if home.kind in CONTAINERS else int(_WHOLE_FUNCTION * budget)
            most = int(_CENTRAL_FILE * budget) if _is_asked_record(home, symbols, asked) else most
            is_more = home.kind in CONTAINERS or (home.start_line, home.end_line) != span
            if is_more and _is_short(lines[home.start_line - 1 : home.end_line], most):
                return home
    return None


def _is_asked_record(home: Symbol, symbols: Sequence[Symbol], asked: Sequence[Chunk]) -> bool:
    """Whether a type holds nothing but fields, and half of its lines are in chunks that match."""
    inner = [each for each in symbols if home.start_line < each.start_line and each.end_line <= home.end_line]
    chunks = [each for each in asked if home.start_line <= each.start_line <= home.end_line]
    matching = sum(each.end_line - each.start_line + 1 for each in chunks)
    return (
        bool(inner) and all(each.kind == "field" for each in inner) and 2 * matching > home.end_line - home.start_line
    )


def _extend(lines: Sequence[str], chunks: Sequence[Chunk], symbols: Sequence[Symbol], span: Span) -> Span:
    """The span with enough neighbours to be useful: first the lines below, then those above."""
    below = [each for each in chunks if each.start_line >= span[0] and each.end_line > span[1]]
    above = [each for each in chunks if each.end_line < span[0]]
    head = next((each.heading for each in chunks if each.start_line <= span[0] <= each.end_line), ())
    for each in below:
        wider = span[0], each.end_line
        most = FIRST_PART if _is_part(each, head) or _begins_in(symbols, span, each) else NEIGHBOUR
        is_long = each.end_line - span[1] > most
        if not says_little(lines, span) or is_long or is_crossed(symbols, wider) or _is_head(symbols, each):
            break
        span = wider
    for each in reversed(above):
        wider = each.start_line, span[1]
        is_long = span[0] - each.start_line > NEIGHBOUR
        if not says_little(lines, span) or is_long or is_crossed(symbols, wider):
            break
        span = wider
    return span


def _is_part(chunk: Chunk, heading: tuple[str, ...]) -> bool:
    """Whether a section is below a heading."""
    return bool(heading) and len(chunk.heading) > len(heading) and chunk.heading[: len(heading)] == heading


def _is_head(symbols: Sequence[Symbol], chunk: Chunk) -> bool:
    """Whether a definition begins in a chunk and continues after it."""
    return any(chunk.start_line <= each.start_line <= chunk.end_line < each.end_line for each in symbols)


def _begins_in(symbols: Sequence[Symbol], span: Span, chunk: Chunk) -> bool:
    """Whether a definition whose head is in a span also contains a chunk."""
    return any(span[0] <= each.start_line <= span[1] and chunk.end_line <= each.end_line for each in symbols)


# Measured on issues of seven projects: a fix often adds an import, and with these heads 4 % more of the changed lines
# are in a pack of 4,000 tokens, 1 % more at 8,000. Of 900 such lines for other requests half a percent was needed.
MOST_FILES = 2
MOST_CHARACTERS = 900
LESS_OF_HEAD = 0.05  # value than the best piece of its file, for the first file; twice that for the second
_LINES_AN_IMPORT = 4  # at most: a head with fewer imports is about something else
_LINES_IF_ONLY = 2  # the same, where the head holds hardly anything else
_QUESTIONS = frozenset((Aim.HOW_TO, Aim.EXPLAIN, Aim.WHERE, Aim.ONBOARD))
_CHANGES = frozenset((Aim.CHANGE, Aim.EVERYWHERE, Aim.REVIEW))


def head(context: Context, best: Candidate, place: int) -> tuple[Fragment, ...]:
    """The imports before the first definition of a file; nothing if there are none or too many lines.

    ``best`` is the file's best candidate, and ``place`` counts the files before it. A question needs no imports.
    """
    if is_question(context.request.text):
        return ()
    number = context.view.files.numbers.get(best.file.path)
    if number is None or place >= MOST_FILES or best.file.kind.lane is not Lane.CODE:
        return ()
    chunks = context.view.postings.chunks_of(number)
    first = context.view.postings.chunk(chunks.start) if len(chunks) > 1 else None
    if first is None or first.kind != "header" or best.chunk.start_line <= first.end_line:
        return ()
    if int(context.view.postings.chunk_size[chunks.start]) > MOST_CHARACTERS:
        return ()
    if not _is_of_imports(context, best.file, first):
        return ()
    value = best.value - LESS_OF_HEAD * (place + 1)
    role = Role("search", value, ("imports of its file",), score=best.score / 2, confidence=Confidence.LOW)
    start = max(first.start_line, 1 + licence_of(context, best.file))
    return (lines_piece(context, best.file, (start, max(start, first.end_line)), role),)


def is_head_of_imports(context: Context, file: SourceFile, chunk: Chunk, *, only: bool = False) -> bool:
    """Whether a chunk precedes the first definition of a file and is mostly imports, or hardly anything else."""
    most = _LINES_IF_ONLY if only else _LINES_AN_IMPORT
    return chunk.kind == "header" and _is_of_imports(context, file, chunk, most)


def _is_of_imports(context: Context, file: SourceFile, chunk: Chunk, most_lines: int = _LINES_AN_IMPORT) -> bool:
    """Whether there is an import for each so many lines that are no licence."""
    imports = sum(each.line <= chunk.end_line for each in context.view.exact(file.path).imports)
    return imports * most_lines >= chunk.end_line - max(chunk.start_line - 1, licence_of(context, file))


@lru_cache(maxsize=4)  # every piece asks it of one request
def is_question(text: str) -> bool:
    """Whether a request asks for an explanation, not for a change."""
    aims = aims_of(text)
    return not aims.isdisjoint(_QUESTIONS) and aims.isdisjoint(_CHANGES)


MAX_LINES = 300  # a longer piece is cut
_MIN_LINES = 40  # of a part, unless nothing else is left
_BLANK_LINE = 4  # columns of indentation that a blank line before outweighs

_QUOTES = lazy_pattern(r'"""|\'\'\'')


def spans(lines: Sequence[str], first: int) -> tuple[Span, ...]:
    """The parts of ``lines``, numbered from ``first``: whole, or split between statements."""
    found: list[Span] = []
    start = 0
    within = _within_statements(lines) if len(lines) > MAX_LINES else ()
    while len(lines) - start > MAX_LINES:
        places = range(start + MAX_LINES, start + _MIN_LINES, -1)
        end = min(places, key=lambda at: (within[at], *_cost(lines, at)))
        found.append((first + start, first + end - 1))
        start = end
    return (*found, (first + start, first + len(lines) - 1)) if len(lines) > start else tuple(found)


def ranked_spans(context: Context, path: str, span: Span, words: tuple[str, ...]) -> list[tuple[Span, tuple[str, ...]]]:
    """The parts of some lines of a file with the words in each, those with most words first."""
    lines = context.lines(path)[span[0] - 1 : span[1]]
    parts = spans(lines, span[0])
    held = [(part, keywords_in("\n".join(lines[part[0] - span[0] : part[1] - span[0] + 1]), words)) for part in parts]
    return sorted(held, key=lambda item: (-len(item[1]), item[0]))


def _cost(lines: Sequence[str], at: int) -> tuple[bool, int]:
    """The cost of starting a part at a line: little indentation after a blank line is best."""
    line = lines[at]
    return not line.strip(), _indent(line) - (0 if lines[at - 1].strip() else _BLANK_LINE)


def _within_statements(lines: Sequence[str]) -> tuple[bool, ...]:
    """For each line, whether it seems to continue the line above it."""
    found = []
    above, quote = "", ""
    for line in lines:
        found.append(bool(quote) or goes_on(above, line))
        for mark in _QUOTES.findall(line):
            quote = mark if not quote else "" if quote == mark else quote
        above = line
    return tuple(found)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


WHOLE_LINES = 120  # a document of at most this many lines is taken whole
_SECTIONS = 4
_NEXT = 0.9  # of the value, for each further section


def regions_of(context: Context, path: str) -> tuple[TagRegion, ...] | None:
    """The marked regions to show instead of a document; None if it has none."""
    tags = context.view.files.facts(path).tags
    return choose_tags(context.view.files.text(path), ParsedFile((), tags=tags), context.wanted) if tags else None


def reason_for_region(context: Context, path: str, region: TagRegion) -> str:
    """The reason for a marked region that represents its document, or for the document with its only one."""
    tags = context.view.files.facts(path).tags
    if not region.name:
        return f"whole document, as its only marked region {tags[0].name} is short"
    return f"marked region {region.name}" + (f", one of {len(tags)}" if len(tags) > 1 else "")


def document_pieces(
    context: Context, file: SourceFile, role: Role, wanted: tuple[str, ...] | None = None
) -> Iterator[Fragment]:
    """The pieces of a document; of a long one the sections with most of the ``wanted`` words."""
    words = context.wanted if wanted is None else wanted
    regions = regions_of(context, file.path)
    if regions is not None:
        for region in regions:
            why = (*role.reasons, reason_for_region(context, file.path, region))
            its = replace(role, symbol=region.name, reasons=why)
            yield lines_piece(context, file, (region.start_line, region.end_line), its)
    elif 0 < line_count(context, file.path) <= WHOLE_LINES:
        found = keywords_in(context.text(file.path, (1, WHOLE_LINES)), tuple(context.query.words))
        yield lines_piece(context, file, (1, WHOLE_LINES), replace(role, keywords=found))
    else:
        yield from _sections(context, file, role, words)


def _sections(context: Context, file: SourceFile, role: Role, words: tuple[str, ...]) -> Iterator[Fragment]:
    chunks = context.view.files.exact(file.path).chunks
    held = [(chunk, keywords_in(_text(context, file, chunk), words)) for chunk in chunks]
    best = sorted(held, key=lambda item: (-len(item[1]), item[0].start_line))[:_SECTIONS]
    for place, (chunk, found) in enumerate(best):
        value = role.value * _NEXT**place
        its = replace(role, value=value, keywords=found, symbol=chunk.symbol or " > ".join(chunk.heading))
        yield lines_piece(context, file, (chunk.start_line, chunk.end_line), its)


def _text(context: Context, file: SourceFile, chunk: Chunk) -> str:
    return context.text(file.path, (chunk.start_line, chunk.end_line))


_LONGEST_END, _LONGEST_REST = 3, 120  # lines
LONGEST = 40  # lines; the choice of pieces takes long ones only where room is left
LESS_OF_BRIDGE = 0.0005  # value than the lesser of the two pieces, so that both come in before what joins them


def bridge_gaps(context: Context, pieces: Sequence[Fragment], longest: int = LONGEST) -> list[Fragment]:
    """The pieces, and a piece for each gap of at most ``longest`` lines between two neighbours.

    Blank lines join the piece above them.
    """
    found = list(pieces)
    places = sorted(range(len(found)), key=lambda at: (found[at].provenance.path, found[at].provenance.start_line))
    for above, below in pairwise(places):
        one, other = found[above], found[below]
        gap = (one.provenance.end_line + 1, other.provenance.start_line - 1)
        file = context.view.files.get(one.provenance.path) if one.provenance.path == other.provenance.path else None
        if file is None or not 1 <= gap[1] - gap[0] + 1 <= longest:
            continue
        if is_crossed(context.view.exact(file.path).symbols, (one.provenance.start_line, gap[1] + 1)):
            continue
        if "TAG:" in (text := context.text(file.path, gap)) or (file.language == "markdown" and is_decoration(text)):
            continue  # the marks of regions are no content, nor is a table of contents
        if context.text(file.path, gap).strip():
            found.append(_between(context, file, gap, (one, other)))
        elif one.text == context.text(file.path, (one.provenance.start_line, one.provenance.end_line)) + "\n":
            found[above] = _with_blanks(one, gap[1])
    return [*found, *_ends(context, pieces)]


def _ends(context: Context, pieces: Sequence[Fragment]) -> Iterator[Fragment]:
    """The last few lines of a definition or block after a piece that ends just before them: a brace, a return.

    Those of a class come without those of the module around it, which may have begun before the pieces. And the long
    rest of a definition after its head, which is taken where much room is left.
    """
    seen: set[tuple[str, Span, int]] = set()
    for piece in pieces:
        origin, last = piece.provenance, piece.provenance.end_line
        file = context.view.files.get(origin.path)
        symbols = context.view.exact(origin.path).symbols if file else ()
        blocks = {(each.start_line, each.end_line) for each in symbols} | {piece.cut_from or (1, 0)}
        for start, end in sorted(blocks, key=lambda block: (block[1], -block[0])):
            if file is None or not last < end <= origin.end_line + _LONGEST_END or start > last:
                continue
            gap, last = (last + 1, end), end
            if (origin.path, gap, start) not in seen and "TAG:" not in context.text(file.path, gap):
                yield replace(_between(context, file, gap, (piece, piece)), cut_from=(start, end))
            seen.add((origin.path, gap, start))
        start, end = piece.cut_from or (0, 0)
        gap, is_head = (origin.end_line + 1, end), origin.start_line <= start
        if file and is_head and LONGEST <= end - gap[0] < _LONGEST_REST and "TAG:" not in context.text(file.path, gap):
            yield replace(_between(context, file, gap, (piece, piece)), cut_from=(start, end))


def _between(context: Context, file: SourceFile, gap: Span, sides: tuple[Fragment, Fragment]) -> Fragment:
    weaker = min(sides, key=lambda side: (side.value, side.provenance.start_line))
    origin = weaker.provenance
    value = max(weaker.value - LESS_OF_BRIDGE, 0.0)
    role = Role("search", value, ("lines between two pieces",), score=origin.score, confidence=origin.confidence)
    return replace(lines_piece(context, file, gap, role), is_bridge=True)


def _with_blanks(piece: Fragment, end: int) -> Fragment:
    origin = piece.provenance
    blank = "\n" * (end - origin.end_line)
    return replace(piece, text=piece.text + blank, provenance=replace(origin, end_line=end))


_TELLING = 10  # characters of a line: shorter ones are everywhere


def lines_to_compare(lines: Sequence[str]) -> frozenset[str]:
    """The lines of a page that tell whether another repeats it."""
    return frozenset(line.strip() for line in lines if len(line) >= _TELLING)
