from __future__ import annotations

import pytest

from ctxpack.discover.editions import asynchronous_twins, edition_of, files_of_editions
from ctxpack.discover.traits import of_path
from ctxpack.model import Trait
from ctxpack.model.columns import FileTable
from tests.building import source_file


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("docs/hi/docs/tutorial/body.md", "hi"),
        ("docs/pt-br/index.md", "pt"),
        ("docs/guide.fr.md", "fr"),
        ("docs/en/index.md", ""),
        ("docs/how-to-do-it.md", ""),
        ("src/it/main.py", ""),
    ],
)
def test_a_document_in_another_language_is_an_edition(path: str, language: str) -> None:
    assert edition_of(path) == language
    assert (Trait.TRANSLATION in of_path(path)) is bool(language)


@pytest.mark.parametrize(
    "path",
    ["complete/_rg", "completions/tool.fish", "doc/bash-completion.sh", "tests/snapshots/help.txt"],
)
def test_what_repeats_code_is_generated(path: str) -> None:
    assert Trait.GENERATED in of_path(path)


@pytest.mark.parametrize(
    "path", ["src/bash_completions.go", "completions/engine.rs", "docs/v1.2.md", "src/completion.sh", "man/man1/fzf.1"]
)
def test_code_of_such_names_is_not(path: str) -> None:
    assert Trait.GENERATED not in of_path(path)


@pytest.mark.parametrize("above", ["", "site/_articles/"])
def test_documents_below_a_folder_of_an_edition_are_of_its_language(above: str) -> None:
    own = [f"{above}{language}/{name}" for language in ("de", "fr", "ja") for name in ("a.md", "deep/er/b.md")]
    files = FileTable.of(source_file(path) for path in sorted([*own, "readme.md", "lib/z.md", "lib/x/b.md"]))
    found = {files.paths[number]: language for number, language in files_of_editions(files)}
    assert found == {path: path.removeprefix(above)[:2] for path in own}
    assert files_of_editions(FileTable.of(file for file in files if "/fr/" not in f"/{file.path}")) == []


def test_asynchronous_twins_are_there_without_their_folder() -> None:
    twins = ["db/_async/pool.py", "pool_async.py", "redis/asyncio/lock.py", "tests/test_asyncio/test_lock.py"]
    others = [
        "db/_async/runner.py",
        "db/_sync/pool.py",
        "pool.py",
        "queue_async.py",
        "redis/lock.py",
        "redis/myasync/lock.py",
        "tests/test_lock.py",
    ]
    files = FileTable.of(source_file(path) for path in sorted([*twins, *others]))
    assert [files.paths[number] for number in asynchronous_twins(files)] == twins
