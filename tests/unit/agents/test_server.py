"""The protocol, spoken by the SDK's own client without a process between, in both of its eras."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import anyio
import mcp_types as wire
import pytest
from mcp import Client
from mcp.client.context import ClientRequestContext

from ctxpack.agents.handler import CallHandler
from ctxpack.agents.replies import Reply
from ctxpack.agents.server import Service
from ctxpack.agents.tools import MOST_TOKENS, TOOLS
from ctxpack.errors import CancelledError
from ctxpack.system.clock import Progress, Ticket
from ctxpack.system.version import __version__
from tests.building import retry_module
from tests.indexing import commit
from tests.serving import FILES

ERAS: tuple[Literal["auto", "legacy"], ...] = ("auto", "legacy")
Talk = Callable[[Client], Awaitable[None]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    commit(tmp_path / "repo", FILES)
    return (tmp_path / "repo").resolve()


def converse(service: Service, talk: Talk, era: Literal["auto", "legacy"] = "auto", roots: Sequence[Path] = ()) -> None:
    """Let a client talk with a service, in an era of the protocol; it offers folders if there are any."""

    async def give(context: ClientRequestContext) -> wire.ListRootsResult:
        assert context
        return wire.ListRootsResult.model_validate({"roots": [{"uri": each.as_uri()} for each in roots]})

    async def run() -> None:
        async with Client(service.server(), mode=era, list_roots_callback=give if roots else None) as client:
            await talk(client)

    anyio.run(run)


def text_of(result: wire.CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, wire.TextContent)
    return block.text


@pytest.mark.parametrize("era", ERAS)
def test_the_tools_are_the_same_in_the_same_order_and_only_read(root: Path, era: Literal["auto", "legacy"]) -> None:
    async def talk(client: Client) -> None:
        first, second = (await client.list_tools()).tools, (await client.list_tools()).tools
        assert first == second
        assert [each.name for each in first] == ["pack_context", "search_code", "read_chunk", "why_not"]
        for tool, declared in zip(first, TOOLS, strict=True):
            assert tool.annotations is not None
            assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (True, False)
            assert tool.input_schema == declared.takes
            assert tool.output_schema == declared.gives
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("ctxpack", __version__)
        assert "pack_context once" in (client.instructions or "")

    converse(Service(CallHandler([root])), talk, era)


def test_descriptions_say_when_to_call_and_when_to_stop() -> None:
    for tool in TOOLS:
        assert "Call it" in tool.description
        assert len(tool.description) <= 1_024
    assert all("STOP" in tool.description for tool in TOOLS[:3])
    assert MOST_TOKENS == 25_000


@pytest.mark.parametrize("era", ERAS)
def test_every_tool_answers_in_both_forms(root: Path, era: Literal["auto", "legacy"]) -> None:
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = (
        ("pack_context", {"task": "fix the retry of the uploader"}),
        ("search_code", {"query": "retry"}),
        ("read_chunk", {"path": "uploader.py"}),
        ("why_not", {"path": "paint.py", "task": "retry"}),
    )

    async def talk(client: Client) -> None:
        for name, values in calls:
            result = await client.call_tool(name, dict(values))  # the client checks the data against the schema
            assert not result.is_error
            assert isinstance(result.structured_content, dict)
            assert text_of(result)

    converse(Service(CallHandler([root])), talk, era)


@pytest.mark.parametrize("era", ERAS)
def test_errors_are_results_for_the_model_to_read(root: Path, era: Literal["auto", "legacy"]) -> None:
    async def talk(client: Client) -> None:
        result = await client.call_tool("read_chunk", {"path": "nothing.py"})
        assert result.is_error
        assert text_of(result).startswith("There is no file nothing.py. Paths are relative")
        unknown = await client.call_tool("pack", {})
        assert unknown.is_error
        assert text_of(unknown).startswith("There is no tool pack.")

    converse(Service(CallHandler([root])), talk, era)


class _Broken(CallHandler):
    def answer(self, *_: object, **__: object) -> Reply:
        raise ZeroDivisionError("a slip of ours")


def test_a_slip_of_ours_is_a_sentence_too(capfd: pytest.CaptureFixture[str]) -> None:
    async def talk(client: Client) -> None:
        result = await client.call_tool("pack_context", {"task": "x"})
        assert result.is_error
        assert text_of(result).startswith("ctxpack failed unexpectedly: ZeroDivisionError: a slip of ours.")

    converse(Service(_Broken()), talk)
    out, err = capfd.readouterr()
    assert out == ""
    assert "Traceback" in err


@pytest.mark.parametrize("era", ERAS)
def test_the_clients_folders_are_read_where_none_was_named(
    tmp_path: Path, root: Path, era: Literal["auto", "legacy"]
) -> None:
    commit(tmp_path / "theirs", {"wanted.py": retry_module("wanted_retry")})
    theirs = (tmp_path / "theirs").resolve()

    async def finds(client: Client) -> set[str]:
        result = await client.call_tool("search_code", {"query": "retry"})
        assert not result.is_error, text_of(result)
        return {each["path"] for each in (result.structured_content or {})["results"]}

    async def theirs_only(client: Client) -> None:
        assert await finds(client) == {"wanted.py"}
        refused = await client.call_tool("search_code", {"query": "retry", "directory": str(root)})
        assert refused.is_error

    async def ours(client: Client) -> None:
        assert "uploader.py" in await finds(client)

    converse(Service(CallHandler([root])), theirs_only, era, [theirs])
    converse(Service(CallHandler([root])), ours, era)
    converse(Service(CallHandler([root]), asks_roots=False), ours, era, [theirs])


@pytest.mark.parametrize("era", ERAS)
def test_progress_grows_while_an_index_is_made(tmp_path: Path, era: Literal["auto", "legacy"]) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    class Slow(CallHandler):
        def answer(
            self,
            name: str,
            values: Mapping[str, Any],
            on_progress: Progress,
            roots: Sequence[Path] | None = None,
            ticket: Ticket | None = None,
        ) -> Reply:
            for done in (1, 2, 2, 3):
                on_progress("index", done, 3)
                before = len(told)
                for _ in range(1_200):
                    if done == 2 or len(told) > before:
                        break
                    threading.Event().wait(0.05)
            return super().answer(name, values, on_progress, roots, ticket)

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def talk(client: Client) -> None:
        await client.call_tool("search_code", {"query": "retry"}, progress_callback=hear)

    commit(tmp_path / "repo", FILES)
    converse(Service(Slow([(tmp_path / "repo").resolve()])), talk, era)
    assert told[0] == (30.0, 100.0, "indexing: 1 of 3 files")
    assert [each[0] for each in told] == sorted({each[0] for each in told})


class _Endless(CallHandler):
    """Works until it is stopped, and says that it was."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.stopped = threading.Event(), threading.Event()

    def answer(self, *arguments: object, **_: object) -> Reply:
        ticket = next(each for each in arguments if isinstance(each, Ticket))
        self.begun.set()
        try:
            while True:
                ticket.check()
                self.begun.wait(0.01)
        except CancelledError:
            self.stopped.set()
            raise


