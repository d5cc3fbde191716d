"""Chats around packs, and what sessions remember of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack

TASK = "the idempotency key of a batch"


@pytest.fixture
def chat(tmp_path: Path) -> str:
    turns = [
        {"role": ("user", "assistant")[at % 2], "content": f"Turn {at}: the key of batch {at} must stay. " * 20}
        for at in range(12)
    ]
    (tmp_path / "chat.json").write_text(json.dumps({"messages": turns}))
    return str(tmp_path / "chat.json")


def test_a_session_is_listed_shown_and_deleted(ctxpack: Ctxpack, demo: Path, chat: str) -> None:
    assert ctxpack("memory", "list").err == "There are no sessions.\n"
    made = ctxpack(
        "task", TASK, "--root", str(demo), "--format", "messages", "--history", chat, "--session", "Courier", "-b", "2k"
    )
    assert made.status == 0, made.err
    assert "older messages do not fit; session Courier keeps an extract" in made.err
    last = json.loads(made.out)[-1]
    assert last["role"] == "user"
    assert last["content"].endswith(f"\n\nQuestion:\n\n{TASK}")
    listed = ctxpack("memory", "list")
    assert listed.out.splitlines()[0].split() == ["session", "memories", "messages", "last"]
    assert listed.out.splitlines()[1].startswith("courier")
    (memory,) = json.loads(ctxpack("memory", "show", "courier", "--format", "json").out)["memories"]
    assert len(memory["text"]) <= 1_024
    assert memory["id"] in ctxpack("memory", "list", "courier").out
    shown = ctxpack("memory", "show", "COURIER", memory["id"])
    assert "Extract of " in shown.out
    assert "must stay" in shown.out
    gone = ctxpack("memory", "delete", "courier")
    assert gone.err == "Deleted 1 memory of session courier.\n"
    assert ctxpack("memory", "show", "courier").status == 1
    assert json.loads(ctxpack("memory", "list", "--format", "json").out) == {"schema": 1, "sessions": []}


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("forget",), 2, "'forget' is not an action of memory: list, show or delete."),
        (("show",), 2, "Name the session to show."),
        (("delete",), 2, "Name the session to delete."),
        (("delete", "nobody"), 1, "Session nobody has no memories."),
        (("show", "../x"), 2, "'../x' is not a valid session name."),
        (("list", "--format", "xml"), 2, "--format must be plain or json for this command, not 'xml'."),
        (("list", "a", "b"), 2, "The action list takes no memory id."),
    ],
)
def test_mistakes_are_named(ctxpack: Ctxpack, arguments: tuple[str, ...], status: int, said: str) -> None:
    outcome = ctxpack("memory", *arguments)
    assert outcome.status == status
    assert outcome.out == ""
    assert outcome.err.startswith(f"Error: {said}\nHint: ")


def test_what_a_format_has_no_place_for_is_an_error(ctxpack: Ctxpack, demo: Path, chat: str) -> None:
    outcome = ctxpack("task", TASK, "--root", str(demo), "--history", chat)
    assert outcome.status == 2
    assert outcome.err == (
        "Error: --history cannot be used with --format markdown.\nHint: Add --format messages or markdown-narrative.\n"
    )


def test_a_dry_run_remembers_nothing(ctxpack: Ctxpack, demo: Path, chat: str) -> None:
    flags = ("--root", str(demo), "--format", "messages", "--history", chat, "--session", "s", "--dry-run")
    outcome = ctxpack("task", TASK, *flags)
    assert outcome.status == 0, outcome.err
    assert ctxpack("memory", "list").err == "There are no sessions.\n"


def test_sources_are_written_beside_the_report(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    place = tmp_path / "sources.json"
    outcome = ctxpack("task", TASK, "--root", str(demo), "--format", "markdown-compact", "--sources", str(place))
    assert outcome.status == 0, outcome.err
    sources = json.loads(place.read_text(encoding="utf-8"))["sources"]
    assert list(sources) == [str(number) for number in range(1, len(sources) + 1)]
    for number, source in sources.items():
        assert f"[Source {number}] `{source['path']}`" in outcome.out
    assert ctxpack("task", TASK, "--root", str(demo), "--sources", str(tmp_path)).status == 2


def test_instructions_are_told_replaced_or_left_out(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    def system(*flags: str) -> list[str]:
        out = ctxpack("task", "исправь повторную отправку", "--root", str(demo), "--format", "messages", *flags).out
        return [each["content"] for each in json.loads(out) if each["role"] == "system"]

    (tmp_path / "tell.md").write_text("Answer in verse.")
    assert "Найди причину" in system()[0]
    assert system("--instructions", str(tmp_path / "tell.md")) == ["Answer in verse."]
    assert system("--no-instructions") == []
