"""The files of several roots as one Discovery: each root is searched by its own rules; paths get its label."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ctxpack.discover.discovery import discover
from ctxpack.discover.listing import Known
from ctxpack.errors import UsageError
from ctxpack.light import replace
from ctxpack.model import Discovery, RepositoryState, Skipped, SourceFile
from ctxpack.model.columns import FileTable
from ctxpack.settings import Settings
from ctxpack.settings.roots import below_labels
from ctxpack.system.clock import Timekeeper, thread_pool

_TOGETHER = 8  # roots: most of the time is git's


def discover_workspace(
    settings: Settings, known_of: Callable[[Settings], Mapping[str, Known]], keeper: Timekeeper | None = None
) -> Discovery:
    """Find the files of all members of ``settings``; ``known_of`` gives what is known of one.

    A root in which nothing is asked for is left out. Raises what ``discover`` raises, where nothing is left anywhere.
    """
    members = dict(_relevant_members(settings))
    with thread_pool(_TOGETHER) as pool:
        jobs = {
            label: pool.submit(lambda its: discover(its, known_of(its), keeper=keeper), its)
            for label, its in members.items()
        }
        found = {}
        for label, job in jobs.items():
            try:
                found[label] = job.result()
            except UsageError:  # told below, where no root is left
                if not _is_narrow(settings):
                    raise
    if not found:
        raise UsageError(
            f"No file of {' or '.join(settings.members)} is named.",
            hint="Paths begin with the label of a root.",
        )
    return _join(settings, found)


def _is_narrow(settings: Settings) -> bool:
    """Whether a root may well hold nothing of what is asked for."""
    return bool(settings.include or settings.exclude) or settings.paths is not None


def _relevant_members(settings: Settings) -> Iterator[tuple[str, Settings]]:
    """The roots in which anything is asked for, with the paths that are."""
    listed = None if settings.paths is None else below_labels(settings.members, settings.paths)
    for label, its in settings.members.items():
        paths = its.paths if listed is None else listed[label]
        if paths is None or paths:
            yield label, replace(its, paths=paths)


def _join(settings: Settings, found: Mapping[str, Discovery]) -> Discovery:
    """Return one Discovery; what is in a root within another root belongs to the inner one."""
    files: list[SourceFile] = []
    skipped: list[Skipped] = []
    for label, part in found.items():
        inner = _inner_roots(settings, label)
        files += [replace(each, path=f"{label}/{each.path}") for each in part.files if not each.path.startswith(inner)]
        skipped += [
            replace(each, path=f"{label}/{each.path}") for each in part.skipped if not each.path.startswith(inner)
        ]
    files.sort(key=lambda each: each.path)
    skipped.sort(key=lambda each: (each.path, each.reason))
    is_partial = any(part.is_partial for part in found.values())
    state, members = _state(settings, found), tuple(found.values())
    return Discovery(FileTable.of(files), tuple(skipped), state, is_partial=is_partial, members=members)


def _inner_roots(settings: Settings, label: str) -> tuple[str, ...]:
    """The beginnings of the paths of a root that lie in another root."""
    place = settings.members[label].root
    others = (its.root for name, its in settings.members.items() if name != label)
    return tuple(f"{each.relative_to(place).as_posix()}/" for each in others if each != place and place in each.parents)


def _state(settings: Settings, found: Mapping[str, Discovery]) -> RepositoryState:
    states = {label: replace(part.state, address=settings.members[label].address) for label, part in found.items()}
    return RepositoryState(
        settings.root,
        " + ".join(states),
        commit_time=max(each.commit_time for each in states.values()),
        dirty=any(each.dirty for each in states.values()),
        is_git=all(each.is_git for each in states.values()),
        members=tuple(states.items()),
    )
