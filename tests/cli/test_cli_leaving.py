"""A command ends when it is done, whatever it left behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys, threading, time
from ctxpack.cli import main
import ctxpack.cli.run
threading.Thread(target=time.sleep, args=(600,), daemon={daemon}).start()
sys.argv = ["ctxpack", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("daemon", [True, False])
@pytest.mark.parametrize(("arguments", "status"), [(["--version"], 0), (["search", "retry", "--root", "/nowhere"], 2)])
def test_work_that_was_left_behind_holds_nothing_up(
    tmp_path: Path, arguments: list[str], status: int, *, daemon: bool
) -> None:
    command = [sys.executable, "-c", PROGRAM.format(daemon=daemon), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=120)
    assert done.returncode == status
    assert ("ctxpack " in done.stdout) if status == 0 else done.stderr.startswith("Error: There is no folder")
