"""The formats as a reader sees them. ``CTXPACK_UPDATE_GOLDEN=1`` writes the files anew."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.model import (
    Confidence,
    Conversation,
    Expansion,
    Form,
    Fragment,
    Intent,
    Kind,
    Memory,
    Message,
    Omission,
    Pack,
    Provenance,
    Query,
    RepositoryState,
    Request,
    Scope,
    Selection,
    Shape,
)
from ctxpack.render import renderer
from ctxpack.render.reports import report

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "reports"
UPDATE = "CTXPACK_UPDATE_GOLDEN" in os.environ
FILES = {
    "markdown": "sample.md",
    "markdown-compact": "sample-compact.md",
    "markdown-narrative": "sample-narrative.md",
    "messages": "sample-messages.json",
    "xml": "sample.xml",
    "json": "sample.json",
    "plain": "sample.txt",
    "html": "sample.html",
}


RETRY = Provenance(
    "src/uploader.py", 12, 15, Kind.CODE, "a1b2", "c3d4", dirty=True, score=0.91, confidence=Confidence.HIGH,
    reasons=("defines Uploader.retry", "the title names it"), keywords=("retry", "uploader"),
    modified="2024-03-01", symbol="Uploader.retry", size=4_210,
)  # fmt: skip
CLOSE = replace(
    RETRY, start_line=40, end_line=41, score=0.42, confidence=Confidence.MEDIUM, reasons=("calls retry",),
    keywords=("retry", "close"), symbol="Uploader.close",
)  # fmt: skip
GUIDE = Provenance(
    "docs/retries.md", 1, 8, Kind.DOC, "e5f6", "c3d4", score=0.55, confidence=Confidence.MEDIUM,
    reasons=("its heading matches retries",), keywords=("retries", "backoff"), tags=("network",),
    modified="2023-11-20", symbol="Retries", size=388,
)  # fmt: skip


def _pack() -> Pack:
    fragments = (
        Fragment(
            "    def retry(self, times: int = 3) -> None:\n        for _ in range(times):\n"
            "            if self.send() and not self.queue:\n                return\n",
            Form.FULL, "ranked", RETRY, "python", tokens=38,
        ),
        Fragment(
            "    def close(self) -> None:\n        self.retry(1)\n", Form.FULL, "ranked", CLOSE, "python", tokens=13,
        ),
        Fragment(
            "# Retries\n\n```sh\nupload --retries 3 <file>\n```\n\nEvery try waits twice as long.\n",
            Form.EXCERPT, "ranked", GUIDE, "markdown", tokens=22, cut_from=(1, 30),
        ),
    )  # fmt: skip
    missed = Omission("tests/test_uploader.py", 5, 60, 0.4, "budget full: needs 512 tokens, 31 left", 512, "test_retry")
    query = Query(
        "Fix the retry of the uploader", "Fix the retry of the uploader", Shape.QUESTION, Intent.CHANGE,
        {}, {}, {"retry": 4.0, "uploader": 4.0}, {}, expansions=(Expansion("backoff", "retry", "synonym", 0.5),),
    )  # fmt: skip
    return Pack(
        Request(Scope.TASK, "Fix the retry of the uploader\n\nIt stops after the first try."),
        query,
        RepositoryState(Path("uploader"), "uploader", "c3d4e5f6a7b8", "main", dirty=True, is_git=True),
        Selection(fragments, (missed,)),
        600,
        "o200k_base",
        "ranked chunks",
        tokens_used=512,
        tree="uploader/\n├── docs/ (3)\n├── src/ (4)\n└── tests/ (6)",
        considered=13,
        notes=("1 secret was redacted.",),
        conversation=Conversation(
            instructions="Answer from the sources below. Cite what you rely on as [Source N].",
            system="You help the people who keep the uploader running.",
            history=(
                Message("user", "Who calls retry?"),
                Message("assistant", "Only close does:\n\n```python\nself.retry(1)\n```"),
            ),
            trimmed=4,
            memories=(Memory("a1", "Extract of 2 messages (420 characters), made 2026-11-21 10:00 UTC:\n"
                             "user: Every try must use the same key.", 0.0, ()),),
        ),
    )  # fmt: skip


def _without_own_code(text: str) -> str:
    """A page without its styles, its script and their digests, which are the same in all pages."""
    return re.sub(
        r"(?<=<style>)[^<]{200,}(?=</style>)|(?<=<script>).+?(?=</script>)|'sha256-\S+'", "…", text, flags=re.DOTALL
    )


@pytest.mark.parametrize("name", FILES)
def test_a_report_reads_as_agreed(name: str) -> None:
    text = _without_own_code(report(_pack(), renderer(name)))
    path = FOLDER / FILES[name]
    if UPDATE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")
