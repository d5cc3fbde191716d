"""Insert a member into a JSON file that others wrote, with its comments, and remove it again without a trace.

The text is not written again: what is added is one run of characters, right behind the brace of an object. Its blanks
say what was there before: none, and the object was empty; one, and the object was made for it on the same line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ctxpack.light import dataclass

_BLANK: Final = " \t\r\n"
_DEFAULT_INDENT: Final = "  "


class JsonError(ValueError):
    """The text is not JSON, not even with comments and trailing commas; its message says where."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object: its key, where the key begins, and where the value begins and ends."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class _Object:
    """An object: where its opening brace is, and its members."""

    brace: int
    members: tuple[Member, ...]

    def member(self, key: str) -> Member | None:
        return next((each for each in self.members if each.key == key), None)


def parse(text: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return the value of a text that may have comments and trailing commas. Raises JsonError."""
    scanner = _Scanner(text)
    start = scanner.skip(0)
    try:
        end = scanner.value(start)
        if scanner.skip(end) != len(text):
            raise scanner.error(scanner.skip(end), "text after the end")
        return json.loads(scanner.bare(start, end))
    except JsonError:
        raise
    except ValueError as error:
        raise JsonError(str(error)) from error
    except RecursionError as error:
        raise JsonError("it is nested too deeply") from error


def pretty(value: Any, step: str = _DEFAULT_INDENT) -> str:  # noqa: ANN401 - whatever JSON holds
    """Write a value: an object with a member on each line, everything else on one."""
    if not isinstance(value, Mapping) or not value:
        return json.dumps(value, ensure_ascii=False)
    rows = (f"{json.dumps(key)}: {pretty(each, step)}" for key, each in value.items())
    inner = ",\n".join(rows).replace("\n", f"\n{step}")
    return f"{{\n{step}{inner}\n}}"


def insert(text: str, path: Sequence[str], value: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    """Return the text with ``value`` at ``path``, making the objects on the way. Raises JsonError.

    A value that is there already stays.
    """
    if not isinstance(parse(text), Mapping):
        raise JsonError("it is not an object")
    found = _Scanner(text).object(_Scanner(text).skip(0))
    for depth, key in enumerate(path):
        member = found.member(key)
        if member is None:
            return _with_member(text, found, (path[depth:], value), depth)
        if depth == len(path) - 1:
            return text
        if text[member.value] != "{":
            raise JsonError(f"{key} is not an object")
        found = _Scanner(text).object(member.value)
    return text


def remove(text: str, path: Sequence[str], value: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    """Return the text without ``value`` at ``path``, and without the objects that were made for it. Raises JsonError.

    Another value at the same place stays.
    """
    parse(text)
    chain = [_Scanner(text).object(_Scanner(text).skip(0))]
    for key in path[:-1]:
        member = chain[-1].member(key)
        if member is None or text[member.value] != "{":
            return text
        chain.append(_Scanner(text).object(member.value))
    mine = chain[-1].member(path[-1])
    if mine is None or json.loads(_Scanner(text).bare(mine.value, mine.end)) != value:
        return text
    key = path[-1]
    while len(chain) > 1 and len(chain[-1].members) == 1:
        between = text[chain[-1].brace + 1 : mine.start]
        if between != " " and "\n" not in between:
            break  # it was empty before
        chain.pop()
        key = path[len(chain) - 1]
        outer = chain[-1].member(key)
        assert outer is not None  # noqa: S101 - it is on the path
        mine = outer
    return _without_member(text, chain[-1], mine)


def _with_member(text: str, home: _Object, new: tuple[Sequence[str], Any], depth: int) -> str:
    """Put the member at the beginning of its object."""
    (key, *inner), value = new
    at = home.brace + 1
    newline = "\r\n" if "\r\n" in text else "\n"
    first = home.members[0].start if home.members else at
    between = text[at:first]
    if home.members and "\n" in between:
        step = _indent(text, home, depth)
        lead = newline + step * (depth + 1)
        for name in reversed(inner):
            value = {name: value}
        written = pretty(value, step).replace("\n", lead)
        added = f"{lead}{json.dumps(key)}: {written},"
    else:
        for name in reversed(inner):
            value = _Spaced({name: value})
        blank = " " if home.members and between.startswith(" ") else ""
        comma = "" if not home.members else "," if blank else ", "
        added = f"{blank}{json.dumps(key)}: {_inline(value)}{comma}"
    return text[:at] + added + text[at:]


class _Spaced(dict[str, Any]):
    """An object that is made on the same line: one blank behind its brace says so."""


def _inline(value: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, _Spaced):
        return "{ " + ", ".join(f"{json.dumps(key)}: {_inline(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def _indent(text: str, home: _Object, depth: int) -> str:
    """What a level is indented by in an object ``depth`` levels deep, as its first member shows."""
    start = home.members[0].start
    line = text[text.rfind("\n", 0, start) + 1 : start]
    lead = line[: len(line) - len(line.lstrip(" \t"))]
    return lead[: len(lead) // (depth + 1)] or _DEFAULT_INDENT


def _without_member(text: str, home: _Object, mine: Member) -> str:
    """Take a member out of its object, with the comma that it brought."""
    number = next(at for at, each in enumerate(home.members) if each.start == mine.start)
    if number:
        return text[: home.members[number - 1].end] + text[mine.end :]
    begin, end = home.brace + 1, mine.end
    scanner = _Scanner(text)
    behind = scanner.skip(end)
    if behind < len(text) and text[behind] == ",":
        end = behind + 1
        if begin == mine.start and len(home.members) > 1 and text[end : end + 1] == " ":
            end += 1
    comment = text[begin : mine.start].strip(_BLANK)
    return text[: mine.start if comment else begin] + text[end:]


class _Scanner:
    """Finds the ends of values in a text, over comments and trailing commas."""

    def __init__(self, text: str) -> None:
        self.text = text

    def error(self, at: int, what: str) -> JsonError:
        return JsonError(f"{what} in line {self.text.count(chr(10), 0, at) + 1}")

    def skip(self, at: int) -> int:
        """The next place that is neither blank nor comment."""
        text = self.text
        while at < len(text):
            if text[at] in _BLANK or (at == 0 and text[at] == "\ufeff"):
                at += 1
            elif text.startswith("//", at):
                end = text.find("\n", at)
                at = len(text) if end < 0 else end
            elif text.startswith("/*", at):
                end = text.find("*/", at + 2)
                if end < 0:
                    raise self.error(at, "an unterminated comment")
                at = end + 2
            else:
                break
        return at

    def string(self, at: int) -> int:
        """The end of a string."""
        begin, text = at, self.text
        at += 1
        while at < len(text) and text[at] not in '"\n':
            at += 2 if text[at] == "\\" else 1
        if at >= len(text) or text[at] != '"':
            raise self.error(begin, "an unterminated string")
        return at + 1

    def value(self, at: int) -> int:
        """The end of a value."""
        text = self.text
        if at >= len(text):
            raise self.error(at, "a missing value")
        if text[at] == '"':
            return self.string(at)
        if text[at] == "{":
            return self._end_of(self.object(at))
        if text[at] == "[":
            at = self.skip(at + 1)
            while at < len(text) and text[at] != "]":
                at = self._behind_comma(self.value(at), "]")
            return self._expect(at, "]")
        begin = at
        while at < len(text) and text[at] not in f"{_BLANK},]}}/":
            at += 1
        if begin == at:
            raise self.error(at, f"{text[at]!r}")
        return at

    def object(self, at: int) -> _Object:
        """The object whose brace is at a place."""
        if self.text[at : at + 1] != "{":
            raise self.error(at, "no object")
        members: list[Member] = []
        begin, at = at, self.skip(at + 1)
        while at < len(self.text) and self.text[at] != "}":
            if self.text[at] != '"':
                raise self.error(at, f"{self.text[at]!r} instead of a name")
            behind = self.string(at)
            colon = self.skip(behind)
            if self.text[colon : colon + 1] != ":":
                raise self.error(at, "a name without a value")
            value = self.skip(colon + 1)
            end = self.value(value)
            members.append(Member(json.loads(self.text[at:behind]), at, value, end))
            at = self._behind_comma(end, "}")
        self._expect(at, "}")
        return _Object(begin, tuple(members))

    def _end_of(self, found: _Object) -> int:
        at = self.skip(found.members[-1].end if found.members else found.brace + 1)
        if found.members and self.text[at] == ",":
            at = self.skip(at + 1)
        return self._expect(at, "}")

    def _behind_comma(self, at: int, close: str) -> int:
        at = self.skip(at)
        if at < len(self.text) and self.text[at] == ",":
            return self.skip(at + 1)
        if at < len(self.text) and self.text[at] != close:
            raise self.error(at, "no comma")
        return at

    def _expect(self, at: int, close: str) -> int:
        if self.text[at : at + 1] != close:
            raise self.error(at, f"no {close}")
        return at + 1

    def bare(self, at: int, end: int) -> str:
        """The text of a value without comments and trailing commas."""
        kept: list[str] = []
        comma = -1  # where in ``kept`` the last part is, if that is a comma
        while at < end:
            if self.text[at] == '"':
                behind = self.string(at)
                kept.append(self.text[at:behind])
                at, comma = behind, -1
            elif (behind := self.skip(at)) > at:
                at = min(behind, end)
                kept.append(" ")
            else:
                char = self.text[at]
                if char in "]}" and comma >= 0:
                    kept[comma] = ""
                comma = len(kept) if char == "," else -1
                kept.append(char)
                at += 1
        return "".join(kept)
