"""Schemas (SQL, Protobuf, GraphQL and others), grammars, data, and configuration.

Configuration and data have sections: tables, keys that open a block, members of an object.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from itertools import pairwise

from ctxpack.light import replace
from ctxpack.model import Import
from ctxpack.parse.languages.modules import Repository, as_list, resolve_include, resolve_values
from ctxpack.parse.languages.record import HASH, Heading, Language, LanguageRole, Patterns, by_keyword, hashed

_SQL_NAME = r"(?:if[ \t]+not[ \t]+exists[ \t]+)?(?:[\w$\"`\[\]]+\.)*[\"`\[]?NAME"
_CREATED = (
    ("table", r"(?:(?:global|local)[ \t]+)?(?:temp(?:orary)?[ \t]+|unlogged[ \t]+|external[ \t]+)?table"),
    ("view", r"(?:temp(?:orary)?[ \t]+)?(?:materialized[ \t]+)?view"),
    ("function", r"(?:aggregate[ \t]+)?(?:function|procedure|aggregate)"),
    ("index", r"(?:unique[ \t]+)?index(?:[ \t]+concurrently)?"),
    ("trigger", r"(?:constraint[ \t]+)?trigger"),
    ("type", r"(?:type|domain|sequence|schema|extension)"),
)


def _resolve_model(item: Import, path: str, repository: Repository) -> list[str]:
    """Find the model of dbt that ``ref`` names: the file of that name, wherever it is."""
    names = (f"{item.module}{ending}" for ending in (".sql", ".py"))
    return as_list(next(filter(None, (repository.index.by_suffix(name, path) for name in names)), ""))


SQL = Language(
    "sql",
    suffixes="sql ddl dml psql",
    comments=("--", "/*"),
    imports=(r"\bref\([ \t]*[\"'](?:\w{1,80}[\"'],[ \t]*[\"'])?(?P<module>\w{1,120})[\"']",),  # of dbt
    resolve=_resolve_model,
    resolves_by_file=True,
    patterns=Patterns(
        (
            *((kind, rf"create[ \t]+(?:or[ \t]+replace[ \t]+)?{words}[ \t]+{_SQL_NAME}") for kind, words in _CREATED),
            ("function", r"\{%-?[ \t]*(?:macro|test|materialization|snapshot)[ \t]+NAME"),  # of dbt
        ),
        ends="indent",
        above=("--", "/*", "*"),
        guard=r"(?=[c{])",
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


def _schema(name: str, kinds: str, comments: tuple[str, ...] = ("//", "/*")) -> Language:
    """A language of schemas, whose definitions are a word for their kind, a name and a block."""
    return Language(
        name,
        name,
        comments=comments,
        strings=(),
        patterns=Patterns(tuple(by_keyword(kinds)), above=(*comments, "*"), guard=r"(?=[a-z])"),
    )


SCHEMAS = (
    _schema("capnp", "struct interface enum annotation const", HASH),
    replace(_schema("flatbuffers", "table struct enum union rpc_service"), suffixes="fbs"),
    _schema("prisma", "model enum type view generator datasource"),
    _schema("smithy", "service resource operation structure union enum list map trait"),
    _schema("thrift", "struct service exception union enum senum"),
    _schema("yang", "module submodule container list grouping typedef rpc notification identity"),
    _schema("wit", "interface world resource record variant enum flags"),
)

_GRAMMAR = Patterns(
    (
        (
            "rule",
            r"TOP(?:(?:fragment|entry)[ \t]+)?NAME(?:[ \t]*(?:returns|infers)\b[^:\n]*)?\s*(?::(?!:)|::=|<-|=(?![=>]))",
        ),
    ),
    ends="layout",
    closer=";",
    above=("//", "/*", "*", "#"),
    name=r"[A-Za-z_][\w-]*",
)
_grammar = partial(Language, strings=(), patterns=_GRAMMAR)

GRAMMARS = (
    _grammar("antlr", "g4"),
    _grammar("ebnf", "abnf bnf ebnf"),
    _grammar("jison", "jison"),
    _grammar("langium", "langium"),
    _grammar("lark", "lark"),
    _grammar("peg", "peg pegjs peggy pest"),
    _grammar("yacc", "y yacc yy"),
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
            found.append(Heading(_above(lines, line, found[-1].line if found else 0), 1, title))
        last = title
    return _unless_data(found, text)


_MANY, _FEW_LINES = 60, 6  # sections; lines of each on average: so a table of data looks, or a lock file


def _unless_data(found: list[Heading], text: str, many: int = _MANY) -> list[Heading]:
    return [] if len(found) > many and len(found) * _FEW_LINES > text.count("\n") else found


def _above(lines: list[str], line: int, before: int) -> int:
    """Return the first of the comments directly above a line, behind the line ``before``, which begins a section."""
    while line > before + 1 and lines[line - 2].lstrip().startswith(("#", ";")):
        line -= 1
    return line


_KEY = (
    r"[ ]*(?P<key>[\w./@$-]{1,200}|\"[^\"\n]{1,200}\"|'[^'\n]{1,200}')[ \t]*:[ \t]*(?:[&!#][^\n]*)?\r?"  # opens a block
)
_VALUE = r"[ ]*(?P<key>[\w./@$-]{1,200})[ \t]*:[ \t][^\n]*"  # in the line of its key
_ITEM = (
    r"[ ]*-[ ]+(?:name|id|alert|record|job_name|title)[ \t]*:[ \t]+(?P<key>[^\n]{1,200})"  # of a list, with its name
)
_LONG_BLOCK = 20  # lines; what has a name within a longer one begins sections of its own
_LONG_SETTINGS = 60  # lines; in a longer block values with comments do so as well, and what is two levels inside
_DEEPEST = 3


def _yaml_blocks(text: str, _first_line: int) -> list[Heading]:
    """Return what has a name: keys that open a block, items of a list, and values with a comment.

    They stand at the left margin, and in long blocks further inside: the jobs of a workflow, the tables of a list.
    """
    lines = text.split("\n")
    return _blocks_within(lines, 0, len(lines) + 1, 1)


def _blocks_within(lines: list[str], start: int, end: int, level: int) -> list[Heading]:
    """Return the sections of the block that the key of line ``start`` opens, and that ends before line ``end``."""
    entries = _entries(lines, start, end)
    if len(entries) > _MANY and len(entries) * _FEW_LINES > end - start:
        return []
    found: list[Heading] = []
    longest = _LONG_BLOCK if level == 1 else _LONG_SETTINGS
    for (number, title), (after, _) in pairwise([*entries, (end, "")]):
        found.append(Heading(_above(lines, number, found[-1].line if found else start), level, title))
        if after - number > longest and level < _DEEPEST:
            found += _blocks_within(lines, number, after, level + 1)
    return found


def _entries(lines: list[str], start: int, end: int) -> list[tuple[int, str]]:
    """Return the lines directly inside a block that begin a section, with the names of these."""
    found: list[tuple[int, str]] = []
    depth, is_list, is_long = -1, False, end - start > _LONG_SETTINGS
    for number in range(start + 1, end):
        line = lines[number - 1]
        bare = line.lstrip(" ")
        if not bare.strip() or bare.startswith(_NO_CONTENT):
            continue
        indent = len(line) - len(bare)
        if depth < 0:
            depth, is_list = indent if start else 0, bare.startswith("- ")
        if indent < depth or (start and indent == depth and is_list and not bare.startswith("- ")):
            break  # a value further left, which may be a text that looks like keys
        if indent > depth:
            continue
        match = re.fullmatch(_ITEM if is_list else _KEY, line)
        if not match and is_long and not is_list and _has_comment(lines, number):
            match = re.fullmatch(_VALUE, line)
        if match:
            found.append((number, match["key"].strip().strip("'\"")))
    return found


_NO_CONTENT = ("#", "{{", "{%", "---")  # comments, templates, and what separates documents


def _has_comment(lines: list[str], number: int) -> bool:
    """Whether a comment is directly above a line, or below it and further to the right."""
    line, below = lines[number - 1], lines[number] if number < len(lines) else ""
    is_inside = len(below) - len(below.lstrip()) > len(line) - len(line.lstrip())
    return (number > 1 and lines[number - 2].lstrip().startswith("#")) or (is_inside and below.lstrip().startswith("#"))


_DEFINED = (
    r"(?m)^(?:\{\{-? ?/\*(?>(?:[^*\n]|\*(?!/)|\n(?!\{\{))*)\*/ ?-?\}\}[ \t]*\n)?"  # a comment directly above it
    r"\{\{-?[ \t]*define[ \t]+\"(?P<name>[^\"\n]{1,200})\""
)


def _templates(text: str, _first_line: int) -> list[Heading]:
    """Return the templates that a file of them defines, with their comments, without the prefix that most have."""
    found: list[Heading] = []
    heads = Counter(match["name"].partition(".")[0] for match in re.finditer(_DEFINED, text))
    prefix = f"{max(heads, key=lambda each: heads[each])}." if heads else ""
    line, counted = 1, 0
    for match in re.finditer(_DEFINED, text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        found.append(Heading(line, 1, match["name"].removeprefix(prefix)))
    return found


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
    imports=(r"(?P<module>\.Values)\.",),
    resolve=resolve_values,
    sections=_yaml_blocks,
    holds_values=True,
)

HELM = Language(
    "helm",
    files="_helpers.tpl",
    role=LanguageRole.CONFIG,
    comments=("{{/*",),
    imports=(r"(?P<module>\.Values)\.",),
    resolve=resolve_values,
    sections=_templates,
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

# What a package says of itself, field by field.

_FIELDS = ("constant", r"TOPNAME[ \t]*:")
CABAL = Language(
    "cabal",
    suffixes="cabal",
    files="cabal.project",
    role=LanguageRole.CONFIG,
    comments=("--",),
    strings=(),
    patterns=Patterns(
        (
            ("target", r"TOP(?:benchmark|common|executable|flag|foreign-library|library|test-suite)[ \t]+NAME"),
            ("target", r"TOP(?=library[ \t]*\r?\n)NAME"),
            _FIELDS,
        ),
        ends="indent",
        above=("--",),
        name=r"[A-Za-z][\w-]*+",
    ),
)
OPAM = hashed(
    "opam",
    suffixes="opam",
    files="opam",
    role=LanguageRole.CONFIG,
    patterns=Patterns((_FIELDS,), ends="layout", closer=r"\]", above=HASH, name=r"[a-z][\w-]*+"),
)
R_PACKAGE = hashed(
    "description",
    files="description",
    role=LanguageRole.CONFIG,
    patterns=Patterns((_FIELDS,), ends="indent", above=HASH, name=r"[A-Z][\w/@-]*+"),
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
GHERKIN = Language(
    "gherkin",
    suffixes="feature",
    comments=HASH,
    strings=('"""',),
    test_names=(".+",),
    patterns=Patterns(
        (
            ("class", r"(?:Feature|Функция|Функционал|Функциональность|Свойство):[ \t]*NAME"),
            ("test", r"(?:Scenario(?: Outline| Template)?|Example|Сценарий|Структура сценария|Пример):[ \t]*NAME"),
        ),
        ends="indent",
        above=("#", "@"),
        name=r"\S[^\n]*",
        guard=r"(?=[FSEФСП])",
    ),
)
