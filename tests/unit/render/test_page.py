"""The page for a browser, as a parser reads it."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ctxpack.model import (
    PATCH,
    RECORD,
    Confidence,
    Form,
    Fragment,
    Kind,
    Omission,
    Pack,
    Request,
    Scope,
    Selection,
    Skipped,
)
from ctxpack.parse.languages import languages
from ctxpack.render import renderer
from ctxpack.render.markup import coloured_lines, element, to_html, with_pictures
from ctxpack.render.overview import percent
from ctxpack.render.reports import report
from tests.building import STATE, pack_with, piece_of, query_for
from tests.pages import Element, read_page

NAMES = sorted(each.name for each in languages())
URLS = {"href", "src", "action", "formaction", "poster", "data", "srcset", "background", "cite", "ping"}


def piece(path: str = "src/a.py", text: str = "x = 1\ny = 2\n", tokens: int = 40, **said: Any) -> Fragment:  # noqa: ANN401 - whatever a field takes
    made = piece_of(
        text, path, 7, score=0.876, confidence=Confidence.HIGH, keywords=("x", "retry"), tokens=tokens,
        reasons=("its name contains retry", "defines `x`", "defines `x`"), symbol="A.x", tags=("net",),
    )  # fmt: skip
    kind = said.pop("kind", Kind.CODE)
    origin = replace(made.provenance, kind=kind, modified="2024-03-01", size=4_210, commit="c0ffeec0ffee")
    return replace(made, provenance=origin, **said)


def pack_of(*fragments: Fragment, **said: Any) -> Pack:  # noqa: ANN401 - same
    missed = (
        Omission("src/b.py", 3, 9, 0.5, "budget full: needs 80 tokens, 7 left", 80, "B.run"),
        Omission("src/c.py", 1, 2, 0.4, "says the same", 12, is_double=True),
    )
    about: dict[str, Any] = {
        "budget": 8_000,
        "request": Request(Scope.TASK, "Fix <b>the</b> retry\n\nIt is broken."),
        "query": query_for("fix x", words={"fix": 1.0, "retry": 4.0}),
        "state": replace(STATE, dirty=True),
        "selection": Selection(fragments, missed),
        "tokens_used": 500,
        "tree": "src/ 3, 1 at the top (files)",
        "considered": 12,
        "skipped": (Skipped("x.bin", "binary"), Skipped("y.bin", "binary")),
        "notes": ("1 secret was redacted.",),
        **said,
    }
    return pack_with(**about)


def page_of(*fragments: Fragment, **said: Any) -> Element:  # noqa: ANN401 - same
    return read_page(report(pack_of(*fragments, **said), renderer("html")))


def digest_of(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def test_nothing_but_the_page_s_own_styles_and_script_is_admitted() -> None:
    page = page_of(piece(), piece("b.md", kind=Kind.DOC))
    policy = page.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    rules = {name: values for name, *values in (rule.split() for rule in policy.split(";"))}
    assert rules["default-src"] == ["'none'"]
    assert rules["style-src"] == [digest_of(each.text) for each in page.all("style")]
    assert rules["script-src"] == [digest_of(page.one("script").text)]
    assert (rules["base-uri"], rules["form-action"], rules["img-src"]) == (["'none'"], ["'none'"], ["data:"])
    assert (rules["require-trusted-types-for"], rules["trusted-types"]) == (["'script'"], ["'none'"])


def test_nothing_is_fetched_and_nothing_is_styled_or_run_in_place() -> None:
    for each in page_of(piece(), piece("https://x.example/a.py")).all():
        assert not {name for name in each.attributes if name == "style" or name.startswith("on")}
        for name in URLS & set(each.attributes):
            assert each.attributes[name].startswith(("#", "data:,"))
    sources = "".join((Path("ctxpack/render") / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    assert not re.search(r"url\(|@import|https?:|//\w|innerHTML|eval|fetch\(|XMLHttp|import\(", sources)


def test_every_id_is_there_once_and_what_is_linked_is_there() -> None:
    page = page_of(piece(), piece("b.py"), piece("src/a.py"))
    ids = [each.attributes["id"] for each in page.all() if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    assert {each.attributes["href"][1:] for each in page.all("a")} <= set(ids)
    actions = page.one("script").text.partition("const actions = {")[2].partition("\n    };")[0]
    assert {f"do-{name}" for name in re.findall(r"^      (\w+): ", actions, re.MULTILINE)} == {
        each for each in ids if each.startswith("do-")
    }


def test_a_piece_says_what_is_known_of_it() -> None:
    (shown,) = page_of(piece(cut_from=(1, 90), form=Form.EXCERPT)).all("details", class_="piece")
    assert (shown.attributes["data-kind"], shown.attributes["data-place"]) == ("code", "src/a.py:7-8")
    assert "src/a.py:7-8A.xcodeexcerpt of 1-9040 tokens" in shown.one("summary").text
    evidence = shown.one(class_="evidence")
    assert [each.text for each in evidence.all("li")] == ["defines `x`"]
    assert [each.text for each in evidence.all("mark")] == ["x", "retry"]
    facts = evidence.one(class_="facts").text
    assert facts == "●●● highfound by searchscore 0.88changed 2024-03-01commit c0ffeec0file of 4.21 kB"
    assert [each.attributes["data-n"] for each in shown.all(class_="line")] == ["7", "8"]
    assert shown.one("pre").text == "x = 1\ny = 2\n"


def test_reasons_that_only_name_words_are_told_where_there_are_no_others() -> None:
    only = piece()
    only = replace(only, provenance=replace(only.provenance, reasons=("its name contains retry",)))
    assert [each.text for each in page_of(only).one(class_="evidence").all("li")] == ["its name contains retry"]


def test_what_is_no_run_of_lines_has_no_numbers() -> None:
    whole = piece(form=Form.OUTLINE, text="x\n")
    outline = replace(whole, provenance=replace(whole.provenance, end_line=90))
    shown = page_of(outline, piece(layer=PATCH), piece(text="x\n⋯\n", numbers=(7, 0)))
    numbers = [[line.attributes.get("data-n") for line in each.all(class_="line")] for each in shown.all("pre")]
    assert numbers == [[None], [None, None], ["7", "⋯"]]


def test_the_bar_shows_where_all_tokens_of_the_budget_go() -> None:
    page = page_of(piece(tokens=100), piece("t.py", tokens=60, kind=Kind.TEST), piece("a.md", tokens=0, kind=Kind.DOC))
    bar = page.one(class_="bar")
    titles = [each.attributes["title"] for each in bar.all(class_="seg")]
    assert titles == [
        "1. src/a.py:7-8: 100 tokens", "3. a.md:7-8: 0 tokens", "2. t.py:7-8: 60 tokens",
        "around the pieces: 340 tokens", "not used: 7,500 tokens",
    ]  # fmt: skip
    widths = dict(re.findall(r"([.\w]+)\{flex-grow:(\d+)\}", page.all("style")[1].text))
    assert widths == {".w1": "100", ".w3": "1", ".w2": "60", ".seg.around": "340", ".seg.free": "7500"}
    assert [each.text for each in page.one(class_="legend").all(class_="key")] == [
        "code100 · 1 %", "doc0 · 0 %", "test60 · 1 %", "around them340 · 4 %", "not used7,500 · 94 %",
    ]  # fmt: skip


def test_a_full_pack_has_nothing_free() -> None:
    page = page_of(piece(tokens=100), tokens_used=8_000)
    assert not page.all(class_="free")
    assert ".seg.free{flex-grow:0}" in page.all("style")[1].text


@pytest.mark.parametrize(
    ("part", "whole", "said"), [(0, 9, "0 %"), (1, 9, "11 %"), (1, 9_000, "<1 %"), (9, 9, "100 %"), (0, 0, "0 %")]
)
def test_a_share_that_is_not_nothing_is_not_told_as_nothing(part: int, whole: int, said: str) -> None:
    assert percent(part, whole) == said


def test_the_tree_has_each_file_once_below_its_folders() -> None:
    page = page_of(
        piece("src/main/java/A.java", tokens=5), piece("src/main/java/A.java", tokens=6), piece("src/main/B.java"),
        piece("README.md"), piece(RECORD),
    )  # fmt: skip
    tree = page.one("nav")
    assert [each.text for each in tree.all("summary")] == ["src/main/51", "java/11"]
    assert [(each.text, each.attributes["href"]) for each in tree.all("a")] == [
        ("A.java×211", "#p1"), ("B.java40", "#p3"), ("overview of the change40", "#p5"), ("README.md40", "#p4"),
    ]  # fmt: skip


def test_what_just_missed_the_notes_and_the_way_of_counting_are_told() -> None:
    page = page_of(piece())
    assert [each.text for each in page.one(class_="missed").all("li")] == [
        "src/b.py:3-9B.runbudget full: needs 80 tokens, 7 left80 tokens",
        "src/c.py:1-2its text is in the pack already12 tokens",
    ]
    assert page.one(class_="notes").one("li").text == "1 secret was redacted."
    facts = page.one("aside").text
    assert "The tokens are those of the same pack as Markdown" in facts
    assert "2 binary" in facts
    assert "src/ 3, 1 at the top (files)" in facts


def test_figures_are_shown_where_they_were_asked_for() -> None:
    assert "pieces gathered" not in page_of(piece(), stats={"pieces_gathered": 1_200}).text
    page = page_of(piece(), stats={"pieces_gathered": 1_200}, has_figures=True)
    assert "pieces gathered1,200" in page.one("aside").text


def test_an_empty_pack_is_a_page_that_says_so() -> None:
    page = page_of(selection=Selection(()), notes=())
    assert page.one(class_="nothing").text.startswith("No piece is in this pack.")
    assert not page.all(class_="notes")
    assert not page.all("nav")


def test_pages_behind_the_first_count_on() -> None:
    page = page_of(piece(), first_source=8)
    assert [each.attributes["id"] for each in page.all(class_="piece")] == ["p8"]
    assert page.one("nav").one("a").attributes["href"] == "#p8"


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("a\x00b\x1b[31m\r\x0c", "a␀b␛[31m␍␌"),
        ("\x7f\x85", "␡[U+0085]"),
        ("x \u202e y \u2066", "x [U+202E] y [U+2066]"),
        ("\ufeff\uffff\ud800", "[U+FEFF][U+FFFF]\ufffd"),
        ("tab\tend\n", "tab\tend\n"),
        ("شكرا \u200f", "شكرا \u200f"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_a_sign(hidden: str, shown: str) -> None:
    assert with_pictures(hidden) == shown
    assert page_of(piece(text=hidden + "\n", form=Form.OUTLINE)).one("pre").text.rstrip("\n") == shown.rstrip("\n")


def test_text_becomes_html_by_being_escaped() -> None:
    assert to_html("<a b='c' d=\"e\">&amp;") == "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;amp;"
    assert element("i", {"title": '"<', "open": True, "no": False, "none": ""}) == '<i title="&quot;&lt;" open></i>'


SOURCE = 'def f(x):\n    """Say\n    it."""\n    return x + 1  # one\n'


def test_runs_have_the_class_of_their_colour_line_by_line() -> None:
    assert coloured_lines(SOURCE, "python") == [
        [("k", "def "), ("f", "f"), ("", "(x):")],
        [("", "    "), ("c", '"""Say')],
        [("c", '    it."""')],
        [("c", "    "), ("k", "return "), ("", "x + "), ("n", "1  "), ("c", "# one")],
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (SOURCE, ""),
        (SOURCE, "no language"),
        ("x" * 501, "python"),
        ("x = 1\n" * 20_000, "python"),
        ("x = 1\n" + "\n " * 200 + ".", "python"),
    ],
)
def test_what_cannot_be_coloured_stays_plain(text: str, language: str) -> None:
    lines = coloured_lines(text, language)
    assert "\n".join("".join(run for _, run in line) for line in lines) == text.rstrip("\n")
    assert {kind for line in lines for kind, _ in line} == {""}


def test_languages_of_every_family_have_colours() -> None:
    shown = {name: coloured_lines("a = 1 // 'b' <b>\n# c\n", name) for name in NAMES}
    plain = {name for name, lines in shown.items() if not any(kind for line in lines for kind, _ in line)}
    assert len(NAMES) - len(plain) > 50
    assert not plain & {"python", "typescript", "go", "rust", "java", "c", "cpp", "ruby", "svelte"}


@pytest.mark.parametrize("language", NAMES)
def test_every_text_stays_as_it_is_in_every_language(language: str) -> None:
    texts = [SOURCE, "\n\n  x\r\ny\t\x00\x0c'\"`/*<!--{{[[\n\n", "```\n'''\n<script>\n", "\u2028é\u202e\n"]
    for text in texts:
        lines = coloured_lines(text, language)
        assert "".join("".join(run for _, run in line) + "\n" for line in lines) == text
