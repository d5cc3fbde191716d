"""The index on disk, and context files in a repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.cli.conftest import Ctxpack
from tests.conftest import MakeRepository

FILES = {
    "ctxpack.toml": "[[context]]\npath = 'AGENTS.md'\nrequest = 'how retries are delayed'\nbudget = 1500\n",
    "AGENTS.md": "# Rules\n",
    "retry.py": 'def delay(attempt: int) -> int:\n    """Seconds before a retry."""\n    return 2**attempt\n',
    "README.md": "# Retries\n\nHow retries are delayed.\n",
}


def commit(root: Path) -> None:
    subprocess.run(["git", "commit", "-qam", "Change"], cwd=root, check=True)


def test_context_file_is_made_and_stays_fresh_when_it_is_committed(
    ctxpack: Ctxpack, repository: MakeRepository
) -> None:
    root = repository(FILES)
    stale = ctxpack("refresh", "--check", "--root", str(root))
    assert stale.status == 1
    assert stale.out.startswith("--- a/AGENTS.md\n+++ b/AGENTS.md\n")
    assert "Error: Out of date: AGENTS.md." in stale.err
    assert (root / "AGENTS.md").read_text() == "# Rules\n"

    assert ctxpack("refresh", "--root", str(root)).err == "updated AGENTS.md\n"
    assert "def delay" in (root / "AGENTS.md").read_text()
    assert ctxpack("refresh", "--check", "--root", str(root)).status == 0
    commit(root)
    fresh = ctxpack("refresh", "--check", "--root", str(root))
    assert (fresh.status, fresh.out) == (0, "")
    (root / "retry.py").write_text("def delay(attempt: int) -> int:\n    return 3**attempt\n")
    assert ctxpack("refresh", "--check", "--root", str(root)).status == 1


def test_whole_json_file_is_fresh_as_soon_as_it_is_made(ctxpack: Ctxpack, repository: MakeRepository) -> None:
    """What was skipped is counted in JSON: the file itself, once it is there, must not be."""
    entry = "[[context]]\npath = 'all.json'\nrequest = 'retries'\nformat = 'json'\nmarkers = false\n"
    root = repository({**FILES, "ctxpack.toml": entry})
    assert ctxpack("refresh", "--root", str(root)).err == "created all.json\n"
    fresh = ctxpack("refresh", "--check", "--root", str(root))
    assert (fresh.status, fresh.out) == (0, "")


def test_refresh_without_entries_says_what_to_write(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("refresh", "--root", str(demo))
    assert outcome.status == 2
    assert "[[context]]" in outcome.err


def test_index_is_made_shown_and_cleared(ctxpack: Ctxpack, demo: Path) -> None:
    def told(*arguments: str) -> dict[str, str]:
        outcome = ctxpack("index", *arguments, "--root", str(demo))
        assert outcome.status == 0, outcome.err
        return dict(line.split(maxsplit=1) for line in outcome.out.splitlines())

    assert told("--status")["files"] == "0"
    made = told()
    assert int(made["files"]) > 10
    assert made["fresh"] == "yes"
    assert told("--rebuild") == made
    (demo / "new.py").write_text("x = 1\n")
    assert told("--status")["fresh"].startswith("no")
    assert told("--clear")["files"] == "0"


def test_a_quiet_index_says_only_what_it_was_asked_for(ctxpack: Ctxpack, demo: Path) -> None:
    for arguments in ([], ["--rebuild"], ["--clear"]):
        outcome = ctxpack("index", *arguments, "-q", "--root", str(demo))
        assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    assert "fresh" in ctxpack("index", "--status", "-q", "--root", str(demo)).out
