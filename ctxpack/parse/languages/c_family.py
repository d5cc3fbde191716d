"""C and its relatives (C++, CUDA, Objective-C, Solidity, D, Vala, Nim, Odin, shaders), hardware (assembly, VHDL)."""

from __future__ import annotations

import re
from functools import partial

from ctxpack.light import replace
from ctxpack.model import Import
from ctxpack.parse.languages.modules import Repository, module_resolver, resolve_include, resolve_relative
from ctxpack.parse.languages.record import (
    AFTER,
    BEFORE,
    C_NAME,
    CAMEL,
    HASH,
    NOT_A_NAME,
    TYPE,
    Grammar,
    Language,
    Patterns,
    by_keyword,
)

_INCLUDES = (r"\n[ \t]*#[ \t]*(?:include|import)[ \t]*\"(?P<module>[^\"\n]+)\"",)
_includes = partial(Language, imports=_INCLUDES, import_words="#", resolve=resolve_include)

_CPP_NAME = (
    NOT_A_NAME + r"(?:\w++(?:<[^;(){}\n]{0,80}?>)?::)*(?:operator[ \t]*(?:\(\)|[^\s(\w]{1,3}|[ \t]\w+)|~?[A-Za-z_]\w*)"
)

# Variables outside functions that are given a value: a default, a table, what a driver can do.
_START_OF_VARIABLE = r"TOP(?!(?:typedef|extern|template|namespace|goto|throw)\b)"
_VALUE = r"(?>(?:\[[^\]\n]*+\])*)(?:[ \t]+__\w++)?[ \t]*+=(?!=)"
_BEFORE_VALUE = r"[=\[]|__\w++[ \t]*+="


def _query_variables(*places: str, name: str = "(identifier)") -> str:
    """The query for variables with a value in some nodes, each the head of a pattern such as ``(translation_unit``."""
    declared = f"""(declaration declarator: (init_declarator declarator: [
        {name} @name
        (_ declarator: {name} @name)
        (_ declarator: (_ declarator: {name} @name))
        (_ declarator: (_ declarator: (_ declarator: {name} @name)))
    ])) @constant"""
    return "\n".join(f"{place} {declared}{')' * place.count('(')}" for place in places)


_OUTSIDE = ("(translation_unit", "(translation_unit (preproc_ifdef", "(translation_unit (preproc_if")

_C_HEAD = r"(?>(?:[A-Za-z_][\w \t*]*+\n)?)(?>(?:\w++[ \t*]++(?!\())*)"
_C_TAIL = r"(?>(?:[ \t]*[A-Za-z_]\w*(?:ARGS)?)*)\s*\{"
_C_PATTERNS = Patterns(
    (
        ("constant", r"#[ \t]*define[ \t]+NAME[ \t]+\S"),  # first: headers have far more of these
        ("macro", r"#[ \t]*define[ \t]+NAME\("),
        ("struct", r"(?:typedef[ \t]+)?(?:static[ \t]+)?(?:const[ \t]+)?struct[ \t]+NAME(?=\s*\{)"),
        ("enum", r"(?:typedef[ \t]+)?enum[ \t]+NAME(?=\s*\{)"),
        ("union", r"(?:typedef[ \t]+)?union[ \t]+NAME(?=\s*\{)"),
        ("type", r"TOPtypedef[ \t]++(?=[^;{}()\n]{1,300}+;)[^;{}()\n]*?[ \t*]NAME(?:\[[^\]\n]*\])?;"),
        ("type", r"TOPtypedef[ \t]++[^;{}()\n]*+\((?:\w+[ \t]+)?\*[ \t]*NAME\)[ \t]*\("),
        ("type", r"TOPtypedef[ \t]+(?:struct|enum|union)\s*\{[^{}]*+\}[ \t]*NAME"),
        ("function", r"TOP(?!typedef\b)" + _C_HEAD + r"NAME[ \t]*ARGS" + _C_TAIL),
        ("constant", rf"{_START_OF_VARIABLE}(?>(?:\w++[ \t*]++(?!{_BEFORE_VALUE}))+)NAME{_VALUE}"),
    ),
    name=C_NAME + "+",  # what follows it is no part of a name: nothing to try again
    above=("//", "/*", "*", "#if", "#ifdef"),
    # indented only what begins so
    guard=r"(?=#[ \t]*d|(?<=\n)[A-Za-z_]|(?:typedef|st(?:atic|ruct)|const|enum|union)[ \t])",
)

