"""Take secrets out of texts, pieces, diffs and requests: run the detectors, join what they found, put the marks in."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from ctxpack.light import dataclass, replace
from ctxpack.model import PATCH, Candidate, Fragment, Kind, Provenance, RepositoryState, Request
from ctxpack.parse.languages import find_language, language_of_name
from ctxpack.redact.assignments import find_assignments, find_values
from ctxpack.redact.logins import Login, find_logins, uses_in
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
from ctxpack.system.clock import REDACTION_SECONDS, Deadline, Timekeeper
from ctxpack.text import printable

DETECTORS: tuple[Detector, ...] = (
    find_private_keys,
    find_provider_keys,
    find_credentials,
    find_logins,
    find_assignments,
)
OF_DATA: tuple[Detector, ...] = (*DETECTORS[:-1], find_values)
_MARKED = " +-"
_BETWEEN_LOOKS = 8_000  # characters between two looks at the clock, which is slower than a detector on a line
_NEAR_LINES = 3  # before and after a mark: no pattern but that of a private key sees more
_SUMMARY, _SUMMARY_OF_KEPT = "Redacted: ", "Not redacted, by the allow-list: "
_UNREAD = "unread"
_LATE = "{} is left out in part: looking for secrets in it took longer than {:g} s."


@dataclass(frozen=True, slots=True)
class Removed:
    """A secret that was found: in which text, on which line, what kind, and whether the allow-list let it stay."""

    home: tuple[str, str]
    line: int
    kind: str
    is_kept: bool = False


def holds_data(language: str, kind: Kind) -> bool:
    """Return whether a file holds values: configuration that is itself a program has variables."""
    return find_language(language).holds_values or (kind in {Kind.CONFIG, Kind.DATA} and language in {"", "text"})


@dataclass(frozen=True, slots=True)
class RedactedSecret:
    """A secret that was found: its kind, and the line (from 1) where it began."""

    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, with as many lines as before, what was taken out, by line, and what was allowed."""

    text: str
    findings: tuple[RedactedSecret, ...] = ()
    kept: tuple[RedactedSecret, ...] = ()


def redact(
    text: str,
    *,
    is_data: bool = False,
    rules: Rules = SECRETS,
    path: str = "",
    keeper: Timekeeper | None = None,
) -> Redacted:
    """Replace what the rules take out of ``text`` by ``[REDACTED:kind]``; redacting the result again changes nothing.

    A value has the kind of its first place wherever it is found in the text.

    With ``is_data`` the text holds values, not code: an unquoted one is no variable but what it says. ``path`` is that
    of its file, which entries of the allow-list may name. Of a text that takes too long nothing is left, and ``keeper``
    has a sentence about it.
    """
    if rules.is_off:
        return Redacted(text)
    keeper = keeper or Timekeeper()
    deadline = keeper.spending(REDACTION_SECONDS)
    try:
        return _redact(text, _detectors(rules, is_data=is_data), rules, path, deadline)
    except _LateError:  # the keeper tells it
        keeper.cut(_LATE.format(printable(path) or "A text", deadline.seconds))
        return Redacted(f"[REDACTED:{_UNREAD}]" + "\n" * text.count("\n"), (RedactedSecret(_UNREAD, 1),))


class _LateError(Exception):
    """Redaction of a text takes longer than it may."""


def _redact(text: str, detectors: tuple[Detector, ...], rules: Rules, path: str, deadline: Deadline) -> Redacted:
    own = _narrow(detectors, uses_in(text))
    finder = _Finder((*own, *rules.engines), rules, path, deadline)
    findings: list[RedactedSecret] = []
    kinds: dict[str, str] = {}  # of values
    spans, let = finder.find(text, [(0, len(text))])
    kept = {*_findings_of(text, let)}
    while spans:  # a mark ends its neighbour's word: what is near is looked at again
        spans = [SecretSpan(start, end, kinds.setdefault(text[start:end], kind)) for start, end, kind in spans]
        findings += _findings_of(text, spans)
        text, near = _mark(text, spans)
        finder = replace(finder, detectors=own)  # an engine looks once
        spans, let = finder.find(text, near)
        kept |= {*_findings_of(text, let)}
    return Redacted(text, _in_order(findings), _in_order(kept))


