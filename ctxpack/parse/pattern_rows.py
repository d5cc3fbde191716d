"""The rows of the definition table. See ``patterns`` for the words in capitals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_SLASHES = ("//", "/*", "*", "@")
_HASH = ("#",)
_DASHES = ("--", "{-")
_NOT_A_NAME = (
    r"(?!(?:if|for|foreach|while|switch|catch|return|else|do|new|throw|await|typeof|delete|sizeof|defined|using|lock|"
    r"function|super|import|case|yield|in|of|elseif|unless|until|when|match|fixed|synchronized|try|with)\b)"
)
_C_NAME = _NOT_A_NAME + r"[A-Za-z_]\w*"
_CPP_NAME = (
    _NOT_A_NAME + r"(?:\w++(?:<[^;(){}\n]{0,80}?>)?::)*(?:operator[ \t]*(?:\(\)|[^\s(\w]{1,3}|[ \t]\w+)|~?[A-Za-z_]\w*)"
)


@dataclass(frozen=True, slots=True)
class Row:
    """How definitions of one language look, and how they end.

    ``ends``: ``brace`` at a closing brace, ``word`` at ``end`` (or ``closer``), ``indent`` at the next line that is not
    deeper, ``layout`` the same with the brace that closes it. A first line that matches ``inline`` has no ``end`` of
    its own: its definition ends by layout. ``above`` are the openings of lines that belong to the definition below them. ``clauses``: neighbours of
    one name are one definition. ``guard`` rejects most lines at once.
    """

    definitions: tuple[tuple[str, str], ...]
    ends: str = "brace"
    above: tuple[str, ...] = _SLASHES
    name: str = r"\w+"
    guard: str = ""
    closer: str = r"\}"
    inline: str = ""
    clauses: bool = False
    ignore_case: bool = False


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
        rf"(?:export[ \t]+)?(?:const|let|var)[ \t]+NAME[ \t]*(?::[^=;\n]{{1,120}}(?:=>[^=;\n]{{1,80}})?)?=[ \t]*{_JS_VALUE}",
    ),
    (
        "class",
        r"(?:module\.)?(?:exports\.|(?:const|let|var)[ \t]+)?NAME[ \t]*=[ \t]*class\b",
    ),
    ("function", rf"(?:\w+\.)*?OWNER\.prototype\.WORD[ \t]*=[ \t]*{_JS_VALUE}"),
    ("function", rf"(?:module\.)?exports\.WORD[ \t]*=[ \t]*{_JS_VALUE}"),
    ("function", rf"(?:\w+\.)++WORD[ \t]*=[ \t]*{_JS_VALUE}"),
    ("function", rf"NAME[ \t]*=[ \t]*{_JS_VALUE}"),
    ("method", rf"['\"]?NAME['\"]?[ \t]*:[ \t]*(?:async[ \t]+)?(?:function\b|ARGS[ \t]*=>)"),
    ("method", rf"{_JS_MODIFIERS}[*#]?NAME[ \t]*(?:<[^\n(){{}}]{{1,120}}>)?ARGS[ \t]*(?::[^;\n]*)?\{{"),
    ("constant", r"TOP(?:export[ \t]+)?(?:const|let|var)[ \t]+NAME[ \t]*[=:;]"),
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
            rf'{_RUST_PUB}(?:default[ \t]+)?(?:const[ \t]+)?(?:async[ \t]+)?(?:unsafe[ \t]+)?(?:extern[ \t]+(?:"[^"\n]*"[ \t]+)?)?fn[ \t]+NAME',
        ),
        ("struct", rf"{_RUST_PUB}struct[ \t]+NAME"),
        ("enum", rf"{_RUST_PUB}enum[ \t]+NAME"),
        ("union", rf"{_RUST_PUB}union[ \t]+NAME"),
        ("trait", rf"{_RUST_PUB}(?:unsafe[ \t]+)?(?:auto[ \t]+)?trait[ \t]+NAME"),
        (
            "impl",
            r"(?:unsafe[ \t]+)?impl\b(?:[^\n{;]*?[ \t]for[ \t]+|[ \t]*<[^\n{;]*?>[ \t]+(?=[&\w])|[ \t]+)"
            r"(?:&(?:mut[ \t]+)?)?(?:\w+::)*NAME(?![^\n{]*[ \t]for[ \t])",
        ),
        ("module", rf"{_RUST_PUB}mod[ \t]+NAME[ \t]*\{{"),
        ("type", rf"{_RUST_PUB}type[ \t]+NAME"),
        ("constant", rf"{_RUST_PUB}(?:const|static)[ \t]+(?:mut[ \t]+)?NAME[ \t]*:"),
        ("macro", r"macro_rules![ \t]*NAME"),
    ),
    above=("//", "/*", "*", "#["),
    guard=r"(?=[apfsdceuitm])",
)

_JVM_MODIFIERS = (
    r"(?:(?:public|private|protected|static|final|abstract|native|synchronized|default|strictfp|sealed|non-sealed|"
    r"transient|volatile|@\w+(?:\([^()\n]*\))?)[ \t]+)*+"
)
_TYPE = r"[\w.$]++(?:<[^;(){}=\n]{0,200}?>)?(?:\[\])*+\??[ \t]++"
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
            + _TYPE
            + r")NAME[ \t]*ARGS\s*(?:throws[ \t\r\n][\w., \t\r\n]+)?(?:\{|;(?<=\);))",
        ),
        (
            "method",
            r"(?=[A-Zp])(?:(?:public|private|protected)[ \t]+)?NAME[ \t]*ARGS\s*(?:throws[ \t\r\n][\w., \t\r\n]+)?\{",
        ),
        (
            "constant",
            r"(?:public[ \t]+|private[ \t]+|protected[ \t]+)?static[ \t]+final[ \t]+" + _TYPE + r"NAME[ \t]*=",
        ),
    ),
    name=_C_NAME,
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
        ("type", _CS_MODIFIERS + r"delegate[ \t]+" + _TYPE + r"NAME"),
        ("constant", r"(?:(?:public|private|protected|internal)[ \t]+)?const[ \t]+" + _TYPE + r"NAME[ \t]*="),
        (
            "method",
            r"(?!return\b|throw\b|await\b|else\b|yield\b|using\b|var\b)"
            + _CS_MODIFIERS
            + r"(?:"
            + _TYPE
            + r")?(?:\w+(?:<[^;(){}\n]{0,60}?>)?\.)?NAME(?:<[^;(){}\n]{1,80}>)?[ \t]*ARGS\s*(?:where[^{;]{1,300})?(?::\s*(?:base|this)ARGS\s*)?(?:\{|=>)",
        ),
        ("method", _CS_MODIFIERS + _TYPE + r"NAME\s*(?:\{\s*(?:get|set|init)\b|=>)"),
    ),
    name=_C_NAME + r"(?:\.\w+)*",
    above=("//", "/*", "*", "["),
    guard=r"(?=[A-Za-z_])",
)

_C_TAIL = r"(?:[ \t]*[A-Za-z_]\w*(?:ARGS)?)*+\s*\{"
_C = Row(
    (
        ("macro", r"#[ \t]*define[ \t]+NAME\("),
        ("constant", r"#[ \t]*define[ \t]+NAME[ \t]+\S"),
        ("struct", r"(?:typedef[ \t]+)?(?:static[ \t]+)?(?:const[ \t]+)?struct[ \t]+NAME(?=\s*\{)"),
        ("enum", r"(?:typedef[ \t]+)?enum[ \t]+NAME(?=\s*\{)"),
        ("union", r"(?:typedef[ \t]+)?union[ \t]+NAME(?=\s*\{)"),
        ("type", r"TOPtypedef[ \t]+[^;{}()\n]*?[ \t*]NAME(?:\[[^\]\n]*\])?;"),
        ("type", r"TOPtypedef[ \t]+[^;{}()\n]*?\(\*[ \t]*NAME\)[ \t]*\("),
        ("type", r"TOPtypedef[ \t]+(?:struct|enum|union)\s*\{[^{}]*+\}[ \t]*NAME"),
        ("function", r"TOP(?!typedef\b)(?:[A-Za-z_][\w \t*]*+\n)?+(?:\w++[ \t*]++(?!\())*+NAME[ \t]*ARGS" + _C_TAIL),
    ),
    name=_C_NAME,
    above=("//", "/*", "*", "#if", "#ifdef"),
    guard=r"(?=[A-Za-z_#])",
)

_CPP_TOKEN = r"(?:[\w:]++(?:<[^;(){}\n]{0,200}?>)?(?:::\w+)*+[ \t*&]++(?!\())"
_CPP = Row(
    (
        ("macro", r"#[ \t]*define[ \t]+NAME\("),
        ("constant", r"#[ \t]*define[ \t]+NAME[ \t]+\S"),
        ("namespace", r"(?:inline[ \t]+)?namespace[ \t]+NAME(?=\s*\{)"),
        (
            "class",
            r"(?:template[ \t]*<[^\n;{}]*>[ \t]*)?class(?:[ \t]+[A-Z_]+(?:ARGS)?|[ \t]*\[\[\w+\]\])?[ \t]+NAME(?=[^;(){}=]*\{)",
        ),
        (
            "struct",
            r"(?:template[ \t]*<[^\n;{}]*>[ \t]*)?(?:typedef[ \t]+)?(?:static[ \t]+)?(?:const[ \t]+)?struct(?:[ \t]+[A-Z_]+(?:ARGS)?)?[ \t]+NAME(?=[^;(){}=]*\{)",
        ),
        ("enum", r"(?:typedef[ \t]+)?enum(?:[ \t]+(?:class|struct))?[ \t]+NAME(?=[^;(){}=]*\{)"),
        ("union", r"(?:typedef[ \t]+)?union[ \t]+NAME(?=\s*\{)"),
        ("type", r"using[ \t]+NAME[ \t]*="),
        ("type", r"typedef[ \t]+[^;{}()\n]*?[ \t*]NAME(?:\[[^\]\n]*\])?;"),
        (
            "function",
            r"(?!typedef\b|return\b|else\b|case\b|new\b|throw\b|#)(?:template[ \t]*<[^\n;{}]*>[ \t]*)?"
            + _CPP_TOKEN
            + r"*+NAME[ \t]*ARGS(?:\s*(?:const|noexcept(?:ARGS)?|override|final|mutable|&&?|[A-Z_]+(?:ARGS)?))*+"
            r"\s*(?:->[^;{}]{1,120}|:(?!:)(?:[^;{}]|\{[^;{}]*\}(?=\s*[,{]))*+)?\{",
        ),
    ),
    name=_CPP_NAME,
    above=("//", "/*", "*", "template", "#if", "#ifdef"),
    guard=r"(?=[A-Za-z_#~])",
)

_RUBY = Row(
    (
        ("module", r"module[ \t]+NAME"),
        ("class", r"class[ \t]+(?=[A-Z])NAME"),
        ("method", r"(?:private[ \t]+|protected[ \t]+|public[ \t]+|\w+[ \t]+)?def[ \t]+(?:self\.|OWNER\.)?NAME"),
        ("method", r"define_method\(?[ \t]*:NAME"),
        ("constant", r"(?=[A-Z])NAME[ \t]*=(?![=~>])"),
    ),
    ends="word",
    above=_HASH,
    name=r"(?:[A-Za-z_]\w*(?:::\w+)*[?!=]?(?![\w])|\[\]=?|[+\-*/<>=!~%&|^]{1,3})",
    inline=r"\bend$|\bdef\b[^=]*[\w)?!][ \t]+=[ \t]",
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
            + r"fun[ \t]+(?:<[^\n(){}]{1,200}?>[ \t]+)?(?:(?:[\w.]+(?:<[^\n(){}]{0,160}?>)?\??|\([^()\n]{1,160}\))\.)?NAME[ \t]*\(",
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


_BASH = Row(
    (
        ("function", r"function[ \t]+NAME[ \t]*(?:\([ \t]*\))?\s*[{(\r\n]"),
        ("function", r"NAME[ \t]*\([ \t]*\)\s*[{(]"),
        ("constant", r"TOP(?:readonly[ \t]+|export[ \t]+|declare[ \t]+(?:-\w+[ \t]+)?)?(?=[A-Z_])NAME="),
    ),
    above=_HASH,
    name=r"[A-Za-z_][\w:.@-]*",
    guard=r"(?=[A-Za-z_])",
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

_HASKELL = Row(
    (
        ("type", r"TOP(?:type|newtype)[ \t]+(?:family[ \t]+|instance[ \t]+)?(?:[^\n=]{1,120}=>[ \t]*)?NAME"),
        ("type", r"TOPdata[ \t]+(?:family[ \t]+|instance[ \t]+)?(?:[^\n=]{1,120}=>[ \t]*)?NAME"),
        ("class", r"TOPclass[ \t]+(?:[^\n=]{1,160}=>[ \t]*)?NAME"),
        ("impl", r"TOPinstance[ \t]+(?:\{-#[^#\n]*#-\}[ \t]*)?(?:[^\n=]{1,160}=>[ \t]*)?NAME"),
        (
            "function",
            r"TOP(?!(?:module|import|where|infix[lr]?|foreign|deriving|pattern|else|then|in|of|let)\b)NAME[ \t]*(?:,[ \t]*\w+[ \t]*)*::",
        ),
        (
            "function",
            r"TOP(?!(?:module|import|where|infix[lr]?|foreign|deriving|pattern|type|data|class|newtype|instance)\b)(?=[a-z_(])NAME(?:[ \t]+[^=|\n]*)?[ \t\r\n]+[=|](?![=>|])",
        ),
    ),
    ends="indent",
    above=_DASHES,
    name=r"(?:[A-Za-z_][\w']*|\([^\s()\w]+\))",
    guard=r"(?=[A-Za-z_(])",
    clauses=True,
)

_ELIXIR = Row(
    (
        ("module", r"defmodule[ \t]+NAME"),
        ("protocol", r"defprotocol[ \t]+NAME"),
        ("impl", r"defimpl[ \t]+NAME"),
        ("macro", r"defmacrop?[ \t]+NAME"),
        ("function", r"def(?:p|guardp?|delegate|callback|n|np)?[ \t]+NAME"),
        ("type", r"@(?:type|typep|opaque)[ \t]+NAME"),
    ),
    ends="word",
    above=("#", "@doc", "@spec", "@impl", "@deprecated", "@since", '"""'),
    name=r"(?:unquote\(\w+\)|[A-Za-z_][\w.]*[?!]?|[+\-*/<>=!~&|^.@]+)",
    guard=r"(?=[d@])",
    closer=r"end\b",
    inline=r"(?<![ \t]do)$",
    clauses=True,
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

