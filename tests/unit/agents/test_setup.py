"""Registrations of agents: in the right place and shape, beside what is there, and gone again without a trace."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from ctxpack.agents.catalogue import AGENT_NAMES, AGENTS, SKILL, Agent, chosen_agents
from ctxpack.agents.jsonc import parse
from ctxpack.agents.setup import plan_removal, plan_setup
from ctxpack.errors import ConfigError, UsageError
from ctxpack.workflows.refresh import save_edits
from tests.indexing import write

ENTRIES = {
    "claude": (".mcp.json", ("mcpServers",), {"type": "stdio", "command": "ctxpack", "args": ["mcp"]}),
    "codex": (".codex/config.toml", ("mcp_servers",), {"command": "ctxpack", "args": ["mcp"]}),
    "cursor": (".cursor/mcp.json", ("mcpServers",), {"command": "ctxpack", "args": ["mcp"]}),
    "vscode": (".vscode/mcp.json", ("servers",), {"type": "stdio", "command": "ctxpack", "args": ["mcp"]}),
    "gemini": (".gemini/settings.json", ("mcpServers",), {"command": "ctxpack", "args": ["mcp"]}),
    "zed": (
        ".zed/settings.json",
        ("context_servers",),
        {"source": "custom", "command": "ctxpack", "args": ["mcp"], "env": {}},
    ),
    "opencode": ("opencode.json", ("mcp",), {"type": "local", "command": ["ctxpack", "mcp"], "enabled": True}),
}
"""What the documentation of each agent wants."""

THEIRS: Mapping[str, str] = {
    ".mcp.json": '{"mcpServers": {"other": {"command": "x"}}}',
    ".codex/config.toml": '# mine\nmodel = "o"\n\n[mcp_servers.other]\ncommand = "x"  # why',
    ".cursor/mcp.json": "{}\n",
    ".vscode/mcp.json": '{\n\t// of the team\n\t"servers": {\n\t\t"other": { "command": "x" }, // kept\n\t},\n}\n',
    ".gemini/settings.json": '{\r\n  "theme": "dark"\r\n}\r\n',
    ".zed/settings.json": '// Zed\n{\n  "tab_size": 4,\n  "context_servers": {\n  }\n}\n',
    "opencode.json": "",
    "AGENTS.md": "# Rules\n\nBe kind.\n",
    "CLAUDE.md": "No line end",
    "GEMINI.md": "",
}


def snapshot(root: Path) -> dict[str, bytes]:
    return {each.relative_to(root).as_posix(): each.read_bytes() for each in sorted(root.rglob("*")) if each.is_file()}


def value_of(root: Path, agent: Agent) -> object:
    text = (root / agent.file).read_bytes().decode()
    found = tomllib.loads(text) if agent.file.endswith(".toml") else parse(text)
    for key in (*agent.table, "ctxpack"):
        found = found[key]
    return found


def test_every_agent_is_known_with_its_place_and_shape() -> None:
    assert {each.name: (each.file, each.table, dict(each.entry)) for each in AGENTS} == ENTRIES


@pytest.mark.parametrize("theirs", [{}, THEIRS], ids=["nothing there", "files of others"])
@pytest.mark.parametrize("names", [*((each,) for each in AGENT_NAMES), ("all",)], ids="-".join)
def test_setting_up_registers_and_removing_leaves_every_byte(
    tmp_path: Path, names: tuple[str, ...], theirs: Mapping[str, str]
) -> None:
    root = write(tmp_path / "repo", {"main.py": "x = 1\n", **theirs})
    before, agents = snapshot(root), chosen_agents(names)
    save_edits(root, plan_setup(root, agents))
    for agent in agents:
        assert value_of(root, agent) == agent.entry
        assert (root / agent.skill).read_text(encoding="utf-8") == SKILL
        note = (root / agent.note).read_text(encoding="utf-8")
        assert note.count("<!-- ctxpack:tools:start -->") == 1
        assert "pack_context" in note
    assert plan_setup(root, agents) == ()
    save_edits(root, plan_removal(root, agents))
    assert snapshot(root) == before
    assert {each for each in root.rglob("*") if each.is_dir() and not any(each.iterdir())} == set()
    assert plan_removal(root, agents) == ()


def test_what_was_there_stays_as_it_was_written(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", THEIRS)
    save_edits(root, plan_setup(root, AGENTS))
    vscode = (root / ".vscode/mcp.json").read_text(encoding="utf-8")
    assert vscode.startswith('{\n\t// of the team\n\t"servers": {\n\t\t"ctxpack": {\n\t\t\t"type": "stdio",\n')
    assert '\t\t"other": { "command": "x" }, // kept\n' in vscode
    assert (root / ".codex/config.toml").read_text(encoding="utf-8").startswith(THEIRS[".codex/config.toml"])
    assert (root / ".gemini/settings.json").read_bytes().count(b"\r\n") == (
        (root / ".gemini/settings.json").read_bytes().count(b"\n")
    )


def test_what_somebody_changed_since_is_kept(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {"main.py": "x = 1\n"})
    agents = chosen_agents(["claude"])
    save_edits(root, plan_setup(root, agents))
    place = root / ".mcp.json"
    changed = json.loads(place.read_text(encoding="utf-8"))
    changed["mcpServers"]["other"] = {"command": "x"}
    place.write_text(json.dumps(changed), encoding="utf-8")
    note = root / "CLAUDE.md"
    note.write_text(note.read_text(encoding="utf-8") + "\nAnd mine.\n", encoding="utf-8")
    save_edits(root, plan_removal(root, agents))
    assert json.loads(place.read_text(encoding="utf-8")) == {"mcpServers": {"other": {"command": "x"}}}
    assert note.read_text(encoding="utf-8") == "\nAnd mine.\n"


def test_an_entry_of_somebody_is_neither_changed_nor_removed(tmp_path: Path) -> None:
    own = '{"mcpServers": {"ctxpack": {"command": "uvx", "args": ["ctxpack", "mcp"]}}}'
    toml = '[mcp_servers.ctxpack]\ncommand = "uvx"\n'
    root = write(tmp_path / "repo", {".mcp.json": own, ".codex/config.toml": toml})
    agents = chosen_agents(["claude,codex"])
    save_edits(root, plan_setup(root, agents))
    save_edits(root, plan_removal(root, agents))
    assert snapshot(root) == {".mcp.json": own.encode(), ".codex/config.toml": toml.encode()}


def test_what_agents_share_stays_until_the_last_one_goes(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {"main.py": "x = 1\n"})
    save_edits(root, plan_setup(root, chosen_agents(["codex", "cursor"])))
    save_edits(root, plan_removal(root, chosen_agents(["codex"])))
    assert set(snapshot(root)) == {"main.py", ".cursor/mcp.json", ".agents/skills/ctxpack/SKILL.md", "AGENTS.md"}
    save_edits(root, plan_removal(root, chosen_agents(["cursor"])))
    assert set(snapshot(root)) == {"main.py"}


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_two_notes_that_are_one_file_are_written_once_and_a_link_leads_nowhere_else(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {"AGENTS.md": "# Rules\n"})
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    agents = chosen_agents(["claude", "codex"])
    save_edits(root, plan_setup(root, agents))
    assert (root / "AGENTS.md").read_text(encoding="utf-8").count("ctxpack:tools:start") == 1
    save_edits(root, plan_removal(root, chosen_agents(["claude"])))
    assert "ctxpack:tools:start" in (root / "AGENTS.md").read_text(encoding="utf-8")
    save_edits(root, plan_removal(root, chosen_agents(["codex"])))
    assert (root / "AGENTS.md").read_text(encoding="utf-8") == "# Rules\n"
    assert (root / "CLAUDE.md").is_symlink()
    (root / "GEMINI.md").symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(UsageError, match=r"GEMINI\.md points outside the repository"):
        plan_setup(root, chosen_agents(["gemini"]))


def test_an_older_note_and_skill_are_replaced(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {"AGENTS.md": "# Rules\n"})
    agents = chosen_agents(["codex"])
    save_edits(root, plan_setup(root, agents))
    fresh = snapshot(root)
    for path in ("AGENTS.md", ".agents/skills/ctxpack/SKILL.md"):
        place = root / path
        place.write_text(place.read_text(encoding="utf-8").replace("pack_context", "older"), encoding="utf-8")
    save_edits(root, plan_setup(root, agents))
    assert snapshot(root) == fresh


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        (".mcp.json", '{"mcpServers": ', r"\.mcp\.json is not valid JSON: a missing value in line 1"),
        (".mcp.json", '{"mcpServers": []}', r"\.mcp\.json is not valid JSON: mcpServers is not an object"),
        (".mcp.json", "[]", "it is not an object"),
        (".mcp.json", "{} {}", "text after the end in line 1"),
        ("CLAUDE.md", "<!-- ctxpack:tools:start -->\n", "CLAUDE.md must hold"),
    ],
)
def test_a_file_that_cannot_be_understood_is_left_alone(tmp_path: Path, path: str, text: str, said: str) -> None:
    root = write(tmp_path / "repo", {path: text})
    with pytest.raises(UsageError, match=said):
        plan_setup(root, chosen_agents(["claude"]))


def test_toml_that_is_none_is_left_alone(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {".codex/config.toml": "model = \n"})
    with pytest.raises(ConfigError, match=r"config\.toml is not valid TOML"):
        plan_setup(root, chosen_agents(["codex"]))
    write(root, {".codex/config.toml": 'mcp_servers = { other = { command = "x" } }\n'})
    with pytest.raises(ConfigError, match=r"config\.toml is not valid TOML"):
        plan_setup(root, chosen_agents(["codex"]))


def test_a_skill_of_somebody_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = ".claude/skills/ctxpack/SKILL.md"
    root = write(tmp_path / "repo", {path: "---\nname: ctxpack\n---\nMine.\n"})
    agents = chosen_agents(["claude"])
    with pytest.raises(UsageError, match="is not from ctxpack"):
        plan_setup(root, agents)
    assert any(each.path == path for each in plan_setup(root, agents, force=True))


def test_names_of_agents() -> None:
    assert chosen_agents(["all"]) == AGENTS
    assert [each.name for each in chosen_agents(["Zed, claude"])] == ["claude", "zed"]
    with pytest.raises(UsageError, match="There is no agent 'claud'") as caught:
        chosen_agents(["claud"])
    assert caught.value.hint == "Did you mean claude?"
