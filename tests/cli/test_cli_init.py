"""The commands of first steps: init and config."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxpack.settings.loading import load
from tests.cli.conftest import Ctxpack
from tests.indexing import write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    vendored = {f"third_party/lib/part{number}.js": "var a = 1;\n" for number in range(6)}
    files = {"src/app.py": "def run():\n    return 1\n", "docs/use.md": "# Use\n", "tests/test_app.py": "x = 1\n"}
    return write(tmp_path / "repo", {**files, **vendored})


def test_a_proposal_is_comments_about_this_repository_and_changes_no_pack(ctxpack: Ctxpack, root: Path) -> None:
    before = load(root)
    outcome = ctxpack("init", "--root", str(root))
    assert outcome.status == 0, outcome.err
    text = (root / "ctxpack.toml").read_text(encoding="utf-8")
    after = load(root)
    assert after.digest == before.digest
    assert [(each.path, each.budget) for each in after.contexts] == [("AGENTS.md", 2_000)]
    assert "#   code           " in text
    assert "in docs" in text
    assert '# exclude = ["third_party/lib/**"]' in text
    assert "# docs = 0.6 " in text


def test_what_the_comments_propose_is_understood(ctxpack: Ctxpack, root: Path) -> None:
    ctxpack("init", "--root", str(root))
    lines = (root / "ctxpack.toml").read_text(encoding="utf-8").splitlines()
    bare = [line.removeprefix("# ") if " = " in line or line.startswith("# [") else line for line in lines]
    (root / "ctxpack.toml").write_text("\n".join(bare) + "\n", encoding="utf-8")
    settings = load(root)
    assert settings.budget == 16_000
    assert settings.exclude == ("third_party/lib/**",)
    assert settings.shares == {"docs": 0.6, "tests": 0.25, "config": 0.2}


def test_a_configuration_is_never_replaced_unless_it_is_asked_for(ctxpack: Ctxpack, root: Path) -> None:
    write(root, {"pyproject.toml": '[tool.ctxpack]\nbudget = "4k"\n'})
    outcome = ctxpack("init", "--root", str(root))
    assert (outcome.status, (root / "ctxpack.toml").exists()) == (2, False)
    assert "There is a configuration already: pyproject.toml [tool.ctxpack]." in outcome.err
    shown = ctxpack("init", "--root", str(root), "--dry-run")
    assert "[[context]]" in shown.out
    assert not (root / "ctxpack.toml").exists()
    write(root, {"ctxpack.toml": 'budget = "4k"\n'})
    assert ctxpack("init", "--root", str(root)).status == 2
    assert (root / "ctxpack.toml").read_text(encoding="utf-8") == 'budget = "4k"\n'
    assert ctxpack("init", "--root", str(root), "--force").status == 0
    assert "[[context]]" in (root / "ctxpack.toml").read_text(encoding="utf-8")


def test_agents_are_registered_shown_and_removed(ctxpack: Ctxpack, root: Path) -> None:
    shown = ctxpack("init", "--agent", "claude", "--root", str(root), "--dry-run")
    assert "+++ b/.mcp.json" in shown.out
    assert not (root / ".mcp.json").exists()
    done = ctxpack("init", "--agent", "claude", "--root", str(root))
    assert done.status == 0
    assert done.err.splitlines() == [
        "created .claude/skills/ctxpack/SKILL.md",
        "created .mcp.json",
        "created CLAUDE.md",
        "Claude Code asks once whether it may use the server of the project.",
    ]
    assert ctxpack("init", "--agent", "claude", "--root", str(root)).err == "Everything is already set up.\n"
    gone = ctxpack("init", "--agent", "all", "--remove", "--root", str(root))
    assert "removed .mcp.json\n" in gone.err
    assert not (root / ".claude").exists()
    again = ctxpack("init", "--agent", "all", "--remove", "--root", str(root))
    assert again.err == "There is nothing to remove.\n"


def test_what_is_typed_wrong_is_told(ctxpack: Ctxpack, root: Path) -> None:
    assert "--remove needs --agent." in ctxpack("init", "--remove", "--root", str(root)).err
    assert "Did you mean cursor?" in ctxpack("init", "--agent", "curser", "--root", str(root)).err
    assert "Did you mean show?" in ctxpack("config", "shwo", "--root", str(root)).err


def test_settings_are_shown_with_where_they_come_from(ctxpack: Ctxpack, root: Path) -> None:
    write(root, {"ctxpack.toml": 'budget = "4k"\nexclude = ["a/**"]\n'})
    plain = ctxpack("config", "show", "--root", str(root)).out.splitlines()
    assert "budget = 4000" in plain
    told = ctxpack("config", "show", "--origin", "--root", str(root)).out.splitlines()
    assert "budget = 4000  # ctxpack.toml" in told
    assert 'exclude = ["a/**"]  # ctxpack.toml' in told
    assert "around = 20  # the default" in told
    data = json.loads(ctxpack("config", "show", "--root", str(root), "--format", "json").out)
    assert data["schema"] == 1
    assert data["settings"]["budget"] == {"value": 4_000, "origin": "ctxpack.toml"}


def test_a_check_says_whether_the_configuration_is_in_order(ctxpack: Ctxpack, root: Path) -> None:
    good = ctxpack("config", "check", "--root", str(root))
    assert (good.status, good.out) == (0, f"The configuration of {root.resolve()} is in order.\n")
    write(root, {"ctxpack.toml": "budgte = 3\n"})
    bad = ctxpack("config", "check", "--root", str(root))
    assert bad.status == 2
    assert "Did you mean 'budget'?" in bad.err
