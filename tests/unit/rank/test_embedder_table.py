from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from ctxpack.errors import EmbeddingError
from ctxpack.rank.embedders import GuardedEmbedder, embedder_of
from ctxpack.settings import Settings
from tests.embedding import WordEmbedder, install


def test_a_package_adds_an_embedder(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", monkeypatch)
    made = embedder_of(replace(settings, embedder="words", embedding_model="small"))
    assert isinstance(made, GuardedEmbedder)
    assert isinstance(made._embedder, WordEmbedder)
    assert made.name == "words:small"


def test_an_unknown_embedder_is_told_with_those_that_are_known(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", monkeypatch)
    with pytest.raises(EmbeddingError, match="There is no embedder 'wrods'") as caught:
        embedder_of(replace(settings, embedder="wrods"))
    assert caught.value.hint == "Known are broken, http, sentence-transformers, unmade, words."


def test_a_package_that_cannot_make_its_embedder_is_told(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", monkeypatch)
    with pytest.raises(EmbeddingError, match="The embedder unmade cannot be made: AttributeError"):
        embedder_of(replace(settings, embedder="unmade"))


@pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="the extra is installed here")
def test_without_the_extra_it_is_told_what_to_install(settings: Settings) -> None:
    with pytest.raises(EmbeddingError, match="sentence-transformers is not installed") as caught:
        embedder_of(settings)
    assert caught.value.hint == "Install it with pip install 'sentence-transformers>=5.1,<7'."
    assert "torch" not in sys.modules
