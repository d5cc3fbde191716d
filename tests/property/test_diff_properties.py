"""Any two states of a repository, any budget: the report of their diff keeps its promises."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ctxpack.errors import BudgetError, NothingFoundError
from ctxpack.model import Request, Scope
from ctxpack.pipeline import PackRun, run_pack
from ctxpack.render.wording import next_places
from ctxpack.settings import Settings
from ctxpack.system.tokens import counter
from ctxpack.text import visible
from tests.indexing import commit, git, write
from tests.trying import examples

LINES = st.lists(
    st.sampled_from(
        [
            "", "def run(self):", "    return run(1)", "class Run:", "```", "````diff", "# Run", "]]></document>",
            "x" * 300, "@@ -1 +1 @@", "--- a/x", "+++ b/x", "diff --git a/x b/x", "\\ No newline at end of file",
            "Слово. И ещё.", "\tpass", "⋯", "a\rb", "\x0c",
        ]
    ),
    max_size=40,
)  # fmt: skip
NAMES = ("run.py", "docs/run.md", "tests/test_run.py", "caf\udce9.py", "a b.toml", "package-lock.json")
TEXTS = st.tuples(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda made: made[1].join(made[0]) + (made[1] if made[2] else "")
)
STATES = st.dictionaries(st.sampled_from(NAMES), TEXTS, min_size=1, max_size=5)


@pytest.mark.parametrize("form", ["markdown", "json"])
@settings(max_examples=examples(4, 15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=STATES, new=STATES, budget=st.integers(150, 4_000), is_committed=st.booleans())
def test_a_diff_keeps_its_promises(
    form: str,
    old: dict[str, str],
    new: dict[str, str],
    budget: int,
    is_committed: bool,  # noqa: FBT001 - hypothesis passes by keyword
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "r"
        commit(root, old, "Old ``` state")
        for path in set(old) - set(new):
            (root / path).unlink()
        write(root, new)
        if is_committed:
            commit(root, {}, "New\n\n```\nstate")
        its = Settings(root=root, cache_dir=Path(folder) / "cache", budget=budget, format=form)
        request = Request(Scope.DIFF, revision="HEAD^!" if is_committed else "")
        try:
            report = run_pack(request, its)
        except (BudgetError, NothingFoundError):
            reject()
        assert report.pack.tokens_used == counter().count(report.text) <= budget
        assert run_pack(request, its).text == report.text
        assert_well_formed(report, form)
        shown = [each for each in report.pack.selection.fragments if each.language == "diff"]
        whole = diff_lines(root, is_committed=is_committed)
        for each in shown:
            lines = [line for line in each.text.split("\n") if line[:1] in {"+", "-"} and line.strip()]
            assert all(line in whole for line in lines if not line.startswith(("--- ", "+++ "))), each.text


def diff_lines(root: Path, *, is_committed: bool) -> set[str]:
    """Every line that git shows for the change, and every line of an untracked file as added."""
    git(root, "add", "-A")
    sides = ("HEAD^", "HEAD") if is_committed else ("HEAD",)
    command = ["git", "diff", "--text", "--no-renames", *sides]
    output = subprocess.run(command, cwd=root, check=True, capture_output=True).stdout
    return {visible(line) for line in output.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")}


def assert_well_formed(report: PackRun, form: str) -> None:
    pieces = report.pack.selection.fragments
    if form == "json":
        assert len(json.loads(report.text)["fragments"]) == len(pieces)
        return
    tokens = MarkdownIt().parse(report.text)
    fences = [token for token in tokens if token.type == "fence" and token.level == 0]  # a quoted request may have some
    assert len(fences) == sum(bool(each.text.strip()) for each in pieces) + bool(next_places(report.pack))
