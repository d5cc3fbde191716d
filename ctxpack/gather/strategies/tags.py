"""The tags strategy: other documents that carry a tag of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.texts import document_pieces
from ctxpack.index.files import Facts
from ctxpack.model import Fragment, SourceFile

_REGION, _DOCUMENT = 0.55, 0.5
_MAX_DOCUMENTS = 6


def gather_tags(context: Context) -> Sequence[Fragment]:
    """Regions by the tag's name, and documents whose front matter names the tag; most shared tags first."""
    return [piece for file in context.subjects for piece in _of_file(context, file)]


def tags_of(facts: Facts) -> tuple[str, ...]:
    """The tags of a file, from its front matter and its regions, lower-case."""
    named = (*facts.front_matter.tags, *(region.name for region in facts.tags))
    return tuple(dict.fromkeys(name.lower() for name in named))


def _of_file(context: Context, file: SourceFile) -> Iterator[Fragment]:
    own = tags_of(context.view.files.facts(file.path))
    if own:
        yield from pieces_with_tags(context, own, ("shares the {}", f" with {file.path}"), apart_from=file.path)


def pieces_with_tags(
    context: Context, names: Sequence[str], told: tuple[str, str], apart_from: str = ""
) -> Iterator[Fragment]:
    """What carries some tags, given in lower case. ``told`` is the reason, with ``{}`` for the tags, and its end."""
    sharing = [
        (tuple(tag for tag in names if tag in tags_of(facts)), other, facts)
        for other, facts in _others(context, apart_from, names)
    ]
    ranked = sorted((each for each in sharing if each[0]), key=lambda each: (-len(each[0]), each[1].path))
    for shared, other, facts in ranked[:_MAX_DOCUMENTS]:
        named = f"{'tag' if len(shared) == 1 else 'tags'} {', '.join(shared)}"
        reason = told[0].format(named) + told[1]
        regions = [region for region in facts.tags if region.name.lower() in shared]
        for region in regions:
            role = Role("tags", _REGION, (reason,), symbol=region.name)
            yield lines_piece(context, other, (region.start_line, region.end_line), role)
        if not regions:
            yield from document_pieces(context, other, Role("tags", _DOCUMENT, (reason,)), wanted=shared)


def _others(context: Context, apart_from: str, own: Sequence[str]) -> Iterator[tuple[SourceFile, Facts]]:
    """Files whose facts may hold a tag; most are sorted out before anything is decoded."""
    for path, line in sorted(context.view.files.all_facts().items()):
        other = context.view.files.get(path)
        if other is not None and path != apart_from and _may_hold(line.lower(), own):
            yield other, Facts.from_json(line)


def _may_hold(line: str, own: Sequence[str]) -> bool:
    return any(tag in line or not tag.isascii() for tag in own)
