"""Several roots in one request: one ranking and one budget, paths with labels, each root with its own commit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctxpack import Request, Scope, load, pack
from ctxpack.agents.handler import CallHandler
from ctxpack.render.read_back import ReadState, read_report
from tests.cli.conftest import Ctxpack
from tests.indexing import commit, git, write
from tests.serving import silent

API = {
    "app/retry.py": '"""Retries of uploads."""\n\n\ndef retry_upload(batch):\n    return send(batch, tries=3)\n',
    "README.md": "# Api\n\nIt takes uploads.\n",
}
WEB = {
    "src/upload.ts": "export function retryUpload(batch: Batch) {\n  return post('/uploads', batch);\n}\n",
    "src/paint.ts": "export const paint = 1;\n",
    "README.md": "# Web\n\nIt shows uploads.\n",
}
TASK = "retry the upload of a batch"


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Two repositories side by side, and what names both."""
    commit(tmp_path / "api", API, "Retry uploads")
    commit(tmp_path / "web", WEB, "Show uploads")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return "--root", "api=../api", "--root", "web=../web"


def listed(ctxpack: Ctxpack, *arguments: str) -> list[dict[str, Any]]:
    outcome = ctxpack("search", *arguments, "--format", "json")
    assert outcome.status == 0, outcome.err
    found: list[dict[str, Any]] = json.loads(outcome.out)["results"]
    return found


def test_a_report_has_both_roots_with_their_commits(ctxpack: Ctxpack, roots: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "web" / "src" / "paint.ts").write_text("export const paint = 2;\n")
    outcome = ctxpack("task", TASK, *roots)
    assert outcome.status == 0, outcome.err
    api, web = (git(tmp_path / name, "rev-parse", "HEAD") for name in ("api", "web"))
    assert f"- api (main at {api[:8]}) + web (main at {web[:8]}, with uncommitted changes); " in outcome.out
    assert "`api/app/retry.py:1-5`" in outcome.out
    assert "`web/src/upload.ts:1-3`" in outcome.out
    document = json.loads(ctxpack("task", TASK, *roots, "--format", "json").out)
    states = [(each["label"], each["commit"], each["dirty"]) for each in document["repository"]["roots"]]
    assert states == [("api", api[:12], False), ("web", web[:12], True)]
    assert document["tokens"]["used"] <= document["tokens"]["budget"]


def test_it_ranks_as_if_the_roots_were_folders_of_one_repository(
    ctxpack: Ctxpack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "all" / "api", API)
    write(tmp_path / "all" / "web", WEB)
    monkeypatch.chdir(tmp_path)
    one = listed(ctxpack, TASK, "--root", "all")
    several = listed(ctxpack, TASK, "--root", "api=all/api", "--root", "web=all/web")
    assert several == one
    assert {each["path"].partition("/")[0] for each in one} == {"api", "web"}


@pytest.mark.parametrize(
    "form", ["html", "markdown", "markdown-compact", "markdown-narrative", "messages", "xml", "json", "plain"]
)
def test_a_report_in_any_format_can_be_verified(
    ctxpack: Ctxpack, roots: tuple[str, ...], tmp_path: Path, form: str
) -> None:
    report = tmp_path / "report"
    assert ctxpack("task", TASK, *roots, "--format", form, "-o", str(report)).status == 0
    commits = {name: git(tmp_path / name, "rev-parse", "HEAD") for name in ("api", "web")}
    read = read_report(report.read_bytes())
    assert {label: state.is_dirty for label, state in read.roots.items()} == {"api": False, "web": False}
    assert all(commits[label].startswith(state.commit) for label, state in read.roots.items())
    assert read.state("api/app/retry.py") == read.roots["api"]
    assert ctxpack("verify", str(report), *roots).status == 0
    (tmp_path / "web" / "src" / "upload.ts").write_text("export const nothing = 1;\n")
    outcome = ctxpack("verify", str(report), *roots)
    assert outcome.status == 1
    assert "web/src/upload.ts" in outcome.out
    assert "api/" not in outcome.out
    assert ctxpack("verify", "--update", str(report), *roots).status == 0
    assert ctxpack("verify", str(report), *roots).status == 0
    assert read_report(report.read_bytes()).roots["web"].is_dirty


