"""Imports: what the file takes from others, in outline, and the places where others use it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece, made_piece
from ctxpack.gather.places.outlines import outline
from ctxpack.gather.places.placed import shown
from ctxpack.gather.relations.uses import named_in, names_of, uses, words_of
from ctxpack.model import Fragment, Kind, SourceFile
from ctxpack.query.tokens import find_words

_IMPORTED, _IMPORTER = 0.6, 0.55
_LOWER = 0.02  # value lost with each place down the list
_MAX_IMPORTED, _MAX_IMPORTERS = 12, 8
_MAX_READ = 40  # importers that are looked into
_USES = 2  # pieces of one importer
_NAMED_LIMIT, _PLAIN_LIMIT = 2_400, 900  # characters of an outline


def gather(context: Context) -> Sequence[Fragment]:
    """Imported files first, those of which most is used; then the importers that use most."""
    return [piece for file in context.subjects for piece in (*_imported(context, file), *_importers(context, file))]


def _imported(context: Context, file: SourceFile) -> Iterator[Fragment]:
    words, near = words_of(context, file.path), _words_at(context, file)
    targets: list[tuple[int, int, SourceFile, frozenset[str]]] = []
    for path in context.view.graph.imports(file.path):
        target = context.view.files.get(path)
        if target is not None:
            named = words.intersection(names_of(context, path))
            targets.append((-len(named & near), -len(named), target, named))
    targets.sort(key=lambda item: (*item[:2], item[2].path))
    for place, (_, _, target, named) in enumerate(targets[:_MAX_IMPORTED]):
        text = outline(context, target.path, _NAMED_LIMIT, named) or outline(context, target.path, _PLAIN_LIMIT)
        if text:
            why, value = (f"imported by {file.path}",), _IMPORTED - _LOWER * place
            role = Role("dependencies", value, why, keywords=tuple(sorted(named)))
            yield made_piece(context, target, text, role)


def _words_at(context: Context, file: SourceFile) -> frozenset[str]:
    """The words at the place of the request, if it is in the file."""
    place = context.place
    if place is None or place.file != file:
        return frozenset()
    return frozenset(find_words(context.text(file.path, shown(context, place))))


def _importers(context: Context, file: SourceFile) -> Iterator[Fragment]:
    names = names_of(context, file.path)
    importers = [context.view.files.get(path) for path in context.view.graph.importers(file.path)]
    others = [each for each in importers if each and each.kind is not Kind.TEST][:_MAX_READ]
    counted = [(len(named_in(context, each.path, names)), each) for each in others]
    ranked = sorted(counted, key=lambda item: (-item[0], item[1].path))[:_MAX_IMPORTERS]
    for place, (_, importer) in enumerate(ranked):
        for use in uses(context, importer.path, names)[:_USES]:
            reason = f"imports {file.path}"
            role = Role("dependencies", _IMPORTER - _LOWER * place, (reason,), keywords=use.names, symbol=use.title)
            yield lines_piece(context, importer, use.span, role)
