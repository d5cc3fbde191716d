"""What stands around the pieces of a prompt: instructions, system prompt, history, memory; redacted, and in their room.

Only here the clock is asked, and only for a session: how old its memories are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ctxpack.budget import budget_of, counter_of
from ctxpack.errors import InternalError, UsageError
from ctxpack.files import can_write
from ctxpack.model import Conversation, Memory, Message, Pack, Query, Request
from ctxpack.redact import redact
from ctxpack.render.citing import question
from ctxpack.render.instructions import instructions
from ctxpack.render.messages import dumped
from ctxpack.session import (
    History,
    RecallWeights,
    SessionStore,
    covered,
    narrowed,
    parse_history,
    recall,
    remembered,
    trim,
)
from ctxpack.settings import Settings
from ctxpack.text import decode
from ctxpack.tokens import TokenCounter

PROMPT_FORMATS = ("markdown-narrative", "messages")
"""The formats that show a conversation."""
Clock = Callable[[], float]
"""Gives seconds since the epoch."""

_HISTORY_SHARE, _MEMORY_SHARE = 0.25, 0.1  # of the budget, where no window says what they may take
_MOST_MEMORIES = 12  # that are looked at: the others answer the request hardly at all
_SEPARATOR = 1  # token that may stand between two messages
_IN_THE_TEXT = ("system", "request", "history", "memory")  # parts of a window that a prompt itself holds


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation, what the user should know of it, and what the session is to remember once the pack is made."""

    conversation: Conversation
    notes: tuple[str, ...] = ()
    fresh: Memory | None = None


def with_prompt_budget(settings: Settings) -> Settings:
    """The settings whose budget is that of a whole prompt, in which stands what a window keeps free for other formats.

    A budget that was named stays. Raises UsageError for what the format has no place for.
    """
    if settings.format not in PROMPT_FORMATS:
        _check_format(settings)
        return settings
    rooms = _reserves(settings)
    return replace(settings, budget=settings.budget + sum(rooms.values())) if rooms else settings


def converse(request: Request, query: Query, settings: Settings, counter: TokenCounter, clock: Clock) -> Prompt:
    """What stands around the pieces. ``request`` is shown as it is; ``counter`` counts what each part takes.

    Raises UsageError for files that are not there or not what they should be, InternalError for a session that cannot
    be read or kept.
    """
    if settings.format not in PROMPT_FORMATS:
        return Prompt(Conversation())
    history = _history(settings)
    asked = Message("user", question(request))
    safe = [replace(each, content=_redacted(each.content)) for each in history.messages]
    if safe and safe[-1] == replace(asked, content=_redacted(asked.content)):
        safe.pop()  # chat programs write down the question before they pass it on
    said = safe if settings.use_redaction else list(history.messages[: len(safe)])
    system = _clean(_file(settings, "system") if settings.system else history.system, settings)
    told = _clean(_instructions(request, query, settings), settings)
    around = sum(_cost(counter, Message("system", text)) for text in (system, told)) + _cost(counter, asked)
    rooms = _reserves(settings) or _shares(settings.budget - around)
    trimmed = trim(said, rooms["history"], lambda message: _cost(counter, message))
    lost = [*safe[: trimmed.dropped], *(safe[-1:] if trimmed.is_cut else [])]
    found = Conversation(told, system, trimmed.kept, trimmed.dropped)
    notes = (*_left_out(history), *_no_room(trimmed.dropped, settings.session if settings.remember else ""))
    if not settings.session:
        return Prompt(found, notes)
    memories, fresh, damaged = _memories(request, lost, settings, clock())
    fitting = _fitting(memories, _words(request), rooms["memory"], counter)
    return Prompt(replace(found, memories=fitting), (*notes, *damaged), fresh)


def counts(pack: Pack, settings: Settings) -> dict[str, int]:
    """The tokens of the parts of a window that stand in a prompt itself; empty for a format that is none."""
    if settings.format not in PROMPT_FORMATS:
        return {}
    counter, its = counter_of(settings), pack.conversation
    return {
        "system": sum(_cost(counter, Message("system", text)) for text in (its.system, its.instructions)),
        "request": _cost(counter, Message("user", question(pack.request))),
        "history": sum(_cost(counter, message) for message in its.history),
        "memory": sum(_price(counter, memory) for memory in its.memories),
    }


