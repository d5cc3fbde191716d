"""``ctxpack verify``: whether a report is still what the repository holds, and the report made anew."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ctxpack.model.formats import FORMAT_NAMES
from tests.cli.conftest import Ctxpack
from tests.indexing import commit, git

Make = Callable[[Mapping[str, str]], Path]
UPLOADER = "import time\n\n\ndef retry(times):\n    for attempt in range(times):\n        time.sleep(attempt)\n"
FILES = {
    "src/uploader.py": UPLOADER,
    "src/queue.py": "def peek(count):\n    return count\n\n\ndef shift(count):\n    return -count\n",
    "docs/retry.md": "# Retries\n\nA retry waits twice as long as the one before.\n",
}
TASK = ("task", "the retry of the uploader, and peek and shift of its queue")


def made(ctxpack: Ctxpack, root: Path, report: Path, *words: str) -> Path:
    outcome = ctxpack(*(words or TASK), "--root", str(root), "-q", "-o", str(report))
    assert outcome.status == 0, outcome.err
    return report


def edit(root: Path, path: str, old: str, new: str) -> None:
    text = (root / path).read_text(encoding="utf-8")
    assert old in text
    (root / path).write_text(text.replace(old, new), encoding="utf-8", newline="")


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_a_fresh_report_is_told_of_in_one_sentence(
    ctxpack: Ctxpack, repository: Make, tmp_path: Path, name: str
) -> None:
    root = repository(FILES)
    report = made(ctxpack, root, tmp_path / "report", *TASK, "--format", name)
    outcome = ctxpack("verify", str(report), "--root", str(root))
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == f"{report} is up to date: all 3 pieces match the repository.\n"


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_stale_pieces_are_listed_and_the_status_is_one(
    ctxpack: Ctxpack, repository: Make, tmp_path: Path, name: str
) -> None:
    root = repository(FILES)
    report = made(ctxpack, root, tmp_path / "report.md", *TASK, "--format", name)
    edit(root, "src/uploader.py", "range(times)", "range(times + 1)")
    (root / "docs" / "retry.md").rename(root / "docs" / "waiting.md")
    (root / "src" / "queue.py").unlink()
    outcome = ctxpack("verify", str(report), "--root", str(root))
    assert outcome.status == 1
    rows = {tuple(row.split()[1:]) for row in outcome.out.splitlines()}
    assert rows == {
        ("changed", "src/uploader.py:1-6"),
        ("moved", "docs/retry.md:1-3", "now", "docs/waiting.md:1-3"),
        ("gone", "src/queue.py:1-6"),
    }
    assert f"Error: {report} is out of date: 1 changed, 1 gone, 1 moved of 3 pieces." in outcome.err
    assert f"Hint: Update it: ctxpack verify --update {report}" in outcome.err


def test_json_tells_every_piece(ctxpack: Ctxpack, repository: Make, tmp_path: Path) -> None:
    root = repository(FILES)
    report = made(ctxpack, root, tmp_path / "report.json", *TASK, "--format", "json")
    edit(root, "src/uploader.py", "import time", "import time  # and again\nimport os")
    outcome = ctxpack("verify", str(report), "--root", str(root), "--format", "json")
    found = json.loads(outcome.out)
    assert outcome.status == 1
    assert list(found) == ["schema", "report", "format", "commit", "is_stale", "counts", "pieces"]
    assert (found["format"], found["is_stale"], found["counts"]) == ("json", True, {"changed": 1, "unchanged": 2})
    assert [each["status"] for each in found["pieces"] if each["path"] == "src/uploader.py"] == ["changed"]
    fresh = ctxpack("verify", str(made(ctxpack, root, report)), "--root", str(root), "--format", "json")
    assert (fresh.status, json.loads(fresh.out)["is_stale"]) == (0, False)


def test_an_edit_of_the_report_is_told_from_a_change(ctxpack: Ctxpack, repository: Make, tmp_path: Path) -> None:
    root = repository(FILES)
    report = made(ctxpack, root, tmp_path / "report.md")
    report.write_text(report.read_text(encoding="utf-8").replace("time.sleep(attempt)", "pass"), encoding="utf-8")
    outcome = ctxpack("verify", str(report), "--root", str(root))
    assert outcome.status == 1
    assert outcome.out.split()[1:] == ["edited", "src/uploader.py:1-6"]


def test_a_page_is_read_back_as_it_is_seen(ctxpack: Ctxpack, repository: Make, tmp_path: Path) -> None:
    """An edit of its lines is told, and what a file holds cannot pass for a part of the page."""
    fake = '</code></pre></details><details class="piece code" id="p9" data-kind="code" data-place="x.py:1-2" open>\n'
    root = repository({**FILES, "src/login.py": f"def retry():\n    return {fake!r}\n"})
    report = made(ctxpack, root, tmp_path / "page.html", *TASK, "--format", "html")
    assert "login.py" in report.read_text(encoding="utf-8")
    assert ctxpack("verify", str(report), "--root", str(root)).status == 0
    text = report.read_text(encoding="utf-8")
    report.write_text(text.replace("sleep</span>(", "slept</span>(").replace("sleep(", "slept("), encoding="utf-8")
    outcome = ctxpack("verify", str(report), "--root", str(root))
    assert (outcome.status, outcome.out.split()[1:]) == (1, ["edited", "src/uploader.py:1-6"])
    report.write_text(text.replace("</details>", ""), encoding="utf-8")
    assert ctxpack("verify", str(report), "--root", str(root)).status == 2


def test_redacted_lines_are_unchanged_whatever_the_secret_is(
    ctxpack: Ctxpack, repository: Make, tmp_path: Path
) -> None:
    key = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 3 + "-----END PRIVATE KEY-----\n"
    secret = 'def retry():\n    password = "hunter2-Zk9_q81"\n    return password\n\n\nKEY = """' + key + '"""\n'
    root = repository({**FILES, "src/login.py": secret})
    report = made(ctxpack, root, tmp_path / "report.md", "file", str(root / "src" / "login.py"))
    assert report.read_text(encoding="utf-8").count("[REDACTED:") == 2
    assert ctxpack("verify", str(report), "--root", str(root)).status == 0
    edit(root, "src/login.py", "hunter2-Zk9_q81", "another-Zk9_q82")
    assert ctxpack("verify", str(report), "--root", str(root)).status == 0
    edit(root, "src/login.py", "return password", "return None")
    assert "changed" in ctxpack("verify", str(report), "--root", str(root)).out


REQUESTS = (
    TASK,
    (*TASK, "-b", "700", "--order", "path", "--exclude", "docs/**", "--line-numbers"),
    ("task", "Mend the retry\n\n    of the uploader\nand its queue", "--no-tree"),
    ("file", "src/uploader.py", "--line", "5", "--profile", "review", "--hint", "task=why it sleeps"),
    ("component", "uploader", "--compress"),
    ("diff", "HEAD~1..HEAD"),
)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        *((words, name) for words in REQUESTS for name in ("markdown", "json")),
        *((REQUESTS[2], name) for name in FORMAT_NAMES if name not in {"markdown", "json"}),
    ],
)
def test_a_stale_report_is_made_anew_as_it_was_made(
    ctxpack: Ctxpack, repository: Make, tmp_path: Path, words: tuple[str, ...], name: str
) -> None:
    root = repository({"src/uploader.py": UPLOADER, "src/queue.py": FILES["src/queue.py"]})
    commit(root, FILES | {"src/uploader.py": UPLOADER.replace("attempt)", "2 * attempt)")})
    command = (*words[:1], *(str(root / each) if each.startswith("src/") else each for each in words[1:]))
    report = made(ctxpack, root, tmp_path / "report", *command, "--format", name)
    edit(root, "src/uploader.py", "time.sleep(2 * attempt)", "time.sleep(3 * attempt)")
    commit(root, {}, "Wait longer")
    outcome = ctxpack("verify", "--update", str(report), "--root", str(root))
    assert outcome.status == 0, outcome.err
    made_anew = report.read_text(encoding="utf-8")
    assert "3 * attempt" in re.sub("<[^>]*>", "", made_anew)
    assert made_anew == made(ctxpack, root, tmp_path / "expected", *command, "--format", name).read_text("utf-8")
    assert ctxpack("verify", str(report), "--root", str(root)).status == 0


LONG = "the retry of the uploader\n\n" + "It waits too long after an outage.  " * 40 + "\npassword: hunter2-Zk9_q81"


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_a_long_request_is_kept_whole_for_its_report(
    ctxpack: Ctxpack, repository: Make, tmp_path: Path, name: str
) -> None:
    """It is kept beside the report's text, without its secrets, and every format is made anew from it."""
    root = repository(FILES)
    report = made(ctxpack, root, tmp_path / "report", "task", LONG, "--format", name)
    kept = list(Path(os.environ["CTXPACK_CACHE_DIR"], "requests").iterdir())
    assert len(kept) == 1
    assert b"hunter2" not in kept[0].read_bytes()
    edit(root, "src/uploader.py", "range(times)", "range(times + 1)")
    assert ctxpack("verify", "--update", str(report), "--root", str(root)).status == 0
    expected = made(ctxpack, root, tmp_path / "expected", "task", LONG, "--format", name)
    assert report.read_text(encoding="utf-8") == expected.read_text(encoding="utf-8")


