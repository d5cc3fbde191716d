"""No pattern of the package hangs, whatever the text, and the work of each grows as the text does.

Each is given texts made of its own alphabet that end in a sign which does not match, so that it has to try every way. A
matcher that counts its steps does on a text of four times the length what ``re`` would: about four times the steps are
linear, sixteen are the square, sixty-four the cube. Then ``re`` itself goes through longer texts, in a process of its
own that has to come to an end.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import faulthandler
import importlib
import itertools
import math
import pkgutil
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import pytest

import ctxpack
from ctxpack.light import lazy_pattern
from tests.stepping import Stepper, TooManyStepsError, parts_of, samples

SHORT, LONG = 20, 80  # characters
MOST_GROWTH = 9.0  # of the steps where the text is four times as long; the square has up to sixteen
MOST_OF_SQUARE = 25.0
FEW_STEPS, MOST_STEPS = 500, 20_000  # fewer say nothing about growth; more are too many at once
MOST_PUMPS = 5
BOUNDED = {  # patterns that take the square of a text, and what bounds the text
    "ctxpack.query.lines.": "look_of reads the first 400 characters of a line",
    "ctxpack.gather.required._LINES": "an argument that the user types",
    "ctxpack.cli.": "what the user types, and messages of the option parser",
}
LENGTH = 1_500  # characters: the square of it takes milliseconds, what is exponential has no end
PATIENCE = 100.0  # seconds for the texts of one pattern, which take a twentieth
OF_EXTRAS = {"llm", "presidio_analyzer"}  # whose modules are there only beside them
LAZY: Any = type(lazy_pattern("x"))
LONGEST_WORD = 12
WAYS = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
MADE_ELSEWHERE = {  # where a function is handed the text of a pattern, and where that is looked at
    "ctxpack.discover.globs": "globs: tests/hostile/test_bombs.py",
    "ctxpack.parse.definitions": "each language has its own: patterns() has them",
    "ctxpack.parse.languages.documents": "headings: patterns() has them",
    "ctxpack.parse.imports": "each language has its own: patterns() has them",
    "ctxpack.query.dictionary": "cue phrases: patterns() has them",
    "ctxpack.query.mentions": "patterns() has them",
    "ctxpack.query.messages": "cue phrases: patterns() has them",
    "ctxpack.redact.shapes": "each shape has its own: patterns() has them",
    "ctxpack.render.read_back": "each format has its own: patterns() has them",
    "ctxpack.system.patterns": "lazy patterns: patterns() has them",
    "ctxpack.workflows.instructions": "names of files: patterns() has them",
}
MOST_UNITS = 14
SINGLE = {codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN}
AT_START = {"match", "fullmatch"}
CATEGORIES = {"DIGIT": "7", "SPACE": " ", "WORD": "w", "NOT_DIGIT": "x", "NOT_SPACE": "x", "NOT_WORD": "-"}


@cache
def patterns() -> Mapping[str, re.Pattern[Any]]:
    """Every compiled pattern of the package, by where it is first found."""
    found: dict[str, re.Pattern[Any]] = {}
    for info in pkgutil.walk_packages(ctxpack.__path__, "ctxpack."):
        if not info.name.endswith("__main__"):
            try:
                module = importlib.import_module(info.name)
            except ModuleNotFoundError as error:
                if error.name in OF_EXTRAS:
                    continue
                raise
            for name, value in sorted(vars(module).items()):
                if not isinstance(value, ModuleType):
                    for number, each in enumerate(_held(value, 0)):
                        found.setdefault(f"{info.name}.{name}[{number}] {each.pattern!r}"[:200], each)
    found.update(_made_later())
    first: dict[tuple[Any, bool, bool], str] = {}
    for name, each in found.items():
        first.setdefault((each, is_anchored(name), name.startswith(tuple(BOUNDED))), name)
    return {name: found[name] for name in first.values() if found[name].pattern}


def _made_later() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Patterns that are compiled when they are needed."""
    from ctxpack.model.formats import FORMATS
    from ctxpack.query.mentions import _patterns
    from ctxpack.query.messages import _sayings
    from ctxpack.redact.shapes import SHAPES
    from ctxpack.workflows.instructions import _TOOLS

    for pattern, _ in _patterns():
        yield f"ctxpack.query.mentions._patterns {pattern.pattern!r}"[:200], pattern
    for pattern in (*(each for lines in _code().cues for each in lines), *(said for said, _ in _sayings())):
        yield f"cue {pattern.pattern!r}"[:200], re.compile(pattern.pattern, pattern.flags)
    for call in _code().calls:
        if call.pattern is not None:
            yield call.name, call.pattern
    for written, tool in _TOOLS:
        yield f"name of {tool}", re.compile(written)
    for form in FORMATS:
        yield f"beginning of {form.name}", re.compile(form.beginning)
    for shape in SHAPES:
        yield f"{shape.kind} {shape.starts}", re.compile(shape.pattern)
    yield from _of_languages()


