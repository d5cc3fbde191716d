from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from ctxpack.model import Memory, Message
from ctxpack.report.memory import MAX_EXTRACT, RecallWeights, extract, narrow_memory, recall, summarize

NOON = 1_795_262_400.0  # 2026-11-21 12:00 UTC
TALK = [
    Message("user", "Hello there! We must keep the idempotency key of a batch for all attempts. What do you think?"),
    Message(
        "assistant",
        "Sounds good to me.\n\n```python\nkey = uuid4()\n```\n\n- The key moves into Batch.\n- Delays stay.",
    ),
    Message("user", "Решили: задержка не больше 30 секунд."),
]
MESSAGES = st.lists(
    st.builds(Message, st.sampled_from(["user", "assistant"]), st.text(min_size=1, max_size=3_000)),
    min_size=1,
    max_size=5,
)


def test_an_extract_says_what_it_is_of_and_when_it_was_made() -> None:
    first, *rows = extract(TALK, NOON).splitlines()
    size = sum(len(each.content) for each in TALK)
    assert first == f"Extract of 3 messages ({size} characters), made 2026-11-21 12:00 UTC:"
    assert rows == [
        "user: We must keep the idempotency key of a batch for all attempts.",
        "assistant: Sounds good to me. The key moves into Batch. Delays stay.",
        "user: Решили: задержка не больше 30 секунд.",
    ]


def test_a_long_talk_is_told_by_what_was_decided() -> None:
    filler = [
        Message("assistant", f"Let me look at part {at} of it first, then see about that. " * 3) for at in range(40)
    ]
    text = extract([*filler[:20], *TALK, *filler[20:]], NOON)
    assert len(text) <= MAX_EXTRACT
    assert "must keep the idempotency key" in text
    assert "задержка не больше 30 секунд" in text


@given(MESSAGES)
def test_an_extract_is_short_and_word_for_word(messages: list[Message]) -> None:
    text = extract(messages, NOON)
    assert len(text) <= MAX_EXTRACT
    said = " ".join(" ".join(each.content.split()) for each in messages)
    for row in text.split("\n")[1:]:
        words = row.removeprefix("user: ").removeprefix("assistant: ").removesuffix(" …")
        assert words[:10].strip() in said or words[:3] in said


@given(MESSAGES)
def test_a_memory_is_the_same_for_the_same_messages(messages: list[Message]) -> None:
    one, other = summarize(messages, NOON), summarize(messages, NOON + 60)
    assert one.id == other.id
    assert len(one.covers) == len(messages)
    assert summarize([*messages, Message("user", "more")], NOON).id != one.id


def test_nothing_but_code_leaves_its_beginning() -> None:
    assert "key = uuid4()" in extract([Message("user", "```\nkey = uuid4() of a batch\n```")], NOON)


DAY = 86_400.0
NOW = 1_000 * DAY


def memory(name: str, text: str, days: float = 0.0) -> Memory:
    return Memory(name, text, NOW - days * DAY, (name,))


KEY = memory("key", "user: the idempotency key must stay the same for all attempts")
DELAY = memory("delay", "user: delays are never longer than thirty seconds")
RUSSIAN = memory("ru", "user: повторная отправка считает события дважды")


def names(found: tuple[Memory, ...]) -> list[str]:
    return [each.id for each in found]


def test_only_what_shares_words_is_recalled_best_first() -> None:
    assert names(recall((KEY, DELAY, RUSSIAN), "why do the attempts have different keys", NOW)) == ["key"]
    assert names(recall((KEY, DELAY, RUSSIAN), "delayed attempts: the key", NOW)) == ["key", "delay"]
    assert recall((KEY, DELAY), "an unrelated dashboard", NOW) == ()
    assert recall((), "key", NOW) == ()


def test_what_shares_next_to_nothing_with_the_request_is_left_out() -> None:
    others = [memory(str(at), f"user: note {at} on the batch and other things") for at in range(30)]
    found = names(recall((KEY, *others), "idempotency key attempts of the batch stay", NOW))
    assert found == ["key"]


def test_words_are_compared_by_their_stems_in_both_languages() -> None:
    assert names(recall((KEY, RUSSIAN), "повторные отправки событий", NOW)) == ["ru"]


def test_the_score_weighs_relevance_and_age_as_told() -> None:
    found = recall((memory("old", "key and delay", 30), memory("new", "key alone here", 0)), "key", NOW)
    assert {each.id: each.score for each in found}["new"] == 0.7 + 0.3
    old = recall((memory("old", "key", 30),), "key", NOW)[0]
    assert math.isclose(old.score, 0.7 + 0.3 * math.exp(-1), abs_tol=1e-6)
    fresh = recall((memory("old", "key", 30),), "key", NOW, RecallWeights(0.0, 1.0, 15.0))[0]
    assert math.isclose(fresh.score, math.exp(-2), abs_tol=1e-6)


def test_of_equals_the_newer_comes_first() -> None:
    assert names(recall((memory("a", "the key", 90), memory("b", "the key", 1)), "key", NOW)) == ["b", "a"]


def test_of_a_long_memory_the_rows_that_answer_stay() -> None:
    long = memory("m", "Extract:\nuser: about delays\nuser: the key stays\nuser: dashboards")
    assert narrow_memory(long, "which key", lambda _: True) == long
    found = narrow_memory(long, "which key", lambda each: len(each.text) <= 30)
    assert found is not None
    assert found.text == "Extract:\nuser: the key stays\n…"
    assert narrow_memory(long, "which key", lambda each: len(each.text) <= 9) is None


@given(
    st.lists(st.tuples(st.sampled_from(["key", "delay", "ключ", "x y"]), st.floats(-5, 4_000)), max_size=8), st.text()
)
def test_scores_lie_between_0_and_1_and_fall(given_: list[tuple[str, float]], text: str) -> None:
    memories = [memory(str(at), words, days) for at, (words, days) in enumerate(given_)]
    for asked in (text, "key delay ключ"):
        scores = [each.score for each in recall(memories, asked, NOW)]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)
