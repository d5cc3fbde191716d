"""Run a user's command with a prompt on standard input, within a time and a size limit, without a shell.

A command line becomes words, and the process is ended together with everything that it has started.
"""

from __future__ import annotations

import codecs
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from ctxpack.light import dataclass, lazy_pattern

_WINDOWS = "win32"
_PART = lazy_pattern(r'(?P<slashes>\\*)(?P<quote>")|(?P<blank>\s+)|(?P<plain>\\+|[^\\"\s]+)')
_PATIENCE_SECONDS = 1.0  # for a process that was asked to end
OnText = Callable[[str], None]
_MOST_BYTES = 8_000_000  # of an answer; what is longer is no answer
_CHUNK = 65_536
_TICK_SECONDS = 0.05
_GRACE_SECONDS = 1.0  # after its end, for what it printed last: a program it left behind may keep the pipe open
_TAIL_BYTES = 4_096  # of what it prints on standard error
_TAIL_CHARACTERS = 300
_TERMINAL_CODES = lazy_pattern(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-_])")


def command_words(command: str, platform: str = sys.platform) -> list[str]:
    """The words of a command line, quoted as ``platform`` does. Raises ValueError for an open quote or no word."""
    if platform == _WINDOWS:
        words = _windows_words(command)
    else:
        import shlex

        words = shlex.split(command)
    if not words or not words[0]:
        raise ValueError("it names no program")
    return words


def find_program(words: Sequence[str], folder: str | None = None) -> str | None:
    """Return the path of the program that the first word names, or None if there is none.

    A bare name is looked up on PATH only: the current folder may contain an untrusted program of that name. A relative
    path is one from ``folder``, or else from the current one.
    """
    is_bare = not any(mark in words[0] for mark in (os.sep, os.altsep) if mark)
    found = shutil.which(words[0] if is_bare else os.path.join(folder or "", words[0]))  # noqa: PTH118 - plain text
    return None if found is None or (is_bare and not os.path.isabs(found)) else found  # noqa: PTH117 - plain text


