"""Personal data that has a shape: addresses of mail and of machines, phones, cards, accounts, numbers of documents.

A number is taken for what its check digits, its grouping or the word before it say; any other number stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from ipaddress import ip_address

from ctxpack.light import lazy_pattern
from ctxpack.redact.shapes import SecretSpan

_LOCAL = lazy_pattern(r"[\w.+%'-]{1,64}")  # backwards from the sign
_DOMAIN = lazy_pattern(
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6}([^\W\d_]{2,24}|xn--[a-z0-9-]{2,59})(?![\w@-]|\.[a-z0-9])"
)
_NOBODY = frozenset({"git", "hg", "svn", "noreply", "no-reply", "donotreply", "do-not-reply"})
_FILES = (  # icon@2x.png
    "bmp css csv gif htm html ico jpeg jpg js json less lock map md min mjs pdf png py rb rs scss so svg ts tsx txt "
    "vue webp woff xml yaml yml zip"
)
_ENDINGS = frozenset(_FILES.split())

# What begins with a sign of few is found fast; what may not stand before it is looked at behind that sign.
_RUN = lazy_pattern(
    r"[+(0-9](?<![\w.+/-][+(0-9])[0-9 ()\N{NO-BREAK SPACE}.\N{NON-BREAKING HYPHEN}-]{5,60}[0-9](?![\w])"
)
_S = r"[ .\N{NO-BREAK SPACE}\N{NON-BREAKING HYPHEN}-]"
_PHONES = tuple(  # signs of which it has one, and the pattern
    (frozenset(signs), lazy_pattern(rf"(?<![0-9.]){pattern}(?!{_S}?[0-9])"))
    for signs, pattern in (
        ("+", r"\+[0-9](?>(?:[ ().\N{NO-BREAK SPACE}\N{NON-BREAKING HYPHEN}-]{0,3}[0-9]){7,14})"),
        ("(", rf"(?:8{_S}?|1{_S})?\([2-9][0-9]{{2,4}}\){_S}?[0-9]{{2,3}}{_S}[0-9]{{2}}{_S}?[0-9]{{2}}"),
        ("8", rf"8{_S}[3-9][0-9]{{2}}{_S}[0-9]{{3}}{_S}[0-9]{{2}}{_S}[0-9]{{2}}"),
        ("-.", r"(?:1([-. ])|(?<![0-9] ))[2-9][0-9]{2}([-.])[2-9][0-9]{2}\2[0-9]{4}"),
    )
)
_AFTER_PHONE = lazy_pattern(r"\(?[0-9](?:[ ().\N{NO-BREAK SPACE}-]{0,3}[0-9]){5,14}")
_CALLED = lazy_pattern(
    r"(?:phone|mobile|cell|\btel|\bfax|whatsapp|\bsms|телефон\w{0,3}|\bтел|\bмоб\w{0,8}|факс\w{0,2}|звоните|\bсмс)"
    r"(?:[ _-]?(?:number|num|no))?[\"')\]]{0,2}[.:=>,\s]{0,6}[\"'`(]?\Z",
    re.IGNORECASE,
)
_SPACES = "".join(filter(str.isspace, map(chr, range(128))))
_BEHIND_CALLED = "\"'`()].:=>," + _SPACES
_CALLED_SO = (
    "phone",
    "mobile",
    "cell",
    "tel",
    "fax",
    "whatsapp",
    "sms",
    "number",
    "num",
    "no",
)  # without other scripts
_FEWEST, _MOST = 7, 15  # digits of a phone
_NO_DIGITS = lazy_pattern("[^0-9]+")
_BRANDS = "4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6(?:011|5[0-9]{2}|2[0-9]{2})|35[2-8][0-9]"
_CARD = lazy_pattern(
    rf"(?<![0-9-])(?:(?:{_BRANDS})([ -]?)[0-9]{{4}}\1[0-9]{{4}}\1[0-9]{{4}}"
    r"|3[47][0-9]{2}([ -]?)[0-9]{6}\2[0-9]{5})(?![0-9-])"
)
_FEWEST_OF_CARD = 15
_FEWEST_SIGNS = 3  # different digits of a card: 4444 4444 4444 4448 is nobody's, 4111 1111 1111 1111 could be
_SSN = lazy_pattern(r"(?<![0-9-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9-])")
_SNILS = lazy_pattern(r"(?<![0-9-])[0-9]{3}-[0-9]{3}-[0-9]{3}[ -][0-9]{2}(?![0-9-])")
_IBAN = lazy_pattern(
    r"[A-Z](?<![A-Za-z0-9][A-Z])[A-Z][0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])"
)
_IP4 = lazy_pattern(r"[0-9](?<![\w.-][0-9])[0-9]{0,2}\.(?:[0-9]{1,3}\.){2}[0-9]{1,3}(?![\w-]|\.[0-9]|/[0-9])")
_IP6 = lazy_pattern(
    r"[0-9a-fA-F:](?<![\w:.][0-9a-fA-F:])(?:(?<=:)|[0-9a-fA-F]{0,3}:)(?:[0-9a-fA-F]{0,4}:){1,6}[0-9a-fA-F]{0,4}"
    r"(?![\w:]|\.[0-9])"
)
_DOTTED = lazy_pattern(r"\.(?=[0-9]{1,3}\.[0-9]{1,3}\.[0-9])")  # the first of the three that every old address has
_BEHIND_VERSION = "\"':=,;.-0123456789" + _SPACES
_VERSIONS = ("version", "v", "release", "rfc", "section", "oid", "firmware", "build")  # without other scripts
_COMPARED = ("<=", ">=", "==", "~=", "^=", "~", "^")
_NEAR_COLONS = lazy_pattern(r":(?=[0-9a-fA-F]{0,4}:)")  # every address of the new version has two
_OF_A_VERSION = lazy_pattern(
    r"(?:version|\bv|release|верси\w{1,2}|rfc|section|oid|firmware|build)[\"'\s:=,;-]{0,4}"
    r"(?:[0-9][0-9.]{0,14}[,;\s]{1,2}){0,3}\Z|(?:[<>=~^]=|[~^])[ ]?\Z",
    re.IGNORECASE,
)
_BEFORE_DOT, _LONGEST_IN_OLD = 3, 14  # characters of an address, with what may not stand behind it
_BEFORE_COLON, _LONGEST_IN_NEW = 4, 42  # characters of an address, with what may not stand behind it
_FEWEST_IN_NEW = 2  # digits, without which an address could be a path in C++ or Rust
_LARGEST = 255
_OF_NOBODY = frozenset({"0", "127", "255", *map(str, range(224, 240))})  # this machine, all of them, masks
_BEFORE = 40

# Numbers that only the word before them tells: the word, what it may be far from, the number, its kind.
_END = r"(?![A-Za-z0-9])"
_FAR = r"(?!\w)[^0-9\n]{0,60}?(?<![0-9])"
_NEAR = r"(?:[^0-9A-Z\n]{0,24}|[ _-]?NUMBER\W{1,8})(?<![0-9])"
_INN = r"([0-9]{12}|[0-9]{10})"
_OF_SNILS = r"([0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{2})"
_OF_SSN = r"([0-9]{3}[ -]?[0-9]{2}[ -]?[0-9]{4})"
_PASSPORT = r"([0-9]{2} ?(?:[0-9]{2}[ ,]{0,2}(?:№|номер|N)? ?[0-9]{6}|[0-9]{7}))"
_NUMBER = r"(?:[ _-]?(?:[Nn]umber|NUMBER|[Nn]o\b\.?|[Nn]um|[Ii]d))?"
_GIVEN = r"[\"'\])]{0,2}(?::[ \t]{0,4}str)?[\s:=>#(,\"'`]{1,8}(?:=[ ]?[\"'`])?"
_FOREIGN = (
    r"(?=[A-Z0-9])([0-9]{2} ?[0-9]{2} ?[0-9]{6}|[0-9]{9}|(?=[A-Z0-9]{0,8}[0-9]{5})[A-Z]{1,2}[0-9]{5,8}[A-Z]?[0-9]?"
    r"|(?=(?:[A-Z]{0,6}[0-9]){4})[A-Z][0-9A-Z]{8})"
)
_TOLD: tuple[tuple[tuple[str, ...], str, re.Pattern[str]], ...] = (
    (("инн", "inn"), "inn", lazy_pattern(_FAR + _INN + _END)),
    (("снилс", "snils"), "snils", lazy_pattern(_FAR + _OF_SNILS + _END)),
    (("ssn", "social security", "social_security"), "ssn", lazy_pattern(_NEAR + _OF_SSN + _END)),
    (("паспорт",), "passport", lazy_pattern(r"[^0-9\n]{0,60}?(?<![0-9])" + _PASSPORT + _END)),
    (("passport",), "passport", lazy_pattern(_NUMBER + _GIVEN + _FOREIGN + _END)),
)
_NEXT_TO = 12  # characters between a word and a number whose check digits are wrong


def find_personal(text: str) -> Iterator[SecretSpan]:
    """Yield addresses of mail and machines, phones, cards, IBANs, and numbers of documents."""
    yield from _emails(text)
    for run in _RUN.finditer(text):
        yield from _numbers(text, *run.span())
    for match in _IBAN.finditer(text):
        end = _end_of_iban(match[0])
        if end:
            yield SecretSpan(match.start(), match.start() + end, "iban")
    yield from _addresses(text)
    yield from _find_announced(text)


def _emails(text: str) -> Iterator[SecretSpan]:
    at = text.find("@")
    while at >= 0:
        domain = _DOMAIN.match(text, at + 1)
        local = _LOCAL.match(text[max(at - 65, 0) : at][::-1]) if domain else None
        if domain and local and _is_address(text, at - len(local[0]), local[0][::-1], domain):
            quoted = len(local[0]) - len(local[0].rstrip("'.-%"))
            yield SecretSpan(at - len(local[0]) + quoted, domain.end(), "email")
        at = text.find("@", at + 1)


def _is_address(text: str, start: int, local: str, domain: re.Match[str]) -> bool:
    name = local.strip("'.-%")
    if not name or name.lower() in _NOBODY or domain[1].lower() in _ENDINGS:
        return False
    if not any(char.isalpha() for char in domain[0][: -len(domain[1])]):
        return False
    before = text[max(start - _BEFORE, 0) : start]
    return before[-1:] != "/" and not (before[-1:] == ":" and "://" in before)  # the user or password of a URL


def _numbers(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """The personal numbers in a run of digits, spaces and signs."""
    run = text[start:end]
    digits = len(_NO_DIGITS.sub("", run))
    if digits < _FEWEST:
        return
    for card in _CARD.finditer(text, start, end) if digits >= _FEWEST_OF_CARD else ():
        number = _digits(card[0])
        if (_is_luhn(number) and len(set(number)) >= _FEWEST_SIGNS) or number == "4" + "1" * 15:
            yield SecretSpan(*card.span(), "card")
            return
    has_groups = run.count("-") > 1
    for ssn in _SSN.finditer(text, start, end) if has_groups else ():
        yield SecretSpan(*ssn.span(), "ssn")
        return
    for snils in _SNILS.finditer(text, start, end) if has_groups else ():
        if _is_snils(_digits(snils[0])):
            yield SecretSpan(*snils.span(), "snils")
            return
    phone = _phone(text, start, end)
    if phone:
        yield phone


def _phone(text: str, start: int, end: int) -> SecretSpan | None:
    run = text[start:end]
    for signs, pattern in _PHONES:
        if signs.isdisjoint(run):
            continue
        match = pattern.search(text, start, end)
        if match and _FEWEST <= len(_digits(match[0])) <= _MOST and not (match[0][0] == "+" and _is_sum(text, match)):
            return SecretSpan(*match.span(), "phone")
    if text[start] != "+" and _is_called(text[max(start - _BEFORE, 0) : start]):
        match = _AFTER_PHONE.match(text, start, end)
        if match and _FEWEST <= len(_digits(match[0])) <= _MOST:
            return SecretSpan(*match.span(), "phone")
    return None


def _is_called(before: str) -> bool:
    """Whether the end of a text says that a phone number follows."""
    if before.isascii() and not before.rstrip(_BEHIND_CALLED).lower().endswith(_CALLED_SO):
        return False  # told at once, of most numbers
    return _CALLED.search(before) is not None


def _is_version(before: str) -> bool:
    """Whether the end of a text says that a version follows, or the number of a section or a standard."""
    if before.isascii() and not before.rstrip(_BEHIND_VERSION).lower().endswith(_VERSIONS):
        return before.removesuffix(" ").endswith(_COMPARED)
    return _OF_A_VERSION.search(before) is not None


def _is_sum(text: str, match: re.Match[str]) -> bool:
    """Whether a "+" adds: what is before it is a value, and the number has no groups."""
    before = text[: match.start()][-3:].rstrip()
    return match[0][1:].isdigit() and (len(match[0]) <= 9 or (before[-1:].isalnum() and not before[-1:].isalpha()))  # noqa: PLR2004


def _addresses(text: str) -> Iterator[SecretSpan]:
    for dot in _DOTTED.finditer(text):
        at = dot.start()
        match = _IP4.search(text, max(at - _BEFORE_DOT, 0), at + _LONGEST_IN_OLD)
        if match is None or match.start() >= at or not _is_machine(match[0]):
            continue
        if not _is_version(text[max(match.start() - _BEFORE, 0) : match.start()]):
            yield SecretSpan(*match.span(), "ip")
    yield from _new_addresses(text)


def _new_addresses(text: str) -> Iterator[SecretSpan]:
    """Find what ``finditer`` does, where two colons are near each other: in few places of most texts."""
    done = 0
    for colon in _NEAR_COLONS.finditer(text):
        at = colon.start()
        match = _IP6.search(text, max(at - _BEFORE_COLON, done), at + _LONGEST_IN_NEW) if at >= done else None
        if match and match.start() <= at:
            done = match.end()
            if _is_machine(match[0]):
                yield SecretSpan(*match.span(), "ip")


def _is_machine(address: str) -> bool:
    """Whether a text is the address of one machine, not of this one, of all, or a mask."""
    if ":" not in address:
        return _is_old_machine(address)
    try:
        found = ip_address(address)
    except ValueError:  # digits that are no address
        return False
    if found.is_loopback or found.is_unspecified or found.is_multicast:
        return False
    return len(_digits(address)) >= _FEWEST_IN_NEW


def _is_old_machine(address: str) -> bool:
    """The same of four numbers, which many versions have too."""
    parts = address.split(".")
    if any(int(part) > _LARGEST or (part[0] == "0" and part != "0") for part in parts):
        return False
    return parts[0] not in _OF_NOBODY and not address.endswith(".0.0")


def _find_announced(text: str) -> Iterator[SecretSpan]:
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(char.lower()[0] for char in text)
    for words, kind, pattern in _TOLD:
        for word in words:
            at = lower.find(word)
            while at >= 0:
                match = pattern.match(text, at + len(word))
                if match and not (kind == "inn" and lower[at - 1 : at].isalpha()) and _is_right(kind, match):
                    yield SecretSpan(*match.span(1), kind)
                at = lower.find(word, at + len(word))


def _is_right(kind: str, match: re.Match[str]) -> bool:
    """Whether the check digits of a number are right, or it comes right after its word."""
    number = _digits(match[1])
    is_near = match.start(1) - match.start() <= _NEXT_TO
    if kind == "inn":
        return is_near or _is_inn(number)
    return kind != "snils" or is_near or _is_snils(number)


def _digits(text: str) -> str:
    return _NO_DIGITS.sub("", text)


def _is_luhn(number: str) -> bool:
    doubled = (int(sign) * (1 + place % 2) for place, sign in enumerate(reversed(number)))
    return sum(each - 9 if each > 9 else each for each in doubled) % 10 == 0  # noqa: PLR2004 - the sum of its digits


def _is_inn(number: str) -> bool:
    weights = (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)
    if len(number) == 10:  # noqa: PLR2004 - an organisation
        return _weigh(number[:9], weights[2:]) == int(number[9])
    return _weigh(number[:10], weights[1:]) == int(number[10]) and _weigh(number[:11], weights) == int(number[11])


def _weigh(body: str, weights: Sequence[int]) -> int:
    return sum(int(sign) * weight for sign, weight in zip(body, weights, strict=True)) % 11 % 10


def _is_snils(number: str) -> bool:
    total = sum(int(sign) * (9 - place) for place, sign in enumerate(number[:9]))
    return number[:3] != "000" and total % 101 % 100 == int(number[9:])


def _end_of_iban(text: str) -> int:
    """How long the IBAN is that a text begins with; 0 for none. A word in capitals may follow it."""
    ends = [len(text), *(at for at in range(len(text) - 1, 14, -1) if text[at] == " ")]
    for end in ends:
        number = text[:end].replace(" ", "")
        if 15 <= len(number) <= 34 and _mod97(number) == 1:  # noqa: PLR2004 - as the standard has them
            return end
    return 0


def _mod97(iban: str) -> int:
    return int("".join(str(int(sign, 36)) for sign in iban[4:] + iban[:4])) % 97
