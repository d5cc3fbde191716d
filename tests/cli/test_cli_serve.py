"""``ctxpack serve``: commands that another process runs leave the same bytes, and run here where none can."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from ctxpack.cli.resident import SERVED, VARIABLE, process_key, socket_place
from tests.indexing import commit

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can run the commands of another"),
    pytest.mark.usefixtures("warm_cache"),
]

SECONDS = 60  # that a busy machine may take
FILES = {
    "uploader.py": "def retry_upload(attempt):\n    return delay(attempt)\n",
    "README.md": "# Shop\n\nIt uploads.\n",
    **{f"{name}.py": f"def {name}(order):\n    return order.{name}\n" for name in ("paint", "price", "queue", "stock")},
}
INDEX = re.compile(r"/index/[^/]+/")
Outcome = tuple[int, bytes, bytes]


@dataclass(frozen=True)
class House:
    """A repository, and a folder for sockets in which a resident process may run."""

    repository: Path
    sockets: Path

    def env(self, **more: str) -> dict[str, str]:
        return {**os.environ, "XDG_RUNTIME_DIR": str(self.sockets), **more}

    def run(self, *arguments: str, folder: Path | None = None, **more: str) -> Outcome:
        command = [sys.executable, "-m", "ctxpack", *arguments]
        where = folder or self.repository
        done = subprocess.run(
            command, cwd=where, env=self.env(**more), capture_output=True, stdin=subprocess.DEVNULL, check=False
        )
        return done.returncode, done.stdout, done.stderr

    def run_alone(self, *arguments: str, folder: Path | None = None, **more: str) -> Outcome:
        return self.run(*arguments, folder=folder, **{**more, VARIABLE: "off"})

    @property
    def socket(self) -> Path:
        found = [path for path in (self.sockets / "ctxpack").iterdir() if not path.suffix]
        assert len(found) == 1
        return found[0]

    def has_socket(self) -> bool:
        folder = self.sockets / "ctxpack"
        return folder.exists() and any(not path.suffix for path in folder.iterdir())

    def was_asked(self, *arguments: str, **more: str) -> bool:
        """Whether a command was run by the other process: then this one loads nothing that runs it."""
        command = [sys.executable, "-X", "importtime", "-m", "ctxpack", *arguments]
        done = subprocess.run(command, cwd=self.repository, env=self.env(**more), capture_output=True, check=False)
        assert b"ctxpack.cli.resident" in done.stderr
        return b"ctxpack.cli.run" not in done.stderr


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    commit(tmp_path / "shop", FILES)
    sockets = Path(tempfile.mkdtemp(prefix="ctx"))  # the path of a socket is short
    yield House(tmp_path / "shop", sockets)
    shutil.rmtree(sockets)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in which a resident process runs, for tests that leave both as they were."""
    shop = tmp_path_factory.mktemp("shared") / "shop"
    commit(shop, FILES)
    sockets = Path(tempfile.mkdtemp(prefix="ctx"))
    made = House(shop, sockets)
    with serving(made):
        yield made
    shutil.rmtree(sockets)


@pytest.fixture
def served(house: House) -> Iterator[House]:
    """A house in which a resident process runs."""
    with serving(house):
        yield house


class serving:  # noqa: N801 - used as a function
    """Run a resident process until the block ends; ``process`` is its supervisor."""

    def __init__(self, house: House, *arguments: str, **more: str) -> None:
        self._house = house
        command = [sys.executable, "-m", "ctxpack", "serve", *arguments]
        self.process = subprocess.Popen(command, env=house.env(**more), stderr=subprocess.DEVNULL)

    def __enter__(self) -> subprocess.Popen[bytes]:
        wait_until(lambda: self._house.has_socket() or self.process.poll() is not None)
        wait_until(lambda: self._house.was_asked("search", "retry", "-q") or self.process.poll() is not None)
        return self.process

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(SECONDS)


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize(
    "arguments",
    [
        ("task", "fix the retry"),
        ("task", "fix the retry", "--no-cache", "--format", "json", "--explain"),
        ("task", "fix the retry", "--dry-run"),
        ("task", "fix the retry", "-b", "1"),
        ("task", "fix", "the", "retry", "--root", "..", "-q"),
        ("task", "zebra crossing"),
        ("task", "fix the retry", "--include", "*.md"),
        ("task", "fix the retry", "--output", "/nowhere/report.md"),
        ("file", "uploader.py", "--line", "3"),
        ("file", "no-such.py"),
        ("component", "uploader"),
        ("diff", "HEAD"),
        ("diff", "nowhere"),
        ("why-not", "README.md", "fix the retry"),
        ("search", "retry"),
        ("search", "retry", "--format", "json"),
        ("search", "retry", "--format", "xml"),
        ("task", "fix the retry", "--bogus"),
        ("task",),
        ("index", "--status"),
        ("--version",),
    ],
)
def test_every_command_leaves_the_same_bytes(shared: House, arguments: tuple[str, ...]) -> None:
    alone = shared.run_alone(*arguments)
    assert shared.run(*arguments) == alone
    assert shared.run(*arguments) == alone


