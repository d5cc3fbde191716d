"""What a request names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.query.mentions import find_mentions


def named(text: str, kind: str) -> list[str]:
    return sorted(mention.text for mention in find_mentions(text) if mention.kind == kind)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("fix retry in src\\foo\\bar.py", ["src/foo/bar.py"]),
        ("see README.md and the Makefile", ["Makefile", "README.md"]),
        ("django/contrib/auth is slow", ["django/contrib/auth"]),
        ("the `foo/bar` folder", ["foo/bar"]),
        ("look into docs/ please", []),
        ("look into my_docs/", []),
        ("ошибка в src/Классы/Команда.os", ["src/Классы/Команда.os"]),
        ("C:\\src\\a\\b.h broke", ["/src/a/b.h"]),
        ("--- a/src/x.py\n+++ b/src/x.py\n", ["src/x.py"]),
        ("https://github.com/a/b/blob/main/src/q/x.py#L12-L14 is it", ["src/q/x.py"]),
        ("http://example.com/a/b.py is a page", []),
        ("read/write and and/or and input/output", []),
        ("HTTP/1.1 on 24/12/2023, 1/2, error/0", []),
        ("we use Node.js and Vue.js", []),
        ("response.json() is called, self.c too", []),
    ],
)
def test_paths(text: str, paths: list[str]) -> None:
    assert named(text, "path") == paths


@pytest.mark.parametrize(
    "text", ["a/foo.py:120", "a/foo.py#L120", "a/foo.py line 120", "a/foo.py, line 120", "a/foo.py(120)"]
)
def test_line_of_a_path(text: str) -> None:
    assert [(m.text, m.line) for m in find_mentions(f"crash in {text} today") if m.kind == "path"] == [
        ("a/foo.py", 120)
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Q from django.db.models.Q() fails.", ["django.db.models.Q"]),
        ("Foo::bar and Foo#baz and Foo->qux", ["Foo#baz", "Foo->qux", "Foo::bar"]),
        ("net/http.Client times out", ["net/http.Client"]),
        ("self.field.widget is None", ["field.widget"]),
        ("self.field is None", []),
        ("e.g. this, i.e. that, т.е. то", []),
        ("mail me@example.com or see example.com", []),
        ("version v1.2.3 of it", []),
        ("ОбщиеМетоды.ДополнитьМассив", ["ОбщиеМетоды.ДополнитьМассив"]),
    ],
)
def test_dotted_names(text: str, names: list[str]) -> None:
    assert named(text, "dotted") == names


@pytest.mark.parametrize(
    ("text", "commits"),
    [
        ("broken since commit 1a2b3c4d", ["1a2b3c4d"]),
        ("revert 1a2b3c4 please", ["1a2b3c4"]),
        ("после коммита 1a2b3c4d", ["1a2b3c4d"]),
        ("object 1a2b3c4d is odd", []),
        ("commit 12345678 or commit deadbeef", []),
        ("at 0123456789abcdef0123456789abcdef01234567", ["0123456789abcdef0123456789abcdef01234567"]),
        ("https://github.com/a/b/commit/deadbee1", ["deadbee1"]),
    ],
)
def test_commits(text: str, commits: list[str]) -> None:
    assert named(text, "commit") == commits


def test_title_outweighs_prose_outweighs_code() -> None:
    text = "Fix a_title.py\n\nSee a_prose.py too, it is wrong.\n\n```\nopen('a_code.py')\n```\n"
    assert {m.text: m.weight for m in find_mentions(text)} == {
        "a_title.py": 1.0,
        "a_prose.py": 0.25,
        "a_code.py": 0.075,
    }


def test_mention_in_code_alone_stays_light() -> None:
    assert [m.weight for m in find_mentions("Something\n\n```\nopen('a_code.py')\n```\n")] == [0.3]


def test_frames_are_frames_and_not_paths() -> None:
    text = 'Crash\nTraceback (most recent call last):\n  File "src/a.py", line 7, in run\n    go()\nKeyError: 1\n'
    assert [(m.text, m.kind, m.line, m.function) for m in find_mentions(text)] == [("src/a.py", "frame", 7, "run")]


@given(st.text(alphabet="ab./\\:#`() \n1f-_", max_size=80))
def test_mentions_are_sorted_light_and_unique(text: str) -> None:
    mentions = find_mentions(text)
    assert all(0 < mention.weight <= 1 and mention.text for mention in mentions)
    assert list(mentions) == sorted(mentions, key=lambda m: (-m.weight, m.kind, m.text, m.line, m.function))
    assert len({(m.kind, m.text, m.line, m.function) for m in mentions}) == len(mentions)
