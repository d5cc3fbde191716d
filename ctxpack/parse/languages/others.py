"""Functional languages, rarer ones; and languages that are known by little more than their suffixes."""

from __future__ import annotations

import re

from ctxpack.model import Import
from ctxpack.parse.languages.modules import (
    Repository,
    as_list,
    file_of_module,
    folder_of,
    join_path,
    module_resolver,
    reach_of,
    resolve_include,
    shared_folders,
)
from ctxpack.parse.languages.record import (
    AFTER,
    CAMEL,
    DASHES,
    HASH,
    Grammar,
    Language,
    Patterns,
    by_keyword,
    dashed,
    hashed,
)

# their definitions are not searched for
OTHERS = (
    dashed("agda", "agda"),
    Language("autohotkey", "ahk", comments=(";",), strings=()),
    Language("ballerina", "bal"),
    Language("cairo", "cairo"),
    Language("coq", "coq", comments=("(*",), strings=()),
    Language("devicetree", "dts dtsi"),
    dashed("dhall", "dhall"),
    Language("dot", "dot gv"),
    Language("forth", "4th fth"),
    Language("haml", "haml"),
    Language("handlebars", "hbs handlebars mustache"),
    dashed("idris", "idr"),
    hashed("jq", programs="jq"),
    Language("jsonnet", "jsonnet libsonnet"),
    Language("lex", "l lex flex"),
    Language("liquid", "liquid"),
    Language("llvm", "ll", comments=(";",), strings=()),
    Language("m4", "ac m4", comments=("dnl", "#"), strings=()),
    Language("mermaid", "mmd mermaid"),
    dashed("moonscript", "moon"),
    Language("move", "move"),
    Language("plantuml", "puml plantuml iuml"),
    Language("prolog", "pro prolog"),
    Language("pug", "pug jade"),
    hashed("raku", "raku rakumod", programs="raku"),
    Language("reason", "re rei"),
    hashed("rego", "rego"),
    Language("slim", "slim"),
    Language("smali", "smali"),
    hashed("sparql", "rq sparql"),
    Language("stan", "stan"),
    Language("templ", "templ"),
    Language("twig", "twig"),
    Language("typst", "typ"),
)


HASKELL = Language(
    "haskell",
    suffixes="hs lhs hsc",
    programs="runhaskell stack",
    comments=DASHES,
    strings=(),
    test_names=(CAMEL,),
    imports=(
        (
            r"\nimport[ \t]+(?:safe[ \t]+)?(?:qualified[ \t]+)?(?:\"[^\"\n]*\"[ \t]+)?(?P<module>[\w.]+)"
            r"(?:[ \t]+qualified)?(?:[ \t]+as[ \t]+[\w.]+)?(?:[ \t]*\((?P<names>[^)\n]*)\))?"
        ),
    ),
    resolve=module_resolver((".hs", ".lhs", ".purs")),
    patterns=Patterns(
        (
            ("type", r"TOP(?:type|newtype)[ \t]+(?:family[ \t]+|instance[ \t]+)?(?:[^\n=]{1,120}=>[ \t]*)?NAME"),
            ("type", r"TOPdata[ \t]+(?:family[ \t]+|instance[ \t]+)?(?:[^\n=]{1,120}=>[ \t]*)?NAME"),
            ("class", r"TOPclass[ \t]+(?:[^\n=]{1,160}=>[ \t]*)?NAME"),
            ("impl", r"TOPinstance[ \t]+(?:\{-#[^#\n]*#-\}[ \t]*)?(?:[^\n=]{1,160}=>[ \t]*)?NAME"),
            (
                "function",
                (
                    r"TOP(?!(?:module|import|where|infix[lr]?|foreign|deriving|pattern|else|then|in|of|let)\b)"
                    r"NAME[ \t]*(?:,[ \t]*\w+[ \t]*)*(?:\r?\n[ \t]+)?::"
                ),
            ),
            (
                "function",
                (
                    r"TOP(?!(?:module|import|where|infix[lr]?|foreign|deriving|pattern|type|data|class|newtype|instance)\b)"
                    r"(?=[a-z_(])NAME(?=[ \t\r\n])[^=|\n]*+(?:\r?\n[ \t]++)?(?<=[ \t])[=|](?![=>|])"
                ),
            ),
        ),
        ends="indent",
        above=DASHES,
        name=r"(?:[A-Za-z_][\w']*|\([^\s()\w]+\))",
        guard=r"(?=[A-Za-z_(])",
        clauses=True,
    ),
    grammar=Grammar(
        "tree_sitter_haskell",
        """
    (declarations [
        (signature name: (_) @name)
        (function name: (_) @name)
        (bind name: (_) @name)] @function)
    (data_type name: (_) @name) @type
    (newtype name: (_) @name) @type
    (type_synonym name: (_) @name) @type
    (class name: (_) @name) @class
    (instance name: (_) @name) @impl
    """,
        clauses=True,
    ),
)

