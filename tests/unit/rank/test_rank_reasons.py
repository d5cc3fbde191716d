from __future__ import annotations

from ctxpack.model import Evidence
from ctxpack.rank.reasons import _SAME, _UNTOLD, told
from ctxpack.rank.weights import CHUNK_SIGNALS, FILE_SIGNALS

WORDS = Evidence("chunk subtokens", 2.0, "uses the words of the request")
NAME = Evidence("chunk name", 1.4, "its name resembles the request")
TEXT = "uses words of the request"


def test_that_the_words_stand_there_is_told_once() -> None:
    again = Evidence("chunk words", 1.0, "holds whole words of the request")
    parts = Evidence("chunks", 0.8, "several parts of it match the request")
    assert told((WORDS, NAME, again, parts), 3) == (TEXT, NAME.reason)


def test_what_costs_points_or_hardly_counts_or_always_holds_is_no_reason() -> None:
    cost = Evidence("kind", -4.0, "held back as test")
    faint = Evidence("commits", 0.1, "commits with similar messages changed it")
    prior = Evidence("size", 0.6, "it holds much code")
    assert told((cost, WORDS, faint, prior), 3) == (TEXT,)
    assert told((cost,), 3) == ()


def test_no_more_are_told_than_asked_for() -> None:
    assert told((WORDS, NAME), 1) == (TEXT,)


def test_every_signal_that_is_reworded_or_untold_exists() -> None:
    known = {signal.name for signal in FILE_SIGNALS} | {f"chunk {signal.name}" for signal in CHUNK_SIGNALS}
    assert known >= {*_SAME, *_UNTOLD}


def test_a_trait_that_holds_a_file_back_is_told_last() -> None:
    uses = Evidence("subtokens", 1.0, "its text uses the words of the request")
    vendored = Evidence("trait", -3.0, "held back as vendored code")
    assert told((vendored, uses), 1)[1:] == ("held back as vendored code",)


def test_commits_are_counted_once() -> None:
    by_title, by_words = Evidence("commits", 0.5, "2 commits did"), Evidence("commit words", 0.4, "3 commits did")
    assert told((by_title, by_words), 3) == ("2 commits did",)
    assert told((by_words,), 3) == ("3 commits did",)
