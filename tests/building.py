"""Files, pieces, queries and packs for tests: plain ones, with what a test is about said as keywords."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from ctxpack.model import (
    Candidate,
    Form,
    Fragment,
    Intent,
    Kind,
    Pack,
    Provenance,
    Query,
    RepositoryState,
    Request,
    Scope,
    Selection,
    Shape,
    SourceFile,
)
from ctxpack.model.formats import FORMATS

_OF_A_PIECE = {each.name for each in fields(Fragment)}
STATE = RepositoryState(Path("r"), "r", "0123456789abcdef", "main", is_git=True)
NO_GIT = RepositoryState(Path("r"), "r")

COUNTED_FORMATS = tuple(each.name for each in FORMATS if not each.counted_as)
"""The formats that a budget is counted in, and that are read back; a page for a browser is counted as another one."""


def source_file(path: str, kind: Kind = Kind.CODE, language: str = "python") -> SourceFile:
    """A file of one byte."""
    return SourceFile(path, kind, language, 1, "", 0)


def retry_module(name: str) -> str:
    """The text of a module with twenty functions about retries."""
    return "".join(
        f"def {name}_{n}(attempt):\n    'The retry delay.'\n    return attempt * {n}\n\n\n" for n in range(20)
    )


def paths_of(found: Iterable[Candidate]) -> list[str]:
    """The file of each match."""
    return [each.file.path for each in found]


def piece_of(text: str = "x = 1\n", path: str = "a.py", start: int = 1, **said: Any) -> Fragment:  # noqa: ANN401 - whatever a field takes
    """Whole lines of a file of code; the keywords are fields of the piece and of its provenance."""
    own = {name: said.pop(name) for name in _OF_A_PIECE & said.keys()}
    end = said.pop("end_line", start + max(0, text.count("\n") - 1))
    origin = Provenance(path, start, end, **{"kind": Kind.CODE, **said})
    return Fragment(text, provenance=origin, **{"form": Form.FULL, "strategy": "search", "language": "python", **own})


def query_for(text: str = "q", **fields: Any) -> Query:  # noqa: ANN401 - whatever a field of Query takes
    """A question without a term; the keywords are fields of the query."""
    plain = {"shape": Shape.QUESTION, "intent": Intent.CHANGE, "terms": {}, "title": {}, "words": {}, "identifiers": {}}
    return Query(text, text, **plain | fields)


def pack_with(*pieces: Fragment, budget: int = 800, **fields: Any) -> Pack:  # noqa: ANN401 - whatever a field of Pack takes
    """A finished pack of some pieces; the keywords are its other fields."""
    plain: dict[str, Any] = {
        "request": Request(Scope.TASK, "Do it"), "query": query_for(), "state": STATE, "selection": Selection(pieces),
        "encoding": "fake", "strategy": "search",
    }  # fmt: skip
    return Pack(**plain | fields, budget=budget)
