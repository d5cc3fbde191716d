"""What calls are answered with: within the limit, in two forms that say the same, with the one call that goes on."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate

from ctxpack.agents.handler import CallHandler, describe_error
from ctxpack.agents.replies import Reply
from ctxpack.agents.tools import TOOLS
from ctxpack.errors import CancelledError, CtxpackError, NothingFoundError, UsageError
from ctxpack.system.clock import Ticket
from ctxpack.system.tokens import counter
from tests.building import retry_module
from tests.indexing import commit
from tests.serving import FILES, shop, silent


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return shop(tmp_path)


def large_below(folder: Path) -> Path:
    module = retry_module("retry_0").replace("delay.", "delay" + " of the next attempt, in seconds" * 12 + ".")
    files = {f"part{number}.py": module.replace("retry_0", f"retry_{number}") * 2 for number in range(60)}
    commit(folder / "large", {**files, "long.py": "".join(f"x{n} = {n}\n" for n in range(9_000))})
    return (folder / "large").resolve()


@pytest.fixture
def large(tmp_path: Path) -> Path:
    return large_below(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return large_below(tmp_path_factory.mktemp("shared"))


@pytest.fixture
def known(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A large repository that is indexed once, for tests that only read it."""
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(shared.parent / "cache"))
    return shared


def answer(handler: CallHandler, tool: str, **values: Any) -> Reply:  # noqa: ANN401 - whatever JSON holds
    return handler.answer(tool, values, silent)


def measured(reply: Reply) -> int:
    """The tokens of the whole answer, counted here as it is sent."""
    return counter().count(reply.text) + counter().count(json.dumps(dict(reply.data), ensure_ascii=False))


CALLS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("pack_context", {"task": "fix the retry of the uploader"}),
    ("search_code", {"query": "retry"}),
    ("read_chunk", {"path": "uploader.py"}),
    ("why_not", {"path": "paint.py", "task": "fix the retry of the uploader"}),
    ("why_not", {"path": "logs/a.log", "task": "fix the retry of the uploader"}),
)


@pytest.mark.parametrize(("tool", "values"), CALLS)
def test_an_answer_is_what_the_schema_promises_and_the_text_says_the_same(
    root: Path, tool: str, values: Mapping[str, Any]
) -> None:
    reply = CallHandler([root]).answer(tool, values, silent)
    validate(dict(reply.data), dict(next(each.gives for each in TOOLS if each.name == tool)))
    for piece in reply.data.get("pieces", ()):
        assert f"{piece['path']}:{piece['start_line']}" in reply.text
        assert piece["text"].rstrip("\n") in reply.text
    for result in reply.data.get("results", ()):
        assert f"{result['path']}:{result['start_line']}" in reply.text
    for reason in reply.data.get("reasons", ()):
        assert reason in reply.text
    assert str(reply.data.get("more", "")) in reply.text


def test_a_pack_has_the_pieces_of_the_task_without_secrets(root: Path) -> None:
    reply = answer(
        CallHandler([root]), "pack_context", task="the api_key and the retry of the uploader", require=["secret.py"]
    )
    paths = {piece["path"] for piece in reply.data["pieces"]}
    assert {"uploader.py", "secret.py"} <= paths
    assert "required by this call" in next(each["why"] for each in reply.data["pieces"] if each["path"] == "secret.py")
    assert "sk-proj" not in reply.text + json.dumps(dict(reply.data))


@pytest.mark.parametrize("limit", [2_000, 5_000, 25_000])
@pytest.mark.parametrize("page", [1, 2])
def test_no_answer_is_longer_than_the_limit(known: Path, limit: int, page: int) -> None:
    handler = CallHandler([known], limit)
    calls = [
        answer(handler, "pack_context", task="retry delay of the parts", budget=25_000, page=page),
        answer(handler, "search_code", query="retry", limit=50, start=page),
        answer(handler, "read_chunk", path="long.py", start_line=page),
    ]
    for reply in calls:
        assert measured(reply) <= limit
        assert reply.data["next"] is not None


