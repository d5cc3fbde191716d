"""Paths that a user named: which exist, where they are, and which rules hide them, or hid everything."""

# ruff: noqa: PTH118 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ctxpack.discover.ignores import read_ignores
from ctxpack.discover.listing import ListedFile, Listing, look_at
from ctxpack.discover.source import Source
from ctxpack.errors import UsageError
from ctxpack.model import Skipped
from ctxpack.settings import Settings
from ctxpack.settings.roots import member_of

_RULES_SHOWN = 5

_ADVICE = {
    "binary": "Only text can be packed.",
    "symbolic link": "Ask for the file that it leads to.",
    "excluded by --exclude": "Leave that pattern out of --exclude and of the configuration.",
    "not matched by --include": "Add the file with another --include.",
    "larger than": "Raise the limit with --max-file-size.",
    "not a file": "Only what belongs to the repository is searched.",
    "not among the listed": "Add the file to the list on standard input.",
}
"""The beginning of a rule -> what to do about it."""


def advice(rule: str) -> str:
    """What to do about a rule that hides a file; empty where nothing but the rule itself can be changed."""
    return next((said for begin, said in _ADVICE.items() if rule.startswith(begin)), "")


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


def narrow_listing(root: str, paths: Sequence[str], listing: Listing) -> Listing:
    """Narrow a listing to the files that ``paths`` name, and whatever else they name: an ignored file counts too."""
    wanted = sorted({inner_path(root, path) for path in paths})
    listed: Mapping[str, ListedFile] = {found.path: found for found in listing.found}
    others = {found.path: found for found in look_at(root, (path for path in wanted if path not in listed))}
    here = [listed.get(path) or others.get(path) for path in wanted]
    missing = _missing(path for path, found in zip(wanted, here, strict=True) if found is None)
    return Listing(tuple(found for found in here if found is not None), missing, listing.is_dirty)


def _missing(paths: Iterable[str]) -> tuple[Skipped, ...]:
    return tuple(Skipped(path, "no such file") for path in paths)


def _outside(root: str, path: str) -> UsageError:
    return UsageError(f"{path!r} is outside the root {root}.", hint="Name paths below the root, or set --root.")


def ignored_by(settings: Settings, path: str) -> str:
    """The rule that hides ``path`` (relative to the root, or absolute), or ``""`` if no ignore rule or glob does.

    Raises UsageError if it lies outside the root.
    """
    settings, path = member_of(settings, path)
    root = os.path.realpath(settings.root)
    if settings.members or not path:
        return ""  # what is in no root is hidden by no rule, and no rule hides a whole root
    inner = inner_path(root, path)
    source = Source(root, settings.use_gitignore)
    listing = source.list()
    ignores = read_ignores(settings, root, (found.path for found in listing.found))
    rule = ignores.rule(inner)
    if reason := ignores.reason(inner, rule):
        return reason
    is_shown = rule is not None or any(found.path == inner for found in listing.found)
    return "" if is_shown else source.rules([inner])[0]


def nothing_left_error(root: str, source: Source, skipped: Sequence[Skipped], *, is_listed: bool) -> UsageError:
    """Return the error for an empty result: it counts what each rule hid."""
    hidden = () if is_listed else source.list_hidden()
    reasons = [each.reason for each in skipped]
    reasons += [reason for reason in source.rules([path.removesuffix("/") for path in hidden]) if reason]
    if not reasons:
        what = "The list of paths is empty." if is_listed else f"{root} holds no files."
        return UsageError(what, hint="Name a folder with files: --root FOLDER.")
    counts = sorted(Counter(reasons).items(), key=lambda pair: (-pair[1], pair[0]))
    listed = "; ".join(f"{count} {reason}" for reason, count in counts[:_RULES_SHOWN])
    more = f"; {len(counts) - _RULES_SHOWN} more rules" if len(counts) > _RULES_SHOWN else ""
    return UsageError(
        f"No file is left under {root}: {listed}{more}.",
        hint=(len(counts) == 1 and advice(counts[0][0]))
        or "Change that rule or flag; --no-gitignore and --no-dot-ignore switch ignore files off.",
    )
