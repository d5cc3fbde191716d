"""Whatever the text: the chunks cover every line once, and all spans lie in the file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.model import ParsedFile
from ctxpack.parse import exact, outline
from ctxpack.parse.chunking import cut_points, goes_on, indentation
from ctxpack.parse.languages import languages
from ctxpack.parse.metadata import choose_tags
from ctxpack.text import lines_of
from tests.trying import examples

LANGUAGES = ["", *sorted(each.name for each in languages() if each.patterns or each.headings)]
PIECES = st.sampled_from(
    [
        "def f(a):",
        "class A:",
        "class A {",
        "function f(x) {",
        "fn f() {",
        "}",
        "end",
        "{",
        "(",
        ")",
        "# title",
        "## b",
        "=====",
        "-----",
        "```",
        "---",
        "<!--TAG:a-->",
        "<!--/TAG:a-->",
        "@x",
        "// c",
        "/* c",
        "*/",
        "# c",
        "-- c",
        "",
        "",
        "    return 1",
        "\treturn",
        "int main(void)",
        "static int f(int a,",
        "namespace a {",
        "module A",
        "title: x",
        "x = function()",
        "f :: Int -> Int",
        "f x = 1",
        "defmodule A do",
        "#define A(x) \\",
        "impl A for B {",
        "import x",
        "const f = (a) => {",
        "Процедура Ф()",
        "КонецПроцедуры",
        "CREATE TABLE x (",
        "all: x",
        "\ufeff",
        "\x0c",
        "\r",
    ]
)
LINES = st.tuples(st.sampled_from(["", "  ", "    ", "\t"]), PIECES).map("".join)
TEXTS = st.one_of(st.text(max_size=200), st.lists(LINES, max_size=150).map("\n".join))


def _check(parsed: ParsedFile, text: str) -> None:
    total = len(lines_of(text))
    covered = [line for chunk in parsed.chunks for line in range(chunk.start_line, chunk.end_line + 1)]
    assert covered == list(range(1, total + 1))
    spans = [(item.start_line, item.end_line) for item in parsed.symbols]
    spans += [(item.start_line, item.end_line) for item in parsed.tags]
    assert all(1 <= start <= end <= total for start, end in spans)
    assert all(symbol.name and symbol.qualified.endswith(symbol.name) for symbol in parsed.symbols)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=examples(12, 25), deadline=None)
@given(text=TEXTS)
def test_an_outline_covers_the_text(language: str, text: str) -> None:
    parsed = outline(text, language)
    _check(parsed, text)
    assert parsed == outline(text, language)


@pytest.mark.parametrize("language", sorted(each.name for each in languages() if each.grammar))
@settings(max_examples=examples(6, 10), deadline=None)
@given(text=TEXTS)
def test_exact_chunks_cover_the_text(language: str, text: str) -> None:
    _check(exact(text, language), text)


@settings(max_examples=examples(40, 100), deadline=None)
@given(text=TEXTS, wanted=st.lists(st.text(max_size=8), max_size=4))
def test_chosen_tags_lie_in_the_file(text: str, wanted: list[str]) -> None:
    parsed = outline(text, "markdown")
    chosen = choose_tags(text, parsed, wanted)
    assert (chosen is None) == (not parsed.tags)
    assert all(region.end_line <= len(lines_of(text)) for region in chosen or ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_lines_and_open_brackets_are_harmless(language: str) -> None:
    for unit in (
        "a ",
        "(",
        "a(",
        "<",
        "a<b",
        "template <",
        "a.",
        "[",
        "def ",
        "x, ",
        "public static ",
        "'",
        "a::",
        "=>",
    ):
        text = unit * (60_000 // len(unit))
        assert outline(text, language).chunks[-1].end_line == 1
        many = "\n".join([unit * 40] * 200)
        assert outline(many, language).chunks[-1].end_line == 200


@pytest.mark.parametrize(
    ("language", "prefix", "unit"),
    [
        ("c", "typedef ", "  "),
        ("cpp", "class ", "a::"),
        ("cpp", "enum ", "operator"),
        ("haskell", "def f(", "  "),
        ("ruby", "def ", "def "),
        ("markdown", "", "<!--\n"),
        ("asciidoc", "", "----a\n----\n"),
    ],
)
def test_patterns_stay_linear(language: str, prefix: str, unit: str) -> None:
    """A quadratic pattern would take minutes on these texts."""
    text = prefix + unit * (300_000 // len(unit))
    assert outline(text, language).chunks[-1].end_line == max(text.count("\n"), 1)


_CUT_LINES = st.lists(
    st.sampled_from(["", "  ", "\t", "    x", "x", "  )", "# why", "call(a,", "y = 1", "@once"]),
    min_size=1,
    max_size=60,
)


@given(_CUT_LINES, st.integers(3, 20))
def test_parts_end_where_it_costs_least(lines: list[str], longest: int) -> None:
    def cost(number: int) -> tuple[bool, bool, int]:
        line, above = lines[number - 1], lines[number - 2]
        return not line.strip(), goes_on(above, line), indentation(line) - (0 if above.strip() else 4)

    model, start = [], 1
    while len(lines) - start + 1 > longest:
        cut = min(range(start + longest, start + longest // 3, -1), key=cost)
        model.append((start, cut - 1))
        start = cut
    assert cut_points(lines, 1, len(lines), longest) == [*model, (start, len(lines))]
