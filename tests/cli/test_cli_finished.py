"""Reports from the last time: the same bytes, without the work, and never stale."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack
from tests.conftest import MakeRepository

FILES = {"retry.py": "def retry(upload):\n    return upload\n", "README.md": "# Courier\n\nUploads are retried.\n"}
TASK = ("task", "retry an upload")


@pytest.mark.parametrize("form", ["markdown", "json", "messages"])
def test_a_repeated_report_is_byte_for_byte_a_fresh_one(
    ctxpack: Ctxpack, repository: MakeRepository, form: str
) -> None:
    root = repository(FILES)
    asked = (*TASK, "--root", str(root), "--format", form)
    first, second, fresh = ctxpack(*asked), ctxpack(*asked), ctxpack(*asked, "--no-cache")
    assert first == second == fresh
    (root / "retry.py").write_text("def retry(upload, times):\n    return upload\n", encoding="utf-8")
    changed = ctxpack(*asked)
    assert "times" in changed.out
    assert changed == ctxpack(*asked, "--no-cache")


def test_a_repeated_report_is_not_made_again(ctxpack: Ctxpack, repository: MakeRepository, tmp_path: Path) -> None:
    root = repository(FILES)
    asked = [*TASK, "--root", str(root), "-o", str(tmp_path / "report.md")]
    ctxpack(*asked)
    code = f"import sys\nfrom ctxpack.cli.run import run\nrun({asked!r})\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "splintr", "tree_sitter", "ctxpack.pipeline"} & set(done.stdout.split())
    assert "retry.py" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_who_asks_for_more_gets_a_run(ctxpack: Ctxpack, repository: MakeRepository) -> None:
    asked = (*TASK, "--root", str(repository(FILES)))
    ctxpack(*asked)
    assert "1. " in ctxpack(*asked, "--explain").err
    assert "considered" in ctxpack(*asked, "--stats").err
