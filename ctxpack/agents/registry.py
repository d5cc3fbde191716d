"""The agents, and where each of them looks: the file of its servers, its skills, and the note that it always reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ctxpack.agents.texts import NAME
from ctxpack.errors import UsageError, did_you_mean
from ctxpack.light import dataclass

ALL_AGENTS: Final = "all"
_COMMAND, _ARGUMENTS = "ctxpack", ["mcp"]
_PLAIN: Final = {"command": _COMMAND, "args": _ARGUMENTS}
_TYPED: Final = {"type": "stdio", **_PLAIN}
_SHARED_SKILLS: Final = ".agents/skills"
_SHARED_NOTE: Final = "AGENTS.md"


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent and its files, relative to the repository. ``table`` is where servers are listed, ``entry`` ours.

    ``next`` says what its user does now, if the agent does not simply find it.
    """

    name: str
    title: str
    file: str
    table: tuple[str, ...]
    entry: Mapping[str, Any]
    skills: str = _SHARED_SKILLS
    note: str = _SHARED_NOTE
    next: str = ""

    @property
    def skill(self) -> str:
        """The file of the skill."""
        return f"{self.skills}/{NAME}/SKILL.md"


AGENTS: Final = (
    Agent(
        "claude", "Claude Code", ".mcp.json", ("mcpServers",), _TYPED, ".claude/skills", "CLAUDE.md",
        "Claude Code asks once whether it may use the server of the project.",
    ),
    Agent(
        "codex", "Codex", ".codex/config.toml", ("mcp_servers",), _PLAIN,
        next="Codex reads the file of a project that you trust.",
    ),
    Agent(
        "cursor", "Cursor", ".cursor/mcp.json", ("mcpServers",), _PLAIN, next="Enable the server in Cursor's settings.",
    ),
    Agent(
        "vscode", "VS Code", ".vscode/mcp.json", ("servers",), _TYPED,
        next="VS Code asks whether it may start the server.",
    ),
    Agent("gemini", "Gemini CLI", ".gemini/settings.json", ("mcpServers",), _PLAIN, note="GEMINI.md"),
    Agent(
        "zed", "Zed", ".zed/settings.json", ("context_servers",), {"source": "custom", **_PLAIN, "env": {}},
        next="Zed asks whether it may start the server of a project.",
    ),
    Agent(
        "opencode", "opencode", "opencode.json", ("mcp",),
        {"type": "local", "command": [_COMMAND, *_ARGUMENTS], "enabled": True},
    ),
)  # fmt: skip
AGENT_NAMES: Final = tuple(each.name for each in AGENTS)


def chosen_agents(names: Iterable[str]) -> tuple[Agent, ...]:
    """Return the agents of some names, ``all`` for every one. Raises UsageError for a name that is none."""
    wanted = [each.strip().lower() for name in names for each in name.split(",") if each.strip()]
    for name in wanted:
        if name not in (*AGENT_NAMES, ALL_AGENTS):
            hint = did_you_mean(name, AGENT_NAMES) or f"Known names: {', '.join(AGENT_NAMES)} and all."
            raise UsageError(f"There is no agent {name!r}.", hint=hint)
    return AGENTS if ALL_AGENTS in wanted else tuple(each for each in AGENTS if each.name in wanted)
