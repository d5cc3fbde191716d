"""Whatever the model, the window, the reserves and the requirements: the finished text keeps within its budget."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from ctxpack.errors import BudgetError
from ctxpack.model import Request, Scope
from ctxpack.model.formats import PROMPT_FORMATS
from ctxpack.pipeline import run_pack
from ctxpack.settings import Settings
from ctxpack.settings.budget import budget_of, counter_of
from ctxpack.settings.loading import load
from ctxpack.settings.readers import RESERVES
from tests.trying import examples

DEMO = Path(__file__).parents[2] / "fixtures" / "demo"
REQUESTS = (
    Request(Scope.TASK, text="events are sent twice after an outage"),
    Request(Scope.FILE, path="processing/uploader.py"),
    Request(Scope.COMPONENT, name="queue"),
)
MODELS = ("", "gpt-5", "claude-opus-5", "claude-haiku-4-5", "gemini-2.5-pro", "qwen3-coder", "mistral-nemo")
REQUIRED = ("processing/uploader.py", "processing/queue.py:1-9", "docs", "utils/*.py", "readme", "docs/wiki/queue.md:3")
FORMATS = ("markdown", "xml", "json", "plain", "markdown-compact", *PROMPT_FORMATS)
IN_A_PROMPT = {"system", "request", "history", "memory"}
AMOUNTS = st.one_of(st.integers(0, 900).map(str), st.integers(0, 20).map(lambda percent: f"{percent}%"))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(DEMO, tmp_path_factory.mktemp("windows") / "demo"))


def loaded(root: Path, flags: dict[str, object]) -> Settings:
    """The settings of some flags, in an environment of their own. Raises BudgetError."""
    return load(root, flags, {"HOME": str(root.parent), "CTXPACK_CACHE_DIR": str(root.parent / "cache")})


@st.composite
def flags(draw: st.DrawFn) -> dict[str, object]:
    """What someone may type about the size of a pack."""
    window = draw(st.integers(300, 20_000))
    model, budget = draw(st.sampled_from(MODELS)), draw(st.one_of(st.none(), st.integers(200, 6_000)))
    return {
        "window": window,
        "reserve": draw(st.dictionaries(st.sampled_from(RESERVES), AMOUNTS, max_size=4)),
        "require": tuple(draw(st.lists(st.sampled_from(REQUIRED), max_size=3, unique=True))),
        "format": draw(st.sampled_from(FORMATS)),
        **({"model": model} if model else {}),
        **({"budget": min(budget, window)} if budget else {}),
    }


@settings(max_examples=examples(10, 50), deadline=None)
@given(asked=st.sampled_from(REQUESTS), told=flags())
def test_the_finished_text_keeps_within_its_part_of_the_window(
    root: Path, asked: Request, told: dict[str, object]
) -> None:
    try:
        its = loaded(root, told)
        report = run_pack(asked, its)
    except BudgetError:
        reject()
    used, is_whole = report.pack.tokens_used, its.format not in PROMPT_FORMATS
    assert used == counter_of(its).count(report.text) <= report.pack.budget
    if "budget" in told:
        assert report.pack.budget == told["budget"]
    else:
        around = [part for part in budget_of(its).division().parts if part.name not in IN_A_PROMPT or is_whole]
        assert used + sum(part.tokens for part in around) <= its.window
    paths = {each.provenance.path for each in report.pack.selection.fragments}
    for name in its.require:
        wanted = name.partition(":")[0].removesuffix("*.py").replace("readme", "docs/README.MD")
        assert any(path.startswith(wanted) for path in paths)