def _in_order(findings: Iterable[RedactedSecret]) -> tuple[RedactedSecret, ...]:
    return tuple(sorted(findings, key=lambda finding: (finding.line, finding.kind)))


def _narrow(detectors: Iterable[Detector], uses: tuple[Login, ...]) -> tuple[Detector, ...]:
    """Give detectors what a text holds of what they go by, for that text and parts of it, also with marks in them."""
    own: dict[Detector, Detector] = {find_logins: partial(find_logins, uses=uses)}
    return tuple(own.get(detector, detector) for detector in detectors)


def _detectors(rules: Rules, *, is_data: bool) -> tuple[Detector, ...]:
    of_secrets = (OF_DATA if is_data else DETECTORS) if rules.secrets else ()
    return (*of_secrets, find_personal) if rules.personal else of_secrets


@dataclass(frozen=True, slots=True)
class _Finder:
    """Detectors, in the order in which they name what several find, and what is let through in a file."""

    detectors: tuple[Detector, ...]
    rules: Rules
    path: str
    deadline: Deadline

    def find(self, text: str, parts: Sequence[tuple[int, int]]) -> tuple[list[SecretSpan], list[SecretSpan]]:
        """Return what is found in some parts of a text, in order, and touches no mark; also what of it is let through.

        Raises _LateError.
        """
        marks = [match.span() for match in REDACTION_MARK.finditer(text)] if "[REDACTED:" in text else []
        found = [
            (first + start, first + end, kind, rank)
            for first, last, rank, detector in self._looks(parts)
            for start, end, kind in detector(text[first:last])
            if start < end
        ]
        if marks:
            found = [each for each in found if not _touches(each[0], each[1], marks)]
        if not self.rules.allowed:
            return _join(found), []
        let = {each for each in found if self.rules.lets_through(text[each[0] : each[1]], each[2], self.path)}
        taken = _join(each for each in found if each not in let)
        bounds = [(span.start, span.end) for span in taken]
        return taken, _join(each for each in let if not _touches(each[0], each[1], bounds))

    def _looks(self, parts: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int, Detector]]:
        """Yield each part with each detector and its rank as long as there is time. Raises _LateError."""
        ahead = 0  # characters that may be looked at before the time is
        for first, last in parts:
            for rank, detector in enumerate(self.detectors):
                if ahead <= 0:
                    if self.deadline.is_over:
                        raise _LateError
                    ahead = _BETWEEN_LOOKS
                ahead -= last - first
                yield first, last, rank, detector


def _findings_of(text: str, spans: Sequence[SecretSpan]) -> list[RedactedSecret]:
    """The kinds of some spans, which are in order, and their lines."""
    told: list[RedactedSecret] = []
    line = 1
    for before, span in zip((None, *spans), spans, strict=False):
        line += text.count("\n", before.start if before else 0, span.start)
        told.append(RedactedSecret(span.kind, line))
    return told


def _touches(start: int, end: int, marks: Sequence[tuple[int, int]]) -> bool:
    """Whether a span overlaps one of the marks, which are in order."""
    at = bisect_left(marks, (end, 0))
    return at > 0 and marks[at - 1][1] > start


def _join(found: Iterable[tuple[int, int, str, int]]) -> list[SecretSpan]:
    """Join overlapping spans, in order; the first detector that found one, by its rank, names the whole."""
    joined: list[SecretSpan] = []
    best = last = 0  # of the span before: its rank, its end
    for start, end, kind, rank in sorted(found):
        if joined and start < last:
            before = joined[-1]
            last = max(last, end)
            joined[-1] = SecretSpan(before.start, last, kind if rank < best else before.kind)
            best = min(rank, best)
        else:
            joined.append(SecretSpan(start, end, kind))
            best, last = rank, end
    return joined


