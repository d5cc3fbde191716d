"""What is built and installed: the name, the files of the wheel, and what runs from it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from ctxpack.system.version import DISTRIBUTION, EMBEDDING_PACKAGE, MCP_PACKAGE, PII_PACKAGE, TUI_PACKAGE, __version__

PROJECT = Path(__file__).parent.parent
STRANGERS = "ctxpack"  # whose package of that name is in the index


def test_the_name_stands_once_and_is_not_the_stranger_s() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == DISTRIBUTION != STRANGERS
    assert project["scripts"] == {"ctxpack": "ctxpack.cli:main"}
    extras = project["optional-dependencies"]
    assert (extras["semantic"], extras["pii"]) == ([EMBEDDING_PACKAGE], [PII_PACKAGE])
    assert (extras["tui"], extras["mcp"]) == ([TUI_PACKAGE], [MCP_PACKAGE])


LARGEST = 200_000  # bytes of a file of the repository: what a run made is larger, and stays out


def test_the_repository_stays_small() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, check=False, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("needs a clone that git may read")
    files = [PROJECT / name for name in listed.stdout.split("\0") if name]
    assert len(files) > 500
    assert [file.name for file in files if file.exists() and file.stat().st_size > LARGEST] == []


def test_no_line_installs_the_stranger_s_package() -> None:
    patterns = ("*.md", "docs/*.md", "ctxpack/**/*.py", "action.yml", "examples/*", ".ci/run")
    files = [file for pattern in patterns for file in PROJECT.glob(pattern)]
    assert len(files) > 200
    line = re.compile(rf"install\s+(?:-\S+\s+)*['\"]?{STRANGERS}(?![\w`-])")
    assert line.search("pip install -q 'ctxpack[semantic]'")
    assert {str(file): found[0] for file in files if (found := line.search(file.read_text(encoding="utf-8")))} == {}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, str(PROJECT / "scripts" / "package"), "--build-only", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    built, sdist = map(Path, done.stdout.split())
    assert sdist.name == f"{DISTRIBUTION.replace('-', '_')}-{__version__}.tar.gz"
    return built


def test_a_wheel_has_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        entry_points = archive.read(next(name for name in archive.namelist() if name.endswith("entry_points.txt")))
    sources = {
        path.relative_to(PROJECT).as_posix()
        for path in (PROJECT / "ctxpack").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == sources
    assert {"ctxpack/render/page.css", "ctxpack/render/page.js", "ctxpack/settings/models.toml"} <= names
    assert b"ctxpack = ctxpack.cli:main" in entry_points
    assert b"[llm]\nctxpack = ctxpack.cli.llm_plugin" in entry_points


def test_what_was_built_is_sound_and_runs_from_the_archive_alone(wheel: Path, demo: Path, tmp_path: Path) -> None:
    for checker in ("twine", "check_wheel_contents"):
        pytest.importorskip(checker, reason=f"needs the checker of packages: pip install {checker}")
    checks = (["twine", "check", "--strict", str(wheel)], ["check_wheel_contents", str(wheel)])
    for command in checks:
        done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); import ctxpack.cli; ctxpack.cli.main()"
    command = [sys.executable, "-c", code, "task", "fix the retry bug", "--root", str(demo), "--format", "html", "-q"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert 'class="piece' in done.stdout
