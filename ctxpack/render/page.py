"""A report as a self-contained page for a browser, with all facts about each piece.

Its content policy admits only the page's own styles and script, by their digests: contents of a repository are
nothing but text. The budget is that of the same pack as Markdown, which is what a model would get.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import HELD_WORDS, Confidence, Fragment, Omission, Pack
from ctxpack.render import overview, wording
from ctxpack.render.markup import Html, coloured_lines, digest, element, from_html, in_span, join, to_html
from ctxpack.text import number_of, printable, readable_size

_FOLDER: Final = Path(__file__).parent
_DOTS: Final = {Confidence.HIGH: "●●●", Confidence.MEDIUM: "●●○", Confidence.LOW: "●○○"}
_COUNTED = "The tokens are those of the same pack as Markdown, which is what a model would get."
_DIGITS = 2  # of a score
_HASH = 8  # digits of a commit

_BUTTONS: Final = (
    ("open", "Open all", "e"), ("close", "Close all", "c"), ("wrap", "Wrap lines", "w"), ("copy", "Copy all", "y"),
    ("theme", "Theme", "t"), ("help", "Keys", "?"),
)  # fmt: skip
_KEYS: Final = (
    ("/", "filter"), ("j k", "next, previous piece"), ("o", "open or close the piece"), ("e c", "open, close all"),
    ("w", "wrap long lines"), ("y", "copy the pieces that are shown, as Markdown"), ("t", "light, dark, as the system"),
    ("Esc", "clear the filter"), ("?", "these keys"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HtmlRenderer:
    """A page: where the tokens go, the tree of the files, and the pieces with their evidence."""

    line_numbers: bool = False  # the page has them in any case

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The page up to the pieces; after them the best omitted places, and the notes."""
        tail = join(_missed_list(pack), _notes(pack), Html("</main></div>"), _help(), Html("</body>\n</html>\n"))
        return join(_head(pack), Html("<body>\n"), _header(pack), Html('<div class="columns">'), _aside(pack)) + (
            '<main id="pieces">\n' + ("" if pack.selection.fragments else _nothing())
        ), tail

    def fragment(self, fragment: Fragment, number: int) -> str:
        """A collapsible piece: its place, its cost, its reasons, its lines."""
        origin = fragment.provenance
        attributes: dict[str, str | bool] = {
            "class": f"piece {fragment.lane}",
            "id": f"p{number}",
            "data-kind": str(origin.kind),
            "data-place": wording.location(fragment),
            "data-language": fragment.language,
            "open": True,
        }
        return element("details", attributes, _summary(fragment, number), _evidence(fragment), _lines(fragment)) + "\n"

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the line numbers show what is omitted
        """Nothing."""
        return ""


