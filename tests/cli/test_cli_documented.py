"""Every command of the README and of the pages is typed as it stands there, in a copy of the demo project."""

from __future__ import annotations

import json
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from ctxpack.cli.run import run
from tests.cli.conftest import Ctxpack

PROJECT = Path(__file__).parent.parent.parent
PAGES = sorted([PROJECT / "README.md", *(PROJECT / "docs").glob("*.md")])
NOT_TYPED = {
    "ctxpack mcp": "serves until its client leaves; see test_cli_mcp.py",
    "ctxpack serve": "stays until nothing is asked; see test_cli_serve.py",
    "ctxpack watch": "runs until it is interrupted; see test_cli_watching.py",
    "ctxpack preview": "shows a screen; see tests/unit/preview",
    "ctxpack index --embed": "fetches a model",
}
MODELS = {
    "llm": "The answer.", "claude": "The answer.", "codex": "The answer.", "aichat": "The answer.", "ollama": "1 2 3",
    "xclip": "",
}  # fmt: skip
"""Programs that the pages pass packs to, and what they print here."""


def commands_of(page: Path) -> list[str]:
    tokens = MarkdownIt().parse(page.read_text(encoding="utf-8"))
    blocks = [token.content for token in tokens if token.type == "fence" and token.info == "sh"]
    return [line for block in blocks for line in block.splitlines() if line.startswith("ctxpack ")]


WITH_COMMANDS = [page for page in PAGES if commands_of(page)]


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo project with a branch, uncommitted changes, what the pages read, and programs in place of models."""
    git(demo, "init", "-q", "-b", "main")
    git(demo, "add", "-A")
    git(demo, "commit", "-q", "-m", "Start")
    git(demo, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(demo, "checkout", "-q", "-b", "topic")
    for name, line in (("utils/backoff.py", "# later"), ("processing/queue.py", "# staged"), ("utils/log.py", "# new")):
        with (demo / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
        if name != "utils/log.py":
            git(demo, "add", name)
        if name == "utils/backoff.py":
            git(demo, "commit", "-q", "-m", "Wait longer between the retries of the backoff")
    for name, word in (("api", "old"), ("web", "new")):
        place = demo.parent / name
        place.mkdir()
        (place / "price.py").write_text(f"def {word}_price(page):\n    return page.retries\n", encoding="utf-8")
    turns = [{"role": ("user", "assistant")[at % 2], "content": f"Turn {at}: retries. " * 40} for at in range(12)]
    (demo / "chat.json").write_text(json.dumps(turns), encoding="utf-8")
    (demo / "house.md").write_text("Answer in one sentence.\n", encoding="utf-8")
    (demo / "issue.md").write_text("Uploads are counted twice after an outage.\n", encoding="utf-8")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, answer in MODELS.items():
        code = f"#!{sys.executable}\nimport sys\nsys.stdin.buffer.read()\nprint({answer!r})\n"
        (programs / name).write_text(code, encoding="utf-8")
        (programs / name).chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.chdir(demo)
    return demo


def prepare(words: list[str], project: Path) -> None:
    """Do what a page says in words before it shows a command."""
    if words[0] == "refresh":
        (project / "ctxpack.toml").write_text('[[context]]\npath = "AGENTS.md"\nbudget = "2k"\n', encoding="utf-8")
        assert run(["refresh", "-q"]) == 0
    elif words[0] == "init":
        (project / "ctxpack.toml").unlink(missing_ok=True)
    elif words[0] == "verify":
        roots = words[words.index("--root") :] if "--root" in words else []
        form = ["--format", "json"] if ".json" in words[1] else []
        assert run(["task", "retries", "-o", words[1], *form, *roots]) == 0
    elif words[:2] in (["memory", "show"], ["memory", "delete"]):
        chat = ["--format", "messages", "--history", "chat.json", "--session", words[2]]
        assert run(["task", "retries", *chat, "-b", "2k", "-q"]) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="the programs in place of models are scripts of Unix")
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=[page.stem for page in WITH_COMMANDS])
def test_every_command_of_a_page_does_what_it_says(
    page: Path, project: Path, ctxpack: Ctxpack, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in commands_of(page):
        typed, _, program = line.partition(" | ")
        if any(typed.startswith(each) for each in NOT_TYPED):
            continue
        words = shlex.split(typed, comments=True)[1:]
        prepare(words, project)
        if "<" in words:
            with (project / words.pop()).open(encoding="utf-8") as file:
                monkeypatch.setattr(sys, "stdin", file)
                outcome = ctxpack(*words[:-1])
        else:
            outcome = ctxpack(*words)
        assert (outcome.status, "Error" in outcome.err) == (0, False), f"{line}\n{outcome.err}"
        assert outcome.out or outcome.err, line
        if program:
            assert shlex.split(program)[0] in MODELS


def test_every_reason_not_to_type_a_command_holds_for_one() -> None:
    lines = [line for page in PAGES for line in commands_of(page)]
    assert len(lines) > 100
    assert all(any(line.startswith(each) for line in lines) for each in NOT_TYPED)