_CAMEL = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"


def _resolve_elixir(item: Import, path: str, repository: Repository) -> list[str]:
    base = item.module.rstrip(".")
    modules = [f"{base}.{name}" for name in item.names] or [base]
    files = (re.sub(_CAMEL, "_", module).lower().split(".") for module in modules)
    return [hit for parts in files if (hit := file_of_module(parts, path, repository.index))]


# Attributes of an Elixir module that mean something to the compiler or a framework: no constants of the project.
_DIRECTIVES = (
    "doc|moduledoc|typedoc|shortdoc|spec|impl|callback|macrocallback|optional_callbacks|type|typep|opaque|behaviour|"
    "derive|deprecated|since|dialyzer|enforce_keys|tag|moduletag|describetag|compile|external_resource|on_load|"
    "before_compile|after_compile|on_definition|vsn|file|fallback_to_any|protocol|for|attr|slot"
)

ELIXIR = Language(
    "elixir",
    suffixes="ex exs",
    programs="elixir",
    comments=HASH,
    strings=('"""', "'''"),
    test_names=(AFTER,),
    imports=(r"\n[ \t]*(?:alias|import|use|require)[ \t]+(?P<module>[A-Z][\w.]*)(?P<names>\{[^}]*\})?",),
    resolve=_resolve_elixir,
    patterns=Patterns(
        (
            ("module", r"defmodule[ \t]+NAME"),
            ("protocol", r"defprotocol[ \t]+NAME"),
            ("impl", r"defimpl[ \t]+NAME"),
            ("macro", r"defmacrop?[ \t]+NAME"),
            ("function", r"def(?:p|guardp?|delegate|callback|n|np)?[ \t]+NAME"),
            ("function", r"@(?:macro)?callback[ \t]+NAME"),
            ("type", r"@(?:type|typep|opaque)[ \t]+NAME"),
            ("constant", rf"@(?!(?:{_DIRECTIVES})\b)NAME[ \t]+(?![=|])\S"),
        ),
        ends="word",
        above=("#", "@doc", "@spec", "@impl", "@deprecated", "@since", '"""'),
        name=r"(?:unquote\(\w+\)|[A-Za-z_][\w.]*[?!]?|[+\-*/<>=!~&|^.@]+)",
        guard=r"(?=[d@])",
        closer=r"end\b",
        inline=r"(?<![ \t]do)$",
        clauses=True,
    ),
    grammar=Grammar(
        "tree_sitter_elixir",
        """
    (call target: (identifier) @_k (arguments . (alias) @name) (#eq? @_k "defmodule")) @module
    (call target: (identifier) @_k (arguments . (alias) @name) (#eq? @_k "defprotocol")) @protocol
    (call target: (identifier) @_k (arguments . (alias) @name) (#eq? @_k "defimpl")) @impl
    (call target: (identifier) @_k (arguments . [
        (identifier) @name
        (call target: (identifier) @name)
        (binary_operator left: (call target: (identifier) @name))
        (binary_operator left: (identifier) @name)])
        (#match? @_k "^(defmacro|defmacrop)$")) @macro
    (call target: (identifier) @_k (arguments . [
        (identifier) @name
        (call target: (identifier) @name)
        (binary_operator left: (call target: (identifier) @name))
        (binary_operator left: (identifier) @name)])
        (#match? @_k "^(def|defp|defguard|defguardp|defdelegate|defn|defnp)$")) @function
    (unary_operator operator: "@" operand: (call target: (identifier) @_k (arguments (binary_operator left: [
        (call target: (identifier) @name) (binary_operator left: (call target: (identifier) @name))])))
        (#match? @_k "^(macro)?callback$")) @function
    (unary_operator operator: "@" operand: (call target: (identifier) @name (arguments (_)))
        (#not-match? @name "^(DIRECTIVES)$")) @constant
    """.replace("DIRECTIVES", _DIRECTIVES),
        clauses=True,
    ),
)


