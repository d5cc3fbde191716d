"""Strategies of plug-ins and programs: run a program, and check its pieces against the repository."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from time import perf_counter
from typing import Any

from ctxpack.events import Guard
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, derived_piece, line_count, lines_piece
from ctxpack.gather.strategy import Strategy, derived, piece
from ctxpack.light import dataclass, replace
from ctxpack.model import Form, Fragment
from ctxpack.system.commands import command_name, run_command
from ctxpack.text import number_of, printable, valid

_TOLD = 3  # remarks of one strategy


def verify_pieces(context: Context, strategy: Strategy, brought: Iterable[object]) -> tuple[list[Fragment], list[str]]:
    """Return the pieces that agree with the repository, and remarks: of the strategy and about invalid pieces."""
    fragments, remarks, refused = list[Fragment](), list[str](), list[str]()
    for each in brought:
        if isinstance(each, str):
            said = printable(" ".join(each.split()))
            remarks.append(said if said.endswith((".", "!", "?")) else f"{said}.")
            continue
        try:
            piece = _rebuild(context, strategy, each)
            is_made = piece.form is Form.OUTLINE  # a text of its own, whatever else is shown of the file's lines
            fragments.append(replace(piece, layer=f"{strategy.id} {len(fragments)}") if is_made else piece)
        except (ValueError, TypeError) as error:
            refused.append(printable(str(error)))
    notes = [f"The strategy {strategy.id} says: {each}" for each in remarks[:_TOLD]]
    if refused:
        notes.append(f"The strategy {strategy.id} returned {number_of(len(refused), 'invalid piece')}: {refused[0]}.")
    return fragments, notes


def _rebuild(context: Context, strategy: Strategy, piece: object) -> Fragment:
    """Return the piece with the facts of the repository. Raises ValueError and TypeError if they differ."""
    if not isinstance(piece, Fragment):
        raise TypeError(f"a {type(piece).__name__} is not a Fragment")
    origin = piece.provenance
    file = context.view.files.get(origin.path)
    if file is None:
        raise ValueError(f"{origin.path} is not among the files of the repository")
    span, last = (origin.start_line, origin.end_line), line_count(context, file.path)
    if not 1 <= span[0] <= span[1] <= last:
        raise ValueError(f"{file.path} has {last} lines, not {span[0]} to {span[1]}")
    if not math.isfinite(piece.value):
        raise ValueError(f"the value of {file.path}:{span[0]} is not a number")
    role = Role(
        strategy.id,
        min(max(piece.value, 0.0), 1.0),
        tuple(reason for reason in origin.reasons if reason) or (strategy.name,),
        keywords=origin.keywords,
        symbol=origin.symbol,
    )
    if piece.form.holds_lines:
        made = lines_piece(context, file, span, role)
        if made.text.rstrip("\n") != piece.text.rstrip("\n"):
            raise ValueError(f"{file.path}:{span[0]}-{span[1]} differs from the file")
        return made
    if piece.form is not Form.OUTLINE or not piece.text.strip():
        raise ValueError(f"the text for {file.path} is empty, or no outline")
    return derived_piece(context, file, piece.text.rstrip("\n") + "\n", role, span)


PROGRAM_SCHEMA = 1
_CANDIDATES = 20  # search results that the program is told
_TO_END = 1.2  # seconds of its time limit that are kept for ending it ...
_TO_END_SHARE = 0.25  # ... but no larger part of it


@dataclass(frozen=True, slots=True)
class Command:
    """A ``Gatherer`` that runs a command line in ``folder``, and ends it within ``timeout_s`` seconds."""

    command: str
    folder: str
    timeout_s: float

    def __call__(self, context: Context) -> Iterator[Fragment | str]:
        """The pieces that the program prints, and a remark about each invalid line.

        Raises RuntimeError if the program cannot be started or fails, and TimeoutError.
        """
        identity, part = f"strategy:{self.folder}:{self.command}", f"The program {command_name(self.command)}"
        its = Guard(context.settings, identity, part, context.observer)
        if its.is_down:
            raise RuntimeError(its.why_down.removesuffix("."))
        yield from its.notes
        seconds = self.timeout_s - min(_TO_END, self.timeout_s * _TO_END_SHARE)
        document = json.dumps(request_document(context, its.reduce(_CANDIDATES)), ensure_ascii=True)
        began = perf_counter()
        outcome = run_command(self.command, f"{document}\n", seconds=seconds, folder=self.folder or None)
        if outcome.problem:
            its.record_failure()
            if perf_counter() - began >= seconds:
                raise TimeoutError
            raise RuntimeError(outcome.problem.removesuffix("."))
        its.record_success()
        for number, line in enumerate(outcome.text.splitlines(), 1):
            if not line.strip():
                continue
            try:
                yield _read(context, json.loads(line))
            except (ValueError, TypeError, KeyError) as error:
                yield f"line {number} of its output was left out: {_why(error)}."


def _roots_by_label(context: Context) -> dict[str, Any]:
    """The folders of a workspace, by the label that the paths of their files begin with."""
    folders = {label: valid(str(folder)) for label, folder in context.view.state.places.labelled.items()}
    return {"roots": folders} if folders else {}


def request_document(context: Context, candidates: int = _CANDIDATES) -> dict[str, Any]:
    """The input of the program, schema 1, with a number of candidates."""
    request = context.request
    return {
        "schema": PROGRAM_SCHEMA,
        "root": valid(str(context.view.state.root)),
        **_roots_by_label(context),
        "request": {
            "scope": request.scope.value,
            "text": valid(request.text),
            "path": valid(request.path),
            "name": valid(request.name),
            "line": request.line or None,
            "lines": list(request.lines) if request.lines else None,
            "symbol": valid(request.symbol),
            "hints": {key: valid(value) for key, value in request.hints},
        },
        "keywords": [valid(word) for word in context.query.words],
        "budget": context.settings.budget,
        "candidates": [
            {
                "path": valid(each.file.path),
                "start_line": each.chunk.start_line,
                "end_line": each.chunk.end_line,
                "score": round(each.score, 4),
            }
            for each in context.candidates[:candidates]
        ],
    }


def _read(context: Context, written: object) -> Fragment:
    """Read one line of output. Raises ValueError, TypeError or KeyError that names the mistake."""
    if not isinstance(written, Mapping):
        raise TypeError("it is not a JSON object")
    path = _text(written, "path")
    score = written.get("score", 0.5)
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise ValueError("score must be a number from 0 to 1")
    reason, symbol = _text(written, "reason", ""), _text(written, "symbol", "")
    if "text" in written:
        return derived(context, path, _text(written, "text"), reason=reason, value=float(score), symbol=symbol)
    lines = _number(written, "start_line"), _number(written, "end_line")
    return piece(context, path, lines, reason=reason, value=float(score), symbol=symbol)


def _text(written: Mapping[Any, Any], key: str, default: str | None = None) -> str:
    found = written[key] if default is None else written.get(key, default)
    if not isinstance(found, str):
        raise TypeError(f"{key} must be a string")
    return found


def _number(written: Mapping[Any, Any], key: str) -> int:
    found = written[key]
    if isinstance(found, bool) or not isinstance(found, int):
        raise TypeError(f"{key} must be a whole number")
    return found


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return "it is not JSON"
    return f"it has no {error.args[0]}" if isinstance(error, KeyError) else str(error)
