"""Vue and Svelte: the script part of a component, at its own lines."""

from __future__ import annotations

import re

LANGUAGES = frozenset({"vue", "svelte"})
_SCRIPT = re.compile(r"<script\b[^>]*>(?P<body>.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_NOT_FEED = re.compile(r"[^\n]+")


def script_only(text: str) -> str:
    """Return ``text`` with everything outside ``<script>`` elements blanked; the lines keep their numbers."""
    parts: list[str] = []
    position = 0
    for match in _SCRIPT.finditer(text):
        parts.append(_NOT_FEED.sub("", text[position : match.start("body")]))
        parts.append(match["body"])
        position = match.end("body")
    parts.append(_NOT_FEED.sub("", text[position:]))
    return "".join(parts)
