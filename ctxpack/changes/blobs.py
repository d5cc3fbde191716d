"""Files as they are in git: their sizes and texts by blob id, many with one question."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from ctxpack.discover.process import Git
from ctxpack.text import decode

_MOST_BYTES = 30_000_000  # of all texts that are read


def sizes(git: Git, blobs: Iterable[str]) -> Mapping[str, int]:
    """The size in bytes of each blob that the repository holds. Raises GitError."""
    asked = "".join(f"{blob}\n" for blob in sorted(set(blobs)))
    if not asked:
        return {}
    rows = git.start("cat-file", "--batch-check", reads_input=True).text(asked).splitlines()
    parts = (row.split(" ") for row in rows)
    return {part[0]: int(part[2]) for part in parts if part[1] == "blob"}


def texts(git: Git, blobs: Mapping[str, int]) -> Mapping[str, str]:
    """The decoded text of each blob, of which the size is given; the smallest first, to some megabytes in all.

    Raises GitError.
    """
    wanted: list[str] = []
    left = _MOST_BYTES
    for blob in sorted(blobs, key=lambda each: (blobs[each], each)):
        left -= blobs[blob]
        if left < 0:
            break
        wanted.append(blob)
    if not wanted:
        return {}
    run = git.start("cat-file", "--batch", reads_input=True)
    data = os.fsencode(run.text("".join(f"{blob}\n" for blob in wanted)))
    found: dict[str, str] = {}
    start = 0
    for blob in wanted:  # each answer is a line about it, its bytes and a newline
        start = data.index(b"\n", start) + 1
        found[blob] = decode(data[start : start + blobs[blob]])
        start += blobs[blob] + 1
    return found
