"""Grammars: C and its relatives, and the languages that compile like it."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.grammars.row import TreeRow

_GO = TreeRow(
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
    (source_file (const_declaration . (const_spec name: (identifier) @name)) @constant)
    (source_file (var_declaration . (var_spec name: (identifier) @name)) @variable)
    """,
)

_RUST = TreeRow(
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
)

_C_QUERY = """
    (function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
    (function_definition declarator: (pointer_declarator
        declarator: (function_declarator declarator: (identifier) @name))) @function
    (function_definition declarator: (pointer_declarator declarator: (pointer_declarator
        declarator: (function_declarator declarator: (identifier) @name)))) @function
    (preproc_function_def name: (identifier) @name) @macro
    (preproc_def name: (identifier) @name value: (_)) @constant
    (enum_specifier name: (type_identifier) @name body: (_)) @enum
    (union_specifier name: (type_identifier) @name body: (_)) @union
    (type_definition declarator: (type_identifier) @name) @type
    (type_definition declarator: (function_declarator declarator: (parenthesized_declarator
        (pointer_declarator declarator: (type_identifier) @name)))) @type
    (type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
"""

_C_STRUCT = "(struct_specifier name: (type_identifier) @name body: (_)) @struct"
_C = TreeRow("tree_sitter_c", _C_QUERY + _C_STRUCT)
_CPP_FUNCTION_NAMES = (
    "[(field_identifier) (qualified_identifier) (destructor_name) (operator_name) (operator_cast) "
    "(template_function name: (identifier))]"
)

_CPP = TreeRow(
    "tree_sitter_cpp",
    _C_QUERY
    + f"""
    (struct_specifier name: (_) @name body: (_)) @struct
    (class_specifier name: (_) @name body: (_)) @class
    (namespace_definition name: (_) @name) @namespace
    (alias_declaration name: (type_identifier) @name) @type
    (concept_definition name: (identifier) @name) @type
    (function_definition declarator: (function_declarator declarator: {_CPP_FUNCTION_NAMES} @name)) @function
    (function_definition declarator: (operator_cast) @name) @function
    (function_definition declarator: (_
        (function_declarator declarator: {_CPP_FUNCTION_NAMES} @name))) @function
    (function_definition declarator: (_ (function_declarator declarator: (identifier) @name))) @function
    (function_definition declarator: (_ (_ (function_declarator declarator: (_) @name)))) @function
    """,
    wrappers=frozenset({"template_declaration"}),
)

_SWIFT = TreeRow(
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
    """,
)

_ZIG = TreeRow(
    "tree_sitter_zig",
    """
    (function_declaration name: (identifier) @name) @function
    (variable_declaration (identifier) @name (struct_declaration)) @struct
    (variable_declaration (identifier) @name (enum_declaration)) @enum
    (variable_declaration (identifier) @name (union_declaration)) @union
    (source_file (variable_declaration . (identifier) @name) @constant)
    (test_declaration (string) @name) @test
    """,
)

_OBJC = TreeRow(
    "tree_sitter_objc",
    _C_QUERY
    + _C_STRUCT
    + """
    (class_interface . (identifier) @name) @class
    (class_implementation . (identifier) @name) @class
    (protocol_declaration . (identifier) @name) @protocol
    (method_definition (identifier) @name) @method
    (method_declaration (identifier) @name) @method
    """,
)


NATIVE: Mapping[str, TreeRow] = {
    "c": _C,
    "cpp": _CPP,
    "go": _GO,
    "objectivec": _OBJC,
    "rust": _RUST,
    "swift": _SWIFT,
    "zig": _ZIG,
}
