"""Run the detectors, join what they found, and put the marks in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ctxpack.redact.assignments import find_assignments
from ctxpack.redact.credentials import find_credentials
from ctxpack.redact.data_values import find_data_values
from ctxpack.redact.private_keys import find_private_keys
from ctxpack.redact.providers import find_provider_keys
from ctxpack.redact.spans import MARK, Detector, Span

DETECTORS: tuple[Detector, ...] = (find_private_keys, find_provider_keys, find_credentials, find_assignments)
OF_DATA: tuple[Detector, ...] = (*DETECTORS, find_data_values)


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret that was taken out: its kind, and the line (from 1) where it began."""

    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, with as many lines as before, and what was taken out, by line."""

    text: str
    findings: tuple[Finding, ...] = ()


def redact(text: str, *, is_data: bool = False) -> Redacted:
    """Replace every secret of ``text`` by ``[REDACTED:kind]``; redacting the result again changes nothing.

    With ``is_data`` the text holds values, not code: an unquoted one is no variable but what it says.
    """
    detectors = OF_DATA if is_data else DETECTORS
    findings: list[Finding] = []
    while spans := _joined(
        _found(text, detectors)
    ):  # a mark ends its neighbour's word: what is left is looked at again
        findings.extend(Finding(span.kind, text.count("\n", 0, span.start) + 1) for span in spans)
        text = _marked(text, spans)
    return Redacted(text, tuple(sorted(findings, key=lambda finding: (finding.line, finding.kind))))


def _found(text: str, detectors: Sequence[Detector]) -> list[tuple[int, Span]]:
    """The spans that touch no mark, each with the rank of its detector."""
    marks = [match.span() for match in MARK.finditer(text)]
    return [
        (rank, span)
        for rank, detector in enumerate(detectors)
        for span in detector(text)
        if span.start < span.end and not any(start < span.end and span.start < end for start, end in marks)
    ]


def _joined(found: Iterable[tuple[int, Span]]) -> list[Span]:
    """Spans in order without overlaps; of overlapping ones the first detector names the whole."""
    joined: list[tuple[int, Span]] = []
    for rank, span in sorted(found, key=lambda item: (item[1], item[0])):
        if joined and span.start < joined[-1][1].end:
            best, last = joined[-1]
            kind = span.kind if rank < best else last.kind
            joined[-1] = (min(rank, best), Span(last.start, max(last.end, span.end), kind))
        else:
            joined.append((rank, span))
    return [span for _, span in joined]


def _marked(text: str, spans: Sequence[Span]) -> str:
    parts: list[str] = []
    position = 0
    for span in spans:
        lines = text.count("\n", span.start, span.end)
        parts += (text[position : span.start], f"[REDACTED:{span.kind}]", "\n" * lines)
        position = span.end
    return "".join((*parts, text[position:]))
