"""HTML that cannot be left by what it shows: text becomes ``Html`` only by being escaped.

Characters that are invisible, or change the direction of writing, are shown as symbols: code must not
look like other code.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import NewType

from ctxpack.light import lazy_pattern
from ctxpack.text import replace_hidden, without_surrogates

Html = NewType("Html", str)
"""Text that is HTML already; the type checker keeps it apart from text that is not."""

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_MEANT = tuple((written, chr(code)) for code, written in _ESCAPES.items() if written != "&amp;")
_PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"} | {0x7F: "\u2421"}
_MARKS = (0x200E, 0x200F)  # between letters of two directions they are wanted, and turn nothing around
_NO_CHARACTERS = lazy_pattern("[\ufffe\uffff]")


def with_pictures(text: str) -> str:
    """``text`` with a symbol for each control character: ``␛``, or ``[U+202E]`` if there is none."""
    shown = without_surrogates(text).translate(_PICTURES)
    if shown.isascii():
        return shown
    return _NO_CHARACTERS.sub(lambda match: _number(ord(match[0])), replace_hidden(shown, _number))


def _number(code: int) -> str:
    return chr(code) if code in _MARKS else f"[U+{code:04X}]"


def to_html(text: str) -> Html:
    """A text, escaped."""
    return Html(with_pictures(text).translate(_ESCAPES))


def from_html(written: str) -> str:
    """A text, unescaped."""
    for escape, meant in (*_MEANT, ("&amp;", "&")):  # the ampersand comes last
        written = written.replace(escape, meant)
    return written


def element(name: str, attributes: Mapping[str, str | bool] | None = None, *children: Html) -> Html:
    """An element around its children. An attribute that is True has no value, one that is False or empty is not set."""
    said = "".join(
        f" {key}" if value is True else f' {key}="{to_html(value)}"'
        for key, value in (attributes or {}).items()
        if value
    )
    return Html(f"<{name}{said}>{''.join(children)}</{name}>")


def in_span(kind: str, text: str) -> Html:
    """A text of one class; nothing for no text."""
    return element("span", {"class": kind}, to_html(text)) if text else Html("")


def join(*parts: Html) -> Html:
    """Concatenate parts."""
    return Html("".join(parts))


def digest(source: str) -> str:
    """The hash of an inline style or script for a content policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"
