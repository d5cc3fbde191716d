"""What a session remembers for a request, and what it is to remember of messages that have no room."""

from __future__ import annotations

from ctxpack.errors import InternalError, UsageError
from ctxpack.model import Memory, Message, Request
from ctxpack.prompting.costs import price
from ctxpack.session import RecallWeights, SessionStore, message_digest, narrow_memory, recall, summarize
from ctxpack.settings import Settings
from ctxpack.tokens import TokenCounter
from ctxpack.writing import can_write

_MOST = 12  # that are looked at: the others answer the request hardly at all


def save(memory: Memory, settings: Settings) -> None:
    """Keep a memory for the next prompts of its session. Raises InternalError."""
    _store(settings).save(settings.session, memory)


def memories_of(
    request: Request, lost: list[Message], settings: Settings, now: float
) -> tuple[tuple[Memory, ...], Memory | None, tuple[str, ...]]:
    """The memories that the request calls for, the one that is new, and what cannot be read.

    Raises InternalError for a session that cannot be read or kept.
    """
    store = _store(settings)
    stored = store.load(settings.session)
    known = {digest for memory in stored.memories for digest in memory.covers}
    new = [message for message in lost if message_digest(message) not in known]
    fresh = summarize(new, now) if new else None
    if fresh is not None and settings.remember and not can_write(store.data_dir):
        raise InternalError(
            f"Session {settings.session} cannot be kept in {store.data_dir}.",
            hint="Let CTXPACK_DATA_DIR name a folder you may write to.",
        )
    weights = RecallWeights(settings.memory_relevance, settings.memory_recency, settings.memory_days)
    found = recall((*stored.memories, *([fresh] if fresh else [])), _words(request), now, weights)
    return found, fresh, tuple(f"A memory of the session cannot be read: {place}." for place in stored.unreadable)


def fitting(memories: tuple[Memory, ...], request: Request, room: int, counter: TokenCounter) -> tuple[Memory, ...]:
    """The best memories that have room; of a long one only the rows that answer a request."""
    taken: list[Memory] = []
    for memory in memories[:_MOST]:
        found = narrow_memory(memory, _words(request), lambda each: price(counter, each) <= room)  # noqa: B023 - called at once
        if found is not None:
            taken.append(found)
            room -= price(counter, found)
    return tuple(taken)


def _store(settings: Settings) -> SessionStore:
    if settings.data_dir is None:
        raise UsageError("A session needs a folder for its data.", hint="Set data_dir in the settings.")
    return SessionStore(settings.data_dir)


def _words(request: Request) -> str:
    return f"{request.text}\n{request.path}\n{request.name}\n{request.symbol}"
