"""The input of every strategy: request, candidates and repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ctxpack.events import SILENT, Observer
from ctxpack.gather.focus import Place, place_of
from ctxpack.gather.similarity import Match, resembling
from ctxpack.index import IndexView
from ctxpack.light import dataclass
from ctxpack.model import Candidate, Complexity, Kind, Lane, Query, Request, Scope, SourceFile
from ctxpack.parse.chunking import CONTAINERS
from ctxpack.query.lines import PastedHunk, hunks_in
from ctxpack.query.mentions import may_be_of_frame
from ctxpack.rank.evidence import MODEL
from ctxpack.rank.signals.names import files_matching
from ctxpack.settings import Settings

if TYPE_CHECKING:
    from ctxpack.select import PieceCounter
    from ctxpack.understand.change import Change, Changed

_MAX_SUBJECTS = 5
_CENTRAL_FILES = 2
_CENTRAL_PARTS, _CENTRAL_SCORE = 3, 0.5  # of a central file: how many score this part of the best


@dataclass(frozen=True)
class Context:
    """One request, what was understood of it, and the repository.

    ``candidates`` are ranked, best first; ``further`` ones are at most listed.
    """

    request: Request
    query: Query
    view: IndexView
    settings: Settings
    candidates: tuple[Candidate, ...] = ()
    change: Change | None = None  # what a request of a diff is about
    observer: Observer = SILENT
    further: tuple[Candidate, ...] = ()

    def prepare(self) -> None:
        """Compute once what several strategies need, before they run in parallel. Raises UsageError."""
        _ = self.subjects, self.changed, self.place

    @cached_property
    def place(self) -> Place | None:
        """The cursor, the selected lines or the definition in question, if any. Raises UsageError."""
        return place_of(self.request, self.view)

    def lines(self, path: str) -> list[str]:
        """The lines of a file."""
        return self.view.files.all_lines(path)

    def text(self, path: str, span: tuple[int, int]) -> str:
        """The lines first..last of a file, joined by LF."""
        return self.view.files.lines(path, *span)

    def skip_reason(self, path: str) -> str:
        """The reason why a file was not read; empty if it was read."""
        return next((each.reason for each in self.view.skipped if each.path == path), "")

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """The files and symbols with the name of the component or a similar one, the most exact first."""
        return resembling(self.request.name, self.view)

    @cached_property
    def subjects(self) -> tuple[SourceFile, ...]:
        """The files that the request is about: the named one, or the code of the component."""
        if self.request.scope is Scope.FILE:
            file = self.view.files.get(self.request.path)
            return (file,) if file else ()
        if self.change is not None:
            return self._changed_files(self.change)
        if self.request.scope is not Scope.COMPONENT:
            return ()
        best = self.matches[0].score if self.matches else 0.0
        exact = [match for match in self.matches if match.score >= best]
        places = self._files_of([match for match in exact if match.what != "definition"], Lane.CODE)
        homes = [match for match in exact if match.what == "definition"]
        found = places or self._files_of(homes, Lane.CODE) or self._files_of(homes, Lane.TESTS)
        return found[:_MAX_SUBJECTS]

    def _files_of(self, matches: Sequence[Match], lane: Lane) -> tuple[SourceFile, ...]:
        """The files of some matches in a lane: own work first, then what most others import."""
        files = self.view.files
        paths = dict.fromkeys(path for match in matches for path in match.paths)
        found = [file for path in paths if (file := files.get(path)) and file.kind.lane is lane and file.size]
        degrees = {file.path: int(files.in_degrees[files.numbers[file.path]]) for file in found}
        return tuple(sorted(found, key=lambda file: (bool(file.traits), -degrees[file.path], file.path)))

    @cached_property
    def told_lines(self) -> dict[str, tuple[int, ...]]:
        """The lines that the request names by their file, as in ``src/upload.py:80``, by path; frames are none.

        Of each part of a diff the first line that it changes.
        """
        found: dict[str, tuple[int, ...]] = {}
        for hunk in hunks_in(self.request.text) if self.request.scope is Scope.TASK else ():
            if line := self.line_of(hunk):
                found[hunk.path] = (*found.get(hunk.path, ()), line)
        for each in self.query.mentions if self.request.scope is Scope.TASK else ():
            numbers = self._files_called(each.text.lstrip("./")) if each.kind == "path" and each.line else ()
            for path in (self.view.files[number].path for number in numbers if len(numbers) == 1):
                if each.line <= len(self.lines(path)):
                    found[path] = tuple(dict.fromkeys((*found.get(path, ()), each.line)))
        return found

    @cached_property
    def framed_lines(self) -> tuple[tuple[str, int], ...]:
        """The files and lines of a pasted stack that the repository has, the nearest to the failure first."""
        frames = [each for each in self.query.mentions if each.kind == "frame" and each.line]
        found: dict[tuple[str, int], None] = {}
        for each in frames if self.request.scope is Scope.TASK else ():
            numbers = files_matching(self.view, each.text)
            for path in (self.view.files[number].path for number in numbers if len(numbers) == 1):
                if may_be_of_frame(path, each.text) and each.line <= len(self.lines(path)):
                    found[path, each.line] = None
        return tuple(found)

    def _files_called(self, path: str) -> Sequence[int]:
        """The files with a path or the end of one; of tests also those that a run on another machine tells of."""
        folders, view = path.split("/"), self.view
        ends = ("/".join(folders[at:]) for at in range(1, len(folders) - 1))
        elsewhere = next((found for end in ends if (found := view.files.with_suffix(end))), ())
        return view.files.with_suffix(path) or [each for each in elsewhere if view.files[each].kind is Kind.TEST]

    def line_of(self, hunk: PastedHunk) -> int:
        """Return the number of the first line of a hunk that its file has once, else of where it begins; 0 for none."""
        lines = self.lines(hunk.path) if self.view.files.get(hunk.path) else []
        places = ([at for at, each in enumerate(lines, 1) if each.strip() == line] for line in hunk.lines if line)
        return next((found[0] for found in places if len(found) == 1), min(hunk.first, len(lines)))

    @cached_property
    def central_files(self) -> frozenset[str]:
        """The best files, where several of their parts match, or which are a module that the request names; a model.

        So is the best file of a short question about a class that it names: its methods say what the head does not.

        None for a complex request, which needs many files; a traceback tells the places itself.
        """
        is_told = any(each.kind == "frame" for each in self.query.mentions)
        needs_many = self.request.scope is not Scope.TASK or self.query.complexity is Complexity.COMPLEX
        if is_told or needs_many or not self.candidates:
            return frozenset()
        least = _CENTRAL_SCORE * self.candidates[0].score
        parts = Counter(each.file.path for each in self.candidates if each.score >= least)  # by the first of each
        heads = self.candidates[: 1 if self.query.complexity is Complexity.SIMPLE else 0]
        homes = [each for each in heads if each.chunk.kind in CONTAINERS]
        homes += (each for each in self.candidates[:_CENTRAL_FILES] if each.chunk.kind == "namespace")
        named = {each.file.path for each in homes if each.chunk.symbol in self.query.identifiers}
        models = (each.file.path for each in self.candidates if any(link.signal == MODEL for link in each.evidence))
        best = (path for path in list(parts)[:_CENTRAL_FILES] if path in named or parts[path] >= _CENTRAL_PARTS)
        return frozenset((*best, *models))

    @cached_property
    def counter(self) -> PieceCounter:
        """The counter of pieces in the format of the report."""
        from ctxpack.render import renderer
        from ctxpack.select import PieceCounter
        from ctxpack.settings.budget import counter_of

        return PieceCounter(
            renderer(self.settings.format, line_numbers=self.settings.line_numbers), counter_of(self.settings)
        )

    @cached_property
    def changed(self) -> tuple[Changed, ...]:
        """The definitions that a diff changed, by file and line."""
        if self.change is None:
            return ()
        from ctxpack.understand.change import changed_definitions

        return changed_definitions(self.change, self.view)

    def _changed_files(self, change: Change) -> tuple[SourceFile, ...]:
        """The changed code files that still exist, those with most changes first."""
        ranked = sorted(change.files, key=lambda each: (bool(each.traits), -each.added - each.removed, each.path))
        found = (self.view.files.get(each.path) for each in ranked if each.kind.lane is Lane.CODE and each.hunks)
        return tuple(file for file in found if file is not None and file.size)[:_MAX_SUBJECTS]

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """The words of the request and of its expansions, the heaviest first."""
        weights = {item.term: item.weight for item in self.query.expansions} | dict(self.query.words)
        return tuple(sorted(weights, key=lambda word: (-weights[word], word)))
