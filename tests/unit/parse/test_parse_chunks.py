"""Symbols become chunks: one function or class header a chunk, long ones split, tiny ones together."""

from __future__ import annotations

import random

import pytest

from ctxpack.model import Chunk, ParsedFile
from ctxpack.parse import definitions, outline
from ctxpack.parse.chunking import LONGEST_CHUNK, cut_points, goes_on, indentation


def _spans(parsed: ParsedFile) -> list[tuple[int, int, str, str]]:
    return [(chunk.start_line, chunk.end_line, chunk.kind, chunk.symbol) for chunk in parsed.chunks]


CLASS = '''import os


class Store:
    """Keeps."""

    size = 1

    # gets
    @property
    def get(self):
        a = 1
        b = 2
        return a + b

    def put(self):
        a = 1
        b = 2
        return a + b


run()
'''


def test_a_class_header_each_field_with_a_value_and_each_method_are_chunks() -> None:
    assert _spans(outline(CLASS, "python")) == [
        (1, 6, "class", "Store"),
        (7, 8, "field", "Store.size"),
        (9, 15, "method", "Store.get"),
        (16, 19, "method", "Store.put"),
        (20, 22, "window", ""),
    ]


def test_tiny_neighbours_share_a_chunk() -> None:
    text = "".join(f"LIMIT_{number} = {number}\n" for number in range(30))
    assert _spans(outline(text, "python")) == [
        (1, 20, "constant", "LIMIT_0"),
        (21, 30, "constant", "LIMIT_20"),
    ]


def test_a_group_of_constants_is_a_chunk_with_what_opens_and_closes_it() -> None:
    text = (
        'package store\n\nimport "fmt"\n\n// How it waits.\nconst (\n\tpause = 5\n\ttries int = 3\n)\n\n'
        "const (\n\tfirst = iota\n\tsecond\n)\n\nfunc f() {\n\tvar found int\n\tfound = 3\n}\n"
    )
    assert _spans(outline(text, "go")) == [
        (1, 4, "header", ""),
        (5, 10, "constant", "pause"),
        (11, 15, "constant", "first"),
        (16, 19, "function", "f"),
    ]


def test_a_long_function_is_split_at_blank_lines_and_keeps_its_name() -> None:
    block = "".join(f"    a{number} = {number}\n" for number in range(24)) + "\n"
    parsed = outline("def long():\n" + block * 5, "python")
    assert {chunk.symbol for chunk in parsed.chunks} == {"long"}
    assert all(chunk.end_line - chunk.start_line < 60 for chunk in parsed.chunks)
    lines = ("def long():\n" + block * 5).split("\n")
    assert all(not lines[chunk.end_line - 1].strip() for chunk in parsed.chunks[:-1])


def test_inner_functions_of_a_short_function_stay_with_it() -> None:
    text = "def outer():\n    def inner():\n        return 1\n\n    x = 1\n    return inner\n"
    parsed = outline(text, "python")
    assert _spans(parsed) == [(1, 6, "function", "outer")]
    assert [item.qualified for item in parsed.symbols] == ["outer", "outer.inner"]


def test_closing_lines_belong_to_what_they_close() -> None:
    text = "class Store {\n  get() {\n    const a = 1;\n    return a;\n  }\n}\n"
    assert _spans(outline(text, "javascript"))[-1][:2] == (2, 6)


def test_a_line_that_closes_a_group_belongs_to_it_whatever_comes_next() -> None:
    text = "package store\n\nconst (\n\tpause = 5\n)\n\n// +build-info\n\ntype Store struct {\n\tname string\n}\n"
    assert _spans(outline(text, "go"))[1][:3] == (3, 6, "constant")


METHOD = "  {}() {{\n    const a = 1;\n    const b = 2;\n    return a + b;\n  }}\n\n"


@pytest.mark.parametrize(
    ("between", "first"),
    [
        ("  // MARK: Uploads\n\n", 8),
        ("  // <!--/TAG:a-->\n\n", 10),
        ("  // one\n  // two\n  // three\n  // four\n\n", 13),
        ("  name;\n\n", 10),
    ],
)
def test_a_short_comment_between_two_definitions_belongs_to_the_next(between: str, first: int) -> None:
    text = "class Store {\n" + METHOD.format("get") + between + METHOD.format("put") + "}\n"
    (put,) = (chunk for chunk in outline(text, "javascript").chunks if chunk.symbol == "Store.put")
    assert put.start_line == first


def test_unknown_text_is_cut_into_windows() -> None:
    text = ("word\n" * 9 + "\n") * 12
    parsed = outline(text, "")
    assert [(chunk.start_line, chunk.end_line) for chunk in parsed.chunks] == [(1, 40), (41, 80), (81, 120)]
    assert {chunk.kind for chunk in parsed.chunks} == {"window"}


def test_empty_text_has_no_chunks() -> None:
    assert outline("", "python").chunks == ()
    assert outline("", "markdown").chunks == ()
    assert outline("\n", "").chunks == (Chunk(1, 1, "window"),)


def test_enclosing_is_the_innermost_symbol() -> None:
    parsed = outline(CLASS, "python")
    inside, between = parsed.enclosing(12, 13), parsed.enclosing(7, 13)
    assert inside is not None
    assert inside.qualified == "Store.get"
    assert between is not None
    assert between.qualified == "Store"
    assert parsed.enclosing(22, 22) is None


