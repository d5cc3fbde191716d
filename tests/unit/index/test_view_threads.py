"""One view, many threads: what strategies do beside each other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from ctxpack.errors import BrokenIndexError
from ctxpack.index import IndexView
from tests.indexing import ask, commit, opened

THREADS, ROUNDS = 8, 3
WORDS = [f"word{number}" for number in range(40)]


@pytest.fixture
def often() -> Iterator[None]:
    """Let threads take turns as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def answers(view: IndexView) -> list[object]:
    """Everything that a strategy may ask, in a fixed order."""
    paths = [file.path for file in view.files]
    return [
        [view.files.all_lines(path) for path in paths],
        [view.files.exact(path) for path in paths],
        [view.files.facts(path) for path in paths],
        sorted(view.files.all_facts()),
        [(view.graph.imports(path), view.graph.importers(path)) for path in paths],
        [view.history.last_commit(path) for path in paths],
        [view.postings.file_terms("sub", word).docs.tolist() for word in WORDS],
        view.postings.vocabulary(),
        view.files.in_degrees.tolist(),
        view.files.with_suffix("part1.py"),
        ask("word3 of part2", view),
    ]


def repository(root: Path) -> Path:
    files = {
        f"part{number}.py": f"import part{number + 1}\n\n\ndef {word}():\n    return '{WORDS[number // 2]}'\n"
        for number, word in enumerate(WORDS)
    }
    commit(root, {**files, "notes.md": "---\ntags: [word1]\n---\n# Notes\n\nword2\n"})
    return root


@pytest.mark.usefixtures("often")
def test_threads_get_the_answers_of_one_alone(tmp_path: Path) -> None:
    root = repository(tmp_path / "repository")
    for _ in range(2):  # the first time fills the cache of exact boundaries
        view = opened(root, tmp_path / "cache")
        expected = answers(view)
        view.close()
    for _ in range(ROUNDS):
        shared, start = opened(root, tmp_path / "cache"), Barrier(THREADS)

        def work(view: IndexView = shared, start: Barrier = start) -> list[object]:
            start.wait(30)
            return answers(view)

        with ThreadPoolExecutor(THREADS) as pool:
            found = [each.result() for each in [pool.submit(work) for _ in range(THREADS)]]
        assert all(each == expected for each in found)
        shared.close()


def test_who_comes_after_the_end_is_told_so(tmp_path: Path) -> None:
    view = opened(repository(tmp_path / "repository"), tmp_path / "cache")
    view.close()
    with ThreadPoolExecutor(1) as pool, pytest.raises(BrokenIndexError):
        pool.submit(view.files.all_facts).result()