@pytest.mark.parametrize("era", ERAS)
def test_a_cancelled_call_stops_its_work_and_the_next_one_is_answered(era: Literal["auto", "legacy"]) -> None:
    handler = _Endless()

    async def talk(client: Client) -> None:
        async with anyio.create_task_group() as calls:
            calls.start_soon(client.call_tool, "pack_context", {"task": "x"})
            assert await anyio.to_thread.run_sync(handler.begun.wait, 60)
            calls.cancel_scope.cancel()
        assert await anyio.to_thread.run_sync(handler.stopped.wait, 60)
        assert (await client.list_tools()).tools

    converse(Service(handler), talk, era)


@pytest.mark.parametrize("era", ERAS)
def test_sixteen_calls_at_a_time_get_the_answers_of_one_by_one(root: Path, era: Literal["auto", "legacy"]) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        *(("search_code", {"query": f"retry {number}"}) for number in range(8)),
        *(("pack_context", {"task": f"fix the retry of uploader {number}"}) for number in range(4)),
        *(("read_chunk", {"path": "uploader.py", "start_line": number + 1}) for number in range(4)),
    ]
    together: dict[int, wire.CallToolResult] = {}

    async def talk(client: Client) -> None:
        async def call(number: int) -> None:
            together[number] = await client.call_tool(*calls[number])

        async with anyio.create_task_group() as group:
            for number in range(len(calls)):
                group.start_soon(call, number)
        for number, (name, values) in enumerate(calls):
            alone = await client.call_tool(name, values)
            assert not alone.is_error
            assert together[number].structured_content == alone.structured_content

    converse(Service(CallHandler([root])), talk, era)
    assert len(together) == 16
