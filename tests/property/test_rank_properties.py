"""The ranker against naive models, and what must hold of every list of candidates."""

from __future__ import annotations

import math
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxpack.index import IndexView
from ctxpack.model import Candidate
from ctxpack.rank.bm25 import Saturation, chunk_scores, concepts_of, file_scores
from ctxpack.text import lines_of
from tests.indexing import ask, opened, write
from tests.trying import examples

WORDS = ("apple", "pear", "plum", "retryDelay", "retry_delay", "École", "x", "HTTP2")
LINES = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
TEXTS = st.lists(LINES, max_size=60).map("\n".join)
WEIGHTS = st.dictionaries(st.sampled_from(("apple", "pear", "retry", "delay", "école", "none")), st.floats(0.1, 4))


def subtokens(text: str) -> list[str]:
    """What these few words fall into, without asking the code under test."""
    apart = re.sub(r"retry_?[dD]elay", "retry delay", text).replace("HTTP2", "http2 http").lower()
    return [token for token in apart.split() if len(token) > 1]


def bm25(documents: Sequence[str], weights: dict[str, float], k1: float, b: float) -> list[float]:
    counts = [Counter(subtokens(text)) for text in documents]
    lengths = [sum(count.values()) for count in counts]
    average = max(sum(lengths) / max(len(documents), 1), 1.0)
    scores = []
    for count, length in zip(counts, lengths, strict=True):
        score = 0.0
        for term, weight in weights.items():
            holding = sum(term in each for each in counts)
            idf = math.log(1 + (len(counts) - holding + 0.5) / (holding + 0.5))
            norm = k1 * (1 - b + b * length / average)
            score += weight * idf * count[term] * (k1 + 1) / (count[term] + norm) if count[term] else 0
        scores.append(score)
    return scores


def chunk_texts(view: IndexView) -> list[str]:
    files = [
        (view.files[int(number)].path, view.postings.chunk(place))
        for place, number in enumerate(view.postings.chunk_file)
    ]
    return [view.files.lines(path, chunk.start_line, chunk.end_line) for path, chunk in files]


@settings(max_examples=examples(10, 30), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TEXTS, min_size=1, max_size=4), WEIGHTS, st.floats(0.5, 2), st.floats(0, 1))
def test_bm25_is_that_of_the_textbook(texts: list[str], weights: dict[str, float], k1: float, b: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = write(Path(folder) / "root", {f"{number}.txt": text for number, text in enumerate(texts)})
        view = opened(root, Path(folder) / "cache")
        concepts, saturation = concepts_of(weights), Saturation(k1, b)
        chunks, files = chunk_scores(view, "sub", concepts, saturation), file_scores(view, "sub", concepts, saturation)
        assert chunks.at(range(len(view.postings.chunk_file))).tolist() == pytest.approx(
            bm25(chunk_texts(view), weights, k1, b)
        )
        assert files.tolist() == pytest.approx(bm25(texts, weights, k1, b))
        view.close()


NAMES = st.sampled_from(("retry_delay", "Uploader", "apple", "send", "plum"))
FUNCTIONS = st.lists(
    st.tuples(NAMES, st.lists(NAMES, max_size=5)).map(
        lambda pair: f"def {pair[0]}(x):\n" + "".join(f"    {name}(x)\n" for name in pair[1]) + "    return x\n"
    ),
    min_size=1,
    max_size=12,
).map("\n\n".join)
PATHS = ("app/retry.py", "app/upload.py", "tests/test_upload.py", "docs/apple.md", "plum.toml", "vendor/send.js")
TREES = st.dictionaries(st.sampled_from(PATHS), FUNCTIONS | TEXTS, min_size=1, max_size=5)
REQUESTS = st.sampled_from(
    (
        "retry_delay",
        "plum",
        "how does the uploader send an apple",
        "Uploader breaks\n\nIt calls `retry_delay` in app/upload.py and sends no plum. Fix the test of apple, please.",
        "repair applle",
        "документация retry",
    )
)


def check(found: Sequence[Candidate], view: IndexView, limit: int) -> None:
    keys = [(-each.score, each.file.path, each.chunk.start_line) for each in found]
    assert keys == sorted(set(keys))
    assert len(found) <= limit
    for each in found:
        assert 0 <= each.score <= 1
        assert 0 <= each.value <= 1
        assert each.evidence, each
        assert all(item.reason and item.signal for item in each.evidence)
        assert len({item.signal for item in each.evidence}) == len(each.evidence)
        assert 1 <= each.chunk.start_line <= each.chunk.end_line <= len(lines_of(view.files.text(each.file.path)))
    for path in {each.file.path for each in found}:
        spans = sorted((c.chunk.start_line, c.chunk.end_line) for c in found if c.file.path == path)
        assert all(end < start for (_, end), (start, _) in pairwise(spans))


@settings(max_examples=examples(12, 40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TREES, REQUESTS, st.integers(1, 30))
def test_what_holds_of_every_list(files: dict[str, str], request: str, limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = write(Path(folder) / "root", files | {"keep.txt": "nothing\n"})
        view = opened(root, Path(folder) / "cache")
        check(ask(request, view, limit), view, limit)
        view.close()
