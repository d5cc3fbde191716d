"""The preview as its user sees it, at 80 columns and wide. ``CTXPACK_UPDATE_GOLDEN=1`` writes the files anew."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from ctxpack.cli.draft import Draft
from ctxpack.model import Confidence, Form, Kind, Omission, Request, Scope, Selection
from ctxpack.report.making import Remainder
from ctxpack.settings.loading import load
from tests.building import pack_with, piece_of

pytest.importorskip("textual", reason="needs the extra tui")

from ctxpack.cli.screen import Preview

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "screens"
UPDATE = "CTXPACK_UPDATE_GOLDEN" in os.environ
TASK = "uploads are counted twice after an outage, and the retry waits for too long, says the log"
CODE = "def retry(times: int) -> None:\n    for attempt in range(times):  # 重试\n\t\tsend(attempt)\n"
SIZES = {"narrow": (80, 24), "wide": (140, 30)}
STEPS: dict[str, tuple[str, ...]] = {
    "the list": (), "a piece": ("enter",), "what just missed": ("enter", "k", "enter"),
    "the filter": ("enter", "slash"), "strategies": ("escape", "s"), "keys": ("escape", "question_mark"),
}  # fmt: skip
"""What is looked at -> the keys that lead there from what was looked at before."""


def draft(folder: Path) -> Draft:
    pieces = (
        piece_of(
            CODE, "src/uploader/sending/uploader.py", 12, tokens=1_234, symbol="Uploader.retry_with_a_long_name",
            reasons=("defines Uploader.retry", "the title names it"), score=0.91, confidence=Confidence.HIGH,
        ),
        piece_of("# Retries\n\nEach waits.\n", "docs/retries.md", 1, tokens=300, language="markdown", kind=Kind.DOC),
        piece_of("assert retry(1)\n", "tests/test_uploader.py", 3, tokens=90, kind=Kind.TEST, strategy="tests"),
        piece_of("retries = 3\n", "settings.toml", 1, tokens=9, kind=Kind.CONFIG, form=Form.EXCERPT, language="toml"),
    )  # fmt: skip
    missed = (Omission("src/[b]net.py", 1, 40, 0.3, "budget full", 700, "Net.send"),)
    chosen = Selection(pieces, missed)
    pack = pack_with(request=Request(Scope.TASK, TASK), selection=chosen, tokens_used=1_900, budget=2_000)
    return Draft(Remainder(pieces, {}, load(folder)), pack, "", pack.budget)


async def screens(size: tuple[int, int], made: Draft) -> str:
    app, shown = Preview(made, lambda _: made, lambda _: None), ""
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for step, keys in STEPS.items():
            await pilot.press(*keys)
            await pilot.pause()
            lines = ["".join(each.text for each in strip).rstrip() for strip in app.screen._compositor.render_strips()]
            shown += "\n".join([f"== {step}", *lines, ""])
    return shown


@pytest.mark.parametrize("size", SIZES)
def test_the_screens_are_what_they_were(size: str, tmp_path: Path) -> None:
    shown = asyncio.run(screens(SIZES[size], draft(tmp_path)))
    path = FOLDER / f"preview-{size}.txt"
    if UPDATE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")
