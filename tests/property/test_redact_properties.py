from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.redact import redact

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
