"""JSON, schema 1: one line a fragment, always valid UTF-8."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ctxpack.model import USES_WORDS, Fragment, Omission, Pack, Provenance, Request
from ctxpack.render import wording
from ctxpack.text import is_valid, valid

SCHEMA = 1
_SCORE_DIGITS = 2
_DIGITS = 8  # of a hash: whole ones and blanks cost a piece a third of its frame
_REQUEST_LENGTH = 120  # who asked knows the rest
_SHOWN_RULES = 5
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_SHOWN_REASONS, _SHOWN_WORDS = 2, 4  # of a piece: its content says more than further words about it


@dataclass(frozen=True, slots=True)
class JsonRenderer:
    """The documented schema; a fragment is an object of one line."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The object up to the fragments, and from there to its end."""
        head = {
            "schema": SCHEMA,
            "request": _request(pack),
            "repository": _repository(pack),
            "strategy": pack.strategy,
            "order": pack.order,
            "tokens": _tokens(pack),
        }
        tail: dict[str, Any] = {
            "omitted": [_omission(omission) for omission in pack.selection.omissions],
            "skipped": _skipped(pack),
            "stats": _stats(pack),
        }
        if pack.notes:
            tail["notes"] = list(pack.notes)
        return f'{_dump(head)[:-1]},"fragments":[\n', f"\n],{_dump(tail)[1:]}\n"

    def fragment(self, fragment: Fragment, number: int) -> str:
        """One object of the array; ``source`` is the number that the prompt formats cite as ``[Source N]``."""
        origin = fragment.provenance
        return _dump(
            {
                "source": number,
                "path": origin.path,
                "start_line": origin.start_line,
                "end_line": origin.end_line,
                "form": str(fragment.form),
                **({"compressed": list(fragment.dropped)} if fragment.dropped else {}),
                "strategy": fragment.strategy,
                "kind": str(origin.kind),
                "symbol": origin.symbol,
                "score": round(origin.score, _SCORE_DIGITS),
                "confidence": str(origin.confidence),
                "reasons": _reasons(origin),
                "keywords": list(origin.keywords[:_SHOWN_WORDS]),
                "tags": list(origin.tags),
                "blob": origin.blob[:_DIGITS],
                "commit": origin.commit[:_DIGITS],
                "dirty": origin.dirty,
                "tokens": fragment.tokens,
                "content": wording.content(fragment, line_numbers=True) if self.line_numbers else fragment.text,
            }
        )

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the line numbers show what is omitted
        """The comma of the array."""
        return ",\n"


def _reasons(origin: Provenance) -> list[str]:
    """The strongest reasons; that it uses words of the request is said by the words themselves, where they stand."""
    shown = origin.reasons[:_SHOWN_REASONS]
    return [each for each in shown if each != USES_WORDS or len(shown) == 1 or not origin.keywords]


def _tokens(pack: Pack) -> dict[str, Any]:
    """The counts; with the model whose tokens they are, and how far they can be off, where one was named."""
    about = {"model": pack.model, "estimate": pack.estimate}
    said = {name: value for name, value in about.items() if value}
    return {"budget": pack.budget, "used": pack.tokens_used, "encoding": pack.encoding, **said}


def _request(pack: Pack) -> dict[str, Any]:
    request = pack.request
    text = request.text if len(request.text) <= _REQUEST_LENGTH else request.text[: _REQUEST_LENGTH - 1] + "…"
    return {
        "scope": str(request.scope),
        "text": text,
        "path": request.path,
        "name": request.name,
        **_place(request),
        "keywords": list(wording.keywords(pack.query)),
        "expansions": [
            {"term": added.term, "source": added.source, "origin": added.origin}
            for added in wording.expansions(pack.query)
        ],
    }


def _place(request: Request) -> dict[str, Any]:
    """The cursor, the selected lines, the definition and the hints, as far as any were given."""
    values = {
        "line": request.line,
        "lines": list(request.lines or ()),
        "symbol": request.symbol,
        "hints": dict(request.hints),
    }
    return {key: value for key, value in values.items() if value}


def _repository(pack: Pack) -> dict[str, Any]:
    state = pack.state
    return {
        "name": state.name,
        "commit": state.commit,
        "branch": state.branch,
        "dirty": state.dirty,
        "git": state.is_git,
    }


def _omission(omission: Omission) -> dict[str, Any]:
    return {
        "path": omission.path,
        "start_line": omission.start_line,
        "end_line": omission.end_line,
        "symbol": omission.symbol,
        "score": round(omission.score, 4),
        "reason": omission.reason,
        "tokens": omission.tokens,
        **({"more": omission.more} if omission.more else {}),
    }


def _stats(pack: Pack) -> dict[str, int]:
    """How many files were searched, and what became of what was gathered in them, in alphabetical order."""
    used = {"utilisation": wording.utilisation(pack)} if pack.stats else {}
    return {"considered": pack.considered, **dict(sorted({**pack.stats, **used}.items()))}


def _skipped(pack: Pack) -> dict[str, int]:
    """How many files each of the busiest sorts of rules hid; ``why-not`` tells of one file."""
    counts = Counter[str]()
    for reason, count in Counter(skipped.reason for skipped in pack.skipped).items():
        counts[wording.sort_of(reason)] += count
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = dict(ranked[:_SHOWN_RULES])
    rest = sum(count for _, count in ranked[_SHOWN_RULES:])
    return {**shown, "other": rest} if rest else shown


def _dump(value: Mapping[str, Any]) -> str:
    text = _ENCODER.encode(value)
    return text if is_valid(text) else _ENCODER.encode(_valid(value))


def _valid(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """``value`` with every string valid UTF-8."""
    if isinstance(value, str):
        return valid(value)
    if isinstance(value, list):
        return [_valid(item) for item in value]
    if isinstance(value, dict):
        return {_valid(key): _valid(item) for key, item in value.items()}
    return value
