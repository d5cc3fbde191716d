"""Lines of shell in guides and in the files of continuous integration, each with the folder it runs in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.text import fence_after

_LANGUAGE = lazy_pattern(r"\W*(\w*)")  # of a fence
_SHELLS = frozenset(
    {"", "sh", "bash", "shell", "console", "zsh", "fish", "text", "shellsession", "terminal"}
    | {"powershell", "pwsh", "ps1", "cmd", "bat", "batch", "cli"}
)
_LITERAL = lazy_pattern(r"\s*\.\. (?:code-block|code|sourcecode|prompt)::\s*(\w*)|(?!\s*\.\. ).*::\s*$")
_HEADING = lazy_pattern(r"^(#+)\s+(.*)")
_UNDERLINE = lazy_pattern(r"^([=\-~^\"'*+])\1{3,}\s*$")
_FOLDER = lazy_pattern(r"cd\s+([\w./-]+)(?:\s*(?:&&|;)\s*(.*))?$")
_CLONE = lazy_pattern(r"git clone (?:.*[^\w.-])?([\w.-]+?)(?:\.git)?/?$")
_STEP = lazy_pattern(r"-\s+\w")
_JOB = lazy_pattern(r"(?: {2}| {4}|\t)[\w-]{1,100}:\s*")
_OTHER_REPOSITORY = lazy_pattern(r"repository:\s*[\"']?[\w.-]{1,100}/[\w.-]{1,100}")
_NO_FOLDER = frozenset({"", ".", "./"})


@dataclass(frozen=True, slots=True)
class ShellLine:
    """A line of shell without its prompt, its number, and the folder that it runs in; empty for the project's."""

    number: int
    text: str
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a guide to read: those with such headings, as far as they do not go on in another repository."""

    headings: re.Pattern[str]
    project: str


def shell_lines(lines: Sequence[str], parts: Parts | None = None, *, has_fences: bool = True) -> Iterator[ShellLine]:
    """The lines of the code blocks of a guide; where ``parts`` is given, only of those."""
    language: str | None = None
    fence = ""
    block = -1  # the indentation of what a literal block is deeper than
    folder, cloned, sections = "", "", list[tuple[int, bool]]()
    for number, line in enumerate(lines, 1):
        before, fence = fence, fence_after(fence, line) if has_fences else ""
        if fence != before:
            named = _LANGUAGE.match(line.rpartition(fence[0])[2]) if fence else None
            language, folder = named[1].lower() if named else None, ""
            continue
        if language is None and (depth := _depth(lines, number)):
            is_wanted = bool(parts and parts.headings.search(line))
            sections = [each for each in sections if each[0] < depth] + [(depth, is_wanted)]
        depth = len(line) - len(line.lstrip())
        block = -1 if line.strip() and depth <= block else block
        is_shell = language in _SHELLS or block >= 0 or re.match(r"\s*(?:\$|>)\s+\S", line)
        if not has_fences and block < 0 and (literal := _LITERAL.match(line)):
            block = depth if (literal[1] or "") in _SHELLS else -1
            folder = ""
            continue
        if not is_shell:
            folder = ""
            continue
        if parts and not any(is_wanted for _, is_wanted in sections):
            continue
        text = re.sub(r"^\s*(?:\([\w.]+\)\s*)?[$>%]?\s*", "", line).split("  #")[0].split(" # ")[0].strip()
        if clone := _CLONE.match(text):
            cloned = clone[1]
            if parts and cloned != parts.project:
                sections = []
                continue
        folder, text = _change_folder(folder, text)
        folder = folder.removeprefix(cloned).strip("/") if folder.split("/")[0] == cloned else folder
        if text:
            yield ShellLine(number, text, folder)


def _depth(lines: Sequence[str], number: int) -> int:
    """The level of a heading; 0 for other lines."""
    if heading := _HEADING.match(lines[number - 1]):
        return len(heading[1])
    under = _UNDERLINE.match(lines[number]) if number < len(lines) and lines[number - 1].strip() else None
    return "=-~^\"'*+".index(under[1]) + 1 if under else 0


def ci_lines(lines: Sequence[str]) -> Iterator[ShellLine]:
    """The lines that a file of continuous integration runs, but for those of jobs that check out another repository."""
    indent = -1  # of the key whose block of lines is read
    folder, is_elsewhere = "", False
    for number, line in enumerate(lines, 1):
        bare, depth = line.strip(), len(line) - len(line.lstrip())
        is_elsewhere = _OTHER_REPOSITORY.match(bare) is not None or (is_elsewhere and not _JOB.fullmatch(line))
        run = re.match(r"(?:-\s*)?(?:run|script|command):\s*(.*)", bare)
        if run:
            indent = depth if run[1] in ("", "|", ">", "|-", ">-") else -1
            bare = run[1] if indent < 0 else ""
            folder = _step_folder(lines, number)
        elif indent < 0 or (bare and depth <= indent):
            indent, bare = -1, ""
        folder, text = _change_folder(folder, re.sub(r"^(['\"])(.*)\1$", r"\2", bare.removeprefix("- ")))
        if text and not is_elsewhere:
            yield ShellLine(number, text, folder)


def _step_folder(lines: Sequence[str], number: int) -> str:
    """The ``working-directory`` of the step that a line is in."""
    first = next((at for at in range(number - 1, -1, -1) if _STEP.match(lines[at].strip())), 0)
    ends = (at for at in range(max(first + 1, number), len(lines)) if _STEP.match(lines[at].strip()))
    for line in lines[first : next(ends, len(lines))]:
        if found := re.match(r"\s*(?:-\s+)?working-directory:\s*(.*)", line):
            return _tidy_folder(found[1])
    return ""


def _change_folder(folder: str, text: str) -> tuple[str, str]:
    """The folder after a line, and the rest of the line to run there."""
    if not (change := _FOLDER.fullmatch(text)):
        return folder, text
    target = _tidy_folder(change[1])
    if target in (".", "..") or target.startswith("../"):
        return "", change[2] or ""
    return f"{folder}/{target}" if folder and target else target or folder, change[2] or ""


def _tidy_folder(folder: str) -> str:
    bare = folder.strip().strip("'\"").removeprefix("./").rstrip("/")
    return "" if bare in _NO_FOLDER else bare
