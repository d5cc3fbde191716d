"""Packages that bring entry points, put where Python finds them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, name: str, code: str, entry_points: Mapping[str, Mapping[str, str]]) -> Path:
    """Write the module ``name`` and the record of a package that brings it into ``folder``; returns the folder.

    ``entry_points`` maps groups to names and targets.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    record = folder / f"{name}-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    lines = [
        line
        for group, names in entry_points.items()
        for line in (f"[{group}]", *(f"{key} = {target}" for key, target in names.items()))
    ]
    (record / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
