"""Finished packs: what they rest on, and how they are kept."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.answer import Finished, cache_key, find_finished, is_repeatable, keep_finished, pack
from ctxpack.index.opening import find_files
from ctxpack.model import Request, Scope
from ctxpack.settings import Settings, StrategyEntry
from ctxpack.settings.loading import load
from tests.conftest import MakeRepository

TASK = Request(Scope.TASK, text="fix the retry bug")
DONE = Finished("text\udc80\n", ("a note",), "1 piece")


@pytest.fixture
def settings(repository: MakeRepository) -> Settings:
    return load(repository({"a.py": "retry = 1\n", "b.py": "upload = 2\n"}))


def key(settings: Settings, request: Request = TASK) -> str:
    return cache_key(request, settings, find_files(settings))


def test_the_same_has_the_same_key_and_everything_else_another(settings: Settings) -> None:
    first = key(settings)
    assert key(settings) == first
    others = [
        key(replace(settings, budget=9_000)),
        key(settings, replace(TASK, text="fix the bug")),
        key(replace(settings, exclude=("b.py",))),
    ]
    (settings.root / "a.py").write_text("retry = 3\n", encoding="utf-8")
    others.append(key(settings))
    (settings.root / "c.py").write_text("", encoding="utf-8")
    others.append(key(settings))
    (settings.root / "c.py").rename(settings.root / "d.py")
    others.append(key(settings))
    assert len({first, *others}) == 7


def test_a_file_of_instructions_counts_by_its_content(settings: Settings, tmp_path: Path) -> None:
    place = tmp_path / "house.md"
    its = replace(settings, instructions=str(place))
    keys = [key(its)]
    for text in ("Be brief.", "Be exact."):
        place.write_text(text, encoding="utf-8")
        keys.append(key(its))
    assert len(set(keys)) == 3


def test_an_answer_that_was_kept_has_its_pieces_from_a_run(settings: Settings) -> None:
    first = pack(TASK, settings)
    kept = settings.cache_dir / "packs"
    (answer,) = kept.iterdir()
    finished = find_finished(settings, answer.stem)
    assert finished is not None
    keep_finished(settings, answer.stem, replace(finished, text="from the last time\n"))
    second = pack(TASK, settings)
    assert second.text == "from the last time\n"
    assert (second.notes, second.total) == (first.notes, first.total)
    assert second.run.text == first.text
    assert second.pack.selection == first.pack.selection
    assert pack(TASK, settings, on_event=lambda _: None).text == first.text


@pytest.mark.parametrize(
    "more",
    [
        {"use_cache": False},
        {"rerank": "llm"},
        {"semantic": True},
        {"session": "courier"},
        {"buffers": {"a.py": ""}},
        {"paths": ("a.py",)},
        {"stats": True},
        {"enable": ("changes",)},
        {"strategy_entries": (StrategyEntry("tickets", "jq ."),)},
    ],
)
def test_what_rests_on_more_is_not_kept(settings: Settings, more: dict[str, object]) -> None:
    assert is_repeatable(TASK, settings)
    assert not is_repeatable(TASK, replace(settings, **more))  # type: ignore[arg-type] # fields of Settings
    assert not is_repeatable(Request(Scope.DIFF), settings)


def test_an_answer_is_found_as_it_was_kept(settings: Settings) -> None:
    assert find_finished(settings, "a") is None
    keep_finished(settings, "a", DONE)
    assert find_finished(settings, "a") == DONE


@pytest.mark.parametrize("written", ["", "[]", "{}", '{"text": 1}', "[" * 100_000, "\x00"])
def test_what_cannot_be_read_is_no_answer(settings: Settings, written: str) -> None:
    keep_finished(settings, "a", DONE)
    (settings.cache_dir / "packs" / "a.json").write_text(written, encoding="utf-8")
    assert find_finished(settings, "a") is None


def test_what_was_not_used_for_longest_is_dropped(settings: Settings) -> None:
    its = replace(settings, pack_cache=2_500)
    for second, name in enumerate("abc"):
        keep_finished(its, name, replace(DONE, text="x" * 1_000))
        os.utime(its.cache_dir / "packs" / f"{name}.json", (second, second))
        if name == "b":
            assert find_finished(its, "a")
    keep_finished(its, "d", replace(DONE, text="x" * 1_000))
    assert [name for name in "abcd" if find_finished(its, name)] == ["a", "d"]


def test_nothing_is_kept_in_a_folder_that_cannot_be_made(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    its = replace(settings, cache_dir=tmp_path / "file")
    keep_finished(its, "a", DONE)
    assert find_finished(its, "a") is None
