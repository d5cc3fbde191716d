"""Grammars: scripting languages and shells."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.grammars.row import TreeRow

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
    (program (lexical_declaration (variable_declarator name: (identifier) @name) @constant)
        (#not-match? @constant "^[^=]+=\\\\s*require\\\\s*\\\\("))
    (program (variable_declaration (variable_declarator name: (identifier) @name) @constant)
        (#not-match? @constant "^[^=]+=\\\\s*require\\\\s*\\\\("))
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
    (chunk (variable_declaration (assignment_statement (variable_list . name: (identifier) @name)) @constant)
        (#match? @name "^[A-Z]"))
    """,
    wrappers=frozenset({"variable_declaration"}),
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
    (assignment . (call_expression . (identifier) @name)) @function
    (const_statement (assignment . (identifier) @name)) @constant
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


SCRIPTS: Mapping[str, TreeRow] = {
    "bash": _BASH,
    "javascript": _JAVASCRIPT,
    "julia": _JULIA,
    "lua": _LUA,
    "php": _PHP,
    "powershell": _POWERSHELL,
    "python": _PYTHON,
    "ruby": _RUBY,
    "svelte": _TYPESCRIPT,
    "tsx": _TSX,
    "typescript": _TYPESCRIPT,
    "vue": _TYPESCRIPT,
}
