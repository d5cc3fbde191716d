"""Take secrets out of text, in place: every one becomes ``[REDACTED:kind]`` and no line moves."""

from __future__ import annotations

from ctxpack.redact.redaction import Redacted, RedactedSecret, redact

__all__ = ["Redacted", "RedactedSecret", "redact"]
