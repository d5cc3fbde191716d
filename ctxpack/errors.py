"""Every error that ctxpack raises on purpose, with its exit code, and the hint that asks what was meant.

CtxpackError
├── NothingFoundError      exit 1   nothing relevant, or a --check found something stale
├── UsageError             exit 2   bad request, path, flag or value
│   └── ConfigError        exit 2   a configuration file or variable is wrong
├── BudgetError            exit 3   the budget cannot hold what is required
├── CancelledError         exit 130 the client does not want the answer any more
└── InternalError          exit 4   index, input or output failed
    ├── EmbeddingError         exit 4   the embedding model or service cannot be used
    ├── CommandError           exit 4   a command that was to answer failed, or took too long
    └── BrokenIndexError        exit 4   the index could neither be read nor rebuilt
        └── UnwritableIndexError  exit 4   its folder cannot be written, so that rebuilding would not help
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar


class CtxpackError(Exception):
    """Base of all deliberate errors.

    ``str(error)`` is one sentence: what happened and where. ``hint`` says what to do next.
    """

    exit_code: ClassVar[int] = 4

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class NothingFoundError(CtxpackError):
    """Nothing in the repository is relevant, or a check found something stale."""

    exit_code = 1


class UsageError(CtxpackError):
    """The request, a path, a flag or a value is wrong."""

    exit_code = 2


class ConfigError(UsageError):
    """A configuration file, profile or environment variable is wrong."""


class BudgetError(CtxpackError):
    """The budget cannot hold what is required."""

    exit_code = 3


class CancelledError(CtxpackError):
    """The client does not want the answer any more."""

    exit_code = 130


class InternalError(CtxpackError):
    """The index, the input or the output failed."""

    exit_code = 4


class EmbeddingError(InternalError):
    """The embedding model or service cannot be used; a ranking goes on by words alone."""


class CommandError(InternalError):
    """A command of the user could not be run, failed, or took too long."""


class BrokenIndexError(InternalError):
    """The index could neither be read nor rebuilt."""


class UnwritableIndexError(BrokenIndexError):
    """The folder of the index cannot be written."""


def did_you_mean(
    word: str, known: Iterable[str], *, count: int = 1, cutoff: float = 0.6, show: Callable[[str], str] = str
) -> str:
    """Return a hint with the known words that are most similar to an unknown one; empty if none is similar.

    ``cutoff`` is the similarity that is needed, 0 to 1; case does not matter; ``show`` writes a word for the user.
    """
    import difflib

    names = {each.casefold(): each for each in sorted({*known}, reverse=True)}
    near = difflib.get_close_matches(word.casefold(), sorted(names), n=count, cutoff=cutoff)
    return suggest([show(names[each]) for each in near])


def suggest(names: Sequence[str]) -> str:
    """Return a hint that asks whether one of some names was meant; empty for none."""
    *first, last = names or ("",)
    written = f"{', '.join(first)} or {last}" if first else last
    return f"Did you mean {written}?" if names else ""
