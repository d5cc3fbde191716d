"""A disk that is full, folders that cannot be written, no home, a closed pipe: the right answer, or one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack

pytestmark = pytest.mark.usefixtures("warm_cache")
TASK = ("task", "where are uploads retried")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits there")


def run_limited(demo: Path, *more: str, before: str = "", env: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Run the task in a program of its own, after some Python."""
    code = f"import sys\n{before}\nfrom ctxpack.cli.run import run\nsys.exit(run(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *TASK, "--root", str(demo), *more]
    done = subprocess.run(command, capture_output=True, check=False, env=os.environ if env is None else env)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@POSIX
def test_a_full_disk_leaves_the_old_report(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("old")
    full = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    full += "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    status, out, err = run_limited(demo, "--no-cache", "-o", str(tmp_path / "report.md"), before=full)
    assert (status, out) == (4, "")
    assert err.startswith("Error: ")
    assert "Traceback" not in err
    assert (tmp_path / "report.md").read_text() == "old"
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".report")] == []


@POSIX
def test_a_full_disk_under_the_cache_is_one_sentence(demo: Path, tmp_path: Path) -> None:
    full = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    full += "resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))"
    env = {**os.environ, "CTXPACK_CACHE_DIR": str(tmp_path / "cache")}
    status, out, err = run_limited(demo, before=full, env=env)
    assert (status, out) == (4, "")
    assert err.startswith("Error: The index in ")
    assert "Hint: Set CTXPACK_CACHE_DIR to a folder you can write." in err
    assert "Traceback" not in err
    assert run_limited(demo, env=env)[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device there")
def test_a_full_disk_behind_standard_output_is_one_sentence(demo: Path) -> None:
    command = [sys.executable, "-m", "ctxpack", *TASK, "--root", str(demo)]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 4
    assert done.stderr.decode() == "Error: Standard output cannot be written: No space left on device.\n"


@POSIX
def test_without_a_home_and_a_cache_the_answer_is_the_same(ctxpack: Ctxpack, demo: Path) -> None:
    clean = ctxpack(*TASK, "--root", str(demo)).out
    bare = {name: value for name, value in os.environ.items() if name in {"PATH", "PYTHONPATH"}}
    assert run_limited(demo, "--no-cache", env=bare)[:2] == (0, clean)
    status, out, err = run_limited(demo, env={**bare, "CTXPACK_CACHE_DIR": "/dev/null/cache"})
    assert (status, out) == (0, clean)
    assert "cannot be written, so every run reads the whole repository again" in err


def test_an_index_that_was_cut_is_made_anew(ctxpack: Ctxpack, demo: Path) -> None:
    clean = ctxpack(*TASK, "--root", str(demo), "--explain").out
    for place in Path(os.environ["CTXPACK_CACHE_DIR"]).rglob("*"):
        if place.is_file():
            os.truncate(place, place.stat().st_size // 2)
    found = ctxpack(*TASK, "--root", str(demo))
    assert (found.status, found.out) == (0, clean)
    assert "rebuilt" in found.err
    assert "rebuilt" not in ctxpack(*TASK, "--root", str(demo)).err


@POSIX
def test_a_closed_pipe_is_no_error(demo: Path) -> None:
    ours, its = os.pipe()
    os.close(ours)
    command = [sys.executable, "-m", "ctxpack", *TASK, "--root", str(demo)]
    done = subprocess.run(command, stdout=its, stderr=subprocess.PIPE, check=False)
    os.close(its)
    assert done.returncode == 0
    assert b"Error" not in done.stderr
