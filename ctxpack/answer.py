"""Answer a request with a cached report if nothing has changed since it was made, else by running the pipeline.

The text and its notes are cached; the pieces, candidates and figures of a cached report come from a run that is made
when they are needed. Reports that depend on outside parts, plug-ins, sessions or git's index are not cached.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ctxpack.discover.last_run import digest_of
from ctxpack.events import SILENT, Observer, OnEvent, OnHealth
from ctxpack.index.known import last_found
from ctxpack.index.opening import expecting_index, find_files, keeper_of, load_numpy
from ctxpack.index.store import FORMAT
from ctxpack.light import dataclass
from ctxpack.model import Candidate, Discovery, Pack, Request, Scope
from ctxpack.model.columns import FileTable
from ctxpack.model.formats import TITLE_LENGTH
from ctxpack.settings import Settings
from ctxpack.settings.budget import prepare_counter
from ctxpack.system.clock import Clock, Timekeeper
from ctxpack.system.disk import read_named, read_sealed_json, write_sealed_json
from ctxpack.system.plugins import is_extended
from ctxpack.system.version import installation

if TYPE_CHECKING:
    from ctxpack.pipeline import PackRun
    from ctxpack.system.clock import Progress

_PIPELINE: Final = "ctxpack.pipeline"
_FOLDER: Final = "packs"
_REQUESTS: Final = "requests"
_MOST_REQUESTS: Final = 5_000_000  # bytes
_NAMED_FILES: Final = ("instructions", "system", "history")
_DAMAGED: Final = "The cached report was damaged, so it was made again."
_OF_GITS_INDEX: Final = "changes"  # a strategy that sees more than the files that were found


@dataclass(frozen=True, slots=True)
class Finished:
    """The text of a pack, its notes, and the line that sums it up."""

    text: str
    notes: tuple[str, ...]
    total: str


class Report:
    """The answer to a request: ``text``, its ``notes`` and ``total``, the line that sums it up.

    ``remarks`` are sentences about caches that were damaged; the answer is what it would be without the damage.
    The rest is known from the run that made it. Where the text was kept from an earlier run (``is_kept``), the first
    use of the rest makes a run: it gives the same bytes unless the repository has changed since.
    """

    def __init__(
        self, finished: Finished, run: Callable[[], PackRun], remarks: tuple[str, ...] = (), *, is_kept: bool = False
    ) -> None:
        self.is_kept = is_kept
        self.text = finished.text
        self.notes = finished.notes
        self.total = finished.total
        self.remarks = remarks
        self._run = run

    @cached_property
    def run(self) -> PackRun:
        """All that the pipeline gave."""
        return self._run()

    @property
    def pack(self) -> Pack:
        """The pack, with its pieces and what just missed."""
        return self.run.pack

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The ranking that the pieces were chosen from, best first."""
        return self.run.candidates

    @property
    def seconds(self) -> Mapping[str, float]:
        """The seconds of each stage, in order."""
        return self.run.seconds

    @property
    def stats(self) -> Mapping[str, int]:
        """What happened to the gathered pieces, in numbers."""
        return self.run.stats


def pack(
    request: Request,
    settings: Settings,
    *,
    on_progress: Progress | None = None,
    on_event: OnEvent | None = None,
    on_degraded: OnHealth | None = None,
    clock: Clock = time.time,
) -> Report:
    """Return the report of a request, never over the budget. Raises CtxpackError.

    ``on_progress`` hears of long work: (stage, done, total); ``on_event`` of what ``ctxpack.events`` names, and
    ``on_degraded`` of outside parts that are not normal: who listens gets a run, no kept text. ``clock`` is asked for a
    session only.
    """
    return answer_request(request, settings, Observer(on_progress, on_event, on_degraded), clock=clock)


def answer_request(
    request: Request,
    settings: Settings,
    observer: Observer = SILENT,
    *,
    clock: Clock = time.time,
    keeper: Timekeeper | None = None,
) -> Report:
    """Return the report of a request as ``pack`` does; ``keeper`` keeps the time, by default that of the settings."""
    keeper = keeper or keeper_of(settings)

    def run(discovery: Discovery | None, keeper: Timekeeper) -> PackRun:
        from ctxpack import pipeline

        return pipeline.run_pack(request, settings, observer=observer, clock=clock, discovery=discovery, keeper=keeper)

    if observer.on_event is not None or observer.on_health is not None or not is_repeatable(request, settings):
        report = _report(run(None, keeper))
        keep_request(settings, report.text, _words_of(report.run))
        return report
    with keeper.explaining(), expecting_index(settings, keeper) as beginning:
        last = last_found(settings)
        if last is None:
            prepare_counter(settings)
        expected = cache_key(request, settings, last) if last else ""
        is_kept = bool(expected) and _place(settings, expected).exists()
        discovery = find_files(settings, keeper, _work_beside_git(request, settings, last, is_kept=is_kept), beginning)
        key = expected if discovery is last else cache_key(request, settings, discovery)
        finished = find_finished(settings, key)
        if finished is not None:
            return Report(finished, lambda: run(None, keeper.again()), is_kept=True)
        report = _report(run(discovery, keeper), (_DAMAGED,) if _place(settings, key).exists() else ())
    if not report.run.is_cut:  # another run may have the time
        keep_finished(settings, key, Finished(report.text, report.notes, report.total))
    keep_request(settings, report.text, _words_of(report.run))
    return report


