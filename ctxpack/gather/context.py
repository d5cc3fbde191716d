"""What every strategy works from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ctxpack.gather.resemblance import Match, resembling
from ctxpack.index import IndexView
from ctxpack.model import Candidate, Lane, Query, Request, Scope, SourceFile
from ctxpack.settings import Settings

_MAX_SUBJECTS = 5


@dataclass(frozen=True)
class Context:
    """One request, what was understood of it, and the repository. ``candidates`` are ranked, best first."""

    request: Request
    query: Query
    view: IndexView
    settings: Settings
    candidates: tuple[Candidate, ...] = ()

    def lines(self, path: str) -> list[str]:
        """The lines of a file."""
        return self.view.all_lines(path)

    def text(self, path: str, span: tuple[int, int]) -> str:
        """The lines first..last of a file, joined by LF."""
        return self.view.lines(path, *span)

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """What has the name of the component, or one like it; the most exact first."""
        return resembling(self.request.name, self.view)

    @cached_property
    def subjects(self) -> tuple[SourceFile, ...]:
        """The files in question: the one that was named, or the code of the component."""
        if self.request.scope is Scope.FILE:
            file = self.view.file(self.request.path)
            return (file,) if file else ()
        if self.request.scope is not Scope.COMPONENT:
            return ()
        view, best = self.view, self.matches[0].score if self.matches else 0.0
        exact = [match for match in self.matches if match.score >= best]
        places = [match for match in exact if match.what != "definition"] or exact
        paths = dict.fromkeys(path for match in places for path in match.paths)
        found = [file for path in paths if (file := view.file(path)) and file.kind.lane is Lane.CODE and file.size]
        found.sort(key=lambda file: (bool(file.traits), -int(view.in_degrees[view.numbers[file.path]]), file.path))
        return tuple(found[:_MAX_SUBJECTS])

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """The words of the request and those added to it, the weightiest first."""
        weights = {item.term: item.weight for item in self.query.expansions} | dict(self.query.words)
        return tuple(sorted(weights, key=lambda word: (-weights[word], word)))
