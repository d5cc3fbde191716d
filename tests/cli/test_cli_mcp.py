"""The mcp command: a server in a process of its own, and clients at its other end."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as wire
import pytest
from mcp import Client
from mcp.client.context import ClientRequestContext
from mcp.client.stdio import StdioServerParameters
from prometheus_client.parser import text_string_to_metric_families

from tests.building import retry_module
from tests.cli.conftest import Ctxpack
from tests.indexing import commit
from tests.serving import SECONDS, raw_client, shop

pytestmark = pytest.mark.usefixtures("warm_cache")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return shop(tmp_path)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    commit(tmp_path / "large", {f"part{number}.py": retry_module(f"retry_{number}") * 5 for number in range(80)})
    return (tmp_path / "large").resolve()


def test_another_client_is_greeted_before_anything_is_indexed_and_answered(root: Path) -> None:
    with raw_client(root) as client:
        greeting = client.greet()["result"]
        assert greeting["protocolVersion"] == "2025-06-18"
        assert greeting["capabilities"]["tools"] == {"listChanged": False}
        assert not (Path(os.environ["CTXPACK_CACHE_DIR"]) / "index").exists()
        names = [each["name"] for each in client.ask("tools/list", {})["result"]["tools"]]
        assert names == ["pack_context", "search_code", "read_chunk", "why_not"]
        result = client.call("pack_context", task="fix the retry of the uploader")
        assert "uploader.py" in {each["path"] for each in result["structuredContent"]["pieces"]}
        assert "uploader.py" in result["content"][0]["text"]
        assert client.call("read_chunk", path="nope.py")["isError"] is True
        assert client.ask("tools/nope", {})["error"]["code"] == -32601


def test_another_client_may_offer_its_folders(root: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with raw_client(tmp_path / "empty") as client:
        client.greet([root.as_uri()])
        result = client.call("search_code", query="retry")
        assert {each["path"] for each in result["structuredContent"]["results"]} >= {"uploader.py", "other.py"}
    with raw_client(tmp_path / "empty", "--root", str(tmp_path / "empty")) as client:
        client.greet([root.as_uri()])
        assert client.call("search_code", query="retry", directory=str(root))["isError"] is True


def test_a_cancelled_index_is_left_alone_and_made_when_it_is_asked_for_again(large: Path) -> None:
    with raw_client(large) as client:
        client.greet()
        params = {"name": "search_code", "arguments": {"query": "retry"}, "_meta": {"progressToken": 7}}
        asked = client.begin("tools/call", params)
        client.tell("notifications/cancelled", {"requestId": asked, "reason": "not needed"})
        assert client.ask("ping", {})["result"] == {}
        assert not client.has_answer(asked, 0.5)
        result = client.call("search_code", query="retry")
        assert result["structuredContent"]["results"]


def test_sixteen_calls_at_a_time_while_nothing_is_indexed(large: Path) -> None:
    with raw_client(large) as client:
        client.greet()
        arguments = {"query": "retry delay"}
        asked = [client.begin("tools/call", {"name": "search_code", "arguments": arguments}) for _ in range(16)]
        answers = [client.wait(number)["result"]["structuredContent"] for number in asked]
        assert answers[0]["results"]
        assert all(each == answers[0] for each in answers)


def test_the_limit_of_the_server_holds_for_every_answer(large: Path) -> None:
    from ctxpack.system.tokens import counter

    with raw_client(large, "--answer-tokens", "3k") as client:
        client.greet()
        for tool, values in (
            ("pack_context", {"task": "retry", "budget": 20_000}),
            ("search_code", {"query": "retry"}),
        ):
            result = client.call(tool, **values)
            assert counter().count(json.dumps(result, ensure_ascii=False)) <= 3_300  # with the wrapping of JSON-RPC


def test_the_sdk_speaks_with_it_by_pipes(root: Path) -> None:
    environment = {**os.environ}
    where = StdioServerParameters(
        command=sys.executable, args=["-m", "ctxpack", "mcp", "--root", str(root)], env=environment
    )

    async def talk() -> None:
        async with Client(where) as client:
            assert client.protocol_version == "2026-07-28"
            await _sixteen(client)

    anyio.run(talk)


async def _sixteen(client: Client) -> None:
    """Make sixteen calls at a time."""
    found: list[Any] = []

    async def call() -> None:
        found.append((await client.call_tool("search_code", {"query": "retry"})).structured_content)

    async with anyio.create_task_group() as group:
        for _ in range(16):
            group.start_soon(call)
    assert len(found) == 16
    assert found[0]["results"]
    assert all(each == found[0] for each in found)


@contextmanager
def http_server(root: Path, *, named: bool = True) -> Iterator[str]:
    """A server on any free port; gives its address, which is all that it says on standard error."""
    command = [sys.executable, "-m", "ctxpack", "mcp", "--http", "0", *(["--root", str(root)] if named else [])]
    with subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stderr is not None
        said = process.stderr.readline().decode()
        try:
            assert said.startswith("Serving MCP on http://127.0.0.1:"), said
            yield said.split()[-1]
        finally:
            process.terminate()
            out, _ = process.communicate(timeout=SECONDS)
    assert out == b""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server, for tests that only ask."""
    with http_server(shop(tmp_path_factory.mktemp("served"))) as address:
        yield address


