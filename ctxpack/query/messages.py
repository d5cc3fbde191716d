"""Words of a request that are not its topic, or that code has others for.

They are what only tells what to do or to deliver, some turns of speech, and the messages of runtimes and compilers.
Phrases of people are in ``cues.txt`` and ``phrases.tsv``, what programs say is here. The text is taken through the
functions in this order: ``without_wish``, ``without_idle_words``, ``as_code_says``, ``condense_messages``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from ctxpack.light import lazy_pattern
from ctxpack.query.dictionary import cue_lines, cue_pattern, read_rows, thesaurus
from ctxpack.query.subtokens import STOPWORDS, raw_words

# --- what is no topic -------------------------------------------------------------------------------------------------

_WISH: Final = cue_pattern("wish")
_TEXT_ON: Final = cue_pattern("text on")
_WITH_TESTS: Final = cue_pattern("with tests")
_CONSTRAINTS: Final = cue_pattern("constraint")
_UNCHANGED: Final = cue_pattern("unchanged")
_IDLE: Final = cue_pattern("idle")
_TO_RUN: Final = cue_pattern("to run")
_COPIES: Final = cue_pattern("copies")
_INTO_ONE: Final = cue_pattern("into one")


def without_wish(text: str) -> str:
    """The text of a request without what only tells what to do with the rest, what to deliver, and what to keep.

    Where nothing else is said, the text itself.
    """
    rest = _WISH.sub(r"\g<before>", _TEXT_ON.sub(r"\g<before>", text))
    rest = _CONSTRAINTS.sub("", _WITH_TESTS.sub("", rest))
    rest = _UNCHANGED.sub(lambda match: match["also"] or "", rest)
    rest = _INTO_ONE.sub(" ", _COPIES.sub(r" \g<whose>\g<what>", rest)) if speaks_of_copies(rest) else rest
    return rest if any(word.lower() not in STOPWORDS for word in raw_words(rest)) else text


def speaks_of_copies(text: str) -> bool:
    """Whether a text is about code that is there several times: then what looks alike is what is wanted."""
    return bool(_COPIES.search(text))


def without_idle_words(text: str, *, to_contribute: bool = False) -> str:
    """The text of a request without words that only belong to its manner.

    Of whoever wants to contribute "have to run" becomes "run tests lint", and a PR is a pull request, as guides call
    it. Where nothing else is said, the text itself.
    """
    if to_contribute:
        text = re.sub(r"(?i)\bPR\b", "pull request", _TO_RUN.sub("run tests lint", text))
    rest = _IDLE.sub(lambda match: next(filter(None, match.groupdict().values()), " "), text)
    return rest if any(word.lower() not in STOPWORDS for word in raw_words(rest)) else text


# --- words that code has others for -----------------------------------------------------------------------------------

_SHORT: Final = 12  # words of a request
_THROWN_AWAY: Final = cue_pattern("thrown away")
_ONE_SENTENCE: Final = 20  # words: in a longer request it is told in passing
_STATUSES: Final[Mapping[str, str]] = {  # of HTTP, as code names them; 300, 400 and 500 say little
    "301": "redirect", "302": "redirect", "303": "redirect", "307": "redirect", "308": "redirect",
    "304": "not modified", "401": "unauthorized", "403": "forbidden", "404": "not found",
    "405": "method not allowed", "406": "not acceptable", "408": "request timeout", "409": "conflict", "410": "gone",
    "411": "length required", "412": "precondition failed", "413": "payload too large",
    "415": "unsupported media type", "416": "range not satisfiable", "422": "unprocessable entity",
    "426": "upgrade required", "428": "precondition required", "429": "too many requests",
    "431": "header fields too large", "501": "not implemented", "502": "bad gateway", "503": "service unavailable",
    "504": "gateway timeout",
}  # fmt: skip
_STATUS: Final = cue_pattern("status")


def as_code_says(text: str) -> str:
    """The text with the words that code has for some turns of speech: ``timeout`` for "takes too long".

    More of them are added to a short text than to a long one, which has other words to find its places by. A status
    of HTTP gets its name: "method not allowed" for 405.
    """
    words = len(text.split())
    for pattern, name in _sayings():
        text = pattern.sub(name, text)
    if words <= _ONE_SENTENCE:
        text = _THROWN_AWAY.sub(r"\g<what>discard", text)  # and no error
    if words <= _SHORT:
        text = _with_turns_of_speech(text)
    return _STATUS.sub(_with_name, text)


@cache
def _sayings() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What people say, and what stands there instead."""
    pairs = (line.split(" => ") for line in cue_lines("as code says"))
    return tuple((lazy_pattern(pattern, re.IGNORECASE), name) for pattern, name in pairs)


