from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxpack.model import Message
from ctxpack.session import trim

MESSAGES = st.lists(
    st.builds(Message, st.sampled_from(["user", "assistant"]), st.text(min_size=1, max_size=200)), max_size=12
)


def cost(message: Message) -> int:
    return len(message.content)


def turns(*contents: str) -> list[Message]:
    return [Message(("user", "assistant")[at % 2], content) for at, content in enumerate(contents)]


def test_the_newest_messages_stay() -> None:
    trimmed = trim(turns("a" * 50, "b" * 50, "c" * 50, "d" * 10, "e" * 10), 80, cost)
    assert [each.content[0] for each in trimmed.kept] == ["c", "d", "e"]
    assert (trimmed.dropped, trimmed.is_cut) == (2, False)


def test_an_answer_goes_with_its_question() -> None:
    trimmed = trim(turns("a" * 90, "b" * 10, "c" * 10, "d" * 10), 40, cost)
    assert [each.content[0] for each in trimmed.kept] == ["c", "d"]
    assert trimmed.dropped == 2


def test_of_a_newest_message_that_is_too_long_the_beginning_stays() -> None:
    trimmed = trim(turns("a", "first words " * 40), 100, cost)
    assert trimmed.is_cut
    assert trimmed.dropped == 1
    assert trimmed.kept[0].content.startswith("first words first")
    assert trimmed.kept[0].content.endswith("characters left out]")
    assert cost(trimmed.kept[0]) <= 100
    assert trim(turns("x" * 400), 10, cost).kept == ()


@given(MESSAGES, st.integers(-5, 900))
def test_what_is_kept_fits_and_is_the_end(messages: list[Message], room: int) -> None:
    trimmed = trim(messages, room, cost)
    assert sum(map(cost, trimmed.kept)) <= max(0, room)
    assert len(trimmed.kept) + trimmed.dropped == len(messages)
    if not trimmed.is_cut:
        assert list(trimmed.kept) == messages[trimmed.dropped :]
