"""The messages of a chat, from JSON as chat programs and APIs write it, and which of them have room: the newest."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ctxpack.errors import UsageError
from ctxpack.model import Message

_ROLES: Mapping[str, str] = {
    "user": "user", "human": "user",
    "assistant": "assistant", "ai": "assistant", "model": "assistant", "bot": "assistant",
    "system": "system", "developer": "system",
}  # fmt: skip
_SHAPE = 'Write it as [{"role": "user", "content": "…"}, …].'
_LEAST = 40  # tokens: less of a message says nothing


@dataclass(frozen=True, slots=True)
class ChatHistory:
    """The turns of user and assistant, oldest first; the system's text; how many parts were no text."""

    messages: tuple[Message, ...]
    system: str = ""
    left_out: int = 0


def parse_history(data: bytes, name: str) -> ChatHistory:
    """Read ``[{"role", "content"}, …]`` or ``{"messages": […]}``; a content is a text or a list of parts.

    What is no text is counted and left out: calls of tools and their results, images. ``name`` is how messages call
    the file. Raises UsageError.
    """
    document = _json(data, name)
    entries = document.get("messages") if isinstance(document, dict) else document
    if not isinstance(entries, list):
        raise UsageError(f"{name} does not contain a list of messages.", hint=_SHAPE)
    found: list[Message] = []
    system = [_text(document["system"])[0]] if isinstance(document, dict) and "system" in document else []
    left_out = 0
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("role"), str):
            raise UsageError(f"Message {number} of {name} has no role.", hint=_SHAPE)
        text, skipped = _text(entry.get("content"))
        role = _ROLES.get(entry["role"].lower(), "")
        left_out += skipped + bool(entry.get("tool_calls"))
        if role == "system":
            system.append(text)
        elif role and text.strip():
            found.append(Message(role, text))
        elif not role:
            left_out += 1
    return ChatHistory(tuple(found), "\n\n".join(each for each in system if each.strip()), left_out)


def _json(data: bytes, name: str) -> object:
    try:
        document: object = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8.", hint="Save it as UTF-8.") from error
    except (ValueError, RecursionError) as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise UsageError(f"{name} is not valid JSON{where}.", hint=_SHAPE) from error
    return document


def _text(content: object) -> tuple[str, int]:
    """Return the text of a content, and how many of its parts are none."""
    if content is None:
        return "", 0
    if isinstance(content, str):
        return content, 0
    parts = content if isinstance(content, list) else [content]
    texts = [_part(part) for part in parts]
    return "\n\n".join(text for text in texts if text), sum(text is None for text in texts)


def _part(part: object) -> str | None:
    if isinstance(part, str):
        return part
    is_text = isinstance(part, dict) and part.get("type", "text") in {"text", "input_text", "output_text"}
    text = part.get("text") if is_text and isinstance(part, dict) else None
    return text if isinstance(text, str) else None


@dataclass(frozen=True, slots=True)
class Trimmed:
    """The messages that have room, and how many older ones have none; both kept in order, oldest first.

    ``is_cut`` tells that the one message kept is only the beginning of itself.
    """

    kept: tuple[Message, ...]
    dropped: int
    is_cut: bool = False


def trim(messages: Sequence[Message], room: int, cost: Callable[[Message], int]) -> Trimmed:
    """Keep the newest messages that fit ``room`` tokens; ``cost`` counts one.

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
    """Cut a message to as much as fits, with a mark; None where that is next to nothing."""
    if room < _LEAST:
        return None
    low, high = 0, len(message.content)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost(_shorten(message, middle)) <= room else (low, middle - 1)
    return _shorten(message, low) if low else None


def _shorten(message: Message, length: int) -> Message:
    rest = len(message.content) - length
    return replace(message, content=f"{message.content[:length].rstrip()} … [{rest:,} characters left out]")
