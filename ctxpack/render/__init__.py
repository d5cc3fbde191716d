"""Reports as text. The renderer of a format is loaded when it is needed.

``reports`` has the contract of a format and Markdown, plain text and XML, ``json_schema`` JSON, ``prompts`` the
formats that cite their sources, ``page`` the one for a browser; ``wording`` has common texts.
"""

from __future__ import annotations

from typing import cast

from ctxpack.errors import UsageError
from ctxpack.model.formats import FORMAT_NAMES, format_of
from ctxpack.render.reports import Renderer
from ctxpack.system.plugins import plugin, resolve


def renderer(name: str, *, line_numbers: bool = False) -> Renderer:
    """The renderer of a format. Raises UsageError for an unknown one, and for a plug-in that cannot be used."""
    target = format_of(name).renderer
    if target:
        return cast("Renderer", resolve(target)(line_numbers=line_numbers))  # type: ignore[operator]
    foreign = plugin("ctxpack.renderers", name)
    if foreign is None:
        raise UsageError(f"Unknown format {name!r}.", hint=f"Known formats: {', '.join(FORMAT_NAMES)}.")
    try:
        return cast("Renderer", resolve(foreign.target)(line_numbers=line_numbers))  # type: ignore[operator]
    except Exception as error:  # whatever a stranger's package raises
        said = f"The format {name} of {foreign.package} cannot be used: {type(error).__name__}: {error}."
        raise UsageError(said, hint=f"Known formats: {', '.join(FORMAT_NAMES)}.") from error
