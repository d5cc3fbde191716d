"""The embedder over HTTP against a real server on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest

from ctxpack.errors import EmbeddingError
from ctxpack.pipeline import search
from ctxpack.rank.embedders import HttpEmbedder, embedder_of
from ctxpack.settings import Settings
from tests.embedding import WordEmbedder
from tests.indexing import write

Answer = tuple[int, dict[str, str], bytes]


def vectors(*numbers: Sequence[float]) -> bytes:
    """As the service writes them; the last comes first, for order is in the index."""
    rows = [{"object": "embedding", "index": at, "embedding": list(each)} for at, each in enumerate(numbers)]
    return json.dumps({"object": "list", "data": rows[::-1]}).encode()


class Service:
    """Gives the answers it was told, the last again and again; remembers what it was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.model: WordEmbedder | None = None  # answers instead, where there is one
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.hangs, self.released = False, Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.asked.append((self.path, dict(self.headers), json.loads(body)))
                if service.hangs:
                    service.released.wait(60)
                    return
                if service.model:
                    service.answers.append(
                        (200, {}, vectors(*service.model.embed(service.asked[-1][2]["input"]).tolist()))
                    )
                at = min(len(service.asked), len(service.answers)) - 1
                status, headers, data = service.answers[at]
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(data))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def stop(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    yield made
    made.stop()


def embedder(service: Service, pauses: list[float] | None = None, **more: Any) -> HttpEmbedder:  # noqa: ANN401 -- any argument
    told: list[float] = [] if pauses is None else pauses
    return HttpEmbedder(service.url, "tiny", timeout=more.pop("timeout", 5.0), pause=told.append, **more)


def test_texts_and_model_are_sent_and_rows_come_in_order(service: Service) -> None:
    service.answers = [(200, {}, vectors([1, 0], [0, 1]))]
    assert embedder(service, key="secret").embed(["a", "b"]).tolist() == [[1, 0], [0, 1]]
    ((path, headers, body),) = service.asked
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == "Bearer secret"
    assert body == {"model": "tiny", "input": ["a", "b"]}


def test_without_a_key_none_is_sent(service: Service) -> None:
    service.answers = [(200, {}, vectors([1.0]))]
    embedder(service).embed(["a"])
    assert "Authorization" not in service.asked[0][1]


def test_a_busy_service_is_asked_again_after_longer_and_longer_pauses(service: Service) -> None:
    service.answers = [(503, {}, b""), (429, {"Retry-After": "2"}, b""), (200, {}, vectors([1.0]))]
    pauses: list[float] = []
    assert embedder(service, pauses).embed(["a"]).tolist() == [[1.0]]
    assert pauses == [0.5, 2.0]


def test_a_service_that_stays_busy_is_given_up_and_no_wish_is_waited_for_long(service: Service) -> None:
    service.answers = [(429, {"Retry-After": "3600"}, b"")]
    pauses: list[float] = []
    with pytest.raises(EmbeddingError, match=r"^The embedding service 127\.0\.0\.1 answers 429 Too Many Requests\.$"):
        embedder(service, pauses).embed(["a"])
    assert pauses == [5.0, 5.0]
    assert len(service.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_is_not_asked_again(service: Service, status: int) -> None:
    service.answers = [(status, {}, b"no")]
    with pytest.raises(EmbeddingError, match=f"answers {status}"):
        embedder(service).embed(["a"])
    assert len(service.asked) == 1


def test_a_redirection_is_not_followed(service: Service) -> None:
    """The key would go wherever it points."""
    service.answers = [(302, {"Location": f"{service.url}/elsewhere"}, b""), (200, {}, vectors([1.0]))]
    with pytest.raises(EmbeddingError, match="answers 302"):
        embedder(service, key="secret").embed(["a"])
    assert len(service.asked) == 1


def test_a_service_that_hangs_is_given_up(service: Service) -> None:
    service.hangs = True
    with pytest.raises(EmbeddingError, match="cannot be reached: timed out"):
        embedder(service, timeout=0.05).embed(["a"])


def test_a_service_that_is_not_there_is_told() -> None:
    gone = Service()
    gone.stop()
    with pytest.raises(EmbeddingError, match=r"127\.0\.0\.1 cannot be reached: .*refused"):
        embedder(gone).embed(["a"])


@pytest.mark.parametrize(
    "data",
    [
        b"<html>",
        b"[]",
        b"{}",
        b'{"data": 3}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"index": 0, "embedding": ["x"]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}',
        b"[" * 100_000,
    ],
)
def test_an_answer_that_is_none_is_refused(service: Service, data: bytes) -> None:
    service.answers = [(200, {}, data)]
    with pytest.raises(EmbeddingError, match="an answer that cannot be read"):
        embedder(service).embed(["a"])


@pytest.mark.parametrize("url", ["", "localhost:1234/v1", "file:///etc/passwd", "http://"])
def test_only_a_web_address_is_one(url: str) -> None:
    with pytest.raises(EmbeddingError, match="has no address"):
        HttpEmbedder(url, "tiny", timeout=1)


def test_settings_name_service_model_and_key(
    service: Service, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    wished = replace(
        settings, embedder="http", embedding_url=service.url, embedding_model="big", embedding_key_variable="THE_KEY"
    )
    with pytest.raises(EmbeddingError, match="THE_KEY, the key of the embedding service, is not set"):
        embedder_of(wished)
    monkeypatch.setenv("THE_KEY", "secret")
    service.answers = [(200, {}, vectors([1.0]))]
    made = embedder_of(wished)
    made.embed(["a"])
    assert service.asked[0][1]["Authorization"] == "Bearer secret"
    assert service.asked[0][2]["model"] == "big"
    assert made.name == f"http:{service.url}:big"
    assert "secret" not in made.name


def test_a_search_asks_the_service_once_for_each_part(service: Service, settings: Settings) -> None:
    service.model = WordEmbedder()
    names = {"garage.py": "car", "trees.py": "tree", "mail.py": "letter"}
    write(settings.root / "project", {path: f"def of({name}):\n    return 1\n" for path, name in names.items()})
    its = replace(settings, root=settings.root / "project", semantic=True, embedder="http", embedding_url=service.url)
    for _ in range(2):
        found = search("our vehicle of steel", its)
        assert [each.file.path for each in found.candidates] == ["garage.py"]
        assert found.notes == ()
    assert sorted(text.partition("\n")[0] for _, _, body in service.asked for text in body["input"]) == [
        "garage.py", "mail.py", "our vehicle of steel", "trees.py",
    ]  # fmt: skip
    stopped = replace(its, embedding_url="http://127.0.0.1:9/v1")
    (note,) = search("our vehicle of steel", stopped).notes
    assert note.startswith("Ranked by words alone. The embedding service 127.0.0.1 cannot be reached")
