"""The formats of a report, by name; each is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ctxpack.errors import UsageError
from ctxpack.render.layout import Renderer
from ctxpack.system.plugins import plugin, resolve

RENDERERS: Mapping[str, str] = {
    "markdown": "ctxpack.render.markdown:MarkdownRenderer",
    "markdown-compact": "ctxpack.render.citing:CompactRenderer",
    "markdown-narrative": "ctxpack.render.narrative:NarrativeRenderer",
    "messages": "ctxpack.render.messages:MessagesRenderer",
    "xml": "ctxpack.render.xml:XmlRenderer",
    "json": "ctxpack.render.json_schema:JsonRenderer",
    "plain": "ctxpack.render.plain:PlainRenderer",
}
"""Name -> ``module:attribute``; the attribute takes ``line_numbers`` and makes a Renderer."""
PROMPT_FORMATS = ("markdown-narrative", "messages")
"""Those of them that show a conversation."""


def renderer(name: str, *, line_numbers: bool = False) -> Renderer:
    """The renderer of a format. Raises UsageError for an unknown one, and for a plug-in that cannot be used."""
    if name in RENDERERS:
        return cast("Renderer", resolve(RENDERERS[name])(line_numbers=line_numbers))  # type: ignore[operator]
    foreign = plugin("ctxpack.renderers", name)
    if foreign is None:
        raise UsageError(f"Unknown format {name!r}.", hint=f"Known formats: {', '.join(RENDERERS)}.")
    try:
        return cast("Renderer", resolve(foreign.target)(line_numbers=line_numbers))  # type: ignore[operator]
    except Exception as error:  # whatever a stranger's package raises
        said = f"The format {name} of {foreign.package} cannot be used: {type(error).__name__}: {error}."
        raise UsageError(said, hint=f"Known formats: {', '.join(RENDERERS)}.") from error
