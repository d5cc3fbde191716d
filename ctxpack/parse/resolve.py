"""Imports as written -> files of the repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxpack.model import Import
from ctxpack.parse.languages import canonical
from ctxpack.parse.module_names import module_map
from ctxpack.parse.path_index import PathIndex
from ctxpack.parse.resolvers import RESOLVERS, Repository

__all__ = ["module_map", "resolve_imports"]


def resolve_imports(
    parsed_imports: Mapping[str, tuple[Import, ...]], languages: Mapping[str, str], paths: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return file -> the files of the repository it imports, sorted; files that import none are left out.

    ``parsed_imports`` and ``languages`` map paths to what was parsed and to the language; ``paths`` are all files.
    What cannot be found (a library, a generated file) is silently nobody.
    """
    repository = Repository(PathIndex(paths), module_map(paths))
    seen: dict[tuple[str, str, str, tuple[str, ...]], tuple[str, ...]] = {}
    resolved: dict[str, tuple[str, ...]] = {}
    for path in sorted(parsed_imports):
        language = canonical(languages.get(path, ""))
        resolver = RESOLVERS.get(language)
        if resolver is None:
            continue
        folder = path.rpartition("/")[0]
        targets: set[str] = set()
        for item in parsed_imports[path]:
            place = path if language == "rust" else folder
            key = (language, place, item.module, item.names)
            if key not in seen:
                seen[key] = tuple(resolver(item, path, repository))
            targets.update(seen[key])
        targets.discard(path)
        if targets:
            resolved[path] = tuple(sorted(targets))
    return resolved
