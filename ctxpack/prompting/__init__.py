"""What stands around the pieces of a prompt: instructions, system prompt, history, memory; redacted, in their room."""

from __future__ import annotations

from ctxpack.clock import Clock
from ctxpack.model import Conversation, Query, Request
from ctxpack.prompting.prompt import Prompt
from ctxpack.prompting.room import PROMPT_FORMATS, with_prompt_budget
from ctxpack.settings import Settings
from ctxpack.tokens import TokenCounter

__all__ = ["PROMPT_FORMATS", "Prompt", "converse", "keep", "with_prompt_budget"]


def converse(request: Request, query: Query, settings: Settings, counter: TokenCounter, clock: Clock) -> Prompt:
    """What stands around the pieces; nothing for a format that is no prompt. Raises what ``prompt_of`` raises."""
    if settings.format not in PROMPT_FORMATS:
        return Prompt(Conversation())
    from ctxpack.prompting.conversation import prompt_of

    return prompt_of(request, query, settings, counter, clock)


def keep(prompt: Prompt, settings: Settings) -> None:
    """Let the session remember what had no room. Raises InternalError."""
    if prompt.fresh is not None and settings.remember:
        from ctxpack.prompting.memories import save

        save(prompt.fresh, settings)