def test_a_hand_that_edits_a_piece_is_seen_by_the_commit_of_its_root(
    ctxpack: Ctxpack, roots: tuple[str, ...], tmp_path: Path
) -> None:
    report = tmp_path / "report.md"
    assert ctxpack("task", TASK, *roots, "-o", str(report)).status == 0
    report.write_text(report.read_text().replace("tries=3", "tries=9"))
    assert "edited" in ctxpack("verify", str(report), *roots).out


def test_the_states_of_a_head_are_read_label_by_label() -> None:
    web = "https://x.org/web, odd) name at 9e8d7c6b, with uncommitted changes"
    head = f"a-b (main at 3f2a1bc4) + web ({web}) + x (not under git)"
    counts = "1 file in 1 piece, of 2 searched; 5 of 90 tokens (o200k_base); best files first"
    report = f"# Context: x\n\n- {head}; {counts}\n"
    read = read_report(report.encode())
    assert read.roots == {
        "a-b": ReadState("3f2a1bc4"), "web": ReadState("9e8d7c6b", is_dirty=True), "x": ReadState(),
    }  # fmt: skip


def test_each_root_says_which_of_its_files_count(ctxpack: Ctxpack, roots: tuple[str, ...], tmp_path: Path) -> None:
    commit(tmp_path / "web", {"ctxpack.toml": 'exclude = ["src/upload.ts"]\nbudget = "300"\n', ".gitignore": "x\n"})
    assert {each["path"] for each in listed(ctxpack, TASK, *roots)} >= {"api/app/retry.py"}
    assert not [each for each in listed(ctxpack, TASK, *roots) if each["path"] == "web/src/upload.ts"]
    assert json.loads(ctxpack("task", TASK, *roots, "--format", "json").out)["tokens"]["budget"] == 8_000
    only = listed(ctxpack, "retry", *roots, "--include", "api/app")
    assert {each["path"] for each in only} == {"api/app/retry.py"}
    assert not [each for each in listed(ctxpack, TASK, *roots, "--exclude", "api/") if each["path"].startswith("api")]


@pytest.mark.usefixtures("roots")
def test_a_list_of_files_names_them_from_anywhere(program: Ctxpack, tmp_path: Path) -> None:
    there = tmp_path / "web"
    words = ("task", TASK, "--root", "api=../api", "--root", "web=.", "--stdin", "--dry-run")
    outcome = program(*words, stdin=b"src/upload.ts\n", folder=there)
    assert outcome.status == 0, outcome.err
    assert "web/src/upload.ts" in outcome.out
    assert "api/" not in outcome.out
    assert "1 file" in outcome.out


def test_a_file_is_named_by_its_label_or_its_place(ctxpack: Ctxpack, roots: tuple[str, ...]) -> None:
    by_label = ctxpack("file", "api/app/retry.py", *roots)
    assert by_label.status == 0, by_label.err
    assert ctxpack("file", "../api/app/retry.py", *roots).out == by_label.out
    assert "web/src/paint.ts is not in the pack" in ctxpack("why-not", "web/src/paint.ts", TASK, *roots).out
    missed = ctxpack("file", "web/app/upload.ts", *roots)
    assert "There is no file web/app/upload.ts in api=" in missed.err
    assert "Did you mean web/src/upload.ts?" in missed.err
    assert "outside" in ctxpack("file", "../here/x.py", *roots).err
    required = ctxpack("task", TASK, *roots, "--require", "web/src/paint.ts:1", "--dry-run")
    assert "web/src/paint.ts:1-1" in required.out, required.err


def test_labels_come_from_folders_and_are_asked_for_where_they_clash(
    ctxpack: Ctxpack, roots: tuple[str, ...], tmp_path: Path
) -> None:
    assert {each["path"] for each in listed(ctxpack, TASK, "--root", "../api", "--root", "../web")} == {
        each["path"] for each in listed(ctxpack, TASK, *roots)
    }
    (tmp_path / "old").mkdir()
    git(tmp_path, "clone", "-q", "api", "old/api")
    clash = ctxpack("task", TASK, "--root", "../api", "--root", "../old/api")
    assert clash.status == 2
    assert "Two roots have the label api." in clash.err
    assert "There is no folder" in ctxpack("task", TASK, "--root", "api=../nowhere", "--root", "web=../web").err


