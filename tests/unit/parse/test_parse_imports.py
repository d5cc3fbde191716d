"""Imports as written, language by language."""

from __future__ import annotations

import re

import pytest

from ctxpack.model import Import
from ctxpack.parse import outline
from ctxpack.parse.imports import _matches_at, _starts_of
from ctxpack.parse.languages import Language, languages

CASES = [
    (
        "python",
        "import os, a.b as c\nfrom . import x\nfrom ..y import (z as w,\n  q,  # why\n)\n",
        [("a.b", ()), ("os", ()), (".", ("x",)), ("..y", ("z", "q"))],
    ),
    (
        "javascript",
        "import d, { a as b } from './x.js';\nexport * from \"./y\";\nimport './z';\nconst q = require('q');\n",
        [("./x.js", ("d", "a")), ("./y", ("*",)), ("./z", ()), ("q", ())],
    ),
    (
        "typescript",
        "import type { T } from '@/t';\nconst l = await import('./lazy');\n",
        [("@/t", ("T",)), ("./lazy", ())],
    ),
    (
        "go",
        'import "fmt"\nimport (\n\t"os"\n\tx "example.com/a/b"\n)\n',
        [("fmt", ()), ("os", ()), ("example.com/a/b", ())],
    ),
    (
        "rust",
        "use crate::a::{b, c::D};\nmod inner;\npub use super::x as y;\n",
        [("crate::a", ("b", "c::D")), ("mod inner", ()), ("super::x", ())],
    ),
    ("java", "import static a.b.C.d;\nimport a.*;\n", [("a.b.C.d", ()), ("a.*", ())]),
    ("scala", "import a.b.{C, D => E}\n", [("a.b", ("C", "D"))]),
    ("kotlin", "import a.b.C as D\n", [("a.b.C", ())]),
    ("c", '#include <stdio.h>\n# include "x/y.h"\n', [("x/y.h", ())]),
    ("ruby", "require 'json'\nrequire_relative 'a/b'\n", [("json", ()), ("./a/b", ())]),
    (
        "php",
        "<?php\nuse A\\B\\C;\nuse A\\{D, E};\nrequire __DIR__ . '/x.php';\n",
        [("A\\B\\C", ()), ("A\\", ("D", "E")), ("/x.php", ())],
    ),
    ("csharp", "using A.B;\nusing static A.C;\n", [("A.B", ()), ("A.C", ())]),
    ("lua", 'local a = require("a.b")\n', [("a.b", ())]),
    ("haskell", "import qualified Data.Map as M\nimport A.B (c, d)\n", [("Data.Map", ()), ("A.B", ("c", "d"))]),
    ("elixir", "  alias A.{B, C}\n  use D\n", [("A.", ("B", "C")), ("D", ())]),
    ("zig", 'const a = @import("a.zig");\n', [("a.zig", ())]),
    ("swift", "import struct Foundation.URL\n", [("Foundation.URL", ())]),
    ("bash", 'source "$HERE/lib.sh"\n. ./x\n', [('"$HERE/lib.sh"', ()), ("./x", ())]),
    ("bsl", "#Использовать json\n", [("json", ())]),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES, ids=[case[0] for case in CASES])
def test_imports_as_written(language: str, text: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(item.module, item.names) for item in outline(text, language).imports] == expected


def test_a_block_may_be_empty() -> None:
    assert outline('package a\n\nimport ()\nimport "os"\n', "go").imports == (Import("os", (), 4),)


def test_a_module_that_is_imported_by_being_used_counts_where_that_is_first() -> None:
    text = "let a = Store.get\nlet b = Store.put Path.root\n"
    found = outline(text, "ocaml").imports
    assert [(item.line, item.module) for item in found] == [(1, "Store"), (2, "Path")]


def test_imports_know_their_lines() -> None:
    text = 'package a\n\nimport (\n\t"fmt"\n\n\t"os"\n)\n'
    assert [item.line for item in outline(text, "go").imports] == [4, 6]


@pytest.mark.parametrize("language", [each for each in languages() if each.import_words], ids=lambda each: each.name)
def test_imports_are_looked_for_only_where_their_word_is(language: Language) -> None:
    texts = [text.replace("X", word) for word in ("import", "include", "import (a,\n b)") for text in _AROUND]
    for pattern in map(re.compile, language.imports):
        found = 0
        for text in map("\n".__add__, texts):
            starts = _starts_of(text, language.import_words.split())
            whole = [match.span() for match in pattern.finditer(text)]
            assert [match.span() for match in _matches_at(pattern, text, starts)] == whole
            found += len(whole)
        assert found


_AROUND = (
    "from a X b\nX c, d\n  X e\n",
    '#X "a.h"\n # X "b.h"\ncode #X "c.h"\n#X "d.h" #X "e.h"\n\n#X "f.h"',
    "from a cX b; cX c\n\nX a\nX\nX  ",
)


def test_a_line_with_many_words_of_imports_is_looked_at_once() -> None:
    line = "import a;" * 1000
    assert _starts_of(f"\n{line}\nx\n{line}", ["import", "a;"]) == [0, len(line) + 3]
