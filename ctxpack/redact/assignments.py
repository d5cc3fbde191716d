"""Passwords and secrets that are assigned to a name which says so, in code, configuration and .env files.

The better a name says what it holds (``password`` against ``token``), the less random its value must look. What a
program reads at run time (a call, a variable, a template) and what manuals put in its place are left alone. Where a
file holds values only, such as YAML, TOML, INI and .env, nothing is a variable: an unquoted value is what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum

from ctxpack.light import lazy_pattern
from ctxpack.redact.shapes import SecretSpan, is_phrase, is_placeholder, is_template_value, is_wording

_REST_OF_NAME = lazy_pattern(
    r"(?:passw(?:or)?d|passphrase|pwd|secret(?:[_-]?access)?(?:[_-]?key)?(?:[_-]?base)?|token|credential"
    r"|(?:api|auth)[_-]?(?:secret[_-]?)?key|(?:access|private|encryption|signing)[_-]?key)"
    r"(?:s|[_-]?value|[_-]?\d{1,2})?(?![\w-])",
    re.IGNORECASE,
)
_VALUE = lazy_pattern(
    r"""(?:\\?["'`])?\]?                                        # the end of a quoted or subscripted name
    [ \t]{0,20}(?::[ \t]{0,4}[A-Za-z_][\w.|\[\]?]{0,40}[ \t]{0,4}(?==))?  # an annotated type
    (?P<sign>=>|:=|=|:)(?![=>~])[ \t]{0,20}
    (?:
        [rbuRBU]{0,2}"(?P<double>(?:[^"\\\n]|\\.){1,500})"
      | [rbuRBU]{0,2}'(?P<single>(?:[^'\\\n]|\\.){1,500})'
      | `(?P<tick>[^`\n]{1,500})`
      | \\"(?P<escaped>[^"\\\n]{1,500})\\"
      | (?P<bare>[^\s"'`,;<>(){}\[\]|\\]{1,300})(?=[ \t]*(?:[#;\n]|\Z))
    )""",
    re.VERBOSE,
)
_ELEMENT = lazy_pattern(r">(?P<text>[^<>\s]{6,200})</")
_BARE_START = lazy_pattern(r"[\s-]*(?:export[ \t]+|set[ \t]+|ENV[ \t]+|\$env:)?[\w.\"'-]*", re.IGNORECASE)
_IN_CONNECTION = lazy_pattern(r"[;\"'][ \t]*\w*$")
_REFERENCE = lazy_pattern(r"[A-Za-z_][\w-]*(?:(?:\.|::|->)[A-Za-z_]\w*)*")
_UUID = lazy_pattern(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_NOT_SECRET = lazy_pattern(  # a path, a URL, a file name, a version, a flag, a piece of a command, an attribute
    r"(?:~|\.{1,2})?/|[A-Za-z]:\\|[a-z][a-z0-9+.-]{0,20}://|[\w./-]+\.(?:json|ya?ml|txt|pem|key|py|js|ts|html?|env)$"
    r"|[\^~>=<v]*\d+(?:\.\d+)+|--|[^=]*=$|\.\$"
    r"|!?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"
)
_SAYS_SO = lazy_pattern("pass|pwd|secret|token|key")  # "somepassword" is what a test writes
_MIN_STRONG = 6
_MIN_WORD = 10  # a password made of letters alone is told from a name by its length
_MIN_WEAK = 16
_SIGN = r"(?:\\?[\"'])?[ \t]{0,20}(?:=>|:=|=|:(?=[ \t]))[ \t]{0,20}"
_TO_END = lazy_pattern(_SIGN + r"(?P<value>[^\s\"'`\[{<>|&!*]\S{0,300}?)(?=[,;]?[ \t\r]*(?:[ \t][#;]|\n|\Z))")
_IN_FLOW = lazy_pattern(_SIGN + r"(?P<value>[^\s\"'`,\[\]{}<>|&!*][^\s,{}]{0,300})(?=[ \t]*[,}])")
_TO_SPACE = lazy_pattern(_SIGN + r"(?P<value>[^\s\"'`\[{<>|&!*][^\s\"'`]{0,300})(?=\s|\Z)")
_LINE_START = lazy_pattern(r"[\s#;-]*(?:(?:export|set|ENV)[ \t]+)?[^\s=]*", re.IGNORECASE)
_FLOW_START = lazy_pattern(r"[{,][ \t]*[\"']?[\w.-]*$")
_NAME_OF_SECRET = lazy_pattern(r"[a-z]+(?:[-/.][a-z]+)+")  # as Kubernetes refers to one
_LEAST, _LEAST_WEAK = 4, 8


class Strength(IntEnum):
    """How clearly a name says that its value is a secret."""

    WEAK = 1
    STRONG = 2


# What is searched, in lower case. A name may go on with "s", digits, "_key", "_value" … but not with other words.
_NAMES: tuple[tuple[str, str, Strength], ...] = (
    ("passw", "password", Strength.STRONG),
    ("passphrase", "password", Strength.STRONG),
    ("pwd", "password", Strength.STRONG),
    ("secret", "secret", Strength.STRONG),
    ("api", "api-key", Strength.STRONG),
    ("access", "access-key", Strength.STRONG),
    ("private", "private-key", Strength.STRONG),
    ("encryption", "encryption-key", Strength.STRONG),
    ("signing", "signing-key", Strength.STRONG),
    ("token", "token", Strength.WEAK),
    ("auth", "auth-key", Strength.WEAK),
    ("credential", "credential", Strength.WEAK),
)


def find_assignments(text: str) -> Iterator[SecretSpan]:
    """Yield the values of names such as ``password``, ``client_secret``, ``API_KEY``, ``authToken``."""
    for name, kind, strength in secret_names(text):
        yield from _value_after(text, name, kind, strength)


def secret_names(text: str) -> Iterator[tuple[re.Match[str], str, Strength]]:
    """Find the names that say they hold a secret: their last words, its kind, and how clearly they say so."""
    lower = _lower(text)
    for name, kind, strength in _NAMES:
        at = lower.find(name)
        while at >= 0:
            rest = _REST_OF_NAME.match(text, at)
            if rest:
                yield rest, kind, strength
            at = lower.find(name, rest.end() if rest else at + len(name))


def is_reference(value: str) -> bool:
    """Return whether a value only says where something is: a path, a URL, a file name, a version, an attribute."""
    return _NOT_SECRET.match(value) is not None


def _lower(text: str) -> str:
    """``text`` in lower case with every character in its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(char.lower()[0] for char in text)


def _value_after(text: str, name: re.Match[str], kind: str, strength: Strength) -> Iterator[SecretSpan]:
    match = _VALUE.match(text, name.end())
    if match is None:
        element = _ELEMENT.match(text, name.end())
        if element and _is_secret(element["text"], strength) and not is_wording(element["text"]):
            yield SecretSpan(*element.span("text"), kind)
    elif match["bare"] is not None:
        if _is_bare_secret(text, name, match, strength):
            yield SecretSpan(*match.span("bare"), kind)
    else:
        group = str(match.lastgroup)
        if _is_secret(match[group], strength):
            yield SecretSpan(*match.span(group), kind)


def _is_secret(value: str, strength: Strength) -> bool:
    """Return whether a literal that a name of this strength holds is a secret and not a placeholder."""
    if len(value) < _MIN_STRONG or any(char.isspace() for char in value):
        return False
    if is_template_value(value) or is_placeholder(value) or is_reference(value):
        return False
    if strength is Strength.WEAK:
        return _looks_random(value) and not is_phrase(value) and not _UUID.fullmatch(value)
    if not is_wording(value):
        return True
    return value.isalpha() and value.islower() and len(value) >= _MIN_WORD and not _SAYS_SO.search(value)


def _looks_random(value: str) -> bool:
    has_both = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return has_both and len(value) >= _MIN_WEAK and len(set(value)) >= len(value) ** 0.5


def _is_bare_secret(text: str, name: re.Match[str], match: re.Match[str], strength: Strength) -> bool:
    """Return whether an unquoted value is one: of a line that holds nothing else, or of a connection string."""
    value = match["bare"]
    before = text[max(text.rfind("\n", 0, name.start()) + 1, name.start() - 200) : name.start()]
    is_line = _BARE_START.fullmatch(before) is not None
    if not (is_line or _IN_CONNECTION.search(before)) or not _is_secret(value, strength):
        return False
    if not _REFERENCE.fullmatch(value):
        return not value.replace(".", "").isdigit() or strength is Strength.STRONG
    is_env = match["sign"] == "=" and match.start("bare") == match.start("sign") + 1 and not name[0].islower()
    return is_env or (match["sign"] == ":" and value.islower() and any(char.isdigit() for char in value))


def find_data_values(text: str) -> Iterator[SecretSpan]:
    """Yield every unquoted value of a name such as ``password`` or ``API_KEY``, on its own line or in ``{a: b}``."""
    for name, kind, strength in secret_names(text):
        before = text[max(text.rfind("\n", 0, name.start()) + 1, name.start() - 200) : name.start()]
        match = _TO_END.match(text, name.end()) if _LINE_START.fullmatch(before) else None
        if match is None and _FLOW_START.search(before):
            match = _IN_FLOW.match(text, name.end())
        if match is None:  # in a sentence only what no word looks like
            said = _TO_SPACE.match(text, name.end())
            match = said if said and _is_mixed(said["value"]) else None
        if match and _is_data_secret(match["value"], kind, strength):
            yield SecretSpan(*match.span("value"), kind)


def _is_mixed(value: str) -> bool:
    has_both = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return has_both and not is_wording(value)


def _is_data_secret(value: str, kind: str, strength: Strength) -> bool:
    if is_template_value(value) or is_placeholder(value) or is_reference(value.rstrip("=")) or not value.isprintable():
        return False
    if strength is Strength.WEAK:
        return len(value) >= _LEAST_WEAK and _is_mixed(value)
    if not value.isascii() and is_wording(value):
        return False  # a translation of the name
    return len(value) >= _LEAST and not (kind == "secret" and _NAME_OF_SECRET.fullmatch(value))