def test_one_root_within_another_is_read_once(
    ctxpack: Ctxpack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "all", {f"web/{path}": text for path, text in WEB.items()} | API)
    monkeypatch.chdir(tmp_path)
    found = [each["path"] for each in listed(ctxpack, TASK, "--root", "app=all", "--root", "web=all/web")]
    assert "web/src/upload.ts" in found
    assert not [path for path in found if path.startswith("app/web/")]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("diff",), "A diff is about one repository, not api and web together."),
        (("eval",), "An evaluation is about one repository, not api and web together."),
        (("init",), "This command writes into one repository, not api and web together."),
    ],
)
def test_what_is_about_one_repository_says_so(
    ctxpack: Ctxpack, roots: tuple[str, ...], words: tuple[str, ...], sentence: str
) -> None:
    outcome = ctxpack(*words, *roots)
    assert outcome.status == 2
    assert sentence in outcome.err


# --- the table of a configuration -----------------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path, roots: tuple[str, ...]) -> Path:
    """The folder of both, which says so."""
    assert roots
    write(tmp_path, {"ctxpack.toml": 'budget = "2k"\n[workspace]\nserver = "api"\npage = "web"\n'})
    return tmp_path


def test_a_folder_says_which_roots_belong_together(
    ctxpack: Ctxpack, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop)
    document = json.loads(ctxpack("task", TASK, "--format", "json").out)
    assert document["tokens"]["budget"] == 2_000
    assert {each["path"].partition("/")[0] for each in document["fragments"]} == {"server", "page"}
    assert "is in order" in ctxpack("config", "check").out
    assert ctxpack("init", "--agent", "codex", "--dry-run").status == 0


def test_a_repository_leads_nowhere_outside_but_a_named_file_may(
    ctxpack: Ctxpack, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(shop / "api", {"ctxpack.toml": '[workspace]\nserver = "."\npage = "../web"\n'})
    monkeypatch.chdir(shop / "api")
    refused = ctxpack("task", TASK)
    assert refused.status == 2
    assert "The root page of [workspace] leads outside the repository: ../web." in refused.err
    assert "--root page=../web" in refused.err
    assert ctxpack("task", TASK, "--config", "ctxpack.toml").status == 0
    write(shop / "api", {"ctxpack.toml": '[workspace]\n"no/label" = "."\n'})
    assert "'no/label' is no such label" in ctxpack("task", TASK).err
    write(shop / "api", {"ctxpack.toml": '[workspace]\nserver = "gone"\n'})
    assert "which [workspace] calls server" in ctxpack("task", TASK).err


def test_agents_get_both_roots_and_read_on_by_label(shop: Path) -> None:
    desk = CallHandler([shop.resolve()])
    commits = {name: git(shop / name, "rev-parse", "HEAD")[:12] for name in ("api", "web")}
    packed = desk.answer("pack_context", {"task": TASK}, silent)
    assert packed.data["repository"] == f"page at {commits['web']} + server at {commits['api']}"
    assert "server/app/retry.py" in packed.text
    found = desk.answer("search_code", {"query": "retry"}, silent)
    assert found.data["repository"] == packed.data["repository"]
    read = desk.answer("read_chunk", {"path": "page/src/upload.ts"}, silent)
    assert "retryUpload" in read.text
    assert desk.answer("read_chunk", {"path": str(shop / "web" / "src" / "upload.ts")}, silent).text == read.text
    why = desk.answer("why_not", {"path": "page/src/paint.ts", "task": TASK}, silent)
    assert why.data["path"] == "page/src/paint.ts"


@pytest.mark.usefixtures("roots")
def test_python_names_the_roots_by_their_labels(tmp_path: Path) -> None:
    settings = load({"api": tmp_path / "api", "web": "../web"}, {"budget": "2k"})
    made = pack(Request(Scope.TASK, text=TASK), settings)
    assert {each.provenance.path.partition("/")[0] for each in made.pack.selection.fragments} == {"api", "web"}
    assert pack(Request(Scope.TASK, text=TASK), settings).is_kept
    write(tmp_path / "web", {"src/upload.ts": WEB["src/upload.ts"] + "// batch upload retry\n"})
    assert not pack(Request(Scope.TASK, text=TASK), settings).is_kept
