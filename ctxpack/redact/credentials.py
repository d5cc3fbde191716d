"""Credentials that protocols carry: user and password in a URL, authorization headers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxpack.redact.placeholders import is_phrase, is_placeholder, is_template
from ctxpack.redact.spans import Span

# The lengths are bounded so that a long line costs linear time.
_AFTER_SCHEME = re.compile(r"://([^\s/:@\"'`<>?#]{0,100}):([^\s/@\"'`<>?#\\]{1,200})@(?=[\w\[$<{%-])")
_HEADER = re.compile(r"\b([Bb]earer|BEARER)[ \t]{1,3}([A-Za-z0-9._~+/=-]{16,4000})")
_BASIC = re.compile(
    r"\b[Aa]uthorization\b[\"']?\s{0,3}[:=,]\s{0,3}[\"'`]?[Bb]asic[ \t]{1,3}([A-Za-z0-9+/]{8,2000}={0,2})"
)


def find_credentials(text: str) -> Iterator[Span]:
    """Passwords of URLs and the credentials of ``Authorization`` headers."""
    yield from _in_urls(text)
    if "earer" in text or "BEARER" in text:
        for match in _HEADER.finditer(text):
            if _looks_random(match[2]):
                yield Span(*match.span(2), "bearer-token")
    if "uthorization" in text:
        for match in _BASIC.finditer(text):
            yield Span(*match.span(1), "basic-auth")


def _in_urls(text: str) -> Iterator[Span]:
    at = text.find("://")
    while at >= 0:
        match = _AFTER_SCHEME.match(text, at)
        if match and not is_template(match[2]) and not is_placeholder(match[2]) and match[2] != match[1]:
            yield Span(*match.span(2), "url-password")
        at = text.find("://", at + 3)


def _looks_random(value: str) -> bool:
    has_both = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return has_both and not is_phrase(value)
