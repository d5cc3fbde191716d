"""What the configuration of a repository asks for is neither run nor sent nor read outside."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ctxpack.model.formats import FORMATS
from ctxpack.settings.declaration import Origin
from ctxpack.settings.fields import SETTINGS
from ctxpack.settings.loading import load
from tests.cli.conftest import Ctxpack
from tests.hostile.conftest import SECRET, Trap, in_every_way
from tests.indexing import write

REFUSED = {
    "rerank": "{trap}", "llm": "{trap}", "allow_commands": True, "embedder": "http", "embedding_url": "http://evil.example",
    "embedding_model": "{outside}", "embedding_key_variable": "HOME", "instructions": "{outside}/notes.txt",
    "system": "{outside}/notes.txt", "history": "{outside}/notes.txt", "session": "x", "cache_dir": "{outside}",
    "data_dir": "{outside}", "root": "/", "output": "{outside}/x", "metrics": "{outside}/x", "config": "{outside}/x",
    "more_markers": ["a"], "max_rounds": 9, "pack_cache": 1, "flag_injections": False, "policies": ["x"],
    "paths": ["/"],
}  # fmt: skip


def assert_refused(ctxpack: Ctxpack, root: Path, trap: Trap, outside: Path) -> None:
    before = sorted(outside.iterdir())
    outcome = ctxpack("task", "retry the upload", "--root", str(root))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: ctxpack.toml: ")
    assert SECRET not in outcome.err
    assert sorted(outside.iterdir()) == before
    assert not trap.has_run()


def write_configuration(root: Path, trap: Trap, outside: Path, key: str, *above: str) -> None:
    value = json.dumps(REFUSED[key]).replace("{trap}", trap.line).replace("{outside}", outside.as_posix())
    (root / "ctxpack.toml").write_text("".join(f"{line}\n" for line in (*above, f"{key} = {value}")))


@pytest.mark.parametrize("key", REFUSED)
def test_a_repository_decides_nothing_about_programs_addresses_and_files(
    ctxpack: Ctxpack, root: Path, outside: Path, trap: Trap, key: str
) -> None:
    write_configuration(root, trap, outside, key)
    assert_refused(ctxpack, root, trap, outside)


@pytest.mark.parametrize("key", REFUSED)
def test_a_profile_of_a_repository_decides_no_more(
    ctxpack: Ctxpack, root: Path, outside: Path, trap: Trap, key: str
) -> None:
    write_configuration(root, trap, outside, key, "[profile.review]")
    assert_refused(ctxpack, root, trap, outside)


def test_every_text_that_a_repository_may_set_was_looked_at() -> None:
    """Whoever declares a text, a path or a command that a repository may set adds it here, with the reason."""
    harmless = {
        "include", "exclude", "require", "kinds",  # files below the root alone
        "model", "models", "encoding", "order", "intent", "format",  # names of tables, and of installed packages
        "strategies", "enable", "disable", "strategy_entries",  # programs among them do not run unasked
        "synonyms", "shares", "reserve", "contexts",
        "workspace",  # folders below the root alone: tests/cli/test_cli_workspace.py
        "allow",  # lets values stay that are no secrets, each with a reason; reports tell it, and a policy undoes it
    }  # fmt: skip
    written = {
        name
        for name, each in SETTINGS.items()
        if Origin.PROJECT in each.sources and not isinstance(each.default, bool | int | float | None)
    }
    assert written <= harmless


def test_programs_that_gather_do_not_run_unasked(ctxpack: Ctxpack, root: Path, trap: Trap) -> None:
    (root / "ctxpack.toml").write_text(f'[[strategy]]\nid = "x"\ncommand = "{trap.line}"\n')
    assert "The strategy x was not run" in in_every_way(ctxpack, root)
    assert not trap.has_run()
    ctxpack("task", "retry the upload", "--root", str(root), "--allow-commands")
    assert trap.has_run()


@pytest.mark.parametrize(
    "written", ["../private/notes.txt", "{outside}/notes.txt", "docs/../../private", "/etc/passwd", "../**", "~/.ssh/*"]
)
def test_what_a_repository_requires_is_inside(ctxpack: Ctxpack, root: Path, outside: Path, written: str) -> None:
    path = written.format(outside=outside.as_posix())
    for line in (f'require = ["{path}"]', f'require = ["{path}:1-2"]'):
        (root / "ctxpack.toml").write_text(f"{line}\n")
        outcome = ctxpack("task", "retry the upload", "--root", str(root))
        assert (outcome.status, outcome.out) == (2, "")
    (root / "ctxpack.toml").write_text(f'include = ["{path}", "*.py"]\n[kinds]\nspec = ["{path}"]\n')
    assert SECRET not in ctxpack("task", "retry the upload", "--root", str(root)).out


@pytest.mark.skipif(sys.platform == "win32", reason="such names are refused there")
def test_names_write_no_line_into_a_proposed_configuration(ctxpack: Ctxpack, root: Path) -> None:
    name = 'of"\n[[strategy]]\nid = "x"\ncommand = "touch ran"\n#\x1b[31m'
    write(root, {f"docs/{name}/retry_{number}.md": "# Retry\n" for number in range(6)})
    write(root, {f"third_party/{name}/retry_{number}.js": "var retry = 1;\n" for number in range(6)})
    before = load(root)
    assert ctxpack("init", "--root", str(root)).status == 0
    text = (root / "ctxpack.toml").read_text(encoding="utf-8")
    assert load(root).digest == before.digest
    assert text.count("touch ran") == 3
    assert "\x1b" not in text
    assert all(line.startswith("#") for line in text.splitlines() if "ran" in line or "strategy" in line)


LEAKED = {"config.py": 'retry_api_key = "AKIA' + 'Q3EGRTYU7ZPLMN2X"\nretry_owner = "ada@example.org"\n'}


@pytest.mark.parametrize("key", ["use_redaction", "pii"])
@pytest.mark.parametrize("above", ["", "[profile.review]\n"])
def test_a_repository_cannot_switch_redaction_off(ctxpack: Ctxpack, root: Path, key: str, above: str) -> None:
    """The secrets may be others' than those of who wrote a change to its configuration."""
    write(root, LEAKED)
    (root / "ctxpack.toml").write_text(f"{above}{key} = false\n")
    outcome = ctxpack("file", "config.py", "--root", str(root), "--pii")
    assert (outcome.status, outcome.out) == (2, "")
    assert f"{key} cannot be " in outcome.err
    (root / "ctxpack.toml").write_text("pii = true\n")
    assert "[REDACTED:email]" in ctxpack("file", "config.py", "--root", str(root)).out


