"""A matcher of patterns that counts its steps: it tries what ``re`` tries, in the same order, and is never faster.

It reads the tree that ``re`` itself parses. Where a repetition has a bound, a lower one is used, so that what takes
linear time because of it does so for short texts too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

BOUND = 6  # of every repetition that has one

Then = Callable[[int], "int | None"]
Matcher = Callable[[int, Then], "int | None"]


_SIGNS = (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN)
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


class TooManyStepsError(Exception):
    """A matcher took more steps than it may."""


class Stepper:
    """A pattern over one text after another; ``steps`` counts what it did since it was made."""

    def __init__(self, pattern: re.Pattern[Any], most: int) -> None:
        self.tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
        self.flags = pattern.flags
        self.steps, self.most = 0, most
        self.text = ""
        self.groups: dict[int, tuple[int, int]] = {}
        self._match = self._sequence(list(self.tree), self.flags)

    def search_all(self, text: str) -> None:
        """Do what ``finditer`` does: try every place, and go on behind a match."""
        at = 0
        while at <= len(text):
            end = self.match(text, at)
            at = max(at + 1, end or 0)

    def match(self, text: str, at: int) -> int | None:
        """Do what ``match`` does at one place."""
        self.text = text
        self.groups.clear()
        return self._match(at, lambda end: end)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self.most:
            raise TooManyStepsError

    def _sequence(self, nodes: list[Any], flags: int) -> Matcher:
        matchers = [self._node(code, value, flags) for code, value in nodes]

        if not matchers:
            return lambda at, then: then(at)
        last = len(matchers) - 1

        def run(at: int, then: Then, number: int = 0) -> int | None:
            if number == last:
                return matchers[number](at, then)
            return matchers[number](at, lambda end: run(end, then, number + 1))

        return run if last else matchers[0]

    def _node(self, code: Any, value: Any, flags: int) -> Matcher:  # noqa: ANN401 - what the parser of patterns gives
        if code in _SIGNS:
            return self._sign(code, value, flags)
        if code in _REPEATS:
            return self._repeat(code, value, flags)
        if code is codes.SUBPATTERN:
            group, added, removed, inner = value
            return self._group(group, self._sequence(list(inner), (flags | added) & ~removed))
        makers: dict[Any, Callable[[], Matcher]] = {
            codes.BRANCH: lambda: self._branch([self._sequence(list(each), flags) for each in value[1]]),
            codes.ATOMIC_GROUP: lambda: self._atomic(self._sequence(list(value), flags)),
            codes.ASSERT: lambda: self._assertion(True, value[0], list(value[1]), flags),  # noqa: FBT003
            codes.ASSERT_NOT: lambda: self._assertion(False, value[0], list(value[1]), flags),  # noqa: FBT003
            codes.AT: lambda: self._place(str(value), flags),
            codes.GROUPREF: lambda: self._reference(value),
        }
        return makers[code]()

    def _sign(self, code: Any, value: Any, flags: int) -> Matcher:  # noqa: ANN401 - what the parser of patterns gives
        fits = _fits(code, _frozen(value), flags)

        def run(at: int, then: Then) -> int | None:
            self.steps += 1  # as _step does, without a call: half of all steps are these
            if self.steps > self.most:
                raise TooManyStepsError
            return then(at + 1) if at < len(self.text) and fits(self.text[at]) else None

        return run

    def _branch(self, ways: list[Matcher]) -> Matcher:
        def run(at: int, then: Then) -> int | None:
            for way in ways:
                if (end := way(at, then)) is not None:
                    return end
            return None

        return run

    def _group(self, group: int | None, inner: Matcher) -> Matcher:
        if group is None:
            return inner

        def run(at: int, then: Then) -> int | None:
            def keep(end: int) -> int | None:
                before = self.groups.get(group)
                self.groups[group] = (at, end)
                if (found := then(end)) is None:
                    self.groups.pop(group)
                    if before:
                        self.groups[group] = before
                return found

            return inner(at, keep)

        return run

    def _atomic(self, inner: Matcher) -> Matcher:
        def run(at: int, then: Then) -> int | None:
            end = inner(at, lambda end: end)
            return None if end is None else then(end)

        return run

    def _repeat(self, code: Any, value: Any, flags: int) -> Matcher:  # noqa: ANN401 - what the parser of patterns gives
        least, most, inner = value
        most = None if most is codes.MAXREPEAT else max(min(most, BOUND), 1 if most else 0)
        least = min(least, BOUND)
        body = self._sequence(list(inner), flags)
        if code is codes.POSSESSIVE_REPEAT:
            return self._atomic(self._greedy(body, least, most))
        return self._greedy(body, least, most) if code is codes.MAX_REPEAT else self._lazy(body, least, most)

    def _greedy(self, body: Matcher, least: int, most: int | None) -> Matcher:
        def run(at: int, then: Then, done: int = 0) -> int | None:
            self._step()

            def again(end: int) -> int | None:
                return None if end == at and done >= least else run(end, then, done + 1)

            if (most is None or done < most) and (end := body(at, again)) is not None:
                return end
            return then(at) if done >= least else None

        return run

    def _lazy(self, body: Matcher, least: int, most: int | None) -> Matcher:
        def run(at: int, then: Then, done: int = 0) -> int | None:
            self._step()
            if done >= least and (end := then(at)) is not None:
                return end
            if most is not None and done >= most:
                return None
            return body(at, lambda end: None if end == at else run(end, then, done + 1))

        return run

    def _assertion(self, wanted: bool, direction: int, inner: list[Any], flags: int) -> Matcher:  # noqa: FBT001
        body = self._sequence(inner, flags)
        width = parser.SubPattern(self.tree.state, inner).getwidth()[0] if direction < 0 else 0

        def run(at: int, then: Then) -> int | None:
            self._step()
            is_there = (
                at >= width and body(at - width, lambda end: end if direction > 0 or end == at else None) is not None
            )
            return then(at) if is_there is wanted else None

        return run

    def _place(self, name: str, flags: int) -> Matcher:
        is_boundary, negates = "BOUNDARY" in name, "NON" in name

        def is_here(at: int) -> bool:
            text = self.text
            if is_boundary:
                before = at > 0 and _is_word(text[at - 1])
                return (before != (at < len(text) and _is_word(text[at]))) is not negates
            if name.endswith("AT_BEGINNING") and flags & re.MULTILINE:
                return at == 0 or text[at - 1] == "\n"
            if "BEGINNING" in name:
                return at == 0
            if name.endswith("AT_END_STRING"):
                return at == len(text)
            return at == len(text) or (text[at] == "\n" and (at == len(text) - 1 or bool(flags & re.MULTILINE)))

        def run(at: int, then: Then) -> int | None:
            self._step()
            return then(at) if is_here(at) else None

        return run

    def _reference(self, group: int) -> Matcher:
        def run(at: int, then: Then) -> int | None:
            self._step()
            if group not in self.groups:
                return None
            start, end = self.groups[group]
            self.steps += end - start
            return then(at + end - start) if self.text.startswith(self.text[start:end], at) else None

        return run


def _frozen(value: Any) -> Any:  # noqa: ANN401 - what the parser of patterns gives
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


@cache
def _fits(code: Any, value: Any, flags: int) -> Callable[[str], bool]:  # noqa: ANN401 - what the parser of patterns gives
    """Whether a sign is one that a part of a pattern matches."""
    ignores_case = bool(flags & re.IGNORECASE)

    @cache
    def fits(sign: str) -> bool:
        forms = {sign, sign.lower(), sign.upper()} if ignores_case else {sign}
        if code is codes.ANY:
            return sign != "\n" or bool(flags & re.DOTALL)
        if code is codes.LITERAL:
            return any(len(each) == 1 and ord(each) == value for each in forms)
        if code is codes.NOT_LITERAL:
            return not any(len(each) == 1 and ord(each) == value for each in forms)
        return any(_is_one_of(value, each, flags) for each in forms if len(each) == 1)

    return fits


def _is_one_of(members: Any, sign: str, flags: int) -> bool:  # noqa: ANN401 - what the parser of patterns gives
    negates: bool = members[0][0] is codes.NEGATE
    is_in = any(_is_member(member, sign, flags) for member in members if member[0] is not codes.NEGATE)
    return is_in is not negates


def _is_member(member: Any, sign: str, flags: int) -> bool:  # noqa: ANN401 - what the parser of patterns gives
    code, value = member
    if code is codes.LITERAL:
        return bool(ord(sign) == value)
    if code is codes.RANGE:
        return bool(value[0] <= ord(sign) <= value[1])
    name = str(value).rpartition("CATEGORY_")[2]
    letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[name.removeprefix("NOT_")]
    is_ascii = re.ASCII if flags & re.ASCII else re.NOFLAG
    is_in: bool = re.match(f"\\{letter}", sign, is_ascii) is not None
    return is_in is not name.startswith("NOT_")


def samples(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str]]:
    """Texts that a pattern may find hard: what comes before a repetition of it, and what it repeats."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    yield from _repetitions(list(tree), pattern.flags, "")


