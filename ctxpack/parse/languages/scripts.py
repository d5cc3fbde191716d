"""Python with Cython and Starlark, Ruby, Crystal, PHP, Lua, Perl, R and Julia."""

from __future__ import annotations

from ctxpack.light import replace
from ctxpack.model import Import
from ctxpack.parse.languages.modules import (
    PathIndex,
    Repository,
    as_list,
    folder_of,
    join_path,
    module_resolver,
    resolve_include,
    resolve_relative,
    shared_folders,
)
from ctxpack.parse.languages.record import (
    AFTER,
    BEFORE,
    CAMEL,
    HASH,
    SPEC,
    Grammar,
    Language,
    LanguageRole,
    Patterns,
    by_keyword,
    dashed,
    hashed,
)


def _resolve_ruby(item: Import, path: str, repository: Repository) -> list[str]:
    written = item.module if item.module.endswith(".rb") else f"{item.module}.rb"
    if written.startswith("."):
        return as_list(repository.index.first((join_path(folder_of(path), written),)))
    return as_list(repository.index.by_suffix(f"lib/{written}", path) or repository.index.by_suffix(written, path))


RUBY = hashed(
    "ruby",
    suffixes="rb rake gemspec ru erb podspec jbuilder",
    files="gemfile rakefile podfile vagrantfile brewfile guardfile fastfile capfile dangerfile",
    programs="ruby",
    test_names=(AFTER, SPEC),
    imports=(
        r"\n[ \t]*(?:require(?P<relative>_relative)?|autoload[ \t(]+:\w+,)[ \t(]*+['\"](?P<module>[^'\"\n]+)['\"]",
    ),
    resolve=_resolve_ruby,
    patterns=Patterns(
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
    ),
    grammar=Grammar(
        "tree_sitter_ruby",
        """
    (module name: (_) @name) @module
    (class name: (_) @name) @class
    (method name: (_) @name) @method
    (singleton_method object: (constant) @owner name: (_) @name) @method
    (singleton_method object: (self) name: (_) @name) @method
    (assignment left: (constant) @name) @constant
    """,
    ),
)


CRYSTAL = hashed(
    "crystal",
    "cr",
    programs="crystal",
    test_names=(SPEC,),
    patterns=Patterns(
        (
            ("module", r"(?:module|lib)[ \t]+NAME"),
            ("class", r"(?>(?:(?:abstract|private)[ \t]+)*)(?:class|struct)[ \t]+NAME"),
            ("enum", r"(?:private[ \t]+)?enum[ \t]+NAME"),
            ("function", r"(?:private[ \t]+)?macro[ \t]+NAME"),
            ("method", r"(?>(?:(?:abstract|private|protected)[ \t]+)*)def[ \t]+(?:self\.)?NAME"),
            ("constant", r"(?=[A-Z])NAME[ \t]*=(?![=~>])"),
        ),
        ends="word",
        above=("#", "@["),
        name=r"(?:[A-Za-z_]\w*(?:::\w+)*[?!=]?(?!\w)|\[\]=?|[+\-*/<>=!~%&|^]{1,3})",
        closer=r"end\b",
        inline=r"\bend$|^[ \t]*abstract[ \t]+def\b",
    ),
)


def _resolve_php(item: Import, path: str, repository: Repository) -> list[str]:
    if item.module.endswith(".php"):
        return resolve_include(Import(item.module.lstrip("/")), path, repository)
    if "." in item.module:  # of a template
        return as_list(repository.index.by_suffix(f"views/{item.module.replace('.', '/')}.blade.php", path))
    names = [f"{item.module.rstrip(chr(92))}\\{name}" for name in item.names] or [item.module]
    return [hit for name in names for hit in as_list(_file_of_class(name.split("\\"), path, repository.index))]


def _file_of_class(parts: list[str], path: str, index: PathIndex) -> str:
    """Return the file whose path ends like the namespace, with at least one folder in common."""
    best, longest = "", 1 if len(parts) > 1 else 0
    for candidate in index.by_name.get(f"{parts[-1]}.php", ()):
        folders = candidate.split("/")[:-1]
        common = 0
        for left, right in zip(reversed(folders), reversed(parts[:-1]), strict=False):
            if left != right:
                break
            common += 1
        score = common + 1
        nearer = score == longest and best and shared_folders(candidate, path) > shared_folders(best, path)
        if score > longest or nearer:
            best, longest = candidate, score
    return best


