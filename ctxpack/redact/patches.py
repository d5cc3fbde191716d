"""Secrets out of a unified diff: each side is looked at as its file has it, without the marks of the lines."""

from __future__ import annotations

from ctxpack.languages import language_of_name
from ctxpack.model import Kind
from ctxpack.redact.redaction import Finding, Redacted, redact
from ctxpack.redact.values import holds_data

_MARKED = " +-"


def redact_patch(text: str, path: str, kind: Kind) -> Redacted:
    """The diff of one file without its secrets, line for line as before, and what was taken out of it."""
    lines = text.split("\n")
    is_data = holds_data(language_of_name(path.rpartition("/")[2]), kind)
    clean = list(lines)
    found: dict[tuple[int, str], Finding] = {}
    for side in (" +", " -"):
        numbers = [number for number, line in enumerate(lines) if not line or line[0] in side or line[0] not in _MARKED]
        result = redact("\n".join(_bare(lines[number]) for number in numbers), is_data=is_data)
        for number, row in zip(numbers, result.text.split("\n"), strict=True):
            if row != _bare(lines[number]):
                clean[number] = lines[number][: len(lines[number]) - len(_bare(lines[number]))] + row
        for finding in result.findings:
            number = numbers[finding.line - 1]
            found[number, finding.kind] = Finding(finding.kind, number + 1)
    return Redacted("\n".join(clean), tuple(sorted(found.values(), key=lambda each: (each.line, each.kind))))


def _bare(line: str) -> str:
    """A line without its mark; the heads of hunks have none."""
    return line[1:] if line[:1] and line[0] in _MARKED else line
