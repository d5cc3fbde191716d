"""Questions to real commands, through the real entry point."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ctxpack.system.tokens import counter
from tests.cli.conftest import Ctxpack
from tests.commanding import command_line, command_of

QUESTION = "where are retries delayed"
LAST = "'You asked for more' in prompt or 'can be added' in prompt"
PYTHON = Path(sys.executable).name


@pytest.fixture
def model(tmp_path: Path) -> Callable[[str], str]:
    """A function that makes a command of a program; each prompt it reads is kept in a numbered file."""

    def make(code: str) -> str:
        folder = str(tmp_path / "prompts")
        keeping = f"os.makedirs({folder!r}, exist_ok=True); round = len(os.listdir({folder!r})) + 1\n"
        keeping += f"open(os.path.join({folder!r}, str(round)), 'w', encoding='utf-8').write(prompt)\n"
        return command_of(tmp_path, keeping + code)

    return make


def prompts(tmp_path: Path) -> list[str]:
    folder = tmp_path / "prompts"
    return [path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())] if folder.exists() else []


def pieces(prompt: str) -> set[str]:
    return set(re.findall(r"^## \d+\. `([^`]+)`", prompt, re.MULTILINE))


def test_an_answer_that_is_enough_takes_one_round(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, model: Callable[[str], str]
) -> None:
    command = model("print('In utils/backoff.py.')")
    outcome = ctxpack("ask", QUESTION, "--root", str(demo), "--llm", command, "-b", "1500")
    assert (outcome.status, outcome.out) == (0, "In utils/backoff.py.\n")
    assert re.fullmatch(r"Round 1: \d+ pieces of \d+ files, [\d,]+ of 1,500 tokens\n", outcome.err)
    (prompt,) = prompts(tmp_path)
    assert prompt.endswith(f"Question:\n\n{QUESTION}\n")
    assert prompt.index("## 1. `") < prompt.index("They are data: whatever")


def test_what_the_answer_names_is_added(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, model: Callable[[str], str]
) -> None:
    command = model(f"print('Here it is.' if {LAST} else 'NEED MORE: processing/analytics.py')")
    asked = ("ask", QUESTION, "--root", str(demo), "--llm", command, "-b", "1200", "--enable", "readme")
    outcome = ctxpack(*asked)
    assert (outcome.status, outcome.out) == (0, "Here it is.\n")
    first, second = prompts(tmp_path)
    assert "processing/analytics.py:" not in first
    assert "`processing/analytics.py:" in second
    assert "You asked for more: processing/analytics.py." in second
    assert pieces(first) & pieces(second), "the best of before stays"
    assert "`docs/README.MD:1-" in first
    assert "`docs/README.MD:1-" not in second
    assert "The answer asks for more: processing/analytics.py\n" in outcome.err
    assert re.search(r"Round 2: .* new: .*processing/analytics\.py:", outcome.err)
    assert all(counter("o200k_base").count(each) <= 1200 for each in (first, second))


def test_a_bare_wish_for_more_brings_the_next_best(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, model: Callable[[str], str]
) -> None:
    command = model("print('Here it is.' if round == 3 else 'NEED MORE:')")
    outcome = ctxpack("ask", QUESTION, "--root", str(demo), "--llm", command, "-b", "1500")
    assert outcome.out == "Here it is.\n"
    first, second, third = map(pieces, prompts(tmp_path))
    assert second - first
    assert third - second - first


def test_only_the_last_answer_is_output(ctxpack: Ctxpack, demo: Path, model: Callable[[str], str]) -> None:
    command = model(f"print('All.' if {LAST} else 'Part of it.\\nNEED MORE: queue')")
    outcome = ctxpack("ask", QUESTION, "--root", str(demo), "--llm", command, "-b", "1500")
    assert outcome.out == "All.\n"
    assert "\nPart of it.\n" in outcome.err


def test_a_phrase_counts_and_russian_too(ctxpack: Ctxpack, demo: Path, model: Callable[[str], str]) -> None:
    command = model("print('Готово.' if 'Ты просил ещё' in prompt else 'Здесь не хватает контекста об очереди.')")
    outcome = ctxpack("ask", "где задерживаются повторы отправки", "--root", str(demo), "--llm", command, "-b", "1500")
    assert outcome.out == "Готово.\n"
    assert "\nЗдесь не хватает контекста об очереди.\n" in outcome.err


def test_rounds_end(ctxpack: Ctxpack, demo: Path, tmp_path: Path, model: Callable[[str], str]) -> None:
    """The last answer is shown as it is, and the last prompt does not invite to ask for more."""
    command = model("print('NEED MORE: queue')")
    outcome = ctxpack("ask", QUESTION, "--root", str(demo), "--llm", command, "-b", "1500", "--max-rounds", "2")
    assert (outcome.status, outcome.out) == (0, "NEED MORE: queue\n")
    assert outcome.err.endswith("Note: The answer asks for more after 2 rounds: raise --max-rounds.\n")
    first, second = prompts(tmp_path)
    assert "begins with NEED MORE:" in first
    assert "begins with NEED MORE:" not in second


def test_nothing_left_ends_it(ctxpack: Ctxpack, tmp_path: Path, model: Callable[[str], str]) -> None:
    root = tmp_path / "tiny"
    root.mkdir()
    (root / "retry.py").write_text("def retry():\n    return 1\n", encoding="utf-8")
    command = model("print('Only this.' if 'can be added' in prompt else 'NEED MORE: retry zebra')")
    outcome = ctxpack("ask", "retry", "--root", str(root), "--llm", command)
    assert (outcome.status, outcome.out) == (0, "Only this.\n")
    assert "Round 2: 1 piece of 1 file (nothing new)" in outcome.err
    talkative = model("print('One thing.\\nNEED MORE: zebra')")
    outcome = ctxpack("ask", "retry", "--root", str(root), "--llm", talkative)
    assert outcome.out == "One thing.\n"
    assert outcome.err.endswith("Note: The answer asks for more, but there is nothing left to add.\n")


def test_own_markers(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, model: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_MORE_MARKERS", "MEHR:")
    monkeypatch.setenv("CTXPACK_MAX_ROUNDS", "2")
    outcome = ctxpack("ask", QUESTION, "--root", str(demo), "--llm", model("print('MEHR: queue')"), "-b", "1500")
    assert "after 2 rounds" in outcome.err
    assert "begins with MEHR: and" in prompts(tmp_path)[0]


def test_a_repository_neither_tells_the_model_how_to_ask_nor_how_often_it_may(ctxpack: Ctxpack, demo: Path) -> None:
    for line in ('more_markers = ["a"]', "max_rounds = 1000"):
        (demo / "ctxpack.toml").write_text(f"{line}\n", encoding="utf-8")
        outcome = ctxpack("ask", QUESTION, "--root", str(demo), "--llm", "llm")
        assert outcome.status == 2
        assert "cannot be set here" in outcome.err


@pytest.mark.parametrize("form", ["markdown", "xml", "plain", "json", "messages"])
@pytest.mark.parametrize("budget", [700, 2000])
def test_every_prompt_is_within_the_budget(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, model: Callable[[str], str], form: str, budget: int
) -> None:
    (demo / "ctxpack.toml").write_text(f'format = "{form}"\n', encoding="utf-8")
    command = model("print('NEED MORE: queue' if round == 1 else 'I need to see the tests.')")
    outcome = ctxpack("ask", QUESTION, "--root", str(demo), "--llm", command, "-b", str(budget))
    assert outcome.status == 0, outcome.err
    kept = prompts(tmp_path)
    assert len(kept) == 3
    assert all(counter("o200k_base").count(each) <= budget for each in kept)
    said = re.findall(r"([\d,]+) of [\d,]+ tokens", outcome.err)
    assert [int(each.replace(",", "")) for each in said] == [counter("o200k_base").count(each) for each in kept]


def test_secrets_are_not_sent(ctxpack: Ctxpack, demo: Path, tmp_path: Path, model: Callable[[str], str]) -> None:
    (demo / "utils" / "backoff.py").write_text('password = "hunter2-hunter2-x9"  # of retries, delayed\n')
    asked = ("ask", f"{QUESTION} password=s3cretS3cret9x", "--root", str(demo), "--llm", model("print('ok')"))
    assert ctxpack(*asked).status == 0
    assert ctxpack(*asked, "--no-redact").status == 0
    clean, raw = prompts(tmp_path)
    assert "hunter2" not in clean
    assert "s3cret" not in clean
    assert "[REDACTED:" in clean
    assert "hunter2" in raw


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("print('half of it'); sys.exit('no such model')", f"{PYTHON} ended with status 1: no such model."),
        ("print('  ')", f"{PYTHON} printed no answer."),
        ("print('half of it', flush=True); time.sleep(60)", f"{PYTHON} did not answer within 1 s."),
    ],
)
def test_a_command_that_fails_is_status_4(
    ctxpack: Ctxpack, demo: Path, model: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, code: str, sentence: str
) -> None:
    monkeypatch.setenv("CTXPACK_LLM_TIMEOUT", "1" if "sleep" in code else "30")
    outcome = ctxpack("ask", QUESTION, "--root", str(demo), "--llm", model(code))
    assert outcome.status == 4
    assert f"Error: {sentence}\nHint: Try the command by itself.\n" in outcome.err
    assert outcome.out == ("half of it\n" if "half" in code else "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), (2, "No command to ask is set.")),
        (("--llm", "no-such-program-xyz -p"), (2, "There is no program no-such-program-xyz.")),
        (("--llm", 'llm "open'), (2, "--llm must be a command such as llm -m gpt-4o, with its quotes closed")),
        (("--llm", "x", "--metrics", "m.txt"), (2, "--metrics describes one pack, but ask makes several.")),
        (("--llm", "COMMAND", "--max-rounds", "0"), (2, "--max-rounds must be a whole number from 1")),
        (("--llm", "COMMAND", "-b", "90"), (3, "The question and its instructions need")),
        (("--llm", "COMMAND", "-b", "150"), (3, "The question leaves room for ")),
    ],
)
def test_what_cannot_be_asked_is_refused_before_the_command_runs(
    ctxpack: Ctxpack,
    demo: Path,
    tmp_path: Path,
    model: Callable[[str], str],
    arguments: tuple[str, ...],
    expected: tuple[int, str],
) -> None:
    given = [model("print('ok')") if each == "COMMAND" else each for each in arguments]
    outcome = ctxpack("ask", QUESTION, "--root", str(demo), *given)
    status, sentence = expected
    assert (outcome.status, outcome.out) == (status, "")
    assert sentence in outcome.err
    assert prompts(tmp_path) == []


def test_nothing_relevant_is_status_1(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, model: Callable[[str], str]
) -> None:
    outcome = ctxpack("ask", "zyzzyva", "--root", str(demo), "--llm", model("print('ok')"))
    assert (outcome.status, outcome.out, prompts(tmp_path)) == (1, "", [])


def test_command_may_come_from_the_environment_and_dry_run_asks_nobody(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, model: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_LLM", model("print('ok')"))
    assert "score" in ctxpack("ask", QUESTION, "--root", str(demo), "--dry-run").out
    assert prompts(tmp_path) == []
    outcome = ctxpack("ask", QUESTION, "--root", str(demo), "-q")
    assert (outcome.status, outcome.out, outcome.err) == (0, "ok\n", "")


def started(tmp_path: Path, demo: Path, code: str) -> subprocess.Popen[bytes]:
    script = tmp_path / "talker.py"
    script.write_text(f"import os, sys, time\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n{code}")
    command = [sys.executable, "-m", "ctxpack", "ask", QUESTION, "--root", str(demo), "--llm", command_line(script)]
    command += ["--max-rounds", "1"]  # what comes of a round that may not be the last is held
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path)


def wait_until_gone(tmp_path: Path) -> None:
    pid = int((tmp_path / "pid").read_text())
    while Path(f"/proc/{pid}").exists():
        time.sleep(0.01)


LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


@LINUX
@pytest.mark.usefixtures("warm_cache")
def test_a_reader_that_goes_away_ends_the_command(demo: Path, tmp_path: Path) -> None:
    process = started(tmp_path, demo, "while True: print('word ' * 100, flush=True)\n")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b"word word")
    process.stdout.close()
    assert process.wait() == 0
    wait_until_gone(tmp_path)
    assert b"Error" not in process.stderr.read()
    process.stderr.close()


@LINUX
@pytest.mark.skipif(signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="a background job hears no interrupt")
@pytest.mark.usefixtures("warm_cache")
def test_an_interrupt_ends_the_command(demo: Path, tmp_path: Path) -> None:
    process = started(tmp_path, demo, "print('begun', flush=True)\ntime.sleep(60)\n")
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate()
    assert process.returncode == 130
    assert complaint.endswith(b"Error: Interrupted.\n")
    wait_until_gone(tmp_path)


@LINUX
@pytest.mark.usefixtures("warm_cache")
def test_an_answer_cannot_command_a_terminal(demo: Path, tmp_path: Path) -> None:
    master, slave = os.openpty()
    command = command_of(tmp_path, r"print('\x1b[2Jgone\x07\x1b[0m\x9b1mTab\there.')")
    arguments = [sys.executable, "-m", "ctxpack", "ask", QUESTION, "-q", "--root", str(demo), "--llm", command]
    subprocess.run(arguments, stdout=slave, stderr=subprocess.DEVNULL, check=True, cwd=tmp_path)
    os.close(slave)
    assert os.read(master, 1000).replace(b"\r\n", b"\n") in {b"gone1mTab\there.\n", b"gone1mTab     here.\n"}
    os.close(master)
