"""Grammars: languages of the large virtual machines."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.grammars.row import TreeRow

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
    (field_declaration (modifiers "static" "final")
        declarator: (variable_declarator name: (identifier) @name)) @constant
    """,
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
    wrappers=frozenset({"method_signature"}),
    body="function_body",
)


MANAGED: Mapping[str, TreeRow] = {
    "csharp": _CSHARP,
    "dart": _DART,
    "groovy": _GROOVY,
    "java": _JAVA,
    "kotlin": _KOTLIN,
    "scala": _SCALA,
}
