"""Texts → vectors: the interface of embedders, the built-in ones, and a guard that pauses a broken one.

One calls a service with OpenAI's ``/v1/embeddings``, such as Ollama, vLLM, LM Studio or llama.cpp. The other
loads a sentence-transformers model of this machine, by its folder or its name in the local cache: nothing is fetched
while a request is answered.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import urllib.error
import urllib.request
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast
from urllib.parse import urlsplit

from ctxpack.errors import EmbeddingError
from ctxpack.events import SILENT, Guard, Observer
from ctxpack.settings import Settings
from ctxpack.system.plugins import plugins, resolve
from ctxpack.system.version import EMBEDDING_PACKAGE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

    Matrix = NDArray[np.float32]


EMBEDDERS: Final[Mapping[str, str]] = {
    "sentence-transformers": "ctxpack.rank.embedders:make_sentence_transformer",
    "http": "ctxpack.rank.embedders:make_http_embedder",
}
"""Name -> ``module:attribute``; the attribute is a ``Factory``. Packages add theirs as ``ctxpack.embedders``."""


def embedder_of(settings: Settings, *, may_download: bool = False) -> Embedder:
    """Return the embedder that the settings name. Raises EmbeddingError where it is unknown or cannot be made."""
    name = settings.embedder
    known = EMBEDDERS if name in EMBEDDERS else {each.name: each.target for each in plugins("ctxpack.embedders")}
    if name not in known:
        names = ", ".join(sorted({*EMBEDDERS, *known}))
        raise EmbeddingError(f"There is no embedder {name!r}.", hint=f"Known are {names}.")
    try:
        made = cast("Factory", resolve(known[name]))(settings, may_download=may_download)
    except EmbeddingError:
        raise
    except Exception as error:  # whatever a stranger's package raises: words alone still rank
        raise EmbeddingError(f"The embedder {name} cannot be made: {type(error).__name__}: {error}.") from error
    return made if may_download else GuardedEmbedder(made, guard_of(settings))


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how close their meanings are."""

    @property
    def name(self) -> str:
        """What the vectors depend on besides the texts: kind, model and version; part of their key in the cache."""

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Matrix:
        """One row for each text; ``is_query`` marks requests, for models that embed them differently.

        Rows need not have length 1. Whatever it raises means that meaning is not used; EmbeddingError says why.
        """


class Factory(Protocol):
    """Makes an embedder from the settings, without heavy work: the model is loaded when it is first used."""

    def __call__(self, settings: Settings, *, may_download: bool) -> Embedder:
        """Return the embedder; ``may_download`` if the user asked for a long task. Raises EmbeddingError."""


def guard_of(settings: Settings, observer: Observer = SILENT) -> Guard:
    """Return the guard of the embedder that the settings name; ``observer`` is told when it is not normal."""
    host = urlsplit(settings.embedding_url).hostname if settings.embedder == "http" else ""
    part = f"The embedding service {host}" if host else f"The embedding model of {settings.embedder}"
    identity = f"embedder:{settings.embedder}:{settings.embedding_url}:{settings.embedding_model}"
    return Guard(settings, identity, part, observer)


class GuardedEmbedder:
    """An embedder that is not called while it is down. Raises EmbeddingError then, else what the embedder raises."""

    def __init__(self, embedder: Embedder, its: Guard) -> None:
        self._embedder, self._its = embedder, its

    @property
    def name(self) -> str:
        """The name of the embedder."""
        return self._embedder.name

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Matrix:
        """One row for each text."""
        if self._its.is_down:
            raise EmbeddingError(self._its.why_down)
        try:
            rows = self._embedder.embed(texts, is_query=is_query)
        except Exception:
            self._its.record_failure()
            raise
        self._its.record_success()
        return rows


_SERVICE_MODEL: Final = "text-embedding-3-small"
_TRIES: Final = 3
_FIRST_PAUSE: Final = 0.5  # seconds; doubles with every try
_LONGEST_PAUSE: Final = 5.0  # also where the service asks for a longer one
_WORTH_ANOTHER: Final = frozenset((408, 425, 429, 500, 502, 503, 504))
_MOST_BYTES: Final = 64_000_000  # of an answer: 64 vectors of 4,096 numbers are 6 MB


