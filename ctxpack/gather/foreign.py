"""What plug-ins and programs bring, held against the repository: only what is true of its files gets in."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, line_count, lines_piece, made_piece
from ctxpack.gather.strategy import Strategy
from ctxpack.model import Form, Fragment
from ctxpack.text import printable

_VERBATIM = frozenset({Form.FULL, Form.EXCERPT})
_TOLD = 3  # remarks of one strategy


def admitted(context: Context, strategy: Strategy, brought: Iterable[object]) -> tuple[list[Fragment], list[str]]:
    """The pieces that hold, made anew from the repository, and remarks: the strategy's own, and what did not hold."""
    fragments, remarks, refused = list[Fragment](), list[str](), list[str]()
    for each in brought:
        if isinstance(each, str):
            said = printable(" ".join(each.split()))
            remarks.append(said if said.endswith((".", "!", "?")) else f"{said}.")
            continue
        try:
            piece = _anew(context, strategy, each)
            is_made = piece.form is Form.OUTLINE  # a text of its own, whatever else is shown of the file's lines
            fragments.append(replace(piece, layer=f"{strategy.id} {len(fragments)}") if is_made else piece)
        except (ValueError, TypeError) as error:
            refused.append(printable(str(error)))
    told = [f"The strategy {strategy.id} says: {each}" for each in remarks[:_TOLD]]
    if refused:
        count = "1 piece that does" if len(refused) == 1 else f"{len(refused)} pieces that do"
        told.append(f"The strategy {strategy.id} brought {count} not hold: {refused[0]}.")
    return fragments, told


def _anew(context: Context, strategy: Strategy, piece: object) -> Fragment:
    """The piece with what the repository itself says of it. Raises ValueError and TypeError where that differs."""
    if not isinstance(piece, Fragment):
        raise TypeError(f"a {type(piece).__name__} is no Fragment")
    origin = piece.provenance
    file = context.view.files.get(origin.path)
    if file is None:
        raise ValueError(f"{origin.path} is not among the files of the repository")
    span, last = (origin.start_line, origin.end_line), line_count(context, file.path)
    if not 1 <= span[0] <= span[1] <= last:
        raise ValueError(f"{file.path} has {last} lines, not {span[0]} to {span[1]}")
    if not math.isfinite(piece.value):
        raise ValueError(f"the value of {file.path}:{span[0]} is no number")
    role = Role(
        strategy.id,
        min(max(piece.value, 0.0), 1.0),
        tuple(reason for reason in origin.reasons if reason) or (strategy.name,),
        keywords=origin.keywords,
        symbol=origin.symbol,
        priority=strategy.priority,
    )
    if piece.form in _VERBATIM:
        made = lines_piece(context, file, span, role)
        if made.text.rstrip("\n") != piece.text.rstrip("\n"):
            raise ValueError(f"{file.path}:{span[0]}-{span[1]} reads otherwise")
        return made
    if piece.form is not Form.OUTLINE or not piece.text.strip():
        raise ValueError(f"the text for {file.path} is empty, or no outline")
    return made_piece(context, file, piece.text.rstrip("\n") + "\n", role, span)
