"""Memories on disk, in the user's data folder: a folder a session, a file a memory, so that no run undoes another's."""

from __future__ import annotations

import json
import shutil
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, unquote

from ctxpack.errors import InternalError, NothingFoundError, UsageError
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Memory
from ctxpack.system.files import checksum, replace_file
from ctxpack.text import printable

_FORMAT = 2
_NAME = lazy_pattern(r"\w(?:[\w .-]*\w)?")
_LONGEST = 200  # characters of a folder's name
_PREFIX = "s-"  # of a folder's name: some names, such as con and nul, are devices on Windows


@dataclass(frozen=True, slots=True)
class StoredSession:
    """What a session remembers, oldest first, and the files that cannot be read."""

    name: str
    memories: tuple[Memory, ...]
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionStore:
    """The sessions below ``data_dir``. Every method raises UsageError for a name that is none, and InternalError."""

    data_dir: Path

    def sessions(self) -> tuple[StoredSession, ...]:
        """Read all sessions, by name."""
        try:
            folders = [place.name for place in self._top.iterdir() if place.name.startswith(_PREFIX) and place.is_dir()]
        except FileNotFoundError:  # there are none
            return ()
        except OSError as error:
            raise InternalError(f"{self._top} cannot be read: {error.strerror}.") from error
        names = sorted(unquote(folder.removeprefix(_PREFIX)) for folder in folders)
        found = [self.load(name) for name in names if _NAME.fullmatch(name)]
        return tuple(each for each in found if each.memories or each.unreadable)

    def load(self, name: str) -> StoredSession:
        """Read what a session remembers; nothing for one that does not exist."""
        memories, unreadable = [], []
        for place in self._files(name):
            memory = _read(place)
            if memory is None:
                unreadable.append(printable(str(place)))
            else:
                memories.append(memory)
        memories.sort(key=lambda memory: (memory.created, memory.id))
        return StoredSession(_stored_name(name), tuple(memories), tuple(unreadable))

    def save(self, name: str, memory: Memory) -> None:
        """Keep a memory, whole or not at all; only the user may read it."""
        folder = self._folder(name)
        when = datetime.fromtimestamp(memory.created, UTC).isoformat(timespec="seconds")
        document: dict[str, object] = {
            "format": _FORMAT,
            "session": _stored_name(name),
            "created": when,
            "covers": list(memory.covers),
            "text": memory.text,
        }
        document["checksum"] = _checksum(memory.id, document)
        data = json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
        try:
            self._top.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            replace_file(folder / f"{memory.id}.json", data)
        except OSError as error:
            raise InternalError(
                f"The session cannot be kept in {folder}: {error.strerror}.",
                hint="Set CTXPACK_DATA_DIR to a folder that you can write to.",
            ) from error

    def delete(self, name: str, memory_id: str = "") -> int:
        """Forget a session, or one of its memories; gives how many memories went. Raises NothingFoundError."""
        files = [place for place in self._files(name) if not memory_id or place.stem == memory_id]
        if not files:
            raise NothingFoundError(
                _missing_text(_stored_name(name), memory_id), hint="List the sessions: ctxpack memory list"
            )
        try:
            for place in files:
                place.unlink(missing_ok=True)
            if not memory_id:
                shutil.rmtree(self._folder(name))
        except OSError as error:
            raise InternalError(f"{files[0].parent} cannot be deleted: {error.strerror}.") from error
        return len(files)

    @property
    def _top(self) -> Path:
        return self.data_dir / "sessions"

    def _folder(self, name: str) -> Path:
        return self._top / (_PREFIX + quote(_stored_name(name), safe=" "))

    def _files(self, name: str) -> Iterator[Path]:
        folder = self._folder(name)
        try:
            yield from sorted(place for place in folder.iterdir() if place.suffix == ".json")
        except FileNotFoundError:  # there are none
            return
        except OSError as error:
            raise InternalError(f"{folder} cannot be read: {error.strerror}.") from error


def _stored_name(name: str) -> str:
    """Return a session's name as it is kept: capitals make no difference, as on some file systems."""
    known = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.strip()).casefold())
    if not _NAME.fullmatch(known) or len(quote(known, safe=" ")) > _LONGEST:
        raise UsageError(
            f"{name!r} is not a valid session name.",
            hint="Use letters, digits, dots, dashes and spaces, at most 200 characters.",
        )
    return known


def _missing_text(name: str, memory_id: str) -> str:
    return f"Session {name} has no memory {memory_id}." if memory_id else f"Session {name} has no memories."


def _read(place: Path) -> Memory | None:
    """Return the memory of a file; None for one that is damaged or of another format."""
    try:
        document = json.loads(place.read_bytes())
        if document["format"] != _FORMAT or document.pop("checksum") != _checksum(place.stem, document):
            return None
        created = datetime.fromisoformat(document["created"]).timestamp()
        return Memory(place.stem, str(document["text"]), created, tuple(map(str, document["covers"])))
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
    ):  # who reads it is told which cannot be read
        return None


def _checksum(name: str, document: dict[str, object]) -> int:
    return checksum(name, json.dumps(document, sort_keys=True).encode())
