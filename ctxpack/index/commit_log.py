"""The last commits: messages, times and changed files. Rebuilt when HEAD moves."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import load_arrays
from ctxpack.index.terms import FieldPostings, build_postings, term_key
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import RepositoryState
from ctxpack.query.subtokens import find_words, split
from ctxpack.redact import Rules, redact
from ctxpack.system.clock import Timekeeper
from ctxpack.system.git import GitError, GitTimeoutError, find_git, readable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from Stemmer import Stemmer

    from ctxpack.index.arrays import Arrays, Load

COMMITS: Final = 3_000  # deeper history gained nothing, measured
_MESSAGE_CHARS: Final = 2_000
_FIELD: Final = "\x1f"
_Record = tuple[str, str, list[str]]
"""Hash and time, message, and changed paths of a commit."""
_PERSONAL = lazy_pattern(r"@|\d(?:[ ().-]{0,2}\d){6}")  # what an address or a number has


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: full hash, committer time in seconds since the epoch, first line of the message."""

    hash: str
    time: int
    subject: str


@dataclass(frozen=True)
class History:
    """Commits numbered from the newest (0). ``files`` holds numbers into ``paths``, cut by ``ends`` per commit."""

    messages: FieldPostings
    times: NDArray[np.int64]
    ends: NDArray[np.int64]
    files: NDArray[np.int32]
    paths: tuple[str, ...]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.times)

    def commit(self, number: int) -> Commit:
        """Return the commit with a number."""
        name, subject = self.labels[number].split(_FIELD, 1)
        return Commit(name, int(self.times[number]), subject)

    def files_of(self, number: int) -> NDArray[np.int32]:
        """Return the files that a commit changed, as numbers into ``paths``."""
        return self.files[self.ends[number] : self.ends[number + 1]]

    def last_commit(self, path: str) -> Commit | None:
        """Return the newest commit that changed a path, or None."""
        place = self._places.get(path)
        return None if place is None else self.commit(int(self._newest[place]))

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {path: place for place, path in enumerate(self.paths)}

    @cached_property
    def _newest(self) -> NDArray[np.int64]:
        """The newest commit that changed each path."""
        import numpy as np

        newest = np.zeros(len(self.paths), np.int64)
        numbers = np.repeat(np.arange(len(self)), np.diff(self.ends))
        newest[self.files[::-1]] = numbers[::-1]  # of equal places the last written stays: the newest
        return newest


def message_tokens(text: str) -> list[str]:
    """Stems of a message's subtokens, as the postings over messages hold them."""
    return [stem for word in find_words(text) for stem in _stems_of(word)]


@lru_cache(maxsize=20_000)  # the words of messages are mostly the same
def _stems_of(word: str) -> tuple[str, ...]:
    english, russian = _stemmers()
    return tuple((english if token.isascii() else russian).stemWord(token) for token in split(word))


@cache
def _stemmers() -> tuple[Stemmer, Stemmer]:
    from Stemmer import Stemmer

    return Stemmer("english"), Stemmer("russian")


def history_arrays(state: RepositoryState, commits: int = COMMITS, keeper: Timekeeper | None = None) -> Arrays:
    """Read the history with git and make its arrays; empty arrays where git has none.

    The history of a workspace is merged from its roots, by time. Raises GitTimeoutError.
    """
    keeper = keeper or Timekeeper()
    if not state.members:
        return _arrays_of(_records(_log(state, commits, keeper)), keeper)
    logs = [(label, _log(each, commits, keeper)) for label, each in state.members]
    return _arrays_of(_join_logs(logs), keeper)


def _join_logs(logs: Iterable[tuple[str, str]]) -> Iterator[_Record]:
    """Merge the records of several logs, the newest first; paths begin with the label of their root."""
    rows = [
        (head, message, [f"{label}/{path}" for path in changed])
        for label, log in logs
        for head, message, changed in _records(log)
    ]
    yield from sorted(rows, key=lambda row: -int(row[0].split(_FIELD)[1]))


def empty_history_arrays() -> Arrays:
    """Return the arrays of a repository without history."""
    return _arrays_of((), Timekeeper())


