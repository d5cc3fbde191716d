"""The neighbours strategy: the readme of the file's folder, and the pages that are about the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.similarity import key_of
from ctxpack.gather.strategies.readme import main_readme
from ctxpack.gather.texts import document_pieces
from ctxpack.gather.uses import names_of, uses
from ctxpack.model import Fragment, Kind, SourceFile
from ctxpack.query.tokens import stem_of

_PAGES = frozenset({Kind.SPEC, Kind.WIKI, Kind.DOC, Kind.RUNBOOK})
_SAME_NAME, _FOLDER_NAME, _MENTIONED, _FOLDER_README = 0.75, 0.5, 0.5, 0.45
_LOWER = 0.03  # value lost with each further page of a sort
_MAX_READ = 60  # pages that are looked into for the file's name
_MAX_BY_NAME, _MAX_MENTIONING = 4, 4
_MENTIONS = 2  # sections of one page


def gather_neighbours(context: Context) -> Sequence[Fragment]:
    """Pages by name first, then the sections that mention the file, then the folder's readme."""
    return [piece for file in context.subjects for piece in _of_file(context, file)]


def _of_file(context: Context, file: SourceFile) -> Iterator[Fragment]:
    named = _by_name(context, file)[:_MAX_BY_NAME]
    words = (*names_of(context, file.path), *context.wanted)
    for page, value, reason in named:
        yield from document_pieces(context, page, Role("neighbours", value, (reason,)), wanted=words)
    yield from _mentions(context, file, {page.path for page, _, _ in named})
    folder = file.path.rpartition("/")[0]
    readme = main_readme(context.view.files, _upwards(folder)) if folder else None
    if readme is not None and readme.path != file.path:
        role = Role("neighbours", _FOLDER_README, ("the readme of its folder",))
        yield from document_pieces(context, readme, role)


def _by_name(context: Context, file: SourceFile) -> list[tuple[SourceFile, float, str]]:
    stem = key_of(stem_of(file.path))
    folder = key_of(file.path.rpartition("/")[0].rpartition("/")[2])
    found: list[tuple[SourceFile, float, str]] = []
    for page in context.view.files:
        if page.kind in _PAGES and page.path != file.path:
            name = key_of(stem_of(page.path))
            if name and name == stem:
                found.append((page, _SAME_NAME, f"{page.kind} page with the same name"))
            elif name and name == folder:
                found.append((page, _FOLDER_NAME, f"{page.kind} page with the name of its folder"))
    return sorted(found, key=lambda item: (-item[1], item[0].path))


def _mentions(context: Context, file: SourceFile, known: set[str]) -> Iterator[Fragment]:
    """The sections that hold the path, the dotted name, or the file's name where no other file has it."""
    name = file.path.rpartition("/")[2]
    dotted = file.path.rpartition(".")[0].replace("/", ".")
    names = {file.path} | ({dotted} if "." in dotted else set())
    names |= {name} if len(context.view.files.with_suffix(name)) == 1 else set()
    numbers = context.view.postings.file_terms("word", stem_of(file.path).lower()).docs.tolist()
    pages = [page for number in sorted(numbers) if (page := context.view.files[number]).kind in _PAGES]
    read = [page for page in pages if page.path not in known and page.path != file.path][:_MAX_READ]
    holding = [page for page in read if any(each in context.view.files.text(page.path) for each in names)]
    for place, page in enumerate(holding[:_MAX_MENTIONING]):
        for use in uses(context, page.path, names)[:_MENTIONS]:
            value = _MENTIONED - _LOWER * place
            role = Role("neighbours", value, (f"mentions {file.path}",), symbol=use.title)
            yield lines_piece(context, page, use.span, role)


def _upwards(folder: str) -> tuple[str, ...]:
    """The folder and those above it, without the root."""
    parts = folder.split("/")
    return tuple("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
