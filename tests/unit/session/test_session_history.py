from __future__ import annotations

import json

import pytest

from ctxpack.errors import UsageError
from ctxpack.model import Message
from ctxpack.session import parse_history

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
        (b'{"a": 1}', "h.json holds no list of messages."),
        (b'"text"', "h.json holds no list of messages."),
        (b'[{"content": "x"}]', "Message 1 of h.json has no role."),
        (b'[{"role": "user"}, 3]', "Message 2 of h.json has no role."),
    ],
)
def test_what_is_no_history_is_named(data: bytes, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_history(data, "h.json")
    assert str(caught.value) == said
    assert "role" in caught.value.hint or "UTF-8" in caught.value.hint
