"""The input of the user: the repository, the words of the request, a file, the list on standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.cli.options import Flags
from ctxpack.cli.output import is_for_terminal, tell
from ctxpack.errors import CtxpackError, InternalError, UsageError, suggest
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Places, Request, Scope
from ctxpack.settings import Settings
from ctxpack.settings.loading import load, load_bare
from ctxpack.settings.sources import root_around
from ctxpack.system.disk import can_write
from ctxpack.text import decode, printable

if TYPE_CHECKING:
    from ctxpack.system.issues import Issue

_EXAMPLE = '"fix the retry bug in the uploader"'
_SAY_A_TASK = 'Say what the task is: ctxpack task "fix the retry bug".'
_SHOWN = 2  # files that are suggested
_ALIKE = 0.8  # difflib's ratio from which a whole path is the one that was meant


def settings_of(flags: Flags, **more: object) -> Settings:
    """Return the settings of the run; ``more`` win over what was typed. Raises UsageError and ConfigError."""
    settings = _settings_of_roots(flags, {**flags.values, **more})
    if flags.has("require"):
        settings = replace(settings, require=tuple(_from_here(settings.places, each) for each in settings.require))
    if settings.use_cache and not flags.quiet and not can_write(settings.cache_dir):
        folder = printable(str(settings.cache_dir))
        tell(f"Note: {folder} cannot be written, so every run reads the whole repository again.")
    if not flags.stdin:
        if flags.null:
            raise UsageError("--null needs --stdin.", hint="Add --stdin, or leave out --null.")
        return settings
    return replace(settings, paths=parse_paths(settings.places, _standard_input(), null=flags.null))


def _settings_of_roots(flags: Flags, given: Mapping[str, object]) -> Settings:
    """The settings of a run on what ``--root`` names, or on the repository around the current folder."""
    from ctxpack.settings.roots import join_roots, labels_of, split_label

    roots = [split_label(each) for each in flags.root or ()]
    if not roots:
        return load(root_around(Path.cwd()), given, os.environ, flags.config, flags.profile)
    if len(roots) == 1 and not roots[0][0]:
        return _settings_of_root(roots[0][1], given, flags)
    bare = replace(flags, config=None, profile=None)
    members = {label: _settings_of_root(place, {}, bare) for label, place in labels_of(roots).items()}
    return join_roots(load_bare(given, os.environ, flags.config, flags.profile), members)


def patient_settings(flags: Flags) -> Settings:
    """Return the settings of a run that waits for a long index, unless somebody waits for it on a terminal."""
    settings = settings_of(flags)
    is_watched = is_for_terminal(flags) and not flags.watch
    return replace(settings, wait=not is_watched) if settings.wait is None else settings


def folder_meant(flags: Flags) -> Path:
    """Return the folder that ``--root`` names, or the one of the repository around the current folder."""
    return Path(flags.root[0]).resolve() if flags.root else root_around(Path.cwd())


def _settings_of_root(written: str, given: Mapping[str, object], flags: Flags) -> Settings:
    if not Path(written).exists():
        from ctxpack.cli.fetching import fetched_settings

        return fetched_settings(written, given, flags)
    return load(written, given, os.environ, flags.config, flags.profile)


def tell_scope(flags: Flags, settings: Settings) -> None:
    """Say that the whole repository is searched, where the current folder is only a part of it."""
    is_quiet = flags.quiet or flags.log_format is not None
    if not flags.root and not is_quiet and is_below_root(settings.root):
        name = printable(settings.root.name)
        tell(f"Note: searching the whole repository {name}; use --root . to search this folder only.")


def tell_first_run(flags: Flags, settings: Settings) -> None:
    """Say on a terminal, before anything takes long, that nothing is known of the repository yet."""
    if flags.quiet or flags.log_format is not None or not (settings.use_cache and sys.stderr.isatty()):
        return
    from ctxpack.index.opening import has_index

    if not has_index(settings):
        tell(f"Reading {printable(settings.root.name)} for the first time; later runs only read what has changed.")


def is_below_root(root: Path) -> bool:
    """Whether the current folder is below a root."""
    here, top = Path.cwd().resolve(), root.resolve()
    return here != top and here.is_relative_to(top)


def request_text(words: Sequence[str], flags: Flags, hint: str = _SAY_A_TASK) -> str:
    """Return the words of a request; a single ``-`` means standard input.

    Of a link to an issue or a proposed change it is the text there; without words ``--root`` may be such a link.
    Raises UsageError with the ``hint`` if there are none.
    """
    text = " ".join(words)
    roots = flags.root or ()
    if not words and len(roots) == 1:
        text = roots[0]
    if text == "-":
        if flags.stdin:
            raise UsageError("Standard input cannot contain both the request and the list of files.")
        text = _standard_input().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if issue := _issue_of(text):
        from ctxpack.cli.fetching import fetched_text

        return fetched_text(issue, flags)
    if not words:
        raise UsageError("Missing argument 'TEXT'.", hint=f"For example: ctxpack task {_EXAMPLE}")
    if not text.strip():
        raise UsageError("The request is empty.", hint=hint)
    return text


def _issue_of(text: str) -> Issue | None:
    """The issue or proposed change that a request is a link to; nothing is loaded for other requests."""
    if not text.startswith("https:"):
        return None
    from ctxpack.system.issues import read_link

    return read_link(text)


def path_in_root(places: Places, written: str) -> str:
    """Return a file as the stages write it, from a path relative to the current folder or to the root.

    Raises UsageError for a path that is outside, does not exist or is a folder.
    """
    place = _place(places, written)
    if not place.exists():
        import shlex

        hint = _similar(place, places) or f"To find files by what they hold: ctxpack search {shlex.quote(place.stem)}"
        raise UsageError(f"There is no file {written} in {places.description}.", hint=hint)
    if place.is_dir():
        raise UsageError(f"{written} is a folder.", hint=f"Name one file, or try: ctxpack component {place.name}")
    return _below(place, places)


def is_in_root(places: Places, written: str) -> bool:
    """Whether there is such a file in the root, by a path relative to the current folder or to the root."""
    try:
        return bool(path_in_root(places, written))
    except (UsageError, OSError, ValueError):  # a request may hold what no path can
        return False


def path_of_buffer(places: Places, written: str) -> str:
    """Return the path of a file that may not exist yet, from the current folder if it is in the root, else from there.

    Raises UsageError for a path that is outside, or a folder.
    """
    place = _place(places, written)
    if not place.exists():
        local = Path(os.path.normpath(Path.cwd() / written))
        place = local if places.holds(_resolve(local)) and local.parent.is_dir() else place
    if place.is_dir():
        raise UsageError(f"{written} is a folder.", hint="Name the file whose text is on standard input.")
    return _below(place, places)


def standard_text() -> str:
    """Read standard input as the text of a file."""
    return decode(_standard_input())


def parse_paths(places: Places, data: bytes, *, null: bool) -> tuple[str, ...]:
    """Return the files that a list names, relative to the root, sorted; they need not exist.

    Raises UsageError for an empty list and for a path outside the root.
    """
    names = data.split(b"\0") if null else data.replace(b"\r\n", b"\n").split(b"\n")
    written = [os.fsdecode(name) for name in names if name]
    if not written:
        raise UsageError(
            "Standard input contains no file names.", hint="Pipe a list in: git ls-files | ctxpack … --stdin"
        )
    return tuple(sorted({_below(_place(places, name), places) for name in written}))


def _from_here(places: Places, written: str) -> str:
    """A required file and its lines, relative to the root; text that names no file here stays unchanged."""
    path, _, lines = written.partition(":")
    for name, rest in ((written, "/" if written.endswith("/") else ""), (path, f":{lines}")):
        place = Path(os.path.normpath(Path.cwd() / name))
        if name and place.exists() and place not in places.folders and places.holds(_resolve(place)):
            return _below(place, places) + rest
    return written


def _standard_input() -> bytes:
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise InternalError(f"Standard input cannot be read: {error.strerror}.") from error


def _place(places: Places, written: str) -> Path:
    """Where a path leads: from the current folder or from the root, whichever has something there."""
    if not written or "\0" in written:
        raise UsageError("The path is empty.", hint="Name a file of the repository: ctxpack file src/app.py")
    tried = [Path(os.path.normpath(place)) for place in (Path.cwd() / written, places.of(Path(written).as_posix()))]
    inside = [place for place in tried if places.holds(_resolve(place))]
    if not inside:
        hint = "Use --root to name the repository that contains it."
        raise UsageError(f"{written} is outside the repository {places.description}.", hint=hint)
    return next((place for place in inside if place.exists()), inside[-1])


def _below(place: Path, places: Places) -> str:
    """A place in one of the folders as the stages write it."""
    return places.path_of(_resolve(place)) or ""


def _resolve(place: Path) -> Path:
    """The path with the links of its folders followed, but not a link at its end: that one has a name of its own."""
    return place.parent.resolve() / place.name


def _similar(place: Path, places: Places) -> str:
    """A question that suggests files of the same name elsewhere, or of a similar name in the folder; empty for none."""
    import difflib

    below = places.path_of(place) or place.name
    paths = [path for root in places.folders for path in _repository_paths(root, places)]
    same = [path for path in paths if path.rpartition("/")[2].casefold() == place.name.casefold()]
    same.sort(key=lambda path: (-difflib.SequenceMatcher(None, path, below).ratio(), path))
    names = sorted(each.name for each in place.parent.iterdir() if each.is_file()) if place.parent.is_dir() else []
    close = [_below(place.with_name(name), places) for name in difflib.get_close_matches(place.name, names, n=_SHOWN)]
    found = same[:_SHOWN] or close or difflib.get_close_matches(below, paths, n=1, cutoff=_ALIKE)
    return suggest(found)


def _repository_paths(root: Path, places: Places) -> list[str]:
    """The files of a repository; none where it cannot be read, which is reported elsewhere."""
    from ctxpack.discover import discover

    try:
        found = discover(Settings(root=root, cache_dir=root)).files
    except CtxpackError:  # only a suggestion is lost
        return []
    return [path for file in found if (path := places.path_of(root / file.path))]


_SPAN = lazy_pattern(r"\s*(\d+)\s*(?:[:,-]\s*(\d+)\s*)?")
_KEY = lazy_pattern(r"[A-Za-z][\w.-]*")
TASK_HINT = "task"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as it was typed; None for missing parts. ``is_buffer``: the text of the file is on standard input."""

    line: str | None = None
    lines: str | None = None
    symbol: str | None = None
    is_buffer: bool = False


