"""``--root`` with the address of a repository instead of a folder: a clone in the cache takes its place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ctxpack.cli.options import Flags
from ctxpack.cli.output import tell
from ctxpack.errors import InternalError, UsageError
from ctxpack.light import lazy_pattern, replace
from ctxpack.settings import Settings
from ctxpack.settings.loading import load, load_bare
from ctxpack.settings.policies import check_host
from ctxpack.settings.roots import check_one_root
from ctxpack.system.clones import Clone, Remote, fetch_change, fetch_clone, read_remote

if TYPE_CHECKING:
    from ctxpack.system.issues import Issue

_WHOLE_CHANGE: Final = "origin/HEAD...HEAD"
_CHANGE: Final = lazy_pattern(r"/(?:pull|merge-requests)/\d+$")


def fetched_settings(written: str, given: Mapping[str, object], flags: Flags) -> Settings:
    """Return the settings of a run on a clone of what ``written`` names; its own configuration is not read.

    Raises UsageError if it is neither a folder nor an address, InternalError if it cannot be fetched.
    """
    remote = read_remote(written)
    if remote is None:
        return load(written, given, os.environ, flags.config, flags.profile)  # which says that there is no such folder
    here = load_bare(given, os.environ, flags.config)  # no repository has a say in where it is kept
    if remote.host:
        check_host(remote.host, here)
    clone = _clone_of(remote, written, here, flags)
    if clone.note and not flags.quiet:
        tell(f"Note: {clone.note}")
    settings = load(clone.root, given, os.environ, flags.config or clone.no_configuration, flags.profile)
    settings = replace(settings, address=_address_of(remote))
    if not remote.file:
        return settings
    reason = ", ".join(filter(None, (settings.origins.get("require"), "the link")))
    origins = {**settings.origins, "require": reason}
    return replace(settings, require=(*settings.require, remote.file), origins=origins)


def fetched_revision(revision: str, settings: Settings) -> str:
    """Return the revision that a diff of a clone is about, and fetch what it needs.

    Raises UsageError where none is named and the clone is of no proposed change.
    """
    if not revision:
        if not _CHANGE.search(settings.address):
            hint = "Name revisions, such as HEAD~3..HEAD, or take the address of a pull request."
            raise UsageError("A clone has no uncommitted changes.", hint=hint)
        revision = _WHOLE_CHANGE
    fetch_change(settings.root, revision, settings.remote_timeout)
    return revision


def check_is_ours(settings: Settings) -> None:
    """Check that files may be written: not into a clone in the cache, nor into several roots. Raises UsageError."""
    check_one_root(settings, "This command writes into")
    if settings.address:
        hint = f"Clone it to a folder of yours first: git clone {settings.address}"
        raise UsageError(f"{settings.address} is read only: nothing is written into it.", hint=hint)


def fetched_text(issue: Issue, flags: Flags) -> str:
    """Return the text of an issue or a proposed change as the request, and warn that it is untrusted.

    Raises UsageError where a policy forbids its host, InternalError for what cannot be fetched.
    """
    from ctxpack.redact.harmless import find_injections
    from ctxpack.system.issues import fetch_text

    here = load_bare(flags.values, os.environ, flags.config)
    check_host(issue.host, here)
    text = fetch_text(issue, os.environ, here.remote_timeout)
    if not flags.quiet and flags.log_format is None:
        tell(f"The request is the text of {issue.page}.")
        for reason in dict.fromkeys(reason for _, reason in find_injections(text)):
            tell(f"Note: that text {reason}.")
    return text


def _clone_of(remote: Remote, written: str, here: Settings, flags: Flags) -> Clone:
    def on_fetch(url: str) -> None:
        if not flags.quiet and flags.log_format is None:
            tell(f"Fetching {url}")

    try:
        return fetch_clone(remote, here.cache_dir, here.remote_timeout, on_fetch)
    except InternalError as error:
        if ":" in written:
            raise
        sentence = f"There is no folder {written}, and {error}"
        raise InternalError(sentence, hint=error.hint) from error


def _address_of(remote: Remote) -> str:
    """The address as a report names it."""
    revision = remote.revision.removeprefix("refs/").removesuffix("/head") if remote.is_change else ""
    return "/".join(each for each in (remote.url, revision, remote.folder) if each)
