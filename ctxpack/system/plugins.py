"""Objects by name: ``module:attribute``, and the entry points of installed packages, looked up on demand.

Finding entry points through ``importlib.metadata`` costs some 40 ms, so it is done only where a quick look into the
folders of ``sys.path`` (1 ms) shows that some package has any for ctxpack.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Final

from ctxpack.light import dataclass

# ruff: noqa: PTH112, PTH118, PTH123 -- some thousand names are looked at before every report


GROUPS: Final = ("ctxpack.strategies", "ctxpack.signals", "ctxpack.renderers", "ctxpack.embedders", "ctxpack.pii")
_MARK: Final = b"[ctxpack."
_RECORDS: Final = (".dist-info", ".egg-info")


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point: its name, where its object is (``module:attribute``), and the package that brings it."""

    name: str
    target: str
    package: str


def resolve(target: str) -> object:
    """The object at ``module:attribute``. Raises ImportError, AttributeError, and whatever importing it raises."""
    module, _, attribute = target.partition(":")
    found: object = import_module(module)
    for name in attribute.split("."):
        found = getattr(found, name)
    return found


def plugins(group: str) -> tuple[Plugin, ...]:
    """Return the entry points of a group, sorted by name and package; nothing is imported."""
    folders = _folders_of_packages()
    if not folders:
        return ()
    from importlib.metadata import distributions

    found: dict[tuple[str, str], Plugin] = {}
    for package in distributions(path=folders):
        for each in package.entry_points.select(group=group):
            target = each.value.partition("[")[0].strip()
            found.setdefault((each.name, package.name), Plugin(each.name, target, package.name))
    return tuple(found[key] for key in sorted(found))


def is_extended() -> bool:
    """Return whether any installed package brings something for ctxpack."""
    return bool(_folders_of_packages()) and any(plugins(group) for group in GROUPS)


def plugin(group: str, name: str) -> Plugin | None:
    """Return the first entry point by a name, or None."""
    return next((each for each in plugins(group) if each.name == name), None)


def _folders_of_packages() -> list[str]:
    """The folders in which some package may bring something."""
    return [folder for folder in _folders(sys.path) if _may_have(folder, _changed_ns(folder))]


def _folders(paths: Sequence[str]) -> Iterator[str]:
    """The folders of a search path, each once; not the current one, which may be a stranger's repository."""
    here = os.path.realpath(os.curdir)
    places = dict.fromkeys(os.path.realpath(path or os.curdir) for path in paths)
    yield from (place for place in places if place != here and os.path.isdir(place))


def _changed_ns(folder: str) -> int:
    """When a package was last installed into a folder, or removed from it."""
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116
    except OSError:  # it was just removed
        return 0


@lru_cache(maxsize=64)
def _may_have(folder: str, _changed: int) -> bool:
    """Whether the record of some package in a folder names ctxpack; looked up once for as long as it is unchanged."""
    try:
        with os.scandir(folder) as entries:
            records = [each.path for each in entries if each.name.endswith(_RECORDS)]
    except OSError:  # a folder that is not there brings none
        return False
    return any(_names_ctxpack(os.path.join(record, "entry_points.txt")) for record in records)


def _names_ctxpack(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return _MARK in file.read()
    except OSError:  # a package without names brings none
        return False
