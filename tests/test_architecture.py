"""What design and style promise about the source as a whole, checked on its syntax trees."""

from __future__ import annotations

import ast
import re
import runpy
import tokenize
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parent.parent / "ctxpack"
HEAVY = {
    "Stemmer", "hypothesis", "numpy", "pathspec", "pydantic", "pygments", "rapidfuzz", "rich",
    "sentence_transformers", "splintr", "tantivy", "tiktoken", "uvicorn", "tree_sitter",
}  # fmt: skip
ERRORS = {
    "BrokenIndexError", "BudgetError", "CancelledError", "CommandError", "ConfigError", "EmbeddingError",
    "InternalError", "NothingFoundError", "UnwritableIndexError", "UsageError",
}  # fmt: skip
MOST_MODULES, MOST_PARTS, MOST_STAGES = 247, 25, 10
MOST_FILES, MOST_CLIMBS = 35, 11  # of the way of a request
IRREGULAR = "told made lost found known kept hidden spoken broken seen given taken shown written held sent left said"
PARTICIPLE = re.compile(rf"_?({IRREGULAR.replace(' ', '|')}|[a-z]+ed)")
NO_PARTICIPLES = {"embed", "_embed", "feed", "_feed"}
NAMES_OF_PLUGINS = {"derived"}  # that docs/plugins.md promises
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
MODULES = sorted(PACKAGE.rglob("*.py"))
EACH_FOLDER = pytest.mark.parametrize("folder", sorted({path.parent for path in MODULES}), ids=lambda path: path.name)
STRUCTURE: dict[str, Any] = runpy.run_path(str(PACKAGE.parent / "scripts" / "structure"))


@pytest.fixture(scope="module", autouse=True)
def _forget_trees() -> Iterator[None]:
    """Let go of all syntax trees at the end: each full garbage collection of a later test would look through them."""
    yield
    for each in (tree, nodes, imports, edges):
        each.cache_clear()


def part(dotted: str) -> str:
    return str(STRUCTURE["unit"](dotted))


