"""Grammars: functional languages and HCL."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.grammars.row import TreeRow

_HASKELL = TreeRow(
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
)

_ELIXIR = TreeRow(
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
    """,
    clauses=True,
)

_OCAML = TreeRow(
    "tree_sitter_ocaml",
    """
    (module_definition (module_binding (module_name) @name)) @module
    (module_type_definition (module_type_name) @name) @module
    (compilation_unit (value_definition (let_binding pattern: (value_name) @name)) @function)
    (structure (value_definition (let_binding pattern: (value_name) @name)) @function)
    (type_definition (type_binding name: (type_constructor) @name)) @type
    (class_definition (class_binding name: (class_name) @name)) @class
    (exception_definition (constructor_declaration (constructor_name) @name)) @constant
    (external (value_name) @name) @function
    """,
    "language_ocaml",
)

_HCL = TreeRow(
    "tree_sitter_hcl",
    """
    (block (identifier) @_k (string_lit (template_literal)) (string_lit (template_literal) @name)
        (#match? @_k "^(resource|data)$")) @resource
    (block (identifier) @_k . (string_lit (template_literal) @name) (#eq? @_k "module")) @module
    (block (identifier) @_k . (string_lit (template_literal) @name)
        (#match? @_k "^(variable|output|provider)$")) @variable
    (body (block . (identifier) @name . (block_start)) @block)
    """,
)


FUNCTIONAL: Mapping[str, TreeRow] = {
    "elixir": _ELIXIR,
    "haskell": _HASKELL,
    "hcl": _HCL,
    "ocaml": _OCAML,
}
