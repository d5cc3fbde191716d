"""The mentions strategy: the sections of specs and other documents that name what a diff changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ctxpack.discover.traits import is_record
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.uses import Use, uses
from ctxpack.model import Fragment, Kind, Lane, SourceFile
from ctxpack.understand.definitions import names_of_changed

_SPEC, _OTHER = 0.6, 0.5
_LOWER = 0.03  # value lost with each place down the list
_PAGES = frozenset({Kind.SPEC, Kind.WIKI, Kind.DOC, Kind.RUNBOOK, Kind.README})
_COMMON = 10  # pages that hold a name: in more of them it is a word like others
_MOST, _PER_PAGE = 6, 2
_PLAIN = re.compile(r"[a-z]+")  # a word of the language as well as a name


def gather_mentions(context: Context) -> Sequence[Fragment]:
    """The sections that name most of it, specs first; pages that the diff itself changes are shown by the diff."""
    if context.change is None:
        return ()
    changed = {file.path for file in context.change.files}
    names = {name for name in names_of_changed(context.changed) if not _PLAIN.fullmatch(name)}
    paths = {file.path for file in context.change.files if file.kind.lane is Lane.CODE}
    found = [
        (use, page)
        for page in _pages(context, names, paths)
        if page.path not in changed
        for use in uses(context, page.path, names | paths)[:_PER_PAGE]
    ]
    found.sort(key=lambda item: (item[1].kind is not Kind.SPEC, -len(item[0].names), item[1].path, item[0].span))
    return list(_pieces(context, found[:_MOST]))


def _pages(context: Context, names: set[str], paths: set[str]) -> Iterator[SourceFile]:
    """The documents that hold one of the names, or the name of a changed file."""
    view = context.view
    stems = {path.rpartition("/")[2].partition(".")[0] for path in paths}
    numbers: set[int] = set()
    for word in sorted(names | stems):
        docs = view.postings.file_terms("word", word.lower()).docs.tolist()
        pages = [number for number in docs if _is_page(view.files[number])]
        if len(pages) <= _COMMON:
            numbers.update(pages)
    wanted = names | paths
    for number in sorted(numbers):
        text = view.files.text(view.files[number].path)
        if any(each in text for each in wanted):
            yield view.files[number]


def _is_page(file: SourceFile) -> bool:
    return file.kind in _PAGES and not is_record(file.path)


def _pieces(context: Context, found: Sequence[tuple[Use, SourceFile]]) -> Iterator[Fragment]:
    for place, (use, page) in enumerate(found):
        value = (_SPEC if page.kind is Kind.SPEC else _OTHER) - _LOWER * place
        role = Role("mentions", value, (f"mentions {', '.join(use.names)}",), keywords=use.names, symbol=use.title)
        yield lines_piece(context, page, use.span, role)
