"""A prompt around the pieces: instructions, system prompt, history and memory, within their parts of the budget.

The history is read from JSON as chat programs and APIs write it; the newest messages come first for room.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.errors import InternalError, UsageError
from ctxpack.light import dataclass, replace
from ctxpack.model import Conversation, Memory, Message, Pack, Prompt, Query, Request
from ctxpack.model.formats import PROMPT_FORMATS
from ctxpack.redact import redact
from ctxpack.redact.rules import Rules, rules_of, rules_to_keep
from ctxpack.render.prompts import dump_message, instructions, question
from ctxpack.settings import Settings
from ctxpack.settings.budget import budget_of, counter_of
from ctxpack.system.clock import Clock, Timekeeper
from ctxpack.system.disk import can_write, read_named
from ctxpack.system.tokens import TokenCounter
from ctxpack.text import decode

if TYPE_CHECKING:
    from ctxpack.report.memory import SessionStore


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

    What is not text is counted and left out: tool calls and their results, images. ``name`` is how messages call
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
    """Return the text of a content, and how many of its parts are not text."""
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
    """The messages that have room, oldest first, and how many older ones have none.

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
    """Cut a message to what fits, with a mark; None if that is almost nothing."""
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


_HISTORY_SHARE, _MEMORY_SHARE = 0.25, 0.1  # of the budget, where no window says what they may take
_IN_THE_TEXT = ("system", "request", "history", "memory")  # parts of a window that a prompt itself holds


def prompt_reserves(settings: Settings) -> dict[str, int]:
    """Return what a window keeps free for the parts of a prompt; empty without a window."""
    if not (settings.window or settings.model):
        return {}
    its = budget_of(settings)
    return {} if its.asked else {part.name: part.tokens for part in its.division().parts if part.name in _IN_THE_TEXT}


def part_shares(room: int) -> dict[str, int]:
    """Return the tokens for history and memory out of ``room``, where no window divides them."""
    return {"history": max(0, int(room * _HISTORY_SHARE)), "memory": max(0, int(room * _MEMORY_SHARE))}


_SEPARATOR = 1  # token that may be between two messages


def cost(counter: TokenCounter, message: Message) -> int:
    """Count the tokens of a message as JSON, the longest of the formats."""
    return counter.count(dump_message(message)) + _SEPARATOR if message.content else 0


def price(counter: TokenCounter, memory: Memory) -> int:
    """Count the tokens of a memory, which is shown as a message."""
    return cost(counter, Message("user", memory.text))


def token_counts(pack: Pack, settings: Settings) -> dict[str, int]:
    """Count the tokens of the parts of a window that are in the prompt itself; empty for other formats."""
    if settings.format not in PROMPT_FORMATS:
        return {}
    counter, its = counter_of(settings), pack.conversation
    return {
        "system": sum(cost(counter, Message("system", text)) for text in (its.system, its.instructions)),
        "request": cost(counter, Message("user", question(pack.request))),
        "history": sum(cost(counter, message) for message in its.history),
        "memory": sum(price(counter, memory) for memory in its.memories),
    }


def history_of(settings: Settings) -> ChatHistory:
    """Read the history that the settings name; empty without one. Raises UsageError."""
    if not settings.history:
        return ChatHistory(())
    return parse_history(_bytes(Path(settings.history), "history"), settings.history)


def system_of(settings: Settings, history: ChatHistory, keeper: Timekeeper) -> str:
    """Return the redacted system prompt: of the file that the settings name, else of the history. Raises UsageError."""
    return _clean(_file(settings, "system") if settings.system else history.system, settings, keeper)


def instructions_of(request: Request, query: Query, settings: Settings, keeper: Timekeeper) -> str:
    """Return the redacted instructions: of the file that the settings name, else for the request. Raises UsageError."""
    if not settings.use_instructions:
        return ""
    its = _file(settings, "instructions") if settings.instructions else instructions(request, query, settings.intent)
    return _clean(its, settings, keeper)


def redact_text(text: str, rules: Rules, keeper: Timekeeper) -> str:
    """Return a text without what the rules redact."""
    return redact(text, is_data=True, rules=rules, keeper=keeper).text


def _file(settings: Settings, flag: str) -> str:
    """The text of the file that a setting names."""
    return decode(_bytes(Path(getattr(settings, flag)), flag)).strip("\n")


def _bytes(place: Path, flag: str) -> bytes:
    try:
        return read_named(place)
    except OSError as error:
        raise UsageError(
            f"The {flag} file {place} cannot be read: {error.strerror}.", hint=f"Check the path given to --{flag}."
        ) from error
    except ValueError as error:  # a NUL in the name
        raise UsageError(f"The path given to --{flag} is not valid.") from error


def _clean(text: str, settings: Settings, keeper: Timekeeper) -> str:
    return redact_text(text, rules_of(settings), keeper)


