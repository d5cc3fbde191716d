"""Read a diff as a Change: resolve, list, read, and remark for each file what cannot be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ctxpack.discover.ignores import Ignores, read_ignores
from ctxpack.discover.reading import classify
from ctxpack.errors import InternalError, NothingFoundError
from ctxpack.index import IndexView
from ctxpack.light import dataclass, replace
from ctxpack.model import Kind, Request, Trait
from ctxpack.redact.redaction import redact
from ctxpack.settings import Settings
from ctxpack.system.clock import Timekeeper
from ctxpack.system.git import Git, GitError, is_no_name, plain_git, split_records
from ctxpack.text import lines_of, readable_size
from ctxpack.understand.change import Change, DiffLine, FileChange, Hunk, Revisions, new_file_hunks
from ctxpack.understand.commits import messages_of, resolve_revisions
from ctxpack.understand.patch import Entry, blob_sizes, blob_texts, diff_entries, hunks_of

_NO_BLOB = "0"
_BRIEF = 8  # digits of a commit's hash
_LINK, _NO_FILE = "120000", "000000"
_KEY = "PRIVATE KEY"


def read_change(request: Request, settings: Settings, view: IndexView) -> Change:
    """Read the change that a request of a diff names.

    Raises UsageError for a revision that cannot be compared, and NothingFoundError where nothing differs.
    """
    git, revisions = resolve_revisions(request, settings, view.keeper)
    if revisions.is_work_tree and request.revision.strip() and revisions.head and not view.state.dirty:
        title = f"{request.revision.strip()}..HEAD"  # nothing is uncommitted, so it is commits that differ
        revisions = replace(revisions, title=title, new=revisions.head)
    try:
        change = _read(plain_git(git), revisions, settings, view)
    except GitError as error:
        raise InternalError(f"Git cannot tell what changed: {error}.") from error
    if not change.files:
        told = {"uncommitted changes": "has changed since the last commit", "staged changes": "is staged"}
        raise NothingFoundError(
            f"Nothing {told.get(revisions.title, f'has changed in {revisions.title}')}.",
            hint="Name a commit or a range: ctxpack diff HEAD~1, ctxpack diff main..HEAD",
        )
    return change


def _read(git: Git, revisions: Revisions, settings: Settings, view: IndexView) -> Change:
    ignores = read_ignores(settings, str(view.state.root.resolve()), view.files.entries.paths)
    shown = _Shown(settings, ignores)
    everything = diff_entries(git, revisions)
    listed = [entry for entry in everything if shown.is_asked(entry.path)]
    readable = [entry for entry in listed if not entry.is_submodule and not shown.hides(entry)]
    hunks = hunks_of(git, revisions, everything, {entry.path for entry in readable if entry.added is not None})
    known = blob_sizes(
        git, (blob for each in listed for blob in (each.old_blob, each.new_blob) if blob.strip(_NO_BLOB))
    )
    makes = _Maker(settings, view, shown, known, hunks)
    files = [makes.file(entry) for entry in listed]
    if revisions.is_work_tree:
        files += _untracked_files(git, view, shown)
    messages, more = messages_of(git, revisions)
    needed = (blob for each in files if each.hunks for blob in (each.old_blob, each.new_blob))
    kept = {blob: known[blob] for blob in needed if known.get(blob, settings.max_file_size) < settings.max_file_size}
    change = Change(revisions, tuple(files), messages, more, blob_texts(git, kept))
    return redact_private_keys(change, view) if settings.use_redaction else change


@dataclass(frozen=True, slots=True)
class _Shown:
    """Which changed files the user wants to see."""

    settings: Settings
    ignores: Ignores

    def is_asked(self, path: str) -> bool:
        """Return whether a list of files, if there is one, names it; paths that leave the work tree are forged."""
        if any(map(is_no_name, path.split("/"))):
            return False
        return (self.settings.paths is None or path in self.settings.paths) and path not in self.settings.unseen

    def reason(self, path: str) -> str:
        """Return the rule that hides a path, or nothing."""
        if self.settings.paths is not None or path in self.settings.include:
            return ""
        return self.ignores.reason(path, self.ignores.rule(path))

    def hides(self, entry: Entry) -> str:
        """Return the rule that hides a file by its name before or after."""
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
        file = self.view.files.get(entry.path)
        return (file.kind, file.language, file.traits) if file else classify(entry.path, b"", self.settings.kinds)

    def _remark(self, entry: Entry, hunks: Sequence[Hunk]) -> str:
        if entry.is_submodule:
            return f"submodule {_commit(entry.old_blob)} → {_commit(entry.new_blob)}"
        if rule := self.shown.hides(entry):
            return rule
        if entry.status == "U":
            return "has conflicts"
        if entry.added is None:
            known = [self.sizes[blob] for blob in (entry.old_blob, entry.new_blob) if blob in self.sizes]
            return f"binary, {' → '.join(map(readable_size, known))}" if known else "binary"
        if not hunks:
            return self._without_lines(entry)
        return "only line endings differ" if all(hunk.is_only_line_ends for hunk in hunks) else ""

    def _without_lines(self, entry: Entry) -> str:
        if entry.added or entry.removed:
            return "diff too large to read"
        if entry.path != entry.old_path:
            return f"renamed from {entry.old_path}, otherwise unchanged"
        if _NO_FILE in (entry.old_mode, entry.new_mode):
            return "empty file"
        return "only the file mode differs" if entry.old_mode != entry.new_mode else "no lines differ"


def _untracked_files(git: Git, view: IndexView, shown: _Shown) -> Iterator[FileChange]:
    """Untracked text files, with every line as new; other untracked files are only named."""
    skipped = {each.path: each for each in view.skipped}
    for path in split_records(git.start("ls-files", "-z", "-o", "--exclude-standard").text()):
        file, left_out = view.files.get(path), skipped.get(path)
        if not shown.is_asked(path) or shown.reason(path):
            continue
        if file is not None:
            lines = view.files.all_lines(path)
            hunks = new_file_hunks(lines)
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


def redact_private_keys(change: Change, view: IndexView) -> Change:
    """Redact private keys in a change, by redacting whole files.

    A key may be longer than its hunk, so that neither its beginning nor its end is in the diff.
    """
    return replace(change, files=tuple(_redact_file(change, file, view) for file in change.files))


def _redact_file(change: Change, file: FileChange, view: IndexView) -> FileChange:
    old = change.texts.get(file.old_blob, "")
    new = change.texts.get(file.new_blob, "")
    if change.revisions.is_work_tree and view.files.get(file.path) is not None:
        new = view.files.text(file.path)
    if not file.hunks or (_KEY not in old and _KEY not in new):
        return file
    olds, news = (_redacted_lines(each, view.keeper) for each in (old, new))
    return replace(
        file, hunks=tuple(Hunk(tuple(_line(each, olds, news) for each in hunk.lines)) for hunk in file.hunks)
    )


def _redacted_lines(text: str, keeper: Timekeeper) -> Mapping[int, str]:
    """Return the lines that redaction changes, by number."""
    lines, clean = lines_of(text), lines_of(redact(text, keeper=keeper).text)
    return {at: row for at, (line, row) in enumerate(zip(lines, clean, strict=False), 1) if line != row}


def _line(line: DiffLine, olds: Mapping[int, str], news: Mapping[int, str]) -> DiffLine:
    if line.mark not in " +-":
        return line
    row = olds.get(line.old) if line.mark == "-" else news.get(line.new)
    return line if row is None else replace(line, text=row)
