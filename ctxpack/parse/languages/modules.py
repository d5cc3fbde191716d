"""How imports find files: the paths of a repository, and the rules that several languages share."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from posixpath import normpath
from typing import TYPE_CHECKING, NamedTuple

from ctxpack.light import lazy_pattern
from ctxpack.model import Import

if TYPE_CHECKING:
    from collections.abc import Callable

    Resolver = Callable[[Import, str, "Repository"], Iterable[str]]

LARGEST_FOLDER = 30  # files; importing a larger package by its name says little about any one of them


class PathIndex:
    """Look-ups over the paths of a repository; all answers are deterministic."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(sorted(paths))

    @cached_property
    def known(self) -> frozenset[str]:
        """All paths."""
        return frozenset(self.paths)

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """File name -> paths, in order."""
        return _group(self.paths, 2)

    @cached_property
    def by_folder(self) -> dict[str, list[str]]:
        """Folder -> the paths directly in it, in order."""
        return _group(self.paths, 0)

    @cached_property
    def folders_by_name(self) -> dict[str, list[str]]:
        """Last part of a folder -> folders, in order."""
        return _group(self.by_folder, 2)

    def first(self, candidates: Iterable[str]) -> str:
        """Return the first of these exact paths that exists, else ``""``."""
        return next((path for path in candidates if path in self.known), "")

    def by_suffix(self, suffix: str, near: str = "") -> str:
        """Return the path that is, or ends with, ``suffix``: of several the nearest to the path ``near``."""
        tail = "/" + suffix
        found = [
            path for path in self.by_name.get(suffix.rpartition("/")[2], ()) if path == suffix or path.endswith(tail)
        ]
        return min(found, key=lambda path: (-shared_folders(path, near), path.count("/"), path), default="")

    def folder_by_suffix(self, suffix: str) -> str:
        """Return the shortest folder that is, or ends with, ``suffix``, else ``""``."""
        tail = "/" + suffix
        names = self.folders_by_name.get(suffix.rpartition("/")[2], ())
        found = [folder for folder in names if folder == suffix or folder.endswith(tail)]
        return min(found, key=lambda folder: (folder.count("/"), folder), default="")


