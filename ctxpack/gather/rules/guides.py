"""Written rules of a project, such as AGENTS.md and CONTRIBUTING: which ones hold for some files, and their parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ctxpack.discover.globs import compile_globs
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Span
from ctxpack.model import Chunk, Kind, SourceFile

_NOT_RULES = re.compile(r"code_of_conduct.*|codeowners|llms.*", re.IGNORECASE)
_FOR_ITS_PARENT = frozenset({".github", ".cursor", ".claude", ".gitlab", "docs", "doc"})  # folders of the whole project
_OPEN = 2_500  # characters in which front matter ends
_GLOBS = re.compile(r"^(?:globs|applyTo|paths)\s*:\s*(?P<globs>.*)$", re.MULTILINE)
_ALWAYS = re.compile(r"^alwaysApply\s*:\s*true\s*$", re.MULTILINE)
_SCOPED = (".mdc", ".instructions.md")
_WHOLE_LINES = 50
_LONGEST, _SECTIONS = 60, 3  # lines of a section, and how many of them
_ABOUT_STYLE = re.compile(
    r"\b(?:styl\w*|lint\w*|format\w*|convention\w*|coding\b|code (?:quality|organi[sz]ation|structure|layout)\b"
    r"|naming\b|rules?\b|guidelines?\b|principles?\b|standards?\b|tests?\b|testing\b|typing\b|type hints\b"
    r"|comments?\b|docstrings?\b|imports?\b|error handling\b|checks?\b"
    r"|стил\w*|правил\w*|код\w*|тест\w*|соглашени\w*|именовани\w*)",
    re.IGNORECASE,
)


def guides(context: Context, files: Sequence[SourceFile]) -> list[SourceFile]:
    """The rules that hold for some of the files, those from the nearest folder first."""
    found = [
        each
        for each in context.view.files
        if each.kind is Kind.CONVENTIONS
        and not _NOT_RULES.fullmatch(each.path.rpartition("/")[2])
        and any(_holds(context, each.path, file.path) for file in files)
    ]
    return sorted(found, key=lambda each: (-folder_of(each.path).count("/") - bool(folder_of(each.path)), each.path))


def folder_of(path: str) -> str:
    """The folder whose files a file with rules is for; the root is empty."""
    parts = path.split("/")[:-1]
    cut = next((at for at, part in enumerate(parts) if part.lower() in _FOR_ITS_PARENT), len(parts))
    return "/".join(parts[:cut])


def is_below(path: str, folder: str) -> bool:
    """Whether a file lies in a folder or deeper; everything lies below the root."""
    return not folder or path.startswith(f"{folder}/")


def relevant(context: Context, guide: SourceFile, files: Sequence[SourceFile]) -> Iterator[tuple[Span, str]]:
    """The parts of the rules that say how to write the files, with their headings; of short rules all of it."""
    last = len(context.lines(guide.path))
    if last <= _WHOLE_LINES:
        if last:
            yield (1, last), ""
        return
    chunks = [each for each in context.view.files.exact(guide.path).chunks if each.heading or each.start_line == 1]
    scored = [(_score(context, guide.path, each, files), each) for each in chunks]
    best = sorted((each for each in scored if each[0] > 0), key=lambda each: (-each[0], each[1].start_line))
    for _, chunk in sorted(best[:_SECTIONS], key=lambda each: each[1].start_line):
        yield (chunk.start_line, min(chunk.end_line, chunk.start_line + _LONGEST - 1)), " > ".join(chunk.heading)


def _holds(context: Context, guide: str, path: str) -> bool:
    """Whether rules hold for a file: by the folder, and by the globs that the rules themselves name."""
    if not is_below(path, folder_of(guide)):
        return False
    if not guide.lower().endswith(_SCOPED):
        return True
    head = context.view.files.text(guide)[:_OPEN]
    globs = _GLOBS.search(head)
    named = [each.strip().strip("\"'[]") for each in re.split(r",(?![^{]*\})", globs["globs"])] if globs else []
    named = [each for each in named if each]
    if not named:
        return bool(_ALWAYS.search(head)) or globs is None
    return bool(_ALWAYS.search(head)) or compile_globs(named).matching(path) is not None


def _score(context: Context, path: str, chunk: Chunk, files: Sequence[SourceFile]) -> int:
    """How much a section says about writing the files: its heading, their language, folders and names in it."""
    title = chunk.heading[-1] if chunk.heading else ""
    text = context.text(path, (chunk.start_line, chunk.end_line))
    words = {file.language for file in files} | {file.path.split("/")[0] for file in files if "/" in file.path}
    body = text.partition("\n")[2]
    if not body.strip():
        return 0
    named = sum(bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)) for word in words if word)
    is_style = bool(_ABOUT_STYLE.search(title))
    return 3 * is_style + (named if is_style or named > 1 else 0)
