"""Commands that tests hand to ctxpack as a user would: real programs, written down when they are needed."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent


def command_of(folder: Path, code: str, name: str = "model") -> str:
    """The command line of a Python program; ``prompt`` is what it reads on standard input."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / f"{name}.py"
    head = "import json, os, re, sys, time\nprompt = sys.stdin.buffer.read().decode()\n"
    script.write_text(head + dedent(code), encoding="utf-8")
    return command_line(script)


def command_line(script: Path, *arguments: str) -> str:
    """The command line that runs a Python program, quoted so that every platform reads it alike."""
    return " ".join(f'"{word}"' for word in (sys.executable, str(script), *arguments))
