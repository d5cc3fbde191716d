"""How much a prompt may hold, and which formats are prompts."""

from __future__ import annotations

from dataclasses import replace

from ctxpack.budget import budget_of
from ctxpack.errors import UsageError
from ctxpack.settings import Settings

PROMPT_FORMATS = ("markdown-narrative", "messages")
"""The formats that show a conversation."""

_HISTORY_SHARE, _MEMORY_SHARE = 0.25, 0.1  # of the budget, where no window says what they may take
_IN_THE_TEXT = ("system", "request", "history", "memory")  # parts of a window that a prompt itself holds


def with_prompt_budget(settings: Settings) -> Settings:
    """The settings whose budget is that of a whole prompt, in which stands what a window keeps free for other formats.

    A budget that was named stays. Raises UsageError for what the format has no place for.
    """
    if settings.format not in PROMPT_FORMATS:
        _check_format(settings)
        return settings
    rooms = reserves(settings)
    return replace(settings, budget=settings.budget + sum(rooms.values())) if rooms else settings


def reserves(settings: Settings) -> dict[str, int]:
    """What a window keeps free for the parts that a prompt holds itself; nothing where no window says so."""
    if not (settings.window or settings.model):
        return {}
    its = budget_of(settings)
    return {} if its.asked else {part.name: part.tokens for part in its.division().parts if part.name in _IN_THE_TEXT}


def shares(room: int) -> dict[str, int]:
    """What of the room beside everything else history and memory may take, where no window says so."""
    return {"history": max(0, int(room * _HISTORY_SHARE)), "memory": max(0, int(room * _MEMORY_SHARE))}


def _check_format(settings: Settings) -> None:
    """Nothing that was asked for is passed over in silence."""
    names = ("system", "history", "session", "instructions")
    given = [name for name in names if getattr(settings, name) and settings.origins.get(name, "") in {"", f"--{name}"}]
    if given:
        raise UsageError(
            f"--{given[0]} has no place in {settings.format}.",
            hint=f"Add --format {' or '.join(reversed(PROMPT_FORMATS))}.",
        )
