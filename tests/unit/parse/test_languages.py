"""The table of languages: each fact in one record, and every record found by all of its names."""

from __future__ import annotations

from collections import Counter

import pytest

from ctxpack.parse.languages import (
    Language,
    find_language,
    is_test_name,
    language_of_name,
    language_of_shebang,
    languages,
    without_test_mark,
)
from ctxpack.select.excerpt import inside_code, split_blocks

ALL = tuple(languages())
LINE_COMMENTS = ("//", "#", "--", ";", "%")


def names_of(field: str) -> list[str]:
    return [name for each in ALL for name in getattr(each, field).split()]


@pytest.mark.parametrize("field", ["name", "suffixes", "files", "programs", "aliases"])
def test_a_name_leads_to_one_language(field: str) -> None:
    assert [name for name, count in Counter(names_of(field)).items() if count > 1] == []
    assert all(name == name.lower() for name in names_of(field))


@pytest.mark.parametrize("record", ALL, ids=lambda each: each.name)
def test_a_record_is_found_by_its_names(record: Language) -> None:
    assert find_language(record.name.upper()) is record
    for alias in record.aliases.split():
        assert find_language(alias) is record
    for suffix in record.suffixes.split():
        assert language_of_name(f"A.{suffix.upper()}") == record.name
    for name in record.files.split():
        assert language_of_name(name) == record.name
    for program in record.programs.split():
        assert language_of_shebang(f"#!/usr/bin/env {program}\n".encode()) == record.name


def test_what_is_not_known_has_no_facts() -> None:
    unknown = find_language("Brand-New")
    assert (unknown.name, unknown.is_prose, unknown.patterns, unknown.grammar) == ("brand-new", False, None, None)
    assert find_language("").is_prose
    assert language_of_name("strange.qqq") == ""
    assert language_of_shebang(b"#!/usr/bin/env qqq\n") == ""


@pytest.mark.parametrize(
    "record", [each for each in ALL if each.resolve or each.grammar or each.patterns], ids=lambda each: each.name
)
def test_what_is_resolved_is_also_found(record: Language) -> None:
    assert record.imports or not record.resolve
    assert record.patterns or record.sections


@pytest.mark.parametrize("name", [each.name for each in ALL if each.is_prose])
def test_prose_is_cut_at_paragraphs(name: str) -> None:
    text = ["One (of the", "first paragraph", "", "  Two, indented", "  goes on", "", "Three"]
    assert split_blocks(text, name) == [(0, 3), (3, 6), (6, 7)]


@pytest.mark.parametrize(
    ("name", "mark"),
    [(each.name, mark) for each in ALL if not each.is_prose for mark in each.comments if mark in LINE_COMMENTS],
)
def test_a_bracket_in_a_comment_closes_nothing(name: str, mark: str) -> None:
    assert inside_code(["call(", f"  {mark} a ) here", "  1)", "next"], name) == [False, True, True, False]


@pytest.mark.parametrize(
    ("name", "mark"), [(each.name, mark) for each in ALL for mark in each.strings if each.name != "starlark"]
)
def test_a_bracket_in_a_long_text_closes_nothing(name: str, mark: str) -> None:
    assert inside_code([f"text = {mark}", "a ) here", mark, "next"], name) == [False, True, True, False]


@pytest.mark.parametrize(
    "name",
    ["test_store.py", "conftest.py", "store_test.go", "store_spec.rb", "store.test.tsx", "Store.spec.vue",
     "StoreTest.java", "StoreIT.kt", "store_SUITE.erl", "store.feature", "store.bats", "t0001-init.sh",
     "test_store.nim", "store_spec.cr", "runtests.jl", "unittest.cpp", "routes.t"],
)  # fmt: skip
def test_tests_are_known_by_their_names(name: str) -> None:
    assert is_test_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "contest.py",
        "latest.js",
        "attest.go",
        "Test.java",
        "test_store.go",
        "store_spec.py",
        "test.h",
        "test",
        "a",
        "t.pm",
    ],
)
def test_other_names_are_no_tests(name: str) -> None:
    assert not is_test_name(name)


@pytest.mark.parametrize(
    ("stem", "bare"),
    [
        ("test_queue", "queue"),
        ("QueueTest", "Queue"),
        ("queue.spec", "queue"),
        ("TestQueue", "Queue"),
        ("queue", "queue"),
        ("test", "test"),
    ],
)
def test_what_marks_a_test_can_be_taken_off(stem: str, bare: str) -> None:
    assert without_test_mark(stem) == bare
