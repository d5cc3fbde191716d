"""Other people's repositories: what an address means, and a clone of it in the cache.

Git fetches; nothing of what it fetches runs or is trusted: no hook, filter, submodule, configuration or question.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from ctxpack.errors import InternalError, UsageError
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.system.git import (
    VERBATIM,
    GitError,
    GitTimeoutError,
    find_git,
    is_no_name,
    plain_git,
    safe_environment,
)

_GITHUB: Final = "https://github.com/"
_AT: Final = r"(?:@(?P<revision>.*))?"
_SHORT: Final = lazy_pattern(rf"(?P<place>[A-Za-z0-9][A-Za-z0-9-]{{0,38}}/[\w.][\w.-]{{0,99}}){_AT}", re.ASCII)
_SCP: Final = lazy_pattern(rf"(?P<place>\w[\w.-]{{0,63}}@[A-Za-z0-9][\w.-]{{0,252}}:[\w~/][\w.~/+-]*){_AT}", re.ASCII)
_URL: Final = lazy_pattern(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+):/{1,3}(?P<rest>.*)", re.DOTALL)  # a Path loses slashes
_PLACE: Final = lazy_pattern(
    rf"(?P<place>(?:\w[\w.-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*(?::\d{{1,5}})?(?:/[\w.~%+-]+)+)/?{_AT}", re.ASCII
)
_REVISION: Final = lazy_pattern(r"[A-Za-z0-9_][\w./+-]{0,199}", re.ASCII)
_DIGITS: Final = lazy_pattern(r"[0-9a-f]{7,63}")
_COMMIT: Final = lazy_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_PAGE: Final = lazy_pattern(
    r"(?P<base>[^/]+(?:/[^/]+)+?)/(?:-/)?(?P<kind>tree|blob|commit|pull|merge_requests|issues)/(?P<rest>.+)"
)
_SYMBOLIC: Final = lazy_pattern(r"ref: refs/heads/(\S+)\tHEAD")
_REQUESTS: Final = {"pull": "refs/pull/{}/head", "merge_requests": "refs/merge-requests/{}/head"}

_DEPTH: Final = 3_000  # commits: as many as a ranking reads
_HEAD: Final = "refs/ctxpack/head"
_FETCH: Final = (
    "fetch", "-q", "--no-tags", "--no-recurse-submodules", "--force", f"--depth={_DEPTH}", "--filter=blob:none",
    "origin",
)  # fmt: skip
_MOST: Final = 20  # clones that are kept
_FRESH_SECONDS: Final = 600.0  # for which a clone is not fetched again
_PROTOCOLS: Final = "https:ssh:file"
_NETWORK: Final = (
    "-c", "protocol.version=2", "-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30", "-c", "gc.auto=0",
    "-c", "maintenance.auto=false", "-c", "fetch.recurseSubmodules=false", "-c", "submodule.recurse=false",
    "-c", "core.symlinks=false", "-c", "core.protectNTFS=true", "-c", "core.protectHFS=true",
    "-c", "core.sparseCheckout=false", "-c", "remote.origin.tagOpt=--no-tags", "-c", "transfer.bundleURI=false",
    "-c", "fetch.bundleURI=",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository elsewhere: its address, and what of it is meant.

    ``revision`` is a branch, a tag, a commit or a whole reference; without it, the default branch is meant. ``folder``
    and ``file`` are paths in it. ``is_change``: the revision is a proposed change to the default branch.
    """

    url: str
    revision: str = ""
    folder: str = ""
    file: str = ""
    is_change: bool = False

    @property
    def name(self) -> str:
        """The last word of the address, as the name of a folder."""
        last = self.url.rstrip("/").replace(":", "/").rpartition("/")[2].removesuffix(".git")
        return re.sub(r"[^\w.-]", "-", last, flags=re.ASCII).strip(".-")[:80] or "repository"

    @property
    def host(self) -> str:
        """The name of the machine that it is fetched from; empty for this one."""
        scheme, _, rest = self.url.rpartition("://")
        return "" if scheme == "file" else rest.partition("/")[0].rpartition("@")[2].partition(":")[0].lower()

    @property
    def digest(self) -> str:
        """The name of the folder of its clone."""
        return hashlib.sha256(f"{self.url}\0{self.revision}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone in the cache. ``note`` is a sentence where it could not be brought up to date."""

    tree: Path
    remote: Remote
    note: str = ""

    @property
    def root(self) -> Path:
        """The folder that is meant."""
        return self.tree / self.remote.folder

    @property
    def no_configuration(self) -> Path:
        """An empty file, to be read in place of the configuration that the repository brings."""
        return self.tree.parent / "ctxpack.toml"


def read_remote(written: str) -> Remote | None:
    """Return what an address means; None for what can only be a folder. Raises UsageError for one that is refused."""
    for form, beginning in ((_SCP, ""), (_SHORT, _GITHUB)):
        if (found := form.fullmatch(written)) and not found["place"].endswith("/.."):
            return _with_revision(Remote(beginning + found["place"]), found["revision"])
    url = _URL.match(written)
    if url is None:
        return None
    scheme, rest = url["scheme"].lower(), url["rest"].partition("#")[0].partition("?")[0]
    if scheme == "file":
        return _remote_of_folder("/" + url["rest"].lstrip("/"))
    if scheme not in {"https", "ssh"}:
        raise UsageError(
            f"Addresses with {scheme}:// are not supported.", hint="Use an address that begins with https:// or ssh://."
        )
    user = rest.partition("/")[0].rpartition("@")[0]
    if user and (scheme == "https" or ":" in user):
        raise UsageError(
            "An address with a name or a password is refused: it would appear in process lists and in reports.",
            hint="Leave it out, and let git know it; git help credentials says how.",
        )
    if scheme == "https" and (page := _remote_of_page(f"{scheme}://", rest.rstrip("/"))):
        return page
    found = _PLACE.fullmatch(rest)
    if found is None or ".." in found["place"].split("/"):
        raise UsageError(f"{quotable(rest)} is not the address of a repository.", hint="Copy it from its page.")
    return _with_revision(Remote(f"{scheme}://{found['place']}"), found["revision"])


def _remote_of_folder(path: str) -> Remote:
    """A repository of this machine. Raises UsageError."""
    place, at, revision = (path, "", "") if Path(path).is_dir() else path.rpartition("@")
    place, revision = (place, revision) if at else (path, "")
    if not place.isprintable():
        raise UsageError(f"{quotable(place)} is not the address of a repository.", hint="Name a folder.")
    return _with_revision(Remote(f"file://{place}"), revision)


def _with_revision(remote: Remote, revision: str | None) -> Remote:
    """The remote at a revision. Raises UsageError for an invalid name."""
    if revision is None:
        return remote
    if revision and (not _REVISION.fullmatch(revision) or ".." in revision or revision.endswith((".lock", "/", "."))):
        raise UsageError(
            f"{quotable(revision)} is not the name of a revision.", hint="Name a branch, a tag or a commit."
        )
    return replace(remote, revision=revision)


def _remote_of_page(scheme: str, rest: str) -> Remote | None:
    """What a link to a page of GitHub or GitLab means; None for the address of a repository. Raises UsageError."""
    page = _PAGE.fullmatch(rest)
    if page is None or not _PLACE.fullmatch(page["base"]):
        return None
    whole, kind = Remote(scheme + page["base"]), page["kind"]
    first, _, path = page["rest"].partition("/")
    if kind == "issues":  # its text is a request; the repository is that of the issue
        return whole
    if reference := _REQUESTS.get(kind):
        if not (first.isascii() and first.isdecimal()):
            raise UsageError(f"{quotable(rest)} names no change.", hint="Its number is missing.")
        return replace(whole, revision=reference.format(int(first)), is_change=True)
    place = unquote(path)
    if any(is_no_name(part) or "\\" in part for part in place.split("/") if place) or not place.isprintable():
        raise UsageError(f"{quotable(rest)} names no place in a repository.", hint="Take the address of its page.")
    whole = replace(whole, folder=place if kind == "tree" else "", file=place if kind == "blob" else "")
    return _with_revision(whole, first)


def quotable(text: str) -> str:
    """A text from outside for a message, on one line."""
    return text[:200] if text[:200].isprintable() else ascii(text[:200])


def fetch_clone(remote: Remote, caches: Path, seconds: float, on_fetch: Callable[[str], None]) -> Clone:
    """Return a clone that is at most some minutes old, fetched within ``seconds``; ``on_fetch`` hears when it begins.

    If a repository cannot be reached, an earlier clone is used, with a note. Raises InternalError.
    """
    home = caches / "clones" / remote.digest
    clone = Clone(home / remote.name, remote)
    stamp = home / "fetched"
    is_there = stamp.is_file() and (clone.tree / ".git").is_dir()
    if is_there and (_COMMIT.fullmatch(remote.revision) or time.time() - stamp.stat().st_mtime < _FRESH_SECONDS):
        return _existing(clone)
    on_fetch(remote.url)
    until = time.monotonic() + seconds
    try:
        if is_there:
            _update(clone.tree, remote, until)
            stamp.touch()
        else:
            _make(home, remote, until)
    except (GitError, OSError) as error:
        if not is_there:
            raise _refusal(remote, error, seconds) from error
        since = time.strftime("%Y-%m-%d %H:%M", time.localtime(stamp.stat().st_mtime))
        clone = replace(clone, note=f"{remote.url} cannot be fetched now ({error}); this is its state of {since}.")
    _drop_oldest(home.parent)
    return _existing(clone)


def _refusal(remote: Remote, error: Exception, seconds: float) -> InternalError:
    if isinstance(error, GitTimeoutError):
        return InternalError(
            f"{remote.url} was not fetched within {seconds:g} s.", hint="Give it longer: CTXPACK_REMOTE_TIMEOUT=1200."
        )
    hint = "Check the address and the network. What is private must be known to git, which asks for no password here."
    return InternalError(f"{remote.url} cannot be fetched: {quotable(str(error))}.", hint=hint)


def _existing(clone: Clone) -> Clone:
    """The clone, if the folder or file that is meant is in it. Raises InternalError."""
    meant = clone.remote.folder or clone.remote.file
    place = clone.tree / meant
    if not (place.is_file() if clone.remote.file else place.is_dir()) or not place.resolve().is_relative_to(
        clone.tree.resolve()
    ):
        raise InternalError(f"There is no {quotable(meant)} in {clone.remote.url}.", hint="Check the link.")
    return clone


def _make(home: Path, remote: Remote, until: float) -> None:
    """Make a clone next to its place, then move it there; a process that was faster wins."""
    new = home.with_name(f".{home.name}.{os.urandom(4).hex()}.tmp")
    tree = new / remote.name
    tree.mkdir(parents=True)
    try:
        _run(tree, "init", "-q", "--template=", until=until)
        for key, value in (("remote.origin.url", remote.url), ("core.symlinks", "false")):
            _run(tree, "config", key, value, until=until)
        _update(tree, remote, until)
        (new / "ctxpack.toml").touch()
        (new / "fetched").touch()
        if home.exists() and not (home / "fetched").is_file():
            shutil.rmtree(home, ignore_errors=True)  # a part of one
        new.replace(home)
    except OSError:
        if not (home / "fetched").is_file():
            raise
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _update(tree: Path, remote: Remote, until: float) -> None:
    """Fetch the revision, and write its files."""
    branch, wanted = _find_wanted(tree, remote, until)
    if wanted:
        change = ("+HEAD:refs/remotes/origin/HEAD",) if remote.is_change else ()
        _run(tree, *_FETCH, f"+{wanted}:{_HEAD}", *change, until=until)
    else:
        _run(tree, "update-ref", _HEAD, _find_commit(tree, remote.revision, until), until=until)
    if branch:
        _run(tree, "symbolic-ref", "HEAD", f"refs/heads/{branch}", until=until)
    else:
        commit = _run(tree, "rev-parse", "--verify", f"{_HEAD}^{{commit}}", until=until).strip()
        _run(tree, "update-ref", "--no-deref", "HEAD", commit, until=until)
    _run(tree, "reset", "-q", "--hard", _HEAD, "--", until=until)


def _find_wanted(tree: Path, remote: Remote, until: float) -> tuple[str, str]:
    """The branch that is meant, if it is one, and the reference or commit to fetch; none for a commit's first digits.

    Raises GitError.
    """
    if _COMMIT.fullmatch(remote.revision) or remote.is_change:
        return "", remote.revision
    if not remote.revision:
        answer = _run(tree, "ls-remote", "--symref", "origin", "HEAD", until=until)
        named = _SYMBOLIC.search(answer)
        return (named[1] if named and _REVISION.fullmatch(named[1]) else ""), "HEAD"
    names = [f"refs/heads/{remote.revision}", f"refs/tags/{remote.revision}"]
    answer = _run(tree, "ls-remote", "origin", *names, until=until)
    there = [name for name in names if f"\t{name}\n" in answer]
    if not there and _DIGITS.fullmatch(remote.revision):
        return "", ""
    if not there:
        raise GitError(f"it has no branch or tag {remote.revision}")
    return (remote.revision if there[0] == names[0] else ""), there[0]


def _find_commit(tree: Path, digits: str, until: float) -> str:
    """Return the commit that begins with some digits: a server finds none by them. Raises GitError."""
    for references in ("+HEAD:refs/ctxpack/default", "+refs/heads/*:refs/ctxpack/heads/*"):
        _run(tree, *_FETCH, references, until=until)
        with suppress(GitError):  # it is on no branch that was fetched so far
            name = f"{digits}^{{commit}}"
            return _run(tree, "rev-parse", "--verify", "--quiet", "--end-of-options", name, until=until).strip()
    raise GitError(f"it has no branch or tag {digits}, and no commit of its last {_DEPTH:,} begins so")


def fetch_change(tree: Path, revision: str, seconds: float) -> None:
    """Fetch the contents that a diff needs, as far as they are missing; what goes wrong shows when it is made."""
    if revision.startswith("-"):
        return
    options = ("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all")
    try:
        _run(tree, "diff", *options, *([revision] if revision else []), "--", until=time.monotonic() + seconds)
    except GitError:
        return  # the diff itself is made later, and its error says more


def _run(tree: Path, *arguments: str, until: float) -> str:
    """Run git with the network, without prompts, and without the filters that the user configures. Raises GitError."""
    git = find_git(str(tree))
    if git is None:
        raise GitError("git is not installed")
    online = replace(git, folder=str(tree), options=(*VERBATIM, *_NETWORK, *plain_git(git).options))
    seconds = max(until - time.monotonic(), 0.1)
    return online.run_online(*arguments, environment=_environment(), seconds=seconds)


def _environment() -> dict[str, str]:
    environment = safe_environment()
    environment.pop("GIT_NO_LAZY_FETCH", None)  # files are written with contents that are fetched then
    environment.update(GIT_ALLOW_PROTOCOL=_PROTOCOLS, GIT_ASKPASS="", SSH_ASKPASS="", GCM_INTERACTIVE="never")
    environment.setdefault("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
    return environment


def _drop_oldest(folder: Path) -> None:
    """Keep the clones that were fetched last; delete others, and leftovers of killed processes."""
    stamps = sorted(folder.glob("*/fetched"), key=lambda each: each.stat().st_mtime, reverse=True)
    old = [stamp.parent for stamp in stamps[_MOST:]]
    left = [each for each in folder.glob(".*.tmp") if time.time() - each.stat().st_mtime > _FRESH_SECONDS]
    for each in (*old, *left):
        shutil.rmtree(each, ignore_errors=True)
