"""What design and style promise about the source as a whole, checked on its syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "ctxpack"
LEVELS: dict[str, int] = {
    **dict.fromkeys(("model", "errors", "policy"), 0),
    **dict.fromkeys(("commands", "settings", "stopwatch", "tokens", "text", "plugins", "files"), 1),
    **dict.fromkeys(("budget", "discover", "health", "parse", "query"), 2),
    **dict.fromkeys(("compress", "embed", "events", "configuration", "index", "redact", "report"), 3),
    **dict.fromkeys(("changes", "rank", "select", "render", "session"), 4),
    **dict.fromkeys(("gather", "onboarding", "paging", "prompting", "rerank", "statistics"), 5),
    **dict.fromkeys(("diagnosis", "finished", "framing"), 6),
    **dict.fromkeys(("asking", "evaluate", "pipeline", "refresh", "why_not"), 7),
    "cli": 8,
    **dict.fromkeys(("__main__", "__init__"), 9),
}
HEAVY = {
    "Stemmer", "hypothesis", "numpy", "pathspec", "rapidfuzz", "rich", "sentence_transformers", "splintr", "tantivy",
    "tiktoken", "tree_sitter",
}  # fmt: skip
ERRORS = {
    "BrokenIndexError", "BudgetError", "CommandError", "ConfigError", "EmbeddingError", "InternalError",
    "NothingFoundError", "UnwritableIndexError", "UsageError",
}  # fmt: skip
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
MODULES = sorted(PACKAGE.rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8"), str(path)) for path in MODULES}


def part(dotted: str) -> str:
    """The unit that has a level: ``ctxpack.rank.paths`` -> ``rank``, ``ctxpack`` -> ``__init__``."""
    return [*dotted.split("."), "__init__"][1]


def dotted_name(path: Path) -> str:
    parts = ("ctxpack", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, *, lazy: bool) -> Iterator[str]:
    """What a module imports; without ``lazy`` only what importing the module itself runs."""
    pending: list[ast.AST] = [TREES[path]]
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


@pytest.mark.parametrize("path", MODULES, ids=dotted_name)
def test_imports_go_strictly_down_or_stay_in_the_folder(path: Path) -> None:
    own = part(dotted_name(path))
    for name in imports(path, lazy=True):
        if name.split(".")[0] == "ctxpack" and part(name) != own and part(name) in LEVELS:
            assert LEVELS[part(name)] < LEVELS[own], f"{dotted_name(path)} imports {name}"


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """The messages and hints of the errors that a module raises for users; a value in them reads ``A``."""
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ERRORS:
            given = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "hint")]
            texts = [each for each in given if isinstance(each, ast.JoinedStr | ast.Constant)]
            for text in texts:
                parts = text.values if isinstance(text, ast.JoinedStr) else [text]
                yield node.lineno, "".join(str(x.value) if isinstance(x, ast.Constant) else "A" for x in parts)


@pytest.mark.parametrize("path", MODULES, ids=dotted_name)
def test_errors_are_told_in_whole_sentences(path: Path) -> None:
    for line, sentence in sentences(path):
        is_begun = sentence[:1].isupper() or sentence.startswith(("--", "ctxpack"))
        is_ended = sentence.endswith((".", "?")) or ": ctxpack " in sentence or "| ctxpack " in sentence  # a command
        assert not sentence or (is_begun and is_ended), f"line {line}: {sentence}"


def test_every_part_has_a_level() -> None:
    assert {part(dotted_name(path)) for path in MODULES} <= set(LEVELS)


def test_no_cycle_between_modules() -> None:
    names = {dotted_name(path) for path in MODULES}
    edges: dict[str, set[str]] = {}
    for path in MODULES:
        found = {name if name in names else name.rpartition(".")[0] for name in imports(path, lazy=True)}
        edges[dotted_name(path)] = (found & names) - {dotted_name(path), "ctxpack"}
    while leaves := {name for name, targets in edges.items() if not targets}:
        edges = {name: targets - leaves for name, targets in edges.items() if name not in leaves}
    assert not edges


@pytest.mark.parametrize("path", MODULES, ids=dotted_name)
def test_heavy_packages_are_imported_where_they_are_used(path: Path) -> None:
    loaded = {name.split(".")[0] for name in imports(path, lazy=False)}
    assert not {name for name in loaded if name in HEAVY or name.startswith("tree_sitter")}


@pytest.mark.parametrize("path", MODULES, ids=dotted_name)
def test_modules_are_named_for_what_they_do_and_stay_small(path: Path) -> None:
    assert path.stem not in VAGUE_NAMES
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= 400
    if path.name == "__init__.py":
        assert lines <= 40, "an __init__.py only dispatches"


@pytest.mark.parametrize("path", MODULES, ids=dotted_name)
def test_functions_are_short_and_only_the_command_line_prints(path: Path) -> None:
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 50, f"{node.name} is too long"
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print":
            assert part(dotted_name(path)) == "cli", f"line {node.lineno} prints"
