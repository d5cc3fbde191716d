"""The web: JavaScript and TypeScript, components, style sheets, HTML, and Dart."""

from __future__ import annotations

import re

from ctxpack.light import replace
from ctxpack.model import Import
from ctxpack.parse.languages.modules import PathIndex, Repository, as_list, folder_of, join_path, resolve_relative
from ctxpack.parse.languages.record import (
    AFTER,
    C_NAME,
    DOTTED,
    HASH,
    SPEC,
    TYPE,
    Grammar,
    Language,
    Patterns,
    by_keyword,
)

_IMPORTS = (
    r"\n[ \t]*(?:import|export)\b(?P<names>[^;'\"()=]{0,2000}?)\bfrom[ \t]*['\"](?P<module>[^'\"\n]+)['\"]",
    r"\n[ \t]*import[ \t]*['\"](?P<module>[^'\"\n]+)['\"]",
    r"require\([ \t]*['\"](?P<module>[^'\"\n]+)['\"]",
    r"import\([ \t]*['\"](?P<module>[^'\"\n]+)['\"]",
)

_JS_MODIFIERS = r"(?>(?:(?:static|async|get|set|public|private|protected|readonly|override|accessor)[ \t]+)*)"
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
    ("class", r"(?:module\.)?(?:exports\.|(?:const|let|var)[ \t]+)?NAME[ \t]*=[ \t]*class\b"),
    ("function", rf"(?:\w+\.)*?OWNER\.prototype\.WORD[ \t]*=[ \t]*{_JS_VALUE}"),
    ("function", rf"(?:module\.)?exports\.WORD[ \t]*=[ \t]*{_JS_VALUE}"),
    ("function", rf"(?>(?:\w+\.)+)WORD[ \t]*=[ \t]*{_JS_VALUE}"),
    ("function", rf"NAME[ \t]*=[ \t]*{_JS_VALUE}"),
    ("method", r"['\"]?NAME['\"]?[ \t]*:[ \t]*(?:async[ \t]+)?(?:function\b|ARGS[ \t]*=>)"),
    ("method", rf"{_JS_MODIFIERS}[*#]?NAME[ \t]*(?:<[^\n(){{}}]{{1,120}}>)?ARGS[ \t]*(?::[^;\n]*)?\{{"),
    ("method", r"(?:async[ \t]+)?QUOTED[ \t]*ARGS[ \t]*\{"),
    (
        "field",
        r"(?=(?:static|public|private|protected|readonly|override)\b|#)"
        + _JS_MODIFIERS
        + r"#?NAME[ \t]*[?!]?[ \t]*(?::[^=;\n]{1,120}(?:=>[^=;\n]{1,80})?)?=(?!=)",
    ),
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
_JS_QUERY = """
    (function_declaration name: (identifier) @name) @function
    (generator_function_declaration name: (identifier) @name) @function
    (method_definition name: (_) @name) @method
    (variable_declarator name: (identifier) @name
        value: [(arrow_function) (function_expression) (generator_function)]) @function
    (variable_declarator name: (identifier) @name value: (class)) @class
    (assignment_expression
        left: (member_expression
            object: (member_expression object: (identifier) @owner property: (property_identifier) @_prototype)
            property: (property_identifier) @name)
        right: [(arrow_function) (function_expression)]
        (#eq? @_prototype "prototype")) @function
    (assignment_expression left: (member_expression property: (property_identifier) @name)
        right: [(arrow_function) (function_expression) (generator_function)]) @function
    (assignment_expression left: (identifier) @name right: [(arrow_function) (function_expression)]) @function
    (pair key: [(property_identifier) (string)] @name
        value: [(arrow_function) (function_expression) (generator_function)]) @method
    (program (lexical_declaration (variable_declarator name: (identifier) @name) @constant)
        (#not-match? @constant "^[^=]+=\\\\s*require\\\\s*\\\\("))
    (program (variable_declaration (variable_declarator name: (identifier) @name) @constant)
        (#not-match? @constant "^[^=]+=\\\\s*require\\\\s*\\\\("))
    (program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
"""

_JS_WRAPPERS = frozenset(
    {"export_statement", "lexical_declaration", "variable_declaration", "expression_statement", "ambient_declaration"}
)

