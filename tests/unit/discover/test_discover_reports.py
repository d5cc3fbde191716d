"""What we wrote ourselves is not found again; what people write is."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.discover import discover
from ctxpack.discover.reading import is_report
from ctxpack.model import Request, Scope
from ctxpack.model.formats import FORMAT_NAMES
from ctxpack.pipeline import run_pack
from ctxpack.settings import ContextFile
from tests.unit.discover.making import Make, Wish

REPORTS = Path(__file__).parents[3] / "fixtures" / "reports"
NEAR = {
    "title.md": "# Context: how a request travels\n\n- Repository: the one on the server\n- Tokens: issued by auth\n",
    "list.txt": "Context: a list\nRepository: shop\nFiles: many\nTokens: 5 of 10\nStrategy: none\n",
    "documents.xml": '<documents>\n<about tokens="many" strategy="none"/>\n</documents>\n',
    "schema.json": '{"schema": 1, "request": {"text": "x"}, "tokens": ["a"], "fragments": []}',
    "chat.json": '[\n{"role":"user","content":"Sources from the repository of what?"}\n]\n',
    "essay.md": "# An essay\n\nOn code; order: as it comes\n\n## Sources\n\nThe sources below are from the library.\n",
    "quoting.md": "Run it:\n\n# Context: fix\n\n- Repository: shop\n- Files: 1\n- Tokens: 5 of 9 (o200k_base)\n",
}
EARLIER = {
    "markdown": "# Context: fix\n\n- Repository: shop\n- Files: 1\n- Tokens: 5 of 9 (o200k_base)\n- Strategy: search\n",
    "plain": "Context: fix\nRepository: shop\nFiles: 1\nTokens: 1,005 of 9,000 (o200k_base)\nStrategy: search\n",
    "xml": '<documents>\n<about task="fix" tokens="5 of 9 (o200k_base)" strategy="search"/>\n</documents>\n',
    "markdown-compact": "# Fix\n\nshop, main at c3d4e5f6; order: best files first\n\n[Source 1] `a.py`, line 1\n",
    "markdown-narrative": "# Fix\n\n## Sources\n\nThe sources below are from the repository shop; order: by path.\n",
    "messages": '[\n{"role":"user","content":"Sources from the repository shop; order: by path.\\n"}\n]\n',
}


@pytest.mark.parametrize("path", sorted(REPORTS.iterdir()), ids=lambda path: path.name)
def test_every_report_is_known(path: Path) -> None:
    data = path.read_bytes()
    assert is_report(data[:8_192])
    assert is_report(data.replace(b"\n", b"\r\n")[:8_192])


@pytest.mark.parametrize("head", EARLIER.values(), ids=EARLIER)
def test_reports_of_earlier_versions_are_known_too(head: str) -> None:
    assert is_report(head.encode())
    assert is_report(head.replace("\n", "\r\n").encode())


def test_a_report_behind_an_unanswered_question_is_known() -> None:
    counts = "1 file in 1 piece, of 2 searched; best files first, by line within a file."
    said = r"Said before, not answered yet:\n\n```text\nWhy?\n```\n\n"
    assert is_report(f'[\n{{"role":"user","content":"{said}Sources from the repository shop: {counts}"}}\n]\n'.encode())


@pytest.mark.parametrize("format_", FORMAT_NAMES)
def test_a_report_in_the_repository_is_skipped(folder: Make, settings: Wish, format_: str) -> None:
    root = folder({"queue.py": "def push(item):\n    return item\n"})
    request = Request(Scope.TASK, text="how does push > the <item> work?")
    wish = settings(root, format=format_)
    (root / "out.md").write_text(run_pack(request, wish).text, encoding="utf-8", newline="")
    found = discover(wish)
    assert [file.path for file in found.files] == ["queue.py"]
    assert [(each.path, each.reason) for each in found.skipped] == [("out.md", "a report of ctxpack")]


def test_documents_that_look_a_little_like_one_are_searched(folder: Make, settings: Wish) -> None:
    found = discover(settings(folder(NEAR)))
    assert [file.path for file in found.files] == sorted(NEAR)


def test_only_a_report_that_is_asked_for_is_searched(folder: Make, settings: Wish) -> None:
    report = (REPORTS / "sample.md").read_text(encoding="utf-8")
    root = folder({"AGENTS.md": report, "mine.md": report, "out.md": report, ".ctxpackignore": "!/mine.md\n"})
    found = discover(settings(root, contexts=(ContextFile("AGENTS.md", "task", "how it is built"),)))
    assert "mine.md" in {file.path for file in found.files}
    assert {"AGENTS.md", "out.md"}.isdisjoint(file.path for file in found.files)  # also not one that a refresh keeps