def keep(prompt: Prompt, settings: Settings) -> None:
    """Let the session remember what had no room. Raises InternalError."""
    if prompt.fresh is not None and settings.remember:
        _store(settings).save(settings.session, prompt.fresh)


def _check_format(settings: Settings) -> None:
    """Nothing that was asked for is passed over in silence."""
    names = ("system", "history", "session", "instructions")
    given = [name for name in names if getattr(settings, name) and settings.origins.get(name, "") in {"", f"--{name}"}]
    if given:
        raise UsageError(
            f"--{given[0]} has no place in {settings.format}.",
            hint=f"Add --format {' or '.join(reversed(PROMPT_FORMATS))}.",
        )


def _reserves(settings: Settings) -> dict[str, int]:
    """What a window keeps free for the parts that a prompt holds itself; nothing where no window says so."""
    its = budget_of(settings)
    if its.asked or not (settings.window or settings.model):
        return {}
    return {part.name: part.tokens for part in its.division().parts if part.name in _IN_THE_TEXT}


def _shares(room: int) -> dict[str, int]:
    return {"history": max(0, int(room * _HISTORY_SHARE)), "memory": max(0, int(room * _MEMORY_SHARE))}


def _history(settings: Settings) -> History:
    if not settings.history:
        return History(())
    return parse_history(_bytes(Path(settings.history), "history"), settings.history)


def _instructions(request: Request, query: Query, settings: Settings) -> str:
    if not settings.use_instructions:
        return ""
    return _file(settings, "instructions") if settings.instructions else instructions(request, query, settings.intent)


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
        raise UsageError(f"The path given to --{flag} is none.") from error


def _clean(text: str, settings: Settings) -> str:
    return _redacted(text) if settings.use_redaction else text


def _redacted(text: str) -> str:
    return redact(text, is_data=True).text


def _cost(counter: TokenCounter, message: Message) -> int:
    """The tokens of a message as JSON, which no format needs more than."""
    return counter.count(dumped(message)) + _SEPARATOR if message.content else 0


def _left_out(history: History) -> tuple[str, ...]:
    parts = "part of the history is" if history.left_out == 1 else "parts of the history are"
    return (f"{history.left_out} {parts} no text and left out.",) if history.left_out else ()


def _no_room(dropped: int, session: str) -> tuple[str, ...]:
    if not dropped:
        return ()
    messages = "1 older message has" if dropped == 1 else f"{dropped} older messages have"
    kept = f"; session {session} keeps an extract" if session else ""
    return (f"{messages} no room{kept}.",)


def _store(settings: Settings) -> SessionStore:
    if settings.data_dir is None:
        raise UsageError("A session needs a folder for its data.", hint="Set data_dir in the settings.")
    return SessionStore(settings.data_dir)


def _memories(
    request: Request, lost: list[Message], settings: Settings, now: float
) -> tuple[tuple[Memory, ...], Memory | None, tuple[str, ...]]:
    """The memories that the request calls for, the one that is new, and what cannot be read."""
    store = _store(settings)
    stored = store.load(settings.session)
    known = {digest for memory in stored.memories for digest in memory.covers}
    new = [message for message in lost if covered(message) not in known]
    fresh = remembered(new, now) if new else None
    if fresh is not None and settings.remember and not can_write(store.data_dir):
        raise InternalError(
            f"Session {settings.session} cannot be kept in {store.data_dir}.",
            hint="Let CTXPACK_DATA_DIR name a folder you may write to.",
        )
    weights = RecallWeights(settings.memory_relevance, settings.memory_recency, settings.memory_days)
    found = recall((*stored.memories, *([fresh] if fresh else [])), _words(request), now, weights)
    return found, fresh, tuple(f"A memory of the session cannot be read: {place}." for place in stored.unreadable)


def _words(request: Request) -> str:
    return f"{request.text}\n{request.path}\n{request.name}\n{request.symbol}"


def _fitting(memories: tuple[Memory, ...], text: str, room: int, counter: TokenCounter) -> tuple[Memory, ...]:
    """The best memories that have room; of a long one only the rows that answer a text."""
    taken: list[Memory] = []
    for memory in memories[:_MOST_MEMORIES]:
        fitting = narrowed(memory, text, lambda each: _price(counter, each) <= room)  # noqa: B023 - called at once
        if fitting is not None:
            taken.append(fitting)
            room -= _price(counter, fitting)
    return tuple(taken)


def _price(counter: TokenCounter, memory: Memory) -> int:
    return _cost(counter, Message("user", memory.text))
