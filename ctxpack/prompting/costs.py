"""What a message costs in a prompt, in tokens."""

from __future__ import annotations

from ctxpack.budget import counter_of
from ctxpack.model import Memory, Message, Pack
from ctxpack.prompting.room import PROMPT_FORMATS
from ctxpack.render.citing import question
from ctxpack.render.messages import dumped
from ctxpack.settings import Settings
from ctxpack.tokens import TokenCounter

_SEPARATOR = 1  # token that may stand between two messages


def cost(counter: TokenCounter, message: Message) -> int:
    """The tokens of a message as JSON, which no format needs more than."""
    return counter.count(dumped(message)) + _SEPARATOR if message.content else 0


def price(counter: TokenCounter, memory: Memory) -> int:
    """The tokens of a memory, which is shown as a message."""
    return cost(counter, Message("user", memory.text))


def counts(pack: Pack, settings: Settings) -> dict[str, int]:
    """The tokens of the parts of a window that stand in a prompt itself; empty for a format that is none."""
    if settings.format not in PROMPT_FORMATS:
        return {}
    counter, its = counter_of(settings), pack.conversation
    return {
        "system": sum(cost(counter, Message("system", text)) for text in (its.system, its.instructions)),
        "request": cost(counter, Message("user", question(pack.request))),
        "history": sum(cost(counter, message) for message in its.history),
        "memory": sum(price(counter, memory) for memory in its.memories),
    }
