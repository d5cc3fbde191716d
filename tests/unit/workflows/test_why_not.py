"""Why one file is, or is not, in the pack of a task."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack import pipeline
from ctxpack.model import Request, Scope
from ctxpack.settings import Settings
from ctxpack.workflows.why_not import Verdict, explain_absence, sentences_of
from tests.building import retry_module
from tests.indexing import commit, write

TEXT = "the retry delay of the uploader"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    files: dict[str, str | bytes] = {
        "uploader.py": retry_module("uploader_retry_delay"),
        "other.py": retry_module("other_retry_delay"),
        "paint.py": "def colour():\n    return 'red'\n",
        "logo.png": b"\x89PNG\0",
        "build.log": "retry delay\n",
        ".gitignore": "*.log\n",
        ".ctxpackignore": "hidden.py\n",
        "hidden.py": "retry = 1\n",
        "large.py": "retry = 1\n" * 200,
    }
    commit(tmp_path / "repo", files, "Start it")
    settings = Settings(root=tmp_path / "repo", cache_dir=tmp_path / "cache", budget=800, use_tree=False)
    return replace(settings, max_file_size=1_900)


@pytest.fixture
def wide(settings: Settings) -> Settings:
    return replace(settings, max_file_size=1_000_000)


def asked(path: str, settings: Settings, text: str = TEXT) -> Verdict:
    return explain_absence(path, text, settings)


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("logo.png", "binary"),
        ("build.log", ".gitignore"),
        ("hidden.py", ".ctxpackignore"),
        ("large.py", "larger than"),
        (".git/config", "not a file of this repository"),
    ],
)
def test_what_is_not_searched_names_its_rule(settings: Settings, path: str, rule: str) -> None:
    verdict = asked(path, settings)
    assert rule in verdict.rule
    assert verdict == Verdict(path, 800, verdict.rule, verdict.hidden)
    assert path.startswith(verdict.hidden)


def test_globs_and_lists_are_rules_too(settings: Settings) -> None:
    assert asked("paint.py", replace(settings, exclude=("pai*",))).rule == 'excluded by --exclude: "pai*"'
    assert asked("paint.py", replace(settings, paths=("hidden.py",))).rule == "not among the listed files"


def test_what_has_room_and_scores_too_little_for_its_kind_says_so(tmp_path: Path) -> None:
    story = "# 1.0\n\n- The uploader waits for a retry.\n" + "".join(f"- Mend {at} of it.\n" for at in range(60))
    files = {"uploader.py": retry_module("uploader_retry_delay"), "CHANGELOG.md": story}
    commit(tmp_path / "repo", files, "Start it")
    settings = Settings(root=tmp_path / "repo", cache_dir=tmp_path / "cache", budget=8_000, use_tree=False)
    text = "where does the uploader compute the retry delay, and why is it so long after an outage of the network"
    verdict = explain_absence("CHANGELOG.md", text, settings)
    assert verdict.ranked is not None
    assert verdict.ranked.score < verdict.needed
    assert f"needs a score of {verdict.needed:.2f}" in "\n".join(sentences_of(verdict))
    every = explain_absence("CHANGELOG.md", text, replace(settings, min_score=0.0))
    assert (bool(every.pieces), every.needed) == (True, 0.0)


def test_what_is_packed_shows_its_pieces_and_why(wide: Settings) -> None:
    verdict = asked("uploader.py", wide)
    assert not verdict.rule
    assert {each.provenance.path for each in verdict.pieces} == {"uploader.py"}
    assert verdict.ranked is not None
    assert (verdict.ranked.rank, verdict.enough) == (1, None)
    assert verdict.standing is not None
    assert verdict.standing.place == 1
    assert any(each.signal == "subtokens" for each in verdict.evidence)


def test_the_budget_that_is_named_is_enough_and_little_less_is_not(wide: Settings) -> None:
    tight, text = replace(wide, budget=500), "the retry delay"  # two files have it alike
    verdict = asked("uploader.py", tight, text)
    assert verdict.pieces == ()
    assert verdict.ranked is not None
    assert verdict.ranked.tokens > 0
    assert verdict.weakest is not None
    assert verdict.weakest.provenance.score >= verdict.ranked.score
    enough = verdict.enough
    assert enough is not None
    assert enough > tight.budget

    def is_in(budget: int) -> bool:
        pack = pipeline.run_pack(Request(Scope.TASK, text=text), replace(wide, budget=budget)).pack
        return any(each.provenance.path == "uploader.py" for each in pack.selection.fragments)

    assert is_in(enough)
    assert not is_in(enough - max(enough // 20, 1) - 1)


def test_what_does_not_match_has_a_place_but_no_rank(wide: Settings) -> None:
    verdict = asked("paint.py", wide)
    assert (verdict.pieces, verdict.ranked, verdict.enough) == ((), None, None)
    assert verdict.standing is not None
    assert not verdict.standing.is_about
    assert verdict.standing.place > 2


def test_beyond_the_compared_files_the_place_tells_how_far(tmp_path: Path) -> None:
    files = {f"retry_{number:02}.py": "def retry():\n    delay = 1\n" for number in range(70)}
    write(tmp_path / "repo", files | {"far.py": "x = 'delay'\n" + "y = 1\n" * 50})
    settings = Settings(root=tmp_path / "repo", cache_dir=tmp_path / "cache", budget=2_000)
    standing = explain_absence("far.py", "retry delay", settings).standing
    assert standing is not None
    assert standing.place > standing.compared == 60
    assert standing.points <= standing.needed


def test_nothing_that_matches_leaves_no_standing(wide: Settings) -> None:
    verdict = explain_absence("paint.py", "zzyzx", wide)
    assert (verdict.standing, verdict.ranked, verdict.evidence, verdict.pieces) == (None, None, (), ())
