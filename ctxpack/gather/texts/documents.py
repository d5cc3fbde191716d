"""Which parts of a document stand for it: its marked regions, all of it, or its best sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, keywords_in, line_count, lines_piece
from ctxpack.model import Chunk, Fragment, ParsedFile, SourceFile, TagRegion
from ctxpack.parse.tags import tag_choice

WHOLE_LINES = 120  # a document of up to so many lines is taken whole
_SECTIONS = 4
_NEXT = 0.9  # of the value, for each further section


def regions_of(context: Context, path: str) -> tuple[TagRegion, ...] | None:
    """The marked regions that stand for a document; None if it has none."""
    tags = context.view.files.facts(path).tags
    return tag_choice(context.view.files.text(path), ParsedFile((), tags=tags), context.wanted) if tags else None


def chosen(context: Context, path: str, region: TagRegion) -> str:
    """The reason for a marked region that stands for its document, or for the document beside its only one."""
    tags = context.view.files.facts(path).tags
    if not region.name:
        return f"the whole document, as its only region {tags[0].name} is short"
    return f"its region {region.name} of {len(tags)}, chosen by the adaptive rule"


def document_pieces(
    context: Context, file: SourceFile, role: Role, wanted: tuple[str, ...] | None = None
) -> Iterator[Fragment]:
    """The pieces that stand for a document; of a long one the sections that hold most of the ``wanted`` words."""
    words = context.wanted if wanted is None else wanted
    regions = regions_of(context, file.path)
    if regions is not None:
        for region in regions:
            why = (*role.reasons, chosen(context, file.path, region))
            its = replace(role, symbol=region.name, reasons=why)
            yield lines_piece(context, file, (region.start_line, region.end_line), its)
    elif 0 < line_count(context, file.path) <= WHOLE_LINES:
        yield lines_piece(context, file, (1, WHOLE_LINES), _matched(context, file, (1, WHOLE_LINES), role))
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


def _matched(context: Context, file: SourceFile, span: tuple[int, int], role: Role) -> Role:
    return replace(role, keywords=keywords_in(context.text(file.path, span), tuple(context.query.words)))


def _text(context: Context, file: SourceFile, chunk: Chunk) -> str:
    return context.text(file.path, (chunk.start_line, chunk.end_line))
