"""Secrets out of what the user asked: a report repeats the request, and its words."""

from __future__ import annotations

from dataclasses import replace

from ctxpack.model import Request
from ctxpack.redact.redaction import redact
from ctxpack.redact.spans import MARK


def redact_request(request: Request, *, use: bool = True) -> tuple[Request, Request]:
    """The request to show, with a mark for every secret, and the one to search for, without them."""
    if not use:
        return request, request
    shown = redact(request.text, is_data=True)
    if not shown.findings:
        return request, request
    return replace(request, text=shown.text), replace(request, text=MARK.sub(" ", shown.text))
