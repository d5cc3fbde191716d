"""Whatever is asked about a place, and however strategies are chosen, a report keeps its promises."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxpack.errors import BudgetError, NothingFoundError, UsageError
from ctxpack.model import Form, Request, Scope
from ctxpack.pipeline import run_pack
from ctxpack.settings import Settings
from ctxpack.system.tokens import counter
from tests.conftest import PROJECT
from tests.trying import examples

FILE = "processing/uploader.py"
NAMES = (
    "cursor",
    "selection",
    "heading",
    "document",
    "tests",
    "dependencies",
    "search",
    "conventions",
    "readme",
    "tree",
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("demo")
    yield Path(shutil.copytree(PROJECT / "fixtures" / "demo", folder / "demo"))
    shutil.rmtree(folder)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    last = len((PROJECT / "fixtures" / "demo" / FILE).read_text(encoding="utf-8").splitlines())
    first = draw(st.integers(1, last))
    end = draw(st.integers(first, last))
    how = draw(st.sampled_from(["line", "lines", "symbol", "none"]))
    text = draw(st.sampled_from(["", "retry the delays"]))
    if how == "line":
        return Request(Scope.FILE, text=text, path=FILE, line=first)
    if how == "lines":
        return Request(Scope.FILE, text=text, path=FILE, lines=(first, end))
    return Request(Scope.FILE, text=text, path=FILE, symbol="Uploader" if how == "symbol" else "")


@settings(max_examples=examples(8, 40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    request=requests(),
    chosen=st.lists(st.sampled_from(NAMES), unique=True, max_size=4),
    without=st.lists(st.sampled_from(NAMES), unique=True, max_size=2),
    wishes=st.fixed_dictionaries(
        {
            "budget": st.integers(150, 4_000),
            "format": st.sampled_from(["markdown", "json"]),
            "around": st.integers(1, 60),
        }
    ),
)
def test_a_pack_around_a_place_keeps_its_promises(
    demo: Path, request: Request, chosen: list[str], without: list[str], wishes: dict[str, Any]
) -> None:
    given_settings = Settings(
        root=demo, cache_dir=demo.parent / "cache", strategies=tuple(chosen), disable=tuple(without), **wishes
    )
    try:
        report = run_pack(request, given_settings)
    except (BudgetError, NothingFoundError, UsageError):
        return
    assert counter().count(report.text) == report.pack.tokens_used <= wishes["budget"]
    assert run_pack(request, given_settings).text == report.text
    pieces = report.pack.selection.fragments
    lines = (demo / FILE).read_text(encoding="utf-8").splitlines()
    for piece in pieces:
        first, last = piece.provenance.start_line, piece.provenance.end_line
        if (
            piece.provenance.path == FILE
            and piece.form in {Form.FULL, Form.EXCERPT}
            and not piece.text.endswith(" …\n")
        ):
            assert piece.text == "\n".join(lines[first - 1 : last]) + "\n"
    used = {each.strategy for each in pieces}
    assert not used & set(without)
    assert not chosen or used <= set(chosen)
