"""The clipboard, through the program that the platform has for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping

from ctxpack.errors import InternalError

_WAIT_SECONDS = 10


def copy(text: str) -> None:
    """Put a text on the clipboard. Raises InternalError if no program can."""
    command = next((each for each in _commands(sys.platform, os.environ) if shutil.which(each[0])), None)
    if command is None:
        raise InternalError(
            "There is no program that reaches the clipboard.",
            hint="Install wl-clipboard, xclip or xsel, or write to a file with -o FILE.",
        )
    # clip.exe reads Unicode as UTF-16 with its mark, all others as UTF-8
    data = (
        text.encode("utf-16", "replace") if command[0].startswith("clip") else text.encode("utf-8", "backslashreplace")
    )
    try:
        subprocess.run(
            command, input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=_WAIT_SECONDS
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise InternalError(
            f"{command[0]} could not copy to the clipboard.", hint="Write to a file with -o FILE."
        ) from error


def _commands(platform: str, env: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The programs to try, best first."""
    if platform == "darwin":
        return [("pbcopy",)]
    if platform == "win32":
        return [("clip",)]
    found: list[tuple[str, ...]] = []
    if env.get("WAYLAND_DISPLAY"):
        found.append(("wl-copy",))
    if env.get("DISPLAY"):
        found += [("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")]
    return [*found, ("clip.exe",)]  # Windows' own, inside WSL
