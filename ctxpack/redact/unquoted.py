"""Values without quotes that are given to the name of a secret: on lines of their own, in data, in the midst of a line.

In code such a value is a variable unless its line is one of a shell, a log, a header or a URL; in data it is a value.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ctxpack.light import lazy_pattern
from ctxpack.redact.values import (
    Strength,
    has_digit,
    is_constant,
    is_mixed,
    is_passphrase,
    is_placeholder,
    is_random,
    is_reference,
    is_secret,
    is_template_value,
    is_typed,
    is_wording,
)

Extent = tuple[int, int]

_MOST_BEFORE = 200
_ALONE = lazy_pattern(r"[\s-]*+(?:export[ \t]+|set[ \t]+|ENV[ \t]+|ARG[ \t]+|\$env:)?[\w.\"'-]*+", re.IGNORECASE)
_IN_CONNECTION = lazy_pattern(r"[;\"'][\w \t]*+\Z")
_REFERENCE = lazy_pattern(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*")

_IN_LINE = lazy_pattern(
    r"""["']?(?P<sign>=|:[ \t]{1,4}|[ \t]{1,4})(?P<bare>[^\s"'`,;<>(){}\[\]|\\&]{4,300})(?=["'`;&}<\s]|\Z)"""
)
_SPRING = lazy_pattern(r":(?P<bare>[^\s\"'{}$]{4,200})\}")  # ${db.password:default}
_NEAR = 60
_LONGEST_NAME = 80
_IN_QUERY = lazy_pattern(r"[?&;]\w*\Z")
_JDBC = lazy_pattern(r"jdbc:[^\s\"']*+\Z")
_FLAG = lazy_pattern(r"(?:\A|\s)--?[\w.-]*\Z")
_DOCKER = lazy_pattern(r"[ \t]*(?:ENV|ARG)[ \t]+\w*")
_HEADER = lazy_pattern(r"(?:\A|[\s\"'])(?>(?:[A-Z][A-Za-z]{0,40}-|[A-Z]{1,40}_){0,12})\Z")
_NETRC = lazy_pattern(r"(?:\A|\s)login[ \t]+\S+[ \t]+\Z|\A[ \t]*\Z")
_RUNS = lazy_pattern(r"\d+")
_FEWEST_RUNS = 3  # of digits in a key that follows the name of a header
_KEY_SIGNS = lazy_pattern(r"[A-Za-z0-9+/=_.~-]+")

_SIGN = r"(?:\\?[\"'])?[ \t]{0,20}(?:=>|:=|=|:(?=[ \t]))[ \t]{0,20}(?:&\w{1,40}[ \t]{1,4})?"
_FIRST = r"[^\s\"'`\[{<>|&!*]"
_GIVEN = lazy_pattern(r"(?:\\?[\"'])?[ \t]{0,20}[=:]")  # how each of the following begins
_END = r"[,;]?[ \t\r]{0,80}(?:[ \t][#;]|\n|\Z)"  # of the line, or where a comment begins
_TO_END = lazy_pattern(rf"{_SIGN}(?P<value>{_FIRST}(?>(?:[^\n,; \t\r]|(?!{_END})[,; \t\r]){{0,300}}))(?={_END})")
_IN_FLOW = lazy_pattern(_SIGN + r"(?P<value>[^\s\"'`,\[\]{}<>|&!*][^\s,{}]{0,300})(?=[ \t]{0,80}[,}])")
_TO_SPACE = lazy_pattern(rf"{_SIGN}(?P<value>{_FIRST}[^\s\"'`]{{0,300}})(?=\s|\Z)")
_QUOTED = lazy_pattern(_SIGN + r"(?:\"(?P<double>(?:[^\"\\\n]|\\.){4,300})\"|'(?P<single>[^'\n]{4,300})')")
_BELOW = lazy_pattern(
    r"(?:\\?[\"'])?:[ \t]{0,20}(?:[|>][+-]?\d?[ \t]{0,20})?\r?\n(?P<indent>[ \t]{1,80})"
    r"(?P<value>[^\s#-][^\n:{}]{3,4000}(?:\n(?P=indent)[A-Za-z0-9+/=]{16,200}){0,99})(?=\n|\Z)"
)
_LINE_START = lazy_pattern(r"[\s#;-]*+(?:(?:export|set|ENV)[ \t]+)?[^\s=]*+", re.IGNORECASE)
_FLOW_START = lazy_pattern(r"[{,][ \t]*+[\"']?[\w.-]*+\Z")
_NAME_OF_SECRET = lazy_pattern(r"[a-z]+(?:[-/.][a-z]+)+")  # as Kubernetes refers to one
_SETTING = lazy_pattern(r"[a-z]+(?:-[a-z]+)*-\d{3}")  # scram-sha-256
_LEAST, _LEAST_WEAK, _LONG = 4, 8, 32


class Name(NamedTuple):
    """A name that says it holds a secret: where its last words are, the kind of secret, how clearly it says so."""

    start: int
    end: int
    kind: str
    strength: Strength


def line_before(text: str, at: int) -> str:
    """Return the line up to a place, or as much of its end as matters."""
    return text[max(text.rfind("\n", 0, at) + 1, at - _MOST_BEFORE) : at]


def alone_on_line(text: str, name: Name, value: str, sign: str, *, is_tight: bool) -> bool:
    """Return whether an unquoted value is a secret: of a line that holds nothing else, or of a connection string."""
    before = line_before(text, name.start)
    if not (_ALONE.fullmatch(before) or _IN_CONNECTION.search(before)) or not is_secret(value, name.strength):
        return False
    if not _REFERENCE.fullmatch(value):
        return not value.replace(".", "").isdigit() or name.strength is Strength.STRONG
    if sign == "=":
        return is_tight and not text[name.start].islower()
    is_said = not text[name.start : name.end].isascii()  # no code has such a name, and a type no digit behind it
    return sign == ":" and (value.islower() or is_said) and has_digit(value)


def in_line(text: str, name: Name) -> Extent | None:
    """Find a value that does not end its line: of a URL, a command line, a header, a log."""
    match = _IN_LINE.match(text, name.end)
    if match is None:
        return _default_of_spring(text, name)
    value, sign = match["bare"], match["sign"].strip()
    if not sign and not has_digit(value):
        return None  # a word of a sentence
    before = line_before(text, name.start)
    if sign == "=":
        is_ours = _is_parameter(before, value, name) or _is_told(text, before, value, name)
    elif sign == ":":
        is_ours = _is_header(text, before, value, name)
    else:
        least = Strength.FAIR if name.strength is Strength.STRONG else name.strength
        is_ours = is_secret(value, least) and bool(
            _FLAG.search(before) or _DOCKER.fullmatch(before) or _NETRC.search(before)
        )
    if not is_ours or is_template_value(value) or is_placeholder(value) or is_reference(value):
        return None
    return match.span("bare")


def _default_of_spring(text: str, name: Name) -> Extent | None:
    match = _SPRING.match(text, name.end)
    if match is None or text.rfind("${", max(name.start - _NEAR, 0), name.start) < 0:
        return None
    value = match["bare"]
    return match.span("bare") if is_secret(value, name.strength) and is_mixed(value) else None


def _is_parameter(before: str, value: str, name: Name) -> bool:
    """Whether a value is that of a parameter of a URL or of a flag."""
    if not is_mixed(value):
        return False
    if _IN_QUERY.search(before) or ("jdbc:" in before and _JDBC.search(before)):
        return is_secret(value, name.strength)
    return "-" in before and _FLAG.search(before) is not None


def _is_told(text: str, before: str, value: str, name: Name) -> bool:
    """Whether ``name=value`` in the midst of a line gives a literal, as logs and lists of options do."""
    if not is_secret(value, name.strength):
        return False
    if name.strength is Strength.WEAK:
        return len(value) >= _LONG and _KEY_SIGNS.fullmatch(value) is not None
    if not _REFERENCE.fullmatch(value):
        return has_digit(value)
    written = before[-_LONGEST_NAME:].rsplit(" ", maxsplit=1)[-1] + text[name.start : name.end]
    return is_typed(value) and (written.isupper() or "." in written)


def _is_header(text: str, before: str, value: str, name: Name) -> bool:
    """Whether a value is that of a header, whose name is written with capitals and hyphens."""
    if not (text[name.start].isupper() or before.endswith("-")) or not _HEADER.search(before):
        return False
    return is_random(value) and (len(_RUNS.findall(value)) >= _FEWEST_RUNS or before.endswith("-"))


def in_data(text: str, name: Name) -> Extent | None:
    """Find a value in a file of values: behind the name, below it, in ``{a: b}``, or one that no word looks like."""
    if not _GIVEN.match(text, name.end):
        return None
    before = line_before(text, name.start)
    is_key = _LINE_START.fullmatch(before) is not None
    is_in_flow = not is_key and _FLOW_START.search(before) is not None
    match = _of_key(text, name, before) if is_key else None
    if match is None and (is_in_flow or (is_key and _FLOW_START.search(before))):
        match = _IN_FLOW.match(text, name.end)
    if match is None and (is_key or is_in_flow):
        quoted = _QUOTED.match(text, name.end)
        group = "double" if quoted and quoted["double"] is not None else "single"
        if quoted and has_digit(quoted[group]) and _is_value(quoted[group], name):
            return quoted.span(group)
    if match is None:
        said = _TO_SPACE.match(text, name.end)
        match = said if said and is_mixed(said["value"]) else None
    return match.span("value") if match and _is_value(match["value"], name) else None


def _of_key(text: str, name: Name, before: str) -> re.Match[str] | None:
    """The value behind a key, or the lines below it that are indented more."""
    match = _TO_END.match(text, name.end)
    if match is None:
        match = _BELOW.match(text, name.end)
        if match and len(match["indent"]) <= len(before) - len(before.lstrip()):
            return None
    return match


def _is_value(value: str, name: Name) -> bool:
    """Whether a value of a file of values is a secret."""
    if is_template_value(value) or is_placeholder(value) or is_reference(value.rstrip("=")):
        return False
    if not value.replace("\n", "").replace("\t", "").isprintable() or is_constant(value) or _SETTING.fullmatch(value):
        return False
    if " " in value and "\n" not in value:
        return name.strength is Strength.STRONG and is_passphrase(value)
    if name.strength is not Strength.STRONG:
        least = _LEAST_WEAK if name.strength is Strength.WEAK else _LEAST
        return len(value) >= least and is_mixed(value) and len(set(value)) >= _LEAST
    if not value.isascii() and is_wording(value):
        return False  # a translation of the name
    return len(value) >= _LEAST and not (name.kind == "secret" and _NAME_OF_SECRET.fullmatch(value))
