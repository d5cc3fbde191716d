"""The look of a single line of a request: prose, code, stack frame, log line, heading of an issue template.

And the lines of a diff in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.query.subtokens import LIGHT_WORDS, STOPWORDS


class Look(Enum):
    """The look of a single line, without its neighbours."""

    BLANK = auto()
    PROSE = auto()
    CODE = auto()
    NEUTRAL = auto()  # may be inside code: indented, a comment, one bare word
    PROMPT = auto()  # >>> and In [1]: and $, code even when alone
    FRAME = auto()
    LOG = auto()
    VERSION = auto()  # "numpy 1.21.0"


_LONGEST = 400  # characters that tell the look of a line; patterns that look for its end take the square of them


def _any(*alternatives: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(f"(?:{alternative})" for alternative in alternatives))


# What is typed at a prompt of a shell, with or without the user and folder before it.
_TYPED = r"^[ \t]{0,8}(?:[\w.-]{1,40}@[\w.-]{1,60}[^\s$%]{0,3}[^\n$%]{0,120})?[$%❯] (?=[\w./~])"
_PROMPT = _any(
    _TYPED, r"^\s*>>>(?:\s|$)", r"^\s*In ?\[\d*\]:", r"^\s*Out ?\[\d*\]:", r"^\s*(?:irb|pry|iex)\([^)]*\)[^>]*>"
)
_FRAME = _any(
    r'^\s*File "[^"]+", line \d+',
    r"^\s*at .*\(.*\)\s*$",
    r"^\s*at (?:async )?[^\s()]+:\d+(?::\d+)?\)?\s*$",
    r"^\s*at .* in .*:line \d+",
    r"^\s*\d+:\s+(?:0x[0-9a-f]+ - )?[\w<]+.*::.*$",
    r"^\s*(?:from )?\S+\.rb:\d+:in [`']",
    r"^\s*#\d+\s+(?:0x[0-9a-f]+|\S+\.php\(\d+\)|\{main\}|\w+ \(.*\) at )",
    r"^\s*\S+\.go:\d+ \+0x",
    r"^\s+\S+\.go:\d+$",  # of a call that was inlined
    r"^(?:main|(?:[\w.-]{1,80}/){1,12}[\w-]{1,80})\.(?=[^\s()]{0,200}\().{0,300}\)$",
    r"^created by [\w./*()-]{1,300}(?: in goroutine \d+)?$",
    r"^goroutine \d+ \[",
    r"^\s*[\w./\\-]+\.pyx?:\d+: (?:in \w+|\w*Error|\w*Exception)",
    r"\bpanicked at ",
)
_LOG = _any(
    r"^\W{0,3}\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d",
    r"^\W?(?:\d\d-\d\d )?\d\d:\d\d:\d\d",
    r"^\W{0,2}(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE|FATAL|CRITICAL)\b[\s:\]]",
    r"^(?:E|F) {2,}\S",
    r"^(?:npm ERR!|make(?:\[\d+\])?:|\s*(?:Compiling|Downloading|Installing|Collecting) \S+ )",
)
_VERSION = lazy_pattern(
    r"^\s*(?:[*•-] )?\w[\w.+-]*(?: [A-Za-z]+){0,2}\s*(?:==|[:=@])?\s*[v^~]?\d+(?:\.\w+)+\S*(?: +\S+){0,2}$"
)
_CODE = _any(
    r"^\s*(?:from [\w.]+ import\b|import [\w.{*\"']|#\s*include\b|using [\w.:]+;|require\()",
    r"^\s*(?:async )?def \w+\s*[(:]",
    r"^\s*class \w+\s*(?:\(.*\)\s*)?[:{]",
    r"^\s*@\w[\w.]*(?:\(.*\)?)?\s*$",
    r"^\s*(?:if|elif|for|while|with|except|match|case)\b.*:\s*(?:#.*)?$",
    r"^\s*(?:try|else|finally|except)\s*:\s*(?:#.*)?$",
    r"^\s*(?:return|raise|yield|assert|await|del|throw)\b\s*[\w(\[{\"'].{0,80}$(?<![.,:])",
    r"^\s*[\w.\[\]'\"$*&()-]+(?:\s*:\s*[\w\[\], .|&<>]+)?\s*[-+*/|&:]?=(?![=>])\s*\S",
    r"^\s*(?:const|let|var|fn|func|function|pub|impl|struct|enum|use|mod|package|public|private|protected|static|final"
    r"|void|int|char|unsigned|double|float|bool|auto|extern|type|interface|export|namespace|template|module|val)\b"
    r".*[({;=}<:]",
    r"[;{]\s*(?://.*)?$",
    r"^\s*[\])}>]+[\])};,.()]*\s*(?://.*)?$",
    r"^\s*(?:[\w$]+(?:\.|::|->))*[\w$]+!?\(.*[),;({\[]\s*(?:#.*|//.*)?$",
    r"^\s*\.\w+\(.*\)?",
    r"^\s*</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>",
    r"^\s*[\[{(]*[\"'][\w.@/ -]+[\"']\s*:\s*\S",
    r"^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\s+\w+",
    r"^(?:diff --git |index [0-9a-f]+\.\.|(?:---|\+\+\+) \S+/|@@ -\d)",
    r"^\s*\.\. [\w:-]+::",
)
_NEUTRAL = _any(
    r"^(?: {2,}|\t)\s*\S",
    r"^[+-](?: {2,}|\t|(?:from|import|def|class) )",
    r"^\s*(?:#(?!#)|//|/\*|\*/|--|;;) ?\S",
    r"^\s*\.\.\.(?:\s|$)",
    r"^\s*[\w.$\"'\[\]-]+[,:]?\s*$",
    r"^\s*\[.*\]?,?$",
)
_SENTENCE = lazy_pattern(r"^\s*(?:[-*•] |\d+[.)] )?[A-ZА-ЯЁ]?[^\W\d_]+(?:,? [^\W\d_'’`-]+){5,}[^;{}()=]*[.!?:,]?\s*$")
_LIST_ITEM = lazy_pattern(r"^\s*(?:[-*•]|\d+[.)])\s+\S")


def look_of(line: str) -> Look:
    """The look of one line."""
    line = line[:_LONGEST].rstrip()
    if not line:
        return Look.BLANK
    for pattern, look in ((_PROMPT, Look.PROMPT), (_FRAME, Look.FRAME), (_LOG, Look.LOG), (_VERSION, Look.VERSION)):
        if pattern.search(line):
            return look if look is not Look.VERSION or not _CODE.search(line) else Look.CODE
    if _SENTENCE.match(line):
        return Look.PROSE
    if _CODE.search(line):
        return Look.CODE
    is_item = _LIST_ITEM.match(line)
    return Look.NEUTRAL if _NEUTRAL.match(line) and not is_item else Look.PROSE


# --- log lines ------------------------------------------------------------------------------------------------------

_LEVEL = r"(?:TRACE|DEBUG?|INFO|NOTICE|WARN(?:ING)?|ERRO?R?|SEVERE|FATAL?|CRIT(?:ICAL)?|ALERT|EMERG|PANIC)"
_SMALL_LEVEL = r"\[(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|crit(?:ical)?|alert|emerg(?:ency)?)\](?=\s)"
_CLOCK = r"\d\d:\d\d:\d\d[\d.,:]{0,12}+(?>(?: ?(?:Z|[+-]\d\d:?\d\d))?)"
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_TELLS = (  # what only logs begin with
    rf"\[?\d{{4}}[-/.]\d\d[-/.]\d\d(?>(?:[T ]{_CLOCK})?)\]?",
    rf"\[?(?:\d\d-\d\d )?{_CLOCK}\]?",  # with a day but no year on Android
    rf"(?:\d{{1,2}} {_MONTH} \d{{4}}|{_MONTH} {{1,2}}\d{{1,2}}) {_CLOCK}(?: [\w.-]{{1,60}}+(?= [\w./-]{{1,60}}+\[))?",
    rf"[\[<(]?(?>(?:(?!\d)\w{{1,40}}+\.)?)\b{_LEVEL}\b[\]>)]?(?:\[\d{{1,9}}\])?(?::[\w.]{{1,60}}+(?=:))?:?",
    _SMALL_LEVEL,
    r"(?:trce|dbug|debug|info|warn|fail|crit):(?= [A-Za-z])|[IWEF]\d{4}(?= \d\d:)",
)
_BESIDE = (  # what may be among it: the thread, the process, the logger, the line of code
    r"\[[^\]\n]{0,80}+\]:?",
    r"[\w./-]{1,150}+\[\d{1,9}\]:?",
    r"[VDIWEFA][/ ][\w.$-]{1,60}+ {0,20}(?:\( {0,6}\d{1,6}\))?:",
    rf"[a-z_]{{1,40}}+=\S{{1,100}}+(?=[ \t]{_SMALL_LEVEL})",
    r"(?:#?\d{1,9}+(?>(?:#\d{1,9}+|:\w)?)[:\]]?|\*\d{1,9}|[DIWEFC],|[-#|:*>]{1,3}+)(?=\s)",
    (
        r"(?=\D)[\w$/-]{1,60}+(?>(?:(?:\.|::)[\w$/-]{1,60}+){0,8})"
        r"(?::\d{1,6}+[:\]]?| {0,40}+(?:\||:|-{1,3})(?=\s)|\]|(?=[ \t]{1,4}\["
        rf"{_LEVEL}\b))"
    ),
)
_PIECE_OF_HEAD = lazy_pattern(
    rf"(?:(?P<telling>{'|'.join(_TELLS)})|{'|'.join(_BESIDE)})(?:(?<=[\])>:])|(?=[ \t]|$))[ \t]{{0,40}}"
)
_MOST_PIECES = 12
_WRAPPED_HEAD = lazy_pattern(r"(?m:^([a-z]{4}: [\w.$]{1,200}\[\d{1,9}\])\n[ \t]{1,20})")  # of .NET
_FIELDS_OF_LOG = lazy_pattern(r"\t|[ ]{1,4}(?=\{\"|\[\]|[\w.]{1,40}=)")  # what is told beside the message
_GRAVE = lazy_pattern(
    r"\b(?:WARN|ERR|SEVERE|FATA|CRIT|ALERT|EMERG|PANIC)|^(?:warn|fail|crit)|\[(?:warn|err|fatal|crit)|\d [WEFA][/ ]"
)


def messages_of_log(text: str) -> list[str]:
    """What the lines of logs in a text say, errors and warnings first, without time, level, logger and fields."""
    found = list[tuple[bool, str]]()
    for line in map(str.strip, _WRAPPED_HEAD.sub(r"\1 ", text).split("\n")):
        end = _end_of_head(line[:_LONGEST])
        if end:
            found.append((not _GRAVE.search(line[:end]), _FIELDS_OF_LOG.split(line[end:], maxsplit=1)[0]))
    return [said for _, said in sorted(found, key=lambda each: each[0])]


def _end_of_head(line: str) -> int:
    """Where the message of a line of a log begins; 0 for any other line."""
    end, is_log = 0, False
    for _ in range(_MOST_PIECES):
        piece = _PIECE_OF_HEAD.match(line, end)
        if piece is None:
            break
        end, is_log = piece.end(), is_log or bool(piece["telling"])
    return end if is_log else 0


_IS_TYPED = lazy_pattern(_TYPED)
_MOST_SAID = 4  # lines of what a command prints: what is wrong comes last


def messages_of_console(text: str) -> list[str]:
    """What commands say that are typed at a prompt in a text: the last lines below each, up to a blank line."""
    found, said, is_output = list[str](), list[str](), False
    for line in (*text.splitlines(), ""):
        is_typed = bool(_IS_TYPED.match(line))
        if is_typed or not line.strip():
            found += said[-_MOST_SAID:]
            said, is_output = [], is_typed
        elif is_output and look_of(line) is Look.PROSE:
            said.append(line.strip())
    return found


# --- what a program was built with ----------------------------------------------------------------------------------

_OF_BUILD = r"[A-Za-z][\w.+-]{0,30}/v?\d[\w.+-]{0,30}"
_VERSIONED = r"[A-Za-z][\w.+-]{0,30} v?\d[\w.+-]{0,30}(?: \([^()\n]{1,60}\))?"
# "curl 8.9.1 (x86_64-linux) libcurl/8.9.1 zlib/1.3", "aws-cli/2.1 Python/3.8 Linux/5.4"; below it labels with lists.
_BUILD = lazy_pattern(
    rf"^\s*(?:{_VERSIONED}|{_OF_BUILD})(?: {_OF_BUILD}){{2,40}}(?: (?=\S{{0,60}}[\d/])\S{{1,80}}){{0,40}}\s*$"
    rf"|^\s*{_VERSIONED} (?:compiled|built) with \S{{1,40}}(?: on \S{{1,40}})?\s*$"
    r"|^\s*go version go\d\S{1,40} \S{1,40}\s*$"
)
_LABELLED = lazy_pattern(r"^\s*[A-Z][\w -]{2,30}: ")


def lines_of_builds(lines: Sequence[str]) -> Iterator[int]:
    """The lines, from 0, in which programs tell their version and what they were built with.

    They are long, of rare words, and the same in every report on a program.
    """
    is_below = False
    for number, line in enumerate(lines):
        is_first = _BUILD.match(line[:_LONGEST]) is not None
        is_below = is_first or (is_below and _LABELLED.match(line) is not None)
        if is_below:
            yield number


# --- issue templates ------------------------------------------------------------------------------------------------

_HEADING = lazy_pattern(r"^\s*(?:#{1,6}(?=[\sA-Z])\s*)?(?:\*\*(?=.*\*\*))?")
_TITLE_PREFIX = lazy_pattern(
    r"^(?:\*\*)?(?:issue )?(?:title|заголовок|тема)(?:\*\*)?\s*:\s*(?:\*\*)?\s*", re.IGNORECASE
)
_LABEL_PREFIX = lazy_pattern(r"^(?:\*\*)?([^\W\d][\w /'-]{2,40}?)(?:\*\*)?:(?:\*\*)?\s+(?=\S)")
_TEMPLATE_VOCABULARY = """
acceptance actually additional affected alternatives anything applicable area areas audience backend benefits
breakdown call change changed changes checklist clear code complete completed component concise confirm considered
context criteria current debug define dependencies describe described desired details did discussed duplicate
enhancement environment errors exact feature file files fix full general impact impacted info information installation
installed instead justification justify know label list log logs matter matters minimal motivation name note notes
number operating opportunity os outcome output outputs overview patterns pip platform prior proposal proposed recent
related relevant report reported repro reproducer request response result results sample scope screenshot screenshots
setup severity solution solve stack stacktrace story success summary system tags task tasks technical ticket time
title trace type url usage use user
вывод детали labels background
версия версии заголовок изменения окружение пример результат лог логи подробности система
"""
_TEMPLATE_WORDS = frozenset(_TEMPLATE_VOCABULARY.split())
_MAX_TEMPLATE_WORDS = 8
_MAX_VERSION_WORDS = 3
_WORD = lazy_pattern(r"[^\W\d_]+")
_TEMPLATE_NOISE = _any(
    r"^\s*[-*] \[[ xX]\] ",
    r"^\s*(?:</?(?:details|summary|pre|code|p|br|div)[^<>]*>\s*)+(?:[\w ]{0,40}</summary>)?\s*$",
    r"^\s*(?:[-=*_]\s*){3,}$",
    r"^\s*\(?last modified by .{1,60}\)?\s*$",
    r"^\s*_?[Nn]o response_?\s*$",
)


def strip_heading(line: str) -> str:
    """A line without the marks of a heading, ``Title:`` and enclosing emphasis."""
    bare = _HEADING.sub("", line, count=1).strip()
    bare = _TITLE_PREFIX.sub("", _TITLE_PREFIX.sub("", bare.strip('"')).strip('"'))
    return bare.strip().removesuffix("**").strip(" #")


def is_template(line: str) -> bool:
    """Whether the line is only there because an issue template or a bug tracker put it there."""
    bare = strip_heading(line)
    if not bare or _TEMPLATE_NOISE.match(line):
        return bool(line.strip())
    found = [word.lower() for word in _WORD.findall(bare)]
    if not found or len(found) > _MAX_TEMPLATE_WORDS:
        return False
    is_heading = bare != line.strip() or bare.endswith(":")
    if is_heading and len(found) <= _MAX_VERSION_WORDS and found[-1] in ("version", "versions"):
        return True  # "### Rust version"
    allowed = [word in STOPWORDS or (is_heading and word in _TEMPLATE_WORDS) for word in found]
    return all(allowed) and (is_heading or any(word in LIGHT_WORDS for word in found))


def strip_label(line: str) -> str:
    """A line without a heading of the template in front: ``### Expected behavior: it works`` → ``it works``."""
    bare = strip_heading(line)
    match = _LABEL_PREFIX.match(bare)
    return bare[match.end() :] if match and is_template(f"{match[1]}:") else line


