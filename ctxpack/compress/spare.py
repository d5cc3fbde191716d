"""Which lines of a file its pieces can do without. Only whole lines are; a comment behind code stays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

from ctxpack.compress.code import spare_in_code
from ctxpack.compress.prose import spare_in_prose
from ctxpack.languages import find_language
from ctxpack.model import Fragment, Spare
from ctxpack.parse.tree import load_grammar
from ctxpack.text import lines_of


def with_spare(fragments: Iterable[Fragment], lines: Callable[[str], Sequence[str]]) -> tuple[Fragment, ...]:
    """The fragments, each of which knows the lines it can do without; ``lines`` gives those of a file by its path.

    The whole file is looked at, so that a piece that begins inside of a string is understood.
    """

    @cache
    def of_file(path: str, language: str) -> tuple[Spare, ...]:
        return spare_in(list(lines(path)), language)

    return tuple(
        fragment if fragment.layer else replace(fragment, spare=_own(fragment, of_file, lines))
        for fragment in fragments
    )


def spare_in(lines: list[str], language: str) -> tuple[Spare, ...]:
    """What can be left out of some lines, each line at most once, in order; nothing where the language is not known."""
    if language == "markdown":
        found = spare_in_prose(lines)
    else:
        known = find_language(language).grammar
        grammar = load_grammar(known) if known else None
        found = spare_in_code(lines, grammar) if grammar else {}
    return _runs(found)


def _runs(steps: dict[int, str]) -> tuple[Spare, ...]:
    runs: list[Spare] = []
    for number, step in sorted(steps.items()):
        if runs and runs[-1].step == step and runs[-1].end_line == number - 1:
            runs[-1] = replace(runs[-1], end_line=number)
        else:
            runs.append(Spare(step, number, number))
    return tuple(runs)


def _own(
    fragment: Fragment,
    of_file: Callable[[str, str], tuple[Spare, ...]],
    lines: Callable[[str], Sequence[str]],
) -> tuple[Spare, ...]:
    """The part of a file's spare lines that a fragment holds, where its text is that of the file."""
    origin = fragment.provenance
    first, last = origin.start_line, origin.end_line
    own = lines_of(fragment.text)
    if len(own) != last - first + 1:
        return ()
    try:
        spare = of_file(origin.path, fragment.language)
        whole = lines(origin.path)
    except OSError:
        return ()
    clipped = [
        replace(each, start_line=max(first, each.start_line), end_line=min(last, each.end_line))
        for each in spare
        if each.start_line <= last and first <= each.end_line
    ]
    return tuple(
        each
        for each in clipped
        if own[each.start_line - first : each.end_line - first + 1] == list(whole[each.start_line - 1 : each.end_line])
    )
