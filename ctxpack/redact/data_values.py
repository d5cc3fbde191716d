"""Unquoted values of secret names in YAML, TOML, INI and .env files, where nothing stands for a variable.

Whatever such a value looks like, it is one, but for what stands in its place: a template, a reference, a placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxpack.redact.assignments import Strength, is_reference, secret_names
from ctxpack.redact.placeholders import is_placeholder, is_template, is_wording
from ctxpack.redact.spans import Span

_SIGN = r"(?:\\?[\"'])?[ \t]{0,20}(?:=>|:=|=|:(?=[ \t]))[ \t]{0,20}"
_TO_END = re.compile(_SIGN + r"(?P<value>[^\s\"'`\[{<>|&!*]\S{0,300}?)(?=[,;]?[ \t\r]*(?:[ \t][#;].*)?(?:\n|\Z))")
_IN_FLOW = re.compile(_SIGN + r"(?P<value>[^\s\"'`,\[\]{}<>|&!*][^\s,{}]{0,300})(?=[ \t]*[,}])")
_TO_SPACE = re.compile(_SIGN + r"(?P<value>[^\s\"'`\[{<>|&!*][^\s\"'`]{0,300})(?=\s|\Z)")
_LINE_START = re.compile(r"[\s#;-]*(?:(?:export|set|ENV)[ \t]+)?[^\s=]*", re.IGNORECASE)
_FLOW_START = re.compile(r"[{,][ \t]*[\"']?[\w.-]*$")
_NAME_OF_SECRET = re.compile(r"[a-z]+(?:[-/.][a-z]+)+")  # as Kubernetes refers to one
_LEAST, _LEAST_WEAK = 4, 8


def find_data_values(text: str) -> Iterator[Span]:
    """Every unquoted value of a name such as ``password`` or ``API_KEY``, on its own line or in ``{a: b}``."""
    for name, kind, strength in secret_names(text):
        before = text[max(text.rfind("\n", 0, name.start()) + 1, name.start() - 200) : name.start()]
        match = _TO_END.match(text, name.end()) if _LINE_START.fullmatch(before) else None
        if match is None and _FLOW_START.search(before):
            match = _IN_FLOW.match(text, name.end())
        if match is None:  # in a sentence only what no word looks like
            said = _TO_SPACE.match(text, name.end())
            match = said if said and _is_mixed(said["value"]) else None
        if match and _is_secret(match["value"], kind, strength):
            yield Span(*match.span("value"), kind)


def _is_mixed(value: str) -> bool:
    has_both = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return has_both and not is_wording(value)


def _is_secret(value: str, kind: str, strength: Strength) -> bool:
    if is_template(value) or is_placeholder(value) or is_reference(value.rstrip("=")) or not value.isprintable():
        return False
    if strength is Strength.WEAK:
        return len(value) >= _LEAST_WEAK and _is_mixed(value)
    if not value.isascii() and is_wording(value):
        return False  # a translation of the name
    return len(value) >= _LEAST and not (kind == "secret" and _NAME_OF_SECRET.fullmatch(value))
