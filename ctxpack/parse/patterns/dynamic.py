"""Definition patterns: scripting languages. See ``patterns`` for the words in capitals."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.patterns.row import HASH, Row

_PYTHON = Row(
    (
        ("function", r"(?:async[ \t]+)?(?:cp?)?def[ \t]+(?:inline[ \t]+)?NAME[ \t]*[(\[]"),
        ("class", r"class[ \t]+NAME[ \t]*[(:\[]"),
        ("constant", r"TOPNAME[ \t]*(?::[^=\n]{1,80})?=(?!=)"),
    ),
    ends="indent",
    above=("@", "#"),
    guard=r"(?=[adc]|TOP[A-Za-z_])".replace("TOP", r"(?<=\n)"),
)

_JS_MODIFIERS = r"(?:(?:static|async|get|set|public|private|protected|readonly|override|accessor)[ \t]+)*+"
_JS_VALUE = (
    r"(?:async[ \t]+)?(?:function\b|(?:ARGS|\w+)[ \t]*(?::[^=;\n]{1,120})?=>|<[^\n(]{1,120}>ARGS|"
    r"(?:React\.)?(?:memo|forwardRef|useCallback)\()"
)

_JS_DEFINITIONS = (
    ("function", r"(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:async[ \t]+)?function[ \t]*\*?[ \t]*NAME"),
    ("class", r"(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?class[ \t]+NAME"),
    (
        "function",
        r"(?:export[ \t]+)?(?:const|let|var)[ \t]+NAME[ \t]*(?::[^=;\n]{1,120}(?:=>[^=;\n]{1,80})?)?=[ \t]*"
        + _JS_VALUE,
    ),
    (
        "class",
        r"(?:module\.)?(?:exports\.|(?:const|let|var)[ \t]+)?NAME[ \t]*=[ \t]*class\b",
    ),
    ("function", rf"(?:\w+\.)*?OWNER\.prototype\.WORD[ \t]*=[ \t]*{_JS_VALUE}"),
    ("function", rf"(?:module\.)?exports\.WORD[ \t]*=[ \t]*{_JS_VALUE}"),
    ("function", rf"(?:\w+\.)++WORD[ \t]*=[ \t]*{_JS_VALUE}"),
    ("function", rf"NAME[ \t]*=[ \t]*{_JS_VALUE}"),
    ("method", r"['\"]?NAME['\"]?[ \t]*:[ \t]*(?:async[ \t]+)?(?:function\b|ARGS[ \t]*=>)"),
    ("method", rf"{_JS_MODIFIERS}[*#]?NAME[ \t]*(?:<[^\n(){{}}]{{1,120}}>)?ARGS[ \t]*(?::[^;\n]*)?\{{"),
    ("method", r"(?:async[ \t]+)?QUOTED[ \t]*ARGS[ \t]*\{"),
    ("constant", r"TOP(?:export[ \t]+)?(?:const|let|var)[ \t]+NAME[ \t]*[=:;](?![ \t]*require[ \t]*\()"),
)

_TS_DEFINITIONS = (
    ("interface", r"(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?interface[ \t]+NAME"),
    ("type", r"(?:export[ \t]+)?(?:declare[ \t]+)?type[ \t]+NAME[ \t]*[<=]"),
    ("enum", r"(?:export[ \t]+)?(?:declare[ \t]+)?(?:const[ \t]+)?enum[ \t]+NAME"),
    ("namespace", r"(?:export[ \t]+)?(?:declare[ \t]+)?(?:namespace|module)[ \t]+['\"]?NAME"),
    *_JS_DEFINITIONS,
)

_JS_NAME = r"(?!(?:if|for|while|switch|catch|function|with|return|new|await|typeof)\b)[A-Za-z_$][\w$]*"
_JAVASCRIPT = Row(_JS_DEFINITIONS, name=_JS_NAME, guard=r"(?=[A-Za-z_$*#'\"])")
_TYPESCRIPT = Row(_TS_DEFINITIONS, name=_JS_NAME, guard=r"(?=[A-Za-z_$*#'\"])")
_RUBY = Row(
    (
        ("module", r"module[ \t]+NAME"),
        ("class", r"class[ \t]+(?=[A-Z])NAME"),
        ("method", r"(?:private[ \t]+|protected[ \t]+|public[ \t]+|\w+[ \t]+)?def[ \t]+(?:self\.|OWNER\.)?NAME"),
        ("method", r"define_method\(?[ \t]*:NAME"),
        ("constant", r"(?=[A-Z])NAME[ \t]*=(?![=~>])"),
    ),
    ends="word",
    above=HASH,
    name=r"(?:[A-Za-z_]\w*(?:::\w+)*[?!=]?(?![\w])|\[\]=?|[+\-*/<>=!~%&|^]{1,3})",
    inline=r"\bend$|^[ \t]*(?:\w+[ \t]+)?def[ \t]+[\w.?!]++(?:\([^()]*\))?[ \t]+=[ \t]",
    guard=r"(?=[a-zA-Z])",
    closer=r"end\b",
)

_PHP = Row(
    (
        (
            "function",
            r"(?:(?:public|private|protected|static|final|abstract)[ \t]+)*+function[ \t]+&?[ \t]*NAME[ \t]*\(",
        ),
        ("class", r"(?:(?:final|abstract|readonly)[ \t]+)*+class[ \t]+NAME"),
        ("interface", r"interface[ \t]+NAME"),
        ("trait", r"trait[ \t]+NAME"),
        ("enum", r"enum[ \t]+NAME(?=[ \t]*[:{\r\n])"),
        ("constant", r"(?:(?:final|public|private|protected)[ \t]+)*+const[ \t]+(?:\w+[ \t]+)?NAME[ \t]*="),
    ),
    above=("//", "/*", "*", "#"),
    guard=r"(?=[a-zA-Z])",
)

_LUA = Row(
    (
        ("function", r"(?:local[ \t]+)?function[ \t]+NAME[ \t]*\("),
        ("function", r"(?:local[ \t]+)?NAME[ \t]*=[ \t]*function\b"),
        ("constant", r"TOP(?:local[ \t]+)?(?=[A-Z])NAME[ \t]*=(?!=)"),
    ),
    ends="word",
    above=("--",),
    name=r"(?!function\b)[A-Za-z_]\w*(?:[.:]\w+|\[(?:'[^'\n]*'|\"[^\"\n]*\")\])*",
    inline=r"\bend[\s,;)}\]]*$",
    guard=r"(?=[A-Za-z_])",
    closer=r"end\b",
)

_JULIA = Row(
    (
        ("module", r"(?:bare)?module[ \t]+NAME"),
        ("function", r"(?:@\w+[ \t]+)*function[ \t]+(?:\w+\.)*NAME"),
        ("macro", r"macro[ \t]+NAME"),
        ("struct", r"(?:@\w+[ \t]+)*(?:mutable[ \t]+)?struct[ \t]+NAME"),
        ("type", r"(?:abstract|primitive)[ \t]+type[ \t]+NAME"),
        ("constant", r"TOPconst[ \t]+NAME"),
        (
            "function",
            r"TOP(?:@\w+[ \t]+)*(?:\w+\.)*NAME(?:\{[^}\n]*\})?ARGS(?:[ \t]+where[ \t][^=\n]*|::[^=\n]*)?[ \t]*=(?!=)",
        ),
    ),
    ends="word",
    above=("#", '"""', "@"),
    name=r"[^\W\d][\w!]*",
    guard=r"(?=[^\W\d]|@)",
    closer=r"end\b",
    inline=r"\bend$|^[^(]*\(.*\)[^=]*=[^=]",
)

