from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.model import Candidate, Chunk, Confidence, Evidence
from ctxpack.rank import Purpose
from ctxpack.rank.evidence import WORD_PAIRS, reasons_of
from tests.building import source_file
from tests.indexing import ask, opened, write

WORDS = Evidence("chunk subtokens", 2.0, "uses words of the request")
NAME = Evidence("chunk name", 1.4, "its name resembles the request")
CALLER = Evidence("imported by the best", 1.0, "the best matches import it")


def match(*evidence: Evidence, symbol: str = "Uploader.retry_limit") -> Candidate:
    file = source_file("net/retries.py")
    chunk = Chunk(1, 9, "function", symbol)
    return Candidate(file, chunk, 0.5, Confidence.MEDIUM, evidence, ("retry", "net", "delay"))


def test_what_the_matched_keywords_say_is_not_told_again() -> None:
    again = Evidence("chunk words", 1.0, "contains whole words of the request")
    parts = Evidence("chunks", 0.8, "several parts of it match the request")
    assert reasons_of(match(WORDS, again, parts, CALLER), 3) == (CALLER.reason,)


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        (NAME, "its name contains retry"),
        (Evidence("path", 1.0, "its path contains words of the request"), "its path contains net"),
        (Evidence("chunk identifiers", 1.0, "defines retry_limit"), "defines retry_limit"),
    ],
)
def test_a_reason_says_which_words_or_names_it_means(evidence: Evidence, reason: str) -> None:
    assert reasons_of(match(evidence), 3) == (reason,)


def test_a_name_without_words_of_the_request_is_no_reason() -> None:
    assert reasons_of(match(NAME, symbol="main"), 3) == ()


def test_what_costs_points_or_hardly_counts_or_always_holds_is_no_reason() -> None:
    cost = Evidence("kind", -4.0, "ranked lower as test")
    faint = Evidence("commits", 0.1, "commits with similar messages changed it")
    prior = Evidence("size", 0.6, "it contains a lot of code")
    assert reasons_of(match(cost, CALLER, faint, prior), 3) == (CALLER.reason,)
    assert reasons_of(match(cost), 3) == ()


def test_no_more_are_told_than_asked_for() -> None:
    assert reasons_of(match(NAME, CALLER), 1) == ("its name contains retry",)


def test_a_trait_that_holds_a_file_back_is_told_last() -> None:
    vendored = Evidence("trait", -3.0, "ranked lower as vendored code")
    assert reasons_of(match(vendored, CALLER), 1)[1:] == ("ranked lower as vendored code",)


def test_commits_are_counted_once() -> None:
    by_title, by_words = Evidence("commits", 0.5, "2 commits did"), Evidence("commit words", 0.4, "3 commits did")
    assert reasons_of(match(by_title, by_words), 3) == ("2 commits did",)
    assert reasons_of(match(by_words), 3) == ("3 commits did",)


def test_in_a_pack_words_that_stand_close_together_count_and_are_told_of_by_no_reason(tmp_path: Path) -> None:
    apart = "    a = 'one two three four five six seven eight nine'\n"
    files = {
        "far.py": f"def far():\n    return 'stale'\n{apart}    return 'pool'\n",
        "near.py": f"def near():\n    return 'stale pool'\n{apart}",
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    packed, listed = (ask("stale pool", view, purpose=purpose) for purpose in (Purpose.PACK, Purpose.LIST))
    gained = {each.file.path: {it.signal: it.points for it in each.evidence} for each in packed}
    assert [each.file.path for each in packed] == ["near.py", "far.py"]
    assert gained["near.py"][WORD_PAIRS] == 0.5
    assert WORD_PAIRS not in gained["far.py"]
    assert not any(it.signal == WORD_PAIRS for each in listed for it in each.evidence)
    assert not any("close together" in reason for each in packed for reason in reasons_of(each, 9))
    view.close()
