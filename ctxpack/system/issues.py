"""The text of an issue or a proposed change on GitHub or GitLab, asked for with the user's token.

A token goes to the server that it is for and to no other. What comes back is a stranger's text.
"""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import quote, urlsplit

from ctxpack.errors import InternalError
from ctxpack.light import dataclass, lazy_pattern

_LINK: Final = lazy_pattern(
    r"https:/{1,2}(?P<host>[\w.-]{1,200}(?::\d{1,5})?)/(?P<place>[\w.-]{1,100}(?:/[\w.-]{1,100}){1,8}?)/(?P<dash>-/)?"
    r"(?P<kind>issues|pull|merge_requests)/(?P<number>\d{1,9})(?:[/?#]\S{0,500})?"
)
_COMMENT: Final = lazy_pattern(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MOST_BYTES: Final = 4_000_000
_MOST_CHARACTERS: Final = 60_000  # of a text: as a request nobody reads more
_FORBIDDEN, _MISSING, _LIMITED = (401, 403), (404, 410), 429
_GITHUB, _GITLAB = "github.com", "gitlab.com"
_HERE: Final = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue or a proposed change: the host of its page, its repository there, what it is and its number."""

    host: str
    place: str
    kind: str
    number: int
    is_of_gitlab: bool = False

    @property
    def page(self) -> str:
        """The address of its page."""
        return f"{self.repository}{'/-' if self.is_of_gitlab else ''}/{self.kind}/{self.number}"

    @property
    def repository(self) -> str:
        """The address of its repository."""
        return f"https://{self.host}/{self.place}"


def read_link(written: str) -> Issue | None:
    """Return the issue or proposed change that a text links to, if that is all it is."""
    found = _LINK.fullmatch(written.strip())
    if found is None or any(part in {".", ".."} for part in found["place"].split("/")):
        return None
    host, kind = found["host"].lower(), found["kind"]
    is_of_gitlab = bool(found["dash"]) or kind == "merge_requests" or host.startswith("gitlab.")
    return Issue(host, found["place"], kind, int(found["number"]), is_of_gitlab)


def fetch_text(issue: Issue, env: Mapping[str, str], seconds: float) -> str:
    """Return title and text of an issue. Raises InternalError: without a token nothing is asked."""
    address, headers = _question(issue, env)
    request = urllib.request.Request(address, headers={"User-Agent": "ctxpack", **headers})  # noqa: S310 - https alone
    try:
        with urllib.request.build_opener(_StayThere).open(request, timeout=seconds) as answer:
            data = answer.read(_MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        with error:
            raise _refusal(issue, error.code) from error
    except (OSError, HTTPException, ValueError) as error:
        said = f"The text of {issue.page} cannot be fetched: {str(getattr(error, 'reason', None) or error)[:200]}."
        raise InternalError(said, hint=_by_hand(issue)) from error
    try:
        found = json.loads(data)
        return _text(found["title"], found["description" if issue.is_of_gitlab else "body"] or "")
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise InternalError(f"The answer about {issue.page} cannot be read.", hint=_by_hand(issue)) from error


def _text(title: object, body: object) -> str:
    """Title and text, without the comments that only a template shows to its author. Raises TypeError."""
    if not (isinstance(title, str) and isinstance(body, str)):
        raise TypeError
    plain = _COMMENT.sub("", body.replace("\r\n", "\n"))
    return f"{' '.join(title.split())}\n\n{plain.strip()}".strip()[:_MOST_CHARACTERS]


def _question(issue: Issue, env: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The address that answers, and what it is asked with. Raises InternalError where no token is for it."""
    for address, name, token in _servers(issue, env):
        if not token:
            continue
        parts = urlsplit(address)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _HERE):
            raise InternalError(
                f"{address} is not used: the token would be sent unencrypted.", hint="Correct the variable."
            )
        if issue.is_of_gitlab:
            place = f"projects/{quote(issue.place, safe='')}/{issue.kind}/{issue.number}"
            return f"{address.rstrip('/')}/{place}", {name: token}
        kind = "pulls" if issue.kind == "pull" else "issues"
        its = {name: f"Bearer {token}", "Accept": "application/vnd.github+json"}
        return f"{address.rstrip('/')}/repos/{issue.place}/{kind}/{issue.number}", its
    variables = f"GITLAB_TOKEN and GITLAB_HOST={issue.host}" if issue.is_of_gitlab else "GITHUB_TOKEN or GH_TOKEN"
    if not issue.is_of_gitlab and issue.host != _GITHUB:
        variables = f"GH_ENTERPRISE_TOKEN and GH_HOST={issue.host}"
    hint = f"Set {variables}. {_by_hand(issue)}"
    raise InternalError(f"The text of {issue.page} is not fetched without a token.", hint=hint)


def _servers(issue: Issue, env: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """The address, header and token of what may be asked, by the variables that the tools of both servers have."""
    host = issue.host
    if issue.is_of_gitlab:
        own = (env.get("GITLAB_HOST") or _GITLAB).removeprefix("https://").rstrip("/").lower()
        address = env.get("CI_API_V4_URL", "") if env.get("CI_SERVER_HOST") == host else ""
        yield address or f"https://{host}/api/v4", "PRIVATE-TOKEN", env.get("GITLAB_TOKEN", "") if host == own else ""
    elif host == _GITHUB:
        token = env.get("GITHUB_TOKEN") or env.get("GH_TOKEN", "")
        yield env.get("GITHUB_API_URL") or "https://api.github.com", "Authorization", token
    elif host == env.get("GH_HOST", "").lower():
        yield f"https://{host}/api/v3", "Authorization", env.get("GH_ENTERPRISE_TOKEN", "")


def _refusal(issue: Issue, status: int) -> InternalError:
    if status in _FORBIDDEN:
        return InternalError(f"The token may not read {issue.page}.", hint="Check what it is for. " + _by_hand(issue))
    if status in _MISSING:
        return InternalError(f"There is no {issue.page}, or the token may not read it.", hint="Check the link.")
    said = "received too many requests" if status == _LIMITED else f"answered with status {status}"
    return InternalError(f"{issue.host} {said}.", hint="Try again later. " + _by_hand(issue))


def _by_hand(issue: Issue) -> str:
    return f"Pass the text yourself: ctxpack task - --root {issue.repository} < issue.md"


class _StayThere(urllib.request.HTTPRedirectHandler):
    """Follows a repository that was renamed, but takes a token nowhere else."""

    def redirect_request(self, req: urllib.request.Request, *rest: Any) -> urllib.request.Request | None:  # noqa: ANN401
        """Return the request for the new address; None for one of another server."""
        before, after = urlsplit(req.full_url), urlsplit(str(rest[-1]))
        is_same = (before.scheme, before.netloc) == (after.scheme, after.netloc)
        return super().redirect_request(req, *rest) if is_same else None