def _resolve_erlang(item: Import, path: str, repository: Repository) -> list[str]:
    if item.module.endswith(".hrl"):
        return resolve_include(item, path, repository)
    return as_list(repository.index.by_suffix(f"{item.module}.erl", path))


ERLANG = Language(
    "erlang",
    suffixes="erl hrl escript schema",
    files="rebar.config rebar.config.script",
    programs="escript",
    comments=("%",),
    strings=(),
    test_names=(AFTER, ".+_SUITE"),
    imports=(
        r"\n-include(?:_lib)?\([ \t]*\"(?P<module>[^\"\n]+)\"",
        r"\n-(?:behaviou?r|import)\([ \t]*(?P<module>[a-z]\w*)",
        r"\b(?<![@:?'\"])(?P<use>[a-z][\w@]*+):[a-z]\w*+(?:\(|/\d)",
    ),
    resolve=_resolve_erlang,
    patterns=Patterns(
        (
            ("namespace", r"TOP-module\([ \t]*NAME"),
            ("type", r"TOP-(?:type|opaque|nominal|record)[ \t(]+NAME"),
            ("macro", r"TOP-define\(NAME"),
            ("setting", r"TOP\{(?:mapping|translation|validator),\s*QUOTED"),
            ("function", r"TOP-(?:spec|callback)[ \t(]+(?:\w+:)?NAME[ \t]*\("),
            ("function", r"TOPNAME\([^\n]*(?:->|[(,][ \t]*(?=\r?\n)|\)[ \t]*(?=\r?\n[ \t]+when\b)|when\b)"),
        ),
        ends="indent",
        above=("%", "-doc", "-dialyzer"),
        name=r"[a-zA-Z_'][\w@']*",
        guard=r"(?=[a-z'{-])",
        clauses=True,
    ),
)


def _resolve_ocaml(item: Import, path: str, repository: Repository) -> list[str]:
    """Return the file of ``A.B``: that of the first part, a module, or else, within a library, that of the next."""
    index, folder = repository.index, folder_of(path)
    for part in item.module.split("."):
        names = [f"{start}{part[1:]}.{ending}" for ending in ("ml", "mli") for start in (part[0].lower(), part[0])]
        if found := index.first(join_path(folder, name) for name in names):
            return [found]
        for name in names:
            known = [each for each in index.by_name.get(name, ()) if path.startswith(reach_of(folder_of(each)))]
            if known:
                return [max(known, key=lambda each: (shared_folders(each, path), -each.count("/")))]
    return []


