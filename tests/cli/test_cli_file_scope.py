"""``ctxpack file`` gives the file: whole if it fits, else the function of the cursor, what it calls, the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ctxpack

Make = Callable[[Mapping[str, str]], Path]

FILLER = "".join(
    f'    def extra_{number}(self, value):\n        """Extra {number}."""\n        return value + {number}\n\n'
    for number in range(200)
)
BODY = "".join(f"        total = total + self.scaled(values[{number}])\n" for number in range(150))
MODULE = (
    "from other import rounded\n\n\nclass Sums:\n"
    + FILLER
    + "    def scaled(self, value):\n        return value * 3\n\n"
    + f"    def long_sum(self, values):\n        total = 0\n{BODY}        return rounded(total)\n\n"
    + FILLER.replace("extra", "later")
)
OTHER = "def rounded(value):\n    return round(value)\n"
LOG = "# Changelog\n\n- sums: long_sum is new in the module sums\n" * 40
OVERLOADS = (
    "from typing import overload\n\n\n@overload\ndef parsed(text: str) -> str: ...\n@overload\n"
    "def parsed(text: bytes) -> bytes: ...\n\n\ndef parsed(text):\n    return text.strip()\n"
)
SIGNATURES = (
    "export function parsed(text: string): string;\nexport function parsed(text: number): number;\n"
    "export function parsed(text: any): any {\n  return text;\n}\n"
)


@pytest.fixture
def sums(repository: Make) -> Path:
    return repository({"sums.py": MODULE, "other.py": OTHER, "CHANGES.md": LOG})


def fragments(ctxpack: Ctxpack, root: Path, *arguments: str) -> list[dict[str, Any]]:
    outcome = ctxpack("file", *arguments, "--format", "json", "--root", str(root))
    assert outcome.status == 0, outcome.err
    found: list[dict[str, Any]] = json.loads(outcome.out)["fragments"]
    return found


def test_a_file_that_fits_at_all_is_there_whole(ctxpack: Ctxpack, repository: Make) -> None:
    text = "".join(f"def function_{number}(value):\n    return value + {number}\n\n\n" for number in range(560))
    folders = {f"folder_{number}/part.py": "x = 1\n" for number in range(30)}
    outcome = ctxpack("file", "wide.py", "--root", str(repository({"wide.py": text, **folders})))
    assert f"```python\n{text.rstrip()}\n" in outcome.out


def test_the_function_of_the_cursor_is_whole_with_what_it_calls(ctxpack: Ctxpack, sums: Path) -> None:
    line = 1 + MODULE.split("\n").index("        total = 0") + 60
    found = fragments(ctxpack, sums, "sums.py", "--line", str(line), "-b", "6k")
    whole = next(each for each in found if each["symbol"].endswith("long_sum") or "long_sum" in each["content"])
    assert BODY in whole["content"]
    assert "return rounded(total)" in whole["content"]
    assert any("return value * 3" in each["content"] for each in found)
    assert any(each["path"] == "other.py" and "def rounded" in each["content"] for each in found)
    assert any(each["form"] == "outline" and each["path"] == "sums.py" for each in found)
    assert "CHANGES.md" not in {each["path"] for each in found}


def test_a_long_file_is_shown_by_its_own_code_not_by_what_only_has_its_name(ctxpack: Ctxpack, sums: Path) -> None:
    found = fragments(ctxpack, sums, "sums.py", "-b", "6k")
    assert "CHANGES.md" not in {each["path"] for each in found}
    own = [each for each in found if each["path"] == "sums.py" and each["form"] != "outline"]
    assert any("return value * 3" in each["content"] for each in own)


@pytest.mark.parametrize(
    ("path", "text", "body"),
    [("parse.py", OVERLOADS, "return text.strip()"), ("parse.ts", SIGNATURES, "return text;")],
)
def test_a_symbol_is_the_definition_and_not_its_overload(
    ctxpack: Ctxpack, repository: Make, path: str, text: str, body: str
) -> None:
    root = repository({path: text})
    (piece, *_) = fragments(ctxpack, root, path, "--symbol", "parsed", "--strategies", "selection")
    assert body in piece["content"]
