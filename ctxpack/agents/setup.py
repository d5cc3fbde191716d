"""Plan the edits that register ctxpack with agents, and those that undo it: whole files, and parts of others' files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from ctxpack.agents import jsonc
from ctxpack.agents.catalogue import AGENTS, MARK, NAME, NOTE, SKILL, Agent
from ctxpack.errors import ConfigError, InternalError, UsageError
from ctxpack.light import dataclass
from ctxpack.system.disk import read_whole
from ctxpack.system.git import is_no_name
from ctxpack.workflows.refresh import Edit, split_around

_TOML: Final = ".toml"
_MOST_READ: Final = 2_000_000  # bytes of a file that people write
_REPLACE: Final = "Replace the link by a file or a folder."


@dataclass(frozen=True, slots=True)
class MarkedPart:
    """A part of a file between two lines that nothing else has."""

    start: str
    end: str
    body: str

    def insert_into(self, text: str | None, path: str) -> str:
        """Return a text with the part, at its place or at the end; None is a file that is made for it.

        Raises UsageError where the lines around it are not both there.
        """
        newline = "\r\n" if text and "\r\n" in text else "\n"
        own = newline.join([self.start, *self.body.splitlines(), self.end])
        if text is None:
            return f"{own}{newline}"
        around = split_around(text, self.start, self.end, path)
        if around is not None:
            return f"{around[0]}{own}{around[1]}"
        return f"{text}{newline}{own}{newline}"  # one more line end: a blank line, where the text ends with one itself

    def remove_from(self, text: str, path: str) -> str | None:
        """Return the text without the part; None where the file was made for it. Raises UsageError."""
        around = split_around(text, self.start, self.end, path)
        if around is None:
            return text
        head, tail = around
        for newline in ("\r\n", "\n"):
            if tail.startswith(newline):
                tail = tail[len(newline) :]
                break
        if not head:
            return tail or None
        for newline in ("\r\n", "\n"):
            if head.endswith(newline):
                return head[: -len(newline)] + tail
        return head + tail


_NOTE: Final = MarkedPart("<!-- ctxpack:tools:start -->", "<!-- ctxpack:tools:end -->", NOTE)


def plan_setup(root: Path, agents: Iterable[Agent], *, force: bool = False) -> tuple[Edit, ...]:
    """Return what has to change so that the agents know of ctxpack; nothing where they do.

    Raises ConfigError for a file that cannot be understood, UsageError for a skill that somebody else wrote, unless
    ``force`` replaces it.
    """
    files = _Files(root)
    for agent in agents:
        _register(files, agent)
        there = files.text(agent.skill)
        if there is not None and MARK not in there and not force:
            raise UsageError(f"{agent.skill} is not from ctxpack.", hint="Rename it, or add --force to replace it.")
        files.put(agent.skill, SKILL)
        files.put(agent.note, _NOTE.insert_into(files.text(agent.note), agent.note))
    return files.edits()


def plan_removal(root: Path, agents: Iterable[Agent]) -> tuple[Edit, ...]:
    """Return what has to change so that nothing is left of it. What several agents share stays for those that stay.

    Raises ConfigError and UsageError as ``plan_setup`` does.
    """
    files, gone = _Files(root), tuple(agents)
    staying = [each for each in AGENTS if each not in gone and _is_registered(files, each)]
    kept = {files.home(path) for each in staying for path in (each.skill, each.note)}
    for agent in gone:
        _unregister(files, agent)
        if files.home(agent.skill) not in kept and MARK in (files.text(agent.skill) or ""):
            files.put(agent.skill, None)
        note = files.text(agent.note)
        if files.home(agent.note) not in kept and note is not None:
            files.put(agent.note, _NOTE.remove_from(note, agent.note))
    return files.edits()


class _Files:
    """The files of a repository while changes are planned. Two paths that lead to one file are that file."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._before: dict[str, bytes | None] = {}
        self._after: dict[str, bytes | None] = {}

    def text(self, path: str) -> str | None:
        """What a file will hold; None where there will be none. Raises ConfigError and InternalError."""
        home = self.home(path)
        if home not in self._after:
            self._before[home] = self._after[home] = self._read(home)
        data = self._after[home]
        try:
            return None if data is None else data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ConfigError(f"{path} is not UTF-8.", hint="Save it as UTF-8.") from error

    def put(self, path: str, text: str | None) -> None:
        """Plan that a file will hold a text."""
        self.text(path)
        self._after[self.home(path)] = None if text is None else text.encode()

    def home(self, path: str) -> str:
        """Where a path leads, links followed. Raises UsageError for one that points outside the repository."""
        place = (self._root / path).resolve()
        if not place.is_relative_to(self._root):
            raise UsageError(f"{path} points outside the repository.", hint=_REPLACE)
        if any(map(is_no_name, place.relative_to(self._root).parts)):
            raise UsageError(f"{path} points into the folder of git.", hint=_REPLACE)
        return place.relative_to(self._root).as_posix()

    def edits(self) -> tuple[Edit, ...]:
        """The files that change, by path."""
        changed = sorted(path for path, data in self._after.items() if data != self._before[path])
        return tuple(Edit(path, self._before[path], self._after[path]) for path in changed)

    def _read(self, path: str) -> bytes | None:
        try:
            return read_whole(self._root / path, _MOST_READ)
        except FileNotFoundError:  # there is nothing yet
            return None
        except OSError as error:
            raise InternalError(f"{path} cannot be read: {error.strerror}.") from error


