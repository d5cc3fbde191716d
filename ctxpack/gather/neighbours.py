"""The neighbours strategy: the readme of the file's folder, and the pages that are about the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.documents import document_pieces
from ctxpack.gather.fragments import Role
from ctxpack.gather.readme import main_readme
from ctxpack.gather.resemblance import key_of, stem_of
from ctxpack.model import Fragment, Kind, SourceFile

_PAGES = frozenset({Kind.SPEC, Kind.WIKI, Kind.DOC, Kind.RUNBOOK})
_SAME_NAME, _FOLDER_NAME, _MENTIONED, _FOLDER_README = 0.75, 0.5, 0.6, 0.45
_MAX_READ = 60  # pages that are looked into for the file's name
_MAX_PAGES = 6


def gather(context: Context) -> Sequence[Fragment]:
    """Pages by name first, then those that mention the file, then the folder's readme."""
    return [piece for file in context.subjects for piece in _of_file(context, file)]


def _of_file(context: Context, file: SourceFile) -> Iterator[Fragment]:
    names = (file.path, file.path.rpartition("/")[2], stem_of(file.path))
    for page, value, reason in _pages(context, file):
        yield from document_pieces(
            context, page, Role("neighbours", value, (reason,)), wanted=(*names, *context.wanted)
        )
    folder = file.path.rpartition("/")[0]
    readme = main_readme(context.view.files, _upwards(folder)) if folder else None
    if readme is not None and readme.path != file.path:
        role = Role("neighbours", _FOLDER_README, ("the readme of its folder",))
        yield from document_pieces(context, readme, role)


def _pages(context: Context, file: SourceFile) -> list[tuple[SourceFile, float, str]]:
    stem = key_of(stem_of(file.path))
    folder = key_of(file.path.rpartition("/")[0].rpartition("/")[2])
    found: list[tuple[SourceFile, float, str]] = []
    for page in context.view.files:
        if page.kind in _PAGES and page.path != file.path:
            name = key_of(stem_of(page.path))
            if name and name == stem:
                found.append((page, _SAME_NAME, f"a {page.kind} page with the same name"))
            elif name and name == folder:
                found.append((page, _FOLDER_NAME, f"a {page.kind} page with the name of its folder"))
    known = {page.path for page, _, _ in found}
    found += [(page, _MENTIONED, f"mentions {file.path}") for page in _mentioning(context, file, known)]
    return sorted(found, key=lambda item: (-item[1], item[0].path))[:_MAX_PAGES]


def _mentioning(context: Context, file: SourceFile, known: set[str]) -> Iterator[SourceFile]:
    """Pages that hold the path, or the name of the file as a word of its own."""
    view = context.view
    name = file.path.rpartition("/")[2]
    dotted = file.path.rpartition(".")[0].replace("/", ".")
    numbers = view.file_terms("word", stem_of(file.path).lower()).docs.tolist()
    pages = [view.files[number] for number in sorted(numbers) if view.files[number].kind in _PAGES]
    for page in [page for page in pages if page.path not in known and page.path != file.path][:_MAX_READ]:
        text = view.text(page.path)
        if file.path in text or (dotted.count(".") and dotted in text) or (_is_unique(context, name) and name in text):
            yield page


def _is_unique(context: Context, name: str) -> bool:
    return len(context.view.with_suffix(name)) == 1


def _upwards(folder: str) -> tuple[str, ...]:
    """The folder and those above it, without the root."""
    parts = folder.split("/")
    return tuple("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
