"""The skill and the plug-in keep to what their specifications ask for."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ctxpack.agents.catalogue import DESCRIPTION, MARK, NOTE, SKILL, plugin_files
from ctxpack.agents.tools import TOOLS
from ctxpack.system.version import __version__

PROJECT = Path(__file__).parent.parent.parent.parent
MANIFEST = {
    "$schema", "name", "version", "description", "author", "homepage", "repository", "license", "keywords",
    "extensions",
}  # fmt: skip
"""All that a manifest of version 1.0.0 may have: its schema is closed."""


def test_the_head_of_the_skill_is_plain_yaml_with_the_fields_of_the_specification() -> None:
    first, head, body = SKILL.split("---\n", 2)
    assert first == ""
    name, description, metadata, mark = head.splitlines()
    assert name == "name: ctxpack"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name.removeprefix("name: "))
    assert description == f"description: {DESCRIPTION}"
    assert (metadata, mark) == ("metadata:", f"  {MARK}")
    assert 1 <= len(DESCRIPTION) <= 1_024
    assert not re.search(r": | #|^[\"'>|&*!%@`{\[]", DESCRIPTION)  # what would need quotes
    assert len(body.splitlines()) <= 500


@pytest.mark.parametrize("part", ["## When", "## What to pass", "## When to stop"])
def test_the_skill_says_when_to_call_what_to_pass_and_when_to_stop(part: str) -> None:
    assert f"\n{part}\n" in SKILL
    assert "Use it once at the start" in DESCRIPTION


def test_only_tools_that_exist_are_named() -> None:
    names = {each.name for each in TOOLS}
    known = {*names, *(key for each in TOOLS for side in (each.takes, each.gives) for key in side["properties"])}
    for text in (SKILL, NOTE):
        assert set(re.findall(r"`([a-z_]+)`", text)) <= known | {"ctxpack"}


def test_the_script_writes_the_plug_in_into_a_new_folder(tmp_path: Path) -> None:
    command = [sys.executable, str(PROJECT / "scripts" / "plugin"), str(tmp_path / "plugin")]
    assert subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode == 0
    written = {each: (tmp_path / "plugin" / each).read_bytes().decode() for each in plugin_files()}
    assert written == plugin_files()
    again = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (again.returncode, again.stderr) == (1, "Name a folder that is new or empty: python scripts/plugin DIR\n")


def test_the_plug_in_keeps_to_the_specification() -> None:
    files = plugin_files()
    assert set(files) == {"plugin.json", "mcp.json", "skills/ctxpack/SKILL.md"}
    manifest, servers = json.loads(files["plugin.json"]), json.loads(files["mcp.json"])
    assert set(manifest) <= MANIFEST
    assert manifest["$schema"] == "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    assert servers["$schema"] == "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
    assert (manifest["name"], manifest["version"]) == ("ctxpack", __version__)
    assert servers["mcpServers"] == {"ctxpack": {"type": "stdio", "command": "ctxpack", "args": ["mcp"]}}
    assert files["skills/ctxpack/SKILL.md"] == SKILL
