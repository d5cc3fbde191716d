"""The frame of a report: the layout, notes, and statistics of everything that was gathered."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ctxpack.discover.source import UNREAD_RECORD
from ctxpack.gather import Gathered
from ctxpack.index import IndexView
from ctxpack.light import replace
from ctxpack.model import Fragment, Pack, Places, Query, Request, Selection
from ctxpack.model.columns import FileTable
from ctxpack.model.formats import format_of
from ctxpack.redact.harmless import harm_notes, is_harm_note
from ctxpack.redact.redaction import Removed, is_summary, redact_state, summary
from ctxpack.redact.rules import engine_notes, rules_of
from ctxpack.render.wording import is_request_shown
from ctxpack.select import PieceCounter, finish
from ctxpack.select.alike import LEAST_TEXT, SimilarityIndex
from ctxpack.select.limits import DEFAULTS
from ctxpack.settings import Settings
from ctxpack.settings.budget import budget_of, estimate_of
from ctxpack.settings.recipe import recipe_of
from ctxpack.system.git import enclosing_repository, find_git
from ctxpack.text import first_of, number_of, printable

if TYPE_CHECKING:
    from ctxpack.understand.change import Change


_MOST = 24  # folders: more are no overview
_SHARE, _TOKENS_PER_FOLDER = 0.005, 5  # of the budget; a line that costs more is paid with pieces
_FEWEST = 4  # folders; fewer say nothing


class Folders:
    """The folders of a repository, counted when they are first needed."""

    def __init__(self, files: FileTable) -> None:
        self.files = files

    @cached_property
    def direct(self) -> Counter[str]:
        """How many files each folder contains directly; ``""`` is the root."""
        return Counter(self.files.count_folders())

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """The folders in each folder, by name."""
        children = defaultdict[str, set[str]](set)
        for folder in self.direct:
            while folder:
                above = folder.rpartition("/")[0]
                if folder in children[above]:
                    break
                children[above].add(folder)
                folder = above  # noqa: PLW2901 - up to the root
        return {above: sorted(those) for above, those in children.items()}

    @cached_property
    def totals(self) -> Counter[str]:
        """How many files each folder contains in total."""
        totals = Counter(self.direct)
        inner = [each for those in self.children.values() for each in those]
        for folder in sorted(inner, key=len, reverse=True):  # each before the one that holds it
            totals[folder.rpartition("/")[0]] += totals[folder]
        return totals

    def innermost(self, folder: str) -> str:
        """The folder itself, or the innermost one that holds all its files: ``src/main/java/org``."""
        while not self.direct[folder] and len(self.children.get(folder, ())) == 1:
            folder = self.children[folder][0]
        return folder


def tree(folders: Folders, budget: int) -> str:
    """``docs/ 82, src/flask/ 26, 3 at the top (files)``; empty where a budget has no room for that, or for one folder.

    The fullest folders are replaced by their subfolders as long as there is room.
    """
    room = min(_MOST, int(budget * _SHARE / _TOKENS_PER_FOLDER))
    shown = [folders.innermost(each) for each in folders.children.get("", ()) if not each.startswith(".")]
    if room < _FEWEST or not shown:
        return ""
    shown = _open_folders(folders, shown, room)
    kept = sorted(sorted(shown, key=lambda each: (-folders.totals[each], each))[:room])
    parts = [f"{printable(each)}/ {folders.totals[each]:,}" for each in kept]
    more = f", and {number_of(len(shown) - len(kept), 'more folder')}" if len(shown) > len(kept) else ""
    at_top = f", {folders.direct['']:,} at the top" if folders.direct[""] else ""
    return f"{', '.join(parts)}{more}{at_top} (files)"


_NEARLY_ALL = 0.9  # of the files of a folder, in one of its subfolders


def _open_folders(folders: Folders, shown: Sequence[str], room: int) -> list[str]:
    """Show the subfolders of the fullest folders, as long as there is room; alone, where one holds nearly all."""
    shown = list(shown)
    for folder in sorted(shown, key=lambda each: (-folders.totals[each], each)):
        inside = [folders.innermost(each) for each in folders.children.get(folder, ())]
        if len(shown) + len(inside) > room:
            break
        shown += inside
        if max((folders.totals[each] for each in inside), default=0) >= _NEARLY_ALL * folders.totals[folder]:
            shown.remove(folder)  # else it stays, with all of its files: what it holds itself is part of them
    return shown


_SHOWN = 5  # missing files that are named


def repository_notes(view: IndexView, settings: Settings, change: Change | None = None) -> tuple[str, ...]:
    """One sentence for each thing that the report cannot show by itself."""
    sentences: list[str] = [*settings.notes]
    sentences += _missing(settings.paths or (), settings.places)
    sentences += engine_notes(settings)
    if change is not None and _ends_elsewhere(change, view):
        sentences.append("The diff is of commits; callers, tests and documents are from the files on disk.")
    if not view.state.is_git and _is_without_git(settings):
        sentences.append("git is not installed: ignore rules were read without it, and there is no history.")
    elif any(each.reason.startswith(UNREAD_RECORD) for each in view.skipped):
        sentences.append("git cannot read this repository: ignore rules were read without it, no history (see -v).")
    if late := _name_files(view.files.late):
        sentences.append(f"The parser took too long for {late}: definitions there were found by patterns.")
    if changing := _name_files(view.files.changing):
        what = f"{changing} changed or disappeared; the report may be out of date there."
        sentences.append(f"While this report was made, {what}")
    return tuple(sentences)


def _name_files(paths: Sequence[str]) -> str:
    return f"{len(paths)} files, such as {paths[0]}" if len(paths) > 1 else "".join(paths)


def _is_without_git(settings: Settings) -> bool:
    """Whether git is missing where there is a repository."""
    folders = [str(each) for each in settings.places.folders]
    return any(map(enclosing_repository, folders)) and find_git(folders[0]) is None


def _ends_elsewhere(change: Change, view: IndexView) -> bool:
    """Whether the new side of a diff is not the files on disk."""
    end = change.revisions.new
    return bool(end) and (end != view.state.commit or view.state.dirty)


def _missing(paths: Sequence[str], places: Places) -> list[str]:
    gone = [path for path in paths if not places.of(path).exists()]
    return [f"Listed but missing: {first_of(gone, _SHOWN)}."] if gone else []


class Tally:
    """Counts what became of everything that was gathered; each selection is counted once.

    The numbers of pieces gathered, packed, left out as duplicates, and left out for lack of room.
    ``tokens_gathered`` and ``tokens_packed`` count the pieces' own texts.
    """

    def __init__(self, gathered: Sequence[Fragment], counter: PieceCounter) -> None:
        self._gathered = gathered
        self._counter = counter
        self._last: tuple[tuple[Fragment, ...], dict[str, int]] | None = None

    def statistics(self, pack: Pack) -> dict[str, int]:
        """The numbers by name."""
        pieces = pack.selection.fragments
        if self._last is None or self._last[0] is not pieces:
            self._last = pieces, self._count(pieces)
        return self._last[1]

    def _count(self, pieces: tuple[Fragment, ...]) -> dict[str, int]:
        by_home: dict[tuple[str, str], list[Fragment]] = {}
        for piece in pieces:
            by_home.setdefault(piece.home, []).append(piece)
        others = [
            each for each in self._gathered if not any(_share_a_line(each, its) for its in by_home.get(each.home, ()))
        ]
        texts = [piece.text for piece in pieces]
        known = SimilarityIndex(DEFAULTS)
        for piece in pieces:
            known.add(piece)
        repeated = sum(_is_in(piece.text, texts) or bool(known.find(piece)) for piece in others)
        return {
            "gathered": len(self._gathered),
            "packed": len(self._gathered) - len(others),
            "duplicates": repeated,
            "left_out": len(others) - repeated,
            "tokens_gathered": sum(self._counter.text(piece.text) for piece in self._gathered),
            "tokens_packed": sum(self._counter.text(text) for text in texts),
        }


Statistics = Callable[[Pack], Mapping[str, int]]


class Figures(Mapping[str, int]):
    """Numbers that are counted when one of them is needed: most reports show none."""

    def __init__(self, count: Callable[[], Mapping[str, int]]) -> None:
        self._count = count

    @cached_property
    def _counted(self) -> Mapping[str, int]:
        return self._count()

    def __getitem__(self, name: str) -> int:
        return self._counted[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counted)

    def __len__(self) -> int:
        return len(self._counted)

    def __bool__(self) -> bool:
        """There are some, whatever they are."""
        return True


def window_shares(settings: Settings) -> dict[str, int]:
    """The window and its reserves, by part; nothing if no window is known."""
    if not (settings.window or settings.model):
        return {}
    division = budget_of(settings).division()
    return {"window": division.window, **{f"reserve_{part.name}": part.tokens for part in division.parts}}


def times(seconds: Mapping[str, float]) -> dict[str, int]:
    """The milliseconds of each stage."""
    return {f"ms_{stage}": round(each * 1000) for stage, each in seconds.items()}


def _share_a_line(one: Fragment, other: Fragment) -> bool:
    """Whether two pieces of the same text share a line."""
    mine, its = one.provenance, other.provenance
    return mine.start_line <= its.end_line and its.start_line <= mine.end_line


def _is_in(text: str, texts: Sequence[str]) -> bool:
    bare = text.strip()
    return len(bare) >= LEAST_TEXT and any(bare in each for each in texts)


class ReportHeader:
    """The text around the pieces while they change; constant parts are made once."""

    def __init__(
        self, view: IndexView, gathered: Sequence[Fragment], counter: PieceCounter, removed: Sequence[Removed]
    ) -> None:
        self.view = view
        self.counter = counter
        self.statistics = Tally(gathered, counter).statistics
        self._removed = removed

    def notes(self, pack: Pack, fragments: Sequence[Fragment]) -> tuple[str, ...]:
        """The notes of a pack, including those about secrets and suspicious text in some fragments."""
        said = summary(self._removed, fragments)
        others = (note for note in pack.notes if not is_summary(note) and not is_harm_note(note))
        return (*others, *([said] if said else []), *harm_notes(fragments))


def draft_pack(request: Request, query: Query, settings: Settings, found: Gathered, header: ReportHeader) -> Pack:
    """Return a pack without selection and notes, as if everything found had room in it."""
    view, has_tree = header.view, settings.use_tree and "tree" in found.strategies
    shown = format_of(settings.format).shown_request
    state = replace(view.state, commit="", branch="", dirty=False, members=()) if settings.stable else view.state
    state = replace(redact_state(state, rules_of(settings)), address=settings.address)
    pack = Pack(
        request=request,
        query=query,
        state=state,
        selection=Selection(()),
        budget=settings.budget,
        encoding=settings.encoding,
        model=settings.model,
        estimate=estimate_of(settings),
        strategy=", ".join(dict.fromkeys(each.strategy for each in found.fragments)),
        order=settings.order,
        recipe=recipe_of(request, settings, is_shown=is_request_shown(request, shown)),
        tree=tree(view.files.derive(Folders), settings.budget) if has_tree else "",
        considered=len(view.files),
        skipped=view.skipped,
    )
    statistics = header.statistics
    figures = Figures(lambda: {**window_shares(settings), **statistics(pack)})
    return replace(pack, stats=figures, has_figures=settings.stats)


def _final_figures(draft: Pack, statistics: Statistics) -> dict[str, int]:
    return {**draft.stats, **statistics(draft)}


def with_final_frame(pack: Pack, text: str, header: ReportHeader) -> tuple[Pack, str]:
    """Return the pack with the final strategies, notes and statistics, which its draft could only estimate."""
    counter = header.counter
    while True:
        before = pack.selection.fragments
        used = {each.strategy for each in before}
        strategy = ", ".join(name for name in pack.strategy.split(", ") if name in used)
        stats = Figures(partial(_final_figures, pack, header.statistics)) if pack.stats else pack.stats
        final = replace(pack, strategy=strategy, stats=stats, notes=pack.notes and header.notes(pack, before))
        if counter.renderer.frame(final) == counter.renderer.frame(pack):
            return final, text
        pack, text = finish(final, counter)