_C_QUERY = """
    (function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
    (function_definition declarator: (pointer_declarator
        declarator: (function_declarator declarator: (identifier) @name))) @function
    (function_definition declarator: (pointer_declarator declarator: (pointer_declarator
        declarator: (function_declarator declarator: (identifier) @name)))) @function
    (preproc_function_def name: (identifier) @name) @macro
    (preproc_def name: (identifier) @name value: (_)) @constant
    (enum_specifier name: (type_identifier) @name body: (_)) @enum
    (union_specifier name: (type_identifier) @name body: (_)) @union
    (type_definition declarator: (type_identifier) @name) @type
    (type_definition declarator: (function_declarator declarator: (parenthesized_declarator
        (pointer_declarator declarator: (type_identifier) @name)))) @type
    (type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
"""

_C_STRUCT = "(struct_specifier name: (type_identifier) @name body: (_)) @struct"
C = _includes(
    "c",
    suffixes="c",
    test_names=(BEFORE, AFTER),
    patterns=_C_PATTERNS,
    grammar=Grammar("tree_sitter_c", _C_QUERY + _C_STRUCT + _query_variables(*_OUTSIDE)),
)

_CPP_TYPE = r"(?:[\w:]++(?:<[^;(){}\n]{0,200}?>)?(?>(?:::\w+)*)[ \t*&]++(?!\())"
_CPP_TYPES = rf"(?>{_CPP_TYPE}*)"
_CPP_TEMPLATE = r"(?:template[ \t]*<[^\n;{}]*>[ \t]*)?"
_CPP_FUNCTION_NAMES = (
    "[(field_identifier) (qualified_identifier) (destructor_name) (operator_name) (operator_cast) "
    "(template_function name: (identifier))]"
)

