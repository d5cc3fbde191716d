"""Take secrets out of texts, pieces, diffs and requests: run the detectors, join what they found, put the marks in."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ctxpack.languages import language_of_name
from ctxpack.model import PATCH, Fragment, Kind, Request
from ctxpack.redact.assignments import find_assignments, find_values
from ctxpack.redact.logins import find_logins
from ctxpack.redact.personal import find_personal
from ctxpack.redact.rules import SECRETS, Rules
from ctxpack.redact.shapes import (
    REDACTION_MARK,
    Detector,
    SecretSpan,
    find_credentials,
    find_private_keys,
    find_provider_keys,
)

_DATA = frozenset({"yaml", "toml", "ini", "json", "dockerfile"})
DETECTORS: tuple[Detector, ...] = (
    find_private_keys,
    find_provider_keys,
    find_credentials,
    find_logins,
    find_assignments,
)
OF_DATA: tuple[Detector, ...] = (*DETECTORS[:-1], find_values)
_MARKED = " +-"


_SUMMARY = "Redacted: "


@dataclass(frozen=True, slots=True)
class Removed:
    """A secret that was taken out: of which text, on which line, and what kind of secret."""

    home: tuple[str, str]
    line: int
    kind: str


def holds_data(language: str, kind: Kind) -> bool:
    """Return whether a file holds values: configuration that is itself a program has variables."""
    return language in _DATA or (kind in {Kind.CONFIG, Kind.DATA} and language in {"", "text"})


@dataclass(frozen=True, slots=True)
class RedactedSecret:
    """A secret that was taken out: its kind, and the line (from 1) where it began."""

    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, with as many lines as before, and what was taken out, by line."""

    text: str
    findings: tuple[RedactedSecret, ...] = ()


def redact(text: str, *, is_data: bool = False, rules: Rules = SECRETS, path: str = "") -> Redacted:
    """Replace what the rules take out of ``text`` by ``[REDACTED:kind]``; redacting the result again changes nothing.

    With ``is_data`` the text holds values, not code: an unquoted one is no variable but what it says. ``path`` is that
    of its file, which entries of the allow-list may name.
    """
    if rules.is_off:
        return Redacted(text)
    detectors = _detectors(rules, is_data=is_data)
    findings: list[RedactedSecret] = []
    asked: tuple[Detector, ...] = (*detectors, *rules.engines)
    while spans := _join(_find(text, asked, rules, path)):  # a mark ends its neighbour's word: look again
        findings.extend(RedactedSecret(span.kind, text.count("\n", 0, span.start) + 1) for span in spans)
        text, asked = _mark(text, spans), detectors
    return Redacted(text, tuple(sorted(findings, key=lambda finding: (finding.line, finding.kind))))


def _detectors(rules: Rules, *, is_data: bool) -> tuple[Detector, ...]:
    of_secrets = (OF_DATA if is_data else DETECTORS) if rules.secrets else ()
    return (*of_secrets, find_personal) if rules.personal else of_secrets


def _find(text: str, detectors: Sequence[Detector], rules: Rules, path: str) -> list[tuple[int, SecretSpan]]:
    """Return the spans that touch no mark and are not allowed, each with the rank of its detector."""
    marks = [match.span() for match in REDACTION_MARK.finditer(text)]
    found = [
        (rank, span)
        for rank, detector in enumerate(detectors)
        for span in detector(text)
        if span.start < span.end and not _touches(span, marks)
    ]
    if not rules.allowed:
        return found
    return [each for each in found if not rules.lets_through(text[each[1].start : each[1].end], each[1].kind, path)]


def _touches(span: SecretSpan, marks: Sequence[tuple[int, int]]) -> bool:
    """Whether a span overlaps one of the marks, which are in order."""
    at = bisect_left(marks, (span.end, 0))
    return at > 0 and marks[at - 1][1] > span.start


def _join(found: Iterable[tuple[int, SecretSpan]]) -> list[SecretSpan]:
    """Join overlapping spans, in order; the first detector that found one names the whole."""
    joined: list[tuple[int, SecretSpan]] = []
    for rank, span in sorted(found, key=lambda item: (item[1], item[0])):
        if joined and span.start < joined[-1][1].end:
            best, last = joined[-1]
            kind = span.kind if rank < best else last.kind
            joined[-1] = (min(rank, best), SecretSpan(last.start, max(last.end, span.end), kind))
        else:
            joined.append((rank, span))
    return [span for _, span in joined]


