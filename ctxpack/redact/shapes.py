"""Where a secret is in a text, and how it differs from what only takes its place: examples, templates, references."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ctxpack.light import lazy_pattern

REDACTION_MARK = lazy_pattern(r"\[REDACTED:[a-z0-9-]+\]")
_TEMPLATE = lazy_pattern(
    r"\$\{|\$\(|^\$[A-Za-z_]\w*$|\{\{|\}\}|^\{.*\}$|%\(|^%\w+%$|^%[sdrv]$|<[^<>]*>|^\$[0-9a-z]{1,8}\$|#\{|\$\w+(?:\[|->)|^\[\w+\]$|^@[\w.]+$|\{\w*\}"
)
_FILLER = lazy_pattern(r"(.)\1*|[xX*.#_?-]+|(?:\w\.){2,}")
_WORD = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_PHRASE = lazy_pattern(r"(?:[A-Za-z]+|\d{1,5})(?:[_.:-]+(?:[A-Za-z]+|\d{1,5}))*")
# words, joined, with one digit at most; a letter or "_" goes on in one way only, so that it takes linear time
_WORDING = lazy_pattern(r"[^\W\d](?:[\s.:-]*+[^\W\d])*+[\s_.:-]?\d?")
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


_EDGE = r"(?<![A-Za-z0-9])"
_STOP = r"(?![A-Za-z0-9])"
_TELEGRAM = lazy_pattern(r"(?<![\w:])\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![\w-])")
_AZURE_CLIENT = lazy_pattern(r"(?<![\w~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![\w~-])")
# The lengths are bounded so that a long line costs linear time.
_AFTER_SCHEME = lazy_pattern(r"://([^\s/:@\"'`<>?#]{0,100}):([^\s/@\"'`<>?#\\]{1,200})@(?=[\w\[$<{%-])")
_BEARER = lazy_pattern(r"\b([Bb]earer|BEARER)[ \t]{1,3}([A-Za-z0-9._~+/=-]{16,4000})")
_BASIC = lazy_pattern(
    r"\b[Aa]uthorization\b[\"']?\s{0,3}[:=,]\s{0,3}[\"'`]?[Bb]asic[ \t]{1,3}([A-Za-z0-9+/]{8,2000}={0,2})"
)
_PRIVATE_KEY = "private-key"
_LABEL = r"(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?"
_BEGIN = lazy_pattern(rf"-----BEGIN {_LABEL}-----")
_END = lazy_pattern(rf"-----END {_LABEL}-----")
_BASE64 = r"[A-Za-z0-9+/=]"
_KEY_MATERIAL = lazy_pattern(rf"{_BASE64}{{24,}}")  # a manual has an ellipsis here, code has words
_ARMOUR_HEADER = r"(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): ?[^\n\\]{0,200}"
_BETWEEN = r"\\[nrt]|[\"'+,;\r]|\n[ \t>|#*]*|[ \t]+(?=[\"'+,;\r\n\\]|-----|\Z)"  # line ends, real or written out
_BODY = lazy_pattern(rf"[ \t]*(?:{_ARMOUR_HEADER}|{_BASE64}|{_BETWEEN})*+")
_BASE64_LINES = lazy_pattern(rf"(?:^[ \t\"'+]*{_BASE64}{{4,}}[\"'+,;\\nr]*[ \t]*\n)+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class KeyShape:
    """A key of one provider: every match begins with one of ``starts``, so that a plain search finds the places.

    The pattern is only compiled where one was found: most texts hold none.
    """

    kind: str
    starts: tuple[str, ...]
    pattern: str


def _shape(kind: str, starts: str, rest: str) -> KeyShape:
    prefixes = tuple(starts.split())
    either = "|".join(re.escape(prefix) for prefix in prefixes)
    return KeyShape(kind, prefixes, f"{_EDGE}(?:{either}){rest}")


_DIGIT_NEAR = r"(?=[A-Za-z-]{0,99}\d)"  # bounded, as it is tried at every beginning of a key
SHAPES: tuple[KeyShape, ...] = (
    _shape("aws-access-key", "AKIA ASIA ABIA ACCA", rf"[A-Z0-9]{{16}}{_STOP}"),
    _shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"[A-Za-z0-9]{{36,255}}{_STOP}"),
    _shape("github-token", "github_pat_", r"[A-Za-z0-9_]{22,255}"),
    _shape("gitlab-token", "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt-", r"[A-Za-z0-9_.-]{20,300}"),
    _shape(
        "slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", r"(?=[A-Za-z-]{0,99}\d)[A-Za-z0-9-]{10,300}"
    ),
    _shape("slack-webhook", "hooks.slack.com/services/", r"T[A-Za-z0-9_]{6,}/B[A-Za-z0-9_]{6,}/[A-Za-z0-9_]{16,}"),
    _shape("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[A-Za-z0-9]{16,250}"),
    _shape("google-key", "AIza", rf"[A-Za-z0-9_-]{{35}}{_STOP}"),
    _shape("google-token", "GOCSPX- ya29.", r"[A-Za-z0-9_-]{20,500}"),
    _shape("anthropic-key", "sk-ant-", r"[A-Za-z0-9_-]{20,300}"),
    _shape("openai-key", "sk-proj- sk-svcacct- sk-admin-", r"[A-Za-z0-9_-]{20,300}"),
    _shape("openai-key", "sk-", rf"(?=[A-Za-z]{{0,199}}[0-9])[A-Za-z0-9]{{32,200}}{_STOP}"),
    _shape("npm-token", "npm_", rf"[A-Za-z0-9]{{36}}{_STOP}"),
    _shape("pypi-token", "pypi-AgE", r"[A-Za-z0-9_-]{40,500}"),
    _shape("jwt", "eyJ", r"[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}"),
    _shape("azure-key", "AccountKey= SharedAccessKey=", r"[A-Za-z0-9+/]{40,100}={0,2}"),
    _shape("azure-signature", "sig=", r"[A-Za-z0-9%]{43,90}%3[Dd]"),
    _shape("twilio-key", "SK", rf"[0-9a-f]{{32}}{_STOP}"),
    _shape("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}"),
    _shape("huggingface-token", "hf_", rf"[A-Za-z0-9]{{34,40}}{_STOP}"),
    _shape("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{64}"),
    _shape("docker-token", "dckr_pat_", r"[A-Za-z0-9_-]{20,100}"),
    _shape("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[a-fA-F0-9]{32}"),
    _shape("databricks-token", "dapi", rf"[a-f0-9]{{32}}{_STOP}"),
    _shape("vault-token", "hvs. hvb.", r"[A-Za-z0-9_-]{24,300}"),
    _shape("atlassian-token", "ATATT3", r"[A-Za-z0-9_=-]{50,300}"),
    _shape("mailgun-key", "key-", rf"[0-9a-f]{{32}}{_STOP}"),
    _shape("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
)
"""The order matters where two shapes begin alike: the first that matches names the kind."""


def find_provider_keys(text: str) -> Iterator[SecretSpan]:
    """Yield every key of a known shape, however it is used."""
    for shape in SHAPES:
        for start in shape.starts:
            yield from _at_each(text, start, shape)
    if ":AA" in text:
        yield from (SecretSpan(*match.span(), "telegram-token") for match in _TELEGRAM.finditer(text))
    if "Q~" in text:
        yield from (SecretSpan(*match.span(), "azure-key") for match in _AZURE_CLIENT.finditer(text))


def _at_each(text: str, start: str, shape: KeyShape) -> Iterator[SecretSpan]:
    at = text.find(start)
    while at >= 0:
        match = re.compile(shape.pattern).match(text, at)
        if match:
            yield SecretSpan(*match.span(), shape.kind)
        at = text.find(start, match.end() if match else at + len(start))


def find_credentials(text: str) -> Iterator[SecretSpan]:
    """Passwords of URLs and the credentials of ``Authorization`` headers."""
    yield from _in_urls(text)
    if "earer" in text or "BEARER" in text:
        for match in _BEARER.finditer(text):
            if _looks_random(match[2]):
                yield SecretSpan(*match.span(2), "bearer-token")
    if "uthorization" in text:
        for match in _BASIC.finditer(text):
            yield SecretSpan(*match.span(1), "basic-auth")


def _in_urls(text: str) -> Iterator[SecretSpan]:
    at = text.find("://")
    while at >= 0:
        match = _AFTER_SCHEME.match(text, at)
        if match and not is_template_value(match[2]) and not is_placeholder(match[2]) and match[2] != match[1]:
            yield SecretSpan(*match.span(2), "url-password")
        at = text.find("://", at + 3)


def _looks_random(value: str) -> bool:
    has_both = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return has_both and not is_phrase(value)


def find_private_keys(text: str) -> Iterator[SecretSpan]:
    """Find the bodies of private keys; the lines that begin and end a block stay, to show what was there."""
    if "PRIVATE KEY" not in text:
        return
    position = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < position:
            continue
        body = _body(text, begin.end())
        position = body.end
        if _KEY_MATERIAL.search(text, body.start, body.end):
            yield body
    yield from _headless(text)


def _body(text: str, start: int) -> SecretSpan:
    """From the end of a BEGIN line to its END, or to where the text stops looking like a key."""
    match = _BODY.match(text, start)
    end = match.end() if match else start
    if not text.startswith("-----END", end):
        end = max((run.end() for run in _KEY_MATERIAL.finditer(text, start, end)), default=start)
    while end > start and text[end - 1].isspace():
        end -= 1
    first = next((at for at in range(start, end) if not text[at].isspace()), start)
    return SecretSpan(first, end, _PRIVATE_KEY)


def _headless(text: str) -> Iterator[SecretSpan]:
    """Base64 lines that run up to an END whose BEGIN is outside of the text."""
    end = _END.search(text)
    if end is None:
        return
    begin = _BEGIN.search(text)
    if begin is not None and begin.start() < end.start():
        return
    start = text.rfind("\n", 0, end.start()) + 1
    for run in _BASE64_LINES.finditer(text, 0, start):
        if run.end() == start and _KEY_MATERIAL.search(text, run.start(), run.end()):
            yield SecretSpan(run.start(), run.end() - 1, _PRIVATE_KEY)
