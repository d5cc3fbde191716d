"""From a listed path to a SourceFile or a Skipped: what lies there, how large, of what content.

What is known from the last run is not read; then what reads and judges a content is not even loaded.
"""

# ruff: noqa: PTH110 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass

from ctxpack.discover.binaries import BINARY_SUFFIXES
from ctxpack.discover.judgement import Judgement
from ctxpack.discover.known import Known
from ctxpack.discover.listing import Found
from ctxpack.model import Kind, Skipped, SourceFile


@dataclass(frozen=True, slots=True)
class Examiner:
    """Examines the files of one root."""

    root: str
    max_file_size: int
    known: Mapping[str, Known]
    judgement: Judgement

    def examine(self, found: Found, *, is_wanted: bool = False, is_explicit: bool = False) -> SourceFile | Skipped:
        """Judge one path. ``is_wanted`` (a negation, or the very path was named) lifts every limit but "binary"."""
        path, status = found.path, found.status
        if not stat.S_ISREG(status.st_mode):
            return Skipped(path, self._why_not_regular(path, status.st_mode))
        if path.rpartition(".")[2].lower() in BINARY_SUFFIXES:
            return Skipped(path, "binary")
        if status.st_size > self.max_file_size and not is_wanted:
            return Skipped(path, f"larger than {readable_size(self.max_file_size)} (limit max_file_size)")
        known = self._recall(found)
        if known is None:
            from ctxpack.discover.reading import read

            try:
                known = read(self.root, found, self.judgement)
            except OSError as error:
                return Skipped(path, f"cannot be read: {error.strerror}")
        if known.skip_reason and (known.skip_reason == "binary" or not is_wanted):
            return Skipped(path, known.skip_reason, status.st_size, status.st_mtime_ns)
        return self._file(found, known, is_explicit=is_explicit)

    def _recall(self, found: Found) -> Known | None:
        known = self.known.get(found.path)
        if known is None or known.mtime_ns != found.status.st_mtime_ns or known.size != found.status.st_size:
            return None
        if known.skip_reason:
            return known
        return None if found.blob and found.blob != known.blob else known

    def _file(self, found: Found, known: Known, *, is_explicit: bool) -> SourceFile:
        path = found.path
        if known.kind is None or known.judged_by != self.judgement.digest:
            from ctxpack.discover.reading import judged

            known = judged(path, known, self.judgement)
        return SourceFile(
            path=path,
            kind=known.kind or Kind.DATA,
            language=known.language,
            size=found.status.st_size,
            blob=known.blob,
            mtime_ns=found.status.st_mtime_ns,
            traits=known.traits,
            dirty=found.is_staged or known.blob != found.indexed,
            is_explicit=is_explicit,
        )

    def _why_not_regular(self, path: str, mode: int) -> str:
        if not stat.S_ISLNK(mode):
            return "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        target = os.path.realpath(f"{self.root}/{path}")
        inner = os.path.relpath(target, self.root).replace(os.sep, "/") if _is_inside(target, self.root) else ""
        if not inner:
            return "symbolic link that leads outside the root"
        return f"symbolic link to {inner}" if os.path.exists(target) else f"symbolic link to {inner}, which is missing"


def readable_size(size: int) -> str:
    """``1000000`` -> ``1 MB``."""
    for unit, factor in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


def _is_inside(target: str, root: str) -> bool:
    return target == root or target.startswith(root.rstrip("/\\") + os.sep)