PHP = Language(
    "php",
    suffixes="php phtml php5 php7 php8",
    programs="php",
    test_names=(AFTER, CAMEL),
    imports=(
        r"\n[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?(?P<module>[\w\\]+)(?P<names>\{[^}]*\})?",
        r"(?:require|include)(?:_once)?\b[^'\"\n;]{0,80}['\"](?P<module>[^'\"\n]+)['\"]",
    ),
    resolve=_resolve_php,
    patterns=Patterns(
        (
            (
                "function",
                r"(?>(?:(?:public|private|protected|static|final|abstract)[ \t]+)*)function[ \t]+&?[ \t]*NAME[ \t]*\(",
            ),
            ("class", r"(?>(?:(?:final|abstract|readonly)[ \t]+)*)class[ \t]+NAME"),
            *by_keyword("interface trait"),
            ("enum", r"enum[ \t]+NAME(?=[ \t]*[:{\r\n])"),
            ("constant", r"(?>(?:(?:final|public|private|protected)[ \t]+)*)const[ \t]+(?:\w+[ \t]+)?NAME[ \t]*="),
            (
                "field",
                (
                    r"(?:public|private|protected|var)[ \t]+(?>(?:(?:static|readonly)[ \t]+)*)"
                    r"(?:\??[\w\\|]++[ \t]+)?\$NAME[ \t]*=(?!=)"
                ),
            ),
        ),
        above=("//", "/*", "*", "#"),
        guard=r"(?=[a-zA-Z])",
    ),
    grammar=Grammar(
        "tree_sitter_php",
        """
    (function_definition name: (name) @name) @function
    (method_declaration name: (name) @name) @method
    (class_declaration name: (name) @name) @class
    (interface_declaration name: (name) @name) @interface
    (trait_declaration name: (name) @name) @trait
    (enum_declaration name: (name) @name) @enum
    (const_declaration (const_element . (name) @name)) @constant
    (property_declaration (property_element name: (variable_name (name) @name) default_value: (_))) @field
    """,
        "language_php",
    ),
)

LUA = dashed(
    "lua",
    suffixes="lua rockspec luau",
    programs="lua luajit",
    test_names=(BEFORE, AFTER, SPEC),
    imports=(r"require[ \t]*+(?:\([ \t]*+)?['\"](?P<module>[^'\"\n]+)['\"]",),
    resolve=module_resolver((".lua", "/init.lua")),
    patterns=Patterns(
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
    ),
    grammar=Grammar(
        "tree_sitter_lua",
        """
    (function_declaration name: (_) @name) @function
    (assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition))) @function
    (field name: (identifier) @name value: (function_definition)) @function
    (chunk (variable_declaration (assignment_statement (variable_list . name: (identifier) @name)) @constant)
        (#match? @name "^[A-Z]"))
    """,
        wrappers=frozenset({"variable_declaration"}),
    ),
)

PERL = hashed(
    "perl",
    suffixes="pl pm t psgi",
    files="cpanfile",
    programs="perl",
    test_names=(r".+(?=\.t\b)",),
    has_pages=True,
    imports=(r"\n[ \t]*(?:use|require)[ \t]+(?P<module>[A-Z]\w*(?:::\w+)*)",),
    resolve=module_resolver((".pm",), "::"),
    patterns=Patterns(
        (
            ("module", r"package[ \t]+NAME"),
            ("class", r"class[ \t]+NAME"),
            ("function", r"(?:my[ \t]+|our[ \t]+|async[ \t]+)?(?:sub|method)[ \t]+NAME"),
            ("constant", r"use[ \t]+constant[ \t]+(?:\{[ \t]*)?NAME"),
            ("variable", r"TOPhas[ \t]+['\"]?NAME['\"]?[ \t]*(?:=>|,|;)"),
        ),
        above=("#", "=cut"),
        name=r"[A-Za-z_]\w*(?:(?:::|')\w+)*",
        guard=r"(?=[pcsmouah])",
    ),
)

R = hashed(
    "r",
    suffixes="r",
    programs="rscript",
    imports=(r"\n[ \t]*source\([ \t]*['\"](?P<module>[^'\"\n]+)['\"]",),
    resolve=resolve_relative,
    patterns=Patterns(
        (
            ("function", r"NAME[ \t]*(?:<-|=)[ \t]*(?:function\b|\\\()"),
            ("class", r"setClass\([ \t]*['\"]NAME"),
            ("method", r"set(?:Method|Generic)\([ \t]*['\"]NAME"),
        ),
        above=HASH,
        name=r"[A-Za-z.][\w.]*",
        guard=r"(?=[A-Za-z.])",
    ),
)