def _mark(text: str, spans: Sequence[SecretSpan]) -> tuple[str, list[tuple[int, int]]]:
    """Put marks in the place of spans; also give the parts of the new text that are near a mark, in whole lines."""
    parts: list[str] = []
    marks: list[tuple[int, int]] = []
    position = length = 0
    for span in spans:
        mark = f"[REDACTED:{span.kind}]" + "\n" * text.count("\n", span.start, span.end)
        parts += (text[position : span.start], mark)
        length += span.start - position + len(mark)
        marks.append((length - len(mark), length))
        position = span.end
    marked = "".join((*parts, text[position:]))
    return marked, _lines_around(marked, marks)


def _lines_around(text: str, marks: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The lines of marks, with some before and after each, joined where they meet."""
    joined: list[tuple[int, int]] = []
    for mark, behind in marks:
        first, last = mark, behind
        for _ in range(_NEAR_LINES):
            found = text.find("\n", last + 1)
            last = found if found >= 0 else len(text)
        last = min(last, len(text))
        if joined and mark <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
            continue
        for _ in range(_NEAR_LINES):
            first = text.rfind("\n", 0, max(first - 1, 0)) + 1
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def redact_fragments(
    fragments: Sequence[Fragment], rules: Rules = SECRETS, keeper: Timekeeper | None = None
) -> tuple[tuple[Fragment, ...], list[Removed]]:
    """Take out of fragments what the rules say; also give what was taken out, without repeats."""
    origins = tuple(_redact_origins(fragments, rules, keeper))  # first: a piece may use up the time
    results = [_redact_fragment(fragment, rules, keeper) for fragment in fragments]
    removed: dict[Removed, None] = {}
    for fragment, result in zip(fragments, results, strict=True):
        first = fragment.provenance.start_line
        for is_kept, findings in ((False, result.findings), (True, result.kept)):
            removed.update({Removed(fragment.home, first + its.line - 1, its.kind, is_kept): None for its in findings})
    clean = tuple(
        replace(fragment, text=result.text, provenance=origin)
        for fragment, result, origin in zip(fragments, results, origins, strict=True)
    )
    return clean, list(removed)


def _redact_origins(fragments: Sequence[Fragment], rules: Rules, keeper: Timekeeper | None) -> Iterator[Provenance]:
    """The provenance of fragments, without what their names, reasons and tags give away: a heading is a name."""
    said = [(each.provenance.symbol, *each.provenance.reasons, *each.provenance.tags) for each in fragments]
    names = dict(_redacted_names((name for each in said for name in each), rules, keeper))
    for origin in (each.provenance for each in fragments):
        if not names:
            yield origin
            continue
        reasons = tuple(names.get(each, each) for each in origin.reasons)
        tags = tuple(names.get(each, each) for each in origin.tags)
        yield replace(origin, symbol=names.get(origin.symbol, origin.symbol), reasons=reasons, tags=tags)


def redact_candidates(
    candidates: Sequence[Candidate], rules: Rules, keeper: Timekeeper | None = None
) -> tuple[Candidate, ...]:
    """Take out of the names and reasons of candidates what the rules say."""
    held = (name for each in candidates for name in (each.chunk.symbol, *each.chunk.heading))
    said = (evidence.reason for each in candidates for evidence in each.evidence)
    names = dict(_redacted_names((*held, *said), rules, keeper))
    if not names:
        return tuple(candidates)
    return tuple(
        replace(
            each,
            chunk=replace(
                each.chunk,
                symbol=names.get(each.chunk.symbol, each.chunk.symbol),
                heading=tuple(names.get(name, name) for name in each.chunk.heading),
            ),
            evidence=tuple(replace(why, reason=names.get(why.reason, why.reason)) for why in each.evidence),
        )
        for each in candidates
    )


def redact_state(state: RepositoryState, rules: Rules) -> RepositoryState:
    """Take out of the names of branches, which are short, what the rules say."""
    names = dict(_redacted_names((state.branch, *(each.branch for _, each in state.members)), rules, None))
    if not names:
        return state
    members = tuple((label, replace(each, branch=names.get(each.branch, each.branch))) for label, each in state.members)
    return replace(state, branch=names.get(state.branch, state.branch), members=members)


def _redacted_names(names: Iterable[str], rules: Rules, keeper: Timekeeper | None) -> Iterator[tuple[str, str]]:
    """Yield each name that holds something, and what is left of it. Most hold nothing, which is told of all at once."""
    held = sorted({*names} - {""})
    joined = "\n".join(held)
    if redact(joined, rules=rules, keeper=keeper).text != joined:
        for name in held:
            clean = redact(name, rules=rules, keeper=keeper).text
            if clean != name:
                yield name, clean


def summary(removed: Iterable[Removed], fragments: Sequence[Fragment]) -> str:
    """Say which secrets were taken out of some fragments, and which the allow-list let stay, by kind; maybe nothing."""
    found = [each for each in removed if any(_holds(fragment, each) for fragment in fragments)]
    return " ".join(
        start + _count(those)
        for start, is_kept in ((_SUMMARY, False), (_SUMMARY_OF_KEPT, True))
        if (those := [each for each in found if each.is_kept == is_kept])
    )


def _count(found: Sequence[Removed]) -> str:
    """Tell kinds with their numbers, and where they are."""
    kinds = sorted(Counter(each.kind for each in found).items())
    paths = {each.home[0] for each in found}
    where = next(iter(paths)) if len(paths) == 1 else f"{len(paths)} files"
    return f"{', '.join(f'{count} × {kind}' for kind, count in kinds)} in {where}."


def is_summary(note: str) -> bool:
    """Whether a note is a ``summary``."""
    return note.startswith((_SUMMARY, _SUMMARY_OF_KEPT))


def _holds(fragment: Fragment, removed: Removed) -> bool:
    """Whether a fragment had such a secret; the lines of a change or a log are not those of its file."""
    origin = fragment.provenance
    is_on_lines = bool(fragment.layer) or origin.start_line <= removed.line <= origin.end_line
    return fragment.home == removed.home and is_on_lines


def _redact_fragment(fragment: Fragment, rules: Rules, keeper: Timekeeper | None) -> Redacted:
    origin = fragment.provenance
    if fragment.layer == PATCH:
        return redact_patch(fragment.text, origin.path, origin.kind, rules, keeper)
    is_data = holds_data(fragment.language, origin.kind)
    return redact(fragment.text, is_data=is_data, rules=rules, path=origin.path, keeper=keeper)


def redact_patch(
    text: str, path: str, kind: Kind, rules: Rules = SECRETS, keeper: Timekeeper | None = None
) -> Redacted:
    """Take the secrets out of the diff of one file: each side is read as its file has it, and no line moves."""
    lines = text.split("\n")
    is_data = holds_data(language_of_name(path.rpartition("/")[2]), kind)
    clean = list(lines)
    found: set[RedactedSecret] = set()
    kept: set[RedactedSecret] = set()
    for side in (" +", " -"):
        numbers = [number for number, line in enumerate(lines) if not line or line[0] in side or line[0] not in _MARKED]
        if not numbers:  # a part of a diff, with lines of the other side only
            continue
        sides = "\n".join(_bare(lines[number]) for number in numbers)
        result = redact(sides, is_data=is_data, rules=rules, path=path, keeper=keeper)
        for number, row in zip(numbers, result.text.split("\n"), strict=True):
            if row != _bare(lines[number]):
                clean[number] = lines[number][: len(lines[number]) - len(_bare(lines[number]))] + row
        for those, findings in ((found, result.findings), (kept, result.kept)):
            those |= {RedactedSecret(finding.kind, numbers[finding.line - 1] + 1) for finding in findings}
    return Redacted("\n".join(clean), _in_order(found), _in_order(kept))


def _bare(line: str) -> str:
    """Return a line without its mark; the heads of hunks have none."""
    return line[1:] if line[:1] and line[0] in _MARKED else line


def redact_request(
    request: Request, rules: Rules = SECRETS, keeper: Timekeeper | None = None
) -> tuple[Request, Request]:
    """Take out of a request what the rules say: one to show, with marks, and one to search for, without."""
    shown = redact(request.text, is_data=True, rules=rules, keeper=keeper)
    if not REDACTION_MARK.search(shown.text):
        return request, request
    return replace(request, text=shown.text), replace(request, text=REDACTION_MARK.sub(" ", shown.text))
