from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.errors import NothingFoundError, UsageError
from ctxpack.index.opening import clear_index, index_status, rebuild_index, update_index
from ctxpack.model import Form, Request, Scope
from ctxpack.pipeline import run_pack, search
from ctxpack.settings import Settings
from ctxpack.system.tokens import counter

RUSSIAN = Request(Scope.TASK, text="Исправить повторную отправку: события считаются дважды")
PROJECT = Path(__file__).parents[2]


@pytest.fixture
def settings(demo: Path, tmp_path: Path) -> Settings:
    return Settings(root=demo, cache_dir=tmp_path / "cache")


def test_a_russian_request_finds_specs_wiki_pages_and_code_with_reasons(settings: Settings) -> None:
    report = run_pack(RUSSIAN, settings)
    pieces = report.pack.selection.fragments
    paths = {each.provenance.path for each in pieces}
    assert {"docs/specs/delivery.md", "docs/wiki/retries.md", "docs/wiki/queue.md"} <= paths
    assert {"processing/uploader.py", "docs/README.MD"} <= paths
    assert all(each.provenance.reasons or each.provenance.keywords for each in pieces)
    assert report.pack.tokens_used == counter(settings.encoding).count(report.text) <= settings.budget


@pytest.mark.parametrize("budget", [400, 1500, 8000])
@pytest.mark.parametrize("form", ["markdown", "json"])
def test_no_report_is_over_its_budget(settings: Settings, budget: int, form: str) -> None:
    its = replace(settings, budget=budget, format=form)
    for request in (RUSSIAN, Request(Scope.FILE, path="utils/backoff.py"), Request(Scope.COMPONENT, name="queue")):
        report = run_pack(request, its)
        assert counter(its.encoding).count(report.text) == report.pack.tokens_used <= budget


def test_every_piece_but_outlines_is_what_the_file_says(settings: Settings) -> None:
    for request in (RUSSIAN, Request(Scope.FILE, path="processing/uploader.py")):
        for piece in run_pack(request, settings).pack.selection.fragments:
            source = piece.provenance
            if piece.form in {Form.FULL, Form.EXCERPT}:
                lines = (settings.root / source.path).read_text(encoding="utf-8").splitlines()
                assert piece.text.splitlines() == lines[source.start_line - 1 : source.end_line]


def test_the_outline_of_a_long_file_leaves_room_for_the_function_in_question(settings: Settings) -> None:
    body = "".join(f"def step_{number}(value):\n    return value + {number}\n\n\n" for number in range(300))
    (settings.root / "steps.py").write_text(body)
    request = Request(Scope.FILE, text="what does step_42 add", path="steps.py")
    pieces = run_pack(request, replace(settings, budget=3000)).pack.selection.fragments
    own = [each for each in pieces if each.provenance.path == "steps.py"]
    assert any(each.form is Form.OUTLINE for each in own)
    assert any("return value + 42" in each.text for each in own)


def test_the_layout_of_the_project_is_told_unless_it_is_not_wanted(settings: Settings) -> None:
    assert "processing/ " in run_pack(RUSSIAN, settings).pack.tree
    assert run_pack(RUSSIAN, replace(settings, use_tree=False)).pack.tree == ""


@pytest.mark.parametrize("use_tree", [True, False])
def test_the_strategies_named_are_those_of_the_pieces(settings: Settings, use_tree: bool) -> None:  # noqa: FBT001
    request = Request(Scope.FILE, path="processing/uploader.py")
    for budget in (500, 1200, 8000):
        packed = run_pack(request, replace(settings, budget=budget, use_tree=use_tree)).pack
        assert set(packed.strategy.split(", ")) == {each.strategy for each in packed.selection.fragments}


def test_listed_files_that_are_not_there_are_named(settings: Settings) -> None:
    paths = ("processing/uploader.py", "gone.py", "lost.py")
    report = run_pack(Request(Scope.TASK, text="retry"), replace(settings, paths=paths))
    assert report.pack.notes == ("Listed but missing: gone.py, lost.py.",)
    assert report.pack.notes[0] in report.text


