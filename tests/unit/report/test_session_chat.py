from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.errors import UsageError
from ctxpack.model import Message
from ctxpack.report.conversation import parse_history, trim

TURNS = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]


@pytest.mark.parametrize("document", [TURNS, {"messages": TURNS}, {"messages": TURNS, "model": "m"}])
def test_a_list_and_a_request_are_understood(document: object) -> None:
    history = parse_history(json.dumps(document).encode(), "h.json")
    assert history.messages == (Message("user", "Hi"), Message("assistant", "Hello"))
    assert (history.system, history.left_out) == ("", 0)


def test_parts_are_joined_and_what_is_no_text_is_counted() -> None:
    document = [
        {"role": "user", "content": [{"type": "text", "text": "One"}, "Two", {"type": "image", "source": {}}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "x"}]},
        {"role": "tool", "content": "result"},
        {"role": "assistant", "content": [{"type": "output_text", "text": "Three"}]},
    ]
    history = parse_history(json.dumps(document).encode(), "h.json")
    assert history.messages == (Message("user", "One\n\nTwo"), Message("assistant", "Three"))
    assert history.left_out == 3


def test_system_texts_are_one_prompt_wherever_they_stand() -> None:
    document = {
        "system": [{"type": "text", "text": "Be kind."}],
        "messages": [{"role": "developer", "content": "Be short."}],
    }
    assert parse_history(json.dumps(document).encode(), "h.json").system == "Be kind.\n\nBe short."


def test_other_names_of_the_roles_are_known() -> None:
    document = [{"role": "Human", "content": "a"}, {"role": "model", "content": "b"}]
    assert [each.role for each in parse_history(json.dumps(document).encode(), "h").messages] == ["user", "assistant"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[{]", "h.json is not valid JSON at line 1."),
        (b"\xff\xfe", "h.json is not UTF-8."),
        (b"[" * 100_000, "h.json is not valid JSON."),
        (b'{"a": 1}', "h.json does not contain a list of messages."),
        (b'"text"', "h.json does not contain a list of messages."),
        (b'[{"content": "x"}]', "Message 1 of h.json has no role."),
        (b'[{"role": "user"}, 3]', "Message 2 of h.json has no role."),
    ],
)
def test_what_is_no_history_is_named(data: bytes, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_history(data, "h.json")
    assert str(caught.value) == said
    assert "role" in caught.value.hint or "UTF-8" in caught.value.hint


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
