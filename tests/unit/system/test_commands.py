"""A command line is taken apart as its platform does it.

What becomes of a command, whatever it does.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from ctxpack.system.commands import CommandResult, command_name, command_words, find_program, run_command
from tests.commanding import command_line, command_of


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("llm -m gpt-4o", ["llm", "-m", "gpt-4o"]),
        ("claude -p --append-system-prompt 'be brief'", ["claude", "-p", "--append-system-prompt", "be brief"]),
        (r"a\ b/tool 'it''s' \"", ["a b/tool", "its", '"']),
        ("echo $HOME; rm *", ["echo", "$HOME;", "rm", "*"]),
    ],
)
def test_posix_words(written: str, words: list[str]) -> None:
    assert command_words(written, "linux") == words


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (r'"C:\Program Files\llm.exe" -m x', [r"C:\Program Files\llm.exe", "-m", "x"]),
        (r"C:\tools\llm.exe 'a b'", [r"C:\tools\llm.exe", "'a", "b'"]),
        (r'run "say \"hi\"" C:\\x\ ""', ["run", 'say "hi"', "C:\\\\x\\", ""]),
        (r'run "C:\my dir\\" next', ["run", "C:\\my dir\\", "next"]),
        (r'a"b c"d', ["ab cd"]),
    ],
)
def test_windows_words(written: str, words: list[str]) -> None:
    assert command_words(written, "win32") == words


@pytest.mark.parametrize("platform", ["linux", "win32"])
@pytest.mark.parametrize("written", ["", "  ", 'llm "open', '""'])
def test_what_names_no_program_is_refused(written: str, platform: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        command_words(written, platform)


def test_a_bare_name_is_looked_up_on_the_path_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository may hold a program that is called like the user's."""
    program = tmp_path / ("oracle.exe" if sys.platform == "win32" else "oracle")
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.curdir)
    assert find_program([program.stem]) is None
    assert find_program([str(program)]) == str(program)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_program([program.stem]) == str(program)


def test_messages_name_the_program_without_its_arguments() -> None:
    assert command_name("/opt/tools/llm --key sk-secret") == "llm"
    assert command_name('"open') == "The command"


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and locales as POSIX has them")
PYTHON = Path(sys.executable).name


def test_prompt_and_answer_are_utf8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    command = command_of(tmp_path, "print(prompt[::-1], os.environ['PYTHONUTF8'], end='')")
    assert run_command(command, "дом 家", seconds=20) == CommandResult("家 мод 1")


def test_answer_is_heard_as_it_comes(tmp_path: Path) -> None:
    """The second half is only printed once the first was heard."""
    gate = tmp_path / "gate"
    command = command_of(
        tmp_path,
        f"""
        print("one", flush=True)
        while not os.path.exists({str(gate)!r}):
            time.sleep(0.01)
        print("two")
        """,
    )
    heard: list[str] = []

    def hear(text: str) -> None:
        heard.append(text.replace("\r\n", "\n"))
        gate.touch()

    outcome = run_command(command, "", seconds=20, on_text=hear)
    assert ("".join(heard), outcome.problem) == ("one\ntwo\n", "")
    assert len(heard) > 1


def test_a_character_that_comes_in_two_parts_is_one(tmp_path: Path) -> None:
    code = """
    for half in "ж".encode():
        sys.stdout.buffer.write(bytes([half]))
        sys.stdout.buffer.flush()
        time.sleep(0.1)
    """
    assert run_command(command_of(tmp_path, code), "", seconds=20).text == "ж"


def test_bytes_that_are_not_utf8_are_replaced(tmp_path: Path) -> None:
    command = command_of(tmp_path, r"sys.stdout.buffer.write(b'\xff\xfe ok')")
    assert run_command(command, "", seconds=20) == CommandResult("\ufffd\ufffd ok")


