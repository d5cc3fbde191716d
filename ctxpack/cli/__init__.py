"""The command line: a thin face over ``ctxpack.pipeline``. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command in ``sys.argv`` and exit with its status."""
    from ctxpack.cli.run import run

    gc.disable()  # a process of a second makes no cycles worth looking for among its hundred thousand objects
    sys.exit(run(sys.argv[1:]))
