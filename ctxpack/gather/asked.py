"""What was asked, checked before any work is done, and the words to search for."""

from __future__ import annotations

from ctxpack.errors import UsageError
from ctxpack.gather.registry import Registry, check_names
from ctxpack.gather.relations.resemblance import stem_of
from ctxpack.model import Request, Scope
from ctxpack.settings import Settings
from ctxpack.settings.policy import limit, redaction, refusal


def check(request: Request, settings: Settings, known: Registry) -> None:
    """Raise UsageError for what can be told to be wrong before any work is done.

    That is an empty request, an unknown strategy or revision, and a file that is outside the root or not there.
    """
    _check_policies(settings)
    check_names(settings, known)
    if request.scope is Scope.DIFF:
        from ctxpack.changes import resolve_revisions

        resolve_revisions(request, settings)
        return
    asked = {Scope.FILE: request.path, Scope.COMPONENT: request.name}.get(request.scope, request.text)
    if not asked.strip():
        raise UsageError("The request is empty.", hint="Say what the task is, or name a file or a component.")
    if request.scope is not Scope.FILE:
        return
    root = settings.root.resolve()
    if "\0" in request.path or not (root / request.path).resolve().is_relative_to(root):
        raise UsageError(f"{request.path} is outside the repository {root}.", hint="Name a file below its root.")
    if request.path not in settings.buffers and not (root / request.path).is_file():
        what = "is a folder, not a file" if (root / request.path).is_dir() else "does not exist"
        raise UsageError(f"{request.path} {what} in {root}.", hint="Name one file, relative to the root.")


def _check_policies(settings: Settings) -> None:
    """Raise UsageError for settings that a program bent away from the policies they were loaded with."""
    most = limit(settings.policies, "budget")
    rules = (
        None if settings.use_redaction else redaction(settings.policies),
        refusal(settings.policies, "formats", settings.format),
        most[1] if most and settings.budget > most[0] else None,
    )
    if rule := next((each for each in rules if each), None):
        raise UsageError(f"These settings are not allowed: {rule}.", hint="See what is in force: ctxpack doctor")


def words(request: Request) -> str:
    """The text to understand: the request's own, else the name of what it is about."""
    file = f"{request.symbol} {stem_of(request.path)}".strip()
    about = {Scope.FILE: file, Scope.COMPONENT: request.name}.get(request.scope, "")
    return "\n".join(part for part in (request.text, about) if part.strip())
