"""Repository -> Discovery: list, layer our own rules over it, examine what is left."""

# ruff: noqa: PTH112 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ctxpack.discover.examine import Examiner
from ctxpack.discover.folder import is_bare
from ctxpack.discover.ignores import Ignores, read_ignores
from ctxpack.discover.judgement import Judgement
from ctxpack.discover.known import Known
from ctxpack.discover.listing import Found, Listing, joined, look_at
from ctxpack.discover.process import GitError, find_git
from ctxpack.discover.source import Source, Way
from ctxpack.discover.state import StateRuns, read_state, start_state
from ctxpack.errors import UsageError
from ctxpack.model import Discovery, Skipped, SourceFile
from ctxpack.settings import Settings


def discover(settings: Settings, known: Mapping[str, Known] | None = None) -> Discovery:
    """Find the text files below ``settings.root`` and judge each; what is left out keeps its reason.

    ``known`` is what ``remember`` made of the last Discovery of this root: unchanged files are then not read.
    Raises UsageError if the root is no folder, if a named path lies outside it, or if no file is left, and
    ConfigError if ``settings.kinds`` names an unknown kind.
    """
    root = os.path.realpath(settings.root)
    if not os.path.isdir(root):
        raise UsageError(f"{settings.root} is not a folder.", hint="Give --root a folder that exists.")
    if is_bare(root):
        raise UsageError(
            f"{settings.root} is a bare repository: it holds commits, and no files to read.",
            hint="Check its files out and name them: git worktree add FOLDER, then --root FOLDER.",
        )
    source = Source(root, settings.use_gitignore)
    runs = _ask_state(root)
    listing = source.list()
    state = read_state(settings.root, runs, is_git=source.way is Way.WORKTREE)
    ignores = read_ignores(settings, root, (found.path for found in listing.found))
    whole = _complete(settings, source, ignores, listing)
    judgement = Judgement((found.path for found in whole.found), settings.kinds)
    examiner = Examiner(root, settings.max_file_size, known or {}, judgement)
    judged = list(_judge(settings, ignores, whole, examiner))
    files = sorted((each for each in judged if isinstance(each, SourceFile)), key=lambda file: file.path)
    skipped = [each for each in judged if isinstance(each, Skipped)] + [*whole.skipped]
    skipped += [source.note] if source.note else []
    skipped.sort(key=lambda each: (each.path, each.reason))
    is_dirty = listing.is_dirty or any(map(_is_changed, listing.found)) or any(file.dirty for file in files)
    if not files:
        from ctxpack.discover.explain import nothing_left

        raise nothing_left(root, source, skipped, is_listed=settings.paths is not None)
    state = replace(state, dirty=state.is_git and is_dirty)
    return Discovery(tuple(files), tuple(skipped), state, judgement.digest)


def _ask_state(root: str) -> StateRuns | None:
    git = find_git(root)
    try:
        return start_state(git) if git else None
    except GitError:
        return None


def _complete(settings: Settings, source: Source, ignores: Ignores, listing: Listing) -> Listing:
    """The listing narrowed to the named paths, or widened by what our own ignore files bring back."""
    if settings.paths is not None:
        from ctxpack.discover.explicit import only

        return only(source.root, settings.paths, listing)
    if not ignores.has_negations:
        return listing
    return joined((listing, Listing(tuple(look_at(source.root, _brought_back(source, ignores))))))


def _brought_back(source: Source, ignores: Ignores) -> Iterator[str]:
    hidden = source.hidden()
    folders = [path for path in hidden if path.endswith("/") and _is_negated(ignores, path[:-1], is_folder=True)]
    files = [path for path in hidden if not path.endswith("/")]
    for path in (*files, *source.below(folders)):
        if _is_negated(ignores, path, is_folder=False):
            yield path


def _is_negated(ignores: Ignores, path: str, *, is_folder: bool) -> bool:
    rule = ignores.folder_rule(path) if is_folder else ignores.rule(path)
    return rule is not None and rule.is_negated


def _judge(
    settings: Settings, ignores: Ignores, listing: Listing, examiner: Examiner
) -> Iterator[SourceFile | Skipped]:
    is_named = settings.paths is not None
    named, unseen = frozenset(settings.include), frozenset(settings.unseen)
    for found in listing.found:
        path = found.path
        if path in unseen:
            continue
        rule = None if is_named else ignores.rule(path)
        if reason := ignores.reason(path, rule):
            yield Skipped(path, reason)
            continue
        is_explicit = is_named or path in named
        is_wanted = is_explicit or (rule is not None and rule.is_negated)
        yield examiner.examine(found, is_wanted=is_wanted, is_explicit=is_explicit)


def _is_changed(found: Found) -> bool:
    """Whether git's record alone shows a change: no content needs to be read for this."""
    if not found.indexed or found.is_staged:
        return True
    return not found.blob and found.indexed_size not in {0, found.status.st_size}
