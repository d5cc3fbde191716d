"""What is made for a prompt, before its pieces are chosen."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.model import Conversation, Memory


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation, what the user should know of it, and what the session is to remember once the pack is made."""

    conversation: Conversation
    notes: tuple[str, ...] = ()
    fresh: Memory | None = None
