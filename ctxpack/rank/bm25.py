"""BM25 over the exact postings, for chunks and for whole files.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009); idf with the +1 inside the
logarithm, so that no term ever counts against a document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING

from ctxpack.index import IndexView
from ctxpack.index.postings import Terms, distinct, idf
from ctxpack.light import dataclass, replace

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


def chunk_scores(
    view: IndexView, field: str, concepts: Sequence[Concept], saturation: Saturation, *, bound: str = ""
) -> Scores:
    """BM25 of every chunk in a field, for weighted concepts.

    With a field as ``bound`` no concept counts as rarer than it is in that field: ``get`` is rare in names, but common.
    """
    look = partial(view.postings.terms, field)
    if bound:
        concepts = [_bound(each, look, partial(view.postings.terms, bound), view) for each in concepts]
    return _scores(look, concepts, Collection(view.postings.lengths(field), view.postings.live_chunks), saturation)


def _bound(
    concept: Concept, look: Callable[[str], Terms], bounding: Callable[[str], Terms], view: IndexView
) -> Concept:
    """Limit the rarity of a concept to that of its forms in the bounding field."""
    here, there = (
        idf(max(len(holding([find(term) for term, _ in concept.forms])), 1), view.postings.live_chunks)
        for find in (look, bounding)
    )
    return replace(concept, weight=concept.weight * min(1.0, there / here)) if here > 0 else concept


def file_scores(view: IndexView, field: str, concepts: Sequence[Concept], saturation: Saturation) -> Scores:
    """BM25 of every file in a field, its chunks taken together (or the path itself for the field ``path``)."""
    look = partial(view.postings.file_terms, field)
    return _scores(look, concepts, Collection(view.postings.file_lengths(field), len(view.files)), saturation)


def covered_shares(
    look: Callable[[str, str], Terms], field: str, concepts: Sequence[Concept], documents: int, alive: int
) -> Scores:
    """The idf share (0..1) of the concepts that a field contains, for every document (a chunk or a file).

    ``look`` finds the documents of a term. A concept that occurs nowhere in the repository counts as a rare one.
    Rarity is counted over ``alive`` documents; the others are no longer in the repository.
    """
    import numpy as np

    found, total = np.zeros(documents), 0.0
    holds = np.zeros(documents)
    for concept in concepts:
        for term, share in (*concept.further, *concept.forms):
            docs = look(field, term).docs
            holds[docs] = np.maximum(holds[docs], share)
        holding = np.flatnonzero(holds)
        weight = concept.weight * idf(max(len(holding), 1), alive)
        found[holding] += weight * holds[holding]
        holds[holding] = 0.0
        total += weight
    return found / total if total else found


@dataclass(frozen=True)
class Collection:
    """The documents that are scored: the length of each, and how many of them are alive."""

    lengths: Numbers
    total: int

    def norms(self, docs: Numbers, saturation: Saturation) -> Scores:
        """The length normalization of some documents."""
        import numpy as np

        lengths: Scores = self.lengths[docs].astype(np.float64)
        return saturation.k1 * (1 - saturation.b + saturation.b * lengths / self._average)

    @cached_property
    def _average(self) -> float:
        import numpy as np

        return max(float(self.lengths.sum(dtype=np.int64)) / max(self.total, 1), 1.0)


def _scores(
    look: Callable[[str], Terms], concepts: Sequence[Concept], collection: Collection, saturation: Saturation
) -> Scores:
    import numpy as np

    scores = np.zeros(len(collection.lengths))
    for concept in concepts:
        docs, gains = _gains(look, concept, collection, saturation)
        scores[docs] += concept.weight * (saturation.k1 + 1) * gains
    return scores


def _gains(
    look: Callable[[str], Terms], concept: Concept, collection: Collection, saturation: Saturation
) -> tuple[Numbers, Scores]:
    """The documents that contain a concept, and the gain of each: that of the best form or synonym, not the sum.

    Forms of a word are one term, so that a rare plural is not worth more than its word; a synonym is never rarer than
    the word that it replaces.
    """
    found = [(look(term), share) for term, share in concept.forms]
    docs, counts = _merge(found)
    total = collection.total
    rarity = idf(len(docs), total)
    gains = rarity * counts / (counts + collection.norms(docs, saturation))
    for other in concept.others:
        most = other[0][1]
        other_docs, counts = _merge([(look(term), share / most) for term, share in other])
        if len(other_docs):
            limit = min(rarity, idf(len(other_docs), total)) if len(docs) else idf(len(other_docs), total)
            found_gains = most * limit * counts / (counts + collection.norms(other_docs, saturation))
            docs, gains = _with_greater(docs, gains, other_docs, found_gains)
    return docs, gains


def _merge(found: Sequence[tuple[Terms, float]]) -> tuple[Numbers, Scores]:
    """Merge the documents of several terms, with how often a document holds one of them, by share."""
    import numpy as np

    docs = holding([terms for terms, _ in found])
    counts = np.zeros(len(docs))
    for terms, share in found:
        counts[np.searchsorted(docs, terms.docs) if len(found) > 1 else slice(None)] += share * terms.counts
    return docs, counts


def holding(found: Sequence[Terms]) -> Numbers:
    """The documents that hold one of some terms."""
    import numpy as np

    return distinct(np.concatenate([terms.docs for terms in found])) if len(found) > 1 else found[0].docs


def _with_greater(docs: Numbers, gains: Scores, more: Numbers, further: Scores) -> tuple[Numbers, Scores]:
    """Unite two sets of documents; one that is in both has the greater gain."""
    import numpy as np

    both = distinct(np.concatenate((docs, more)))
    merged, extra = np.zeros(len(both)), np.zeros(len(both))
    merged[np.searchsorted(both, docs)] = gains
    extra[np.searchsorted(both, more)] = further
    return both, merged + extra


def among(numbers: ArrayLike, ordered: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Test each number for membership in a sorted array; ``np.isin`` would load another part of numpy."""
    import numpy as np

    wanted = np.asarray(numbers, np.int64)
    if not len(ordered):
        return np.zeros(len(wanted), bool)
    found: NDArray[np.bool_] = ordered[np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)] == wanted
    return found
