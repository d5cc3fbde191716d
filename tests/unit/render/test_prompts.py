"""What the prompt formats share: citations, the question, instructions, the source map."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from ctxpack.model import (
    Conversation,
    Form,
    Fragment,
    Kind,
    Memory,
    Message,
    Pack,
    Request,
    Scope,
)
from ctxpack.query.understand import query_of_text
from ctxpack.render import renderer
from ctxpack.render.prompts import citation, instructions, is_russian, question, source_map
from ctxpack.render.reports import report
from ctxpack.text import close_fence
from tests.building import pack_with, piece_of

PIECE = piece_of(path="a/b.py", start=12, end_line=15, blob="b10b", commit="c0", symbol="Uploader.retry", language="")
SECTION = replace(
    PIECE, provenance=replace(PIECE.provenance, path="d.md", kind=Kind.WIKI, symbol="Retries > How often")
)
EXCERPT = replace(PIECE, form=Form.EXCERPT, cut_from=(1, 90))


def pack_of(*pieces: Fragment, request: Request | None = None) -> Pack:
    return pack_with(*pieces, request=request or Request(Scope.TASK, "Do it"))


@pytest.mark.parametrize(
    ("piece", "cited"),
    [
        (PIECE, "[Source 2] `a/b.py`, `Uploader.retry`, lines 12-15"),
        (SECTION, "[Source 2] `d.md`, section `Retries > How often`, lines 12-15"),
        (EXCERPT, "[Source 2] `a/b.py`, `Uploader.retry`, lines 12-15, excerpt of 1-90"),
        (piece_of(start=3), "[Source 2] `a.py`, line 3"),
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
        assert json.loads(text)[-1]["content"].endswith("\nQuestion:\n\nWhy?\n\nAnd when?")
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
    told = instructions(Request(Scope.TASK, text), query_of_text(text))
    assert said in told
    assert "[Source N]" in told


@pytest.mark.parametrize("text", ["how does the queue work", "как устроена очередь"])
def test_instructions_say_what_to_do_with_sources_that_are_not_perfect(text: str) -> None:
    told = instructions(Request(Scope.TASK, text), query_of_text(text))
    wanted = ("contradict", "figures", "excerpt") if text.isascii() else ("противоречат", "Числа", "excerpt")
    assert [word for word in wanted if word not in told] == []


@pytest.mark.parametrize("name", ["markdown-narrative", "messages"])
def test_a_prompt_without_sources_says_so(name: str) -> None:
    assert "Nothing in the repository matches" in report(pack_of(), renderer(name))
    assert "Nothing in the repository matches" not in report(pack_of(PIECE), renderer(name))
    russian = pack_of(request=Request(Scope.TASK, "как устроена очередь"))
    assert "не нашлось ничего" in report(russian, renderer(name))


def test_messages_take_turns_and_memory_comes_before_them() -> None:
    talk = Conversation(
        "Be exact.", "", (Message("user", "One"), Message("user", "Two"), Message("assistant", "Three")),
        memories=(Memory("m", "Extract", 0.0, ()),),
    )  # fmt: skip
    whole = json.loads(report(replace(pack_of(PIECE), conversation=talk), renderer("messages")))
    assert [each["role"] for each in whole] == ["system", "user", "assistant", "user"]
    assert whole[1]["content"].index("Extract") < whole[1]["content"].index("One\n\nTwo")
    unanswered = replace(talk, history=(*talk.history, Message("user", "```\nFour")))
    whole = json.loads(report(replace(pack_of(PIECE), conversation=unanswered), renderer("messages")))
    assert [each["role"] for each in whole] == ["system", "user", "assistant", "user"]
    assert whole[-1]["content"].index("Four") < whole[-1]["content"].index("[Source 1]")


def test_a_change_is_reviewed_and_a_file_explained() -> None:
    query = query_of_text("a.py")
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
    assert json.loads(report(pack, renderer("json")))["first_source"] == 8
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