def dotted_name(path: Path) -> str:
    return str(STRUCTURE["dotted"](path))


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All that is in the tree of a module."""
    return tuple(ast.walk(tree(path)))


@cache
def imports(path: Path, *, lazy: bool) -> tuple[str, ...]:
    """What a module imports; without ``lazy`` only what importing the module itself runs."""
    return tuple(_imports(path, lazy=lazy))


def _imports(path: Path, *, lazy: bool) -> Iterator[str]:
    pending: list[ast.AST] = [tree(path)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name}:{node.lineno}: imports are absolute"
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif lazy or not (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        ):
            pending += ast.iter_child_nodes(node)


@cache
def edges() -> Mapping[str, frozenset[str]]:
    """What each module imports of the package, at any depth of its code, or names in full to import it later."""
    names = {dotted_name(path) for path in MODULES}
    found: dict[str, frozenset[str]] = {}
    for path in MODULES:
        targets = {name if name in names else name.rpartition(".")[0] for name in imports(path, lazy=True)}
        targets |= {str(each.value) for each in nodes(path) if isinstance(each, ast.Constant)} - {"ctxpack"}
        found[dotted_name(path)] = frozenset(targets & names) - {dotted_name(path)}
    return found


def floors() -> dict[str, int]:
    """The floor of each part, from 1: one above the highest part that it imports. Fails where there is a circle."""
    return dict(STRUCTURE["floors_of"](edges()))


def test_imports_go_down_or_stay_in_the_folder() -> None:
    assert floors()


def test_the_picture_of_the_floors_is_that_of_the_code() -> None:
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = {
        name: int(floor)
        for floor, names in re.findall(r"^ *(\d+)  (.+)$", page, re.MULTILINE)
        for name in names.split()
    }
    assert drawn == floors()


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """The messages and hints of the errors that a module raises for users; a value in them reads ``A``."""
    for node in nodes(path):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ERRORS:
            given = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "hint")]
            texts = [each for each in given if isinstance(each, ast.JoinedStr | ast.Constant)]
            for text in texts:
                parts = text.values if isinstance(text, ast.JoinedStr) else [text]
                yield node.lineno, "".join(str(x.value) if isinstance(x, ast.Constant) else "A" for x in parts)


@EACH_FOLDER
def test_errors_are_told_in_whole_sentences(folder: Path) -> None:
    for path in sorted(folder.glob("*.py")):
        for line, sentence in sentences(path):
            is_begun = sentence[:1].isupper() or sentence.startswith(("--", "ctxpack"))
            is_command = ": ctxpack " in sentence or "| ctxpack " in sentence
            is_ended = sentence.endswith((".", "?")) or is_command
            assert not sentence or (is_begun and is_ended), f"{path.name}:{line}: {sentence}"


def test_no_cycle_between_modules() -> None:
    left = {name: targets - {"ctxpack"} for name, targets in edges().items()}
    while leaves := {name for name, targets in left.items() if not targets}:
        left = {name: targets - leaves for name, targets in left.items() if name not in leaves}
    assert not left


def test_the_package_stays_as_small_as_it_is() -> None:
    assert len(MODULES) <= MOST_MODULES
    assert len(floors()) <= MOST_PARTS
    assert len(edges()["ctxpack.pipeline"] - {"ctxpack.light"}) <= MOST_STAGES


def test_the_way_of_a_request_reads_straight() -> None:
    files, climbs = STRUCTURE["way_of_a_request"]({dotted_name(path): tree(path) for path in MODULES}, floors())
    assert files <= MOST_FILES
    assert climbs <= MOST_CLIMBS


def test_no_public_name_is_defined_in_two_modules() -> None:
    found: dict[str, set[str]] = {}
    for path in MODULES:
        for name in STRUCTURE["public_names"](tree(path)):
            if not name.startswith("_"):
                found.setdefault(name, set()).add(dotted_name(path))
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == {}


def test_no_constant_is_set_twice() -> None:
    """A second value at the end of a module would silently hold at its beginning too."""
    for path in MODULES:
        targets = [
            each for node in tree(path).body for each in getattr(node, "targets", [getattr(node, "target", None)])
        ]
        names = [each.id for target in targets if target for each in ast.walk(target) if isinstance(each, ast.Name)]
        constants = [name for name in names if name.isupper()]
        assert sorted(constants) == sorted(set(constants)), path


@EACH_FOLDER
def test_heavy_packages_are_imported_where_they_are_used(folder: Path) -> None:
    for path in sorted(folder.glob("*.py")):
        loaded = {name.split(".")[0] for name in imports(path, lazy=False)}
        assert not {name for name in loaded if name in HEAVY or name.startswith("tree_sitter")}, path.name


def is_value(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(each) for each in function.decorator_list)


def test_functions_have_verbs_or_nouns_for_names() -> None:
    """A bare participle says neither what acts nor what comes of it; properties are values."""
    found = [
        f"{path.relative_to(PACKAGE)}: {node.name}"
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and PARTICIPLE.fullmatch(node.name)
        and node.name not in NO_PARTICIPLES | NAMES_OF_PLUGINS
        and not is_value(node)
    ]
    assert found == []


@EACH_FOLDER
def test_modules_are_named_for_what_they_do_and_stay_small(folder: Path) -> None:
    for path in sorted(folder.glob("*.py")):
        assert path.stem not in VAGUE_NAMES
        lines = path.read_text(encoding="utf-8").count("\n")
        assert lines <= 400, path.name
        if path.name == "__init__.py":
            assert lines <= 40, "an __init__.py only dispatches"


@EACH_FOLDER
def test_functions_are_short_and_only_the_command_line_prints(folder: Path) -> None:
    for path in sorted(folder.glob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 50, f"{node.name} is too long"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                assert part(dotted_name(path)) == "cli", f"{path.name}:{node.lineno} prints"


def swallowed(path: Path) -> Iterator[tuple[int, int]]:
    """The first and last line of whatever takes an error and neither raises one nor uses it."""
    for node in nodes(path):
        if isinstance(node, ast.ExceptHandler):
            inner = [each for line in node.body for each in ast.walk(line)]
            is_used = any(isinstance(each, ast.Name) and each.id == node.name for each in inner)
            if not is_used and not any(isinstance(each, ast.Raise) for each in inner):
                yield node.lineno, node.body[-1].end_lineno or node.lineno
        elif isinstance(node, ast.With) and any("suppress(" in ast.unparse(item.context_expr) for item in node.items):
            yield node.lineno, max(node.body[0].lineno - 1, node.lineno)


def test_an_error_that_goes_no_further_has_a_comment_that_says_why() -> None:
    bare: list[str] = []
    for path in MODULES:
        with path.open("rb") as file:
            tokens = [each for each in tokenize.tokenize(file.readline) if each.type == tokenize.COMMENT]
        comments = {each.start[0] for each in tokens if not each.string.startswith("# noqa") or " - " in each.string}
        bare += [
            f"{path.relative_to(PACKAGE)}:{first}"
            for first, last in swallowed(path)
            if not comments.intersection(range(first, last + 1))
        ]
    assert bare == []
