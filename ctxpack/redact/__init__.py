"""Take secrets and personal data out of text, in place: each becomes ``[REDACTED:kind]`` and no line moves.

What a text hides is shown.
"""

from __future__ import annotations

from ctxpack.redact.harmless import make_visible, mark_injections
from ctxpack.redact.redaction import (
    Redacted,
    RedactedSecret,
    redact,
    redact_candidates,
    redact_fragments,
    redact_state,
)
from ctxpack.redact.rules import Rules, rules_of

__all__ = [
    "Redacted", "RedactedSecret", "Rules", "make_visible", "mark_injections", "redact", "redact_candidates",
    "redact_fragments", "redact_state", "rules_of",
]  # fmt: skip
