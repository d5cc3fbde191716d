"""Where the tokens of a pack go: a bar of its pieces, its kinds, and the tree of its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from ctxpack.light import dataclass, field
from ctxpack.model import RECORD, Fragment, Lane, Pack
from ctxpack.render import wording
from ctxpack.render.markup import Html, element, in_span, join, to_html
from ctxpack.text import number_of, printable

_LANES: Final = tuple(Lane)
_WORDS: Final = {"dependency_map": "dependencies"}
"""Kinds that read better under another name."""


def kind_name(kind: str) -> str:
    """The name of a kind for the reader."""
    return _WORDS.get(kind, kind)


def percent(part: int, whole: int) -> str:
    """``12 %``; ``<1 %`` for small positive values."""
    share = round(100 * part / whole) if whole else 0
    return "<1 %" if part and not share else f"{share} %"


def widths(pack: Pack) -> str:
    """The style of the bar: the widths of its segments. It contains only numbers."""
    numbered = _number_pieces(pack)
    parts = {f".w{number}": max(piece.tokens, 1) for number, piece in numbered}
    parts |= {".seg.around": max(around(pack), 1), ".seg.free": max(_free(pack), 0)}
    return "".join(f"{name}{{flex-grow:{tokens}}}" for name, tokens in parts.items())


def around(pack: Pack) -> int:
    """The tokens of headings, layout, notes and places: all except the contents of pieces."""
    return max(pack.tokens_used - sum(piece.tokens for piece in pack.selection.fragments), 0)


def _free(pack: Pack) -> int:
    return pack.budget - pack.tokens_used


def _number_pieces(pack: Pack) -> list[tuple[int, Fragment]]:
    """The pieces with their numbers, lane by lane."""
    numbered = enumerate(pack.selection.fragments, pack.first_source)
    return sorted(numbered, key=lambda item: (_LANES.index(item[1].lane), item[0]))


def bar(pack: Pack) -> Html:
    """One labelled segment for each piece, then one for the text around the pieces and one for free tokens."""
    segments = [
        element(
            "a",
            {
                "class": f"seg {piece.lane} w{number}",
                "href": f"#p{number}",
                "title": f"{number}. {wording.location(piece)}: {number_of(piece.tokens, 'token')}",
                "data-kind": str(piece.provenance.kind),
                "tabindex": "-1",
            },
        )
        for number, piece in _number_pieces(pack)
    ]
    segments.append(_segment("around", f"around the pieces: {number_of(around(pack), 'token')}"))
    if _free(pack) > 0:
        segments.append(_segment("free", f"not used: {number_of(_free(pack), 'token')}"))
    label = f"{pack.tokens_used:,} of {pack.budget:,} tokens used"
    return element("div", {"class": "bar", "role": "group", "aria-label": label}, *segments)


def _segment(kind: str, title: str) -> Html:
    return element("span", {"class": f"seg {kind}", "title": title})


def legend(pack: Pack) -> Html:
    """A button for each kind, which shows and hides its pieces, and the rest of the budget."""
    tokens, lanes = Counter[str](), dict[str, Lane]()
    for piece in pack.selection.fragments:
        kind = str(piece.provenance.kind)
        tokens[kind] += piece.tokens
        lanes[kind] = piece.lane
    kinds = sorted(tokens, key=lambda kind: (_LANES.index(lanes[kind]), -tokens[kind], kind))
    entries = [
        element(
            "button",
            {"type": "button", "class": f"key {lanes[kind]}", "data-kind": kind, "aria-pressed": "true"},
            *_entry(kind_name(kind), tokens[kind], pack.budget),
        )
        for kind in kinds
    ]
    entries.append(element("span", {"class": "key around"}, *_entry("around them", around(pack), pack.budget)))
    if _free(pack) > 0:
        entries.append(element("span", {"class": "key free"}, *_entry("not used", _free(pack), pack.budget)))
    return element("div", {"class": "legend"}, *entries)


def _entry(name: str, tokens: int, budget: int) -> tuple[Html, ...]:
    figures = f"{tokens:,} · {percent(tokens, budget)}"
    return element("i", {"class": "dot"}), in_span("name", name), in_span("figure", figures)


@dataclass(slots=True)
class _Folder:
    """A folder of the tree: what is in it, by name."""

    folders: dict[str, _Folder] = field(default_factory=dict)
    files: dict[str, list[tuple[int, Fragment]]] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        own = sum(piece.tokens for pieces in self.files.values() for _, piece in pieces)
        return own + sum(folder.tokens for folder in self.folders.values())


def file_tree(pack: Pack) -> Html:
    """The files of the pack in their folders, each a link to its first piece; nothing where there are none."""
    top = _Folder()
    for number, piece in enumerate(pack.selection.fragments, pack.first_source):
        *folders, name = piece.provenance.path.split("/")
        at = top
        for folder in folders:
            at = at.folders.setdefault(folder, _Folder())
        at.files.setdefault(name, []).append((number, piece))
    return _branch(top) if pack.selection.fragments else Html("")


def _branch(top: _Folder) -> Html:
    rows = [_folder_row(name, folder) for name, folder in sorted(top.folders.items())]
    return element("ul", None, *rows, *_file_rows(top.files))


def _folder_row(name: str, folder: _Folder) -> Html:
    while not folder.files and len(folder.folders) == 1:  # a folder with nothing but a folder is one row with it
        ((inner, folder),) = folder.folders.items()
        name = f"{name}/{inner}"
    row = join(in_span("name", f"{printable(name)}/"), in_span("figure", f"{folder.tokens:,}"))
    return element("li", None, element("details", {"open": True}, element("summary", None, row), _branch(folder)))


def _file_rows(files: Mapping[str, Sequence[tuple[int, Fragment]]]) -> list[Html]:
    rows = []
    for name, pieces in sorted(files.items()):
        number, first = pieces[0]
        shown = "overview of the change" if name == RECORD else printable(name)
        count = element("small", None, to_html(f"×{len(pieces)}")) if len(pieces) > 1 else Html("")
        figure = in_span("figure", f"{sum(piece.tokens for _, piece in pieces):,}")
        link = element(
            "a",
            {"href": f"#p{number}", "data-path": first.provenance.path, "class": str(first.lane)},
            element("i", {"class": "dot"}),
            in_span("name", shown),
            count,
            figure,
        )
        rows.append(element("li", None, link))
    return rows
