"""The pieces that the settings require in a pack, before all others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ctxpack.discover.globs import compile_globs
from ctxpack.discover.named_paths import advice, ignored_by
from ctxpack.errors import NothingFoundError, UsageError, suggest
from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span
from ctxpack.gather.fragments import Role, line_count, lines_piece, whole_piece
from ctxpack.gather.outlines import outline_gaps, span_of
from ctxpack.gather.registry import Registry
from ctxpack.gather.strategy import TREE, Strategy
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Candidate, Fragment, SourceFile
from ctxpack.settings.sources import BUILT_IN_PROFILE
from ctxpack.system.tokens import CHARACTERS_PER_TOKEN
from ctxpack.text import keywords_in

REQUIRED = "required"  # the strategy of what the settings require
_LINES = lazy_pattern(r"(.+):(\d{1,9}+)(?:-(\d{1,9}+))?")
_IS_GLOB = lazy_pattern(r"[*?\[{]")
_CUTOFF = 60.0  # rapidfuzz's ratio, 0..100: less alike, and another path is meant
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Requirements:
    """The requirements: files, each with its lines (none for the whole file), and strategies."""

    files: Mapping[str, tuple[Span, ...]]
    strategies: tuple[str, ...]


def read_requirements(context: Context, registry: Registry) -> Requirements:
    """Read what the settings require. Raises UsageError, with similar names, for what does not exist."""
    known = [name for name in registry.strategies if name != TREE]
    files: dict[str, tuple[Span, ...] | None] = {}
    strategies: list[str] = []
    for written in context.settings.require:
        name = written.removeprefix("./")
        lines = _LINES.fullmatch(name)
        if context.view.files.get(name) is None and lines and context.view.files.get(lines[1]):
            before = files.get(lines[1], ())
            files[lines[1]] = None if before is None else (*before, _span(context, lines))
        elif context.view.files.get(name) is None and name in known:
            strategies.append(_check_allowed(context, registry.strategies[name]))
        else:
            files |= dict.fromkeys(_paths(context, name, known))
    return Requirements({path: merge_spans(spans or ()) for path, spans in files.items()}, tuple(strategies))


def _span(context: Context, lines: re.Match[str]) -> Span:
    first, last = int(lines[2]), int(lines[3] or lines[2])
    count = line_count(context, lines[1])
    if not 1 <= first <= last <= count:
        raise UsageError(
            f"{lines[1]} has no lines {first} to {last}.", hint=f"It has {count}: --require {lines[1]}:1-{count}."
        )
    return first, last


def merge_spans(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans in order, those that overlap or touch as one."""
    found: list[Span] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)


def _check_allowed(context: Context, strategy: Strategy) -> str:
    name = strategy.id
    if name in context.settings.disable:
        raise UsageError(f"The strategy {name} is both required and left out.", hint="Use only one of the two.")
    if context.request.scope not in strategy.scopes:
        scope = context.request.scope
        raise UsageError(
            f"The strategy {name} does not serve a {scope}.", hint="See what each one serves: ctxpack strategies"
        )
    return name


def _paths(context: Context, name: str, strategies: Sequence[str]) -> list[str]:
    """The files that a path, a folder or a glob matches, by path. Raises UsageError if there are none."""
    if file := context.view.files.get(name):
        if file.size:
            return [name]
        raise UsageError(f"{name} is empty, so that nothing of it can be required.")
    below = f"{name.rstrip('/')}/"
    facts = list(zip(context.view.files.entries.paths, context.view.files.entries.sizes, strict=True))
    paths = [path for path, size in facts if path.startswith(below) and size]
    if not paths and _IS_GLOB.search(name):
        globs = compile_globs([name])
        paths = [path for path, size in facts if globs.matching(path) and size]
    if paths:
        return sorted(paths)
    bare = _LINES.sub(r"\1", name)
    if reason := _why_hidden(context, bare):
        hint = advice(reason) or "Name it with --include to have it read."
        raise UsageError(f"{bare} is required but not read: {reason}.", hint=hint)
    what = "No file matches" if _IS_GLOB.search(name) else "There is no file or strategy"
    raise UsageError(f"{what} {name!r}, which is required.", hint=_similar_hint(context, bare, strategies))


def _why_hidden(context: Context, path: str) -> str:
    """Why an existing file is not read; empty if it does not exist or no rule hides it."""
    if reason := context.skip_reason(path):
        return reason
    if not context.settings.places.of(path).is_file():
        return ""
    return "not among the listed files" if context.settings.paths is not None else ignored_by(context.settings, path)


