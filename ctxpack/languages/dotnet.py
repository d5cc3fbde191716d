"""The languages of .NET: C#, PowerShell, F#, Visual Basic and Razor."""

from __future__ import annotations

from ctxpack.languages.modules import Repository, files_of_folder
from ctxpack.languages.record import C_NAME, CAMEL, TYPE, Grammar, Language, Patterns, by_keyword, hashed
from ctxpack.model import Import

_CS_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|sealed|abstract|virtual|override|async|partial|readonly|extern|"
    r"unsafe|new|ref|file|required)[ \t]+)*+"
)


def _resolve_csharp(item: Import, _path: str, repository: Repository) -> list[str]:
    index = repository.index
    return files_of_folder(item.module.replace(".", "/"), index, (".cs",)) or files_of_folder(
        item.module, index, (".cs",)
    )


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
            ("method", _CS_MODIFIERS + TYPE + r"NAME\s*(?:\{\s*(?:get|set|init)\b|=>)"),
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

FSHARP = Language("fsharp", suffixes="fs fsi fsx", test_names=(CAMEL,))
VB = Language("vb", suffixes="vb vbs bas", comments=("'",), test_names=(CAMEL,))
RAZOR = Language("razor", suffixes="cshtml razor")

DOTNET_LANGUAGES = (CSHARP, POWERSHELL, FSHARP, VB, RAZOR)
