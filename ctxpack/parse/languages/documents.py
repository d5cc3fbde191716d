"""Documents and their headings: Markdown, reStructuredText, AsciiDoc, and other prose."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from ctxpack.parse.languages.record import Heading, Language, LanguageRole
from ctxpack.text import FENCE, fence_after, without_markup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ctxpack.parse.languages.record import HeadingReader

# patterns are compiled with the first document of their language

_MARKDOWN = (
    r"\n(?:"
    rf"(?P<fence>{FENCE})"
    r"|[ ]{0,3}(?P<atx>\#{1,6})(?:[ \t]+(?P<title>[^\n]*))?(?=\n|$)"
    r"|(?=[ ]{0,3}[^\s>|`~#<-])(?P<text>[^\n]+)\n(?P<line>[ ]{0,3}(?:=+|-+))[ \t]*(?=\n|$)"
    r"|[ ]{0,3}(?P<comment><!--)"
    r")"
)
_CLOSING_MARKS = r"(?:^|[ \t])#+[ \t]*$"
_LIST_OR_QUOTE = r"[ ]{0,3}(?:[-*+]|\d+[.)])[ \t]"


def _markdown_headings(text: str, first_line: int) -> list[Heading]:
    """Return the headings of ``text`` from ``first_line`` on (the lines before it are front matter)."""
    padded = "\n" + text
    pattern = re.compile(_MARKDOWN)
    found: list[Heading] = []
    position, line, counted, fence = _offset_of_line(padded, first_line), first_line, 0, ""
    counted, last_comment_end = position, padded.rfind("-->")
    while match := pattern.search(padded, position):
        position = match.end()
        line += padded.count("\n", counted, match.start() + 1)
        counted = match.start() + 1
        if match["fence"]:
            fence = fence_after(fence, match["fence"])
        elif fence:
            position = match.start() + 1
        elif match["comment"]:
            position = padded.find("-->", position) if position <= last_comment_end else position
        else:
            found.extend(_markdown_heading(match, line - 1))
    return found


def _offset_of_line(padded: str, line: int) -> int:
    position = 0
    for _ in range(line - 1):
        position = padded.find("\n", position + 1)
    return position


def _markdown_heading(match: re.Match[str], line: int) -> list[Heading]:
    if match["atx"]:
        return [Heading(line, len(match["atx"]), without_markup(re.sub(_CLOSING_MARKS, "", match["title"] or "")))]
    if re.match(_LIST_OR_QUOTE, match["text"]):
        return []
    return [Heading(line, 1 if "=" in match["line"] else 2, without_markup(match["text"]))]


_RST_TITLE = (
    r"\n(?:(?P<over>(?P<o>[!-/:-@\[-`{-~])(?P=o)+)[ \t]*\n)?"
    r"(?P<indent>[ \t]*)(?P<title>[^\s][^\n]*)\n"
    r"(?P<under>(?P<u>[!-/:-@\[-`{-~])(?P=u)+)[ \t]*(?=\n|$)"
)
_ADORNMENT = r"([!-/:-@\[-`{-~])\1+[ \t]*$"


def _rst_headings(text: str, _first_line: int) -> list[Heading]:
    """Return the headings of ``text``."""
    padded = "\n" + text
    pattern = re.compile(_RST_TITLE)
    found: list[Heading] = []
    styles: list[tuple[str, bool]] = []
    position, line, counted = 0, 1, 0
    while match := pattern.search(padded, position):
        position = match.start() + 1
        line += padded.count("\n", counted, position)
        counted = position
        if not _is_title(match):
            continue
        style = (match["u"], bool(match["over"]))
        if style not in styles:
            styles.append(style)
        found.append(Heading(line - 1, styles.index(style) + 1, match["title"].strip()))
        position = match.end()
    return found


def _is_title(match: re.Match[str]) -> bool:
    title = match["title"].rstrip()
    if re.match(_ADORNMENT, title) or len(match["under"]) < min(len(title), 4):
        return False
    if match["over"]:
        return match["over"] == match["under"] and len(match["under"]) >= len(title)
    return not match["indent"] and len(match["under"]) >= len(title) - 1


_UNDERLINES = "=-~^+"  # of level 1 to 5
_SLACK = 3  # characters an underline may be longer or shorter than its title
_ASCIIDOC = (
    r"\n(?:"
    r"(?P<marks>={1,6}|\#{1,6})[ \t]+(?P<title>\S[^\n]*)"
    r"|(?P<text>[^\W_][^\n]*)\n(?P<under>(?P<u>[=\-~^+])(?P=u)+)[ \t]*(?=\n|$)"
    r"|(?P<block>(?P<b>[-=.*+_/])(?P=b){3,}|--|```)[ \t]*(?=\n|$)"
    r")"
)


def _asciidoc_headings(text: str, _first_line: int) -> list[Heading]:
    """Return the headings of ``text``."""
    padded = "\n" + text
    pattern = re.compile(_ASCIIDOC)
    found: list[Heading] = []
    position, line, counted = 0, 1, 0
    unclosed: set[str] = set()
    while match := pattern.search(padded, position):
        line += padded.count("\n", counted, match.start() + 1)
        counted = match.start() + 1
        position = match.end()
        if match["block"]:
            position = _block_end(padded, position, match["block"], unclosed)
        elif match["marks"]:
            found.append(Heading(line - 1, len(match["marks"]), match["title"].strip()))
        elif abs(len(match["text"].rstrip()) - len(match["under"])) <= _SLACK:
            found.append(Heading(line - 1, _UNDERLINES.index(match["u"]) + 1, match["text"].strip()))
        else:
            position = match.start() + 1
    return found


def _block_end(padded: str, position: int, mark: str, unclosed: set[str]) -> int:
    """Return where the block that begins with ``mark`` ends; one of the ``unclosed`` (extended here) ends at once."""
    if mark in unclosed:
        return position
    end = re.compile(rf"\n{re.escape(mark)}[ \t]*(?=\n|$)").search(padded, position)
    if end is None:
        unclosed.add(mark)
    return end.end() if end else position


_HELP = r"\*[^\s*]{1,80}\.(?:txt|[a-z]{2}x)\*"  # its first line; or its last one:
_MODELINE = r"\bvim:[^\n]{0,200}\b(?:ft|filetype)=help\b"
_LAST = 300  # characters, in which that is looked for
_RULE = r"(?:={60,}|-{60,})[ \t]*"


def _help_sections(text: str, _first_line: int) -> list[Heading]:
    """Return the headings of a help file of Vim: below a rule, or beside a tag at the end of a line; else none."""
    if not re.match(_HELP, text) and not re.search(_MODELINE, text[-_LAST:]):
        return []
    found: list[Heading] = []
    rule = ""
    for number, line in enumerate(text.split("\n"), 1):
        title, tag = _apart_from_tags(line)
        if rule and line.strip():
            found.append(Heading(number - 1, 1 if rule[0] == "=" else 2, title.strip() or tag))
        elif tag and title.endswith(("  ", "\t")):
            found.append(Heading(number, 3, title.strip() or tag))
        rule = line if re.fullmatch(_RULE, line) else ""
    return found


def _apart_from_tags(line: str) -> tuple[str, str]:
    """A line without the tags at its end, such as ``*:Command*``, and the name of the first one."""
    before, star, rest = line.partition("*")
    tags = f"*{rest}".split() if star else []
    is_tagged = all(len(each) > len("**") and each.startswith("*") and each.endswith("*") for each in tags)
    return (before, tags[0].strip("*")) if tags and is_tagged else (line, "")


# A line that names the heading below it for links, of AsciiDoc, MyST, and HTML. With that of reStructuredText, which
# has a blank line below it, one of 352 requests loses a place.
_ANCHOR = (
    r"\[(?:\[[^\[\]\n]{1,200}\]|\#[^\[\]\n]{1,200})\]\s*$|\([\w.:-]{1,100}\)=\s*$"
    r"|<a (?:name|id)=[^<>\n]{1,200}>(?:</a>)?\s*$"
)


def start_with_anchors(lines: Sequence[str], heading: int) -> int:
    """The first of the anchors that are directly above a heading, at most one blank line apart; else its line."""
    start = heading
    while start > 1:
        above = start - 1
        if above > 1 and not lines[above - 1].strip():
            above -= 1
        if not re.match(_ANCHOR, lines[above - 1]):
            return start
        start = above
    return start


MARKDOWN = Language(
    "markdown",
    suffixes="md markdown mdx mdown mkd mdc rmd qmd ipynb",  # what the cells of a notebook say is read as Markdown
    role=LanguageRole.PROSE,
    headings=_markdown_headings,
)
RESTRUCTUREDTEXT = Language(
    "restructuredtext",
    suffixes="rst rest",
    aliases="restructured-text",
    role=LanguageRole.PROSE,
    headings=_rst_headings,
)
ASCIIDOC = Language("asciidoc", suffixes="adoc asciidoc asc", role=LanguageRole.PROSE, headings=_asciidoc_headings)
TEXT = Language(
    "text",
    suffixes="txt text log",
    files=(
        "readme license licence copying notice authors contributors changelog changes news history "
        "install todo maintainers codeowners thanks credits version contributing hacking"
    ),
    aliases="plaintext",
    role=LanguageRole.PROSE,
    sections=_help_sections,
)


SIMPLE_HEADINGS: Mapping[str, str] = {
    "man": r"\n\.(?P<mark>S[HhSs]|It|[HIT]P)\b(?![^\n]*[ \t]Ta[ \t])(?:(?<=[HT]P)[^\n]*\n)?(?P<title>[^\n]*)",
    "mediawiki": r"\n(?P<mark>={1,6})(?P<title>[^=\n]+)=+[ \t\r]*(?=\n|$)",
    "org": r"\n(?P<mark>\*{1,8})[ \t]+(?:(?:TODO|DONE)\b)?(?P<title>[^\n]+)",
    "pod": r"\n=(?P<mark>head[1-6])[ \t]+(?P<title>[^\n]+)",
    "tex": (
        r"\n[ \t]*\\(?P<mark>part|chapter|(?:sub){0,2}section|paragraph)\*?(?:\[[^\]\n]*\])?"
        r"\{(?P<title>(?>(?:[^{}\n]|\{[^{}\n]*\})+))"
    ),
    "texinfo": (
        r"\n@(?P<mark>chapter|unnumbered|appendix|(?:sub){0,2}section|(?:unnumbered|appendix)(?:sub){0,2}sec)\b"
        r"(?P<title>[^\n]+)"
    ),
    "textile": r"\nh(?P<mark>[1-6])(?:[(\[{][^\n.]*)?\.[ \t]+(?P<title>[^\n]+)",
}
"""The headings of languages in which each is on a line of its own; a mark is as long as its level, or a word."""
_ROWS = (
    "1 SH Sh part head1",
    "2 SS Ss chapter unnumbered appendix head2",
    "3 It HP IP TP section unnumberedsec appendixsec head3",
    "4 subsection unnumberedsubsec appendixsubsec head4",
    "5 subsubsection unnumberedsubsubsec appendixsubsubsec head5",
    "6 paragraph head6",
)
_LEVELS: Mapping[str, int] = {mark: level for level, row in enumerate(_ROWS, 1) for mark in row.split()}
_AROUND_TITLE = r"^[\s\"]++|(?:(?<![ \t])[ \t]++:(?>(?:[\w@]++:)+))?(?<![\s\"=])[\s\"=]*+$"

_ROFF = (  # in a title of a manual
    r"\\(?:f(?:\[[^\]\n]{0,20}\]|.)|\(..|(?=-)|[^-])"
    r"|(?<!\S)(?:\.[A-Z]+|Ar|Cm|Dv|Em|Ev|Fl|Ic|Li|Nm|No|Ns|Op|Pa|Sy|Va|Xc|Xo)(?:[ \t]++|$)"
)


_POD_MARK = r"[BCFILSXZ]<(?:[^<>|\n]{1,80}\|)?([^<>\n]{1,200})>"  # in a title of a page of Perl


def _without_roff(mark: re.Match[str]) -> str:
    return "-" if mark[0].startswith("Fl") else ""


def _simple_headings(language: str) -> HeadingReader:
    pattern = SIMPLE_HEADINGS[language]

    def read(text: str, _first_line: int) -> list[Heading]:
        padded = "\n" + text
        found: list[Heading] = []
        line, counted = 0, 0
        for match in re.finditer(pattern, padded):
            line += padded.count("\n", counted, match.start() + 1)
            counted = match.start() + 1
            bare = re.sub(_ROFF, _without_roff, match["title"]) if language == "man" else match["title"]
            bare = re.sub(_POD_MARK, r"\1", bare) if language == "pod" else bare
            if title := re.sub(_AROUND_TITLE, "", bare):
                found.append(Heading(line, _LEVELS.get(match["mark"], len(match["mark"])), title))
        return found

    return read


_simple = partial(Language, role=LanguageRole.PROSE)
ORG = _simple("org", suffixes="org", headings=_simple_headings("org"))
TEXTILE = _simple("textile", suffixes="textile", headings=_simple_headings("textile"))
POD = _simple("pod", suffixes="pod", headings=_simple_headings("pod"))
MEDIAWIKI = _simple("mediawiki", suffixes="wiki mediawiki", headings=_simple_headings("mediawiki"))
TEX = _simple("tex", suffixes="tex sty bib ltx", headings=_simple_headings("tex"))
TEXINFO = _simple("texinfo", suffixes="texi texinfo txi", headings=_simple_headings("texinfo"))
MAN = _simple("man", suffixes="1 2 3 4 5 6 7 8 9", headings=_simple_headings("man"))
