"""A conversation within its room: what was said before, what is remembered of it, and what tells the model its task."""

from __future__ import annotations

from dataclasses import replace

from ctxpack.clock import Clock
from ctxpack.model import Conversation, Message, Query, Request
from ctxpack.prompting.costs import cost
from ctxpack.prompting.given import history_of, instructions_of, redacted, system_of
from ctxpack.prompting.memories import fitting, memories_of
from ctxpack.prompting.prompt import Prompt
from ctxpack.prompting.room import reserves, shares
from ctxpack.render.citing import question
from ctxpack.session import ChatHistory, trim
from ctxpack.settings import Settings
from ctxpack.tokens import TokenCounter


def prompt_of(request: Request, query: Query, settings: Settings, counter: TokenCounter, clock: Clock) -> Prompt:
    """What stands around the pieces. ``request`` is shown as it is; ``counter`` counts what each part takes.

    Raises UsageError for files that are not there or not what they should be, InternalError for a session that cannot
    be read or kept.
    """
    history = history_of(settings)
    asked = Message("user", question(request))
    safe = [replace(each, content=redacted(each.content)) for each in history.messages]
    if safe and safe[-1] == replace(asked, content=redacted(asked.content)):
        safe.pop()  # chat programs write down the question before they pass it on
    said = safe if settings.use_redaction else list(history.messages[: len(safe)])
    system, told = system_of(settings, history), instructions_of(request, query, settings)
    around = sum(cost(counter, Message("system", text)) for text in (system, told)) + cost(counter, asked)
    rooms = reserves(settings) or shares(settings.budget - around)
    trimmed = trim(said, rooms["history"], lambda message: cost(counter, message))
    lost = [*safe[: trimmed.dropped], *(safe[-1:] if trimmed.is_cut else [])]
    found = Conversation(told, system, trimmed.kept, trimmed.dropped)
    notes = (*_left_out(history), *_no_room(trimmed.dropped, settings.session if settings.remember else ""))
    if not settings.session:
        return Prompt(found, notes)
    memories, fresh, damaged = memories_of(request, lost, settings, clock())
    shown = fitting(memories, request, rooms["memory"], counter)
    return Prompt(replace(found, memories=shown), (*notes, *damaged), fresh)


def _left_out(history: ChatHistory) -> tuple[str, ...]:
    parts = "part of the history is" if history.left_out == 1 else "parts of the history are"
    return (f"{history.left_out} {parts} no text and left out.",) if history.left_out else ()


def _no_room(dropped: int, session: str) -> tuple[str, ...]:
    if not dropped:
        return ()
    messages = "1 older message has" if dropped == 1 else f"{dropped} older messages have"
    kept = f"; session {session} keeps an extract" if session else ""
    return (f"{messages} no room{kept}.",)
