"""Take secrets out of text, in place: every one becomes ``[REDACTED:kind]`` and no line moves; show what is hidden."""

from __future__ import annotations

from ctxpack.redact.harmless import make_visible, mark_injections
from ctxpack.redact.redaction import Redacted, RedactedSecret, redact, redact_fragments

__all__ = ["Redacted", "RedactedSecret", "make_visible", "mark_injections", "redact", "redact_fragments"]
