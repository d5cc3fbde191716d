"""Documents and their headings (Markdown, reStructuredText, AsciiDoc, other prose), schemas, data, and configuration.

Configuration and data have sections: tables, keys that open a block, members of an object.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ctxpack.light import replace
from ctxpack.parse.languages.modules import resolve_include
from ctxpack.parse.languages.record import HASH, Heading, Language, LanguageRole, Patterns, by_keyword, hashed
from ctxpack.text import FENCE, fence_after, without_markup

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
)
ORG = Language("org", suffixes="org", role=LanguageRole.PROSE)
TEXTILE = Language("textile", suffixes="textile", role=LanguageRole.PROSE)
MEDIAWIKI = Language("mediawiki", suffixes="wiki mediawiki", role=LanguageRole.PROSE)
TEX = Language("tex", suffixes="tex sty bib ltx", role=LanguageRole.PROSE)
MAN = Language("man", suffixes="1 2 3 4 5 6 7 8 9", role=LanguageRole.PROSE)


_SQL_NAME = r"(?:[\w$\"`\[\]]+\.)*"
SQL = Language(
    "sql",
    suffixes="sql ddl dml psql",
    comments=("--", "/*"),
    patterns=Patterns(
        tuple(
            (
                kind,
                (
                    rf"create[ \t]+(?:or[ \t]+replace[ \t]+)?{words}[ \t]+(?:if[ \t]+not[ \t]+exists[ \t]+)?"
                    rf"{_SQL_NAME}[\"`\[]?NAME"
                ),
            )
            for kind, words in (
                ("table", r"(?:(?:global|local)[ \t]+)?(?:temp(?:orary)?[ \t]+|unlogged[ \t]+|external[ \t]+)?table"),
                ("view", r"(?:temp(?:orary)?[ \t]+)?(?:materialized[ \t]+)?view"),
                ("function", r"(?:aggregate[ \t]+)?(?:function|procedure|aggregate)"),
                ("index", r"(?:unique[ \t]+)?index(?:[ \t]+concurrently)?"),
                ("trigger", r"(?:constraint[ \t]+)?trigger"),
                ("type", r"(?:type|domain|sequence|schema|extension)"),
            )
        ),
        ends="indent",
        above=("--", "/*", "*"),
        guard=r"(?=c)",
        ignore_case=True,
    ),
)
PLSQL = replace(SQL, name="plsql", suffixes="pls plb pks")

PROTOBUF = Language(
    "protobuf",
    suffixes="proto",
    strings=(),
    imports=(r"\nimport[ \t]+(?:public[ \t]+|weak[ \t]+)?\"(?P<module>[^\"\n]+)\"",),
    resolve=resolve_include,
    patterns=Patterns(
        (*by_keyword("message enum service"), ("method", r"rpc[ \t]+NAME"), ("extension", r"extend[ \t]+NAME")),
        above=("//", "/*", "*"),
        guard=r"(?=[mesr])",
    ),
)

GRAPHQL = Language(
    "graphql",
    suffixes="graphql gql graphqls",
    comments=HASH,
    strings=('"""',),
    patterns=Patterns(
        (
            ("type", r"(?:extend[ \t]+)?(?:type|input|union|scalar)[ \t]+NAME"),
            ("interface", r"(?:extend[ \t]+)?interface[ \t]+NAME"),
            ("enum", r"(?:extend[ \t]+)?enum[ \t]+NAME"),
            ("function", r"(?:query|mutation|subscription|fragment)[ \t]+NAME"),
            ("macro", r"directive[ \t]+@NAME"),
        ),
        above=("#", '"', '"""'),
        guard=r"(?=[etiusqmfd])",
    ),
)

# Sections of configuration: what a table, a block of keys or a job is called, with the comments directly above it.

_TABLE = r"(?m)^(?:\[\[(?P<list>[^\[\],\n]{1,200})\]\]|\[(?P<title>[^\[\],\n]{1,200})\])[ \t]*(?:[#;][^\n]*)?$"


