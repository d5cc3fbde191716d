"""Python, Cython and Starlark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxpack.languages.modules import PathIndex, Repository, folder_of
from ctxpack.languages.record import AFTER, BEFORE, HASH, Grammar, Language, LanguageRole, Patterns
from ctxpack.light import replace
from ctxpack.model import Import

_SOURCE_ROOTS = frozenset({"src", "lib", "python", "source"})


def python_modules(paths: Sequence[str]) -> dict[str, str]:
    """Return dotted module name -> file for the Python files among ``paths``.

    A module is known by its name below each source root: the repository, a folder such as ``src``, and the folder
    above its outermost package. Of two files with one name the shallower wins.
    """
    python = sorted((path for path in paths if path.endswith((".py", ".pyi", ".pyx"))), key=_shallowest)
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


def _shallowest(path: str) -> tuple[int, int, str]:
    return path.count("/"), not path.endswith(".py"), path


def _source_roots(parts: Sequence[str], packages: set[str]) -> list[int]:
    """Return from which part of the path the dotted name may begin."""
    roots = [0]
    if parts and parts[0] in _SOURCE_ROOTS:
        roots.append(1)
    begin = len(parts) - 1
    while begin > 0 and "/".join(parts[:begin]) in packages:
        begin -= 1
    if begin not in roots:
        roots.append(begin)
    return roots


def _resolve(item: Import, path: str, repository: Repository) -> list[str]:
    if not item.module.startswith("."):
        return _python_module(item.module, item.names, repository.python_modules)
    bare = item.module.lstrip(".")
    folder = folder_of(path)
    for _ in range(len(item.module) - len(bare) - 1):
        folder = folder_of(folder)
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


PYTHON = Language(
    "python",
    suffixes="py pyi pyw",
    programs="python pypy uv",
    comments=HASH,
    strings=('"""', "'''"),
    test_names=(BEFORE, AFTER, r"conftest|runtests"),
    imports=(
        r"\n[ \t]*from[ \t]+(?P<module>[.\w]+)[ \t]+c?import[ \t]+(?P<names>\([^)]*\)|[^\n]*)",
        r"\n[ \t]*c?import[ \t]+(?P<list>[^\n#;]+)",
    ),
    resolve=_resolve,
    patterns=Patterns(
        (
            ("function", r"(?:async[ \t]+)?(?:cp?)?def[ \t]+(?:inline[ \t]+)?NAME[ \t]*[(\[]"),
            ("class", r"class[ \t]+NAME[ \t]*[(:\[]"),
            ("constant", r"TOPNAME[ \t]*(?::[^=\n]{1,80})?=(?!=)"),
        ),
        ends="indent",
        above=("@", "#"),
        guard=r"(?=[adc]|TOP[A-Za-z_])".replace("TOP", r"(?<=\n)"),
    ),
    grammar=Grammar(
        "tree_sitter_python",
        """
    (function_definition name: (identifier) @name) @function
    (class_definition name: (identifier) @name) @class
    (module (expression_statement (assignment left: (identifier) @name)) @constant)
    """,
        wrappers=frozenset({"decorated_definition"}),
    ),
)

CYTHON = replace(PYTHON, name="cython", suffixes="pyx pxd pxi", programs="", test_names=())

STARLARK = replace(
    PYTHON,
    name="starlark",
    suffixes="bzl star",
    files="build build.bazel workspace workspace.bazel module.bazel tiltfile buck",
    programs="",
    role=LanguageRole.CONFIG,
    test_names=(),
)
