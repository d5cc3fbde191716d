"""The parts of a request: title, prose, code and tracebacks; and the weights of the words in them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from ctxpack.light import lazy_pattern
from ctxpack.model import Part
from ctxpack.query.dictionary import cue_pattern
from ctxpack.query.lines import Look, is_template, lines_of_builds, look_of, strip_heading, strip_label
from ctxpack.query.subtokens import MIN_PART, options_of, raw_words, split
from ctxpack.text import fence_after

MAX_TITLE = 120  # characters of a title; a whole first line of a longer text may have half as many again
MIN_CODE_RUN = 3  # unmarked lines in a row that look like code
MIN_LOG_RUN = 3
_COMMENT = lazy_pattern(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SENTENCE_END = lazy_pattern(r"[.!?…](?=\s)")
_INNER_HEADING = lazy_pattern(r"\s(?:#{2,6}|\*\*(?=\w))\s?")
_EXCEPTION = lazy_pattern(
    r"^\s*(?:[\w$]+\.)*\w*(?:Error|Exception|Warning|Exit|Interrupt|Failure|Throwable)\b(?::|\s*$)"
)
_CHAIN = lazy_pattern(r"^\s*(?:During handling of|The above exception|Caused by:|\.\.\. \d+ more)")
_TRACEBACK_START = lazy_pattern(r"^[\s>]*(?:\w+\s+)?Traceback \(most recent call last\)")
_PYTHON_FRAME = lazy_pattern(r'^[\s>]*+(?:File "|File \S+\.py:\d|\S+\.pyx? in \w+\(|<ipython-input)')
_NUMBERED = lazy_pattern(r"^\s*(?:-+> ?)?\d+(?:\s|$)")
_RAISED = lazy_pattern(r"^[A-Za-z_][\w.]*(?::\s|$)")

Labels = list[Part | None]  # of each line; None = no part: blank, template, fence mark


def split_parts(text: str) -> tuple[tuple[Part, str], ...]:
    """The parts of ``text`` in order: neighbouring lines of one part are one entry, blank and template lines none.

    At most one entry is a title, always the first. A text of nothing but template words is a title as a whole.
    """
    lines = _COMMENT.sub("", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    labels = _labels(lines)
    title, rest = _take_title(lines, labels)
    pairs = [(label, _bare_line(line, label)) for label, line in zip(labels, lines, strict=True) if label is not None]
    body = [(part, "\n".join(line for _, line in run)) for part, run in groupby(pairs, key=lambda pair: pair[0])]
    if rest:
        body.insert(0, (Part.PROSE, rest))
    head = [(Part.TITLE, title)] if title else []
    found = tuple(head + [(part, chunk) for part, chunk in body if chunk.strip()])
    return found or (((Part.TITLE, " ".join(text.split())),) if text.strip() else ())


def is_headed(text: str) -> bool:
    """Whether a text has a title on a line of its own, with more below it; else its first words are like the others.

    A request typed in one go has none: its first sentence tells how it came to the question as often as the question.
    """
    lines = [line for line in _COMMENT.sub("", text).splitlines() if line.strip()]
    return len(lines) > 1 and len(lines[0]) <= MAX_TITLE * 3 // 2


def _bare_line(line: str, label: Part) -> str:
    return strip_label(line) if label is Part.PROSE else line


def _take_title(lines: list[str], labels: Labels) -> tuple[str, str]:
    """Title and what follows it on its line; the line loses its label. Empty where the text begins with code."""
    for number, label in enumerate(labels):
        if label is None:
            continue
        if label is not Part.PROSE:
            break
        labels[number] = None
        return _cut_title(strip_label(strip_heading(lines[number])), is_alone=not any(labels))
    return "", ""


def _cut_title(line: str, *, is_alone: bool) -> tuple[str, str]:
    if len(line) <= (MAX_TITLE if is_alone else MAX_TITLE * 3 // 2):
        return line, ""
    inner = _INNER_HEADING.search(line, 1)
    if inner and inner.start() <= MAX_TITLE:
        return line[: inner.start()].strip(), strip_label(line[inner.end() :].strip())
    ends = [match.end() for match in _SENTENCE_END.finditer(line, 0, MAX_TITLE)]
    cut = ends[0] if ends else line.rfind(" ", 0, MAX_TITLE)
    cut = cut if cut > 0 else MAX_TITLE
    return line[:cut].strip(), line[cut:].strip()


def _labels(lines: Sequence[str]) -> Labels:
    looks = [look_of(line) for line in lines]
    labels: Labels = [None if look is Look.BLANK else Part.PROSE for look in looks]
    fenced = _mark_fences(lines, labels)
    _mark_tracebacks(lines, looks, labels)
    for number, line in enumerate(lines):
        if labels[number] is Part.PROSE and is_template(line):
            labels[number] = None
    _mark_code(lines, looks, labels)
    _mark_logs(looks, labels)
    for number in (*fenced, *lines_of_builds(lines)):
        labels[number] = None
    return labels


def _mark_fences(lines: Sequence[str], labels: Labels) -> list[int]:
    """Label the lines between fences as code; return the numbers of the fence lines."""
    marks: list[int] = []
    fence = ""
    for number, line in enumerate(lines):
        before, fence = fence, fence_after(fence, line)
        if fence != before:
            marks.append(number)
        elif fence and labels[number] is not None:
            labels[number] = Part.CODE
    return marks


def _runs(looks: Sequence[Look], labels: Labels, wanted: Iterable[Look]) -> list[list[int]]:
    """Runs of prose lines with one of the wanted looks; a single blank line does not end a run."""
    accepted = frozenset(wanted)
    runs: list[list[int]] = [[]]
    blanks = 0
    for number, look in enumerate(looks):
        if look in accepted and labels[number] is Part.PROSE:
            runs[-1].append(number)
            blanks = 0
        elif look is Look.BLANK and blanks == 0:
            blanks = 1
        elif runs[-1]:
            runs.append([])
            blanks = 0
    return [run for run in runs if run]


def _mark_code(lines: Sequence[str], looks: Sequence[Look], labels: Labels) -> None:
    for run in _runs(looks, labels, (Look.CODE, Look.NEUTRAL, Look.PROMPT)):
        trimmed = _trim(run, looks)
        strong = sum(looks[number] is not Look.NEUTRAL for number in trimmed)
        enough = 2 if trimmed and looks[trimmed[0]] is Look.CODE and _stands_alone(trimmed, looks) else MIN_CODE_RUN
        share = 4 if all(lines[number][0].isspace() for number in trimmed[1:]) else 2
        if len(trimmed) >= enough and share * strong >= len(trimmed):
            _label(labels, trimmed, Part.CODE)
    for number, look in enumerate(looks):
        if look is Look.PROMPT and labels[number] is Part.PROSE:
            labels[number] = Part.CODE


def _trim(run: Sequence[int], looks: Sequence[Look]) -> Sequence[int]:
    """The run without plain lines at its ends: an indented line alone proves nothing."""
    strong = [place for place, number in enumerate(run) if looks[number] is not Look.NEUTRAL]
    return run[strong[0] : strong[-1] + 1] if strong else ()


def _stands_alone(run: Sequence[int], looks: Sequence[Look]) -> bool:
    first, last = run[0], run[-1]
    before = first == 0 or looks[first - 1] is Look.BLANK
    return before and (last + 1 == len(looks) or looks[last + 1] is Look.BLANK)


def _mark_logs(looks: Sequence[Look], labels: Labels) -> None:
    for look, part in ((Look.LOG, Part.TRACEBACK), (Look.VERSION, Part.CODE)):
        for run in _runs(looks, labels, (look,)):
            if len(run) >= MIN_LOG_RUN:
                _label(labels, run, part)


def _mark_tracebacks(lines: Sequence[str], looks: Sequence[Look], labels: Labels) -> None:
    number = 0
    while number < len(lines):
        if _TRACEBACK_START.match(lines[number]) or _PYTHON_FRAME.match(lines[number]):
            end = _end_of_python(lines, number)
        elif looks[number] is Look.FRAME:
            end = _end_of_stack(lines, looks, number)
            number -= number > 0 and bool(_EXCEPTION.match(lines[number - 1]))
        else:
            number += 1
            continue
        _label(labels, [place for place in range(number, end) if labels[place] is not None], Part.TRACEBACK)
        number = end


def _end_of_python(lines: Sequence[str], start: int) -> int:
    """The line after a Python traceback, whose exception line may be followed by a chained traceback."""
    number, end = start, start + 1
    while number < len(lines):
        line = lines[number]
        if _PYTHON_FRAME.match(line):
            end = number = min(number + 2, len(lines))  # the frame and its source line
            continue
        if number > start and (_EXCEPTION.match(line) or _RAISED.match(line)) and not _TRACEBACK_START.match(line):
            end = number + 1
            following = next((later for later in lines[end : end + 3] if later.strip()), "")
            if not _CHAIN.match(following):
                return end
        elif _belongs(line):
            end = number + 1
        elif line.strip():
            return end
        number += 1
    return end


def _belongs(line: str) -> bool:
    """Whether the line continues a Python traceback that has begun."""
    is_indented = bool(line.strip()) and line[:1].isspace()
    return is_indented or any(pattern.match(line) for pattern in (_TRACEBACK_START, _CHAIN, _NUMBERED))


def _end_of_stack(lines: Sequence[str], looks: Sequence[Look], start: int) -> int:
    end = start + 1
    while end < len(lines):
        names_next = lines[end].rstrip().endswith(")") and looks[end + 1 : end + 2] == [Look.FRAME]  # Go
        if looks[end] is not Look.FRAME and not _CHAIN.match(lines[end]) and not names_next:
            break
        end += 1
    return end


def _label(labels: Labels, numbers: Iterable[int], part: Part) -> None:
    for number in numbers:
        labels[number] = part


# --- weights of words -------------------------------------------------------------------------------------------------

TASK_WORDS: Final = frozenset(
    """
    add added adding adds allow answer anymore ask asked asking asks blow blows break breaks bring bringing brings
    broken brought bug bugs change changed changes come comes coming correctly crash crashed crashes cut cuts
    cutting decide decided deciding die died dies disappear disappeared disappears eat eats error errors everything
    explain fail failed failing fails feel feels find fix fixed fixes fixing gave get gets give given gives got hang
    hanging hangs happen happens hear heard help hope idea implement implemented improve improved improves issue
    issues kept knew knows laptop like list look looking lose loses losing lost lots make makes merge need needs new
    nicely nothing odd oddly old patch pick picked picking picks place places please problem properly pull push put
    randomly reboot rebooted reboots refactor refactoring remove rename request restart restarted restarting
    restarts review right show showing shown shows silently somebody somehow something sometimes stay stays still
    strange stuck stuff suddenly support supported supports supposed tell thing things thought today told totally
    turned turns twice understand understood update updated updates use used uses using vanish vanished vanishes
    walk want wants way weird weirdly wish wonder wondering work working works wrong yesterday
    баг баги берется беру берутся берётся бывает возьму вышло говорит говорят дальше добавить добавь добавьте думаю
    заново знает знаю изменение измени изменить исправить исправь исправьте найди найдите нужно объясни объясните
    отличается отличаются ошибка ошибки ошибку падает пишет пишут поддержка покажи покажите получить помогите понять
    поддерживает поддерживается поддерживают поправить поправь правильно пробую реализовать реализуй сделай сделать
    сначала срабатывает стоит теперь удали удалить улучши улучшить умеет умеют хочу
    """.split()  # noqa: SIM905 -- a table of words
)
"""Words for what is to be done or said or goes wrong: whether a repository has them does not tell what it is about."""

# Measured on SWE-bench Lite: with every part at 1, file Acc@1/5 is 48/76; with these weights 47/78.
PART_WEIGHTS: Final[Mapping[Part, float]] = {Part.TITLE: 4, Part.PROSE: 1, Part.CODE: 0.3, Part.TRACEBACK: 1}
_READ_INTO: Final = frozenset({"custom"})
"""Words that nobody said: pages call "my own field" a custom one, and so does code many other things."""
_LIGHTER: Final = 0.4  # of their weight: with all of it what is custom about other things came before the thing itself


# What decides something seldom says so, and what has "decide" in its name decides something else.
_DECIDES: Final = lazy_pattern(
    r"\b(decide[sd]?|determine[sd]?)\b(?= (?:which|whether|if|what|how|when|who|where|that)\b)"
    r"|\bwhere (?:is|are|does|do|exactly)\b[^.?!\n]{1,100}?\b(decided|determined)\b",
    re.IGNORECASE,
)


_PURPOSE: Final = cue_pattern("so that somebody can")


def without_purpose(text: str) -> str:
    """Leave out what somebody will do with what is wanted: "…, so I can paste it into a comment"."""
    return _PURPOSE.sub(" ", text)


_CIRCUMSTANCE: Final = cue_pattern("when something happens")


def said_in_passing(text: str) -> frozenset[str]:
    """The subtokens of a request that only tell when something happens: "narrow" in "… when the chart is narrow"."""
    rest = {token for word in raw_words(_CIRCUMSTANCE.sub(" ", text)) for token in split(word)}
    return frozenset({token for word in raw_words(text) for token in split(word)} - rest)


def lighter_words(text: str) -> frozenset[str]:
    """The words of a request that count less: those read into it, what it is for, "decide" in "where is it decided"."""
    said = {word.lower() for word in raw_words(text)}
    verbs = {(match[1] or match[2]).lower() for match in _DECIDES.finditer(text)}
    wanted = {token for word in raw_words(without_purpose(text)) for token in split(word)}
    of_purpose = {token for match in _PURPOSE.finditer(text) for word in raw_words(match[0]) for token in split(word)}
    return (_READ_INTO - said) | verbs | (of_purpose - wanted)


def weigh_words(
    parts: Iterable[tuple[Part, str]], *, noise: frozenset[str], lighter: frozenset[str] = frozenset(), whole: bool
) -> dict[str, float]:
    """Return the subtokens of parts, or their ``whole`` words, each with log(1 + the sum of the weights of its parts).

    A word said ten times is not ten times as important. Those of ``noise`` are left out, ``lighter`` ones count less.
    """
    sums: Counter[str] = Counter()
    for part, text in parts:
        for word in (*raw_words(text), *(options_of(text) if whole else ())):
            for token in (word.lower(),) if whole else split(word):
                if token not in noise and len(token) >= MIN_PART:
                    sums[token] += PART_WEIGHTS[part]  # type: ignore[assignment]  # Counter adds floats as well
    return {token: math.log1p(sums[token]) * (_LIGHTER if token in lighter else 1) for token in sorted(sums)}
