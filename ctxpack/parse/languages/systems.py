"""Languages that are compiled: Go, Rust, Swift and Zig; Fortran, MATLAB, Pascal and Ada."""

from __future__ import annotations

from ctxpack.model import Import
from ctxpack.parse.languages.modules import PathIndex, Repository, module_resolver, resolve_relative
from ctxpack.parse.languages.record import AFTER, BEFORE, CAMEL, Grammar, Language, Patterns, by_keyword

_BLOCK = r"\nimport[ \t]*\((?P<block>[^)\n]*+(?>(?:\n(?!import)[^)\n]*+)*))\)"  # one that has no end goes to the next


def _resolve_go(item: Import, _path: str, repository: Repository) -> list[str]:
    parts = item.module.split("/")
    index = repository.index
    foreign = "." not in parts[0]
    for begin in range(1, len(parts)):
        if foreign and begin > 1:
            break
        folder = "/".join(parts[begin:])
        if folder in index.by_folder:
            return [name for name in index.by_folder[folder] if name.endswith(".go") and not name.endswith("_test.go")]
    return []


GO = Language(
    "go",
    suffixes="go",
    aliases="golang",
    test_names=(AFTER,),
    example_names=(r"examples?(?:_\w{1,80})?_test", r"\w{1,80}_examples?_test"),
    imports=(r"\nimport[ \t]+(?:[\w.]+[ \t]+)?\"(?P<module>[^\"\n]+)\"", _BLOCK),
    resolve=_resolve_go,
    patterns=Patterns(
        (
            ("method", r"TOPfunc[ \t]*\((?:\w+[ \t]+)?\*?OWNER(?:\[[^\]\n]*\])?\)[ \t]*NAME"),
            ("function", r"TOPfunc[ \t]+NAME"),
            ("struct", r"(?:type[ \t]+)?NAME(?:\[[^\]\n]*\])?[ \t]+struct[ \t]*\{"),
            ("interface", r"(?:type[ \t]+)?NAME(?:\[[^\]\n]*\])?[ \t]+interface[ \t]*\{"),
            ("type", r"TOPtype[ \t]+NAME"),
            ("constant", r"TOPconst[ \t]+NAME"),
            ("variable", r"TOPvar[ \t]+NAME"),
            ("constant", r"(?<=\n\t)NAME(?:[ \t]++[\w.*\[\]]++)?[ \t]++=(?!=)"),
        ),
        above=("//", "/*", "*", "const (", "var ("),
        guard=r"(?=[A-Za-z_])",
    ),
    grammar=Grammar(
        "tree_sitter_go",
        """
    (function_declaration name: (identifier) @name) @function
    (method_declaration receiver: (parameter_list (parameter_declaration type: [
        (type_identifier) @owner
        (pointer_type (type_identifier) @owner)
        (generic_type type: (type_identifier) @owner)
        (pointer_type (generic_type type: (type_identifier) @owner))]))
        name: (field_identifier) @name) @method
    (type_spec name: (type_identifier) @name type: (struct_type)) @struct
    (type_spec name: (type_identifier) @name type: (interface_type)) @interface
    (type_spec name: (type_identifier) @name) @type
    (type_alias name: (type_identifier) @name) @type
    (source_file (const_declaration . (const_spec name: (identifier) @name)) @constant
        (#not-match? @constant "^const\\\\s*\\\\("))
    (source_file (var_declaration . (var_spec name: (identifier) @name)) @variable)
    (source_file (const_declaration "(" (const_spec name: (identifier) @name value: (_)) @constant))
    (source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name value: (_)) @variable)))
    """,
    ),
)

_RUST_PUB = r"(?:pub(?:\([^)\n]*\))?[ \t]+)?"
_RUST_ROOTS = ("lib.rs", "main.rs", "mod.rs")


def _resolve_rust(item: Import, path: str, repository: Repository) -> list[str]:
    """Return the files that ``mod x;`` or ``use a::b::{c, d}`` in the file ``path`` names."""
    index = repository.index
    if item.module.startswith("mod "):
        return _rust_files(_rust_folder(path), [item.module[4:]], index)
    parts = item.module.split("::")
    base, rest = _rust_base(parts, path, repository)
    if base is None:
        return []
    names = item.names or ("",)
    hits = {hit for name in names for hit in _rust_files(base, [*rest, *name.split("::")], index)}
    return sorted(hits)


