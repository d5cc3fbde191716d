"""The protocol: the tools, and calls with progress and cancellation, by pipes or by HTTP on this machine only.

Standard output belongs to the protocol. Errors of a call are in its result, for the model to read.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.abc
import anyio.to_thread
import mcp_types as wire
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from ctxpack.agents.folders import folders_of
from ctxpack.agents.handler import CallHandler, describe_error
from ctxpack.agents.replies import Reply
from ctxpack.agents.tools import INSTRUCTIONS, TOOLS, Tool
from ctxpack.errors import CtxpackError, InternalError
from ctxpack.light import dataclass
from ctxpack.system.clock import Progress, Ticket
from ctxpack.system.version import __version__

if TYPE_CHECKING:
    from ctxpack.workflows.metrics import Totals

_NAME: Final = "ctxpack"
_ROOTS: Final = "roots"  # the question for the client's folders
_THREADS: Final = 4  # calls that are answered at a time: the others wait, since all share the processor
_SECONDS: Final = 0.2  # between two looks for news of the progress
_INDEX, _FULL = "index", 100.0
_INDEXED: Final = 90.0  # per cent of the work, once everything is indexed
_LOOPBACK: Final = "127.0.0.1"
_BACKLOG: Final = 128
_OK: Final = 200
_MISDIRECTED: Final = 421

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_App = Callable[[_Message, _Receive, _Send], Awaitable[None]]
_Context = ServerRequestContext[Any, Any]


class _ProgressNews:
    """The progress of a call, from its thread to the client: numbers that only grow."""

    def __init__(self) -> None:
        self._done, self._text = 0.0, ""
        self._sent = -1.0

    def update(self, stage: str, done: int, total: int) -> None:
        """Take down the progress of a stage; called in the thread of the call."""
        if stage == _INDEX and total:
            self._done, self._text = _INDEXED * done / total, f"indexing: {done:,} of {total:,} files"
        else:
            self._done, self._text = max(self._done, _INDEXED), stage

    def unsent(self) -> tuple[float, str] | None:
        """The progress that was not sent yet."""
        if self._done <= self._sent or not self._text:
            return None
        self._sent = self._done
        return self._done, self._text


@dataclass(frozen=True, slots=True)
class _Outcome:
    reply: Reply | None = None
    error: Exception | None = None


class Service:
    """Speaks the protocol for a handler of calls. ``asks_roots``: the client's folders are read, if it has any."""

    def __init__(self, handler: CallHandler, *, asks_roots: bool = True) -> None:
        self.handler = handler
        self._asks_roots = asks_roots
        self._threads: anyio.CapacityLimiter | None = None

    def server(self) -> Server[Any]:
        """Return the server of the protocol."""
        return Server(
            _NAME,
            version=__version__,
            title=_NAME,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def _list(self, _: _Context, __: wire.PaginatedRequestParams | None) -> wire.ListToolsResult:
        return wire.ListToolsResult(tools=[_declare(each) for each in TOOLS])

    async def _call(
        self, context: _Context, params: wire.CallToolRequestParams
    ) -> wire.CallToolResult | wire.InputRequiredResult:
        roots: Sequence[Path] | None = None
        client = context.session.client_capabilities
        if self._asks_roots and client is not None and client.roots is not None:
            answered = await _roots_of(context, params)
            if answered is None:
                return wire.InputRequiredResult(input_requests={_ROOTS: wire.ListRootsRequest()})
            roots = answered or None
        outcome = await self._work(
            lambda hear, ticket: self.handler.answer(params.name, params.arguments or {}, hear, roots, ticket), context
        )
        if outcome.reply is None:
            return _failure(outcome.error)
        reply = outcome.reply
        return wire.CallToolResult(content=[wire.TextContent(text=reply.text)], structured_content=dict(reply.data))

    async def _work(self, work: Callable[[Progress, Ticket], Reply], context: _Context) -> _Outcome:
        """Run the work in a thread, report its progress, and stop it when the call is cancelled."""
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(_THREADS)
        ticket, news = Ticket(), _ProgressNews()

        def run() -> _Outcome:
            try:
                return _Outcome(work(news.update, ticket))
            except Exception as error:  # noqa: BLE001 - whatever goes wrong, the client gets an answer
                return _Outcome(error=error)

        async with anyio.create_task_group() as helpers:
            helpers.start_soon(_report_progress, news, context)
            try:
                outcome = await anyio.to_thread.run_sync(run, abandon_on_cancel=True, limiter=self._threads)
            finally:
                ticket.withdraw()
            helpers.cancel_scope.cancel()
        return outcome


async def _report_progress(news: _ProgressNews, context: _Context) -> None:
    """Send progress to the client during the call, if it asked for that."""
    while True:
        await anyio.sleep(_SECONDS)
        if unsent := news.unsent():
            await context.session.report_progress(unsent[0], _FULL, unsent[1])


async def _roots_of(context: _Context, params: wire.CallToolRequestParams) -> tuple[Path, ...] | None:
    """The client's folders; None where it has to be asked in the answer, as newer clients do."""
    answers = params.input_responses or {}
    if _ROOTS in answers:
        answer = answers[_ROOTS]
        return folders_of(str(each.uri) for each in answer.roots) if isinstance(answer, wire.ListRootsResult) else ()
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS

    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return None
    from mcp.shared.exceptions import MCPError

    try:
        found = await context.session.send_request(wire.ListRootsRequest(), wire.ListRootsResult)
    except MCPError:  # a client may have no roots
        return ()
    return folders_of(str(each.uri) for each in found.roots)


def _declare(tool: Tool) -> wire.Tool:
    return wire.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.takes),
        output_schema=dict(tool.gives),
        annotations=wire.ToolAnnotations(
            title=tool.title, read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )


