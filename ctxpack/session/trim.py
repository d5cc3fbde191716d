"""Which messages of a history have room: the newest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ctxpack.model import Message

_LEAST = 40  # tokens: less of a message says nothing


@dataclass(frozen=True, slots=True)
class Trimmed:
    """The messages that have room, and how many older ones have none; both kept in order, oldest first.

    ``is_cut`` tells that the one message kept is only the beginning of itself.
    """

    kept: tuple[Message, ...]
    dropped: int
    is_cut: bool = False


def trim(messages: Sequence[Message], room: int, cost: Callable[[Message], int]) -> Trimmed:
    """The newest messages that fit ``room`` tokens; ``cost`` counts one.

    An answer whose question has no room goes too. Where not even the newest message fits, its beginning is kept.
    """
    left, first = room, len(messages)
    while first and (price := cost(messages[first - 1])) <= left:
        left -= price
        first -= 1
    if messages and first == len(messages):
        beginning = _beginning(messages[-1], room, cost)
        return Trimmed((beginning,) if beginning else (), len(messages) - bool(beginning), is_cut=beginning is not None)
    while 0 < first < len(messages) - 1 and messages[first].role == "assistant":
        first += 1
    return Trimmed(tuple(messages[first:]), first)


def _beginning(message: Message, room: int, cost: Callable[[Message], int]) -> Message | None:
    """As much of a message as fits, with a mark; None where that is next to nothing."""
    if room < _LEAST:
        return None
    low, high = 0, len(message.content)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost(_cut(message, middle)) <= room else (low, middle - 1)
    return _cut(message, low) if low else None


def _cut(message: Message, length: int) -> Message:
    rest = len(message.content) - length
    return replace(message, content=f"{message.content[:length].rstrip()} … [{rest:,} characters left out]")
