"""What is shown of a changed file becomes a piece: a unified diff with its provenance."""

from __future__ import annotations

from dataclasses import replace

from ctxpack.changes import Change, FileChange, Hunk
from ctxpack.changes.change import CONTEXT
from ctxpack.gather.context import Context
from ctxpack.gather.diffs.fitting import Shown
from ctxpack.gather.diffs.sides import after
from ctxpack.model import PATCH, Confidence, Form, Fragment, Provenance
from ctxpack.text import printable

_PRIORITY = 90
_MAX_NAMES = 3
_VERBS = {"A": "new file", "D": "deleted", "T": "another type of file", "U": "in conflict"}


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
        priority=_PRIORITY,
        required=is_required,
        value=value,
        layer=PATCH,
    )


def provenance(
    context: Context, change: Change, file: FileChange, span: tuple[int, int], *, is_before: bool
) -> Provenance:
    """Where lines of a changed file come from: the state after the change, or that before it."""
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
    side = after(context.view, change, file)

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
        said.append("with little context" if shown.context else "without context")
    return tuple(said)


def _names(context: Context, file: FileChange) -> str:
    """The first definitions that were changed."""
    names = list(dict.fromkeys(each.symbol.qualified for each in context.changed if each.file.path == file.path))
    return ", ".join(names[:_MAX_NAMES]) + (" …" if len(names) > _MAX_NAMES else "")
