"""Real small repositories, indexed and asked: what the tests of the index and of the ranker share."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ctxpack.discover import discover
from ctxpack.index import IndexView, open_index
from ctxpack.model import Candidate, Query
from ctxpack.query import query_of_text
from ctxpack.rank import Purpose, rank
from ctxpack.rank.board import Board
from ctxpack.settings import Settings
from ctxpack.understand.request import add_forms

Files = Mapping[str, str | bytes]
USUAL = ("-c", "init.defaultBranch=main", "-c", "maintenance.auto=false")  # no process that looks for what to tidy


def write(root: Path, files: Files) -> Path:
    """Write files below ``root``; returns it."""
    root.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def git(root: Path, *arguments: str, date: str = "", data: bytes | None = None) -> str:
    """Run git in ``root``, committing at ``date`` if one is given."""
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date} if date else {}
    command = ["git", *USUAL, *arguments]
    done = subprocess.run(command, cwd=root, env=os.environ | dates, input=data, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace").strip()


def commit(root: Path, files: Files, message: str = "Change", date: str = "") -> str:
    """Write and commit files, in a repository that is made if need be; returns the commit's hash."""
    write(root, files)
    if not (root / ".git").exists():
        start_repository(root)
    git(root, "add", "-A")
    whole = ("-c", "core.abbrev=no", "commit", "--allow-empty", "--cleanup=verbatim", "-F", "-")
    said = git(root, *whole, date=date, data=message.encode())
    found = re.search(r"^\[.* ([0-9a-f]{40,64})\]", said, re.MULTILINE)
    assert found
    return found[1]


def start_repository(root: Path) -> None:
    """Do what ``git init`` does, but its examples of hooks: lay down what it wrote once, without another process."""
    folders, files = _fresh_record()
    for folder in folders:
        (root / folder).mkdir(parents=True, exist_ok=True)
    write(root, files)


@cache
def _fresh_record() -> tuple[list[str], dict[str, bytes]]:
    """The folders and the files of a repository that git has just made."""
    with TemporaryDirectory() as place:
        root = Path(place)
        git(root, "init", "-q")
        found = [each for each in sorted((root / ".git").rglob("*")) if each.suffix != ".sample"]
        named = [(each.relative_to(root).as_posix(), each) for each in found]
        return (
            [name for name, each in named if each.is_dir()],
            {name: each.read_bytes() for name, each in named if each.is_file()},
        )


def opened(root: Path, cache: Path, **wishes: Any) -> IndexView:  # noqa: ANN401 -- whatever a field of Settings takes
    """The index of ``root`` as it is now; ``wishes`` are fields of Settings."""
    settings = Settings(root=root, cache_dir=cache, **wishes)
    return open_index(settings, discover(settings))


def prepared(text: str, view: IndexView) -> Query:
    """The understood request with the repository's own words."""
    return add_forms(query_of_text(text), view, Settings(root=view.state.root, cache_dir=view.state.root))


def ask(text: str, view: IndexView, limit: int = 20, *, purpose: Purpose = Purpose.LIST) -> tuple[Candidate, ...]:
    """The candidates of a request."""
    return rank(prepared(text, view), view, limit=limit, purpose=purpose)


def board(text: str, view: IndexView) -> Board:
    """The board of a request without expansions."""
    return Board(query_of_text(text), view)


def snapshot(view: IndexView, requests: Sequence[str]) -> dict[str, Any]:
    """Everything an index answers, in terms that do not depend on how its segments came about."""
    words = sorted({word for text in requests for word in (*query_of_text(text).terms, *query_of_text(text).words)})
    return {
        "files": [(file.path, file.blob) for file in view.files],
        "skipped": view.skipped,
        "live": view.postings.live_chunks,
        "vocabulary": view.postings.vocabulary(),
        "lines": view.postings.file_lines.tolist(),
        "chunks": {file.path: _chunks(view, number) for number, file in enumerate(view.files)},
        "terms": {(name, word): _terms(view, name, word) for name in _FIELDS for word in words},
        "imports": {file.path: (view.graph.imports(file.path), view.graph.importers(file.path)) for file in view.files},
        "degrees": view.files.in_degrees.tolist(),
        "queries": [prepared(text, view) for text in requests],
        "answers": [ask(text, view, purpose=purpose) for text in requests for purpose in Purpose],
    }


_FIELDS = ("sub", "word", "name", "definition", "path")


def _chunks(view: IndexView, number: int) -> list[Any]:
    fields = ("sub", "word", "name", "definition")
    return [
        (view.postings.chunk(place), *(int(view.postings.lengths(name)[place]) for name in fields))
        for place in view.postings.chunks_of(number)
    ]


def _terms(view: IndexView, name: str, word: str) -> list[tuple[str, int, int]]:
    """Path, line (0 for a path's own field) and count of every place that holds a word, sorted."""
    found = view.postings.terms(name, word)
    rows = []
    for doc, times in zip(found.docs.tolist(), found.counts.tolist(), strict=True):
        number, line = (
            (doc, 0) if name == "path" else (int(view.postings.chunk_file[doc]), view.postings.chunk(doc).start_line)
        )
        rows.append((view.files[number].path, line, times))
    return sorted(rows)


def as_lines(candidates: Sequence[Candidate]) -> str:
    """Candidates as JSON, to compare what different processes answer."""
    rows = [
        (
            c.file.path,
            c.chunk.start_line,
            c.chunk.end_line,
            c.score,
            c.keywords,
            [(e.signal, e.points) for e in c.evidence],
        )
        for c in candidates
    ]
    return json.dumps(rows)
