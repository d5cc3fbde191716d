"""A request on files of which all is known makes objects of few of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ctxpack.answer import pack
from ctxpack.index.store import Store
from ctxpack.model import Request, Scope, SourceFile, columns
from ctxpack.rank import chunks
from ctxpack.settings import Settings
from tests.indexing import commit, write

OLD = 1_600_000_000
MANY = 200


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    texts = {f"part_{n % 9}/step_{n}.py": f"def step_{n}(value):\n    return value + {n}\n" for n in range(MANY)}
    root = write(tmp_path / "root", texts)
    for place in root.rglob("*.py"):
        os.utime(place, (OLD, OLD))
    commit(root, {})
    return Settings(root=root, cache_dir=tmp_path / "cache", budget=2_000)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that tables make objects of."""
    paths: list[str] = []
    make: Callable[..., SourceFile] = SourceFile

    def noticed(path: str, *facts: object) -> SourceFile:
        paths.append(path)
        return make(path, *facts)

    monkeypatch.setattr(columns, "SourceFile", noticed)
    return paths


def ask(settings: Settings, number: int) -> str:
    return pack(Request(Scope.TASK, text=f"fix step_{number}, it adds too much"), settings).text


def test_a_new_request_and_an_edit_make_objects_of_few_files(
    settings: Settings, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "FILES_COMPARED", 10)  # these are looked at, however many there are
    for number in (1, 2):
        ask(settings, number)
    made.clear()
    monkeypatch.setattr(Store, "read_recorded", None)  # nor is any row read
    assert "step_30" in ask(settings, 30)
    assert len(set(made)) < MANY / 4
    made.clear()
    (settings.root / "part_4/step_40.py").write_text("def step_40(value):\n    return value * 41\n")
    assert "value * 41" in ask(settings, 40)
    assert len(set(made)) < MANY / 4