def test_a_repository_without_git_on_the_machine_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(settings.root))
    assert not any("git" in note for note in run_pack(RUSSIAN, settings).pack.notes)
    (settings.root / ".git").mkdir()
    (settings.root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert "git is not installed" in run_pack(RUSSIAN, settings).pack.notes[0]


def test_secrets_are_taken_out_and_it_is_said(settings: Settings) -> None:
    (settings.root / "utils" / "backoff.py").write_text('password = "hunter2-hunter2-x9"  # of the backoff\n')
    request = Request(Scope.FILE, path="utils/backoff.py")
    report = run_pack(request, settings)
    assert "hunter2" not in report.text
    assert any("utils/backoff.py" in note for note in report.pack.notes)
    assert "hunter2" in run_pack(request, replace(settings, use_redaction=False)).text


def test_a_secret_of_the_request_is_not_repeated(settings: Settings) -> None:
    request = Request(Scope.TASK, text="retry fails with password=yamlS3cret1x9 in the queue")
    for form in ("markdown", "json"):
        said = run_pack(request, replace(settings, format=form)).text.lower()
        assert "yamls3cret1" not in said


@pytest.mark.parametrize(
    ("request_", "error", "said"),
    [
        (Request(Scope.TASK, text=" \n"), UsageError, "empty"),
        (Request(Scope.COMPONENT), UsageError, "empty"),
        (Request(Scope.DIFF, text="HEAD"), UsageError, "diff"),
        (Request(Scope.FILE, path="no/such.py"), UsageError, "does not exist"),
        (Request(Scope.FILE, path="processing"), UsageError, "is a folder"),
        (Request(Scope.FILE, path="../outside.py"), UsageError, "outside"),
        (Request(Scope.TASK, text="zyzzyva"), NothingFoundError, "Nothing"),
        (Request(Scope.COMPONENT, name="zyzzyva"), NothingFoundError, "zyzzyva"),
    ],
)
def test_a_bad_request_gets_one_sentence_and_a_hint(
    settings: Settings, request_: Request, error: type[UsageError], said: str
) -> None:
    with pytest.raises(error, match=said) as raised:
        run_pack(request_, settings)
    assert raised.value.hint


def test_search_gives_as_many_as_asked_and_none_where_nothing_matches(settings: Settings) -> None:
    found = search("retry", replace(settings, limit=3)).candidates
    assert len(found) == 3
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    assert search("zyzzyva", settings).candidates == ()


def test_the_index_is_shown_updated_and_cleared(settings: Settings) -> None:
    assert (index_status(settings).files, index_status(settings).is_fresh) == (0, False)
    made = rebuild_index(settings)
    assert made.files == sum(1 for path in settings.root.rglob("*") if path.is_file())
    assert made.chunks >= made.files
    assert made.is_fresh
    (settings.root / "new.py").write_text("x = 1\n")
    assert not index_status(settings).is_fresh
    assert (update_index(settings).files, index_status(settings).is_fresh) == (made.files + 1, True)
    assert clear_index(settings).files == 0
    assert not made.path.exists()


def test_without_a_cache_nothing_is_left_behind(settings: Settings) -> None:
    with_cache = run_pack(RUSSIAN, settings).text
    shutil.rmtree(settings.cache_dir)
    assert run_pack(RUSSIAN, replace(settings, use_cache=False)).text == with_cache
    assert not settings.cache_dir.exists()


def test_two_runs_give_the_same_bytes(demo: Path, tmp_path: Path) -> None:
    """Under two hash seeds, from two working directories, with a cold and a warm index."""
    outputs = set()
    for number, folder in enumerate((demo, tmp_path, demo / "docs")):
        environment = os.environ | {"PYTHONHASHSEED": str(number), "PYTHONPATH": str(PROJECT)}
        environment["CTXPACK_CACHE_DIR"] = str(tmp_path / f"cache{number % 2}")
        command = [sys.executable, "-m", "ctxpack", "task", RUSSIAN.text, "--root", str(demo), "-b", "3000"]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert outputs.pop().decode().startswith("# Context: ")
