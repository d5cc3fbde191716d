"""The contents of a report that was read back."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.light import dataclass, field
from ctxpack.model import Form


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A piece as a report shows it. ``path`` is as it was printed; ``text`` may have line numbers."""

    number: int
    path: str
    start_line: int
    end_line: int
    text: str
    form: Form = Form.FULL
    cut_from: tuple[int, int] | None = None
    dropped: tuple[str, ...] = ()
    language: str = ""
    blob: str = ""  # the beginning of the blob that the lines are of, where the report says it
    is_other_version: bool = False  # the lines are not of the file as it was searched, but of that blob
    is_dirty: bool | None = None  # whether the file was not as committed, where the report says it


@dataclass(frozen=True, slots=True)
class ReadState:
    """The state of a root in a report: the prefix of its commit, and whether there were uncommitted changes."""

    commit: str = ""
    is_dirty: bool = False


@dataclass(frozen=True, slots=True)
class ReadReport:
    """A report. ``roots`` are the states of several roots by their labels; ``check`` are all check digits, or empty."""

    format: str
    pieces: tuple[ReadPiece, ...]
    text: str = ""  # of the request, as far as it is shown
    commit: str = ""
    is_dirty: bool = False
    budget: int = 0
    check: str = ""
    recipe: str = ""
    is_part: bool = False  # of a file that ``refresh`` keeps
    roots: Mapping[str, ReadState] = field(default_factory=dict)

    def state(self, path: str) -> ReadState:
        """The state of the root that a path is in."""
        return self.roots.get(path.partition("/")[0]) or ReadState(self.commit, self.is_dirty)

    def digits(self, piece: ReadPiece) -> str:
        """The check digits of a piece; empty where the report has none."""
        at = 3 * self.pieces.index(piece)
        return self.check[at : at + 3] if len(self.check) == 3 * len(self.pieces) else ""
