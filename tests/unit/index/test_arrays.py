from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ctxpack.errors import BrokenIndexError
from ctxpack.index import arrays
from ctxpack.index.arrays import PackedTexts, hold_arrays, pack_texts

ARRAYS: dict[str, NDArray[Any]] = {
    "bytes": np.frombuffer(b"abc", np.uint8),
    "none": np.zeros(0, np.int64),
    "numbers": np.arange(12, dtype=np.int32),
    "last": np.zeros(0, np.float64),
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
        assert found[name].dtype == found[name][:].dtype == array.dtype
        assert len(found[name]) == len(array)
        assert np.array_equal(found[name][:], array)
        assert np.array_equal(found[name].kept, array)
        assert found[name].numbers.tolist() == array.tolist()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("place", [slice(0, 0), slice(3, 7), slice(10, 99), slice(5, 2), slice(-3, None)])
def test_a_part_of_an_array_is_as_of_one_in_memory(tmp_path: Path, place: slice) -> None:
    whole(tmp_path / "file")
    assert arrays.load_arrays(tmp_path / "file")["numbers"][place].tolist() == ARRAYS["numbers"][place].tolist()


def test_an_existing_file_is_replaced_and_keeps_serving_who_has_it_open(tmp_path: Path) -> None:
    whole(tmp_path / "file")
    before = arrays.load_arrays(tmp_path / "file")
    arrays.save_arrays(tmp_path / "file", {"other": np.ones(3)})
    assert before["numbers"][:].sum() == 66
    assert list(arrays.load_arrays(tmp_path / "file")) == ["other"]


def test_a_file_without_a_map_and_with_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole(tmp_path / "file")
    if hasattr(os, "pread"):  # as on Windows
        monkeypatch.delattr(os, "pread")
    assert arrays.load_arrays(tmp_path / "file")["numbers"][3:5].tolist() == [3, 4]


@pytest.mark.skipif(not hasattr(os, "pread"), reason="a map keeps a file from being cut short")
def test_a_file_that_is_cut_short_while_it_is_open_is_broken(tmp_path: Path) -> None:
    whole(tmp_path / "file")
    found = arrays.load_arrays(tmp_path / "file")
    os.truncate(tmp_path / "file", 100)
    with pytest.raises(BrokenIndexError, match="file is damaged"):
        found["numbers"][:]


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


def test_packed_texts_come_back_one_by_one_and_by_blocks() -> None:
    for texts in ([], [b""], [b"", b"one", "ünï".encode()] * 100, [b"%d" % number for number in range(64)]):
        made = PackedTexts(**hold_arrays(pack_texts(texts)))
        assert made.all_texts() == texts
        assert [made[number] for number in range(len(texts))] == texts
        assert made.read(1, 3) == texts[64:192]


def test_not_all_packed_texts_that_were_read_are_kept() -> None:
    texts = [b"%d" % number for number in range(64 * 600)]
    made = PackedTexts(**hold_arrays(pack_texts(texts)))
    assert [made[number] for number in range(0, len(texts), 64)] == texts[::64]
    assert len(made._kept) < 300
