"""The languages of the JVM (Java, Kotlin, Scala, Groovy) and of .NET (C#, PowerShell, F#, Visual Basic, Razor)."""

from __future__ import annotations

from functools import partial

from ctxpack.model import Import
from ctxpack.parse.languages.modules import PathIndex, Repository, dotted_folders, files_of_folder
from ctxpack.parse.languages.record import C_NAME, CAMEL, TYPE, Grammar, Language, Patterns, by_keyword, hashed

_JVM_MODIFIERS = (
    r"(?>(?:(?:public|private|protected|static|final|abstract|native|synchronized|default|strictfp|sealed|non-sealed|"
    r"transient|volatile|@(?!interface\b)\w+(?:\([^()\n]*\))?)[ \t]+)*)"
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
    outer = module.rpartition(".")[0]
    found = _files_of_class(module, path, index) or _files_of_class(outer, path, index)
    while not found and outer.rpartition(".")[2][:1].isupper():  # of a class in a class
        outer = outer.rpartition(".")[0]
        found = _files_of_class(outer, path, index)
    return found


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
                r"(?:public[ \t]+|private[ \t]+|protected[ \t]+)?static[ \t]+final[ \t]+" + TYPE + r"NAME[ \t]*[=;]",
            ),
            ("field", r"(?=(?:public|private|protected|static)\b)" + _JVM_MODIFIERS + TYPE + r"NAME[ \t]*=(?!=)"),
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
    (field_declaration (modifiers ["public" "private" "protected" "static"])
        declarator: (variable_declarator name: (identifier) @name value: (_))) @field
    """,
    ),
)

_APEX_MODIFIERS = (
    r"(?>(?:(?:public|private|protected|global|static|override|virtual|abstract|with|without|inherited|sharing|"
    r"@\w+(?:\([^()\n]*\))?)[ \t]+)*)"
)

APEX = _jvm(
    "apex",
    suffixes="cls trigger",
    patterns=Patterns(
        (
            *by_keyword("class interface enum trigger", _APEX_MODIFIERS),
            ("method", _APEX_MODIFIERS + TYPE + r"NAME[ \t]*ARGS\s*\{"),
        ),
        name=C_NAME,
        guard=r"(?=[A-Za-z_@])",
    ),
)
PROCESSING = _jvm("processing", suffixes="pde", patterns=JAVA.patterns)

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
            (
                "field",
                _KT_MODIFIERS + r"va[lr][ \t]+NAME(?=[^=\n]*(?:(?:=|\bby\b)[^\n]*(?<!,)\r?\n|\n[ \t]+get\())",
            ),
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
    (class_body
        (property_declaration (variable_declaration (identifier) @name) [(getter) (property_delegate) "="]) @field)
    """,
    ),
)

