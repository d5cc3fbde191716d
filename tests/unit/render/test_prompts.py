"""What the prompt formats share: citations, the question, instructions, the source map."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from ctxpack.fences import close_fence
from ctxpack.model import (
    Form,
    Fragment,
    Intent,
    Kind,
    Pack,
    Provenance,
    Query,
    RepositoryState,
    Request,
    Scope,
    Selection,
    Shape,
)
from ctxpack.query.understand import understand
from ctxpack.render import renderer
from ctxpack.render.citing import citation, question
from ctxpack.render.instructions import instructions, is_russian
from ctxpack.render.sources import source_map
from ctxpack.report import report

PIECE = Fragment(
    "x = 1\n", Form.FULL, "search", Provenance("a/b.py", 12, 15, Kind.CODE, "b10b", "c0", symbol="Uploader.retry")
)
SECTION = replace(
    PIECE, provenance=replace(PIECE.provenance, path="d.md", kind=Kind.WIKI, symbol="Retries > How often")
)
EXCERPT = replace(PIECE, form=Form.EXCERPT, cut_from=(1, 90))


def pack_of(*pieces: Fragment, request: Request | None = None) -> Pack:
    query = Query("q", "q", Shape.QUESTION, Intent.CHANGE, {}, {}, {}, {})
    state = RepositoryState(Path("r"), "r", "0123456789abcdef", "main", is_git=True)
    return Pack(request or Request(Scope.TASK, "Do it"), query, state, Selection(pieces), 800, "fake", "search")


@pytest.mark.parametrize(
    ("piece", "cited"),
    [
        (PIECE, "[Source 2] `a/b.py`, `Uploader.retry`, lines 12-15"),
        (SECTION, "[Source 2] `d.md`, section `Retries > How often`, lines 12-15"),
        (EXCERPT, "[Source 2] `a/b.py`, `Uploader.retry`, lines 12-15, excerpt of 1-90"),
        (replace(PIECE, provenance=Provenance("a.py", 3, 3, Kind.CODE)), "[Source 2] `a.py`, line 3"),
    ],
)  # fmt: skip
def test_a_citation_names_document_section_and_lines(piece: Fragment, cited: str) -> None:
    assert citation(piece, 2) == cited


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        (Request(Scope.TASK, "  Mend it.\n\nIt fails\n"), "Mend it.\n\nIt fails"),
        (Request(Scope.FILE, path="a.py"), "What should I know to work on `a.py`?"),
        (Request(Scope.FILE, path="a.py", line=7), "What should I know to work on line 7 of `a.py`?"),
        (Request(Scope.FILE, path="a.py", lines=(7, 9)), "What should I know to work on lines 7-9 of `a.py`?"),
        (Request(Scope.FILE, path="a.py", symbol="A.b"), "What should I know to work on `A.b` in `a.py`?"),
        (Request(Scope.COMPONENT, name="queue"), "What should I know to work on `queue`?"),
        (Request(Scope.COMPONENT, name="queue", text="Why?"), "What should I know to work on `queue`?\n\nWhy?"),
        (Request(Scope.DIFF, name="HEAD~1"), "Review the change `HEAD~1`."),
        (Request(Scope.DIFF), "Review the change."),
    ],
)
def test_a_question_is_asked_in_full(request_: Request, asked: str) -> None:
    assert question(request_) == asked


@pytest.mark.parametrize("name", ["markdown-narrative", "messages"])
def test_the_question_comes_last(name: str) -> None:
    text = report(pack_of(PIECE, request=Request(Scope.TASK, "Why?\n\nAnd when?")), renderer(name))
    if name == "messages":
        assert json.loads(text)[-1] == {"role": "user", "content": "Why?\n\nAnd when?"}
    else:
        assert text.endswith("\n\nWhy?\n\nAnd when?\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fix the crash in the uploader", "Find the cause"),
        ("how does the queue work", "from the outside in"),
        ("add a timeout to the uploader", "Plan the change"),
        ("review the uploader", "Errors come first"),
        ("EventQueue", "Give the answer first"),
        ("исправь ошибку в send_with_retry", "Найди причину"),
        ("как устроена очередь", "от общего к частному"),
    ],
)
def test_instructions_follow_intent_and_language(text: str, said: str) -> None:
    told = instructions(Request(Scope.TASK, text), understand(text))
    assert said in told
    assert "[Source N]" in told


def test_a_change_is_reviewed_and_a_file_explained() -> None:
    query = understand("a.py")
    assert "Errors come first" in instructions(Request(Scope.DIFF, name="HEAD"), query)
    assert "from the outside in" in instructions(Request(Scope.FILE, path="a.py"), query)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("почему падает EventQueue.append() при retry_count > 3", True),
        ("retry the upload: ошибка", False),
        ("x = 1", False),
        ("", False),
        ("Исправить retry", True),
    ],
)
def test_a_request_is_russian_when_most_of_its_plain_words_are(text: str, expected: bool) -> None:  # noqa: FBT001 - a parameter
    assert is_russian(text) is expected


def test_a_following_page_counts_on() -> None:
    pack = replace(pack_of(PIECE, SECTION), first_source=8)
    assert list(json.loads(source_map(pack))["sources"]) == ["8", "9"]
    assert [each["source"] for each in json.loads(report(pack, renderer("json")))["fragments"]] == [8, 9]
    assert "[Source 9] `d.md`" in report(pack, renderer("markdown-compact"))


def test_the_source_map_tells_what_each_number_is() -> None:
    whole = json.loads(source_map(pack_of(PIECE, SECTION)))
    assert whole["schema"] == 1
    assert whole["commit"] == "0123456789abcdef"
    assert whole["sources"]["1"] == {
        "path": "a/b.py", "start_line": 12, "end_line": 15, "symbol": "Uploader.retry", "kind": "code", "form": "full",
        "blob": "b10b", "commit": "c0", "dirty": False,
    }  # fmt: skip
    assert whole["sources"]["2"]["section"] == "Retries > How often"


@pytest.mark.parametrize(
    "text",
    ["```\nopen", "~~~~ x\nopen\n```\n~~~", "a\n\n   ````\n```\n", "fine", "```\nx\n```\n", "```a`b\nno fence\n"],
)
def test_an_open_fence_is_close_fence(text: str) -> None:
    tokens = MarkdownIt().parse(f"{close_fence(text)}\n\n# After\n")
    assert tokens[-1].type == "heading_close"
