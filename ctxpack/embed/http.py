"""Vectors by a service that speaks OpenAI's ``/v1/embeddings``: also Ollama, vLLM, LM Studio, llama.cpp and others."""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ctxpack.errors import EmbeddingError
from ctxpack.settings import Settings

if TYPE_CHECKING:
    from ctxpack.embed.contract import Matrix

_DEFAULT_MODEL: Final = "text-embedding-3-small"
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
        settings.embedding_url, settings.embedding_model or _DEFAULT_MODEL, key, timeout=settings.embedding_timeout
    )


class HttpEmbedder:
    """One service and model. ``timeout`` is seconds for each try; ``pause`` waits between them."""

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
        """One row a text. Raises EmbeddingError after the last try."""
        import numpy as np

        answer = self._request(json.dumps({"model": self._model, "input": list(texts)}).encode())
        try:
            rows = sorted(json.loads(answer)["data"], key=lambda row: int(row["index"]))
            vectors = np.array([row["embedding"] for row in rows], np.float32)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise EmbeddingError(f"The embedding service {self._host} answered what no client understands.") from error
        return vectors

    def _request(self, body: bytes) -> bytes:
        """Ask the service, again where that may help."""
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
    """Follows no redirection: the key and the code are for the service that the user named."""

    def redirect_request(self, *_: object) -> None:
        """No request follows."""