def _similar_hint(context: Context, name: str, strategies: Sequence[str]) -> str:
    from rapidfuzz import fuzz, process

    same = [context.view.files[number].path for number in context.view.files.with_suffix(name.rpartition("/")[2])]
    names = sorted({*context.view.files.entries.paths, *strategies})
    hits = process.extract(name, names, scorer=fuzz.ratio, score_cutoff=_CUTOFF, limit=_SHOWN)
    close = [hit[0] for hit in sorted(hits, key=lambda hit: (-hit[1], hit[0]))]
    near = list(dict.fromkeys([*sorted(same, key=lambda path: (path.count("/"), path)), *close]))[:_SHOWN]
    return suggest(near) or "Paths are relative to the root of the repository."


_WHOLE_SHARE, _OUTLINE_SHARE = 0.5, 0.6  # of the budget for all that is required, and of a file's part of it
_MAX_PARTS = 4  # definitions of a file that is too long to show whole
_ROOMY = 4_000  # characters of a file's part: with less, each definition next to the outline costs too much of it
_OF_STRATEGY = 5  # pieces of a required strategy


def required_pieces(context: Context, its: Requirements) -> list[Fragment]:
    """The pieces of the required files."""
    return [piece for path, spans in its.files.items() for piece in _of_file(context, path, spans, len(its.files))]


def _of_file(context: Context, path: str, spans: Sequence[Span], count: int) -> Iterator[Fragment]:
    """The required lines of one of ``count`` files; without lines the whole file, or its outline if too long."""
    file = context.view.files.get(path)
    assert file is not None  # noqa: S101 - it was found by this view
    role = _role(context, path)
    if spans:
        yield from (lines_piece(context, file, span, role) for span in spans)
        return
    room = int(context.settings.budget * CHARACTERS_PER_TOKEN * _WHOLE_SHARE / count)
    outlined = [] if len(context.view.files.text(path)) <= room else list(_outline_of(context, file, room, role))
    yield from outlined or [whole_piece(context, file, role)]


def _outline_of(context: Context, file: SourceFile, room: int, role: Role) -> Iterator[Fragment]:
    """The outline of a long file, around the definitions that match the request; nothing if it has none."""
    parts = _parts(context, file, int(room * (1 - _OUTLINE_SHARE))) if room >= _ROOMY else []
    about = replace(role, reasons=(f"{role.reasons[0]}, too long to show whole",))
    spans = merge_spans([span_of(each) for each in parts])
    made = list(outline_gaps(context, file, spans, (int(room * _OUTLINE_SHARE), about)))
    yield from made
    for each in parts if made else ():
        why = (role.reasons[0], *(evidence.reason for evidence in each.evidence[:2]))
        its = replace(role, reasons=why, keywords=each.keywords, symbol=each.chunk.symbol)
        yield lines_piece(context, file, span_of(each), its)


def _parts(context: Context, file: SourceFile, room: int) -> list[Candidate]:
    """The file's best definitions by the ranker, as far as ``room`` characters go."""
    taken: list[Candidate] = []
    for each in context.candidates:
        if each.file.path != file.path or len(taken) == _MAX_PARTS:
            continue
        size = len(context.text(file.path, span_of(each)))
        if size <= room:
            taken.append(each)
            room -= size
    return taken


def _role(context: Context, path: str) -> Role:
    reason = f"required by {context.settings.origins.get('require', 'the settings')}"
    words = keywords_in(context.view.files.text(path), tuple(context.query.words))
    return Role(REQUIRED, 1.0, (reason,), required=True, keywords=words, priority=100)


def mark_required(context: Context, fragments: Sequence[Fragment], its: Requirements) -> list[Fragment]:
    """Mark the best fragments of each required strategy as required.

    Raises NothingFoundError for a strategy without fragments, unless only a built-in profile requires it.
    """
    is_wished = context.settings.origins.get("require", "").startswith(BUILT_IN_PROFILE)
    chosen: set[int] = set()
    for name in its.strategies:
        own = [at for at, each in enumerate(fragments) if each.strategy == name]
        if not own and not is_wished:
            raise NothingFoundError(
                f"The strategy {name} is required, but it found nothing.", hint=f"Leave out --require {name}."
            )
        chosen |= {*sorted(own, key=lambda at: (-fragments[at].value, at))[:_OF_STRATEGY]}
    return [replace(each, required=True) if at in chosen else each for at, each in enumerate(fragments)]
