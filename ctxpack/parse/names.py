"""Names of definitions: their parts, and when a function is a method."""

from __future__ import annotations

import re

METHOD_HOLDERS = frozenset(
    {"class", "struct", "interface", "trait", "object", "impl", "enum", "protocol", "extension", "mixin", "union"}
)
_SEPARATORS = re.compile(r"::|[.:#](?=\w)")
_INDEXED = re.compile(r"\[['\"]([^'\"]*)['\"]\]|(\w+)")
LONGEST_SIGNATURE = 200


def parts_of(name: str, owner: str = "") -> list[str]:
    """Split a written name such as ``Foo::bar``, ``M.foo`` or ``T['a']`` into its parts, with ``owner`` before them."""
    if "['" in name or '["' in name:
        parts = [quoted or word for quoted, word in _INDEXED.findall(name)]
    else:
        parts = [part for part in _SEPARATORS.split(name.replace("`", "")) if part]
    parts = parts or [name]
    return [owner, *parts] if owner else parts


def refined_kind(kind: str, enclosing_kind: str) -> str:
    """Return ``method`` for a function that stands directly in something that holds methods, else ``kind``."""
    return "method" if kind == "function" and enclosing_kind in METHOD_HOLDERS else kind
