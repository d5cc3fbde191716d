"""What every test may rely on: a machine without a user's configuration, caches or git settings of its own."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from ctxpack.system import tokens
from tests.indexing import commit

PROJECT = Path(__file__).parent.parent
MakeRepository = Callable[[Mapping[str, str]], Path]
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # a slow or busy one is no reason to fail


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """New folders, one after the other; to ask pytest for each would list all that are there."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in count())


@pytest.fixture(scope="session", autouse=True)
def _usual_machine(homes: Iterator[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What fixtures of modules and of the session may rely on as well.

    Programs that tests start find compiled modules: where none may be written into the checkout, in a folder that goes
    away and that all workers share. Without them each start would compile the whole package again.
    """
    with pytest.MonkeyPatch.context() as patch:
        _clean(patch, next(homes))
        if "PYTHONDONTWRITEBYTECODE" in os.environ:
            base = tmp_path_factory.getbasetemp()
            shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
            patch.delenv("PYTHONDONTWRITEBYTECODE")
            patch.setenv("PYTHONPYCACHEPREFIX", str(shared / "compiled"))
        yield


@pytest.fixture(autouse=True)
def _clean_machine(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a machine of its own."""
    _clean(monkeypatch, next(homes))


def _clean(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """No CTXPACK_* variable, an empty home for configuration, a cache folder that goes away, git with a name."""
    for name in [name for name in os.environ if name.startswith("CTXPACK_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))  # programs that tests start find the package from anywhere
    home.mkdir()
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(home / "cache"))
    monkeypatch.setenv("CTXPACK_DATA_DIR", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("APPDATA", str(home / "config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Test")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "test@example.org")
        monkeypatch.setenv(f"GIT_{role}_DATE", "2026-01-02T03:04:05Z")


@pytest.fixture(scope="session", autouse=True)
def _one_vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Copy the table of tokens, four megabytes, into each cache of this process as it was laid down in the first.

    To seal and write them anew takes six times as long. ``keep_vocabulary`` itself has tests of its own.
    """
    first = tmp_path_factory.mktemp("vocabulary")
    keep, sealed, numbers = tokens.keep_vocabulary, dict[str, bytes](), count()

    def copy(folder: Path, token_of: Callable[[int], bytes]) -> None:
        with suppress(OSError):
            if not sealed:
                keep(first, token_of)
                sealed.update((each.name, each.read_bytes()) for each in first.iterdir())
            folder.mkdir(parents=True, exist_ok=True)
            for name, data in sealed.items():
                part = folder / f"{next(numbers)}.part"
                part.write_bytes(data)
                part.replace(folder / name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "keep_vocabulary", copy)
        yield


@pytest.fixture(scope="session")
def first_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of a program that has packed once.

    The first pack leaves the vocabulary to another interpreter, which may end later: so it is laid out before.
    """
    folder = tmp_path_factory.mktemp("first")
    root = shutil.copytree(PROJECT / "fixtures" / "demo", folder / "demo")  # outside any history, which is read as well
    layout = [sys.executable, "-m", "ctxpack.system.tokens", str(folder / "cache" / "vocabularies")]
    subprocess.run(layout, check=True)
    command = ["task", "retry delay", "--root", str(root), "-q", "-o", str(folder / "pack.md")]
    env = {**os.environ, "CTXPACK_CACHE_DIR": str(folder / "cache")}
    subprocess.run([sys.executable, "-m", "ctxpack", *command], env=env, cwd=folder, check=True)
    return folder / "cache"


@pytest.fixture
def warm_cache(first_cache: Path, _clean_machine: None) -> None:
    """Give programs what the first of them would make for all: tables of tokens and compiled patterns."""
    for name in ("patterns", "vocabularies"):
        shutil.copytree(first_cache / name, Path(os.environ["CTXPACK_CACHE_DIR"]) / name)


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A copy of the demo project, outside any git repository."""
    return Path(shutil.copytree(PROJECT / "fixtures" / "demo", tmp_path / "demo"))


@pytest.fixture
def repository(tmp_path: Path) -> MakeRepository:
    """A function that writes files into a new folder and commits them with git."""

    def make(files: Mapping[str, str]) -> Path:
        root = tmp_path / "repository"
        commit(root, files, "Start\n")
        return root

    return make


def pytest_collection_finish() -> None:
    """Leave what was collected alone: to look through it again and again takes as long as many a test."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # cycles are few: to look for them after each 700 objects takes a twentieth of all
