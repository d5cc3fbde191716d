"""What a diff affects: code that uses changed definitions, pages that mention them, and what its words find."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ctxpack.discover.traits import is_record
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.similarity import key_of
from ctxpack.gather.uses import Use, uses
from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Fragment, Kind, Lane, SourceFile
from ctxpack.query.subtokens import raw_words
from ctxpack.system.tokens import CHARACTERS_PER_TOKEN
from ctxpack.text import last_name
from ctxpack.understand.change import Change, Changed, names_of_changed

_NEAR, _FAR = 0.7, 0.5  # in the file itself or an importer of it, and elsewhere
_DELETED = 0.08  # more, where what is used is gone
_LOWER = 0.015  # value lost with each place down the list
_NEXT = 0.9  # of the value, for each further place of one file
_AS_NAMESAKE = 0.6  # of the value, for another definition of the name
_COMMON = 12  # files that hold a name; in more of them it is not this one, unless they import its file
_MOST_READ = 60  # files that are looked into
_MOST, _PER_FILE = 16, 3
_PLAIN = lazy_pattern(r"[a-z]+|[A-Z][a-z]+")
_RECEIVER = lazy_pattern(r"(?<![\w.])[\w.]*+\Z")
_LONGEST_RECEIVER = 200  # characters of what a method is called on


Names = Mapping[str, tuple[Changed, ...]]


def gather_callers(context: Context) -> Sequence[Fragment]:
    """The places that use most of the changed names, near ones before far ones, and namesakes last."""
    names = names_of_changed(context.changed)
    if not names:
        return ()
    ranked = [
        ((_only_defines(context, file, use), not near, -len(use.names)), use, file, near)
        for file, near in _files(context, names)
        for use in _uses(context, file, names)[:_PER_FILE]
    ]
    ranked.sort(key=lambda item: (item[0], item[2].path, item[1].span))
    return list(_pieces(context, ranked[:_MOST], names))


def _files(context: Context, names: Names) -> Iterator[tuple[SourceFile, bool]]:
    """Code files with one of the names, and whether each is the changed file itself or imports it."""
    view = context.view
    homes = {each.file.path for found in names.values() for each in found}
    near = homes.union(*(view.graph.importers(path) + view.graph.importers_of_fronts(path) for path in sorted(homes)))
    found: dict[int, bool] = {}
    for name in sorted(names):
        docs = view.postings.file_terms("word", name.lower()).docs.tolist()
        for number in sorted(docs):
            is_near = view.files[number].path in near
            if is_near or len(docs) <= _COMMON:
                found[number] = is_near
    ranked = sorted(found, key=lambda number: (not found[number], number))
    for number in ranked[:_MOST_READ]:
        file = view.files[number]
        if file.kind is Kind.CODE and not file.traits:
            yield file, found[number]


def _uses(context: Context, file: SourceFile, names: Names) -> list[Use]:
    """The places of a file that use the names, except those that overlap the changed definitions."""
    changed = [each for each in context.changed if each.file.path == file.path and not each.is_gone]
    spans = [(each.symbol.start_line, each.symbol.end_line) for each in changed]
    found: list[Use] = []
    for use in uses(context, file.path, names):
        if any(start <= use.span[1] and use.span[0] <= end for start, end in spans):
            continue
        text = context.text(file.path, use.span)
        meant = tuple(name for name in use.names if any(_is_meant(text, use, each) for each in names[name]))
        if meant:
            found.append(replace(use, names=meant))
    return sorted(found, key=lambda use: (-len(use.names), use.span))


def _is_meant(text: str, use: Use, each: Changed) -> bool:
    """Whether a place uses this definition: a method whose name is a common word has many namesakes.

    Then the receiver must be named like its class, or the class or its name must be near.
    """
    *outer, name = each.symbol.qualified.split(".")
    if not outer or not _PLAIN.fullmatch(name):
        return True
    if ".".join(outer) == use.title.rpartition(".")[0]:
        return re.search(rf"\b(?:self|this|cls|@|super\(\))\W{{1,2}}{re.escape(name)}\b", text) is not None
    owner = key_of(outer[-1].strip("_"))
    calls = re.finditer(rf"\)?(?:\.|->|::){re.escape(name)}\b", text)
    receivers = [_receiver(text, call.start()) for call in calls]
    is_called_so = any(key_of(part.strip("_")) == owner for each in receivers for part in each.split("."))
    return is_called_so or (bool(receivers) and outer[-1] in raw_words(text))


def _receiver(text: str, at: int) -> str:
    """The receiver before a member access."""
    found = _RECEIVER.search(text, max(at - _LONGEST_RECEIVER, 0), at)
    return found[0] if found else ""


def _only_defines(context: Context, file: SourceFile, use: Use) -> bool:
    """Whether a place defines something of the changed name itself, and names it nowhere behind its head."""
    name = last_name(use.title)
    if use.names != (name,):
        return False
    heads = (each.signature for each in context.view.exact(file.path).symbols if each.qualified == use.title)
    head = next(heads, "")
    body = context.text(file.path, use.span).partition(head)[2] if head else name
    return re.search(rf"\b{re.escape(name)}\b", body) is None


_Ranked = tuple[tuple[bool, bool, int], Use, SourceFile, bool]


def _pieces(context: Context, ranked: Sequence[_Ranked], names: Names) -> Iterator[Fragment]:
    seen: dict[str, int] = {}
    for place, ((is_namesake, *_), use, file, is_near) in enumerate(ranked):
        shown = [name for name in use.names if name in names]
        is_gone = any(all(each.is_gone for each in names[name]) for name in shown)
        value = (_NEAR if is_near else _FAR) + (_DELETED if is_gone else 0) - _LOWER * place
        value *= _NEXT ** seen.get(file.path, 0)
        seen[file.path] = seen.get(file.path, 0) + 1
        value *= _AS_NAMESAKE if is_namesake else 1
        verb = "uses a deleted definition" if is_gone else "uses a changed definition"
        verb = "also defines the changed name" if is_namesake else verb
        role = Role("callers", value, (f"{verb}: {', '.join(shown)}",), keywords=use.names, symbol=use.title)
        yield lines_piece(context, file, use.span, role)


_SPEC, _OTHER = 0.6, 0.5
_LOWER_PAGE = 0.03  # value lost with each place down the list
_PAGES = frozenset({Kind.SPEC, Kind.WIKI, Kind.DOC, Kind.RUNBOOK, Kind.README})
_COMMON_PAGES = 10  # pages that hold a name: in more of them it is a word like others
_MOST_SECTIONS, _PER_PAGE = 6, 2
_PLAIN_WORD = lazy_pattern(r"[a-z]+")  # a word of the language as well as a name


def gather_mentions(context: Context) -> Sequence[Fragment]:
    """The sections that mention most, specs first; pages that the diff changes are in the diff."""
    if context.change is None:
        return ()
    changed = {file.path for file in context.change.files}
    names = {name for name in names_of_changed(context.changed) if not _PLAIN_WORD.fullmatch(name)}
    paths = {file.path for file in context.change.files if file.kind.lane is Lane.CODE}
    found = [
        (use, page)
        for page in _pages(context, names, paths)
        if page.path not in changed
        for use in uses(context, page.path, names | paths)[:_PER_PAGE]
    ]
    found.sort(key=lambda item: (item[1].kind is not Kind.SPEC, -len(item[0].names), item[1].path, item[0].span))
    return list(_sections(context, found[:_MOST_SECTIONS]))


def _pages(context: Context, names: set[str], paths: set[str]) -> Iterator[SourceFile]:
    """The documents with one of the names, or with the name of a changed file."""
    view = context.view
    stems = {path.rpartition("/")[2].partition(".")[0] for path in paths}
    numbers: set[int] = set()
    for word in sorted(names | stems):
        docs = view.postings.file_terms("word", word.lower()).docs.tolist()
        pages = [number for number in docs if _is_page(view.files[number])]
        if len(pages) <= _COMMON_PAGES:
            numbers.update(pages)
    wanted = names | paths
    for number in sorted(numbers):
        text = view.files.text(view.files[number].path)
        if any(each in text for each in wanted):
            yield view.files[number]


def _is_page(file: SourceFile) -> bool:
    return file.kind in _PAGES and not is_record(file.path)


def _sections(context: Context, found: Sequence[tuple[Use, SourceFile]]) -> Iterator[Fragment]:
    for place, (use, page) in enumerate(found):
        value = (_SPEC if page.kind is Kind.SPEC else _OTHER) - _LOWER_PAGE * place
        role = Role("mentions", value, (f"mentions {', '.join(use.names)}",), keywords=use.names, symbol=use.title)
        yield lines_piece(context, page, use.span, role)


_DIFF_SHARE = 0.25  # of the budget, for what is added to the patches of a diff
_LEAST_IN_DIFF, _LEAST_DOC_IN_DIFF = 0.25, 0.1  # scores below which a piece is filler there
_BEST_SHARE_IN_DIFF = 0.6  # of the best score in the lane


def limit_to_change(pieces: Iterable[Fragment], change: Change, budget: int) -> list[Fragment]:
    """Keep the best pieces of each lane that were found by the words of a change.

    Changed files always match best, so they are measured separately. Beside a change of tests alone, other tests only
    share words with it.
    """
    changed = {each.path for each in change.files}
    fit = [piece for piece in pieces if not _is_out_of_place(piece, change)]
    best: dict[tuple[Lane, bool], float] = {}
    for piece in fit:
        key = piece.lane, piece.provenance.path in changed
        best[key] = max(best.get(key, 0.0), piece.provenance.score)
    left = int(_DIFF_SHARE * budget) * CHARACTERS_PER_TOKEN
    kept: list[Fragment] = []
    for piece in sorted(fit, key=lambda each: (-each.provenance.score, *each.home, each.provenance.start_line)):
        key = piece.lane, piece.provenance.path in changed
        least = _LEAST_DOC_IN_DIFF if piece.lane is Lane.DOCS else _LEAST_IN_DIFF
        if piece.provenance.score >= max(least, _BEST_SHARE_IN_DIFF * best[key]) and len(piece.text) <= left:
            kept.append(piece)
            left -= len(piece.text)
    return kept


def _is_out_of_place(piece: Fragment, change: Change) -> bool:
    """Return whether a piece does not help: a changelog, or a changed file in another state than after the diff."""
    path = piece.provenance.path
    if piece.lane is Lane.TESTS and all(each.kind.lane is Lane.TESTS for each in change.files):
        return True
    is_other = any(each.path == path and each.new_blob != piece.provenance.blob for each in change.files)
    return (piece.lane is Lane.DOCS and is_record(path)) or (is_other and not change.revisions.is_work_tree)
