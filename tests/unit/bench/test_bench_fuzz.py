"""Cases are made from their number alone, what is wrong with one is told and made smaller, and some of them hold."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from ctxpack.settings import Settings

fuzz = import_module("fuzz")
cases = import_module("fuzz_cases")
DEMO = Path(__file__).parents[3] / "fixtures" / "demo"
CORPUS = fuzz.read_corpus([DEMO], Random(1))  # noqa: S311 - the same files each time
SEEDS = {name: [data for _, data in CORPUS] for name in cases.READERS}


def test_a_number_is_a_case() -> None:
    one, again, other = (cases.make_case(1, number, (CORPUS, SEEDS)) for number in (3, 3, 4))
    assert one == again != other
    assert one.shown() == again.shown()


@pytest.mark.parametrize("number", range(40))
def test_some_cases_are_as_promised(number: int) -> None:
    assert cases.try_case(cases.make_case(7, number, (CORPUS, SEEDS))) == ""


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("# Context: a\n\n`ghp_key`\n", "a key comes through"),
        ("# Context: a\n" + "word " * 200, "more tokens than the budget"),
        ("# Context: a\n\u202e\n", "a character that commands a terminal"),
    ],
)
def test_a_broken_promise_is_told(tmp_path: Path, text: str, wrong: str) -> None:
    case = cases.Case("pack", secrets=("ghp_key",))
    with pytest.raises(cases.WrongError, match=wrong):
        cases._judge((text, ""), case, Settings(root=DEMO, cache_dir=tmp_path, budget=150))


def test_a_crash_is_told_with_its_place_and_made_smaller() -> None:
    def read(data: bytes) -> None:
        data.decode("ascii")

    before = dict(cases.READERS)
    cases.READERS["order"] = read
    try:
        case = cases.Case("order", b"some text and \xff a byte")
        verdict = cases.try_case(case)
        assert verdict.startswith("UnicodeDecodeError in test_bench_fuzz.py:")
        assert fuzz.smaller(case, verdict) == replace(case, data=b"\xff")
    finally:
        cases.READERS.update(before)
