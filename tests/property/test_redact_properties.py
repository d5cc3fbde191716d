from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.redact import redact
from ctxpack.redact.logins import find_logins, uses_in
from ctxpack.redact.personal import _CALLED, _OF_A_VERSION, _is_called, _is_version
from ctxpack.redact.shapes import SHAPES, beginnings_in, find_provider_keys
from ctxpack.redact.values import _TEMPLATE, has_digit, is_template_value

PIECES = st.sampled_from(
    [
        "password", "secret", "api_key", "token", " = ", "=", ": ", '"', "'", "`", "\\", "\n", "\r\n", " ", ";", "#",
        "hunter2!", "Xk29fkQ8a7", "AKIA" + "IOSFODNN7EXAMPLE", "ghp_" + "a1" * 18, "sk-" + "b2" * 24, "changeme",
        "https://user:", "Xk29fk", "@host", "Bearer ", "9f86d081884c7d659a2f", "[REDACTED:password]", "[REDACTED:", "]",
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "MIIEowIBAAKCAQEA5SCSfeNf+x2DoYa54YMcIz6ychRV",
        "eyJhbGciOi.eyJzdWIiOiJ.c2lnbmF0dXJl", "İ", "ключ", "\u2028", "<", ">", "</",
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=30).map("".join)


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, is_data=st.booleans())
def test_no_line_moves_and_twice_is_once(text: str, *, is_data: bool) -> None:
    redacted = redact(text, is_data=is_data)
    assert redacted.text.count("\n") == text.count("\n")
    again = redact(redacted.text, is_data=is_data)
    assert again.text == redacted.text
    assert again.findings == ()
    assert (redacted.text == text) == (redacted.findings == ())


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_a_lone_provider_key_never_survives(before: str, after: str) -> None:
    key = "ghp_" + "Zq9" * 12
    assert key not in redact(f"{before} {key} {after}").text


ENDS = st.lists(
    st.sampled_from(
        ["phone", "Mobile", "tel", "fax", "SMS", "number", "no", "_", "-", " ", ":", ".", '"', "(", ",", "=", "\n", "x",
         "7", "version", "v", "Release", "rfc", "build", "1.2.3", ", ", ">=", "^", "~", "==", "телефон", "моб",
         "верси", "я", "ſ"]
    ),
    max_size=7,
).map("".join)  # fmt: skip


@settings(max_examples=1_000, deadline=None)
@given(ENDS)
def test_what_is_told_at_once_is_what_the_pattern_tells(before: str) -> None:
    assert _is_called(before) == (_CALLED.search(before) is not None)
    assert _is_version(before) == (_OF_A_VERSION.search(before) is not None)


@settings(max_examples=500, deadline=None)
@given(st.text("aZ09²٣яß$%{}<>[]@.()#…|:- ", max_size=12))
def test_values_are_told_by_their_characters(value: str) -> None:
    assert has_digit(value) == (any(map(str.isdigit, value)) and any(map(str.isalpha, value)))
    assert is_template_value(value) == (_TEMPLATE.search(value) is not None)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(0, 200), st.integers(0, 200))
def test_a_part_holds_no_key_or_login_that_its_text_does_not_begin(text: str, start: int, end: int) -> None:
    """What a second look leaves out was not there."""
    part = text[start:end]
    everywhere = [(begin, shape) for shape in SHAPES for begin in shape.starts]
    assert list(find_provider_keys(part, beginnings_in(text))) == list(find_provider_keys(part, everywhere))
    assert list(find_logins(part, uses_in(text))) == list(find_logins(part))
