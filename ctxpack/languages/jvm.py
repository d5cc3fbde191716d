"""Java, Kotlin, Scala and Groovy."""

from __future__ import annotations

from functools import partial

from ctxpack.languages.modules import PathIndex, Repository, files_of_folder
from ctxpack.languages.record import C_NAME, CAMEL, TYPE, Grammar, Language, Patterns, by_keyword
from ctxpack.model import Import

_JVM_MODIFIERS = (
    r"(?:(?:public|private|protected|static|final|abstract|native|synchronized|default|strictfp|sealed|non-sealed|"
    r"transient|volatile|@\w+(?:\([^()\n]*\))?)[ \t]+)*+"
)

_IMPORTS = (r"\nimport[ \t]+(?:static[ \t]+)?(?P<module>[\w`]+(?:\.[\w`]+)*(?:\.\*|\.\{[^}]*\})?)",)

_ENDINGS = (".java", ".kt", ".scala", ".groovy")


def _resolve(item: Import, path: str, repository: Repository) -> list[str]:
    module = item.module.replace("`", "")
    index = repository.index
    if module.endswith((".*", "._")):
        module = module[:-2]
        return _files_of_class(module, path, index) or files_of_folder(module.replace(".", "/"), index, _ENDINGS)
    if item.names:
        return [hit for name in item.names for hit in _files_of_class(f"{module}.{name}", path, index)]
    return _files_of_class(module, path, index) or _files_of_class(module.rpartition(".")[0], path, index)


def _files_of_class(module: str, path: str, index: PathIndex) -> list[str]:
    if "." not in module:
        return []
    suffix = module.replace(".", "/")
    return next(([hit] for ending in _ENDINGS if (hit := index.by_suffix(suffix + ending, path))), [])


_jvm = partial(Language, strings=('"""', "'''", "`"), test_names=(CAMEL,), imports=_IMPORTS, resolve=_resolve)

JAVA = _jvm(
    "java",
    suffixes="java",
    patterns=Patterns(
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
                (
                    r"(?=[A-Zp])(?:(?:public|private|protected)[ \t]+)?NAME[ \t]*ARGS"
                    r"\s*(?:throws[ \t\r\n][\w., \t\r\n]+)?\{"
                ),
            ),
            (
                "constant",
                r"(?:public[ \t]+|private[ \t]+|protected[ \t]+)?static[ \t]+final[ \t]+" + TYPE + r"NAME[ \t]*=",
            ),
        ),
        name=C_NAME,
        guard=r"(?=[A-Za-z_@<])",
    ),
    grammar=Grammar(
        "tree_sitter_java",
        """
    (class_declaration name: (identifier) @name) @class
    (record_declaration name: (identifier) @name) @class
    (interface_declaration name: (identifier) @name) @interface
    (annotation_type_declaration name: (identifier) @name) @interface
    (enum_declaration name: (identifier) @name) @enum
    (method_declaration name: (identifier) @name) @method
    (constructor_declaration name: (identifier) @name) @method
    (compact_constructor_declaration name: (identifier) @name) @method
    (field_declaration (modifiers "static" "final")
        declarator: (variable_declarator name: (identifier) @name)) @constant
    """,
    ),
)

_KT_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|open|abstract|sealed|data|inner|value|inline|override|suspend|operator|"
    r"infix|tailrec|external|expect|actual|final|annotation|companion|const|lateinit|fun|enum|@[\w.:]+(?:\([^()\n]*\))?)"
    r"[ \t]+)*"
)

