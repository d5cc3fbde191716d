"""Outside parts that fail: how often they are asked, and what the user is told."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.conftest import Ctxpack
from tests.commanding import command_of

ASKED = ("search", "retry", "upload", "--format", "json")
COUNTED = "open({place!r}, 'a').write('x')\nif os.path.exists({broken!r}): sys.exit(3)\n"


def asked_so_often(place: Path) -> int:
    return len(place.read_text(encoding="utf-8"))


def test_a_reranking_command_that_fails_is_left_alone_after_three_times(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path
) -> None:
    place, broken = tmp_path / "asked", tmp_path / "broken"
    broken.touch()
    code = COUNTED.format(place=str(place), broken=str(broken)) + "print('[1]')"
    flags = ("--root", str(demo), "--rerank", command_of(tmp_path, code))
    errors = [ctxpack(*ASKED, *flags).err for _ in range(4)]
    assert asked_so_often(place) == 3
    assert all(error.startswith("Note: Not reranked, the order is that of the built-in ranking: ") for error in errors)
    assert "failed 3 times in a row and is not used for 15 s." in errors[3]
    assert ctxpack(*ASKED, *flags, "--no-cache").err
    assert asked_so_often(place) == 4


def test_one_that_works_again_is_asked_for_less_once(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    place, broken = tmp_path / "asked", tmp_path / "broken"
    broken.touch()
    code = COUNTED.format(place=str(place), broken=str(broken)) + (
        "print(sorted(map(int, re.findall(r'^\\[(\\d+)\\] ', prompt, re.M)))[::-1])"
    )
    flags = ("--root", str(demo), "--rerank", command_of(tmp_path, code))
    ctxpack(*ASKED, *flags)
    broken.unlink()
    degraded = ctxpack(*ASKED, *flags)
    assert degraded.err == (
        "Note: The reranking command " + Path(sys.executable).name + " failed last time, so it gets less work.\n"
    )
    moved = [each for each in json.loads(degraded.out)["results"] if "rerank" in each["evidence"]]
    assert len(moved) == 11
    assert ctxpack(*ASKED, *flags).err == ""


def test_a_program_that_gathers_is_left_alone_too(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    place, broken = tmp_path / "asked", tmp_path / "broken"
    broken.touch()
    command = command_of(tmp_path, COUNTED.format(place=str(place), broken=str(broken)))
    (demo / "ctxpack.toml").write_text(
        f"circuit_failures = 2\n[[strategy]]\nid = 'tickets'\ncommand = '{command}'\n", encoding="utf-8"
    )
    asked = ("task", "fix the retry bug", "--root", str(demo), "--allow-commands")
    errors = [ctxpack(*asked).err for _ in range(3)]
    assert asked_so_often(place) == 2
    assert "Note: The strategy tickets was skipped: The program " in errors[2]
    assert "failed 2 times in a row and is not used for 15 s." in errors[2]


class Refusing(BaseHTTPRequestHandler):
    """A service that refuses everything, and counts how often it was asked."""

    asked = 0

    def do_POST(self) -> None:
        type(self).asked += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_error(400)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_an_embedding_service_that_fails_is_left_alone_after_three_times(
    ctxpack: Ctxpack, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Refusing.asked = 0
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("CTXPACK_EMBEDDER", "http")
        monkeypatch.setenv("CTXPACK_EMBEDDING_URL", f"http://127.0.0.1:{server.server_port}/v1")
        asked = ("search", "how are uploads retried", "--semantic", "--root", str(demo))
        errors = [ctxpack(*asked).err for _ in range(4)]
        server.shutdown()
    assert Refusing.asked == 3
    assert all(error.startswith("Note: Ranked by words alone. ") for error in errors)
    assert "The embedding service 127.0.0.1 failed 3 times in a row and is not used for 15 s." in errors[3]
