"""Patches: the hunks of a change that fit a budget, each as a piece, and the overview of what they do not show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from ctxpack.gather.context import Context
from ctxpack.light import dataclass, replace
from ctxpack.model import PATCH, RECORD, Confidence, Form, Fragment, Kind, Lane, Provenance
from ctxpack.select import PieceCounter
from ctxpack.select.choose import fair_share
from ctxpack.text import number_of, printable
from ctxpack.understand.change import (
    CONTEXT,
    Change,
    CommitMessage,
    FileChange,
    Hunk,
    line_counts,
    narrow_hunks,
    side_after,
)

_CONTEXTS = (CONTEXT, 1, 0)  # lines around a change, the most first
_LEAST = 150  # tokens that a file is worth showing in
_PART = 0.65  # of the room that is left, for the files of one rank
_LANES = (Lane.CODE, Lane.CONFIG, Lane.DOCS, Lane.TESTS)  # those first whose change a reader must see


@dataclass(frozen=True)
class Shown:
    """The shown part of one file: some of its hunks, with some lines of context."""

    file: FileChange
    hunks: tuple[Hunk, ...]
    context: int = CONTEXT
    left_out: tuple[Hunk, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether all of the file's diff is shown as git prints it."""
        return self.context == CONTEXT and not self.left_out

    @cached_property
    def rest(self) -> str:
        """The missing part: ``3 hunks are not shown, +120 −30``; empty if none is."""
        if not self.left_out:
            return ""
        count = len(self.left_out)
        added, removed = (sum(getattr(hunk, side) for hunk in self.left_out) for side in ("added", "removed"))
        return f"{count} {'hunk is' if count == 1 else 'hunks are'} not shown, {line_counts(added, removed)}"


Cost = Callable[[Shown], int]


