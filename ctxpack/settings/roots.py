"""Several roots in one request: each has a label, and settings of its own that say which of its files count.

All else is said once, by the settings of the whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from ctxpack.errors import ConfigError, UsageError
from ctxpack.light import lazy_pattern, replace
from ctxpack.settings.fields import Settings
from ctxpack.settings.readers import is_label

_LABELLED: Final = lazy_pattern(r"([^=/\\:]+)=(.+)")
_FOLDER: Final = "workspaces"  # of the cache; nothing is ever written there
_EVERYTHING: Final = "*"
_EXAMPLE: Final = "Write --root LABEL=FOLDER, such as: --root api=../api --root web=../web"


def split_label(written: str) -> tuple[str, str]:
    """Return the label of a root as it was typed, or nothing, and its folder or address."""
    match = None if Path(written).exists() else _LABELLED.fullmatch(written)
    return (match[1], match[2]) if match and is_label(match[1]) else ("", written)


def labels_of(roots: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return what was typed for each root by its label: the name of its folder where none was given.

    Raises UsageError for two roots of one label, and for a root whose name can be none.
    """
    found: dict[str, str] = {}
    for given, place in roots:
        name = Path(place).resolve().name if Path(place).exists() else place.rstrip("/").rpartition("/")[2]
        label = given or name.removesuffix(".git")
        if not is_label(label):
            raise UsageError(f"--root {place} needs a label.", hint=_EXAMPLE)
        if label in found:
            raise UsageError(f"Two roots have the label {label}.", hint=_EXAMPLE)
        found[label] = place
    return found


def join_roots(whole: Settings, members: Mapping[str, Settings]) -> Settings:
    """Return the settings of a run on several roots.

    Its root is a name only, for what is kept of the run: no folder is there. What is required of a member, such as the
    file that a link names, is required of the whole.
    """
    members = dict(sorted(members.items()))
    roots = "\0".join(f"{label}={its.address or its.root}" for label, its in members.items())
    digest = hashlib.sha256(roots.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    root = whole.cache_dir / _FOLDER / digest / "+".join(members)[:100]
    require = [f"{label}/{name}" for label, its in members.items() if its.address for name in its.require]
    narrowed = {label: _narrow(its, whole, label, tuple(members)) for label, its in members.items()}
    return replace(whole, root=root, members=narrowed, require=tuple(dict.fromkeys((*whole.require, *require))))


def member_of(settings: Settings, path: str) -> tuple[Settings, str]:
    """Return the settings of the root that a path is in, and the path as seen from there."""
    label, _, inner = path.partition("/")
    its = settings.members.get(label)
    return (settings, path) if its is None else (its, inner)


def below_labels(members: Mapping[str, Settings], paths: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the paths of each root, as seen from there."""
    return {label: tuple(path[len(label) + 1 :] for path in paths if path.startswith(f"{label}/")) for label in members}


def check_one_root(settings: Settings, what: str) -> None:
    """Raise UsageError where there are several roots; ``what`` says what can be done with one only."""
    if settings.members:
        labels = " and ".join(settings.members)
        raise UsageError(f"{what} one repository, not {labels} together.", hint="Name one with --root.")


def listed_folders(settings: Settings, folder: Path, *, is_named: bool) -> dict[str, Path]:
    """Return the folders of the ``[workspace]`` table of a file in ``folder``.

    The file of a repository, which may be a stranger's, leads to nothing outside of it; one that the user named
    (``is_named``) may. Raises ConfigError.
    """
    found: dict[str, Path] = {}
    for label, written in settings.workspace.items():
        place = (folder / Path(written).expanduser()).resolve()
        if not is_named and not place.is_relative_to(folder.resolve()):
            raise ConfigError(
                f"The root {label} of [workspace] leads outside the repository: {written}.",
                hint=f"Type it: --root {label}={written}, or name the file that says so with --config.",
            )
        if not place.is_dir():
            raise ConfigError(f"There is no folder {place}, which [workspace] calls {label}.", hint="Correct the path.")
        found[label] = place
    return found


def _narrow(its: Settings, whole: Settings, label: str, labels: tuple[str, ...]) -> Settings:
    """The settings of one root with what those of the whole say about files."""
    include, exclude = (_patterns(each, label, labels) for each in (whole.include, whole.exclude))
    kinds = {kind: _patterns(globs, label, labels) for kind, globs in whole.kinds.items()}
    is_sized = "max_file_size" in whole.origins
    return replace(
        its,
        include=include or its.include,
        paths=() if whole.include and not include else None,
        exclude=tuple(dict.fromkeys((*its.exclude, *exclude))),
        kinds={kind: (*kinds.get(kind, ()), *its.kinds.get(kind, ())) for kind in {**its.kinds, **kinds}},
        use_gitignore=its.use_gitignore and whole.use_gitignore,
        use_dot_ignore=its.use_dot_ignore and whole.use_dot_ignore,
        max_file_size=whole.max_file_size if is_sized else its.max_file_size,
    )


def _patterns(globs: Sequence[str], label: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """The globs that are about one root: those without any label, and its own without the label."""
    found = []
    for glob in globs:
        first, _, rest = glob.removeprefix("/").partition("/")
        if first == label:
            found.append(rest or _EVERYTHING)
        elif first not in labels:
            found.append(glob)
    return tuple(found)
