"""Real repositories in temporary folders."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from ctxpack.settings import Settings
from tests.indexing import USUAL, start_repository
from tests.indexing import write as write_files
from tests.unit.discover.making import GitRun, Make, Wish, Write


@pytest.fixture
def git() -> GitRun:
    def run(folder: Path, *arguments: str) -> str:
        identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "protocol.file.allow=always")
        command = ("git", *identity, *USUAL, *arguments)
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture
def write() -> Write:
    return write_files


@pytest.fixture
def folder(tmp_path: Path) -> Make:
    def make(files: Mapping[str, str | bytes]) -> Path:
        return write_files(tmp_path / "repo", files)

    return make


@pytest.fixture
def repo(folder: Make, git: GitRun) -> Make:
    def make(files: Mapping[str, str | bytes]) -> Path:
        root = folder(files)
        start_repository(root)
        git(root, "add", "-A")
        git(root, "commit", "-q", "--allow-empty", "-m", "first")
        return root

    return make


@pytest.fixture
def settings(tmp_path: Path) -> Wish:
    def make(root: Path, **values: object) -> Settings:
        return Settings(root=root, cache_dir=tmp_path / "cache", **values)  # type: ignore[arg-type]

    return make
