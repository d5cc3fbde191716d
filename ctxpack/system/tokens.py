"""Exact token counts without a network, and budgets as people write them.

splintr has the vocabularies. It takes .2 s to load that of o200k_base and to prepare for the first word of several
tokens. So what it holds is kept in the cache folder once: a table of hashed places, and the tokens one after the other.
It is kept only where its digest is that of the published vocabulary. To lay it out takes another .3 s: the first run of
all lets another interpreter do that while it looks for files, as a program of this module.

With this table a text is counted line by line, and every line once. That is exact: no token holds the end of a line and
something of the next one, unless that is blank or begins with a slash; there the text is not cut. Characters whose
class may differ between versions of Unicode are left to splintr.
"""

from __future__ import annotations

import hashlib
import re
import sys
import zlib
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from ctxpack.errors import UsageError
from ctxpack.light import dataclass, field, lazy_pattern
from ctxpack.system.disk import DamagedError, read_sealed, write_sealed
from ctxpack.text import without_surrogates

if TYPE_CHECKING:
    from subprocess import Popen

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
    vocabulary = read_vocabulary(folder)
    if vocabulary is not None:
        return LineCounter(vocabulary, lambda text: _load(encoding).count(text))
    found = _load(encoding)
    if not _is_laid_out_elsewhere(folder):
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


