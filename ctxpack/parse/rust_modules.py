"""Rust: the module tree of a crate as files."""

from __future__ import annotations

from ctxpack.model import Import
from ctxpack.parse.path_index import PathIndex

_ROOT_FILES = ("lib.rs", "main.rs", "mod.rs")


def resolve_rust(item: Import, path: str, index: PathIndex) -> list[str]:
    """Return the files that ``mod x;`` or ``use a::b::{c, d}`` in the file ``path`` names."""
    if item.module.startswith("mod "):
        return _longest(_module_folder(path), [item.module[4:]], index)
    parts = item.module.split("::")
    base, rest = _base(parts, path, index)
    if base is None:
        return []
    names = item.names or ("",)
    hits = {hit for name in names for hit in _longest(base, [*rest, *name.split("::")], index)}
    return sorted(hits)


def _base(parts: list[str], path: str, index: PathIndex) -> tuple[str | None, list[str]]:
    """Return the folder a path begins in, and what is left of it."""
    if parts[0] == "crate":
        return _source_folder(path), parts[1:]
    if parts[0] in ("self", "super"):
        folder = _module_folder(path)
        rest = parts[1:] if parts[0] == "self" else parts
        while rest and rest[0] == "super":
            folder, rest = folder.rpartition("/")[0], rest[1:]
        return folder, rest
    crates = index.folders_by_name.get("src", ())
    wanted = parts[0].replace("_", "-")
    for folder in crates:
        crate = folder.rpartition("/")[0].rpartition("/")[2]
        if crate and crate in (parts[0], wanted):
            return folder, parts[1:]
    return None, []


def _source_folder(path: str) -> str:
    folder = path.rpartition("/")[0]
    parts = folder.split("/")
    for count in range(len(parts), 0, -1):
        if parts[count - 1] == "src":
            return "/".join(parts[:count])
    return folder


def _module_folder(path: str) -> str:
    folder, _, name = path.rpartition("/")
    if name in _ROOT_FILES:
        return folder
    stem = name.removesuffix(".rs")
    return f"{folder}/{stem}" if folder else stem


def _longest(folder: str, parts: list[str], index: PathIndex) -> list[str]:
    """Return the file of the longest leading part of a module path; what is behind it are items of that file."""
    for count in range(len(parts), 0, -1):
        base = "/".join([*([folder] if folder else []), *(part for part in parts[:count] if part)])
        found = index.first((f"{base}.rs", f"{base}/mod.rs"))
        if found:
            return [found]
    found = index.first((f"{folder}/lib.rs", f"{folder}/mod.rs", f"{folder}.rs"))
    return [found] if found else []
