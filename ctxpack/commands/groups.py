"""Processes that can be ended together with everything that they have started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence

_PATIENCE_SECONDS = 1.0  # for a process that was asked to end


def start(words: Sequence[str], folder: str | None = None) -> subprocess.Popen[bytes]:
    """Start a program in a group of its own, with pipes for all it reads and prints. Raises OSError.

    It runs in ``folder``, or else in the current one.

    A Python program reads and prints UTF-8 whatever the locale says; others do so anyway.
    """
    environment = {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8", **os.environ}
    return subprocess.Popen(
        words,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=environment,
        start_new_session=True,  # on Windows it means nothing; there the tree of processes is ended
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its group: politely, then by force. It is gone afterwards."""
    if sys.platform == "win32":
        tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(tree, capture_output=True, check=False)
        process.kill()
    else:
        _signal(process.pid, signal.SIGTERM)
        try:
            process.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            _signal(process.pid, signal.SIGKILL)
    process.wait()


def _signal(group: int, number: int) -> None:
    """Send a signal to every process of a group; that none is left is no error."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS refuses where only a zombie is left
        return
