"""Time the server for agents as a client sees it: greeting, first and later calls, sixteen at a time.

    python scripts/bench/serving.py ROOT [--cold]

Seconds of the wall clock, and of the processor for the whole life of the server. ``--cold`` begins without an index.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from mcp import Client
from mcp.client.stdio import StdioServerParameters

TASKS = (
    "fix the retry of a failed connection",
    "where is the configuration read and checked",
    "an error message is lost when the output is closed",
    "add a command line option for the timeout",
    "tests for parsing of paths with blanks",
)
TOGETHER = 16


async def measure(root: str, env: dict[str, str]) -> None:
    """Start a server, call it, print what each call took."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "ctxpack", "mcp", "--root", root], env=env)
    begun = time.perf_counter()
    async with Client(command) as client:
        print(f"greeting              {time.perf_counter() - begun:6.2f} s")
        for number, task in enumerate(TASKS):
            begun = time.perf_counter()
            await client.call_tool("pack_context", {"task": task})
            print(f"pack_context, call {number + 1}  {time.perf_counter() - begun:6.2f} s")
        begun = time.perf_counter()
        await client.call_tool("pack_context", {"task": TASKS[0]})
        print(f"the first one again   {time.perf_counter() - begun:6.2f} s")
        begun = time.perf_counter()
        await client.call_tool("search_code", {"query": TASKS[1]})
        print(f"search_code           {time.perf_counter() - begun:6.2f} s")
        begun = time.perf_counter()
        async with anyio.create_task_group() as group:
            for number in range(TOGETHER):
                group.start_soon(client.call_tool, "search_code", {"query": f"{TASKS[number % len(TASKS)]} {number}"})
        print(f"{TOGETHER} searches at a time {time.perf_counter() - begun:6.2f} s")


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("--cold", action="store_true")
    typed = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        env = dict(os.environ)
        if typed.cold:
            env["CTXPACK_CACHE_DIR"] = cache
        anyio.run(measure, str(Path(typed.root).resolve()), env)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor in all      {used.ru_utime + used.ru_stime:6.2f} s")


if __name__ == "__main__":
    main()
