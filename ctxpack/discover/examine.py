"""From a listed path to a SourceFile or a Skipped: what lies there, how large, of what content."""

# ruff: noqa: PTH110 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass

from ctxpack.discover import content, languages, traits
from ctxpack.discover.binaries import BINARY_SUFFIXES
from ctxpack.discover.judgement import Judgement
from ctxpack.discover.kinds import Kinds
from ctxpack.discover.known import Known
from ctxpack.discover.listing import Found
from ctxpack.discover.surroundings import Surroundings
from ctxpack.model import Kind, Skipped, SourceFile, Trait


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
            try:
                known = self._read(found)
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

    def _read(self, found: Found) -> Known:
        status = found.status
        name = found.path.rpartition("/")[2]
        file = os.open(f"{self.root}/{found.path}", os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            head = os.read(file, content.HEAD_SIZE)
            facts = content.sniff(head, self._language(found.path, name), is_whole=status.st_size <= len(head))
            blob = found.blob
            if not blob and facts.skip_reason != "binary":
                with os.fdopen(file, "rb", closefd=False) as stream:
                    blob = digest(head + stream.read(), found.indexed)
        finally:
            os.close(file)
        return Known(status.st_size, status.st_mtime_ns, blob, facts.language, facts.traits, facts.skip_reason)

    def _file(self, found: Found, known: Known, *, is_explicit: bool) -> SourceFile:
        path = found.path
        if known.kind is None or known.judged_by != self.judgement.digest:
            known = self._judged(path, known)
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

    def _judged(self, path: str, known: Known) -> Known:
        """What is known of the content, with what the path tells."""
        by_name = self._language(path, path.rpartition("/")[2])
        language = known.language if by_name in {"", "text"} else by_name
        kind = self.judgement.kinds.kind(path, language)
        return known._replace(language=language, kind=kind, traits=_merged(traits.of_path(path), known.traits))

    def _language(self, path: str, name: str) -> str:
        if not name.endswith((".h", ".H")):
            return languages.of_name(name)
        return languages.of_name(name, is_cpp_near=self.judgement.near.is_cpp_near(path.rpartition("/")[0]))

    def _why_not_regular(self, path: str, mode: int) -> str:
        if not stat.S_ISLNK(mode):
            return "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        target = os.path.realpath(f"{self.root}/{path}")
        inner = os.path.relpath(target, self.root).replace(os.sep, "/") if _is_inside(target, self.root) else ""
        if not inner:
            return "symbolic link that leads outside the root"
        return f"symbolic link to {inner}" if os.path.exists(target) else f"symbolic link to {inner}, which is missing"


def classify(path: str, head: bytes, patterns: Mapping[str, tuple[str, ...]]) -> tuple[Kind, str, tuple[Trait, ...]]:
    """Kind, language and traits of one file alone, from its path, its first bytes and the configured patterns."""
    facts = content.sniff(head, languages.of_name(path.rpartition("/")[2]), is_whole=True)
    kind = Kinds(patterns, Surroundings()).kind(path, facts.language)
    return kind, facts.language, _merged(traits.of_path(path), facts.traits)


def digest(data: bytes, indexed: str = "") -> str:
    """Git's blob id of ``data``; the ``indexed`` id if only line ends differ, as git's own conversion leaves them."""
    new = hashlib.sha256 if len(indexed) == 64 else hashlib.sha1  # noqa: PLR2004 -- git's two object formats
    blob = new(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    if indexed and blob != indexed and b"\r\n" in data:
        unix = data.replace(b"\r\n", b"\n")
        if new(b"blob %d\0" % len(unix) + unix, usedforsecurity=False).hexdigest() == indexed:
            return indexed
    return blob


def readable_size(size: int) -> str:
    """``1000000`` -> ``1 MB``."""
    for unit, factor in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


def _merged(by_path: tuple[Trait, ...], by_content: tuple[Trait, ...]) -> tuple[Trait, ...]:
    return traits.in_order([*by_path, *by_content]) if by_content else by_path


def _is_inside(target: str, root: str) -> bool:
    return target == root or target.startswith(root.rstrip("/\\") + os.sep)