KOTLIN = _jvm(
    "kotlin",
    suffixes="kt kts",
    programs="kotlin",
    patterns=Patterns(
        (
            *by_keyword("interface class object", _KT_MODIFIERS),
            (
                "function",
                _KT_MODIFIERS
                + r"fun[ \t]+(?:<[^\n(){}]{1,200}?>[ \t]+)?"
                + r"(?:(?:[\w.]+(?:<[^\n(){}]{0,160}?>)?\??|\([^()\n]{1,160}\))\.)?NAME[ \t]*\(",
            ),
            ("type", _KT_MODIFIERS + r"typealias[ \t]+NAME"),
            ("constant", r"TOP" + _KT_MODIFIERS + r"va[lr][ \t]+(?:<[^\n(){}]{1,80}?>[ \t]+)?(?:[\w.<>?*]+\.)?NAME"),
        ),
        name=r"(?:\w+|`[^`\n]+`)",
        ends="layout",
        guard=r"(?=[a-z@])",
    ),
    grammar=Grammar(
        "tree_sitter_kotlin",
        """
    (class_declaration "interface" name: (identifier) @name) @interface
    (class_declaration name: (identifier) @name) @class
    (object_declaration name: (identifier) @name) @object
    (function_declaration name: (identifier) @name) @function
    (type_alias type: (identifier) @name) @type
    (source_file (property_declaration (variable_declaration (identifier) @name)) @constant)
    """,
    ),
)

_SC_MODIFIERS = (
    r"(?:(?:private|protected|override|final|sealed|abstract|implicit|lazy|case|inline|transparent|opaque|open|given|"
    r"infix)(?:\[[\w.]+\])?[ \t]+|@[\w.]+(?:\([^()\n]*\))?[ \t]+)*+"
)

SCALA = _jvm(
    "scala",
    suffixes="scala sc sbt",
    programs="scala",
    imports=(r"\n[ \t]*import[ \t]+(?P<module>[\w`]+(?:\.[\w`]+)*(?:\.\*|\.\{[^}]*\})?)",),
    patterns=Patterns(
        (
            *by_keyword("class trait", _SC_MODIFIERS),
            ("object", _SC_MODIFIERS + r"(?:package[ \t]+)?object[ \t]+NAME"),
            ("enum", _SC_MODIFIERS + r"enum[ \t]+NAME"),
            ("function", _SC_MODIFIERS + r"def[ \t]+NAME"),
            ("type", _SC_MODIFIERS + r"type[ \t]+NAME"),
            ("constant", r"(?:TOP|(?<=\n[ \t]{2}))" + _SC_MODIFIERS + r"va[lr][ \t]+NAME[ \t]*[:=]"),
        ),
        name=r"(?:[A-Za-z_$][\w$]*|`[^`\n]+`|[+\-*/<>=!~%&|^:?@#\\]+)",
        ends="layout",
        guard=r"(?=[a-z@])",
    ),
    grammar=Grammar(
        "tree_sitter_scala",
        """
    (class_definition name: (_) @name) @class
    (trait_definition name: (_) @name) @trait
    (object_definition name: (_) @name) @object
    (package_object name: (_) @name) @object
    (enum_definition name: (_) @name) @enum
    (function_definition name: (_) @name) @function
    (function_declaration name: (_) @name) @function
    (type_definition name: (_) @name) @type
    (compilation_unit (val_definition pattern: (identifier) @name) @constant)
    (template_body (val_definition pattern: (identifier) @name) @constant)
    """,
    ),
)

GROOVY = _jvm(
    "groovy",
    suffixes="groovy gradle gvy",
    files="jenkinsfile",
    programs="groovy",
    patterns=Patterns(
        (
            ("class", _JVM_MODIFIERS + r"class[ \t]+NAME"),
            ("interface", _JVM_MODIFIERS + r"@?interface[ \t]+NAME"),
            *by_keyword("trait enum", _JVM_MODIFIERS),
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
    ),
    grammar=Grammar(
        "tree_sitter_groovy",
        """
    (class_declaration name: (identifier) @name) @class
    (interface_declaration name: (identifier) @name) @interface
    (enum_declaration name: (identifier) @name) @enum
    (method_declaration name: (identifier) @name) @method
    (constructor_declaration name: (identifier) @name) @method
    """,
    ),
)

JVM_LANGUAGES = (JAVA, KOTLIN, SCALA, GROOVY)
