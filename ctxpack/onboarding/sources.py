"""A repository as the parts of the instructions read it: its files by path, their lines, and the place of a text."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from typing import Any

from ctxpack.index import IndexView
from ctxpack.model import SourceFile


@dataclass(frozen=True, slots=True)
class FoundText:
    """Something that a file says, and where."""

    text: str
    path: str
    line: int = 0

    @property
    def place(self) -> str:
        """``path:12``, or the path."""
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True)
class Sources:
    """The files of a repository that is open."""

    view: IndexView

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """All files, by path."""
        return tuple(self.view.files)

    def has(self, path: str) -> bool:
        """Whether there is such a file."""
        return self.view.files.get(path) is not None

    def text(self, path: str) -> str:
        """The text of a file; empty where there is none."""
        return self.view.files.text(path) if self.has(path) else ""

    def lines(self, path: str) -> list[str]:
        """The lines of a file; none where there is none."""
        return self.view.files.all_lines(path) if self.has(path) else []

    def below(self, folder: str) -> list[SourceFile]:
        """The files of a folder and of those in it."""
        return [file for file in self.files if file.path.startswith(f"{folder}/")]

    def toml(self, path: str) -> dict[str, Any]:
        """What a TOML file holds; nothing where it cannot be read as one."""
        try:
            return tomllib.loads(self.text(path))
        except tomllib.TOMLDecodeError:
            return {}

    def json(self, path: str) -> dict[str, Any]:
        """What a JSON file holds; nothing where it cannot be read as an object."""
        try:
            held = json.loads(self.text(path) or "{}")
        except ValueError:
            return {}
        return held if isinstance(held, dict) else {}

    def line_of(self, path: str, words: str) -> int:
        """The first line of a file that holds some words; 0 for none."""
        return next((number for number, line in enumerate(self.lines(path), 1) if words in line), 0)


def toml_table(held: object, *keys: str) -> dict[str, Any]:
    """A table within tables; empty where there is none."""
    for key in keys:
        held = held.get(key) if isinstance(held, dict) else None
    return held if isinstance(held, dict) else {}