CPP = _includes(
    "cpp",
    suffixes="cpp cc cxx c++ hpp hh hxx h++ ipp inl tcc tpp cppm ixx ino",
    test_names=(BEFORE, AFTER, CAMEL),
    patterns=Patterns(
        (
            ("macro", r"#[ \t]*define[ \t]+NAME\("),
            ("constant", r"#[ \t]*define[ \t]+NAME[ \t]+\S"),
            ("namespace", r"(?:inline[ \t]+)?namespace[ \t]+NAME(?=\s*\{)"),
            (
                "class",
                _CPP_TEMPLATE
                + r"class(?:[ \t]+[A-Z_]+(?:ARGS)?|[ \t]*\[\[\w+\]\])?[ \t]+(?>(?:\w++::)*)WORD(?=[^;(){}=]{0,400}+\{)",
            ),
            (
                "struct",
                _CPP_TEMPLATE
                + r"(?:typedef[ \t]+)?(?:static[ \t]+)?(?:const[ \t]+)?struct(?:[ \t]+[A-Z_]+(?:ARGS)?)?[ \t]+"
                + r"(?>(?:\w++::)*)WORD(?=[^;(){}=]{0,400}+\{)",
            ),
            (
                "enum",
                r"(?:typedef[ \t]+)?enum(?:[ \t]+(?:class|struct))?[ \t]+(?>(?:\w++::)*)WORD(?=[^;(){}=]{0,400}+\{)",
            ),
            ("union", r"(?:typedef[ \t]+)?union[ \t]+NAME(?=\s*\{)"),
            ("type", r"using[ \t]+NAME[ \t]*="),
            ("type", r"typedef[ \t]++(?=[^;{}()\n]{1,300}+;)[^;{}()\n]*?[ \t*]NAME(?:\[[^\]\n]*\])?;"),
            (
                "function",
                r"(?!typedef\b|return\b|else\b|case\b|new\b|throw\b|#)(?:template[ \t]*<[^\n;{}]*>[ \t]*)?"
                + _CPP_TYPES
                + r"NAME[ \t]*ARGS(?>(?:\s*(?:const|noexcept(?:ARGS)?|override|final|mutable|&&?|[A-Z_]+(?:ARGS)?))*)"
                r"\s*(?:->[^;{}]{1,120}|:(?!:)(?>(?:[^;{}]|\{[^;{}]*\}(?=\s*[,{]))*))?(?:\{|=[ \t]*default;)",
            ),
            ("constant", rf"{_START_OF_VARIABLE}(?>(?:{_CPP_TYPE}(?!{_BEFORE_VALUE}))+)(?!operator\b)NAME{_VALUE}"),
            ("field", rf"(?!using\b)(?>(?:{_CPP_TYPE}(?!{_BEFORE_VALUE}))+)(?!operator\b)NAME{_VALUE}(?=[^,()\n]*;)"),
        ),
        name=_CPP_NAME,
        above=("//", "/*", "*", "template", "#if", "#ifdef"),
        guard=r"(?=[A-Za-z_#~])",
    ),
    grammar=Grammar(
        "tree_sitter_cpp",
        _C_QUERY
        + f"""
    (struct_specifier name: (_) @name body: (_)) @struct
    (class_specifier name: (_) @name body: (_)) @class
    (namespace_definition name: (_) @name) @namespace
    (alias_declaration name: (type_identifier) @name) @type
    (concept_definition name: (identifier) @name) @type
    (function_definition declarator: (function_declarator declarator: {_CPP_FUNCTION_NAMES} @name)) @function
    (function_definition declarator: (operator_cast) @name) @function
    (function_definition declarator: (_
        (function_declarator declarator: {_CPP_FUNCTION_NAMES} @name))) @function
    (function_definition declarator: (_ (function_declarator declarator: (identifier) @name))) @function
    (function_definition declarator: (_ (_ (function_declarator declarator: (_) @name)))) @function
    (field_declaration declarator: (field_identifier) @name default_value: (_)) @field
    (field_declaration declarator: (pointer_declarator declarator: (field_identifier) @name) default_value: (_)) @field
    """
        + _query_variables(*_OUTSIDE, "(declaration_list", name="[(identifier) (qualified_identifier)]"),
        wrappers=frozenset({"template_declaration"}),
    ),
)

CUDA = replace(CPP, name="cuda", suffixes="cu cuh", test_names=())

OBJECTIVEC = _includes(
    "objectivec",
    suffixes="m mm",
    aliases="objc objective-c",
    test_names=(CAMEL,),
    patterns=Patterns(
        (
            *_C_PATTERNS.definitions,
            ("class", r"@(?:interface|implementation)[ \t]+NAME"),
            ("protocol", r"@protocol[ \t]+NAME(?![^\n]*;)"),
            ("method", r"[+-][ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)[ \t]*NAME"),
        ),
        name=C_NAME,
        above=("//", "/*", "*"),
        guard=r"(?=[A-Za-z_#@+-])",
    ),
    grammar=Grammar(
        "tree_sitter_objc",
        _C_QUERY
        + _C_STRUCT
        + """
    (class_interface . (identifier) @name) @class
    (class_implementation . (identifier) @name) @class
    (protocol_declaration . (identifier) @name) @protocol
    (method_definition (identifier) @name) @method
    (method_declaration (identifier) @name) @method
    """,
    ),
)

SOLIDITY = Language(
    "solidity",
    suffixes="sol",
    test_names=(r".+\.t",),
    imports=(r"\bimport[ \t]+(?:[^;\"']{0,400}[ \t]from[ \t]+)?[\"'](?P<module>[^\"'\n]+)[\"']",),
    resolve=resolve_relative,
    patterns=Patterns(
        (
            ("class", r"(?:abstract[ \t]+)?contract[ \t]+NAME"),
            *by_keyword("interface library struct enum event error function modifier"),
            ("constructor", r"(?=constructor\b)NAME"),
            (
                "constant",
                (
                    r"[\w.]++(?>(?:\[[^\]\n]*\])*)[ \t]++"
                    r"(?>(?:(?:public|private|internal|constant|immutable|override)[ \t]++)+)NAME[ \t]*=(?!=)"
                ),
            ),
        ),
        name=r"[A-Za-z_$][\w$]*",
    ),
)

