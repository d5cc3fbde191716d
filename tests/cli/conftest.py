"""The command line, run in this process or as a program of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ctxpack.cli.run import run


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str


Ctxpack = Callable[..., Outcome]


@pytest.fixture
def ctxpack(capfdbinary: pytest.CaptureFixture[bytes]) -> Ctxpack:
    """Run a command here: fast, and without standard input."""

    def call(*arguments: str) -> Outcome:
        status = run(arguments)
        sys.stderr.flush()
        out, err = capfdbinary.readouterr()
        return Outcome(status, out.decode(), err.decode())

    return call


@pytest.fixture
def program(tmp_path: Path, warm_cache: None) -> Ctxpack:  # noqa: ARG001 - a fixture
    """Run ``python -m ctxpack`` with standard input, from an empty folder unless told otherwise."""
    empty = tmp_path / "elsewhere"
    empty.mkdir()

    def call(*arguments: str | bytes, stdin: bytes = b"", folder: Path = empty) -> Outcome:
        command = [sys.executable, "-m", "ctxpack", *arguments]
        done = subprocess.run(command, input=stdin, capture_output=True, cwd=folder, check=False)
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
