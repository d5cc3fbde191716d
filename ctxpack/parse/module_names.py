"""Dotted names of Python modules."""

from __future__ import annotations

from collections.abc import Sequence

_ROOTS = frozenset({"src", "lib", "python", "source"})


def module_map(paths: Sequence[str]) -> dict[str, str]:
    """Return dotted module name -> file for the Python files among ``paths``.

    A module is known by its name below each source root: the repository, a folder such as ``src``, and the folder
    above its outermost package. Of two files with one name the shallower wins.
    """
    python = sorted((path for path in paths if path.endswith((".py", ".pyi", ".pyx"))), key=_rank)
    packages = {path.rpartition("/")[0] for path in python if path.endswith(("__init__.py", "__init__.pyi"))}
    found: dict[str, str] = {}
    for path in python:
        parts = path.rpartition(".")[0].split("/")
        if parts[-1] == "__init__":
            parts.pop()
        for begin in _source_roots(parts, packages):
            if begin < len(parts):
                found.setdefault(".".join(parts[begin:]), path)
    return found


def _rank(path: str) -> tuple[int, int, str]:
    return path.count("/"), not path.endswith(".py"), path


def _source_roots(parts: Sequence[str], packages: set[str]) -> list[int]:
    """Return from which part of the path the dotted name may begin."""
    roots = [0]
    if parts and parts[0] in _ROOTS:
        roots.append(1)
    begin = len(parts) - 1
    while begin > 0 and "/".join(parts[:begin]) in packages:
        begin -= 1
    if begin not in roots:
        roots.append(begin)
    return roots
