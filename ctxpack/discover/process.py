"""Running git so that nothing of a foreign repository runs with it: no hooks, no monitors, no prompts, no network."""

# ruff: noqa: PTH117 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

_SAFE = (
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.untrackedCache=false",
)  # fmt: skip
_REDIRECTING = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
)


class GitError(Exception):
    """Git refused; ``str(error)`` is its own first complaint."""


@dataclass(frozen=True, slots=True)
class Running:
    """A git process that was started; the others run meanwhile."""

    process: subprocess.Popen[bytes]

    def text(self, data: str = "", *, accept: tuple[int, ...] = (0,)) -> str:
        """Wait for what it prints, given ``data`` on its standard input. Raises GitError at any other exit status."""
        output, complaint = self.process.communicate(os.fsencode(data) if data else None)
        if self.process.returncode not in accept:
            raise GitError(_first_line(complaint) or f"git ended with status {self.process.returncode}")
        return os.fsdecode(output)

    def close(self) -> None:
        """End the process if nobody waited for it."""
        if self.process.returncode is None:
            self.process.kill()
            self.process.communicate()


@dataclass(frozen=True, slots=True)
class Git:
    """How to call git in one folder."""

    executable: str
    folder: str
    options: tuple[str, ...] = ()

    def start(self, *arguments: str, reads_input: bool = False) -> Running:
        """Start ``git <arguments>`` in the folder. Raises GitError if the program cannot run."""
        try:
            process = subprocess.Popen(
                (self.executable, *_SAFE, *self.options, *arguments),
                cwd=self.folder,
                env=_environment(),
                stdin=subprocess.PIPE if reads_input else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise GitError(f"git cannot run: {error.strerror}") from error
        return Running(process)

    def inside(self, folder: str) -> Git:
        """The same git, called in another folder."""
        return Git(self.executable, folder, self.options)


def find_git(folder: str) -> Git | None:
    """Git for ``folder``, or None where no git is installed."""
    executable = shutil.which("git")  # an absolute path: the repository may hold a program named git
    return Git(executable, folder) if executable and os.path.isabs(executable) else None


def split_records(output: str) -> Sequence[str]:
    """The NUL-terminated records of ``git … -z``."""
    return output.split("\0")[:-1]


def _environment() -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if name not in _REDIRECTING}
    environment.update(LC_ALL="C", GIT_OPTIONAL_LOCKS="0", GIT_NO_LAZY_FETCH="1", GIT_TERMINAL_PROMPT="0")
    return environment


def _first_line(complaint: bytes) -> str:
    lines = complaint.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ").strip() if lines else ""