def test_a_plain_command_is_run_by_the_other_process_and_others_are_not(shared: House) -> None:
    wait_until(lambda: shared.was_asked("task", "fix the retry"))
    wait_until(lambda: shared.was_asked("search", "retry", "--format=json"))
    wait_until(lambda: shared.was_asked("file", "uploader.py"))
    wait_until(lambda: shared.was_asked("diff", "--staged"))
    assert not shared.was_asked("task", "fix the retry", CTXPACK_SERVE="off")
    assert not shared.was_asked("task", "--help")
    assert not shared.was_asked("task", "-")
    assert not shared.was_asked("task", "retry", "--bogus")
    assert not shared.was_asked("task", "retry", "--root", "owner/name")
    assert not shared.was_asked("doctor")


def test_the_folder_the_variables_and_the_mask_are_those_of_who_asks(shared: House, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "note.md").write_text("# Retry\n\nA retry.\n", encoding="utf-8")
    for folder, variables in (
        (tmp_path / "elsewhere", {}),
        (shared.repository, {"CTXPACK_BUDGET": "300"}),
        (shared.repository, {"CTXPACK_BUDGET": "wrong"}),
        (shared.repository, {}),
    ):
        alone = shared.run_alone("task", "fix the retry", folder=folder, **variables)
        assert shared.run("task", "fix the retry", folder=folder, **variables) == alone
    before = os.umask(0o027)
    try:
        assert shared.run("task", "retry", "-o", str(tmp_path / "made.md"))[0] == 0
    finally:
        os.umask(before)
    assert (tmp_path / "made.md").stat().st_mode & 0o777 == 0o640


def test_what_was_edited_is_seen(served: House) -> None:
    assert b"brand_new" not in served.run("task", "fix the retry")[1]
    for number in range(3):
        (served.repository / "uploader.py").write_text(f"def retry_upload():\n    return brand_new_{number}\n", "utf-8")
        assert served.run("task", "fix the retry") == served.run_alone("task", "fix the retry")
        assert f"brand_new_{number}".encode() in served.run("task", "fix the retry")[1]


def test_two_clients_at_once_get_their_own_answers(shared: House) -> None:
    command = [sys.executable, "-m", "ctxpack"]
    asked = [("task", f"fix the retry {number}", "--no-cache") for number in range(4)]
    running = [
        subprocess.Popen([*command, *each], cwd=shared.repository, env=shared.env(), stdout=subprocess.PIPE)
        for each in asked
    ]
    answers = [each.communicate(timeout=SECONDS)[0] for each in running]
    assert answers == [shared.run_alone(*each)[1] for each in asked]


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not show the files of a process")
def test_commands_go_to_the_process_that_has_the_index_open(house: House) -> None:
    with serving(house) as process:
        for number in range(4):
            assert house.run("task", f"fix the retry {number}", "-q")[0] == 0
        workers = [each for each in Path("/proc").glob("[0-9]*") if parent_of(each) == process.pid]
        assert len(workers) > 1
        assert sum(has_index_open(each) for each in workers) == 1


def parent_of(process: Path) -> int:
    with suppress(OSError):  # it ended
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    return 0


def has_index_open(process: Path) -> bool:
    return any(INDEX.search(str(each.readlink())) for each in (process / "fd").iterdir())


def test_a_terminal_is_known_as_one(shared: House) -> None:
    """With colours on a terminal, unless they are switched off."""
    assert shared.run("task", "fix the retry")[0] == 0  # a first run says more
    for more in ({}, {"NO_COLOR": "1"}):
        assert on_terminal(shared, more) == on_terminal(shared, {**more, VARIABLE: "off"})
    assert b"\x1b[1m" in on_terminal(shared, {"TERM": "xterm"})