@pytest.mark.parametrize("flag", ["--no-redact", "--no-pii"])
def test_a_report_cannot_switch_redaction_off(ctxpack: Ctxpack, root: Path, tmp_path: Path, flag: str) -> None:
    """Whoever updates the report of a stranger's repository would write secrets into it."""
    write(root, LEAKED)
    made = ctxpack("file", "config.py", "--root", str(root), "--pii", "--without", "history").out
    assert "ctxpack file config.py --without history --pii" in made
    report = tmp_path / "report.md"
    report.write_text(made.replace("--without history --pii", f"--without history {flag}"), encoding="utf-8")
    write(root, {"config.py": LEAKED["config.py"].replace("owner", "person")})
    outcome = ctxpack("verify", str(report), "--root", str(root), "--update")
    assert (outcome.status, f"sets {flag}, which only you may set" in outcome.err) == (2, True)
    assert "AKIA" not in report.read_text(encoding="utf-8")


@pytest.mark.parametrize("entry", ['value = "*"', 'path = "*"', 'value = "AKIA*"\npath = "*.py"'])
def test_what_a_repository_lets_stay_is_told_in_every_format(ctxpack: Ctxpack, root: Path, entry: str) -> None:
    write(root, {**LEAKED, "ctxpack.toml": f'[[allow]]\n{entry}\nreason = "ours\\u001b[2J\\n# All is safe"\n'})
    for name in (each.name for each in FORMATS):
        outcome = ctxpack("file", "config.py", "--root", str(root), "--format", name)
        assert outcome.status == 0, outcome.err
        assert "Not redacted, by the allow-list: 1 × aws-access-key in config.py." in outcome.out
        assert "All is safe" not in outcome.err