def test_the_sdk_speaks_with_it_by_http(served: str) -> None:
    async def talk() -> None:
        async with Client(served) as client:
            await _sixteen(client)
        async with Client(served, mode="legacy") as client:
            result = await client.call_tool("pack_context", {"task": "fix the retry of the uploader"})
            assert not result.is_error

    anyio.run(talk)


def test_whoever_reaches_the_port_cannot_offer_other_folders(root: Path, tmp_path: Path) -> None:
    commit(tmp_path / "other", {"private.py": retry_module("private_retry")})

    async def offer(context: ClientRequestContext) -> wire.ListRootsResult:
        assert context
        return wire.ListRootsResult.model_validate({"roots": [{"uri": (tmp_path / "other").as_uri()}]})

    async def talk(address: str) -> None:
        async with Client(address, list_roots_callback=offer) as client:
            found = (await client.call_tool("search_code", {"query": "retry"})).structured_content
            assert "private.py" not in {each["path"] for each in found["results"]}
            named = {"query": "retry", "directory": str(tmp_path / "other")}
            assert (await client.call_tool("search_code", named)).is_error

    with http_server(root, named=False) as address:
        anyio.run(talk, address)


def test_pages_of_other_origins_and_other_hosts_are_refused(served: str) -> None:
    port = served.split(":")[2].partition("/")[0]
    assert _status(served, {}) == 200
    assert _status(served, {"Origin": f"http://127.0.0.1:{port}"}) == 200
    assert _status(served, {"Origin": "https://example.org"}) == 403
    assert _status(served, {"Origin": "http://localhost:1"}) == 403
    assert _status(served, {"Host": "example.org"}) == 421


def test_the_server_tells_prometheus_what_it_has_made(root: Path) -> None:
    async def talk(address: str) -> None:
        async with Client(address) as client:
            for task in ("fix the retry of the uploader", "fix the retry of the uploader", "zzqx"):
                await client.call_tool("pack_context", {"task": task})

    with http_server(root) as address:
        place = address.replace("/mcp", "/metrics")
        with urllib.request.urlopen(place, timeout=SECONDS) as response:  # noqa: S310 - it is http
            assert (response.read(), response.headers["Content-Type"]) == (
                b"",
                "text/plain; version=0.0.4; charset=utf-8",
            )
        anyio.run(talk, address)
        with urllib.request.urlopen(place, timeout=SECONDS) as response:  # noqa: S310
            families = {each.name: each for each in text_string_to_metric_families(response.read().decode())}
        elsewhere = urllib.request.Request(place, headers={"Host": "example.org"})  # noqa: S310
        with pytest.raises(urllib.error.HTTPError, match="421"):
            urllib.request.urlopen(elsewhere, timeout=SECONDS)  # noqa: S310
    runs = {sample.labels["kept"]: sample.value for sample in families["ctxpack_runs"].samples}
    errors = {sample.labels["kind"]: sample.value for sample in families["ctxpack_errors"].samples}
    assert (runs, errors) == ({"false": 1, "true": 1}, {"nothing_found": 1})
    assert {"ctxpack_phase_seconds", "ctxpack_run_seconds", "ctxpack_tokens"} <= families.keys()


