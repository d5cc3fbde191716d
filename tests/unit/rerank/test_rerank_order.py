"""A new order keeps the scores that there were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxpack.model import Candidate, Chunk, Confidence, Evidence, Kind, SourceFile
from ctxpack.rank.reasons import told
from ctxpack.rerank.order import reordered

SCORES = st.lists(st.integers(0, 40).map(lambda number: number / 50), min_size=1, max_size=8)


def candidates(scores: list[float]) -> list[Candidate]:
    """As a ranker gives them: sorted, each in a file of its own."""
    names = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    return [
        Candidate(
            SourceFile(f"{at}.py", Kind.CODE, "python", 1, "", 0),
            Chunk(1, 9, "function"),
            scores[at],
            Confidence.LOW,
            (Evidence("traceback", 2.0, "holds a word"),),
            value=scores[at] ** 2,
        )
        for at in names
    ]


def key(candidate: Candidate) -> tuple[float, str, int]:
    return (-candidate.score, candidate.file.path, candidate.chunk.start_line)


@given(SCORES, st.randoms(use_true_random=False))
def test_order_is_as_asked_and_the_list_stays_sorted(scores: list[float], random: object) -> None:
    before = candidates(scores)
    places = list(range(len(before)))
    random.shuffle(places)  # type: ignore[attr-defined] # Hypothesis gives a Random
    named = places[: max(1, len(places) // 2)]
    after = reordered(before, named)
    assert [each.file.path for each in after[: len(named)]] == [before[place].file.path for place in named]
    behind = [
        each.file.path for each in before if each.file.path not in {each.file.path for each in after[: len(named)]}
    ]
    assert [each.file.path for each in after[len(named) :]] == behind
    assert [each.value for each in after] == sorted((each.value for each in before), reverse=True)
    assert list(after) == sorted(after, key=key)
    assert all(abs(new.score - old.score) < 1e-4 for new, old in zip(after, before, strict=True))


def test_the_ranker_s_own_order_changes_nothing_but_the_evidence() -> None:
    before = candidates([0.8, 0.5, 0.5, 0.1])
    after = reordered(before, [0, 1, 2, 3])
    assert [(each.file.path, each.score, each.value) for each in after] == [
        (each.file.path, each.score, each.value) for each in before
    ]


def test_evidence_says_where_it_was_put_and_what_that_gave() -> None:
    first, second, third = reordered(candidates([1.0, 0.5, 0.2]), [2])
    assert first.evidence[0] == Evidence("rerank", 9.6, "put on place 1 by the reranking command")
    assert second.evidence[0] == Evidence("rerank rest", -7.5, "not named by the reranking command")
    assert told(first, 1) == ("put on place 1 by the reranking command", "holds a word")
    assert told(third, 1) == ("holds a word",)


def test_confidence_follows_the_score() -> None:
    first, second = reordered(candidates([0.9, 0.1]), [1, 0])
    assert (first.confidence, second.confidence) == (Confidence.HIGH, Confidence.LOW)
