from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack import Request, Scope, load, pack
from ctxpack.discover.traits import in_language
from tests.indexing import write

FILES = {
    f"docs/{code}/tasks.md": f"# Background tasks\n\nA task runs after the response ({code}).\n"
    for code in ("en", "de", "ru")
}
FILES |= {f"src/part{n}.py": f"def part{n}():\n    return {n}\n" for n in range(9)}


def test_where_a_document_stands_in_another_language() -> None:
    assert in_language("docs/hi/a/b.md", "en") == ("docs/en/a/b.md", "docs/a/b.md")
    assert in_language("docs/en/a.md", "ru") == ("docs/ru/a.md",)
    assert in_language("guide.fr.md", "en") == ("guide.en.md", "guide.md")
    assert in_language("src/de/a.md", "en") == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("how does a background task run after the response", {"docs/en/tasks.md"}),
        ("как background task выполняется после response", {"docs/ru/tasks.md"}),
    ],
)
def test_one_edition_of_a_document_is_packed(tmp_path: Path, text: str, wanted: set[str]) -> None:
    root = write(tmp_path / "root", FILES)
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    paths = {each.provenance.path for each in run.pack.selection.fragments}
    assert {path for path in paths if path.startswith("docs/")} == wanted
