"""The whole way from a request to a Change: resolve, list, read, and say of each file what cannot be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ctxpack.changes.blobs import sizes, texts
from ctxpack.changes.change import Change, FileChange
from ctxpack.changes.hunks import Hunk, whole_file
from ctxpack.changes.keys import without_keys
from ctxpack.changes.listing import Entry, entries, plain
from ctxpack.changes.messages import messages_of
from ctxpack.changes.patches import hunks_of
from ctxpack.changes.revisions import Revisions, resolve
from ctxpack.discover.examine import readable_size
from ctxpack.discover.ignores import Ignores, read_ignores
from ctxpack.discover.process import Git, GitError, split_records
from ctxpack.discover.reading import classify
from ctxpack.errors import InternalError, NothingFoundError
from ctxpack.index import IndexView
from ctxpack.model import Kind, Request, Trait
from ctxpack.settings import Settings

_NO_BLOB = "0"
_BRIEF = 8  # digits of a commit's hash
_LINK, _NO_FILE = "120000", "000000"


def read_change(request: Request, settings: Settings, view: IndexView) -> Change:
    """What the request of a diff is about.

    Raises UsageError for a revision that cannot be compared, and NothingFoundError where nothing differs.
    """
    git, revisions = resolve(request, settings)
    if revisions.is_work_tree and request.revision.strip() and revisions.head and not view.state.dirty:
        title = f"{request.revision.strip()}..HEAD"  # nothing is uncommitted, so it is commits that differ
        revisions = replace(revisions, title=title, new=revisions.head)
    try:
        change = _read(plain(git), revisions, settings, view)
    except GitError as error:
        raise InternalError(f"Git cannot tell what changed: {error}.") from error
    if not change.files:
        where = {"uncommitted changes": "since the last commit", "staged changes": "in what is staged"}
        raise NothingFoundError(
            f"Nothing has changed {where.get(revisions.title, f'in {revisions.title}')}.",
            hint="Name a commit or a range: ctxpack diff HEAD~1, ctxpack diff main..HEAD",
        )
    return change


def _read(git: Git, revisions: Revisions, settings: Settings, view: IndexView) -> Change:
    ignores = read_ignores(settings, str(view.state.root.resolve()), (file.path for file in view.files))
    shown = _Shown(settings, ignores)
    everything = entries(git, revisions)
    listed = [entry for entry in everything if shown.is_asked(entry.path)]
    readable = [entry for entry in listed if not entry.is_submodule and not shown.hides(entry)]
    hunks = hunks_of(git, revisions, everything, {entry.path for entry in readable if entry.added is not None})
    known = sizes(git, (blob for each in listed for blob in (each.old_blob, each.new_blob) if blob.strip(_NO_BLOB)))
    makes = _Maker(settings, view, shown, known, hunks)
    files = [makes.file(entry) for entry in listed]
    if revisions.is_work_tree:
        files += _untracked(git, view, shown)
    messages, more = messages_of(git, revisions)
    needed = (blob for each in files if each.hunks for blob in (each.old_blob, each.new_blob))
    kept = {blob: known[blob] for blob in needed if known.get(blob, settings.max_file_size) < settings.max_file_size}
    change = Change(revisions, tuple(files), messages, more, texts(git, kept))
    return without_keys(change, view) if settings.use_redaction else change


@dataclass(frozen=True, slots=True)
class _Shown:
    """Which changed files the user wants to see."""

    settings: Settings
    ignores: Ignores

    def is_asked(self, path: str) -> bool:
        """Whether a list of files, if there is one, names it."""
        return (self.settings.paths is None or path in self.settings.paths) and path not in self.settings.unseen

    def reason(self, path: str) -> str:
        """The rule that hides a path, or nothing."""
        if self.settings.paths is not None or path in self.settings.include:
            return ""
        return self.ignores.reason(path, self.ignores.rule(path))

    def hides(self, entry: Entry) -> str:
        """The rule that hides a file by its name before or after."""
        return self.reason(entry.path) or self.reason(entry.old_path)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the FileChange of an entry."""

    settings: Settings
    view: IndexView
    shown: _Shown
    sizes: Mapping[str, int]
    hunks: Mapping[str, tuple[Hunk, ...]]

    def file(self, entry: Entry) -> FileChange:
        kind, language, traits = self._nature(entry)
        hunks = self.hunks.get(entry.path, ())
        remark = self._remark(entry, hunks)
        modes = (entry.old_mode, entry.new_mode)
        is_mode_change = modes[0] != modes[1] and _NO_FILE not in modes
        return FileChange(
            path=entry.path,
            old_path=entry.old_path,
            status=entry.status,
            kind=kind,
            language=language,
            traits=traits,
            added=entry.added or 0,
            removed=entry.removed or 0,
            hunks=() if remark else hunks,
            remark=remark,
            modes=modes if is_mode_change else ("", ""),
            old_blob=_blob(entry.old_blob, entry.old_mode),
            new_blob=_blob(entry.new_blob, entry.new_mode),
        )

    def _nature(self, entry: Entry) -> tuple[Kind, str, tuple[Trait, ...]]:
        file = self.view.file(entry.path)
        return (file.kind, file.language, file.traits) if file else classify(entry.path, b"", self.settings.kinds)

    def _remark(self, entry: Entry, hunks: Sequence[Hunk]) -> str:
        if entry.is_submodule:
            return f"submodule {_commit(entry.old_blob)} → {_commit(entry.new_blob)}"
        if rule := self.shown.hides(entry):
            return rule
        if entry.status == "U":
            return "in conflict"
        if entry.added is None:
            known = [self.sizes[blob] for blob in (entry.old_blob, entry.new_blob) if blob in self.sizes]
            return f"binary, {' → '.join(map(readable_size, known))}" if known else "binary"
        if not hunks:
            return self._without_lines(entry)
        return "only the ends of lines differ" if all(hunk.is_only_line_ends for hunk in hunks) else ""

    def _without_lines(self, entry: Entry) -> str:
        if entry.added or entry.removed:
            return "too large a diff to be read"
        if entry.path != entry.old_path:
            return f"renamed from {entry.old_path}, otherwise as it was"
        if _NO_FILE in (entry.old_mode, entry.new_mode):
            return "empty file"
        return "only its mode differs" if entry.old_mode != entry.new_mode else "no line differs"


def _untracked(git: Git, view: IndexView, shown: _Shown) -> Iterator[FileChange]:
    """Text files that git does not know yet: every line is new. What is no text is named."""
    skipped = {each.path: each for each in view.skipped}
    for path in split_records(git.start("ls-files", "-z", "-o", "--exclude-standard").text()):
        file, left_out = view.file(path), skipped.get(path)
        if not shown.is_asked(path) or shown.reason(path):
            continue
        if file is not None:
            lines = view.all_lines(path)
            hunks = whole_file(lines)
            yield FileChange(
                path,
                path,
                "A",
                file.kind,
                file.language,
                file.traits,
                len(lines),
                0,
                hunks,
                "" if hunks else "empty file",
            )
        elif left_out is not None:
            kind, language, traits = classify(path, b"", shown.settings.kinds)
            yield FileChange(path, path, "A", kind, language, traits, remark=f"untracked, {left_out.reason}")


def _blob(blob: str, mode: str) -> str:
    return blob if blob.strip(_NO_BLOB) and mode not in (_NO_FILE, _LINK) else ""


def _commit(blob: str) -> str:
    return blob[:_BRIEF] if blob.strip(_NO_BLOB) else "nothing"