OCAML = Language(
    "ocaml",
    suffixes="ml mli mll mly",
    programs="ocaml",
    comments=("(*",),
    strings=(),
    test_names=(AFTER,),
    imports=(
        r"\n[ \t]*(?:open!?|include)[ \t]+(?P<module>[A-Z]\w*(?:\.[A-Z]\w*)*)",
        r"\b(?<![.'`\"])(?P<use>[A-Z]\w*+(?:\.[A-Z]\w*+)?)\.(?=[\w({\[])",
    ),
    resolve=_resolve_ocaml,
    interface="mli",
    patterns=Patterns(
        (
            ("module", r"module[ \t]+(?:rec[ \t]+|type[ \t]+)?NAME"),
            ("class", r"class[ \t]+(?:type[ \t]+|virtual[ \t]+)*(?:\[[^\]\n]*\][ \t]*)?NAME"),
            (
                "type",
                (
                    r"(?:type[ \t]+(?:nonrec[ \t]+)?|and[ \t]+(?=[^\n]*=))(?:\([^()\n]*\)[ \t]*|[+-]?'\w+[ \t]+)?"
                    r"NAME[ \t]*(?:=|(?=\r?\n))"
                ),
            ),
            (
                "function",
                (
                    r"(?:TOP|(?<=\n[ \t]{2}))(?:let(?:%\w+)?|and)[ \t]+(?:rec[ \t]+)?"
                    r"NAME\b(?![^=\n]*=[^\n]*[ \t]in[ \t]*\r?\n)"
                ),
            ),
            ("function", r"(?:val|external)[ \t]+NAME[ \t]*(?::|(?=\r?\n))"),
            ("constant", r"exception[ \t]+NAME"),
        ),
        ends="layout",
        closer=r"end\b",
        above=("(*",),
        below=("(**", "*)"),
        name=r"(?:[A-Za-z_][\w']*|\([ \t]*[^\s()\w]+[ \t]*\))",
        guard=r"(?=[mctalve])",
    ),
    grammar=Grammar(
        "tree_sitter_ocaml",
        """
    (module_definition (module_binding (module_name) @name)) @module
    (module_type_definition (module_type_name) @name) @module
    (compilation_unit (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name) @function))
    (structure (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name) @function))
    (value_specification [(value_name) (parenthesized_operator)] @name) @function
    (type_definition (type_binding name: (type_constructor) @name)) @type
    (class_definition (class_binding name: (class_name) @name)) @class
    (exception_definition (constructor_declaration (constructor_name) @name)) @constant
    (external (value_name) @name) @function
    """,
        "language_ocaml",
    ),
)


def _resolve_clojure(item: Import, path: str, repository: Repository) -> list[str]:
    names = (f"{item.module.replace('-', '_').replace('.', '/')}.{ending}" for ending in ("clj", "cljs", "cljc"))
    return next(([hit] for name in names if (hit := repository.index.by_suffix(name, path))), [])


CLOJURE = Language(
    "clojure",
    suffixes="clj cljs cljc edn",
    programs="clojure bb",
    imports=(r"[\[( ](?P<module>[a-zA-Z][\w-]*(?:\.[\w-]+)+)[ \t]+:(?:as|refer|only|exclude|rename)\b",),
    resolve=_resolve_clojure,
    comments=(";",),
    strings=(),
    test_names=(AFTER,),
    patterns=Patterns(
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
    ),
)

PURESCRIPT = dashed("purescript", "purs", imports=HASKELL.imports, resolve=HASKELL.resolve, patterns=HASKELL.patterns)

ELM = dashed(
    "elm",
    "elm",
    test_names=(AFTER,),
    imports=(r"\nimport[ \t]+(?P<module>[\w.]+)",),
    resolve=module_resolver((".elm",)),
    patterns=Patterns(
        (
            ("type", r"TOPtype[ \t]+(?:alias[ \t]+)?NAME"),
            ("function", r"TOP(?:port[ \t]+)?(?!(?:type|module|import|port|infix)\b)NAME[ \t]*:(?!:)"),
            ("function", r"TOP(?!(?:type|module|import|port|infix)\b)NAME(?=[ \t])[^=\n]*="),
        ),
        ends="indent",
        above=DASHES,
        name=r"[A-Za-z_]\w*",
        clauses=True,
    ),
)

GLEAM = Language(
    "gleam",
    "gleam",
    test_names=(AFTER,),
    patterns=Patterns(
        (("function", r"(?:pub[ \t]+)?fn[ \t]+NAME"), *by_keyword("type const", r"(?:pub[ \t]+)?(?:opaque[ \t]+)?")),
        above=("//", "@"),
        guard=r"(?=[pftco])",
    ),
)

LEAN = dashed(
    "lean",
    "lean",
    patterns=Patterns(
        tuple(
            (
                kind,
                (
                    rf"(?:@\[[^\]\n]*\][ \t]*)?(?>(?:(?:private|protected|noncomputable|partial|unsafe)[ \t]+)*){words}"
                    r"[ \t]+NAME"
                ),
            )
            for kind, words in (
                ("function", "(?:def|theorem|lemma|abbrev|opaque|axiom|instance)"),
                ("type", "(?:structure|inductive|class)"),
                ("module", "namespace"),
            )
        ),
        ends="indent",
        above=("--", "/--", "@["),
        name=r"[^\s:(){}\[\]]+",
    ),
)
