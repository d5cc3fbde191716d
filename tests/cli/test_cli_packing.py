"""The commands that make a report, on the demo project."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ctxpack.system.tokens import counter
from tests.cli.conftest import Ctxpack
from tests.pages import read_page

TASK = "fix the retry bug in the uploader"


@pytest.mark.parametrize("form", ["markdown", "xml", "json", "plain"])
@pytest.mark.parametrize("budget", [1500, 8000])
def test_report_fits_its_budget_to_the_last_token(ctxpack: Ctxpack, demo: Path, form: str, budget: int) -> None:
    outcome = ctxpack("task", TASK, "--root", str(demo), "--format", form, "-b", str(budget))
    assert outcome.status == 0, outcome.err
    assert 0 < counter().count(outcome.out) <= budget
    assert f"of {budget:,} tokens (o200k_base)" in outcome.err


def test_task_brings_code_specification_wiki_and_readme_together(ctxpack: Ctxpack, demo: Path) -> None:
    report = ctxpack("task", TASK, "--root", str(demo)).out
    for path in ("processing/uploader.py", "docs/specs/delivery.md", "docs/wiki/retries.md", "docs/README.MD"):
        assert path in report
    assert "def send_with_retry" in report


def test_russian_request_finds_russian_page_and_english_code(ctxpack: Ctxpack, demo: Path) -> None:
    report = ctxpack("task", "события в очереди отправляются повторно", "--root", str(demo)).out
    assert "docs/wiki/queue.md" in report
    assert "processing/queue.py" in report


def test_file_brings_its_surroundings(ctxpack: Ctxpack, demo: Path) -> None:
    report = ctxpack("file", "processing/uploader.py", "--root", str(demo)).out
    for path in ("processing/uploader.py", "processing/queue.py", "utils/backoff.py", "tests/test_uploader.py"):
        assert path in report


def test_component_is_found_by_name(ctxpack: Ctxpack, demo: Path) -> None:
    report = ctxpack("component", "analytics", "--root", str(demo)).out
    assert "processing/analytics.py" in report
    assert "docs/wiki/dashboards.md" in report


def test_json_names_what_the_schema_promises(ctxpack: Ctxpack, demo: Path) -> None:
    document = json.loads(ctxpack("task", TASK, "--root", str(demo), "--style", "json").out)
    assert document["schema"] == 1
    assert set(document["tokens"]) >= {"budget", "used", "encoding"}
    assert {"path", "start_line", "end_line", "reasons", "content"} <= set(document["fragments"][0])


def test_request_comes_from_standard_input(program: Ctxpack, demo: Path) -> None:
    outcome = program("task", "-", "--root", str(demo), stdin=f"{TASK}\r\n\r\nIt is in Uploader.\r\n".encode())
    assert outcome.status == 0, outcome.err
    assert "processing/uploader.py" in outcome.out


def test_list_on_standard_input_limits_what_is_searched(program: Ctxpack, demo: Path) -> None:
    listed = b"utils/backoff.py\nutils/log.py\n"
    outcome = program("task", "delay", "--root", str(demo), "--stdin", "--no-readme", stdin=listed)
    assert outcome.status == 0, outcome.err
    assert "utils/backoff.py" in outcome.out
    assert "processing/" not in outcome.out


def test_request_that_looks_like_a_flag_stands_behind_two_dashes(ctxpack: Ctxpack, demo: Path) -> None:
    assert ctxpack("task", "--root", str(demo), "--", "--retry", "uploader").status == 0


def test_same_bytes_under_two_hash_seeds_and_from_two_folders(
    program: Ctxpack, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    first = program("task", TASK, "--root", str(demo))
    monkeypatch.setenv("PYTHONHASHSEED", "2")
    second = program("task", TASK, "--root", ".", "--no-cache", folder=demo)
    assert first.status == 0, first.err
    assert first.out == second.out


def test_dry_run_lists_pieces_without_content(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("task", TASK, "--root", str(demo), "--dry-run")
    assert outcome.status == 0, outcome.err
    assert "processing/uploader.py:" in outcome.out
    assert "uuid.uuid4" not in outcome.out
    assert " of 8,000 tokens (o200k_base)" in outcome.out


def test_explain_and_verbose_speak_on_standard_error_only(ctxpack: Ctxpack, demo: Path) -> None:
    quiet = ctxpack("task", TASK, "--root", str(demo), "-q")
    assert quiet.err == ""
    loud = ctxpack("task", TASK, "--root", str(demo), "--explain", "-v", "-b", "8000")
    assert loud.out == quiet.out
    assert "Understood as a " in loud.err
    assert "1. " in loud.err
    assert "budget = 8000 from --budget" in loud.err


def test_output_goes_to_a_file(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    outcome = ctxpack("task", TASK, "--root", str(demo), "-o", str(tmp_path / "report.md"))
    assert outcome.out == ""
    assert "report.md" in outcome.err
    assert "processing/uploader.py" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_output_is_utf8_whatever_the_terminal_says(
    program: Ctxpack, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    outcome = program("task", "очередь событий", "--root", str(demo))
    assert outcome.status == 0, outcome.err
    assert "Очередь событий" in outcome.out


def test_reader_that_goes_away_is_no_error(demo: Path) -> None:
    command = [sys.executable, "-m", "ctxpack", "task", TASK, "--root", str(demo), "-q"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_page_has_the_pieces_and_the_tokens_of_the_same_pack_as_markdown(ctxpack: Ctxpack, demo: Path) -> None:
    task = ("task", TASK, "--root", str(demo), "-b", "1500")
    markdown, page = ctxpack(*task), ctxpack(*task, "--format", "html")
    assert page.err == markdown.err
    shown = [each.attributes["data-place"] for each in read_page(page.out).all("details", class_="piece")]
    assert shown == re.findall(r"^## \d+\. `(.+?)`", markdown.out, re.MULTILINE)
    assert len(shown) > 1
    assert page.out == ctxpack(*task, "--format", "html").out  # as it was kept


def test_a_page_in_the_repository_is_no_evidence(ctxpack: Ctxpack, demo: Path) -> None:
    assert ctxpack("task", TASK, "--root", str(demo), "--format", "html", "-o", str(demo / "page.html")).status == 0
    assert "page.html" not in ctxpack("task", TASK, "--root", str(demo)).out
    assert "a report of ctxpack" in ctxpack("why-not", "page.html", TASK, "--root", str(demo)).out