def on_terminal(house: House, more: dict[str, str]) -> bytes:
    """What a command writes on a terminal."""
    import pty  # which not every system has

    ours, its = pty.openpty()
    command = [sys.executable, "-m", "ctxpack", "task", "fix the retry"]
    done = subprocess.Popen(
        command, cwd=house.repository, env=house.env(**more), stdin=its, stdout=its, stderr=its, start_new_session=True
    )
    os.close(its)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65_536)
        except OSError:  # as Linux tells that the other end is closed
            part = b""
        if not part:
            break
        seen += part
    os.close(ours)
    assert done.wait(SECONDS) == 0
    return seen


def test_a_reader_that_leaves_is_no_error(shared: House) -> None:
    for variable in ("", "off"):
        command = f'"{sys.executable}" -m ctxpack task "fix the retry" | head -c 5; echo "${{PIPESTATUS[0]}}"'
        done = subprocess.run(
            ["bash", "-c", command], cwd=shared.repository, env=shared.env(CTXPACK_SERVE=variable), capture_output=True,
            check=False,
        )  # fmt: skip
        assert done.stdout.split() == [b"#", b"Con0"]
    assert shared.run("task", "fix the retry") == shared.run_alone("task", "fix the retry")


def test_a_killed_process_is_replaced_by_running_here(house: House) -> None:
    with serving(house) as process:
        os.kill(process.pid, signal.SIGKILL)
        process.wait(SECONDS)
        assert house.socket.exists()
        wait_until(lambda: not house.was_asked("task", "fix the retry"))
        assert house.run("task", "fix the retry") == house.run_alone("task", "fix the retry")
    with serving(house):
        wait_until(lambda: house.was_asked("task", "fix the retry"))


@pytest.mark.parametrize("answer", [b"", b"A", b"X", None])
def test_whoever_else_listens_is_left_alone(
    house: House, monkeypatch: pytest.MonkeyPatch, answer: bytes | None
) -> None:
    """It closes, accepts and closes, speaks otherwise, or says nothing at all."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(house.sockets))
    place = place_of(house)
    place.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        place.chmod(0o600)
        listener.listen()
        command = [sys.executable, "-m", "ctxpack", "task", "fix the retry"]
        running = subprocess.Popen(
            command, cwd=house.repository, env=house.env(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        connection, _ = listener.accept()
        if answer is not None:
            connection.recv(4)
            connection.sendall(answer)
            connection.close()
        out, err = running.communicate(timeout=SECONDS)
        connection.close()
    assert (running.returncode, out, err) == house.run_alone("task", "fix the retry")


def place_of(house: House) -> Path:
    """Where the socket of processes such as those of these tests is."""
    code = "from ctxpack.cli.resident import socket_place; print(socket_place())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=house.env(), cwd=house.repository, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return Path(done.stdout.strip())


@pytest.mark.parametrize("mode", [0o701, 0o750, 0o777])
def test_a_folder_that_others_may_use_is_not_used(house: House, mode: int) -> None:
    (house.sockets / "ctxpack").mkdir()
    (house.sockets / "ctxpack").chmod(mode)
    status, _, err = house.run("serve", "--background")
    assert status == 4
    assert b"Other users have access to" in err


def test_a_socket_that_others_may_use_is_not_asked(shared: House) -> None:
    shared.socket.chmod(0o666)
    try:
        assert not shared.was_asked("task", "fix the retry")
    finally:
        shared.socket.chmod(0o600)
    wait_until(lambda: shared.was_asked("task", "fix the retry"))
    (shared.sockets / "ctxpack").chmod(0o755)
    try:
        assert not shared.was_asked("task", "fix the retry")
    finally:
        (shared.sockets / "ctxpack").chmod(0o700)


def test_the_folder_and_the_socket_are_of_the_user_alone(shared: House) -> None:
    assert shared.socket.stat().st_mode & 0o777 == 0o600
    assert shared.socket.parent.stat().st_mode & 0o777 == 0o700


def test_processes_of_another_kind_do_not_meet(shared: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python reads other variables, so that what it writes may differ."""
    assert not shared.was_asked("task", "fix the retry", PYTHONUTF8="0", LC_ALL="C")
    before = process_key(), socket_place()
    monkeypatch.setenv("LC_ALL", "xx_XX")
    assert process_key() != before[0]
    assert socket_place() != before[1]