_HUNK = lazy_pattern(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_FILE_OF_DIFF = lazy_pattern(r"(?:[ab]/)?(\S{1,300})")  # behind --- and +++


@dataclass(frozen=True, slots=True)
class PastedHunk:
    """A part of a diff in a request: its file, the number of its first changed line before the change, and its text.

    ``lines`` are those that it adds or removes, without their marks.
    """

    path: str
    first: int
    lines: tuple[str, ...]


def hunks_in(text: str) -> list[PastedHunk]:
    """Return the parts of a diff in the text of a request, in their order."""
    found, path = list[PastedHunk](), ""
    lines = text.splitlines() if "@@ -" in text else []
    for at, line in enumerate(lines):
        header = _HUNK.match(line)
        if line.startswith("+++ ") and (file := _FILE_OF_DIFF.match(line, 4)):
            path = file[1]
        elif header and path:
            following = map(lines.__getitem__, range(at + 1, len(lines)))
            found += _hunk(path, int(header[1]), following, int(header[2] or 1) + int(header[3] or 1))
    return found


def _hunk(path: str, start: int, lines: Iterable[str], left: int) -> Iterator[PastedHunk]:
    """The hunk that begins some lines; ``left`` is how many lines it has on both sides together."""
    changed, first, number = list[str](), 0, start
    for line in lines:
        if left <= 0 or line.startswith(("```", "@@ -", "diff --git ")):
            break
        is_changed = line[:1] in ("-", "+")
        if is_changed:
            changed.append(line[1:].strip())
            first = first or number
        left -= 1 if is_changed else 2
        number += line[:1] != "+"
    if changed:
        yield PastedHunk(path, first, tuple(changed))
