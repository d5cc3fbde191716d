"""Counters and histograms in a file for the textfile collector of Prometheus' node exporter, added up over runs.

Every sample of a counter or a histogram is a sum. So a run is added to a file by adding each of its samples to the one
of the same name and labels; a lock next to the file lets one process do so at a time.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ctxpack.light import dataclass, field, lazy_pattern
from ctxpack.system.files import replace_file

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
    """Sums by name of the sample and labels."""

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
