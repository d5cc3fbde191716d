"""Vectors by a sentence-transformers model on this machine: a hub name that is at hand, or a local folder.

Nothing is fetched while a request is answered: a hub name that is not in the local cache fails at once.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ctxpack.errors import EmbeddingError
from ctxpack.settings import Settings

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from ctxpack.embed.contract import Matrix

_DEFAULT_MODEL: Final = "sentence-transformers/all-MiniLM-L6-v2"
_MODEL_FILES: Final = ("modules.json", "config.json")  # either is in every model's folder
_HUB_SECONDS: Final = 5.0
_QUIET: Final = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",  # its threads and ours do not mix
}


def make_sentence_transformer(settings: Settings, *, may_download: bool = False) -> SentenceTransformerEmbedder:
    """Return the embedder with the model of the settings. Raises EmbeddingError where extra or model are missing."""
    if find_spec("sentence_transformers") is None:
        raise EmbeddingError(
            "The package sentence-transformers is not installed.",
            hint="Install it with pip install 'ctxpack[semantic]'.",
        )
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    wanted = settings.embedding_model or _DEFAULT_MODEL
    folder = _local_folder(wanted) or _cached_folder(wanted)
    if folder is None and may_download:
        _fetch(wanted)
        folder = _cached_folder(wanted)
    if folder is None:
        raise EmbeddingError(
            f"The model {wanted} is not on this machine.",
            hint="Fetch it once with ctxpack index --embed, or give --embedding-model a folder that holds one.",
        )
    return SentenceTransformerEmbedder(wanted, folder)


class SentenceTransformerEmbedder:
    """A model in a folder, loaded when it is first used."""

    def __init__(self, model: str, folder: Path) -> None:
        self.name = f"sentence-transformers:{model}:{_fingerprint(folder)}"
        self._folder = folder

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Matrix:
        """One row a text, with the model's own prompts for queries and documents. Raises what the model raises."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the model's library, for its developers
            model = _load(self._folder, self.name)
            encode = model.encode_query if is_query else model.encode_document
            rows: Matrix = encode(list(texts), show_progress_bar=False, convert_to_numpy=True)
        return rows


@lru_cache(maxsize=1)
def _load(folder: Path, name: str) -> SentenceTransformer:  # noqa: ARG001 - part of the key: changed files, a new model
    """Load the model, and keep it for the next request of this process."""
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()
    return SentenceTransformer(str(folder), local_files_only=True)


def _local_folder(wanted: str) -> Path | None:
    """Return the folder of a model that is given as a path. Raises EmbeddingError where it holds no model."""
    folder = Path(wanted).expanduser()
    if not folder.is_dir():
        if wanted.startswith(("/", ".", "~", "\\")) or folder.is_absolute():
            raise EmbeddingError(f"There is no model folder {wanted}.")
        return None
    if not any((folder / name).is_file() for name in _MODEL_FILES):
        raise EmbeddingError(f"The folder {wanted} holds no model.", hint="A model's folder has a config.json.")
    return folder.resolve()


def _cached_folder(wanted: str) -> Path | None:
    """Return the folder of a hub model in the local cache; asks nobody."""
    from huggingface_hub import try_to_load_from_cache

    for name in _MODEL_FILES:
        try:
            found = try_to_load_from_cache(_repository(wanted), name)
        except ValueError as error:  # what is no name of a model
            raise EmbeddingError(f"{wanted} is neither a model's name nor its folder.") from error
        if isinstance(found, str):
            return Path(found).parent
    return None


def _fetch(wanted: str) -> None:
    """Load a hub model into the local cache. Raises EmbeddingError, after seconds where the hub cannot be reached."""
    from huggingface_hub import HfApi, constants

    if constants.HF_HUB_OFFLINE:
        raise EmbeddingError(f"The model {wanted} is not on this machine, and HF_HUB_OFFLINE forbids to fetch it.")
    try:
        HfApi().model_info(_repository(wanted), timeout=_HUB_SECONDS)
        from sentence_transformers import SentenceTransformer

        SentenceTransformer(_repository(wanted))
    except Exception as error:  # the hub's client, its transport and the model's loader have a tree of errors each
        raise EmbeddingError(
            f"The model {wanted} cannot be fetched: {type(error).__name__}.",
            hint="Check the name and the network, or give --embedding-model a folder that holds the model.",
        ) from error


def _repository(wanted: str) -> str:
    return wanted if "/" in wanted else f"sentence-transformers/{wanted}"


def _fingerprint(folder: Path) -> str:
    """A digest of the names, sizes and times of a model's files: another model in the same place is another one."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            facts = path.stat()
            digest.update(f"{path.relative_to(folder)}:{facts.st_size}:{facts.st_mtime_ns}\n".encode(errors="replace"))
    return digest.hexdigest()[:16]
