"""The conventions strategy: the style rules that apply to the files of the request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.gather import style_rules
from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span
from ctxpack.gather.fragments import Role, line_count, lines_piece
from ctxpack.gather.style_rules import governed_folder, guides, is_below, relevant
from ctxpack.model import Fragment, Lane, SourceFile

_AT_HAND = 5  # files for which rules are looked up
_GUIDE, _LINTER, _EDITOR = 0.45, 0.4, 0.35
_LOWER = 0.02  # value lost with each further piece of a sort
_MAX_LINES = 60  # of a linter's file


def gather_conventions(context: Context) -> Sequence[Fragment]:
    """Written rules from the nearest folder first, then linters' settings, then editors' settings."""
    files = files_in_question(context)
    if not files:
        return ()
    return [*_guides(context, files), *_linters(context, files), *_editor(context, files)]


def files_in_question(context: Context) -> tuple[SourceFile, ...]:
    """The files of the request; for a task those of the best results, code first."""
    if context.subjects:
        return context.subjects[:_AT_HAND]
    found = list(dict.fromkeys(each.file for each in context.candidates))
    found.sort(key=lambda file: file.kind.lane is not Lane.CODE)  # stable: the best stay first
    return tuple(found[:_AT_HAND])


def _guides(context: Context, files: Sequence[SourceFile]) -> Iterator[Fragment]:
    place = 0
    for guide in guides(context, files):
        if guide in files:
            continue
        for span, title in relevant(context, guide, files):
            where = f"{governed_folder(guide.path)}/" if governed_folder(guide.path) else "this project"
            yield _piece(context, guide, span, (_GUIDE - _LOWER * place, f"rules for {where}", title))
            place += 1


def _linters(context: Context, files: Sequence[SourceFile]) -> Iterator[Fragment]:
    """The nearest settings of each linter for each language, each once."""
    done: set[tuple[str, Span]] = set()
    for file in files:
        found: dict[str, str] = {}  # linter -> the file that sets it up
        for other in _files_above(context, file.path):
            settings = [
                (tool, span)
                for tool, span in _settings(context, other, file.language)
                if found.setdefault(tool, other.path) == other.path and (other.path, span) not in done
            ]
            done.update((other.path, span) for _, span in settings)
            for tools, span in _runs(settings, context.lines(other.path)):
                value = _LINTER - _LOWER * (len(done) - len(settings))
                yield _piece(context, other, span, (value, f"settings of {tools} for {file.language}", tools))


def _runs(settings: Sequence[tuple[str, Span]], lines: Sequence[str]) -> Iterator[tuple[str, Span]]:
    """Neighbouring parts as one, if only blank lines are between them, with the names of their linters."""
    runs: list[tuple[list[str], Span]] = []
    for tool, (first, last) in settings:
        if runs and not "".join(lines[runs[-1][1][1] : first - 1]).strip():
            tools, span = runs[-1]
            runs[-1] = (tools if tool in tools else [*tools, tool], (span[0], last))
        else:
            runs.append(([tool], (first, last)))
    return ((", ".join(tools), span) for tools, span in runs)


def _settings(context: Context, file: SourceFile, language: str) -> list[tuple[str, Span]]:
    name = file.path.rpartition("/")[2]
    if style_rules.is_shared(name, language):
        return list(style_rules.parts(name, context.lines(file.path)))
    tool, last = style_rules.tool_of(name, language), line_count(context, file.path)
    return [(tool, (1, min(last, _MAX_LINES)))] if tool and last else []


def _editor(context: Context, files: Sequence[SourceFile]) -> Iterator[Fragment]:
    done: set[tuple[str, Span]] = set()
    for file in files:
        for other in _files_above(context, file.path):
            if other.path.rpartition("/")[2] != style_rules.EDITORCONFIG:
                continue
            lines, folder = context.lines(other.path), other.path.rpartition("/")[0]
            for glob, span in style_rules.sections_for(file.path[len(folder) + bool(folder) :], lines):
                if (other.path, span) not in done:
                    value = _EDITOR - _LOWER * len(done)
                    done.add((other.path, span))
                    yield _piece(context, other, span, (value, f"editor settings for {glob}", f"[{glob}]"))
            if style_rules.is_outermost(lines):
                break


def _files_above(context: Context, path: str) -> list[SourceFile]:
    """The files in a file's folder and in those above it, from the nearest folder outwards."""
    folders = [path.rpartition("/")[0]]
    while folders[-1]:
        folders.append(folders[-1].rpartition("/")[0])
    order = {folder: place for place, folder in enumerate(folders)}
    found = [each for each in context.view.files.entries.in_folders(order.__contains__) if each.path != path]
    found = [each for each in found if is_below(path, each.path.rpartition("/")[0])]
    return sorted(found, key=lambda each: (order[each.path.rpartition("/")[0]], each.path))


def _piece(context: Context, file: SourceFile, span: Span, facts: tuple[float, str, str]) -> Fragment:
    value, reason, symbol = facts
    role = Role("conventions", max(value, 0.0), (reason,), symbol=symbol)
    return lines_piece(context, file, span, role)
