"""Clients of the server for agents: one that writes JSON-RPC itself, and what tests share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from tests.building import retry_module
from tests.indexing import commit

SECONDS = 60  # that a busy machine may take for an answer
FILES = {
    "uploader.py": retry_module("uploader_retry"),
    "other.py": retry_module("other_retry"),
    "secret.py": 'api_key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"\n',
    "paint.py": "x = 1\n",
    "README.md": "# Shop\n\nIt uploads.\n",
    "logs/a.log": "retry\n",
    ".gitignore": "logs/\n",
}


def shop(folder: Path) -> Path:
    """A small repository below a folder."""
    commit(folder / "repo", FILES)
    return (folder / "repo").resolve()


def silent(stage: str, done: int, total: int) -> None:
    """Hear of progress without doing anything."""


class RawClient:
    """Speaks the protocol of 2025-06-18 by pipes, line by line, with nothing of the SDK."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._number = 0
        self.others: list[dict[str, Any]] = []
        """What came besides answers: notifications and questions."""
        self._answers: dict[int, Queue[dict[str, Any]]] = {}
        self.roots: list[str] | None = None
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)  # whatever is no JSON fails here: nothing but the protocol comes this way
            if "method" in message:
                self.others.append(message)
                if message["method"] == "roots/list":
                    roots = [{"uri": each} for each in self.roots or []]
                    self._send({"id": message["id"], "result": {"roots": roots}})
            else:
                self._answers[message["id"]].put(message)

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def begin(self, method: str, params: Mapping[str, Any]) -> int:
        """Ask without waiting; gives the number of the question."""
        self._number += 1
        self._answers[self._number] = Queue()
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def wait(self, number: int, seconds: float = SECONDS) -> dict[str, Any]:
        """The answer to a question."""
        return self._answers[number].get(timeout=seconds)

    def has_answer(self, number: int, seconds: float) -> bool:
        """Whether an answer comes within some seconds."""
        try:
            self._answers[number].get(timeout=seconds)
        except Empty:
            return False
        return True

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        return self.wait(self.begin(method, params))

    def tell(self, method: str, params: Mapping[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def greet(self, roots: list[str] | None = None) -> dict[str, Any]:
        self.roots = roots
        capabilities: dict[str, Any] = {} if roots is None else {"roots": {}}
        who = {"name": "raw", "version": "1"}
        params = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": who}
        answer = self.ask("initialize", params)
        self.tell("notifications/initialized", {})
        return answer

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever JSON holds
        """The result of a tool."""
        result: dict[str, Any] = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        return result


@contextmanager
def raw_client(folder: Path, *arguments: str) -> Iterator[RawClient]:
    """A server in a process of its own, started in a folder, and the client at its other end."""
    command = [sys.executable, "-m", "ctxpack", "mcp", *arguments]
    env = {name: each for name, each in os.environ.items() if name not in ("CLAUDE_PROJECT_DIR", "PLUGIN_ROOT")}
    with subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield RawClient(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(SECONDS)