def make_http_embedder(settings: Settings, *, may_download: bool = False) -> HttpEmbedder:  # noqa: ARG001 - nothing to download
    """Return the embedder for the service of the settings. Raises EmbeddingError for a bad address or a missing key."""
    key = ""
    if variable := settings.embedding_key_variable:
        key = os.environ.get(variable, "")
        if not key:
            raise EmbeddingError(f"The environment variable {variable}, the key of the embedding service, is not set.")
    return HttpEmbedder(
        settings.embedding_url, settings.embedding_model or _SERVICE_MODEL, key, timeout=settings.embedding_timeout
    )


class HttpEmbedder:
    """One service and model. ``timeout`` is the seconds for each attempt; ``pause`` waits between them."""

    def __init__(
        self, url: str, model: str, key: str = "", *, timeout: float, pause: Callable[[float], None] = time.sleep
    ) -> None:
        if urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname:
            raise EmbeddingError(
                "The embedding service has no address.",
                hint="Set embedding_url to what comes before /embeddings, such as http://localhost:11434/v1.",
            )
        self.name = f"http:{url.rstrip('/')}:{model}"
        self._url, self._model, self._key = f"{url.rstrip('/')}/embeddings", model, key
        self._timeout, self._pause = timeout, pause
        self._host = urlsplit(url).hostname

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Matrix:  # noqa: ARG002 - the service has no such thing
        """One row for each text. Raises EmbeddingError after the last attempt."""
        import numpy as np

        answer = self._request(json.dumps({"model": self._model, "input": list(texts)}).encode())
        try:
            rows = sorted(json.loads(answer)["data"], key=lambda row: int(row["index"]))
            vectors = np.array([row["embedding"] for row in rows], np.float32)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise EmbeddingError(f"The embedding service {self._host} gave an answer that cannot be read.") from error
        return vectors

    def _request(self, body: bytes) -> bytes:
        """Call the service; retry where that may help."""
        reason = ""
        for attempt in range(_TRIES):
            try:
                return self._post(body)
            except urllib.error.HTTPError as error:
                with error:
                    reason = f"answers {error.code} {error.reason}"
                if error.code not in _WORTH_ANOTHER:
                    break
                wish = error.headers.get("Retry-After") or ""
            except (OSError, HTTPException) as error:
                reason, wish = f"cannot be reached: {getattr(error, 'reason', error) or type(error).__name__}", ""
            if attempt + 1 < _TRIES:
                pause = max(_FIRST_PAUSE * 2**attempt, float(wish) if wish.isdigit() else 0.0)
                self._pause(min(pause, _LONGEST_PAUSE))
        raise EmbeddingError(f"The embedding service {self._host} {reason}.")

    def _post(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "ctxpack"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url, body, headers)  # noqa: S310 - http and https alone, checked above
        with urllib.request.build_opener(_StayHere).open(request, timeout=self._timeout) as answer:
            data: bytes = answer.read(_MOST_BYTES)
        return data


class _StayHere(urllib.request.HTTPRedirectHandler):
    """Refuses redirections: key and code are only for the service that the user named."""

    def redirect_request(self, *_: object) -> None:
        """No request follows."""


_LOCAL_MODEL: Final = "sentence-transformers/all-MiniLM-L6-v2"
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
            hint=f"Install it with pip install '{EMBEDDING_PACKAGE}'.",
        )
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    wanted = settings.embedding_model or _LOCAL_MODEL
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
        """One row for each text, with the model's prompts for queries and documents. Raises what the model raises."""
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
    """Return the folder of a hub model in the local cache, without network access."""
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
    """A digest of the names, sizes and times of a model's files, which differs if another model is put in its place."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            facts = path.stat()
            digest.update(f"{path.relative_to(folder)}:{facts.st_size}:{facts.st_mtime_ns}\n".encode(errors="replace"))
    return digest.hexdigest()[:16]