def _mark(text: str, spans: Sequence[SecretSpan]) -> str:
    parts: list[str] = []
    position = 0
    for span in spans:
        lines = text.count("\n", span.start, span.end)
        parts += (text[position : span.start], f"[REDACTED:{span.kind}]", "\n" * lines)
        position = span.end
    return "".join((*parts, text[position:]))


def redact_fragments(
    fragments: Sequence[Fragment], rules: Rules = SECRETS
) -> tuple[tuple[Fragment, ...], list[Removed]]:
    """Take out of fragments what the rules say; also give what was taken out, without repeats."""
    results = [_redact_fragment(fragment, rules) for fragment in fragments]
    removed: dict[Removed, None] = {}
    for fragment, result in zip(fragments, results, strict=True):
        first = fragment.provenance.start_line
        removed.update({Removed(fragment.home, first + its.line - 1, its.kind): None for its in result.findings})
    clean = tuple(replace(fragment, text=result.text) for fragment, result in zip(fragments, results, strict=True))
    return clean, list(removed)


def summary(removed: Iterable[Removed], fragments: Sequence[Fragment]) -> str:
    """Say in one sentence which secrets were taken out of some fragments, by kind; empty for none."""
    found = [each for each in removed if any(_holds(fragment, each) for fragment in fragments)]
    if not found:
        return ""
    kinds = sorted(Counter(each.kind for each in found).items())
    paths = {each.home[0] for each in found}
    where = next(iter(paths)) if len(paths) == 1 else f"{len(paths)} files"
    return f"{_SUMMARY}{', '.join(f'{count} × {kind}' for kind, count in kinds)} in {where}."


def is_summary(note: str) -> bool:
    """Whether a note is a ``summary``."""
    return note.startswith(_SUMMARY)


def _holds(fragment: Fragment, removed: Removed) -> bool:
    """Whether a fragment has lost a secret; the lines of a change or a log are not those of its file."""
    origin = fragment.provenance
    is_on_lines = bool(fragment.layer) or origin.start_line <= removed.line <= origin.end_line
    return fragment.home == removed.home and is_on_lines


def _redact_fragment(fragment: Fragment, rules: Rules) -> Redacted:
    origin = fragment.provenance
    if fragment.layer == PATCH:
        return redact_patch(fragment.text, origin.path, origin.kind, rules)
    return redact(fragment.text, is_data=holds_data(fragment.language, origin.kind), rules=rules, path=origin.path)


def redact_patch(text: str, path: str, kind: Kind, rules: Rules = SECRETS) -> Redacted:
    """Take the secrets out of the diff of one file: each side is read as its file has it, and no line moves."""
    lines = text.split("\n")
    is_data = holds_data(language_of_name(path.rpartition("/")[2]), kind)
    clean = list(lines)
    found: dict[tuple[int, str], RedactedSecret] = {}
    for side in (" +", " -"):
        numbers = [number for number, line in enumerate(lines) if not line or line[0] in side or line[0] not in _MARKED]
        result = redact("\n".join(_bare(lines[number]) for number in numbers), is_data=is_data, rules=rules, path=path)
        for number, row in zip(numbers, result.text.split("\n"), strict=True):
            if row != _bare(lines[number]):
                clean[number] = lines[number][: len(lines[number]) - len(_bare(lines[number]))] + row
        for finding in result.findings:
            number = numbers[finding.line - 1]
            found[number, finding.kind] = RedactedSecret(finding.kind, number + 1)
    return Redacted("\n".join(clean), tuple(sorted(found.values(), key=lambda each: (each.line, each.kind))))


def _bare(line: str) -> str:
    """Return a line without its mark; the heads of hunks have none."""
    return line[1:] if line[:1] and line[0] in _MARKED else line


def redact_request(request: Request, rules: Rules = SECRETS) -> tuple[Request, Request]:
    """Take out of a request what the rules say: one to show, with marks, and one to search for, without."""
    shown = redact(request.text, is_data=True, rules=rules)
    if not shown.findings:
        return request, request
    return replace(request, text=shown.text), replace(request, text=REDACTION_MARK.sub(" ", shown.text))
