"""Bytes of a file to text, text to lines, and names to printable text, the same way everywhere.

So line numbers agree with git's, and a file has one spelling in reports, tables and messages.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Sequence

from ctxpack.light import lazy_pattern

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
PART_MARKERS = ("<!-- ctxpack:start -->", "<!-- ctxpack:end -->")
"""Around the part of a file that ctxpack writes."""
_WRITTEN = lazy_pattern(
    rf"^{PART_MARKERS[0]}[ \t]*+\n(?>(?:(?!{'|'.join(PART_MARKERS)})[^\n]*+\n)*){PART_MARKERS[1]}[ \t]*+$", re.MULTILINE
)
_SEPARATOR = lazy_pattern(r"[.:#]")  # of the parts of a qualified name
_LONE_SURROGATE = lazy_pattern("[\ud800-\udfff]")
# invisible characters: fillers, joiners, marks of order, tags that spell a text (except those of flags)
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff"
    "\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_UNPRINTABLE = lazy_pattern(f"[\x00-\x1f\x7f-\x9f\u200c\u200d{_INVISIBLE}\ud800-\udfff]")
# in a text, joiners are wanted between letters of some scripts and between pictures
_JOINED = (
    "\u0600-\u109f\u1780-\u18af\u1b00-\u1cff\u2190-\u2bff\ua800-\uabff\ufb1d-\ufdff\ufe0f\ufe70-\ufefc"
    "\U0001f000-\U0001faff"
)
_FLAG = "\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f"
_COMMANDING = lazy_pattern("[\x00-\x08\x0b\x0d-\x1f\x7f]")
_HIDDEN = lazy_pattern(
    f"(?P<flag>{_FLAG})|[\x00-\x08\x0b\x0d-\x1f\x7f-\x9f{_INVISIBLE}]|(?<![{_JOINED}])[\u200c\u200d]"
    "|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]"
)
SIGN = lazy_pattern(r"⟨U\+([0-9A-F]{4,6})⟩")
"""What replaces an invisible character, or one that controls a terminal."""
_SHORT_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def decode(data: bytes, *, as_is: bool = False) -> str:
    """Decode a file's bytes: by its byte order mark, else UTF-8 with U+FFFD for what is not; CRLF becomes LF.

    Of a part that ctxpack wrote only the empty lines are left: it repeats other files, and is no evidence of its own.
    Of a Jupyter notebook, whatever it is called, this is what its cells say, but not with ``as_is``, as in a diff.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace").replace("\r\n", "\n")
    text = data.decode("utf-8", "replace")
    if "\r" in text:  # a search for one character is far faster
        text = text.replace("\r\n", "\n")
    if not as_is and _NOTEBOOK.match(text) and _OF_NOTEBOOK in text:
        return cells_of(text)
    return _WRITTEN.sub(lambda match: "\n" * match[0].count("\n"), text) if PART_MARKERS[0] in text else text


