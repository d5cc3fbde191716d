"""A grammar that is not installed: patterns take its place, the user is told once, and it is used once it is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.indexing import write

pytestmark = pytest.mark.usefixtures("warm_cache")

HASKELL = "module Upload where\n\nretryUpload :: Int -> Int\nretryUpload n = n + 1\n"
SCRIPT = """
import sys
if sys.argv.pop(1) == "without":
    sys.modules["tree_sitter_haskell"] = None  # as if it were not installed
from ctxpack.cli.run import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "root", {"Upload.hs": HASKELL, "main.py": "def upload():\n    return 1\n"})


def packed(root: Path, how: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SCRIPT, how, *words, "--root", str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_is_missing_is_named_as_pip_calls_it(root: Path) -> None:
    before = packed(root, "without", "task", "retry the upload")
    assert before.returncode == 0, before.stderr
    assert "retryUpload" in before.stdout
    assert "pip install 'tree-sitter-haskell'" in before.stderr
    assert "tree-sitter-haskell" not in before.stdout
    after = packed(root, "with", "task", "retry the upload", "--no-cache")
    assert "tree-sitter" not in after.stderr
    other = packed(root, "without", "file", "main.py", "--disable", "search")
    assert "tree-sitter" not in other.stderr, "no file of that language was looked at"


def test_what_was_read_by_patterns_is_read_again_with_a_grammar(root: Path) -> None:
    code = f"""
import sys
from pathlib import Path
if sys.argv[1] == "without":
    sys.modules["tree_sitter_haskell"] = None
from ctxpack.index.opening import open_repository
from ctxpack.settings.loading import load
with open_repository(load({str(root)!r})) as view:
    print(view.exact("Upload.hs").is_exact, view.files.missing_grammars)
"""
    said = [
        subprocess.run([sys.executable, "-c", code, how], capture_output=True, text=True, check=True).stdout.strip()
        for how in ("without", "without", "with")
    ]
    assert said == ["False ('tree-sitter-haskell',)"] * 2 + ["True ()"]
