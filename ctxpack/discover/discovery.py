"""List a repository, layer our own ignore rules over it, and examine what is left: its size, content and kind.

What is known from the last run is not read; then what reads and judges a content is not even loaded.
"""

# ruff: noqa: PTH110, PTH112 -- tens of thousands of names as text with surrogate escapes
# ruff: noqa: SIM905 -- tables of words
from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ctxpack.discover.changes import (
    Changes,
    NanosecondClock,
    differing,
    is_same,
    mend,
    start_watch,
    state_key,
)
from ctxpack.discover.ignores import Ignores, read_ignores
from ctxpack.discover.last_run import LastRun, digest_of
from ctxpack.discover.listing import LATE, Judgement, Known, ListedFile, Listing, join_listings, look_at
from ctxpack.discover.source import Source, StateRuns, Way, read_state, start_state
from ctxpack.discover.unchanged import Tree, is_unchanged
from ctxpack.errors import InternalError, UsageError
from ctxpack.light import dataclass, replace
from ctxpack.model import Discovery, Kind, Skipped, SourceFile, Trait
from ctxpack.model.columns import FileTable
from ctxpack.settings import DEFAULT_FILE_SIZE, Settings
from ctxpack.system.clock import FIND_END, Deadline, Timekeeper, is_over
from ctxpack.system.git import GitBlockedError, GitError, find_git, has_record, is_bare
from ctxpack.text import number_of, readable_size

BINARY_SUFFIXES = frozenset(
    (
        "png jpg jpeg gif bmp ico icns webp avif tif tiff psd ai xcf heic raw cur "
        "mp3 mp4 m4a m4v wav flac ogg oga ogv webm avi mov mkv wmv aac mid opus "
        "zip gz tgz bz2 xz lzma zst 7z rar tar jar war ear whl egg nupkg apk ipa aab deb rpm dmg iso cab br lz4 "
        "exe dll so dylib a o obj lib pdb class pyc pyo pyd wasm node elc beam "
        "woff woff2 ttf otf eot ttc "
        "pdf docx xlsx pptx odt ods odp doc xls ppt epub "
        "sqlite sqlite3 db mdb parquet arrow feather orc npy npz h5 hdf5 pkl pickle joblib onnx pt pth gguf "
        "safetensors mo gmo jks p12 pfx keystore gpg der swf fla blend fbx glb stl ktx dds exr hdr shp dbf shx mmdb"
    ).split()
)

UNREAD = "cannot be read"
_LATE = "The search for files took longer than {:g} s: no time was left for {}."


_OF_OUTPUTS = 10  # times as large may a notebook be: most of it are pictures that nobody is shown
# Bytes that code may have where nobody named a limit. picocli's CommandLine.java and TypeScript's checker.ts have more
# than a megabyte, and are what those projects are about.
_MOST_OF_CODE = 4_000_000
_OF_OTHERS = frozenset({Trait.GENERATED, Trait.MINIFIED, Trait.VENDORED})
MOST_BYTES = 32_000_000  # of a file that an ignore file brings back: more is no text that anybody reads
_DEEPEST = 200  # folders above a file: more of them are made to break what follows them one by one


