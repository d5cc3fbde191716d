"""A request's text becomes a Query: weighted terms by part, identifiers, mentions, phrases, shape and intent.

Its aims, of which it can have several, and its one intent are told by the cue phrases in ``cues.txt``. The intent and
how much is asked for at once choose some defaults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Final

from ctxpack.light import TextEnum, dataclass, field, lazy_pattern, replace
from ctxpack.model import Complexity, Expansion, Intent, Lane, Mention, Part, Query, Request, Scope, Shape
from ctxpack.query.dictionary import LANGUAGES, cue_pattern, is_cyrillic
from ctxpack.query.mentions import condense_frames, find_mentions, without_foreign_frames, without_frames
from ctxpack.query.messages import (
    as_code_says,
    condense_messages,
    speaks_of_copies,
    without_idle_words,
    without_wish,
)
from ctxpack.query.parts import is_headed, lighter_words, split_parts, weigh_words, without_purpose
from ctxpack.query.precedents import is_message, version_to_change, without_new_name
from ctxpack.query.subtokens import (
    MIN_PART,
    STOPWORDS,
    is_identifier,
    noise_of,
    options_of,
    raw_words,
    spell_numbers,
)


class Aim(TextEnum):
    """A purpose that decides which kinds of places answer. Finer than an intent, and several may hold at once."""

    HOW_TO = "how_to"  # a document's section, its example, the function to call
    EXPLAIN = "explain"  # documents tell it, code shows it
    WHERE = "where"  # the body that decides
    ONBOARD = "onboard"  # how one builds, tests and contributes
    REVIEW = "review"  # what the text names, who uses it, its tests
    CHANGE = "change"  # the places to change and their tests
    EVERYWHERE = "everywhere"  # each place that speaks of a thing, whatever its kind
    PIPELINE = "pipeline"  # the text speaks of builds, packages, checks
    CHECKS = "checks"  # the text speaks of what continuous integration runs
    RECORD = "record"  # the text speaks of releases and what they changed


_PATTERNS: Final[Mapping[Aim, re.Pattern[str]]] = {
    Aim.HOW_TO: cue_pattern("aim: how to"),
    Aim.EXPLAIN: cue_pattern("aim: explain"),
    Aim.WHERE: cue_pattern("aim: where"),
    Aim.ONBOARD: cue_pattern("aim: onboard"),
    Aim.REVIEW: cue_pattern("aim: review"),
    Aim.CHANGE: cue_pattern("aim: change"),
    Aim.EVERYWHERE: cue_pattern("aim: everywhere"),
    Aim.PIPELINE: cue_pattern("aim: pipeline"),
    Aim.CHECKS: cue_pattern("aim: checks"),
    Aim.RECORD: cue_pattern("aim: record"),
}
"""The aims by their phrases: each that is found holds, save where what follows says otherwise."""
_HOW_TO_ADD: Final = cue_pattern("how to add")
_WHETHER: Final = cue_pattern("whether there is one")
_NEWCOMER: Final = cue_pattern("newcomer")
_TO_PREPARE: Final = cue_pattern("to prepare")
_TO_READ_CODE: Final = cue_pattern("to read code")
_TO_BEGIN: Final = cue_pattern("where to begin")
_TO_SEND: Final = cue_pattern("before one is sent")
_TO_REVIEW: Final = cue_pattern("order to review")
_ONE_TEST: Final = lazy_pattern(r"\btest (?:functions?|classes)\b", re.IGNORECASE)
# A product may be called after a tool, and where a file lies tells nothing of what is asked.
_ADDRESS: Final = lazy_pattern(
    r"\b[a-z][a-z+.-]{0,20}+://[^\s)>\]\"'`]+|(?<![\w./@-])[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}/[^\s()\"'`]+",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def aims_of(text: str) -> frozenset[Aim]:
    """The aims of a request, by its words alone."""
    framed = without_frames(text)
    wanted = _ADDRESS.sub(" ", without_purpose(framed))
    said = _WHETHER.sub(" ", wanted)  # "does it support parcels" wants no support added
    found = frozenset(aim for aim, pattern in _PATTERNS.items() if pattern.search(said))
    if _HOW_TO_ADD.search(said):
        found -= {Aim.HOW_TO}  # what is new in this repository is a change of it, and no use of it
    found -= {Aim.RECORD} if framed != text else frozenset()  # frames of an error after an upgrade tell where it is
    question, _, rest = said.replace("\n", "?").partition("?") if asks_whether(framed) else ("", "", said)
    if question and not _PATTERNS[Aim.CHANGE].search(rest):
        found -= {Aim.CHANGE}  # "is there a box that can extend?"
    if Aim.ONBOARD not in found:
        return found
    if _TO_READ_CODE.search(_ONE_TEST.sub(" ", text)) or _TO_REVIEW.search(text):
        return found - {Aim.ONBOARD}
    told = _NEWCOMER.sub(" ", _TO_BEGIN.sub(" ", text) if Aim.CHANGE in found else text)
    is_to_prepare = _TO_PREPARE.search(text) or _PATTERNS[Aim.ONBOARD].search(told)
    if not is_to_prepare:
        return found - {Aim.ONBOARD}
    return found - {Aim.REVIEW} if _TO_SEND.search(text) else found


def asks_whether(text: str) -> bool:
    """Whether a request begins by asking if there is something at all: "does it support parcels"."""
    return bool(_WHETHER.match(text.strip()))


_PREPARING: Final = cue_pattern("word of preparing")


def prepares_only(text: str) -> bool:
    """Whether a request to build, run, test or contribute names nothing in particular that this is to be done with."""
    return all(word.lower() in STOPWORDS or _PREPARING.fullmatch(word) for word in raw_words(text))


_QUESTION_WORDS: Final = 16  # a request of at most this many words on one line is a question, not an issue
_SYMBOL = lazy_pattern(r"[\w$]+(?:(?:\.|::|->|#|/)[\w$]+)*(?:\(\))?")

_INTENTS: Final[tuple[tuple[Intent, re.Pattern[str]], ...]] = (
    (Intent.REVIEW, cue_pattern("intent: review")),
    (Intent.TROUBLESHOOT, cue_pattern("intent: troubleshoot")),
    (Intent.CHANGE, cue_pattern("intent: change told first")),
    (Intent.EXPLAIN, cue_pattern("intent: explain")),
    (Intent.CHANGE, cue_pattern("intent: change")),
)
"""The intents by their phrases: the first that is found holds; without any it is a look-up."""


def query_of_text(text: str, named: Callable[[str], Iterable[str]] | None = None) -> Query:
    """The query of a request's text, from the text alone; expansions are added where a vocabulary is at hand.

    ``named`` gives the paths of a repository whose last part is a name: frames of other files are left out.
    """
    own = without_foreign_frames(text, named) if named else text
    shape = _shape(text)
    wanted = without_wish(without_new_name(own, is_change=Aim.CHANGE in aims_of(text)))
    wanted = without_idle_words(wanted, to_contribute=Aim.ONBOARD in aims_of(wanted))
    wanted = spell_numbers(condense_messages(as_code_says(wanted)))
    parts = ((Part.TITLE, text.strip()),) if shape is Shape.SYMBOL else split_parts(wanted)
    is_short = len(raw_words(text)) <= _QUESTION_WORDS
    noise = frozenset[str]() if shape is Shape.SYMBOL else noise_of(text, is_short=is_short)
    weigh = partial(weigh_words, noise=noise, lighter=lighter_words(text))
    identifiers = _identifiers(parts, every_word=shape is Shape.SYMBOL)
    mentions = find_mentions(wanted)
    has_stack = any(mention.kind == "frame" for mention in mentions)
    intent = next((intent for intent, pattern in _INTENTS if pattern.search(text)), Intent.LOOKUP)
    if intent is not Intent.REVIEW and has_stack:
        intent = Intent.TROUBLESHOOT
    title_text = next((chunk for part, chunk in parts if part is Part.TITLE), "")
    title = weigh(((Part.TITLE, title_text),), whole=False)
    if shape is Shape.ISSUE and not is_headed(text):
        parts, title = tuple((Part.PROSE if part is Part.TITLE else part, chunk) for part, chunk in parts), {}
    parts = tuple((part, condense_frames(chunk, is_of_stack=has_stack)) for part, chunk in parts)
    return Query(
        text=text,
        title_text=title_text,
        shape=shape,
        intent=intent,
        terms=weigh(parts, whole=False),
        title=title,
        words=weigh(parts, whole=True),
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


IDENTIFIER_WEIGHTS: Final[Mapping[Part, float]] = {Part.TITLE: 1, Part.PROSE: 0.8, Part.CODE: 0.5, Part.TRACEBACK: 0.4}
_MARKED = lazy_pattern(r"`([^`\n]{2,80})`|\b([A-Za-z_]\w+)\(")
_SENTENCE = lazy_pattern(r"(?<![a-z])(?:[a-z]{2,30} ){2}[a-z]{2}")  # "#: what this means" is no name
_DOLLAR_NAME = lazy_pattern(r"(?<![\w$])\$[A-Za-z_]\w+")  # part of the name in JavaScript: `store.$patch`
_ENDING_OF_FILE = lazy_pattern(  # of a user's file: "March.pdf" is nothing that code defines
    r"(?<=\w)\.(?:pdf|docx?|xlsx?|pptx?|csv|tsv|zip|rar|7z|t?gz|png|jpe?g|gif|webp|heic|mp[34]|avi|mov|wav|log|bak|tmp)\b"
    r"(?!\()",
    re.IGNORECASE,
)
# A capital within a sentence may be that of a class ("explain the Blueprint class"), not in "Content-Type".
_CAPITALISED = lazy_pattern(
    rf"(?<=[\w,;:)] )(?!(?:{'|'.join(LANGUAGES.values())})\b)[A-Z][a-z]{{2,}}\b(?![\w.]*\w|-[A-Z])"
)
_CAPITALISED_SHARE: Final = 0.6
_IN_SENTENCES: Final = frozenset((Part.TITLE, Part.PROSE))


def _identifiers(parts: Iterable[tuple[Part, str]], *, every_word: bool) -> dict[str, float]:
    """Code-shaped words, words in backticks and called names, with the weight of the best part that has them.

    A word with a capital within a sentence counts for less.

    So are the options of a command line, as code spells them: ``dry_run`` for ``--dry-run``; and names with a dollar.
    """
    found: dict[str, float] = {}
    for part, text in parts:
        for option in options_of(text):
            found[option] = max(found.get(option, 0.0), IDENTIFIER_WEIGHTS[part])
        marks = (_ENDING_OF_FILE.sub(" ", match[1] or match[2]) for match in _MARKED.finditer(text))
        marks = (mark for mark in marks if not _SENTENCE.search(mark))
        marked = {word for mark in marks for word in raw_words(mark)}
        for word in raw_words(text):
            if every_word or ((is_identifier(word) or word in marked) and len(word) > MIN_PART):
                found[word] = max(found.get(word, 0.0), IDENTIFIER_WEIGHTS[part])
        for match in _DOLLAR_NAME.finditer(text):
            found[match[0]] = max(found.get(match[0], 0.0), IDENTIFIER_WEIGHTS[part])
        if part in _IN_SENTENCES:
            for match in (each for each in _CAPITALISED.finditer(text) if each[0].lower() not in STOPWORDS):
                found.setdefault(match[0], _CAPITALISED_SHARE * IDENTIFIER_WEIGHTS[part])
    return dict(sorted(found.items()))


_PHRASE_LENGTH: Final = 3
_MAX_PHRASES: Final = 120


def _phrases(parts: Iterable[tuple[Part, str]]) -> tuple[tuple[str, ...], ...]:
    """Distinct runs of three words in title, prose and traceback with at most one stop word, in order."""
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


def with_translations(
    part: Mapping[str, float], terms: Mapping[str, float], translated: Iterable[Expansion]
) -> Mapping[str, float]:
    """The words of a part of the request with their translations into the language of the code."""
    added: dict[str, float] = {}
    for each in translated:
        parts = each.source.split()
        if all(word in part for word in parts):
            share = each.weight / min(terms[word] for word in parts)
            added[each.term] = max(added.get(each.term, 0.0), share * min(part[word] for word in parts))
    return {**added, **part} if added else part


_FEW: Final = 6  # words: a topic. What is longer and no question tells of an event, and that has causes elsewhere
# Of 109 requests about documents the longest tenth has 80 words or more: these tell of several things.
_LONG: Final = 80  # words
_PARAGRAPHS: Final = 4  # a title and three more: each usually has a matter of its own
_PLACES: Final = 3  # paths, names or frames that the request points at


def complexity_of(
    text: str, shape: Shape, intent: Intent, mentions: Iterable[Mention], identifiers: Iterable[str]
) -> Complexity:
    """Simple: a symbol, a topic or a short question about one thing. Complex: long, in parts, or many places."""
    places, words = {mention.text for mention in mentions}, len(text.split())
    is_brief = words <= _FEW or intent is Intent.EXPLAIN or text.rstrip().endswith("?")
    if shape is Shape.SYMBOL or (shape is Shape.QUESTION and is_brief and len({*places, *identifiers}) <= 1):
        return Complexity.SIMPLE
    paragraphs = sum(bool(block.strip()) for block in text.replace("\r\n", "\n").split("\n\n"))
    is_complex = words >= _LONG or paragraphs >= _PARAGRAPHS or len(places) >= _PLACES
    return Complexity.COMPLEX if is_complex else Complexity.MEDIUM


@dataclass(frozen=True, slots=True)
class PackDefaults:
    """Defaults of a pack.

    Pieces below ``floor``, a part of the best score, stay out; those below ``filler`` unless they are among the best (0
    for none). ``max_files`` is a count of files, 0 for any; ``shares`` are lanes and soft shares of the budget, instead
    of the usual ones. ``aims`` tell which kinds of pieces are filler; ``keeps_copies`` that pieces which look alike are
    wanted, ``keeps_tail`` that the weak parts of files are.
    """

    floor: float = 0.0
    filler: float = 0.0
    max_files: int = 0
    shares: Mapping[str, float] = field(default_factory=dict)
    aims: frozenset[Aim] = frozenset()
    keeps_copies: bool = False
    keeps_tail: bool = False


USUAL_DEFAULTS: Final = PackDefaults()
_FIFTH: Final = 0.2  # of the best score: what says less helped none of 100 requests; with .3 two of them lost a place
_HALF: Final = 0.5  # of the best score: on 8 short requests every piece of a changed file scored more, most filler less
_USUAL_FILLER: Final = 0.35  # of the best score; of 472 requests 20 get more of what they need than with .5, five less
_TWO_FIFTHS: Final = 0.4  # of the best score, also of a request in Russian: code has only what its words mean
_DOCUMENTS: Final[Mapping[str, float]] = {Lane.DOCS: 0.75}
# Medium and complex requests, and short orders to change, mend or review something, need what surrounds a place: their
# best pieces stay. What scores much less and comes after these is filler; with half the best score for complex ones,
# 188 changes lose 4 % of their files. The instructions by intent are in ``ctxpack.render.prompts``.
_USUAL_TASK: Final = PackDefaults(_FIFTH, _USUAL_FILLER)
_COMPLEX_TASK: Final = PackDefaults(_FIFTH, 0.3, keeps_tail=True)  # it tells of several things, one perhaps in passing
# A message alone: where it is said scores twice what only shares words with it; where it is nowhere, all is alike.
_MESSAGE_DEFAULTS: Final = PackDefaults(_HALF)
_CHOICES: Final[Mapping[tuple[Complexity, Intent], PackDefaults]] = {
    # One answer is wanted: what says half as much of it is filler, and no answer is spread over more files.
    (Complexity.SIMPLE, Intent.LOOKUP): PackDefaults(_HALF, max_files=12, shares=_DOCUMENTS),
    # A how or why: documents tell it, and code shows it, in more places. With half the score two of 29 lose theirs.
    (Complexity.SIMPLE, Intent.EXPLAIN): PackDefaults(_TWO_FIFTHS, max_files=20, shares=_DOCUMENTS),
} | {(Complexity.COMPLEX, intent): _COMPLEX_TASK for intent in Intent}


def defaults_of(request: Request, query: Query) -> PackDefaults:
    """The defaults of a request; those about a file, a component or a change have the usual ones."""
    if request.scope is not Scope.TASK:
        return USUAL_DEFAULTS
    aims, choice = aims_of(query.text), _CHOICES.get((query.complexity, query.intent), _USUAL_TASK)
    if version_to_change(query.text).name:
        choice = _USUAL_TASK  # short as it is, it wants many places
    elif is_message(query.text) and aims.isdisjoint((Aim.CHANGE, Aim.REVIEW)):  # of these a quotation says what is done
        choice = _MESSAGE_DEFAULTS
    elif is_cyrillic(query.text):
        choice = replace(choice, floor=min(choice.floor, _TWO_FIFTHS))
    return replace(choice, aims=aims, keeps_copies=speaks_of_copies(query.text))
