"""Personal data by its shape; the labelled set in fixtures has more of it and of what looks like it."""

from __future__ import annotations

import pytest

from ctxpack.redact import Rules, redact

PERSONAL = Rules(personal=True)


def clean(text: str) -> str:
    return redact(text, rules=PERSONAL).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("write to john.doe@example.com now", "write to [REDACTED:email] now"),
        ("почта: пётр@пример.рф", "почта: [REDACTED:email]"),
        ("card 4111 1111 1111 1111.", "card [REDACTED:card]."),
        ("card=378282246310005", "card=[REDACTED:card]"),
        ("DE89 3704 0044 0532 0130 00", "[REDACTED:iban]"),
        ("IBAN GB82WEST12345698765432 OK", "IBAN [REDACTED:iban] OK"),
        ("+7 (916) 123-45-67", "[REDACTED:phone]"),
        ("tel. 555-44-33", "tel. [REDACTED:phone]"),
        ("ssn: 536-90-4399", "ssn: [REDACTED:ssn]"),
        ("ИНН 7707083893", "ИНН [REDACTED:inn]"),
        ("СНИЛС 112-233-445 95", "СНИЛС [REDACTED:snils]"),
        ("паспорт 45 10 123456", "паспорт [REDACTED:passport]"),
        ("passport_number = 'L898902C3'", "passport_number = '[REDACTED:passport]'"),
        ("from 203.0.113.7:443", "from [REDACTED:ip]:443"),
        ("from 2001:db8::8a2e:370:7334", "from [REDACTED:ip]"),
    ],
)
def test_it_is_taken_out_in_place(text: str, expected: str) -> None:
    assert clean(text) == expected
    assert redact(text).text == text
    assert clean(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "card 4111 1111 1111 1112",  # the check digit is wrong
        "DE89 3704 0044 0532 0130 01",
        "id 1234567890123456",
        "ISBN 978-3-16-148410-0",
        "a number 112-233-445 96",
        "git@github.com:acme/shop.git",
        "ssh://deploy@git.example.com/shop",
        "noreply@example.com",
        "icon@2x.png",
        "import x from '@acme/auth@1.4.2'",
        "127.0.0.1 0.0.0.0 255.255.255.0 10.0.0.0/8",
        "version 1.2.3.4 and requests==2.4.11.1",
        "std::vector<int>::iterator dead::beef",
        "2024-03-01 12:00:00 000-00-0000",
        "the winner of inner 7707083893",
        "x = 1 +20000000",
        "9.8765432109876",
    ],
)
def test_other_numbers_and_signs_stay(text: str) -> None:
    assert clean(text) == text


def test_secrets_may_stay_where_personal_data_goes() -> None:
    text = "password = 'Xk29!fk' for bob@example.org"
    assert redact(text, rules=Rules(secrets=False, personal=True)).text == "password = 'Xk29!fk' for [REDACTED:email]"
    assert redact(text, rules=Rules(secrets=False)).text == text


@pytest.mark.parametrize(
    "unit", ["a@", "1 ", "12-", "+1(", "DE89 ", "::1", "1.1.", "инн ", "тел ", "a@b.", "passport "]
)
def test_long_texts_of_beginnings_take_linear_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert clean(text).count("\n") == 0
