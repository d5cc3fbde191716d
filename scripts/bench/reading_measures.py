"""How a pack reads: the measures of one task, each a share from 0 to 1. Shared by the benchmark scripts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from measures import Task

_ENOUGH = 0.8  # of the lines of a needed place
_LONG = 10  # characters: shorter lines, such as a bracket, repeat everywhere
_STUMP = 2  # lines that say something
_SAYS = re.compile(r"\w")
_TRIPLE = re.compile(r"\"{3}|'{3}")
_QUOTED = re.compile(
    r"\"{3}.*?\"{3}|'{3}.*?'{3}|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|//[^\n]*|/\*.*?\*/",
    re.DOTALL,
)
_HASH_COMMENT = re.compile(r"#[^\n]*")
_HASH_SUFFIXES = (".py", ".rb", ".sh", ".jl", ".ex", ".exs")

Line = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a pack: its lines of a file, and the text that stands for them."""

    path: str
    first: int
    last: int
    text: str
    is_code: bool = True
    is_whole: bool = True

    @property
    def lines(self) -> set[Line]:
        """Every line it covers."""
        return {(self.path, number) for number in range(self.first, self.last + 1)}


def reading_measures(task: Task, pieces: Sequence[Piece], report: str) -> dict[str, float]:
    """Every measure that the task and its pack allow; ``report`` is the whole text."""
    packed = {line for piece in pieces for line in piece.lines}
    needed, helpful = _places(task)
    measured: dict[str, float] = {}
    if needed:
        found = [len(each & packed) >= _ENOUGH * len(each) for each in needed]
        measured["must"], measured["all_must"] = sum(found) / len(found), float(all(found))
    if packed and needed:
        useful = set().union(*needed, *helpful)
        measured["precision"] = len(packed & useful) / len(packed)
    if packed and "wrong" in task:
        measured["wrong"] = sum(any(fnmatch(path, glob) for glob in task["wrong"]) for path, _ in packed) / len(packed)
    if pieces:
        measured |= _of_text(pieces, report)
        measured["one_file"] = Counter(path for path, _ in packed).most_common(1)[0][1] / len(packed)
    return measured


def _places(task: Task) -> tuple[list[set[Line]], list[set[Line]]]:
    """What the answer needs, and what helps it, each as sets of lines."""
    if "must" in task:
        return _spans(task["must"]), _spans(task.get("nice", ()))
    return _spans(task.get("gold_hunks", ())), _spans(task.get("gold_function_spans", ()))


def _spans(places: Sequence[tuple[str, int, int]]) -> list[set[Line]]:
    return [{(path, number) for number in range(first, last + 1)} for path, first, last in places]


def _of_text(pieces: Sequence[Piece], report: str) -> dict[str, float]:
    whole = [each for each in pieces if each.is_code and each.is_whole]
    own = Counter(line for each in pieces for line in each.text.splitlines())
    shown = 0
    for line in report.splitlines():
        if own[line] > 0:
            own[line] -= 1
            shown += len(line) + 1
    return {
        "content": shown / len(report) if report else 0.0,
        "cut": sum(map(is_cut, whole)) / len(whole) if whole else 0.0,
        "stump": sum(map(is_stump, pieces)) / len(pieces),
        "repeated": repetition(pieces),
    }


def is_cut(piece: Piece) -> bool:
    """Whether a bracket or a triple quote opens or closes in a piece of code without its other half."""
    if len(_TRIPLE.findall(piece.text)) % 2:
        return True
    bare = _QUOTED.sub("", piece.text)
    if piece.path.endswith(_HASH_SUFFIXES):
        bare = _HASH_COMMENT.sub("", bare)
    return any(bare.count(opening) != bare.count(closing) for opening, closing in ("()", "[]", "{}"))


def is_stump(piece: Piece) -> bool:
    """Whether a piece has at most two lines that say anything."""
    return sum(bool(_SAYS.search(line)) for line in piece.text.split("\n")) <= _STUMP


def repetition(pieces: Sequence[Piece]) -> float:
    """The share of longer lines that stand in an earlier piece as well."""
    seen: set[str] = set()
    again = total = 0
    for piece in pieces:
        own = [line.strip() for line in piece.text.split("\n") if len(line.strip()) >= _LONG]
        again += sum(line in seen for line in own)
        total += len(own)
        seen.update(own)
    return again / total if total else 0.0