_DART = Row(
    (
        ("class", r"(?:(?:abstract|sealed|base|final|interface|mixin)[ \t]+)*+class[ \t]+NAME"),
        ("mixin", r"(?:base[ \t]+)?mixin[ \t]+NAME"),
        ("enum", r"enum[ \t]+NAME"),
        ("extension", r"extension[ \t]+(?:type[ \t]+)?NAME"),
        ("type", r"typedef[ \t]+NAME[ \t]*(?:<[^\n=]*>)?[ \t]*="),
        ("method", r"(?:static[ \t]+|external[ \t]+)*" + r"(?:" + _TYPE + r")?(?:get|set|factory|operator)[ \t]+NAME"),
        (
            "function",
            r"(?!return\b|throw\b|await\b|else\b)(?:static[ \t]+|external[ \t]+|const[ \t]+)*(?:"
            + _TYPE
            + r")?NAME(?:\.\w+)?[ \t]*(?:<[^\n(){}]{1,80}>)?ARGS[ \t]*(?:async\*?|sync\*)?\s*(?::[^;{]{1,300})?(?:\{|=>)",
        ),
    ),
    name=_C_NAME,
    guard=r"(?=[A-Za-z_])",
)

_OCAML = Row(
    (
        ("module", r"module[ \t]+(?:rec[ \t]+|type[ \t]+)?NAME"),
        ("class", r"class[ \t]+(?:type[ \t]+|virtual[ \t]+)*(?:\[[^\]\n]*\][ \t]*)?NAME"),
        ("type", r"(?:type|and)[ \t]+(?:nonrec[ \t]+)?(?:\([^()\n]*\)[ \t]*|[+-]?'\w+[ \t]+)?NAME[ \t]*(?:=|$)"),
        (
            "function",
            r"(?:TOP|(?<=\n[ \t]{2}))(?:let(?:%\w+)?|and)[ \t]+(?:rec[ \t]+)?NAME\b(?![^=\n]*=[^\n]*[ \t]in[ \t]*\r?\n)",
        ),
        ("function", r"(?:val|external)[ \t]+NAME[ \t]*:"),
        ("constant", r"exception[ \t]+NAME"),
    ),
    ends="indent",
    above=("(*",),
    name=r"(?:[A-Za-z_][\w']*|\([ \t]*[^\s()\w]+[ \t]*\))",
    guard=r"(?=[mctalve])",
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
    above=_HASH,
    name=r"[A-Za-z_][\w:']*",
    guard=r"(?=[pcsmoua])",
)

