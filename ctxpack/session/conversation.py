"""A prompt around the pieces: instructions, system prompt, history and memory, within their parts of the budget."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.errors import InternalError, UsageError
from ctxpack.model import Conversation, Memory, Message, Pack, Prompt, Query, Request
from ctxpack.model.formats import PROMPT_FORMATS
from ctxpack.redact import redact
from ctxpack.render.citing import question
from ctxpack.render.instructions import instructions
from ctxpack.render.messages import dump_message
from ctxpack.settings import Settings
from ctxpack.settings.budget import budget_of, counter_of
from ctxpack.system.clock import Clock
from ctxpack.system.files import can_write
from ctxpack.text import decode
from ctxpack.tokens import TokenCounter

if TYPE_CHECKING:
    from ctxpack.session.chat import ChatHistory
    from ctxpack.session.storage import SessionStore

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


_SEPARATOR = 1  # token that may stand between two messages


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
    from ctxpack.session.chat import ChatHistory, parse_history

    if not settings.history:
        return ChatHistory(())
    return parse_history(_bytes(Path(settings.history), "history"), settings.history)


def system_of(settings: Settings, history: ChatHistory) -> str:
    """Return the redacted system prompt: of the file that the settings name, else of the history. Raises UsageError."""
    return _clean(_file(settings, "system") if settings.system else history.system, settings)


def instructions_of(request: Request, query: Query, settings: Settings) -> str:
    """Return the redacted instructions: of the file that the settings name, else for the request. Raises UsageError."""
    if not settings.use_instructions:
        return ""
    its = _file(settings, "instructions") if settings.instructions else instructions(request, query, settings.intent)
    return _clean(its, settings)


def redact_text(text: str) -> str:
    """Return a text without secrets."""
    return redact(text, is_data=True).text


def _file(settings: Settings, flag: str) -> str:
    """The text of the file that a setting names."""
    return decode(_bytes(Path(getattr(settings, flag)), flag)).strip("\n")


def _bytes(place: Path, flag: str) -> bytes:
    try:
        return place.read_bytes()
    except OSError as error:
        raise UsageError(
            f"The {flag} file {place} cannot be read: {error.strerror}.", hint=f"Check the path given to --{flag}."
        ) from error
    except ValueError as error:  # a NUL in the name
        raise UsageError(f"The path given to --{flag} is not valid.") from error


def _clean(text: str, settings: Settings) -> str:
    return redact_text(text) if settings.use_redaction else text


_MOST = 12  # that are looked at: the others answer the request hardly at all


def save_memory(memory: Memory, settings: Settings) -> None:
    """Keep a memory for the next prompts of its session. Raises InternalError."""
    _store(settings).save(settings.session, memory)


def memories_of(
    request: Request, lost: list[Message], settings: Settings, now: float
) -> tuple[tuple[Memory, ...], Memory | None, tuple[str, ...]]:
    """Return the memories that match the request, the new one, and notes about what cannot be read.

    Raises InternalError for a session that cannot be read or kept.
    """
    from ctxpack.session.memory import RecallWeights, message_digest, recall, summarize

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
    found = recall((*stored.memories, *([fresh] if fresh else [])), _words(request), now, weights)
    return found, fresh, tuple(f"A memory of the session cannot be read: {place}." for place in stored.unreadable)


def fit_memories(
    memories: tuple[Memory, ...], request: Request, room: int, counter: TokenCounter
) -> tuple[Memory, ...]:
    """Return the best memories that fit; of a long one only the rows that match the request."""
    from ctxpack.session.memory import narrow_memory

    taken: list[Memory] = []
    for memory in memories[:_MOST]:
        found = narrow_memory(memory, _words(request), lambda each: price(counter, each) <= room)  # noqa: B023 - called at once
        if found is not None:
            taken.append(found)
            room -= price(counter, found)
    return tuple(taken)


def _store(settings: Settings) -> SessionStore:
    from ctxpack.session.storage import SessionStore

    if settings.data_dir is None:
        raise UsageError("A session needs a data folder.", hint="Set data_dir in the settings.")
    return SessionStore(settings.data_dir)


def _words(request: Request) -> str:
    return f"{request.text}\n{request.path}\n{request.name}\n{request.symbol}"


def prompt_of(request: Request, query: Query, settings: Settings, counter: TokenCounter, clock: Clock) -> Prompt:
    """Return what surrounds the pieces. ``request`` is shown unchanged; ``counter`` counts the tokens of a part.

    Raises UsageError for files that are not there or not what they should be, InternalError for a session that cannot
    be read or kept.
    """
    from ctxpack.session.chat import trim

    history = history_of(settings)
    asked = Message("user", question(request))
    safe = [replace(each, content=redact_text(each.content)) for each in history.messages]
    if safe and safe[-1] == replace(asked, content=redact_text(asked.content)):
        safe.pop()  # chat programs write down the question before they pass it on
    said = safe if settings.use_redaction else list(history.messages[: len(safe)])
    system, told = system_of(settings, history), instructions_of(request, query, settings)
    around = sum(cost(counter, Message("system", text)) for text in (system, told)) + cost(counter, asked)
    rooms = prompt_reserves(settings) or part_shares(settings.budget - around)
    trimmed = trim(said, rooms["history"], lambda message: cost(counter, message))
    lost = [*safe[: trimmed.dropped], *(safe[-1:] if trimmed.is_cut else [])]
    found = Conversation(told, system, trimmed.kept, trimmed.dropped)
    notes = (*_skipped_note(history), *_dropped_note(trimmed.dropped, settings.session if settings.remember else ""))
    if not settings.session:
        return Prompt(found, notes)
    memories, fresh, damaged = memories_of(request, lost, settings, clock())
    shown = fit_memories(memories, request, rooms["memory"], counter)
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
