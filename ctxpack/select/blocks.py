"""Which lines go on with what an earlier line began: a bracket, a text of several lines, a block comment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxpack.languages import Language, find_language
from ctxpack.text import open_fences

_OPENING, _CLOSING = "([", ")]"
_TOKEN = re.compile(
    r"(?P<text>\"\"\"|''')|(?P<quoted>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|(?P<block>/\*)|(?P<back>`)"
    r"|(?P<line>//|#|--|;|%)|(?P<bracket>[(\[)\]])"
)
_LONGEST = 20_000  # characters of a line that is looked into: nobody wrote a longer one, and it is asked often
_ENDS = {"/*": "*/", "`": "`", '"""': '"""', "'''": "'''"}


def inside_code(lines: Sequence[str], language: str) -> list[bool]:
    """For each line, whether it begins inside a bracket, a text or a comment; all False where they do not match up."""
    found: list[bool] = []
    end, depth = "", 0
    record = find_language(language)
    for line in lines:
        found.append(bool(end) or depth > 0)
        end, depth = _after(line, record, end, depth)
        if depth < 0:
            return [False] * len(lines)
    return [False] * len(lines) if depth or end else found


def _after(line: str, record: Language, end: str, depth: int) -> tuple[str, int]:
    """What is open behind a line: the end of a text or comment that is looked for, and how many brackets."""
    at = 0 if len(line) <= _LONGEST else len(line)
    while at < len(line):
        if end:
            close = line.find(end, at)
            if close < 0:
                return end, depth
            at, end = close + len(end), ""
            continue
        token = _TOKEN.search(line, at)
        if token is None:
            break
        at = token.end()
        kind, word = token.lastgroup, token[0]
        if kind == "line" and word in record.comments:
            break
        if kind == "bracket":
            depth += 1 if word in _OPENING else -1
        elif kind in {"text", "block", "back"} and (word in record.strings or word in record.comments):
            end = _ENDS[word]
    return end, depth


_HEADING = re.compile(r"#{1,6}\s|={1,6}\s|[=\-~^\"'*+#]{3,}\s*$")
_CONTINUES = re.compile(
    r"\s*(?:[)\]}>]|(?:else|elif|elsif|except|finally|catch|end|endif|then|do|done|fi|esac|rescue|ensure|when|and|or)\b)"
)
_LEADS = re.compile(r"\s*(?:@|#(?!include|define|if|pragma)|//|/\*|\*|--|;;|template\b)")
_ROW = re.compile(r"\s*\|")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_SENTENCE_END = re.compile(r"[.!?…:;]['\")\]]*\s*$")


def blocks(lines: Sequence[str], language: str) -> list[tuple[int, int]]:
    """The parts (start, end; end excluded) that ``lines`` fall into; together they cover every line in order."""
    starts = _prose_starts(lines) if find_language(language).is_prose else _code_starts(lines, language)
    return _ranges(starts, len(lines))


def sentences(lines: Sequence[str]) -> list[tuple[int, int]]:
    """The parts of a paragraph, a list or a table: sentences that end with their line, items, rows."""
    starts = [0] + [number for number in range(1, len(lines)) if _ends_sentence(lines, number - 1)]
    return _ranges(starts, len(lines))


def lines_apart(lines: Sequence[str], language: str) -> list[tuple[int, int]]:
    """The smallest parts that can stand alone: a statement, however nested, or a line of prose or of a table."""
    inside = [False] * len(lines) if find_language(language).is_prose else inside_code(lines, language)
    return _ranges([0] + [number for number in range(1, len(lines)) if not inside[number]], len(lines))


def _ends_sentence(lines: Sequence[str], number: int) -> bool:
    """Whether a part may end behind a line."""
    below = lines[number + 1]
    if is_row(below):
        return is_row(lines[number]) and number > 0 and is_row(lines[number - 1])  # the head and its rule stay together
    return _SENTENCE_END.search(lines[number]) is not None or _ITEM.match(below) is not None or is_row(lines[number])


def is_row(line: str) -> bool:
    """Whether a line of prose is one of a table."""
    return _ROW.match(line) is not None


def is_heading(line: str) -> bool:
    """Whether a line of prose belongs to the text below it."""
    return _HEADING.match(line) is not None


def _ranges(starts: Sequence[int], length: int) -> list[tuple[int, int]]:
    return list(zip(starts, [*starts[1:], length], strict=True)) if length else []


def _prose_starts(lines: Sequence[str]) -> list[int]:
    """Paragraphs begin after blank lines and at headings; a fenced block is one paragraph."""
    is_inside = open_fences(lines)
    starts = [0]
    for number, line in enumerate(lines):
        after_blank = number > 0 and not lines[number - 1].strip()
        if not is_inside[number] and number and line.strip() and (after_blank or line.startswith("#")):
            starts.append(number)
    return starts


def _code_starts(lines: Sequence[str], language: str) -> list[int]:
    """Statements begin at the outermost indentation of the body, with the comments and decorators above them."""
    level = _body_indent(lines)
    starts = [0]
    leads = False
    inside = inside_code(lines, language)
    for number, line in enumerate(lines):
        if inside[number]:
            continue
        if not line.strip():
            leads = False
        elif _indent(line) <= level and not _CONTINUES.match(line):
            if number and not leads:
                starts.append(number)
            leads = _LEADS.match(line) is not None
    return starts


def _body_indent(lines: Sequence[str]) -> int:
    """The indentation of the statements inside of the first line's definition, or of the text if it has none."""
    indents = [_indent(line) for line in lines if line.strip()]
    inner = [_indent(line) for line in lines[1:] if line.strip() and not _CONTINUES.match(line)]
    return min(inner, default=min(indents, default=0))


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())
