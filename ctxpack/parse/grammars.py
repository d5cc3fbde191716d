"""Which grammar parses which language, and what counts as a definition in it: one row a language.

A query's captures are symbol kinds; ``@name`` is the identifier, ``@owner`` the type that a free-standing method
belongs to. The first pattern that captures a node wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TreeRow:
    """``module.function()`` gives the grammar. ``wrappers`` are nodes around a definition that belong to it."""

    module: str
    query: str
    function: str = "language"
    wrappers: frozenset[str] = frozenset()
    clauses: bool = False


_PYTHON = TreeRow(
    "tree_sitter_python",
    """
    (function_definition name: (identifier) @name) @function
    (class_definition name: (identifier) @name) @class
    (module (expression_statement (assignment left: (identifier) @name)) @constant)
    """,
    wrappers=frozenset({"decorated_definition"}),
)

_JS_QUERY = """
    (function_declaration name: (identifier) @name) @function
    (generator_function_declaration name: (identifier) @name) @function
    (method_definition name: (_) @name) @method
    (variable_declarator name: (identifier) @name
        value: [(arrow_function) (function_expression) (generator_function)]) @function
    (variable_declarator name: (identifier) @name value: (class)) @class
    (assignment_expression
        left: (member_expression
            object: (member_expression object: (identifier) @owner property: (property_identifier) @_prototype)
            property: (property_identifier) @name)
        right: [(arrow_function) (function_expression)]
        (#eq? @_prototype "prototype")) @function
    (assignment_expression left: (member_expression property: (property_identifier) @name)
        right: [(arrow_function) (function_expression) (generator_function)]) @function
    (assignment_expression left: (identifier) @name right: [(arrow_function) (function_expression)]) @function
    (pair key: [(property_identifier) (string)] @name
        value: [(arrow_function) (function_expression) (generator_function)]) @method
    (program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
    (program (variable_declaration (variable_declarator name: (identifier) @name) @constant))
    (program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
"""
_JS_WRAPPERS = frozenset(
    {"export_statement", "lexical_declaration", "variable_declaration", "expression_statement", "ambient_declaration"}
)
_JAVASCRIPT = TreeRow(
    "tree_sitter_javascript",
    _JS_QUERY
    + """
    (class_declaration name: (identifier) @name) @class
    (field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method
    """,
    wrappers=_JS_WRAPPERS,
)
_TS_QUERY = (
    _JS_QUERY
    + """
    (class_declaration name: (type_identifier) @name) @class
    (abstract_class_declaration name: (type_identifier) @name) @class
    (interface_declaration name: (type_identifier) @name) @interface
    (type_alias_declaration name: (type_identifier) @name) @type
    (enum_declaration name: (identifier) @name) @enum
    (internal_module name: (_) @name) @namespace
    (module name: (_) @name) @namespace
    (public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
    (function_signature name: (identifier) @name) @function
"""
)
_TYPESCRIPT = TreeRow("tree_sitter_typescript", _TS_QUERY, "language_typescript", _JS_WRAPPERS)
_TSX = TreeRow("tree_sitter_typescript", _TS_QUERY, "language_tsx", _JS_WRAPPERS)

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

_JAVA = TreeRow(
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
    (field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name)) @constant
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

_CSHARP = TreeRow(
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
)

_RUBY = TreeRow(
    "tree_sitter_ruby",
    """
    (module name: (_) @name) @module
    (class name: (_) @name) @class
    (method name: (_) @name) @method
    (singleton_method object: (constant) @owner name: (_) @name) @method
    (singleton_method object: (self) name: (_) @name) @method
    (assignment left: (constant) @name) @constant
    """,
)

_PHP = TreeRow(
    "tree_sitter_php",
    """
    (function_definition name: (name) @name) @function
    (method_declaration name: (name) @name) @method
    (class_declaration name: (name) @name) @class
    (interface_declaration name: (name) @name) @interface
    (trait_declaration name: (name) @name) @trait
    (enum_declaration name: (name) @name) @enum
    (const_declaration (const_element . (name) @name)) @constant
    """,
    "language_php",
)

_KOTLIN = TreeRow(
    "tree_sitter_kotlin",
    """
    (class_declaration "interface" name: (identifier) @name) @interface
    (class_declaration name: (identifier) @name) @class
    (object_declaration name: (identifier) @name) @object
    (function_declaration name: (identifier) @name) @function
    (type_alias type: (identifier) @name) @type
    (source_file (property_declaration (variable_declaration (identifier) @name)) @constant)
    """,
)

_SCALA = TreeRow(
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

_BASH = TreeRow(
    "tree_sitter_bash",
    """
    (function_definition name: (word) @name) @function
    (program (variable_assignment name: (variable_name) @name) @constant)
    (program (declaration_command (variable_assignment name: (variable_name) @name)) @constant)
    """,
)

_LUA = TreeRow(
    "tree_sitter_lua",
    """
    (function_declaration name: (_) @name) @function
    (assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition))) @function
    (field name: (identifier) @name value: (function_definition)) @function
    """,
    wrappers=frozenset({"variable_declaration"}),
)

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

_JULIA = TreeRow(
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
    (source_file (assignment . (call_expression . (identifier) @name)) @function)
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

_GROOVY = TreeRow(
    "tree_sitter_groovy",
    """
    (class_declaration name: (identifier) @name) @class
    (interface_declaration name: (identifier) @name) @interface
    (enum_declaration name: (identifier) @name) @enum
    (method_declaration name: (identifier) @name) @method
    (constructor_declaration name: (identifier) @name) @method
    """,
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

_POWERSHELL = TreeRow(
    "tree_sitter_powershell",
    """
    (function_statement (function_name) @name) @function
    (class_statement (simple_name) @name) @class
    (enum_statement (simple_name) @name) @enum
    (class_method_definition (simple_name) @name) @method
    """,
)

_DART = TreeRow(
    "tree_sitter_dart",
    """
    (class_definition name: (identifier) @name) @class
    (mixin_declaration (identifier) @name) @mixin
    (enum_declaration name: (identifier) @name) @enum
    (extension_declaration name: (identifier) @name) @extension
    (function_signature name: (identifier) @name) @function
    (getter_signature name: (identifier) @name) @method
    (setter_signature name: (identifier) @name) @method
    (constructor_signature name: (identifier) @name) @method
    """,
)

TREES: Mapping[str, TreeRow] = {
    "bash": _BASH,
    "c": _C,
    "cpp": _CPP,
    "csharp": _CSHARP,
    "dart": _DART,
    "elixir": _ELIXIR,
    "go": _GO,
    "groovy": _GROOVY,
    "haskell": _HASKELL,
    "hcl": _HCL,
    "java": _JAVA,
    "javascript": _JAVASCRIPT,
    "julia": _JULIA,
    "kotlin": _KOTLIN,
    "lua": _LUA,
    "objectivec": _OBJC,
    "ocaml": _OCAML,
    "php": _PHP,
    "powershell": _POWERSHELL,
    "python": _PYTHON,
    "ruby": _RUBY,
    "rust": _RUST,
    "scala": _SCALA,
    "svelte": _TYPESCRIPT,
    "swift": _SWIFT,
    "tsx": _TSX,
    "typescript": _TYPESCRIPT,
    "vue": _TYPESCRIPT,
    "zig": _ZIG,
}
