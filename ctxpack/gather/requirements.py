"""What --require names: files, lines of files, folders, globs and strategies; and what is near a name that is none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ctxpack.discover.globs import compile_globs
from ctxpack.discover.named_paths import advice, ignored_by
from ctxpack.errors import UsageError, suggest
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Span, line_count
from ctxpack.gather.orchestrate import TREE
from ctxpack.gather.registry import Registry
from ctxpack.gather.strategy import Strategy

_LINES = re.compile(r"(.+):(\d+)(?:-(\d+))?")
_IS_GLOB = re.compile(r"[*?\[{]")
_CUTOFF = 60.0  # rapidfuzz's ratio, 0..100: less alike, and another path is meant
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is required: files, each with the lines of it or all of it (none given), and strategies."""

    files: Mapping[str, tuple[Span, ...]]
    strategies: tuple[str, ...]


def wanted(context: Context, registry: Registry) -> Wanted:
    """What the settings require. Raises UsageError for a file or strategy that there is not, with those near it."""
    known = [name for name in registry.strategies if name != TREE]
    files: dict[str, tuple[Span, ...] | None] = {}
    strategies: list[str] = []
    for written in context.settings.require:
        name = written.removeprefix("./")
        lines = _LINES.fullmatch(name)
        if context.view.files.get(name) is None and lines and context.view.files.get(lines[1]):
            before = files.get(lines[1], ())
            files[lines[1]] = None if before is None else (*before, _span(context, lines))
        elif context.view.files.get(name) is None and name in known:
            strategies.append(_allowed(context, registry.strategies[name]))
        else:
            files |= dict.fromkeys(_paths(context, name, known))
    return Wanted({path: joined(spans or ()) for path, spans in files.items()}, tuple(strategies))


def _span(context: Context, lines: re.Match[str]) -> Span:
    first, last = int(lines[2]), int(lines[3] or lines[2])
    count = line_count(context, lines[1])
    if not 1 <= first <= last <= count:
        raise UsageError(
            f"{lines[1]} has no lines {first} to {last}.", hint=f"It has {count}: --require {lines[1]}:1-{count}."
        )
    return first, last


def joined(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans in order, those that overlap or touch as one."""
    found: list[Span] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)


def _allowed(context: Context, strategy: Strategy) -> str:
    name = strategy.id
    if name in context.settings.disable:
        raise UsageError(f"The strategy {name} is both required and left out.", hint="Say only one of the two.")
    if context.request.scope not in strategy.scopes:
        scope = context.request.scope
        raise UsageError(
            f"The strategy {name} does not serve a {scope}.", hint="See what each one serves: ctxpack strategies"
        )
    return name


def _paths(context: Context, name: str, strategies: Sequence[str]) -> list[str]:
    """The files that a path, a folder or a glob means, by path. Raises UsageError if there is none."""
    if file := context.view.files.get(name):
        if file.size:
            return [name]
        raise UsageError(f"{name} is empty, so that nothing of it can be required.")
    below = f"{name.rstrip('/')}/"
    paths = [each.path for each in context.view.files if each.path.startswith(below) and each.size]
    if not paths and _IS_GLOB.search(name):
        globs = compile_globs([name])
        paths = [each.path for each in context.view.files if globs.matching(each.path) and each.size]
    if paths:
        return sorted(paths)
    bare = _LINES.sub(r"\1", name)
    if reason := _hidden(context, bare):
        hint = advice(reason) or "Name it with --include to have it read."
        raise UsageError(f"{bare} is required but not read: {reason}.", hint=hint)
    what = "No file matches" if _IS_GLOB.search(name) else "There is no file or strategy"
    raise UsageError(f"{what} {name!r}, which is required.", hint=_near(context, bare, strategies))


def _hidden(context: Context, path: str) -> str:
    """Why a file that is there is not read; empty if there is none, or no rule that hides it."""
    if reason := next((each.reason for each in context.view.skipped if each.path == path), ""):
        return reason
    if not (context.settings.root / path).is_file():
        return ""
    return "not among the listed files" if context.settings.paths is not None else ignored_by(context.settings, path)


def _near(context: Context, name: str, strategies: Sequence[str]) -> str:
    from rapidfuzz import fuzz, process

    same = [context.view.files[number].path for number in context.view.files.with_suffix(name.rpartition("/")[2])]
    names = sorted({each.path for each in context.view.files} | {*strategies})
    hits = process.extract(name, names, scorer=fuzz.ratio, score_cutoff=_CUTOFF, limit=_SHOWN)
    close = [hit[0] for hit in sorted(hits, key=lambda hit: (-hit[1], hit[0]))]
    near = list(dict.fromkeys([*sorted(same, key=lambda path: (path.count("/"), path)), *close]))[:_SHOWN]
    return suggest(near) or "Paths are relative to the root of the repository."
