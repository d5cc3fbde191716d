"""Shells, Lisps, scripts of editors and games, build files, infrastructure and 1C."""

from __future__ import annotations

import re
from functools import partial

from ctxpack.model import Import
from ctxpack.parse.languages.modules import (
    LARGEST_FOLDER,
    Repository,
    as_list,
    folder_of,
    join_path,
    resolve_include,
)
from ctxpack.parse.languages.record import (
    AFTER,
    BEFORE,
    HASH,
    Grammar,
    Language,
    LanguageRole,
    Patterns,
    by_keyword,
    hashed,
)


def _resolve_bash(item: Import, path: str, repository: Repository) -> list[str]:
    """Follow ``source "$HERE/lib/x.sh"``: the text after the last variable is the end of the path."""
    literal = re.split(r"[\"'}]/?|\$\w+/?|\)/?", item.module.strip().strip("\"'"))[-1].strip()
    return resolve_include(Import(literal.lstrip("/")), path, repository) if literal else []


BASH = hashed(
    "bash",
    suffixes="sh bash zsh ksh bats ebuild zsh-theme",
    files=".bashrc .bash_profile .profile .zshrc .zprofile pkgbuild configure .envrc",
    programs="sh bash zsh dash ksh ash bats",
    aliases="shell",
    test_names=(BEFORE, AFTER, r".+(?=\.bats)", r"t\d{4}-.+"),
    imports=(r"\n[ \t]*(?:source|\.)[ \t]+(?P<module>[^\n;&|#]+)",),
    resolve=_resolve_bash,
    patterns=Patterns(
        (
            ("function", r"function[ \t]+NAME[ \t]*(?:\([ \t]*\))?\s*[{(\r\n]"),
            ("function", r"NAME[ \t]*\([ \t]*\)\s*[{(]"),
            ("constant", r"TOP(?:readonly[ \t]+|export[ \t]+|declare[ \t]+(?:-\w+[ \t]+)?)?(?=[A-Z_])NAME="),
        ),
        above=HASH,
        name=r"[A-Za-z_][\w:.@-]*",
        guard=r"(?=[A-Za-z_])",
    ),
    grammar=Grammar(
        "tree_sitter_bash",
        """
    (function_definition name: (word) @name) @function
    (program (variable_assignment name: (variable_name) @name) @constant)
    (program (declaration_command (variable_assignment name: (variable_name) @name)) @constant)
    """,
    ),
)

FISH = hashed(
    "fish",
    suffixes="fish",
    programs="fish",
    patterns=Patterns(
        (("function", r"function[ \t]+NAME"),),
        ends="word",
        above=HASH,
        name=r"[\w.:-]+",
        guard=r"(?=f)",
        closer=r"end\b",
    ),
)

BATCH = Language(
    "batch",
    suffixes="bat cmd",
    comments=("::", "rem", "REM"),
    strings=(),
    patterns=Patterns(
        (("function", r"TOP:NAME"),),
        ends="word",
        above=("::", "rem", "REM"),
        name=r"[\w.-]+",
        guard=r"(?=:)",
        closer=r"(?!)",
    ),
)

TCL = hashed(
    "tcl",
    suffixes="tcl tk",
    programs="tclsh wish",
    patterns=Patterns(
        (
            ("function", r"proc[ \t]+NAME"),
            ("class", r"oo::class[ \t]+create[ \t]+NAME"),
            ("module", r"namespace[ \t]+eval[ \t]+NAME"),
            ("method", r"method[ \t]+NAME"),
        ),
        above=HASH,
        name=r"[^\s{}\[\]$\";]+",
        guard=r"(?=[pomn])",
    ),
)

VIM = Language(
    "vim",
    suffixes="vim",
    files=".vimrc _vimrc .gvimrc",
    comments=('"',),
    strings=(),
    patterns=Patterns(
        (
            ("function", r"(?:export[ \t]+)?(?:fu|func|function|def)!?[ \t]+NAME[ \t]*\("),
            ("task", r"com(?:mand)?!?[ \t]+(?:-\S+[ \t]+)*NAME"),
            ("variable", r"TOP(?:let|const|var)[ \t]+NAME[ \t]*="),
        ),
        ends="word",
        above=('"',),
        name=r"[\w:.#<>]+",
        guard=r"(?=[efdclv])",
        closer=r"end(?:f\w*|def)\b",
    ),
)

AWK = hashed(
    "awk", "awk", programs="awk gawk", patterns=Patterns((("function", r"func(?:tion)?[ \t]+NAME"),), above=HASH)
)

