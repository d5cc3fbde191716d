"""Write a report to standard output, a file or the clipboard, with colours on a terminal; and write messages.

Pipes and files get the text as it is. ``NO_COLOR`` switches colours off.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, TextIO

from ctxpack.cli.options import Flags
from ctxpack.errors import InternalError, UsageError
from ctxpack.light import lazy_pattern
from ctxpack.system.disk import replace_file
from ctxpack.text import printable, valid, visible

_WAIT_SECONDS = 10
_COLOR = lazy_pattern(r"(\x1b\[[0-9;]*m)")


def copy(text: str) -> None:
    """Put a text on the clipboard. Raises InternalError if no program can."""
    command = next((each for each in _commands(sys.platform, os.environ) if shutil.which(each[0])), None)
    if command is None:
        raise InternalError(
            "No clipboard program was found.",
            hint="Install wl-clipboard, xclip or xsel, or write to a file with -o FILE.",
        )
    # clip.exe reads Unicode as UTF-16 with its mark, all others as UTF-8
    data = (
        text.encode("utf-16", "replace") if command[0].startswith("clip") else text.encode("utf-8", "backslashreplace")
    )
    try:
        subprocess.run(
            command, input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=_WAIT_SECONDS
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise InternalError(
            f"{command[0]} could not copy to the clipboard.", hint="Write to a file with -o FILE."
        ) from error


def _commands(platform: str, env: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The programs to try, best first."""
    if platform == "darwin":
        return [("pbcopy",)]
    if platform == "win32":
        return [("clip",)]
    found: list[tuple[str, ...]] = []
    if env.get("WAYLAND_DISPLAY"):
        found.append(("wl-copy",))
    if env.get("DISPLAY"):
        found += [("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")]
    return [*found, ("clip.exe",)]  # Windows' own, inside WSL


def deliver(text: str, flags: Flags) -> None:
    """Write a report to the chosen output. Raises UsageError and InternalError."""
    if flags.copy:
        copy(text)
    if flags.output != "-":
        write_file("--output", Path(flags.output), text)
    elif not flags.copy:
        write(coloured_report(text) if has_colours(sys.stdout) else text)


