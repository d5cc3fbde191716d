"""The commands that maintain the index, agent context files and the memory of sessions; and ``--watch``.

``--watch`` and ``watch`` make a report, or the index, again when a file changes, until they are interrupted.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

from ctxpack.cli.display import align_columns, progress
from ctxpack.cli.inputs import settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver, tell, tell_notes, write
from ctxpack.errors import CtxpackError, InternalError, NothingFoundError, UsageError, did_you_mean
from ctxpack.index.opening import find_files
from ctxpack.light import replace
from ctxpack.model import Memory
from ctxpack.text import json_text, printable, shorten, valid

if TYPE_CHECKING:
    from ctxpack.index.opening import IndexStatus
    from ctxpack.model import Request
    from ctxpack.report.memory import SessionStore, StoredSession
    from ctxpack.settings import Settings
    from ctxpack.workflows.refresh import Edit


_MEGABYTE = 1_000_000
_LEAST_PAUSE: Final = 0.5  # seconds between two looks
_SHARE: Final = 10  # of its time at most one part in ten is spent on looking
_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"


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
            if action == "embed":
                from ctxpack.rank.chunk_vectors import embed

                made = embed(settings, on_progress=on_progress)
            status = update_index(settings, on_progress=on_progress)
    if action == "status" or not flags.quiet:
        write(_status(status))
    if action == "embed" and not flags.quiet:
        tell(f"Computed {made:,} vectors; every part of the repository has one now. Use them with --semantic.")


def follow_index(flags: Flags) -> None:
    """Update the index after every change of a file or the configuration, until an interrupt. Raises CtxpackError."""
    from ctxpack.index.opening import update_index

    def update() -> None:
        begun = time.monotonic()
        with progress(flags) as on_progress:
            status = update_index(settings_of(flags), on_progress=on_progress)
        if not flags.quiet:
            tell(f"Indexed {status.files:,} files in {time.monotonic() - begun:.1f} s. Waiting for changes.")

    follow_changes(update, flags)


def refresh_files(flags: Flags, *, check: bool) -> None:
    """Bring the context files up to date, or with ``check`` show what would change. Raises CtxpackError."""
    settings = settings_of(flags)
    if not check or settings.members:
        from ctxpack.cli.fetching import check_is_ours

        check_is_ours(settings)
    if not settings.contexts:
        place = "your own file, and name it with --config" if settings.address else "ctxpack.toml"
        raise UsageError(
            "The configuration has no [[context]] entry.",
            hint=f'Add a line [[context]] to {place}, and below it a line path = "AGENTS.md".',
        )
    from ctxpack.workflows.refresh import save_edits

    changes = _plan(settings, flags)
    if check:
        write("".join(each.diff for each in changes))
        if changes:
            names = ", ".join(printable(each.path) for each in changes)
            raise NothingFoundError(f"Out of date: {names}.", hint="Run ctxpack refresh and commit the result.")
    for each in changes:
        save_edits(settings.root, (each,))
        if not flags.quiet:
            tell(f"{each.verb} {printable(each.path)}")
    if not changes and not flags.quiet:
        tell("All context files are up to date.")


def _plan(settings: Settings, flags: Flags) -> Sequence[Edit]:
    """The files that would change; repaired damage on disk is reported."""
    from ctxpack import pipeline
    from ctxpack.events import Observer
    from ctxpack.workflows.instructions import write_instructions
    from ctxpack.workflows.refresh import plan_refresh

    remarks: list[str] = []
    with progress(flags) as on_progress:

        def pack_text(request: Request, its: Settings) -> str:
            made = pipeline.run_pack(request, its, observer=Observer(on_progress))
            remarks.extend(made.remarks)
            return made.text

        def write_text(its: Settings) -> str:
            made = write_instructions(its)
            remarks.extend(made.remarks)
            return made.text

        changes = plan_refresh(settings, pack_text, write_text)
    tell_notes(dict.fromkeys(remarks), flags)
    return changes


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


MEMORY_SCHEMA = 1
_SHOWN = 80  # characters of a memory in a table
_NEEDS_NAME = "See the names: ctxpack memory list"


def manage_memory(action: str, name: str, memory_id: str, flags: Flags) -> None:
    """List, show or delete what sessions remember: ``list``, ``show``, ``delete``. Raises CtxpackError."""
    settings = settings_of(flags)
    if action not in _ACTIONS:
        hint = did_you_mean(action, _ACTIONS) or "Try: ctxpack memory list"
        raise UsageError(f"{action!r} is not an action of memory: list, show or delete.", hint=hint)
    if action != "list" and not name:
        raise UsageError(f"Name the session to {action}.", hint=_NEEDS_NAME)
    check_output(flags)
    from ctxpack.report.memory import SessionStore

    if settings.data_dir is None:
        raise InternalError("No folder for sessions is set.")
    _ACTIONS[action](SessionStore(settings.data_dir), name, memory_id, flags)


def _list(store: SessionStore, name: str, memory_id: str, flags: Flags) -> None:
    """The sessions, or the memories of one."""
    if memory_id:
        raise UsageError("The action list takes no memory id.", hint=f"Try: ctxpack memory show {name} {memory_id}")
    if name:
        _show_table(_load_session(store, name), flags)
        return
    sessions = store.sessions()
    if flags.format == "json":
        deliver(_json({"sessions": [_summary(each) for each in sessions]}), flags)
    elif sessions:
        rows = [(each.name, str(len(each.memories)), _messages(each), _last(each)) for each in sessions]
        deliver(align_columns([("session", "memories", "messages", "last"), *rows], right=(1, 2)), flags)
    else:
        tell("There are no sessions.")


def _show(store: SessionStore, name: str, memory_id: str, flags: Flags) -> None:
    """The texts of the memories of a session, or of one of them."""
    stored = _load_session(store, name)
    memories = [each for each in stored.memories if not memory_id or each.id == memory_id]
    if memory_id and not memories:
        raise NothingFoundError(
            f"Session {stored.name} has no memory {memory_id}.",
            hint=f"See its memories: ctxpack memory list {stored.name}",
        )
    if flags.format == "json":
        deliver(_json({"session": stored.name, "memories": [_entry(each) for each in memories]}), flags)
    else:
        texts = [f"{each.id}  " + "\n".join(map(printable, each.text.split("\n"))) + "\n" for each in memories]
        deliver("\n".join(texts), flags)


def _delete(store: SessionStore, name: str, memory_id: str, flags: Flags) -> None:
    """Forget a session, or one of its memories."""
    count = store.delete(name, memory_id)
    if not flags.quiet:
        tell(f"Deleted {count} {'memory' if count == 1 else 'memories'} of session {name}.")


def _load_session(store: SessionStore, name: str) -> StoredSession:
    stored = store.load(name)
    for place in stored.unreadable:
        tell(f"Note: a memory cannot be read: {place}")
    if not stored.memories and not stored.unreadable:
        raise NothingFoundError(f"Session {stored.name} has no memories.", hint=_NEEDS_NAME)
    return stored


def _show_table(stored: StoredSession, flags: Flags) -> None:
    if flags.format == "json":
        deliver(_json({"session": stored.name, "memories": [_entry(each) for each in stored.memories]}), flags)
        return
    rows = [(each.id, _when(each.created), str(len(each.covers)), _first(each)) for each in stored.memories]
    deliver(align_columns([("memory", "created", "messages", "text"), *rows], right=(2,)), flags)


def _summary(stored: StoredSession) -> dict[str, object]:
    numbers = {"memories": len(stored.memories), "messages": int(_messages(stored))}
    return {"name": stored.name, **numbers, "last": _last(stored)}


def _entry(memory: Memory) -> dict[str, object]:
    when = datetime.fromtimestamp(memory.created, UTC).isoformat()
    return {"id": memory.id, "created": when, "messages": len(memory.covers), "text": valid(memory.text)}


def _messages(stored: StoredSession) -> str:
    return str(sum(len(memory.covers) for memory in stored.memories))


def _last(stored: StoredSession) -> str:
    return _when(max((memory.created for memory in stored.memories), default=0.0))


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M") if seconds else ""


def _first(memory: Memory) -> str:
    """The beginning of a memory, on one line."""
    return shorten(printable(" ".join(memory.text.split("\n")[1:])), _SHOWN)


def _json(document: dict[str, object]) -> str:
    return json_text({"schema": MEMORY_SCHEMA, **document})


_ACTIONS = {"list": _list, "show": _show, "delete": _delete}


def check_watch(flags: Flags, *, is_buffer: bool) -> None:
    """Refuse what cannot be watched: input that is read once, and output that cannot be updated. Raises UsageError."""
    if flags.stdin or is_buffer:
        raise UsageError("--watch cannot read standard input again.", hint="Leave out --stdin or --stdin-content.")
    if flags.output == "-" and not flags.copy and not sys.stdout.isatty():
        raise UsageError("--watch needs an output file.", hint="Add -o FILE or --copy.")


def follow_changes(make: Callable[[], None], flags: Flags) -> None:
    """Make a report or the index, and again after every change of a file that is searched or of the configuration.

    Only the first one may fail: later errors are printed, and the next change is awaited. Raises CtxpackError.
    """
    has_made = False
    try:
        with _deferred_interrupts() as check_interrupt:
            while True:
                seen = _state(flags)  # before it is made: what changes meanwhile is not missed
                try:
                    if flags.watch and flags.output == "-" and not flags.copy:
                        write(_CLEAR)
                    make()
                    has_made = True
                except CtxpackError as error:
                    if not has_made:
                        raise
                    tell(f"Error: {error}")
                _wait(seen, flags, check_interrupt)
    except KeyboardInterrupt:  # that is how it ends
        return


@contextmanager
def _deferred_interrupts() -> Iterator[Callable[[], None]]:
    """Defer interrupts, and yield the function that raises them.

    One that comes while a process is started is lost: Python raises it where nothing can catch it.
    """
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    def check() -> None:
        if came:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


def _wait(seen: object, flags: Flags, check_interrupt: Callable[[], None]) -> None:
    while True:
        check_interrupt()
        begun = time.monotonic()
        if _state(flags) != seen:
            return
        time.sleep(max(_LEAST_PAUSE, _SHARE * (time.monotonic() - begun)))


def _state(flags: Flags) -> object:
    """The files by their content, the commit, and the settings; nothing where they cannot be read, or are half-written.

    The files that the command itself writes are no change.
    """
    try:
        settings = settings_of(replace(flags, quiet=True))
        found = find_files(settings)
    except (CtxpackError, OSError):  # the run that follows says why
        return None
    written = {Path(each).resolve() for each in (flags.output, flags.sources, settings.metrics) if each}
    files = [(file.path, file.blob) for file in found.files if settings.places.of(file.path) not in written]
    return settings.digest, found.state.version, files
