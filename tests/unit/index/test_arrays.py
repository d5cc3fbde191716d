from __future__ import annotations

import json
import re
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ctxpack.errors import BrokenIndexError
from ctxpack.index import arrays

ARRAYS: dict[str, NDArray[Any]] = {
    "bytes": np.frombuffer(b"abc", np.uint8),
    "none": np.zeros(0, np.int64),
    "table": np.arange(12, dtype=np.int32).reshape(3, 4),
    "last": np.zeros((0, 4), np.float64),
}


def whole(path: Path) -> bytes:
    arrays.save_arrays(path, ARRAYS)
    return path.read_bytes()


def with_directory(directory: object) -> bytes:
    head = directory if isinstance(directory, bytes) else json.dumps(directory).encode()
    return (b"CTXPACK1" + struct.pack("<Q", len(head)) + head).ljust(256, b"\0")


def test_arrays_come_back_as_they_were(tmp_path: Path) -> None:
    whole(tmp_path / "file")
    found = arrays.load_arrays(tmp_path / "file")
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert np.array_equal(found[name], array)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_each_array_starts_at_a_multiple_of_64(tmp_path: Path) -> None:
    whole(tmp_path / "file")
    assert all(array.ctypes.data % 64 == 0 for array in arrays.load_arrays(tmp_path / "file").values())


def test_an_existing_file_is_replaced_and_keeps_serving_who_has_it_open(tmp_path: Path) -> None:
    whole(tmp_path / "file")
    before = arrays.load_arrays(tmp_path / "file")
    arrays.save_arrays(tmp_path / "file", {"other": np.ones(3)})
    assert before["table"].sum() == 66
    assert list(arrays.load_arrays(tmp_path / "file")) == ["other"]


def pages_of(path: Path) -> int:
    """How many KB of a mapped file count as memory of this process."""
    maps = Path("/proc/self/smaps").read_text(encoding="utf-8", errors="replace")
    return sum(int(line) for line in re.findall(rf" {re.escape(str(path))}\n(?:\w+:.*\n)*?Rss: +(\d+) kB", maps))


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted as Linux tells it")
def test_a_file_is_compared_without_holding_it_and_forgotten_pages_do_not_count(tmp_path: Path) -> None:
    numbers = np.arange(500_000)
    arrays.save_arrays(tmp_path / "file", {"numbers": numbers, "table": numbers.reshape(2, -1)})
    found = arrays.load_arrays(tmp_path / "file")
    assert pages_of(tmp_path / "file") < 1_000
    assert found["table"].sum() == numbers.sum()
    assert pages_of(tmp_path / "file") > 3_000
    arrays.forget_pages(found["table"][1])
    assert pages_of(tmp_path / "file") == 0
    assert np.array_equal(found["numbers"], numbers)


def test_arrays_that_are_of_no_file_have_nothing_to_forget() -> None:
    numbers = np.arange(10).reshape(2, 5)
    arrays.forget_pages(numbers[1])
    arrays.forget_pages(np.frombuffer(memoryview(b"abc"), np.uint8))
    assert numbers.sum() == 45


@pytest.mark.parametrize("size", [0, 1, 8, 15, 16, 60, 200, -65])
def test_a_file_cut_short_is_broken(tmp_path: Path, size: int) -> None:
    data = whole(tmp_path / "file")
    (tmp_path / "file").write_bytes(data[:size])
    with pytest.raises(BrokenIndexError, match="file"):
        arrays.load_arrays(tmp_path / "file")


@pytest.mark.parametrize(
    "content",
    [
        b"CTXPACK0" + bytes(100),
        bytes(4096),
        b"CTXPACK1" + b"\xff" * 8 + b"[]",
        with_directory(b"\xff\xfe not json"),
        with_directory({"a": 1}),
        with_directory(7),
        with_directory([["a", "<i4", [2], 10_000]]),
        with_directory([["a", "<i4", [10**30], 0]]),
        with_directory([["a", "<i4", [2], 10**30]]),
        with_directory([["a", "<i4", [2], -(10**6)]]),
        with_directory([["a", "<i4", [-2], 0]]),
        with_directory([["a", "<i4", ["2"], 0]]),
        with_directory([["a", "no type", [2], 0]]),
        with_directory([["a", "|O", [2], 0]]),
        with_directory([["a", "<i4", None, 0]]),
        with_directory([["a", "<i4"]]),
    ],
)
def test_garbage_is_broken(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(BrokenIndexError, match=r"The index file file"):
        arrays.load_arrays(tmp_path / "file")


def test_a_missing_file_is_broken(tmp_path: Path) -> None:
    with pytest.raises(BrokenIndexError, match="missing"):
        arrays.load_arrays(tmp_path / "missing")


def test_a_folder_is_broken(tmp_path: Path) -> None:
    with pytest.raises(BrokenIndexError):
        arrays.load_arrays(tmp_path)
