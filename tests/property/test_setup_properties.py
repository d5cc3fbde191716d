"""What is put into a file of somebody else is found there, and taking it out leaves every byte as it was."""

from __future__ import annotations

import json

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ctxpack.agents.jsonc import insert, parse, remove
from ctxpack.agents.setup import MarkedPart
from tests.trying import examples

PATH = ("mcpServers", "ctxpack")
ENTRY = {"command": "ctxpack", "args": ["mcp"], "env": {}}
PART = MarkedPart("<!-- s -->", "<!-- e -->", "one\ntwo")

_BLANKS = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t", " // why\n", '\n  /* a, b: {" */ ', "\n\n"])
_KEYS = st.sampled_from(["a", "b", "mcpServers", 'with \\" quote', "{", "//"])
_SCALARS = st.sampled_from(["1", "-2.5e3", "true", "null", '"x"', '"// no comment"', '"}"', '"\\u0000"'])


@st.composite
def _objects(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    """An object as somebody may have written it: any blanks, comments, a comma too many."""
    keys: list[str] = draw(st.lists(_KEYS, max_size=3, unique=True))
    members = [f'{draw(_BLANKS)}"{key}"{draw(_BLANKS)}:{draw(_BLANKS)}{draw(inner)}{draw(_BLANKS)}' for key in keys]
    comma = draw(st.sampled_from(["", ","]))
    return "{" + ",".join(members) + (comma if members else "") + draw(_BLANKS) + "}"


@st.composite
def _arrays(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    items = draw(st.lists(inner, max_size=2))
    return "[" + ",".join(f"{draw(_BLANKS)}{item}{draw(_BLANKS)}" for item in items) + draw(_BLANKS) + "]"


_VALUES = st.recursive(_SCALARS, lambda inner: _objects(inner) | _arrays(inner), max_leaves=6)


@settings(max_examples=examples(40, 100))
@given(text=_objects(_VALUES), before=_BLANKS, after=_BLANKS)
@example(text="{}", before="", after="\n")
@example(text="{\n}", before="", after="")
@example(text='{"mcpServers":{}}', before="", after="")
@example(text='{\n  "mcpServers": {\n  }\n}', before="", after="\n")
@example(text='{\n  // mine\n  "a": 1,\n}', before="", after="\n")
@example(text='{ "mcpServers": { "other": 1 } }', before="", after="")
def test_a_member_goes_in_and_comes_out(text: str, before: str, after: str) -> None:
    whole = before + text + after
    found = parse(whole)
    assume(isinstance(found.get("mcpServers", {}), dict))
    added = insert(whole, PATH, ENTRY)
    expected = {**found, "mcpServers": {**found.get("mcpServers", {}), "ctxpack": ENTRY}}
    assert parse(added) == expected
    assert insert(added, PATH, ENTRY) == added
    assert remove(added, PATH, ENTRY) == whole


@settings(max_examples=examples(40, 100))
@given(st.dictionaries(st.text(max_size=3), st.recursive(st.none() | st.text(max_size=3), st.lists), max_size=3))
def test_plain_json_is_read_as_json(value: dict[str, object]) -> None:
    assert parse(json.dumps(value)) == value
    assert parse(json.dumps(value, indent=2, ensure_ascii=False)) == value


@settings(max_examples=examples(40, 100))
@given(st.lists(st.sampled_from(["a", "b", " ", "\n", "\r\n", "#", "<"]), max_size=12).map("".join))
@example("")
@example("a")
@example("a\n")
@example("a\n\n\n")
@example("a\r\n")
def test_a_marked_part_goes_in_and_comes_out(text: str) -> None:
    added = PART.insert_into(text, "AGENTS.md")
    assert added.count("one") == 1
    assert PART.insert_into(added, "AGENTS.md") == added
    assert PART.remove_from(added, "AGENTS.md") == text


def test_a_file_that_was_made_for_a_part_goes_with_it() -> None:
    assert PART.remove_from(PART.insert_into(None, "AGENTS.md"), "AGENTS.md") is None
