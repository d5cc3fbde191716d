"""How each language finds the file behind an import: one function a family, one row a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ctxpack.model import Import
from ctxpack.parse.path_index import PathIndex, joined, shared_folders
from ctxpack.parse.rust_modules import resolve_rust


@dataclass(frozen=True, slots=True)
class Repository:
    """What resolvers look things up in."""

    index: PathIndex
    modules: Mapping[str, str]


Resolver = Callable[[Import, str, Repository], Iterable[str]]

_JS_ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".vue", ".svelte", ".json")
_JS_INDEXES = ("/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.mjs")
_BUILT = re.compile(r"\.[cm]?jsx?$")
_LARGEST_FOLDER = 30  # files; importing a larger package by its name says little about any one of them
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _python(item: Import, path: str, repository: Repository) -> list[str]:
    if not item.module.startswith("."):
        return _python_module(item.module, item.names, repository.modules)
    bare = item.module.lstrip(".")
    folder = _folder(path)
    for _ in range(len(item.module) - len(bare) - 1):
        folder = _folder(folder)
    base = "/".join(part for part in (folder, bare.replace(".", "/")) if part)
    return _python_file(base, item.names, repository.index)


def _python_module(module: str, names: tuple[str, ...], modules: Mapping[str, str]) -> list[str]:
    found = [modules[f"{module}.{name}"] for name in names if f"{module}.{name}" in modules]
    if names and len(found) == len(names):
        return found
    while module and module not in modules:
        if names:
            return found
        module = module.rpartition(".")[0]
    return [*found, modules[module]] if module else found


def _python_file(base: str, names: tuple[str, ...], index: PathIndex) -> list[str]:
    found = [
        hit for name in names if (hit := index.first((f"{base}/{name}.py", f"{base}/{name}/__init__.py", f"{name}.py")))
    ]
    if names and len(found) == len(names):
        return found
    whole = index.first((f"{base}.py", f"{base}/__init__.py"))
    return [*found, whole] if whole else found


def _script(item: Import, path: str, repository: Repository) -> list[str]:
    module = item.module
    if module.startswith("."):
        base = joined(_folder(path), module)
    elif module.startswith(("@/", "~/")):
        return _script_by_suffix(module[2:], path, repository.index)
    elif "/" in module and not module.startswith("@"):
        return _script_by_suffix(module, path, repository.index)
    else:
        return []
    return _present(repository.index.first(_script_candidates(base)))


def _script_candidates(base: str) -> list[str]:
    bare = _BUILT.sub("", base)
    stems = [base] if bare == base else [base, bare]
    folder = base if base not in ("", ".") else ""
    indexes = [f"{folder}{ending}".lstrip("/") for ending in _JS_INDEXES]
    return [base, *(f"{stem}{ending}" for stem in stems for ending in _JS_ENDINGS), *indexes]


def _script_by_suffix(module: str, path: str, index: PathIndex) -> list[str]:
    for candidate in _script_candidates(module):
        if candidate.rpartition("/")[2] in index.by_name:
            found = index.by_suffix(candidate, path)
            if found:
                return [found]
    return []


def _go(item: Import, _path: str, repository: Repository) -> list[str]:
    parts = item.module.split("/")
    index = repository.index
    foreign = "." not in parts[0]
    for begin in range(1, len(parts)):
        if foreign and begin > 1:
            break
        folder = "/".join(parts[begin:])
        if folder in index.by_folder:
            return [name for name in index.by_folder[folder] if name.endswith(".go") and not name.endswith("_test.go")]
    return []


def _jvm(item: Import, path: str, repository: Repository) -> list[str]:
    module = item.module.replace("`", "")
    index = repository.index
    if module.endswith((".*", "._")):
        module = module[:-2]
        return _jvm_class(module, path, index) or _small_folder(module.replace(".", "/"), index, _JVM_ENDINGS)
    if item.names:
        return [hit for name in item.names for hit in _jvm_class(f"{module}.{name}", path, index)]
    return _jvm_class(module, path, index) or _jvm_class(module.rpartition(".")[0], path, index)


_JVM_ENDINGS = (".java", ".kt", ".scala", ".groovy")


def _jvm_class(module: str, path: str, index: PathIndex) -> list[str]:
    if "." not in module:
        return []
    suffix = module.replace(".", "/")
    return next(([hit] for ending in _JVM_ENDINGS if (hit := index.by_suffix(suffix + ending, path))), [])


def _small_folder(suffix: str, index: PathIndex, endings: tuple[str, ...]) -> list[str]:
    folder = index.folder_by_suffix(suffix)
    found = [path for path in index.by_folder.get(folder, ()) if path.endswith(endings)] if folder else []
    return found if len(found) <= _LARGEST_FOLDER else []


def _include(item: Import, path: str, repository: Repository) -> list[str]:
    relative = joined(_folder(path), item.module)
    if relative in repository.index.known:
        return [relative]
    return _present(repository.index.by_suffix(item.module.removeprefix("./").replace("../", ""), path))


def _ruby(item: Import, path: str, repository: Repository) -> list[str]:
    written = item.module if item.module.endswith(".rb") else f"{item.module}.rb"
    if written.startswith("."):
        return _present(repository.index.first((joined(_folder(path), written),)))
    return _present(repository.index.by_suffix(f"lib/{written}", path) or repository.index.by_suffix(written, path))


def _php(item: Import, path: str, repository: Repository) -> list[str]:
    if item.module.endswith(".php"):
        return _include(Import(item.module.lstrip("/")), path, repository)
    names = [f"{item.module.rstrip(chr(92))}\\{name}" for name in item.names] or [item.module]
    return [hit for name in names for hit in _present(_psr4(name.split("\\"), path, repository.index))]


def _psr4(parts: list[str], path: str, index: PathIndex) -> str:
    """Return the file whose path ends like the namespace, with at least one folder in common."""
    best, longest = "", 1 if len(parts) > 1 else 0
    for candidate in index.by_name.get(f"{parts[-1]}.php", ()):
        folders = candidate.split("/")[:-1]
        common = 0
        for left, right in zip(reversed(folders), reversed(parts[:-1]), strict=False):
            if left != right:
                break
            common += 1
        score = common + 1
        nearer = score == longest and best and shared_folders(candidate, path) > shared_folders(best, path)
        if score > longest or nearer:
            best, longest = candidate, score
    return best


def _csharp(item: Import, _path: str, repository: Repository) -> list[str]:
    index = repository.index
    return _small_folder(item.module.replace(".", "/"), index, (".cs",)) or _small_folder(item.module, index, (".cs",))


def _by_module(endings: tuple[str, ...], separator: str = ".") -> Resolver:
    """Return a resolver for languages whose module ``a.b`` is the file ``a/b`` below some source root."""

    def resolver(item: Import, path: str, repository: Repository) -> list[str]:
        base = item.module.replace(separator, "/")
        hits = (repository.index.by_suffix(base + ending, path) for ending in endings)
        return _present(next((hit for hit in hits if hit), ""))

    return resolver


def _elixir(item: Import, path: str, repository: Repository) -> list[str]:
    base = item.module.rstrip(".")
    modules = [f"{base}.{name}" for name in item.names] or [base]
    found = []
    for module in modules:
        file = "/".join(_CAMEL.sub("_", part).lower() for part in module.split("."))
        found.append(repository.index.by_suffix(f"lib/{file}.ex", path))
    return [hit for hit in found if hit]


def _shell(item: Import, path: str, repository: Repository) -> list[str]:
    """Follow ``source "$HERE/lib/x.sh"``: what stands behind the last variable is the tail of the path."""
    literal = re.split(r"[\"'}]/?|\$\w+/?|\)/?", item.module.strip().strip("\"'"))[-1].strip()
    return _include(Import(literal.lstrip("/")), path, repository) if literal else []


def _beside(item: Import, path: str, repository: Repository) -> list[str]:
    written = item.module.removeprefix("package:")
    relative = joined(_folder(path), written)
    if relative in repository.index.known:
        return [relative]
    tail = written.partition("/")[2] if written != item.module else written
    return _present(repository.index.by_suffix(tail, path)) if "/" in tail or "." in tail else []


def _onescript(item: Import, path: str, repository: Repository) -> list[str]:
    folder = joined(_folder(path), item.module) if item.module.startswith(".") else ""
    found = [name for name in repository.index.paths if folder and name.startswith(f"{folder}/")]
    return [name for name in found if name.endswith((".os", ".bsl"))][:_LARGEST_FOLDER]


def _rust(item: Import, path: str, repository: Repository) -> list[str]:
    return resolve_rust(item, path, repository.index)


def _present(path: str) -> list[str]:
    return [path] if path else []


RESOLVERS: Mapping[str, Resolver] = {
    "bash": _shell,
    "bsl": _onescript,
    "c": _include,
    "cpp": _include,
    "csharp": _csharp,
    "dart": _beside,
    "elixir": _elixir,
    "go": _go,
    "groovy": _jvm,
    "haskell": _by_module((".hs", ".lhs")),
    "java": _jvm,
    "javascript": _script,
    "julia": _beside,
    "kotlin": _jvm,
    "lua": _by_module((".lua", "/init.lua")),
    "objectivec": _include,
    "perl": _by_module((".pm",), "::"),
    "php": _php,
    "protobuf": _include,
    "python": _python,
    "r": _beside,
    "ruby": _ruby,
    "rust": _rust,
    "scala": _jvm,
    "svelte": _script,
    "tsx": _script,
    "typescript": _script,
    "vue": _script,
    "zig": _beside,
}