_PUBLISHED: Final = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""The SHA-256 of its published file: a line for each token, in base 64, and its rank."""
_LAID_OUT: Final = "fea6c897ac32b5ba90b6d4364fecdddae7b409352d2eda21920e6405c5d5c018"
"""The SHA-256 of the table of these very tokens, where the lowest byte of a number comes first."""
_SIZE: Final = 199_998

_PLACES: Final = 1 << 19  # in the table: two and a half for each token
_NOWHERE: Final = 1 << 30  # the rank of what is no token


class TokenRanks(dict[bytes, int]):
    """The rank of every token, looked up in the table once; what is none has the rank ``_NOWHERE``."""

    def __init__(self, data: bytes) -> None:
        """Take what ``table_of`` made. Raises DamagedError for anything else."""
        super().__init__()
        view, integer = memoryview(data), array("I").itemsize
        ends = integer * (_PLACES + _SIZE + 1)
        if integer != 4 or len(data) < ends:  # noqa: PLR2004 - bytes of each number in the table
            raise DamagedError(DEFAULT_ENCODING)
        self._places = view[: integer * _PLACES].cast("I")
        self._starts = view[integer * _PLACES : ends].cast("I")
        self._data, self._first = data, ends

    def __missing__(self, token: bytes) -> int:
        at = zlib.crc32(token) % _PLACES
        rank = _NOWHERE
        while number := self._places[at]:
            start, end = self._starts[number - 1], self._starts[number]
            if self._data[self._first + start : self._first + end] == token:
                rank = number - 1
                break
            at = (at + 1) % _PLACES
        self[token] = rank
        return rank


def table_of(tokens: Sequence[bytes]) -> bytes:
    """Lay out the tokens, in the order of their ranks, for ``TokenRanks``."""
    places = array("I", bytes(array("I").itemsize * _PLACES))
    starts = array("I", [0])
    for number, token in enumerate(tokens, 1):
        at = zlib.crc32(token) % _PLACES
        while places[at]:
            at = (at + 1) % _PLACES
        places[at] = number
        starts.append(starts[-1] + len(token))
    return places.tobytes() + starts.tobytes() + b"".join(tokens)


def is_published(tokens: Sequence[bytes]) -> bool:
    """Whether these are the tokens of the published vocabulary, in the order of their ranks."""
    import base64

    lines = (base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))
    return hashlib.sha256(b"".join(lines)).hexdigest() == _PUBLISHED


def read_vocabulary(folder: Path) -> TokenRanks | None:
    """Read the table that is kept in a folder, if there is one and it is not damaged."""
    try:
        return TokenRanks(read_sealed(_place(folder)))
    except (OSError, DamagedError):  # it is laid out again
        return None


def keep_vocabulary(folder: Path, token_of: Callable[[int], bytes]) -> None:
    """Keep the table in a folder; ``token_of`` gives the token of a rank. Does nothing where no file can be written."""
    table = _published_table(token_of)
    if table is None:
        return
    with suppress(OSError):  # the next run lays it out again
        folder.mkdir(parents=True, exist_ok=True)
        write_sealed(_place(folder), table)


@lru_cache(maxsize=1)  # a quarter of a second: who evaluates, or packs for several caches, has more than one folder
def _published_table(token_of: Callable[[int], bytes]) -> bytes | None:
    """Lay out all tokens; None where they are not those of the published vocabulary."""
    tokens = [token_of(rank) for rank in range(_SIZE)]
    table = table_of(tokens)
    is_known = hashlib.sha256(table).hexdigest() == _LAID_OUT  # else all has to be written as it is published
    return table if is_known or is_published(tokens) else None


def prepare_vocabulary(folder: Path) -> None:
    """Let another interpreter keep the table in a folder, if none is there and this one has not laid it out yet."""
    known = _interpreters.get(folder)
    is_at_it = known is not None and known.poll() is None
    if is_at_it or "splintr" in sys.modules or not sys.executable or _place(folder).exists():
        return
    from ctxpack.system.commands import start_interpreter

    with suppress(OSError):  # it is laid out here
        _interpreters[folder] = start_interpreter("ctxpack.system.tokens", str(folder))


_interpreters: Final[dict[Path, Popen[bytes]]] = {}
"""Those that lay out the table, by the folder in which they keep it."""


def _is_laid_out_elsewhere(folder: Path) -> bool:
    """Whether another interpreter is at it, or has done it."""
    process = _interpreters.get(folder)
    return process is not None and process.poll() in {None, 0}


def _place(folder: Path) -> Path:
    return folder / f"{DEFAULT_ENCODING}.1.bin"


_CUT: Final = lazy_pattern(r"\n(?=[ \t]+[!-~\w]|[!-.0-~\w])")
"""The ends of lines after which the next one holds something, which is no slash at its beginning."""

_BLOCKS: Final = ((0x100, 0x250), (0x386, 0x530), (0x1E00, 0x1F00))  # of Latin, Greek, Cyrillic; as in Vietnamese
_EXTENDED: Final = "".join(chr(code) for first, end in _BLOCKS for code in range(first, end))
_SAME: Final = "一-龥ぁ-ゖァ-ヺー"  # neither upper nor lower case, which counts as both
_UPPER: Final = f"A-ZÀ-ÖØ-ÞΑ-ΡΣ-ΩА-ЯЁІЇЄҐ{''.join(filter(str.isupper, _EXTENDED))}{_SAME}"
_LOWER: Final = f"a-zß-öø-ÿα-ωа-яёіїєґ{''.join(filter(str.islower, _EXTENDED))}{_SAME}"
_ENDINGS: Final = r"(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?"
_OTHERS: Final = "«»·×÷§©®°±¡¿¶–—‘’“”„…•‹›№™₠-₿←-⋿⌀-⏿─-❵➔-➿🌀-🛿🤀-🧿、。「」『』（）：，！？；"  # no letters, no digits
_MARKED: Final = lazy_pattern(rf"[\n\r\t -~{_OTHERS}]*")
_BLANK: Final = r"\t\n\x0b\x0c\r \xa0"
_KNOWN: Final = lazy_pattern(rf"[\n\r\t -~\xa0{_UPPER}{_LOWER}{_OTHERS}]*")


def _words(upper: str, lower: str) -> re.Pattern[str]:
    """Return the pattern of o200k_base for texts with no other letters than these, and with digits of ASCII.

    Its parts are words in lower case, words in upper case, numbers, marks, ends of lines, blanks.
    """
    letter, blank = rf"{upper}{lower}", _BLANK
    return lazy_pattern(
        rf"[^\r\n0-9{letter}]?[{upper}]*[{lower}]+{_ENDINGS}|[^\r\n0-9{letter}]?[{upper}]+[{lower}]*{_ENDINGS}"
        rf"|[0-9]{{1,3}}| ?[^{blank}0-9{letter}]+[\r\n/]*|[{blank}]*[\r\n]+|[{blank}]+(?![^{blank}])|[{blank}]+"
    )


_ASCII_WORDS: Final = _words("A-Z", "a-z")
_KNOWN_WORDS: Final = _words(_UPPER, _LOWER)
_LONGEST: Final = 300  # bytes of a word that is put together here, which takes the square of its length
_REMEMBERED: Final = 100_000  # lines


class LineCounter:
    """Counts with a vocabulary, every line once; ``exact`` counts what the vocabulary is not enough for."""

    name: Final = DEFAULT_ENCODING

    def __init__(self, vocabulary: TokenRanks, exact: Callable[[str], int]) -> None:
        self._exact = exact
        self._vocabulary = vocabulary
        self._lines = _Remembered(lambda line: self._count_part(f"{line}\n"))
        self._words = _Remembered(self._count_word)

    def count(self, text: str) -> int:
        """The number of tokens of ``text``, as ``EncodingCounter`` counts it."""
        if len(self._lines) > _REMEMBERED:
            self._lines.clear()
            self._words.clear()
        *lines, last = _CUT.split(text)
        return sum(map(self._lines.__getitem__, lines)) + self._count_part(last)

    def _count_part(self, part: str) -> int:
        if part.isascii() or _MARKED.fullmatch(part):
            words = _ASCII_WORDS.findall(part)
        elif _KNOWN.fullmatch(part):
            words = _KNOWN_WORDS.findall(part)
        else:
            return self._exact(part)
        try:
            return sum(map(self._words.__getitem__, words))
        except _TooLongError:  # counted exactly
            return self._exact(part)

    def _count_word(self, word: str) -> int:
        data = word.encode()
        if self._vocabulary[data] != _NOWHERE:
            return 1
        if len(data) > _LONGEST:
            raise _TooLongError
        return count_merged(data, self._vocabulary)


class _TooLongError(Exception):
    """A word is too long to be put together here."""


class _Remembered(dict[str, int]):
    """What a function gives for a text, worked out once."""

    def __init__(self, work_out: Callable[[str], int]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, text: str) -> int:
        found = self[text] = self._work_out(text)
        return found


def count_merged(word: bytes, ranks: TokenRanks) -> int:
    """Put a word together from its bytes, the pair of the lowest rank first, and count the tokens that remain."""
    parts = [word[at : at + 1] for at in range(len(word))]
    pairs = [ranks[word[at : at + 2]] for at in range(len(word) - 1)]
    while pairs and (lowest := min(pairs)) != _NOWHERE:
        at = pairs.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del pairs[at]
        if at:
            pairs[at - 1] = ranks[parts[at - 1] + parts[at]]
        if at < len(pairs):
            pairs[at] = ranks[parts[at] + parts[at + 1]]
    return len(parts)


if __name__ == "__main__":
    counter(DEFAULT_ENCODING, Path(sys.argv[1]))
