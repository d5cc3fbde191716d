"""A file is replaced whole, or stays as it was."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Thread

import pytest

from ctxpack.system.disk import _umask, alone, publish, remove_folder, replace_file

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="permissions and links as POSIX has them")


def test_new_file_gets_its_content_and_usual_permissions(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"")
    replace_file(tmp_path / "new", b"text\r\n")
    assert (tmp_path / "new").read_bytes() == b"text\r\n"
    assert (tmp_path / "new").stat().st_mode == other.stat().st_mode


def test_nothing_is_left_beside_it(tmp_path: Path) -> None:
    replace_file(tmp_path / "a", b"1")
    replace_file(tmp_path / "a", b"2")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@POSIX
def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_bytes(b"")
    path.chmod(0o750)
    replace_file(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o750


@POSIX
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    replace_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


@POSIX
def test_a_device_is_written_to_and_not_replaced() -> None:
    replace_file(Path(os.devnull), b"gone")
    assert not Path(os.devnull).is_file()


def test_a_folder_is_refused_and_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        replace_file(tmp_path / "folder", b"")
    with pytest.raises(OSError, match="gone"):
        replace_file(tmp_path / "gone" / "file", b"")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@POSIX
def test_threads_that_write_at_a_time_leave_the_permissions_of_the_process_alone() -> None:
    seen: set[int] = set()

    def look() -> None:
        for _ in range(20_000):
            seen.add(_umask())

    before, switching = os.umask(0o022), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that threads meet
    try:
        threads = [Thread(target=look) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switching)
        left = os.umask(before)
    assert (seen, left) == ({0o022}, 0o022)


def test_a_file_is_published_whole_or_not_at_all(tmp_path: Path) -> None:
    place, seen = tmp_path / "facts", list[bool]()

    def make(path: Path) -> None:
        path.write_text("half")
        seen.append(place.exists())
        path.write_text("whole")

    def fail(path: Path) -> None:
        path.write_text("half")
        raise ValueError("no disk")

    publish(place, make)
    with pytest.raises(ValueError, match="no disk"):
        publish(place, fail)
    assert seen == [False]
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("facts", "whole")]


def test_a_folder_goes_with_all_that_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_text("")
    remove_folder(tmp_path / "a")
    remove_folder(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_one_block_at_a_time_runs_for_a_place(tmp_path: Path) -> None:
    place, order = tmp_path / "below" / "place", list[str]()

    def other() -> None:
        with alone(place, 10):
            order.append("second")

    thread = Thread(target=other)
    with alone(place, 10):
        thread.start()
        thread.join(0.05)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert list(place.parent.iterdir()) == []


def test_what_a_killed_process_left_behind_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    (tmp_path / "place.lock").touch()
    with alone(tmp_path / "place", 0.02):
        assert (tmp_path / "place.lock").exists()
    assert list(tmp_path.iterdir()) == []
