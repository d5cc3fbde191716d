"""The formats of a report, by name; each is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import cast

from ctxpack.errors import UsageError
from ctxpack.report import Renderer

RENDERERS: Mapping[str, str] = {
    "markdown": "ctxpack.render.markdown:MarkdownRenderer",
    "markdown-compact": "ctxpack.render.compact:CompactRenderer",
    "markdown-narrative": "ctxpack.render.narrative:NarrativeRenderer",
    "messages": "ctxpack.render.messages:MessagesRenderer",
    "xml": "ctxpack.render.xml:XmlRenderer",
    "json": "ctxpack.render.json_schema:JsonRenderer",
    "plain": "ctxpack.render.plain:PlainRenderer",
}
"""Name -> ``module:attribute``; the attribute takes ``line_numbers`` and makes a Renderer."""


def renderer(name: str, *, line_numbers: bool = False) -> Renderer:
    """The renderer of a format. Raises UsageError for an unknown one."""
    if name not in RENDERERS:
        raise UsageError(f"Unknown format {name!r}.", hint=f"Known formats: {', '.join(RENDERERS)}.")
    module, _, attribute = RENDERERS[name].partition(":")
    return cast("Renderer", getattr(import_module(module), attribute)(line_numbers=line_numbers))
