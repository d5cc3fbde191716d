"""JSON, schema 1: one line for each fragment, always valid UTF-8."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ctxpack.light import dataclass
from ctxpack.model import Fragment, Omission, Pack, RepositoryState, Request
from ctxpack.model.formats import BRIEF_REQUEST_LENGTH
from ctxpack.render import wording
from ctxpack.text import is_valid, json_shown, valid

SCHEMA = 1
_SCORE_DIGITS = 2
_DIGITS = 7  # of a hash, as git shows it: whole ones and blanks cost a piece a third of its frame
_SHOWN_TAGS = 8
_ROOMY = 1_000  # tokens: with less every one is needed for pieces
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_COMMIT_DIGITS = 12  # of the commit that all pieces without one of their own are of
_SHOWN_WORDS = 2  # of a piece: its content says more than further words about it
_ASKED_WORDS, _ADDED_WORDS = 6, 1  # of the request, and of those that were added to it
_SHOWN_OMITTED = 1  # of a sort in full: the others are places to look at next, a string each


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
            **({"first_source": pack.first_source} if pack.first_source > 1 else {}),
            **({"tree": pack.tree} if pack.tree.strip() else {}),
            **({"check": check} if (check := wording.check_digits(pack)) else {}),
            **({"made_by": pack.recipe} if pack.recipe else {}),
        }
        places = wording.next_places(pack)[_SHOWN_OMITTED:]
        tags = _related_tags(pack) if pack.budget >= _ROOMY else []
        tail = {
            "omitted": [_omission(omission) for omission in _omissions_in_full(pack)],
            **({"next": places} if places else {}),
            **({"related_tags": tags} if tags else {}),
            **({"files": _files(pack)} if pack.has_figures else {}),
            "skipped": wording.skipped_counts(pack),
            "stats": _stats(pack),
            **({"notes": list(pack.notes)} if pack.notes else {}),
        }
        return f'{_dump(head)[:-1]},"fragments":[\n', f"\n],{_dump(tail)[1:]}\n"

    def fragment(self, fragment: Fragment, number: int) -> str:  # noqa: ARG002 - its place in the array is its number
        """One object of the array."""
        origin = fragment.provenance
        blob, commit = _state(fragment)
        return _dump(
            {
                "path": origin.path,
                "start_line": origin.start_line,
                "end_line": origin.end_line,
                "form": str(fragment.form),
                **({"compressed": list(fragment.dropped)} if fragment.dropped else {}),
                "strategy": fragment.strategy,
                "kind": str(origin.kind),
                "symbol": wording.names(origin.symbol),
                "score": round(origin.score, _SCORE_DIGITS),
                "confidence": str(origin.confidence),
                "reasons": wording.further_reasons(fragment)[:1],
                "keywords": wording.matched_words(fragment)[:_SHOWN_WORDS],
                "tags": list(origin.tags),
                "blob": blob,
                "commit": commit,
                "dirty": origin.dirty,
                "tokens": fragment.tokens,
                "content": wording.content(fragment, line_numbers=True) if self.line_numbers else fragment.text,
            }
        )

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the line numbers show what is omitted
        """The comma of the array."""
        return ",\n"


def _state(fragment: Fragment) -> tuple[str, str]:
    """The blob and the commit of a piece; empty if they are those of the repository's commit.

    Both together cost a sixth of the overhead of a piece, and path and commit identify the blob already.
    """
    origin = fragment.provenance
    if fragment.layer:
        return origin.blob[:_DIGITS], origin.commit[:_DIGITS]
    return (origin.blob[:_DIGITS] if origin.dirty or not origin.commit else ""), ""


def _omissions_in_full(pack: Pack) -> list[Omission]:
    """The best place that was left out, and the best duplicate."""
    places = [each for each in pack.selection.omissions if not each.is_double]
    doubles = [each for each in pack.selection.omissions if each.is_double]
    return [*places[:_SHOWN_OMITTED], *doubles[:_SHOWN_OMITTED]]


def _files(pack: Pack) -> dict[str, dict[str, Any]]:
    """The facts about the files of the pieces, by path."""
    origins = {fragment.provenance.path: fragment.provenance for fragment in pack.selection.fragments}
    return {
        path: {"size": its.size, "modified": its.modified, "blob": its.blob} for path, its in sorted(origins.items())
    }


def _related_tags(pack: Pack) -> list[str]:
    """The tags of most pieces: other files with them are probably related."""
    counts = Counter(tag for fragment in pack.selection.fragments for tag in fragment.provenance.tags)
    return sorted(counts, key=lambda tag: (-counts[tag], tag))[:_SHOWN_TAGS]


def _tokens(pack: Pack) -> dict[str, Any]:
    """The counts; if a model was named, also the model and the error bound."""
    about = {"model": pack.model, "estimate": pack.estimate}
    said = {name: value for name, value in about.items() if value}
    return {"budget": pack.budget, "used": pack.tokens_used, "encoding": pack.encoding, **said}


def _request(pack: Pack) -> dict[str, Any]:
    request = pack.request
    text = request.text if len(request.text) <= BRIEF_REQUEST_LENGTH else request.text[: BRIEF_REQUEST_LENGTH - 1] + "…"
    return {
        "scope": str(request.scope),
        "text": text,
        "path": request.path,
        "name": request.name,
        **_place(request),
        "keywords": list(wording.keywords(pack.query)[:_ASKED_WORDS]),
        "expansions": [
            {"term": added.term, "source": added.source, "origin": added.origin}
            for added in wording.expansions(pack.query)[:_ADDED_WORDS]
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
    roots = [{"label": label, **_state_of(each)} for label, each in state.members]
    return {**_state_of(state), **({"roots": roots} if roots else {})}


def _state_of(state: RepositoryState) -> dict[str, Any]:
    return {
        "name": state.name,
        "commit": state.commit[:_COMMIT_DIGITS],
        "branch": state.branch,
        "dirty": state.dirty,
        "git": state.is_git,
        **({"url": state.address} if state.address else {}),
    }


def _omission(omission: Omission) -> dict[str, Any]:
    return {
        "path": omission.path,
        "start_line": omission.start_line,
        "end_line": omission.end_line,
        "symbol": omission.symbol,
        "score": round(omission.score, _SCORE_DIGITS),
        "reason": omission.reason,
        "tokens": omission.tokens,
    }


def _stats(pack: Pack) -> dict[str, int]:
    """The statistics of files searched and pieces gathered, in alphabetical order."""
    used = {"utilisation": wording.utilisation(pack)} if pack.stats else {}
    return {"considered": pack.considered, **dict(sorted({**pack.stats, **used}.items()))}


def _dump(value: Mapping[str, Any]) -> str:
    text = _ENCODER.encode(value)
    return json_shown(text if is_valid(text) else _ENCODER.encode(_valid(value)))


def _valid(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """``value`` with every string valid UTF-8."""
    if isinstance(value, str):
        return valid(value)
    if isinstance(value, list):
        return [_valid(item) for item in value]
    if isinstance(value, dict):
        return {_valid(key): _valid(item) for key, item in value.items()}
    return value
