"""Passwords that no name announces: in command lines, in calls that log in, and in files that are made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ctxpack.light import lazy_pattern
from ctxpack.redact.shapes import SecretSpan
from ctxpack.redact.values import Strength, has_digit, is_secret

_PASSWORD = "password"  # noqa: S105 - the name of a kind
_WORD = r"[\"']?(?P<value>[^\s\"'$<>|&]{3,200})"
_QUOTED = r"[bu]?(?P<quote>[\"'])(?P<value>[^\"'\n]{4,200})(?P=quote)"
_TEXT = r"[bu]?[\"'][^\"'\n]{1,100}[\"']"
_ON = r"[^\n|;]{0,200}?[ \t]"  # the same command goes on
_TO_CHPASSWD = r"[ \t]{0,8}\|[ \t]{0,8}(?:sudo[ \t]{1,8})?chpasswd"
_READS_IT = r"passwd[ \t][^\n|]{0,60}?--stdin|login[ \t][^\n|]{0,100}?--password-stdin|sudo[ \t]{1,8}-S"
_LOGIN = rf"[ \t]{{1,8}}login{_ON}-p[ \t]{{1,8}}{_WORD}"
# A program or a function, and how its password is found behind it.
_USES: tuple[tuple[str, str], ...] = (
    (
        "curl",
        rf"{_ON}(?:-u|--user|--proxy-user)(?:[ \t]{{1,8}}|=)[\"']?[^\s:\"'$]{{1,80}}:(?P<value>[^\s\"'$<>]{{3,200}})",
    ),
    ("wget", rf"{_ON}--(?:http-|ftp-)?password=(?P<value>[^\s\"'$<>]{{3,200}})"),
    ("mysql", rf"\w{{0,20}}{_ON}-p(?P<value>[^\s\"'$<>-][^\s\"'$<>]{{2,100}})"),
    ("sshpass", rf"[ \t]{{1,8}}-p[ \t]{{0,8}}{_WORD}"),
    ("redis-cli", rf"{_ON}-a[ \t]{{1,8}}{_WORD}"),
    ("docker", _LOGIN),
    ("podman", _LOGIN),
    ("twine", rf"[ \t]{{1,8}}upload{_ON}-p[ \t]{{1,8}}{_WORD}"),
    ("openssl", rf"{_ON}-pass(?:in|out)?[ \t]{{1,8}}[\"']?pass:(?P<value>[^\s\"'$<>]{{3,200}})"),
    ("htpasswd", rf"[ \t]{{1,8}}-\w{{0,9}}b\w{{0,9}}[ \t]{{1,8}}\S{{1,200}}[ \t]{{1,8}}\S{{1,100}}[ \t]{{1,8}}{_WORD}"),
    ("smbclient", rf"{_ON}-U[ \t]{{0,8}}[\"']?[\w.\\-]{{1,80}}%(?P<value>[^\s\"'$<>]{{3,200}})"),
    (
        "echo",
        rf"[ \t]{{1,8}}[\"']?[\w.-]{{1,40}}:(?P<value>[^\s\"'$:|]{{3,100}})[\"']?{_TO_CHPASSWD}",
    ),
    (
        "echo",
        rf"[ \t]{{1,8}}[\"']?(?P<value>[^\s\"'$:|]{{4,100}})[\"']?[ \t]{{0,8}}\|[^\n|]{{0,80}}?\b(?:{_READS_IT})",
    ),
    ("BasicAuth(", rf"[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("DigestAuth(", rf"[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("auth=(", rf"[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("auth = (", rf"[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("NetworkCredential(", rf"[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("UsernamePassword", rf"\w{{1,40}}\([ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("USERPWD", r"[ \t]{0,8},[ \t]{0,8}[\"'][^\s:\"'$]{1,80}:(?P<value>[^\s\"'$<>]{3,200})"),
    (".login(", rf"[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("getConnection(", rf"[^\n(),]{{1,100}},[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("new PDO(", rf"[^\n(),]{{1,100}},[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("mysqli_connect(", rf"[^\n(),]{{1,100}},[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("jwt.sign(", rf"[^\n(),]{{1,100}},[ \t]{{0,8}}{_QUOTED}"),
    ("jwt.encode(", rf"[^\n(),]{{1,100}},[ \t]{{0,8}}{_QUOTED}"),
    ("createCipheriv(", rf"[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("createHmac(", rf"[ \t]{{0,8}}{_TEXT},[ \t]{{0,8}}{_QUOTED}"),
    ("Fernet(", rf"[ \t]{{0,8}}{_QUOTED}"),
)
USES = tuple((start, lazy_pattern(rest)) for start, rest in _USES)
_KEY_OF_JWK = lazy_pattern(r"\"(?:d|p|q|dp|dq|qi|k)\"\s{0,4}:\s{0,4}\"([A-Za-z0-9_-]{20,2000})\"")
_HOST = lazy_pattern(r"[\w.*-]{1,200}")
_PGPASS = lazy_pattern(r":(?:\d{4,5}|\*):[\w*-]{1,100}:[\w*.-]{1,100}:([^\s:]{4,200})$", re.MULTILINE)


Login = tuple[str, re.Pattern[str]]


def uses_in(text: str) -> tuple[Login, ...]:
    """Return the programs and functions that a text holds: no part of it holds another."""
    return tuple(use for use in USES if use[0] in text)


def find_logins(text: str, uses: Iterable[Login] = USES) -> Iterator[SecretSpan]:
    """Yield passwords by the program or the function that they are given to; with ``uses`` to one of them."""
    for start, pattern in uses:
        at = text.find(start)
        while at >= 0:
            match = pattern.match(text, at + len(start))
            if match and is_secret(match["value"], Strength.STRONG) and has_digit(match["value"]):
                yield SecretSpan(*match.span("value"), _PASSWORD)
            at = text.find(start, at + len(start))
    if '"kty"' in text:
        yield from (SecretSpan(*match.span(1), "private-key") for match in _KEY_OF_JWK.finditer(text))
    if ":5432:" in text or ":*:" in text:
        for match in _PGPASS.finditer(text):  # from the first colon of a line
            if _HOST.fullmatch(text, text.rfind("\n", 0, match.start()) + 1, match.start()):
                yield SecretSpan(*match.span(1), _PASSWORD)