_OBJC = Row(
    (
        *_C.definitions,
        ("class", r"@(?:interface|implementation)[ \t]+NAME"),
        ("protocol", r"@protocol[ \t]+NAME(?![^\n]*;)"),
        ("method", r"[+-][ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)[ \t]*NAME"),
    ),
    name=_C_NAME,
    above=("//", "/*", "*"),
    guard=r"(?=[A-Za-z_#@+-])",
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
            + _TYPE
            + r")['\"]?NAME['\"]?[ \t]*ARGS\s*(?:throws[ \t][\w., \t]+)?\{",
        ),
        ("task", r"task[ \t]+NAME"),
    ),
    name=_C_NAME,
    guard=r"(?=[A-Za-z_@])",
)

_R = Row(
    (
        ("function", r"NAME[ \t]*(?:<-|=)[ \t]*(?:function\b|\\\()"),
        ("class", r"setClass\([ \t]*['\"]NAME"),
        ("method", r"set(?:Method|Generic)\([ \t]*['\"]NAME"),
    ),
    above=_HASH,
    name=r"[A-Za-z.][\w.]*",
    guard=r"(?=[A-Za-z.])",
)

_CLOJURE = Row(
    (
        ("namespace", r"\(ns[ \t]+(?:\^\S+[ \t]+)*NAME"),
        ("function", r"\((?:\w+/)?(?:defn-?|defmulti|defmethod|deftest)[ \t]+(?:\^\S+[ \t]+)*NAME"),
        ("macro", r"\((?:\w+/)?defmacro[ \t]+NAME"),
        ("type", r"\((?:defrecord|deftype|defprotocol|definterface)[ \t]+NAME"),
        ("constant", r"\((?:def|defonce)[ \t]+(?:\^\S+[ \t]+)*NAME"),
    ),
    ends="indent",
    above=(";",),
    name=r"[^\s()\[\]{}\"';@^]+",
    guard=r"(?=\()",
)

