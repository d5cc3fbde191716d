"""Dependency maps: what depends on what around a file, as somebody wrote it down, else as computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, made_piece
from ctxpack.gather.relations.resemblance import stem_of
from ctxpack.gather.texts.documents import document_pieces
from ctxpack.model import Fragment, Kind, Scope, SourceFile

_WRITTEN, _COMPUTED = 0.7, 0.5
_FEWEST = 2  # entries of a computed map that nobody asked for by naming the file
_MAX_NAMES = 20  # files in one direction


def gather(context: Context) -> Sequence[Fragment]:
    """The maps that name the files in question, or one list per file, made from the imports of the repository."""
    return [piece for file in context.subjects for piece in _of_file(context, file)]


def _of_file(context: Context, file: SourceFile) -> Iterator[Fragment]:
    names = (file.path, file.path.rpartition("/")[2], stem_of(file.path))
    maps = [each for each in context.view.files if each.kind is Kind.DEPENDENCY_MAP and each.path != file.path]
    written = [each for each in maps if any(name in context.view.files.text(each.path) for name in names)]
    for each in written:
        role = Role("dependencies", _WRITTEN, (f"dependency map that names {file.path}",))
        yield from document_pieces(context, each, role, wanted=names)
    if not written:
        yield from _computed(context, file)


def _computed(context: Context, file: SourceFile) -> Iterator[Fragment]:
    graph = context.view.graph
    rows = [("imports →", graph.imports(file.path)), ("imported by ←", graph.importers(file.path))]
    if sum(len(paths) for _, paths in rows) < _FEWEST and context.request.scope is not Scope.FILE:
        return
    text = "".join(f"- {title} {_names(paths)}\n" for title, paths in rows if paths)
    if text:
        role = Role("dependencies", _COMPUTED, ("computed from the imports",), symbol="dependency map")
        yield made_piece(context, file, f"{file.path}\n{text}", role)


def _names(paths: Sequence[str]) -> str:
    shown = ", ".join(paths[:_MAX_NAMES])
    return shown if len(paths) <= _MAX_NAMES else f"{shown} and {len(paths) - _MAX_NAMES} more"