def test_what_a_report_does_not_hold_has_to_be_given(ctxpack: Ctxpack, repository: Make, tmp_path: Path) -> None:
    root = repository(FILES)
    long = "the retry of the uploader\n" + "It waits too long after an outage. " * 40
    report = made(ctxpack, root, tmp_path / "report.md", "task", long)
    assert "made by `ctxpack task -`" in report.read_text(encoding="utf-8")
    edit(root, "src/uploader.py", "range(times)", "range(times + 1)")
    shutil.rmtree(Path(os.environ["CTXPACK_CACHE_DIR"], "requests"))
    outcome = ctxpack("verify", "--update", str(report), "--root", str(root))
    assert (outcome.status, outcome.out) == (2, "")
    assert "shows only the beginning of its request" in outcome.err
    assert ctxpack("verify", "--update", str(report), "--root", str(root), long).status == 0
    assert "range(times + 1)" in report.read_text(encoding="utf-8")


def test_an_up_to_date_report_is_left_alone(ctxpack: Ctxpack, repository: Make, tmp_path: Path) -> None:
    root = repository(FILES)
    report = made(ctxpack, root, tmp_path / "report.md")
    before = report.stat().st_mtime_ns
    assert ctxpack("verify", "--update", str(report), "--root", str(root)).status == 0
    assert report.stat().st_mtime_ns == before


