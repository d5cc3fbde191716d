"""Turn files into one segment; also a program of its own, so that a cold index uses every core.

As a program it reads JSON jobs from standard input, a line each; for each it writes one JSON line per file and, when
the segment is in place, ``DONE``.
A program, not a process pool: a library user's script needs no ``if __name__`` guard for it on any platform.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ctxpack.index import arrays
from ctxpack.index.segment import SegmentBuilder
from ctxpack.model import FrontMatter, Import, ParsedFile, TagRegion
from ctxpack.parse import outline
from ctxpack.text import read

DONE = "done"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is remembered of a file beside its chunks. ``slot`` is -1 and ``error`` says why where it was unreadable."""

    slot: int
    imports: tuple[Import, ...] = ()
    tags: tuple[TagRegion, ...] = ()
    front_matter: FrontMatter = field(default_factory=FrontMatter)
    error: str = ""

    def to_json(self) -> str:
        """One line of JSON."""
        matter = self.front_matter
        return json.dumps(
            [
                self.slot,
                [[i.module, i.names, i.line] for i in self.imports],
                [[t.name, t.start_line, t.end_line] for t in self.tags],
                [matter.title, matter.description, matter.tags, matter.date],
                self.error,
            ]
        )

    @classmethod
    def from_json(cls, line: str) -> Facts:
        """The reverse of ``to_json``."""
        slot, imports, tags, (title, description, names, date), error = json.loads(line)
        return cls(
            slot,
            tuple(Import(module, tuple(taken), number) for module, taken, number in imports),
            tuple(TagRegion(*tag) for tag in tags),
            FrontMatter(title, description, tuple(names), date),
            error,
        )


def write_segment(root: Path, files: Sequence[tuple[str, str]], target: Path, on_file: Callable[[Facts], None]) -> None:
    """Index ``files`` (path and language) into the segment ``target``; ``on_file`` hears of each, in order.

    Raises OSError when the segment cannot be written; a file that cannot be read becomes ``Facts.error``.
    """
    builder = SegmentBuilder()
    for path, language in files:
        on_file(_index_one(builder, root, path, language))
    arrays.save(target, builder.finish())


def _index_one(builder: SegmentBuilder, root: Path, path: str, language: str) -> Facts:
    try:
        text = read(root / path)
    except OSError as error:
        return Facts(-1, error=error.strerror or str(error))
    parsed: ParsedFile = outline(text, language, path)
    slot = builder.add(path, text, parsed)
    return Facts(slot, parsed.imports, parsed.tags, parsed.front_matter)


def main() -> None:
    """Read jobs and do them, report each file on its own line."""
    gc.disable()  # nothing here makes cycles

    def report(facts: Facts) -> None:
        sys.stdout.write(facts.to_json() + "\n")

    for line in iter(sys.stdin.readline, ""):
        job = json.loads(line)
        files = [(path, language) for path, language in job["files"]]
        write_segment(Path(job["root"]), files, Path(job["target"]), report)
        sys.stdout.write(f"{DONE}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
