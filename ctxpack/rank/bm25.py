"""BM25 over the exact postings, for chunks and for whole files; and how close together chunks have the same terms.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009); idf with the +1 inside the
logarithm, so that no term ever counts against a document. Terms that stand close together: Metzler and Croft, "A Markov
Random Field Model for Term Dependencies" (2005), with a window of eight terms, of all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, product
from typing import TYPE_CHECKING, Final

from ctxpack.index import IndexView
from ctxpack.index.postings import Terms, distinct, idf
from ctxpack.light import dataclass, replace
from ctxpack.query.subtokens import subtokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ctxpack.index.postings import Numbers

    Scores = NDArray[np.float64]


Forms = tuple[tuple[str, float], ...]
"""Terms that count as one, each with its share."""


@dataclass(frozen=True, slots=True)
class Saturation:
    """``k1`` bounds what repetition adds, ``b`` is how much length counts against a document."""

    k1: float = 1.2
    b: float = 0.75


@dataclass(frozen=True, slots=True)
class Concept:
    """A term of the request with its other forms and synonyms.

    ``forms`` are the term itself and its other forms, which count as one term; ``others`` are synonyms and expansions,
    each with its own forms. Every term has its share (0..1) of the ``weight``; of a synonym the first has the most.
    """

    weight: float
    forms: Forms
    others: tuple[Forms, ...] = ()

    @property
    def further(self) -> Forms:
        """The terms of all synonyms and expansions."""
        return tuple(chain.from_iterable(self.others))


def concepts_of(weights: Mapping[str, float]) -> tuple[Concept, ...]:
    """Make a concept of each weighted term, without other forms or synonyms."""
    return tuple(Concept(weight, ((term, 1.0),)) for term, weight in weights.items())


@dataclass(frozen=True, eq=False)
class ChunkScores:
    """The scores above 0 of chunks: their numbers, ascending, and the score of each; all other chunks have 0.

    Most requests are about a small part of a repository: of the 1,570,000 chunks of Linux some 100,000 hold a word.
    """

    numbers: Numbers
    values: Scores

    def at(self, numbers: ArrayLike) -> Scores:
        """The scores of some chunks, in any order."""
        import numpy as np

        wanted = np.asarray(numbers, np.int64)
        if not len(self.numbers):
            return np.zeros(len(wanted))
        places = np.minimum(np.searchsorted(self.numbers, wanted), len(self.numbers) - 1)
        return np.where(self.numbers[places] == wanted, self.values[places], 0.0)

    def max(self, initial: float = 0.0) -> float:
        """The highest score, at least ``initial``."""
        return float(self.values.max(initial=initial))


def scores_of(found: Mapping[int, float]) -> ChunkScores:
    """Make the scores of chunks by their numbers."""
    import numpy as np

    held = {number: score for number, score in sorted(found.items()) if score > 0}
    return ChunkScores(np.array(list(held), np.int32), np.array(list(held.values()), np.float64))


def best_first(scores: Scores, count: int) -> NDArray[np.int64]:
    """Return the numbers of the highest scores, best first, of equals the first; all others are not put in order."""
    import numpy as np

    if count >= len(scores):
        return np.argsort(-scores, kind="stable")
    least = np.partition(scores, -count)[-count]
    found = np.flatnonzero(scores >= least)
    return found[np.argsort(-scores[found], kind="stable")[:count]]


def rank_of(scores: Scores, number: int) -> int:
    """Return how many scores ``best_first`` puts before one."""
    its = scores[number]
    return int((scores > its).sum() + (scores[:number] == its).sum())


_DENSE: Final = 4  # parts of all chunks, of which so many scores are added up in an array of all


def sum_scores(parts: Iterable[tuple[Numbers, Scores | float]], chunks: int) -> ChunkScores:
    """Add up scores of some of all ``chunks``; the numbers of each part are ascending.

    The scores of a chunk are added in the order of the parts, so that the sum is the same to the last bit whichever way
    it is made. No part is kept longer than it has to be: those of a long request would take more room than the sum.
    """
    import numpy as np

    kept: list[tuple[Numbers, Scores | float]] = [(np.zeros(0, np.int32), 0.0)]
    count, scores = 0, np.zeros(0)
    for numbers, values in parts:
        count += len(numbers)
        if count * _DENSE <= chunks:
            kept.append((numbers, values))
            continue
        if not len(scores):
            scores = _add_up(np.zeros(chunks), kept)
        np.add.at(scores, numbers, values)
    if len(scores):
        some = np.flatnonzero(scores != 0)  # of truth values they are found in a sixth of the time
        return ChunkScores(some.astype(np.int32), scores[some])
    held = distinct(np.concatenate([numbers for numbers, _ in kept]))
    places = _places_among(held, [numbers for numbers, _ in kept])
    scores = _add_up(np.zeros(len(held)), zip(places, (values for _, values in kept), strict=True))
    is_held = scores > 0
    return ChunkScores(held[is_held], scores[is_held])


def _add_up(scores: Scores, parts: Iterable[tuple[NDArray[np.integer], Scores | float]]) -> Scores:
    """Add values to some of the scores; ``np.add.at`` takes half as long as ``+=``."""
    import numpy as np

    for places, values in parts:
        np.add.at(scores, places, values)
    return scores


def chunk_scores(
    view: IndexView, field: str, concepts: Sequence[Concept], saturation: Saturation, *, bound: str = ""
) -> ChunkScores:
    """BM25 of the chunks in a field, for weighted concepts.

    With a field as ``bound`` no concept counts as rarer than it is in that field: ``get`` is rare in names, but common.
    """
    view.postings.look_up(field, _terms_of(concepts))
    look = partial(view.postings.terms, field)
    if bound:
        concepts = [_bound(each, look, partial(view.postings.terms, bound), view) for each in concepts]
    collection = Collection(view.postings.lengths(field), view.postings.live_chunks)
    return sum_scores(_parts(look, concepts, collection, saturation), len(view.postings.chunk_file))


def _terms_of(concepts: Iterable[Concept]) -> list[str]:
    return [term for each in concepts for term, _ in (*each.forms, *each.further)]


def _bound(
    concept: Concept, look: Callable[[str], Terms], bounding: Callable[[str], Terms], view: IndexView
) -> Concept:
    """Limit the rarity of a concept to that of its forms in the bounding field."""
    here, there = (_rarity(concept, find, view) for find in (look, bounding))
    return replace(concept, weight=concept.weight * min(1.0, there / here)) if here > 0 else concept


def _rarity(concept: Concept, find: Callable[[str], Terms], view: IndexView) -> float:
    """The idf of a concept among chunks, by its forms; of one that occurs nowhere that of a rare one."""
    return idf(max(len(holding([find(term) for term, _ in concept.forms])), 1), view.postings.live_chunks)


def file_scores(view: IndexView, field: str, concepts: Sequence[Concept], saturation: Saturation) -> Scores:
    """BM25 of every file in a field, its chunks taken together (or the path itself for the field ``path``)."""
    import numpy as np

    view.postings.look_up(field, _terms_of(concepts))
    look = partial(view.postings.file_terms, field)
    collection = Collection(view.postings.file_lengths(field), len(view.files))
    return _add_up(np.zeros(len(view.files)), _parts(look, concepts, collection, saturation))


def covered_shares(view: IndexView, field: str, concepts: Sequence[Concept]) -> ChunkScores:
    """The idf share (0..1) of the concepts that the chunks contain in a field.

    A concept that occurs nowhere in the repository counts as a rare one.
    """
    import numpy as np

    total = 0.0

    def part_of(concept: Concept) -> tuple[Numbers, Scores]:
        nonlocal total
        found = [(view.postings.terms(field, term).docs, share) for term, share in (*concept.further, *concept.forms)]
        held, places = unite([docs for docs, _ in found])
        shares = np.zeros(len(held))
        for at, (_, share) in zip(places, found, strict=True):
            np.maximum.at(shares, at, share)
        weight = concept.weight * idf(max(len(held), 1), view.postings.live_chunks)
        total += weight
        return held, weight * shares

    covered = sum_scores(map(part_of, concepts), len(view.postings.chunk_file))
    return replace(covered, values=covered.values / total) if total else covered


_WINDOW: Final = 8  # subtokens within which two concepts stand close together
_PAIR_LENGTHS: Final = Saturation(1.0, 0.5)  # how much the length of a chunk counts against it
_MOST_READ: Final = 10_000  # characters of a chunk: a line of data may have a million


def pair_scores(view: IndexView, numbers: Sequence[int], concepts: Sequence[Concept]) -> Scores:
    """For each of some chunks: how close together it has the concepts of a request, two at a time.

    Each two that are within a window count once, where they are nearest: the product of their idf weights and shares
    over the distance. The texts are read.
    """
    import numpy as np

    find = partial(view.postings.terms, "sub")
    weights = [concept.weight * _rarity(concept, find, view) for concept in concepts]
    meant: dict[str, list[tuple[int, float]]] = {}
    for at, concept in enumerate(concepts):
        for term, share in (*concept.forms, *concept.further):
            meant.setdefault(term, []).append((at, share * weights[at]))
    chunks = Collection(view.postings.lengths("sub"), view.postings.live_chunks)
    norms = chunks.norms(np.array(numbers, np.int64), _PAIR_LENGTHS)
    found = np.zeros(len(numbers))
    for at, number in enumerate(numbers):
        chunk, file = view.postings.chunk(number), view.files[int(view.postings.chunk_file[number])]
        text = view.files.lines(file.path, chunk.start_line, chunk.end_line)
        found[at] = sum(_nearest_pairs(text[:_MOST_READ], meant).values()) / norms[at]
    return found


def _nearest_pairs(text: str, meant: Mapping[str, Sequence[tuple[int, float]]]) -> dict[tuple[int, int], float]:
    """Each two concepts that a text has within a window, and what they count where they are nearest."""
    pairs: dict[tuple[int, int], float] = {}
    recent: list[tuple[int, int, float]] = []
    for place, token in enumerate(subtokens(text)):
        if hits := meant.get(token):
            recent = [each for each in recent if place - each[0] <= _WINDOW]
            for (before, first, own), (second, other) in product(recent, hits):
                if first != second:
                    pair = min(first, second), max(first, second)
                    pairs[pair] = max(pairs.get(pair, 0.0), own * other / (place - before))
            recent += [(place, concept, share) for concept, share in hits]
    return pairs


@dataclass(frozen=True)
class Collection:
    """The documents that are scored: the length of each, and how many of them are alive."""

    lengths: NDArray[np.integer]
    total: int

    def norms(self, docs: Numbers, saturation: Saturation) -> Scores:
        """The length normalization of some documents."""
        import numpy as np

        lengths, kinds = self.lengths.take(docs), 1 << 8 * self.lengths.itemsize
        if len(docs) <= kinds:
            return self._norms_of(lengths, saturation)
        return self._norms_of(np.arange(kinds), saturation).take(lengths)  # of as many lengths as there can be

    def _norms_of(self, lengths: NDArray[np.integer], saturation: Saturation) -> Scores:
        import numpy as np

        exact: Scores = lengths.astype(np.float64)
        return saturation.k1 * (1 - saturation.b + saturation.b * exact / self._average)

    @cached_property
    def _average(self) -> float:
        import numpy as np

        return max(float(self.lengths.sum(dtype=np.int64)) / max(self.total, 1), 1.0)


def _parts(
    look: Callable[[str], Terms], concepts: Sequence[Concept], collection: Collection, saturation: Saturation
) -> Iterator[tuple[Numbers, Scores]]:
    """What each concept adds to the scores of the documents that contain it."""
    for concept in concepts:
        docs, gains = _gains(look, concept, collection, saturation)
        gains *= concept.weight * (saturation.k1 + 1)
        yield docs, gains


def _gains(
    look: Callable[[str], Terms], concept: Concept, collection: Collection, saturation: Saturation
) -> tuple[Numbers, Scores]:
    """The documents that contain a concept, and the gain of each: that of all its forms, and of each synonym.

    Forms of a word are one term, so that a rare plural is not worth more than its word; a synonym is never rarer than
    the word that it replaces. With the greatest gain alone 324 requests lose 13 needed places and gain one.
    """
    docs, counts = _merge([(look(term), share) for term, share in concept.forms])
    total, is_found = collection.total, bool(len(docs))
    rarity = idf(len(docs), total)
    gains = rarity * counts
    gains /= counts + collection.norms(docs, saturation)
    parts = [(docs, gains)]
    for other in concept.others:
        most = other[0][1]
        docs, counts = _merge([(look(term), share / most) for term, share in other])
        if len(docs):
            limit = min(rarity, idf(len(docs), total)) if is_found else idf(len(docs), total)
            gains = most * limit * counts
            gains /= counts + collection.norms(docs, saturation)
            parts.append((docs, gains))
            is_found = True
    return _add_gains(parts)


def _merge(found: Sequence[tuple[Terms, float]]) -> tuple[Numbers, Scores]:
    """Merge the documents of several terms, with how often a document holds one of them, by share."""
    import numpy as np

    if len(found) == 1:
        terms, share = found[0]
        return terms.docs, terms.counts * np.float64(share)
    docs, places = unite([terms.docs for terms, _ in found])
    times = (np.float64(share) * terms.counts for terms, share in found)
    return docs, _add_up(np.zeros(len(docs)), zip(places, times, strict=True))


def holding(found: Sequence[Terms]) -> Numbers:
    """The documents that hold one of some terms."""
    return _all_of([terms.docs for terms in found])


def _add_gains(parts: Sequence[tuple[Numbers, Scores]]) -> tuple[Numbers, Scores]:
    """Unite sets of documents; one that is in several has all their gains, added in their order."""
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    docs, places = unite([docs for docs, _ in parts])
    return docs, _add_up(np.zeros(len(docs)), zip(places, (gains for _, gains in parts), strict=True))


_MARKED: Final = 8  # parts of all numbers, of which so many are marked in an array of all sooner than sorted


def unite(parts: Sequence[Numbers]) -> tuple[Numbers, list[Numbers]]:
    """Return the numbers that are in one of some parts, ascending, and where those of each part are among them.

    One part alone stays as it is.
    """
    import numpy as np

    held = _all_of(parts)
    return held, [np.arange(len(held), dtype=np.int32)] if len(parts) == 1 else _places_among(held, parts)


def _all_of(parts: Sequence[Numbers]) -> Numbers:
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    most = 1 + max((int(part.max()) for part in parts if len(part)), default=-1)
    if sum(map(len, parts)) * _MARKED < most or not most:
        return distinct(np.concatenate([np.zeros(0, np.int32), *parts]))
    is_held = np.zeros(most, bool)
    for part in parts:
        is_held[part.astype(np.intp)] = True
    return np.flatnonzero(is_held).astype(np.int32)


def _places_among(held: Numbers, parts: Iterable[Numbers]) -> list[Numbers]:
    """Return where the numbers of some parts are among all of them, ascending: looked up, not searched one by one."""
    import numpy as np

    places = np.empty(int(held[-1]) + 1 if len(held) else 0, np.int32)  # only the pages that are used cost memory
    places[held.astype(np.intp)] = np.arange(len(held), dtype=np.int32)  # else numpy casts each index alone
    return [places.take(part) for part in parts]