MAKE = hashed(
    "make",
    suffixes="mk mak make",
    files="makefile gnumakefile kbuild makefile.am makefile.in",
    programs="make",
    aliases="makefile",
    role=LanguageRole.CONFIG,
    patterns=Patterns(
        (
            ("target", r"TOP(?!\.[A-Z])NAME[ \t]*::?(?![=:])"),
            ("function", r"TOPdefine[ \t]+NAME"),
            ("constant", r"TOP(?:export[ \t]+|override[ \t]+)?NAME[ \t]*(?:[:+?!]|::)?="),
        ),
        ends="indent",
        above=HASH,
        name=r"[\w./%$(){}-]++",
        guard=r"(?=[\w./%$-])",
    ),
)

CMAKE = hashed(
    "cmake",
    suffixes="cmake",
    files="cmakelists.txt",
    role=LanguageRole.CONFIG,
    patterns=Patterns(
        (
            ("function", r"function[ \t]*\([ \t]*NAME"),
            ("macro", r"macro[ \t]*\([ \t]*NAME"),
            ("target", r"add_(?:executable|library|custom_target|test)[ \t]*\(\s*NAME"),
            ("constant", r"(?:set|option)[ \t]*\([ \t]*(?=[A-Z])NAME"),
            ("project", r"project[ \t]*\(\s*NAME"),
        ),
        ends="word",
        above=HASH,
        name=r"[\w.${}:-]+",
        guard=r"(?=[fmasop])",
        closer=r"(?:end(?:function|macro)\b|\))",
        ignore_case=True,
    ),
)

MESON = Language(
    "meson",
    suffixes="meson",
    files="meson.build meson_options.txt",
    role=LanguageRole.CONFIG,
    comments=HASH,
    strings=("'''",),
)

DUNE = Language(
    "dune",
    files="dune dune-project dune-workspace dune-file",
    role=LanguageRole.CONFIG,
    comments=(";",),
    strings=(),
    patterns=Patterns(
        (("target", r"TOP\([a-z][\w-]*+\s++\((?:public_)?names?\s++NAME"), ("block", r"TOP\(NAME")),
        ends="form",
        above=(";",),
        name=r"[\w.-]++",
        guard=r"(?=\()",
    ),
)
NINJA = hashed("ninja", suffixes="ninja", role=LanguageRole.CONFIG)
JUST = hashed(
    "just",
    suffixes="just",
    files="justfile .justfile",
    role=LanguageRole.CONFIG,
    patterns=Patterns(
        (
            ("target", r"TOP@?(?!(?:set|alias|export|import|mod)\b)NAME(?:[ \t]+[^:\n]*)?:(?!=)"),
            ("constant", r"TOP(?:export[ \t]+)?NAME[ \t]*:="),
        ),
        ends="indent",
        above=("#", "["),
        name=r"[A-Za-z_][\w-]*",
    ),
)
DOCKERFILE = hashed("dockerfile", files="dockerfile containerfile", role=LanguageRole.CONFIG, holds_values=True)


def _resolve_hcl(item: Import, path: str, repository: Repository) -> list[str]:
    """Find ``source = "./modules/x"``: what the module does, is given and gives."""
    folder = join_path(folder_of(path), item.module)
    names = (f"{folder}/{name}.tf" for name in ("main", "variables", "outputs"))
    return [name for name in names if folder and name in repository.index.known]


HCL = hashed(
    "hcl",
    suffixes="tf hcl tfvars nomad",
    aliases="terraform",
    imports=(r"\n[ \t]*source[ \t]*=[ \t]*\"(?P<module>\.[^\"\n]*)\"",),
    resolve=_resolve_hcl,
    patterns=Patterns(
        (
            ("resource", r'TOP(?:resource|data)[ \t]+"[^"\n]*"[ \t]+"NAME"'),
            ("module", r'TOPmodule[ \t]+"NAME"'),
            ("variable", r'TOP(?:variable|output|provider|backend)[ \t]+"NAME"'),
            ("block", r"TOPNAME(?:[ \t]+\"[^\"\n]*\")*[ \t]*\{"),
        ),
        above=("#", "//", "/*", "*"),
        name=r"[\w-]+",
        guard=r"(?=[a-z])",
    ),
    grammar=Grammar(
        "tree_sitter_hcl",
        """
    (block (identifier) @_k (string_lit (template_literal)) (string_lit (template_literal) @name)
        (#match? @_k "^(resource|data)$")) @resource
    (block (identifier) @_k . (string_lit (template_literal) @name) (#eq? @_k "module")) @module
    (block (identifier) @_k . (string_lit (template_literal) @name)
        (#match? @_k "^(variable|output|provider)$")) @variable
    (body (block . (identifier) @name . (block_start)) @block)
    """,
    ),
)


def _resolve_puppet(item: Import, path: str, repository: Repository) -> list[str]:
    """Find ``site::vhost`` in ``manifests/vhost.pp``, and ``epp('site/vhost.conf.epp')`` in ``templates``."""
    if "/" in item.module:
        return as_list(repository.index.by_suffix(f"templates/{item.module.partition('/')[2]}", path))
    rest = item.module.removeprefix("::").split("::")[1:]
    return as_list(repository.index.by_suffix(f"manifests/{'/'.join(rest) or 'init'}.pp", path))


