"""The text of a diff, one part a file, as git prints it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ctxpack.changes.hunks import CONTEXT, Hunk, parse
from ctxpack.changes.listing import Entry, arguments
from ctxpack.changes.revisions import Revisions
from ctxpack.discover.process import Git

_MOST_FILES, _MOST_LINES = 200, 60_000  # of a diff that is read: no pack holds more
_TYPE_CHANGE = 2  # parts: the old file goes, the new one comes


def hunks_of(
    git: Git, revisions: Revisions, entries: Sequence[Entry], wanted: Container[str]
) -> Mapping[str, tuple[Hunk, ...]]:
    """The hunks of each of the ``wanted`` paths among all ``entries`` of a diff, which are in git's order.

    Of a diff that no pack can hold they are those of its smaller files. Raises GitError.
    """
    asked = [entry for entry in entries if entry.path in wanted]
    is_all = sum((entry.added or 0) + (entry.removed or 0) for entry in entries) <= _MOST_LINES
    kept = asked if is_all else _smaller(asked)
    if not kept:
        return {}
    paths = () if is_all else sorted({path for each in kept for path in (each.old_path, each.path)})
    parts = _parts(git.start(*arguments(revisions, "--patch", f"-U{CONTEXT}", "--full-index", paths=paths)).text())
    readable = {entry.path for entry in kept}
    found: dict[str, tuple[Hunk, ...]] = {}
    for entry in entries if is_all else kept:
        count = _TYPE_CHANGE if entry.status == "T" else 1
        mine = [next(parts, []) for _ in range(0 if _is_unmerged(entry) else count)]
        if entry.path in readable:
            found[entry.path] = tuple(hunk for part in mine for hunk in parse(part))
    return found


def _smaller(entries: Iterable[Entry]) -> list[Entry]:
    """The entries in git's order without the largest, as far as the limits go."""
    left, kept = _MOST_LINES, set[str]()
    sized = sorted(entries, key=lambda each: ((each.added or 0) + (each.removed or 0), each.path))
    for entry in sized[:_MOST_FILES]:
        left -= (entry.added or 0) + (entry.removed or 0)
        if left < 0:
            break
        kept.add(entry.path)
    return [entry for entry in entries if entry.path in kept]


def _is_unmerged(entry: Entry) -> bool:
    """Whether git has nothing to say about it but that it is in conflict."""
    return entry.status == "U" and entry.new_mode == "000000"


def _parts(output: str) -> Iterator[list[str]]:
    """The lines of each file's part, decoded as files are: no line of a hunk can begin as the first line of a part."""
    text = output.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    part: list[str] | None = None
    for line in text.split("\n"):
        if line.startswith("diff --git "):
            if part is not None:
                yield part
            part = []
        elif part is not None and not line.startswith("* Unmerged path "):
            part.append(line.removesuffix("\r"))
    if part is not None:
        if part and not part[-1]:
            part.pop()  # behind the last newline
        yield part
