"""Keys and tokens that tell by their shape who issued them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ctxpack.redact.spans import Span

_EDGE = r"(?<![A-Za-z0-9])"
_STOP = r"(?![A-Za-z0-9])"


@dataclass(frozen=True, slots=True)
class Shape:
    """A key of one provider: every match begins with one of ``starts``, so that a plain search finds the places.

    The pattern is only compiled where one was found: most texts hold none.
    """

    kind: str
    starts: tuple[str, ...]
    pattern: str


def _shape(kind: str, starts: str, rest: str) -> Shape:
    prefixes = tuple(starts.split())
    either = "|".join(re.escape(prefix) for prefix in prefixes)
    return Shape(kind, prefixes, f"{_EDGE}(?:{either}){rest}")


SHAPES: tuple[Shape, ...] = (
    _shape("aws-access-key", "AKIA ASIA ABIA ACCA", rf"[A-Z0-9]{{16}}{_STOP}"),
    _shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"[A-Za-z0-9]{{36,255}}{_STOP}"),
    _shape("github-token", "github_pat_", r"[A-Za-z0-9_]{22,255}"),
    _shape("gitlab-token", "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt-", r"[A-Za-z0-9_.-]{20,300}"),
    _shape("slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", r"(?=[A-Za-z-]*\d)[A-Za-z0-9-]{10,300}"),
    _shape("slack-webhook", "hooks.slack.com/services/", r"T[A-Za-z0-9_]{6,}/B[A-Za-z0-9_]{6,}/[A-Za-z0-9_]{16,}"),
    _shape("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[A-Za-z0-9]{16,250}"),
    _shape("google-key", "AIza", rf"[A-Za-z0-9_-]{{35}}{_STOP}"),
    _shape("google-token", "GOCSPX- ya29.", r"[A-Za-z0-9_-]{20,500}"),
    _shape("anthropic-key", "sk-ant-", r"[A-Za-z0-9_-]{20,300}"),
    _shape("openai-key", "sk-proj- sk-svcacct- sk-admin-", r"[A-Za-z0-9_-]{20,300}"),
    _shape("openai-key", "sk-", rf"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{{32,200}}{_STOP}"),
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

_TELEGRAM = re.compile(r"(?<![\w:])\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![\w-])")
_AZURE_CLIENT = re.compile(r"(?<![\w~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![\w~-])")


def find_provider_keys(text: str) -> Iterator[Span]:
    """Every key of a known shape, however it is used."""
    for shape in SHAPES:
        for start in shape.starts:
            yield from _at_each(text, start, shape)
    if ":AA" in text:
        yield from (Span(*match.span(), "telegram-token") for match in _TELEGRAM.finditer(text))
    if "Q~" in text:
        yield from (Span(*match.span(), "azure-key") for match in _AZURE_CLIENT.finditer(text))


def _at_each(text: str, start: str, shape: Shape) -> Iterator[Span]:
    at = text.find(start)
    while at >= 0:
        match = re.compile(shape.pattern).match(text, at)
        if match:
            yield Span(*match.span(), shape.kind)
        at = text.find(start, match.end() if match else at + len(start))
