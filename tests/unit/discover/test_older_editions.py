from __future__ import annotations

import pytest

from ctxpack.discover.editions import files_of_older_editions, older_editions, speaks_of, written_forms
from ctxpack.model.columns import FileTable
from tests.building import source_file


def _older(*paths: str) -> list[str]:
    files = FileTable.of(source_file(path) for path in sorted(paths))
    older = older_editions(files.count_folders(), [path for path in paths if path.endswith(".md")])
    found = {files.paths[number] for number, _ in files_of_older_editions(files, older)}
    return [path for path in paths if path in found]


def test_a_version_stands_behind_the_newer_one_beside_it() -> None:
    assert _older("src/v3/a.ts", "src/v4/a.ts", "src/util.ts") == ["src/v3/a.ts"]
    assert _older("docs/1.9/a.md", "docs/1.10/a.md") == ["docs/1.9/a.md"]
    assert _older("versioned_docs/version-1.0/a.md", "versioned_docs/version-2.x/a.md") == [
        "versioned_docs/version-1.0/a.md"
    ]
    assert _older("design/plan-v1.md", "design/plan-v2.md") == ["design/plan-v1.md"]


def test_the_documents_of_past_releases_stand_behind_those_of_the_next() -> None:
    assert _older("www/docs/a.md", "www/versioned_docs/version-10.x/a.md") == ["www/versioned_docs/version-10.x/a.md"]
    assert _older("lib/docs/a.md", "www/versioned_docs/version-10.x/a.md") == []


def test_releases_stand_behind_what_is_not_released_yet() -> None:
    assert _older("docs/1.7/a.md", "docs/1.8/a.md", "docs/dev/en/a.md") == ["docs/1.7/a.md", "docs/1.8/a.md"]
    assert _older("docs/1.8/a.md", "docs/dev/a.md") == []  # a single one may be of anything
    assert _older("api/v1/a.ts", "api/v2/a.ts", "api/latest/a.ts") == ["api/v1/a.ts"]


def test_what_is_called_like_a_replaced_version_goes_with_it() -> None:
    assert _older("src/v3/a.ts", "src/v4/a.ts", "docs/a.md", "docs-v3/a.md") == ["src/v3/a.ts", "docs-v3/a.md"]
    assert _older("docs/a.md", "docs-v3/a.md") == []


def test_a_newer_version_that_has_only_been_begun_replaces_nothing() -> None:
    assert _older(*(f"v1/{n}.py" for n in range(9)), "v2/0.py") == []


@pytest.mark.parametrize("pair", [("ipv4/a.c", "ipv6/a.c"), ("net/v4/a.c", "net/v6/a.c"), ("part1/a.c", "part2/a.c")])
def test_protocols_and_numbered_parts_are_no_editions(pair: tuple[str, str]) -> None:
    assert _older(*pair) == []


def test_a_text_names_a_version() -> None:
    assert speaks_of((3,), "why does v3 trim strings?")
    assert speaks_of((1, 9), "what was the default in 1.9?")
    assert not speaks_of((1, 9), "what was the default in 1.9.2?")
    assert not speaks_of((3,), "version 1.3 or 30")
    assert speaks_of((20, 0), "removed in v20, how to migrate")
    assert speaks_of((3, 1), "since v3")
    assert not speaks_of((3, 1), "3 files are lost")
    assert not speaks_of((3, 1), "9" * 5_000)


def test_a_manual_is_made_from_the_page_of_its_name() -> None:
    assert "docs/shop.org" in written_forms("docs/shop.texi")
    assert {"man/shop.md", "man/shop.1.md"} <= set(written_forms("man/shop.1"))
    assert not written_forms("docs/shop.md")
    assert not written_forms("Makefile")
