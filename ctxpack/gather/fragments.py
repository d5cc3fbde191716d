"""Make Fragments of lines of a file, with complete provenance, and the room that they take.

Among them are those that a request asks for by more than its words: lines that it names, settings that code reads, and
the lines that declare an option or tell of an environment variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, islice

from ctxpack.discover.traits import is_record
from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span, constant_for, fields_named, options_named, torn_block, uses_of_constant
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Candidate, Confidence, Form, Fragment, Lane, Provenance, SourceFile, Trait
from ctxpack.query.mentions import SUFFIXES
from ctxpack.query.subtokens import SETTING_KEY, raw_words, split
from ctxpack.query.understand import Aim, aims_of
from ctxpack.rank.subject import (
    COMMON_OF_KEYS,
    Declaration,
    asks_for_setting,
    asks_for_variable,
    find_declaration,
    holds_settings,
    settings_read,
    variables_meant,
    variables_on,
)

NOISE = frozenset({Trait.LOCK, Trait.GENERATED, Trait.MINIFIED})  # what nobody reads
_OF_CODE = frozenset({Lane.CODE, Lane.TESTS})
_HIGH, _MEDIUM = 0.7, 0.4  # values from which a piece that was not ranked counts as sure, or half sure


@dataclass(frozen=True, slots=True)
class Role:
    """The reason of a strategy for a piece, and its value (0..1). Without ``score`` the value is the score."""

    strategy: str
    value: float
    reasons: tuple[str, ...]
    required: bool = False
    score: float | None = None
    confidence: Confidence | None = None
    keywords: tuple[str, ...] = ()
    symbol: str = ""
    priority: int = 50


def lines_piece(context: Context, file: SourceFile, span: Span, role: Role) -> Fragment:
    """Return lines of a file verbatim; ``span`` is (first, last)."""
    last = line_count(context, file.path)
    start, end = max(1, span[0]), min(span[1], last)
    piece = _fragment(context, file, context.text(file.path, (start, end)) + "\n", (Form.FULL, (start, end)), role)
    whole = _whole(context, file.path, (start, end), role.symbol)
    return replace(piece, form=Form.EXCERPT, cut_from=whole) if whole else piece


def whole_piece(context: Context, file: SourceFile, role: Role) -> Fragment:
    """The whole file."""
    return lines_piece(context, file, (1, line_count(context, file.path)), role)


def derived_piece(context: Context, file: SourceFile, text: str, role: Role, span: Span | None = None) -> Fragment:
    """Return a text made from a file or some of its lines: an outline or a list."""
    return _fragment(context, file, text, (Form.OUTLINE, span or (1, line_count(context, file.path))), role)


_MOST_TOLD, _MOST_FRAMES = 6, 4  # lines, and those of a stack
_WHOLE, _AROUND = 60, 12  # lines of a definition shown whole around one; in a longer one or none, on both sides of it


def asked_pieces(context: Context) -> list[Fragment]:
    """The pieces of lines that a task names, which are required, and of settings, options and variables it asks for."""
    told = [(path, line) for path, lines in context.told_lines.items() for line in lines]
    named = (replace(_piece_around(context, *place), required=True) for place in told[:_MOST_TOLD])
    stack = (_frame_piece(context, *place) for place in context.framed_lines[:_MOST_FRAMES] if context.candidates)
    asked = (_key_pieces, _field_pieces, _named_option_pieces, _declared_pieces, _option_pieces, _variable_pieces)
    return [*named, *stack, *(piece for pieces in (*asked, _duration_pieces) for piece in pieces(context))]


def _frame_piece(context: Context, path: str, line: int) -> Fragment:
    role = replace(_role_of_line(context, f"the stack names line {line}"), confidence=Confidence.HIGH)
    return replace(_piece_around(context, path, line, role), is_named=True)


def _piece_around(context: Context, path: str, line: int, role: Role | None = None) -> Fragment:
    file = context.view.files[context.view.files.numbers[path]]
    symbol = context.view.files.exact(path).enclosing(line, line)
    around = max(line - _AROUND, 1), min(line + _AROUND, len(context.lines(path)))
    span = (symbol.start_line, symbol.end_line) if symbol else around
    if span[1] - span[0] >= _WHOLE:
        span = max(span[0], around[0]), min(span[1], around[1])
    role = role or Role("search", 1.0, (f"the request names line {line}",), confidence=Confidence.HIGH)
    return lines_piece(context, file, span, replace(role, symbol=symbol.qualified if symbol else ""))


_READING, _MOST_DECLARED = 20, 3  # pieces of code whose settings are looked up, and settings
_ABOVE, _BELOW = 6, 4  # lines of a comment above a value, and of a value that is too long to be shown whole
_FEWEST_LINES = 3  # of a piece that is shown for one line
_LONGEST_VALUE = 40  # lines: a list of kinds, of which who adds one needs each
_CLOSING = frozenset("])}")
_IS_COMMENT = lazy_pattern(r"[ \t]*(?:#|//|;|/?\*|--)(?![ \t]?[\w.-]{1,100}[ \t]?=)")  # no value that is commented out


def _declared_pieces(context: Context) -> list[Fragment]:
    """Where the settings are declared that the best code reads, if a request asks for a value or where something is.

    Only those settings whose key has most words of the request.
    """
    text = context.request.text
    if not asks_for_setting(text) and Aim.WHERE not in aims_of(text):
        return []
    keys: dict[str, tuple[int, Candidate]] = {}
    for each in [each for each in context.candidates if each.file.kind.lane is Lane.CODE][:_READING]:
        code = context.text(each.file.path, (each.chunk.start_line, each.chunk.end_line))
        for key, count in settings_read(code, context.query).items():
            keys.setdefault(key, (count, each))
    found: dict[tuple[str, int], Fragment] = {}
    most = 0
    for key, (count, reader) in sorted(keys.items(), key=lambda item: -item[1][0]):
        for place in _declarations(context, key, reader.file.path) if count >= most else ():
            found.setdefault((place.file.path, place.line), _declaring_piece(context, place, reader))
            most = count
    return list(found.values())[:_MOST_DECLARED]


_MOST_KEYS = 2  # of a request
_MOST_USES_OF_KEY = 4


def _key_pieces(context: Context) -> list[Fragment]:
    """Where code names a dotted key of the request ("max.poll.records"), and where it uses the constant for it.

    Of the uses first what gives the setting a default, then what reads it, in different files before the same one.
    """
    keys = [match[0] for match in SETTING_KEY.finditer(context.request.text) if context.candidates]
    keys = [key for key in dict.fromkeys(keys) if key.rpartition(".")[2] not in SUFFIXES]
    found: list[Fragment] = []
    places = {key: place for key in keys[:_MOST_KEYS] if (place := constant_for(key, context.view))}
    for key, (name, file, line) in places.items():
        found.append(lines_piece(context, file, (line, line + _BELOW), _role_of_line(context, f"names {key}", name)))
        used = [(user, (at - _BELOW, at + _BELOW)) for user, at in uses_of_constant(name, context.view)]
        role = _role_of_line(context, f"uses {name}, which names {key}")
        found += [lines_piece(context, user, span, role) for user, span in used[:_MOST_USES_OF_KEY]]
    return found


def _field_pieces(context: Context) -> list[Fragment]:
    """The lines that declare a field that the request names, of a type too long to be chosen for one of its lines."""
    ranked = [each.file.path for each in context.candidates]
    fields = fields_named(context.query, context.view, ranked) if ranked else ()
    return [_piece_from_line(context, each.file, each.span, f"declares {each.name}") for each in fields]


def _named_option_pieces(context: Context) -> list[Fragment]:
    """Where code names an option of the request, such as ``--dry-run``: its declaration, and where it is read."""
    found: list[Fragment] = []
    for option, file, line in options_named(context.query, context.view) if context.candidates else ():
        end = min(_end_of_value(context.lines(file.path), line), line + _LONGEST_VALUE)
        found.append(_piece_from_line(context, file, (line, end), f"names --{option}"))
    return found


def _piece_from_line(context: Context, file: SourceFile, span: Span, reason: str) -> Fragment:
    """Some lines with the comment above them, or those beside them, and the definition that they are part of."""
    home = context.view.exact(file.path).enclosing(span[1], span[1])
    start, end = _first_of_comment(context.lines(file.path), span[0]), span[1]
    if end - start < _FEWEST_LINES - 1:  # by itself it says little
        first, last = (home.start_line, home.end_line) if home else (1, line_count(context, file.path))
        start, end = max(start - 1, min(first, start)), min(end + 1, max(last, end))
    return lines_piece(context, file, (start, end), _role_of_line(context, reason, home.qualified if home else ""))


# A line that declares an option: a call with its name, a row of a table or list, a field with a tag; of settings any.
_OPTION = lazy_pattern(
    r"[^\n\"'(]{0,60}(?:[fF]lag|[oO]ption|[aA]rgument|[sS]etting)s?(?:\.\w{1,30})?\([^\n\"']{0,60}[\"']-{0,2}[\w-]{2,60}"
    r"|[ \t]{0,20}[-*+] [`*]{1,3}-{0,2}[\w-]{2,60}[^\n`*]{0,60}[`*]{1,3}[ \t]{0,4}[-–—:(]"
    r"|[ \t]{0,40}\|[^\n|]{1,600}\|[^\n|]{1,2000}\|"
    r"|[ \t]{1,40}[A-Z]\w{1,60}[ \t]{1,40}[\w.*\[\]]{1,60}[ \t]{1,40}`\w{1,20}:\""
)
_SETTING = lazy_pattern(r"[ \t]{0,40}[\"']?[\w.-]{2,60}[\"']?[ \t]{0,40}(?:=>|:=|[:=])[ \t]{0,40}[\"'\w{\[.-]")
_FEWEST_SAID, _LEAST_SAID = 3, 0.6  # words of a request that a line has, and their share
_MOST_OPTIONS, _MOST_VARIABLES = 4, 2  # lines and names: of more it is unclear which are meant
_MOST_READERS = 3  # places of code with a variable: where it gets its default, and where it becomes a field
_SEARCHED, _LARGEST = 40, 200_000  # files with the best pieces that are searched for options and variables, and bytes
_SHORT_PART, _OF_SEVERAL, _LESS_OF_LINE = 30, 80, 0.1  # lines, also with several variables; below the best piece


def _option_pieces(context: Context) -> list[Fragment]:
    """The lines that declare an option and have most words of a request that asks for a value, with their comments."""
    if not asks_for_setting(context.request.text):
        return []
    meant, wanted = _meant_words(context), context.query.terms.keys() - COMMON_OF_KEYS
    least = max(_FEWEST_SAID, _LEAST_SAID * len(wanted))
    others = wanted.difference(*map(split, context.query.identifiers))  # one name has many words by itself
    found: dict[tuple[SourceFile, Span], int] = {}
    for file in _searched_files(context):
        lines = context.lines(file.path)
        forms = (_OPTION, _SETTING) if holds_settings(file) else (_OPTION,)
        for number in (at for at, line in enumerate(lines, 1) if any(form.match(line) for form in forms)):
            start = _first_of_comment(lines, number)
            parts = {part for line in lines[start - 1 : number] for word in raw_words(line) for part in split(word)}
            said = {meant[part] for part in parts if part in meant} - COMMON_OF_KEYS
            if len(said) >= least and (not others or others & said):
                found[file, (start, number)] = len(said)
    best = [place for place in found if found[place] >= max(found.values()) - 1]
    if not 0 < len(best) <= _MOST_OPTIONS:
        return []
    role = _role_of_line(context, "has most words of the request in one line")
    return [lines_piece(context, file, span, role) for file, span in best]


def _meant_words(context: Context) -> dict[str, str]:
    """The words of a request and their expansions, each with the word that was said."""
    return {each.term: each.source for each in context.query.expansions} | {term: term for term in context.query.terms}


_UNITS = {"ms|milli(?:second)?s?": 1, "s|sec(?:ond)?s?": 1_000, "min(?:ute)?s?": 60_000, "h|hours?": 3_600_000}
_DURATION = lazy_pattern(rf"(?i)(?<![\w.:-])(?P<count>[1-9]\d{{0,3}})[ -]?(?P<unit>{'|'.join(_UNITS)})(?![\w-]*\w)")
_BESIDE_DURATION, _MOST_WITH_DURATION = 2, 2  # words of a request on a line, and such lines


def _duration_pieces(context: Context) -> list[Fragment]:
    """The lines of code with a duration of the request and most of its words: ``SECONDS.toMillis(5)`` for 5 seconds."""
    told = _DURATION.search(context.request.text)
    if told is None or not context.candidates:
        return []
    count, unit = told["count"], next(each for each in _UNITS if re.fullmatch(f"(?i:{each})", told["unit"]))
    in_thousandths = f"{int(count) * _UNITS[unit]:_}".replace("_", "_?")
    written = re.compile(
        rf"(?i)(?:{unit})[a-z]{{0,9}}[^\w\n]{{1,4}}(?:to[a-z]{{1,9}}\()?{count}(?![\w.])"
        rf"|(?<![\w.]){count}(?:\.0)?[ ]?(?:\*[ ]?(?:\w{{1,20}}\.)?|\.)?(?:{unit})(?![a-z])"
        rf"|(?<![\w.]){in_thousandths}L?(?![\w.])"
    )
    meant, found = _meant_words(context), dict[tuple[SourceFile, int], int]()
    for file in (each for each in _searched_files(context) if each.kind.lane is Lane.CODE):
        lines = context.lines(file.path)
        for number in (at for at, line in enumerate(lines, 1) if written.search(line) and not _IS_COMMENT.match(line)):
            parts = {part for word in raw_words(lines[number - 1]) for part in split(word)}
            said = {meant[part] for part in parts if part in meant}
            found[file, number] = len(said - {told["unit"], count})
    most = max(found.values(), default=0)
    best = [place for place in found if found[place] == most >= _BESIDE_DURATION]
    reason, shown = f"has {told[0]} and most words of the request", best if len(best) <= _MOST_WITH_DURATION else ()
    return [_piece_from_line(context, file, (number, number), reason) for file, number in shown]


def _searched_files(context: Context) -> list[SourceFile]:
    """The files with the best pieces, without tests, changelogs and very large ones."""
    files = dict.fromkeys(each.file for each in context.candidates if each.file.kind.lane is not Lane.TESTS)
    return [file for file in files if file.size <= _LARGEST and not is_record(file.path)][:_SEARCHED]


def _first_of_comment(lines: Sequence[str], number: int) -> int:
    """The first line of a short comment above a line, or the line itself."""
    start = number
    while start > max(number - _ABOVE, 1) and _IS_COMMENT.match(lines[start - 2]):
        start -= 1
    return start


def _role_of_line(context: Context, reason: str, symbol: str = "") -> Role:
    """The role of a line that was found by more than its words; the best piece comes before it."""
    best = context.candidates[0]
    value, score = (max(number - _LESS_OF_LINE, 0.0) for number in (best.value, best.score))
    return Role("search", value, (reason,), score=score, symbol=symbol)


def _variable_pieces(context: Context) -> list[Fragment]:
    """Where the environment variables are told and read that a request most likely asks for: a document, and code."""
    if not asks_for_variable(context.request.text):
        return []
    files = _searched_files(context)
    texts = ("\n".join(context.lines(file.path)) for file in files)
    names = variables_meant(texts, context.query)[:_MOST_VARIABLES]
    found: list[Fragment] = []
    for lane, most in ((Lane.DOCS, 1), (Lane.CODE, _MOST_READERS)):
        for name in names:
            pieces = (_pieces_with_variable(context, file, name) for file in files if file.kind.lane is lane)
            found += islice(chain.from_iterable(pieces), most)
    return found


def _pieces_with_variable(context: Context, file: SourceFile, name: str) -> Iterator[Fragment]:
    """The parts of a file that have a variable: what is called after it first, then the shortest."""
    places = [number for number, line in enumerate(context.lines(file.path), 1) if re.search(rf"\b{name}\b", line)]
    parts = [
        (name not in " ".join(each.heading), each.end_line - each.start_line, place, each)
        for each in context.view.exact(file.path).chunks
        if (place := next((line for line in places if each.start_line <= line <= each.end_line), 0))
    ]
    for _, height, place, chunk in sorted(parts, key=lambda part: part[:3]):
        held = variables_on(" ".join(context.lines(file.path)[chunk.start_line - 1 : chunk.end_line]))
        is_whole = height < (_OF_SEVERAL if len(held) > 1 else _SHORT_PART)
        span = (chunk.start_line, chunk.end_line) if is_whole else (place - _BELOW, place + _BELOW)
        symbol = chunk.symbol or " > ".join(chunk.heading)
        yield lines_piece(context, file, span, _role_of_line(context, f"has the variable {name}", symbol))


def _declarations(context: Context, key: str, reader: str) -> list[Declaration]:
    """Where a setting is declared, and the environment variables that give it its value."""
    place = find_declaration(key, reader, context.view)
    line = context.lines(place.file.path)[place.line - 1] if place else ""
    further = [find_declaration(each, reader, context.view) for each in variables_on(line) if each != key]
    return [each for each in (place, *further) if each is not None]


def _declaring_piece(context: Context, place: Declaration, reader: Candidate) -> Fragment:
    """The line of a declaration with the comment above it and the rest of its value."""
    lines = context.lines(place.file.path)
    start, end = _first_of_comment(lines, place.line), _end_of_value(lines, place.line)
    end = end if end - place.line <= _LONGEST_VALUE else place.line + _BELOW
    role = Role("search", reader.value, (f"sets {place.key}",), score=reader.score, symbol=place.key)
    return lines_piece(context, place.file, (start, end), role)


def _end_of_value(lines: Sequence[str], first: int) -> int:
    """The last line of the value that begins on a line: what is indented more, and the bracket that closes it."""
    indent, end = len(lines[first - 1]) - len(lines[first - 1].lstrip()), first
    while end < len(lines) and lines[end][: indent + 1].isspace() and lines[end].strip():
        end += 1
    return end + (first < end < len(lines) and lines[end].strip(" \t,;") in _CLOSING)


def line_count(context: Context, path: str) -> int:
    """The lines of a file."""
    return len(context.lines(path))


def _fragment(context: Context, file: SourceFile, text: str, place: tuple[Form, Span], role: Role) -> Fragment:
    form, (start, end) = place
    facts = context.view.files.facts(file.path)
    is_stable, state = context.settings.stable, context.view.state.of(file.path)
    origin = Provenance(
        path=file.path,
        start_line=start,
        end_line=end,
        kind=file.kind,
        blob=file.blob,
        commit="" if is_stable else state.commit,
        dirty=file.dirty and state.is_git and not is_stable,
        score=role.value if role.score is None else role.score,
        confidence=role.confidence or Confidence.of(role.value, _HIGH, _MEDIUM),
        reasons=role.reasons,
        keywords=role.keywords,
        tags=tuple(dict.fromkeys((*facts.front_matter.tags, *(tag.name for tag in facts.tags)))),
        modified="" if is_stable else _modification_day(context, file.path),
        symbol=role.symbol,
        size=file.size,
    )
    return Fragment(
        text=text,
        form=form,
        strategy=role.strategy,
        provenance=origin,
        language=file.language,
        priority=role.priority,
        required=role.required,
        value=role.value,
    )


def _whole(context: Context, path: str, span: Span, symbol: str) -> Span | None:
    """What some lines are part of: a definition, or all that they contain one end of; None if nothing."""
    home, file = _definition(context, path, span, symbol), context.view.files.get(path)
    if file is None or span == (1, line_count(context, path)):
        return home
    torn = [
        (each.start_line, each.end_line)
        for each in context.view.exact(path).symbols
        if each.start_line < span[0] <= each.end_line < span[1] or span[0] <= each.start_line <= span[1] < each.end_line
    ]
    if not torn:
        return home or (torn_block(context.lines(path), *span) if file.kind.lane in _OF_CODE else None)
    spans = [span, *torn, *([home] if home else [])]
    return min(start for start, _ in spans), max(end for _, end in spans)


def _definition(context: Context, path: str, span: Span, symbol: str) -> Span | None:
    """The lines of the definition that some lines are part of; None if they contain one of that name completely."""
    homes = [
        (each.start_line, each.end_line)
        for each in (context.view.files.exact(path).symbols if symbol else ())
        if each.qualified == symbol and each.start_line <= span[1] and span[0] <= each.end_line
    ]
    if not homes or any(span[0] <= start and end <= span[1] for start, end in homes):
        return None
    start, end = max(homes, key=lambda home: (min(home[1], span[1]) - max(home[0], span[0]), home))
    return min(start, span[0]), max(end, span[1])


def _modification_day(context: Context, path: str) -> str:
    """The day of the last commit that is known to have changed a file, in UTC."""
    commit = context.view.history.last_commit(path)
    return datetime.fromtimestamp(commit.time, UTC).date().isoformat() if commit else ""