def fit_patches(files: Sequence[FileChange], room: int, cost: Cost) -> tuple[list[Shown], list[FileChange]]:
    """Choose what is shown within ``room`` tokens, in the order of ``files``; also return the files that do not fit.

    Rank by rank, files get a share of the room and pass the rest to the next rank: short diffs stay whole,
    long ones share. At last the rest of the room adds context, the most important files first.
    """
    ranks: dict[tuple[bool, bool, int], list[FileChange]] = {}
    for file in sorted(files, key=lambda each: (_rank(each), -each.added - each.removed, each.path)):
        ranks.setdefault(_rank(file), []).append(file)
    found: dict[str, Shown] = {}
    left = room
    for done, rank in enumerate(ranks):
        part = left if done == len(ranks) - 1 else int(left * _PART)
        for shown in _share_room(ranks[rank], part, cost):
            found[shown.file.path] = shown
            left -= cost(shown)
    waiting = [found[each.path] for rank in ranks.values() for each in rank if each.path in found]
    for done, shown in enumerate(waiting):
        partial = sum(bool(each.left_out) for each in waiting[done:])
        wide = _widest_fitting(shown, cost(shown) + (left // partial if shown.left_out else left), cost)
        found[shown.file.path] = wide
        left -= cost(wide) - cost(shown)
    return [found[each.path] for each in files if each.path in found], [
        each for each in files if each.path not in found
    ]


def _rank(file: FileChange) -> tuple[bool, bool, int]:
    """The rank of a file: written by people before generated, existing before deleted, code before tests."""
    return bool(file.traits), file.status == "D", _LANES.index(file.kind.lane)


def _share_room(files: Sequence[FileChange], room: int, cost: Cost) -> list[Shown]:
    """The shown parts of the files of one rank within ``room`` tokens, those with most changes first."""
    least = [_narrow(each, 0) for each in files]
    costs = [cost(shown) for shown in least]
    kept, sum_of_least = 0, 0
    for each in costs:
        sum_of_least += min(_LEAST, each)
        kept += sum_of_least <= room
    kept = max(kept, min(1, len(costs)))  # of the first one perhaps a hunk
    cap = fair_share(costs[:kept], room)
    found = [_first_fitting(shown, cap, cost) for shown in least[:kept]]
    left = room - sum(cost(shown) for shown in found if shown)
    for at, shown in enumerate(found):
        if shown is None:  # its first hunk is longer than its share
            found[at] = more = _first_fitting(least[at], left, cost)
            left -= cost(more) if more else 0
    return [shown for shown in found if shown]


def _narrow(file: FileChange, context: int) -> Shown:
    return Shown(file, file.hunks if context == CONTEXT else narrow_hunks(file.hunks, context), context)


def _first_fitting(shown: Shown, cap: int, cost: Cost) -> Shown | None:
    """The file with its first hunks that fit; None if not even one does."""
    if cost(shown) <= cap:
        return shown
    alone = [cost(replace(shown, hunks=(hunk,))) for hunk in shown.hunks]
    head = sum(alone[:2]) - cost(replace(shown, hunks=shown.hunks[:2])) if len(alone) > 1 else 0
    kept: list[int] = []
    left = cap
    for at, whole in enumerate(alone):
        extra = whole - head if kept else whole
        if extra <= left:
            kept.append(at)
            left -= extra
    while kept and cost(_with_hunks(shown, kept)) > cap:  # the line about what is missing takes room as well
        kept.pop()
    return _with_hunks(shown, kept) if kept else None


def _with_hunks(shown: Shown, kept: Sequence[int]) -> Shown:
    """The file with some of its hunks, in their order."""
    hunks = enumerate(shown.hunks)
    chosen = set(kept)
    parts = [(hunk, at in chosen) for at, hunk in hunks]
    return replace(
        shown,
        hunks=tuple(hunk for hunk, is_in in parts if is_in),
        left_out=tuple(hunk for hunk, is_in in parts if not is_in),
    )


def _widest_fitting(shown: Shown, room: int, cost: Cost) -> Shown:
    """The file with as many hunks, then as much context, as fit."""
    if shown.left_out:
        return _first_fitting(_narrow(shown.file, 0), room, cost) or shown
    return next((wide for wide in (_narrow(shown.file, each) for each in _CONTEXTS) if cost(wide) <= room), shown)


_MAX_NAMES = 3
_VERBS = {"A": "new file", "D": "deleted", "T": "file type changed", "U": "has conflicts"}


def patch_piece(context: Context, change: Change, shown: Shown, value: float, *, is_required: bool) -> Fragment:
    """The diff of one file."""
    file = shown.file
    spans = [hunk.old_span if file.status == "D" else hunk.new_span for hunk in shown.hunks]
    start = max(1, spans[0][0])
    origin = provenance(context, change, file, (start, max(start, spans[-1][1])), is_before=file.status == "D")
    return Fragment(
        text=_text(context, change, shown),
        form=Form.FULL if shown.is_whole else Form.EXCERPT,
        strategy="changes",
        provenance=replace(
            origin, score=value, confidence=Confidence.HIGH, reasons=_reasons(shown), symbol=_names(context, file)
        ),
        language="diff",
        required=is_required,
        value=value,
        layer=PATCH,
    )


def provenance(
    context: Context, change: Change, file: FileChange, span: tuple[int, int], *, is_before: bool
) -> Provenance:
    """The provenance of lines of a changed file: the state after the change, or before it."""
    revisions, current = change.revisions, context.view.files.get(file.path)
    blob = file.old_blob if is_before else file.new_blob
    is_current = current is not None and not is_before and (revisions.is_work_tree or current.blob == blob)
    if is_current and current is not None:
        blob = current.blob
    commit = (revisions.old if revisions.has_old else "") if is_before else revisions.new or revisions.head
    is_stable = context.settings.stable
    return Provenance(
        path=file.old_path if is_before else file.path,
        start_line=span[0],
        end_line=span[1],
        kind=file.kind,
        blob=blob,
        commit="" if is_stable else commit,
        dirty=not (is_before or revisions.new or is_stable) and (current is None or current.dirty),
        size=current.size if is_current and current is not None else 0,
    )


def _text(context: Context, change: Change, shown: Shown) -> str:
    file = shown.file
    before = "/dev/null" if file.status == "A" else f"a/{printable(file.old_path)}"
    now = "/dev/null" if file.status == "D" else f"b/{printable(file.path)}"
    modes = f"old mode {file.modes[0]}\nnew mode {file.modes[1]}\n" if file.modes[0] else ""
    side = side_after(context.view, change, file)

    def home(hunk: Hunk) -> str:
        """The definition that a hunk begins in."""
        first = min(hunk.new_span[0], hunk.first_change)
        symbol = side.parsed.enclosing(first, max(first, hunk.first_change)) if side else None
        return printable(symbol.qualified) if symbol and symbol.start_line < hunk.new_span[0] else ""

    body = "".join(hunk.text(home(hunk)) for hunk in shown.hunks)
    return f"{modes}--- {before}\n+++ {now}\n{body}" + (f"⋯ {shown.rest}\n" if shown.rest else "")


def _reasons(shown: Shown) -> tuple[str, ...]:
    file = shown.file
    verb = f"renamed from {printable(file.old_path)}" if file.status == "R" else _VERBS.get(file.status, "changed")
    said = [f"{verb}: {file.counts}"]
    if shown.left_out:
        total = len(shown.hunks) + len(shown.left_out)
        said.append(f"{len(shown.hunks)} of {total} hunks, the others do not fit")
    elif shown.context != CONTEXT and file.status not in "AD":
        said.append("with less context" if shown.context else "without context")
    return tuple(said)


def _names(context: Context, file: FileChange) -> str:
    """The first definitions that were changed."""
    names = list(dict.fromkeys(each.symbol.qualified for each in context.changed if each.file.path == file.path))
    return ", ".join(names[:_MAX_NAMES]) + (" …" if len(names) > _MAX_NAMES else "")


_OVERVIEW_SHARE, _LEAST_OVERVIEW = 0.15, 40  # of the budget, and tokens that its first line may take


def room_for_overview(budget: int) -> int:
    """The tokens that the text of an overview may have."""
    return max(_LEAST_OVERVIEW, int(budget * _OVERVIEW_SHARE))


def overview(
    context: Context, change: Change, listed: Sequence[FileChange], counter: PieceCounter, *, is_required: bool
) -> Fragment | None:
    """The overview, within its share of the budget: what the pieces do not show; None if they show everything.

    ``listed`` are files whose hunks have no room in the report.
    """
    unseen = [each for each in change.files if not each.hunks or each in listed]
    if not unseen and not change.messages:
        return None
    lines = _overview_lines(context, change, unseen, counter)
    commit = change.revisions.new or change.revisions.head
    origin = Provenance(
        RECORD, 1, len(lines), Kind.DATA, commit="" if context.settings.stable else commit, score=1.0,
        confidence=Confidence.HIGH, reasons=("overview of the diff",), symbol=printable(change.title),
    )  # fmt: skip
    text = "".join(f"{line}\n" for line in lines)
    return Fragment(text, Form.OUTLINE, "changes", origin, "text", required=is_required, value=1.0, layer=PATCH)


def commit_line(context: Context, message: CommitMessage) -> str:
    """A commit on one line: hash, day, subject; without the hash where a report has to stay the same."""
    rest = f"{message.day} {printable(message.subject)}"
    return rest if context.settings.stable else f"{message.hash} {rest}"


def _overview_lines(context: Context, change: Change, unseen: Sequence[FileChange], counter: PieceCounter) -> list[str]:
    """The counts, then subjects and files in fair shares, then message bodies as far as they fit."""
    limit = room_for_overview(context.settings.budget)
    head = [f"{change.title}: {change.counts}"]
    subjects = [commit_line(context, each) for each in change.messages]
    files = [f"  {_unseen_line(each)}" for each in unseen]
    left = limit - counter.text(head[0])
    shown = _fitting(subjects, left // 2 if files else left, counter)
    left -= sum(map(counter.text, shown))
    named = _fitting(files, left, counter)
    left -= sum(map(counter.text, named))
    commits: list[str] = []
    for subject, message in zip(shown, change.messages, strict=False):
        body = [f"    {printable(line)}".rstrip() for line in message.body.splitlines()]
        cost = sum(map(counter.text, body))
        commits += [subject, *(body if cost <= left else [])]
        left -= cost if cost <= left else 0
    more = len(subjects) - len(shown) + change.more_messages
    commits += [f"… and {number_of(more, 'more commit')}"] if more else []
    missing = len(files) - len(named)
    named += [f"  … and {number_of(missing, 'more file')}"] if missing else []
    return [*head, *commits, *(["not shown:"] if files else []), *named]


def _fitting(lines: Sequence[str], limit: int, counter: PieceCounter) -> list[str]:
    """The first lines within ``limit`` tokens."""
    kept: list[str] = []
    for line in lines:
        limit -= counter.text(line)
        if limit < 0:
            break
        kept.append(line)
    return kept


def _unseen_line(file: FileChange) -> str:
    """The line about a file that is not shown: its name, and why."""
    name = printable(file.path)
    if file.remark:
        counts = f", {file.counts}" if file.added or file.removed else ""
        return f"{name}  {printable(file.remark)}{counts}"
    traits = f", {', '.join(file.traits)}" if file.traits else ""
    return f"{name}  {file.counts}{traits}"
