"""What is left of messages: the sentences that say most, word for word, under a line that tells what they are."""

from __future__ import annotations

import hashlib
import heapq
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from ctxpack.fences import without_fenced
from ctxpack.model import Memory, Message
from ctxpack.session.words import stems

MAX_EXTRACT = 1_024  # characters, the first line included
_MAX_SENTENCE = 240
_MIN_SENTENCE = 12
_DECIDED, _NAMED, _ASKED = 1.6, 1.2, 1.15  # factors: a decision, a name or number, the user's own words
_COVERED = 0.35  # what a stem counts for when another sentence has said it

_END = re.compile(r"(?<=[.!?…])[\"')\]»]*\s+|\n+")
_LIST_MARK = re.compile(r"^\s*(?:[-*+•>#]+|\d+[.)])\s+")
_DECISION = re.compile(
    r"\b(?:decid\w+|decision|agree\w*|must|should|never|always|only|instead|because|prefer\w*|don't|do not|let's|cause"
    r"|will|remember|important|fixed|works?|реш\w+|договор\w+|нужно|надо|долж\w+|нельзя|всегда|никогда|только|вместо"
    r"|потому|важно|причин\w+|исправ\w+|буд\w+|помни\w*)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"`[^`]+`|\w+[_/.]\w+|\w[a-z]+[A-Z]\w*|\d")


@dataclass(frozen=True, slots=True)
class _Sentence:
    message: int
    role: str
    text: str
    stems: frozenset[str]
    factor: float


def remembered(messages: Sequence[Message], now: float) -> Memory:
    """The memory of some messages; ``now`` is seconds since the epoch."""
    covers = tuple(map(covered, messages))
    digest = hashlib.sha256("".join(covers).encode()).hexdigest()
    return Memory(digest[:12], extract(messages, now), now, covers)


def covered(message: Message) -> str:
    """A digest by which a message is known again."""
    return hashlib.sha256(f"{message.role}\0{message.content}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def extract(messages: Sequence[Message], now: float) -> str:
    """The sentences that say most, in order and word for word, at most 1,024 characters with the line above them."""
    size = sum(len(message.content) for message in messages)
    when = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    count = f"{len(messages)} message" if len(messages) == 1 else f"{len(messages)} messages"
    head = f"Extract of {count} ({size:,} characters), made {when}:"
    sentences = list(_sentences(messages))
    chosen = _chosen(sentences, MAX_EXTRACT - len(head))
    rows = [
        f"{role}: {' '.join(sentence.text for sentence in group)}"
        for (_, role), group in groupby(chosen, key=lambda sentence: (sentence.message, sentence.role))
    ]
    return "\n".join([head, *rows])


def _sentences(messages: Sequence[Message]) -> Iterator[_Sentence]:
    """Every sentence once, without code; of messages that are nothing but code, their first line."""
    seen: set[str] = set()
    for number, message in enumerate(messages):
        prose = without_fenced(message.content)
        for part in _END.split(prose if prose.strip() else message.content):
            text = _shortened(" ".join(_LIST_MARK.sub("", part).split()))
            if len(text) < _MIN_SENTENCE or text in seen:
                continue
            seen.add(text)
            factor = (
                (_DECIDED if _DECISION.search(text) else 1.0)
                * (_NAMED if _NAME.search(text) else 1.0)
                * (_ASKED if message.role == "user" else 1.0)
            )
            yield _Sentence(number, message.role, text, frozenset(stems(text)), factor)


def _shortened(text: str) -> str:
    if len(text) <= _MAX_SENTENCE:
        return text
    return text[: text.rfind(" ", 0, _MAX_SENTENCE) if " " in text[:_MAX_SENTENCE] else _MAX_SENTENCE] + " …"


def _chosen(sentences: Sequence[_Sentence], room: int) -> list[_Sentence]:
    """The sentences of most weight for their length that fit, each time counting what was said for less."""
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
