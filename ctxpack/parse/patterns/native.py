"""Definition patterns: C and its relatives, and the languages that compile like it.

See ``patterns`` for the words in capitals.
"""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.patterns.row import C_NAME, NOT_A_NAME, Row

_CPP_NAME = (
    NOT_A_NAME + r"(?:\w++(?:<[^;(){}\n]{0,80}?>)?::)*(?:operator[ \t]*(?:\(\)|[^\s(\w]{1,3}|[ \t]\w+)|~?[A-Za-z_]\w*)"
)

_GO = Row(
    (
        ("method", r"TOPfunc[ \t]*\((?:\w+[ \t]+)?\*?OWNER(?:\[[^\]\n]*\])?\)[ \t]*NAME"),
        ("function", r"TOPfunc[ \t]+NAME"),
        ("struct", r"(?:type[ \t]+)?NAME(?:\[[^\]\n]*\])?[ \t]+struct[ \t]*\{"),
        ("interface", r"(?:type[ \t]+)?NAME(?:\[[^\]\n]*\])?[ \t]+interface[ \t]*\{"),
        ("type", r"TOPtype[ \t]+NAME"),
        ("constant", r"TOPconst[ \t]+NAME"),
        ("variable", r"TOPvar[ \t]+NAME"),
    ),
    above=("//", "/*", "*"),
    guard=r"(?=[A-Za-z_])",
)

_RUST_PUB = r"(?:pub(?:\([^)\n]*\))?[ \t]+)?"
_RUST = Row(
    (
        (
            "function",
            _RUST_PUB
            + r"(?:default[ \t]+)?(?:const[ \t]+)?(?:async[ \t]+)?(?:unsafe[ \t]+)?"
            + r'(?:extern[ \t]+(?:"[^"\n]*"[ \t]+)?)?fn[ \t]+NAME',
        ),
        ("struct", rf"{_RUST_PUB}struct[ \t]+NAME"),
        ("enum", rf"{_RUST_PUB}enum[ \t]+NAME"),
        ("union", rf"{_RUST_PUB}union[ \t]+NAME"),
        ("trait", rf"{_RUST_PUB}(?:unsafe[ \t]+)?(?:auto[ \t]+)?trait[ \t]+NAME"),
        (
            "impl",
            (
                r"(?:unsafe[ \t]+)?impl\b(?:[^\n{;]*?[ \t]for[ \t]+|[ \t]*<[^\n{;]*?>[ \t]+(?=[&\w])|[ \t]+)"
                r"(?:&(?:mut[ \t]+)?)?(?:\w+::)*NAME(?![^\n{]*[ \t]for[ \t])"
            ),
        ),
        ("module", rf"{_RUST_PUB}mod[ \t]+NAME[ \t]*\{{"),
        ("type", rf"{_RUST_PUB}type[ \t]+NAME"),
        ("constant", rf"{_RUST_PUB}(?:const|static)[ \t]+(?:mut[ \t]+)?NAME[ \t]*:"),
        ("macro", r"macro_rules![ \t]*NAME"),
    ),
    above=("//", "/*", "*", "#["),
    guard=r"(?=[apfsdceuitm])",
)

_C_TAIL = r"(?:[ \t]*[A-Za-z_]\w*(?:ARGS)?)*+\s*\{"
_C = Row(
    (
        ("macro", r"#[ \t]*define[ \t]+NAME\("),
        ("constant", r"#[ \t]*define[ \t]+NAME[ \t]+\S"),
        ("struct", r"(?:typedef[ \t]+)?(?:static[ \t]+)?(?:const[ \t]+)?struct[ \t]+NAME(?=\s*\{)"),
        ("enum", r"(?:typedef[ \t]+)?enum[ \t]+NAME(?=\s*\{)"),
        ("union", r"(?:typedef[ \t]+)?union[ \t]+NAME(?=\s*\{)"),
        ("type", r"TOPtypedef[ \t]++(?=[^;{}()\n]{1,300}+;)[^;{}()\n]*?[ \t*]NAME(?:\[[^\]\n]*\])?;"),
        ("type", r"TOPtypedef[ \t]++[^;{}()\n]*+\(\*[ \t]*NAME\)[ \t]*\("),
        ("type", r"TOPtypedef[ \t]+(?:struct|enum|union)\s*\{[^{}]*+\}[ \t]*NAME"),
        ("function", r"TOP(?!typedef\b)(?:[A-Za-z_][\w \t*]*+\n)?+(?:\w++[ \t*]++(?!\())*+NAME[ \t]*ARGS" + _C_TAIL),
    ),
    name=C_NAME,
    above=("//", "/*", "*", "#if", "#ifdef"),
    guard=r"(?=[A-Za-z_#])",
)

