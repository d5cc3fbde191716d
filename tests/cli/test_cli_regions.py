"""Marked regions through the command line: each its own name and score, in code as in documents."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.cli.conftest import Ctxpack

Make = Callable[[Mapping[str, str]], Path]

PAGE = (
    "# Memory\n\n<!--TAG:Memory_Retrieval-->\nRetrieval ranks what was stored by its meaning.\n"
    "<!--/TAG:Memory_Retrieval-->\n"
    "<!--TAG:Memory_Eviction-->\nEviction drops the oldest entry of memory; eviction runs at night.\n"
    "<!--/TAG:Memory_Eviction-->\n"
)
CODE = (
    "def other():\n    return 1\n\n\n"
    "# <!--TAG:eviction-->\ndef evict(entries):\n    return entries[1:]\n# <!--/TAG:eviction-->\n\n\n"
    "# <!--TAG:storage-->\ndef store(entries, entry):\n    return [*entries, entry]\n# <!--/TAG:storage-->\n"
)


def pieces(ctxpack: Ctxpack, root: Path, *arguments: str) -> list[dict[str, Any]]:
    outcome = ctxpack(*arguments, "--format", "json", "--min-score", "0", "--root", str(root))
    assert outcome.status == 0, outcome.err
    found: list[dict[str, Any]] = json.loads(outcome.out)["fragments"]
    return found


def test_each_region_has_its_own_name_and_no_mark(ctxpack: Ctxpack, repository: Make) -> None:
    root = repository({"docs/memory.md": PAGE, "README.md": "# House\n\nA house.\n"})
    found = [each for each in pieces(ctxpack, root, "task", "eviction of memory") if each["path"] == "docs/memory.md"]
    assert {each["symbol"]: "Eviction drops" in each["content"] for each in found} == {
        "Memory_Retrieval": False,
        "Memory_Eviction": True,
    }
    assert not any("TAG:" in each["content"] for each in found)


def test_regions_of_code_stand_for_their_file(ctxpack: Ctxpack, repository: Make) -> None:
    root = repository({"memory.py": CODE, "README.md": "# House\n\nA house.\n"})
    found = [each for each in pieces(ctxpack, root, "task", "evict entries") if each["path"] == "memory.py"]
    assert any("eviction" in each["symbol"] and "def evict" in each["content"] for each in found)
    assert not any("TAG:" in each["content"] for each in found if each["symbol"] == "eviction")
