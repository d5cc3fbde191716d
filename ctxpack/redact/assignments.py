"""Passwords and secrets that are given to a name which says so, in code, configuration, documents and .env files.

The better a name says what it holds (``password`` against ``token``), the less random its value must look. What a
program reads at run time (a call, a variable, a template) and what manuals put in its place are left alone. Where a
file holds values only, such as YAML, TOML, INI and .env, nothing is a variable: an unquoted value is what it says.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from ctxpack.light import lazy_pattern
from ctxpack.redact.shapes import SecretSpan
from ctxpack.redact.unquoted import Extent, Name, alone_on_line, in_data, in_line, line_before
from ctxpack.redact.values import Strength, has_digit, is_secret, is_wording

_OF_WHAT = r"(?:[ ](?:for|of|to|для|от|к)(?:[ ]the)?[ ][\w.-]{1,30})?"  # as documents say it
_END_OF_NAME = r"(?:s|[_-]?value|[_-]?base64|[_-]?b64|[_-]?(?:бд|db)|[_-]?\d{1,2})?(?![\w-])"
# Names are searched in lower case by the few texts that all of them hold. Here: what may follow such a text, the kind
# of secret, and how clearly the name says so.
_NAMES: tuple[tuple[str, re.Pattern[str], str, Strength], ...] = tuple(
    (start, lazy_pattern(rest + _END_OF_NAME), kind, strength)
    for start, rest, kind, strength in (
        ("pwd", "", "password", Strength.STRONG),
        ("identified by", "", "password", Strength.STRONG),
        ("secret", "(?:[_-]?access)?(?:[_-]?key)?(?:[_-]?base)?", "secret", Strength.STRONG),
        ("token", "", "token", Strength.WEAK),
        ("credential", "", "credential", Strength.WEAK),
        ("session", "[_-]?id", "session", Strength.WEAK),
        ("парол", f"[ья]{_OF_WHAT}", "password", Strength.STRONG),
        ("секрет", "", "secret", Strength.STRONG),
        ("токен", "", "token", Strength.WEAK),
    )
)
_IN_ASCII = tuple(each for each in _NAMES if each[0].isascii())
_PASS = lazy_pattern(rf"pass(?P<more>w(?:or)?d{_OF_WHAT}|phrase|code|){_END_OF_NAME}")
_BEFORE_PASS = ("_", "require", "store", "db")  # without one of them "pass" is the end of other words, or an order
_AUTH = lazy_pattern(f"auth(?:[_-]?key)?{_END_OF_NAME}")
_AFTER_KEY = lazy_pattern(_END_OF_NAME)
_KEYS: tuple[tuple[str, str, Strength], ...] = (  # what is before "key", with "_", "-" or nothing between
    ("access", "access-key", Strength.STRONG),
    ("private", "private-key", Strength.STRONG),
    ("encryption", "encryption-key", Strength.STRONG),
    ("signing", "signing-key", Strength.STRONG),
    ("hmac", "signing-key", Strength.STRONG),
    ("jwt", "signing-key", Strength.STRONG),
    ("account", "access-key", Strength.WEAK),
    ("storage", "access-key", Strength.WEAK),
    ("master", "access-key", Strength.WEAK),
)
_ENDS_OF_KEYS = tuple(start for start, _, _ in _KEYS)
_API_KEY = lazy_pattern(r"api[ _-]?(?:secret[_-]?)?\Z")
_LONGEST_API_KEY = len("api_secret_")
_TAKEN_OUT = lazy_pattern(r"""[\\"'`\])]{0,3}[ \t]{0,20}+(?:(?:=>|:=|=|:)[ \t]{0,20}+)?[\\"'`(]{0,2}\[REDACTED:""")
# What any value is given with begins so, and goes on so: what no pattern of this module or of ``unquoted`` begins with
# is told at once, of most names. Behind a space, a word may begin.
_AFTER_NAMES = frozenset("=: \t\"'`\\[](>\r\n")
_AFTER_QUOTES = frozenset("] \t[:=,){>\r\n")
_AFTER_BRACKETS = frozenset(" \t[:=")
_SIGNED, _LINED, _PASSING = frozenset("\\\"'`] \t[:="), frozenset("\"'=: \t"), frozenset("\"'`( \t")
_MARKED_UP = frozenset(">\n\r\"' \t")

# what takes a literal and gives its value
_CALL = (
    r"(?:\[\]byte\(|bytes\(|Buffer\.from\(|(?:new[ ])?String\(|SecretStr\("
    r"|ConvertTo-SecureString[ \t]+(?:-String[ \t]+)?"
    r"|(?:env|getenv|os\.getenv|os\.environ\.get)\([\"'][\w.]{1,80}[\"'],[ \t]*)?"
)
_QUOTED = r"""(?:
        [rbuRBUNfL&]{0,2}"(?P<double>(?:[^"\\\n]|\\.){1,500})"
      | [rbuRBUNfL&]{0,2}'(?P<single>(?:[^'\\\n]|\\.){1,500})'
      | `(?P<tick>[^`\n]{1,500})`
      | \\"(?P<escaped>[^"\\\n]{1,500})\\"
    )"""
_PLAIN = r"""(?:"(?P<double>[^"\n]{1,500})"|'(?P<single>[^'\n]{1,500})')"""
_ASSIGNED = lazy_pattern(
    rf"""(?:\\?["'`])?\]?                                       # the end of a quoted or subscripted name
    [ \t]{{0,20}}(?:\[\][ \t]{{0,4}}(?==))?                     # an array in C
    (?::[ \t]{{0,4}}[&A-Za-z_\[][\w.|\[\]?&]{{0,40}}[ \t]{{0,4}}(?:str[ \t]{{0,4}})?(?==))?  # an annotated type
    (?P<sign>=>|:=|=|:)(?![=>~])[ \t]{{0,20}}
    (?:
        {_CALL}{_QUOTED}
      | (?P<bare>[^\s"'`,;<>(){{}}\[\]|\\]{{1,300}})(?=[ \t]{{0,80}}(?:[#;\n]|\Z))
    )""",
    re.VERBOSE,
)
_PASSED = lazy_pattern(
    rf"""(?:["'`][ \t]{{0,4}},|\()[ \t]{{0,4}}(?:\[\]byte\()?{_QUOTED}[ \t]{{0,4}}[),;]""", re.VERBOSE
)
_FOLLOWED = lazy_pattern(
    rf"""(?:["'`]\)?)?[ \t]{{1,8}}
    (?:(?:is|=|:|to|FOR[ \t]'[^'\n]{{1,80}}'(?:@'[^'\n]{{1,80}}')?[ \t]=)[ \t]{{1,4}})?
    {_QUOTED}""",
    re.VERBOSE,
)
_ATTRIBUTE = lazy_pattern(rf"""["'][ \t]{{1,8}}value[ \t]{{0,4}}=[ \t]{{0,4}}{_PLAIN}""")
_DEFAULT = lazy_pattern(
    r"""["'][ \t]{0,4}\{[^{}]{0,200}?\bdefault[ \t]{0,20}=[ \t]{0,20}"(?P<double>[^"\n]{1,500})\""""
)
_LISTED = lazy_pattern(
    r"""["']?[ \t]{0,8}\r?\n[ \t-]{0,80}value:[ \t]{1,8}"""
    rf"""(?:{_PLAIN}|(?P<bare>[^\s"'{{}}<>|&!*]\S{{3,300}}))[ \t\r]{{0,80}}(?:\n|\Z)"""
)
_OF_A_LIST = lazy_pattern(r"[\s-]*(?:name|key):[ \t]*[\"']?[\w.]*")
_ELEMENT = lazy_pattern(r"""["']?>(?P<text>[^<>\s]{6,500})</""")
_IN_KEY = lazy_pattern(r"(?:key|name)=[\"'][\w.-]*\Z")
_OF_CODE = lazy_pattern(r"[(){};]")
_HEREDOC = lazy_pattern(r"<<[-~]?[ ]?[\"']?([A-Za-z_]\w{1,40})[\"']?[^\n]{0,400}\n")
_MOST_HEREDOCS = 100


def find_assignments(text: str) -> Iterator[SecretSpan]:
    """Yield the values of names such as ``password``, ``client_secret``, ``API_KEY``, ``authToken``."""
    of_data = _heredocs(text)
    for name in secret_names(text):
        found = _value_after(text, name)
        if found is None and any(first <= name.start < last for first, last in of_data):
            found = in_data(text, name)
        if found:
            yield SecretSpan(*found, name.kind)


def find_values(text: str) -> Iterator[SecretSpan]:
    """Yield what ``find_assignments`` does, and every unquoted value on its own line or in ``{a: b}``."""
    for name in secret_names(text):
        found = _value_after(text, name) or (None if _is_prose(text, name) else in_data(text, name))
        if found:
            yield SecretSpan(*found, name.kind)


def secret_names(text: str) -> Iterator[Name]:
    """Find the names that say they hold a secret: where their last words are, their kind, how clearly they say so."""
    lower = _lower(text)
    is_marked = "[REDACTED:" in text
    for name in (*_with_pass(lower), *_with_key(lower), *_with_auth(lower), *_with_others(lower)):
        end = name.end  # what was taken out is not looked for again
        if _goes_on(text, end) and not (is_marked and _TAKEN_OUT.match(text, end)):
            yield name


def _with_others(lower: str) -> Iterator[Name]:
    """The names that one text begins."""
    for start, rest, kind, strength in _IN_ASCII if lower.isascii() else _NAMES:
        at = lower.find(start)
        while at >= 0:
            match = rest.match(lower, at + len(start))
            if match:
                yield Name(at, match.end(), kind, strength)
            at = lower.find(start, match.end() if match else at + len(start))


def _with_pass(lower: str) -> Iterator[Name]:
    """The names of passwords in Latin letters, but for a few."""
    at, done = lower.find("pass"), 0
    while at >= 0:
        match = _PASS.match(lower, at)
        if match and match["more"]:
            if at >= done or lower[at + 4] != "w":
                yield Name(at, match.end(), "password", Strength.STRONG)
            if lower[at + 4] == "w":
                done = max(done, match.end())  # "password for password" is one
        elif match:
            if not (at and lower[at - 1].isalpha()):
                yield Name(at, match.end(), "password", Strength.FAIR)
            before = next((each for each in _BEFORE_PASS if lower.endswith(each, 0, at)), "")
            if before:
                yield Name(at - len(before), match.end(), "password", Strength.STRONG)
        at = lower.find("pass", at + 4)


def _with_key(lower: str) -> Iterator[Name]:
    """The names of keys that say what for."""
    at = lower.find("key")
    while at >= 0:
        match = _AFTER_KEY.match(lower, at + 3)
        if match:
            end = match.end()
            last = at - 1 if lower[at - 1 : at] in {"_", "-"} else at
            if lower.endswith(_ENDS_OF_KEYS, 0, last):
                for start, kind, strength in _KEYS:
                    if lower.endswith(start, 0, last):
                        yield Name(last - len(start), end, kind, strength)
            elif lower.endswith("app_", 0, at):
                yield Name(at - 4, end, "access-key", Strength.WEAK)
            elif lower.endswith("subscription-", 0, at):
                yield Name(at - len("subscription-"), end, "api-key", Strength.STRONG)
            else:
                of_api = _API_KEY.search(lower, max(at - _LONGEST_API_KEY, 0), at)
                if of_api:
                    yield Name(of_api.start(), end, "api-key", Strength.STRONG)
        at = lower.find("key", at + 3)


def _with_auth(lower: str) -> Iterator[Name]:
    """The names of what logs somebody in, where no other word ends so."""
    at = lower.find("auth")
    while at >= 0:
        match = _AUTH.match(lower, at)
        if match and not (at and lower[at - 1].isalpha()):
            yield Name(at, match.end(), "auth-key", Strength.WEAK)
        at = lower.find("auth", match.end() if match else at + 4)


def _goes_on(text: str, end: int) -> bool:
    """Whether a value may be given to a name that ends there."""
    sign = text[end : end + 1]
    if sign not in _AFTER_NAMES:
        return False
    if sign in "\"'`":
        return text[end + 1 : end + 2] in _AFTER_QUOTES
    return sign != "]" or text[end + 1 : end + 2] in _AFTER_BRACKETS


def _lower(text: str) -> str:
    """``text`` in lower case with every character in its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(char.lower()[0] for char in text)


def _heredocs(text: str) -> list[Extent]:
    """The texts that programs hold as ``<<EOF``: what a file of values would be."""
    if "<<" not in text:
        return []
    found = itertools.islice(_HEREDOC.finditer(text), _MOST_HEREDOCS)
    spans = ((match.end(), text.find(f"\n{match[1]}", match.end() - 1)) for match in found)
    return [(start, end) for start, end in spans if end > start]


def _is_prose(text: str, name: Name) -> bool:
    """Whether a word follows a name after a space: no sign gives it a value."""
    return text[name.end] == " " and text[name.end + 1 : name.end + 2].isalnum()


def _value_after(text: str, name: Name) -> Extent | None:
    """Where the secret is that a name is given; None for none."""
    sign = text[name.end]
    is_prose = _is_prose(text, name)
    match = _ASSIGNED.match(text, name.end) if sign in _SIGNED and not is_prose else None
    if match:
        bare = match["bare"]
        if bare is None:
            return _secret_of(match, name)
        if alone_on_line(text, name, bare, match["sign"], is_tight=_is_tight(match)):
            return match.span("bare")
    return (
        (in_line(text, name) if sign in _LINED else None)
        or (_find_passed(text, name, sign) if sign in _PASSING else None)
        or (_of_markup(text, name, sign) if sign in _MARKED_UP and not is_prose else None)
    )


def _is_tight(match: re.Match[str]) -> bool:
    """Whether no space is between a sign and the value."""
    return match.end("sign") == match.start("bare")


def _find_passed(text: str, name: Name, sign: str) -> Extent | None:
    """A literal that is passed with a name, or follows it in SQL, in a definition or in a sentence."""
    match = _PASSED.match(text, name.end) if sign in "\"'`(" else None
    if match is None and sign in " \t\"'`":
        match = _FOLLOWED.match(text, name.end)
    if match is None:
        return None
    value = match[match.lastgroup or ""]
    is_code = name.strength is Strength.WEAK and _OF_CODE.search(value)  # a quote may be the end of another text
    return _secret_of(match, name) if has_digit(value) and " " not in value and not is_code else None


def _of_markup(text: str, name: Name, sign: str) -> Extent | None:
    """The value of an attribute, of a default, of an element, or of an entry of a list."""
    end = name.end
    match = (_ATTRIBUTE.match(text, end) or _DEFAULT.match(text, end)) if sign in "\"'" else None
    if match:
        return _secret_of(match, name)
    if sign in ">\"'":
        match = _ELEMENT.match(text, end)
        if match and (sign == ">" or _IN_KEY.search(line_before(text, name.start))):
            return _secret_of(match, name) if not is_wording(match["text"]) else None
    match = _LISTED.match(text, end) if sign != ">" else None
    if match and (match["bare"] is None or has_digit(match["bare"])):
        return _secret_of(match, name) if _OF_A_LIST.fullmatch(line_before(text, name.start)) else None
    return None


def _secret_of(match: re.Match[str], name: Name) -> Extent | None:
    """Where the value of a match is, if it is a secret."""
    group = match.lastgroup or ""  # the value ends each of the patterns
    return match.span(group) if is_secret(match[group], name.strength) else None
