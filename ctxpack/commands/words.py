"""A command line, as a user writes it, becomes the words that a program is started with; no shell has a part in it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence

_WINDOWS = "win32"
_PART = re.compile(r'(?P<slashes>\\*)(?P<quote>")|(?P<blank>\s+)|(?P<plain>\\+|[^\\"\s]+)')


def words_of(command: str, platform: str = sys.platform) -> list[str]:
    """The words of a command line, quoted as ``platform`` does. Raises ValueError for an open quote or no word."""
    if platform == _WINDOWS:
        words = _windows_words(command)
    else:
        import shlex

        words = shlex.split(command)
    if not words or not words[0]:
        raise ValueError("it names no program")
    return words


def program_of(words: Sequence[str], folder: str | None = None) -> str | None:
    """The path of the program that the first word names, or None where there is none.

    A bare name is looked up on PATH alone: the current folder may hold a stranger's program of that name. A relative
    path is one from ``folder``, or else from the current one.
    """
    is_bare = not any(mark in words[0] for mark in (os.sep, os.altsep) if mark)
    found = shutil.which(words[0] if is_bare else os.path.join(folder or "", words[0]))  # noqa: PTH118 - plain text
    return None if found is None or (is_bare and not os.path.isabs(found)) else found  # noqa: PTH117 - plain text


def name_of(command: str) -> str:
    """What messages call a command: its program, without folders and arguments, which may hold keys."""
    try:
        first = words_of(command)[0]
    except ValueError:
        return "The command"
    return first.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _windows_words(command: str) -> list[str]:
    r"""The words as the C runtime of Windows reads them: a backslash is one, unless a quote follows."""
    words: list[str] = []
    word: str | None = None
    is_quoted = False
    for part in _PART.finditer(command):
        if part["blank"] and not is_quoted:
            words += [] if word is None else [word]
            word = None
            continue
        if part["quote"]:
            slashes = len(part["slashes"])
            word = (word or "") + "\\" * (slashes // 2) + ('"' if slashes % 2 else "")
            is_quoted ^= slashes % 2 == 0
        else:
            word = (word or "") + part[0]
    if is_quoted:
        raise ValueError("a quote is not closed")
    return words if word is None else [*words, word]
