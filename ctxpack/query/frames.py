"""Stack frames of many languages, found in any text, with the weight that their place in the stack deserves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from ctxpack.model import Mention

FIRST_WEIGHT = 0.4
"""Weight of the frame farthest from the failure; the nearest weighs 1, linear in between."""
MAX_GAP = 800  # characters between two frames of one stack
_TRACEBACK = "Traceback (most recent call last)"
_STACK_WORDS = re.compile(
    r"Traceback \(most recent call last\):?|^goroutine \d+ \[[^\]\n]*\]:?|\b0x[0-9a-f]+\b|\+0x[0-9a-f]+"
    r"|\{0x[^}\n]*\}?|\b\d{4}-\d\d-\d\d[T ][\d:.,]+(?: ?[+-]\d{4}|Z)?|^exit status \d+$|[~^]{2,}",
    re.MULTILINE,
)
_ALIEN = ("<", "node:", "internal/", "/rustc/", "native ")


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame as it stands in a text; ``start`` and ``end`` are offsets of characters."""

    path: str
    line: int
    function: str
    start: int
    end: int
    innermost_first: bool


_INNERMOST_LAST = (
    r'File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<function>[\w.]+|<\w+>))?',
    r"File (?P<path>[~\w./\\: -]+\.pyx?):(?P<line>\d+)(?:, in (?P<function>[\w.]+))?",
    r"^[ \t]*(?P<path>[~\w./\\:<>-]+\.pyx?) in (?P<function>\w+)\((?:[^\n]*\n){1,8}?-+> ?(?P<line>\d+)",
    r"^[ \t]*(?P<path>[\w./\\-]+\.pyx?):(?P<line>\d+): (?:in (?P<function>\w+)|(?:\w+\.)*\w*(?:Error|Exception)\b)",
)
_INNERMOST_FIRST = (
    (
        r"\bat (?:async )?(?P<package>[\w$]+(?:[./][\w$]+)*)\.(?P<function>[\w$<>]+)"
        r"\((?P<path>[\w$]+\.(?:java|kt|scala|groovy|clj)):(?P<line>\d+)\)"
    ),
    (
        r"\bat (?:async )?(?:(?:new )?(?P<function>[\w$.<>]+)(?: \[as \w+\])? )?"
        r"\(?(?P<path>[^\s()'\"]+?\.(?:[cm]?[jt]sx?|vue|svelte)):(?P<line>\d+):\d+"
    ),
    r"\bat (?P<function>[\w.`<>]+)\([^)\n]*\) in (?P<path>[^\n]+?\.(?:cs|fs|vb)):line (?P<line>\d+)",
    r"(?:^(?P<function>[\w./*()\[\]-]+)\([^\n]*\)\n[ \t]*)?(?P<path>[^\s:'\"]+\.go):(?P<line>\d+) \+0x[0-9a-f]+",
    r"^ *\d+: (?P<function>[^\n]+)\n\s+at (?P<path>[^\s:]+\.rs):(?P<line>\d+)",
    r"panicked at (?:'[^\n]*?', )?(?P<path>[^\s:']+\.rs):(?P<line>\d+)",
    r"(?P<path>[^\s:'\"]+\.rb):(?P<line>\d+):in [`'](?P<function>[^'\n]+)'",
    r"#\d+ (?P<path>[^\s(]+\.php)\((?P<line>\d+)\): (?P<function>[^\s(]+)\(",
    r"\bin (?P<path>[^\s:]+\.php)(?::| on line )(?P<line>\d+)",
    (
        r"^ *#\d+ +(?:0x[0-9a-f]+ in )?(?P<function>[\w:~]+) ?(?:\([^\n]*\) at )?"
        r"(?P<path>[^\s:]+\.(?:c|cc|cpp|cxx|h|hpp|m|zig)):(?P<line>\d+)"
    ),
    r"\([\w-]+(?: [\d.]+)?\) (?P<path>[\w./-]+\.exs?):(?P<line>\d+): (?P<function>[\w.!?]+)",
)
_LINE_NUMBER = re.compile(r"(?:line |[:>(] ?)\d")  # no frame is without one