_ERLANG = Row(
    (
        ("module", r"TOP-module\(NAME"),
        ("type", r"TOP-(?:type|opaque|record)[ \t(]+NAME"),
        ("macro", r"TOP-define\(NAME"),
        ("function", r"TOPNAME\([^\n]*(?:->|,[ \t]*$|when\b)"),
    ),
    ends="indent",
    above=("%", "-spec"),
    name=r"[a-zA-Z_'][\w@']*",
    guard=r"(?=[a-z'-])",
    clauses=True,
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

_SQL_NAME = r"(?:[\w$\"`\[\]]+\.)*"
_SQL = Row(
    tuple(
        (
            kind,
            rf"create[ \t]+(?:or[ \t]+replace[ \t]+)?{words}[ \t]+(?:if[ \t]+not[ \t]+exists[ \t]+)?{_SQL_NAME}[\"`\[]?NAME",
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

_MAKE = Row(
    (
        ("target", r"TOPNAME[ \t]*::?(?![=:])"),
        ("function", r"TOPdefine[ \t]+NAME"),
        ("constant", r"TOP(?:export[ \t]+|override[ \t]+)?NAME[ \t]*(?:[:+?!]|::)?="),
    ),
    ends="indent",
    above=_HASH,
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
    above=_HASH,
    name=r"[\w.${}:-]+",
    guard=r"(?=[fmasop])",
    closer=r"(?:end(?:function|macro)\b|\))",
    ignore_case=True,
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

ROWS: Mapping[str, Row] = {
    "bash": _BASH,
    "bsl": _BSL,
    "c": _C,
    "clojure": _CLOJURE,
    "cmake": _CMAKE,
    "cpp": _CPP,
    "csharp": _CSHARP,
    "css": _CSS,
    "dart": _DART,
    "elixir": _ELIXIR,
    "erlang": _ERLANG,
    "go": _GO,
    "graphql": _GRAPHQL,
    "groovy": _GROOVY,
    "haskell": _HASKELL,
    "hcl": _HCL,
    "java": _JAVA,
    "javascript": _JAVASCRIPT,
    "julia": _JULIA,
    "kotlin": _KOTLIN,
    "lua": _LUA,
    "make": _MAKE,
    "objectivec": _OBJC,
    "ocaml": _OCAML,
    "perl": _PERL,
    "php": _PHP,
    "powershell": _POWERSHELL,
    "protobuf": _PROTOBUF,
    "python": _PYTHON,
    "r": _R,
    "ruby": _RUBY,
    "rust": _RUST,
    "scala": _SCALA,
    "sql": _SQL,
    "svelte": _TYPESCRIPT,
    "swift": _SWIFT,
    "tsx": _TYPESCRIPT,
    "typescript": _TYPESCRIPT,
    "vue": _TYPESCRIPT,
    "zig": _ZIG,
}
