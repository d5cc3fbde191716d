"""What stands around the pieces of a prompt, through the pipeline, on the demo project."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.errors import InternalError, UsageError
from ctxpack.model import Request, Scope
from ctxpack.pipeline import PackRun, run_pack
from ctxpack.report.conversation import token_counts
from ctxpack.report.memory import SessionStore
from ctxpack.settings import Settings
from ctxpack.system.tokens import counter

TASK = Request(Scope.TASK, "fix the retry bug: the idempotency key of a batch")
NOON = 1_795_262_400.0
TURNS = [
    ("user", "We must keep the idempotency key the same for all attempts of a batch. The password: hunter2secret99"),
    ("assistant", "Agreed: the key moves into Batch."),
    *[
        (role, f"{role} turn {at}: something about dashboards. " * 12)
        for at in range(12)
        for role in ("user", "assistant")
    ],
    ("user", "Delays are capped, are they?"),
    ("assistant", "delay_before() caps them at LONGEST_DELAY."),
]


def never() -> float:
    raise AssertionError("the clock was asked")


@pytest.fixture
def settings(demo: Path, tmp_path: Path) -> Settings:
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([{"role": role, "content": text} for role, text in TURNS]), encoding="utf-8")
    return Settings(
        root=demo, cache_dir=tmp_path / "cache", data_dir=tmp_path / "data", format="messages", budget=3_000,
        history=str(chat),
    )  # fmt: skip


def messages(report: PackRun) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(report.text)
    return found


@pytest.mark.parametrize("format_", ["messages", "markdown-narrative"])
@pytest.mark.parametrize("budget", [600, 1_000, 3_000, 9_000])
def test_the_whole_prompt_keeps_the_budget(settings: Settings, format_: str, budget: int, tmp_path: Path) -> None:
    (tmp_path / "system.md").write_text("You are terse.\n", encoding="utf-8")
    its = replace(settings, format=format_, budget=budget, system=str(tmp_path / "system.md"), session="s")
    for _ in range(2):
        report = run_pack(TASK, its, clock=lambda: NOON)
        assert counter().count(report.text) == report.pack.tokens_used <= budget
        assert report.pack.selection.fragments
        assert "You are terse." in report.text


def test_the_newest_messages_stand_before_the_sources(settings: Settings) -> None:
    report = run_pack(TASK, settings, clock=never)
    whole = messages(report)
    roles = [each["role"] for each in whole]
    assert roles[0] == "system"
    assert whole[-2]["content"] == TURNS[-1][1]
    assert whole[-1]["content"].startswith("Sources from the repository demo")
    assert whole[-1]["content"].endswith(f"Question:\n\n{TASK.text}")
    assert f"{report.pack.conversation.trimmed} older messages do not fit." in report.pack.notes
    assert "hunter2" not in report.text


def test_a_session_remembers_what_had_no_room_and_later_runs_recall_it(settings: Settings) -> None:
    its = replace(settings, session="courier")
    report = run_pack(TASK, its, clock=lambda: NOON)
    (memory,) = SessionStore(settings.root.parent / "data").load("courier").memories
    assert "must keep the idempotency key" in memory.text
    assert "hunter2" not in memory.text
    assert "made 2026-11-21 12:00 UTC" in memory.text
    assert memory.text in messages(report)[1]["content"]
    later = replace(its, history="", budget=1_500)
    recalled = messages(run_pack(TASK, later, clock=lambda: NOON + 86_400))
    assert [each["role"] for each in recalled] == ["system", "user"]
    assert "Extract of " in recalled[1]["content"]
    assert "must keep the idempotency key" in recalled[1]["content"]
    other = run_pack(Request(Scope.TASK, "queue on disk"), later, clock=lambda: NOON)
    assert "Extract of " not in messages(other)[1]["content"]


def test_nothing_is_remembered_twice(settings: Settings) -> None:
    its = replace(settings, session="courier")
    texts = [run_pack(TASK, its, clock=lambda: NOON).text for _ in range(2)]
    assert texts[0] == texts[1]
    assert len(SessionStore(settings.root.parent / "data").load("courier").memories) == 1


def test_without_a_session_nothing_is_kept_and_the_clock_not_asked(settings: Settings) -> None:
    run_pack(TASK, settings, clock=never)
    run_pack(TASK, replace(settings, session="s", remember=False), clock=lambda: NOON)
    assert not (settings.root.parent / "data").exists()


def test_even_without_redaction_no_secret_is_remembered(settings: Settings) -> None:
    its = replace(settings, session="s", use_redaction=False)
    run_pack(TASK, its, clock=lambda: NOON)
    kept = "".join(path.read_text() for path in (settings.root.parent / "data").rglob("*.json"))
    assert "idempotency" in kept
    assert "hunter2" not in kept


def test_a_question_that_the_history_ends_with_is_asked_once(settings: Settings) -> None:
    chat = Path(settings.history)
    chat.write_text(json.dumps([{"role": "user", "content": "Hi"}, {"role": "user", "content": TASK.text}]))
    assert run_pack(TASK, settings).text.count(TASK.text) == 1


def test_instructions_are_those_of_a_file_or_none(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "tell.md").write_text("Answer as a pirate.\n", encoding="utf-8")
    whole = messages(run_pack(TASK, replace(settings, instructions=str(tmp_path / "tell.md"))))
    assert whole[0]["content"] == "Answer as a pirate."
    assert messages(run_pack(TASK, replace(settings, use_instructions=False, history="")))[0]["role"] == "user"


def test_what_the_users_own_file_sets_is_left_out_where_it_has_no_place(settings: Settings, tmp_path: Path) -> None:
    its = replace(
        settings, history="", format="plain", system=str(tmp_path / "x"), origins={"system": "config.toml: system"}
    )
    assert run_pack(TASK, its).text


@pytest.mark.parametrize("field", ["system", "history", "session", "instructions"])
def test_a_format_without_a_place_for_it_is_no_use(settings: Settings, field: str) -> None:
    its = replace(settings, **{"history": "", "format": "markdown", field: "x"})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=f"--{field} cannot be used with --format markdown") as caught:
        run_pack(TASK, its)
    assert "--format messages" in caught.value.hint


@pytest.mark.parametrize("field", ["system", "history", "instructions"])
def test_a_file_that_is_not_there_is_named(settings: Settings, field: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read") as caught:
        run_pack(TASK, replace(settings, **{field: str(tmp_path / "none")}))  # type: ignore[arg-type]
    assert f"--{field}" in caught.value.hint


def test_a_session_that_cannot_be_kept_is_no_surprise_at_the_end(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InternalError, match="cannot be"):
        run_pack(TASK, replace(settings, session="s", data_dir=tmp_path / "file"))
    with pytest.raises(UsageError, match="needs a data folder"):
        run_pack(TASK, replace(settings, session="s", data_dir=None))


def test_of_a_window_a_prompt_takes_what_other_formats_keep_free(settings: Settings) -> None:
    its = replace(settings, window=16_000, budget=9_000, reserve={"answer": 4_000})
    report = run_pack(TASK, its)
    assert report.pack.budget == 9_000 + 800 + 800 + 1_600 + 320
    assert replace(report.pack, budget=0).conversation.history
    plain = run_pack(TASK, replace(its, format="markdown", history=""))
    assert plain.pack.budget == 9_000


def test_the_division_of_a_window_counts_what_stands_in_the_prompt(settings: Settings) -> None:
    its = replace(settings, window=16_000, budget=9_000, session="s")
    report = run_pack(TASK, its, clock=lambda: NOON)
    used = token_counts(report.pack, its)
    assert list(used) == ["system", "request", "history", "memory"]
    assert all(used.values())
    assert used["history"] <= 1_600
    assert used["memory"] <= 320
    assert sum(used.values()) < report.pack.tokens_used
    assert token_counts(report.pack, replace(its, format="markdown")) == {}
