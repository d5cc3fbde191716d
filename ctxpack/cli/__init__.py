"""The command line: a thin face over ``ctxpack.pipeline``. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command in ``sys.argv`` and exit with its status."""
    from ctxpack.cli.run import run

    sys.exit(run(sys.argv[1:]))
