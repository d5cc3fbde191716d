"""Secrets that are known by their own shape: keys of providers, private keys, the credentials of URLs and headers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.redact.values import is_filler, is_phrase, is_placeholder, is_template_value

REDACTION_MARK = lazy_pattern(r"\[REDACTED:[a-z0-9-]+\]")


class SecretSpan(NamedTuple):
    """The characters ``start..end`` (end excluded) of a text are a secret."""

    start: int
    end: int
    kind: str


Detector = Callable[[str], Iterator[SecretSpan]]
"""Finds one family of secrets in time linear in the text."""


_EDGE = r"(?<![A-Za-z0-9])"
_STOP = r"(?![A-Za-z0-9])"
_IN_THE_MIDDLE = (  # keys that are told by what is inside of them, and the most characters before that
    (":AA", 10, "telegram-token", lazy_pattern(r"(?<![\w:])\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![\w-])")),
    ("Q~", 4, "azure-key", lazy_pattern(r"(?<![\w~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![\w~-])")),
    (
        ".atlasv1.",
        14,
        "terraform-token",
        lazy_pattern(r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}"),
    ),
)
_LONGEST_BEGINNING = 40
_MAILCHIMP = lazy_pattern(r"-us\d{1,2}(?!\w)")
_LONG_HEX = lazy_pattern(r"(?<![0-9A-Za-z])[0-9a-f]{32}\Z")
_LAST_OF_DISCORD = lazy_pattern(r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![\w-])")
_FIRST_OF_DISCORD = lazy_pattern(r"(?<![\w.-])[MNO][A-Za-z0-9_-]{23,25}\Z")
# The lengths are bounded so that a long line costs linear time.
_AFTER_SCHEME = lazy_pattern(r"://([^\s/:@\"'`<>?#]{0,100}):([^\s/@\"'`<>?#\\]{1,200})@(?=[\w\[$<{%-])")
_ALONE = lazy_pattern(r"://([A-Za-z0-9_-]{20,100})@(?=\w)")  # a token in the place of the user
_DSN = lazy_pattern(r":([^\s:@/\"'`<>]{1,100})@(?=(?:tcp|unix)\()")  # as Go's driver for MySQL writes it
_BEARER = lazy_pattern(r"(?:[Bb]earer|BEARER)[ \t]{1,3}([A-Za-z0-9._~+/=-]{16,4000})")
_AUTHORIZATION = lazy_pattern(
    r"[Aa]uthorization[\"']?\s{0,3}[:=,]\s{0,3}[\"'`]?(?:(?P<basic>[Bb]asic)|[Tt]oken|SSWS|[Aa]pi[Kk]ey)[ \t]{1,3}"
    r"(?:token=[\"']?)?(?P<value>[A-Za-z0-9._~+/-]{8,2000}={0,2})"
)
_PRIVATE_KEY = "private-key"
_LABEL = r"(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?"
_BEGIN = lazy_pattern(rf"-----BEGIN {_LABEL}-----")
_END = lazy_pattern(rf"-----END {_LABEL}-----")
_BASE64 = r"[A-Za-z0-9+/=]"
_KEY_MATERIAL = lazy_pattern(rf"{_BASE64}{{24,}}")  # a manual has an ellipsis here, code has words
_ARMOUR_HEADER = r"(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): ?[^\n\\]{0,200}"
_BETWEEN = r"\\[nrt]|[\"'+,;\r]|\n[ \t>|#*]*|[ \t]+(?=[\"'+,;\r\n\\]|-----|\Z)"  # line ends, real or written out
_BODY = lazy_pattern(rf"[ \t]*(?>(?:{_ARMOUR_HEADER}|{_BASE64}|{_BETWEEN})*)")
_PUTTY = lazy_pattern(
    rf"^Private-Lines: \d{{1,3}}\r?\n((?:{_BASE64}{{16,80}}\r?\n){{0,98}}{_BASE64}{{4,80}})", re.MULTILINE
)
_BASE64_LINES = lazy_pattern(rf"(?:^[ \t\"'+]*{_BASE64}{{4,}}[\"'+,;\\nr]*[ \t]*\n)+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class KeyShape:
    """A key of one provider: every match begins with one of ``starts``, so that one search finds the places of all.

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
    _shape("gitlab-token", "glffct- glagent- gloas- glwt- GR1348941", r"[A-Za-z0-9_-]{20,100}"),
    _shape(
        "slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", r"(?=[A-Za-z-]{0,99}\d)[A-Za-z0-9-]{10,300}"
    ),
    _shape("slack-webhook", "hooks.slack.com/services/", r"T[A-Za-z0-9_]{6,}/B[A-Za-z0-9_]{6,}/[A-Za-z0-9_]{16,}"),
    _shape("slack-webhook", "hooks.slack.com/workflows/ hooks.slack.com/triggers/", r"[A-Za-z0-9+/]{40,120}"),
    _shape("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_", r"[A-Za-z0-9]{16,250}"),
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
    _shape("docker-token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{20,100}"),
    _shape("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[a-fA-F0-9]{32}"),
    _shape("databricks-token", "dapi", rf"[a-f0-9]{{32}}{_STOP}"),
    _shape("vault-token", "hvs. hvb.", r"[A-Za-z0-9_-]{24,300}"),
    _shape("atlassian-token", "ATATT3 ATCTT3", r"[A-Za-z0-9_=-]{50,300}"),
    _shape("mailgun-key", "key-", rf"[0-9a-f]{{32}}{_STOP}"),
    _shape("age-key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", r"[A-Z0-9]{58}"),
    _shape("nats-seed", "SU SA SO SN SC SX", rf"[A-Z2-7]{{56}}{_STOP}"),
    _shape("groq-key", "gsk_", rf"[A-Za-z0-9]{{40,60}}{_STOP}"),
    _shape("replicate-token", "r8_", rf"[A-Za-z0-9]{{37}}{_STOP}"),
    _shape("openrouter-key", "sk-or-v1-", r"[0-9a-f]{64}"),
    _shape("perplexity-key", "pplx-", rf"[A-Za-z0-9]{{40,60}}{_STOP}"),
    _shape("xai-key", "xai-", rf"[A-Za-z0-9]{{70,90}}{_STOP}"),
    _shape("linear-key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,64}"),
    _shape("notion-token", "ntn_ secret_", rf"{_DIGIT_NEAR}[A-Za-z0-9]{{43,50}}{_STOP}"),
    _shape("figma-token", "figd_", r"[A-Za-z0-9_-]{36,60}"),
    _shape("new-relic-key", "NRAK- NRJS- NRAA- NRII- NRIQ-", r"[A-Za-z0-9_-]{19,40}"),
    _shape("square-token", "sq0atp- sq0csp- sq0idp-", r"[A-Za-z0-9_-]{22,60}"),
    _shape("brevo-key", "xkeysib- xsmtpsib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    _shape("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    _shape("grafana-token", "glsa_", r"[A-Za-z0-9]{32}_[0-9a-f]{8}"),
    _shape("grafana-token", "glc_", r"[A-Za-z0-9+/]{32,400}={0,2}"),
    _shape("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_]{40,400}"),
    _shape(
        "doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"(?:[a-z0-9_-]{1,30}\.)?[A-Za-z0-9]{40,44}"
    ),
    _shape("fly-token", "FlyV1", r" fm[12][ra]?_[A-Za-z0-9+/=,_-]{40,2000}"),
    _shape("fly-token", "fm1a_ fm1r_ fm2_", r"[A-Za-z0-9+/=]{100,2000}"),
    _shape("fly-token", "fo1_", rf"[A-Za-z0-9_-]{{43}}{_STOP}"),
    _shape("supabase-key", "sbp_ sb_secret_", r"[A-Za-z0-9_]{30,60}"),
    _shape("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{32,64}"),
    _shape("pulumi-token", "pul-", rf"[0-9a-f]{{40}}{_STOP}"),
    _shape("netlify-token", "nfp_ nfc_ nfo_ nfu_", rf"[A-Za-z0-9]{{36,40}}{_STOP}"),
    _shape("contentful-token", "CFPAT-", r"[A-Za-z0-9_-]{43}"),
    _shape("hubspot-token", "pat-na1- pat-na2- pat-eu1-", r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    _shape("dynatrace-token", "dt0c01. dt0s01. dt0s16.", r"[A-Z0-9]{8,24}\.[A-Z0-9]{64}"),
    _shape("mapbox-token", "sk.eyJ", r"[A-Za-z0-9_-]{20,200}\.[A-Za-z0-9_-]{22}"),
    _shape("airtable-token", "pat", rf"[A-Za-z0-9]{{14}}\.[0-9a-f]{{64}}{_STOP}"),
    _shape("sonar-token", "sqp_ squ_ sqa_", rf"[0-9a-f]{{40}}{_STOP}"),
    _shape("bitbucket-token", "ATBB", rf"[A-Za-z0-9]{{32}}{_STOP}"),
    _shape("rubygems-key", "rubygems_", rf"[0-9a-f]{{48}}{_STOP}"),
    _shape("prefect-key", "pnu_ pnb_", rf"[A-Za-z0-9]{{36}}{_STOP}"),
    _shape("typeform-token", "tfp_", r"[A-Za-z0-9_.=-]{40,60}"),
    _shape("easypost-key", "EZAK EZTK", rf"[A-Za-z0-9]{{54}}{_STOP}"),
    _shape("tailscale-key", "tskey-", r"[a-z]{3,12}-[A-Za-z0-9]{8,20}(?:CNTRL)?-[A-Za-z0-9]{20,40}"),
    _shape("google-token", "1//0", r"[A-Za-z0-9_-]{40,200}"),
    _shape("readme-key", "rdme_", rf"[a-z0-9]{{70}}{_STOP}"),
    _shape("artifactory-key", "AKCp", rf"[A-Za-z0-9]{{60,72}}{_STOP}"),
    _shape("alibaba-key", "LTAI", rf"{_DIGIT_NEAR}[A-Za-z0-9]{{16,20}}{_STOP}"),
    _shape("yandex-token", "AQVN y0_ t1.", rf"{_DIGIT_NEAR}[A-Za-z0-9_-]{{38,250}}(?:\.[A-Za-z0-9_-]{{40,100}})?"),
    _shape("vk-token", "vk1.a.", r"[A-Za-z0-9_-]{80,400}"),
    _shape("onepassword-token", "ops_eyJ", r"[A-Za-z0-9+/]{200,1000}={0,2}"),
    _shape("aws-bedrock-key", "ABSK", rf"[A-Za-z0-9+/]{{109,269}}={{0,2}}{_STOP}"),
    _shape("aws-bedrock-key", "bedrock-api-key-", r"YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=]{20,4000}"),
    _shape("artifactory-key", "cmVmd", rf"[A-Za-z0-9]{{59}}{_STOP}"),
    _shape("adobe-key", "p8e-", rf"[A-Za-z0-9]{{32}}{_STOP}"),
    _shape(
        "authress-key",
        "sc_ ext_ scauth_ authress_",
        r"[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}",
    ),
    _shape("buildkite-token", "bkua_", rf"[a-z0-9]{{40}}{_STOP}"),
    _shape("cargo-token", "cio", rf"{_DIGIT_NEAR}[A-Za-z0-9]{{32}}{_STOP}"),
    _shape("circleci-token", "CCIPAT_ CCIPRJ_", rf"[A-Za-z0-9]{{22}}_[0-9a-f]{{40}}{_STOP}"),
    _shape("clickhouse-key", "4b1d", rf"[A-Za-z0-9]{{38}}{_STOP}"),
    _shape("clojars-token", "CLOJARS_", rf"[A-Za-z0-9]{{60}}{_STOP}"),
    _shape("cloudflare-key", "v1.0-", rf"[0-9a-f]{{24}}-[0-9a-f]{{146}}{_STOP}"),
    _shape("dropbox-token", "sl. sl.u.", r"[A-Za-z0-9_-]{120,2000}"),
    _shape("duffel-token", "duffel_live_ duffel_test_", r"[A-Za-z0-9_=-]{43}"),
    _shape("facebook-token", "EAAC EAAM", rf"[A-Za-z0-9]{{100,400}}{_STOP}"),
    _shape("flutterwave-key", "FLWSECK_TEST- FLWSECK-", r"[0-9a-zA-Z]{32}(?:-[0-9a-z]{10,20})?-X"),
    _shape("frameio-token", "fio-u-", r"[A-Za-z0-9_=-]{64}"),
    _shape("grafana-token", "eyJrIjoi", r"[A-Za-z0-9+/]{70,400}={0,3}"),
    _shape("harness-key", "pat. sat.", rf"[A-Za-z0-9_-]{{22}}\.[A-Za-z0-9]{{24}}\.[A-Za-z0-9]{{20}}{_STOP}"),
    _shape("heroku-key", "HRKU-", r"[A-Za-z0-9_-]{36,60}"),
    _shape("huggingface-token", "api_org_", rf"[A-Za-z]{{34}}{_STOP}"),
    _shape("infracost-key", "ico-", rf"{_DIGIT_NEAR}[A-Za-z0-9]{{32}}{_STOP}"),
    _shape("langsmith-key", "lsv2_pt_ lsv2_sk_", r"[0-9a-f]{32}_[0-9a-f]{10}"),
    _shape("neon-key", "napi_", rf"{_DIGIT_NEAR}[a-z0-9]{{60,70}}{_STOP}"),
    _shape("nuget-key", "oy2", rf"[a-z0-9]{{43}}{_STOP}"),
    _shape("octopus-key", "API-", rf"{_DIGIT_NEAR}[A-Z0-9]{{25,32}}{_STOP}"),
    _shape("onepassword-key", "A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    _shape("openshift-token", "sha256~", r"[A-Za-z0-9_-]{43}"),
    _shape("pinecone-key", "pcsk_", rf"[A-Za-z0-9]{{5,6}}_[A-Za-z0-9]{{50,70}}{_STOP}"),
    _shape(
        "plaid-token",
        "access-sandbox- access-development- access-production-",
        r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
    _shape("posthog-key", "phx_ phs_", rf"{_DIGIT_NEAR}[A-Za-z0-9]{{40,60}}{_STOP}"),
    _shape("scalingo-token", "tk-us-", r"[A-Za-z0-9_-]{48}"),
    _shape("shippo-token", "shippo_live_ shippo_test_", rf"[0-9a-fA-F]{{40}}{_STOP}"),
    _shape("sourcegraph-token", "sgp_", rf"(?:(?:[0-9a-fA-F]{{16}}|local)_)?[0-9a-fA-F]{{40}}{_STOP}"),
    _shape("square-token", "EAAA", r"[A-Za-z0-9_-]{60}"),
    _shape("wakatime-key", "waka_", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    _shape("aiven-password", "AVNS_", r"[A-Za-z0-9_-]{16,30}"),
    _shape(
        "discord-webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", r"\d{17,20}/[A-Za-z0-9_-]{60,80}"
    ),
    _shape(
        "teams-webhook",
        "webhook.office.com/webhookb2/",
        r"[0-9a-fA-F-]{36}@[0-9a-fA-F-]{36}/IncomingWebhook/[0-9a-f]{32}",
    ),
    _shape(
        "base64-private-key",
        "LS0tLS1CRUdJTi",
        r"(?:BQUklWQVRF|BSU0EgUFJJVkFUR|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVE|BEU0EgUFJJVkFUR|BFTkNSWVBURUQgUFJJVkFUR)[A-Za-z0-9+/=]{40,20000}",
    ),
)
"""The order matters where two shapes begin alike: the first that matches names the kind."""


_LEAST_OF_BEGINNING = 2  # characters
_MOST_OF_TREE = 3  # characters of a beginning that one pattern looks for: more take longer to compile than they save


def _by_beginning() -> Mapping[str, Sequence[tuple[str, KeyShape]]]:
    """The beginnings of keys with their shapes, by their first characters."""
    shapes: dict[str, list[tuple[str, KeyShape]]] = {}
    for shape in SHAPES:
        for start in shape.starts:
            shapes.setdefault(start[:_LEAST_OF_BEGINNING], []).append((start, shape))
    return shapes


def _any_of(beginnings: Iterable[str]) -> str:
    """A pattern of any of some texts that looks at each character once: texts that begin alike share a branch."""
    branches: dict[str, set[str]] = {}
    for each in beginnings:
        branches.setdefault(each[:1], set()).add(each[1:])
    if "" in branches:
        return ""
    either = [re.escape(first) + _any_of(rest) for first, rest in sorted(branches.items())]
    return f"(?:{'|'.join(either)})" if len(either) > 1 else either[0]


_BY_BEGINNING = _by_beginning()
_BEFORE_KEY = lazy_pattern(
    f"[^A-Za-z0-9](?={_any_of(start[:_MOST_OF_TREE] for shape in SHAPES for start in shape.starts)})"
)


def find_provider_keys(text: str) -> Iterator[SecretSpan]:
    """Yield every key of a known shape, however it is used."""
    done: dict[str, int] = {}  # where the last key with a beginning ends
    for at in (0, *(match.end() for match in _BEFORE_KEY.finditer(text))):
        for start, shape in _BY_BEGINNING.get(text[at : at + _LEAST_OF_BEGINNING], ()):
            if not text.startswith(start, at) or at < done.get(start, 0):
                continue
            match = re.compile(shape.pattern).match(text, at)
            if match:
                done[start] = match.end()
                if not is_filler(match[0]):
                    yield SecretSpan(*match.span(), shape.kind)
    for sign, before, kind, pattern in _IN_THE_MIDDLE:
        yield from (SecretSpan(*match.span(), kind) for match in _around(text, sign, before, pattern))
    yield from _ending(text, _MAILCHIMP, _LONG_HEX, "mailchimp-key")
    yield from _ending(text, _LAST_OF_DISCORD, _FIRST_OF_DISCORD, "discord-token")


def _around(text: str, sign: str, before: int, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Find what ``finditer`` does, of a pattern that has a sign behind at most ``before`` characters."""
    at, done = text.find(sign), 0
    while at >= 0:
        places = range(max(at - before, done), at)
        match = next((match for place in places if (match := pattern.match(text, place))), None)
        if match:
            yield match
            done = match.end()
        at = text.find(sign, at + 1)


def _ending(text: str, last: re.Pattern[str], first: re.Pattern[str], kind: str) -> Iterator[SecretSpan]:
    """Yield keys whose end is told more easily than their beginning."""
    for match in last.finditer(text):
        begin = first.search(text, max(match.start() - _LONGEST_BEGINNING, 0), match.start())
        if begin:
            yield SecretSpan(begin.start(), match.end(), kind)


def find_credentials(text: str) -> Iterator[SecretSpan]:
    """Passwords of URLs and the credentials of ``Authorization`` headers."""
    yield from _in_urls(text)
    for start in ("earer", "EARER"):
        for match in _at_places(text, start, _BEARER):
            if _looks_random(match[1]):
                yield SecretSpan(*match.span(1), "bearer-token")
    for match in _at_places(text, "uthorization", _AUTHORIZATION):
        if match["basic"] or _looks_random(match["value"]):
            yield SecretSpan(*match.span("value"), "basic-auth" if match["basic"] else "bearer-token")


def _at_places(text: str, start: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Find the matches of a pattern that begin a letter before a text, at the beginning of a word."""
    at = text.find(start)
    while at >= 0:
        match = pattern.match(text, max(at - 1, 0))
        if match and not text[max(at - 2, 0) : max(at - 1, 0)].isalnum():
            yield match
        at = text.find(start, at + len(start))


def _in_urls(text: str) -> Iterator[SecretSpan]:
    at = text.find("://")
    while at >= 0:
        match = _AFTER_SCHEME.match(text, at)
        if match and not is_template_value(match[2]) and not _is_word_for_password(match[2]) and match[2] != match[1]:
            yield SecretSpan(*match.span(2), "url-password")
        alone = _ALONE.match(text, at) if text[max(at - 5, 0) : at].endswith(("http", "https", "git", "ssh")) else None
        if alone and _looks_random(alone[1]):
            yield SecretSpan(*alone.span(1), "url-password")
        at = text.find("://", at + 3)
    if "@tcp(" in text or "@unix(" in text:
        for found in _DSN.finditer(text):
            if not is_template_value(found[1]) and not _is_word_for_password(found[1]):
                yield SecretSpan(*found.span(1), "url-password")


def _is_word_for_password(value: str) -> bool:
    """Whether a password is only a word for one, also as manuals write a part that may be left out: ``[password]``."""
    return is_placeholder(value.strip("[]"))


def _looks_random(value: str) -> bool:
    has_both = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return has_both and not is_phrase(value)


def find_private_keys(text: str) -> Iterator[SecretSpan]:
    """Find the bodies of private keys; the lines that begin and end a block stay, to show what was there."""
    if "Private-Lines: " in text:
        for found in _PUTTY.finditer(text):
            yield SecretSpan(*found.span(1), _PRIVATE_KEY)
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
