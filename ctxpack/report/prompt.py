"""Reports whose format is a prompt: the budget of the whole, and the conversation around the pieces."""

from __future__ import annotations

from dataclasses import replace

from ctxpack.errors import UsageError
from ctxpack.model import Conversation, Prompt, Query, Request
from ctxpack.model.formats import PROMPT_FORMATS
from ctxpack.settings import Settings
from ctxpack.system.clock import Clock
from ctxpack.tokens import TokenCounter


def with_prompt_budget(settings: Settings) -> Settings:
    """The settings whose budget is that of a whole prompt, in which stands what a window keeps free for other formats.

    A budget that was named stays. Raises UsageError for what the format has no place for.
    """
    if settings.format not in PROMPT_FORMATS:
        _check_format(settings)
        return settings
    from ctxpack.session.conversation import prompt_reserves

    rooms = prompt_reserves(settings)
    return replace(settings, budget=settings.budget + sum(rooms.values())) if rooms else settings


def _check_format(settings: Settings) -> None:
    """Nothing that was asked for is passed over in silence."""
    names = ("system", "history", "session", "instructions")
    given = [name for name in names if getattr(settings, name) and settings.origins.get(name, "") in {"", f"--{name}"}]
    if given:
        raise UsageError(
            f"--{given[0]} cannot be used with --format {settings.format}.",
            hint=f"Add --format {' or '.join(reversed(PROMPT_FORMATS))}.",
        )


def converse(request: Request, query: Query, settings: Settings, counter: TokenCounter, clock: Clock) -> Prompt:
    """What stands around the pieces; nothing for a format that is no prompt. Raises what ``prompt_of`` raises."""
    if settings.format not in PROMPT_FORMATS:
        return Prompt(Conversation())
    from ctxpack.session.conversation import prompt_of

    return prompt_of(request, query, settings, counter, clock)


def keep_memory(prompt: Prompt, settings: Settings) -> None:
    """Let the session remember what had no room. Raises InternalError."""
    if prompt.fresh is not None and settings.remember:
        from ctxpack.session.conversation import save_memory

        save_memory(prompt.fresh, settings)