PUPPET = hashed(
    "puppet",
    suffixes="pp epp",
    imports=(
        r"\n[ \t]*(?:include|require|contain)[ \t]+['\"]?(?P<module>[a-z:][\w:]*)",
        r"\b(?:class[ \t]*\{[ \t]*|inherits[ \t]+)['\"]?(?P<module>[a-z:][\w:]*)",
        r"\b(?:epp|template)\([ \t]*['\"](?P<module>[\w./-]+)",
        r"\n[ \t]*(?P<module>[a-z]\w*(?:::\w+)+)[ \t]*\{",
    ),
    resolve=_resolve_puppet,
    patterns=Patterns(
        (
            *by_keyword("class function plan"),
            ("class", r"define[ \t]+NAME"),
            ("type", r"type[ \t]+NAME[ \t]*="),
            ("block", r"node[ \t]+['\"]?NAME"),
        ),
        above=HASH,
        name=r"[\w:.-]+",
        guard=r"(?=[cdfptn])",
    ),
)

BICEP = Language("bicep", suffixes="bicep", role=LanguageRole.CONFIG, strings=("'''",))
NIX = Language("nix", suffixes="nix", role=LanguageRole.CONFIG, comments=("#", "/*"), strings=())


def _resolve_bsl(item: Import, path: str, repository: Repository) -> list[str]:
    folder = join_path(folder_of(path), item.module) if item.module.startswith(".") else ""
    found = [name for name in repository.index.paths if folder and name.startswith(f"{folder}/")]
    return [name for name in found if name.endswith((".os", ".bsl"))][:LARGEST_FOLDER]


BSL = Language(
    "bsl",
    suffixes="bsl os",
    programs="oscript",
    aliases="1c onescript",
    strings=(),
    imports=(r"\n[ \t]*#(?:Использовать|Use)[ \t]+\"?(?P<module>[^\"\s]+)",),
    resolve=_resolve_bsl,
    patterns=Patterns(
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
    ),
)

GDSCRIPT = hashed(
    "gdscript",
    "gd",
    test_names=(BEFORE, AFTER),
    strings=('"""',),
    imports=(r"\bp?re?load\([\"']res://(?P<module>[^\"'\n]+)",),
    resolve=resolve_include,
    patterns=Patterns(
        (
            ("class", r"(?:class_name|class)[ \t]+NAME"),
            ("function", r"(?:static[ \t]+)?func[ \t]+NAME"),
            ("enum", r"enum[ \t]+NAME"),
            (
                "constant",
                (
                    r"TOP(?>(?:@\w+(?:\([^()\n]*\))?[ \t]+|(?:export(?:\([^()\n]*\))?|onready|static)[ \t]+)*)"
                    r"(?:var|const|signal)[ \t]+NAME"
                ),
            ),
        ),
        ends="indent",
        above=("#", "@"),
        guard=r"(?=[a-z@])",
    ),
)

_LISP = Patterns(
    (
        ("class", r"TOP\((?:cl-)?(?:define-)?(?:def)?(?:struct|class|record-type|type|package)\*?[ \t]+\(?NAME"),
        ("block", r"TOP\((?:use-package|leaf|with-eval-after-load)!?[ \t]+['\"]?NAME"),
        ("variable", r"TOP\(def(?:var(?:-local|-keymap)?|custom|const|constant|parameter|face|group)[ \t]+NAME"),
        ("macro", r"TOP\((?:cl-)?(?:def(?:ine-)?macro|define-syntax(?:-\w+)?|defsubst)[ \t]+\(?NAME"),
        ("function", r"TOP\((?:fn|lambda)[ \t]+NAME"),
        (
            "function",
            (
                r"TOP\((?:[\w:]+-)*def(?:un|method|generic|advice|alias|test|ine(?!-(?:key|values|obsolete|abbrev)))"
                r"[\w/*:!-]*[ \t]+['(]*+NAME"
            ),
        ),
    ),
    ends="form",
    above=(";",),
    name=r"[^\s()\[\]{}\"',;`]+",
    guard=r"(?=\()",
)
_lisp = partial(Language, comments=(";",), strings=(), test_names=(AFTER,), patterns=_LISP)


def _resolve_elisp(item: Import, _path: str, repository: Repository) -> list[str]:
    return found if len(found := repository.index.by_name.get(f"{item.module}.el", [])) == 1 else []


LISPS = (
    _lisp("commonlisp", "lisp lsp cl asd"),
    _lisp("elisp", "el", imports=(r"\(require[ \t]+'(?P<module>[\w-]+)",), resolve=_resolve_elisp),
    _lisp("fennel", "fnl"),
    _lisp("racket", "rkt", imports=(r"\"(?P<module>[\w./-]+\.rkt)\"",), resolve=resolve_include, programs="racket"),
    _lisp("scheme", "scm ss sld", programs="guile"),
)
