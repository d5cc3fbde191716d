"""What the user requires to be in the pack: files, lines of files, folders, globs, and the best of some strategies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ctxpack.configuration.profiles import ORIGIN
from ctxpack.errors import NothingFoundError
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, Span, keywords_in, lines_piece, whole_piece
from ctxpack.gather.orchestrate import Gathered, orchestrate
from ctxpack.gather.places.gaps import outlined_gaps, span_of
from ctxpack.gather.registry import Registry
from ctxpack.gather.repeats import without_repeats
from ctxpack.gather.requirements import joined, wanted
from ctxpack.model import Candidate, Fragment, SourceFile
from ctxpack.tokens import CHARACTERS_PER_TOKEN

_WHOLE_SHARE, _OUTLINE_SHARE = 0.5, 0.6  # of the budget for all that is required, and of a file's part of it
_MAX_PARTS = 4  # definitions of a file that is too long to be whole
_ROOMY = 4_000  # characters of a file's part: with less, each definition beside the outline costs too much of it
_OF_STRATEGY = 5  # pieces of a required strategy


def with_required(context: Context, known: Registry) -> Gathered:
    """What the strategies gather, behind what the settings require, which is marked so.

    Raises UsageError for a required file or strategy that there is not, NothingFoundError for a required strategy that
    finds nothing.
    """
    its = wanted(context, known)
    own = [piece for path, spans in its.files.items() for piece in _of_file(context, path, spans, len(its.files))]
    enabled = (*context.settings.enable, *its.strategies)
    try:
        found = orchestrate(replace(context, settings=replace(context.settings, enable=enabled)), known)
    except NothingFoundError as error:
        if not own or its.strategies:
            raise
        found = Gathered((), (str(error),))
    is_wished = context.settings.origins.get("require", "").startswith(ORIGIN)
    there = {each.strategy for each in found.fragments}
    marked = _marked(found.fragments, [name for name in its.strategies if name in there or not is_wished])
    return replace(found, fragments=without_repeats([*own, *marked]))


def _of_file(context: Context, path: str, spans: Sequence[Span], count: int) -> Iterator[Fragment]:
    """The required lines of one of ``count`` files; all of it if none are given, in outline where that is too long."""
    file = context.view.files.get(path)
    assert file is not None  # noqa: S101 - it was found by this view
    role = _role(context, path)
    if spans:
        yield from (lines_piece(context, file, span, role) for span in spans)
        return
    room = int(context.settings.budget * CHARACTERS_PER_TOKEN * _WHOLE_SHARE / count)
    outlined = [] if len(context.view.files.text(path)) <= room else list(_outlined(context, file, room, role))
    yield from outlined or [whole_piece(context, file, role)]


def _outlined(context: Context, file: SourceFile, room: int, role: Role) -> Iterator[Fragment]:
    """The outline of a long file, around the definitions that the request asks for; nothing if it has none."""
    parts = _parts(context, file, int(room * (1 - _OUTLINE_SHARE))) if room >= _ROOMY else []
    about = replace(role, reasons=(f"{role.reasons[0]}, too long to be whole",))
    spans = joined([span_of(each) for each in parts])
    made = list(outlined_gaps(context, file, spans, (int(room * _OUTLINE_SHARE), about)))
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
    return Role("required", 1.0, (reason,), required=True, keywords=words, priority=100)


def _marked(fragments: Sequence[Fragment], strategies: Sequence[str]) -> list[Fragment]:
    """The fragments, of which the best of each required strategy are required."""
    chosen: set[int] = set()
    for name in strategies:
        own = [at for at, each in enumerate(fragments) if each.strategy == name]
        if not own:
            raise NothingFoundError(
                f"The strategy {name} is required, but it found nothing.", hint=f"Leave out --require {name}."
            )
        chosen |= {*sorted(own, key=lambda at: (-fragments[at].value, at))[:_OF_STRATEGY]}
    return [replace(each, required=True) if at in chosen else each for at, each in enumerate(fragments)]
