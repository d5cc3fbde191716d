"""Where the files of a request lie on disk, and how a report writes their paths."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ctxpack.light import dataclass, field


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of a request: one ``root``, or several by the label that the paths of their files begin with.

    All folders are absolute, with their links followed.
    """

    root: Path
    labelled: Mapping[str, Path] = field(default_factory=dict)

    def of(self, path: str) -> Path:
        """Return where a path of a report leads."""
        label, _, inner = path.partition("/")
        folder = self.labelled.get(label)
        return self.root / path if folder is None else folder / inner

    def path_of(self, place: Path) -> str | None:
        """Return how a report writes an absolute path whose links were followed; None for one that is outside."""
        if not self.labelled:
            return place.relative_to(self.root).as_posix() if place.is_relative_to(self.root) else None
        around = [(label, folder) for label, folder in self.labelled.items() if place.is_relative_to(folder)]
        if not around:
            return None
        label, folder = max(around, key=lambda each: len(each[1].parts))  # one may lie within another
        return label if place == folder else f"{label}/{place.relative_to(folder).as_posix()}"

    def holds(self, place: Path) -> bool:
        """Whether a place is in one of the folders."""
        return self.path_of(place) is not None

    @property
    def folders(self) -> tuple[Path, ...]:
        """All folders."""
        return tuple(self.labelled.values()) or (self.root,)

    @property
    def told(self) -> str:
        """The folders, as a message names them."""
        return ", ".join(f"{label}={folder}" for label, folder in self.labelled.items()) or str(self.root)
