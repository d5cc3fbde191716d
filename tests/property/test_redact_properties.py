from __future__ import annotations

import re
from ipaddress import ip_address

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ctxpack.redact import assignments, redact, unquoted
from ctxpack.redact.logins import find_logins, uses_in
from ctxpack.redact.personal import _CALLED, _IP6, _OF_A_VERSION, _is_called, _is_machine, _is_version, _new_addresses
from ctxpack.redact.shapes import SHAPES, find_provider_keys
from ctxpack.redact.values import (
    _FILLER,
    _NOT_SECRET,
    _TEMPLATE,
    _is_filled,
    has_digit,
    is_filler,
    is_reference,
    is_template_value,
)  # fmt: skip

PIECES = st.sampled_from(
    [
        "password", "secret", "api_key", "token", " = ", "=", ": ", '"', "'", "`", "\\", "\n", "\r\n", " ", ";", "#",
        "hunter2!", "Xk29fkQ8a7", "AKIA" + "IOSFODNN7EXAMPLE", "ghp_" + "a1" * 18, "sk-" + "b2" * 24, "changeme",
        "https://user:", "Xk29fk", "@host", "Bearer ", "9f86d081884c7d659a2f", "[REDACTED:password]", "[REDACTED:", "]",
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "MIIEowIBAAKCAQEA5SCSfeNf+x2DoYa54YMcIz6ychRV",
        "eyJhbGciOi.eyJzdWIiOiJ.c2lnbmF0dXJl", "İ", "ключ", "\u2028", "<", ">", "</",
    ]
)  # fmt: skip
SIGNS = st.text("=: \t\"'`\\[](>\r\n,{)ax", min_size=1, max_size=4)
GROUPS = st.sampled_from([":", "::", "a", "2001", "fe80", "1", "0", " ", ".", "g", "std", "/"])
ADDRESSES = st.lists(GROUPS, max_size=12).map("".join)
NUMBERS = st.one_of(st.integers(0, 300).map(str), st.sampled_from(["0", "00", "01", "127", "224", "239", "240"]))
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


@settings(max_examples=500, deadline=None)
@given(st.text("ab.xX*#_?-/\\:=([$pem1", max_size=8))
@example("a.b.").via("a filler of letters and points")
@example("pbkdf2-sha256$x").via("a hash")
def test_fillers_and_references_are_told_by_their_signs(value: str) -> None:
    assert _is_filled(value) == (_FILLER.fullmatch(value) is not None)
    assert is_reference(value) == (_NOT_SECRET.match(value) is not None)


@settings(max_examples=500, deadline=None)
@given(
    st.text("=: \t\"'`\\[](>\r\n,{)ax", min_size=1, max_size=4),
    st.sampled_from(['"hunter2x"', "hunter2x", "value: a7"]),
)
def test_what_does_not_go_on_after_a_name_is_given_no_value(signs: str, value: str) -> None:
    text, end = f"{{ key{signs}{value} }}, </", 5
    if not assignments._goes_on(text, end):
        patterns = (
            assignments._ASSIGNED, assignments._PASSED, assignments._FOLLOWED, assignments._ATTRIBUTE,
            assignments._DEFAULT, assignments._LISTED, assignments._ELEMENT, unquoted._IN_LINE, unquoted._SPRING,
            unquoted._GIVEN,
        )  # fmt: skip
        assert [each for each in patterns if each.match(text, end)] == []


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.sampled_from([":", "::", "a", "2001", "fe80", "1", "0", " ", ".", "g", "std", "/"]), max_size=12).map(
        "".join
    )
)
def test_addresses_are_found_at_their_colons(text: str) -> None:
    told = [match.span() for match in _IP6.finditer(text) if _is_machine(match[0])]
    assert [(span.start, span.end) for span in _new_addresses(text)] == told


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(st.integers(0, 300).map(str), st.sampled_from(["0", "00", "01", "127", "224", "239", "240"])),
        min_size=4,
        max_size=4,
    )
)
def test_machines_are_those_of_the_standard_library(parts: list[str]) -> None:
    address = ".".join(parts)
    try:
        found = ip_address(address)
    except ValueError:
        assert not _is_machine(address)
        return
    is_own = found.is_loopback or found.is_multicast or address.startswith(("255.", "0.")) or address.endswith(".0.0")
    assert _is_machine(address) != is_own


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_keys_are_those_that_each_shape_finds_alone(before: str, after: str) -> None:
    """One search for all beginnings passes over none."""
    text = f"{before}[REDACTED:token]{after}"
    found = {(span.start, span.end, span.kind) for span in find_provider_keys(text)}
    for shape in SHAPES:
        for match in re.finditer(shape.pattern, text):
            assert is_filler(match[0]) or any(start <= match.start() and match.end() <= end for start, end, _ in found)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(0, 200), st.integers(0, 200))
def test_a_part_holds_no_login_that_its_text_does_not_begin(text: str, start: int, end: int) -> None:
    """What a second look leaves out was not there."""
    part = text[start:end]
    assert list(find_logins(part, uses_in(text))) == list(find_logins(part))