def command_name(command: str) -> str:
    """Return the name of a command in messages: its program, without folders and arguments, which may contain keys."""
    try:
        first = command_words(command)[0]
    except ValueError:  # quotes that are not closed; who runs it says so
        return "The command"
    return first.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _windows_words(command: str) -> list[str]:
    r"""Return the words as the C runtime of Windows reads them: a backslash is one, unless a quote follows."""
    words: list[str] = []
    word: str | None = None
    is_quoted = False
    for part in _PART.finditer(command):
        if part["blank"] and not is_quoted:
            words += [] if word is None else [word]
            word = None
            continue
        if part["quote"]:
            slashes = len(part["slashes"])
            word = (word or "") + "\\" * (slashes // 2) + ('"' if slashes % 2 else "")
            is_quoted ^= slashes % 2 == 0
        else:
            word = (word or "") + part[0]
    if is_quoted:
        raise ValueError("a quote is not closed")
    return words if word is None else [*words, word]


def start_process(words: Sequence[str], folder: str | None = None) -> subprocess.Popen[bytes]:
    """Start a program in a group of its own, with pipes for all it reads and prints. Raises OSError.

    It runs in ``folder``, or else in the current one.

    A Python program reads and prints UTF-8 whatever the locale says; others do so anyway.
    """
    environment = {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8", **os.environ}
    return subprocess.Popen(
        words,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=environment,
        start_new_session=True,  # on Windows it means nothing; there the tree of processes is ended
    )


def start_interpreter(
    module: str, *arguments: str, pipes: int = subprocess.DEVNULL, defaults: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a module of ctxpack in an interpreter of its own. Raises OSError.

    ``pipes`` is what its standard input and output are; nobody reads what it says of errors. ``defaults`` are variables
    of its environment, where the user has set no others.
    """
    places = [str(Path(__file__).resolve().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, *arguments],  # -P: a json.py of the repository is not imported
        env={**(defaults or {}), **os.environ, "PYTHONPATH": os.pathsep.join(places)},
        stdin=pipes,
        stdout=pipes,
        stderr=subprocess.DEVNULL,
    )


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End a process and its group, first with a request, then by force."""
    if sys.platform == "win32":
        tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(tree, capture_output=True, check=False)
        process.kill()
    else:
        _signal(process.pid, signal.SIGTERM)
        try:
            process.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:  # it is killed below
            pass
        finally:
            _signal(process.pid, signal.SIGKILL)
    process.wait()


def _signal(group: int, number: int) -> None:
    """Send a signal to every process of a group. An empty group is no error."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS refuses where only a zombie is left
        return


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The output of a command. ``problem`` is a sentence if it failed; ``text`` may then be incomplete."""

    text: str
    problem: str = ""


def run_command(
    command: str,
    prompt: str,
    *,
    seconds: float,
    on_text: OnText | None = None,
    most_bytes: int = _MOST_BYTES,
    folder: str | None = None,
) -> CommandResult:
    """Run a command line without a shell, write ``prompt`` to it as UTF-8, and read what it prints as UTF-8.

    It runs in ``folder``, to which a relative path of its program refers, or else in the current one.
    ``on_text`` hears the answer as it comes. After ``seconds``, beyond ``most_bytes``, and when anything is raised
    meanwhile (such as KeyboardInterrupt), the process is ended with all that it has started. A command that fails gives
    a result with a problem; only what ``on_text`` raises is raised.
    """
    try:
        words = command_words(command)
    except ValueError as error:
        return CommandResult("", f"The command {command!r} cannot be read: {error}.")
    program = find_program(words, folder)
    if program is None:
        return CommandResult("", f"There is no program {words[0]}.")
    try:
        process = start_process([program, *words[1:]], folder)
    except OSError as error:
        return CommandResult("", f"{command_name(command)} cannot be started: {error.strerror}.")
    return _Run(command_name(command), process, time.monotonic() + seconds).finish(prompt, seconds, on_text, most_bytes)


class _Run:
    """One process with a thread for each of its pipes."""

    def __init__(self, name: str, process: subprocess.Popen[bytes], deadline: float) -> None:
        self.name = name
        self.process = process
        self.deadline = deadline
        self.chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()  # an empty one is the end
        self.tail = b""

    def finish(self, prompt: str, seconds: float, on_text: OnText | None, most_bytes: int) -> CommandResult:
        """Run the process to its end and return the result."""
        data = prompt.encode("utf-8", "backslashreplace")
        threads = [
            self._thread(self._feed, data), self._thread(self._listen, most_bytes), self._thread(self._complain),
        ]  # fmt: skip
        parts: list[str] = []
        try:
            problem = self._read(parts, on_text, most_bytes)
            if not problem and not self._has_ended():
                problem = f"{self.name} did not answer within {seconds:g} s."
        except BaseException:
            end_process(self.process)
            raise
        if self.process.poll() is None:
            end_process(self.process)
        for thread in threads:
            thread.join(_GRACE_SECONDS)
        return CommandResult("".join(parts), problem or self._verdict())

    def _read(self, parts: list[str], on_text: OnText | None, most_bytes: int) -> str:
        """Read its output until its time is over. Returns a sentence if the output is too long."""
        decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        size = 0
        while chunk := self._chunk():
            size += len(chunk)
            if size > most_bytes:
                return f"{self.name} printed more than {most_bytes:,} bytes."
            _pass_on(decoder.decode(chunk), parts, on_text)
        _pass_on(decoder.decode(b"", final=True), parts, on_text)
        return ""

    def _chunk(self) -> bytes:
        """Return the next part of its output; empty at its end and when its time is over."""
        ended_at: float | None = None
        while (now := time.monotonic()) < self.deadline:
            try:
                return self.chunks.get(timeout=_TICK_SECONDS)
            except queue.Empty:  # nothing new yet
                if self.process.poll() is not None:
                    ended_at = now if ended_at is None else ended_at
                    if now - ended_at > _GRACE_SECONDS:
                        break
        return b""

    def _has_ended(self) -> bool:
        """Wait for its end for the rest of its time."""
        try:
            self.process.wait(max(0.0, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:  # that it still runs is the answer
            return False
        return True

    def _verdict(self) -> str:
        """Return a sentence about its exit status; empty if it is 0."""
        status = self.process.returncode
        if status == 0:
            return ""
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        complaint = self._last_complaint()
        return f"{self.name} {how}: {complaint}" if complaint else f"{self.name} {how}."

    def _last_complaint(self) -> str:
        """Return the last line on standard error that is not empty."""
        text = _TERMINAL_CODES.sub("", self.tail.decode("utf-8", "replace"))
        lines = [line.strip() for line in re.split(r"[\r\n]", text) if line.strip()]
        last = lines[-1][-_TAIL_CHARACTERS:] if lines else ""
        return last if not last or last.endswith((".", "!", "?")) else f"{last}."

    def _thread(self, work: Callable[..., None], *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        thread.start()
        return thread

    def _feed(self, data: bytes) -> None:
        """Write the prompt; a command that does not read all of it is no error."""
        rest = memoryview(data)
        try:
            with _pipe(self.process.stdin) as stream:
                while rest:
                    rest = rest[stream.write(rest) :]
        except OSError:  # it reads no further
            return

    def _listen(self, most_bytes: int) -> None:
        """Pass on its output, and stop if it is too long: the process then waits until it is ended."""
        size = 0
        with _pipe(self.process.stdout) as stream:
            while size <= most_bytes and (chunk := stream.read(_CHUNK)):
                size += len(chunk)
                self.chunks.put(chunk)
        self.chunks.put(b"")

    def _complain(self) -> None:
        with _pipe(self.process.stderr) as stream:
            while chunk := stream.read(_CHUNK):
                self.tail = (self.tail + chunk)[-_TAIL_BYTES:]


def _pass_on(text: str, parts: list[str], on_text: OnText | None) -> None:
    if not text:
        return
    parts.append(text)
    if on_text:
        on_text(text)


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # noqa: S101 - all three are pipes; this tells the type checker
    return stream
