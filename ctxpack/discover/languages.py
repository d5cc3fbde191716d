"""Which language a file is in: by its name, then by its suffix, then by the first line of a script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

PROSE = frozenset({"markdown", "restructuredtext", "asciidoc", "text", "org", "textile", "mediawiki", "tex", "man"})

_SUFFIXES_OF = {
    "abap": "abap", "ada": "adb ads ada", "agda": "agda", "apex": "cls trigger", "asciidoc": "adoc asciidoc asc",
    "assembly": "asm s nasm", "astro": "astro", "autohotkey": "ahk", "awk": "awk", "ballerina": "bal",
    "bash": "sh bash zsh ksh bats ebuild", "batch": "bat cmd", "bicep": "bicep", "bsl": "bsl os", "c": "c",
    "cairo": "cairo", "capnp": "capnp", "clojure": "clj cljs cljc edn", "cmake": "cmake", "cobol": "cob cbl cpy",
    "coffeescript": "coffee", "commonlisp": "lisp lsp cl asd", "coq": "coq", "cpp":
    "cpp cc cxx c++ hpp hh hxx h++ ipp inl tcc tpp cppm ixx ino", "crystal": "cr", "csharp": "cs csx", "css": "css",
    "csv": "csv tsv", "cuda": "cu cuh", "cue": "cue", "cython": "pyx pxd pxi", "d": "d di", "dart": "dart",
    "devicetree": "dts dtsi", "dhall": "dhall", "diff": "diff patch", "dot": "dot gv", "elisp": "el",
    "elixir": "ex exs", "elm": "elm", "erlang": "erl hrl escript", "fennel": "fnl", "fish": "fish",
    "forth": "4th fth", "fortran": "f f77 f90 f95 f03 f08 for ftn", "fsharp": "fs fsi fsx", "gdscript": "gd",
    "gettext": "po pot", "gherkin": "feature", "gleam": "gleam", "glsl": "glsl vert frag comp geom", "go": "go",
    "graphql": "graphql gql graphqls", "groovy": "groovy gradle gvy", "hack": "hack", "haml": "haml",
    "handlebars": "hbs handlebars mustache", "haskell": "hs lhs hsc", "haxe": "hx", "hcl": "tf hcl tfvars nomad",
    "hlsl": "hlsl fx", "html": "html htm xhtml jinja jinja2 j2 njk ejs", "idris": "idr", "ini":
    "ini cfg conf properties editorconfig desktop service env", "java": "java", "javascript": "js jsx mjs cjs es6",
    "json": "json jsonc json5 jsonl ndjson geojson webmanifest har ipynb avsc", "jsonnet": "jsonnet libsonnet",
    "julia": "jl", "just": "just", "kotlin": "kt kts", "lean": "lean", "less": "less", "liquid": "liquid",
    "llvm": "ll", "lua": "lua rockspec luau", "make": "mk mak make", "man": "1 2 3 4 5 6 7 8 9",
    "markdown": "md markdown mdx mdown mkd mdc rmd qmd", "matlab": "mat mlx", "mediawiki": "wiki mediawiki",
    "mermaid": "mmd mermaid", "meson": "meson", "move": "move", "nim": "nim nims", "ninja": "ninja", "nix": "nix",
    "objectivec": "m mm", "ocaml": "ml mli mll mly", "odin": "odin", "org": "org", "pascal": "pas pp dpr lpr inc",
    "perl": "pl pm t pod", "php": "php phtml php5 php7 php8", "plantuml": "puml plantuml iuml", "plsql": "pls plb pks",
    "powershell": "ps1 psm1 psd1", "prisma": "prisma", "prolog": "pro prolog", "protobuf": "proto", "pug": "pug jade",
    "puppet": "epp", "purescript": "purs", "python": "py pyi pyw", "qml": "qml", "r": "r", "racket": "rkt",
    "raku": "raku rakumod", "razor": "cshtml razor", "reason": "re rei", "rego": "rego", "rescript": "res resi",
    "restructuredtext": "rst rest", "robot": "robot", "ruby": "rb rake gemspec ru erb podspec jbuilder", "rust": "rs",
    "sass": "sass", "scala": "scala sc sbt", "scheme": "scm ss sld", "scss": "scss", "slim": "slim", "smali": "smali",
    "smithy": "smithy", "solidity": "sol", "sparql": "rq sparql", "sql": "sql ddl dml psql", "starlark": "bzl star",
    "stylus": "styl", "svelte": "svelte", "svg": "svg", "swift": "swift", "systemverilog": "sv svh", "tcl": "tcl tk",
    "tex": "tex sty bib ltx", "text": "txt text log", "textile": "textile", "thrift": "thrift", "toml": "toml",
    "tsx": "tsx", "turtle": "ttl nt", "twig": "twig", "typescript": "ts mts cts", "typst": "typ", "vala": "vala vapi",
    "vb": "vb vbs bas", "verilog": "v vh", "vhdl": "vhd vhdl", "vim": "vim", "vue": "vue", "wgsl": "wgsl", "wit": "wit",
    "xml": "xml xsd xsl xslt wsdl plist csproj fsproj vbproj props targets resx storyboard xib nuspec xaml",
    "yaml": "yaml yml", "yang": "yang", "zig": "zig zon",
}  # fmt: skip
_NAMES_OF = {
    "bash": ".bashrc .bash_profile .profile .zshrc .zprofile pkgbuild configure .envrc",
    "cmake": "cmakelists.txt",
    "dockerfile": "dockerfile containerfile", "gomod": "go.mod go.work go.sum",
    "groovy": "jenkinsfile", "ignore": ".gitignore .gitattributes .dockerignore .npmignore .ignore .ctxpackignore",
    "ini": ".editorconfig .gitconfig .gitmodules .npmrc .flake8 .coveragerc .pylintrc setup.cfg pipfile .env",
    "json": ".babelrc .eslintrc .prettierrc .jshintrc composer.lock pipfile.lock flake.lock",
    "just": "justfile .justfile", "make": "makefile gnumakefile kbuild makefile.am makefile.in",
    "meson": "meson.build meson_options.txt",
    "ruby": "gemfile rakefile podfile vagrantfile brewfile guardfile fastfile capfile dangerfile",
    "starlark": "build build.bazel workspace workspace.bazel module.bazel tiltfile buck",
    "text": "readme license licence copying notice authors contributors changelog changes news history install todo "
    "maintainers codeowners thanks credits version contributing hacking",
    "toml": "cargo.lock poetry.lock uv.lock pdm.lock gopkg.lock",
    "yaml": ".clang-format .clang-tidy .travis.yml pubspec.lock",
}  # fmt: skip
_INTERPRETERS = {
    "sh": "bash", "bash": "bash", "zsh": "bash", "dash": "bash", "ksh": "bash", "ash": "bash", "bats": "bash",
    "python": "python", "pypy": "python", "node": "javascript", "nodejs": "javascript", "bun": "typescript",
    "deno": "typescript", "ts-node": "typescript", "ruby": "ruby", "perl": "perl", "php": "php", "lua": "lua",
    "luajit": "lua", "tclsh": "tcl", "wish": "tcl", "awk": "awk", "gawk": "awk", "rscript": "r", "julia": "julia",
    "elixir": "elixir", "escript": "erlang", "groovy": "groovy", "scala": "scala", "kotlin": "kotlin",
    "swift": "swift", "runhaskell": "haskell", "stack": "haskell", "make": "make", "fish": "fish", "guile": "scheme",
    "racket": "racket", "pwsh": "powershell", "oscript": "bsl", "clojure": "clojure", "bb": "clojure", "osascript": "",
    "raku": "raku", "crystal": "crystal", "nim": "nim", "ocaml": "ocaml", "dart": "dart", "jq": "jq", "uv": "python",
}  # fmt: skip
_SHEBANG = re.compile(rb"#!\s*(?:\S*/)?env\s+(?:-\S+\s+|\w+=\S+\s+)*(?:\S*/)?([\w-]+)|#!\s*(?:\S*/)?([\w-]+)")
_CPP_SUFFIXES = ("cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx")


def _invert(table: Mapping[str, str]) -> dict[str, str]:
    return {key: language for language, keys in table.items() for key in keys.split()}


_BY_SUFFIX = _invert(_SUFFIXES_OF)
_BY_NAME = _invert(_NAMES_OF)
C_HEADER = "h"
CPP_SUFFIXES = frozenset(_CPP_SUFFIXES)


@lru_cache(maxsize=65_536)  # names repeat
def of_name(name: str, *, is_cpp_near: bool = False) -> str:
    """The language that a file's own name tells, or ``""``. A ``.h`` is C++ where C++ stands beside it."""
    lower = name.lower()
    if lower in _BY_NAME:
        return _BY_NAME[lower]
    suffix = lower.rpartition(".")[2]
    if suffix == C_HEADER:
        return "cpp" if is_cpp_near else "c"
    if suffix != lower and suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    stem = lower.partition(".")[0]
    return stem if stem == "dockerfile" else ""


def of_shebang(head: bytes) -> str:
    """The language of a script's ``#!`` line, or ``""``."""
    found = _SHEBANG.match(head)
    if not found:
        return ""
    program = (found[1] or found[2]).decode("ascii", "replace").lower()
    return _INTERPRETERS.get(program) or _INTERPRETERS.get(program.rstrip("0123456789.-"), "")
