#!/usr/bin/env python3
"""What a plain search finds: BM25 over whole files, the yardstick for relevance.py. Nothing is checked out.

  baseline.py --tasks FILE.jsonl --mirrors DIR [--repo R] [--limit N] [--budgets 8000] [--without-docs-and-tests]

Documents are all text files that git lists at the task's commit (below its root), without binaries and files over 1 MB.
Terms are the runs of word characters, lower-cased, and nothing else: no stop words, no stems, no parts of identifiers;
a word that the request repeats counts each time. k1 1.2, b .75, idf ln(1 + (N - n + .5) / (n + .5)); equal scores by
path. A pack takes whole files in this order, each below its path; the first that does not fit is cut at a line.

Tasks, mirrors, measures and intervals are those of relevance.py: see there. With --without-docs-and-tests the documents
are code alone, as ctxpack.discover tells it by path: published figures of plain BM25 often leave all else out.
Standard library, ctxpack (tokens, kinds) and what it installs.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from figures import summary
from measures import Span, Task, list_measures, named_in_query, pack_measures
from tasks import in_order, mirror_of, read_tasks, task_parser, write_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

K1, B = 1.2, 0.75
LARGEST: Final = 1_000_000  # bytes of a file
LIMIT: Final = 100  # files of the ranked list
_WORD = re.compile(r"\w+")
_BINARY_WITHIN: Final = 8_000  # bytes in which a zero byte tells a binary, as git does
_REGULAR: Final = ("100644", "100755")


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """The distinct terms of a text by number, how often each occurs, and how many there are in all."""

    terms: NDArray[np.int64]
    counts: NDArray[np.int64]
    length: int


@dataclass
class Corpus:
    """The files of one mirror. Each content is read and cut into terms once, whatever the commits that hold it."""

    mirror: Path
    is_wanted: Callable[[str], bool] = lambda _: True
    _numbers: dict[str, int] = field(default_factory=dict)  # of terms
    _documents: dict[str, Document | None] = field(default_factory=dict)
    _reader: subprocess.Popen[bytes] | None = None

    def at(self, commit: str, root: str = "") -> dict[str, str]:
        """The blob ids of the text files of a commit below a folder, by path, sorted."""
        command = ["git", f"--git-dir={self.mirror}", "ls-tree", "-r", "-z", "-l", "--full-tree", commit]
        listed = subprocess.run([*command, "--", root] if root else command, check=True, capture_output=True).stdout
        found = {}
        for entry in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
            about, path = entry.split("\t", 1)
            mode, _, blob, size = about.split()
            if mode in _REGULAR and size.isdigit() and int(size) <= LARGEST and self.is_wanted(path):
                found[path] = blob
        return {path: blob for path, blob in sorted(found.items()) if self.document(blob) is not None}

    def ranked(self, query: str, files: Mapping[str, str]) -> list[str]:
        """The paths that hold a term of the query, best first."""
        asked = Counter(self._numbers[word] for word in terms_of(query) if word in self._numbers)
        scores = bm25([document for blob in files.values() if (document := self.document(blob))], asked)
        found = [(-score, path) for path, score in zip(files, scores, strict=True) if score > 0]
        return [path for _, path in sorted(found)]

    def document(self, blob: str) -> Document | None:
        """The terms of a blob; None for binaries, empty files and what the mirror lacks."""
        if blob not in self._documents:
            content = self.read(blob)
            is_text = content and b"\0" not in content[:_BINARY_WITHIN]
            self._documents[blob] = self._cut(content.decode("utf-8", "replace")) if content and is_text else None
        return self._documents[blob]

    def _cut(self, text: str) -> Document:
        import numpy as np

        counts = Counter(terms_of(text))
        numbers = [self._numbers.setdefault(term, len(self._numbers)) for term in counts]
        return Document(np.array(numbers, np.int64), np.array([*counts.values()], np.int64), counts.total())

    def read(self, blob: str) -> bytes | None:
        """The content of a blob, or None."""
        if self._reader is None:
            command = ["git", f"--git-dir={self.mirror}", "cat-file", "--batch"]
            self._reader = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        given, answers = self._reader.stdin, self._reader.stdout
        if given is None or answers is None:
            return None
        given.write(f"{blob}\n".encode())
        given.flush()
        head = answers.readline().split()
        if head[-1] == b"missing":
            return None
        content = answers.read(int(head[2]))
        answers.read(1)
        return content

    def close(self) -> None:
        """End the reading of blobs."""
        if self._reader is not None:
            self._reader.communicate()


def terms_of(text: str) -> list[str]:
    """The runs of word characters, lower-cased."""
    return _WORD.findall(text.lower())


def bm25(documents: Sequence[Document], asked: Mapping[int, int]) -> list[float]:
    """The score of each document for terms and how often each is asked for."""
    import numpy as np

    if not documents:
        return []
    terms = np.concatenate([each.terms for each in documents])
    counts = np.concatenate([each.counts for each in documents]).astype(np.float64)
    owners = np.repeat(np.arange(len(documents)), [len(each.terms) for each in documents])
    here = np.isin(terms, [*asked])
    terms, counts, owners = terms[here], counts[here], owners[here]
    lengths = np.array([each.length for each in documents], np.float64)
    norms = K1 * (1 - B + B * lengths / max(lengths.mean(), 1.0))
    numbers, places, holding = np.unique(terms, return_inverse=True, return_counts=True)
    idf = np.log1p((len(documents) - holding + 0.5) / (holding + 0.5))
    weights = idf * np.array([asked[number] for number in numbers.tolist()], np.float64)
    gains = weights[places] * counts * (K1 + 1) / (counts + norms[owners])
    return [float(score) for score in np.bincount(owners, weights=gains, minlength=len(documents))]


def whole_files(
    paths: Sequence[str], read: Callable[[str], str], count: Callable[[str], int], budget: int
) -> tuple[list[Span], int]:
    """What fits a budget of tokens, each file below its path, and how many tokens that takes."""
    held: list[Span] = []
    used = 0
    for path in paths:
        text = f"{path}\n{read(path)}"
        cost = count(text)
        if used + cost > budget:
            lines = text.splitlines(keepends=True)
            fitting = _most_lines(lines, count, budget - used)
            if fitting > 1:  # the first line is the path
                held.append((path, 1, fitting - 1))
                used += count("".join(lines[:fitting]))
            break
        held.append((path, 1, max(len(text.splitlines()) - 1, 1)))
        used += cost
    return held, used


def _most_lines(lines: Sequence[str], count: Callable[[str], int], room: int) -> int:
    """The most first lines whose tokens fit."""
    return bisect_right(range(1, len(lines) + 1), room, key=lambda some: count("".join(lines[:some])))


def score(task: Task, corpus: Corpus, budgets: Sequence[int]) -> dict[str, float]:
    """Every measure that the task allows."""
    from ctxpack.system.tokens import counter

    files = corpus.at(task["commit"], task.get("root", ""))
    ranked = corpus.ranked(task["query"], files)
    measured = list_measures({**task, "gold_function_spans": ()}, [(path, None, None) for path in ranked[:LIMIT]])
    for budget in budgets if task.get("gold_files") else ():

        def read(path: str) -> str:
            return (corpus.read(files[path]) or b"").decode("utf-8", "replace")

        held, used = whole_files(ranked, read, counter().count, budget)
        measured |= pack_measures(task, held, budget, used)
    return measured


def is_code(path: str) -> bool:
    """Whether a path is code that is neither a test nor generated, vendored or an example."""
    from ctxpack.discover.reading import classify
    from ctxpack.model import Kind

    kind, _, traits = classify(path, b"", {})
    return kind is Kind.CODE and not traits


def _rows(tasks: Sequence[Task], options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    budgets = [int(budget) for budget in options.budgets.split(",") if budget]
    corpus: Corpus | None = None
    for number, task in enumerate(tasks, 1):
        mirror = mirror_of(task, options.mirrors)
        if mirror is None:
            print(f"{task['id']}: no mirror of {task['repo']}", file=sys.stderr)
            continue
        if corpus is None or corpus.mirror != mirror:
            if corpus:
                corpus.close()
            corpus = Corpus(mirror, is_code) if options.without_docs_and_tests else Corpus(mirror)
        try:
            measures = score(task, corpus, budgets)
        except subprocess.CalledProcessError:
            print(f"{task['id']}: the mirror lacks {task['commit'][:12]} of {task['repo']}", file=sys.stderr)
            continue
        yield {"id": task["id"], "repo": task["repo"], "gold_in_query": named_in_query(task), "measures": measures}
        print(f"\r{number} of {len(tasks)}", end="", file=sys.stderr, flush=True)
    if corpus:
        corpus.close()
    print(file=sys.stderr)


def main() -> int:
    """Score the tasks and print the summary."""
    parser = task_parser(__doc__)
    parser.add_argument("--budgets", default="8000", help="tokens of the packs; empty for no packs")
    parser.add_argument("--without-docs-and-tests", action="store_true", help="search code alone")
    options = parser.parse_args()
    tasks = in_order(read_tasks(options.tasks, options.repo, options.limit), options.mirrors)
    rows = list(_rows(tasks, options))
    write_rows(rows, options.out)
    print(summary(rows) if rows else "no task could be scored")
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
