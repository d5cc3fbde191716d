from __future__ import annotations

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from ctxpack.model import Form, Fragment
from ctxpack.render import renderer
from ctxpack.select import PieceCounter
from ctxpack.select.excerpt import cut_to_fit, smallest, split_blocks, split_sentences
from tests.building import piece_of
from tests.counting import FakeCounter

COUNTER = PieceCounter(renderer("markdown"), FakeCounter())
PYTHON = '''\
class Uploader:
    """Sends files."""

    def __init__(self, queue):
        self.queue = queue
        self.tries = 0

    # Give up after some tries.
    @traced
    def retry(self, times):
        for _ in range(times):
            if self.send():
                return True
        else:
            self.tries += times
        return False

    def close(self):
        self.queue.clear()
        self.tries = 0
'''
MARKDOWN = """\
# Guide

First words. They go on.

```sh
upload one

upload two
```

## Retries

The backoff doubles.
It never exceeds a minute. After that
it stops.

- one
- two
"""


def fragment(text: str, language: str = "python", start: int = 1, keywords: tuple[str, ...] = ()) -> Fragment:
    return piece_of(text, "a", start, language=language, keywords=keywords)


def texts(text: str, language: str) -> list[str]:
    rows = text.splitlines()
    return ["\n".join(rows[start:end]).strip("\n") for start, end in split_blocks(rows, language)]


def test_code_falls_into_statements_with_what_belongs_to_them() -> None:
    assert [part.strip().split("\n")[0] for part in texts(PYTHON, "python")] == [
        "class Uploader:",
        '"""Sends files."""',
        "def __init__(self, queue):",
        "# Give up after some tries.",
        "def close(self):",
    ]
    function = "\n".join(PYTHON.split("\n")[9:16])
    assert [part.strip().split("\n")[0] for part in texts(function, "python")] == [
        "def retry(self, times):",
        "for _ in range(times):",
        "return False",
    ]


def test_closing_braces_stay_with_their_block() -> None:
    code = "function a() {\n  if (x) {\n    y();\n  } else {\n    z();\n  }\n  return 1;\n}\n"
    assert texts(code, "javascript") == [
        "function a() {",
        "  if (x) {\n    y();\n  } else {\n    z();\n  }",
        "  return 1;\n}",
    ]


def test_prose_falls_into_paragraphs_and_whole_fences() -> None:
    assert [part.split("\n")[0] for part in texts(MARKDOWN, "markdown")] == [
        "# Guide",
        "First words. They go on.",
        "```sh",
        "## Retries",
        "The backoff doubles.",
        "- one",
    ]


def test_paragraphs_fall_into_lines_that_end_sentences() -> None:
    rows = ["One.", "Two goes", "on. But", "ends!", "Three"]
    assert split_sentences(rows) == [(0, 1), (1, 4), (4, 5)]


@pytest.mark.parametrize("text", ["", "\n\n\n", "x\n", "\n\nx\n", "```\nnever closed\n\n\n", PYTHON, MARKDOWN])
@pytest.mark.parametrize("language", ["python", "markdown"])
def test_blocks_cover_every_line_once(text: str, language: str) -> None:
    rows = text.splitlines()
    parts = split_blocks(rows, language)
    assert [number for start, end in parts for number in range(start, end)] == list(range(len(rows)))


def room_for(text: str, whole: Fragment) -> int:
    count = text.count("\n")
    origin = replace(whole.provenance, start_line=10, end_line=9 + count)
    excerpt = replace(whole, text=text, form=Form.EXCERPT, cut_from=(10, 99), provenance=origin)
    return COUNTER.fragment(excerpt)


def test_what_fits_is_left_alone() -> None:
    whole = fragment(PYTHON)
    assert cut_to_fit(whole, COUNTER.fragment(whole), COUNTER) is whole


def test_an_excerpt_is_where_most_lines_hold_the_words() -> None:
    rows = [f"    row_{number} = {number}" for number in range(40)]
    rows[1] = "    ignore_case = hidden"
    rows[26:38] = [f"    option_{number} = hidden(ignore)" for number in range(12)]
    whole = fragment("def build():\n" + "\n".join(rows) + "\n", start=10, keywords=("hidden", "ignore"))
    excerpt = cut_to_fit(whole, room_for("\n".join(rows[26:38]) + "\n", whole), COUNTER)
    assert excerpt is not None
    assert all(row in excerpt.text for row in rows[26:36])


