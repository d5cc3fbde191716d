"""What takes longer than its limit is left out or done in a simpler way, a note says so, and the pack is not kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.answer import pack
from ctxpack.errors import InternalError, NothingFoundError
from ctxpack.index.opening import find_files, open_repository
from ctxpack.model import Request, Scope
from ctxpack.pipeline import run_pack, search
from ctxpack.redact import redact
from ctxpack.settings import Settings
from ctxpack.system.clock import Timekeeper, keeping_time
from tests.indexing import commit
from tests.ticking import Ticking

TASK = Request(Scope.TASK, text="fix the retry of uploads")
FILES = {f"part_{number}.py": f"def retry_{number}(upload):\n    return upload\n" for number in range(9)}
LATE = "The update of the index took longer than 300 s: "
SECRET = 'password = "Tr0ub4dor&3x"\n'


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    commit(tmp_path / "root", FILES)
    return Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")


def kept(settings: Settings) -> list[Path]:
    """The packs that the cache holds."""
    folder = settings.cache_dir / "packs"
    return sorted(folder.iterdir()) if folder.exists() else []


def test_a_usual_run_has_no_note_and_is_kept(settings: Settings) -> None:
    report = pack(TASK, settings)
    assert (report.notes, report.run.is_cut, len(kept(settings))) == ((), False, 1)


def test_an_index_that_takes_too_long_is_made_in_several_runs(settings: Settings, tmp_path: Path) -> None:
    """Each file asks the clock once: the first run has the time for some of them, and for a report of these."""
    commit(settings.root, {f"some/part_{number}.py": f"def more_{number}(): ...\n" for number in range(491)})
    clean = run_pack(TASK, replace(settings, cache_dir=tmp_path / "other")).text
    with keeping_time(Timekeeper(400.0, clock=Ticking(1.0))):
        report = pack(TASK, settings)
    (note,) = report.notes
    missing = int(note.removeprefix(LATE).partition(" ")[0])
    assert note == f"{LATE}{missing} of 500 files are missing; the next run goes on with them."
    assert 100 < missing < 400
    assert note in report.text
    assert report.pack.selection.fragments
    assert kept(settings) == []
    again = pack(TASK, settings)
    assert (again.text, again.notes, again.run.is_cut) == (clean, (), False)


def test_files_that_are_not_indexed_yet_say_so(settings: Settings) -> None:
    discovery = find_files(settings)
    with keeping_time(Timekeeper(4.0, clock=Ticking(late=2))), open_repository(settings, None, discovery) as view:
        reasons = {each.reason for each in view.skipped}
        assert reasons == {"not indexed yet: the update took too long"}
        assert len(view.skipped) + len(view.files) == len(FILES)
    assert search("retry", settings).notes == ()


def test_batches_in_interpreters_of_their_own_are_given_up_too(tmp_path: Path) -> None:
    """None of them may take any time: they are ended, and where nothing at all was done a sentence says what to do."""
    text = "".join(f"def retry_{number}(upload): return upload\n" for number in range(20_000))
    commit(tmp_path / "root", {f"{number}.py": text for number in range(9)})
    settings = Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")
    discovery = find_files(settings)
    keeping = keeping_time(Timekeeper(4.0, clock=Ticking(late=2)))
    with keeping, pytest.raises(InternalError, match="longer than 3 s: 9 of 9 files") as caught:
        run_pack(TASK, settings, discovery=discovery)
    assert "--time-limit" in caught.value.hint
    assert "ctxpack index" in caught.value.hint


@contextmanager
def with_slow_git(folder: Path) -> Iterator[None]:
    """Put a program before git that waits for ever when it is to list files."""
    program = folder / "git"
    real = next(each for each in os.environ["PATH"].split(os.pathsep) if (Path(each) / "git").exists())
    script = f'#!/bin/sh\ncase " $* " in *" log "*) while :; do sleep 1; done;; esac\nexec {real}/git "$@"\n'
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{folder}{os.pathsep}{before}"
    try:
        yield
    finally:
        os.environ["PATH"] = before


@pytest.mark.skipif(os.name == "nt", reason="the program is a shell script")
def test_a_history_that_takes_too_long_is_missing_and_read_by_the_next_run(settings: Settings, tmp_path: Path) -> None:
    clean = run_pack(TASK, replace(settings, cache_dir=tmp_path / "other")).text
    (tmp_path / "bin").mkdir()
    with with_slow_git(tmp_path / "bin"), keeping_time(Timekeeper(2.0)):
        report = pack(TASK, settings)
    assert "git took longer than 2 s, so what it was asked for is missing." in report.notes
    assert report.pack.selection.fragments
    assert kept(settings) == []
    assert pack(TASK, settings).text == clean


def test_of_a_text_that_takes_too_long_no_secret_is_shown() -> None:
    with keeping_time(Timekeeper(effort=Ticking(late=1))) as keeper:
        found = redact(f"one\n{SECRET}three\n", path="a.py")
    assert found.text == "[REDACTED:unread]\n\n\n"
    assert keeper.notes == ("a.py is left out in part: looking for secrets in it took longer than 10 s.",)
    assert redact(SECRET).text == 'password = "[REDACTED:password]"\n'


def test_a_report_says_which_piece_was_not_looked_through(settings: Settings) -> None:
    """The pieces are what is looked through last, so that the last looks at the clock belong to one of them."""
    commit(settings.root, {path: f"{text}\n\n{SECRET}" for path, text in FILES.items()})
    effort = Ticking()
    with keeping_time(Timekeeper(effort=effort)):
        assert run_pack(TASK, replace(settings, cache_dir=settings.cache_dir / "first")).text.count("[REDACTED:") == 9
    with keeping_time(Timekeeper(effort=Ticking(late=next(effort.calls) - 1))):
        report = pack(TASK, settings)
    assert "Tr0ub4dor" not in report.text
    assert report.text.count("[REDACTED:unread]") == 1
    (note,) = (each for each in report.notes if "looking for secrets in it took longer than 10 s" in each)
    assert note.startswith("part_")
    assert (report.run.is_cut, kept(settings)) == (True, [])


def test_where_nothing_is_found_the_error_says_what_was_not_looked_at(settings: Settings) -> None:
    commit(settings.root, {"a.py": "other = 1\n"})  # the first by its path, and so the one that is indexed
    discovery = find_files(settings)
    keeping = keeping_time(Timekeeper(400.0, clock=Ticking(late=2)))
    with keeping, pytest.raises(NothingFoundError, match="9 of 10 files are missing; the next run goes on with them"):
        run_pack(TASK, settings, discovery=discovery)


def test_a_syntax_tree_that_takes_too_long_keeps_the_pack_out_of_the_cache(settings: Settings) -> None:
    commit(settings.root, {"hostile.java": "class A{\n" * 300 + "}\n" * 300})
    report = pack(Request(Scope.FILE, path="hostile.java", line=3), settings)
    assert any(note.startswith("The parser took too long for hostile.java") for note in report.notes)
    assert (report.run.is_cut, kept(settings)) == (True, [])
