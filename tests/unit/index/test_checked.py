"""A file of the index is compared with its checksum once; after any change, again."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import save_arrays
from ctxpack.index.known import CHECKED, CheckedFiles
from ctxpack.system.disk import read_sealed_json, write_sealed_json
from tests.indexing import ask, opened, write

AHEAD = 3_600_000_000_000
NUMBERS = list(range(1_000))
posix = pytest.mark.skipif(sys.platform == "win32", reason="there the checksum is always compared")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    save_arrays(tmp_path / "segment", {"numbers": np.arange(1_000)})
    return tmp_path / "segment"


def load(file: Path, ahead: int = AHEAD) -> list[int]:
    """Load a file as a run does, long after it was written."""
    checked = CheckedFiles(file.parent, time.time_ns() + ahead)
    found: list[int] = checked.load(file)["numbers"][:].tolist()
    checked.record()
    return found


def damage(file: Path) -> None:
    """Change the last number, and set the time back."""
    before = file.stat()
    data = bytearray(file.read_bytes())
    data[8 * 999 + data.index(b"\0" * 8 + (1).to_bytes(8, "little"))] ^= 1
    file.write_bytes(data)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def call_known(file: Path) -> None:
    """Have a file taken for one that was compared."""
    status = file.stat()
    stamp = [status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]
    write_sealed_json(file.parent / CHECKED, {file.name: stamp})


@posix
def test_what_has_not_changed_is_not_compared_again(file: Path) -> None:
    assert load(file) == NUMBERS
    kept = (file.parent / CHECKED).stat().st_mtime_ns
    damage(file)
    call_known(file)
    assert load(file) != NUMBERS
    call_known(file)
    assert load(file) != NUMBERS
    assert (file.parent / CHECKED).stat().st_mtime_ns >= kept


def replace_by_copy(file: Path) -> None:
    copy = file.with_name("copy")
    shutil.copy2(file, copy)
    damage(copy)
    copy.replace(file)


@pytest.mark.parametrize("change", [damage, replace_by_copy])
def test_what_has_changed_is_compared(file: Path, change: Callable[[Path], None]) -> None:
    assert load(file) == NUMBERS
    change(file)
    with pytest.raises(BrokenIndexError, match="is damaged"):
        load(file)


def test_what_was_written_just_now_is_compared(file: Path) -> None:
    assert load(file, ahead=0) == NUMBERS
    assert read_sealed_json(file.parent / CHECKED) == {file.name: []}
    damage(file)
    call_known(file)
    with pytest.raises(BrokenIndexError, match="is damaged"):
        load(file, ahead=0)


def test_a_list_that_is_damaged_is_no_list(file: Path) -> None:
    assert load(file) == NUMBERS
    (file.parent / CHECKED).write_bytes(b"nonsense")
    assert load(file) == NUMBERS
    assert read_sealed_json(file.parent / CHECKED).keys() == {file.name}


def test_files_that_are_gone_are_forgotten(file: Path) -> None:
    assert load(file) == NUMBERS
    other = file.with_name("other")
    save_arrays(other, {"numbers": np.arange(1_000)})
    file.unlink()
    assert load(other) == NUMBERS
    assert read_sealed_json(file.parent / CHECKED).keys() == {"other"}


def test_an_index_answers_alike_with_and_without_its_list(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {f"part_{n}.py": f"def part_{n}():\n    return 'retry {n}'\n" for n in range(9)})
    views = [opened(root, tmp_path / "cache") for _ in range(3)]
    assert len({repr(ask("retry part 3", view)) for view in views}) == 1
    for view in views:
        view.close()
    assert list(tmp_path.glob(f"cache/index/*/{CHECKED}"))