def test_an_excerpt_begins_at_the_beginning_if_nothing_tells_otherwise() -> None:
    whole = fragment(PYTHON, start=10)
    excerpt = cut_to_fit(whole, 100, COUNTER)
    assert excerpt is not None
    assert excerpt.text.startswith("class Uploader:")
    assert excerpt.provenance.start_line == 10
    assert excerpt.form is Form.EXCERPT
    assert excerpt.cut_from == (10, 29)
    assert PYTHON.startswith(excerpt.text)
    assert COUNTER.fragment(excerpt) <= 100


@pytest.mark.parametrize("keywords", [(), ("retry",)])
def test_an_excerpt_is_taken_from_a_long_part_rather_than_from_what_stands_before_it(keywords: tuple[str, ...]) -> None:
    head = "import os\n\n\n"
    steps = "".join(f"    def step_{at}(self):\n        retry({at})\n\n" for at in range(60))
    whole = fragment(f"{head}class Uploader:\n{steps}", start=10, keywords=keywords)
    excerpt = cut_to_fit(whole, 200, COUNTER)
    assert excerpt is not None
    assert "def step_3" in excerpt.text


def test_an_excerpt_is_the_part_that_holds_the_keywords() -> None:
    whole = fragment(PYTHON, start=10, keywords=("retry", "times", "send"))
    text = "".join(PYTHON.splitlines(keepends=True)[7:16])
    excerpt = cut_to_fit(whole, room_for(text, whole) + 2, COUNTER)
    assert excerpt is not None
    assert excerpt.text == text
    assert (excerpt.provenance.start_line, excerpt.provenance.end_line) == (17, 25)


def test_no_heading_stands_without_its_text_and_no_fence_is_open() -> None:
    whole = fragment(MARKDOWN, "markdown")
    for room in range(30, COUNTER.fragment(whole)):
        excerpt = cut_to_fit(whole, room, COUNTER)
        if excerpt is None or excerpt.text.rstrip().endswith("…"):
            continue
        assert COUNTER.fragment(excerpt) <= room
        assert excerpt.text in MARKDOWN
        assert excerpt.text.count("```") % 2 == 0 or "upload" not in excerpt.text.split("```")[0]
        assert not excerpt.text.rstrip().split("\n")[-1].startswith("## ")
        parsed = MarkdownIt().parse(excerpt.text)
        assert all(token.content.count("upload") == 2 for token in parsed if token.type == "fence")


def test_one_long_line_is_cut_after_a_sentence() -> None:
    line = "The first sentence is here. " + "word " * 2_000
    excerpt = cut_to_fit(fragment(line + "\n", "markdown", start=7), 70, COUNTER)
    assert excerpt is not None
    assert excerpt.text.endswith(" …\n")
    assert excerpt.cut_from == (7, 7)
    assert COUNTER.fragment(excerpt) <= 70
    assert smallest(fragment("The end. " + "word " * 99, "text"), COUNTER).text.endswith(" …\n")


def test_a_megabyte_on_one_line_is_cut() -> None:
    excerpt = cut_to_fit(fragment("x" * 1_000_000 + "\n"), 300, COUNTER)
    assert excerpt is not None
    assert 0 < excerpt.text.count("x") <= 800


def test_what_cannot_fit_at_all_is_none() -> None:
    assert cut_to_fit(fragment(PYTHON), 3, COUNTER) is None


def test_an_outline_keeps_its_form_and_as_many_lines_as_fit() -> None:
    outline = replace(fragment("".join(f"def f{number}(): …\n" for number in range(50))), form=Form.OUTLINE)
    outline = replace(outline, provenance=replace(outline.provenance, end_line=900))
    short = cut_to_fit(outline, 100, COUNTER)
    assert short is not None
    assert short.form is Form.OUTLINE
    assert short.provenance == outline.provenance
    assert short.text.startswith("def f0(): …\ndef f1(): …\n")
    assert short.text.endswith("\n…\n")
    assert 90 <= COUNTER.fragment(short) <= 100