def _path_of(agent: Agent) -> tuple[str, ...]:
    return (*agent.table, NAME)


def _fresh(agent: Agent) -> str:
    """A file that holds nothing but our entry."""
    value: Any = dict(agent.entry)
    for key in reversed(_path_of(agent)):
        value = {key: value}
    return jsonc.pretty(value) + "\n"


def _register(files: _Files, agent: Agent) -> None:
    before = files.text(agent.file)
    if agent.file.endswith(_TOML):
        if before is None or not _has_table(before, agent):
            files.put(agent.file, after := _table(agent).insert_into(before, agent.file))
            _has_table(after, agent)  # it is still TOML
        return
    if before is None or not before.strip():
        files.put(agent.file, _fresh(agent) if before is None else f"{before}\n{_fresh(agent)}")
        return
    files.put(agent.file, _edit(agent, before, is_removed=False))


def _unregister(files: _Files, agent: Agent) -> None:
    before = files.text(agent.file)
    if before is None:
        return
    if agent.file.endswith(_TOML):
        files.put(agent.file, _table(agent).remove_from(before, agent.file))
    elif before == _fresh(agent):
        files.put(agent.file, None)
    elif before.endswith(own := f"\n{_fresh(agent)}") and not before.removesuffix(own).strip():
        files.put(agent.file, before.removesuffix(own))  # it was empty before
    elif before.strip():
        files.put(agent.file, _edit(agent, before, is_removed=True))


def _edit(agent: Agent, text: str, *, is_removed: bool) -> str:
    change = jsonc.remove if is_removed else jsonc.insert
    try:
        return change(text, _path_of(agent), dict(agent.entry))
    except jsonc.JsonError as error:
        raise ConfigError(f"{agent.file} is not valid JSON: {error}.", hint="Fix it and try again.") from error


def _table(agent: Agent) -> MarkedPart:
    """Our table in a TOML file, between two comments."""
    lines = [f"[{'.'.join(_path_of(agent))}]", *(f"{key} = {json.dumps(each)}" for key, each in agent.entry.items())]
    return MarkedPart("# ctxpack: start, by ctxpack init", "# ctxpack: end", "\n".join(lines))


def _has_table(text: str, agent: Agent) -> bool:
    """Whether a TOML file names our server outside the marks, as somebody wrote it. Raises ConfigError."""
    import tomllib

    try:
        found: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        said = error if isinstance(error, ValueError) else "it is nested too deeply"
        raise ConfigError(f"{agent.file} is not valid TOML: {said}.", hint="Fix it and try again.") from error
    return _entry_in(found, agent) is not None and _table(agent).start not in text


def _is_registered(files: _Files, agent: Agent) -> bool:
    """Whether an agent knows of ctxpack."""
    text = files.text(agent.file)
    if not text or not text.strip():
        return False
    if agent.file.endswith(_TOML):
        return _has_table(text, agent) or _table(agent).start in text
    try:
        found: Any = jsonc.parse(text)
    except jsonc.JsonError:  # what is no JSON holds no entry of ours; who writes it says so
        return False
    return _entry_in(found, agent) is not None


def _entry_in(found: Any, agent: Agent) -> object:  # noqa: ANN401 - whatever a file holds
    """Our entry in what a file holds; None where there is none."""
    for key in _path_of(agent):
        found = found.get(key) if isinstance(found, dict) else None
    return found
