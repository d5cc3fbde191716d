"""The files of several roots: each by its own rules, known again by a run on one root alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.errors import UsageError
from ctxpack.index.known import known_files
from ctxpack.index.opening import find_files, update_index
from ctxpack.light import replace
from ctxpack.model import Discovery
from ctxpack.settings import Settings
from ctxpack.settings.loading import load
from tests.indexing import commit, write


@pytest.fixture
def both(tmp_path: Path) -> Settings:
    commit(tmp_path / "api", {"a.py": "a = 1\n", "x.log": "1\n", ".ctxpackignore": "*.log\n"})
    write(tmp_path / "web", {"w.ts": "let w = 1;\n"})
    return load({"web": tmp_path / "web", "api": tmp_path / "api"})


def paths(found: Discovery) -> list[str]:
    return [each.path for each in found.files]


def test_paths_have_labels_and_each_root_its_own_state(both: Settings) -> None:
    found = find_files(both)
    assert paths(found) == ["api/.ctxpackignore", "api/a.py", "web/w.ts"]
    assert [(each.path, each.reason) for each in found.skipped if each.path == "api/x.log"]
    api, web = (found.state.of(path) for path in ("api/a.py", "web/w.ts"))
    assert api.is_git
    assert api.commit
    assert not web.is_git
    assert not found.state.is_git
    assert found.state.of("other/x") is found.state
    assert found.state.version not in {"", api.commit}


def test_what_is_found_is_known_to_a_run_on_one_root(both: Settings) -> None:
    update_index(both)
    assert {*known_files(both.members["api"])} <= {".ctxpackignore", "a.py", "x.log"}
    assert paths(find_files(both)) == ["api/.ctxpackignore", "api/a.py", "web/w.ts"]
    assert update_index(both).is_fresh
    write(both.members["web"].root, {"v.ts": "let v = 1;\n"})
    assert paths(find_files(both))[-2:] == ["web/v.ts", "web/w.ts"]


def test_what_nobody_asks_for_is_left_out(both: Settings) -> None:
    assert paths(find_files(replace(both, paths=("web/w.ts",)))) == ["web/w.ts"]
    with pytest.raises(UsageError, match="No file of api or web is named"):
        find_files(replace(both, paths=("other/w.ts",)))
    assert [label for label, _ in find_files(replace(both, paths=("web/w.ts",))).state.members] == ["web"]
