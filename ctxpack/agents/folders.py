"""The folders that the server may read: what its user named, what the client offers, else where it was started."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from ctxpack.errors import UsageError
from ctxpack.settings.sources import root_around
from ctxpack.text import first_of

_PROJECT, _PLUGIN = "CLAUDE_PROJECT_DIR", "PLUGIN_ROOT"
_SHOWN: Final = 5


def read_roots(written: Iterable[Path]) -> tuple[Path, ...]:
    """Return folders with their links followed. Raises UsageError for one that does not exist."""
    found = []
    for each in written:
        place = each.expanduser().resolve()
        if not place.is_dir():
            raise UsageError(f"There is no folder {each}.", hint="Give --root a folder of repositories.")
        found.append(place)
    return tuple(dict.fromkeys(found))


def default_roots(folder: Path, home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the project that an agent names, else the repository around a folder, else the folder itself.

    Nothing for a home, the top of a disk or the folder of a plug-in: some clients start every server there, and nobody
    wants all of it to be read.
    """
    named = env.get(_PROJECT, "")
    if named and Path(named).is_dir():
        return (Path(named).resolve(),)
    place = folder.resolve()
    plugin = env.get(_PLUGIN, "")
    if plugin and place.is_relative_to(Path(plugin).resolve()):
        return ()
    around = root_around(place)
    return () if around == home.resolve() or around == Path(around.anchor) else (around,)


def folders_of(addresses: Iterable[str]) -> tuple[Path, ...]:
    """Return the folders that ``file://`` addresses name, as far as they exist."""
    parts = (urlsplit(each) for each in addresses)
    places = (Path(url2pathname(each.path)).resolve() for each in parts if each.scheme == "file")
    return tuple(dict.fromkeys(place for place in places if place.is_dir()))


def choose_folder(written: str, roots: Sequence[Path]) -> Path:
    """Return the folder that a call means, which is a root or inside one. Raises UsageError."""
    if not roots:
        raise UsageError(
            "No folder may be read.",
            hint="Start the server with ctxpack mcp --root and the folder of the repository.",
        )
    if not written:
        if len(roots) == 1:
            return roots[0]
        raise UsageError("Several folders may be read.", hint=f"Pass directory, one of: {_list(roots)}.")
    named = Path(written).expanduser()
    places = [named] if named.is_absolute() else [root / named for root in roots]
    inside = [place for each in places if any(map((place := each.resolve()).is_relative_to, roots))]
    if not inside:
        raise UsageError(
            f"{written} is not in a folder that may be read.",
            hint=f"Pass one of these, or a folder inside: {_list(roots)}.",
        )
    found = next((place for place in inside if place.is_dir()), None)
    if found is None:
        raise UsageError(f"There is no folder {written}.", hint="Pass directory, the folder of a repository.")
    return found


def _list(roots: Sequence[Path]) -> str:
    return first_of([*map(str, roots)], _SHOWN)