def _rust_base(parts: list[str], path: str, repository: Repository) -> tuple[str | None, list[str]]:
    """Return the folder a path begins in, and what is left of it."""
    if parts[0] == "crate":
        return _crate_source(path), parts[1:]
    if parts[0] in ("self", "super"):
        folder = _rust_folder(path)
        rest = parts[1:] if parts[0] == "self" else parts
        while rest and rest[0] == "super":
            folder, rest = folder.rpartition("/")[0], rest[1:]
        return folder, rest
    if (home := repository.package_folder(parts[0], path)) is not None:
        return f"{home}/src".lstrip("/"), parts[1:]
    wanted = parts[0].replace("_", "-")
    for folder in repository.index.folders_by_name.get("src", ()):
        crate = folder.rpartition("/")[0].rpartition("/")[2]
        if crate and crate in (parts[0], wanted):
            return folder, parts[1:]
    return None, []


def _crate_source(path: str) -> str:
    folder = path.rpartition("/")[0]
    parts = folder.split("/")
    for count in range(len(parts), 0, -1):
        if parts[count - 1] == "src":
            return "/".join(parts[:count])
    return folder


def _rust_folder(path: str) -> str:
    folder, _, name = path.rpartition("/")
    if name in _RUST_ROOTS:
        return folder
    stem = name.removesuffix(".rs")
    return f"{folder}/{stem}" if folder else stem


def _rust_files(folder: str, parts: list[str], index: PathIndex) -> list[str]:
    """Return the file of the longest leading part of a module path; what is behind it are items of that file."""
    for count in range(len(parts), 0, -1):
        base = "/".join([*([folder] if folder else []), *(part for part in parts[:count] if part)])
        found = index.first((f"{base}.rs", f"{base}/mod.rs"))
        if found:
            return [found]
    found = index.first((f"{folder}/lib.rs", f"{folder}/mod.rs", f"{folder}.rs"))
    return [found] if found else []


