"""What the user gives for a prompt: a history, a system prompt, instructions."""

from __future__ import annotations

from pathlib import Path

from ctxpack.errors import UsageError
from ctxpack.model import Query, Request
from ctxpack.redact import redact
from ctxpack.render.instructions import instructions
from ctxpack.session import ChatHistory, parse_history
from ctxpack.settings import Settings
from ctxpack.text import decode


def history_of(settings: Settings) -> ChatHistory:
    """The history that the settings name; an empty one where they name none. Raises UsageError."""
    if not settings.history:
        return ChatHistory(())
    return parse_history(_bytes(Path(settings.history), "history"), settings.history)


def system_of(settings: Settings, history: ChatHistory) -> str:
    """The system prompt, redacted: the file that the settings name, else that of the history. Raises UsageError."""
    return _clean(_file(settings, "system") if settings.system else history.system, settings)


def instructions_of(request: Request, query: Query, settings: Settings) -> str:
    """The instructions, redacted: the file that the settings name, else those for what is asked. Raises UsageError."""
    if not settings.use_instructions:
        return ""
    its = _file(settings, "instructions") if settings.instructions else instructions(request, query, settings.intent)
    return _clean(its, settings)


def redacted(text: str) -> str:
    """A text without secrets."""
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
        raise UsageError(f"The path given to --{flag} is none.") from error


def _clean(text: str, settings: Settings) -> str:
    return redacted(text) if settings.use_redaction else text
