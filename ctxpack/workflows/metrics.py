"""The metrics of runs, for Prometheus: runs, errors, seconds, pieces, tokens before and after redaction.

They are added up over runs in a file for the textfile collector of the node exporter. Every sample of a counter or a
histogram is a sum: a run is added by adding each of its samples to the one of the same name and labels, while a lock
next to the file keeps other processes out.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Final

from ctxpack.errors import CtxpackError, InternalError, UsageError
from ctxpack.light import dataclass, field, lazy_pattern
from ctxpack.model import Request
from ctxpack.pipeline import PackRun
from ctxpack.settings import Settings
from ctxpack.system.disk import replace_file

_SAMPLE: Final = lazy_pattern(
    r"(?P<name>[a-zA-Z_]\w*)(?:\{(?P<labels>.*)\})? (?P<value>\d+(?:\.\d+)?(?:e[-+]\d+)?)", re.ASCII
)
_LABEL: Final = lazy_pattern(
    r'(?P<name>[a-zA-Z_]\w{0,100})="(?P<value>(?:[^"\\\n]|\\[\\"n]){0,2000})"(?:,|$)', re.ASCII
)
_ESCAPED: Final = lazy_pattern(r"\\([\\\"n])")
_PARTS: Final = ("_bucket", "_sum", "_count")
_PATIENCE: Final = 10.0  # seconds to wait for another process, which needs a few milliseconds
_PAUSE: Final = 0.01

_Labels = tuple[tuple[str, str], ...]


class ForeignFileError(Exception):
    """A file contains something other than metrics of this kind."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A counter, or a histogram if it has ``buckets``, the upper bounds; ``name`` is without what its samples add."""

    name: str
    help: str
    buckets: tuple[float, ...] = ()

    @property
    def kind(self) -> str:
        """Its type, as Prometheus calls it."""
        return "histogram" if self.buckets else "counter"

    @property
    def samples(self) -> tuple[str, ...]:
        """The names of its samples."""
        return tuple(self.name + part for part in _PARTS) if self.buckets else (self.name,)


@dataclass(slots=True)
class Samples:
    """Totals by name of the sample and labels."""

    values: dict[tuple[str, _Labels], float] = field(default_factory=dict)

    def count(self, metric: Metric, labels: Mapping[str, str], amount: float = 1) -> None:
        """Add to a counter."""
        self._add(metric.name, tuple(sorted(labels.items())), amount)

    def observe(self, metric: Metric, labels: Mapping[str, str], value: float) -> None:
        """Add an observation to a histogram."""
        own = tuple(sorted(labels.items()))
        for bound in (*metric.buckets, float("inf")):
            self._add(f"{metric.name}_bucket", (*own, ("le", _number(bound))), float(value <= bound))
        self._add(f"{metric.name}_sum", own, value)
        self._add(f"{metric.name}_count", own, 1)

    def add(self, others: Samples) -> None:
        """Add all other samples."""
        for (name, labels), value in others.values.items():
            self._add(name, labels, value)

    def _add(self, name: str, labels: _Labels, amount: float) -> None:
        self.values[name, labels] = self.values.get((name, labels), 0.0) + amount


def metrics_text(metrics: Iterable[Metric], samples: Samples) -> str:
    """Return the samples of some metrics in the text format; a metric without samples is left out."""
    found: list[str] = []
    for metric in metrics:
        own = [(name, labels) for name, labels in samples.values if name in metric.samples]
        if own:
            found += [f"# HELP {metric.name} {metric.help}", f"# TYPE {metric.name} {metric.kind}"]
        for name, labels in sorted(own, key=lambda each: _place(each[0], each[1], metric.samples)):
            found.append(f"{name}{_label_text(labels)} {_number(samples.values[name, labels])}")
    return "".join(f"{line}\n" for line in found)


def _place(name: str, labels: _Labels, names: Sequence[str]) -> tuple[_Labels, int, float]:
    """The place of a sample: those with the same labels together, buckets by their bounds."""
    bound = dict(labels).get("le", "0")
    return tuple(each for each in labels if each[0] != "le"), names.index(name), float(bound)


def _label_text(labels: _Labels) -> str:
    pairs = (f'{name}="{_escape(value)}"' for name, value in labels)
    return f"{{{','.join(pairs)}}}" if labels else ""


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    if value == float("inf"):
        return "+Inf"
    return str(int(value)) if value == int(value) else repr(value)


def read_metrics(text: str, metrics: Iterable[Metric]) -> Samples:
    """Read the samples of some metrics; others are left out. Raises ForeignFileError for a text of another format."""
    known = {name for each in metrics for name in each.samples}
    found = Samples()
    for line in text.split("\n"):
        if not line or line.startswith("#"):
            continue
        match = _SAMPLE.fullmatch(line)
        if match is None:
            raise ForeignFileError
        labels = _labels(match["labels"] or "")
        if match["name"] in known:
            found.values[match["name"], labels] = float(match["value"])
    return found


def _labels(written: str) -> _Labels:
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(written):
        match = _LABEL.match(written, at)
        if match is None:
            raise ForeignFileError
        value = _ESCAPED.sub(lambda part: "\n" if part[1] == "n" else part[1], match["value"])
        found.append((match["name"], value))
        at = match.end()
    return tuple(found)


def add_to_file(path: Path, metrics: Mapping[str, Metric], samples: Samples) -> None:
    """Add samples to those of a file, which is replaced, whole or not at all.

    Raises OSError; TimeoutError, an OSError too, if other processes do not let go of it; and ForeignFileError for a
    file that contains something else.
    """
    with _lock(path):
        try:
            before = path.read_bytes().decode()
        except FileNotFoundError:  # it begins with this run
            before = ""
        except UnicodeDecodeError as error:
            raise ForeignFileError from error
        total = read_metrics(before, metrics.values())
        total.add(samples)
        replace_file(path, metrics_text(metrics.values(), total).encode("utf-8", "backslashreplace"))


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which the system gives back if a process ends. Raises OSError."""
    place = path.resolve()
    number = os.open(place.parent / f".{place.name}.lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        deadline = time.monotonic() + _PATIENCE
        while not _try_lock(number):
            if time.monotonic() > deadline:
                raise TimeoutError(0, "other processes hold its lock")
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(number)


def _try_lock(number: int) -> bool:
    """Lock an open file, if no other process has."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore] # Windows alone has it
        else:
            import fcntl

            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # that is the answer
        return False
    return True


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
    its = _labels_of(request, settings)
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
    found.count(_ERRORS, {**_labels_of(request, settings), "kind": kind})
    return found


def _labels_of(request: Request, settings: Settings) -> dict[str, str]:
    return {"command": str(request.scope), "repository": settings.root.name}


@contextmanager
def count_errors(request: Request, settings: Settings, hear: Callable[[Exception], None]) -> Iterator[None]:
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


class Totals:
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
