"""The recipe of a report: what it records, what it leaves to report and project, and what it may not set."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.errors import UsageError
from ctxpack.model import Request, Scope
from ctxpack.settings import Settings
from ctxpack.settings.loading import load
from ctxpack.settings.recipe import read_recipe, recipe_of

TASK = Request(Scope.TASK, text="mend it")


def loaded(root: Path, **flags: object) -> Settings:
    return load(root, flags, {})


def recorded(settings: Settings, request: Request = TASK) -> str:
    return recipe_of(request, settings, is_shown=True)


def test_a_plain_task_needs_no_recipe(tmp_path: Path) -> None:
    assert recorded(loaded(tmp_path)) == ""
    assert recorded(loaded(tmp_path, budget="4k")) == ""  # the report tells its budget
    assert recipe_of(TASK, loaded(tmp_path), is_shown=False) == "ctxpack task -"


def test_what_the_project_says_is_not_recorded(tmp_path: Path) -> None:
    (tmp_path / "ctxpack.toml").write_text('order = "path"\nexclude = ["vendor/**"]\n', encoding="utf-8")
    assert recorded(loaded(tmp_path)) == ""
    assert recorded(load(tmp_path, {}, {"CTXPACK_ORDER": "edges"})) == "ctxpack task --order edges"


def test_the_budget_is_recorded_where_the_format_does_not_tell_it(tmp_path: Path) -> None:
    assert recorded(loaded(tmp_path, budget="4k", format="messages")) == "ctxpack task --budget 4000"
    assert recorded(loaded(tmp_path, budget="4k", model="gpt-5")) == "ctxpack task --budget 4000 --model gpt-5"


def test_what_is_run_and_said_is_not_recorded(tmp_path: Path) -> None:
    given = loaded(tmp_path, rerank="sort -u", embedding_model="m", order="path")
    assert recorded(given) == "ctxpack task --order path"


def test_files_that_refresh_keeps_have_no_recipe(tmp_path: Path) -> None:
    settings = Settings(root=tmp_path, cache_dir=tmp_path, stable=True, origins={"order": "--order"}, order="path")
    assert recorded(settings, Request(Scope.FILE, path="a.py")) == ""


REQUESTS = (
    TASK,
    Request(Scope.FILE, path="src/a b.py", line=3),
    Request(Scope.FILE, path="a.py", lines=(3, 9), hints=(("task", "why?"),)),
    Request(Scope.FILE, path="a.py", symbol="A.b"),
    Request(Scope.COMPONENT, name="the queue"),
    Request(Scope.DIFF, revision="main..it's"),
    Request(Scope.DIFF, is_staged=True),
    Request(Scope.DIFF),
)
FLAGS: tuple[dict[str, object], ...] = (
    {},
    {"order": "path", "use_tree": False, "semantic": False, "min_score": 0.25, "max_files": 0},
    {"include": "src/**,docs/**", "reserve": "history=30k,answer=20%", "window": "100k", "line_numbers": True},
    {"strategies": "search,tests", "enable": "history", "around": 7},
)


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_a_recipe_says_what_was_asked_with_which_settings(
    tmp_path: Path, request_: Request, flags: dict[str, object]
) -> None:
    settings = loaded(tmp_path, **flags)
    recipe = read_recipe(recorded(settings, request_))
    asked = recipe.request
    assert (asked.scope, asked.path, asked.name, asked.line) == (
        request_.scope, request_.path, request_.name, request_.line,
    )  # fmt: skip
    assert (asked.lines, asked.symbol, asked.revision) == (request_.lines, request_.symbol, request_.revision)
    assert (asked.is_staged, asked.hints, recipe.needs) == (request_.is_staged, request_.hints, frozenset())
    assert loaded(tmp_path, **recipe.values).digest == settings.digest


@pytest.mark.parametrize("name", ["review", "own"])
def test_a_profile_is_recorded_by_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "ctxpack.toml").write_text('[profile.own]\norder = "path"\n', encoding="utf-8")
    written = recorded(load(tmp_path, {}, {}, None, name))
    assert written == f"ctxpack task --profile {name}"
    assert read_recipe(written).profile == name


def test_what_only_the_user_has_is_named(tmp_path: Path) -> None:
    settings = Settings(root=tmp_path, cache_dir=tmp_path, paths=("a.py",), buffers={"a.py": "x = 1\n"})
    recipe = read_recipe(recorded(settings, Request(Scope.FILE, path="a.py")))
    assert recipe.needs == {"paths", "buffer"}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("ctxpack task --rerank 'curl x'", "sets --rerank, which only you may set"),
        ("ctxpack task --embedding-model /etc", "sets --embedding-model, which only you may set"),
        ("ctxpack task --system /etc/passwd", "sets --system, which only you may set"),
        ("ctxpack task --session mine", "sets --session, which only you may set"),
        ("ctxpack task --history x", "sets --history, which only you may set"),
        ("ctxpack task --no-cache", "sets --no-cache, which only you may set"),
        ("ctxpack task --llm x", "sets --llm, which only you may set"),
        ("ctxpack task --output /etc/x", "has the unknown option --output"),
        ("ctxpack task --config /etc/x", "has the unknown option --config"),
        ("ctxpack task mend it", "names more than one thing"),
        ("ctxpack task mend", "holds words of the request"),
        ("ctxpack refresh", "names no command of ctxpack that packs"),
        ("rm -rf x", "names no command of ctxpack that packs"),
        ("ctxpack", "names no command of ctxpack that packs"),
        ("ctxpack task --order", "ends with --order"),
        ("ctxpack file a --line x", "has a wrong --line"),
        ("ctxpack task 'open", "is broken"),
    ],
)
def test_a_recipe_that_asks_for_too_much_is_refused(written: str, said: str) -> None:
    with pytest.raises(UsageError, match="The report cannot be made again") as caught:
        read_recipe(written)
    assert said in str(caught.value)