_TS_QUERY = (
    _JS_QUERY
    + """
    (class_declaration name: (type_identifier) @name) @class
    (abstract_class_declaration name: (type_identifier) @name) @class
    (interface_declaration name: (type_identifier) @name) @interface
    (type_alias_declaration name: (type_identifier) @name) @type
    (enum_declaration name: (identifier) @name) @enum
    (internal_module name: (_) @name) @namespace
    (module name: (_) @name) @namespace
    (public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
    (public_field_definition [(accessibility_modifier) (override_modifier) "static" "readonly"] name: (_) @name
        value: (_)) @field
    (public_field_definition name: (private_property_identifier) @name value: (_)) @field
    (function_signature name: (identifier) @name) @function
"""
)

_ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".vue", ".svelte", ".json")

_INDEX_FILES = ("/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.mjs")

_BUILT = r"\.[cm]?jsx?$"


def _resolve(item: Import, path: str, repository: Repository) -> list[str]:
    module = item.module
    if module.startswith("."):
        return as_list(repository.index.first(_candidates(join_path(folder_of(path), module))))
    for base in filter(None, repository.declared_paths(module, path)):  # it may leave the repository
        if found := repository.index.first(_candidates(base)):
            return [found]
    if "/" not in module:
        return []
    return _files_by_suffix(module.lstrip("@~#$").lstrip("/"), path, repository.index)  # as bundlers are told


def _candidates(base: str) -> list[str]:
    bare = re.sub(_BUILT, "", base)
    stems = [base] if bare == base else [base, bare]
    folder = base if base not in ("", ".") else ""
    indexes = [f"{folder}{ending}".lstrip("/") for ending in _INDEX_FILES]
    return [base, *(f"{stem}{ending}" for stem in stems for ending in _ENDINGS), *indexes]


def _files_by_suffix(module: str, path: str, index: PathIndex) -> list[str]:
    for candidate in _candidates(module):
        if candidate.rpartition("/")[2] in index.by_name:
            found = index.by_suffix(candidate, path)
            if found:
                return [found]
    return []


JAVASCRIPT = Language(
    "javascript",
    suffixes="js jsx mjs cjs es6",
    programs="node nodejs",
    aliases="javascriptreact",
    is_often_minified=True,
    test_names=(AFTER, SPEC, DOTTED),
    imports=_IMPORTS,
    resolve=_resolve,
    patterns=Patterns(_JS_DEFINITIONS, name=_JS_NAME, guard=r"(?=[A-Za-z_$*#'\"])"),
    grammar=Grammar(
        "tree_sitter_javascript",
        _JS_QUERY
        + """
    (class_declaration name: (identifier) @name) @class
    (field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method
    (field_definition "static" property: (_) @name value: (_)) @field
    (field_definition property: (private_property_identifier) @name value: (_)) @field
    """,
        wrappers=_JS_WRAPPERS,
    ),
)

TYPESCRIPT = Language(
    "typescript",
    suffixes="ts mts cts",
    programs="bun deno ts-node",
    is_often_minified=True,
    test_names=(AFTER, SPEC, DOTTED),
    imports=_IMPORTS,
    resolve=_resolve,
    patterns=Patterns(_TS_DEFINITIONS, name=_JS_NAME, guard=r"(?=[A-Za-z_$*#'\"])"),
    grammar=Grammar("tree_sitter_typescript", _TS_QUERY, "language_typescript", _JS_WRAPPERS),
)

TSX = replace(
    TYPESCRIPT,
    name="tsx",
    suffixes="tsx",
    aliases="typescriptreact",
    programs="",
    test_names=(DOTTED,),
    grammar=Grammar("tree_sitter_typescript", _TS_QUERY, "language_tsx", _JS_WRAPPERS),
)

VUE = replace(
    TYPESCRIPT,
    name="vue",
    suffixes="vue",
    programs="",
    test_names=(DOTTED,),
    has_script_element=True,
    given_names=(
        "components computed data default emits expose extends filters get handler inject methods mixins props provide "
        "render set setup watch activated beforeCreate beforeDestroy beforeMount beforeRouteEnter beforeRouteLeave "
        "beforeRouteUpdate beforeUnmount beforeUpdate created deactivated destroyed errorCaptured mounted "
        "renderTracked renderTriggered serverPrefetch unmounted updated"
    ),
)

SVELTE = replace(
    TYPESCRIPT,
    name="svelte",
    suffixes="svelte",
    programs="",
    is_often_minified=False,
    test_names=(DOTTED,),
    has_script_element=True,
)

COFFEESCRIPT = Language(
    "coffeescript",
    suffixes="coffee",
    comments=HASH,
    strings=('"""', "'''"),
    test_names=(SPEC,),
    patterns=Patterns(
        (
            ("class", r"(?:[\w.@]+[ \t]*=[ \t]*)?class[ \t]+NAME"),
            ("function", r"(?:[\w.@]+\.)?NAME[ \t]*[:=][ \t]*(?:\([^\n]*\)[ \t]*)?[-=]>"),
        ),
        ends="indent",
        above=HASH,
        name=r"[A-Za-z_$@][\w$]*",
    ),
)