@cache
def _asset(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _head(pack: Pack) -> Html:
    style, script, widths = _asset("page.css"), _asset("page.js"), overview.widths(pack)
    policy = (
        f"default-src 'none'; style-src {digest(style)} {digest(widths)}; script-src {digest(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return join(
        Html('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'),
        Html('<meta name="generator" content="ctxpack">\n'),
        *(Html(f'<meta name="ctxpack-{name}" content="{to_html(said)}">\n') for name, said in _record(pack) if said),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">\n'),
        Html('<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'),
        Html('<link rel="icon" href="data:,">\n'),
        element("title", None, to_html(f"{wording.pack_title(pack.request)} – {printable(pack.state.name)}")),
        Html(f"\n<style>{style}</style>\n<style>{widths}</style>\n<script>{script}</script>\n</head>\n"),
    )


def _record(pack: Pack) -> tuple[tuple[str, str], ...]:
    """Metadata for ``ctxpack verify`` that the page does not show, or not in one place."""
    return (
        ("request", pack.request.text),
        ("state", wording.repository(pack.state)),
        ("budget", str(pack.budget)),
        ("check", wording.check_digits(pack)),
        ("made-by", pack.recipe),
    )


def _header(pack: Pack) -> Html:
    behind = wording.request_behind_title(pack.request)
    return element(
        "header",
        None,
        element(
            "div",
            {"class": "top"},
            in_span("mark", "ctxpack"),
            in_span("repository", wording.repository(pack.state)),
            _controls(),
        ),
        element("h1", None, to_html(wording.pack_title(pack.request))),
        element("blockquote", None, to_html(behind)) if behind else Html(""),
        _spent(pack),
        overview.bar(pack),
        overview.legend(pack),
    )


def _spent(pack: Pack) -> Html:
    """The counts of the pack, and how its tokens are counted."""
    counted = {"class": "unit", "title": f"{wording.one_line(wording.counting_method(pack))}. {_COUNTED}"}
    return element(
        "p",
        {"class": "spent"},
        element("b", None, to_html(f"{pack.tokens_used:,}")),
        to_html(f" of {pack.budget:,} "),
        element("abbr", counted, to_html("tokens")),
        in_span("of", f"{wording.files(pack)}, {wording.order(pack)}"),
    )


def _controls() -> Html:
    box = element(
        "input",
        {"id": "filter", "type": "search", "placeholder": "Filter  /", "aria-label": "Filter", "autocomplete": "off"},
    )
    buttons = [
        element(
            "button",
            {"type": "button", "id": f"do-{name}", "title": f"{text} ({key})", "aria-keyshortcuts": key},
            to_html(text),
        )
        for name, text, key in _BUTTONS
    ]
    shown = element("output", {"id": "shown", "aria-live": "polite"})
    closed = Html(box.replace("</input>", ""))  # it has no end tag
    return element("div", {"class": "controls", "role": "toolbar"}, closed, shown, *buttons)


def _aside(pack: Pack) -> Html:
    tree = overview.file_tree(pack)
    rows = [
        ("Repository", pack.tree),
        ("Words", ", ".join(wording.keywords(pack.query))),
        ("Added words", wording.added_words(pack.query)),
        ("Strategies", pack.strategy),
        ("Skipped", ", ".join(f"{count:,} {sort}" for sort, count in wording.skipped_counts(pack).items())),
        ("Tokens", f"{wording.counting_method(pack)}. {_COUNTED}"),
    ]
    facts = [join(element("dt", None, to_html(name)), element("dd", None, _fact(text))) for name, text in rows if text]
    figures = {**pack.stats} if pack.has_figures else {}
    numbers = [
        join(element("dt", None, to_html(name.replace("_", " "))), element("dd", None, to_html(f"{value:,}")))
        for name, value in sorted(figures.items())
    ]
    return element(
        "aside",
        None,
        _section("Files", element("nav", {"class": "tree", "aria-label": "Files"}, tree)) if tree else Html(""),
        _section("About this pack", element("dl", None, *facts)),
        _section("Figures", element("dl", {"class": "figures"}, *numbers), is_open=False) if numbers else Html(""),
    )


def _fact(text: str) -> Html:
    return to_html(wording.one_line(text))


def _section(title: str, content: Html, *, is_open: bool = True) -> Html:
    return element("details", {"class": "section", "open": is_open}, element("summary", None, to_html(title)), content)


def _summary(fragment: Fragment, number: int) -> Html:
    origin = fragment.provenance
    folder, slash, name = wording.location(fragment).rpartition("/")
    its = wording.state(fragment)
    return element(
        "summary",
        None,
        in_span("number", str(number)),
        element("span", {"class": "place"}, in_span("folder", folder + slash), in_span("file", name)),
        element("code", {"class": "symbol"}, to_html(wording.names(origin.symbol))) if origin.symbol else Html(""),
        element(
            "span",
            {"class": "badges"},
            in_span(f"badge kind {fragment.lane}", overview.kind_name(origin.kind)),
            in_span("badge", its),
            in_span("badge warning", "not committed" if origin.dirty else ""),
            in_span("badge", "required" if fragment.required else ""),
        ),
        element(
            "span",
            {"class": "cost"},
            element("b", None, to_html(f"{fragment.tokens:,}")),
            in_span("unit", " tokens"),
        ),
    )


def _evidence(fragment: Fragment) -> Html:
    """The reasons for a piece, and the facts about its file."""
    origin = fragment.provenance
    said = [reason for reason in origin.reasons if not reason.startswith(HELD_WORDS)]  # the words are shown below
    reasons = [element("li", None, _fact(reason)) for reason in dict.fromkeys(said or origin.reasons)]
    words = [element("mark", None, _fact(word)) for word in origin.keywords]
    tags = [in_span("tag", f"#{wording.one_line(tag)}") for tag in origin.tags]
    commit = origin.commit[:_HASH]
    facts = (
        f"found by {wording.one_line(fragment.strategy)}",
        f"score {origin.score:.{_DIGITS}f}" if origin.score else "",
        f"changed {wording.one_line(origin.modified)}" if origin.modified else "",
        f"commit {commit}" if commit else "",
        f"file of {readable_size(origin.size)}" if origin.size else "",
    )
    confidence = {"title": f"confidence: {origin.confidence}"}
    sure = element("span", confidence, in_span("dots", _DOTS[origin.confidence]), to_html(f" {origin.confidence}"))
    return element(
        "div",
        {"class": "evidence"},
        element("ul", {"class": "reasons"}, *reasons) if reasons else Html(""),
        element("p", {"class": "words"}, *words, *tags) if words or tags else Html(""),
        element("p", {"class": "facts"}, sure, *(in_span("fact", fact) for fact in facts)),
        element("button", {"type": "button", "class": "copy", "title": "Copy this piece"}, to_html("Copy")),
    )


def _lines(fragment: Fragment) -> Html:
    """The lines of a piece with their numbers, which are no part of the text."""
    text = wording.content(fragment, line_numbers=False)
    if not text:
        return Html("")
    numbers = wording.numbers_of(fragment)
    rows = [
        element(
            "span",
            {"class": "line", "data-n": str(numbers[at] or "⋯") if numbers else False},
            *(to_html(run) if not kind else element("span", {"class": kind}, to_html(run)) for kind, run in runs),
            Html("\n"),
        )
        for at, runs in enumerate(coloured_lines(text, fragment.language))
    ]
    kind = "numbered" if numbers else ""
    box: dict[str, str | bool] = {"class": kind, "tabindex": "0", "aria-label": wording.location(fragment)}
    return element("pre", box, element("code", None, *rows))


def _nothing() -> Html:
    return element("p", {"class": "nothing"}, to_html("No piece is in this pack. The notes below say why."))


def _missed_list(pack: Pack) -> Html:
    omissions = pack.selection.omissions
    if not omissions:
        return Html("")
    rows = [_missed_row(each) for each in omissions]
    title = f"Just missed: {number_of(len(omissions), 'place')}"
    return _list_section("missed", title, element("ul", None, *rows))


def _missed_row(omission: Omission) -> Html:
    folder, slash, name = wording.location(omission).rpartition("/")
    symbol = wording.short_name(omission.symbol)
    reason = "its text is in the pack already" if omission.is_double else wording.one_line(omission.reason)
    return element(
        "li",
        None,
        element("span", {"class": "place"}, in_span("folder", folder + slash), in_span("file", name)),
        element("code", {"class": "symbol"}, to_html(symbol)) if symbol else Html(""),
        in_span("reason", reason),
        in_span("cost", f"{omission.tokens:,} tokens" if omission.tokens else ""),
    )


def _notes(pack: Pack) -> Html:
    rows = [element("li", None, _fact(note)) for note in pack.notes]
    return _list_section("notes", "Notes", element("ul", None, *rows)) if rows else Html("")


def _list_section(kind: str, title: str, rows: Html) -> Html:
    return element("section", {"class": kind}, element("h2", None, to_html(title)), rows)


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """A piece as the page shows it."""

    number: int
    place: str
    badges: tuple[str, ...]
    dirty: bool
    language: str
    text: str


_RECORDED: Final = lazy_pattern(r'<meta name="ctxpack-([a-z-]{1,20})" content="([^"]*)">')
_PIECE: Final = lazy_pattern(
    r'<details class="piece [^"]{1,40}" id="p(\d{1,9})" data-kind="[^"]{0,40}" data-place="([^"]*)"'
    r'(?: data-language="([^"]{0,40})")?[^>]{0,40}>'
)
_BADGE: Final = lazy_pattern(r'<span class="badge( warning)?">([^<]*)</span>')
_TAG: Final = lazy_pattern(r"<[^<>]*>")


def read_page(text: str) -> tuple[Mapping[str, str], list[ShownPiece]]:
    """Read what a page records, and its pieces. Raises ValueError for a page that is broken."""
    body = text.index("<body>")
    found: list[ShownPiece] = []
    match = _PIECE.search(text, body)
    while match is not None:
        end = text.index("</details>", match.end())
        start = text.find("<pre ", match.end(), end)
        badges = _BADGE.findall(text, match.end(), start if start >= 0 else end)
        shown = text[start : text.index("</pre>", start, end)] if start >= 0 else ""
        found.append(
            ShownPiece(
                int(match[1]),
                from_html(match[2]),
                tuple(from_html(said) for _, said in badges),
                any(warning for warning, _ in badges),
                match[3] or "",
                from_html(_TAG.sub("", shown)),
            )
        )
        match = _PIECE.search(text, end)
    return {name: from_html(said) for name, said in _RECORDED.findall(text, 0, body)}, found


def _help() -> Html:
    rows = [
        join(
            element("dt", None, *(element("kbd", None, to_html(key)) for key in keys.split())),
            element("dd", None, to_html(text)),
        )
        for keys, text in _KEYS
    ]
    button = element("button", {"type": "button", "id": "do-hide"}, to_html("Close"))
    title = element("h2", None, to_html("Keys"))
    return element("dialog", {"id": "keys"}, title, element("dl", None, *rows), button)