def discover(
    settings: Settings,
    known: Mapping[str, Known] | None = None,
    clock: NanosecondClock = time.time_ns,
    keeper: Timekeeper | None = None,
    meanwhile: Iterable[object] | None = None,
    on_file: Callable[[SourceFile], None] | None = None,
) -> Discovery:
    """Find the text files below ``settings.root`` and examine each; a file that is left out keeps its reason.

    ``known`` is what ``remember_files`` made of the last Discovery of this root: unchanged files are then not read, and
    not even looked at where git tells what has changed, and git is not asked while all times are the same. ``clock``
    says when git is asked, in nanoseconds; ``keeper`` how long the search may take. ``meanwhile`` is other work of this
    process in steps: git is asked first, and looks while they are done; once it has answered, no more is begun.
    ``on_file`` hears of each file as soon as it is found, in their order, where all are looked for anew.
    Raises UsageError if the root is no folder, if a named path is outside it, or if no file is left, and
    ConfigError if ``settings.kinds`` names an unknown kind.
    """
    root = os.path.realpath(settings.root)
    if not os.path.isdir(root):
        raise UsageError(f"{settings.root} is not a folder.", hint="Give --root a folder that exists.")
    if is_bare(root):
        raise UsageError(
            f"{settings.root} is a bare repository: it contains commits but no files to read.",
            hint="Check its files out and name them: git worktree add FOLDER, then --root FOLDER.",
        )
    keeper = keeper or Timekeeper()
    git, key = find_git(root, keeper), state_key(root, settings)
    seen = known.seen if isinstance(known, LastRun) else None
    last = known.last(settings.root) if isinstance(known, LastRun) and seen and seen.key == key else None
    is_asked = meanwhile is not None  # whatever the times
    if not is_asked and git and seen and last and is_unchanged(Tree(root, git, last.files, last.skipped), seen.stamps):
        return last
    watch = start_watch(root, settings, git, key, clock) if git and key else None
    for _ in meanwhile or ():
        if watch is None or watch.process.has_ended:
            break
    source = Source(root, settings.use_gitignore, keeper)
    changes = None
    try:
        changes = watch.changes() if watch else None
    except GitBlockedError as error:
        source.blocked = error
    if changes and last and isinstance(known, LastRun):
        mended = _mend_last(settings, root, changes, known, last)
        if mended and is_same(mended, last):
            return last if is_asked else _with_stamps(last, changes, root)
        if mended:
            return replace(mended, digest=digest_of(mended))
    return _list_anew(settings, source, known or {}, changes, on_file)


def _with_stamps(last: Discovery, changes: Changes, root: str) -> Discovery:
    """Return the last Discovery with the stamps that it has now."""
    stamps = changes.stamps(Tree(root, changes.git, last.files, last.skipped))
    return replace(last, seen=replace(last.seen, stamps=stamps)) if stamps and last.seen else last


def _mend_last(settings: Settings, root: str, changes: Changes, last_run: LastRun, last: Discovery) -> Discovery | None:
    """Return what the last run found, with what has changed since; None where that is more than some contents."""
    seen, differ = last.seen, differing(root, changes, last)
    if seen is None or differ is None:
        return None
    if not differ:
        return last
    ignores = read_ignores(settings, root, seen.ignore_files)
    known = {path: facts for path in differ if (facts := last_run.find(path))}
    paths = Tree(root, changes.git, last.files, last.skipped).paths
    judgement = Judgement(paths, settings.kinds, last.judged_by, (last.judged_by, last.folders))
    examiner = Examiner(root, settings.max_file_size, known, judgement)
    mended = mend(
        root, last, (changes, differ), lambda found: [*_judge(settings, ignores, Listing((found,)), examiner)]
    )
    return replace(mended, folders=judgement.folders) if mended and mended.files else None


def _list_anew(
    settings: Settings,
    source: Source,
    known: Mapping[str, Known],
    changes: Changes | None,
    on_file: Callable[[SourceFile], None] | None,
) -> Discovery:
    root = source.root
    runs = _ask_state(root, source.keeper)
    deadline = source.keeper.until(FIND_END)
    listing = _without_deep(source.list())
    state = read_state(settings.root, runs, is_git=source.way is Way.WORKTREE)
    ignores = read_ignores(settings, root, (found.path for found in listing.found))
    whole = _complete(settings, source, ignores, listing)
    judged_before = known.judged if isinstance(known, LastRun) else ("", "")
    judgement = Judgement((found.path for found in whole.found), settings.kinds, before=judged_before)
    examiner = Examiner(root, settings.max_file_size, known, judgement, deadline)
    judged = list(_telling(_judge(settings, ignores, whole, examiner), on_file))
    taken = (each for each in judged if isinstance(each, SourceFile))
    files = FileTable.of(sorted(taken, key=lambda file: file.path))
    skipped = [each for each in judged if isinstance(each, Skipped)] + [*whole.skipped]
    skipped += [source.note] if source.note else []
    skipped += [Skipped(name, "has too many rules") for name in ignores.cut]
    skipped.sort(key=lambda each: (each.path, each.reason))
    is_partial = _tell_late(files, skipped, source.keeper)
    if not files:
        from ctxpack.discover.named_paths import nothing_left_error

        raise nothing_left_error(root, source, skipped, is_listed=settings.paths is not None)
    changes = changes if listing.is_plain and not ignores.has_negations else None
    is_unread = is_partial or any(each.reason.startswith(UNREAD) for each in skipped)
    is_dirty = changes.is_dirty if changes else listing.is_dirty or any(map(_is_changed, listing.found))
    state = replace(state, dirty=state.is_git and (is_dirty or any(files.dirty)))
    seen = changes.as_seen(root, ignores.places) if changes and not is_unread else None
    if changes and seen:
        seen = replace(seen, stamps=changes.stamps(Tree(root, changes.git, files, skipped)))
    return Discovery(files, tuple(skipped), state, judgement.digest, seen, is_partial, folders=judgement.folders)


