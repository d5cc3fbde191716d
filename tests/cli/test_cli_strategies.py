"""The strategies command, and the flags that choose among them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ctxpack.settings.sources import user_file
from tests.cli.conftest import Ctxpack
from tests.commanding import command_of

TASK = "fix the retry bug in the uploader"


def listed(text: str) -> dict[str, dict[str, object]]:
    return {each["id"]: each for each in json.loads(text)["strategies"]}


def test_the_list_is_a_table_with_state_limits_and_origin(ctxpack: Ctxpack, demo: Path) -> None:
    ctxpack("task", TASK, "--root", str(demo))
    outcome = ctxpack("strategies", "--without", "tests", "--root", str(demo))
    assert (outcome.status, outcome.err) == (0, "")
    head, *rows = outcome.out.splitlines()
    assert head.split() == [
        "strategy", "state", "serves", "priority", "tokens", "seconds", "last", "took", "what", "it", "brings",
    ]  # fmt: skip
    cells = {row.split()[0]: row for row in rows}
    assert "off (--without)" in cells["tests"]
    assert "on with a line or symbol" in cells["cursor"]
    assert "1,500" in cells["conventions"]
    assert " ms " in cells["search"]
    assert " ms " not in cells["component"]


def test_the_json_holds_what_the_design_promises(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("strategies", "--format", "json", "--enable", "conventions", "-b", "1k", "--root", str(demo))
    document = json.loads(outcome.out)
    assert document["schema"] == 1
    found = listed(outcome.out)
    assert set(found["search"]) >= {"id", "name", "priority", "max_tokens", "timeout_s", "enabled", "state"}
    assert (found["conventions"]["state"], found["conventions"]["max_tokens"]) == ("on", 1000)
    assert (found["search"]["enabled"], found["search"]["origin"]) == (True, None)
    priorities = [each["priority"] for each in document["strategies"]]
    assert priorities == sorted(priorities, reverse=True)


def test_another_form_is_refused(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("strategies", "--format", "xml", "--root", str(demo))
    assert (outcome.status, "must be plain or json" in outcome.err) == (2, True)


def test_a_report_is_gathered_by_what_was_chosen(ctxpack: Ctxpack, demo: Path) -> None:
    report = json.loads(ctxpack("task", TASK, "--without", "readme", "--format", "json", "--root", str(demo)).out)
    assert {each["strategy"] for each in report["fragments"]} == {"search"}
    report = json.loads(
        ctxpack(
            "task", TASK, "--strategies", "readme", "--with", "conventions", "--style=json", "--root", str(demo)
        ).out
    )
    assert {each["strategy"] for each in report["fragments"]} == {"readme", "conventions"}


def test_the_tree_is_a_strategy_too(ctxpack: Ctxpack, demo: Path) -> None:
    whole = ctxpack("task", TASK, "--root", str(demo)).out
    assert "- Layout: " in whole
    for flags in (("--without", "tree"), ("--strategies", "search"), ("--no-tree",)):
        assert "- Layout: " not in ctxpack("task", TASK, *flags, "--root", str(demo)).out


@pytest.mark.parametrize("flag", ["--strategies", "--enable"])
def test_an_unknown_name_is_a_mistake(ctxpack: Ctxpack, demo: Path, flag: str) -> None:
    outcome = ctxpack("task", TASK, flag, "serch", "--root", str(demo))
    assert outcome.status == 2
    assert outcome.err == "Error: There is no strategy 'serch'.\nHint: Did you mean search?\n"


def test_a_program_of_the_repository_needs_to_be_trusted(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    mark = tmp_path / "it-ran"
    command = command_of(tmp_path / "tools", f"open({str(mark)!r}, 'w').close()")
    (demo / "ctxpack.toml").write_text(f"[[strategy]]\nid = 'tool'\ncommand = '''{command}'''\n", encoding="utf-8")
    outcome = ctxpack("task", TASK, "--root", str(demo))
    assert outcome.status == 0
    assert "Note: The strategy tool was not run" in outcome.err
    assert not mark.exists()
    assert ctxpack("task", TASK, "--allow-commands", "--root", str(demo)).status == 0
    assert mark.exists()


def test_a_program_of_the_users_own_runs(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    code = "print(json.dumps({'path': 'AGENTS.md', 'start_line': 1, 'end_line': 1, 'reason': 'ticket'}))"
    own = user_file(os.environ)
    own.parent.mkdir(parents=True)
    own.write_text(f"[[strategy]]\nid = 'tool'\ncommand = '''{command_of(tmp_path, code)}'''\n", encoding="utf-8")
    outcome = ctxpack("task", TASK, "--format", "json", "--strategies", "tool", "--root", str(demo))
    assert [each["strategy"] for each in json.loads(outcome.out)["fragments"]] == ["tool"]
    assert "(from python" in ctxpack("strategies", "--root", str(demo)).out
