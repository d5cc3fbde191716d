"""An embedder that needs no model: what tests of everything around one use. Installed as a plug-in by a fixture."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ctxpack.query.subtokens import raw_words
from ctxpack.settings import Settings

if TYPE_CHECKING:
    from ctxpack.rank.embedders import Matrix

SAME = {"повозка": "car", "vehicle": "car", "pay": "charge", "customer": "client"}


class WordEmbedder:
    """A text is the sum of its words' directions; words of one meaning have one. Counts what it was asked."""

    def __init__(self, name: str = "words") -> None:
        self.name = name
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Matrix:  # noqa: ARG002 - none of its business
        import numpy as np

        self.asked += texts
        rows = [sum((_direction(word) for word in raw_words(text)), np.zeros(64)) for text in texts]
        return np.array(rows, np.float32)


class BrokenEmbedder(WordEmbedder):
    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Matrix:
        raise RuntimeError(f"out of memory for {len(texts)} texts, {is_query}")


def make(settings: Settings, *, may_download: bool) -> WordEmbedder:  # noqa: ARG001 - nothing to download
    return WordEmbedder(f"words:{settings.embedding_model}")


def make_broken(settings: Settings, *, may_download: bool) -> BrokenEmbedder:  # noqa: ARG001 - nothing to download
    return BrokenEmbedder()


def _direction(word: str) -> Matrix:
    import numpy as np

    lowered = SAME.get(word.lower(), word.lower())
    seed = int.from_bytes(hashlib.sha256(lowered.encode()).digest()[:8], "little")
    return np.random.default_rng(seed).standard_normal(64).astype(np.float32)


def install(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make ``words`` and ``broken`` known as a package would, and ``unmade``, which is not what it says."""
    record = site / "some_embedders-1.0.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: some-embedders\nVersion: 1.0\n", encoding="utf-8")
    (record / "entry_points.txt").write_text(
        "[ctxpack.embedders]\n"
        "words = tests.embedding:make\n"
        "broken = tests.embedding:make_broken\n"
        "unmade = tests.embedding:nothing\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(site))
