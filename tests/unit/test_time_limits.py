"""What takes longer than its limit is left out or done in a simpler way, a note says so, and the pack is not kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.answer import answer_request, pack
from ctxpack.discover import discover
from ctxpack.discover.listing import LATE
from ctxpack.discover.walk import list_by_walking
from ctxpack.errors import InternalError, NothingFoundError
from ctxpack.index.opening import find_files, open_repository, update_index
from ctxpack.model import Request, Scope, Skipped
from ctxpack.pipeline import run_pack, search
from ctxpack.rank.board import in_time
from ctxpack.redact import redact
from ctxpack.render import renderer
from ctxpack.select import PieceCounter, assemble
from ctxpack.settings import Settings
from ctxpack.system.clock import Timekeeper
from tests.building import pack_with, piece_of
from tests.counting import FakeCounter
from tests.indexing import commit, write
from tests.ticking import Ticking

TASK = Request(Scope.TASK, text="fix the retry of uploads")
FILES = {f"part_{number}.py": f"def retry_{number}(upload):\n    return upload\n" for number in range(9)}
LATE_INDEX = "The update of the index took longer than 300 s: "
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
    discovery = find_files(settings)
    report = run_pack(TASK, settings, discovery=discovery, keeper=Timekeeper(400.0, clock=Ticking(1.0)))
    (note,) = report.pack.notes
    missing = int(note.removeprefix(LATE_INDEX).partition(" ")[0])
    assert note == f"{LATE_INDEX}{missing} of 500 files are missing; the next run goes on with them."
    assert 100 < missing < 400
    assert note in report.text
    assert report.pack.selection.fragments
    assert report.is_cut
    again = pack(TASK, settings)
    assert (again.text, again.notes, again.run.is_cut) == (clean, (), False)


def test_who_does_not_wait_gets_a_report_of_what_fits_by_its_name_first(settings: Settings, tmp_path: Path) -> None:
    """Files without a word of the request in their path come late, and so do deep ones and tests."""
    others = {f"a/b/part_{number}.py": f"def retry_{number}(upload): ...\n" for number in range(480)}
    commit(settings.root, {**others, "z/uploads/retries.py": "def retry(upload):\n    return upload\n"})
    clean = run_pack(TASK, replace(settings, cache_dir=tmp_path / "other")).text
    keeper = Timekeeper(patience=100.0, clock=Ticking(1.0))
    report = run_pack(TASK, settings, discovery=find_files(settings), keeper=keeper)
    (note,) = report.pack.notes
    assert note.startswith("Made of what was indexed in 100 s, first the files whose names fit the request: ")
    assert note.endswith(" of 490 files are missing. The next run goes on with them; --wait waits for all.")
    assert "z/uploads/retries.py" in report.pack.selection.paths
    assert report.is_cut
    assert run_pack(TASK, settings).text == clean


def test_files_that_are_not_indexed_yet_say_so(settings: Settings) -> None:
    discovery = find_files(settings)
    with open_repository(settings, None, discovery, Timekeeper(4.0, clock=Ticking(late=2))) as view:
        reasons = {each.reason for each in view.skipped}
        assert reasons == {"not indexed yet: the update took too long"}
        assert len(view.skipped) + len(view.files) == len(FILES)
    assert search("retry", settings).notes == ()


def test_batches_in_interpreters_of_their_own_are_given_up_too(tmp_path: Path) -> None:
    """None of them may take any time: they are ended, and where nothing at all was done a sentence says what to do.

    Each file takes many times as long as they are waited for at once, or a fast machine would have done one by then.
    """
    text = "".join(f"def retry_{number}(upload): return upload\n" for number in range(85_000))
    commit(tmp_path / "root", {f"{number}.py": text for number in range(9)})
    settings = Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")
    discovery = find_files(settings)
    with pytest.raises(InternalError, match="longer than 3 s: 9 of 9 files") as caught:
        run_pack(TASK, settings, discovery=discovery, keeper=Timekeeper(4.0, clock=Ticking(late=2)))
    assert "--time-limit" in caught.value.hint
    assert "ctxpack index" in caught.value.hint


@contextmanager
def with_slow_git(folder: Path) -> Iterator[None]:
    """Put a program before git that waits for ever when it is to tell of commits."""
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
    """The clock stands still, so that a busy machine takes no stage its time: only git is really waited for."""
    clean = run_pack(TASK, replace(settings, cache_dir=tmp_path / "other")).text
    (tmp_path / "bin").mkdir()
    with with_slow_git(tmp_path / "bin"):
        report = answer_request(TASK, settings, keeper=Timekeeper(2.5, clock=Ticking()))
    assert report.notes == ("git took longer than 2.5 s, so what it was asked for is missing.",)
    assert report.pack.selection.fragments
    assert (report.run.is_cut, kept(settings)) == (True, [])
    assert pack(TASK, settings).text == clean


def test_of_a_text_that_takes_too_long_no_secret_is_shown() -> None:
    keeper = Timekeeper(effort=Ticking(late=1))
    found = redact(f"one\n{SECRET}three\n", path="a.py", keeper=keeper)
    assert found.text == "[REDACTED:unread]\n\n\n"
    assert keeper.notes == ("a.py is left out in part: looking for secrets in it took longer than 10 s.",)
    assert redact(SECRET).text == 'password = "[REDACTED:password]"\n'


def test_a_report_says_which_piece_was_not_looked_through(settings: Settings) -> None:
    """The pieces are what is looked through last, so that the last looks at the clock belong to one of them."""
    commit(settings.root, {path: f"{text}\n\n{SECRET}" for path, text in FILES.items()})
    effort = Ticking()
    first = run_pack(TASK, replace(settings, cache_dir=settings.cache_dir / "first"), keeper=Timekeeper(effort=effort))
    assert first.text.count("[REDACTED:") == 9
    keeper = Timekeeper(effort=Ticking(late=next(effort.calls) - 1))
    report = answer_request(TASK, settings, keeper=keeper)
    assert "Tr0ub4dor" not in report.text
    assert report.text.count("[REDACTED:unread]") == 1
    (note,) = (each for each in report.notes if "looking for secrets in it took longer than 10 s" in each)
    assert note.startswith("part_")
    assert (report.run.is_cut, kept(settings)) == (True, [])


def test_where_nothing_is_found_the_error_says_what_was_not_looked_at(settings: Settings) -> None:
    """The time of the index is over at once, that of the strategies is not: no thread has to be fast."""
    commit(settings.root, {"a.py": "other = 1\n"})  # the first by its path, and so the one that is indexed
    discovery = find_files(settings)
    keeper = Timekeeper(400.0, clock=Ticking(late=1, by=310.0))
    with pytest.raises(NothingFoundError, match="9 of 10 files are missing; the next run goes on with them"):
        run_pack(TASK, settings, discovery=discovery, keeper=keeper)


def test_a_syntax_tree_that_takes_too_long_keeps_the_pack_out_of_the_cache(settings: Settings) -> None:
    commit(settings.root, {"hostile.java": "class A{\n" * 300 + "}\n" * 300})
    report = pack(Request(Scope.FILE, path="hostile.java", line=3), settings)
    assert any(note.startswith("The parser took too long for hostile.java") for note in report.notes)
    assert (report.run.is_cut, kept(settings)) == (True, [])


def calls_of(work: Callable[[Timekeeper], object], settings: Settings) -> int:
    """How often some work asks the clock."""
    clock = Ticking()
    work(Timekeeper(400.0, clock=clock))
    shutil.rmtree(settings.cache_dir)
    return next(clock.calls)


def test_whenever_the_time_is_over_there_is_a_report_with_a_note_or_one_error(settings: Settings) -> None:
    """The clock is an hour late from its n-th look on, for some n: something is left out, and told."""
    clean = pack(TASK, settings).text
    shutil.rmtree(settings.cache_dir)
    calls = calls_of(lambda keeper: run_pack(TASK, settings, keeper=keeper), settings)
    stages: set[str] = set()
    for late in range(4, calls, calls // 12):
        keeper = Timekeeper(400.0, clock=Ticking(late=late))
        try:
            report = answer_request(TASK, settings, keeper=keeper)
        except (InternalError, NothingFoundError) as error:
            said, told, took = str(error).partition(" took longer than ")
            stages |= {said} if told and took else {f"untold: {error}"}
        else:
            stages |= {each.partition(" took")[0] for each in keeper.notes}
            assert (report.run.is_cut, kept(settings)) == (bool(keeper.notes), []) or report.text == clean
            assert all(each in report.text for each in keeper.notes)
        shutil.rmtree(settings.cache_dir, ignore_errors=True)
    assert {"The update of the index", "Choosing the pieces"} <= stages
    assert not [each for each in stages if each.startswith("untold")]


def test_folders_that_there_is_no_time_for_are_told_and_found_by_the_next_run(tmp_path: Path) -> None:
    """Our own walk asks the clock once for each folder."""
    root = write(tmp_path / "root", {f"part_{number}/a.py": "x = 1\n" for number in range(9)})
    listing = list_by_walking(str(root), Timekeeper(400.0, clock=Ticking(late=4)), use_gitignore=True)
    assert [each.path for each in listing.found] == ["part_8/a.py", "part_7/a.py"]
    assert list(listing.skipped) == [Skipped(f"part_{number}/", LATE) for number in range(7)]
    assert len(list_by_walking(str(root), Timekeeper(), use_gitignore=True).found) == 9


def test_files_that_there_is_no_time_to_read_are_told_and_read_by_the_next_run(settings: Settings) -> None:
    for late in range(1, 40):
        keeper = Timekeeper(400.0, clock=Ticking(late=late))
        with suppress(InternalError):
            discovery = discover(settings, keeper=keeper)
            if 2 < len(discovery.files) < 8:
                break
    missing = [each.path for each in discovery.skipped if each.reason == LATE]
    assert len(discovery.files) + len(missing) == len(FILES)
    assert (discovery.is_partial, discovery.seen) == (True, None)
    said = f"The search for files took longer than 160 s: no time was left for {len(missing)} files."
    assert keeper.notes == (said,)
    again = discover(settings)
    assert (len(again.files), again.is_partial) == (len(FILES), False)


def test_ranking_that_takes_too_long_takes_what_it_has() -> None:
    keeper = Timekeeper(100.0, clock=Ticking(30.0))  # asked at 0
    assert list(in_time(range(9), keeper)) == [0, 1, 2]
    assert keeper.notes == ("Ranking took longer than 85 s, so it rests on less evidence.",)
    assert list(in_time(range(9), keeper)) == [0]
    assert list(in_time(range(9), keeper, least=0)) == []
    assert list(in_time(range(9), Timekeeper())) == list(range(9))


def test_a_choice_that_takes_too_long_ends_with_the_pieces_it_has() -> None:
    pieces = [piece_of(f"def {name}():\n    return {name!r}\n", f"{name}.py", value=0.9) for name in "abcdefgh"]
    counter = PieceCounter(renderer("markdown"), FakeCounter())
    whole, _ = assemble(pieces, pack_with(budget=2_000), counter)
    assert len(whole.selection.fragments) == len(pieces)
    keeper = Timekeeper(100.0, clock=Ticking(late=4))
    found, text = assemble(pieces, pack_with(budget=2_000), counter, keeper=keeper)
    assert 1 <= len(found.selection.fragments) < len(pieces)
    assert counter.text(text) <= 2_000
    assert keeper.notes == ("Choosing the pieces took longer than 95 s, so the pack may hold less than it could.",)


def test_what_there_was_no_time_for_stays_in_the_index(settings: Settings) -> None:
    assert update_index(settings).files == len(FILES)
    part = discover(settings)
    part = replace(part, files=part.files[:4], seen=None, is_partial=True)
    with open_repository(settings, None, part) as view:
        assert len(view.files) == 4
    asked: list[int] = []
    with open_repository(settings, lambda *told: asked.append(told[2])) as view:
        assert len(view.files) == len(FILES)
    assert asked == []


def test_where_no_file_was_found_in_time_the_error_says_so(tmp_path: Path) -> None:
    settings = Settings(root=write(tmp_path / "root", FILES), cache_dir=tmp_path / "cache")
    keeper = Timekeeper(400.0, clock=Ticking(late=1))
    with pytest.raises(InternalError, match="longer than 160 s: no time was left for 1 folder") as caught:
        answer_request(TASK, settings, keeper=keeper)
    assert "--time-limit" in caught.value.hint