def write(text: str) -> bool:
    """Write to standard output as UTF-8 with unchanged line ends. Returns False if the reader has closed the pipe."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(encode(_for_terminal(text) if sys.stdout.isatty() else text))
        sys.stdout.buffer.flush()
    except OSError as error:
        # What is still buffered must not raise again while the interpreter shuts down: the exit status would change.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return False
        raise InternalError(f"Standard output cannot be written: {error.strerror}.") from error
    return True


def _for_terminal(text: str) -> str:
    """The text with signs in place of control sequences, except those for colours, which are ours."""
    return "".join(part if _COLOR.fullmatch(part) else visible(part) for part in _COLOR.split(text))


def tell(line: str) -> None:
    """Write a line to standard error in its encoding, without control sequences. Ignores a closed one."""
    encoding = sys.stderr.encoding or "utf-8"
    try:
        shown = coloured_message(visible(line)) if has_colours(sys.stderr) else visible(line)
        print(valid(shown).encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr, flush=True)
    except OSError:  # nobody reads standard error
        return


def tell_notes(notes: Iterable[str], flags: Flags) -> None:
    """Write notes to standard error, unless messages are not wanted."""
    for note in () if flags.quiet else notes:
        tell(f"Note: {printable(note)}")


def encode(text: str) -> bytes:
    """UTF-8; what it cannot express, such as a byte of a file name that is not UTF-8, appears as an escape."""
    return valid(text).encode("utf-8")


def is_for_terminal(flags: Flags) -> bool:
    """Whether what is delivered is read on a terminal."""
    return flags.output == "-" and not flags.copy and sys.stdout.isatty()


def check_output(flags: Flags) -> None:
    """Refuse a target that cannot be written before any work is done. Raises UsageError.

    What only shows while writing, such as a full disk, is an InternalError of ``deliver``.
    """
    if flags.output != "-":
        check_target("--output", flags.output, "Use - for standard output.")
    if flags.sources is not None:
        check_target("--sources", str(flags.sources), "Name a file such as sources.json.")


def check_target(flag: str, written: str, instead: str) -> None:
    """Refuse the file that a flag names where it cannot be written. Raises UsageError; ``instead`` hints at a name."""
    target = Path(written)
    if not written.strip():
        raise UsageError(f"{flag} needs a file name.", hint=instead)
    if os.path.isdir(target):  # noqa: PTH112 - unlike Path, it is no error if the name is too long
        raise UsageError(f"{target} is a folder.", hint=f"Give {flag} the name of a file.")
    if not os.path.isdir(_place(target).parent):  # noqa: PTH112
        raise UsageError(f"The folder {target.parent} does not exist.", hint="Create it first.")
    if not _may_write(_place(target)):
        raise UsageError(
            f"There is no permission to write {target}.", hint=f"Give {flag} a file in a folder that you can write to."
        )


def _place(target: Path) -> Path:
    """The target of a path; unlike ``Path.resolve``, it accepts circular links."""
    return Path(os.path.realpath(target))


def _may_write(place: Path) -> bool:
    """Whether a file can be created in the folder of a path, or the pipe or device there can be written."""
    is_there = os.path.lexists(place)
    if is_there and not os.access(place, os.W_OK):
        return False
    return (is_there and not os.path.isfile(place)) or os.access(place.parent, os.W_OK)  # noqa: PTH113


def write_file(flag: str, path: Path, text: str) -> None:
    """Write the file that a flag names, whole or not at all. Raises InternalError."""
    try:
        replace_file(path, encode(text))
    except OSError as error:
        raise InternalError(
            f"{path} cannot be written: {error.strerror}.",
            hint=f"Give {flag} a file in a folder that you can write to.",
        ) from error


_WORD: Final = lazy_pattern(r"(Error|Hint|Note|Warning):(?= )")
_CODES: Final = {"Error": "1;31", "Hint": "36", "Note": "33", "Warning": "33"}
_OF_RUNS: Final = {
    "k": "35", "s": "32", "c": "90", "n": "33", "f": "34", "t": "36", "b": "36", "d": "33", "h": "1", "i": "32",
    "e": "31",
}  # fmt: skip
"""The class of a run of code -> its colour."""
_HEADING, _AROUND = "1", "90"


def has_colours(stream: TextIO, env: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether the output is a terminal with colours, and they are not disabled."""
    if env.get("NO_COLOR") or env.get("TERM") == "dumb" or not stream.isatty():
        return False
    return platform != "win32" or bool(env.get("WT_SESSION") or env.get("TERM"))


def coloured_message(line: str) -> str:
    """A message with its first word in the colour of what it is: an error, a hint, a note."""
    return _WORD.sub(lambda match: paint(match[0], _CODES[match[1]]), line, count=1) if _WORD.match(line) else line


def coloured_report(text: str) -> str:
    """A Markdown report with its headings in bold and its code in colours; any other text as it is.

    Control characters become signs, so that no content steers the terminal.
    """
    if not text.startswith("# "):
        return text
    from ctxpack.render.markup import coloured_lines, with_pictures
    from ctxpack.text import fence_after, lines_of

    lines: list[str] = []
    fence, language, block = "", "", list[str]()
    for line in lines_of(text):
        before, fence = fence, fence_after(fence, line, is_nested=False)
        if before and fence:
            block.append(line)
            continue
        lines += [
            "".join(paint(with_pictures(run), _OF_RUNS.get(kind, "")) for kind, run in runs)
            for runs in coloured_lines("".join(f"{each}\n" for each in block), language)
        ]
        block, language = [], line.strip("`~ ")
        is_fence = bool(before or fence)
        code = _AROUND if is_fence or line.startswith(("- ", "> ")) else _HEADING if line.startswith("#") else ""
        lines.append(paint(with_pictures(line), code))
    lines += [with_pictures(each) for each in block]
    return "".join(f"{line}\n" for line in lines)


def paint(text: str, code: str) -> str:
    """A text in a colour, by its code; without one, as it is."""
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text
