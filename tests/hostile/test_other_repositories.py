"""Repositories that are fetched by their address: nothing of them runs, nobody is asked, and git comes to an end."""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.conftest import Ctxpack
from tests.hostile.conftest import SECRET, Trap
from tests.indexing import commit, git


def clone_of(trap: Trap) -> Path:
    """The work tree of the only clone."""
    (tree,) = (Path(os.environ["CTXPACK_CACHE_DIR"]) / "clones").glob("*/repository")
    assert not trap.has_run()
    return tree


def test_no_hook_filter_or_monitor_runs_while_a_repository_is_fetched(
    ctxpack: Ctxpack, root: Path, trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(root, {".gitattributes": "* filter=x diff=x\n", ".lfsconfig": "[lfs]\n\turl = https://example.org\n"})
    templates = tmp_path / "templates" / "hooks"
    templates.mkdir(parents=True)
    for name in ("post-checkout", "post-index-change", "reference-transaction", "post-merge"):
        (templates / name).symlink_to(trap.path)
    mine = tmp_path / "gitconfig"
    mine.write_text(
        f"[init]\n\ttemplateDir = {templates.parent}\n[core]\n\tfsmonitor = {trap.line}\n\thooksPath = {templates}\n"
        f'[filter "x"]\n\tsmudge = {trap.line}\n\tclean = {trap.line}\n\trequired = true\n'
        f'[diff "x"]\n\ttextconv = {trap.line}\n\tcommand = {trap.line}\n'
    )  # fmt: skip
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(mine))
    for command in (("task", "retry the upload"), ("diff", "HEAD~1..HEAD")):
        outcome = ctxpack(*command, "--root", f"file://{root}")
        assert outcome.status == 0, outcome.err
    hooks = clone_of(trap) / ".git" / "hooks"
    assert not hooks.exists() or not list(hooks.iterdir())


def test_no_submodule_is_fetched(ctxpack: Ctxpack, root: Path, trap: Trap) -> None:
    inside = commit(root, {})
    modules = f'[submodule "x"]\n\tpath = x\n\turl = ext::{trap.line}\n[submodule "y"]\n\tpath = y\n\turl = {root}\n'
    commit(root, {".gitmodules": modules})
    for name in ("x", "y"):
        git(root, "update-index", "--add", "--cacheinfo", f"160000,{inside},{name}")
    git(root, "commit", "-q", "-m", "Add modules")
    assert ctxpack("task", "retry", "--root", f"file://{root}").status == 0
    tree = clone_of(trap)
    assert not list((tree / "y").iterdir())
    assert not (tree / ".git" / "modules").exists()


def test_links_in_a_fetched_repository_lead_nowhere(ctxpack: Ctxpack, root: Path, trap: Trap, outside: Path) -> None:
    (root / "retry.md").symlink_to(outside / "retry.md")
    (root / "more").symlink_to(outside)
    commit(root, {})
    outcome = ctxpack("task", "retry the upload notes", "--root", f"file://{root}")
    assert outcome.status == 0, outcome.err
    assert SECRET not in outcome.out
    tree = clone_of(trap)
    assert not (tree / "retry.md").is_symlink()
    assert not (tree / "more").is_dir()
    assert ctxpack("file", "more/retry.md", "--root", f"file://{root}").status == 2


def test_the_configuration_of_a_fetched_repository_decides_nothing(ctxpack: Ctxpack, root: Path, trap: Trap) -> None:
    commit(root, {"ctxpack.toml": f'use_redaction = false\nbudget = "300"\nllm = "{trap.line}"\n', "k.py": KEY})
    outcome = ctxpack("task", "the api key of the upload", "--root", f"file://{root}")
    assert outcome.status == 0, outcome.err
    assert "of 8,000 tokens" in outcome.out
    assert "[REDACTED" in outcome.out
    clone_of(trap)


KEY = 'upload_api_key = "AKIA' + 'Q3EGRTYU7ZPLMN2X"\n'


@pytest.mark.parametrize(
    "address",
    [
        "ext::sh -c touch% {mark}", "ext:/sh -c touch {mark}", "fd::17", "git://127.0.0.1/x", "http://127.0.0.1/x",
        "https://-oProxyCommand=touch {mark}/x", "ssh://-oProxyCommand=touch%20{mark}/x", "-oProxyCommand=x@y:z",
        "file:///x@--upload-pack=touch {mark}", "--upload-pack=touch {mark}", "https://me:geheim@127.0.0.1/x",
    ],
)  # fmt: skip
def test_addresses_that_are_options_programs_or_passwords_are_refused(
    ctxpack: Ctxpack, trap: Trap, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = ctxpack("task", "retry", f"--root={address.replace('{mark}', str(trap.mark))}")
    assert outcome.status == 2
    assert "Fetching" not in outcome.err
    assert "geheim" not in outcome.err
    assert not trap.has_run()


class _Locked(BaseHTTPRequestHandler):
    """A server that wants a password for everything."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="x"')
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that it has there
        """Say nothing."""


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[str]:
    """The address of a repository that needs a password, served by TLS."""
    if not shutil.which("openssl"):
        pytest.skip("needs openssl, which makes a certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2")
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Locked)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://localhost:{server.server_address[1]}/a/b"
    server.shutdown()
    server.server_close()


def test_nobody_is_asked_for_a_password(
    ctxpack: Ctxpack, locked: str, trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "gitconfig"
    mine.write_text(f"[core]\n\taskPass = {trap.line}\n[http]\n\tsslVerify = false\n")
    for name, value in (("GIT_CONFIG_GLOBAL", mine), ("GIT_ASKPASS", trap.path), ("SSH_ASKPASS", trap.path)):
        monkeypatch.setenv(name, str(value))
    outcome = ctxpack("task", "retry", "--root", locked)
    assert (outcome.status, outcome.out) == (4, "")
    assert "could not read Username" in outcome.err
    assert "asks for no password" in outcome.err
    assert not trap.has_run()


@pytest.mark.skipif(sys.platform == "win32", reason="the program that hangs is a script of Unix")
def test_a_server_that_never_answers_is_given_up_with_all_that_was_started(
    ctxpack: Ctxpack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = tmp_path / "number"
    sleeper = tmp_path / "sleeper.sh"
    sleeper.write_text(f"#!/bin/sh\necho $$ > '{number}'\nsleep 600 &\nwait\n")
    sleeper.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(sleeper))
    monkeypatch.setenv("CTXPACK_REMOTE_TIMEOUT", "2")
    outcome = ctxpack("task", "retry", "--root", "ssh://git@example.org/a/b")
    assert outcome.status == 4
    assert "was not fetched within 2 s." in outcome.err
    process = int(number.read_text())
    until = time.monotonic() + 10
    while time.monotonic() < until and _runs(process):
        time.sleep(0.05)
    assert not _runs(process)
    assert not list((Path(os.environ["CTXPACK_CACHE_DIR"]) / "clones").iterdir())


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