def _subject(message: str, keeper: Timekeeper) -> str:
    """The first line of a message, without personal data."""
    line = message.partition("\n")[0]
    return redact(line, rules=Rules(personal=True), keeper=keeper).text if _PERSONAL.search(line) else line


def _arrays_of(records: Iterable[_Record], keeper: Timekeeper) -> Arrays:
    import numpy as np

    messages, times, labels = [], array("q"), []
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    files, ends = array("q"), array("q", [0])
    for head, message, changed in records:
        keeper.checkpoint()
        name, when = head.split(_FIELD)
        messages.append(message[:_MESSAGE_CHARS])
        times.append(int(when))
        labels.append(f"{name}{_FIELD}{_subject(message, keeper)}")
        files.extend([numbers[path] for path in changed])
        ends.append(len(files))
    made = {f"messages.{name}": value for name, value in _message_postings(messages).items()}
    return made | {
        "times": np.asarray(times, np.int64),
        "ends": np.asarray(ends, np.int64),
        "files": np.asarray(files, np.int32),
        "paths": _pack(list(numbers)),
        "labels": _pack(labels),
    }


def _records(log: str) -> Iterator[_Record]:
    """The records of a log: ``_log`` separates them by the only character that cannot occur in them."""
    fields = log.split("\0")
    place = 0
    while place + 1 < len(fields):
        if not fields[place]:
            place += 1
            continue
        head, message = fields[place], fields[place + 1]
        first = place = place + 3  # an empty field ends the message
        if first < len(fields) and fields[first].startswith("\n"):  # paths follow
            fields[first] = fields[first][1:]
            place = fields.index("", first)
        yield head, readable(message), fields[first:place]


def load_history(path: Path, load: Load = load_arrays) -> History:
    """Open a history file. Raises BrokenIndexError."""
    found = load(path)
    try:
        messages = FieldPostings(**{name: found[f"messages.{name}"] for name in FieldPostings.__match_args__})
        return History(
            messages,
            found["times"][:],
            found["ends"][:],
            found["files"][:],
            _unpack(found["paths"][:]),
            _unpack(found["labels"][:]),
        )
    except KeyError as error:
        raise BrokenIndexError(f"The index file {path.name} lacks {error}.") from error


def _log(state: RepositoryState, commits: int, keeper: Timekeeper) -> str:
    """``git log`` of a folder at its commit, for HEAD may move meanwhile; empty without git or commits.

    ``--numstat`` would cost twenty times as much.
    Raises GitTimeoutError: what takes too long now may not do so the next time.
    """
    git = find_git(str(state.root), keeper)
    if git is None:
        return ""
    options = ("--no-renames", "--no-merges", "--name-only", "--relative", "--encoding=UTF-8", "-z", f"-n{commits}")
    form = f"--format=tformat:%x00%H{_FIELD}%ct%x00%B%x00"
    try:
        return git.start("log", *options, form, state.commit or "HEAD", "--", ".").text()
    except GitTimeoutError:
        raise
    except GitError:  # nothing is committed yet
        return ""


def _message_postings(messages: list[str]) -> Arrays:
    import numpy as np

    terms: defaultdict[str, int] = defaultdict(count().__next__)
    rows = array("q")
    for number, tokens in enumerate(_stem_all(messages)):
        for token, times in Counter(tokens).items():
            rows.extend((terms[token], number, times))
    table = np.frombuffer(rows, np.int64).reshape(-1, 3) if rows else np.zeros((0, 3), np.int64)
    return build_postings([term_key(term) for term in terms], table, len(messages))


def _stem_all(messages: list[str]) -> list[list[str]]:
    return [message_tokens(message) for message in messages]


def _pack(texts: list[str]) -> NDArray[np.uint8]:
    import numpy as np

    return np.frombuffer("\0".join(texts).encode("utf-8", "surrogateescape"), np.uint8)


def _unpack(data: NDArray[np.generic]) -> tuple[str, ...]:
    text = data.tobytes().decode("utf-8", "surrogateescape")
    return tuple(text.split("\0")) if text else ()
