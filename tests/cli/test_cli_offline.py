"""No command uses a network unless an option asks for a service: watched from within, and where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import PROJECT

pytestmark = pytest.mark.usefixtures("warm_cache")

# Python runs it at start-up, in every child process too: what asks for a network is noted, and refused.
WATCHER = """
import os, sys

def watch(event, arguments):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")) and event != "socket.__new__":
        with open(os.environ["NETWORK_LOG"], "a", encoding="utf-8") as log:
            log.write(f"{event}\\n")
        raise PermissionError("no network")

sys.addaudithook(watch)
"""
TASK = ("task", "where are retries delayed")
COMMANDS = (
    TASK, (*TASK, "--format", "messages", "--session", "offline"), (*TASK, "--model", "gpt-5"),
    (*TASK, "--model", "claude-opus-4-5", "--stats", "--explain"), ("file", "processing/uploader.py"),
    ("component", "analytics"), ("diff",), ("search", "retry delay"), ("why-not", "docs/README.MD", "retry delay"),
    ("index", "--rebuild"), ("strategies",), ("profiles",), ("doctor",), ("refresh",), ("memory", "list"),
    ("eval", "--commits", "1"), ("verify", "report.md"), ("--version",), ("--help",),
    ("ask", "where are retries delayed", "--llm", f'"{sys.executable}" -c "print(1)"'),
)  # fmt: skip


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo under git, with a change, a report and a file to keep."""
    demo = Path(shutil.copytree(PROJECT / "fixtures" / "demo", tmp_path_factory.mktemp("pattern") / "demo"))
    (demo / "ctxpack.toml").write_text('[[context]]\npath = "NOTES.md"\nrequest = "retry delay"\n', encoding="utf-8")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "Start")):
        subprocess.run(["git", *words], cwd=demo, check=True)
    backoff = demo / "utils" / "backoff.py"
    backoff.write_text(backoff.read_text(encoding="utf-8").replace("= 30.0", "= 45.0"), encoding="utf-8")
    subprocess.run(["git", "add", "-A"], cwd=demo, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "Wait longer before a retry: LONGEST_DELAY"], cwd=demo, check=True)
    backoff.write_text(backoff.read_text(encoding="utf-8").replace("= 45.0", "= 60.0"), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ctxpack", *TASK, "-q", "-o", "report.md"], cwd=demo, check=True)
    return demo


@pytest.fixture
def project(pattern: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(pattern, tmp_path / "demo"))


def watched(tmp_path: Path) -> tuple[Mapping[str, str], Path]:
    """An environment in which every use of a network is noted in a file and refused."""
    folder, log = tmp_path / "watcher", tmp_path / "network.log"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WATCHER, encoding="utf-8")
    paths = os.pathsep.join([str(folder), os.environ["PYTHONPATH"]])
    return {**os.environ, "PYTHONPATH": paths, "NETWORK_LOG": str(log)}, log


def said(words: tuple[str, ...], folder: Path, env: Mapping[str, str] | None = None, *before: str) -> tuple[int, bytes]:
    """The status and the output of a command."""
    command = [*before, sys.executable, "-m", "ctxpack", *words]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_asks_for_a_network(words: tuple[str, ...], project: Path, tmp_path: Path) -> None:
    env, log = watched(tmp_path)
    status, _ = said(words, project, env)
    assert status == 0
    assert not log.exists()


def test_a_service_that_was_asked_for_is_seen(project: Path, tmp_path: Path) -> None:
    env, log = watched(tmp_path)
    service = {
        "CTXPACK_EMBEDDER": "http",
        "CTXPACK_EMBEDDING_URL": "http://localhost:9/v1",
        "CTXPACK_EMBEDDING_MODEL": "m",
    }
    status, text = said((*TASK, "--semantic"), project, {**env, **service})
    assert status == 0
    assert b"uploader" in text  # by words alone
    assert "socket.connect" in log.read_text(encoding="utf-8") or "urllib" in log.read_text(encoding="utf-8")


def has_namespaces() -> bool:
    unshare = shutil.which("unshare")
    return (
        bool(unshare)
        and subprocess.run([str(unshare), "-rn", "true"], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.skipif(not has_namespaces(), reason="needs namespaces of Linux that a user may make")
@pytest.mark.parametrize("words", [TASK, ("search", "retry delay"), ("diff",), ("verify", "report.md")], ids=" ".join)
def test_without_a_network_the_answer_is_the_same(words: tuple[str, ...], project: Path) -> None:
    cold = ("--no-cache",) if words[0] != "verify" else ()
    alone = said((*words, *cold), project, None, "unshare", "-rn")
    assert alone == said((*words, *cold), project)
    assert alone[0] == 0
