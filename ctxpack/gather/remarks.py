"""Notes for the user about what could not be read as it was meant: named files that are missing, a missing git."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.git import enclosing_repository, find_git
from ctxpack.index import IndexView
from ctxpack.settings import Settings

if TYPE_CHECKING:
    from ctxpack.changes import Change

_SHOWN = 5  # missing files that are named


def notes(view: IndexView, settings: Settings, change: Change | None = None) -> tuple[str, ...]:
    """One sentence for each thing that the report cannot show by itself."""
    told: list[str] = [*settings.notes]
    told += _missing(settings.paths or (), settings.root)
    if change is not None and _ends_elsewhere(change, view):
        told.append("The change is that of the commits; callers, tests and documents are those of the files on disk.")
    if not view.state.is_git and enclosing_repository(str(settings.root)) and find_git(str(settings.root)) is None:
        told.append("git is not installed: ignore rules were read without it, and there is no history.")
    return tuple(told)


def _ends_elsewhere(change: Change, view: IndexView) -> bool:
    """Whether a diff ends in another state than that of the files on disk."""
    end = change.revisions.new
    return bool(end) and (end != view.state.commit or view.state.dirty)


def _missing(paths: Sequence[str], root: Path) -> list[str]:
    gone = [path for path in paths if not (root / path).exists()]
    if not gone:
        return []
    more = f" and {len(gone) - _SHOWN} more" if len(gone) > _SHOWN else ""
    return [f"Not there, though listed: {', '.join(gone[:_SHOWN])}{more}."]
