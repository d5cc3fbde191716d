"""Start-up is a feature: what may be loaded, and which names are public."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ctxpack

HEAVY = (
    "Stemmer", "asyncio", "importlib.metadata", "multiprocessing", "numpy", "pathspec", "pydantic", "rapidfuzz", "rich",
    "sentence_transformers", "splintr", "sqlite3", "tiktoken", "tomllib", "tree_sitter",
)  # fmt: skip


def loaded_by(statement: str) -> set[str]:
    """The modules of a fresh interpreter after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import ctxpack.cli",
        "import ctxpack.cli.run",
        "from ctxpack.cli.run import run; run(['--version'])",
        f"from ctxpack import Request, Settings, load; load({str(Path(__file__).parent)!r})",
    ],
)
def test_starting_loads_nothing_heavy(statement: str) -> None:
    assert not loaded_by(statement) & set(HEAVY)


def test_the_version_needs_nothing_of_the_stages() -> None:
    loaded = loaded_by("from ctxpack.cli.run import run; run(['--version'])")
    assert not loaded & {"ctxpack.model", "ctxpack.settings", "ctxpack.pipeline"}


def test_importing_the_package_loads_only_itself() -> None:
    loaded = {name for name in loaded_by("import ctxpack") if name.startswith("ctxpack")}
    assert loaded == {"ctxpack"}
    assert "typer" not in loaded_by("import ctxpack")


def test_public_names_are_few_and_there() -> None:
    assert len(ctxpack.__all__) <= 12
    assert list(ctxpack.__all__) == sorted(ctxpack.__all__)
    for name in ctxpack.__all__:
        assert getattr(ctxpack, name).__name__ == name


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'ctxpack' has no attribute 'pakc'"):
        _ = ctxpack.pakc