def _of_languages() -> Iterator[tuple[str, re.Pattern[Any]]]:
    from ctxpack.parse.definitions import _compile, _ender
    from ctxpack.parse.imports import _compile as _imports
    from ctxpack.parse.languages.documents import SIMPLE_HEADINGS
    from ctxpack.parse.languages.record import _name_pattern, languages

    for name, written in SIMPLE_HEADINGS.items():
        yield f"headings of {name}", re.compile(written)
    for language in languages():
        for pattern in _imports(language.imports):
            yield f"imports of {language.name} {pattern.pattern!r}"[:200], pattern
        for what, names in (("a test", language.test_names), ("examples", language.example_names)):
            if of_names := _name_pattern(names):
                yield f"name of {what} of {language.name}", of_names
        if language.patterns:
            yield f"definitions of {language.name}", _compile(language.patterns).pattern
            yield f"inline definitions of {language.name}", re.compile(language.patterns.inline)
            for ends in ("indent", "layout", "form", "brace"):
                yield f"{ends} of {language.name}", _ender(ends, language.patterns.closer, 4)


@dataclasses.dataclass(frozen=True)
class Call:
    """A place where a pattern is compiled or used; ``pattern`` is None where its text is made elsewhere."""

    place: str
    way: str
    pattern: re.Pattern[Any] | None

    @property
    def name(self) -> str:
        return f"{self.place} {self.pattern.pattern if self.pattern else ''!r}"[:200]


