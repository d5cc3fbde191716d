"""Turn files into segments: here, or by a pool of interpreters of their own, so that a cold index uses every core.

As a program this module reads JSON jobs from standard input, one a line; for every job it writes one JSON line per file
that it reads and, when the segment is in place, ``_DONE``. A program, not a process pool: a library user's script needs
no ``if __name__`` guard for it on any platform.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import LifoQueue
from threading import Lock
from typing import TYPE_CHECKING, Final

from ctxpack.index.arrays import save_arrays
from ctxpack.index.merge import join_segments
from ctxpack.index.segment import SegmentBuilder
from ctxpack.index.sharing import text_to_keep
from ctxpack.index.view import Facts
from ctxpack.model import ParsedFile, Places, SourceFile
from ctxpack.parse import outline
from ctxpack.system.clock import INDEX_END, Timekeeper, is_over
from ctxpack.system.commands import start_interpreter
from ctxpack.system.disk import read_regular
from ctxpack.text import decode

if TYPE_CHECKING:
    from concurrent.futures import Future

_DONE = "done"
_SLICE = 0.2  # seconds between two looks whether anybody still waits for the index


def write_segment(
    places: Places, files: Sequence[tuple[str, str]], target: Path, on_file: Callable[[Facts], bool]
) -> None:
    """Index ``files`` (path and language) into the segment ``target``.

    ``on_file`` hears of each, in order, and says whether to go on; what follows is then no part of the segment.
    Raises OSError when the segment cannot be written; a file that cannot be read or parsed becomes ``Facts.error``.
    """
    builder = SegmentBuilder()
    for path, language in files:
        if not on_file(_index_one(builder, places, path, language, target.parent)):
            break
    save_arrays(target, builder.finish())


def _index_one(builder: SegmentBuilder, places: Places, path: str, language: str, folder: Path) -> Facts:
    try:
        text = text_to_keep(folder, decode(read_regular(places.of(path))))
    except OSError as error:
        return Facts(-1, error=error.strerror or str(error))
    try:
        parsed: ParsedFile = outline(text, language, path)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a defect of ours costs one file, not the run; a message may hold its text
        return Facts(-1, error=f"it cannot be parsed ({type(error).__name__})")
    slot = builder.add(path, text, parsed)
    return Facts(slot, parsed.imports, parsed.tags, parsed.front_matter)


_VARIABLES: Final = {
    "OPENBLAS_NUM_THREADS": "1",  # numpy's threads take longer to start than all that they would do here
    # what glibc keeps until a worker ends: what it gives back is zeroed for the next arrays page by page
    "MALLOC_MMAP_THRESHOLD_": "16777216",
    "MALLOC_TRIM_THRESHOLD_": "67108864",
    "MALLOC_TOP_PAD_": "16777216",
}

_waiting: list[subprocess.Popen[bytes]] = []  # interpreters without a worker
_ended: list[subprocess.Popen[bytes]] = []  # that nobody has waited for: to give back its memory takes one a while


def start_ahead(count: int) -> None:
    """Start interpreters before there is work for them: to load what they need takes as long as to find the files."""
    with suppress(OSError):  # whoever has work starts one itself
        while len(_waiting) < count:
            _waiting.append(_start())


def _start() -> subprocess.Popen[bytes]:
    return start_interpreter("ctxpack.index.workers", pipes=subprocess.PIPE, defaults=_VARIABLES)


def end_waiting() -> None:
    """End the interpreters that nobody took, and wait for the end of all."""
    with suppress(IndexError):  # of two threads one takes the last
        while _waiting:
            _end(_waiting.pop())
        while _ended:
            _ended.pop().communicate()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()  # whatever it was asked for it has answered, or nobody waits for it
    _ended.append(process)


class Worker:
    """One interpreter; it is started with its first batch where none waits, and again after it failed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._is_over = False
        self._turn = Lock()  # one thread gives it work, another one may end it

    def index(self, places: Places, batch: Sequence[SourceFile], target: Path) -> list[str] | None:
        """Index a batch into the segment ``target``: the facts of each file, or None where the interpreter failed."""
        job = {
            "root": str(places.root),
            "labelled": {label: str(folder) for label, folder in places.labelled.items()},
            "target": str(target),
            "files": [(file.path, file.language) for file in batch],
        }
        try:
            lines = self._ask(json.dumps(job).encode("ascii") + b"\n", len(batch) + 1)
        except (OSError, ValueError):  # it died, or was ended while this thread read: the batch is indexed here
            lines = []
        if lines[-1:] == [_DONE]:
            return lines[:-1]
        self.close()
        return None

    def join(self, sources: Sequence[Path], target: Path) -> bool:
        """Join segments into the segment ``target``; False where the interpreter failed."""
        job = {"sources": list(map(str, sources)), "target": str(target)}
        try:
            is_done = self._ask(json.dumps(job).encode("ascii") + b"\n", 1) == [_DONE]
        except (OSError, ValueError):  # it died, or was ended while this thread read
            is_done = False
        if not is_done:
            self.close()
        return is_done

    def close(self, *, is_over: bool = False) -> None:
        """End the interpreter, if it runs; no other one is started where all ``is_over``."""
        with self._turn:
            process, self._process = self._process, None
            self._is_over |= is_over
            if process is not None:
                _end(process)

    def _running(self) -> subprocess.Popen[bytes] | None:
        with self._turn:
            if self._process is None and not self._is_over:
                with suppress(IndexError):  # none waits
                    self._process = _waiting.pop()
                self._process = self._process or _start()
            return self._process

    def _ask(self, job: bytes, count: int) -> list[str]:
        process = self._running()
        questions, answers = (process.stdin, process.stdout) if process else (None, None)
        if questions is None or answers is None:
            return []
        questions.write(job)
        questions.flush()
        return [answers.readline().decode("ascii", "replace").rstrip("\r\n") for _ in range(count)]


