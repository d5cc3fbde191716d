"""Schemas, queries, data and configuration."""

from __future__ import annotations

from dataclasses import replace

from ctxpack.languages.modules import resolve_include
from ctxpack.languages.record import HASH, Language, LanguageRole, Patterns, by_keyword, hashed

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
        above=("#", '"'),
        guard=r"(?=[etiusqmfd])",
    ),
)

JSON = Language(
    "json",
    suffixes="json jsonc json5 jsonl ndjson geojson webmanifest har ipynb avsc",
    files=".babelrc .eslintrc .prettierrc .jshintrc composer.lock pipfile.lock flake.lock",
    role=LanguageRole.STRUCTURE,
    is_often_minified=True,
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
    "yaml", suffixes="yaml yml", files=".clang-format .clang-tidy .travis.yml pubspec.lock", role=LanguageRole.CONFIG
)

TOML = Language(
    "toml",
    suffixes="toml",
    files="cargo.lock poetry.lock uv.lock pdm.lock gopkg.lock",
    role=LanguageRole.CONFIG,
    comments=HASH,
    strings=('"""', "'''"),
)

INI = Language(
    "ini",
    suffixes="ini cfg conf properties editorconfig desktop service env",
    files=".editorconfig .gitconfig .gitmodules .npmrc .flake8 .coveragerc .pylintrc setup.cfg pipfile .env",
    role=LanguageRole.CONFIG,
    comments=("#", ";"),
    strings=(),
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

DATA_LANGUAGES = (
    SQL, PLSQL, PROTOBUF, GRAPHQL, JSON, XML, YAML, TOML, INI, GOMOD, IGNORE,
    CUE, CSV, GETTEXT, SVG, TURTLE, DIFF, GHERKIN,
)  # fmt: skip