def _work_beside_git(
    request: Request, settings: Settings, last: Discovery | None, *, is_kept: bool
) -> Iterable[object] | None:
    """Return what to do while git looks for changes; None where stamps are to be compared, or made, instead.

    Stamps are for a process that stays, for a repository of which nothing is known, and for a report that is kept if
    what was found ``last`` is still there: it needs nothing else. A new report needs what is loaded here.
    """
    if _PIPELINE in sys.modules or last is None or last.seen is None or (is_kept and last.seen.stamps):
        return None
    return () if is_kept else _prepare(request, settings, FileTable.of(last.files))


def _prepare(request: Request, settings: Settings, files: FileTable) -> Iterator[object]:
    """Load what a new report needs, then do what needs no index: mostly the files are those of the last run."""
    yield from load_numpy()
    import_module(_PIPELINE)
    yield None
    from ctxpack.rank.ranking import prepare_in_steps

    yield from prepare_in_steps(request.text, settings, files)


def _words_of(run: PackRun) -> str:
    return run.pack.request.text if run.pack.request.scope is Scope.TASK else ""


def _report(run: PackRun, remarks: tuple[str, ...] = ()) -> Report:
    return Report(Finished(run.text, run.pack.notes, run.total), lambda: run, (*remarks, *run.remarks))


def is_repeatable(request: Request, settings: Settings) -> bool:
    """Whether the answer depends on nothing but what ``cache_key`` covers."""
    asked = (*settings.strategies, *settings.enable, *settings.require)
    outside = (settings.rerank, settings.semantic, settings.session, settings.buffers, settings.stats)
    if not settings.use_cache or request.scope is Scope.DIFF or settings.paths is not None or any(outside):
        return False
    if _OF_GITS_INDEX in asked or any(entry.command for entry in settings.strategy_entries):
        return False
    return not is_extended()


def cache_key(request: Request, settings: Settings, discovery: Discovery) -> str:
    """The key of an answer: a digest of everything that it depends on."""
    digest = hashlib.sha256()
    origins = sorted(settings.origins.items())  # the recipe in a report depends on who set a value
    asked = (settings.digest, origins, *_files(settings), request, discovery.state)
    for part in (FORMAT, *installation(), *asked):
        digest.update(f"{part!r}\n".encode("utf-8", "surrogateescape"))
    digest.update((discovery.digest or digest_of(discovery)).encode("ascii"))
    return digest.hexdigest()


def find_finished(settings: Settings, key: str) -> Finished | None:
    """Read the kept answer, if there is one and it is not damaged, and mark it as used now."""
    place = _place(settings, key)
    kept = read_sealed_json(place)
    if not kept:
        return None
    found = Finished(str(kept["text"]), tuple(map(str, kept["notes"])), str(kept["total"]))
    with suppress(OSError):  # it is only used for what is dropped first
        os.utime(place)
    return found


def keep_finished(settings: Settings, key: str, finished: Finished) -> None:
    """Keep an answer, and delete those not used for longest. Does nothing where no file can be written."""
    place = _place(settings, key)
    with suppress(OSError):  # the next run makes it again; doctor tells of such a folder
        place.parent.mkdir(parents=True, exist_ok=True)
        kept = {"text": finished.text, "notes": finished.notes, "total": finished.total}
        write_sealed_json(place, kept)
        _sweep(place.parent, settings.pack_cache)


def keep_request(settings: Settings, text: str, asked: str) -> None:
    """Keep all of a request whose report has no room for it, as it was shown: without secrets, or not at all.

    It is found by the text of the report. Does nothing where no file can be written.
    """
    is_shown = len(asked) <= TITLE_LENGTH and "\n" not in asked
    if is_shown or not (settings.use_cache and settings.use_redaction):
        return
    place = _place_of_request(settings, text)
    with suppress(OSError):  # to update the report, the request has to be given again
        place.parent.mkdir(parents=True, exist_ok=True)
        write_sealed_json(place, {"text": asked})
        _sweep(place.parent, _MOST_REQUESTS)


def find_request(settings: Settings, text: str) -> str:
    """Find the request that a report was made for by the text of that report; empty where it was not kept."""
    kept = read_sealed_json(_place_of_request(settings, text)) if settings.use_cache else {}
    return str(kept.get("text", ""))


def _place_of_request(settings: Settings, text: str) -> Path:
    key = hashlib.sha256(text.replace("\r\n", "\n").encode("utf-8", "replace")).hexdigest()
    return settings.cache_dir / _REQUESTS / f"{key}.json"


def _place(settings: Settings, key: str) -> Path:
    return settings.cache_dir / _FOLDER / f"{key}.json"


def _sweep(folder: Path, most_bytes: int) -> None:
    with os.scandir(folder) as entries:
        kept = sorted((entry.stat().st_mtime_ns, entry.name, entry.stat().st_size) for entry in entries)
    total = sum(size for _, _, size in kept)
    for _, name, size in kept:
        if total <= most_bytes:
            return
        with suppress(FileNotFoundError):  # another process dropped it
            (folder / name).unlink()
        total -= size


def _files(settings: Settings) -> Iterator[str]:
    """Digests of the files that the settings name."""
    for name in _NAMED_FILES:
        place = getattr(settings, name)
        try:
            yield hashlib.sha256(read_named(place)).hexdigest() if place else ""
        except OSError:  # who reads it says so
            yield "unreadable"
