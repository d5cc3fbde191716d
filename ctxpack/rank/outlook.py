"""Estimate whether a ranking contains an answer, or only the closest matches of a repository without one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from ctxpack.index import IndexView
from ctxpack.index.postings import distinct, idf
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Candidate, Confidence, Query, Shape, Trait
from ctxpack.query.lookups import name_to_define, uses_to_find
from ctxpack.query.tokens import is_identifier, raw_words, split
from ctxpack.query.understand import Aim, aims_of, asked_words
from ctxpack.rank.bm25 import Concept, among
from ctxpack.rank.board import Board
from ctxpack.rank.evidence import confidence_of
from ctxpack.rank.meaning import MEANING_REASON
from ctxpack.rank.subject import look_up_uses
from ctxpack.text import last_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.rank.files import FileScores
    from ctxpack.rank.places import Found

_BEST: Final = 3  # places whose coverage is judged together
_TOLD: Final = 8  # words that occur nowhere
_MANY: Final = 1 / 4  # of the words that say what a request is about
_LONGEST: Final = 45  # concepts: a longer request tells a story of which an answer covers little
_FURTHER_SHARE: Final = 0.6  # of a word's weight, where a place holds a synonym or the like instead
_REACH: Final = 0.7  # a score above says no more: in a small repository the nearest is best in everything
_OTHER_SCRIPT: Final = lazy_pattern(r"[^\W\d_a-zA-Z]")
# Examples of values: they occur in no repository.
_QUOTED: Final = lazy_pattern(r"(?<!\w)'[^'\n]{1,60}'(?!\w)|\"[^\"\n]{1,60}\"|«[^»\n]{1,60}»")
# A capital within a sentence, in a word or a row of them; a digit or underscore in a word; backticks.
_NAME: Final = lazy_pattern(
    r"(?<=[^.!?\n] )[A-ZА-ЯЁ][\w.-]*|(?<!\w)(?:\w*[a-zа-яё][A-ZА-ЯЁ]\w*|\w+_\w+|\w*\d\w*)|`[^`\n]{1,200}`"
)
TASK_WORDS: Final = frozenset(
    """
    add added adding adds allow answer bug bugs break breaks broken change changed changes come comes coming correctly
    crash crashed crashes decide decided deciding error errors everything explain fail failed failing fails find fix
    fixed fixes fixing gave get gets give given gives got happen happens help implement implemented improve improved
    improves issue issues like list look looking make makes merge need needs new nothing old patch place places please
    problem properly pull push put refactor refactoring remove rename request review right show somebody something
    still support supported supports tell thing things update updated updates use used uses using walk want wants way
    work working works wrong
    баг баги добавить добавь добавьте изменить измени изменение исправить исправь исправьте найди найдите нужно
    объясни объясните ошибка ошибки ошибку покажи покажите помогите поправить поправь поддержка реализовать реализуй
    сделай сделать удалить удали улучшить улучши хочу
    """.split()  # noqa: SIM905 -- a table of words
)
"""Words for what is to be done: whether a repository contains them does not tell what it is about."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """``likelihood`` (0..1) that an answer is among the best places."""

    likelihood: float


SURE: Final = Outlook(1.0)
_DOUBT: Final = 0.2  # below it an answer is unlikely
_UNSURE: Final = 0.4  # below it an answer is less likely than not, in repositories of others
# Of the nearest places, what is packed where an answer is unlikely or unsure. On 217 tasks with an answer the packs
# hold as much of it with the second as without; of 275 requests asked of another repository 43 % are short, not 22 %.
_FEW_CHARACTERS, _SOME_CHARACTERS = 6_000, 12_000
_ABSENT: Final = 0.3  # the most where what a question is about occurs nowhere: it may be called otherwise
_SURE: Final = 0.6  # from it a place may be told with high confidence


def worth_showing(outlook: Outlook) -> int:
    """How many characters of the best places are worth showing; 0 for no limit."""
    if outlook.likelihood < _DOUBT:
        return _FEW_CHARACTERS
    return _SOME_CHARACTERS if outlook.likelihood < _UNSURE else 0


def is_doubted(candidates: Sequence[Candidate]) -> bool:
    """Whether confidence is low only because of the outlook, not because of the scores."""
    if not candidates or any(each.confidence is not Confidence.LOW for each in candidates):
        return False
    return confidence_of(candidates[0].score) is not Confidence.LOW


def bound_confidence(confidence: Confidence, outlook: Outlook) -> Confidence:
    """Limit a confidence to what the outlook allows."""
    if outlook.likelihood < _DOUBT:
        return Confidence.LOW
    is_too_sure = confidence is Confidence.HIGH and outlook.likelihood < _SURE
    return Confidence.MEDIUM if is_too_sure else confidence


def doubt(query: Query, candidates: Sequence[Candidate], view: IndexView) -> tuple[str, ...]:
    """Return a note where the repository may not contain an answer.

    For a short request the note names words that occur nowhere, if there are many. With a match by meaning there is
    no note: missing words do not speak against it. Nor where every use of a name is wanted, and there are some.
    """
    if not candidates or any(map(_is_meant, candidates)) or look_up_uses(query.text, view).chunks:
        return ()
    board = Board(query, view)
    is_foreign = _is_foreign(board)
    is_doubtful = all(each.confidence is Confidence.LOW for each in candidates)
    is_doubtful |= not is_foreign and _is_subject_absent(board)
    if not is_doubtful and (query.shape is not Shape.QUESTION or is_foreign):
        return ()
    absent = {concept.forms[0][0] for concept in _missing(board)} - TASK_WORDS
    if not is_doubtful and len(absent) < _MANY * len(query.terms.keys() - TASK_WORDS):
        return ()
    missing = dict.fromkeys(
        _absent_names(board) or (word for word in raw_words(query.text) if not absent.isdisjoint(split(word)))
    )
    words = f"Nowhere in the repository: {', '.join(list(missing)[:_TOLD])}." if missing else ""
    doubts = "The repository may not contain what was asked for; these are the closest matches." if is_doubtful else ""
    return tuple(note for note in (" ".join(filter(None, (doubts, words))),) if note)


def _is_meant(candidate: Candidate) -> bool:
    return any(evidence.reason == MEANING_REASON for evidence in candidate.evidence)


def outlook_of(board: Board, files: FileScores, places: Sequence[Found]) -> Outlook:
    """Return the outlook of a ranking; certain where nothing can be estimated.

    That is for stacks with functions of the repository, symbols, long texts, foreign languages, and general questions
    about any repository.
    """
    if _is_in_stack(board, places):
        return SURE  # whatever else the request says
    if _absent_names(board):
        return Outlook(_ABSENT)
    is_general = Aim.ONBOARD in aims_of(board.query.text) or not _telling(board)
    if is_general or board.query.shape is Shape.SYMBOL or len(board.concepts) > _LONGEST or _is_foreign(board):
        return SURE
    values = signs(board, files, places)
    total = _BIAS + sum(weight * value for weight, value in zip(_WEIGHTS, values, strict=True))
    likelihood = 1 / (1 + math.exp(-total))
    if not _missing(board):
        return Outlook(max(likelihood, _DOUBT))  # every word occurs: this alone does not make an answer unlikely
    most = _ABSENT if _is_subject_absent(board) or _lacks_much(board) else 1.0
    return Outlook(min(likelihood, most))


def _is_in_stack(board: Board, places: Sequence[Found]) -> bool:
    """Whether one of the places is a function of a stack in the request, in the file that its frame names."""
    frames = {
        (each.text.rpartition("/")[2].lower(), each.function.rpartition(".")[2].lower())
        for each in board.query.mentions
        if each.kind == "frame" and each.function
    }
    named = ((board.view.files[each.place.file].path, each.chunk.symbol) for each in places if frames)
    return any((path.rpartition("/")[2].lower(), last_name(name).lower()) in frames for path, name in named)


def signs(board: Board, files: FileScores, places: Sequence[Found]) -> tuple[float, ...]:
    """The features: how much of the request the best places cover, and how many of its names occur nowhere.

    Then the points for names that do occur, and the score of the best place, which matters most in a large repository.
    """
    named = max(
        (float(gained.max(initial=0.0)) for signal, gained in files.points.items() if signal.confirms),
        default=0.0,
    )
    reach = max(float(files.total.max()) / files.attainable, 0.0) if files.attainable else 0.0
    return (
        _coverage(board, [found.place.number for found in places[:_BEST]]),
        math.log1p(_unknown_names(board)),
        named,
        min(reach, _REACH),
    )


# A logistic regression over 96 requests asked of their own repository and 270 asked of another; each repository judged
# by the others. At the threshold 3 % of the own ones are doubted, of the foreign ones 40 to 60 %. Without names and
# score, and with words like "fix" counted, these were 16 %.
_BIAS: Final = -8.6
_WEIGHTS: Final = (11.6, -1.7, 2.0, 10.6)


def _coverage(board: Board, places: Sequence[int]) -> float:
    """The idf share of the telling concepts that a place contains, as a mean over several places."""
    import numpy as np

    held, total = np.zeros(len(places)), 0.0
    for concept in _telling(board):
        own, further = _docs(board, concept.forms), _docs(board, concept.others)
        weight = concept.weight * idf(max(len(own) or len(further), 1), board.view.postings.live_chunks)
        held += weight * np.maximum(among(places, own), _FURTHER_SHARE * among(places, further))
        total += weight
    return float(held.mean()) / total if total and len(held) else 0.0


def _docs(board: Board, terms: Sequence[tuple[str, float]]) -> NDArray[np.int64]:
    """The chunks that hold one of some terms."""
    import numpy as np

    found = [board.view.postings.terms("sub", term).docs for term, _ in terms]
    return distinct(np.concatenate(found)) if found else np.zeros(0, np.int64)


def _telling(board: Board) -> list[Concept]:
    """The concepts that say what a request is about."""
    return [concept for concept in board.concepts if concept.forms[0][0] not in TASK_WORDS]


def _unknown_names(board: Board) -> int:
    """How many names of the request occur nowhere in the repository; 0 for a request to add something new."""
    text = board.query.text
    aims = aims_of(text)
    if Aim.CHANGE in aims and aims.isdisjoint((Aim.WHERE, Aim.HOW_TO, Aim.EXPLAIN)):
        return 0
    names = {
        part for match in _NAME.finditer(_QUOTED.sub(" ", text)) for word in raw_words(match[0]) for part in split(word)
    }
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


def _lacks_much(board: Board) -> bool:
    """Whether a good part of what somebody wants to do occurs nowhere in the repository, in any form."""
    if board.query.shape is not Shape.QUESTION or Aim.HOW_TO not in aims_of(board.query.text):
        return False
    telling, missing = _telling(board), {concept.forms[0][0] for concept in _missing(board)}
    lacking = sum(concept.weight for concept in telling if concept.forms[0][0] in missing)
    return lacking >= _MANY * sum(concept.weight for concept in telling)


def _absent_names(board: Board) -> tuple[str, ...]:
    """The names of code that a request looks up, where none of them occurs in the repository."""
    text = board.query.text
    names = uses_to_find(text).names or tuple(filter(None, [name_to_define(text)]))
    held = board.view.postings
    is_absent = all(is_identifier(name) and not len(held.terms("word", name.lower()).docs) for name in names)
    return names if is_absent else ()


def _missing(board: Board) -> list[Concept]:
    """The concepts that occur nowhere in the repository, in any form."""
    return [concept for concept in board.concepts if not any(_holding(board, term) for term in _terms(concept))]


def _terms(concept: Concept) -> tuple[str, ...]:
    return tuple(term for term, _ in (*concept.forms, *concept.others))


def _holding(board: Board, term: str) -> int:
    return len(board.view.postings.terms("sub", term).docs)


def _is_foreign(board: Board) -> bool:
    """Whether the request is in a script that the repository hardly uses: that is why its words are missing.

    Translation files contain words in every script and do not count.
    """
    own = [term for term in board.query.terms if _OTHER_SCRIPT.search(term)]
    known = sum(_is_spoken(board, term) for term in own)
    return bool(own) and known * 2 < len(own)


def _is_spoken(board: Board, term: str) -> bool:
    """Whether a term occurs outside of translations."""
    files = board.view.files
    docs = board.view.postings.file_terms("sub", term).docs
    return any(Trait.TRANSLATION not in files[int(number)].traits for number in docs)