def request_at(path: str, spot: Spot) -> Request:
    """Return the request for a file, or for a place in it. Raises UsageError for what cannot be a place."""
    given = [
        flag for flag, value in (("--line", spot.line), ("--lines", spot.lines), ("--symbol", spot.symbol)) if value
    ]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} cannot be combined.", hint="Name one place.")
    lines = _span(spot.lines) if spot.lines is not None else None
    return Request(Scope.FILE, path=path, line=_line(spot.line), lines=lines, symbol=(spot.symbol or "").strip())


def complete_request(request: Request, settings: Settings, flags: Flags, spot: Spot) -> tuple[Request, Settings]:
    """Add hints, the path from the root and a clone's revision to a request, and the buffer's text to the settings."""
    request = add_hints(request, hints_of(flags.hint or ()))
    if request.scope is Scope.DIFF and settings.address:
        from ctxpack.cli.fetching import fetched_revision

        return replace(request, revision=fetched_revision(request.revision, settings)), settings
    if request.scope is not Scope.FILE:
        return request, settings
    if not spot.is_buffer:
        return replace(request, path=path_in_root(settings.places, request.path)), settings
    if flags.stdin:
        raise UsageError("Standard input cannot contain both the text of a file and the list of files.")
    path = path_of_buffer(settings.places, request.path)
    return replace(request, path=path), replace(settings, buffers={path: standard_text()})