RESCRIPT = Language(
    "rescript",
    "res resi",
    patterns=Patterns(
        (
            ("module", r"module[ \t]+(?:rec[ \t]+|type[ \t]+)?NAME"),
            ("type", r"TOPtype[ \t]+(?:rec[ \t]+)?NAME"),
            ("function", r"(?:TOP|(?<=\n  ))let[ \t]+(?:rec[ \t]+)?NAME"),
        ),
        ends="layout",
        above=("//", "@"),
        guard=r"(?=[mtl])",
    ),
)

QML = Language(
    "qml",
    suffixes="qml",
    patterns=Patterns(
        (
            *by_keyword("function signal component"),
            ("field", r"(?>(?:(?:readonly|required|default)[ \t]+)*)property[ \t]+[\w.<>]+[ \t]+NAME"),
            ("object", r"TOPNAME[ \t]*\{"),
        ),
        name=r"[A-Za-z_]\w*",
        guard=r"(?=[A-Za-z])",
    ),
)
ASTRO = Language("astro", suffixes="astro")

CSS = Language(
    "css",
    suffixes="css",
    is_often_minified=True,
    patterns=Patterns(
        (
            ("rule", r"(?!@(?:import|charset|use|forward|include|extend)\b)NAME(?:[^;{}\n]{0,200})\{"),
            ("rule", r"(?=[.#])NAME[ \t]*,[ \t]*(?=\r?\n)"),
        ),
        above=("/*", "*", "//"),
        name=r"[.#@&:*\[A-Za-z_-][\w.#:%-]*",
        guard=r"(?=[.#@&:*\[A-Za-z_-])",
    ),
)
SCSS = replace(CSS, name="scss", suffixes="scss")
LESS = replace(CSS, name="less", suffixes="less")
SASS = replace(CSS, name="sass", suffixes="sass", is_often_minified=False)
STYLUS = Language("stylus", suffixes="styl")
HTML = Language(
    "html",
    suffixes="html htm xhtml jinja jinja2 j2 njk ejs ascx aspx eex ftl ftlh gohtml heex jsp jspf leex vm",
    is_often_minified=True,
)

DART = Language(
    "dart",
    suffixes="dart",
    programs="dart",
    test_names=(AFTER,),
    imports=(r"\n(?:import|export|part)[ \t]+['\"](?P<module>[^'\"\n]+)['\"]",),
    resolve=resolve_relative,
    patterns=Patterns(
        (
            ("class", r"(?>(?:(?:abstract|sealed|base|final|interface|mixin)[ \t]+)*)class[ \t]+NAME"),
            ("mixin", r"(?:base[ \t]+)?mixin[ \t]+NAME"),
            ("enum", r"enum[ \t]+NAME"),
            ("extension", r"extension[ \t]+(?:type[ \t]+)?NAME"),
            ("type", r"typedef[ \t]+NAME[ \t]*(?:<[^\n=]*>)?[ \t]*="),
            (
                "method",
                r"(?:static[ \t]+|external[ \t]+)*" + r"(?:" + TYPE + r")?(?:get|set|factory|operator)[ \t]+NAME",
            ),
            (
                "constant",
                r"TOP(?>(?:(?:late|final|const|var)[ \t]+)+)(?:" + TYPE + r")?NAME[ \t]*=(?!=)",
            ),
            (
                "field",
                r"(?>(?:(?:static|late|final|const|var)[ \t]+)+)(?:" + TYPE + r")?NAME[ \t]*=(?!=)",
            ),
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
    ),
    grammar=Grammar(
        "tree_sitter_dart",
        """
    (class_definition name: (identifier) @name) @class
    (mixin_declaration (identifier) @name) @mixin
    (enum_declaration name: (identifier) @name) @enum
    (extension_declaration name: (identifier) @name) @extension
    (function_signature name: (identifier) @name) @function
    (getter_signature name: (identifier) @name) @method
    (setter_signature name: (identifier) @name) @method
    (constructor_signature name: (identifier) @name) @method
    (declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @field
    (declaration (initialized_identifier_list (initialized_identifier . (identifier) @name (_)))) @field
    (program (static_final_declaration_list (static_final_declaration . (identifier) @name)) @constant)
    """,
        wrappers=frozenset({"method_signature"}),
        body="function_body",
    ),
)