_NOTEBOOK = lazy_pattern(r"\s{0,20}\{\s{0,20}\"(?:cells|metadata|nbformat)\"")
_OF_NOTEBOOK = '"nbformat"'
_KIND_OF_CELL = lazy_pattern(r'\s*"cell_type": ?"(\w+)",?\s*$')
_SOURCE = lazy_pattern(r'\s*"(?:source|input)": ?\[\s*$')
_LANGUAGE = lazy_pattern(r'"language": ?"([\w+#-]{1,30})"')
_LINE_BREAKS = lazy_pattern(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")


def cells_of(notebook: str) -> str:
    """Return what the cells of a Jupyter notebook say, as Markdown, each line at its own number; else the text itself.

    Outputs and metadata leave blank lines. The format: https://nbformat.readthedocs.io/en/latest/format_description.html
    """
    lines = notebook.split("\n")
    shown = [""] * len(lines)
    named = _LANGUAGE.search(notebook)
    kind, is_source, is_cell = "", False, False
    for at, line in enumerate(lines):
        if is_source and line.strip() in ("]", "],"):
            shown[at], kind, is_source = "```" if kind == "code" else "", "", False
        elif is_source:
            shown[at] = _line_of_cell(line)
        elif match := _KIND_OF_CELL.match(line):
            kind = match[1]
        elif kind and _SOURCE.match(line):
            shown[at], is_source, is_cell = f"```{named[1] if named else ''}" if kind == "code" else "", True, True
    return "\n".join(shown) if is_cell else notebook


def _line_of_cell(line: str) -> str:
    """The line of a cell that a line of JSON holds."""
    import json

    try:
        said = json.loads(line.strip().removesuffix(","))
    except ValueError:  # it was edited by hand
        return line
    return _LINE_BREAKS.sub(" ", said.removesuffix("\n")) if isinstance(said, str) else line


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without their ends; only LF ends a line, and a final LF opens no further line."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def count_lines(text: str) -> int:
    """Return how many lines ``lines_of`` gives."""
    return text.count("\n") + (bool(text) and not text.endswith("\n"))


def json_text(document: object) -> str:
    """A document as indented JSON; what JSON has no type for becomes a text."""
    import json

    return json_shown(json.dumps(document, ensure_ascii=False, indent=2, default=str)) + "\n"


def json_shown(text: str) -> str:
    r"""Return the same JSON with escapes such as ``\u202e`` for terminal controls and invisible characters."""
    return text if text.isascii() and "\x7f" not in text else replace_hidden(text, _json_escape)


def _json_escape(code: int) -> str:
    units = chr(code).encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def is_valid(text: str) -> bool:
    """Return whether a text can be written as UTF-8: it holds no byte of a file name that is not UTF-8."""
    return text.isascii() or not _LONE_SURROGATE.search(text)


def valid(text: str) -> str:
    r"""``text`` with every byte of a file name that is not UTF-8 written out as ``\xff``."""
    return _LONE_SURROGATE.sub(_escape, text)


def without_surrogates(text: str) -> str:
    """``text`` with U+FFFD for every lone surrogate, so that it is valid UTF-8 and counts as what it is."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def readable_size(size: int) -> str:
    """``1000000`` -> ``1 MB``."""
    for unit, factor in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


def last_name(qualified: str) -> str:
    """``Uploader.send`` -> ``send``; also behind ``::`` and ``#``."""
    return _SEPARATOR.split(qualified)[-1]


def number_of(number: int, noun: str) -> str:
    """``1 file``, ``1,200 files``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def first_of(names: Sequence[str], most: int) -> str:
    """``a, b and 3 more``: some names, and how many there are besides."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def shorten(text: str, most: int) -> str:
    """Return at most ``most`` characters of a text, the last of which is an ellipsis where it is cut."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def printable(name: str) -> str:
    r"""Write a path or name on one line: control characters and bytes that are not UTF-8 as ``\n``, ``\xff``."""
    return _UNPRINTABLE.sub(_escape, name)


def visible(text: str) -> str:
    """Return a text with signs such as ``⟨U+202E⟩`` for terminal controls, reversed and invisible characters."""
    if text.isascii() and not _COMMANDING.search(text):
        return text
    return replace_hidden(text, lambda code: f"⟨U+{code:04X}⟩")


def replace_hidden(text: str, write: Callable[[int], str]) -> str:
    """Write what ``visible`` shows as signs in another way, from the number of each character."""
    return _HIDDEN.sub(lambda match: match[0] if match["flag"] else write(ord(match[0])), text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[match[0]]
    if 0xDC80 <= code <= 0xDCFF:  # noqa: PLR2004 - the range of Python's surrogate escapes
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004 - what two hex digits hold


_LICENCE = lazy_pattern(r"licen[cs]e|copyright|SPDX|all rights reserved", re.IGNORECASE)
_COMMENT_ENDS = {"/*": "*/", "(*": "*)", "{-": "-}", "<!--": "-->"}
_BEFORE_COMMENTS = ("#!", "<?php")  # what the first line of a script says
_FOLD, _FOLD_END = "#region", "#endregion"  # of C#: an editor shows only the first line of what stands between


def licence_lines(lines: Sequence[str], marks: tuple[str, ...]) -> range:
    """The lines (from 1) of the licence that code begins with, in which ``marks`` begin a comment; mostly none."""
    begin = _first_said(lines, 0)
    while begin < len(lines) and lines[begin].startswith(_BEFORE_COMMENTS):
        begin = _first_said(lines, begin + 1)
    is_folded = begin < len(lines) and lines[begin].startswith(_FOLD) and not _FOLD.startswith(marks)
    end = _end_of_comments(lines, _first_said(lines, begin + 1) if is_folded else begin, marks)
    if is_folded:
        end = _first_said(lines, end) + 1
        if not (end <= len(lines) and lines[end - 1].startswith(_FOLD_END)):
            return range(0)
    return range(begin + 1, end + 1) if _LICENCE.search("\n".join(lines[begin:end])) else range(0)


def _first_said(lines: Sequence[str], start: int) -> int:
    """The place of the first line from ``start`` on that is not blank; their number where there is none."""
    return next((at for at in range(start, len(lines)) if lines[at].strip()), len(lines))


def _end_of_comments(lines: Sequence[str], at: int, marks: tuple[str, ...]) -> int:
    """Where the comments end that begin at a line and have no blank line between them."""
    closer = ""
    while at < len(lines) and marks and (closer or lines[at].lstrip().startswith(marks)):
        opening = next((mark for mark in _COMMENT_ENDS if lines[at].lstrip().startswith(mark)), "")
        closer = closer or _COMMENT_ENDS.get(opening, "")
        closer = "" if closer and closer in lines[at] else closer
        at += 1
    return at


FENCE_MARK = r"(?:`{3,}|~{3,})"
"""What a fence begins with."""
FENCE = rf"(?P<lead>[ \t]*(?:(?:>|[-*+]|\d{{1,9}}[.)])[ \t]+)*)(?P<mark>{FENCE_MARK})(?P<info>[^\n]*)"
"""A line with a fence, possibly in a list or a quotation."""
_FENCE = lazy_pattern(FENCE)
_DEEPEST = 3  # blanks before a fence that is in no list; more make it a line of an indented block of code
_SHORTEST = 3  # characters
_LINE_END = lazy_pattern(r"\r\n|[\r\n]")  # what ends a line in Markdown
_NOT_LANGUAGE = lazy_pattern(r"[^\w+#.-]")
_TARGET = r"\([^()\n]{0,500}\)"  # of a link
_TAGS = "a|b|br|code|div|em|font|i|img|kbd|p|small|span|strong|sub|sup"
_MARKUP = lazy_pattern(
    rf"(?<!`)(?:!\[[^\[\]\n]{{0,200}}\]{_TARGET}|\[(?P<text>[^\[\]\n]{{0,200}})\]{_TARGET}"
    rf"|</?(?:{_TAGS})\b[^<>\n]{{0,500}}>)"
    r"|\{[ \t]{0,4}:?[ \t]{0,4}[#.][^{}\n]{0,200}\}[ \t]{0,4}$"
)
_IMAGE_TEXT = lazy_pattern(
    r"!\[(?P<text>[^\[\]\n]{1,200})\]|<img\b[^<>\n]{0,500}?\balt=[\"'](?P<alt>[^<>\"'\n]{1,200})[\"']", re.IGNORECASE
)
OWN_FENCE = lazy_pattern(r"(?P<mark>`{3,})(?P<language>[\w+#.-]*)")
"""A whole line with a fence that ``in_fence`` wrote."""


def fence_after(fence: str, line: str, *, is_nested: bool = True) -> str:
    """Return the fence that is open after a line, ``""`` if none; ``fence`` is the one that is open before it.

    A fence ends at a line of the same character that is at least as long. Without ``is_nested`` only fences at the
    left margin count, none in lists and quotations.
    """
    match = _FENCE.match(line)
    if match is None or not (is_nested or (len(match["lead"]) <= _DEEPEST and not match["lead"].strip(" "))):
        return fence
    mark, info = match["mark"], match["info"].strip()
    if fence:
        return "" if mark.startswith(fence) and not info else fence
    return "" if mark[0] == "`" and "`" in info else mark


def open_fences(lines: Sequence[str]) -> list[bool]:
    """Return for each line, and for the place after the last, whether a fence is open there."""
    found: list[bool] = []
    fence = ""
    for line in lines:
        found.append(bool(fence))
        fence = fence_after(fence, line)
    return [*found, bool(fence)]


def without_markup(heading: str) -> str:
    """Return what readers of a heading in Markdown see: no images, addresses, tags or attributes.

    Of images alone it is what stands for them; a heading of nothing else stays as it is.
    """
    words = _MARKUP.sub(r"\g<text>", _MARKUP.sub(r"\g<text>", heading))  # twice: a badge is an image within a link
    images = (match["text"] or match["alt"] for match in _IMAGE_TEXT.finditer(heading))
    return words.strip() or " ".join(images).strip() or heading.strip()


def without_fenced(text: str) -> str:
    """Return the lines of a text that are neither fences nor between them."""
    kept: list[str] = []
    fence = ""
    for line in text.split("\n"):
        before, fence = fence, fence_after(fence, line)
        if not before and not fence:
            kept.append(line)
    return "\n".join(kept)


def inside_fence(text: str) -> str:
    """Return what a text holds that is one fenced block from its first line to its last; else the text itself."""
    first, *between = text.split("\n")
    fence = fence_after("", first)
    is_block = bool(fence and between) and open_fences([first, *between]) == [False, *[True] * len(between), False]
    return "\n".join(between[:-1]) if is_block else text


def in_fence(text: str, language: str = "") -> str:
    """Return a fenced block with a fence longer than any run of backticks inside; nothing for no text."""
    if not text:
        return ""
    fence = "`" * max(_SHORTEST, longest_run("`", text) + 1)
    ended = text if text.endswith("\n") else f"{text}\n"
    return f"{fence}{_NOT_LANGUAGE.sub('', language)}\n{ended}{fence}\n"


def code(text: str) -> str:
    """Return a code span whose delimiter is longer than any run of backticks inside."""
    if "`" not in text:
        return f"`{text}`"
    delimiter = "`" * (longest_run("`", text) + 1)
    return f"{delimiter} {text} {delimiter}"


def close_fence(text: str) -> str:
    """Return ``text`` with a last line that closes its open fence, if there is one."""
    fence = ""
    for line in _LINE_END.split(text):
        fence = fence_after(fence, line, is_nested=False)
    return f"{text.rstrip(chr(10))}\n{fence}\n" if fence else text


def longest_run(char: str, text: str) -> int:
    """Return the length of the longest run of ``char``."""
    if char not in text:
        return 0
    return max((len(run) for run in re.findall(f"{re.escape(char)}+", text)), default=0)


def keywords_in(text: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that occur in a text, in the order of the words, ignoring case."""
    lower = text.lower()
    return tuple(word for word in dict.fromkeys(words) if word.lower() in lower)


# Tags, pictures and addresses of links; a label that only links refer to.
_DECORATION = lazy_pattern(
    r"<[^<>]{1,2000}>|!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)|(?<=\])\([^)\s]{0,500}\)|&\w{2,8};"
    r"|^[ ]{0,3}\([\w.:-]{1,100}\)=$",
    re.MULTILINE,
)
_TEXT_SHARE = 0.15  # of a part of a document, below which it is banners, badges and the like


# An item that leads to a section of the same page; and how many of them make a table of contents, with their share.
_OWN_LINK = lazy_pattern(r"[ \t]*+(?:[-*+]|\d{1,3}[.)])[ \t]++\[[^\]\n]{1,200}\](?:\(#[^)\n]{1,200}\))?[ \t]*+")
_ENTRIES, _ENTRY_SHARE = 5, 0.7


def is_decoration(text: str) -> bool:
    """Whether a text in Markdown is hardly more than tags, pictures and links, or a table of contents."""
    told = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    entries = sum(_OWN_LINK.fullmatch(line) is not None for line in told)
    if entries >= max(_ENTRIES, _ENTRY_SHARE * len(told)):
        return True
    bare = "".join(_DECORATION.sub("", text).split())
    return len(bare) < _TEXT_SHARE * len("".join(text.split()))


# A line that opens what stands elsewhere, the name of a package, a rule between two parts of a file.
_EMPTY = lazy_pattern(
    r"[^\n]{0,400}(?:\n[ \t]{0,40})?[{:](?:\s{1,80}#region[^\n]{0,200}){0,3}"
    r"|(?:namespace|package)[ \t][\w.:\\]{1,200};?(?:\s{0,20}\{)?"
    r"|(?:#|//|--|;|/?\*)[^\n]{0,100}?[-=~*#_]{8,100}[^\n]{0,20}"
)


def says_nothing(text: str) -> bool:
    """Return whether a text says nothing by itself, such as the head of a class whose body is elsewhere."""
    return _EMPTY.fullmatch(text.strip()) is not None