_SC_MODIFIERS = (
    r"(?>(?:(?:private|protected|override|final|sealed|abstract|implicit|lazy|case|inline|transparent|opaque|open|given|"
    r"infix)(?:\[[\w.]+\])?[ \t]+|@[\w.]+(?:\([^()\n]*\))?[ \t]+)*)"
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
            (
                "constant",
                r"(?:TOP|(?<=\n[ \t]{2})|(?=(?:private|protected|override|final|implicit|lazy)\b))"
                + _SC_MODIFIERS
                + r"va[lr][ \t]+NAME[ \t]*[:=]",
            ),
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
    (compilation_unit (var_definition pattern: (identifier) @name) @constant)
    (template_body (val_definition pattern: (identifier) @name) @constant)
    (template_body (var_definition pattern: (identifier) @name) @constant)
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


_CS_MODIFIERS = (
    r"(?>(?:(?:public|private|protected|internal|static|sealed|abstract|virtual|override|async|partial|readonly|extern|"
    r"unsafe|new|ref|file|required)[ \t]+)*)"
)


def _resolve_csharp(item: Import, _path: str, repository: Repository) -> list[str]:
    parts = item.module.split(".")
    is_library = parts[0] in ("System", "Microsoft")  # most are not of here; else also below the name of a company
    below = () if is_library else dotted_folders(parts[1:])[: len(parts) - 2]
    names = (*dotted_folders(parts)[is_library:], *below)
    return next(filter(None, (files_of_folder(name, repository.index, (".cs",)) for name in names)), [])


CSHARP = Language(
    "csharp",
    suffixes="cs csx",
    aliases="c# c-sharp c_sharp",
    test_names=(CAMEL,),
    imports=(r"\n[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?(?P<module>[\w.]+)[ \t]*;",),
    resolve=_resolve_csharp,
    patterns=Patterns(
        (
            ("namespace", r"namespace[ \t]+NAME"),
            ("class", _CS_MODIFIERS + r"(?:class|record(?:[ \t]+(?:class|struct))?)[ \t]+NAME"),
            *by_keyword("struct interface enum", _CS_MODIFIERS),
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
            (
                "method",
                r"(?!return\b|throw\b|await\b|else\b|yield\b|var\b)" + _CS_MODIFIERS + TYPE + r"NAME[ \t]*ARGS[ \t]*;",
            ),
            ("method", _CS_MODIFIERS + TYPE + r"NAME\s*(?:\{\s*(?:get|set|init)\b|=>)"),
            (
                "field",
                r"(?=(?:public|private|protected|internal|static|readonly)\b)"
                + _CS_MODIFIERS
                + TYPE
                + r"NAME[ \t]*=(?![=>])",
            ),
        ),
        name=C_NAME + r"(?:\.\w+)*",
        above=("//", "/*", "*", "["),
        guard=r"(?=[A-Za-z_])",
    ),
    grammar=Grammar(
        "tree_sitter_c_sharp",
        """
    (namespace_declaration name: (_) @name) @namespace
    (file_scoped_namespace_declaration name: (_) @name) @namespace
    (class_declaration name: (identifier) @name) @class
    (record_declaration name: (identifier) @name) @class
    (struct_declaration name: (identifier) @name) @struct
    (interface_declaration name: (identifier) @name) @interface
    (enum_declaration name: (identifier) @name) @enum
    (delegate_declaration name: (identifier) @name) @type
    (method_declaration name: (identifier) @name) @method
    (constructor_declaration name: (identifier) @name) @method
    (local_function_statement name: (identifier) @name) @function
    (property_declaration name: (identifier) @name) @method
    (field_declaration (modifier "const") (variable_declaration
        (variable_declarator name: (identifier) @name))) @constant
    (field_declaration (modifier ["public" "private" "protected" "internal" "static" "readonly"]) (variable_declaration
        (variable_declarator name: (identifier) @name "="))) @field
    """,
    ),
)

POWERSHELL = hashed(
    "powershell",
    suffixes="ps1 psm1 psd1",
    programs="pwsh",
    patterns=Patterns(
        (
            ("function", r"(?:function|filter|workflow)[ \t]+(?:\w+:)?NAME"),
            *by_keyword("class enum"),
            ("method", r"(?:(?:static|hidden)[ \t]+)*\[[\w.\[\]]+\][ \t]*NAME[ \t]*ARGS\s*\{"),
        ),
        above=("#", "<#"),
        name=r"[A-Za-z_][\w-]*",
        guard=r"(?=[fwcesh\[])",
        ignore_case=True,
    ),
    grammar=Grammar(
        "tree_sitter_powershell",
        """
    (function_statement (function_name) @name) @function
    (class_statement (simple_name) @name) @class
    (enum_statement (simple_name) @name) @enum
    (class_method_definition (simple_name) @name) @method
    """,
    ),
)

_FS_ACCESS = r"(?>(?:(?:rec|inline|mutable|private|internal|public)[ \t]+)*)"

FSHARP = Language(
    "fsharp",
    suffixes="fs fsi fsx",
    aliases="f#",
    test_names=(CAMEL,),
    strings=('"""',),
    patterns=Patterns(
        (
            ("module", r"module[ \t]+" + _FS_ACCESS + r"NAME"),
            ("type", r"(?:type|and)[ \t]+" + _FS_ACCESS + r"(?=[A-Z])NAME"),
            ("function", r"TOP(?:let|and)[ \t]+" + _FS_ACCESS + r"NAME"),
            ("constant", r"(?<=\n    )let[ \t]+" + _FS_ACCESS + r"NAME"),  # of a module: those of a function are local
            (
                "method",
                r"(?>(?:(?:static|abstract)[ \t]+)*)(?:member|override|default|abstract)[ \t]+"
                + _FS_ACCESS
                + r"(?:\w+\.)?NAME",
            ),
        ),
        ends="indent",
        above=("//", "[<", "(*"),
        name=r"(?:[A-Za-z_][\w.']*|``[^`\n]+``|\([^()\w\s]+\))",
        guard=r"(?=[mtlasod])",
    ),
)

_VB_MODIFIERS = (
    r"(?>(?:(?:Public|Private|Protected|Friend|Shared|Static|Overridable|Overrides|Overloads|MustOverride|MustInherit|"
    r"NotInheritable|NotOverridable|Partial|Shadows|Default|ReadOnly|WriteOnly|Async|Iterator)[ \t]+)*)"
)

VB = Language(
    "vb",
    suffixes="vb vbs bas",
    comments=("'",),
    strings=(),
    test_names=(CAMEL,),
    patterns=Patterns(
        (
            *by_keyword("class module structure interface enum", _VB_MODIFIERS),
            ("function", _VB_MODIFIERS + r"(?:Sub|Function|Property(?:[ \t]+(?:Get|Let|Set))?)[ \t]+NAME"),
            ("constant", _VB_MODIFIERS + r"Const[ \t]+NAME"),
        ),
        ends="word",
        above=("'", "<"),
        guard=r"(?=[a-z])",
        closer=r"End[ \t]+(?:Class|Module|Structure|Interface|Enum|Sub|Function|Property)\b",
        inline=r"\bMustOverride\b",
        ignore_case=True,
    ),
)
RAZOR = Language("razor", suffixes="cshtml razor")
