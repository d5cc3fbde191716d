"""The state of an installation: versions, git, folders, configuration, policies, plug-ins, health of outside parts.

No network is used, no model is loaded, and no repository is needed.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ctxpack.errors import CtxpackError
from ctxpack.events import State, degraded_parts
from ctxpack.gather.registry import registry
from ctxpack.light import dataclass
from ctxpack.rank.installed import signal_notes
from ctxpack.settings import Settings
from ctxpack.settings.sources import cache_folder, data_folder
from ctxpack.settings.tables import CHOICE_TABLES, NameRules, Policy
from ctxpack.system.disk import can_write
from ctxpack.system.git import Git, GitError, find_git, readable
from ctxpack.system.plugins import GROUPS, plugins, resolve
from ctxpack.system.tokens import counter
from ctxpack.system.version import DISTRIBUTION, EMBEDDING_PACKAGE, MCP_PACKAGE, TUI_PACKAGE, __version__

OK, WARNING, BROKEN = "ok", "warning", "broken"
_GIT_SECONDS: Final = 5.0
_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check: its part, its name, what was found, and the state."""

    part: str
    name: str
    found: str
    state: str = OK


def diagnosis(
    settings: Settings | None, error: CtxpackError | None = None, env: Mapping[str, str] | None = None
) -> tuple[Check, ...]:
    """Return all checks, in order; ``error`` says why there are no settings."""
    env = os.environ if env is None else env
    its = settings or Settings(Path.cwd(), cache_folder(env), data_dir=data_folder(env))
    parts = (_programs(), _folders(its), _configuration(settings, error), _policies(its), _meanings(its), _plugins(its))
    return tuple(finding for part in (*parts, _health(its)) for finding in part)


def is_broken(findings: tuple[Check, ...]) -> bool:
    """Return whether something keeps ctxpack from working as configured."""
    return any(each.state == BROKEN for each in findings)


def _programs() -> Iterator[Check]:
    yield Check("versions", "ctxpack", f"{__version__} ({DISTRIBUTION})")
    yield Check("versions", "python", f"{platform.python_version()} on {platform.system()}")
    git = find_git(os.sep)
    if git is None:
        missing = "not found: ignore rules are read without it, and there is no history"
        yield Check("versions", "git", missing, WARNING)
    else:
        yield _git(git)
    try:
        count = counter("o200k_base").count("one two three")
        yield Check("versions", "tokens", f"o200k_base counts {count} of 3 words", OK if count else BROKEN)
    except Exception as error:  # noqa: BLE001 - whatever a broken installation raises is what is asked for
        yield Check("versions", "tokens", f"cannot be counted: {type(error).__name__}: {error}", BROKEN)
    is_there = find_spec("mcp") is not None
    yield Check("versions", "server", "mcp is installed" if is_there else f'needs pip install "{MCP_PACKAGE}"')
    is_there = find_spec("textual") is not None
    yield Check("versions", "preview", "textual is installed" if is_there else f'needs pip install "{TUI_PACKAGE}"')


def _git(git: Git) -> Check:
    try:
        version = readable(git.start("--version").text(seconds=_GIT_SECONDS))
    except GitError as error:
        return Check("versions", "git", f"{git.executable} does not run: {error}", BROKEN)
    return Check("versions", "git", f"{version.strip().removeprefix('git version ')} at {git.executable}")


def _folders(settings: Settings) -> Iterator[Check]:
    places = [("cache", settings.cache_dir), *([("data", settings.data_dir)] if settings.data_dir else [])]
    for name, place in places:
        size = f"{place}, {_size(place) / _MEGABYTE:.1f} MB"
        if can_write(place):
            yield Check("folders", name, size)
        else:
            yield Check("folders", name, f"{place} cannot be written", WARNING if name == "cache" else BROKEN)


def _size(place: Path) -> int:
    """The bytes of all files below a folder; those that go away meanwhile do not count."""
    total = 0
    for folder, _, names in os.walk(place):
        for name in names:
            try:
                total += os.lstat(f"{folder}/{name}").st_size
            except OSError:  # gone while it was counted
                continue
    return total


def _configuration(settings: Settings | None, error: CtxpackError | None) -> Iterator[Check]:
    if settings is None:
        yield Check("configuration", "error", f"{error} {error.hint if error else ''}".rstrip(), BROKEN)
        return
    yield Check("configuration", "root", settings.places.description)
    for name, origin in sorted(settings.origins.items()):
        value = getattr(settings, name)
        yield Check("configuration", name, f"{_value_text(value)} from {origin}")
    for note in settings.notes:
        yield Check("configuration", "note", note)


def _value_text(value: object) -> str:
    if isinstance(value, tuple):
        return f"{', '.join(map(str, value))}" or "nothing"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {each}" for key, each in value.items()) or "nothing"
    return str(value)


def _policies(settings: Settings) -> Iterator[Check]:
    if not settings.policies:
        yield Check("policy", "none", "nothing is forbidden or required")
    for policy in settings.policies:
        yield Check("policy", policy.source, "; ".join(_rules(policy)) or "no rule")


def _rules(policy: Policy) -> Iterator[str]:
    if policy.needs_redaction:
        yield "secrets are taken out"
    if policy.needs_pii:
        yield "personal data is taken out"
    yield from (f"let through {entry}" for entry in policy.allowed)
    for name in CHOICE_TABLES:
        choice: NameRules = getattr(policy, name)
        for rule in ("allow", "forbid", "require"):
            names = getattr(choice, rule)
            if names != getattr(NameRules(), rule):
                yield f"{name} {rule} {', '.join(names) or 'none'}"
    yield from (f"{name} at most {most:,.10g}" for name, most in policy.limits.items())


def _meanings(settings: Settings) -> Iterator[Check]:
    is_there = find_spec("sentence_transformers") is not None
    wanted = settings.semantic and settings.embedder == "sentence-transformers"
    missing = f"not installed: pip install '{EMBEDDING_PACKAGE}'"
    yield Check("meanings", "extra", "installed" if is_there else missing, BROKEN if wanted and not is_there else OK)
    use = "on" if settings.semantic else "off"
    model = settings.embedding_model or "its default model"
    yield Check("meanings", "embedder", f"{settings.embedder} with {model}, {use}")
    if settings.embedder == "http":
        yield Check(
            "meanings", "service", settings.embedding_url or "no address", OK if settings.embedding_url else BROKEN
        )


def _plugins(settings: Settings) -> Iterator[Check]:
    names = 0
    for group in GROUPS:
        kind = group.rpartition(".")[2]
        for plugin in plugins(group):
            names += 1
            label = f"{kind[:-3] + 'y' if kind.endswith('ies') else kind[:-1]} {plugin.name}"
            try:
                resolve(plugin.target)
            except BaseException as error:  # noqa: BLE001 - a stranger's code may raise anything, even SystemExit
                found = f"of {plugin.package} cannot be loaded: {type(error).__name__}: {error}"
                yield Check("plug-ins", label, found, BROKEN)
            else:
                yield Check("plug-ins", label, f"of {plugin.package}")
    yield from (Check("plug-ins", "note", note, WARNING) for note in (*registry(settings).notes, *signal_notes()))
    if not names:
        yield Check("plug-ins", "none", "no package brings any")


def _health(settings: Settings) -> Iterator[Check]:
    found = degraded_parts(settings)
    if not found:
        yield Check("outside", "all", State.NORMAL.value)
    for each in found:
        times = "once" if each.failures == 1 else f"{each.failures} times in a row"
        yield Check("outside", each.part, f"{each.state}: it failed {times}", WARNING)