_D_MODIFIERS = (  # Vala's too
    r"(?>(?:(?:public|private|protected|package|internal|export|static|final|abstract|virtual|override|async|extern|pure|"
    r"nothrow|@\w+)[ \t]+)*)"
)
D = Language(
    "d",
    "d di",
    imports=(r"\n[ \t]*(?:public[ \t]+|static[ \t]+)?import[ \t]+(?P<module>[\w.]+)",),
    resolve=module_resolver((".d", "/package.d")),
    patterns=Patterns(
        (
            *by_keyword("class struct interface union enum template", _D_MODIFIERS),
            ("macro", r"mixin[ \t]+template[ \t]+NAME"),
            (
                "function",
                r"(?!return\b|else\b|new\b|throw\b)"
                + _D_MODIFIERS
                + TYPE
                + r"NAME[ \t]*ARGS(?:ARGS)?[^;{}()]{0,200}\{",
            ),
            ("function", r"(?=this\b|unittest\b)NAME[ \t]*(?:ARGS)?\s*\{"),
        ),
        name=C_NAME,
        guard=r"(?=[A-Za-z_@])",
    ),
)

VALA = Language(
    "vala",
    suffixes="vala vapi",
    test_names=(CAMEL,),
    patterns=Patterns(
        (
            *by_keyword("namespace class struct interface enum", _D_MODIFIERS),
            ("method", r"(?!return\b|throw\b|else\b)" + _D_MODIFIERS + TYPE + r"NAME[ \t]*ARGS[^;{}()]{0,200}\{"),
        ),
        name=C_NAME,
        above=("//", "/*", "*", "["),
        guard=r"(?=[A-Za-z_])",
    ),
)


def _resolve_nim(item: Import, path: str, repository: Repository) -> list[str]:
    """Find ``import ../a/[b, c]``, which is read as ``../a/[b`` and ``c]``."""
    bare = item.module.partition(" import ")[0].strip('"] ')
    name = re.split(r"[/\[]", bare)[-1].strip()
    return [hit for hit in [repository.index.by_suffix(f"{name}.nim", path)] if hit]


NIM = Language(
    "nim",
    "nim nims",
    programs="nim",
    comments=HASH,
    strings=('"""',),
    test_names=(BEFORE,),
    imports=(r"\n(?:import|include|from)[ \t](?P<list>[^\n#]*[^\n#,\s](?:,[ \t]*\n[ \t][^\n#]*[^\n#,\s]){0,20})",),
    resolve=_resolve_nim,
    patterns=Patterns(
        (
            ("function", r"(?:proc|func|method|iterator|converter)[ \t]+NAME"),
            ("macro", r"(?:template|macro)[ \t]+NAME"),
            ("type", r"NAME[^\n=()]{0,80}=[ \t]*(?:ref[ \t]+)?(?:object|enum|tuple|distinct|concept)\b"),
        ),
        ends="indent",
        above=("#", "##"),
        name=r"(?:[A-Za-z_]\w*|`[^`\n]+`)",
    ),
)

ODIN = Language(
    "odin",
    "odin",
    patterns=Patterns(
        (
            ("function", r"NAME[ \t]*::[ \t]*(?:#\w+[ \t]+)*proc\b"),
            ("struct", r"NAME[ \t]*::[ \t]*(?:struct|union|enum|bit_set)\b"),
            ("constant", r"TOPNAME[ \t]*::"),
        ),
        above=("//", "@"),
        name=r"[A-Za-z_]\w*",
    ),
)

