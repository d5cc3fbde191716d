"""Secrets out of fragments, and one sentence that says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ctxpack.model import PATCH, Fragment
from ctxpack.redact.patches import redact_patch
from ctxpack.redact.redaction import Redacted, redact
from ctxpack.redact.values import holds_data

_SUMMARY = "Redacted: "


@dataclass(frozen=True, slots=True)
class Removed:
    """A secret that was taken out: of which text, on which line, and what kind of secret."""

    home: tuple[str, str]
    line: int
    kind: str


def redact_fragments(fragments: Sequence[Fragment], *, use: bool = True) -> tuple[tuple[Fragment, ...], list[Removed]]:
    """The fragments without secrets, and what was taken out, each once."""
    if not use:
        return tuple(fragments), []
    results = [_redacted(fragment) for fragment in fragments]
    removed: dict[Removed, None] = {}
    for fragment, result in zip(fragments, results, strict=True):
        first = fragment.provenance.start_line
        removed.update({Removed(fragment.home, first + its.line - 1, its.kind): None for its in result.findings})
    clean = tuple(replace(fragment, text=result.text) for fragment, result in zip(fragments, results, strict=True))
    return clean, list(removed)


def summary(removed: Iterable[Removed], fragments: Sequence[Fragment]) -> str:
    """One sentence about the secrets that some fragments lack, by kind; empty for none."""
    found = [each for each in removed if any(_holds(fragment, each) for fragment in fragments)]
    if not found:
        return ""
    kinds = sorted(Counter(each.kind for each in found).items())
    paths = {each.home[0] for each in found}
    where = next(iter(paths)) if len(paths) == 1 else f"{len(paths)} files"
    return f"{_SUMMARY}{', '.join(f'{count} × {kind}' for kind, count in kinds)} in {where}."


def is_summary(note: str) -> bool:
    """Whether a note is such a sentence."""
    return note.startswith(_SUMMARY)


def _holds(fragment: Fragment, removed: Removed) -> bool:
    """Whether a fragment has lost a secret; the lines of a change or a log are not those of its file."""
    origin = fragment.provenance
    is_on_lines = bool(fragment.layer) or origin.start_line <= removed.line <= origin.end_line
    return fragment.home == removed.home and is_on_lines


def _redacted(fragment: Fragment) -> Redacted:
    origin = fragment.provenance
    if fragment.layer == PATCH:
        return redact_patch(fragment.text, origin.path, origin.kind)
    return redact(fragment.text, is_data=holds_data(fragment.language, origin.kind))
