"""The preview command: show a pack on a screen, where it can be changed before it is saved or copied."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from ctxpack.answer import pack
from ctxpack.cli.display import progress
from ctxpack.cli.inputs import Spot, complete_request, request_at, request_text, settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.reporting import NOWHERE
from ctxpack.errors import UsageError, did_you_mean
from ctxpack.light import replace
from ctxpack.model import Request, Scope
from ctxpack.model.formats import PROMPT_FORMATS
from ctxpack.settings import Settings
from ctxpack.system.version import TUI_PACKAGE, install_command

if TYPE_CHECKING:
    from ctxpack.cli.draft import Draft

_HINT: Final = 'Write the command to preview: ctxpack preview task "fix the retry bug".'


def preview_pack(
    scope: str, words: Sequence[str], flags: Flags, spot: Spot = NOWHERE, *, is_staged: bool = False
) -> None:
    """Show a pack until the user leaves. Raises CtxpackError."""
    request = request_of(scope, words, flags, spot, is_staged=is_staged)
    if find_spec("textual") is None:
        raise UsageError(
            "The library of the preview is not installed.",
            hint=f"Run {install_command(TUI_PACKAGE)}.",
        )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "The preview needs a terminal.", hint="To see the pieces without one: ctxpack task … --dry-run"
        )
    from ctxpack.cli.output import copy
    from ctxpack.cli.screen import Preview

    make = draft_maker(request, flags)
    with progress(flags):
        draft = make(False)
    Preview(draft, make, copy).run()


def request_of(
    scope: str, words: Sequence[str], flags: Flags, spot: Spot = NOWHERE, *, is_staged: bool = False
) -> Request:
    """Return the request as typed. Raises UsageError for an invalid one."""
    if scope not in {each.value for each in Scope}:
        raise UsageError(f"{scope!r} is not a command that packs.", hint=did_you_mean(scope, [*Scope]) or _HINT)
    if spot != NOWHERE and scope != Scope.FILE:
        raise UsageError("Only a file has a line, lines or a symbol.", hint="Write: ctxpack preview file PATH --line 7")
    if is_staged and scope != Scope.DIFF:
        raise UsageError("Only a diff has staged changes.", hint="Write: ctxpack preview diff --staged")
    if scope == Scope.DIFF:
        return Request(Scope.DIFF, revision=" ".join(words), is_staged=is_staged)
    text = request_text(words, flags, _HINT)
    if scope == Scope.FILE:
        return request_at(text, spot)
    return Request.about(Scope(scope), text)


def draft_maker(request: Request, flags: Flags) -> Callable[[bool], Draft]:
    """Return a function that makes the pack of a request, with or without the lines that a model can do without."""
    from ctxpack.cli.draft import draft_of

    request, settings = complete_request(request, _with_piecewise_format(settings_of(flags)), flags, NOWHERE)

    def make(is_short: bool) -> Draft:
        report = pack(request, replace(settings, compress=settings.compress or is_short))
        return draft_of(report.pack, report.text)

    return make


def _with_piecewise_format(settings: Settings) -> Settings:
    """The settings with a format that consists of separate pieces."""
    is_prompt = settings.format in PROMPT_FORMATS or settings.format == "html"
    return replace(settings, format="markdown") if is_prompt else settings