def _group(paths: Iterable[str], part: int) -> dict[str, list[str]]:
    """The paths by a part of ``str.rpartition`` at their last slash: 0 is the folder, 2 the name."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(path.rpartition("/")[part], []).append(path)
    return found


def shared_folders(path: str, other: str) -> int:
    """Return how many leading folders two paths share."""
    count = 0
    for left, right in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count


def join_path(folder: str, relative: str) -> str:
    """Return ``relative`` as seen from ``folder``, normalised; ``""`` when it leaves the repository."""
    path = normpath(f"{folder}/{relative}" if folder else relative)
    return "" if path.startswith(("..", "/")) else path


_DECLARES = lazy_pattern(r"(?:.*/)?(?:(?:package|[tj]sconfig(?:\.\w{1,40})?)\.json|Cargo\.toml)")
_CRATE = lazy_pattern(r"^\[package\][^\n]*+((?>(?:\n(?!\[)[^\n]*+)*))", re.MULTILINE)
_CRATE_NAME = lazy_pattern(r"^name[ \t]*+=[ \t]*+[\"']([\w-]{1,100})[\"']", re.MULTILINE)
_PATHS = lazy_pattern(r"\"paths\"[ \t]*:\s*+\{([^{}]*+)\}")
_ALIAS = lazy_pattern(r"\"([^\"\n]{1,200})\"[ \t]*:\s*+\[\s*+\"([^\"\n]{1,200})\"")
_BASE = lazy_pattern(r"\"baseUrl\"[ \t]*:\s*+\"([^\"\n]{1,200})\"")


def declares_modules(path: str) -> bool:
    """Whether a file may declare names of modules: those of a package or a crate, or other names of folders."""
    return path.endswith((".json", ".toml")) and _DECLARES.fullmatch(path) is not None


def declared_modules(text: str, path: str) -> tuple[Import, ...]:
    """Return the names of modules that a file declares, each with the path from its folder that it stands for.

    These are the ``name`` of a package.json, which stands for the folder, its ``exports`` and ``imports``, the
    ``paths`` of a tsconfig.json or jsconfig.json, in which a ``*`` stands for any rest, and the ``name`` of a crate.
    """
    if not declares_modules(path):
        return ()
    if path.endswith(".toml"):
        crate = _CRATE.search(text)
        name = _CRATE_NAME.search(crate[1]) if crate else None
        return (Import(name[1].replace("-", "_"), (_HERE,)),) if name else ()
    if path.endswith("package.json"):
        import json

        with suppress(ValueError, RecursionError):  # whoever runs it is told
            found = json.loads(text)
            return tuple(islice(_of_package(found), _MOST_NAMES)) if isinstance(found, dict) else ()
        return ()
    base = match[1] if (match := _BASE.search(text)) else "."
    block = match[1] if (match := _PATHS.search(text)) else ""
    return tuple(Import(each[1], (normpath(f"{base}/{each[2]}"),)) for each in _ALIAS.finditer(block))


def _of_package(found: Mapping[str, object]) -> Iterator[Import]:
    """The names that a package.json declares, its own first."""
    name, exports, imports = (found.get(key) for key in ("name", "exports", "imports"))
    if isinstance(name, str) and name:
        yield Import(name, (_HERE,))
        entries = exports if isinstance(exports, dict) else {".": exports or found.get("module") or found.get("main")}
        for key, value in entries.items() if all(key.startswith(".") for key in entries) else [(".", entries)]:
            if (target := _last_text(value)) and "*" not in key:
                yield Import(name + key[1:], (normpath(target),))
    for key, value in imports.items() if isinstance(imports, dict) else ():
        if target := _last_text(value):
            yield Import(key, (normpath(target),))


def _last_text(value: object) -> str:
    """The path that an entry of a package stands for: of several conditions the last, which is the default."""
    for _ in range(_DEEPEST):
        values = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
        value = values[-1] if values else value
    return value if isinstance(value, str) else ""


_APART = frozenset(
    {"test", "tests", "__tests__", "e2e", "fixtures", "__fixtures__", "example", "examples", "template", "templates"}
    | {"playground", "benchmark", "benchmarks"}
)
_HERE = "."
_OF_PACKAGES = ("package.json", "Cargo.toml")
_ENTRIES = ("src", "", "lib", "src/main")  # of a package, without their ending or the name index
_MOST_NAMES, _DEEPEST = 100, 5  # names that one package declares; conditions in each other
_BUILT = lazy_pattern(r"(?:build|dist|esm?|lib|out)/")  # where what is built of the sources goes


class Repository:
    """What imports are looked up in: all paths, the names that files declare, and Python's modules by dotted names.

    ``declared`` maps paths to what ``declared_modules`` returns.
    """

    def __init__(self, index: PathIndex, declared: Mapping[str, Sequence[Import]] | None = None) -> None:
        self.index = index
        self._declared = declared or {}

    @cached_property
    def _packages(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """The folders of the packages that declare a name, each with the path that it stands for."""
        found: dict[str, list[tuple[str, str]]] = {}
        for path in sorted(self._declared):
            for each in self._declared[path] if path.endswith(_OF_PACKAGES) else ():
                if not each.module.startswith("#"):  # for its own files alone
                    found.setdefault(each.module, []).append((folder_of(path), each.names[0]))
        return found

    @cached_property
    def _aliases(self) -> Mapping[str, Sequence[Import]]:
        """What the files of each folder call other folders, longer names first."""
        found: dict[str, list[Import]] = {}
        for path in sorted(self._declared):
            is_package = path.endswith(_OF_PACKAGES)
            own = [each for each in self._declared[path] if not is_package or each.module.startswith("#")]
            found.setdefault(folder_of(path), []).extend(own)
        return {folder: sorted(each, key=lambda one: (-len(one.module), one.module)) for folder, each in found.items()}

    def declared_paths(self, module: str, path: str) -> Iterator[str]:
        """Yield where a module may be that ``path`` imports by a declared name, without its ending, best first."""
        folder = folder_of(path)
        while self._aliases:
            yield from _by_alias(self._aliases.get(folder, ()), module, folder)
            if not folder:
                break
            folder = folder_of(folder)
        for home, target in self._homes(module, path):
            if target != _HERE:
                yield join_path(home, target)
                yield join_path(home, _BUILT.sub("src/", target, count=1) if _BUILT.match(target) else target)
        parts = module.split("/")
        size = 2 if module.startswith("@") else 1
        inner = "/".join(parts[size:])
        for home, _ in self._homes("/".join(parts[:size]), path):
            for entry in ("", "src") if inner else _ENTRIES:
                yield join_path(home, f"{entry}/{inner}".strip("/"))

    def package_folder(self, name: str, path: str) -> str | None:
        """Return the folder of the package of that name which ``path`` can mean, the nearest, if there is one."""
        return next((home for home, target in self._homes(name, path) if target == _HERE), None)

    def _homes(self, name: str, path: str) -> list[tuple[str, str]]:
        """The folders of the packages of a name that ``path`` can mean, the nearest first: not those of other tests."""
        seen = [each for each in self._packages.get(name, ()) if path.startswith(reach_of(each[0]))]
        return sorted(seen, key=lambda each: (-shared_folders(f"{each[0]}/", path), each))

    @cached_property
    def _python_modules(self) -> Mapping[str, Sequence[PythonModule]]:
        """The files of each module, found when one is looked up: other languages have none."""
        return python_modules(self.index.paths)

    def python_module(self, name: str, path: str) -> str:
        """Return the file of a module as ``path`` sees it, else ``""``: of several the nearest, then the shallowest."""
        held = self._python_modules.get(name)
        if held is None:  # most names that are imported are no modules
            return ""
        found = [each.path for each in held if path.startswith(each.reach)]
        return found[0] if len(found) == 1 else max(found, key=lambda each: shared_folders(each, path), default="")


def _by_alias(aliases: Iterable[Import], module: str, folder: str) -> Iterator[str]:
    """Where a module may be by the aliases of a folder."""
    for each in aliases:
        begin, star, end = each.module.partition("*")
        if star and module.startswith(begin) and module.endswith(end):
            yield join_path(folder, each.names[0].replace("*", module[len(begin) : len(module) - len(end)]))
        elif module == each.module:
            yield join_path(folder, each.names[0])


def reach_of(folder: str) -> str:
    """How the paths begin that know a package: those beside it, if it is one of tests, of examples or of templates."""
    parts = folder.split("/")
    place = next((at for at, part in enumerate(parts, 1) if part in _APART), 0)
    return "".join(f"{part}/" for part in parts[:place])


class PythonModule(NamedTuple):
    """A file of Python, and how the paths begin of those that can import it by the name that it is kept under."""

    path: str
    reach: str


_SOURCE_FOLDERS = frozenset({"src", "lib", "python", "source"})
_PROJECT_FILES = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})
_STANDARD_LIBRARY = 10  # modules of one folder that are called like some of Python's: it holds Python itself


def python_modules(paths: Sequence[str]) -> dict[str, list[PythonModule]]:
    """Return dotted module name -> the Python files among ``paths`` that have it, the shallowest first.

    A module is known by its name below each source root: the repository and each folder with the files of a project,
    a folder such as ``src`` in them, and, for the files below it only, the folder above its outermost package.
    A module that is in no package answers for none of Python's own.
    """
    python = sorted((path for path in paths if path.endswith((".py", ".pyi", ".pyx"))), key=_shallowest)
    packages = {folder_of(path) for path in python if path.endswith(("__init__.py", "__init__.pyi"))}
    projects = {"", *({folder_of(path) for path in paths if path.rpartition("/")[2] in _PROJECT_FILES} - packages)}
    standard = Counter(folder_of(path) for path in python if _stem(path) in sys.stdlib_module_names)
    found: dict[str, list[PythonModule]] = {}
    for path in python:
        folder, stem = folder_of(path), _stem(path)
        parts = path.split("/")[:-1] if stem == "__init__" else [*path.split("/")[:-1], stem]
        is_hidden = stem in sys.stdlib_module_names and standard[folder] < _STANDARD_LIBRARY
        for begin, reach in _source_roots(parts, projects, packages).items():
            name = ".".join(parts[begin:])
            if name and not (is_hidden and name == stem):
                found.setdefault(name, []).append(PythonModule(path, reach))
    return found


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _shallowest(path: str) -> tuple[int, int, str]:
    return path.count("/"), not path.endswith(".py"), path


def _source_roots(parts: Sequence[str], projects: set[str], packages: set[str]) -> dict[int, str]:
    """Return from which part of the path the dotted name may begin, and how the paths begin that know it so."""
    begin = len(parts) - 1
    while begin > 0 and "/".join(parts[:begin]) in packages:
        begin -= 1
    roots = {begin: "".join(f"{part}/" for part in parts[:begin])}
    for depth in range(len(parts)):
        if "/".join(parts[:depth]) in projects:
            roots[depth] = ""
            if parts[depth] in _SOURCE_FOLDERS:
                roots[depth + 1] = ""
    return roots


def folder_of(path: str) -> str:
    """Return the folder of a path."""
    return path.rpartition("/")[0]


def as_list(path: str) -> list[str]:
    """Return a path as a list, empty for ``""``."""
    return [path] if path else []


def dotted_folders(parts: Sequence[str]) -> list[str]:
    """Return the folders that a dotted name can mean: the first of its parts may all be in the name of one folder."""
    return ["/".join((".".join(parts[:count]), *parts[count:])) for count in range(1, len(parts) + 1)]


def files_of_folder(suffix: str, index: PathIndex, endings: tuple[str, ...]) -> list[str]:
    """Return the files with some endings in the folder that ends with ``suffix``, unless they are many."""
    folder = index.folder_by_suffix(suffix)
    found = [path for path in index.by_folder.get(folder, ()) if path.endswith(endings)] if folder else []
    return found if len(found) <= LARGEST_FOLDER else []


def file_of_module(parts: Sequence[str], path: str, index: PathIndex) -> str:
    """Return the file of a module of Elixir as ``path`` sees it, else ``""``.

    It is below ``lib``, perhaps in one folder more than the module's name has, such as ``controllers``; or it is a
    helper of the tests of such modules.
    """
    name = f"{parts[-1]}.ex"
    if found := index.by_suffix(f"lib/{'/'.join(parts[:-1])}/{name}" if parts[1:] else f"lib/{name}", path):
        return found
    is_known = bool(index.folder_by_suffix(f"lib/{parts[0]}") or index.by_suffix(f"lib/{parts[0]}.ex"))
    homes = [each for each in index.by_name.get(name, ()) if is_known and _is_home(each, parts[:-1])]
    return min(homes, key=lambda each: (-shared_folders(each, path), each), default="")


def _is_home(path: str, outer: Sequence[str]) -> bool:
    """Whether a module in some others may be in a file: all of them are folders below ``lib``, or it helps tests."""
    head, is_helper, below = f"/{path}".rpartition("/")[0].partition("/test/support")
    if is_helper:
        return below.split("/")[1:] == list(outer[len(outer) - below.count("/") :])
    folders = head.partition("/lib/")[2].split("/")
    rest = iter(folders)
    return len(folders) == len(outer) + 1 and folders[:1] == list(outer[:1]) and all(each in rest for each in outer)


def resolve_values(_item: Import, path: str, repository: Repository) -> list[str]:
    """Find the values that a template of Helm reads: those of its chart."""
    chart, folder, _ = f"/{path}".rpartition("/templates/")
    while folder and f"{chart}/Chart.yaml"[1:] not in repository.index.known:
        chart, folder, _ = chart.rpartition("/templates/")
    return as_list(repository.index.first((f"{chart}/values.yaml"[1:],))) if folder else []


def resolve_include(item: Import, path: str, repository: Repository) -> list[str]:
    """Find ``#include "a/b.h"``: in the folder of the file, else the nearest path with that ending."""
    relative = join_path(folder_of(path), item.module)
    if relative in repository.index.known:
        return [relative]
    return as_list(repository.index.by_suffix(item.module.removeprefix("./").replace("../", ""), path))


def resolve_relative(item: Import, path: str, repository: Repository) -> list[str]:
    """Find ``import "a/b.dart"``: from the folder of the file, else a path of a package."""
    written = item.module.removeprefix("package:")
    relative = join_path(folder_of(path), written)
    if relative in repository.index.known:
        return [relative]
    tail = written.partition("/")[2] if written != item.module else written
    return as_list(repository.index.by_suffix(tail, path)) if "/" in tail or "." in tail else []


def module_resolver(endings: tuple[str, ...], separator: str = ".") -> Resolver:
    """Return a resolver for languages whose module ``a.b`` is the file ``a/b`` below some source root."""

    def resolver(item: Import, path: str, repository: Repository) -> list[str]:
        base = item.module.replace(separator, "/")
        hits = (repository.index.by_suffix(base + ending, path) for ending in endings)
        return as_list(next((hit for hit in hits if hit), ""))

    return resolver