def test_the_next_call_goes_on_where_the_answer_ended(known: Path) -> None:
    handler = CallHandler([known], 4_000)
    first = answer(handler, "read_chunk", path="long.py")
    second = answer(handler, first.data["next"]["tool"], **first.data["next"]["arguments"])
    assert second.data["start_line"] == first.data["end_line"] + 1
    assert first.data["text"].splitlines()[0] == "x0 = 0"
    assert second.data["text"].splitlines()[0] == f"x{first.data['end_line']} = {first.data['end_line']}"

    pack = answer(handler, "pack_context", task="retry delay of the parts")
    more = answer(handler, pack.data["next"]["tool"], **pack.data["next"]["arguments"])
    places = [{(each["path"], each["start_line"]) for each in reply.data["pieces"]} for reply in (pack, more)]
    assert places[1]
    assert not places[0] & places[1]

    found = answer(handler, "search_code", query="retry", limit=3)
    others = answer(handler, found.data["next"]["tool"], **found.data["next"]["arguments"])
    names = [[(each["path"], each["start_line"]) for each in reply.data["results"]] for reply in (found, others)]
    both = answer(handler, "search_code", query="retry", limit=6)
    assert names[0] + names[1] == [(each["path"], each["start_line"]) for each in both.data["results"]]


def test_reading_on_ends_with_the_file(known: Path) -> None:
    handler, text, values = CallHandler([known], 20_000), "", {"path": "long.py"}
    for _ in range(100):
        reply = answer(handler, "read_chunk", **values)
        text += reply.data["text"]
        if reply.data["next"] is None:
            break
        values = reply.data["next"]["arguments"]
    assert text == "".join(f"x{n} = {n}\n" for n in range(9_000))


def test_a_pack_that_holds_everything_has_no_next_call(root: Path) -> None:
    (root / "other.py").unlink()
    (root / "README.md").unlink()
    reply = answer(CallHandler([root]), "pack_context", task="uploader_retry")
    assert reply.data["next"] is None
    assert "There is nothing more to fetch" in reply.text
    with pytest.raises(NothingFoundError, match="There is no page 9"):
        answer(CallHandler([root]), "pack_context", task="uploader_retry", page=9)


@pytest.mark.parametrize(
    ("tool", "values", "said"),
    [
        ("pack", {}, "There is no tool pack."),
        ("pack_context", {}, "needs the argument task"),
        ("pack_context", {"task": "x", "budget": 3}, "budget must be a whole number"),
        ("pack_context", {"task": "x", "require": ["nope.py"]}, "nope.py"),
        ("pack_context", {"task": "x", "directory": "/nowhere"}, "not in a folder that may be read"),
        ("search_code", {"query": "retry", "start": 900}, "There is no result 900"),
        ("search_code", {"query": "as before: 123456789012"}, "is no longer remembered"),
        ("read_chunk", {"path": "../../etc/passwd"}, "is outside"),
        ("read_chunk", {"path": "paint.py", "symbol": "a", "start_line": 2}, "cannot be combined"),
    ],
)
def test_what_is_wrong_is_told_in_sentences(root: Path, tool: str, values: Mapping[str, Any], said: str) -> None:
    with pytest.raises(CtxpackError) as caught:
        CallHandler([root]).answer(tool, values, silent)
    assert said in str(caught.value)


def test_the_settings_of_the_repository_hold_as_far_as_an_answer_has_room(large: Path) -> None:
    (large / "ctxpack.toml").write_text('budget = "90k"\nexclude = ["part1*.py"]\n', encoding="utf-8")
    handler = CallHandler([large])
    reply = answer(handler, "pack_context", task="retry delay of the parts")
    assert 8_000 < reply.tokens <= 25_000
    assert not any(each["path"].startswith("part1") for each in reply.data["pieces"])
    assert answer(handler, "why_not", path="part1.py", task="retry delay").data["searched"]