def _tables(text: str, _first_line: int) -> list[Heading]:
    """Return the tables of TOML and the sections of an INI file; neighbours in one list of tables are one section."""
    found: list[Heading] = []
    lines, line, counted, last = text.split("\n"), 1, 0, ""
    for match in re.finditer(_TABLE, text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        title = (match["list"] or match["title"]).strip()
        if not (match["list"] and title == last):
            found.append(Heading(_above(lines, line, found), 1, title))
        last = title
    return _unless_data(found, text)


_MANY, _FEW_LINES = 60, 6  # sections; lines of each on average: so a table of data looks, or a lock file


def _unless_data(found: list[Heading], text: str, many: int = _MANY) -> list[Heading]:
    return [] if len(found) > many and len(found) * _FEW_LINES > text.count("\n") else found


def _above(lines: list[str], line: int, found: list[Heading]) -> int:
    """Return the first of the comments directly above a line, at least behind the last heading."""
    least = found[-1].line + 1 if found else 1
    while line > least and lines[line - 2].lstrip().startswith(("#", ";")):
        line -= 1
    return line


_KEY = (
    r"[ ]*(?P<key>[\w./@$-]{1,200}|\"[^\"\n]{1,200}\"|'[^'\n]{1,200}')[ \t]*:[ \t]*(?:[&!#][^\n]*)?\r?"  # opens a block
)
_LONG_BLOCK = 20  # lines; the keys within a longer one begin sections of their own


def _yaml_blocks(text: str, _first_line: int) -> list[Heading]:
    """Return the keys at the left margin that open a block, and in long blocks those below: the jobs of a workflow."""
    lines = text.split("\n")
    outer: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if line[:1] not in _NO_KEY and (match := re.fullmatch(_KEY, line)):
            outer.append((number, match["key"].strip("'\"")))
    found: list[Heading] = []
    for (number, key), (after, _) in pairwise([*outer, (len(lines) + 1, "")]):
        found.append(Heading(_above(lines, number, found), 1, key))
        if after - number > _LONG_BLOCK:
            found += _inner_blocks(lines, number, after, found)
    return _unless_data(found, text)


_NO_KEY = frozenset(" \t#-{[%&*!|>?,\r") | {""}


def _inner_blocks(lines: list[str], start: int, end: int, found: list[Heading]) -> list[Heading]:
    """Return the keys that open a block directly below the key of line ``start``, whose block ends before ``end``."""
    inner: list[Heading] = []
    depth = 0
    for number in range(start + 1, end):
        line = lines[number - 1]
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not indent:  # a list, or a value at the left margin, which may be a text that looks like keys
            break
        depth = depth or indent
        if indent == depth and (match := re.fullmatch(_KEY, line)):
            inner.append(Heading(_above(lines, number, inner or found), 2, match["key"].strip("'\"")))
    return inner


_MEMBER = r"(?m)^(?P<indent>[ \t]+)\"(?P<key>[^\"\n]{1,200})\"[ \t]*:[ \t]*[\[{][ \t]*\r?$"


def _json_members(text: str, _first_line: int) -> list[Heading]:
    """Return the members of the outermost object that take several lines themselves; none in a table of data."""
    found: list[Heading] = []
    line, counted, indent = 1, 0, ""
    for match in re.finditer(_MEMBER, text) if text.lstrip()[:1] == "{" else ():
        line += text.count("\n", counted, match.start())
        counted = match.start()
        indent = indent or match["indent"]
        if match["indent"] == indent:
            found.append(Heading(line, 1, match["key"]))
    return _unless_data(found, text, many=0)


JSON = Language(
    "json",
    suffixes="json jsonc json5 jsonl ndjson geojson webmanifest har avsc",
    files=".babelrc .eslintrc .prettierrc .jshintrc composer.lock pipfile.lock flake.lock",
    role=LanguageRole.STRUCTURE,
    sections=_json_members,
    is_often_minified=True,
    holds_values=True,
)

XML = Language(
    "xml",
    suffixes="xml xsd xsl xslt wsdl plist csproj fsproj vbproj props targets resx storyboard xib nuspec xaml",
    role=LanguageRole.STRUCTURE,
    comments=(),
    strings=(),
    is_often_minified=True,
)

YAML = hashed(
    "yaml",
    suffixes="yaml yml",
    files=".clang-format .clang-tidy .travis.yml pubspec.lock",
    role=LanguageRole.CONFIG,
    sections=_yaml_blocks,
    holds_values=True,
)

TOML = Language(
    "toml",
    suffixes="toml",
    files="cargo.lock poetry.lock uv.lock pdm.lock gopkg.lock",
    role=LanguageRole.CONFIG,
    sections=_tables,
    comments=HASH,
    strings=('"""', "'''"),
    holds_values=True,
)

INI = Language(
    "ini",
    suffixes="ini cfg conf properties editorconfig desktop service env",
    files=".editorconfig .gitconfig .gitmodules .npmrc .flake8 .coveragerc .pylintrc setup.cfg pipfile .env",
    role=LanguageRole.CONFIG,
    sections=_tables,
    comments=("#", ";"),
    strings=(),
    holds_values=True,
)

GOMOD = Language("gomod", files="go.mod go.work go.sum", role=LanguageRole.CONFIG)

IGNORE = hashed(
    "ignore",
    files=".gitignore .gitattributes .dockerignore .npmignore .ignore .ctxpackignore",
    role=LanguageRole.CONFIG,
)

CUE = Language("cue", suffixes="cue", role=LanguageRole.CONFIG)
CSV = Language("csv", suffixes="csv tsv", role=LanguageRole.DATA, comments=(), strings=())
GETTEXT = hashed("gettext", suffixes="po pot", role=LanguageRole.DATA)
SVG = Language("svg", suffixes="svg", role=LanguageRole.DATA, comments=(), strings=(), is_often_minified=True)
TURTLE = hashed("turtle", suffixes="ttl nt", role=LanguageRole.DATA)
DIFF = Language("diff", suffixes="diff patch", role=LanguageRole.DATA, comments=(), strings=())
GHERKIN = Language("gherkin", suffixes="feature", comments=HASH, strings=('"""',), test_names=(".+",))
