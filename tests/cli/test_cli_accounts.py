"""How the window is shared out, and the figures of a run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from ctxpack.system.tokens import counter
from tests.cli.conftest import Ctxpack

TASK = "fix the retry bug in the uploader"


def test_the_division_of_a_model_is_told_beside_the_report(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack(
        "task", TASK, "--root", str(demo), "--model", "claude-opus-4.5", "--reserve", "history=30k", "--explain-budget"
    )
    assert outcome.status == 0, outcome.err
    assert "window   200,000  claude-opus-4-5, tokens estimated: o200k_base × 1.25, ± 10 %\n" in outcome.err
    assert "history   30,000  kept free, from --reserve\n" in outcome.err
    assert "buffer    20,000  kept free for the error of the estimate\n" in outcome.err
    assert "pack     127,000  what is left\n" in outcome.err
    assert re.search(
        r"; [\d,]+ of 127,000 tokens \(an estimate for claude-opus-4-5: o200k_base × 1.25, ± 10 %\); ", outcome.out
    )


def test_a_named_budget_wins_and_what_it_leaves_is_told(ctxpack: Ctxpack, demo: Path) -> None:
    given = ("task", TASK, "--root", str(demo), "--window", "10k", "--explain-budget")
    assert re.search(
        r"^pack +2,000  from --budget\nfree +3,600  not used", ctxpack(*given, "-b", "2k").err, re.MULTILINE
    )
    assert re.search(r"^over +3,400  more than the reserves leave", ctxpack(*given, "-b", "9k").err, re.MULTILINE)
    assert "pack  8,000  from the default\n" in ctxpack(*given[:4], "--explain-budget").err


def test_json_tells_model_estimate_and_division(ctxpack: Ctxpack, demo: Path) -> None:
    out = ctxpack("task", TASK, "--root", str(demo), "--model", "claude-opus-5", "-b", "3k", "--format", "json").out
    report = json.loads(out)
    assert report["tokens"]["model"] == "claude-opus-5"
    assert report["tokens"]["estimate"] == "× 1.55, ± 12 %"
    assert report["tokens"]["used"] == -(-counter().count(out) * 155 // 100) <= 3_000
    assert report["stats"]["window"] == 1_000_000
    assert report["stats"]["reserve_buffer"] == 120_000


@pytest.mark.parametrize(
    ("flags", "status", "said"),
    [
        (("--model", "gpt-99"), 2, "The model 'gpt-99' is not known."),
        (("--window", "5k", "-b", "6k"), 2, "does not fit a window of 5000"),
        (("--window", "5k", "--reserve", "answer=100%"), 3, "The window of 5000 tokens leaves nothing for the pack"),
        (("--reserve", "answer=1k"), 2, "whose size is not known"),
        (("--reserve", "talk=1k", "--window", "9k"), 2, "--reserve must be NAME=N"),
        (("--metrics", ""), 2, "is a folder."),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    ctxpack: Ctxpack, demo: Path, flags: tuple[str, ...], status: int, said: str
) -> None:
    outcome = ctxpack("task", TASK, "--root", str(demo), *flags)
    assert (outcome.status, outcome.out) == (status, "")
    assert said in outcome.err
    assert outcome.err.count("\n") <= 2


def test_statistics_are_told_on_standard_error_and_times_stay_out_of_reports(ctxpack: Ctxpack, demo: Path) -> None:
    plain = ctxpack("task", TASK, "--root", str(demo))
    told = ctxpack("task", TASK, "--root", str(demo), "--stats", "-q")
    assert told.out == plain.out
    for name in ("considered", "packed", "duplicates", "left out", "tokens", "used", "time"):
        assert re.search(rf"^{name} ", told.err, re.MULTILINE)
    assert re.search(r"^time .*index \d+\.\d{3} s, .*select \d+\.\d{3} s$", told.err, re.MULTILINE)


def test_json_has_times_only_when_they_are_asked_for(ctxpack: Ctxpack, demo: Path) -> None:
    given = ("task", TASK, "--root", str(demo), "--format", "json", "-b", "2500")
    plain, again = ctxpack(*given), ctxpack(*given)
    assert plain.out == again.out
    stats = json.loads(plain.out)["stats"]
    assert stats["gathered"] == stats["packed"] + stats["duplicates"] + stats["left_out"]
    assert not [name for name in stats if name.startswith("ms_")]
    assert stats["utilisation"] == 100 * json.loads(plain.out)["tokens"]["used"] // 2_500
    timed = ctxpack(*given, "--stats").out
    report = json.loads(timed)
    assert {"ms_index", "ms_rank", "ms_gather", "ms_select"} <= {*report["stats"]}
    assert report["tokens"]["used"] == counter().count(timed) <= 2_500


def families(target: Path) -> dict[str, Metric]:
    return {each.name: each for each in text_string_to_metric_families(target.read_text(encoding="utf-8"))}


def value_of(target: Path, name: str, **labels: str) -> float:
    """The sum of all samples of a name with these labels."""
    samples = [sample for each in families(target).values() for sample in each.samples if sample.name == name]
    return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())


def test_metrics_add_up_over_runs_as_prometheus_reads_them(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    root = demo.rename(tmp_path / 'a "b" \\c')
    (root / "login.py").write_text(
        "def uploader_login():\n    return 'ghp_" + "Zk9q81Lm" * 4 + "abcd'\n", encoding="utf-8"
    )
    target = tmp_path / "ctxpack.prom"
    given = ("component", "uploader", "--root", str(root), "--metrics", str(target), "--require", "login.py")
    assert ctxpack(*given).status == 0
    once = {name: value_of(target, name) for name in ("ctxpack_tokens_total", "ctxpack_run_seconds_count")}
    assert ctxpack(*given, "--no-cache").status == 0
    assert ctxpack("component", "nowhere", "--root", str(root), "--metrics", str(target)).status == 1
    assert ctxpack("file", "AGENTS.md", "-b", "20", "--root", str(root), "--metrics", str(target)).status == 3
    found = families(target)
    assert {each.type for each in found.values()} == {"counter", "histogram"}
    assert {each.name for each in found.values()} == {
        "ctxpack_runs", "ctxpack_errors", "ctxpack_run_seconds", "ctxpack_phase_seconds", "ctxpack_pieces",
        "ctxpack_files_considered", "ctxpack_tokens", "ctxpack_utilisation_ratio",
    }  # fmt: skip
    assert value_of(target, "ctxpack_runs_total", repository='a "b" \\c', command="component") == 2
    assert value_of(target, "ctxpack_tokens_total") == 2 * once["ctxpack_tokens_total"]
    assert value_of(target, "ctxpack_run_seconds_count") == 2 * once["ctxpack_run_seconds_count"] == 2
    for phase in ("index", "understand", "rank", "gather", "redact", "select"):
        assert value_of(target, "ctxpack_phase_seconds_count", phase=phase) == 2
        assert value_of(target, "ctxpack_phase_seconds_bucket", phase=phase, le="+Inf") == 2
    assert value_of(target, "ctxpack_errors_total", kind="nothing_found") == 1
    assert value_of(target, "ctxpack_errors_total", kind="budget", command="file") == 1
    before = value_of(target, "ctxpack_tokens_total", state="gathered_before_redaction")
    assert before > value_of(target, "ctxpack_tokens_total", state="gathered") > 0
    assert not list(tmp_path.glob(".*tmp"))


def test_a_kept_report_is_counted_and_not_made_again(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    given = ("task", TASK, "--root", str(demo), "--metrics", str(tmp_path / "m.prom"))
    assert ctxpack(*given).out == ctxpack(*given).out
    assert value_of(tmp_path / "m.prom", "ctxpack_runs_total", kept="true") == 1
    assert value_of(tmp_path / "m.prom", "ctxpack_runs_total", kept="false") == 1
    assert value_of(tmp_path / "m.prom", "ctxpack_run_seconds_count") == 1


def test_metrics_do_not_overwrite_another_file(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Buy milk.\n", encoding="utf-8")
    outcome = ctxpack("task", TASK, "--root", str(demo), "--metrics", str(tmp_path / "notes.txt"))
    assert outcome.status == 2
    assert "contains something other than metrics of ctxpack" in outcome.err
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "Buy milk.\n"


def test_a_variable_names_the_file_and_a_repository_may_not(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_METRICS", str(tmp_path / "m.prom"))
    assert ctxpack("task", TASK, "--root", str(demo)).status == 0
    assert value_of(tmp_path / "m.prom", "ctxpack_runs_total") == 1
    (demo / "ctxpack.toml").write_text(f"metrics = {str(tmp_path / 'other.prom')!r}\n", encoding="utf-8")
    assert ctxpack("task", TASK, "--root", str(demo)).status == 2
    assert not (tmp_path / "other.prom").exists()


def test_metrics_that_cannot_be_written_are_refused_before_any_work(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("task", TASK, "--root", str(demo), "--metrics", str(demo))
    assert (outcome.status, outcome.out) == (2, "")
    assert "is a folder" in outcome.err


def test_required_pieces_come_first_also_from_a_folder_below(
    ctxpack: Ctxpack, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo / "utils")
    given = ("task", TASK, "--root", str(demo), "--dry-run")
    out = ctxpack(
        *given, "--require", "log.py:1-3", "--require", "docs/specs/", "--require", "../docs/wiki/queue.md"
    ).out
    for path in ("utils/log.py:1-3", "docs/specs/events.md", "docs/specs/delivery.md", "docs/wiki/queue.md"):
        assert re.search(rf"1\.00  full +{re.escape(path)}", out)


@pytest.mark.parametrize(
    ("flags", "status", "said"),
    [
        (("--require", "utils/lgo.py"), 2, "Did you mean utils/log.py"),
        (("--require", "utils/log.py:900"), 2, "has no lines 900 to 900"),
        (("--require", "**/*.py", "-b", "300"), 3, "The required pieces need at least"),
    ],
)
def test_what_cannot_be_required_is_said(
    ctxpack: Ctxpack, demo: Path, flags: tuple[str, ...], status: int, said: str
) -> None:
    outcome = ctxpack("task", TASK, "--root", str(demo), *flags)
    assert (outcome.status, outcome.out) == (status, "")
    assert said in outcome.err


def test_where_a_budget_is_tiny_the_numbers_give_way_and_are_told_all_the_same(ctxpack: Ctxpack, demo: Path) -> None:
    given = ("task", "retry", "--root", str(demo), "--format", "json", "-b", "300")
    report = json.loads(ctxpack(*given).out)
    assert report["fragments"]
    assert [*report["stats"]] == ["considered"]
    told = ctxpack("task", "retry", "--root", str(demo), "-b", "150", "--stats")
    assert re.search(r"^left out +[1-9]\d*$", told.err, re.MULTILINE)