def _with_turns_of_speech(text: str) -> str:
    for turn in reversed(turns_of_speech(text)):
        text = text[: turn.end] + "".join(f" {name}" for name in turn.names) + text[turn.end :]
    return text


def _with_name(match: re.Match[str]) -> str:
    names = (_STATUSES.get(each, "") for each in re.findall(r"\d{3}", match["given"] or match["named"]))
    return " ".join((match[0], *filter(None, names)))


_TOKEN: Final = lazy_pattern(r"\w+(?:['\u2019]\w+)*|[^\w\s-]")  # a hyphen parts words as a space does
_ANY: Final = "_"  # in a phrase: any one word
_GAP: Final = ".."  # in a phrase: up to three words, or none
_WIDEST_GAP: Final = 3
_KEY: Final = 3  # letters of a word that is written with a star: those before it, at least


class TurnOfSpeech(NamedTuple):
    """A phrase in a text: where it stands, and the words that code has for it."""

    start: int
    end: int
    names: tuple[str, ...]


@lru_cache(maxsize=64)
def turns_of_speech(text: str) -> tuple[TurnOfSpeech, ...]:
    """The phrases of the built-in table in a text, in their order; of several at a place the longest."""
    found: list[TurnOfSpeech] = []
    tokens = list(_TOKEN.finditer(text))
    said = [token[0].lower().replace("\u2019", "'") for token in tokens]
    at = 0
    while at < len(said):
        ends = [(_end_of(phrase.split(" ")[1:], said, at + 1), number) for number, phrase in _phrases_from(said[at])]
        end, number = max(ends, default=(0, 0), key=lambda each: each[0])
        if end:
            found.append(TurnOfSpeech(tokens[at].start(), tokens[end - 1].end(), _names_of_phrase(number)))
        at = max(end, at + 1)
    return tuple(found)


def _end_of(phrase: Sequence[str], said: Sequence[str], at: int) -> int:
    """Where a phrase ends that begins at a word; 0 where another one stands there."""
    if not phrase:
        return at
    first, rest = phrase[0], phrase[1:]
    if first == _GAP:
        return _end_behind_gap(rest, said, at)
    end = _end_of(rest, said, at + 1) if at < len(said) and _is_meant(first.strip("()"), said[at]) else 0
    return end or (_end_of(rest, said, at) if first.startswith("(") else 0)


def _end_behind_gap(rest: Sequence[str], said: Sequence[str], at: int) -> int:
    """Where the rest of a phrase ends that begins at a word or a few words later in the same sentence."""
    for start in range(at, min(at + _WIDEST_GAP, len(said) - 1) + 1):
        if end := _end_of(rest, said, start):
            return end
        if not said[start][0].isalnum():
            break
    return 0


def _is_meant(written: str, word: str) -> bool:
    """Whether a word is one of those that a phrase has at a place."""
    choices = written.split("/")
    if word in choices:
        return True
    if written == _ANY:
        return word[0].isalnum()
    return "*" in written and any(each[-1] == "*" and word.startswith(each[:-1]) for each in choices)


@lru_cache(maxsize=4_096)
def _phrases_from(word: str) -> Sequence[tuple[int, str]]:
    """The numbers of the phrases that a word may begin, and the phrases."""
    table, key = _table(), f"/{word}/"
    found = [number for number in table.others.get(word[:_KEY], ()) if _is_meant(table.firsts[number], word)]
    at = table.text.find(key)
    while at >= 0:
        found.append(bisect_right(table.lines, at) - 1)
        at = table.text.find(key, at + 1)
    return [(number, table.phrases[number]) for number in found]


def _names_of_phrase(number: int) -> tuple[str, ...]:
    """What code says instead of a phrase."""
    table = _table()
    return tuple(table.rows[bisect_right(table.starts, number) - 1].partition("\t")[2].split())


