"""Agent context files that ctxpack keeps: whole files, or the part of a file between two markers.

What is written depends only on the content of the other files: no commit, no date, no history, and none of the kept
files feeds another one. So a file stays fresh when it is committed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import AnyStr

from ctxpack.errors import ConfigError, InternalError, UsageError
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Request, Scope
from ctxpack.model.formats import format_of
from ctxpack.settings import DEFAULT_BUDGET, ContextFile, Settings
from ctxpack.system.disk import read_whole, replace_file
from ctxpack.text import printable

Packer = Callable[[Request, Settings], str]
Instructor = Callable[[Settings], str]

_ABOUT_WORK = lazy_pattern(
    r"\b(?:built|builds?|building|tests?|tested|testing|lint\w*|releas\w*|set ?up|install\w*|contribut\w*|convention\w*"
    r"|organi[sz]ed|layout|structure|onboard\w*|instruct\w*|commands?|agents?)\b"
    r"|собира\w*|сборк\w*|тест\w*|устро\w*|структур\w*|соглашени\w*|команд\w*",
    re.IGNORECASE,
)
"""What a request says that asks how a project is worked on: it is answered by instructions."""


_MOST_READ = 32_000_000  # bytes of a kept file
_OF_GIT = frozenset((".git", "git~1"))  # folders; the second is what old file systems call the first


@dataclass(frozen=True, slots=True)
class Edit:
    """A file that changes: its path, and its whole content before and after; None is a file that does not exist."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def verb(self) -> str:
        """What happens to the file."""
        return "created" if self.before is None else "removed" if self.after is None else "updated"

    @property
    def diff(self) -> str:
        """The change as a unified diff, as git shows it."""
        old, new = (
            re.findall(r"[^\n]*\n|[^\n]+", (data or b"").decode("utf-8", "backslashreplace"))
            for data in (self.before, self.after)
        )
        source = "/dev/null" if self.before is None else f"a/{self.path}"
        target = "/dev/null" if self.after is None else f"b/{self.path}"
        lines = difflib.unified_diff(old, new, source, target)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def save_edits(root: Path, edits: Iterable[Edit]) -> None:
    """Write the changes, each whole or not at all, and delete folders that are left empty. Raises InternalError."""
    for each in edits:
        place = root / each.path
        try:
            if each.after is not None:
                place.parent.mkdir(parents=True, exist_ok=True)
                replace_file(place, each.after)
                continue
            place.unlink(missing_ok=True)
            for folder in place.parents:
                if folder == root or any(folder.iterdir()):
                    break
                folder.rmdir()
        except OSError as error:
            raise InternalError(f"{printable(each.path)} cannot be written: {error.strerror}.") from error


def plan_refresh(settings: Settings, pack: Packer, instruct: Instructor | None = None) -> tuple[Edit, ...]:
    """Find the stale files of ``settings.contexts``, by path, without writing anything.

    ``pack`` makes the text of a request, and ``instruct`` that of an entry which asks how the project is worked on.
    Raises ConfigError for entries that cannot be followed, InternalError for
    files that cannot be read, and what ``pack`` raises.
    """
    paths = sorted({entry.path for entry in settings.contexts})
    targets = {path: _target(settings.root, path) for path in paths}
    before = {path: _read(target) for path, target in targets.items()}
    after = dict(before)
    quiet = replace(
        settings,
        stable=True,
        stats=False,
        use_history=False,
        rerank="",  # a command need not answer twice alike
        contexts=(),
        unseen=_kept_paths(settings.root, targets),
    )
    for entry in settings.contexts:
        its = replace(quiet, budget=_budget(entry, settings), format=entry.format or settings.format)
        text = (
            instruct(its)
            if instruct and asks_for_instructions(entry)
            else pack(Request.about(Scope(entry.scope), entry.request), its)
        )
        after[entry.path] = _update_content(after[entry.path], text, entry)
    return tuple(
        Edit(path, before[path], content)
        for path, content in after.items()
        if content is not None and content != before[path]
    )


def asks_for_instructions(entry: ContextFile) -> bool:
    """Whether an entry wants to know how the project is worked on: it has no request, or one about that."""
    is_markdown = entry.format is None or format_of(entry.format).is_markdown
    return is_markdown and entry.scope == "task" and (not entry.request or bool(_ABOUT_WORK.search(entry.request)))


def _budget(entry: ContextFile, settings: Settings) -> int:
    """The budget of the entry, else of the run; a model's window is no measure for a file that is always read."""
    has_room = (settings.model or settings.window) and "budget" not in settings.origins
    return entry.budget or (min(settings.budget, DEFAULT_BUDGET) if has_room else settings.budget)


def _kept_paths(root: Path, targets: Mapping[str, Path]) -> tuple[str, ...]:
    """The kept files as the repository lists them; of a link, also the file it leads to."""
    places = (place.relative_to(root).as_posix() for target in targets.values() for place in (target, target.resolve()))
    return tuple(sorted({*places}))


def _target(root: Path, path: str) -> Path:
    """The file of an entry. Raises ConfigError if it is outside the repository, also through links."""
    target = root / path
    if Path(path).is_absolute() or not target.resolve().is_relative_to(root) or target.resolve() == root:
        raise ConfigError(f"The context file {path} is outside the repository.", hint="Name a file below its root.")
    inner = target.resolve().relative_to(root).parts
    if any(part.lower().rstrip(". ") in _OF_GIT for part in (*inner, *Path(path).parts)):
        raise ConfigError(f"The context file {path} belongs to git.", hint="Name a file of the work tree.")
    if target.exists() and not (target.is_dir() or target.is_file()):
        raise ConfigError(f"The context file {path} is no regular file.", hint="Name another one.")
    if target.is_dir():
        raise ConfigError(f"The context file {path} is a folder.", hint="Name a file in it.")
    return target


def _read(target: Path) -> bytes | None:
    try:
        return read_whole(target.resolve(), _MOST_READ)
    except FileNotFoundError:  # it is written again
        return None
    except OSError as error:
        raise InternalError(f"{target} cannot be read: {error.strerror}.") from error


def _update_content(content: bytes | None, text: str, entry: ContextFile) -> bytes:
    """The content of the file with the new text in its place, with the file's own newlines."""
    old = content or b""
    newline = b"\r\n" if b"\r\n" in old else b"\n"
    body = _encode(text.rstrip("\n") + "\n")
    if entry.markers is None:
        return body.replace(b"\n", newline)
    start, end = (_encode(marker) for marker in entry.markers)
    for marker in (start, end):  # a file that speaks of the markers must not end the part early
        body = body.replace(marker, marker[:1] + b" " + marker[1:])
    part = start + newline + body.replace(b"\n", newline) + end
    around = split_around(old, start, end, entry.path)
    if around is None:
        gap = b"" if not old else newline if old.endswith(b"\n") else newline * 2
        return old + gap + part + newline
    return around[0] + part + around[1]


def split_around(content: AnyStr, start: AnyStr, end: AnyStr, path: str) -> tuple[AnyStr, AnyStr] | None:
    """Return what is before and after the part between two markers; None if there is none. Raises UsageError."""
    counts = (content.count(start), content.count(end))
    if counts == (0, 0):
        return None
    head, _, rest = content.partition(start)
    _, found, tail = rest.partition(end)
    if counts != (1, 1) or not found:
        first, last = (each.decode() if isinstance(each, bytes) else each for each in (start, end))
        raise UsageError(
            f"{path} must hold {first} once and {last} once after it.",
            hint="Fix the markers, or delete them; the part is then appended at the end.",
        )
    return head, tail


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
