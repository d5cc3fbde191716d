"""Repositories of an attacker, and commands that must neither run, read nor hang on what these prepare."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack, ctxpack, program
from tests.indexing import commit

__all__ = ["ctxpack", "program"]
PATIENCE = 100.0  # seconds; a test takes one or two
SECRET = "quagmirian"  # a word of what lies outside the repository: no output may hold it


@dataclass(frozen=True, slots=True)
class Trap:
    """A program of the attacker, that leaves a mark when it runs."""

    path: Path
    mark: Path

    @property
    def line(self) -> str:
        """The command line that runs it."""
        return str(self.path)

    def has_run(self) -> bool:
        """Whether it has run since it was last asked."""
        ran = self.mark.exists()
        self.mark.unlink(missing_ok=True)
        return ran


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    """Write the program down; it passes on what it reads, as a filter does."""
    found = Trap(tmp_path / "trap.sh", tmp_path / "mark")
    found.path.write_text(f"#!/bin/sh\ntouch '{found.mark}'\ncat\n")
    found.path.chmod(0o755)
    return found


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    """Fail what does not come to an end, also where it waits for a pipe."""
    if sys.platform == "win32":
        yield
        return

    def give_up(*_: object) -> None:
        raise TimeoutError("it does not come to an end")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the repository, with private files."""
    place = tmp_path / "private"
    place.mkdir()
    for name in ("notes.txt", "retry.md"):
        (place / name).write_text(f"the retry of the upload is {SECRET}\n", encoding="utf-8")
    return place


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small repository with two commits and a change."""
    place = tmp_path / "repository"
    page = "# Retry\n\nHow an upload waits for its retry.\n"
    commit(place, {"upload.py": "def retry(upload):\n    return upload\n", "docs/retry.md": page}, "Start to retry")
    commit(place, {"upload.py": "def retry(upload):\n    return upload.again()\n"}, "Retry the upload again")
    (place / "upload.py").write_text("def retry(upload):\n    return upload.once_more()\n", encoding="utf-8")
    return place


EVERY_WAY = (
    ("task", "retry the upload"),
    ("file", "upload.py"),
    ("component", "docs"),
    ("diff",),
    ("diff", "HEAD~1"),
    ("diff", "--staged"),
    ("search", "retry"),
    ("why-not", "docs/retry.md", "retry"),
    ("index", "--status"),
    ("doctor",),
    ("strategies",),
    ("refresh", "--check"),
)
"""The ways to look at a repository, as they are typed."""


def in_every_way(ctxpack: Ctxpack, root: Path) -> str:
    """Run every command; return all that they print. Fails where one ends in an unforeseen error."""
    said = []
    for arguments in EVERY_WAY:
        outcome = ctxpack(*arguments, "--root", str(root))
        is_of_git = outcome.err.startswith("Error: Git cannot tell what changed: ")  # which may refuse a repository
        assert outcome.status in {0, 1, 2} or is_of_git, (arguments, outcome.err)
        assert "unexpectedly" not in outcome.err
        said.append(outcome.out + outcome.err)
    return "\n".join(said)
