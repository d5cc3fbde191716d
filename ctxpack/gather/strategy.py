"""A strategy is one way to gather pieces for a pack. Built-in ones, plug-ins and programs all are a ``Strategy``.

A plug-in imports what it needs from here; ``docs/plugins.md`` shows a whole one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, cast

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, derived_piece, lines_piece
from ctxpack.light import dataclass
from ctxpack.model import Fragment, Scope, SourceFile
from ctxpack.system.plugins import resolve

__all__ = ["Context", "Fragment", "Gatherer", "Scope", "Strategy", "derived", "made", "piece"]

EVERY_SCOPE = tuple(Scope)
BUILT_IN = "built in"
TREE = "tree"  # a strategy without pieces: made with the head of the report, once it is known what is in it
_SECONDS = 10.0
_VALUE = 0.5


class Gatherer(Protocol):
    """The function of a strategy."""

    def __call__(self, context: Context, /) -> Iterable[Fragment | str]:
        """The pieces for the request of ``context``, in any order; a text among them is a remark for the user.

        It runs in its own thread, in parallel with the other strategies. If it raises an error or exceeds its time
        limit, a note in the report says so, and the report is made without it.
        """


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to gather, and its limits.

    ``gather`` is a ``Gatherer`` or where to import one from, ``module:attribute``. Strategies with a higher
    ``priority`` come first: pieces that they return are not added again. ``max_tokens`` limits all its pieces together,
    None means only the budget; ``timeout_s`` is in seconds. Without ``is_default`` it only runs on request.
    """

    id: str
    name: str
    gather: Gatherer | str
    scopes: tuple[Scope, ...] = EVERY_SCOPE
    priority: int = 40
    max_tokens: int | None = None
    timeout_s: float = _SECONDS
    is_default: bool = True
    origin: str = BUILT_IN  # or the package or program that brings it

    def load(self) -> Gatherer:
        """Load its function. Raises ImportError and AttributeError where it cannot be imported."""
        return cast("Gatherer", resolve(self.gather)) if isinstance(self.gather, str) else self.gather

    @property
    def is_built_in(self) -> bool:
        """Whether it is built in."""
        return self.origin == BUILT_IN


def piece(
    context: Context, path: str, lines: tuple[int, int], *, reason: str, value: float = _VALUE, symbol: str = ""
) -> Fragment:
    """Lines first..last (from 1, both included) of a file of the repository, verbatim.

    ``path`` is relative to the root, with slashes; ``reason`` says in a few words why they are relevant; ``value``,
    0..1, their value compared with other pieces (the best search result has 1). Raises ValueError for a path that
    is no file of the repository and for lines that it does not have.
    """
    file = _file_of(context, path)
    last = len(context.lines(path))
    if not 1 <= lines[0] <= lines[1] <= last:
        raise ValueError(f"{path} has {last} lines, not {lines[0]} to {lines[1]}")
    return lines_piece(context, file, lines, Role("", value, (reason,), symbol=symbol))


def _file_of(context: Context, path: str) -> SourceFile:
    file = context.view.files.get(path)
    if file is None:
        raise ValueError(f"{path} is not among the files of the repository")
    return file


def derived(
    context: Context, path: str, text: str, *, reason: str, value: float = _VALUE, symbol: str = ""
) -> Fragment:
    """A text derived from a file of the repository, such as a summary; see ``piece`` for the rest."""
    file = _file_of(context, path)
    role = Role("", value, (reason,), symbol=symbol)
    return derived_piece(context, file, text if text.endswith("\n") else f"{text}\n", role)


made = derived  # as plug-ins written before call it
