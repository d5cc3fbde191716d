#!/usr/bin/env python3
"""Compare the two ways to outline a file, by patterns and by syntax tree: processor time, and how far they agree.

  outlines.py --root CHECKOUT [--root CHECKOUT ...] [--files N] [--runs N]

Of each language that knows both, up to N files of code are outlined in both ways, in turn; the least time of the runs
counts, which a busy machine distorts least. Columns: files; kilobytes; milliseconds by patterns and by tree; how many
times as long the tree takes; and the share of the tree's definitions that the patterns find too, by first line and
name. Where the tree took hardly longer, the patterns of that language would not be needed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ctxpack.model import Kind, ParsedFile
from ctxpack.parse.languages import languages
from ctxpack.parse.parser import parse_cheaply, parse_exactly
from ctxpack.system.clock import Timekeeper

_MILLI = 1_000
_ENDLESS = 600.0  # seconds: a tree is measured to its end
_SHORT = 20  # lines of a file that says little about time


@dataclass(frozen=True, slots=True)
class Outlines:
    """What was measured of one language."""

    files: int
    size: int
    by_patterns: float
    by_tree: float
    definitions: int
    shared: int


def files_of(roots: Sequence[Path], most: int) -> dict[str, list[tuple[str, str]]]:
    """The path and text of code by language, for each that knows patterns and a grammar."""
    from ctxpack.discover import discover
    from ctxpack.settings.loading import load

    both = {each.name for each in languages() if each.patterns and each.grammar}
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for root in roots:
        for file in discover(load(root, {})).files:
            is_wanted = file.language in both and file.kind is Kind.CODE and not file.traits
            if is_wanted and len(found[file.language]) < most:
                text = (root / file.path).read_text(encoding="utf-8", errors="replace")
                if text.count("\n") >= _SHORT:
                    found[file.language].append((file.path, text))
    return {name: texts for name, texts in sorted(found.items()) if texts}


def measure(language: str, texts: Sequence[tuple[str, str]], runs: int) -> Outlines:
    """Outline files in both ways, in turn."""
    ways: Mapping[str, Callable[[str, str, str], ParsedFile]] = {
        "patterns": parse_cheaply,
        "tree": lambda text, name, path: parse_exactly(text, name, path, Timekeeper().spending(_ENDLESS)),
    }
    least = dict.fromkeys(ways, float("inf"))
    names: dict[str, set[tuple[str, int, str]]] = {}
    for _ in range(runs + 1):  # the first loads grammars and compiles patterns
        for way, outline in ways.items():
            began = time.process_time()
            parsed = [(path, outline(text, language, path)) for path, text in texts]
            least[way] = min(least[way], time.process_time() - began)
            names[way] = {(path, each.start_line, each.name) for path, its in parsed for each in its.symbols}
    size = sum(len(text) for _, text in texts)
    shared = len(names["tree"] & names["patterns"])
    return Outlines(len(texts), size, least["patterns"], least["tree"], len(names["tree"]), shared)


def row(name: str, its: Outlines) -> str:
    """One line of the table."""
    times = f"{its.by_patterns * _MILLI:9.1f} {its.by_tree * _MILLI:9.1f} {its.by_tree / (its.by_patterns or 1):6.2f}"
    return f"{name:12} {its.files:5} {its.size / 1_000:8.1f} {times} {its.shared / (its.definitions or 1):7.1%}"


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", required=True, type=Path, action="append", help="a checkout; may be repeated")
    parser.add_argument("--files", type=int, default=100, help="most files of each language; default: 100")
    parser.add_argument("--runs", type=int, default=3, help="counted runs; default: 3")
    options = parser.parse_args()
    print(f"{'language':12} files       kB  patterns      tree  times   agree")
    for name, texts in files_of([root.resolve() for root in options.root], options.files).items():
        print(row(name, measure(name, texts, options.runs)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