class Word(str):
    """A word in the place of a value that is only known at run time, and of all that it has."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Word:
        return self

    def __call__(self, *_: object) -> Word:
        return self


class Anything(dict[str, object]):
    """Names of a function: each is a word."""

    def __missing__(self, name: str) -> Word:
        if name in vars(builtins):
            raise KeyError(name)
        return Word("retry")


@dataclasses.dataclass(frozen=True)
class Code:
    """What the code of the package does with patterns."""

    calls: tuple[Call, ...]
    ways: Mapping[str, frozenset[str]]
    """The whole name of a value -> how it is used."""
    cues: tuple[tuple[re.Pattern[str], ...], ...]
    """The patterns of each section of cue phrases of which a function takes every line on its own."""


@cache
def _code() -> Code:
    """Read each module once: its syntax tree has some thousand nodes."""
    calls: list[Call] = []
    ways: dict[str, set[str]] = {}
    cues: list[tuple[re.Pattern[str], ...]] = []
    for path in sorted(Path(ctxpack.__path__[0]).rglob("*.py")):
        module = ".".join(("ctxpack", *path.relative_to(ctxpack.__path__[0]).with_suffix("").parts))
        homes: dict[str, str] = {}
        used: list[tuple[str, str]] = []
        for node, above, call, is_in_function in _nodes(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                homes |= {name.asname or name.name: str(node.module) for name in node.names}
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used.append((node.id, _way(above, call)))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cue_patterns":
                cues.append(_value_of(node, module))
            elif is_in_function and isinstance(node, ast.Call) and node.args and (way := _way_of(node)):
                flags = re.MULTILINE if "MULTILINE" in ast.unparse(node) else 0
                calls.append(Call(f"{module}:{node.lineno}", way, _evaluated(node.args[0], module, flags)))
        for name, way in used:
            ways.setdefault(f"{homes.get(name, module)}.{name}", set()).add(way)
    return Code(tuple(calls), {name: frozenset(its) for name, its in ways.items()}, tuple(cues))


def _nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST, ast.AST, bool]]:
    """Each node with the two above it, and whether it is in a function."""
    pending: list[tuple[ast.AST, ast.AST, ast.AST, bool]] = [(tree, tree, tree, False)]
    while pending:
        node, above, top, is_in_function = pending.pop()
        yield node, above, top, is_in_function
        is_in_function = is_in_function or isinstance(node, ast.FunctionDef)
        pending += [(child, node, above, is_in_function) for child in ast.iter_child_nodes(node)]


def _way_of(node: ast.Call) -> str:
    """How a call uses a pattern; empty for other calls."""
    called = node.func
    if isinstance(called, ast.Name):
        return "compile" if called.id == "lazy_pattern" else ""
    is_of_re = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "re"
    return called.attr if is_of_re and isinstance(called, ast.Attribute) and called.attr in WAYS else ""


def _evaluated(written: ast.expr, module: str, flags: int) -> re.Pattern[Any] | None:
    """The pattern that an expression makes where values of the function are words; None for one made elsewhere."""
    text = _value_of(written, module)
    if isinstance(text, Word) or not isinstance(text, str | bytes):
        return None
    return re.compile(text, flags)


def _value_of(written: ast.expr, module: str) -> Any:  # noqa: ANN401 - whatever it makes
    """What an expression makes where values of the function are words."""
    its = vars(importlib.import_module(module))
    code = compile(ast.Expression(written), module, "eval")
    return eval(code, dict(its), Anything(its))  # noqa: S307 - an expression of this package


def _held(value: object, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, LAZY):
        yield re.compile(value.pattern, value.flags)
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
        for inner in parts_of(code, value):
            yield from _words(inner)
    if run:
        yield run


def _one_of(members: Any) -> str:  # noqa: ANN401 - what the parser of patterns gives
    code, value = members[0]
    if code is codes.NEGATE:
        return "x"
    if code is codes.CATEGORY:
        return next(sign for name, sign in CATEGORIES.items() if str(value).endswith(f"CATEGORY_{name}"))
    return chr(value if code is codes.LITERAL else value[0])


def is_anchored(name: str) -> bool:
    """Whether a pattern is only tried at the beginning of a text."""
    return name.startswith(("name of ", "beginning of ")) or not anchored().isdisjoint({name, name.partition("[")[0]})


@cache
def anchored() -> frozenset[str]:
    """The names of patterns that are only tried at the beginning of a text."""
    inline = [call.name for call in _code().calls if call.pattern and call.way in AT_START]
    return frozenset(name for name, ways in _code().ways.items() if ways <= AT_START) | frozenset(inline)


def _way(above: ast.AST, call: ast.AST) -> str:
    """How a pattern is used at one place; a place in the text makes a search of many matches."""
    if not isinstance(above, ast.Attribute):
        return "?"
    is_at_a_place = isinstance(call, ast.Call) and call.func is above and len(call.args) > 1
    return f"{above.attr} at a place" if is_at_a_place else above.attr


def steps(stepper: Stepper, run: Callable[[str], object], text: str) -> int:
    """How many steps a pattern takes over a text, at most ``MOST_STEPS``."""
    stepper.steps = 0
    try:
        run(text)
    except TooManyStepsError:
        return MOST_STEPS
    return stepper.steps


def growth(pattern: re.Pattern[Any], *, is_anchored: bool) -> tuple[float, str]:
    """The highest growth of a pattern's steps, and the text that it was on."""
    worst = (0.0, "")
    stepper = Stepper(_of_text(pattern), MOST_STEPS)
    run: Callable[[str], object] = (lambda text: stepper.match(text, 0)) if is_anchored else stepper.search_all
    pumps = dict.fromkeys([*(("", unit) for unit in units(pattern)[:2]), *samples(pattern)])
    for before, unit in itertools.islice(pumps, MOST_PUMPS):
        for start, body, end in ((before, unit, "\0"), (before, unit, "\n\0"), ("", before + unit, "\0")):
            if len(body) * 2 > SHORT:
                continue
            long = steps(stepper, run, start + body * (LONG // len(body)) + end)
            if long > FEW_STEPS:
                short = steps(stepper, run, start + body * (SHORT // len(body)) + end)
                grown = math.inf if long >= MOST_STEPS else long / max(short, 1)
                worst = max(worst, (grown, f"{start!r} + {body!r} times n + {end!r}"))
    return worst


def _of_text(pattern: re.Pattern[Any]) -> re.Pattern[str]:
    """Return a pattern of bytes as one of the signs that have their numbers."""
    if isinstance(pattern.pattern, str):
        return pattern
    return re.compile(pattern.pattern.decode("latin-1"), pattern.flags | re.ASCII)


def too_slow(names: Iterable[str], most: float) -> dict[str, tuple[float, str]]:
    """The patterns among these whose steps grow by more, with the growth and the text."""
    limit, slow = sys.getrecursionlimit(), {}
    sys.setrecursionlimit(100_000)
    try:
        for name in names:
            found = growth(patterns()[name], is_anchored=is_anchored(name))
            if found[0] > most:
                slow[name] = found
    finally:
        sys.setrecursionlimit(limit)
    return slow


def test_every_pattern_that_a_function_makes_is_known() -> None:
    made = {call.place.partition(":")[0] for call in _code().calls if call.pattern is None}
    assert made == MADE_ELSEWHERE.keys()
    assert len(_code().calls) > 100  # of those that were found by hand


def has_possessive_group(tree: Any) -> bool:  # noqa: ANN401 - what the parser of patterns gives
    """Whether a pattern repeats more than one sign possessively."""
    for code, value in tree:
        if code is codes.POSSESSIVE_REPEAT and (len(value[2]) > 1 or value[2][0][0] not in SINGLE):
            return True
        if any(map(has_possessive_group, parts_of(code, value))):
            return True
    return False


def test_only_single_signs_are_repeated_possessively() -> None:
    """Python 3.11.0 to 3.11.4 match ``(?:ab|c)*+`` wrongly (CPython issue 106052), and ``(?>(?:ab|c)*)`` rightly."""
    trees = ((name, parser.parse(each.pattern, each.flags & ~re.DEBUG)) for name, each in patterns().items())
    assert not [name for name, tree in trees if has_possessive_group(tree)]
    assert has_possessive_group(parser.parse(r"a(?:b|(?:cd)?+)"))
    assert not has_possessive_group(parser.parse(r"a(?:b|[cd]*+e++)"))


def part_of(name: str) -> str:
    """The part of the package that a pattern belongs to."""
    return name.split(".")[1] if name.startswith("ctxpack.") else "later"


PARTS = [*sorted(path.stem for path in Path(ctxpack.__path__[0]).iterdir() if not path.name.startswith("__")), "later"]


@pytest.mark.parametrize("part", PARTS)
def test_the_work_of_every_pattern_grows_as_the_text_does(part: str) -> None:
    names = [name for name in patterns() if part_of(name) == part and not name.startswith(tuple(BOUNDED))]
    assert not too_slow(names, MOST_GROWTH)


def test_what_has_a_bounded_text_takes_no_more_than_its_square() -> None:
    assert not too_slow([name for name in patterns() if name.startswith(tuple(BOUNDED))], MOST_OF_SQUARE)


@pytest.mark.parametrize(
    ("pattern", "growth_of_steps"),
    [
        (r"\w+\(", "square"),
        (r"(?<!\w)\w+\(", "linear"),
        (r"(?:a+)+b", "more"),
        (r"(?:a|a)*b", "more"),
        (r"(?:a+)++b", "square"),  # every place is tried
        (r"(?<!a)(?:a+)++b", "linear"),
        (r"a*a*b", "more"),  # the cube
        (r"[ \t]*\n", "square"),
        (r"[ \t]{0,80}\n", "linear"),
        (r"<a>.*?</a>", "square"),
        (r"\s*x\s*\Z", "square"),
        (r"a*b?a*c", "more"),
        (r"(?:\w+\s?)*\Z", "more"),
        (r"\bx\b|yy*", "linear"),
        (rb"\w+\(", "square"),
        (rb"\(\w{1,9}", "linear"),
    ],
)
def test_growth_is_told(pattern: str | bytes, growth_of_steps: str) -> None:
    grown, text = growth(re.compile(pattern), is_anchored=False)
    told = "linear" if grown <= MOST_GROWTH else "square" if grown <= MOST_OF_SQUARE else "more"
    assert told == growth_of_steps, text


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"a(b|c)*?d", "abcbd"), (r"(?i)A[^x-z]{2}\Z", "aBC"), (r"(?P<q>['\"])\w+(?P=q)", "'it'"), (r"^b$", "b\n"),
        (r"(?m)^b$", "a\nb\nc"), (r"\bfoo\b(?!x)", "a foo b"), (r"(?<=a)b", "ab"), (r"a{2,3}+a", "aaa"),
        (r"\d+?\D", "12x"), (r"(?>a|ab)c", "abc"), (r"(?s)a.b", "a\nb"), (r"[\W_]+", "a-_b"),
    ],
)  # fmt: skip
def test_the_counting_matcher_matches_what_re_does(pattern: str, text: str) -> None:
    compiled = re.compile(pattern)
    stepper = Stepper(compiled, MOST_STEPS)
    for at in range(len(text) + 1):
        match = compiled.match(text, at)
        assert stepper.match(text, at) == (match.end() if match else None), at


def hard_texts(pattern: re.Pattern[Any]) -> Iterator[str]:
    """Long texts of the signs of a pattern."""
    for unit in units(pattern):
        body = unit * (LENGTH // len(unit))
        yield from (f"{body}\0", f"\n{body}\n\0")


def run_to_the_end(pattern: re.Pattern[Any], *, is_anchored: bool) -> None:
    """Let ``re`` do all that is asked of a pattern, on each of its texts."""
    for text in hard_texts(pattern):
        given: Any = text if isinstance(pattern.pattern, str) else text.encode("utf-8", "replace")
        pattern.fullmatch(given)
        if is_anchored:
            pattern.match(given)
        else:
            deque(pattern.finditer(given), maxlen=0)


def main(patience: float, more: Iterable[str]) -> None:
    """Print the name of each pattern before it is run, those of the package or others; end where one takes too long."""
    given = {each: re.compile(each) for each in more}
    for name, pattern in (given or patterns()).items():
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()
        faulthandler.dump_traceback_later(patience, exit=True)
        run_to_the_end(pattern, is_anchored=not given and is_anchored(name))
    sys.stdout.write("the end\n")


def last_said(patience: float, *more: str) -> str:
    """The last line of a process that runs patterns; of one that has no end, the pattern it was at."""
    command = [sys.executable, "-X", "utf8", "-m", "tests.unit.test_patterns", str(patience), *more]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.stdout, done.stderr
    return done.stdout.splitlines()[-1]


def test_every_pattern_comes_to_an_end() -> None:
    assert last_said(PATIENCE) == "the end"


def test_a_pattern_without_an_end_is_told() -> None:
    assert last_said(0.5, "(?:a+)+b", "b") == "(?:a+)+b"


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
