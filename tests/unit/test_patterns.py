"""No pattern of the package hangs, whatever the text.

Each is given texts made of its own alphabet that end in a sign which does not match, so that it has to try every way.
What bounds it is the processor time of one process that does nothing else, a hundred times what a pattern needs that
takes the square of the text: a busy machine does not change the outcome. What takes the cube, or doubles with every
sign, is found.
"""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import pkgutil
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import ctxpack

LENGTH = 1_500  # characters: the square of it takes milliseconds, its cube a second and more
SECONDS = 0.5
LONGEST_WORD = 12
MOST_UNITS = 14
CATEGORIES = {"DIGIT": "7", "SPACE": " ", "WORD": "w", "NOT_DIGIT": "x", "NOT_SPACE": "x", "NOT_WORD": "-"}


def patterns() -> dict[str, re.Pattern[Any]]:
    """Every compiled pattern of the package, by where it is found."""
    found: dict[str, re.Pattern[Any]] = {}
    for info in pkgutil.walk_packages(ctxpack.__path__, "ctxpack."):
        if not info.name.endswith("__main__"):
            module = importlib.import_module(info.name)
            for name, value in sorted(vars(module).items()):
                if not isinstance(value, ModuleType):
                    for number, each in enumerate(_held(value, 0)):
                        found.setdefault(f"{info.name}.{name}[{number}] {each.pattern!r}"[:200], each)
    found.update(_made_later())
    return {name: each for name, each in found.items() if each.pattern}


def _made_later() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Patterns that are compiled when they are needed."""
    from ctxpack.languages.record import languages
    from ctxpack.parse.definitions import _compiled
    from ctxpack.redact.shapes import SHAPES

    for shape in SHAPES:
        yield f"{shape.kind} {shape.starts}", re.compile(shape.pattern)
    for language in languages():
        if language.patterns:
            yield f"definitions of {language.name}", _compiled(language.patterns).pattern


def _held(value: object, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, Mapping):
        for each in (*value.keys(), *value.values()):
            yield from _held(each, depth + 1)
    elif depth < 4 and isinstance(value, tuple | list | frozenset | set):
        for each in value:
            yield from _held(each, depth + 1)
    elif depth < 4 and dataclasses.is_dataclass(value) and not isinstance(value, type):
        for part in dataclasses.fields(value):
            yield from _held(getattr(value, part.name, None), depth + 1)


def units(pattern: re.Pattern[Any]) -> list[str]:
    """What texts are made of: words of the pattern, its signs, and pairs of them."""
    words = [word for word in _words(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)) if word]
    letters = list(dict.fromkeys("".join(words)))
    single = list(dict.fromkeys([*letters[:10], *(word[:LONGEST_WORD] for word in words), "".join(words)[:60]]))
    pairs = ["".join(pair) for pair in itertools.permutations(letters[:5], 2)]
    return list(dict.fromkeys([*single, *pairs]))[:MOST_UNITS]


def _words(tree: Any) -> Iterator[str]:  # noqa: ANN401 - what the parser of patterns gives
    """Runs of literals, and one sign of each set."""
    run = ""
    for code, value in tree:
        if code is codes.LITERAL:
            run += chr(value)
            continue
        if run:
            yield run
        run = ""
        if code is codes.IN:
            yield _one_of(value)
        elif code in (codes.ANY, codes.NOT_LITERAL):
            yield "x"
        for inner in _inside(code, value):
            yield from _words(inner)
    if run:
        yield run


def _inside(code: Any, value: Any) -> list[Any]:  # noqa: ANN401 - what the parser of patterns gives
    """The patterns that a part of a pattern holds."""
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.ATOMIC_GROUP:
        return [value]
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT, codes.SUBPATTERN):
        return [value[-1]]
    return [value[1]] if code in (codes.ASSERT, codes.ASSERT_NOT) else []


def _one_of(members: Any) -> str:  # noqa: ANN401 - what the parser of patterns gives
    code, value = members[0]
    if code is codes.NEGATE:
        return "x"
    if code is codes.CATEGORY:
        return next(sign for name, sign in CATEGORIES.items() if str(value).endswith(f"CATEGORY_{name}"))
    return chr(value if code is codes.LITERAL else value[0])


def main() -> None:
    """Print each pattern that takes too long, and the text."""

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, stop)
    for name, pattern in patterns().items():
        for unit in units(pattern):
            for text in (unit * (LENGTH // len(unit)) + "\0", "\n" + unit * (LENGTH // len(unit)) + "\n\0"):
                signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                try:
                    given: Any = text if isinstance(pattern.pattern, str) else text.encode("utf-8", "replace")
                    for _ in pattern.finditer(given):
                        pass
                    pattern.fullmatch(given)
                except TimeoutError:
                    sys.stdout.write(f"{name} on {unit!r}\n")
                    break
                finally:
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def test_every_pattern_comes_to_an_end() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.test_patterns"], capture_output=True, text=True, check=True
    )
    assert done.stdout == ""


if __name__ == "__main__":
    main()
