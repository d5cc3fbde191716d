"""Definition patterns: shells, build files and 1C. See ``patterns`` for the words in capitals."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.patterns.row import HASH, Row

_BASH = Row(
    (
        ("function", r"function[ \t]+NAME[ \t]*(?:\([ \t]*\))?\s*[{(\r\n]"),
        ("function", r"NAME[ \t]*\([ \t]*\)\s*[{(]"),
        ("constant", r"TOP(?:readonly[ \t]+|export[ \t]+|declare[ \t]+(?:-\w+[ \t]+)?)?(?=[A-Z_])NAME="),
    ),
    above=HASH,
    name=r"[A-Za-z_][\w:.@-]*",
    guard=r"(?=[A-Za-z_])",
)

_POWERSHELL = Row(
    (
        ("function", r"(?:function|filter|workflow)[ \t]+(?:\w+:)?NAME"),
        ("class", r"class[ \t]+NAME"),
        ("enum", r"enum[ \t]+NAME"),
        ("method", r"(?:(?:static|hidden)[ \t]+)*\[[\w.\[\]]+\][ \t]*NAME[ \t]*ARGS\s*\{"),
    ),
    above=("#", "<#"),
    name=r"[A-Za-z_][\w-]*",
    guard=r"(?=[fwcesh\[])",
    ignore_case=True,
)

_MAKE = Row(
    (
        ("target", r"TOP(?!\.[A-Z])NAME[ \t]*::?(?![=:])"),
        ("function", r"TOPdefine[ \t]+NAME"),
        ("constant", r"TOP(?:export[ \t]+|override[ \t]+)?NAME[ \t]*(?:[:+?!]|::)?="),
    ),
    ends="indent",
    above=HASH,
    name=r"[\w./%$(){}-]++",
    guard=r"(?=[\w./%$-])",
)

_CMAKE = Row(
    (
        ("function", r"function[ \t]*\([ \t]*NAME"),
        ("macro", r"macro[ \t]*\([ \t]*NAME"),
        ("target", r"add_(?:executable|library|custom_target|test)[ \t]*\(\s*NAME"),
        ("constant", r"(?:set|option)[ \t]*\([ \t]*(?=[A-Z])NAME"),
        ("project", r"project[ \t]*\(\s*NAME"),
    ),
    ends="word",
    above=HASH,
    name=r"[\w.${}:-]+",
    guard=r"(?=[fmasop])",
    closer=r"(?:end(?:function|macro)\b|\))",
    ignore_case=True,
)

_BSL = Row(
    (
        ("function", r"(?:Асинх[ \t]+|Async[ \t]+)?(?:Функция|Function)[ \t]+NAME"),
        ("procedure", r"(?:Асинх[ \t]+|Async[ \t]+)?(?:Процедура|Procedure)[ \t]+NAME"),
        ("variable", r"TOP(?:Перем|Var)[ \t]+NAME"),
    ),
    ends="word",
    above=("//", "&"),
    guard=r"(?=[афпavfp])",
    closer=r"(?:Конец(?:Функции|Процедуры)|End(?:Function|Procedure))",
    ignore_case=True,
)


SHELL: Mapping[str, Row] = {
    "bash": _BASH,
    "bsl": _BSL,
    "cmake": _CMAKE,
    "make": _MAKE,
    "powershell": _POWERSHELL,
}
