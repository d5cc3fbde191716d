"""Language names: the one word that the tables of this stage use for each language, and for its relatives."""

from __future__ import annotations

from collections.abc import Mapping

ALIASES: Mapping[str, str] = {
    "bsl": "bsl",
    "1c": "bsl",
    "onescript": "bsl",
    "os": "bsl",
    "c#": "csharp",
    "c-sharp": "csharp",
    "c_sharp": "csharp",
    "c++": "cpp",
    "cc": "cpp",
    "cuda": "cpp",
    "hpp": "cpp",
    "shell": "bash",
    "sh": "bash",
    "zsh": "bash",
    "ksh": "bash",
    "javascriptreact": "javascript",
    "jsx": "javascript",
    "js": "javascript",
    "typescriptreact": "tsx",
    "ts": "typescript",
    "py": "python",
    "cython": "python",
    "starlark": "python",
    "md": "markdown",
    "mdx": "markdown",
    "rst": "restructuredtext",
    "restructured-text": "restructuredtext",
    "adoc": "asciidoc",
    "objc": "objectivec",
    "objective-c": "objectivec",
    "terraform": "hcl",
    "tf": "hcl",
    "proto": "protobuf",
    "makefile": "make",
    "scss": "css",
    "less": "css",
    "sass": "css",
    "golang": "go",
    "rb": "ruby",
    "rs": "rust",
    "kt": "kotlin",
    "hs": "haskell",
    "ex": "elixir",
    "pl": "perl",
    "ps1": "powershell",
    "plsql": "sql",
}


def canonical(language: str) -> str:
    """Return the name under which the tables know ``language`` (itself when it has no other)."""
    lowered = language.lower()
    return ALIASES.get(lowered, lowered)