RUST = Language(
    "rust",
    suffixes="rs",
    test_names=(BEFORE, AFTER),
    test_modules="tests test",
    assertions="assert assert_eq assert_ne",
    imports=(
        (
            r"\n[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?use[ \t]+(?:::)?(?P<module>[\w:]+?)(?:::(?P<names>\{[^;]*\}|\*))?"
            r"(?:[ \t]+as[ \t]+\w+)?;"
        ),
        r"\n[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(?P<mod>\w+)[ \t]*;",
    ),
    resolve=_resolve_rust,
    resolves_by_file=True,
    patterns=Patterns(
        (
            (
                "function",
                _RUST_PUB
                + r"(?:default[ \t]+)?(?:const[ \t]+)?(?:async[ \t]+)?(?:unsafe[ \t]+)?"
                + r'(?:extern[ \t]+(?:"[^"\n]*"[ \t]+)?)?fn[ \t]+NAME',
            ),
            *by_keyword("struct enum union", _RUST_PUB),
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
    ),
    grammar=Grammar(
        "tree_sitter_rust",
        """
    (function_item name: (identifier) @name) @function
    (function_signature_item name: (identifier) @name) @function
    (struct_item name: (type_identifier) @name) @struct
    (enum_item name: (type_identifier) @name) @enum
    (union_item name: (type_identifier) @name) @union
    (trait_item name: (type_identifier) @name) @trait
    (impl_item type: [
        (type_identifier) @name
        (generic_type type: (type_identifier) @name)
        (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
        (reference_type type: (type_identifier) @name)
        (scoped_type_identifier name: (type_identifier) @name)]) @impl
    (mod_item name: (identifier) @name body: (_)) @module
    (type_item name: (type_identifier) @name) @type
    (const_item name: (identifier) @name) @constant
    (static_item name: (identifier) @name) @constant
    (macro_definition name: (identifier) @name) @macro
    """,
    ),
)

_SW_MODIFIERS = (
    r"(?:(?:public|private|fileprivate|internal|open|final|static|class|override|mutating|nonmutating|required|"
    r"convenience|indirect|lazy|weak|unowned|nonisolated|isolated|distributed|package|prefix|postfix|infix|dynamic|"
    r"optional|@\w+(?:\([^()\n]*\))?)(?:\(set\))?[ \t]+)*"
)

SWIFT = Language(
    "swift",
    suffixes="swift",
    programs="swift",
    strings=('"""', "'''", "`"),
    test_names=(AFTER, CAMEL),
    imports=(
        (
            r"\n(?:@\w+[ \t]+)*import[ \t]+(?:(?:struct|class|enum|func|protocol|var|let|typealias)[ \t]+)?"
            r"(?P<module>[\w.]+)"
        ),
    ),
    patterns=Patterns(
        (
            ("function", _SW_MODIFIERS + r"func[ \t]+NAME"),
            ("method", _SW_MODIFIERS + r"(?=init\b)NAME[?!]?[ \t]*[<(]"),
            ("class", _SW_MODIFIERS + r"(?:class|actor)[ \t]+NAME"),
            *by_keyword("struct enum protocol", _SW_MODIFIERS),
            ("extension", _SW_MODIFIERS + r"extension[ \t]+(?:\w+\.)*NAME"),
            ("type", _SW_MODIFIERS + r"typealias[ \t]+NAME"),
            ("constant", r"TOP" + _SW_MODIFIERS + r"(?:let|var)[ \t]+NAME"),
            (
                "field",
                _SW_MODIFIERS + r"(?:let|var)[ \t]+NAME(?=[^=\n{]*(?:=|\{(?![ \t]*get\b[^\n]*\})))",
            ),
        ),
        name=r"(?:\w+|`\w+`|[+\-*/<>=!~%&|^?]+)",
        guard=r"(?=[a-z@])",
    ),
    grammar=Grammar(
        "tree_sitter_swift",
        """
    (class_declaration declaration_kind: "struct" name: (_) @name) @struct
    (class_declaration declaration_kind: "enum" name: (_) @name) @enum
    (class_declaration declaration_kind: "extension" name: (_) @name) @extension
    (class_declaration name: (_) @name) @class
    (protocol_declaration name: (_) @name) @protocol
    (function_declaration name: (_) @name) @function
    (protocol_function_declaration name: (_) @name) @function
    (init_declaration name: "init" @name) @method
    (typealias_declaration name: (_) @name) @type
    (source_file (property_declaration name: (pattern (simple_identifier) @name)) @constant)
    (_ body: (_ (property_declaration name: (pattern (simple_identifier) @name)
        [value: (_) computed_value: (_)]) @field))
    """,
    ),
)

_ZIG_PUB = r"(?>(?:(?:pub|export|inline|noinline|extern(?:[ \t]+\"\w+\")?)[ \t]+)*)"
ZIG = Language(
    "zig",
    suffixes="zig zon",
    assertions="expect expectequal expecterror expectequalstrings",
    test_names=(BEFORE,),
    imports=(r"@import\([ \t]*\"(?P<module>[^\"\n]+)\"",),
    resolve=resolve_relative,
    patterns=Patterns(
        (
            ("function", _ZIG_PUB + r"fn[ \t]+NAME"),
            ("struct", _ZIG_PUB + r"const[ \t]+NAME[ \t]*=[ \t]*(?:(?:extern|packed)[ \t]+)?struct\b"),
            ("enum", _ZIG_PUB + r"const[ \t]+NAME[ \t]*=[ \t]*enum\b"),
            ("union", _ZIG_PUB + r"const[ \t]+NAME[ \t]*=[ \t]*(?:(?:extern|packed)[ \t]+)?union\b"),
            ("constant", r"TOP" + _ZIG_PUB + r"(?:const|var)[ \t]+NAME[ \t]*[:=]"),
            ("test", r"TOPtest[ \t]+QUOTED"),
            ("test", r"TOPtest[ \t]+NAME"),
        ),
        above=("//",),
        name=r"(?:\w+|@\"[^\"\n]+\")",
        guard=r"(?=[peicvfnt])",
    ),
    grammar=Grammar(
        "tree_sitter_zig",
        """
    (function_declaration name: (identifier) @name) @function
    (variable_declaration (identifier) @name (struct_declaration)) @struct
    (variable_declaration (identifier) @name (enum_declaration)) @enum
    (variable_declaration (identifier) @name (union_declaration)) @union
    (source_file (variable_declaration . (identifier) @name) @constant)
    (test_declaration (string) @name) @test
    """,
    ),
)


def _resolve_fortran(item: Import, path: str, repository: Repository) -> list[str]:
    """Find ``use Store`` in ``store.f90``: case does not matter in Fortran, and files are mostly in lower case."""
    names = (f"{name}.{ending}" for name in (item.module.lower(), item.module) for ending in ("f90", "F90", "f", "F"))
    return next(([hit] for name in names if (hit := repository.index.by_suffix(name, path))), [])


FORTRAN = Language(
    "fortran",
    "f f77 f90 f95 f03 f08 f18 for ftn",
    comments=("!",),
    strings=(),
    test_names=(BEFORE, AFTER),
    imports=(r"(?i)\n[ \t]*use(?:[ \t]*,[^:\n]*::[ \t]*|[ \t]+(?:::[ \t]*)?)(?P<module>\w+)",),
    resolve=_resolve_fortran,
    patterns=Patterns(
        (
            (
                "module",
                (
                    r"(?:module(?![ \t]+(?:procedure|subroutine|function)\b)|submodule[ \t]*\([^()\n]*\)|program)"
                    r"[ \t]*NAME"
                ),
            ),
            ("interface", r"(?:abstract[ \t]+)?interface[ \t]+NAME"),
            ("struct", r"type(?:[ \t]*,[^:\n]*)?[ \t]*::[ \t]*NAME"),
            ("struct", r"type[ \t]+(?!is\b)NAME[ \t]*(?=[\r\n!])"),
            (
                "function",
                (
                    r"(?>(?:(?:recursive|pure|elemental|impure|module|integer|real|logical|complex|"
                    r"double[ \t]+precision|character|type|class)(?:[ \t]*\([^()\n]*\))?[ \t]+)*)"
                    r"(?:subroutine|function)[ \t]+NAME"
                ),
            ),
        ),
        ends="word",
        above=("!",),
        name=r"[A-Za-z]\w*",
        guard=r"(?=[a-z])",
        closer=r"end[ \t]*(?:module|submodule|program|interface|type|subroutine|function|\r?(?=\n))",
        ignore_case=True,
    ),
)

MATLAB = Language(
    "matlab",
    "mat mlx",
    comments=("%",),
    strings=(),
    patterns=Patterns(
        (
            ("class", r"classdef[ \t]+(?:\([^()\n]*\)[ \t]*)?NAME"),
            ("function", r"function[ \t]+(?:(?:\w+|\[[^\]\n]*\])[ \t]*=[ \t]*)?NAME"),
        ),
        ends="word",
        above=("%",),
        name=r"[A-Za-z][\w.]*",
        guard=r"(?=[cf])",
        closer=r"end\b",
    ),
)

PASCAL = Language(
    "pascal",
    "pas dpr dpk lpr inc",
    aliases="delphi",
    comments=("//", "{", "(*"),
    strings=(),
    imports=(r"(?i)\n[ \t]*uses\s(?P<list>[^;]{1,4000});",),
    resolve=module_resolver((".pas", ".pp")),
    patterns=Patterns(
        (
            ("module", r"TOP(?:unit|program|library|package)[ \t]+NAME[ \t]*;"),
            (
                "class",
                (
                    r"NAME(?:<[^<>\n]*>)?[ \t]*=[ \t]*(?:packed[ \t]+)?(?:class|record|object|interface)\b"
                    r"(?![ \t]*(?:of\b|;))"
                ),
            ),
            ("function", r"TOP(?:class[ \t]+)?(?:procedure|function|constructor|destructor|operator)[ \t]+NAME"),
        ),
        ends="word",
        above=("//", "{", "(*", "["),
        name=r"[A-Za-z_][\w.]*",
        closer=r"end\b",
        ignore_case=True,
    ),
)

ADA = Language(
    "ada",
    "adb ads ada",
    comments=("--",),
    strings=(),
    patterns=Patterns(
        (
            ("package", r"package[ \t]+(?:body[ \t]+)?NAME"),
            ("class", r"(?:task|protected)[ \t]+(?:type[ \t]+|body[ \t]+)?NAME"),
            ("function", r"(?:(?:not[ \t]+)?overriding[ \t]+)?(?:procedure|function|entry)[ \t]+NAME"),
            ("struct", r"(?:type|subtype)[ \t]+NAME"),
        ),
        ends="word",
        above=("--",),
        name=r"[A-Za-z][\w.]*",
        guard=r"(?=[ptofnes])",
        closer=r"end\b",
        inline=r";$",
        ignore_case=True,
    ),
)