def test_a_command_need_not_read_its_prompt(tmp_path: Path) -> None:
    script = tmp_path / "deaf.py"
    script.write_text("import sys\nsys.stdin.close()\nprint('ok', end='')\n")
    assert run_command(command_line(script), "x" * 3_000_000, seconds=20) == CommandResult("ok")


def test_exit_status_is_told_with_the_last_complaint(tmp_path: Path) -> None:
    code = r"print('half'); print('first\n\x1b[31mno such model\x1b[0m\n', file=sys.stderr); sys.exit(3)"
    outcome = run_command(command_of(tmp_path, code), "", seconds=20)
    assert outcome.text.strip() == "half"
    assert outcome.problem == f"{PYTHON} ended with status 3: no such model."


def test_a_silent_failure_is_told_too(tmp_path: Path) -> None:
    assert run_command(command_of(tmp_path, "sys.exit(1)"), "", seconds=20).problem == f"{PYTHON} ended with status 1."


@POSIX
def test_a_signal_is_told(tmp_path: Path) -> None:
    command = command_of(tmp_path, "os.kill(os.getpid(), 9)")
    assert run_command(command, "", seconds=20).problem == f"{PYTHON} was ended by signal 9."


def is_gone(pid: int) -> bool:
    """Whether a process has ended; it gets a while to do so, once it was told."""
    state = Path(f"/proc/{pid}/stat")
    for _ in range(1_000):
        try:
            if state.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def pid_of(file: Path) -> int:
    while not (file.exists() and file.read_text()):
        time.sleep(0.01)
    return int(file.read_text())


SPAWNS = """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({file!r}, "w").write(str(child.pid))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_after_its_time_it_is_ended_with_all_it_started(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    script = tmp_path / "slow.py"
    code = SPAWNS.format(file=str(file))
    script.write_text(f"import signal, sys, time\nsignal.signal(15, signal.SIG_IGN)\n{code}\ntime.sleep(60)\n")
    outcome = run_command(command_line(script), "", seconds=2)
    assert outcome.problem == f"{PYTHON} did not answer within 2 s."
    assert is_gone(pid_of(file))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_what_a_listener_raises_ends_it_as_well(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    code = f"{SPAWNS.format(file=str(file))}print('x', flush=True)\ntime.sleep(60)\n"

    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_command(command_of(tmp_path, code), "", seconds=60, on_text=interrupted)
    assert is_gone(pid_of(file))


@POSIX
def test_a_program_left_behind_does_not_hold_it_up(tmp_path: Path) -> None:
    """Such as a server that goes on running: it inherits the pipe, which so never ends."""
    file = tmp_path / "pid"
    outcome = run_command(command_of(tmp_path, SPAWNS.format(file=str(file)) + "print('ok')"), "", seconds=50)
    assert outcome == CommandResult("ok\n")
    os.kill(pid_of(file), 9)


def test_an_answer_without_end_is_cut(tmp_path: Path) -> None:
    command = command_of(tmp_path, "while True: print('x' * 1000)")
    outcome = run_command(command, "", seconds=50, most_bytes=10_000)
    assert outcome.problem == f"{PYTHON} printed more than 10,000 bytes."
    assert len(outcome.text) <= 10_000


def test_endless_talk_does_not_outlast_its_time(tmp_path: Path) -> None:
    code = "while True: print('x', flush=True); time.sleep(0.01)"
    outcome = run_command(command_of(tmp_path, code), "", seconds=1)
    assert outcome.problem == f"{PYTHON} did not answer within 1 s."


def test_what_cannot_run_is_told(tmp_path: Path) -> None:
    assert run_command("no-such-program-xyz -p", "", seconds=1).problem == "There is no program no-such-program-xyz."
    assert "cannot be read" in run_command('llm "open', "", seconds=1).problem
    broken = tmp_path / "broken.exe"
    broken.write_bytes(b"\x00\x01")
    broken.chmod(0o755)
    assert run_command(f'"{broken}"', "", seconds=1).problem.startswith("broken.exe cannot be started: ")
