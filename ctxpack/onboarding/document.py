"""The instructions as one text of Markdown, within a token budget: commands first, then layout, rules and pitfalls."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.errors import BudgetError
from ctxpack.index.opening import open_repository
from ctxpack.onboarding.commands import FoundCommand, commands
from ctxpack.onboarding.layout import entry_points, layers, layout
from ctxpack.onboarding.rules import conventions, pitfalls
from ctxpack.onboarding.sources import Sources
from ctxpack.redact.redaction import redact
from ctxpack.settings import Settings
from ctxpack.settings.budget import counter_of

_SHARES = (("## Commands", 0.4), ("## Layout", 0.75), ("## Conventions", 0.92), ("## Pitfalls", 1.0))
"""The sections, and the part of the budget that is used up with each at most."""


def write_instructions(settings: Settings) -> str:
    """Write how to work on a repository, in at most ``settings.budget`` tokens. Raises CtxpackError."""
    with open_repository(settings) as view:
        sources = Sources(view)
        found = commands(sources)
        begins = [
            f"Entry point: {f'{each.text} ({each.place})' if each.text else f'`{each.path}`'}"
            for each in entry_points(sources)
        ]
        sections = (
            [line for purpose, its in found.items() for line in _command_lines(purpose, its)],
            [*layers(layout(sources)), *(f"- {each}" for each in begins)],
            [f"- {each}" for each in conventions(sources)],
            [f"- {each}" for each in pitfalls(sources)],
        )
    clean = [[redact(line).text if settings.use_redaction else line for line in lines] for lines in sections]
    return _fit_sections(f"# Working on {view.state.name}\n", clean, settings)


def _command_lines(purpose: str, its: Sequence[FoundCommand]) -> list[str]:
    """The commands of a purpose, each with where it is said."""
    lines = [f"- {purpose}:"]
    for each in its:
        about = f": {each.about}" if each.about and each.about != each.text else ""
        lines.append(f"  - `{each.text}` ({each.origin.place}){about}")
    return lines


def _fit_sections(title: str, sections: Sequence[Sequence[str]], settings: Settings) -> str:
    """The sections within their parts of the budget; what one does not use, the next one has."""
    count = counter_of(settings).count
    text = title
    for (heading, share), lines in zip(_SHARES, sections, strict=True):
        limit = int(settings.budget * share)
        added = f"\n{heading}\n\n"
        for line in lines:
            if count(f"{text}{added}{line}\n") > limit:
                break
            added += f"{line}\n"
        text += added if added != f"\n{heading}\n\n" else ""
    if count(text) > settings.budget:
        raise BudgetError(f"The instructions need more than {settings.budget} tokens.", hint="Raise the budget.")
    return text
