"""The recipe of a report: the command that makes it again, without what report and project already tell.

A report may be a stranger's, like the configuration of a repository: what that may not set, no recipe sets.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from ctxpack.errors import UsageError, did_you_mean
from ctxpack.light import dataclass, field, lazy_pattern, replace
from ctxpack.model import Request, Scope
from ctxpack.model.formats import format_of
from ctxpack.settings.declaration import Origin, Setting
from ctxpack.settings.fields import SETTINGS, Settings
from ctxpack.text import printable

_PROGRAM: Final = "ctxpack"
_WHOLE: Final = 100  # percent
_PROFILE: Final = lazy_pattern(
    r"(?:the built-in profile (?P<own>\S{1,100})|[^\n]{0,400}\[profile\.(?P<named>[^\]]{1,100})\])$"
)
_PLACE: Final = ("--line", "--lines", "--symbol")
_SPECIAL: Final = frozenset({*_PLACE, "--hint", "--profile"})
_SWITCHES: Final = frozenset({"--staged", "--stdin", "--stdin-content"})
_ODD: Final = "The report cannot be made again: its recipe {}."
_HINT: Final = "Make it with a command of your own."


@dataclass(frozen=True, slots=True)
class Recipe:
    """A parsed recipe: the request without its words, and the settings as typed, by field.

    ``needs`` names what it does not contain: the words of the request, a list of files, or an unsaved text.
    """

    request: Request
    values: Mapping[str, object] = field(default_factory=dict)
    profile: str | None = None
    needs: frozenset[str] = frozenset()


def recipe_of(request: Request, settings: Settings, *, is_shown: bool) -> str:
    """Write the recipe of a request; empty where it is a plain task whose words the report shows (``is_shown``)."""
    if settings.stable:
        return ""  # the configuration holds it
    words = [_PROGRAM, str(request.scope), *_target(request, is_shown=is_shown)]
    for key, value in request.hints:
        words += ["--hint", f"{key}={value}"]
    words += ["--stdin"] if settings.paths is not None else []
    words += ["--stdin-content"] if settings.buffers else []
    profiles = [_profile_of(origin) for origin in settings.origins.values()]
    words += next((["--profile", name] for name in profiles if name), [])
    for each in _settings_to_record(settings):
        words += _words_of(each, getattr(settings, each.name))
    return "" if words == [_PROGRAM, str(Scope.TASK)] else shlex.join(words)


def _target(request: Request, *, is_shown: bool) -> list[str]:
    """The words after the name of the command."""
    if request.scope is Scope.FILE:
        first, last = request.lines or (0, 0)
        place = ["--lines", f"{first}:{last}"] if request.lines else []
        place += ["--line", str(request.line)] if request.line else []
        return [request.path, *place, *(["--symbol", request.symbol] if request.symbol else [])]
    if request.scope is Scope.DIFF:
        return [*([request.revision] if request.revision else []), *(["--staged"] if request.is_staged else [])]
    if request.scope is Scope.COMPONENT:
        return [request.name]
    return [] if is_shown else ["-"]


def _profile_of(origin: str) -> str:
    match = _PROFILE.match(origin)
    return (match["own"] or match["named"]) if match else ""


def _settings_to_record(settings: Settings) -> Iterator[Setting]:
    """The settings from outside the project that a report may repeat."""
    redundant = {"format"} | ({"stats"} if settings.format != "json" else set())  # other formats do not show them
    if format_of(settings.format).has_budget and not (settings.model or settings.window):
        redundant |= {"budget"}
    for name, origin in settings.origins.items():
        each = SETTINGS[name]
        is_given = origin.startswith(("--", "CTXPACK_")) or Path(origin).is_absolute()
        if is_given and name not in redundant and _may_be_recorded(each) and getattr(settings, name) != each.default:
            yield each


def _may_be_recorded(each: Setting) -> bool:
    is_ours = each.flag is not None and bool(each.flag.panel)
    return is_ours and each.in_digest and each.reader is not None and Origin.PROJECT in each.sources


def _words_of(each: Setting, value: object) -> list[str]:
    """A value as it would be typed."""
    if each.is_switch:
        return [each.typed_name]
    if isinstance(value, bool) and each.flag is not None:
        return [each.flag.names.split("/")[not value]]
    if isinstance(value, tuple):
        return [each.typed_name, ",".join(value)]
    if isinstance(value, Mapping):
        parts = ((key, f"{part * _WHOLE:g}%" if isinstance(part, float) else part) for key, part in value.items())
        return [each.typed_name, ",".join(f"{key}={part}" for key, part in parts)]
    return [each.typed_name, str(value)]


def read_recipe(written: str) -> Recipe:
    """Read a recipe; an empty one is that of a plain task. Raises UsageError for invalid or forbidden ones."""
    try:
        words = shlex.split(written) or [_PROGRAM, str(Scope.TASK)]
    except ValueError as error:
        raise UsageError(_ODD.format("is broken"), hint=_HINT) from error
    if words[0] != _PROGRAM or len(words) == 1 or words[1] not in {str(each) for each in Scope}:
        raise UsageError(_ODD.format("names no command of ctxpack that packs"), hint=_HINT)
    found = _RecipeReader(Recipe(Request(Scope(words[1]))))
    rest = iter(words[2:])
    for word in rest:
        found.take(word, rest)
    return found.finish()


class _RecipeReader:
    """Reads the words of a recipe one by one."""

    def __init__(self, recipe: Recipe) -> None:
        self._request = recipe.request
        self._values: dict[str, object] = {}
        self._profile: str | None = None
        self._needs: set[str] = set()
        self._given: list[str] = []
        self._hints: list[tuple[str, str]] = []

    def take(self, word: str, rest: Iterator[str]) -> None:
        """Take a word, with what belongs to it."""
        if not word.startswith("--"):
            self._given.append(word)
        elif word in _SWITCHES:
            self._switch(word)
        elif word in _SPECIAL:
            self._special(word, _next(word, rest))
        else:
            self._setting(word, rest)

    def finish(self) -> Recipe:
        """Return what was read."""
        request, (target, *more) = self._request, [*self._given, ""]
        if len(more) > 1:
            raise UsageError(_ODD.format("names more than one thing"), hint=_HINT)
        if request.scope is Scope.TASK and target == "-":
            self._needs.add("text")
        elif request.scope is Scope.TASK and target:
            raise UsageError(_ODD.format("holds words of the request"), hint=_HINT)
        subject = Request.about(request.scope, "" if request.scope is Scope.TASK else target)
        request = replace(request, path=subject.path, name=subject.name, revision=subject.revision)
        request = replace(request, hints=tuple(self._hints))
        return Recipe(request, self._values, self._profile, frozenset(self._needs))

    def _switch(self, word: str) -> None:
        if word == "--staged":
            self._request = replace(self._request, is_staged=True)
        else:
            self._needs.add("paths" if word == "--stdin" else "buffer")

    def _special(self, word: str, value: str) -> None:
        if word == "--profile":
            self._profile = value
        elif word == "--hint":
            key, _, said = value.partition("=")
            self._hints.append((key, said))
        elif word == "--symbol":
            self._request = replace(self._request, symbol=value)
        else:
            first, _, last = value.partition(":")
            if not all(part.isdecimal() for part in (first, last or first)):
                raise UsageError(_ODD.format(f"has a wrong {word}"), hint=_HINT)
            lines = (int(first), int(last)) if last else None
            self._request = replace(self._request, lines=lines, line=0 if lines else int(first))

    def _setting(self, word: str, rest: Iterator[str]) -> None:
        for each in SETTINGS.values():
            names = each.flag.names.split()[0].split("/") if each.flag and _may_be_recorded(each) else []
            if word in names and not (each.only_user_stops and word != names[0]):
                is_pair = len(names) > 1
                self._values[each.name] = (
                    word == names[0] if is_pair else not each.default if each.is_switch else _next(word, rest)
                )
                return
        known = [name for each in SETTINGS.values() if each.flag for name in each.flag.names.split()[0].split("/")]
        if word in known:
            said = f"sets {word}, which only you may set"
            raise UsageError(
                _ODD.format(said), hint="Type that option yourself, or make the report with a new command."
            )
        hint = did_you_mean(word, known) or _HINT
        raise UsageError(_ODD.format(f"has the unknown option {printable(word)}"), hint=hint)


def _next(word: str, rest: Iterator[str]) -> str:
    value = next(rest, None)
    if value is None:
        raise UsageError(_ODD.format(f"ends with {word}"), hint=_HINT)
    return value
