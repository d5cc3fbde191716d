"""The memory of messages that have no room: its extraction, its recall for a request, and its files.

A memory consists of the most informative sentences, verbatim; it is recalled by the words it shares with a request. The
user's data folder has a folder for each session, with one file for each memory, so that no run undoes another's.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import math
import re
import shutil
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from urllib.parse import quote, unquote

from ctxpack.errors import InternalError, NothingFoundError, UsageError
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Memory, Message
from ctxpack.query.subtokens import ENGLISH, RUSSIAN, subtokens
from ctxpack.system.disk import checksum, replace_file
from ctxpack.text import printable, without_fenced

_NOISE = ENGLISH | RUSSIAN
MAX_EXTRACT = 1_024  # characters, the first line included
_MAX_SENTENCE = 240
_MIN_SENTENCE = 12
_DECIDED, _NAMED, _ASKED = 1.6, 1.2, 1.15  # factors: a decision, a name or number, the user's own words
_COVERED = 0.35  # what a stem counts for when another sentence has said it
_END = lazy_pattern(r"(?<=[.!?…])[\"')\]»]*\s+|\n+")
_LIST_MARK = lazy_pattern(r"^\s*(?:[-*+•>#]+|\d+[.)])\s+")
_DECISION = lazy_pattern(
    r"\b(?:decid\w+|decision|agree\w*|must|should|never|always|only|instead|because|prefer\w*|don't|do not|let's|cause"
    r"|will|remember|important|fixed|works?|реш\w+|договор\w+|нужно|надо|долж\w+|нельзя|всегда|никогда|только|вместо"
    r"|потому|важно|причин\w+|исправ\w+|буд\w+|помни\w*)\b",
    re.IGNORECASE,
)
_NAME = lazy_pattern(r"`[^`]{1,200}`|(?<!\w)\w+[_/.]\w+|\w[a-z]{1,40}[A-Z]\w*|\d")
_SATURATION, _LENGTH = 1.2, 0.6  # as in BM25: repeated words count less and less, and so do long memories
_DAY = 86_400
_FLOOR = 0.1  # of the best memory's points: what shares less with the request is not about it


def memory_stems(text: str) -> list[str]:
    """Return the stems of a text in order; identifiers count as a whole and by their parts."""
    return [_stem(word) for word in subtokens(text) if word not in _NOISE]


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return _stemmer("english" if word.isascii() else "russian")(word)


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    from Stemmer import Stemmer

    stem: Callable[[str], str] = Stemmer(language).stemWord
    return stem


@dataclass(frozen=True, slots=True)
class _Sentence:
    message: int
    role: str
    text: str
    stems: frozenset[str]
    factor: float


def summarize(messages: Sequence[Message], now: float) -> Memory:
    """Extract the memory of some messages; ``now`` is seconds since the epoch."""
    covers = tuple(map(message_digest, messages))
    digest = hashlib.sha256("".join(covers).encode()).hexdigest()
    return Memory(digest[:12], extract(messages, now), now, covers)


def message_digest(message: Message) -> str:
    """Return a digest that identifies a message."""
    return hashlib.sha256(f"{message.role}\0{message.content}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def extract(messages: Sequence[Message], now: float) -> str:
    """Extract the most informative sentences, in order and word for word, in at most 1,024 characters."""
    size = sum(len(message.content) for message in messages)
    when = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    count = f"{len(messages)} message" if len(messages) == 1 else f"{len(messages)} messages"
    head = f"Extract of {count} ({size:,} characters), made {when}:"
    sentences = list(_sentences(messages))
    chosen = _choose_sentences(sentences, MAX_EXTRACT - len(head))
    rows = [
        f"{role}: {' '.join(sentence.text for sentence in group)}"
        for (_, role), group in groupby(chosen, key=lambda sentence: (sentence.message, sentence.role))
    ]
    return "\n".join([head, *rows])


def _sentences(messages: Sequence[Message]) -> Iterator[_Sentence]:
    """Yield every sentence once, without code; for messages that are only code, their first line."""
    seen: set[str] = set()
    for number, message in enumerate(messages):
        prose = without_fenced(message.content)
        for part in _END.split(prose if prose.strip() else message.content):
            text = _shorten(" ".join(_LIST_MARK.sub("", part).split()))
            if len(text) < _MIN_SENTENCE or text in seen:
                continue
            seen.add(text)
            factor = (
                (_DECIDED if _DECISION.search(text) else 1.0)
                * (_NAMED if _NAME.search(text) else 1.0)
                * (_ASKED if message.role == "user" else 1.0)
            )
            yield _Sentence(number, message.role, text, frozenset(memory_stems(text)), factor)


def _shorten(text: str) -> str:
    if len(text) <= _MAX_SENTENCE:
        return text
    return text[: text.rfind(" ", 0, _MAX_SENTENCE) if " " in text[:_MAX_SENTENCE] else _MAX_SENTENCE] + " …"


def _choose_sentences(sentences: Sequence[_Sentence], room: int) -> list[_Sentence]:
    """Return the sentences with most weight per length that fit; what was already said counts less."""
    counts = Counter(stem for sentence in sentences for stem in sentence.stems)
    weights = {stem: math.log1p(count) for stem, count in counts.items()}
    heap = [(-_worth(sentence, weights), at) for at, sentence in enumerate(sentences) if sentence.stems]
    heapq.heapify(heap)
    taken: list[int] = []
    while heap and room >= _MIN_SENTENCE:
        lost, at = heap[0]
        sentence = sentences[at]
        now = -_worth(sentence, weights)
        if now > lost:  # since it was weighed, another sentence has said part of it
            heapq.heapreplace(heap, (now, at))
            continue
        heapq.heappop(heap)
        price = len(sentence.text) + len(sentence.role) + 3  # at most: newline, role, colon, blank
        if price <= room:
            room -= price
            taken.append(at)
            weights.update({stem: weights[stem] * _COVERED for stem in sentence.stems})
    return [sentences[at] for at in sorted(taken)]


def _worth(sentence: _Sentence, weights: dict[str, float]) -> float:
    total = math.fsum(weights[stem] for stem in sentence.stems)
    return sentence.factor * total / math.sqrt(len(sentence.text) + 40)


@dataclass(frozen=True, slots=True)
class RecallWeights:
    """The weights of recall: ``relevance`` · score + ``recency`` · exp(-age in days / ``days``)."""

    relevance: float = 0.7
    recency: float = 0.3
    days: float = 30.0


def recall(
    memories: Sequence[Memory], text: str, now: float, weights: RecallWeights | None = None
) -> tuple[Memory, ...]:
    """Find the memories that share words with a text, best first, each with its score in 0..1.

    ``now`` is seconds since the epoch; a memory from the future counts as new.
    """
    weights = weights or RecallWeights()
    points = _points([memory_stems(memory.text) for memory in memories], sorted({*memory_stems(text)}))
    most = max(points, default=0.0)
    found = [
        replace(memory, score=_combine(point / most, max(0.0, now - memory.created), weights))
        for memory, point in zip(memories, points, strict=True)
        if point > _FLOOR * most
    ]
    return tuple(sorted(found, key=lambda memory: (-memory.score, -memory.created, memory.id)))


def narrow_memory(memory: Memory, text: str, fits: Callable[[Memory], bool]) -> Memory | None:
    """Cut a memory to what fits: its first line and the rows that share most words with a text.

    None if no row fits.
    """
    if fits(memory):
        return memory
    head, *rows = memory.text.split("\n")
    asked = {*memory_stems(text)}
    ranked = sorted(range(len(rows)), key=lambda at: (-len(asked & {*memory_stems(rows[at])}), at))
    taken: list[int] = []
    for at in ranked:
        if fits(_of_rows(memory, head, rows, [*taken, at])):
            taken.append(at)
    return _of_rows(memory, head, rows, taken) if taken else None


def _of_rows(memory: Memory, head: str, rows: Sequence[str], taken: Sequence[int]) -> Memory:
    return replace(memory, text="\n".join([head, *(rows[at] for at in sorted(taken)), "…"]))


def _combine(relevance: float, age: float, weights: RecallWeights) -> float:
    fresh = math.exp(-age / _DAY / weights.days)
    whole = weights.relevance + weights.recency
    return round((weights.relevance * relevance + weights.recency * fresh) / max(whole, 1.0), 6)


def _points(texts: Sequence[Sequence[str]], asked: Sequence[str]) -> list[float]:
    """BM25 of each text for the asked stems."""
    counts = [Counter(text) for text in texts]
    mean = sum(map(len, texts)) / len(texts) if texts else 1.0
    found = Counter(stem for count in counts for stem in asked if stem in count)
    return [
        math.fsum(_term(count[stem], len(text) / (mean or 1.0)) * _rarity(found[stem], len(texts)) for stem in asked)
        for count, text in zip(counts, texts, strict=True)
    ]


def _term(times: int, length: float) -> float:
    return times * (_SATURATION + 1) / (times + _SATURATION * (1 - _LENGTH + _LENGTH * length))


def _rarity(found: int, total: int) -> float:
    return math.log1p((total - found + 0.5) / (found + 0.5))


_FORMAT = 2
_NAME_OF_SESSION = lazy_pattern(r"\w(?:[\w .-]*\w)?")
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
        found = [self.load(name) for name in names if _NAME_OF_SESSION.fullmatch(name)]
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
        """Save a memory atomically; only the user may read it."""
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
        """Delete a session, or one of its memories; return how many memories were deleted. Raises NothingFoundError."""
        files = [place for place in self._files(name) if not memory_id or place.stem == memory_id]
        if not files:
            missing = f"memory {memory_id}" if memory_id else "memories"
            raise NothingFoundError(
                f"Session {_stored_name(name)} has no {missing}.", hint="List the sessions: ctxpack memory list"
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
    """Return a session's name as it is stored: case makes no difference, as on some file systems."""
    known = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.strip()).casefold())
    if not _NAME_OF_SESSION.fullmatch(known) or len(quote(known, safe=" ")) > _LONGEST:
        raise UsageError(
            f"{name!r} is not a valid session name.",
            hint="Use letters, digits, dots, dashes and spaces, at most 200 characters.",
        )
    return known


def _read(place: Path) -> Memory | None:
    """Return the memory of a file; None for one that is damaged or of another format."""
    try:
        document = json.loads(place.read_bytes())
        if document["format"] != _FORMAT or document.pop("checksum") != _checksum(place.stem, document):
            return None
        created = datetime.fromisoformat(document["created"]).timestamp()
        return Memory(place.stem, str(document["text"]), created, tuple(map(str, document["covers"])))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):  # it is listed as unreadable
        return None


def _checksum(name: str, document: dict[str, object]) -> int:
    return checksum(name, json.dumps(document, sort_keys=True).encode())
