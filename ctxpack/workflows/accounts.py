"""The metrics of runs, for Prometheus: runs, errors, seconds, pieces, tokens before and after redaction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Final

from ctxpack.errors import CtxpackError, InternalError, UsageError
from ctxpack.model import Request
from ctxpack.pipeline import PackRun
from ctxpack.settings import Settings
from ctxpack.system.prometheus import ForeignFileError, Metric, Samples, add_to_file, metrics_text

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SHARES: Final = (0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0)
_RUNS = Metric("ctxpack_runs_total", "Reports that were made, or given again from the cache (kept).")
_ERRORS = Metric("ctxpack_errors_total", "Requests that failed, by kind of error.")
_RUN_SECONDS = Metric("ctxpack_run_seconds", "Seconds that a report took, all phases together.", _SECONDS)
_PHASES = Metric("ctxpack_phase_seconds", "Seconds that a phase of a report took.", _SECONDS)
_FILES = Metric("ctxpack_files_considered_total", "Files that were searched.")
_PIECES = Metric("ctxpack_pieces_total", "Gathered pieces: packed, duplicate or left_out.")
_TOKENS = Metric(
    "ctxpack_tokens_total",
    "Tokens: gathered before and after redaction, packed, used by the finished text, and allowed by the budget.",
)
_USED = Metric("ctxpack_utilisation_ratio", "Used part of the budget, from 0 to 1.", _SHARES)
METRICS: Final[Mapping[str, Metric]] = {
    each.name: each for each in (_RUNS, _ERRORS, _RUN_SECONDS, _PHASES, _FILES, _PIECES, _TOKENS, _USED)
}
"""All that is counted, in the order of the file."""


def samples_of(run: PackRun | None, request: Request, settings: Settings) -> Samples:
    """The samples of one report. One from the cache has no run: it was counted when it was made."""
    found = Samples()
    its = _labels(request, settings)
    found.count(_RUNS, {**its, "kept": "true" if run is None else "false"})
    if run is None:
        return found
    pack, stats = run.pack, run.stats
    found.observe(_RUN_SECONDS, its, sum(run.seconds.values()))
    for phase, seconds in run.seconds.items():
        found.observe(_PHASES, {**its, "phase": phase}, seconds)
    found.count(_FILES, its, pack.considered)
    for state, name in (("packed", "packed"), ("duplicate", "duplicates"), ("left_out", "left_out")):
        found.count(_PIECES, {**its, "state": state}, stats[name])
    tokens = {
        "gathered_before_redaction": stats["tokens_before_redaction"],
        "gathered": stats["tokens_gathered"],
        "packed": stats["tokens_packed"],
        "used": pack.tokens_used,
        "budget": pack.budget,
    }
    for state, number in tokens.items():
        found.count(_TOKENS, {**its, "state": state}, number)
    found.observe(_USED, its, pack.tokens_used / pack.budget)
    return found


def error_samples(error: Exception, request: Request, settings: Settings) -> Samples:
    """The samples of a failed request."""
    found = Samples()
    name = type(error).__name__.removesuffix("Error") if isinstance(error, CtxpackError) else "Unexpected"
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    found.count(_ERRORS, {**_labels(request, settings), "kind": kind})
    return found


def _labels(request: Request, settings: Settings) -> dict[str, str]:
    return {"command": str(request.scope), "repository": settings.root.name}


@contextmanager
def counted_errors(request: Request, settings: Settings, hear: Callable[[Exception], None]) -> Iterator[None]:
    """Count what a request fails with in the file of ``settings.metrics``, if it names one; the error goes on.

    ``hear`` hears of it too.
    """
    try:
        yield
    except Exception as error:
        hear(error)
        if settings.metrics:
            with suppress(CtxpackError):  # what the request failed with says more
                count(error_samples(error, request, settings), settings)
        raise


class Sums:
    """What one process has counted since its start, from any of its threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._samples = Samples()

    def add(self, samples: Samples) -> None:
        """Add samples."""
        with self._lock:
            self._samples.add(samples)

    def text(self) -> str:
        """Return all that was counted, as Prometheus reads it."""
        with self._lock:
            return metrics_text(METRICS.values(), self._samples)


def count(samples: Samples, settings: Settings) -> None:
    """Add samples to the file of ``settings.metrics``. Raises UsageError for another file, else InternalError."""
    path = Path(settings.metrics)
    hint = "Give --metrics a file of its own, in a folder that you can write to."
    try:
        add_to_file(path, METRICS, samples)
    except ForeignFileError as error:
        raise UsageError(f"{path} contains something other than metrics of ctxpack.", hint=hint) from error
    except OSError as error:
        raise InternalError(f"{path} cannot be written: {error.strerror}.", hint=hint) from error
