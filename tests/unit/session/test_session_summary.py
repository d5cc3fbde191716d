from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxpack.model import Message
from ctxpack.session import MAX_EXTRACT, extract, summarize

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
