"""A request's text becomes a Query: weighted terms by part, identifiers, mentions, phrases, shape, intent and more."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from ctxpack.model import Intent, Part, Query, Shape
from ctxpack.query.frames import condensed
from ctxpack.query.intent import complexity_of
from ctxpack.query.mentions import find_mentions
from ctxpack.query.parts import is_headed, split_parts
from ctxpack.query.tokens import LIGHT_WORDS, MIN_PART, STOPWORDS, is_identifier, raw_words, split

# Measured on SWE-bench Lite: with every part at 1, file Acc@1/5 is 48/76; with these weights 47/78.
PART_WEIGHTS: Final[Mapping[Part, float]] = {Part.TITLE: 4, Part.PROSE: 1, Part.CODE: 0.3, Part.TRACEBACK: 1}
IDENTIFIER_WEIGHTS: Final[Mapping[Part, float]] = {
    Part.TITLE: 1,
    Part.PROSE: 0.8,
    Part.CODE: 0.5,
    Part.TRACEBACK: 0.4,
}
_QUESTION_WORDS: Final = 16  # a request of up to so many words on one line is a question, not an issue
_PHRASE_LENGTH: Final = 3
_MAX_PHRASES: Final = 120
_MARKED = re.compile(r"`([^`\n]{2,80})`|\b([A-Za-z_]\w+)\(")
_SYMBOL = re.compile(r"[\w$]+(?:(?:\.|::|->|#|/)[\w$]+)*(?:\(\))?")

_INTENTS: Final[tuple[tuple[Intent, re.Pattern[str]], ...]] = (
    (Intent.REVIEW, re.compile(r"\b(review|audit|ревью|проверь)\b", re.IGNORECASE)),
    (
        Intent.TROUBLESHOOT,
        re.compile(
            r"\b(fix|bug|error|exception|crash\w*|fails?|failing|broken|wrong|incorrect\w*|regression|traceback|hang\w*"
            r"|исправ\w+|ошибк\w+|пада\w+|слома\w+|не работает)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Intent.EXPLAIN,
        re.compile(r"^\s*(how|why|what|explain|describe|where|как|почему|зачем|что|объясни|где)\b", re.IGNORECASE),
    ),
    (
        Intent.CHANGE,
        re.compile(
            r"\b(add|implement|support|change|remove|rename|refactor|allow|make|introduce|update|improve"
            r"|добав\w+|реализ\w+|измен\w+|удал\w+|поддерж\w+)\b",
            re.IGNORECASE,
        ),
    ),
)


def query_of_text(text: str) -> Query:
    """The query of a request's text, from the text alone; expansions are added where a vocabulary is at hand."""
    shape = _shape(text)
    parts = ((Part.TITLE, text.strip()),) if shape is Shape.SYMBOL else split_parts(text)
    noise = _noise(shape, len(raw_words(text)))
    identifiers = _identifiers(parts, every_word=shape is Shape.SYMBOL)
    mentions = find_mentions(text)
    intent = next((intent for intent, pattern in _INTENTS if pattern.search(text)), Intent.LOOKUP)
    title_text = next((chunk for part, chunk in parts if part is Part.TITLE), "")
    title = _weighted(((Part.TITLE, title_text),), noise=noise, whole=False)
    if shape is Shape.ISSUE and not is_headed(text):
        parts, title = tuple((Part.PROSE if part is Part.TITLE else part, chunk) for part, chunk in parts), {}
    parts = tuple((part, condensed(chunk)) for part, chunk in parts)
    return Query(
        text=text,
        title_text=title_text,
        shape=shape,
        intent=intent,
        terms=_weighted(parts, noise=noise, whole=False),
        title=title,
        words=_weighted(parts, noise=noise, whole=True),
        identifiers=identifiers,
        mentions=mentions,
        phrases=_phrases(parts),
        complexity=complexity_of(text, shape, intent, mentions, identifiers),
    )


def _shape(text: str) -> Shape:
    stripped = text.strip()
    if _SYMBOL.fullmatch(stripped):
        return Shape.SYMBOL
    is_short = len(stripped.splitlines()) <= 1 and len(stripped.split()) <= _QUESTION_WORDS
    return Shape.QUESTION if is_short else Shape.ISSUE


def _noise(shape: Shape, words: int) -> frozenset[str]:
    """The words that say nothing here: none of a symbol's, and fewer of a short request's than of an issue's."""
    if shape is Shape.SYMBOL:
        return frozenset()
    return STOPWORDS - LIGHT_WORDS if words <= _QUESTION_WORDS else STOPWORDS


def _weighted(parts: Iterable[tuple[Part, str]], *, noise: frozenset[str], whole: bool) -> dict[str, float]:
    """Tokens and log(1 + sum of part weights): a word said ten times is not ten times as important."""
    sums: Counter[str] = Counter()
    for part, text in parts:
        for word in raw_words(text):
            for token in (word.lower(),) if whole else split(word):
                if token not in noise and len(token) >= MIN_PART:
                    sums[token] += PART_WEIGHTS[part]  # type: ignore[assignment]  # Counter adds floats as well
    return {token: math.log1p(weight) for token, weight in sorted(sums.items())}


def _identifiers(parts: Iterable[tuple[Part, str]], *, every_word: bool) -> dict[str, float]:
    """Code-shaped words, words in backticks and called names, with the weight of the best part they stand in."""
    found: dict[str, float] = {}
    for part, text in parts:
        marked = {word for match in _MARKED.finditer(text) for word in raw_words(match[1] or match[2])}
        for word in raw_words(text):
            if every_word or ((is_identifier(word) or word in marked) and len(word) > MIN_PART):
                found[word] = max(found.get(word, 0.0), IDENTIFIER_WEIGHTS[part])
    return dict(sorted(found.items()))


def _phrases(parts: Iterable[tuple[Part, str]]) -> tuple[tuple[str, ...], ...]:
    """Runs of three words in title, prose and traceback, of which at least two say something; each once, in order."""
    found: dict[tuple[str, ...], None] = {}
    for part, text in parts:
        if part is Part.CODE:
            continue
        tokens = [word.lower() for word in raw_words(text)]
        for start in range(len(tokens) - _PHRASE_LENGTH + 1):
            phrase = tuple(tokens[start : start + _PHRASE_LENGTH])
            if sum(word not in STOPWORDS for word in phrase) >= _PHRASE_LENGTH - 1:
                found[phrase] = None
    return tuple(found)[:_MAX_PHRASES]
