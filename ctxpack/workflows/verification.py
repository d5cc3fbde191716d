"""Check a report against the repository: whether each of its pieces is still there, as the report shows it.

A piece is compared with the file as it is now. Only where they differ is the reason looked for: the lines are
elsewhere, the file changed, or somebody edited the report. The last is known from the check digits of the report,
or from the commit or blob that it names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Final

from ctxpack.errors import UsageError
from ctxpack.gather.focus import Span
from ctxpack.index.opening import find_files
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import RECORD, Form, Request, Scope, SourceFile
from ctxpack.render.read_back import ReadPiece, ReadReport
from ctxpack.render.wording import digits_of
from ctxpack.settings import Settings
from ctxpack.settings.recipe import read_recipe
from ctxpack.system.disk import read_whole
from ctxpack.system.git import Git, GitError, find_git, is_no_name
from ctxpack.text import decode, lines_of, printable, valid
from ctxpack.understand.change import Revisions
from ctxpack.understand.commits import resolve_revisions
from ctxpack.workflows.matching import (
    Patch,
    Row,
    find_elsewhere,
    find_rows,
    has_similar_line,
    longest_line,
    outline_moves,
    read_patch,
    rows_of,
    texts_of,
)

_MOST_OF_FILE: Final = 32_000_000  # bytes; no repository can have larger files packed
_MOST_READ: Final = 300_000_000  # bytes of other files in which moved lines are looked for
_LOGGED: Final = lazy_pattern(r"^([0-9a-f]{7,64}) \d{4}-\d\d-\d\d ", re.MULTILINE)  # a commit, in a piece about history
_COMMIT: Final = lazy_pattern(r"[0-9a-f]{4,64}")
_LEAST_NEEDLE: Final = 4  # characters


class Status(StrEnum):
    """What became of a piece."""

    UNCHANGED = "unchanged"
    MOVED = "moved"
    CHANGED = "changed"
    GONE = "gone"
    EDITED = "edited"


@dataclass(frozen=True, slots=True)
class CheckedPiece:
    """A piece and what became of it; of one that has moved, where its lines are now."""

    piece: ReadPiece
    status: Status
    path: str = ""
    span: Span = (0, 0)


def check_report(report: ReadReport, settings: Settings) -> tuple[CheckedPiece, ...]:
    """Check every piece of a report against the repository of ``settings``, in order. Raises CtxpackError."""
    repository = _Repository(settings, report)
    checked = [_check(piece, report, repository) for piece in report.pieces]
    return tuple(_with_new_homes(checked, repository))


def _check(piece: ReadPiece, report: ReadReport, repository: _Repository) -> CheckedPiece:
    """Check one piece, without looking for its lines in other files."""
    digits = report.digits(piece)
    bare = texts_of(piece)[-1]
    if piece.path == RECORD or (piece.form is Form.OUTLINE and _LOGGED.match(bare)):
        return _check_made(piece, digits, is_same=repository.has_commits(_LOGGED.findall(bare)))
    if piece.form is Form.OUTLINE:
        return _check_outline(piece, digits, repository)
    patch = read_patch(piece.text)
    return _check_patch(piece, patch, digits, repository) if patch else _check_lines(piece, digits, report, repository)


def _check_lines(piece: ReadPiece, digits: str, report: ReadReport, repository: _Repository) -> CheckedPiece:
    """Check lines of a file."""
    path = repository.real_path(piece.path)
    lines = repository.lines_of_blob(piece.blob) if piece.is_other_version else repository.lines(path)
    versions = list(rows_of(piece))
    if lines is not None and any(find_rows(piece, rows, lines, start=piece.start_line) for rows in versions):
        return CheckedPiece(piece, Status.UNCHANGED)
    if _is_edited(piece, versions, digits, report, repository):
        return CheckedPiece(piece, Status.EDITED)
    if lines is None:
        return CheckedPiece(piece, Status.GONE)
    for rows in versions:
        if span := find_elsewhere(piece, rows, lines):
            return CheckedPiece(piece, Status.MOVED, path, span)
    is_left = any(has_similar_line(rows, lines) for rows in versions)
    return CheckedPiece(piece, Status.CHANGED if is_left else Status.GONE)


def _check_made(piece: ReadPiece, digits: str, *, is_same: bool) -> CheckedPiece:
    """Check a piece that does not consist of lines of a file."""
    if _differs(piece, digits):
        return CheckedPiece(piece, Status.EDITED)
    return CheckedPiece(piece, Status.UNCHANGED if is_same else Status.CHANGED)


def _differs(piece: ReadPiece, digits: str) -> bool:
    return bool(digits) and all(digits_of(text) != digits for text in texts_of(piece))


def _check_outline(piece: ReadPiece, digits: str, repository: _Repository) -> CheckedPiece:
    """Check the entries of an outline; of a text that has none, whether its file is the same."""
    path = repository.real_path(piece.path)
    lines = repository.lines(path)
    if lines is None or _differs(piece, digits):
        return CheckedPiece(piece, Status.GONE if lines is None else Status.EDITED)
    moves = next(
        (moves for text in reversed(texts_of(piece)) if (moves := outline_moves(text, lines)) is not None), None
    )
    if moves is None:
        before = repository.lines_before(piece)
        return CheckedPiece(piece, Status.UNCHANGED if before in (None, lines) else Status.CHANGED)
    if any(moves) and repository.lines_before(piece) == lines:
        return CheckedPiece(piece, Status.UNCHANGED)  # whatever its entries name: the file is as it was
    known = [move for move in moves if move is not None]
    if len(known) < len(moves):
        return CheckedPiece(piece, Status.CHANGED if known else Status.GONE)
    if any(known):
        last = min(piece.end_line + known[-1], len(lines))
        return CheckedPiece(piece, Status.MOVED, path, (max(1, piece.start_line + known[0]), last))
    return CheckedPiece(piece, Status.UNCHANGED)


def _check_patch(piece: ReadPiece, patch: Patch, digits: str, repository: _Repository) -> CheckedPiece:
    """Check both sides of a diff, each against the state that it was of."""
    if _differs(piece, digits):
        return CheckedPiece(piece, Status.EDITED)
    moves: list[int] = []
    path = repository.real_path(patch.new_path or patch.old_path)
    for side, its, lines in (
        ("+", patch.new_path, repository.new_lines(patch.new_path)),
        ("-", patch.old_path, repository.old_lines(patch.old_path)),
    ):
        if not its:
            if side == "+" and repository.new_lines(patch.old_path) is not None:
                return CheckedPiece(piece, Status.CHANGED)  # what it deletes is there again
            continue
        if lines is None:
            return CheckedPiece(piece, Status.GONE)
        shifts = patch.shift(side, lines)
        if shifts is None:
            return CheckedPiece(piece, Status.CHANGED)
        moves += shifts.values() if side == "+" else ()
    if any(moves):
        return CheckedPiece(piece, Status.MOVED, path, (piece.start_line + moves[0], piece.end_line + moves[-1]))
    return CheckedPiece(piece, Status.UNCHANGED)


def _is_edited(
    piece: ReadPiece, versions: Sequence[Sequence[Row]], digits: str, report: ReadReport, repository: _Repository
) -> bool:
    """Whether it is known that the text is not what the report was written with."""
    if digits:
        return _differs(piece, digits)
    if not piece.blob and (report.state(piece.path).is_dirty if piece.is_dirty is None else piece.is_dirty):
        return False
    before = repository.lines_before(piece)
    return before is not None and not any(find_rows(piece, rows, before, start=piece.start_line) for rows in versions)


def _with_new_homes(checked: Iterable[CheckedPiece], repository: _Repository) -> Iterator[CheckedPiece]:
    """The pieces; those whose lines are in another file now have moved there."""
    checked = list(checked)
    lost = {Status.CHANGED, Status.GONE}
    needles = {
        each.piece: (rows, needle)
        for each in checked
        if each.status in lost and each.piece.form is not Form.OUTLINE and not each.piece.is_other_version
        for rows in list(rows_of(each.piece))[-1:]
        if len(needle := longest_line(rows)) >= _LEAST_NEEDLE and read_patch(each.piece.text) is None
    }
    homes = repository.find_homes(needles)
    for each in checked:
        home = homes.get(each.piece)
        yield CheckedPiece(each.piece, Status.MOVED, *home) if home else each


class _Repository:
    """The files of a repository as they are now, and as they were."""

    def __init__(self, settings: Settings, report: ReadReport) -> None:
        self._settings = settings
        self._report = report
        self._gits = {label: git for label, its in self._roots() if (git := find_git(str(its)))}
        self._most = max(settings.max_file_size, _MOST_OF_FILE)
        self._lines: dict[tuple[str, bool], list[str] | None] = {}
        self._objects: dict[tuple[str, str], bytes | None] = {}

    def _roots(self) -> Iterator[tuple[str, Path]]:
        """The folders, by label; the one root has none."""
        places = self._settings.places
        yield from places.labelled.items() if places.labelled else (("", places.root),)

    @cached_property
    def _files(self) -> Mapping[str, SourceFile]:
        return {file.path: file for file in find_files(self._settings).files}

    @cached_property
    def _by_print(self) -> Mapping[str, str]:
        """The paths as reports print them, where that is not how they are."""
        odd = [path for path in self._files if printable(path) != path or valid(path) != path]
        return {**{printable(path): path for path in odd}, **{valid(path): path for path in odd}}

    def real_path(self, written: str) -> str:
        """The path that a report prints in this way."""
        return written if written in self._files else self._by_print.get(written, written)

    def lines(self, path: str, *, as_is: bool = False) -> list[str] | None:
        """The lines of a file as it is now, or with ``as_is`` as a diff shows them; None where there is none."""
        key = path, as_is
        if key not in self._lines:
            self._lines[key] = self._read(path, as_is=as_is)
        return self._lines[key]

    def _read(self, path: str, *, as_is: bool) -> list[str] | None:
        """The lines of a file of the repository, or of one that was named; never of one outside."""
        places = self._settings.places
        place = places.of(path)
        try:
            is_inside = bool(path) and places.holds(place.resolve())
            if not is_inside or not place.is_file() or any(map(is_no_name, place.resolve().parts)):
                return None
            return lines_of(decode(read_whole(place.resolve(), self._most), as_is=as_is))
        except (OSError, ValueError):  # it is reported as gone
            return None

    def lines_before(self, piece: ReadPiece) -> list[str] | None:
        """The lines of the file that the report was made from; None where they are not known."""
        if piece.blob:
            return self.lines_of_blob(piece.blob)
        path = self.real_path(piece.path)
        state = self._report.state(path)
        if state.is_dirty and piece.is_dirty is not False:
            return None
        label, _, inner = path.partition("/")
        of, inner = (label, inner) if label in self._settings.members else ("", path)
        return self._object_lines(f"{state.commit}:./{inner}", state.commit, of)

    def lines_of_blob(self, blob: str) -> list[str] | None:
        """The lines of a blob, by the beginning of its name: that of a file, or one that git has kept."""
        same = next((path for path, file in self._files.items() if blob and file.blob.startswith(blob)), "")
        if same:
            return self.lines(same)
        return next(
            (found for label in self._gits if (found := self._object_lines(blob, blob, label)) is not None), None
        )

    def new_lines(self, path: str) -> list[str] | None:
        """The lines of a file on the new side of the diff that the report shows."""
        revisions = self._revisions
        if revisions is None or revisions.is_work_tree or not path:
            return self.lines(self.real_path(path), as_is=True)
        start = revisions.new or ""  # the index
        return self._object_lines(f"{start}:./{self.real_path(path)}", "0000", as_is=True)

    def old_lines(self, path: str) -> list[str] | None:
        """The lines of a file on the old side of the diff that the report shows."""
        revisions = self._revisions
        if revisions is None or not path:
            return None
        return self._object_lines(f"{revisions.old}:./{self.real_path(path)}", revisions.old, as_is=True)

    @cached_property
    def _revisions(self) -> Revisions | None:
        request = read_recipe(self._report.recipe).request
        asked = request if request.scope is Scope.DIFF else Request(Scope.DIFF)
        try:
            return resolve_revisions(asked, self._settings)[1]
        except UsageError:  # it is reported as gone or changed
            return None

    def _object_lines(self, name: str, start: str, label: str = "", *, as_is: bool = False) -> list[str] | None:
        """The lines of an object of git's, in one root; ``start`` is the part that must be a hash."""
        git = self._gits.get(label)
        if git is None or not _COMMIT.fullmatch(start):
            return None
        key = label, name
        if key not in self._objects:
            try:
                size = int(git.start("cat-file", "-s", name).text())
                found = None if size > self._most else os.fsencode(git.start("cat-file", "blob", name).text())
            except GitError:  # it is reported as not known
                found = None
            self._objects[key] = found
        data = self._objects[key]
        return None if data is None else lines_of(decode(data, as_is=as_is))

    def has_commits(self, names: Sequence[str]) -> bool:
        """Whether all of some commits are there; without git nobody can tell, and nothing is stale."""
        gits = self._gits.values()
        return not gits or all(any(self._has_commit(git, name) for git in gits) for name in names)

    def _has_commit(self, git: Git, name: str) -> bool:
        try:
            git.start("cat-file", "-e", f"{name}^{{commit}}").text()
        except GitError:  # it is reported as changed
            return False
        return True

    def find_homes(self, needles: Mapping[ReadPiece, tuple[Sequence[Row], str]]) -> dict[ReadPiece, tuple[str, Span]]:
        """Where else the rows of some pieces are: in the file that is most like theirs by its name."""
        found: dict[ReadPiece, tuple[str, Span]] = {}
        if not needles:
            return found
        left = _MOST_READ
        texts: dict[str, bytes] = {}
        for path, file in self._files.items():
            left -= file.size
            if left > 0:
                texts[path] = self._bytes(path)
        for piece, (rows, needle) in needles.items():
            wanted = needle.encode("utf-8", "replace")
            holders = [path for path, data in texts.items() if path != piece.path and wanted in data]
            for path in sorted(holders, key=lambda path: (*_distance(path, piece.path), path)):
                if span := find_elsewhere(piece, rows, self.lines(path) or []):
                    found[piece] = path, span
                    break
        return found

    def _bytes(self, path: str) -> bytes:
        try:
            return self._settings.places.of(path).read_bytes()
        except OSError:  # gone meanwhile: nothing has moved there
            return b""


def _distance(path: str, before: str) -> tuple[bool, bool]:
    """How different two paths are: another name, another ending."""
    one, other = path.rpartition("/")[2], before.rpartition("/")[2]
    return one != other, one.rpartition(".")[2] != other.rpartition(".")[2]
