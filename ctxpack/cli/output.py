"""Where text goes: standard output as UTF-8 whatever the terminal says, a file, the clipboard, standard error."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ctxpack.cli.options import Flags
from ctxpack.errors import InternalError, UsageError
from ctxpack.files import replace_file
from ctxpack.text import valid


def deliver(text: str, flags: Flags) -> None:
    """Send a report where the flags say. Raises UsageError and InternalError."""
    if flags.copy:
        from ctxpack.cli.clipboard import copy

        copy(text)
    if flags.output != "-":
        _write_file(Path(flags.output), text)
    elif not flags.copy:
        write(text)


def write(text: str) -> None:
    """Write to standard output as UTF-8, line ends untouched; a reader that has gone away is no error."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(encode(text))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # what is still buffered must not raise again while the interpreter shuts down
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise InternalError(f"Standard output cannot be written: {error.strerror}.") from error


def tell(line: str) -> None:
    """Write a line to standard error, in whatever encoding it has; nobody listening is no error."""
    encoding = sys.stderr.encoding or "utf-8"
    try:
        print(valid(line).encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr, flush=True)
    except OSError:
        return


def encode(text: str) -> bytes:
    """UTF-8; what it cannot express, such as a byte of a file name that is not UTF-8, appears as an escape."""
    return valid(text).encode("utf-8")


def check_output(flags: Flags) -> None:
    """Refuse a target that cannot be written before any work is done. Raises UsageError."""
    if flags.output == "-":
        return
    target = Path(flags.output)
    if not flags.output.strip():
        raise UsageError("--output needs the name of a file.", hint="Use - for standard output.")
    if target.is_dir():
        raise UsageError(f"{target} is a folder.", hint="Give --output the name of a file.")
    if not target.absolute().parent.is_dir():
        raise UsageError(f"There is no folder {target.parent} to write to.", hint="Make the folder first.")


def _write_file(path: Path, text: str) -> None:
    try:
        replace_file(path, encode(text))
    except OSError as error:
        raise InternalError(
            f"{path} cannot be written: {error.strerror}.", hint="Give --output a file in a folder you may write to."
        ) from error