def clean_path(path: str) -> str:
    """A path as the model writes paths: ``/`` as separator, no scheme, drive, ``~`` or leading ``./``."""
    path = re.sub(r"^(?:file|webpack(?:-internal)?)://+", "/", path.strip().replace("\\", "/"))
    path = re.sub(r"^(?:[A-Za-z]:(?=/)|~(?=/))", "", path)
    return re.sub(r"/{2,}", "/", re.sub(r"^(?:\.{1,2}/)+", "", path))


def _to_frame(match: re.Match[str], *, innermost_first: bool) -> Frame:
    found = match.groupdict()
    path = clean_path(found["path"])
    if found.get("package"):  # com.x.Y.m(Y.java:12) names its folder as a package
        folders = re.split(r"[./]", found["package"])[:-1]
        path = "/".join([*folders, path])
    function = re.sub(r"::h[0-9a-f]{16}$", "", found.get("function") or "")
    function = re.split(r"::|->|[./\\]", function.replace("::{{closure}}", ""))[-1].strip("<>")
    return Frame(path, int(found["line"]), function, match.start(), match.end(), innermost_first)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], bool], ...]:
    """Every pattern and whether its stacks begin with the innermost frame; compiled for texts that may hold frames."""
    texts = [(text, False) for text in _INNERMOST_LAST] + [(text, True) for text in _INNERMOST_FIRST]
    return tuple((re.compile(text, re.MULTILINE), innermost_first) for text, innermost_first in texts)


def find_frames(text: str) -> tuple[Frame, ...]:
    """The stack frames of ``text`` in the order they stand; frames of interpreters and unnamed sources are left out."""
    found: list[Frame] = []
    for pattern, innermost_first in _patterns() if _LINE_NUMBER.search(text) else ():
        matches = (match for match in pattern.finditer(text) if not match["path"].lstrip().startswith(_ALIEN))
        found.extend(_to_frame(match, innermost_first=innermost_first) for match in matches)
    found.sort(key=lambda frame: (frame.start, -frame.end))
    return tuple(_without_overlaps(found))


def condensed(text: str) -> str:
    """A text in which each frame is its function and the name of its file.

    The folders of an installation, line numbers, addresses and the words that every stack has say nothing of a
    repository.
    """
    found: list[str] = []
    end = 0
    for frame in find_frames(text):
        stem = frame.path.rpartition("/")[2].partition(".")[0].strip("_")
        found += [text[end : frame.start], f" {frame.function} {stem} "]
        end = frame.end
    if not found:
        return text
    return _STACK_WORDS.sub(" ", "".join([*found, text[end:]]))


def _without_overlaps(frames: Iterable[Frame]) -> Iterator[Frame]:
    end = -1
    for frame in frames:
        if frame.start >= end:
            yield frame
            end = frame.end


def _stacks(text: str, frames: tuple[Frame, ...]) -> list[list[Frame]]:
    stacks: list[list[Frame]] = [[frames[0]]]
    for before, frame in pairwise(frames):
        gap = text[before.end : frame.start]
        is_same = len(gap) <= MAX_GAP and _TRACEBACK not in gap and before.innermost_first == frame.innermost_first
        if is_same:
            stacks[-1].append(frame)
        else:
            stacks.append([frame])
    return stacks


def frame_mentions(text: str) -> tuple[Mention, ...]:
    """Mentions of kind ``frame``, each once with its best weight, heaviest first.

    Weights fall from 1 for the frame nearest to the failure to ``FIRST_WEIGHT`` for the farthest of its stack.
    """
    frames = find_frames(text)
    best: dict[tuple[str, int, str], float] = {}
    for stack in _stacks(text, frames) if frames else []:
        ordered = stack[::-1] if stack[0].innermost_first else stack
        for position, frame in enumerate(ordered, start=1):
            share = 1.0 if len(ordered) == 1 else (position - 1) / (len(ordered) - 1)
            key = (frame.path, frame.line, frame.function)
            best[key] = max(best.get(key, 0.0), FIRST_WEIGHT + (1 - FIRST_WEIGHT) * share)
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Mention(path, "frame", round(weight, 4), line, name) for (path, line, name), weight in ranked)
