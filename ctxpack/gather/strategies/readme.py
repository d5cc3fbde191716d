"""The readme strategy: what the project is, in its own words and in a few hundred tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.long_texts import says_little
from ctxpack.light import lazy_pattern
from ctxpack.model import Fragment, Scope, SourceFile
from ctxpack.model.columns import FileTable
from ctxpack.query.understand import Aim, aims_of
from ctxpack.rank.outlook import is_doubted
from ctxpack.system.tokens import CHARACTERS_PER_TOKEN
from ctxpack.text import fence_after

_SHARE, _MOST = 0.02, 400  # of the budget, and tokens at most; with .05 small packs held 1 % less of what changed
_ROOMY, _TIGHT = 1_500, 600  # tokens of a budget: from the first a head, from the second its first words are required
_STRETCH = 3  # times as much room for a head of which a title and a badge are all
_BRIEF = 60  # tokens of these words
_SUMMARY = 100  # tokens of the paragraphs that say what the project is
_VALUE = 0.3
_SCORE = 0.05  # an overview is read last: the relevant pieces come first
_NAME = lazy_pattern(
    r"(?:readme|read\.?me|прочти(?:меня)?|читайменя|прочитай(?:меня)?|lisezmoi|leiame|leame|léame|liesmich"
    r"|leggimi|自述文件|お読みください)(?P<language>[._-](?!md$)[a-z]{2}(?:[-_][a-z]+)?)?(?:\.(?:md|mdx|rst|txt|adoc|org|markdown))?"
)
_FOLDERS = ("", "docs", "doc", ".github")
README_REASON = "the project's readme"
_DECORATION = lazy_pattern(r"\s*(?:<|\[!|!\[|\.\. (?:image|\|)|:alt:|:target:|---|\+\+\+|&\w+;\s*$|$)")


def gather_readme(context: Context) -> Sequence[Fragment]:
    """The first paragraphs of the main readme; its whole introduction if the user is new to the project.

    A task with good matches goes without: of 74 such requests none needed a line of it. With a small budget
    it is the title and a paragraph.
    """
    settings = context.settings
    file = main_readme(context.view.files.entries) if settings.use_readme and _says_more(context) else None
    if file is None:
        return ()
    lines = context.lines(file.path)
    budget = settings.budget
    room = int(min(max(_SHARE * budget, _BRIEF), _MOST)) * CHARACTERS_PER_TOKEN
    if budget < _ROOMY:
        span = _brief(lines, _BRIEF * CHARACTERS_PER_TOKEN)
    elif Aim.ONBOARD in aims_of(context.request.text):
        span = _head(lines, room)
        span = _head(lines, _STRETCH * room) if span and says_little(lines, span) else span
    else:
        span = _summary(lines, _SUMMARY * CHARACTERS_PER_TOKEN)
    if span is None:
        return ()
    role = Role("readme", _VALUE, (README_REASON,), budget >= _TIGHT, score=_SCORE)
    return (lines_piece(context, file, span, role),)


def _says_more(context: Context) -> bool:
    """Whether an introduction helps: for onboarding, without good matches, or on request."""
    if context.request.scope is not Scope.TASK or not context.candidates or is_doubted(context.candidates):
        return True
    named = (*context.settings.enable, *context.settings.strategies)
    return "readme" in named or Aim.ONBOARD in aims_of(context.request.text)


def main_readme(files: Iterable[SourceFile], folders: Sequence[str] = _FOLDERS) -> SourceFile | None:
    """The readme of the first folder that has one; an untranslated readme comes before a translated one."""
    order = {folder: place for place, folder in enumerate(folders)}
    ranked: list[tuple[int, int, str, SourceFile]] = []
    if isinstance(files, FileTable):
        files = files.in_folders(lambda folder: folder in order or folder.lower() in order)
    for file in files:
        folder, _, name = file.path.rpartition("/")
        match = _NAME.fullmatch(name.lower()) if folder.lower() in order or folder in order else None
        if match:
            place = order[folder] if folder in order else order[folder.lower()]
            ranked.append((place, len(match["language"] or ""), file.path, file))
    return min(ranked, key=lambda item: item[:3])[3] if ranked else None


def _first_prose(lines: Sequence[str]) -> int | None:
    return next((at for at, line in enumerate(lines) if not _DECORATION.match(line)), None)


def _brief(lines: Sequence[str], limit: int) -> Span | None:
    """The title and the first paragraph, or as many of its lines as ``limit`` characters hold; at least one line."""
    start = _first_prose(lines)
    if start is None:
        return None
    end, size = start + 1, 0
    for at in range(start, len(lines)):
        size += len(lines[at]) + 1
        if size > limit:
            break
        if _DECORATION.match(lines[at]):
            continue
        end = at + 1
        is_end = end == len(lines) or not lines[end].strip()
        if is_end and not _is_title(lines, at):
            break
    return start + 1, end


def _summary(lines: Sequence[str], limit: int) -> Span | None:
    """The first paragraphs after titles, badges and pictures, until they have content; None if that is long."""
    prose = (at for at, line in enumerate(lines) if not _DECORATION.match(line) and not _is_title(lines, at))
    start = next((at for at in prose if not _is_title(lines, min(at + 1, len(lines) - 1))), None)
    if start is None:
        return None
    end = start
    for at in range(start, len(lines)):
        if sum(map(len, lines[start : at + 1])) + at - start >= limit:
            return None if end == start else (start + 1, end)
        if _is_title(lines, at) or (end > start and not says_little(lines, (start + 1, end))):
            break
        if lines[at].strip() and (at + 1 == len(lines) or not lines[at + 1].strip()):
            end = at + 1
    return (start + 1, end) if end > start else None


def _head(lines: Sequence[str], limit: int) -> Span | None:
    """From the first line of prose to the last end of a paragraph within ``limit`` characters; at least one line."""
    start = _first_prose(lines)
    if start is None:
        return None
    end, size, fence = start + 1, 0, ""
    for at in range(start, len(lines)):
        size += len(lines[at]) + 1
        fence = fence_after(fence, lines[at])
        if size > limit:
            break
        is_end = at + 1 == len(lines) or not lines[at + 1].strip()
        if is_end and lines[at].strip() and not fence and not _is_title(lines, at):
            end = at + 1
    return start + 1, end


def _is_title(lines: Sequence[str], at: int) -> bool:
    """Whether a line only announces what follows."""
    return lines[at].startswith("#") or bool(re.fullmatch(r"[=\-~^]{3,}", lines[at].strip()))
