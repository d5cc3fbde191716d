from __future__ import annotations

from dataclasses import replace

import pytest

from ctxpack.model import PATCH, Fragment
from ctxpack.select.compressible import with_compressible_lines
from ctxpack.select.pieces import STEPS, compress
from ctxpack.text import lines_of
from tests.building import piece_of

PYTHON = '''\
# Copyright 2020 The Authors
# Licensed under the MIT licence

import os

# why it is so
# and not otherwise
TEXT = """
# not a comment

more
"""
count = 1  # stays, it stands behind code


def send(path):
    """Sends.

    # is documentation
    """
    # a thought
    return path  # type: ignore


# What stop does.
def stop():
    return "# not this one"
'''
GO = """\
/* Copyright The Authors */
package main

// Send sends.
func Send() {
    // inner
    text := `// raw

`
    /* before */ use(text)

    /* alone,
       two lines */
}
"""
MARKDOWN = """\
# Guide

<!-- hidden
for readers -->


Text.

```sh
# run it


<!-- shown -->
```
<!--TAG:setup-->
"""


def piece(text: str, language: str, span: tuple[int, int] | None = None) -> Fragment:
    first, last = span or (1, text.count("\n"))
    own = "\n".join(lines_of(text)[first - 1 : last]) + "\n"
    whole = piece_of(own, "a", first, language=language)
    return with_compressible_lines([whole], lambda _: lines_of(text))[0]


def short(text: str, language: str, steps: int = len(STEPS), span: tuple[int, int] | None = None) -> str:
    return compress(piece(text, language, span), steps).text


def test_python_loses_its_licence_blank_lines_and_comments() -> None:
    assert (
        short(PYTHON, "python")
        == '''\
import os
⋯ 6-7
TEXT = """
# not a comment

more
"""
count = 1  # stays, it stands behind code
def send(path):
    """Sends.

    # is documentation
    """
    ⋯
    return path  # type: ignore
# What stop does.
def stop():
    return "# not this one"
'''
    )


def test_csharp_loses_a_licence_in_a_fold() -> None:
    licence = "#region License\n\n/*\n    Copyright (c) 2026\n*/\n\n#endregion License\n\n"
    assert short(f"{licence}class Retry\n{{\n}}\n", "csharp") == "class Retry\n{\n}\n"


def test_go_loses_comments_that_stand_alone_but_no_documentation() -> None:
    assert (
        short(GO, "go")
        == """\
package main
// Send sends.
func Send() {
    ⋯
    text := `// raw

`
    /* before */ use(text)
⋯ 12-13
}
"""
    )


def test_markdown_keeps_paragraphs_apart_and_fences_whole() -> None:
    assert short(MARKDOWN, "markdown") == MARKDOWN.replace("<!-- hidden\nfor readers -->\n\n", "⋯ 3-4\n")


def test_steps_are_taken_one_by_one() -> None:
    whole = piece(PYTHON, "python")
    taken = [compress(whole, steps) for steps in range(len(STEPS) + 1)]
    assert taken[0] == whole
    assert [each.dropped for each in taken[1:4]] == [
        ("licence header",),
        ("licence header", "blank lines"),
        ("licence header", "blank lines", "comments"),
    ]
    assert taken[1].text.startswith("\nimport os")
    assert "# a thought" in taken[2].text
    lengths = [len(each.text) for each in taken]
    assert lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize(("text", "language"), [(PYTHON, "python"), (GO, "go"), (MARKDOWN, "markdown")])
def test_what_remains_is_unchanged_and_knows_its_lines(text: str, language: str) -> None:
    made = compress(piece(text, language), len(STEPS))
    for number, line in zip(made.numbers, lines_of(made.text), strict=True):
        assert line == lines_of(text)[number - 1] if number else line.strip().startswith("⋯")


def test_a_piece_that_begins_inside_a_text_is_understood() -> None:
    assert short(PYTHON, "python", span=(9, 13)) == "\n".join(lines_of(PYTHON)[8:13]) + "\n"


def test_lines_that_stand_above_word_for_word_are_marked() -> None:
    block = "".join(f"register('name_{number}', handler_{number})\n" for number in range(5))
    assert short(f"{block}run()\n{block}stop()\n", "python") == f"{block}run()\n⋯ 7-11\nstop()\n"


def test_long_literals_keep_their_beginning_and_end() -> None:
    table = "TABLE = [\n" + "".join(f"    {number},\n" for number in range(40)) + "]\n"
    assert short(
        table, "python"
    ) == "TABLE = [\n    0,\n    1,\n    2,\n    3,\n    4,\n    ⋯ 7-40\n    39,\n]\n".replace(
        "    ⋯ 7-40\n    39,\n]", "⋯ 7-41\n]"
    )
    text = 'TEXT = """\n' + "".join(f"line {number}\n" for number in range(20)) + '"""\n'
    assert short(text, "python") == 'TEXT = """\nline 0\nline 1\n⋯ 4-21\n"""\n'
    documentation = 'def f():\n    """Says.\n' + "".join(f"    line {number}\n" for number in range(20)) + '    """\n'
    assert short(documentation, "python") == documentation


@pytest.mark.parametrize("language", ["", "text", "cobol"])
def test_a_language_that_is_not_known_is_left_as_it_is(language: str) -> None:
    assert short("# one\n\n\n# two\n", language) == "# one\n\n\n# two\n"


def test_code_that_cannot_be_parsed_keeps_what_only_looks_like_a_comment() -> None:
    assert short("int f( {\n /* a\n b */\n", "c") == "int f( {\n /* a\n b */\n"


def test_redacted_lines_and_texts_of_other_layers_stay() -> None:
    text = "# key = abc\nx = 1\n"
    whole = piece_of(text.replace("abc", "[REDACTED]"))
    assert with_compressible_lines([whole], lambda _: lines_of(text))[0].compressible == ()
    patch = replace(whole, text=text, layer=PATCH)
    assert with_compressible_lines([patch], lambda _: lines_of(text)) == (patch,)


def test_a_piece_of_nothing_but_comments_stays() -> None:
    assert short("# one\n# two\n", "python") == "# one\n# two\n"


def test_warnings_stay() -> None:
    text = "x = 1\n# one\ny = 2\n# FIXME: x may be less\nz = x\n"
    assert short(text, "python") == text.replace("# one", "⋯")
