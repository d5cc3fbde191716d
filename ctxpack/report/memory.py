"""The memory of messages that have no room, and the recall of memories that match a request.

A memory is the sentences that say most, word for word; it is found again by the words it shares with a request.
"""

from __future__ import annotations

import hashlib
import heapq
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import groupby

from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Memory, Message
from ctxpack.query.tokens import ENGLISH, RUSSIAN, subtokens
from ctxpack.text import without_fenced

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
    """Return the stems of a text in order; whole identifiers and their parts are words like others."""
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
    """Yield every sentence once, without code; of messages that are nothing but code, their first line."""
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
    """Return the sentences of most weight for their length that fit, each time counting what was said for less."""
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
    """What counts: ``relevance`` · score + ``recency`` · exp(-age in days / ``days``)."""

    relevance: float = 0.7
    recency: float = 0.3
    days: float = 30.0


def recall(
    memories: Sequence[Memory], text: str, now: float, weights: RecallWeights | None = None
) -> tuple[Memory, ...]:
    """Find the memories that share words with a text, best first, each with its score in 0..1.

    ``now`` is seconds since the epoch; a memory from the future is as good as new.
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
    """Narrow a memory to what fits: its first line with those of its rows that share most words with a text.

    None where not one row fits.
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
