"""Draw docs/images/run.svg, what a terminal shows of two commands on the demo project: ``python scripts/picture.py``.

The project is copied to a place without git, so that the picture is the same in every clone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

PROJECT = Path(__file__).resolve().parent.parent
PICTURE = PROJECT / "docs" / "images" / "run.svg"
sys.path.insert(0, str(PROJECT))

from ctxpack.cli.output import coloured_report  # noqa: E402 - the checkout, not an installed package

TASK = "fix the retry bug in the uploader"
COMMANDS = (("task", TASK, "--dry-run"), ("task", TASK, "-b", "900"))
COLUMNS, MOST_LINES = 100, 34
NORMAL = [
    (26, 26, 26), (244, 80, 120), (152, 224, 36), (253, 151, 31), (172, 138, 255), (244, 80, 120), (88, 209, 235),
    (217, 217, 217),
]  # fmt: skip
BRIGHT = [(160, 160, 160), *NORMAL[1:]]
THEME = TerminalTheme((12, 12, 12), (217, 217, 217), NORMAL, BRIGHT)
"""Colours that are read well on black, grey too."""


def screen() -> str:
    """Return what a terminal would show, with its colours; the end of the last command is left out."""
    with tempfile.TemporaryDirectory() as place:
        demo = Path(place) / "demo"
        shutil.copytree(PROJECT / "fixtures" / "demo", demo)
        own = {f"CTXPACK_{name}_DIR": str(Path(place) / name) for name in ("CACHE", "DATA")}
        env = {**os.environ, **own, "PYTHONPATH": str(PROJECT), "XDG_CONFIG_HOME": place, "CTXPACK_POLICY": ""}
        shown = []
        for words in COMMANDS:
            command = [sys.executable, "-m", "ctxpack", *words]
            done = subprocess.run(command, cwd=demo, env=env, capture_output=True, check=True)
            typed = " ".join(f'"{word}"' if " " in word else word for word in words)
            shown.append(f"\x1b[32m$\x1b[0m ctxpack {typed}\n{coloured_report(done.stdout.decode())}")
    return "\n".join(shown)


def lines() -> list[Text]:
    """Return the lines of the picture, each as wide as the terminal at most."""
    text = Text.from_ansi(screen(), no_wrap=True)
    found = list(text.split("\n"))[:MOST_LINES]
    for line in found:
        line.truncate(COLUMNS, overflow="ellipsis")
    return found


def draw() -> str:
    """Return the picture. It names no font of the web: a browser takes one that is there."""
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    for line in lines():
        console.print(line, soft_wrap=True)
    drawn = console.export_svg(title="ctxpack", theme=THEME, unique_id="run", font_aspect_ratio=0.61)
    begin, end = drawn.index("@font-face"), drawn.index(".run-matrix")
    return drawn[:begin] + drawn[end:]


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(), encoding="utf-8")