_PERL = Row(
    (
        ("module", r"package[ \t]+NAME"),
        ("class", r"class[ \t]+NAME"),
        ("function", r"(?:my[ \t]+|our[ \t]+|async[ \t]+)?(?:sub|method)[ \t]+NAME"),
        ("constant", r"use[ \t]+constant[ \t]+(?:\{[ \t]*)?NAME"),
    ),
    above=HASH,
    name=r"[A-Za-z_][\w:']*",
    guard=r"(?=[pcsmoua])",
)

_R = Row(
    (
        ("function", r"NAME[ \t]*(?:<-|=)[ \t]*(?:function\b|\\\()"),
        ("class", r"setClass\([ \t]*['\"]NAME"),
        ("method", r"set(?:Method|Generic)\([ \t]*['\"]NAME"),
    ),
    above=HASH,
    name=r"[A-Za-z.][\w.]*",
    guard=r"(?=[A-Za-z.])",
)


DYNAMIC: Mapping[str, Row] = {
    "javascript": _JAVASCRIPT,
    "julia": _JULIA,
    "lua": _LUA,
    "perl": _PERL,
    "php": _PHP,
    "python": _PYTHON,
    "r": _R,
    "ruby": _RUBY,
    "svelte": _TYPESCRIPT,
    "tsx": _TYPESCRIPT,
    "typescript": _TYPESCRIPT,
    "vue": _TYPESCRIPT,
}
