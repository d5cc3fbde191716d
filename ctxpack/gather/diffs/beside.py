"""What a search adds beside a diff: specs and other documents, and code elsewhere, in a part of the budget."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxpack.discover.records import is_record
from ctxpack.model import Fragment, Lane
from ctxpack.tokens import CHARACTERS_PER_TOKEN

if TYPE_CHECKING:
    from ctxpack.changes import Change

_SHARE = 0.25  # of the budget
_LEAST = {Lane.DOCS: 0.1}  # scores below which a piece is filler
_LEAST_OF_CODE = 0.25
_BEST_SHARE = 0.6  # of the best score in the lane


def beside_diff(pieces: Iterable[Fragment], change: Change, budget: int) -> list[Fragment]:
    """The best pieces of each lane. That the changed files match best says nothing: they are measured apart."""
    changed = {each.path for each in change.files}
    fit = [piece for piece in pieces if not _is_out_of_place(piece, change)]
    best: dict[tuple[Lane, bool], float] = {}
    for piece in fit:
        key = piece.lane, piece.provenance.path in changed
        best[key] = max(best.get(key, 0.0), piece.provenance.score)
    left = int(_SHARE * budget) * CHARACTERS_PER_TOKEN
    kept: list[Fragment] = []
    for piece in sorted(fit, key=lambda each: (-each.provenance.score, *each.home, each.provenance.start_line)):
        key = piece.lane, piece.provenance.path in changed
        floor = max(_LEAST.get(piece.lane, _LEAST_OF_CODE), _BEST_SHARE * best[key])
        if piece.provenance.score >= floor and len(piece.text) <= left:
            kept.append(piece)
            left -= len(piece.text)
    return kept


def _is_out_of_place(piece: Fragment, change: Change) -> bool:
    """Whether a piece is no help: a changelog, or a changed file in another state than the diff ends in."""
    path = piece.provenance.path
    is_other = any(each.path == path and each.new_blob != piece.provenance.blob for each in change.files)
    return (piece.lane is Lane.DOCS and is_record(path)) or (is_other and not change.revisions.is_work_tree)
