"""Exact token counts without a network, and budgets as people write them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ctxpack.errors import UsageError
from ctxpack.light import dataclass, field, lazy_pattern
from ctxpack.text import without_surrogates

if TYPE_CHECKING:
    from splintr import AnyTokenizer

DEFAULT_ENCODING = "o200k_base"
ENCODINGS = (
    DEFAULT_ENCODING, "cl100k_base", "deepseek_v3", "gemma3", "glm4.5", "llama3", "mistral_v3", "qwen3",
)  # fmt: skip

CHARACTERS_PER_TOKEN = 4  # about, in English and in code: to size a text before its tokens are counted
_AMOUNT = lazy_pattern(r"(\d+(?:\.\d+)?)\s*([km]?)", re.IGNORECASE)
_FACTORS = {"": 1, "k": 1_000, "m": 1_000_000}
_MAX_DIGITS = 18


class TokenCounter(Protocol):
    """Counts the tokens of a text in one encoding."""

    @property
    def name(self) -> str:
        """The encoding, as a report shows it."""

    def count(self, text: str) -> int:
        """Return the number of tokens of ``text``; never less than a model would see."""


@dataclass(frozen=True, slots=True)
class EncodingCounter:
    """Counts with a byte-pair vocabulary; a special token written in the text counts as the plain text it is."""

    name: str
    _tokenizer: AnyTokenizer = field(repr=False, compare=False)

    def count(self, text: str) -> int:
        """The number of tokens of ``text``; OpenAI's equal tiktoken's ``encode_ordinary``. Linear in its length."""
        try:
            return len(self._tokenizer.encode_ordinary(text))
        except UnicodeEncodeError:  # lone surrogates have no tokens of their own
            return len(self._tokenizer.encode_ordinary(without_surrogates(text)))

    def token(self, number: int) -> bytes:
        """The bytes of a token."""
        return bytes(self._tokenizer.decode_token_bytes(number))


@cache
def counter(encoding: str = DEFAULT_ENCODING, folder: Path | None = None) -> TokenCounter:
    """Return the counter of an encoding, loaded once. Raises UsageError for an unknown encoding.

    With a folder the vocabulary of the default encoding is kept there, and read from there in a tenth of the time.
    """
    if encoding not in ENCODINGS:
        raise UsageError(f"Unknown encoding {encoding!r}.", hint=f"Known encodings: {', '.join(ENCODINGS)}.")
    if folder is None or encoding != DEFAULT_ENCODING:
        return _load(encoding)
    from ctxpack.vocabulary import LineCounter, keep_vocabulary, read_vocabulary

    vocabulary = read_vocabulary(folder)
    if vocabulary is not None:
        return LineCounter(vocabulary, lambda text: _load(encoding).count(text))
    found = _load(encoding)
    keep_vocabulary(folder, found.token)
    return found


@cache
def _load(encoding: str) -> EncodingCounter:
    from splintr import Tokenizer

    return EncodingCounter(encoding, Tokenizer.from_pretrained(encoding))


def parse_budget(text: str) -> int:
    """Tokens from ``8k``, ``1.5k``, ``128K``, ``1M``, ``32000`` or ``32_000``. Raises UsageError for all else."""
    match = _AMOUNT.fullmatch(_without_separators(text.strip()))
    if match is None or len(match[1]) > _MAX_DIGITS or not match.string.isascii():
        raise UsageError(f"The budget {text!r} is not a number of tokens.", hint="Write it as 8k, 32000 or 1M.")
    whole, _, fraction = match[1].partition(".")
    factor = _FACTORS[match[2].lower()]
    tokens = int(whole) * factor + (int(fraction) * factor // 10 ** len(fraction) if fraction else 0)
    if tokens < 1:
        raise UsageError(f"The budget {text!r} holds no token at all.", hint="Give at least some hundred tokens.")
    return tokens


def _without_separators(text: str) -> str:
    return re.sub(r"(?<=\d)(?:_(?=\d)|,(?=\d{3}(?!\d)))", "", text)