_MOST = 12  # that are looked at: the others answer the request hardly at all


def save_memory(memory: Memory, settings: Settings) -> None:
    """Keep a memory for the next prompts of its session. Raises InternalError."""
    _store(settings).save(settings.session, memory)


def memories_of(
    words: str, lost: list[Message], settings: Settings, now: float
) -> tuple[tuple[Memory, ...], Memory | None, tuple[str, ...]]:
    """Return the memories that match the words of a request, the new one, and notes about what cannot be read.

    Raises InternalError for a session that cannot be read or kept.
    """
    from ctxpack.report.memory import RecallWeights, message_digest, recall, summarize

    store = _store(settings)
    stored = store.load(settings.session)
    known = {digest for memory in stored.memories for digest in memory.covers}
    new = [message for message in lost if message_digest(message) not in known]
    fresh = summarize(new, now) if new else None
    if fresh is not None and settings.remember and not can_write(store.data_dir):
        raise InternalError(
            f"Session {settings.session} cannot be kept in {store.data_dir}.",
            hint="Set CTXPACK_DATA_DIR to a folder that you can write to.",
        )
    weights = RecallWeights(settings.memory_relevance, settings.memory_recency, settings.memory_days)
    found = recall((*stored.memories, *([fresh] if fresh else [])), words, now, weights)
    return found, fresh, tuple(f"A memory of the session cannot be read: {place}." for place in stored.unreadable)


def fit_memories(memories: tuple[Memory, ...], words: str, room: int, counter: TokenCounter) -> tuple[Memory, ...]:
    """Return the best memories that fit; of a long one only the rows that match the words of a request."""
    from ctxpack.report.memory import narrow_memory

    taken: list[Memory] = []
    for memory in memories[:_MOST]:
        found = narrow_memory(memory, words, lambda each: price(counter, each) <= room)  # noqa: B023 - called at once
        if found is not None:
            taken.append(found)
            room -= price(counter, found)
    return tuple(taken)


def _store(settings: Settings) -> SessionStore:
    from ctxpack.report.memory import SessionStore

    if settings.data_dir is None:
        raise UsageError("A session needs a data folder.", hint="Set data_dir in the settings.")
    return SessionStore(settings.data_dir)


def _words(request: Request) -> str:
    return f"{request.text}\n{request.path}\n{request.name}\n{request.symbol}"


def prompt_of(
    request: Request, query: Query, settings: Settings, counter: TokenCounter, clocks: tuple[Clock, Timekeeper]
) -> Prompt:
    """Return what surrounds the pieces. ``request`` is shown unchanged; ``counter`` counts the tokens of a part.

    Raises UsageError for files that are not there or not what they should be, InternalError for a session that cannot
    be read or kept.
    """
    (clock, keeper), history = clocks, history_of(settings)
    words, system = _words(request), system_of(settings, history, keeper)
    guidance, asked = instructions_of(request, query, settings, keeper), Message("user", question(request))
    kept = rules_to_keep(settings)
    safe = [replace(each, content=redact_text(each.content, kept, keeper)) for each in history.messages]
    if safe and safe[-1] == replace(asked, content=redact_text(asked.content, kept, keeper)):
        safe.pop()  # chat programs write down the question before they pass it on
    said = [replace(each, content=_clean(each.content, settings, keeper)) for each in history.messages[: len(safe)]]
    around = sum(cost(counter, Message("system", text)) for text in (system, guidance)) + cost(counter, asked)
    rooms = prompt_reserves(settings) or part_shares(settings.budget - around)
    trimmed = trim(said, rooms["history"], lambda message: cost(counter, message))
    lost = [*safe[: trimmed.dropped], *(safe[-1:] if trimmed.is_cut else [])]
    found = Conversation(guidance, system, trimmed.kept, trimmed.dropped)
    notes = (*_skipped_note(history), *_dropped_note(trimmed.dropped, settings.session if settings.remember else ""))
    if not settings.session:
        return Prompt(found, notes)
    memories, fresh, damaged = memories_of(words, lost, settings, clock())
    shown = fit_memories(memories, words, rooms["memory"], counter)
    return Prompt(replace(found, memories=shown), (*notes, *damaged), fresh)


def _skipped_note(history: ChatHistory) -> tuple[str, ...]:
    parts = "part of the history is" if history.left_out == 1 else "parts of the history are"
    return (f"{history.left_out} {parts} not text and left out.",) if history.left_out else ()


def _dropped_note(dropped: int, session: str) -> tuple[str, ...]:
    if not dropped:
        return ()
    messages = "1 older message does" if dropped == 1 else f"{dropped} older messages do"
    kept = f"; session {session} keeps an extract" if session else ""
    return (f"{messages} not fit{kept}.",)
