"""Configuration is cut at its tables, blocks of keys and jobs, and each chunk has their name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.parse import outline

TOML = """\
[package]
name = "lantern"
version = "1.0"
edition = "2021"

# what is built by default
# and what is not
[features]
default = ["wick"]
wick = []
oil = ["dep:oil"]
rows = [
  ["a", 1],
  [2],
]

[[bin]]
name = "one"
path = "src/one.rs"
test = false
[[bin]]
name = "two"
path = "src/two.rs"
test = false
"""
INI = """\
; for everyone
[tox]
envlist = py
skipsdist = true
minversion = 4

[testenv:min]
basepython = python3.10
deps =
    wick==1.0
commands = pytest
"""
JOB = "    runs-on: ubuntu\n    steps:\n      - uses: checkout\n      - name: Test\n        run: make {}\n\n"
YAML = f"""\
name: CI
on:
  push:
    branches: [main]
  pull_request:
jobs:
  build:
{JOB.format("build")}  # the slow ones
  "test-old":
{JOB.format("test")}  deploy:
{JOB.format("deploy")}"""
JSON = """\
{
  "name": "lantern",
  "scripts": {
    "build": "make",
    "test": "make test",
    "lint": "make lint",
    "deep": {
      "a": 1
    }
  },
  "engines": {
    "node": ">=20",
    "npm": ">=9",
    "yarn": "*",
    "pnpm": "*"
  }
}
"""


def sections(text: str, language: str) -> list[tuple[int, int, tuple[str, ...]]]:
    return [(chunk.start_line, chunk.end_line, chunk.heading) for chunk in outline(text, language).chunks]


def test_tables_of_toml_come_with_the_comments_above_them() -> None:
    assert sections(TOML, "toml") == [(1, 5, ("package",)), (6, 16, ("features",)), (17, 24, ("bin",))]


def test_sections_of_an_ini_file_have_their_names() -> None:
    assert sections(INI, "ini") == [(1, 6, ("tox",)), (7, 11, ("testenv:min",))]


def test_the_jobs_of_a_workflow_are_sections_and_short_blocks_are_joined() -> None:
    assert sections(YAML, "yaml") == [
        (1, 5, ("on",)),
        (6, 13, ("jobs", "build")),
        (14, 21, ("jobs", "test-old")),
        (22, 28, ("jobs", "deploy")),
    ]


def test_a_text_in_yaml_that_looks_like_keys_names_no_section() -> None:
    script = "".join(f"  step{number}:\n    # remark\n    run\n" for number in range(10))
    found = sections(f"data:\n  one:\n    a: 1\n    b: 2\nscript: |\n{script}", "yaml")
    assert {heading for _, _, heading in found} == {("data", "one")}


def test_items_of_a_list_that_have_a_name_are_sections() -> None:
    columns = "    columns:\n      - name: id\n      - name: grain\n\n"
    items = "".join(f"  - name: {name}\n    description: of the mill\n{columns}" for name in ("flour", "'bran'"))
    tasks = "".join(f"- name: {name} the mill\n  command: mill\n  args:\n    - -v\n" for name in ("Start", "Stop"))
    assert sections(f"version: 2\nmodels:\n{items * 2}", "yaml") == [
        (1, 8, ("models", "flour")),
        (9, 14, ("models", "bran")),
        (15, 20, ("models", "flour")),
        (21, 26, ("models", "bran")),
    ]
    assert sections(tasks, "yaml") == [(1, 4, ("Start the mill",)), (5, 8, ("Stop the mill",))]


def test_values_with_comments_are_sections_in_long_settings() -> None:
    rows = "".join(
        f"    ## What row {number} is for,\n    ## and why\n    row{number}: {number}\n\n" for number in range(20)
    )
    found = sections(f"mill:\n  spec:\n{rows}  stones: []\n    # - flint\n    # - granite\n    # - basalt\n", "yaml")
    assert found[:2] == [(1, 6, ("mill", "spec", "row0")), (7, 10, ("mill", "spec", "row1"))]
    assert found[-1] == (83, 86, ("mill", "stones"))


def test_blocks_in_long_blocks_are_sections_where_templates_stand_between() -> None:
    block = "    {}:\n" + "      a: 1\n" * 30 + "{{{{- if .Values.more }}}}\n"
    blocks = "".join(block.format(name) for name in ("stones", "sails"))
    found = sections(f"spec:\n  mill:\n{blocks}", "yaml")
    assert [heading for _, _, heading in found] == [("spec", "mill", "stones"), ("spec", "mill", "sails")]


def test_templates_of_a_chart_are_sections_with_their_comments() -> None:
    body = "{{- if .Values.name }}\n{{ .Values.name }}\n{{- end }}\n{{- end }}\n\n"
    first = '{{/*\nThe name\n*/}}\n{{- define "mill.name" -}}\n'
    assert sections(f'{first}{body}{{{{- define "mill.labels" }}}}\n{body}', "helm") == [
        (1, 9, ("name",)),
        (10, 15, ("labels",)),
    ]


def test_members_of_a_json_object_that_take_lines_are_sections() -> None:
    assert sections(JSON, "json") == [(1, 10, ("scripts",)), (11, 17, ("engines",))]


def test_a_table_of_data_is_cut_into_windows() -> None:
    rows = ",\n".join(f'  "row{number}": {{\n    "a": 1\n  }}' for number in range(30))
    assert {heading for _, _, heading in sections(f"{{\n{rows}\n}}\n", "json")} == {()}
    tables = "".join(f"[row{number}]\na = 1\nb = 2\n\n" for number in range(100))
    assert {heading for _, _, heading in sections(tables, "toml")} == {()}
    assert {heading for _, _, heading in sections("a = 1\nb = 2\n", "toml")} == {()}
    assert {heading for _, _, heading in sections("- a: 1\n- b: 2\n", "yaml")} == {()}


def test_a_long_section_is_split_and_keeps_its_name() -> None:
    rows = "".join(f"key_{number} = {number}\n" for number in range(150))
    found = sections(f"[first]\n{rows}[second]\n{rows}", "toml")
    assert [heading for _, _, heading in found] == [("first",)] * 3 + [("second",)] * 3
    assert max(end - start for start, end, _ in found) < 60


LINES = st.sampled_from(
    [
        "[a]",
        "[[b]]",
        "# c",
        "key: 1",
        "key:",
        "  inner:",
        "    deep: 1",
        '  "m": {',
        "  },",
        "{",
        "}",
        "",
        "x = 1",
        "- y",
    ]
)


@pytest.mark.parametrize("language", ["toml", "ini", "yaml", "json", "helm"])
@given(lines=st.lists(LINES, max_size=120))
def test_each_line_is_in_one_chunk(language: str, lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    covered = [number for start, end, _ in sections(text, language) for number in range(start, end + 1)]
    assert covered == list(range(1, len(lines) + 1))


def test_pages_between_code_are_cut_at_their_headings() -> None:
    above = "=head1 One\n\nWords.\n\n=head2 two\n\nMore words,\nof two\nlines.\n\n=cut\n\n"
    below = "=head1 Three\n\nWords\nof three\nlines.\n\n=head1 Four\n\nAnd the rest.\n"
    parsed = outline(f"package App;\n\nuse strict;\n\n{above}sub two {{\n  1;\n}}\n\n__END__\n\n{below}", "perl")
    assert [(each.start_line, each.end_line, each.symbol or each.heading) for each in parsed.chunks] == [
        (1, 1, "App"),
        (2, 4, ()),
        (5, 8, ("One",)),
        (9, 19, "two"),
        (20, 22, ()),
        (23, 28, ("Three",)),
        (29, 31, ("Four",)),
    ]