def _telling(
    judged: Iterable[SourceFile | Skipped], on_file: Callable[[SourceFile], None] | None
) -> Iterator[SourceFile | Skipped]:
    for each in judged:
        if on_file and isinstance(each, SourceFile):
            on_file(each)
        yield each


def _tell_late(files: Sequence[SourceFile], skipped: Sequence[Skipped], keeper: Timekeeper) -> bool:
    """Tell what there was no time for; return whether that is anything. Raises InternalError where nothing is left."""
    late, deadline = [each.path for each in skipped if each.reason == LATE], keeper.until(FIND_END)
    if not late or deadline is None:
        return False
    folders = sum(path.endswith("/") or not path for path in late)
    counted = [number_of(count, what) for count, what in ((folders, "folder"), (len(late) - folders, "file")) if count]
    said = _LATE.format(deadline.seconds, " and ".join(counted))
    if not files:
        raise InternalError(said, hint="Give it more time with --time-limit, or name a folder with --root.")
    keeper.cut(said)
    return True


def _without_deep(listing: Listing) -> Listing:
    """Return the listing without the files that lie too deep."""
    deep = [each for each in listing.found if len(each.path) > 2 * _DEEPEST and each.path.count("/") > _DEEPEST]
    if not deep:
        return listing
    gone = frozenset(each.path for each in deep)
    skipped = (Skipped(path, f"more than {_DEEPEST} folders deep") for path in sorted(gone))
    found = tuple(each for each in listing.found if each.path not in gone)
    return replace(listing, found=found, skipped=(*listing.skipped, *skipped))


def _ask_state(root: str, keeper: Timekeeper) -> StateRuns | None:
    git = find_git(root, keeper) if has_record(root) else None
    try:
        return start_state(git) if git else None
    except GitError:  # a folder without git has no state
        return None


def _complete(settings: Settings, source: Source, ignores: Ignores, listing: Listing) -> Listing:
    """Return the listing narrowed to the named paths, or widened by what our own ignore files bring back."""
    if settings.paths is not None:
        from ctxpack.discover.named_paths import narrow_listing

        return narrow_listing(source.root, settings.paths, listing)
    if not ignores.has_negations:
        return listing
    return join_listings((listing, Listing(tuple(look_at(source.root, _brought_back(source, ignores))))))


def _brought_back(source: Source, ignores: Ignores) -> Iterator[str]:
    hidden = source.list_hidden()
    folders = [path for path in hidden if path.endswith("/") and _is_negated(ignores, path[:-1], is_folder=True)]
    files = [path for path in hidden if not path.endswith("/")]
    for path in (*files, *source.below(folders)):
        if _is_negated(ignores, path, is_folder=False):
            yield path


def _is_negated(ignores: Ignores, path: str, *, is_folder: bool) -> bool:
    rule = ignores.folder_rule(path) if is_folder else ignores.rule(path)
    return rule is not None and rule.is_negated


def _judge(
    settings: Settings, ignores: Ignores, listing: Listing, examiner: Examiner
) -> Iterator[SourceFile | Skipped]:
    is_named = settings.paths is not None
    named, unseen = frozenset(settings.include), frozenset(settings.unseen)
    for found in sorted(listing.found, key=lambda each: each.path):
        path = found.path
        if path in unseen:
            continue
        rule = None if is_named else ignores.rule(path)
        if reason := ignores.reason(path, rule):
            yield Skipped(path, reason)
            continue
        is_wanted = is_named or path in named or (rule is not None and rule.is_negated)
        yield examiner.examine(found, is_wanted=is_wanted)


