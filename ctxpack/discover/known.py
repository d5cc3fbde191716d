"""What a run may remember of the run before, so that unchanged files are neither read nor hashed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

from ctxpack.model import Discovery, Kind, Trait

_SETTLED_NS = 2_000_000_000  # a file changed within this time may change again under the same time stamp


class Known(NamedTuple):
    """The facts about one file's content, valid while ``size`` (bytes) and ``mtime_ns`` are still the same.

    ``skip_reason`` is empty for a file that was taken, else why its content hid it; ``blob`` is then empty. ``kind``
    and, with the path's share, ``language`` and ``traits`` hold where ``judged_by`` is still that of the Discovery.
    """

    size: int
    mtime_ns: int
    blob: str
    language: str = ""
    traits: tuple[Trait, ...] = ()
    skip_reason: str = ""
    kind: Kind | None = None
    judged_by: str = ""


def remember(discovery: Discovery) -> Mapping[str, Known]:
    """What to hand to the next ``discover`` of the same root: path -> Known. Files changed just now are left out."""
    latest = time.time_ns() - _SETTLED_NS
    judged_by = discovery.judged_by
    known = {
        file.path: Known(file.size, file.mtime_ns, file.blob, file.language, file.traits, "", file.kind, judged_by)
        for file in discovery.files
        if file.mtime_ns < latest
    }
    known.update(
        (skipped.path, Known(skipped.size, skipped.mtime_ns, "", skip_reason=skipped.reason))
        for skipped in discovery.skipped
        if 0 < skipped.mtime_ns < latest
    )
    return known
