"""The search strategy: what the ranker found, as pieces of a readable length."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ctxpack.errors import NothingFoundError
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, line_count, lines_piece
from ctxpack.gather.relations.resemblance import key_of, stem_of
from ctxpack.gather.texts.bridges import bridged
from ctxpack.gather.texts.documents import chosen, regions_of
from ctxpack.gather.texts.heads import head
from ctxpack.gather.texts.parts import ranked_spans
from ctxpack.gather.texts.units import unit
from ctxpack.model import Candidate, Fragment, Lane, Scope
from ctxpack.rank.reasons import told

_OPENING = re.compile(r"\s*[^\n]*\n?\s*[{:]\s*")  # the head of a class or block whose body is elsewhere says nothing
_STRONGEST = 3  # reasons shown of a candidate
_FURTHER_PART = 0.7  # of the value, for each part of a long chunk after its best one
_BESIDE = 0.6  # of the value, where the request names a file or a component and search only adds to it
_BEST_SHARE, _LEAST = 0.5, 0.15  # of the best score, and a score: what is below is filler beside a file or component
_NAMING = frozenset(("path mention", "traceback"))  # signals by which the request names a file
_OTHER_REGION = 0.8  # of the value, for the regions of a document that the ranker did not name


def gather(context: Context) -> Sequence[Fragment]:
    """The pieces of the candidates; beside a file or a component only those that are about it.

    Raises NothingFoundError for a task that nothing matches.
    """
    if not context.candidates and context.request.scope is Scope.TASK:
        raise NothingFoundError(
            "Nothing in the repository matches the request.", hint="Try other words, or names from the code."
        )
    found = bridged(context, list(_pieces(context)))
    if context.request.scope is Scope.TASK:
        return found
    if context.change is not None:
        from ctxpack.gather.diffs.beside import beside_diff

        return beside_diff(found, context.change, context.settings.budget)
    floor = max(_LEAST, _BEST_SHARE * max((piece.provenance.score for piece in found), default=0.0))
    return [piece for piece in found if piece.provenance.score >= floor and not _is_namesake(context, piece)]


def _pieces(context: Context) -> Iterator[Fragment]:
    tagged: set[str] = set()
    seen: set[str] = set()
    for candidate in context.candidates:
        path = candidate.file.path
        if path in tagged:
            continue
        if path not in seen and context.request.scope is Scope.TASK:
            yield from head(context, candidate, len(seen))
            seen.add(path)
        if candidate.file.kind.lane is Lane.DOCS and context.view.files.facts(path).tags:
            tagged.add(path)
            yield from _regions(context, candidate)
        else:
            yield from _parts(context, candidate)


def _is_namesake(context: Context, piece: Fragment) -> bool:
    """Whether a piece is there only because its file, or the file it tests, is called like the one in question."""
    request, origin = context.request, piece.provenance
    is_about = request.scope is not Scope.FILE or request.text.strip() or origin.path == request.path
    if is_about or piece.lane is Lane.DOCS:
        return False
    from ctxpack.gather.strategies.tests import tested_name

    graph = context.view.graph
    linked = (*graph.imports(request.path), *graph.importers(request.path))
    name = tested_name(origin.path) or key_of(stem_of(origin.path))
    return name == key_of(stem_of(request.path)) and origin.path not in linked


def _parts(context: Context, candidate: Candidate) -> Iterator[Fragment]:
    chunk = candidate.chunk
    whole = (chunk.start_line, min(chunk.end_line, line_count(context, candidate.file.path)))
    span, name = unit(context, candidate.file.path, whole, chunk.symbol or " > ".join(chunk.heading))
    value, is_named = 1.0, any(each.signal in _NAMING and each.points > 0 for each in candidate.evidence)
    for part, words in ranked_spans(context, candidate.file.path, span, candidate.keywords):
        if _OPENING.fullmatch(context.text(candidate.file.path, part)):
            continue
        role = replace(_role(context, candidate, value, words), symbol=name)
        yield replace(lines_piece(context, candidate.file, part, role), is_named=is_named)
        value *= _FURTHER_PART


def _regions(context: Context, candidate: Candidate) -> Iterator[Fragment]:
    """The marked regions that stand for a document, those that the ranker hit at full value."""
    path = candidate.file.path
    hits = [(each.chunk.start_line, each.chunk.end_line) for each in context.candidates if each.file.path == path]
    for region in regions_of(context, path) or ():
        is_hit = any(start <= region.end_line and region.start_line <= end for start, end in hits)
        role = _role(context, candidate, 1.0 if is_hit and region.name else _OTHER_REGION, candidate.keywords)
        role = replace(role, reasons=(*role.reasons, chosen(context, path, region)))
        yield lines_piece(context, candidate.file, (region.start_line, region.end_line), role)


def _role(context: Context, candidate: Candidate, share: float, words: tuple[str, ...]) -> Role:
    chunk = candidate.chunk
    beside = 1.0 if context.request.scope is Scope.TASK else _BESIDE
    score = candidate.score * beside
    return Role(
        "search",
        candidate.value * beside * share,
        told(candidate, _STRONGEST),
        score=score * share,
        confidence=candidate.confidence,
        keywords=words,
        symbol=chunk.symbol or " > ".join(chunk.heading),
    )
