"""Make Fragments of lines of a file, with complete provenance."""

from __future__ import annotations

from datetime import UTC, datetime

from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Confidence, Form, Fragment, Provenance, SourceFile, Trait

NOISE = frozenset({Trait.LOCK, Trait.GENERATED, Trait.MINIFIED})  # what nobody reads
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


def line_count(context: Context, path: str) -> int:
    """The lines of a file."""
    return len(context.lines(path))


def keywords_in(text: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that occur in a text, in the order of the words, ignoring case."""
    lower = text.lower()
    return tuple(word for word in dict.fromkeys(words) if word.lower() in lower)


# A line that opens what stands elsewhere, the name of a package, a rule between two parts of a file.
_EMPTY = lazy_pattern(
    r"[^\n]{0,400}[{:]|(?:namespace|package)[ \t][\w.:\\]{1,200};?(?:\s{0,20}\{)?"
    r"|(?:#|//|--|;|/?\*)[^\n]{0,100}?[-=~*#_]{8,100}[^\n]{0,20}"
)


def says_nothing(text: str) -> bool:
    """Whether a text says nothing by itself, such as the head of a class whose body is elsewhere."""
    return _EMPTY.fullmatch(text.strip()) is not None


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
    """What some lines are part of: a definition, or all those that they contain one end of; None if nothing."""
    home = _definition(context, path, span, symbol)
    if context.view.files.get(path) is None or span == (1, line_count(context, path)):
        return home
    torn = [
        (each.start_line, each.end_line)
        for each in context.view.exact(path).symbols
        if each.start_line < span[0] <= each.end_line < span[1] or span[0] <= each.start_line <= span[1] < each.end_line
    ]
    if not torn:
        return home
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
