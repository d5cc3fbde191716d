"""Definition patterns: languages of the large virtual machines. See ``patterns`` for the words in capitals."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.patterns.row import C_NAME, TYPE, Row

_JVM_MODIFIERS = (
    r"(?:(?:public|private|protected|static|final|abstract|native|synchronized|default|strictfp|sealed|non-sealed|"
    r"transient|volatile|@\w+(?:\([^()\n]*\))?)[ \t]+)*+"
)

_JAVA = Row(
    (
        ("class", _JVM_MODIFIERS + r"(?:class|record)[ \t]+NAME"),
        ("interface", _JVM_MODIFIERS + r"@?interface[ \t]+NAME"),
        ("enum", _JVM_MODIFIERS + r"enum[ \t]+NAME"),
        (
            "method",
            r"(?!return\b|throw\b|new\b|else\b|package\b|import\b)"
            + _JVM_MODIFIERS
            + r"(?:<[^;(){}\n]{1,120}?>[ \t]*)?(?:"
            + TYPE
            + r")NAME[ \t]*ARGS\s*(?:throws[ \t\r\n][\w., \t\r\n]+)?(?:\{|;(?<=\);))",
        ),
        (
            "method",
            r"(?=[A-Zp])(?:(?:public|private|protected)[ \t]+)?NAME[ \t]*ARGS\s*(?:throws[ \t\r\n][\w., \t\r\n]+)?\{",
        ),
        (
            "constant",
            r"(?:public[ \t]+|private[ \t]+|protected[ \t]+)?static[ \t]+final[ \t]+" + TYPE + r"NAME[ \t]*=",
        ),
    ),
    name=C_NAME,
    guard=r"(?=[A-Za-z_@<])",
)

_CS_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|sealed|abstract|virtual|override|async|partial|readonly|extern|"
    r"unsafe|new|ref|file|required)[ \t]+)*+"
)

_CSHARP = Row(
    (
        ("namespace", r"namespace[ \t]+NAME"),
        ("class", _CS_MODIFIERS + r"(?:class|record(?:[ \t]+(?:class|struct))?)[ \t]+NAME"),
        ("struct", _CS_MODIFIERS + r"struct[ \t]+NAME"),
        ("interface", _CS_MODIFIERS + r"interface[ \t]+NAME"),
        ("enum", _CS_MODIFIERS + r"enum[ \t]+NAME"),
        ("type", _CS_MODIFIERS + r"delegate[ \t]+" + TYPE + r"NAME"),
        ("constant", r"(?:(?:public|private|protected|internal)[ \t]+)?const[ \t]+" + TYPE + r"NAME[ \t]*="),
        (
            "method",
            r"(?!return\b|throw\b|await\b|else\b|yield\b|using\b|var\b)"
            + _CS_MODIFIERS
            + r"(?:"
            + TYPE
            + r")?(?:\w+(?:<[^;(){}\n]{0,60}?>)?\.)?NAME(?:<[^;(){}\n]{1,80}>)?[ \t]*ARGS"
            + r"\s*(?:where[^{;]{1,300})?(?::\s*(?:base|this)ARGS\s*)?(?:\{|=>)",
        ),
        ("method", _CS_MODIFIERS + TYPE + r"NAME\s*(?:\{\s*(?:get|set|init)\b|=>)"),
    ),
    name=C_NAME + r"(?:\.\w+)*",
    above=("//", "/*", "*", "["),
    guard=r"(?=[A-Za-z_])",
)

_KT_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|open|abstract|sealed|data|inner|value|inline|override|suspend|operator|"
    r"infix|tailrec|external|expect|actual|final|annotation|companion|const|lateinit|fun|enum|@[\w.:]+(?:\([^()\n]*\))?)"
    r"[ \t]+)*"
)

_KOTLIN = Row(
    (
        ("interface", _KT_MODIFIERS + r"interface[ \t]+NAME"),
        ("class", _KT_MODIFIERS + r"class[ \t]+NAME"),
        ("object", _KT_MODIFIERS + r"object[ \t]+NAME"),
        (
            "function",
            _KT_MODIFIERS
            + r"fun[ \t]+(?:<[^\n(){}]{1,200}?>[ \t]+)?(?:(?:[\w.]+(?:<[^\n(){}]{0,160}?>)?\??|\([^()\n]{1,160}\))\.)?"
            + r"NAME[ \t]*\(",
        ),
        ("type", _KT_MODIFIERS + r"typealias[ \t]+NAME"),
        ("constant", r"TOP" + _KT_MODIFIERS + r"va[lr][ \t]+(?:<[^\n(){}]{1,80}?>[ \t]+)?(?:[\w.<>?*]+\.)?NAME"),
    ),
    name=r"(?:\w+|`[^`\n]+`)",
    ends="layout",
    guard=r"(?=[a-z@])",
)

_SC_MODIFIERS = (
    r"(?:(?:private|protected|override|final|sealed|abstract|implicit|lazy|case|inline|transparent|opaque|open|given|"
    r"infix)(?:\[[\w.]+\])?[ \t]+|@[\w.]+(?:\([^()\n]*\))?[ \t]+)*+"
)

_SCALA = Row(
    (
        ("class", _SC_MODIFIERS + r"class[ \t]+NAME"),
        ("trait", _SC_MODIFIERS + r"trait[ \t]+NAME"),
        ("object", _SC_MODIFIERS + r"(?:package[ \t]+)?object[ \t]+NAME"),
        ("enum", _SC_MODIFIERS + r"enum[ \t]+NAME"),
        ("function", _SC_MODIFIERS + r"def[ \t]+NAME"),
        ("type", _SC_MODIFIERS + r"type[ \t]+NAME"),
        ("constant", r"(?:TOP|(?<=\n[ \t]{2}))" + _SC_MODIFIERS + r"va[lr][ \t]+NAME[ \t]*[:=]"),
    ),
    name=r"(?:[A-Za-z_$][\w$]*|`[^`\n]+`|[+\-*/<>=!~%&|^:?@#\\]+)",
    ends="layout",
    guard=r"(?=[a-z@])",
)

_DART = Row(
    (
        ("class", r"(?:(?:abstract|sealed|base|final|interface|mixin)[ \t]+)*+class[ \t]+NAME"),
        ("mixin", r"(?:base[ \t]+)?mixin[ \t]+NAME"),
        ("enum", r"enum[ \t]+NAME"),
        ("extension", r"extension[ \t]+(?:type[ \t]+)?NAME"),
        ("type", r"typedef[ \t]+NAME[ \t]*(?:<[^\n=]*>)?[ \t]*="),
        ("method", r"(?:static[ \t]+|external[ \t]+)*" + r"(?:" + TYPE + r")?(?:get|set|factory|operator)[ \t]+NAME"),
        (
            "function",
            r"(?!return\b|throw\b|await\b|else\b)(?:static[ \t]+|external[ \t]+|const[ \t]+)*(?:"
            + TYPE
            + r")?NAME(?:\.\w+)?[ \t]*(?:<[^\n(){}]{1,80}>)?ARGS"
            r"[ \t]*(?:async\*?|sync\*)?\s*(?::[^;{]{1,300})?(?:\{|=>)",
        ),
    ),
    name=C_NAME,
    guard=r"(?=[A-Za-z_])",
)

_GROOVY = Row(
    (
        ("class", _JVM_MODIFIERS + r"class[ \t]+NAME"),
        ("interface", _JVM_MODIFIERS + r"@?interface[ \t]+NAME"),
        ("trait", _JVM_MODIFIERS + r"trait[ \t]+NAME"),
        ("enum", _JVM_MODIFIERS + r"enum[ \t]+NAME"),
        (
            "function",
            r"(?!return\b|throw\b|new\b|else\b)"
            + _JVM_MODIFIERS
            + r"(?:def[ \t]+|"
            + TYPE
            + r")['\"]?NAME['\"]?[ \t]*ARGS\s*(?:throws[ \t][\w., \t]+)?\{",
        ),
        ("task", r"task[ \t]+NAME"),
    ),
    name=C_NAME,
    guard=r"(?=[A-Za-z_@])",
)


MANAGED: Mapping[str, Row] = {
    "csharp": _CSHARP,
    "dart": _DART,
    "groovy": _GROOVY,
    "java": _JAVA,
    "kotlin": _KOTLIN,
    "scala": _SCALA,
}