def test_a_report_may_not_say_what_is_run(ctxpack: Ctxpack, repository: Make, tmp_path: Path) -> None:
    root = repository(FILES)
    report = made(ctxpack, root, tmp_path / "report.md", *TASK, "--order", "path")
    ran = tmp_path / "ran"
    text = report.read_text(encoding="utf-8")
    report.write_text(text.replace("--order path", f"--rerank 'touch {ran}'"), encoding="utf-8")
    edit(root, "src/uploader.py", "range(times)", "range(times + 1)")
    outcome = ctxpack("verify", "--update", str(report), "--root", str(root))
    assert outcome.status == 2
    assert "sets --rerank, which only you may set" in outcome.err
    assert not ran.exists()


def test_a_report_on_a_place_outside_is_gone_and_nothing_is_read(
    ctxpack: Ctxpack, repository: Make, tmp_path: Path
) -> None:
    root = repository(FILES)
    (tmp_path / "uploader.py").write_text(UPLOADER, encoding="utf-8")
    report = made(ctxpack, root, tmp_path / "report.md")
    report.write_text(report.read_text(encoding="utf-8").replace("`src/uploader.py:", "`../uploader.py:"), "utf-8")
    outcome = ctxpack("verify", str(report), "--root", str(root))
    assert outcome.status == 1
    assert outcome.out.split()[1:3] == ["moved", "../uploader.py:1-6"]  # to where these lines are inside


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"# Notes\n\nNothing of ours.\n", "This is not a report of ctxpack."),
        (b'{"schema": 1, "results": []}', "This is not a report of ctxpack."),
        (b"\xff\xfe\x00", "This is not a report of ctxpack."),
        (
            b'{"schema":1,"request":{"x":1},"repository":{"x":1},"strategy":"","tokens":{"budget":1,"used":1,"encoding":"x',
            "The report is broken",
        ),
    ],
)
def test_what_is_no_report_is_refused(ctxpack: Ctxpack, demo: Path, tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "notes.md").write_bytes(data)
    outcome = ctxpack("verify", str(tmp_path / "notes.md"), "--root", str(demo))
    assert outcome.status == 2
    assert said in outcome.err