def test_it_serves_what_it_counts(served: House) -> None:
    """The figures of --metrics, added up over all workers; a kept report has no phases."""
    assert served.run("task", "fix the retry", "--no-cache")[0] == 0
    for _ in range(2):
        assert served.run("task", "fix the retry", "-b", "3k")[0] == 0
    assert served.run("task", "zebra crossing")[0] == 1
    ended = b'kept="false",repository="shop"} 2', b'kept="true",repository="shop"} 1', b"errors_total{"
    wait_until(lambda: all(each in served.run("serve", "--metrics")[1] for each in ended))  # behind the answers
    status, out, err = served.run("serve", "--metrics")
    assert (status, err) == (0, b"")
    lines = out.decode().splitlines()
    assert 'ctxpack_runs_total{command="task",kept="false",repository="shop"} 2' in lines
    assert 'ctxpack_runs_total{command="task",kept="true",repository="shop"} 1' in lines
    assert 'ctxpack_errors_total{command="task",kind="nothing_found",repository="shop"} 1' in lines
    assert 'ctxpack_phase_seconds_count{command="task",phase="rank",repository="shop"} 2' in lines
    assert "# TYPE ctxpack_phase_seconds histogram" in lines


def test_nothing_is_counted_where_no_process_runs(house: House) -> None:
    with serving(house):
        assert house.run("task", "fix the retry")[0] == 0
        wait_until(lambda: house.run("serve", "--metrics")[1] != b"")
    status, out, err = house.run("serve", "--metrics")
    assert (status, out) == (1, b"")
    assert err == b"Error: No resident process is running.\nHint: To start one: ctxpack serve --background\n"
    assert not [path for path in (house.sockets / "ctxpack").iterdir() if path.suffix == ".prom"]


def test_it_ends_when_nothing_is_asked(house: House) -> None:
    with serving(house, "--idle", "1", "-q") as process:
        assert process.wait(SECONDS) == 0
    assert not house.has_socket()


def test_it_ends_when_it_is_stopped(served: House) -> None:
    assert served.run("serve", "--stop") == (0, b"", b"")
    wait_until(lambda: not served.has_socket())
    assert served.run("serve", "--stop") == (0, b"", b"No resident process is running.\n")


def test_it_ends_when_its_socket_is_gone(house: House) -> None:
    with serving(house) as process:
        house.socket.unlink()
        assert process.wait(SECONDS) == 0


def test_there_is_one(shared: House) -> None:
    status, out, err = shared.run("serve")
    assert (status, out) == (0, b"")
    assert err.startswith(b"A resident process is already running.")


def test_it_goes_on_in_the_background(house: House) -> None:
    assert house.run("serve", "--background", "--idle", "30")[0] == 0
    wait_until(lambda: house.has_socket() and house.was_asked("task", "retry"))
    assert house.run("serve", "--stop")[0] == 0
    wait_until(lambda: not house.has_socket())


def test_it_is_started_on_demand(house: House) -> None:
    assert house.run("task", "fix the retry", CTXPACK_SERVE="on-demand") == house.run_alone("task", "fix the retry")
    wait_until(lambda: house.has_socket() and house.was_asked("task", "fix the retry", CTXPACK_SERVE="on-demand"))
    assert house.run("serve", "--stop")[0] == 0
    wait_until(lambda: not house.has_socket())
    house.run("task", "fix the retry")
    house.run("doctor", CTXPACK_SERVE="on-demand")
    assert not house.has_socket()


@pytest.mark.parametrize("seconds", ["0", "-1", "soon"])
def test_seconds_are_a_number(house: House, seconds: str) -> None:
    status, out, err = house.run("serve", f"--idle={seconds}")
    assert (status, out) == (2, b"")
    assert b"is not a number of seconds" in err


@pytest.mark.skipif(signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="a background job hears no interrupt")
def test_an_interrupt_ends_the_command_there(shared: House, tmp_path: Path) -> None:
    """Whoever waits hears the same as without: one sentence and the status of an interrupt."""
    pipe = tmp_path / "answer"
    os.mkfifo(pipe)  # opened for writing, it waits for a reader: the command is busy for ever
    command = [sys.executable, "-m", "ctxpack", "task", "fix the retry", "-o", str(pipe)]
    for variable in ("", "off"):
        running = subprocess.Popen(
            command, cwd=shared.repository, env=shared.env(CTXPACK_SERVE=variable), stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        time.sleep(1)
        assert running.poll() is None
        out, err = interrupted(running)
        assert (running.returncode, out, err) == (130, b"", b"Error: Interrupted.\n")
    wait_until(lambda: shared.was_asked("task", "fix the retry"))


def interrupted(running: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """What a process leaves that is interrupted, again where it was busy: Python loses an interrupt at some moments."""
    for _ in range(SECONDS):
        running.send_signal(signal.SIGINT)
        try:
            return running.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError


def test_the_commands_that_may_be_asked_are_commands() -> None:
    from ctxpack.cli.app import COMMANDS

    assert set(SERVED) <= set(COMMANDS)
