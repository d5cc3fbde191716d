"""The commands that keep things fresh: the index on disk and the agent context files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.cli.inputs import settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import tell, write
from ctxpack.cli.progress import OnProgress, progress
from ctxpack.cli.tables import align_columns
from ctxpack.errors import InternalError, NothingFoundError, UsageError
from ctxpack.text import printable

if TYPE_CHECKING:
    from ctxpack.index.opening import IndexStatus
    from ctxpack.settings import Settings

_MEGABYTE = 1_000_000


def keep_index(action: str, flags: Flags) -> None:
    """Show, update, rebuild, clear or embed: ``status``, ``update``, ``rebuild``, ``clear``, ``embed``.

    Raises CtxpackError.
    """
    from ctxpack.index.opening import clear_index, index_status, rebuild_index, update_index

    settings = settings_of(flags)
    made = 0
    with progress(flags) as on_progress:
        if action == "status":
            status = index_status(settings)
        elif action == "clear":
            status = clear_index(settings)
        elif action == "rebuild":
            status = rebuild_index(settings, on_progress=on_progress)
        else:
            made = _embed(settings, on_progress) if action == "embed" else 0
            status = update_index(settings, on_progress=on_progress)
    if action == "status" or not flags.quiet:
        write(_status(status))
    if action == "embed" and not flags.quiet:
        tell(f"Computed {made:,} vectors; every part of the repository has one now. Use them with --semantic.")


def refresh_files(flags: Flags, *, check: bool) -> None:
    """Bring the context files up to date, or with ``check`` show what would change. Raises CtxpackError."""
    settings = settings_of(flags)
    if not settings.contexts:
        raise UsageError(
            "The configuration has no [[context]] entry.",
            hint='Add a line [[context]] to ctxpack.toml, and below it a line path = "AGENTS.md".',
        )
    from ctxpack import pipeline
    from ctxpack.events import Observer
    from ctxpack.onboarding import write_instructions
    from ctxpack.workflows.refresh import plan_refresh, save_change

    with progress(flags) as on_progress:
        changes = plan_refresh(
            settings,
            lambda request, its: pipeline.run_pack(request, its, observer=Observer(on_progress)).text,
            write_instructions,
        )
    if check:
        write("".join(each.diff for each in changes))
        if changes:
            names = ", ".join(printable(each.path) for each in changes)
            raise NothingFoundError(f"Out of date: {names}.", hint="Run ctxpack refresh and commit the result.")
    for each in changes:
        try:
            save_change(settings.root, each)
        except OSError as error:
            raise InternalError(f"{printable(each.path)} cannot be written: {error.strerror}.") from error
        if not flags.quiet:
            tell(f"{'created' if each.before is None else 'updated'} {printable(each.path)}")
    if not changes and not flags.quiet:
        tell("All context files are up to date.")


def _embed(settings: Settings, on_progress: OnProgress | None) -> int:
    from ctxpack.rank.chunk_vectors import embed

    return embed(settings, on_progress=on_progress)


def _status(status: IndexStatus) -> str:
    rows = [
        ("index", printable(str(status.path))),
        ("files", f"{status.files:,}"),
        ("chunks", f"{status.chunks:,}"),
        ("size", f"{status.size_bytes / _MEGABYTE:.1f} MB"),
        ("commit", status.commit or "none"),
        ("fresh", "yes" if status.is_fresh else "no: the next run updates it"),
    ]
    return align_columns(rows)