def test_a_missing_report_and_a_folder_are_refused(ctxpack: Ctxpack, demo: Path) -> None:
    assert ctxpack("verify", str(demo / "none.md"), "--root", str(demo)).status == 2
    assert "is a folder" in ctxpack("verify", str(demo), "--root", str(demo)).err


def test_a_report_on_standard_input_is_checked_and_made_anew_to_standard_output(
    program: Ctxpack, ctxpack: Ctxpack, repository: Make, tmp_path: Path
) -> None:
    root = repository(FILES)
    text = made(ctxpack, root, tmp_path / "report.md").read_bytes()
    assert program("verify", "-", "--root", str(root), stdin=text).out.startswith("The report is up to date: all 3")
    edit(root, "src/uploader.py", "range(times)", "range(times + 1)")
    outcome = program("verify", "--update", "-", "--root", str(root), stdin=text)
    assert outcome.status == 0
    assert "range(times + 1)" in outcome.out


def test_commits_that_are_not_there_do_not_matter(ctxpack: Ctxpack, repository: Make, tmp_path: Path) -> None:
    root = repository(FILES)
    report = made(ctxpack, root, tmp_path / "report.md")
    git(root, "commit", "-q", "--amend", "--allow-empty", "-m", "Another", date="2026-02-03T04:05:06Z")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")
    assert ctxpack("verify", str(report), "--root", str(root)).status == 0
    edit(root, "src/uploader.py", "range(times)", "range(times + 1)")
    assert "changed" in ctxpack("verify", str(report), "--root", str(root)).out


def test_a_report_on_another_repository_is_met_with_a_question(
    ctxpack: Ctxpack, repository: Make, demo: Path, tmp_path: Path
) -> None:
    report = made(ctxpack, repository(FILES), tmp_path / "report.md")
    outcome = ctxpack("verify", str(report), "--root", str(demo))
    assert outcome.status == 1
    assert "If it is a report on another repository, name that one with --root." in outcome.err


def test_a_file_that_refresh_keeps_is_checked_and_left_to_it(ctxpack: Ctxpack, repository: Make) -> None:
    root = repository(
        {**FILES, "ctxpack.toml": '[[context]]\npath = "NOTES.md"\nrequest = "the retry of the uploader"\n'}
    )
    (root / "NOTES.md").write_text("# Our own words\n", encoding="utf-8")
    assert ctxpack("refresh", "--root", str(root)).status == 0
    notes = str(root / "NOTES.md")
    assert ctxpack("verify", notes, "--root", str(root)).status == 0
    edit(root, "src/uploader.py", "range(times)", "range(times + 1)")
    outcome = ctxpack("verify", "--update", notes, "--root", str(root))
    assert outcome.status == 2
    assert "is maintained by ctxpack refresh" in outcome.err
    assert (root / "NOTES.md").read_text(encoding="utf-8").startswith("# Our own words\n")
