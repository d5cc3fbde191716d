"""The paths a user named one by one: where they lie, and which of them are there."""

# ruff: noqa: PTH118 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from ctxpack.discover.listing import Found, Listing, look_at
from ctxpack.errors import UsageError
from ctxpack.model import Skipped


def inner_path(root: str, path: str) -> str:
    """``path`` (absolute or relative to ``root``) as a path inside ``root``, links resolved.

    Raises UsageError if it lies outside.
    """
    try:
        real = os.path.realpath(os.path.join(root, path))
        inner = os.path.relpath(real, root).replace(os.sep, "/")
    except ValueError as error:  # a NUL, or another drive
        raise _outside(root, path) from error
    if inner == ".." or inner.startswith("../"):
        raise _outside(root, path)
    return inner


def only(root: str, paths: Sequence[str], listing: Listing) -> Listing:
    """The part of ``listing`` that ``paths`` name, and what they name beside it: an ignored file counts, too."""
    wanted = sorted({inner_path(root, path) for path in paths})
    listed: Mapping[str, Found] = {found.path: found for found in listing.found}
    others = {found.path: found for found in look_at(root, (path for path in wanted if path not in listed))}
    here = [listed.get(path) or others.get(path) for path in wanted]
    missing = _missing(path for path, found in zip(wanted, here, strict=True) if found is None)
    return Listing(tuple(found for found in here if found is not None), missing, listing.is_dirty)


def _missing(paths: Iterable[str]) -> tuple[Skipped, ...]:
    return tuple(Skipped(path, "no such file") for path in paths)


def _outside(root: str, path: str) -> UsageError:
    return UsageError(f"{path!r} lies outside the root {root}.", hint="Name paths below the root, or set --root.")