class _Table(NamedTuple):
    """The phrases by their number.

    ``firsts`` are the words that each may begin with. Those in ASCII stand in ``text`` as well, each between slashes,
    and a line of its own for each phrase: to look for a word there takes less time than to make an entry for each word.
    ``lines`` are where these lines start. ``others`` are the numbers of phrases that begin with a star or in Russian,
    by their first letters; ``starts`` the numbers of the first phrases of ``rows``.
    """

    phrases: Sequence[str]
    firsts: Sequence[str]
    text: str
    lines: Sequence[int]
    others: Mapping[str, Sequence[int]]
    starts: Sequence[int]
    rows: Sequence[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    rows = read_rows("phrases.tsv")
    phrases: list[str] = []
    starts: list[int] = []
    for row in rows:
        starts.append(len(phrases))
        phrases += row.partition("\t")[0].split(" | ")
    firsts = [phrase.partition(" ")[0] for phrase in phrases]
    plain = ["" if "*" in first or not first.isascii() else first for first in firsts]
    others: dict[str, list[int]] = {}
    for number, first in enumerate(plain):
        if not first:
            for word in firsts[number].split("/"):
                others.setdefault(word[:_KEY], []).append(number)
    lines = [*accumulate((len(first) + 3 for first in plain), initial=2)]
    return _Table(phrases, firsts, "/\n/".join(("", *plain, "")), lines, others, starts, rows)


_NEGATED: Final = cue_pattern("negation")
_OPPOSITE = frozenset(
    """
    accurate active bound compatible complete consistent correct direct equal exact finite known legal mutable official
    proper readable reachable regular related required resolved safe sensitive set stable supported trusted typed used
    valid visible
    """.split()  # noqa: SIM905 -- a table of words
)


def opposites(text: str) -> Iterator[tuple[str, str, str]]:
    """What a text negates: the word, the phrase, and a word that may say the same: ``unknown`` for "not known"."""
    for match in _NEGATED.finditer(text.lower()):
        for form in _participles(match["word"]):
            yield from ((match["word"], match[0], term) for term in _opposite_of(form))


def _participles(word: str) -> tuple[str, ...]:
    """The word, and what may be its participle: know, known; use, used; reach, reachable."""
    base = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    stem = base.removesuffix("ed").removesuffix("e")
    return tuple(dict.fromkeys((base, f"{base}n", f"{stem}ed", f"{stem}able", *thesaurus().irregular.get(base, ()))))


def _opposite_of(form: str) -> tuple[str, ...]:
    """Words that mean that something is not so; of participles and adjectives alone, for ``undo`` is not "not do"."""
    is_participle = form.endswith(("ed", "en", "own", "able", "ible")) or form in _OPPOSITE
    return tuple(f"{prefix}{form}" for prefix in ("un", "in", "im", "ir", "il", "non")) if is_participle else ()


# --- messages of runtimes and compilers -------------------------------------------------------------------------------

_VALUE: Final = r"[`'\"‘’“]([^`'\"‘’“”\n]{1,80})[`'\"‘’”]"  # a name or text that the message quotes
_NAME: Final = r"(?<![\w.$])([\w.$]{1,80}+)"  # one that it does not quote
_HEAD: Final = (  # errors that only their message tells apart
    r"(?:\b(?:Import|ModuleNotFound|Attribute|Type|Name|UnboundLocal|Index|Recursion|Reference|NoMethod)Error: )?"
)
_NOTHING: Final = frozenset({"nonetype", "none", "nilclass", "nil", "undefined", "null"})

# Their words ("cannot import name", "object has no attribute") are those of the language: in a repository they find
# whatever happens to use them, and fill a pack with it. On 299 tasks no needed place is lost by leaving them out.
_PYTHON: Final = (
    rf"cannot import name {_VALUE}(?: from(?: partially initialized module)? {_VALUE})?",
    r"\(most likely due to a circular import\)|attempted relative import with no known parent package",
    rf"No module named {_VALUE}",
    rf"(?:type object |module )?{_VALUE}(?: object)? has no attribute {_VALUE}",
    rf"name {_VALUE} is not defined",
    rf"local variable {_VALUE} referenced before assignment",
    rf"cannot access local variable {_VALUE} where it is not associated with a value",
    rf"{_VALUE} object is not (?:callable|iterable|subscriptable|an iterator|reversible|awaitable)",
    rf"{_VALUE} object does not support (?:item \w+|the (?:asynchronous )?context manager protocol)",
    rf"{_VALUE} object (?:cannot be interpreted as an integer|can't be used in 'await' expression)",
    rf"[Oo]bject of type {_VALUE} (?:has no len\(\)|is not JSON serializable)",
    r"Object of type (\w{1,80}) is not JSON serializable",
    rf"argument of type {_VALUE} is not (?:iterable|a container or iterable)",
    rf"unhashable type: {_VALUE}",
    r"cannot unpack non-iterable (\w{1,80}) object",
    r"(?:not enough|too many) values to unpack(?: \(expected \d+(?:, got \d+)?\))?",
    rf"can(?:not|'t) pickle {_VALUE} object",
    rf"unsupported operand type\(s\) for [^\s:]{{1,20}}: {_VALUE} and {_VALUE}",
    rf"{_VALUE} not supported between instances of {_VALUE} and {_VALUE}",
    rf"can only concatenate \w+ \(not {_VALUE}\) to \w+",
    rf"{_NAME}\(\) takes (?:from |at \w+ )?\d+(?: to \d+)? (?:positional )?arguments?(?: but \d+ \w+ given)?",
    rf"{_NAME}\(\) missing \d+ required (?:positional|keyword-only) arguments?: {_VALUE}(?:,? and {_VALUE})?",
    rf"{_NAME}\(\) got (?:an unexpected keyword|multiple values for(?: keyword)?) argument {_VALUE}",
    rf"expected (?:str|string|bytes|a string)[\w ,.-]{{0,40}}? (?:object|instance|object, got|not) {_VALUE}",
    rf"expected string or bytes-like object(?:, got {_VALUE})?",
    r"(?:list|string|tuple|pop|range object) index out of range|embedded null (?:byte|character)|division by zero",
    r"maximum recursion depth exceeded(?: while calling a Python object| in comparison)?",
    r"dictionary changed size during iteration|generator already executing|No active exception to re-?raise",
    rf"invalid literal for int\(\) with base \d+: {_VALUE}|could not convert string to float: {_VALUE}",
    rf"{_VALUE} codec can't (?:de|en)code (?:byte|character)s?(?: \S{{1,20}})? in position \d+(?:-\d+)?",
    r": invalid (?:start|continuation) byte|: ordinal not in range\(\d+\)|: unexpected end of data",
    rf"Can't instantiate abstract class (\w{{1,80}}) (?:with|without an implementation for) abstract methods? {_VALUE}",
)
_SCRIPTS: Final = (  # JavaScript, TypeScript, Ruby, PHP
    rf"Cannot (?:read|set) propert(?:y|ies) of (?:undefined|null)(?: \((?:reading|setting) {_VALUE}\))?",
    rf"Cannot (?:read|set) property {_VALUE} of (?:undefined|null)",
    rf"{_NAME} is not (?:a (?:function|constructor)|iterable)\b",
    rf"{_NAME} is not defined(?=\W*$)",
    rf"Cannot find (?:module|package|name) {_VALUE}|Cannot access {_VALUE} before initialization",
    r"Assignment to constant variable|Maximum call stack size exceeded|Converting circular structure to JSON",
    rf"Property {_VALUE} does not exist on type {_VALUE}",
    rf"(?:Argument of type|Type) {_VALUE} is not assignable to (?:parameter of )?type {_VALUE}",
    rf"undefined (?:local variable or )?method {_VALUE} for (?:an instance of |class )?(?:#<|nil:)?([\w:]{{1,80}})",
    rf"uninitialized constant {_NAME}|private method {_VALUE} called for",
    r"wrong number of arguments \(given \d+, expected [\d.+]{1,10}\)",
    r"Call to (?:undefined (?:method|function) |a member function )([\w:\\]{1,80})\(\)(?: on \w+)?",
    rf"Undefined (?:array key|index|offset|property|variable):? (?:{_VALUE}|\$(\w{{1,80}}))",
)
_COMPILED: Final = (  # Go, Rust, Java, C#
    r"invalid memory address or nil pointer dereference|assignment to entry in nil map",
    r"index out of range \[\d+\] with length \d+|slice bounds out of range \[[\d:]{1,20}\](?: with capacity \d+)?",
    r"all goroutines are asleep - deadlock!?|declared and not used: (\w{1,80})",
    r"called `(?:Option|Result)::(?:unwrap|expect)(?:_err)?\(\)` on an? `\w+` value",
    r"index out of bounds: the len is \d+ but the index is \d+|attempt to \w+ with overflow",
    rf"cannot find (?:type|value|function|macro|struct, variant or union type) {_VALUE} in this scope",
    rf"cannot borrow {_VALUE} as (?:im)?mutable(?: because it is also borrowed as (?:im)?mutable)?",
    r"Cannot invoke \"([^\"\n]{1,120})\" because (?:the return value of )?\"([^\"\n]{1,120})\" is null",
    r"Index -?\d+ out of bounds for length \d+|Value cannot be null\. \(Parameter '(\w{1,80})'\)",
    (
        r"(?:\w{1,60}Exception: )?(?:Object reference not set to an instance of an object"
        r"|Sequence contains no (?:matching )?elements?"
        r"|Collection was modified; enumeration operation may not execute)\.?"
    ),
    (
        r"(?:Specified cast is not valid|Input string was not in a correct format"
        r"|Index was (?:out of range|outside the bounds of the array)"
        rf"|The given key {_VALUE} was not present in the dictionary)\.?"
    ),
)
_SIGN: Final = (  # no message is without one of these
    " not ", "can't ", "cannot ", " no ", " index ", "unhashable", "undefined", "unsupported", "uninitialized",
    "unexpected", "invalid", "missing", "expected", " out of ", "too many", "maximum", "exceeded", "takes ",
    "division", "changed size", "embedded", "circular", "got multiple", "already", "nil ", "private", "wrong number",
    "call to ", "deadlock", "declared", "overflow", "called `", "constant", "relative import", "before assignment",
)  # fmt: skip


_MESSAGE: Final = lazy_pattern(
    f"{_HEAD}(?:{'|'.join(f'(?:{each})' for each in (*_PYTHON, *_SCRIPTS, *_COMPILED))})", re.IGNORECASE
)


# What every crash of a language begins with. At the start of a line ``goroutine`` begins a stack, and ``panicked at``
# is a part of a frame.
_CRASH: Final = lazy_pattern(
    r"\bpanic: (?:runtime error: )?|\bruntime error: (?=index out|slice|invalid memory|integer)"
    r"|\[signal SIG[^\]\n]{0,200}\]"
    r"|(?<=\S )goroutine \d{1,9} \[[^\]\n]{1,60}\]:?|\bException in thread \"[^\"\n]{1,80}\" ?"
    r"|\bthread '[^'\n]{1,80}' (?:\(\d{1,9}\) )?(?=panicked at)|\bnote: run with `RUST_BACKTRACE=\w{1,4}`[^\n]{0,80}"
    r"|\bUncaught (?:\(in promise\) ?)?(?=(?:[\w.]{0,60}(?:Error|Exception)\b))"
    r"|\bUnhandledPromiseRejection(?:Warning)?: "
    r"|\bUnhandled (?:Runtime Error\b|Promise Rejection:? |exception[.:] (?=[A-Z]))"
    r"|\b(?:PHP )?Fatal error: {1,2}(?=Uncaught )|\bInternal Server Error: (?=/)"
    r"|(?<=\w): (?:fatal )?(?:error|fatal|warning)(?: \([^()\n]{1,60}\))?(?=: )"
    r"|(?m:^ *(?:\d{1,3}: (?:0x[0-9a-f]{1,16} - )?(?:core|std|alloc)::[^\n]{0,200}|stack backtrace:)$)"
)
# ``java.lang`` is in every file; so is the name of the most general errors.
_OF_PLATFORM: Final = lazy_pattern(
    r"(?<![\w.])(?:java|javax|jdk|kotlin|scala|groovy|System)\.(?:\w{1,60}\.){0,6}"
    r"(?P<name>\w{0,60}(?:Exception|Error|Throwable))\b(?=:|\s|$)"
)
_GENERAL: Final = frozenset({"Exception", "Error", "Throwable", "RuntimeException"})


def condense_messages(text: str) -> str:
    """The text with each message of a runtime or compiler reduced to the names that it quotes, in backticks.

    What any crash begins with is left out, and the errors of a platform lose their package. Where nothing but a message
    is left, and it names nothing, the text is given back as it is.
    """
    lower = text.lower()
    condensed = _CRASH.sub("", text)
    condensed = _OF_PLATFORM.sub(lambda match: "" if match["name"] in _GENERAL else match["name"], condensed)
    if any(sign in lower for sign in _SIGN):
        condensed = _MESSAGE.sub(_names, condensed)
    return condensed if raw_words(condensed) else text


def _names(match: re.Match[str]) -> str:
    return " ".join(f"`{each}`" for each in match.groups() if each and each.lower() not in _NOTHING) or " "
