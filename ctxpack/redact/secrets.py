"""Where a secret is in a text, and how it differs from what only takes its place: examples, templates, references."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

REDACTION_MARK = re.compile(r"\[REDACTED:[a-z0-9-]+\]")
_TEMPLATE = re.compile(
    r"\$\{|\$\(|^\$[A-Za-z_]\w*$|\{\{|\}\}|^\{.*\}$|%\(|^%\w+%$|^%[sdrv]$|<[^<>]*>|^\$[0-9a-z]{1,8}\$|#\{|\$\w+(?:\[|->)|^\[\w+\]$|^@[\w.]+$|\{\w*\}"
)
_FILLER = re.compile(r"(.)\1*|[xX*.#_?-]+|(?:\w\.){2,}")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_PHRASE = re.compile(r"(?:[A-Za-z]+|\d{1,5})(?:[_.:-]+(?:[A-Za-z]+|\d{1,5}))*")
# words, joined, with one digit at most; a letter or "_" goes on in one way only, so that it takes linear time
_WORDING = re.compile(r"[^\W\d](?:[\s.:-]*+[^\W\d])*+[\s_.:-]?\d?")
_HARMLESS = (
    "a abc access account admin administrator aes an and any api app argon as at auth authentication bad bar base "
    "baz bcrypt blank bool boolean bytes change changed changeme client code confirm confirmation correct "
    "credential credentials current custom data db default demo dev development disabled dummy ed empty enabled "
    "encoded encrypted enter env error es example expired fake false field file foo for form from generate get "
    "git given guest hash header here hidden hmac hs id in incorrect input insert int integer internal invalid is "
    "jwt key keys label local localhost login md me missing mock model must my mysql name new nil no none not "
    "null number of off old on only optional or pass passphrase passwd password passwords pbkdf placeholder plain "
    "please postgres private prod production public put pwd query qux random refresh replace required reset root "
    "rs rsa sample scrypt secret secrets secure session set sha shared sign signature some spam staging str "
    "string super test tester testing text the this to todo token tokens too true type undefined unset update use "
    "user username utf valid value visible weak web word wrong xxx xxxx your yourself ваш введите ключ неверный "
    "новый пароль секрет токен "
)
HARMLESS = frozenset(_HARMLESS.split())


@dataclass(frozen=True, slots=True, order=True)
class SecretSpan:
    """The characters ``start..end`` (end excluded) of a text are a secret."""

    start: int
    end: int
    kind: str


Detector = Callable[[str], Iterator[SecretSpan]]
"""Finds one family of secrets in time linear in the text."""


def is_template_value(value: str) -> bool:
    """Whether a program or a person fills ``value`` in later: ``${NAME}``, ``{{ name }}``, ``<your key>``, ``%s``."""
    return _TEMPLATE.search(value) is not None


def is_placeholder(value: str) -> bool:
    """Return whether ``value`` is only words that manuals and tests use for a secret, or filler such as ``****``."""
    if _FILLER.fullmatch(value):
        return True
    return is_wording(value) and all(word.lower() in HARMLESS for word in _WORD.findall(value))


def is_wording(value: str) -> bool:
    """Return whether ``value`` is made of words, as names and prose are: no digit but one at the end, no odd sign."""
    if not value.isascii() and not any(char.isdigit() for char in value):
        return True
    return _WORDING.fullmatch(value) is not None


def is_phrase(value: str) -> bool:
    """Return whether ``value`` is words and short numbers joined by signs, as made-up tokens are: ``my-token-123``."""
    return _PHRASE.fullmatch(value) is not None