def _status(address: str, headers: dict[str, str]) -> int:
    who = {"name": "raw", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    own = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(address, body, {**own, **headers})  # noqa: S310 - it is http
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:  # noqa: S310
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("8765",), "8765 is a port, which needs --http."),
        (("--http", "web"), "'web' is not a port."),
        (("--answer-tokens", "30k"), "--answer-tokens must be from 2,000 to 25,000 tokens, not 30,000."),
        (("--root", "/nowhere/at/all"), "There is no folder"),
    ],
)
def test_what_is_typed_wrong_is_told(ctxpack: Ctxpack, arguments: tuple[str, ...], said: str) -> None:
    outcome = ctxpack("mcp", *arguments)
    assert outcome.status == 2
    assert said in outcome.err
    assert outcome.out == ""


def test_a_port_that_is_taken_is_told(program: Ctxpack, root: Path, served: str) -> None:
    port = served.split(":")[2].partition("/")[0]
    outcome = program("mcp", "--http", port, "--root", str(root))
    assert outcome.status == 4
    assert outcome.err.startswith(f"Error: Cannot listen on port {port}: ")


def without(root: Path, words: list[str], *names: str) -> subprocess.CompletedProcess[str]:
    """Run a command where some libraries are not installed."""
    hidden = f"import sys\nfor name in {names!r}:\n    sys.modules[name] = None\n"
    code = f"{hidden}from ctxpack.cli.run import run\nsys.exit(run({[*words, '--root', str(root)]!r}))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=root)


@pytest.mark.parametrize(
    ("hidden", "how"),
    [((), f'"{sys.executable}" -m pip install'), (("pip",), f'uv pip install --python "{sys.executable}"')],
)
def test_without_the_library_one_sentence_says_how_to_get_it(root: Path, hidden: tuple[str, ...], how: str) -> None:
    done = without(root, ["mcp"], "mcp", "mcp_types", *hidden)
    assert done.returncode == 2
    first, second = done.stderr.splitlines()
    assert first == "Error: The library of the Model Context Protocol is not installed."
    assert second == f'Hint: Run {how} "mcp>=2.3,<3".'
    assert done.stdout == ""


def test_whoever_registers_the_server_is_told_what_it_needs(root: Path) -> None:
    said = without(root, ["init", "--agent", "codex"], "mcp", "mcp_types").stderr
    assert "The server needs one more library: " in said
    assert '"mcp>=2.3,<3"' in said
    assert "library" not in without(root, ["init", "--agent", "codex", "--remove"], "mcp", "mcp_types").stderr
    assert "library" not in without(root, ["init", "--agent", "codex"]).stderr


OTHER_CLIENT = Path(__file__).parent.parent / "clients" / "typescript_sdk.cjs"


def speak(*how: str) -> dict[str, Any]:
    """Let the client of the TypeScript SDK speak with a server; it checks each answer against its schema."""
    node = shutil.which("node")
    probe = [node or "", "-e", "require.resolve('@modelcontextprotocol/sdk/client/index.js')"]
    if node is None or subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("needs Node.js and NODE_PATH with the folder that: npm install @modelcontextprotocol/sdk filled")
    done = subprocess.run(
        [node, str(OTHER_CLIENT), *how], capture_output=True, text=True, check=False, timeout=5 * SECONDS
    )
    assert done.returncode == 0, done.stderr
    heard: dict[str, Any] = json.loads(done.stdout)
    return heard


@pytest.mark.parametrize("transport", ["pipes", "http"])
def test_the_client_of_another_language_speaks_with_it(root: Path, served: str, transport: str) -> None:
    pipes = (sys.executable, "-m", "ctxpack", "mcp", "--root", str(root))
    heard = speak(*(pipes if transport == "pipes" else (served,)))
    assert heard["server"] == "ctxpack"
    assert heard["tools"] == ["pack_context", "search_code", "read_chunk", "why_not"]
    assert heard["readOnly"] is True
    assert len(heard["answers"]) == 16
    assert heard["answers"][0]["results"]
    assert all(each == heard["answers"][0] for each in heard["answers"])
    assert heard["packed"]["pieces"]
    assert heard["refused"] is True
    assert "outside" in heard["said"]
