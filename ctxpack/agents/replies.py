"""The answer to a call, as data and as the same in plain text: a client hands one of the two to its model.

Each says what it shows, how much more there is, and the one call that fetches it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

from ctxpack.light import dataclass
from ctxpack.model import Candidate, RepositoryState
from ctxpack.parse.languages import language_of_name
from ctxpack.rank.evidence import reasons_of
from ctxpack.system.tokens import counter
from ctxpack.text import code, in_fence, number_of, printable, valid
from ctxpack.workflows.passages import Passage

Data = Mapping[str, Any]

_WORDS, _REASONS = 4, 2  # that a result is explained with
_DIGITS: Final = 2
_PLACES: Final = 10  # that are left out: a page with their text costs one call
_COMMIT: Final = 12  # digits
_DOUBLES: Final = ("same text as ", "like ")  # begins the reason of a place whose text is in the pack already
_NOWHERE: Final = "No word of the request occurs here: use the names of the code, or search elsewhere."
_NOTHING_MORE: Final = "There is nothing more to fetch for this request."


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer in both forms."""

    data: Data
    text: str

    @property
    def tokens(self) -> int:
        """The tokens of the whole answer, both forms together, the data with the blanks that a client may add."""
        its = counter()
        return its.count(self.text) + its.count(json.dumps(self.data, ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, as an answer names it."""

    tool: str
    arguments: Data

    @property
    def data(self) -> Data:
        """The call as data."""
        return {"tool": self.tool, "arguments": dict(self.arguments)}

    @property
    def text(self) -> str:
        """The call on one line."""
        return f"{self.tool} {json.dumps(self.arguments, ensure_ascii=False)}"


def pack_reply(report: Data, following: Call | None, *, page: int) -> Reply:
    """Return the answer with a pack, from its JSON report."""
    pieces = [_piece(each) for each in report["fragments"]]
    its = report["repository"]
    states = its.get("roots") or [{**its, "label": its["name"]}]
    repository = " + ".join(_repository(each["label"], each["commit"]) for each in states)
    left = _left_out(report)
    files = len({each["path"] for each in pieces})
    tokens = report["tokens"]
    shown = (
        f"{number_of(len(pieces), 'piece')} of {number_of(files, 'file')}, {tokens['used']:,} of {tokens['budget']:,} "
        f"tokens{f', page {page}' if page > 1 else ''}"
    )
    count = report["stats"].get("left_out", 0)
    data = {
        "repository": repository,
        "shown": shown,
        "pieces": pieces,
        "more": _more(count, following),
        "left_out": left,
        "notes": list(report.get("notes", ())),
        "next": following.data if following else None,
    }
    blocks = [f"{repository}: {shown}.", *(_shown_piece(each) for each in pieces)]
    if left:
        blocks.append("Left out, best first:\n" + "\n".join(left))
    return Reply(data, _text(blocks, data, following))


def nothing_packed(repository: str) -> Reply:
    """Return the answer for a task that nothing matches."""
    data: Data = {
        "repository": valid(repository),
        "shown": "nothing: no file matches",
        "pieces": [],
        "more": _NOWHERE,
        "left_out": [],
        "notes": [],
        "next": None,
    }
    return Reply(data, _text([f"{printable(repository)}: nothing matches."], data, None))


def _piece(fragment: Data) -> Data:
    form = fragment["form"]
    compressed = fragment.get("compressed", ())
    why = [", ".join(fragment["keywords"]), *fragment["reasons"]]
    return {
        "path": fragment["path"],
        "start_line": fragment["start_line"],
        "end_line": fragment["end_line"],
        "symbol": fragment["symbol"],
        "why": "; ".join(filter(None, why)) or f"added by the strategy {fragment['strategy']}",
        "form": f"{form}, without {', '.join(compressed)}" if compressed else form,
        "text": fragment["content"],
    }


def _shown_piece(piece: Data) -> str:
    name = f" {code(piece['symbol'])}" if piece["symbol"] else ""
    form = "" if piece["form"] == "full" else f" ({piece['form']})"
    head = f"{_place(piece)}{name}{form} — {piece['why']}"
    text = piece["text"].rstrip("\n")
    return f"{head}\n{in_fence(text, _language(piece['path']))}".rstrip("\n")


def _left_out(report: Data) -> list[str]:
    """The places that are not in a pack, best first, one on each line."""
    omitted = [each for each in report["omitted"] if not each["reason"].startswith(_DOUBLES)]
    first = [f"{each['path']}:{each['start_line']} {each['symbol']}".rstrip() for each in omitted]
    return list(dict.fromkeys([*first, *report.get("next", ())]))[:_PLACES]


def search_reply(matches: Sequence[Candidate], repository: str, following: Call | None, notes: Sequence[str]) -> Reply:
    """Return the answer with the results of a search."""
    results = [_result(each) for each in matches]
    shown = number_of(len(results), "place") + ", best first" if results else "nothing that matches"
    more = "More places match, but less well." if following else _NOTHING_MORE if results else _NOWHERE
    data = {
        "repository": repository,
        "shown": shown,
        "results": results,
        "more": more,
        "notes": list(notes),
        "next": following.data if following else None,
    }
    rows = [
        f"{_place(each)}{' ' + each['symbol'] if each['symbol'] else ''}  {each['score']:.2f} {each['confidence']}, "
        f"{each['kind']}: {each['why']}"
        for each in results
    ]
    return Reply(data, _text([f"{repository}: {shown}.", "\n".join(rows)], data, following))


def _result(match: Candidate) -> Data:
    words = ", ".join(match.keywords[:_WORDS])
    return {
        "path": valid(match.file.path),
        "start_line": match.chunk.start_line,
        "end_line": match.chunk.end_line,
        "symbol": valid(match.chunk.symbol or " › ".join(match.chunk.heading)),
        "kind": match.file.kind.value,
        "score": round(match.score, _DIGITS),
        "confidence": match.confidence.value,
        "why": printable("; ".join(each for each in (words, *reasons_of(match, _REASONS)) if each)),
    }


def shown_lines(passage: Passage, kept: int, following: Call | None) -> Reply:
    """Return the answer with the first ``kept`` lines of a passage."""
    lines = passage.lines[:kept]
    last = passage.start_line + len(lines) - 1
    left = len(passage.lines) - kept
    marks = f"{number_of(passage.redacted, 'secret')} replaced by a placeholder."
    data = {
        "path": valid(passage.path),
        "start_line": passage.start_line,
        "end_line": last,
        "symbol": passage.symbol,
        "lines_in_file": passage.length,
        "shown": f"lines {passage.start_line}-{last} of {passage.length}" if lines else "an empty file",
        "text": valid("".join(f"{line}\n" for line in lines)),
        "more": f"{number_of(left, 'line')} of what was asked for did not fit."
        if left
        else "This is all you asked for.",
        "notes": [*passage.remarks, *([marks] if passage.redacted else [])],
        "next": following.data if following else None,
    }
    head = printable(", ".join(filter(None, (passage.path, str(data["shown"]), passage.symbol))))
    return Reply(
        data, _text([f"{head}\n{in_fence(str(data['text']), passage.language)}".rstrip("\n")], data, following)
    )


def explanation_reply(data: Data, following: Call | None) -> Reply:
    """Return the answer about a file that is, or is not, in a pack."""
    whole = {**data, "next": following.data if following else None}
    tail = [f"To read it: {following.text}"] if following else []
    return Reply(whole, "\n".join([*data["reasons"], *tail]) + "\n")


def _text(blocks: Sequence[str], data: Data, following: Call | None) -> str:
    """The blocks, then what the answer leaves out, and what to do about it."""
    notes = [f"Note: {note}" for note in data["notes"]]
    end = f"{data['more']} To fetch it: {following.text}" if following else str(data["more"])
    return "\n\n".join([*filter(None, blocks), *(["\n".join(notes)] if notes else []), end]) + "\n"


def _more(count: int, following: Call | None) -> str:
    if following is None:
        return _NOTHING_MORE
    pieces = number_of(count, "further piece") if count else "Further pieces"
    return f"{pieces} matched less or did not fit. Work with what is here; fetch more only if something is missing."


def _place(entry: Data) -> str:
    start, end = entry["start_line"], entry["end_line"]
    return f"{printable(entry['path'])}:{start}-{end}" if end > start else f"{printable(entry['path'])}:{start}"


def _language(path: str) -> str:
    found_language = language_of_name(PurePosixPath(path).name)
    return "" if found_language == "text" else found_language


def _repository(name: str, commit: str) -> str:
    return f"{name} at {commit}" if commit else str(name)


def repository_label(state: RepositoryState) -> str:
    """Return what answers call a repository, or several."""
    states = state.members or ((state.name, state),)
    return " + ".join(_repository(valid(name), each.commit[:_COMMIT]) for name, each in states)