def _failure(error: Exception | None) -> wire.CallToolResult:
    """An error as a result: one or two sentences that the model can act on."""
    if isinstance(error, CtxpackError):
        text = describe_error(error)
    else:
        sys.stderr.write("".join(traceback.format_exception(error)))
        text = f"ctxpack failed unexpectedly: {type(error).__name__}: {error}. Continue without it."
    return wire.CallToolResult(content=[wire.TextContent(text=text)], is_error=True)


def serve_pipes(service: Service) -> None:
    """Serve one client by standard input and output, until it closes them."""

    async def serve() -> None:
        server = service.server()
        async with stdio_server() as (inward, outward), anyio.create_task_group() as helpers:
            helpers.start_soon(_prepare)
            await server.run(inward, outward, server.create_initialization_options())
            helpers.cancel_scope.cancel()

    anyio.run(serve)


async def _prepare() -> None:
    """Import what calls need while nobody asks yet, so that the first one does not wait for it."""
    await anyio.to_thread.run_sync(_import_all, abandon_on_cancel=True)


def _import_all() -> None:
    from ctxpack import answer, pipeline
    from ctxpack.system.tokens import counter
    from ctxpack.workflows import passages, why_not

    _ = (answer, pipeline, passages, why_not, counter())


def serve_http(service: Service, port: int, say: Callable[[str], None]) -> None:
    """Serve clients of this machine by streamable HTTP, until the process is stopped. Raises InternalError.

    Web pages reach a server on the loopback address too, so calls with the origin of another page are refused.
    """
    import socket

    import uvicorn

    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.bind((_LOOPBACK, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise InternalError(
            f"Cannot listen on port {port}: {error.strerror}.", hint="Choose another, or 0 for any that is free."
        ) from error
    number = listener.getsockname()[1]
    hosts = [f"{host}:{number}" for host in (_LOOPBACK, "localhost")]
    security = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
    app = service.server().streamable_http_app(transport_security=security, host=_LOOPBACK)
    config = uvicorn.Config(
        _with_metrics(app, service.handler.count(), hosts), log_level="warning", access_log=False, log_config=None
    )
    say(f"Serving MCP on http://{_LOOPBACK}:{number}/mcp")
    with listener:
        uvicorn.Server(config).run(sockets=[listener])


def _with_metrics(app: _App, tally: Totals, hosts: Sequence[str]) -> _App:
    """Answer ``/metrics`` with what was counted; to nobody who reached the port by the name of another host."""

    async def answer(scope: _Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/metrics":
            await app(scope, receive, send)
            return
        is_ours = dict(scope["headers"]).get(b"host", b"").decode("latin-1") in hosts
        text = tally.text() if is_ours else "This is another host.\n"
        kind = (b"content-type", b"text/plain; version=0.0.4; charset=utf-8")
        await send({"type": "http.response.start", "status": _OK if is_ours else _MISDIRECTED, "headers": [kind]})
        await send({"type": "http.response.body", "body": text.encode("utf-8", "replace")})

    return answer
