"""Start-up is a feature: what may be loaded, and which names are public."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import ctxpack
from ctxpack import index

PACKAGE = Path(ctxpack.__file__).parent
HEAVY = (
    "Stemmer", "anyio", "asyncio", "importlib.metadata", "mcp", "multiprocessing", "numpy", "pathspec", "pydantic",
    "pygments",
    "rapidfuzz", "rich", "sentence_transformers", "splintr", "sqlite3", "tiktoken", "tomllib", "tree_sitter",
)  # fmt: skip


FOR_OTHERS = (
    "discover.kinds", "discover.named_paths", "discover.reading", "discover.walk",
    "gather.patches", "gather.required", "gather.style_rules", "gather.uses", "index.buffers",
    "parse.definitions", "parse.parser", "parse.tree", "rank.chunk_vectors", "rank.embedders", "rank.vectors",
    "report.conversation", "report.memory", "select.compressible", "settings.window",
    "understand.read", "workflows",
)  # fmt: skip
"""Modules that a plain task loads for nothing where the index knows all files."""


def loaded_by(statement: str, env: Mapping[str, str] | None = None) -> set[str]:
    """The modules of a fresh interpreter after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    environment = {**os.environ, **(env or {})}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import ctxpack.cli",
        "import ctxpack.cli.run",
        "from ctxpack.cli.run import run; run(['--version'])",
        f"from ctxpack import Request, Settings, load; load({str(Path(__file__).parent)!r})",
    ],
)
def test_starting_loads_nothing_heavy(statement: str) -> None:
    assert not loaded_by(statement) & set(HEAVY)


def test_the_version_needs_nothing_of_the_stages() -> None:
    loaded = loaded_by("from ctxpack.cli.run import run; run(['--version'])")
    assert not loaded & {"ctxpack.model", "ctxpack.settings.fields", "ctxpack.pipeline"}


def test_what_indexes_files_for_another_process_loads_nothing_of_requests_and_of_the_search() -> None:
    loaded = loaded_by("import ctxpack.index.workers")
    assert "ctxpack.query.subtokens" in loaded
    assert not loaded & {f"ctxpack.{name}" for name in ("discover", "query.understand", "settings", "rank")}


def test_a_plain_task_on_a_known_repository_loads_nothing_for_other_requests(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    for name, text in {"upload.py": "def retry_delay():\n    return 2\n", "README.md": "# Shop\n"}.items():
        place = root / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
        os.utime(place, (1_700_000_000, 1_700_000_000))  # long ago: what changed just now is read again
    task = ["task", "retry delay", "--root", str(root), "-o", str(tmp_path / "report.md")]
    statement, cache = f"from ctxpack.cli.run import run; run({task})", {"CTXPACK_CACHE_DIR": str(tmp_path / "cache")}
    assert "ctxpack.parse.parser" in loaded_by(statement, cache)
    again = loaded_by(statement.replace("retry delay", "the retry delay"), cache)
    assert "ctxpack.pipeline" in again
    modules = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in PACKAGE.rglob("*.py")}
    known = {name.removesuffix(".__init__") for name in modules}
    assert {f"ctxpack.{name}" for name in FOR_OTHERS} <= known
    assert not again & {f"ctxpack.{name}" for name in FOR_OTHERS}
    kept = loaded_by(statement, cache)
    assert "ctxpack.answer" in kept
    assert not kept & {"numpy", *(f"ctxpack.{name}" for name in ("index.build", "index.view", "parse", "pipeline"))}


def test_classes_and_patterns_are_light() -> None:
    """As the docstring of ``ctxpack/light.py`` has it."""
    assert {name: sorted(found) for name, tree in trees().items() if (found := set(heavy_names(tree)))} == {}


def trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.name != "light.py"
    }


def heavy_names(tree: ast.Module) -> Iterator[str]:
    """What a module imports of the standard library's values, and patterns that it compiles while it is loaded."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses":
            yield from {"dataclass", "field", "replace"} & {each.name for each in node.names}
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            yield from ("re.compile" for each in ast.walk(node.value) if is_compiled(each))


def is_compiled(node: ast.AST) -> bool:
    """Whether a pattern of text is compiled; one of bytes has no light form."""
    is_call = isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"
    texts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return is_call and not any(isinstance(each, bytes) for each in texts)


def test_importing_the_package_loads_only_itself() -> None:
    loaded = {name for name in loaded_by("import ctxpack") if name.startswith("ctxpack")}
    assert loaded == {"ctxpack"}
    assert "typer" not in loaded_by("import ctxpack")


def test_public_names_are_few_and_there() -> None:
    assert len(ctxpack.__all__) <= 12
    assert list(ctxpack.__all__) == sorted(ctxpack.__all__)
    for name in ctxpack.__all__:
        assert getattr(ctxpack, name).__name__ == name


def test_the_version_can_be_asked_for() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", ctxpack.__version__)


def test_the_index_has_no_other_names() -> None:
    assert {getattr(index, name).__name__ for name in index.__all__} >= {"IndexView", "Terms", "open_index"}
    with pytest.raises(AttributeError, match="has no attribute 'open_idnex'"):
        _ = index.open_idnex


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'ctxpack' has no attribute 'pakc'"):
        _ = ctxpack.pakc