def _repetitions(nodes: list[Any], flags: int, before: str) -> Iterator[tuple[str, str]]:
    for code, value in nodes:
        for inner in parts_of(code, value):
            yield from _repetitions(list(inner), flags, before)
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT) and value[1] > 1:
            for unit in sorted({_sample(list(value[2]), flags, turn) for turn in range(4)}):
                if unit:
                    yield before, unit
        before += _sample([(code, value)], flags, 0)


def parts_of(code: Any, value: Any) -> list[Any]:  # noqa: ANN401 - what the parser of patterns gives
    """The patterns that a part of a pattern holds."""
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.ATOMIC_GROUP:
        return [value]
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT, codes.SUBPATTERN):
        return [value[-1]]
    return [value[1]] if code in (codes.ASSERT, codes.ASSERT_NOT) else []


_USUAL = "a \t\n0A_-.\"'/:=(){}<>,;#*x\\`[]|&@!?+~^%$я"


def _sample(nodes: list[Any], flags: int, turn: int) -> str:
    """A text that some nodes match, if possible; ``turn`` chooses among the ways."""
    text = ""
    for code, value in nodes:
        if code is codes.LITERAL:
            text += chr(value)
        elif code in (codes.NOT_LITERAL, codes.ANY, codes.IN):
            fits = _fits(code, _frozen(value), flags)
            found = [sign for sign in _USUAL if fits(sign)] or _first_of(value)
            text += found[turn % len(found)] if found else ""
        elif code is codes.BRANCH:
            text += _sample(list(value[1][turn % len(value[1])]), flags, turn)
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            text += _sample(list(value[2]), flags, turn) * min(max(value[0], 1 if turn % 2 else 0), 40)
        elif code is codes.SUBPATTERN:
            text += _sample(list(value[3]), flags, turn)
        elif code is codes.ATOMIC_GROUP:
            text += _sample(list(value), flags, turn)
    return text


def _first_of(members: Any) -> list[str]:  # noqa: ANN401 - what the parser of patterns gives
    for code, value in members if isinstance(members, list) else ():
        if code is codes.LITERAL:
            return [chr(value)]
        if code is codes.RANGE:
            return [chr(value[0])]
    return []
