"""What a listing says, whoever made it: git in a work tree, git in a plain folder, or our own walk."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ctxpack.model import Skipped


class ListedFile(NamedTuple):
    """A path below the root.

    ``blob`` is git's id of the content if the file is as git last saw it, else ``""``; ``indexed`` is what git's index
    holds of it, changed since or not; both are empty for an untracked file.
    """

    path: str
    status: os.stat_result
    blob: str = ""
    indexed: str = ""
    indexed_size: int = 0
    is_staged: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """The file set before any rule of ours. ``is_dirty`` tells of changes that no found file shows: deletions."""

    found: tuple[ListedFile, ...]
    skipped: tuple[Skipped, ...] = ()
    is_dirty: bool = False


def look_at(root: str, paths: Iterable[str]) -> list[ListedFile]:
    """Stat the untracked ``paths``, without following links; those that are gone are left out."""
    found: list[ListedFile] = []
    for path in paths:
        try:
            found.append(ListedFile(path, os.lstat(f"{root}/{path}")))
        except (OSError, ValueError):
            continue  # gone since it was listed
    return found


def place_below(prefix: str, listing: Listing) -> Listing:
    """Return the listing as seen from the folder that holds ``prefix``."""
    return Listing(
        tuple(each._replace(path=f"{prefix}/{each.path}") for each in listing.found),
        tuple(Skipped(f"{prefix}/{each.path}", each.reason) for each in listing.skipped),
        listing.is_dirty,
    )


def join_listings(listings: Iterable[Listing]) -> Listing:
    """Join the listings of several folders."""
    parts = tuple(listings)
    return Listing(
        tuple(found for part in parts for found in part.found),
        tuple(skipped for part in parts for skipped in part.skipped),
        any(part.is_dirty for part in parts),
    )
