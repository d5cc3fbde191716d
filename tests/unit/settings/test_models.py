"""Models by name, and the data that says what they are."""

from __future__ import annotations

import datetime as dt
import tomllib
from importlib import resources

import pytest

from ctxpack.errors import UsageError
from ctxpack.settings.window import Model, estimating_counter, model_named
from ctxpack.system.tokens import ENCODINGS, counter
from tests.counting import FakeCounter

DATA = tomllib.loads(resources.files("ctxpack.settings").joinpath("models.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("gpt-5", "gpt-5"),
        ("GPT-5", "gpt-5"),
        ("openai/gpt-5", "gpt-5"),
        ("gpt-5-2025-08-07", "gpt-5"),
        ("gpt-5.4", "gpt-5.4"),
        ("claude-opus-4.5", "claude-opus-4-5"),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("claude-sonnet-4-5@20250929", "claude-sonnet-4-5"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("anthropic/claude-opus-5-latest", "claude-opus-5"),
        ("gemini-2.5-pro-preview", "gemini-2.5-pro"),
        ("gemini-3-flash-preview", "gemini-3-flash-preview"),
    ],
)
def test_a_model_is_found_as_people_write_it(written: str, name: str) -> None:
    assert model_named(written).name == name


@pytest.mark.parametrize("name", ["gpt-5-turbo", "claude", "gpt", "", "opus", "claude-opus-4-5-fast"])
def test_a_name_that_is_only_like_one_is_not_taken_for_it(name: str) -> None:
    with pytest.raises(UsageError, match="is not known"):
        model_named(name)


def test_an_unknown_model_names_those_near_and_how_to_add_it() -> None:
    with pytest.raises(UsageError, match="The model 'claude-opus-6' is not known") as caught:
        model_named("claude-opus-6")
    assert "claude-opus-5" in caught.value.hint
    assert '[models."claude-opus-6"]' in caught.value.hint
    assert "--window" in caught.value.hint


def test_a_model_of_the_user_wins_and_keeps_what_is_not_said() -> None:
    own: dict[str, dict[str, object]] = {
        "gpt-5": {"window": 272_000},
        "house": {"window": 32_000, "encoding": "llama3", "factor": 1.1},
    }
    assert model_named("gpt-5", own) == Model("gpt-5", 272_000)
    assert model_named("House", own) == Model("house", 32_000, "llama3", 1.1)
    assert model_named("claude-opus-5", {"claude-opus-5": {"window": 200_000}}).factor > 1


def test_every_figure_has_a_source_and_every_source_a_date() -> None:
    for family in DATA["family"]:
        assert family["encoding"] in ENCODINGS
        assert family["window"] >= 8_000
        assert {*family["sources"]} <= {*DATA["source"]}
        is_estimated = "factor" in family or "error" in family
        assert 0 < family.get("error", 0.1) < 0.5
        assert not is_estimated or "error" in family, "a factor without a bound says nothing"
    used = {name for family in DATA["family"] for name in family["sources"]}
    assert used == {*DATA["source"]}
    for source in DATA["source"].values():
        assert source["url"].startswith("https://")
        assert isinstance(source["read"], dt.date)
        assert source["says"].endswith(".")


def test_every_model_is_there_once_and_found_by_its_own_name() -> None:
    names = [name for family in DATA["family"] for name in family["names"]]
    assert len(names) == len({*names})
    assert [model_named(name).name for name in names] == names
    assert [model_named(name).is_estimate for name in ("gpt-5", "claude-opus-5", "gemini-2.5-pro")] == [
        False, True, True,
    ]  # fmt: skip


def test_estimated_counts_are_rounded_up() -> None:
    fake = FakeCounter(size=1)
    assert [estimating_counter(fake, 1.25).count("x" * length) for length in (0, 1, 4, 5, 100)] == [0, 2, 5, 7, 125]
    assert estimating_counter(fake, 1.1).count("x" * 10) == 11, "ten times 1.1 is eleven, not a little more"
    assert estimating_counter(fake, 1.0) is fake
    assert estimating_counter(counter(), 1.5).name == "o200k_base"
