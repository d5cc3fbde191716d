"""Secrets out of fragments, and a sentence that says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ctxpack.model import PATCH, Fragment
from ctxpack.redact.patches import redact_patch
from ctxpack.redact.redaction import Redacted, redact
from ctxpack.redact.values import holds_data


def redact_fragments(
    fragments: Sequence[Fragment], *, use: bool = True
) -> tuple[tuple[Fragment, ...], tuple[str, ...]]:
    """The fragments without secrets, and notes for the user: what was taken out of which file."""
    if not use:
        return tuple(fragments), ()
    results = [_redacted(fragment) for fragment in fragments]
    places: dict[tuple[str, int, str], None] = {}
    for fragment, result in zip(fragments, results, strict=True):
        first = fragment.provenance.start_line
        places.update(
            {(fragment.provenance.path, first + found.line - 1, found.kind): None for found in result.findings}
        )
    kinds = Counter((path, kind) for path, _, kind in places)
    notes = tuple(f"Redacted in {path}: {count} × {kind}." for (path, kind), count in sorted(kinds.items()))
    clean = tuple(replace(fragment, text=result.text) for fragment, result in zip(fragments, results, strict=True))
    return clean, notes


def _redacted(fragment: Fragment) -> Redacted:
    origin = fragment.provenance
    if fragment.layer == PATCH:
        return redact_patch(fragment.text, origin.path, origin.kind)
    return redact(fragment.text, is_data=holds_data(fragment.language, origin.kind))
