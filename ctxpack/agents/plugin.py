"""An Agent Plugin, version 1.0.0 of its specification: a folder with a manifest, the skill and the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ctxpack.agents.jsonc import pretty
from ctxpack.agents.texts import NAME, SKILL
from ctxpack.system.version import __version__

_SCHEMAS: Final = "https://agent-plugins.org/schemas/1.0.0"


def plugin_files() -> Mapping[str, str]:
    """Return the files of the folder, by their path in it."""
    manifest = {
        "$schema": f"{_SCHEMAS}/plugin.schema.json",
        "name": NAME,
        "version": __version__,
        "description": "Finds the parts of a repository that a task needs, within a token budget, and says why.",
        "license": "MIT",
        "keywords": ["context", "search", "repository", "tokens"],
    }
    servers = {
        "$schema": f"{_SCHEMAS}/mcp.schema.json",
        "mcpServers": {NAME: {"type": "stdio", "command": "ctxpack", "args": ["mcp"]}},
    }
    return {
        "plugin.json": f"{pretty(manifest)}\n",
        "mcp.json": f"{pretty(servers)}\n",
        f"skills/{NAME}/SKILL.md": SKILL,
    }