def test_what_is_nowhere_is_no_error_and_says_what_to_do(root: Path) -> None:
    for tool, values, empty in (
        ("search_code", {"query": "zzzqqq"}, "results"),
        ("pack_context", {"task": "zzzqqq"}, "pieces"),
    ):
        reply = answer(CallHandler([root]), tool, **values)
        validate(dict(reply.data), dict(next(each.gives for each in TOOLS if each.name == tool)))
        assert reply.data[empty] == []
        assert reply.data["next"] is None
        assert "use the names of the code" in reply.text


def test_a_long_task_is_not_sent_back_but_the_next_call_means_it(known: Path) -> None:
    issue = "the retry delay of an attempt is wrong\n" + "retry_7 returns too long a delay of the attempt\n" * 100
    handler = CallHandler([known])
    first = answer(handler, "pack_context", task=issue)
    assert first.data["next"]["arguments"]["task"].startswith("as before: ")
    assert first.text.count("too long a delay") == 0
    second = answer(handler, "pack_context", **first.data["next"]["arguments"])
    direct = answer(CallHandler([known]), "pack_context", task=issue, page=2)
    assert second.data["pieces"] == direct.data["pieces"]
    assert second.data["next"]["arguments"]["task"] == first.data["next"]["arguments"]["task"]


def test_an_error_that_quotes_much_stays_short(root: Path) -> None:
    with pytest.raises(UsageError) as caught:
        answer(CallHandler([root]), "pack_context", task="x", budget="9" * 100_000)
    assert len(describe_error(caught.value)) == 1_000


def test_a_file_that_a_rule_hides_is_explained(root: Path) -> None:
    reply = answer(CallHandler([root]), "why_not", path="logs/a.log", task="retry")
    assert ".gitignore" in reply.data["searched"]
    assert reply.data["next"] is None
    missing = answer(CallHandler([root]), "why_not", path="paint.py", task="fix the retry of the uploader")
    assert not missing.data["in_pack"]
    assert missing.data["next"] == {"tool": "read_chunk", "arguments": {"path": "paint.py"}}
    assert "ctxpack file" not in missing.text


def test_the_clients_roots_replace_those_of_the_server(root: Path, known: Path) -> None:
    reply = CallHandler([known]).answer("search_code", {"query": "retry"}, silent, [root])
    assert {each["path"] for each in reply.data["results"]} <= set(FILES)
    with pytest.raises(UsageError, match="not in a folder"):
        CallHandler([known]).answer("search_code", {"query": "retry", "directory": str(known)}, silent, [root])


def test_calls_that_come_while_the_index_is_made_wait_for_it_and_make_no_other(large: Path) -> None:
    handler, heard, lock = CallHandler([large]), list[str](), threading.Lock()
    replies: list[Reply] = []

    def hear(stage: str, done: int, total: int) -> None:
        with lock:
            heard.append(f"{stage} {done}/{total}")

    def call() -> None:
        replies.append(handler.answer("search_code", {"query": "retry"}, hear))

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == ["index 0/61", "index 61/61"]
    assert len({reply.text for reply in replies}) == 1
    assert len(replies) == 8


def test_a_call_that_waits_for_an_index_can_be_cancelled(large: Path) -> None:
    handler, ticket, begun, go_on = CallHandler([large]), Ticket(), threading.Event(), threading.Event()
    outcome: list[CtxpackError | Reply] = []

    def hold(*_: object) -> None:
        begun.set()
        go_on.wait(60)

    def wait() -> None:
        try:
            outcome.append(handler.answer("search_code", {"query": "retry"}, silent, ticket=ticket))
        except CtxpackError as error:
            outcome.append(error)

    first = threading.Thread(target=lambda: handler.answer("search_code", {"query": "retry"}, hold))
    first.start()
    begun.wait(60)
    second = threading.Thread(target=wait)
    second.start()
    ticket.withdraw()
    second.join(60)
    assert not second.is_alive()
    assert isinstance(outcome[0], CancelledError)
    go_on.set()
    first.join()