def hints_of(written: Sequence[str]) -> Mapping[str, str]:
    """Parse hints; a later one wins. Raises UsageError for one that is not ``key=value``."""
    found: dict[str, str] = {}
    for each in written:
        key, equals, value = each.partition("=")
        if not equals or not _KEY.fullmatch(key.strip()):
            raise UsageError(f"The hint {each!r} is not of the form key=value.", hint='Write --hint task="fix it".')
        found[key.strip()] = value.strip()
    return found


def add_hints(request: Request, hints: Mapping[str, str]) -> Request:
    """Return the request with hints; without words of its own, it takes those of the hint ``task``."""
    if not hints:
        return request
    text = request.text or ("" if request.scope is Scope.TASK else hints.get(TASK_HINT, ""))
    return replace(request, text=text, hints=tuple(sorted(hints.items())))


def _line(written: str | None) -> int:
    if written is None:
        return 0
    if not written.strip().isdecimal() or int(written) < 1:
        raise UsageError(f"{written!r} is not a line number.", hint="The first line is 1.")
    return int(written)


def _span(written: str) -> tuple[int, int]:
    found = _SPAN.fullmatch(written)
    first = int(found[1]) if found else 0
    last = int(found[2] or found[1]) if found else 0
    if first < 1 or last < first:
        raise UsageError(
            f"{written!r} is not a range of lines.", hint="Write the first and the last line, such as 12:40."
        )
    return first, last
