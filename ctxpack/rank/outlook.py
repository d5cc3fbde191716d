"""Estimate whether a ranking contains an answer, or only the closest matches of a repository without one."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Final

from ctxpack.index import IndexView
from ctxpack.index.postings import among, distinct, idf
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Candidate, Confidence, Intent, Lane, Query, Shape, Trait
from ctxpack.query.dictionary import is_cyrillic, translated_share
from ctxpack.query.lookups import asked_words, name_to_define, names_said, only_quoted, phrases_sought, uses_to_find
from ctxpack.query.messages import speaks_of_copies
from ctxpack.query.parts import TASK_WORDS, said_in_passing
from ctxpack.query.subtokens import is_identifier, options_of, raw_words, split, written_as_names
from ctxpack.query.understand import Aim, aims_of, asks_whether
from ctxpack.rank.bm25 import Concept
from ctxpack.rank.board import Board
from ctxpack.rank.evidence import is_meant, is_spelled
from ctxpack.rank.subject import look_up_uses
from ctxpack.text import last_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.postings import Numbers
    from ctxpack.rank.file_scores import FileScores
    from ctxpack.rank.places import Found

_BEST: Final = 3  # places whose coverage is judged together
_FIRST: Final = 5  # places of which one should contain the heaviest words
_USUAL: Final = 0.25  # the togetherness of a request of one word
_TOLD: Final = 8  # words that occur nowhere
_MANY: Final = 1 / 4  # of the words that say what a request is about
_LONGEST: Final = 45  # concepts: a longer request tells a story of which an answer covers little
_FURTHER_SHARE, _REACH = 0.6, 0.7  # of a word's weight, for a synonym in its place; a score above says no more
_OTHER_SCRIPT: Final = lazy_pattern(r"[^\W\d_a-zA-Z]")


@dataclass(frozen=True, slots=True)
class Outlook:
    """``likelihood`` (0..1) that an answer is among the best places.

    ``is_wide``: it may be further down. What is to be changed has several places, and code has other words than a
    request in Russian. ``is_long``: the request tells so much that its places are unlike one another. ``is_lacking``:
    an answer to a question is unlikely, and words that tell what is wanted occur nowhere.
    """

    likelihood: float
    is_wide: bool = False
    is_long: bool = False
    is_lacking: bool = False


SURE: Final = Outlook(1.0)
_STRANGE: Final = 0.1  # below it hardly any request has its answer in the repository
_DOUBT: Final = 0.2  # below it an answer is unlikely
_UNSURE: Final = 0.5  # below it an answer is less likely than not
# Characters of the nearest places that are packed, by likelihood, and the same where it is wide.
_SHOWN: Final = ((_STRANGE, 4_500, 4_500), (_DOUBT, 5_000, 5_000), (_UNSURE, 5_500, 12_000))
# Words of a request that tells so much that half the best score is worth showing: of 472 requests 15 gain, one loses.
_LONG, _HALF = 34, 0.5
# Words that tell what a request is about: no place covers much of as many. Of 361 requests 41 with as many were doubted
# though their answer is there. Whoever asks where something is calls it as it is called: there they say nothing.
_ENOUGH: Final = 12
# Chunks of a large repository, and a part of those words by rarity: a question that lacks it there is doubted.
_LARGE, _GOOD_PART = 5_000, 0.3
# Of those words by rarity, where one asks for a way or a place, which are called what they are; then the most.
_SOME, _HARDLY = 0.1, 0.49
_BY_NAME: Final = frozenset({Aim.HOW_TO, Aim.WHERE})
_FOR_MORE: Final = frozenset({Aim.EXPLAIN, Aim.EVERYWHERE, Aim.CHANGE, Aim.REVIEW})
_CLEAR: Final = 0.75  # of what the best file can have: on 324 requests what is not there has .64 at most, but for one
_ASKING: Final = frozenset({Aim.HOW_TO, Aim.EXPLAIN, Aim.WHERE})
_CHANGING, _CODE = frozenset({Aim.CHANGE, Aim.REVIEW}), frozenset({Lane.CODE, Lane.TESTS})
_ABSENT: Final = 0.3  # the most where what a question is about occurs nowhere: it may be called otherwise
_MUCH: Final = 1_000  # chunks: in fewer a translation may be there in another form alone
_SURE: Final = 0.6  # from it a place may be told with high confidence
_VAIN: Final = 0.25  # below it what is looked for is not there, however long the request
_PLAIN, _NOWHERE = 0.7, 0.15  # below the one a question whose object is nowhere is worth the other


def worth_showing(outlook: Outlook) -> int:
    """How many characters of the best places are worth showing; 0 for no limit."""
    return next((wide if outlook.is_wide else few for bound, few, wide in _SHOWN if outlook.likelihood < bound), 0)


def share_worth_showing(outlook: Outlook) -> float:
    """The share of the best score from which a place is worth showing whatever the limit; above 1 for none."""
    return _HALF if outlook.is_long else math.inf


def bound_confidence(confidence: Confidence, outlook: Outlook) -> Confidence:
    """Limit a confidence to what the outlook allows."""
    if outlook.likelihood < _DOUBT:
        return Confidence.LOW
    return Confidence.MEDIUM if confidence is Confidence.HIGH and outlook.likelihood < _SURE else confidence


def doubt(query: Query, candidates: Sequence[Candidate], view: IndexView) -> tuple[str, ...]:
    """Return a note where the repository may not contain an answer.

    For a question the note names the words that occur nowhere. With a match by meaning there is no note: missing words
    do not speak against it. Nor where every use of a name is wanted, and there are some.
    """
    if not candidates or any(map(is_meant, candidates)) or look_up_uses(query.text, view).chunks:
        return ()
    board = Board(query, view)
    is_foreign = _is_foreign(board)
    is_doubtful = all(each.confidence is Confidence.LOW for each in candidates)
    is_doubtful |= not is_foreign and _is_subject_absent(board)
    if not is_doubtful and not (_absent_foreign_names(board) if is_foreign else query.shape is Shape.QUESTION):
        return ()
    absent = {concept.forms[0][0] for concept in _missing(board)} - TASK_WORDS
    words_missing = (word for word in raw_words(query.text) if not absent.isdisjoint(split(word)))
    names_missing = _absent_names(board) or _absent_foreign_names(board) or words_missing
    missing = dict.fromkeys((*_absent_options(board), *names_missing))
    told = ", ".join(list(missing)[:_TOLD])
    words = f"Nowhere in the repository: {told}." if missing else ""
    doubts = "The repository may not contain what was asked for; these are the closest matches." if is_doubtful else ""
    return tuple(note for note in (" ".join(filter(None, (doubts, words))),) if note)


def outlook_of(board: Board, files: FileScores, places: Sequence[Found]) -> Outlook:
    """Return the outlook of a ranking; certain where nothing can be estimated.

    That is for stacks with functions of the repository, symbols, long texts, words without translations, and general
    questions about any repository. Of 25 requests in Russian with an answer none is doubted, of 25 without one 15.
    """
    if _is_in_stack(board, places):
        return SURE
    is_long, aims = len(board.query.text.split()) >= _LONG, aims_of(board.query.text)
    if _absent_names(board) or _absent_foreign_names(board):
        return Outlook(_ABSENT, is_long=is_long)
    telling = [concept.forms[0][0] for concept in _telling(board)]
    is_foreign = _is_foreign(board) and not all(map(str.isascii, telling))  # "есть ли поддержка kafka" is about kafka
    is_untold = is_foreign and (board.view.postings.live_chunks < _MUCH or translated_share(telling) < _HALF)
    is_general = is_untold or not telling or Aim.ONBOARD in aims
    if is_general or board.query.shape is Shape.SYMBOL or len(board.concepts) > _LONGEST:
        return SURE
    weighed = (weight * value for weight, value in zip(_WEIGHTS, signs(board, files, places), strict=True))
    likelihood = 1 / (1 + math.exp(-_BIAS - sum(weighed) + asks_whether(board.query.text)))
    is_sought = Aim.WHERE in aims and Aim.REVIEW not in aims  # by the name that it has, whatever is to become of it
    is_change = not aims.isdisjoint(_CHANGING) or speaks_of_copies(board.query.text)
    is_new = is_change and not is_sought
    is_bug = board.query.intent is Intent.TROUBLESHOOT
    is_failure = is_bug and aims.isdisjoint((Aim.WHERE, Aim.HOW_TO))
    if is_foreign and (is_change or max(likelihood, _togetherness(board, _telling_words(board))) >= _STRANGE):
        return SURE
    lacks_names = not is_foreign and _lacks_names(board)
    tells_enough = len(telling) >= _ENOUGH and not (is_sought or lacks_names or _is_strange_to_large(board))
    is_clear = not is_foreign and board.view.postings.live_chunks >= _MUCH and _reach(files) >= _CLEAR
    is_vain = is_sought and not is_bug and likelihood < _VAIN
    likelihood = max(likelihood, _UNSURE if tells_enough and not is_vain else _DOUBT if is_clear else 0.0)
    is_absent, missing = _is_subject_absent(board) or _lacks_much(board), _missing(board)
    if not missing:
        likelihood = max(likelihood, _STRANGE)  # each word alone is about something
    elif is_absent:
        likelihood = min(likelihood, _ABSENT)
    if {concept.forms[0][0] for concept in missing}.issuperset(telling):  # what they hold of it is "support"
        likelihood = min(likelihood, _STRANGE)
    elif is_new or (is_long and not is_vain) or is_failure:  # told in new words or by its symptoms: it has its place
        likelihood = max(likelihood, _UNSURE if is_new and not is_absent else _DOUBT)
    asks = "?" in board.query.text or not aims.isdisjoint(_ASKING)
    asked = {concept.forms[0][0] for concept in missing} - said_in_passing(board.query.text)
    is_told = any(translated_share([term]) for term in asked)  # "жму" may be there in translation
    is_lacking = likelihood < _DOUBT and is_told and asks and not is_new
    likelihood = min(likelihood, _HARDLY) if lacks_names and likelihood < _PLAIN else likelihood
    if _DOUBT <= likelihood < _PLAIN and not (is_new or is_clear) and _is_sought_nowhere(board):
        likelihood = _NOWHERE
    return Outlook(likelihood, is_change or is_cyrillic(board.query.text), is_long and not is_vain, is_lacking)


def _is_in_stack(board: Board, places: Sequence[Found]) -> bool:
    """Whether one of the places is a function that a frame of the request names, in the file that it names."""
    frames = {
        (each.text.rpartition("/")[2].lower(), each.function.rpartition(".")[2].lower())
        for each in board.query.mentions
        if each.kind == "frame" and each.function
    }
    named = ((board.view.files[each.place.file].path, each.chunk.symbol) for each in places if frames)
    return any((path.rpartition("/")[2].lower(), last_name(name).lower()) in frames for path, name in named)


def signs(board: Board, files: FileScores, places: Sequence[Found]) -> tuple[float, ...]:
    """The features: how much of the request the best places cover, and how many of its names occur nowhere.

    Then the points for names that do occur, the score of the best place, how often neighbouring words of the request
    stand together, the weight of the heaviest word that no first place contains, and the size of the repository.
    """
    gains = (gained.max(initial=0.0) for signal, gained in files.points.items() if signal.confirms)
    named = float(max(gains, default=0.0))
    words = _telling_words(board)
    numbers = [found.place.number for found in places[:_FIRST]]
    return (
        _coverage(words, numbers[:_BEST]),
        math.log1p(_unknown_names(board)),
        named,
        min(_reach(files), _REACH),
        _togetherness(board, words),
        _left_out(words, numbers),
        math.log(board.view.postings.live_chunks),
    )


def _is_strange_to_large(board: Board) -> bool:
    """Whether a good part of what a question is about occurs nowhere in a large repository, which has most words."""
    aims = aims_of(board.query.text)
    asks = not aims.isdisjoint(_ASKING) and aims.isdisjoint(_CHANGING)
    return asks and board.view.postings.live_chunks >= _LARGE and _share_lacking(board) >= _GOOD_PART


def _lacks_names(board: Board) -> bool:
    """Whether a tenth of what a question for a way or a place in code is about occurs nowhere: it has a name there."""
    aims, files = aims_of(board.query.text), board.view.files.entries
    if aims.isdisjoint(_BY_NAME) or not aims.isdisjoint(_FOR_MORE) or board.query.intent is Intent.TROUBLESHOOT:
        return False
    pages, code = files.of_classes(lambda of: of.kind.is_document), files.of_classes(lambda of: of.kind.lane in _CODE)
    return len(code) >= len(pages) and _share_lacking(board) >= _SOME


def _reach(files: FileScores) -> float:
    """The score of the best file, of what one can have."""
    return max(float(files.total.max()) / files.attainable, 0.0) if files.attainable else 0.0


# A logistic regression over 315 requests asked of their own repository, 333 asked of another, 103 made up for what a
# repository of their subject does not hold, and 625 of them asked of 12 to 300 files; each repository judged by the
# others. At the threshold 4 % of the own ones are doubted, two thirds of those made up, and half of the foreign.
# Who asks whether there is something more often asks for what there is not: one less before it is made a likelihood.
_BIAS: Final = -4.6
_WEIGHTS: Final = (1.2, -1.9, 1.7, 9.1, 11.6, -3.9, -0.34)


@dataclass(frozen=True, slots=True)
class _Word:
    """A telling concept: its weight by rarity, the chunks with a form of it, and those with a synonym or the like."""

    term: str
    weight: float
    own: Numbers
    further: Numbers

    def held_by(self, places: Sequence[int]) -> NDArray[np.float64]:
        """For each place, how much of the word it contains (0..1)."""
        import numpy as np

        share: NDArray[np.float64] = np.maximum(among(places, self.own), _FURTHER_SHARE * among(places, self.further))
        return share


def _telling_words(board: Board) -> list[_Word]:
    """The telling concepts, without examples of values and names of what is to be added, where they occur nowhere."""
    text = board.query.text
    examples = only_quoted(text) | (written_as_names(text) if Aim.CHANGE in aims_of(text) else frozenset())
    found = ((each, board.holders[each.forms], board.holders[each.further]) for each in _telling(board))
    words = (_Word(each.forms[0][0], _weight(board, each), own, further) for each, own, further in found)
    return [word for word in words if word.term not in examples or len(word.own) or len(word.further)]


def _coverage(words: Sequence[_Word], places: Sequence[int]) -> float:
    """The idf share of the words that a place contains, as a mean over several places."""
    total = sum(word.weight for word in words)
    held = sum(word.weight * float(word.held_by(places).mean()) for word in words) if places else 0.0
    return held / total if total else 0.0


def _left_out(words: Sequence[_Word], places: Sequence[int]) -> float:
    """The idf share of the heaviest word that no place contains."""
    total = sum(word.weight for word in words)
    missed = (word.weight * (1 - float(word.held_by(places).max(initial=0.0))) for word in words)
    return max(missed, default=0.0) / total if total else 0.0


def _togetherness(board: Board, words: Sequence[_Word]) -> float:
    """How many chunks contain two words that follow each other in the request, 0 for none and 1 for all, as a mean.

    On a logarithmic scale; other words may stand between the two. What a repository does not hold is mostly asked for
    in words that it does hold, each for something else: "admin interface", "vesting period".
    """
    import numpy as np

    held = {word.term: distinct(np.concatenate((word.own, word.further))) for word in words}
    terms = [term for word in raw_words(board.query.text) for term in split(word) if term in held]
    pairs = [(one, other) for one, other in pairwise(terms) if one != other]
    meetings = [int(among(*sorted((held[one], held[other]), key=len)).sum()) for one, other in pairs]
    scale = len(meetings) * math.log1p(board.view.postings.live_chunks)
    return sum(map(math.log1p, meetings)) / scale if scale else _USUAL


def _telling(board: Board) -> list[Concept]:
    """The concepts that say what a request is about."""
    return [concept for concept in board.concepts if concept.forms[0][0] not in TASK_WORDS]


def _unknown_names(board: Board) -> int:
    """How many names of the request occur nowhere in the repository; 0 for a request to add something new."""
    aims = aims_of(text := board.query.text)
    if Aim.CHANGE in aims and aims.isdisjoint((Aim.WHERE, Aim.EXPLAIN)):
        return 0
    names = names_said(text)
    return sum(concept.forms[0][0] in names for concept in _missing(board))


def _is_subject_absent(board: Board) -> bool:
    """Whether a short question asks for something that occurs nowhere in the repository, in any form."""
    if _absent_names(board):
        return True
    asked = asked_words(board.query.text) if board.query.shape is Shape.QUESTION else ()
    if not asked:
        return False
    absent = {concept.forms[0][0] for concept in _missing(board)} - TASK_WORDS
    subject = takewhile(lambda word: word not in TASK_WORDS, asked)
    return any(not absent.isdisjoint(split(word)) for word in subject)


def _is_sought_nowhere(board: Board) -> bool:
    """Whether no place holds all words of what a question looks for, in any form: "where is the token bucket"."""
    telling = {each.forms[0][0]: each for each in _telling(board) if each.forms[0][0].isascii()}
    for phrase in phrases_sought(board.query.text):
        said = [telling[part] for word in phrase for part in split(word) if part in telling]
        held = [{*board.holders[each.forms].tolist(), *board.holders[each.further].tolist()} for each in said]
        if len(held) > 1 and not set.intersection(*held):
            return True
    return False


def _lacks_much(board: Board) -> bool:
    """Whether a good part of a how or why, by rarity, occurs nowhere in the repository, in any form."""
    aims = aims_of(board.query.text) if board.query.shape is Shape.QUESTION else frozenset[Aim]()
    return not aims.isdisjoint((Aim.HOW_TO, Aim.EXPLAIN)) and _share_lacking(board) >= _MANY


def _share_lacking(board: Board) -> float:
    """The part of what a request is about, by rarity, that occurs nowhere in the repository, in any form."""
    missing = {concept.forms[0][0] for concept in _missing(board)}
    weights = {concept.forms[0][0]: _weight(board, concept) for concept in _telling(board)}
    return sum(weight for term, weight in weights.items() if term in missing) / (sum(weights.values()) or 1.0)


def _weight(board: Board, concept: Concept) -> float:
    """The weight of a concept by its rarity; one that occurs nowhere counts as a rare one."""
    own, further = board.holders[concept.forms], board.holders[concept.further]
    return concept.weight * idf(max(len(own) or len(further), 1), board.view.postings.live_chunks)


def _absent_names(board: Board) -> tuple[str, ...]:
    """The names of code that a request looks up, where none of them occurs in the repository, nor in its paths."""
    text = board.query.text
    names = uses_to_find(text).names or tuple(filter(None, [name_to_define(text)]))
    held = board.view.postings
    if not (names and all(is_identifier(name) and not len(held.terms("word", name.lower()).docs) for name in names)):
        return ()
    paths = "\n".join(board.view.files.entries.paths).lower()  # of which a part may be called so, but for its ending
    return () if any(re.search(rf"(?m)(?:^|/){re.escape(name.lower())}[/.]", paths) for name in names) else names


def _absent_options(board: Board) -> list[str]:
    """The options of several words that a request names, unless it adds some, that occur nowhere in any spelling."""
    options = options_of(board.query.text) if Aim.CHANGE not in aims_of(board.query.text) else ()
    return [f"--{each.replace('_', '-')}" for each in options if not is_spelled(board.view, split(each))]


def _absent_foreign_names(board: Board) -> tuple[str, ...]:
    """The names in a question in another script than the repository's, if none of them occurs in the repository.

    Other words of such a question are missing for their script alone.
    """
    if board.query.shape is not Shape.QUESTION or not _is_foreign(board):
        return ()
    missing = {concept.forms[0][0] for concept in _missing(board)}
    names = dict.fromkeys(word for word in raw_words(board.query.text) if not _OTHER_SCRIPT.search(word))
    told = [name for name in names if not board.query.terms.keys().isdisjoint(split(name))]
    return tuple(told) if all(not missing.isdisjoint(split(name)) for name in told) else ()


def _missing(board: Board) -> list[Concept]:
    """The concepts that occur nowhere in the repository, in any form; examples of values and line numbers are none."""
    nowhere = [
        each for each in board.concepts if not (len(board.holders[each.forms]) or len(board.holders[each.further]))
    ]
    examples = only_quoted(board.query.text) if nowhere else frozenset()
    told = examples | {str(each.line) for each in board.query.mentions}
    return [concept for concept in nowhere if concept.forms[0][0] not in told]


def _is_foreign(board: Board) -> bool:
    """Whether the request is in a script that the repository hardly uses: that is why its words are missing.

    Translation files contain words in every script and do not count.
    """
    files, held = board.view.files, board.view.postings
    own = [term for term in board.query.terms if _OTHER_SCRIPT.search(term)]
    found = (held.file_terms("sub", term).docs.tolist() for term in own)
    known = sum(any(Trait.TRANSLATION not in files[number].traits for number in docs) for docs in found)
    return bool(own) and known * 2 < len(own)