def _is_changed(found: ListedFile) -> bool:
    """Return whether git's record alone shows a change: no content needs to be read for this."""
    if not found.indexed or found.is_staged:
        return True
    return not found.blob and found.indexed_size not in {0, found.status.st_size}


@dataclass(frozen=True, slots=True)
class Examiner:
    """Examines the files of one root."""

    root: str
    max_file_size: int
    known: Mapping[str, Known]
    judgement: Judgement
    deadline: Deadline | None = None

    def examine(self, found: ListedFile, *, is_wanted: bool = False) -> SourceFile | Skipped:
        """Judge one path.

        ``is_wanted`` (a negation, or the very path was named) lifts every limit but "binary" and ``MOST_BYTES``, which
        a user lifts by naming a limit above it.
        """
        path, status = found.path, found.status
        if not stat.S_ISREG(status.st_mode):
            return Skipped(path, self._why_not_regular(path, status.st_mode))
        if path.rpartition(".")[2].lower() in BINARY_SUFFIXES:
            return Skipped(path, "binary")
        own = self.max_file_size * (_OF_OUTPUTS if path.endswith(".ipynb") else 1)
        limit = max(own, MOST_BYTES) if is_wanted else own
        too_large = Skipped(path, f"larger than {readable_size(limit)} (limit max_file_size)")
        if status.st_size > limit and not self._may_be_larger(found):
            return too_large
        known = self._recall(found) or self._read(found)
        if isinstance(known, Skipped):
            return known
        if known.skip_reason and (known.skip_reason == "binary" or not is_wanted):
            return Skipped(path, known.skip_reason, status.st_size, status.st_mtime_ns)
        file = self._file(found, known)
        return file if status.st_size <= limit or _is_written(file) else too_large

    def _may_be_larger(self, found: ListedFile) -> bool:
        """Whether a file may have more than the limit, if a person wrote it: code, where nobody named a limit."""
        if self.max_file_size != DEFAULT_FILE_SIZE or found.status.st_size > _MOST_OF_CODE:
            return False
        from ctxpack.discover.kinds import code_language

        return bool(code_language(found.path))

    def _read(self, found: ListedFile) -> Known | Skipped:
        if is_over(self.deadline):
            return Skipped(found.path, LATE)
        from ctxpack.discover.reading import read_facts

        try:
            return read_facts(self.root, found, self.judgement)
        except OSError as error:
            return Skipped(found.path, f"{UNREAD}: {error.strerror}")

    def _recall(self, found: ListedFile) -> Known | None:
        known = self.known.get(found.path)
        if known is None or known.mtime_ns != found.status.st_mtime_ns or known.size != found.status.st_size:
            return None
        if known.skip_reason:
            return known
        is_judged = known.judged_by == self.judgement.digest
        if not is_judged and Trait.GENERATED in known.traits and ".htm" in found.path:
            return None  # what told may be the document beside it, which may be gone
        return None if found.blob and found.blob != known.blob else known

    def _file(self, found: ListedFile, known: Known) -> SourceFile:
        path = found.path
        if known.kind is None or known.judged_by != self.judgement.digest:
            from ctxpack.discover.reading import judge_path

            known = judge_path(path, known, self.judgement, self.known.get(path))
        return SourceFile(
            path=path,
            kind=known.kind or Kind.DATA,
            language=known.language,
            size=found.status.st_size,
            blob=known.blob,
            mtime_ns=found.status.st_mtime_ns,
            traits=known.traits,
            dirty=found.is_staged or known.blob != found.indexed,
        )

    def _why_not_regular(self, path: str, mode: int) -> str:
        if not stat.S_ISLNK(mode):
            return "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        target = os.path.realpath(f"{self.root}/{path}")
        inner = os.path.relpath(target, self.root).replace(os.sep, "/") if _is_inside(target, self.root) else ""
        if not inner:
            return "symbolic link to a place outside the root"
        return f"symbolic link to {inner}" if os.path.exists(target) else f"symbolic link to {inner}, which is missing"


def _is_written(file: SourceFile) -> bool:
    """Whether it is code that a person wrote, and for this project."""
    return file.kind is Kind.CODE and _OF_OTHERS.isdisjoint(file.traits)


def _is_inside(target: str, root: str) -> bool:
    return target == root or target.startswith(root.rstrip("/\\") + os.sep)