class WorkerPool:
    """Workers, of which a free one gets the next batch."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.is_closed = False
        self._workers = [Worker() for _ in range(size)]
        self._free: LifoQueue[Worker] = LifoQueue()  # who has an interpreter goes on first
        for worker in self._workers:
            self._free.put(worker)

    def index(self, places: Places, batch: Sequence[SourceFile], target: Path) -> list[str] | None:
        """Let a free worker index a batch; waits while there is none."""
        worker = self._free.get()
        try:
            return None if self.is_closed else worker.index(places, batch, target)
        finally:
            self._free.put(worker)

    def join(self, sources: Sequence[Path], target: Path) -> bool:
        """Let a free worker join segments; False where it failed, or there is none."""
        if not self.size:
            return False
        worker = self._free.get()
        try:
            return not self.is_closed and worker.join(sources, target)
        finally:
            self._free.put(worker)

    def stop(self) -> None:
        """Take no further batch; what an interpreter has begun is finished."""
        self.is_closed = True

    def close(self) -> None:
        """End all interpreters; what a failing one leaves is not taken over any more."""
        self.stop()
        for worker in self._workers:
            worker.close(is_over=True)


@contextmanager
def worker_pool(size: int) -> Iterator[WorkerPool]:
    """Open a pool of workers, which ends afterwards."""
    pool = WorkerPool(size)
    try:
        yield pool
    finally:
        pool.close()


def result_of(
    job: Future[list[str]],
    keeper: Timekeeper,
    interpreters: WorkerPool,
    *,
    is_first: bool = False,
    look_around: Callable[[], Iterable[Future[list[str]]]] = tuple,
) -> list[str]:
    """What a job gives, as long as somebody waits for it; less, or nothing, where there is no more time.

    Who only has no patience waits for the first job, and for those that have begun. ``look_around`` may do other work
    meanwhile, and is called again as soon as one of the jobs that it gives is done.
    """
    from concurrent.futures import FIRST_COMPLETED, wait

    deadline = keeper.until(INDEX_END)
    while not job.done():
        wait((job, *look_around()), _SLICE, FIRST_COMPLETED)
        keeper.checkpoint()
        if is_over(deadline):
            interpreters.close()
        elif is_over(keeper.for_index()) and not is_first:
            interpreters.stop()
    try:
        return job.result()
    except InterruptedError:  # its interpreter was ended
        return []


def _give_back_memory() -> None:
    """Give back what glibc keeps: to join segments takes other pieces of memory than to index files."""
    if sys.platform == "linux":
        import ctypes

        with suppress(AttributeError, OSError):  # other libraries of C have no such function
            ctypes.CDLL(None).malloc_trim(0)


def run_worker() -> None:
    """Read jobs and do them, report each file on its own line."""
    gc.disable()  # nothing here makes cycles
    import numpy as np  # noqa: F401 - before there is work

    def report(facts: Facts) -> bool:
        sys.stdout.write(facts.to_json() + "\n")
        return True

    for line in iter(sys.stdin.readline, ""):
        job = json.loads(line)
        if "sources" in job:
            _give_back_memory()
            join_segments([Path(source) for source in job["sources"]], Path(job["target"]))
        else:
            files = [(path, language) for path, language in job["files"]]
            places = Places(Path(job["root"]), {label: Path(folder) for label, folder in job["labelled"].items()})
            write_segment(places, files, Path(job["target"]), report)
        sys.stdout.write(f"{_DONE}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    run_worker()