JULIA = Language(
    "julia",
    suffixes="jl",
    programs="julia",
    comments=HASH,
    strings=('"""', "'''"),
    test_names=(BEFORE, AFTER, "runtests"),
    imports=(r"\n[ \t]*include\([ \t]*\"(?P<module>[^\"\n]+)\"",),
    resolve=resolve_relative,
    patterns=Patterns(
        (
            ("module", r"(?:bare)?module[ \t]+NAME"),
            ("function", r"(?:@\w+[ \t]+)*function[ \t]+(?:\w+\.)*NAME"),
            ("macro", r"macro[ \t]+NAME"),
            ("struct", r"(?:@\w+[ \t]+)*(?:mutable[ \t]+)?struct[ \t]+NAME"),
            ("type", r"(?:abstract|primitive)[ \t]+type[ \t]+NAME"),
            ("constant", r"TOPconst[ \t]+NAME"),
            (
                "function",
                (
                    r"TOP(?:@\w+[ \t]+)*(?:\w+\.)*NAME(?:\{[^}\n]*\})?ARGS"
                    r"(?:[ \t]+where[ \t][^=\n]*|::[^=\n]*)?[ \t]*=(?!=)"
                ),
            ),
        ),
        ends="word",
        above=("#", '"""', "@"),
        name=r"[^\W\d][\w!]*",
        guard=r"(?=[^\W\d]|@)",
        closer=r"end\b",
        inline=r"\bend$|^[^(]*\(.*\)[^=]*=[^=]",
    ),
    grammar=Grammar(
        "tree_sitter_julia",
        """
    (module_definition name: (identifier) @name) @module
    (function_definition (signature (call_expression . (identifier) @name))) @function
    (function_definition (signature (typed_expression (call_expression . (identifier) @name)))) @function
    (function_definition (signature (where_expression (call_expression . (identifier) @name)))) @function
    (function_definition (signature (call_expression . (field_expression (identifier) @name .)))) @function
    (macro_definition (signature (call_expression . (identifier) @name))) @macro
    (struct_definition (type_head (identifier) @name)) @struct
    (struct_definition (type_head (binary_expression . (identifier) @name))) @struct
    (abstract_definition (type_head (identifier) @name)) @type
    (assignment . (call_expression . (identifier) @name)) @function
    (const_statement (assignment . (identifier) @name)) @constant
    """,
    ),
)


def _resolve_python(item: Import, path: str, repository: Repository) -> list[str]:
    if not item.module.startswith("."):
        return _python_module(item.module, item.names, path, repository)
    bare = item.module.lstrip(".")
    folder = folder_of(path)
    for _ in range(len(item.module) - len(bare) - 1):
        folder = folder_of(folder)
    base = "/".join(part for part in (folder, bare.replace(".", "/")) if part)
    return _python_file(base, item.names, repository.index)


def _python_module(module: str, names: tuple[str, ...], path: str, repository: Repository) -> list[str]:
    found = [hit for name in names if (hit := repository.python_module(f"{module}.{name}", path))]
    if names and len(found) == len(names):
        return found
    whole = repository.python_module(module, path)
    while module and not whole and not names:
        module = module.rpartition(".")[0]
        whole = repository.python_module(module, path)
    return [*found, *as_list(whole)]


def _python_file(base: str, names: tuple[str, ...], index: PathIndex) -> list[str]:
    within = f"{base}/" if base else ""
    found = [hit for name in names if (hit := index.first((f"{within}{name}.py", f"{within}{name}/__init__.py")))]
    if names and len(found) == len(names):
        return found
    return [*found, *as_list(index.first((f"{base}.py", f"{within}__init__.py")))]


PYTHON = Language(
    "python",
    suffixes="py pyi pyw",
    programs="python pypy uv",
    comments=HASH,
    strings=('"""', "'''"),
    test_names=(BEFORE, AFTER, r"conftest|runtests"),
    imports=(
        r"\n[ \t]*from[ \t]+(?P<module>[.\w]+)[ \t]+c?import[ \t]+(?P<names>\([^)]*\)|[^\n]*)",
        r"\n[ \t]*c?import[ \t]+(?P<list>[^\n#;]+)",
    ),
    import_words="import",
    resolve=_resolve_python,
    patterns=Patterns(
        (
            ("function", r"(?:async[ \t]+)?(?:cp?)?def[ \t]+(?:inline[ \t]+)?NAME[ \t]*[(\[]"),
            ("class", r"class[ \t]+NAME[ \t]*[(:\[]"),
            ("constant", r"TOPNAME[ \t]*(?::[^=\n]{1,80})?=(?!=)"),
            ("field", r"(?<=\n[ ]{4})NAME[ \t]*(?::[^=\n]{1,80})?=(?!=)"),
        ),
        ends="indent",
        above=("@", "#"),
        guard=r"(?=[adc]|(?<=\n)[A-Za-z_]|(?<=\n[ ]{4})[A-Za-z_])",
    ),
    grammar=Grammar(
        "tree_sitter_python",
        """
    (function_definition name: (identifier) @name) @function
    (class_definition name: (identifier) @name) @class
    (module (expression_statement (assignment left: (identifier) @name)) @constant)
    (class_definition body: (block
        (expression_statement (assignment left: (identifier) @name right: (_))) @field))
    """,
        wrappers=frozenset({"decorated_definition"}),
    ),
)

VYPER = replace(PYTHON, name="vyper", suffixes="vy", programs="", test_names=())
CYTHON = replace(PYTHON, name="cython", suffixes="pyx pxd pxi", programs="", test_names=())

STARLARK = replace(
    PYTHON,
    name="starlark",
    suffixes="bzl star",
    files="build build.bazel workspace workspace.bazel module.bazel tiltfile buck",
    programs="",
    role=LanguageRole.CONFIG,
    test_names=(),
)
