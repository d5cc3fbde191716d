"""Run git so that nothing of a foreign repository runs with it: no hooks, no monitors, no prompts, no network."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final

from ctxpack.light import dataclass, field, lazy_pattern, replace
from ctxpack.system.clock import GIT_SECONDS, Timekeeper
from ctxpack.system.disk import read_regular
from ctxpack.system.records import why_refused

# ruff: noqa: PTH100, PTH110, PTH112, PTH113, PTH116, PTH117, PTH118, PTH119, PTH120 -- tens of thousands of names as text with surrogate escapes


SAFE: Final = (
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.untrackedCache=false",
    "-c", "log.showSignature=false",
    "-c", "safe.bareRepository=explicit",  # a folder of a work tree may look like a repository of its own
)  # fmt: skip
# what the configuration of a repository could turn into another output
_PLAIN: Final = (
    "-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false", "-c", "diff.autoRefreshIndex=true",
    "-c", "blame.ignoreRevsFile=", "-c", "diff.wsErrorHighlight=none", "-c", "core.bigFileThreshold=100m",
)  # fmt: skip
# files are written as the objects hold them: nothing is fetched, filtered or converted
VERBATIM: Final = (
    "-c", "filter.lfs.smudge=",
    "-c", "filter.lfs.process=",
    "-c", "filter.lfs.required=false",
    "-c", "core.autocrlf=false",
    "-c", "core.longpaths=true",
    "-c", "advice.detachedHead=false",
)  # fmt: skip
_REDIRECTING: Final = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
)


_PATIENCE: Final = 1.5  # seconds after which it is asked what git waits for
_DEEPEST: Final = 200  # folders within each other
_LOOK_SECONDS: Final = 5.0
_LOOK_BYTES: Final = 1_000_000
_PATTERNS: Final = (".gitignore", ".gitattributes", "exclude", "attributes")
_MOST_STARS: Final = 4  # pairs of them in one pattern that git matches fast
_OBJECTS: Final = lazy_pattern(r"pack|[0-9a-f]{2}")  # folders of objects, also where another record borrows them


class GitError(Exception):
    """Git failed; ``str(error)`` is its first message."""


class GitTimeoutError(GitError):
    """Git took longer than its time limit."""


class GitBlockedError(GitTimeoutError):
    """Something in the repository keeps git from coming to an end; it would keep the next one as well."""


@dataclass(frozen=True, slots=True)
class GitProcess:
    """A started git process; others can run at the same time."""

    process: subprocess.Popen[bytes]
    folder: str
    keeper: Timekeeper = field(default_factory=Timekeeper, repr=False, compare=False)

    @property
    def has_ended(self) -> bool:
        """Whether it has printed all that it prints."""
        return self.process.poll() is not None

    def text(self, data: str = "", *, accept: tuple[int, ...] = (0,), seconds: float | None = None) -> str:
        """Wait for what it prints, given ``data`` on its standard input.

        Raises GitError at any other exit status, GitTimeoutError where it takes longer than ``seconds`` or the run, and
        GitBlockedError where it waits for a pipe in the place of a file.
        """
        deadline = self.keeper.within(GIT_SECONDS if seconds is None else seconds)
        try:
            output, complaint = self._end(os.fsencode(data) if data else None, deadline.left)
        except subprocess.TimeoutExpired as error:
            self.close()
            said = f"git took longer than {deadline.seconds:g} s"
            if seconds is None:  # else who gave them says what is missing
                self.keeper.cut(f"{said}, so what it was asked for is missing.")
            raise GitTimeoutError(said) from error
        if self.process.returncode not in accept:
            raise GitError(first_complaint(complaint) or f"git ended with status {self.process.returncode}")
        return os.fsdecode(output)

    def _end(self, given: bytes | None, seconds: float) -> tuple[bytes, bytes]:
        """Return what it prints. Raises subprocess.TimeoutExpired, and GitBlockedError where it waits in vain."""
        if seconds <= _PATIENCE:
            return self.process.communicate(given, timeout=seconds)
        try:
            return self.process.communicate(given, timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            if blocker := what_blocks(self.folder):
                self.close()
                self.keeper.cut(f"git was ended, since it never would: {repr(blocker)[1:-1]}.")
                raise GitBlockedError(blocker) from None
        return self.process.communicate(timeout=seconds - _PATIENCE)

    def close(self) -> None:
        """End the process if it still runs."""
        if self.process.returncode is None:
            self.process.kill()
            self.process.communicate()


@dataclass(frozen=True, slots=True)
class Git:
    """How to call git in one folder."""

    executable: str
    folder: str
    options: tuple[str, ...] = ()
    keeper: Timekeeper = field(default_factory=Timekeeper, repr=False, compare=False)
    refusal: str = field(default="", repr=False, compare=False)  # why the record here is not used

    def start(self, *arguments: str, reads_input: bool = False) -> GitProcess:
        """Start ``git <arguments>`` in the folder. Raises GitError if it cannot run or its record here is refused."""
        if self.refusal:
            raise GitError(self.refusal)
        try:
            process = subprocess.Popen(
                (self.executable, *SAFE, *self.options, *arguments),
                cwd=self.folder,
                env=safe_environment(),
                stdin=subprocess.PIPE if reads_input else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise GitError(f"git cannot run: {error.strerror}") from error
        except ValueError as error:  # a forged report may name anything
            raise GitError("git takes no name with a NUL") from error
        return GitProcess(process, self.folder, self.keeper)

    def run_online(self, *arguments: str, environment: Mapping[str, str], seconds: float) -> str:
        """Run ``git <arguments>`` with the network; what it starts to reach a server ends with it.

        ``environment`` is that of the process. Raises GitError, and GitTimeoutError where it takes longer.
        """
        from ctxpack.system.commands import end_process

        with subprocess.Popen(
            (self.executable, *SAFE, *self.options, *arguments),
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                said, complaint = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired as error:
                end_process(process)
                raise GitTimeoutError(f"git took longer than {seconds:g} s") from error
            except BaseException:
                end_process(process)
                raise
        if process.returncode:
            raise GitError(first_complaint(complaint) or f"git ended with status {process.returncode}")
        return said.decode("utf-8", "replace")

    def inside(self, folder: str) -> Git:
        """Return the same git, called in another folder."""
        return _check_record(replace(self, folder=folder, refusal=""))

    def of_record(self, record: str, top: str) -> Git:
        """Return the same git, which uses another record for a work tree."""
        return replace(self, options=(f"--git-dir={record}", f"--work-tree={top}"), refusal="")


def find_git(folder: str, keeper: Timekeeper | None = None) -> Git | None:
    """Git for ``folder``, or None where no git is installed; ``keeper`` keeps the time of what it is asked."""
    executable = shutil.which("git")  # an absolute path: the repository may hold a program named git
    if not executable or not os.path.isabs(executable):
        return None
    return _check_record(Git(executable, folder, (), keeper or Timekeeper()))


def _check_record(git: Git) -> Git:
    """Return a git that is not asked where the record of its folder is not to be trusted."""
    top = enclosing_repository(git.folder)
    refusal = why_refused(top, partial(_named_files, git)) if top else ""
    return replace(git, refusal=refusal) if refusal else git


def _named_files(git: Git, place: str) -> Iterator[tuple[str, str]]:
    """The keys of a configuration file that name files, with the names; it is read outside any repository.

    Raises OSError where git cannot read it.
    """
    form = ("-z", "--type=path", "--get-regexp", r"(file|path)$")
    its = replace(git, folder=os.path.abspath(os.sep))
    try:
        output = its.start("config", "--file", place, *form).text(accept=(0, 1))
    except GitError as error:
        raise OSError(errno.EINVAL, str(error)) from error
    for record in split_records(output):
        key, _, name = record.partition("\n")
        yield key, name


def plain_git(git: Git) -> Git:
    """Return a git that prints what every repository would, and runs no filter that this one configures.

    Raises GitError if git cannot run, or where a filter cannot be switched off.
    """
    try:
        names = split_records(git.start("config", "-z", "--name-only", "--get-regexp", r"^filter\..*").text())
    except GitError:
        names = []  # none is configured
    drivers = sorted({name.rpartition(".")[0] for name in names})
    if odd := next((driver for driver in drivers if "=" in driver), ""):
        raise GitError(f"its configuration has a filter that cannot be switched off: {odd}")
    off = (
        part
        for driver in drivers
        for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
        for part in ("-c", f"{driver}.{key}={value}")
    )
    return replace(git, options=(*git.options, *_PLAIN, *off))


def split_records(output: str) -> Sequence[str]:
    """Return the NUL-terminated records of ``git … -z``."""
    return output.split("\0")[:-1]


def readable(output: str) -> str:
    """Return what git printed of messages and contents as valid text: U+FFFD for bytes that are not UTF-8."""
    return output.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def is_no_name(name: str) -> bool:
    """Whether git lets nothing in a work tree have a name: where a record has it all the same, it was forged."""
    return name in {"", ".", ".."} or name.lower().rstrip(". ") in {".git", "git~1"}


def what_blocks(folder: str) -> str:
    """Return why git may never come to an end in a repository; empty where nothing is found within some seconds.

    It waits for ever for a pipe that it takes for a file, and it tries every way that a pattern may match.
    """
    top = enclosing_repository(folder) or folder
    until = time.monotonic() + _LOOK_SECONDS
    record = os.path.join(top, ".git")
    for place, folders, names in chain(os.walk(top), os.walk(os.path.join(record, "objects"))):
        is_record = place.startswith(record)
        is_deep = place.count(os.sep) - top.count(os.sep) >= _DEEPEST  # os.walk calls itself for each folder
        folders[:] = [name for name in folders if not (is_deep or (is_record and name == "objects"))]  # they come last
        is_read = is_record or _OBJECTS.fullmatch(os.path.basename(place)) is not None
        for name in names:
            path = os.path.join(place, name)
            if (is_read or name.startswith(".git")) and (why := _why_blocking(path, name)):
                return f"{os.path.relpath(path, top)} {why}"
        if time.monotonic() > until:
            break
    return ""


def _why_blocking(path: str, name: str) -> str:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return "is a pipe or a device, no file"
        lines = read_regular(path, _LOOK_BYTES).split(b"\n") if name in _PATTERNS else []
    except OSError:  # what cannot be read does not block
        return ""
    is_bomb = any(line.count(b"**") > _MOST_STARS for line in lines)
    return "has a pattern that takes too long" if is_bomb else ""


def own_excludes(top: str) -> str:
    """The path of the ignore rules in the record of a work tree; empty where a link leads there."""
    inner = os.path.join(".git", "info", "exclude")
    real = os.path.join(os.path.realpath(top), inner)
    return real if os.path.realpath(real) == real else ""


def is_bare(folder: str) -> bool:
    """Whether a folder is a git repository without a work tree."""
    parts = ("objects", "refs")
    is_git = os.path.isfile(os.path.join(folder, "HEAD")) and os.path.isfile(os.path.join(folder, "config"))
    return is_git and all(os.path.isdir(os.path.join(folder, part)) for part in parts)


def enclosing_repository(folder: str) -> str | None:
    """Return the nearest folder, this or above, that holds a ``.git`` which looks like a repository's."""
    while True:
        mark = os.path.join(folder, ".git")
        if os.path.isfile(mark) or os.path.exists(os.path.join(mark, "HEAD")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def has_record(folder: str) -> bool:
    """Whether git would find a repository around a folder, broken or not: a ``.git`` is in it or above."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True


def safe_environment() -> dict[str, str]:
    """Return the variables that git gets: none that lead elsewhere, no question, no network."""
    environment = {name: value for name, value in os.environ.items() if name not in _REDIRECTING}
    environment.update(LC_ALL="C", GIT_OPTIONAL_LOCKS="0", GIT_NO_LAZY_FETCH="1", GIT_TERMINAL_PROMPT="0")
    environment["GIT_ALLOW_PROTOCOL"] = ""  # older versions fetch missing objects by whatever a repository names
    return environment


def first_complaint(complaint: bytes) -> str:
    """Return the first line of what git complains about."""
    lines = complaint.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ").strip() if lines else ""
