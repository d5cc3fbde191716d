"""What settings mean for the budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.errors import BudgetError, ConfigError, UsageError
from ctxpack.settings import DEFAULT_BUDGET, Settings
from ctxpack.settings.budget import budget_of, counter_of, estimate_of
from ctxpack.settings.loading import load


def loaded(root: Path, file: str = "", **flags: object) -> Settings:
    (root / "ctxpack.toml").write_text(file, encoding="utf-8")
    return load(root, flags, {"HOME": str(root)})


def test_without_a_model_or_a_window_the_budget_is_the_default(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "reserve = { answer = '10k' }")
    assert settings.budget == DEFAULT_BUDGET
    division = budget_of(settings).division()
    assert (division.window, division.pack, division.left) == (DEFAULT_BUDGET,) * 3


def test_a_model_sets_encoding_and_budget(tmp_path: Path) -> None:
    settings = loaded(tmp_path, model="anthropic/claude-opus-4.5")
    assert (settings.model, settings.encoding) == ("claude-opus-4-5", "o200k_base")
    assert settings.budget == budget_of(settings).division().pack < 200_000
    assert estimate_of(settings) == "× 1.25, ± 10 %"
    assert counter_of(settings).count("hello world") == 3
    qwen = loaded(tmp_path, model="qwen3-coder")
    assert qwen.encoding == counter_of(qwen).name == "qwen3"
    assert estimate_of(qwen) == ""


def test_a_window_wins_over_the_one_of_the_model(tmp_path: Path) -> None:
    assert budget_of(loaded(tmp_path, model="gpt-5", window="32k")).window == 32_000


def test_a_budget_that_was_named_anywhere_stays(tmp_path: Path) -> None:
    assert loaded(tmp_path, "budget = '12k'", model="gpt-5").budget == 12_000
    assert loaded(tmp_path, "window = '100k'", budget="99k").budget == 99_000
    with pytest.raises(UsageError, match="does not fit a window of 4000"):
        loaded(tmp_path, window="4k", budget="5k")


def test_reserves_of_files_and_flags_add_up_and_the_flag_wins(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "window = 100_000\n[reserve]\nanswer = 5000\nsystem = '1%'", reserve="answer=20%")
    assert settings.reserve == {"answer": 0.2, "system": 0.01}
    assert settings.budget == 100_000 - 20_000 - 1_000 - 2_000 - 10_000 - 1_000 - 2_000


def test_a_share_may_be_written_as_a_number(tmp_path: Path) -> None:
    assert loaded(tmp_path, "reserve = { answer = 0.25, buffer = 0 }").reserve == {"answer": 0.25, "buffer": 0}


def test_models_of_the_configuration_are_known(tmp_path: Path) -> None:
    file = '[models.house]\nwindow = "64k"\nencoding = "llama3"\nfactor = 1.2\nerror = 0.05\n'
    settings = loaded(tmp_path, f'model = "house"\n{file}')
    assert (settings.encoding, estimate_of(settings)) == ("llama3", "× 1.2, ± 5 %")
    assert budget_of(settings).window == 64_000


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("reserve = { talk = 5 }", "reserve must be NAME=N"),
        ("reserve = { answer = '120%' }", "reserve must be NAME=N"),
        ("reserve = { answer = 1.5 }", "reserve must be NAME=N"),
        ("reserve = 'answer'", "reserve must be NAME=N"),
        ("[models.x]\nwindow = 0", "whose window is a number of tokens"),
        ("[models.x]\nfactor = 0", "whose factor is a number from 0.1 to 10"),
        ("[models.x]\nerror = 2", "whose error is a number from 0 to 1"),
        ("[models.x]\nencoding = 'y'", "whose encoding is one of"),
        ("[models.x]\nsize = 3", "a table with window, encoding, factor and error"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, file: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, file)
    assert said in str(caught.value)


def test_flags_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--reserve divides a context window whose size is not known"):
        loaded(tmp_path, reserve="answer=1k")
    with pytest.raises(UsageError, match="is not the encoding of gpt-5, which is o200k_base"):
        loaded(tmp_path, model="gpt-5", encoding="cl100k_base")
    assert loaded(tmp_path, "encoding = 'cl100k_base'", model="gpt-5").encoding == "o200k_base"


def test_reserves_that_leave_nothing_are_a_budget_error(tmp_path: Path) -> None:
    with pytest.raises(BudgetError, match="leaves nothing for the pack"):
        loaded(tmp_path, window="10k", reserve="answer=100%")
