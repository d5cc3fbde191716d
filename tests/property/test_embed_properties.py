"""Whatever texts are embedded, in whatever order and however much is known before."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.rank.vectors import Lookup, VectorCache, stack_vectors, text_key
from tests.embedding import WordEmbedder

TEXTS = st.lists(st.text(max_size=40), min_size=1, max_size=12)


@settings(deadline=None, max_examples=40)
@given(TEXTS, TEXTS)
def test_a_vector_depends_on_its_text_alone(before: list[str], texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Lookup(WordEmbedder(), VectorCache(Path(folder) / "kept")).vectors(before)
        known = Lookup(WordEmbedder(), VectorCache(Path(folder) / "kept")).vectors(texts)
    assert known == Lookup(WordEmbedder(), None).vectors(texts[::-1])


@settings(deadline=None, max_examples=40)
@given(TEXTS)
def test_no_vector_is_longer_than_one(texts: list[str]) -> None:
    found = Lookup(WordEmbedder(), None).vectors(texts)
    lengths = np.linalg.norm(stack_vectors([found[text_key(text)] for text in texts]), axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-2) | (lengths == 0))