_CPP_TYPE = r"(?:[\w:]++(?:<[^;(){}\n]{0,200}?>)?(?:::\w+)*+[ \t*&]++(?!\())"
_CPP_TEMPLATE = r"(?:template[ \t]*<[^\n;{}]*>[ \t]*)?"
_CPP = Row(
    (
        ("macro", r"#[ \t]*define[ \t]+NAME\("),
        ("constant", r"#[ \t]*define[ \t]+NAME[ \t]+\S"),
        ("namespace", r"(?:inline[ \t]+)?namespace[ \t]+NAME(?=\s*\{)"),
        (
            "class",
            _CPP_TEMPLATE
            + r"class(?:[ \t]+[A-Z_]+(?:ARGS)?|[ \t]*\[\[\w+\]\])?[ \t]+(?:\w++::)*+WORD(?=[^;(){}=]{0,400}+\{)",
        ),
        (
            "struct",
            _CPP_TEMPLATE
            + r"(?:typedef[ \t]+)?(?:static[ \t]+)?(?:const[ \t]+)?struct(?:[ \t]+[A-Z_]+(?:ARGS)?)?[ \t]+"
            + r"(?:\w++::)*+WORD(?=[^;(){}=]{0,400}+\{)",
        ),
        ("enum", r"(?:typedef[ \t]+)?enum(?:[ \t]+(?:class|struct))?[ \t]+(?:\w++::)*+WORD(?=[^;(){}=]{0,400}+\{)"),
        ("union", r"(?:typedef[ \t]+)?union[ \t]+NAME(?=\s*\{)"),
        ("type", r"using[ \t]+NAME[ \t]*="),
        ("type", r"typedef[ \t]++(?=[^;{}()\n]{1,300}+;)[^;{}()\n]*?[ \t*]NAME(?:\[[^\]\n]*\])?;"),
        (
            "function",
            r"(?!typedef\b|return\b|else\b|case\b|new\b|throw\b|#)(?:template[ \t]*<[^\n;{}]*>[ \t]*)?"
            + _CPP_TYPE
            + r"*+NAME[ \t]*ARGS(?:\s*(?:const|noexcept(?:ARGS)?|override|final|mutable|&&?|[A-Z_]+(?:ARGS)?))*+"
            r"\s*(?:->[^;{}]{1,120}|:(?!:)(?:[^;{}]|\{[^;{}]*\}(?=\s*[,{]))*+)?\{",
        ),
    ),
    name=_CPP_NAME,
    above=("//", "/*", "*", "template", "#if", "#ifdef"),
    guard=r"(?=[A-Za-z_#~])",
)

_SW_MODIFIERS = (
    r"(?:(?:public|private|fileprivate|internal|open|final|static|class|override|mutating|nonmutating|required|"
    r"convenience|indirect|lazy|weak|unowned|nonisolated|isolated|distributed|package|prefix|postfix|infix|dynamic|"
    r"optional|@\w+(?:\([^()\n]*\))?)(?:\(set\))?[ \t]+)*"
)

_SWIFT = Row(
    (
        ("function", _SW_MODIFIERS + r"func[ \t]+NAME"),
        ("method", _SW_MODIFIERS + r"(?=init\b)NAME[?!]?[ \t]*[<(]"),
        ("class", _SW_MODIFIERS + r"(?:class|actor)[ \t]+NAME"),
        ("struct", _SW_MODIFIERS + r"struct[ \t]+NAME"),
        ("enum", _SW_MODIFIERS + r"enum[ \t]+NAME"),
        ("protocol", _SW_MODIFIERS + r"protocol[ \t]+NAME"),
        ("extension", _SW_MODIFIERS + r"extension[ \t]+(?:\w+\.)*NAME"),
        ("type", _SW_MODIFIERS + r"typealias[ \t]+NAME"),
        ("constant", r"TOP" + _SW_MODIFIERS + r"(?:let|var)[ \t]+NAME"),
    ),
    name=r"(?:\w+|`\w+`|[+\-*/<>=!~%&|^?]+)",
    guard=r"(?=[a-z@])",
)

_ZIG_PUB = r"(?:(?:pub|export|inline|noinline|extern(?:[ \t]+\"\w+\")?)[ \t]+)*+"
_ZIG = Row(
    (
        ("function", _ZIG_PUB + r"fn[ \t]+NAME"),
        ("struct", _ZIG_PUB + r"const[ \t]+NAME[ \t]*=[ \t]*(?:(?:extern|packed)[ \t]+)?struct\b"),
        ("enum", _ZIG_PUB + r"const[ \t]+NAME[ \t]*=[ \t]*enum\b"),
        ("union", _ZIG_PUB + r"const[ \t]+NAME[ \t]*=[ \t]*(?:(?:extern|packed)[ \t]+)?union\b"),
        ("constant", r"TOP" + _ZIG_PUB + r"(?:const|var)[ \t]+NAME[ \t]*[:=]"),
        ("test", r"TOPtest[ \t]+\"?NAME"),
    ),
    above=("//",),
    name=r"(?:\w+|@\"[^\"\n]+\")",
    guard=r"(?=[peicvfnt])",
)

_OBJC = Row(
    (
        *_C.definitions,
        ("class", r"@(?:interface|implementation)[ \t]+NAME"),
        ("protocol", r"@protocol[ \t]+NAME(?![^\n]*;)"),
        ("method", r"[+-][ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)[ \t]*NAME"),
    ),
    name=C_NAME,
    above=("//", "/*", "*"),
    guard=r"(?=[A-Za-z_#@+-])",
)


NATIVE: Mapping[str, Row] = {
    "c": _C,
    "cpp": _CPP,
    "go": _GO,
    "objectivec": _OBJC,
    "rust": _RUST,
    "swift": _SWIFT,
    "zig": _ZIG,
}
