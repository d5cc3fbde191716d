"""What a repository's vocabulary adds to a request."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.render.wording import keywords
from tests.indexing import opened, prepared, write

FILES = {
    "completion.py": "def complete(value):\n    return value\n",
    "storage.py": "def put(value):\n    return value\n",
    "guide.md": "# Память\n\nПро память и её список.\n",
    "notes.md": "# Заметки\n\nВ памяти нет ошибок.\n",
    **{f"remove_{number}.py": "def remove(delete):\n    return delete\n" for number in range(3)},
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return write(tmp_path / "repository", FILES)


def test_what_a_russian_request_means_is_part_of_it(repository: Path, tmp_path: Path) -> None:
    query = prepared("автодополнение", opened(repository, tmp_path / "cache"))
    assert "completion" in query.words
    assert "completion" in query.title
    assert [each.origin for each in query.expansions if each.term == "completion"] == ["translation"]
    assert keywords(query) == ("автодополнение",)


def test_russian_forms_are_found(repository: Path, tmp_path: Path) -> None:
    query = prepared("где хранится память про ошибки в списке", opened(repository, tmp_path / "cache"))
    forms = {(each.source, each.term) for each in query.expansions if each.origin == "inflection"}
    assert {("память", "памяти"), ("ошибки", "ошибок"), ("списке", "список")} <= forms


def test_a_known_russian_word_is_no_typing_error(repository: Path, tmp_path: Path) -> None:
    query = prepared("памятью", opened(repository, tmp_path / "cache"))
    assert "correction" not in {each.origin for each in query.expansions}


def test_a_synonym_of_a_word_that_finds_much_counts_little(repository: Path, tmp_path: Path) -> None:
    view = opened(repository, tmp_path / "cache")

    def share(word: str, term: str) -> float:
        query = prepared(f"{word} it", view)
        return max(each.weight for each in query.expansions if each.term == term) / query.terms[word]

    assert share("delete", "remove") < share("memory", "storage")