def test_no_part_of_a_long_function_begins_within_a_statement() -> None:
    body = "    total = add(\n        total,\n    )\n    if total:\n        log(total)\n    else:\n        stop()\n"
    lines = f"def long(total):\n{body * 30}".splitlines()
    begun = {lines[each.start_line - 1] for each in outline("\n".join(lines), "python").chunks[1:]}
    assert begun <= {"    total = add(", "    if total:"}


BODY = "".join(f"    step_{number} = {number}\n" for number in range(6))
EXAMPLES = "".join(f"  line {number}\n" for number in range(40))


@pytest.mark.parametrize(
    ("language", "above", "text", "definition"),
    [
        ("elixir", "defmodule M do", ['  @doc """', "  A.", "", "  B.", '  """', "  @spec f(t) :: t"], "  def f(x) do"),
        ("elixir", "defmodule M do", ['  @doc ~S"""', "  Sends.", '  """'], "  def f(x) do"),
        ("elixir", "defmodule M do", ['  @doc """', "  A.", '  """', "  @spec f(t) ::", "      t"], "  def f(x) do"),
        ("julia", "a = 1", ['"""', "    f(x)", "", "Sends.", '"""'], "function f(x)"),
        ("graphql", "type A {", ['"""', "What is", "", "sent.", '"""'], "type f {"),
    ],
)  # fmt: skip
def test_the_text_about_a_definition_belongs_to_it_from_its_first_line(
    language: str, above: str, text: list[str], definition: str
) -> None:
    lines = [above, *BODY.splitlines(), "", *text, definition, *BODY.splitlines(), ""]
    symbol = next(each for each in outline("\n".join(lines), language).symbols if each.name == "f")
    assert lines[symbol.start_line - 1] == text[0]


def test_a_page_about_a_definition_stands_alone_with_the_line_that_ends_it() -> None:
    text = f'defmodule M do\n  @doc """\n{EXAMPLES}  """\n  @spec f(t) :: t\n  def f(x) do\n{BODY}  end\nend\n'
    (symbol,) = (each for each in outline(text, "elixir").symbols if each.name == "f")
    assert text.splitlines()[symbol.start_line - 1] == "  @spec f(t) :: t"


def test_what_an_example_in_a_text_defines_is_no_definition() -> None:
    example = '  @moduledoc """\n      defmodule User do\n        def change(user) do\n        end\n      end\n  """\n'
    text = f"defmodule M do\n{example}  def f(x) do\n    x\n  end\nend\n"
    assert [each.qualified for each in outline(text, "elixir").symbols] == ["M", "M.f"]
    unclosed = text.replace('  """\n', "", 1)  # where it ends is not clear
    assert "M.User" in {each.qualified for each in outline(unclosed, "elixir").symbols}


def test_a_long_block_of_data_is_cut_between_its_entries() -> None:
    entry = '    "./part{n}": {{\n      "import": {{\n        "types": "./a.d.ts",\n        "default": "./a.js"\n'
    entry += "      }}\n    }},\n"
    text = '{\n  "exports": {\n' + "".join(entry.format(n=n) for n in range(30)) + '    "./last": "./last.js"\n  }\n}\n'
    lines = text.split("\n")
    found = outline(text, "json", "package.json").chunks
    assert len(found) > 2
    assert all(lines[each.start_line - 1].startswith('    "./') for each in found[1:])


@pytest.mark.parametrize("seed", range(40))
def test_a_part_ends_where_it_is_cheapest_of_all_lines(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    shapes = ("", " ", "x", "\tx", "\t\tx", "     x", "    )", "x,", "}", "\t// x")
    lines = [chance.choice(shapes) for _ in range(LONGEST_CHUNK + 1)]
    costs = {}
    for number in range(LONGEST_CHUNK + 1, LONGEST_CHUNK // 3 + 1, -1):
        line, above = lines[number - 1], lines[number - 2]
        if line.strip():
            costs[number] = goes_on(above, line), indentation(line) - (0 if above.strip() else 4)
    cheapest = min(costs, key=lambda number: (costs[number], -number))
    assert cut_points(lines, 1, len(lines), LONGEST_CHUNK) == [(1, cheapest - 1), (cheapest, len(lines))]


def test_only_lines_below_blank_ones_are_looked_at_where_one_of_them_is_best() -> None:
    seen = []

    def belongs(above: str, line: str) -> bool:
        seen.append(line)
        return goes_on(above, line)

    lines = ["\tx = 1;", "\ty = 2;", ""] * (LONGEST_CHUNK // 3 + 1)
    assert len(cut_points(lines, 1, len(lines), LONGEST_CHUNK, belongs)) == 2
    assert len(seen) == 1


def test_no_pattern_looks_for_the_brace_that_closes_a_function_of_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definitions, "_ender", lambda *_: pytest.fail("a pattern was made"))
    text = "int a(int b)\n{\n\tif (b) {\n\t\treturn 1;\n\t}\n\treturn 2;\n}\n\nint c(void)\n{\n\treturn 3;\n}\n"
    found = [(each.name, each.start_line, each.end_line) for each in outline(text, "c").symbols]
    assert found == [("a", 1, 7), ("c", 9, 12)]
