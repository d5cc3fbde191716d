"""Definition patterns: schemas, style sheets and infrastructure. See ``patterns`` for the words in capitals."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.patterns.row import Row

_SQL_NAME = r"(?:[\w$\"`\[\]]+\.)*"
_SQL = Row(
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
)

_HCL = Row(
    (
        ("resource", r'TOP(?:resource|data)[ \t]+"[^"\n]*"[ \t]+"NAME"'),
        ("module", r'TOPmodule[ \t]+"NAME"'),
        ("variable", r'TOP(?:variable|output|provider|backend)[ \t]+"NAME"'),
        ("block", r"TOPNAME(?:[ \t]+\"[^\"\n]*\")*[ \t]*\{"),
    ),
    above=("#", "//", "/*", "*"),
    name=r"[\w-]+",
    guard=r"(?=[a-z])",
)

_PROTOBUF = Row(
    (
        ("message", r"message[ \t]+NAME"),
        ("enum", r"enum[ \t]+NAME"),
        ("service", r"service[ \t]+NAME"),
        ("method", r"rpc[ \t]+NAME"),
        ("extension", r"extend[ \t]+NAME"),
    ),
    above=("//", "/*", "*"),
    guard=r"(?=[mesr])",
)

_GRAPHQL = Row(
    (
        ("type", r"(?:extend[ \t]+)?(?:type|input|union|scalar)[ \t]+NAME"),
        ("interface", r"(?:extend[ \t]+)?interface[ \t]+NAME"),
        ("enum", r"(?:extend[ \t]+)?enum[ \t]+NAME"),
        ("function", r"(?:query|mutation|subscription|fragment)[ \t]+NAME"),
        ("macro", r"directive[ \t]+@NAME"),
    ),
    above=("#", '"'),
    guard=r"(?=[etiusqmfd])",
)

_CSS = Row(
    (
        ("rule", r"(?!@(?:import|charset|use|forward|include|extend)\b)NAME(?:[^;{}\n]{0,200})\{"),
        ("rule", r"(?=[.#])NAME[ \t]*,[ \t]*(?=\r?\n)"),
    ),
    above=("/*", "*", "//"),
    name=r"[.#@&:*\[A-Za-z_-][\w.#:%-]*",
    guard=r"(?=[.#@&:*\[A-Za-z_-])",
)


DECLARATIVE: Mapping[str, Row] = {
    "css": _CSS,
    "graphql": _GRAPHQL,
    "hcl": _HCL,
    "protobuf": _PROTOBUF,
    "sql": _SQL,
}
