"""The strategies of changes: the diff itself, the changed definitions in full, and the last commits before.

The diff is one piece for each file, after an overview of its commits and of what is missing. Definitions are added
where the diff does not show all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from ctxpack.errors import CtxpackError, UsageError
from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span
from ctxpack.gather.fragments import NOISE, Role, lines_piece
from ctxpack.gather.patches import (
    Shown,
    commit_line,
    fit_patches,
    overview,
    patch_piece,
    provenance,
    room_for_overview,
)
from ctxpack.gather.place_lines import ENCLOSING_KINDS
from ctxpack.light import replace
from ctxpack.model import LOG, Confidence, Form, Fragment, Lane, Provenance, Request, Scope, SourceFile
from ctxpack.text import number_of, printable
from ctxpack.understand.change import Change, Changed, CommitMessage
from ctxpack.understand.commits import blame_change, resolve_revisions
from ctxpack.understand.read import read_change

_SHARE, _FRAME = 0.65, 220  # of the budget, and tokens of it that the frame of a report may take
_BESIDE_SHARE, _BESIDE_VALUE = 0.3, 0.85  # of the budget, and a value, where the diff is not what was asked for

_LONG_NOISE = 300  # tokens of a diff that no reviewer reads: beyond them it is only named


def gather_changes(context: Context) -> Sequence[Fragment]:
    """The overview and the diff of each file; for other requests only the uncommitted diff of their files."""
    if context.change is not None:
        first, shown = arrange_patches(context, context.change)
        pieces = [patch_piece(context, context.change, each, 1.0, is_required=True) for each in shown]
        return (*([first] if first else []), *pieces)
    change = _uncommitted_changes(context)
    if change is None:
        return ()
    files = [each for each in change.files if each.hunks]

    def piece(shown: Shown) -> Fragment:
        return patch_piece(context, change, shown, _BESIDE_VALUE, is_required=False)

    counter = context.counter
    room = int(context.settings.budget * _BESIDE_SHARE)
    return [piece(each) for each in fit_patches(files, room, lambda shown: counter.fragment(piece(shown)))[0]]


def arrange_patches(context: Context, change: Change) -> tuple[Fragment | None, list[Shown]]:
    """The overview, if it adds to the pieces, and what is shown of each file."""
    counter, budget = context.counter, context.settings.budget
    room = min(int(budget * _SHARE), budget - _FRAME)

    def cost(shown: Shown) -> int:
        return counter.fragment(patch_piece(context, change, shown, 1.0, is_required=True))

    whole = [Shown(each, each.hunks) for each in change.files if each.hunks]
    noise = [each.file for each in whole if NOISE.intersection(each.file.traits) and cost(each) > _LONG_NOISE]
    whole = [each for each in whole if each.file not in noise]
    first = overview(context, change, noise, counter, is_required=True)
    if sum(map(cost, whole)) + (counter.fragment(first) if first else 0) <= room:
        return first, whole
    shown, listed = fit_patches([each.file for each in whole], room - room_for_overview(budget), cost)
    return overview(context, change, [*noise, *listed], counter, is_required=True), shown


def _uncommitted_changes(context: Context) -> Change | None:
    """The uncommitted changes of the requested files, or of the repository if the request names none."""
    try:
        change = read_change(Request(Scope.DIFF), context.settings, context.view)
    except CtxpackError:
        return None  # no git, or nothing has changed
    asked = {each.path for each in context.subjects}
    return replace(change, files=tuple(each for each in change.files if not asked or each.path in asked))


_CODE, _TEST, _GONE = 0.9, 0.62, 0.6
_LOWER = 0.01  # value lost with each place down the list
_SHORTEST, _LONGEST = 3, 400  # lines; of others the diff has to do
_LONG_CLASS = 60  # lines of a class of which only a part changed


def gather_definitions(context: Context) -> Sequence[Fragment]:
    """Changed definitions as they are after the change, those that changed most first; deleted ones as they were."""
    change = context.change
    if change is None:
        return ()
    return list(_pieces(context, change, arrange_patches(context, change)[1]))


def _pieces(context: Context, change: Change, shown: Sequence[Shown]) -> Iterator[Fragment]:
    by_path = {each.file.path: each for each in shown}
    hidden = [each for each in context.changed if not _is_shown(each, by_path.get(each.file.path))]
    places: dict[bool, int] = {}
    for each in sorted(hidden, key=lambda item: (-item.lines, item.file.path, item.symbol.start_line)):
        span = each.symbol.start_line, each.symbol.end_line
        if _is_unfit(each, span):
            continue
        is_test = each.file.kind.lane is not Lane.CODE
        place = places[is_test] = places.get(is_test, -1) + 1
        value = (_GONE if each.is_gone else _TEST if is_test else _CODE) - _LOWER * min(place, 20)
        yield _piece(context, change, each, span, value)


def _is_shown(each: Changed, shown: Shown | None) -> bool:
    """Whether the diff shows every line of a definition."""
    if shown is None:
        return False
    mark = "-" if each.is_gone else "+"
    lines = (line for hunk in shown.hunks for line in hunk.lines if line.mark in (" ", mark))
    numbers = {line.old if each.is_gone else line.new for line in lines}
    return numbers.issuperset(range(each.symbol.start_line, each.symbol.end_line + 1))


def _is_unfit(each: Changed, span: Span) -> bool:
    lines = span[1] - span[0] + 1
    is_part_of_class = each.symbol.kind in ENCLOSING_KINDS and lines > _LONG_CLASS and each.lines < lines
    return not _SHORTEST <= lines <= _LONGEST or is_part_of_class


def _piece(context: Context, change: Change, each: Changed, span: Span, value: float) -> Fragment:
    reason = "deleted in this diff, shown as it was before" if each.is_gone else "changed in this diff, shown in full"
    role = Role("definitions", value, (reason,), symbol=each.symbol.qualified, confidence=Confidence.HIGH)
    file = context.view.files.get(each.file.path)
    if each.side.is_current and file is not None:
        return lines_piece(context, file, span, role)
    origin = provenance(context, change, each.file, span, is_before=each.is_gone)
    return Fragment(
        text="".join(f"{line}\n" for line in each.side.lines[span[0] - 1 : span[1]]),
        form=Form.FULL,
        strategy=role.strategy,
        provenance=replace(
            origin, score=value, confidence=Confidence.HIGH, reasons=role.reasons, symbol=each.symbol.qualified
        ),
        language=each.file.language,
        value=value,
        layer=origin.blob,
    )


_COMMITS_VALUE, _LATER = 0.42, 0.03
_MOST_CHARACTERS = 700  # of one file's list: some 200 tokens
_MOST_COMMITS = 8  # commits of a file
_BODIES = 1  # messages that are told in full, if they are short
_BRIEF = 8  # digits of a hash


def gather_history(context: Context) -> Sequence[Fragment]:
    """For a diff the last commits of the lines that it changes; else the last commits of the requested files."""
    if not context.settings.use_history:
        return ()
    if context.change is not None:
        return list(_commits_behind(context, context.change))
    return list(_of_files(context))


def _commits_behind(context: Context, change: Change) -> Iterator[Fragment]:
    try:
        git, _ = resolve_revisions(Request(Scope.DIFF), context.settings, context.view.keeper)
    except UsageError:  # no history, no pieces
        return
    for place, (file, touched) in enumerate(blame_change(git, change)):
        numbers = file.removed_lines
        origin = provenance(context, change, file, (numbers[0], numbers[-1]), is_before=True)
        text = _commit_lines(context, [(each.message, f" ({number_of(each.lines, 'line')})") for each in touched])
        yield _commits_piece(origin, text, "commits that last changed these lines", place)


def _of_files(context: Context) -> Iterator[Fragment]:
    for place, file in enumerate(context.subjects):
        commits = _last_commits(context, file)
        if commits:
            state = context.view.state.of(file.path)
            origin = Provenance(file.path, 1, len(context.lines(file.path)), file.kind, file.blob, state.commit)
            lines = [(each, "") for each in commits]
            yield _commits_piece(origin, _commit_lines(context, lines), f"last commits that changed {file.path}", place)


def _last_commits(context: Context, file: SourceFile) -> list[CommitMessage]:
    """The newest remembered commits that changed a file."""
    history = context.view.history
    if file.path not in history.paths:
        return []
    number = history.paths.index(file.path)
    found: list[CommitMessage] = []
    for commit_number in range(len(history)):
        if number in history.files_of(commit_number):
            commit = history.commit(commit_number)
            day = datetime.fromtimestamp(commit.time, UTC).date().isoformat()
            found.append(CommitMessage(commit.hash[:_BRIEF], day, commit.subject))
            if len(found) == _MOST_COMMITS:
                break
    return found


def _commit_lines(context: Context, commits: Sequence[tuple[CommitMessage, str]]) -> str:
    """One line for each commit, after the first one also the rest of its message, as far as it fits."""
    rows = [f"{commit_line(context, each)}{more}" for each, more in commits]
    while len(rows) > 1 and sum(map(len, rows)) > _MOST_CHARACTERS:
        rows.pop()
    left = _MOST_CHARACTERS - sum(map(len, rows))
    for at in range(min(_BODIES, len(rows)) - 1, -1, -1):
        first = commits[at][0].body.partition("\n\n")[0].splitlines()
        body = [f"    {printable(line)}" for line in first]
        if sum(map(len, body)) <= left:
            rows[at + 1 : at + 1] = body
    return "".join(f"{row}\n" for row in rows)


def _commits_piece(origin: Provenance, text: str, reason: str, place: int) -> Fragment:
    value = max(_COMMITS_VALUE - _LATER * place, 0.0)
    whole = replace(origin, score=value, confidence=Confidence.MEDIUM, reasons=(reason,), symbol="history")
    return Fragment(text, Form.OUTLINE, "history", whole, "text", value=value, layer=LOG)
