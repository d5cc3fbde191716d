"""What a list tells together, and what it keeps apart."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, pairwise
from pathlib import Path

import pytest

from ctxpack.index import IndexView
from ctxpack.model import Candidate
from ctxpack.rank import Purpose, rank
from ctxpack.rank.evidence import reasons_of
from ctxpack.rank.places import SCREEN
from tests.indexing import commit, opened, prepared

ISSUE = "Retrying an upload waits too long\n\nThe retry delay of an upload doubles, and the retry limit is ignored."
NAMED = "def retry_{0}(upload):\n    if upload.retry is None:\n        return 0\n    return upload.retry.{0} or 1\n"
LIMIT, DELAY = NAMED.format("limit"), NAMED.format("delay")


def function(n: int) -> str:
    return f"def retry_{n}(upload):\n    if upload:\n        upload.limit()\n    return upload.retry.delay_{n}\n\n\n"


def view_of(tmp_path: Path, text: str) -> IndexView:
    commit(tmp_path / "root", {"app/upload.py": text, "app/cache.py": "def evict():\n    return None\n"})
    return opened(tmp_path / "root", tmp_path / "cache")


def listed(view: IndexView, purpose: Purpose = Purpose.LIST, limit: int = 20) -> list[Candidate]:
    found = rank(prepared(ISSUE, view), view, limit=limit, purpose=purpose)
    return [each for each in found if each.file.path == "app/upload.py"]


def lines(found: list[Candidate]) -> list[tuple[int, int]]:
    return [(each.chunk.start_line, each.chunk.end_line) for each in found]


def test_neighbours_are_one_place_that_says_who_stands_in_it(tmp_path: Path) -> None:
    view = view_of(tmp_path, f"{LIMIT}\n\n{DELAY}")
    (place,) = listed(view)
    assert lines([place]) == [(1, 10)]
    first = place.chunk.symbol
    (other,) = {"retry_limit", "retry_delay"} - {first}
    assert reasons_of(place, 2)[-1] == f"adjacent matches: {other}"
    view.close()


def test_a_pack_gets_each_of_them_on_its_own(tmp_path: Path) -> None:
    view = view_of(tmp_path, f"{LIMIT}\n\n{DELAY}")
    found = listed(view, Purpose.PACK)
    assert sorted(each.chunk.symbol for each in found) == ["retry_delay", "retry_limit"]
    assert not any(each.signal == "neighbours" for one in found for each in one.evidence)
    view.close()


@pytest.mark.parametrize(
    "between", ["\n\ndef other():\n    x = 1\n    y = 2\n    z = 3\n    return x\n\n\n", "    # retry\n" * SCREEN]
)
def test_what_does_not_adjoin_or_is_too_long_stays_apart(tmp_path: Path, between: str) -> None:
    view = view_of(tmp_path, f"{LIMIT}{between}\n\n{DELAY}")
    found = listed(view)
    assert len(found) == 2
    assert all(end - start < SCREEN or symbol for (start, end), symbol in zip(lines(found), found, strict=True))
    view.close()


def test_more_places_change_nothing_about_the_first(tmp_path: Path) -> None:
    parts = [f"{function(n)}def other_{n}():\n" + "    x = 1\n" * (9 * n + 1) for n in range(9)]
    view = view_of(tmp_path, "".join(parts))
    every = lines(listed(view))
    assert len(every) > 2
    for limit in range(1, len(every) + 1):
        assert lines(listed(view, limit=limit)) == every[:limit]
    view.close()


def test_no_two_places_share_a_line(tmp_path: Path) -> None:
    text = "".join(map(function, range(40)))
    view = view_of(tmp_path, text)
    spans = sorted(lines(listed(view)))
    assert all(one[1] < other[0] for one, other in pairwise(spans))
    assert all(end - start < SCREEN for start, end in spans)
    view.close()


_RUST = """pub fn retry_upload(upload: Upload) -> Retry {
    upload.delay().retry()
}
"""
_RUST_TESTS = """#[cfg(test)]
mod tests {
    #[test]
    fn retry_upload_ends() {
        // retry an upload: tests
        retry_upload(upload()).retry(upload());
    }
}
"""


@pytest.mark.parametrize(
    ("text", "first"),
    [("retry of an upload", "retry_upload"), ("tests of the retry of an upload", "tests.retry_upload_ends")],
)
def test_tests_within_a_file_of_code_come_after_it_in_a_pack(tmp_path: Path, text: str, first: str) -> None:
    others = "".join(f"pub fn other_{n}() -> u8 {{\n    {n}\n}}\n\n" for n in range(40))
    commit(tmp_path / "root", {"src/upload.rs": f"{_RUST}\n{others}{_RUST_TESTS}"})
    view = opened(tmp_path / "root", tmp_path / "cache")
    found = rank(prepared(text, view), view, limit=20, purpose=Purpose.PACK)
    assert found[0].chunk.symbol == first
    view.close()


def test_a_test_without_a_module_comes_after_what_it_tests(tmp_path: Path) -> None:
    code = "pub fn pager_executable(name: Option<&str>) -> Option<String> {\n    name.map(String::from)\n}\n"
    test = (
        "#[test]\nfn pager_executable_is_known() {\n    // of the pager\n"
        "    assert_eq!(pager_executable(PAGER), None);\n}\n"
    )
    others = "".join(f"pub fn other_{n}() -> u8 {{\n    {n}\n}}\n\n" for n in range(40))
    commit(tmp_path / "root", {"src/config.rs": f"{code}\n{others}{test}"})
    view = opened(tmp_path / "root", tmp_path / "cache")
    text = "where is the executable of the pager taken"
    for purpose, first in ((Purpose.PACK, "pager_executable"), (Purpose.LIST, "pager_executable_is_known")):
        assert rank(prepared(text, view), view, limit=20, purpose=purpose)[0].chunk.symbol == first
    view.close()


def test_the_long_head_of_a_class_comes_after_its_methods_in_a_pack(tmp_path: Path) -> None:
    fields = "".join(f"    retry_upload_{n}: int  # of the retry of an upload\n" for n in range(40))
    method = (
        "    def retry(self, upload):\n        if upload:\n            return upload.retry()\n        return None\n"
    )
    others = "".join(f"    def other_{n}(self):\n        return {n}\n\n" for n in range(30))
    found = listed(view_of(tmp_path, f"class Uploader:\n{fields}\n{method}\n{others}"), Purpose.PACK)
    symbols = [each.chunk.symbol for each in found]
    assert symbols.index("Uploader.retry") < symbols.index("Uploader")


def long_function(calls: Iterable[str]) -> str:
    """A function with a call on every third line, of which one has a word of the request."""
    words = (f"{'retry' if at == 30 else 'other'}_{at}" for at in count())
    entries = (f'    self.{call}(\n        "{word}",\n    )\n' for call, word in zip(calls, words, strict=False))
    return f"def declare(self):\n{''.join(entries)}"


def test_of_a_function_that_repeats_one_call_a_pack_gets_the_part_that_is_meant(tmp_path: Path) -> None:
    view = view_of(tmp_path, long_function(["add_option"] * 80))
    start, end = lines(listed(view, Purpose.PACK))[0]
    assert end - start < 60
    assert start <= 92 <= end
    view.close()


def test_a_long_function_that_does_different_things_is_whole(tmp_path: Path) -> None:
    view = view_of(tmp_path, long_function(f"step_{number}" for number in range(80)))
    assert lines(listed(view, Purpose.PACK)) == [(1, 241)]
    view.close()