GLSL = Language("glsl", "glsl vert frag comp geom tesc tese", patterns=_C_PATTERNS)
HLSL = Language("hlsl", "hlsl hlsli fx fxh", patterns=_C_PATTERNS)
METAL = Language("metal", "metal", patterns=CPP.patterns)
WGSL = Language(
    "wgsl",
    "wgsl",
    patterns=Patterns(
        (
            ("function", r"fn[ \t]+NAME"),
            *by_keyword("struct"),
            ("constant", r"TOP(?:const|override|var(?:<[^>\n]*>)?)[ \t]+NAME"),
        ),
        above=("//", "/*", "*", "@"),
        guard=r"(?=[fscov])",
    ),
)

_VERILOG = Patterns(
    (
        *by_keyword("module interface package program primitive checker", r"(?:(?:virtual|extern)[ \t]+)?"),
        ("class", r"(?:virtual[ \t]+)?class[ \t]+NAME"),
        (
            "function",
            (
                r"(?>(?:(?:virtual|extern|static|protected|local|pure|import[ \t]+\"DPI(?:-C)?\")[ \t]+)*)"
                r"function[ \t]+(?:[\w:]++[ \t]+|\[[^\]\n]*\][ \t]*)*?NAME[ \t]*[(;]"
            ),
        ),
        (
            "function",
            r"(?>(?:(?:virtual|extern|static|protected|local|pure)[ \t]+)*)task[ \t]+(?:automatic[ \t]+)?NAME",
        ),
        ("type", r"typedef[ \t]++(?=[^;{}\n]{1,300}+;)[^;{}\n]*?[ \t\]]NAME[ \t]*;"),
        ("macro", r"`define[ \t]+NAME"),
        ("constant", r"TOP(?:localparam|parameter)[ \t]+(?:[\w:]++[ \t]+|\[[^\]\n]*\][ \t]*)*?NAME[ \t]*="),
    ),
    ends="word",
    above=("//", "/*", "*", "(*"),
    name=r"[A-Za-z_$][\w$]*",
    guard=r"(?=[a-z`])",
    closer=r"end(?:module|interface|package|program|primitive|checker|class|function|task)\b",
)
VERILOG = Language("verilog", "v vh", patterns=_VERILOG)
SYSTEMVERILOG = Language("systemverilog", "sv svh", patterns=_VERILOG)

VHDL = Language(
    "vhdl",
    "vhd vhdl",
    comments=("--",),
    strings=(),
    patterns=Patterns(
        (
            ("module", r"entity[ \t]+NAME[ \t]+is\b"),
            ("impl", r"architecture[ \t]+NAME[ \t]+of\b"),
            ("package", r"package[ \t]+(?:body[ \t]+)?NAME[ \t]+is\b"),
            ("function", r"(?:(?:pure|impure)[ \t]+)?(?:function|procedure)[ \t]+NAME"),
            ("struct", r"(?:type|subtype)[ \t]+NAME[ \t]+is\b"),
            ("function", r"NAME[ \t]*:[ \t]*(?:postponed[ \t]+)?process\b"),
            ("constant", r"constant[ \t]+NAME[ \t]*:"),
        ),
        ends="word",
        above=("--",),
        name=r"[A-Za-z]\w*",
        closer=r"end\b",
        inline=r";$",
        ignore_case=True,
    ),
)

ASSEMBLY = Language(
    "assembly",
    "asm s nasm",
    comments=(";", "//", "/*", "#"),
    strings=(),
    patterns=Patterns(
        (
            ("function", r"[.%]?macro[ \t]+NAME"),
            ("macro", r"#[ \t]*define[ \t]+NAME"),
            ("function", r"NAME:(?!:)"),
            ("function", r"NAME[ \t]+PROC\b"),
            ("function", r"(?:SYM_(?:FUNC|CODE)_START\w*|ENTRY|FUNC(?:TION)?)\([ \t]*NAME"),
        ),
        ends="word",
        above=(";", "//", "/*", "*", "#", "@"),
        name=r"(?!default\b)[A-Za-z_$?@][\w$?@.]*",
        closer=r"(?!)",
    ),
)
