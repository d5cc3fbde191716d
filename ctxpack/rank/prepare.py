"""A query meets a repository's vocabulary: other forms, synonyms and corrections of what was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from ctxpack.index import IndexView
from ctxpack.model import Expansion, Query
from ctxpack.query.corrections import correct
from ctxpack.query.expansions import Vocabulary, expand
from ctxpack.query.inflections import inflect
from ctxpack.query.thesaurus import is_cyrillic
from ctxpack.query.tokens import words
from ctxpack.query.ukrainian import is_ukrainian
from ctxpack.rank.bm25 import idf
from ctxpack.settings import Settings


def prepare(query: Query, view: IndexView, settings: Settings) -> Query:
    """The query with what the repository may call the same thing; each term once, from its heaviest source."""
    is_other = is_ukrainian(words(query.text))
    forms = inflect(query.terms, view.with_prefix, is_ukrainian=is_other)
    pooled = _Pooled(view, forms)
    # A Russian word has ten forms, each of them rare. The few of an English one count as they are: pooled, they gained
    # nothing on requests in English and lost one of 17 issues.
    found: list[Expansion] = [pooled.weigh(form) if is_cyrillic(form.term) else form for form in forms]
    if settings.use_synonyms:
        known = Vocabulary(partial(_is_known, view), pooled.scarcity, is_other)
        found += expand({**query.terms, **query.words}, known, extra=settings.synonyms)
    if settings.use_typos:
        understood = {each.source for each in found if is_cyrillic(each.source)}
        found += correct(
            query.terms,
            partial(view.vocabulary, "sub"),
            lambda word: word in understood or view.is_known(word),
        )
    best: dict[str, Expansion] = {}
    for each in found:
        if each.term not in best or each.weight > best[each.term].weight:
            best[each.term] = each
    ranked = sorted(best.values(), key=lambda each: (-each.weight, each.term))
    translated = [each for each in ranked if each.origin == "translation" and is_cyrillic(each.source)]
    return replace(
        query,
        title=_with_translations(query.title, query.terms, translated),
        words=_with_translations(query.words, query.terms, translated),
        expansions=(*query.expansions, *ranked),
    )


def _is_known(view: IndexView, term: str) -> bool:
    """Whether a file holds a term or is named by it."""
    return view.is_known(term) or bool(len(view.file_terms("path", term).docs))


def _with_translations(
    part: Mapping[str, float], terms: Mapping[str, float], translated: Iterable[Expansion]
) -> Mapping[str, float]:
    """The words of a part of the request with what they mean: the code is written in that language."""
    added: dict[str, float] = {}
    for each in translated:
        parts = each.source.split()
        if all(word in part for word in parts):
            share = each.weight / min(terms[word] for word in parts)
            added[each.term] = max(added.get(each.term, 0.0), share * min(part[word] for word in parts))
    return {**added, **part} if added else part


class _Pooled:
    """How rare the words of a request are together with their forms."""

    def __init__(self, view: IndexView, forms: Iterable[Expansion]) -> None:
        self._view = view
        self._forms: dict[str, list[str]] = {}
        for form in forms:
            self._forms.setdefault(form.source, []).append(form.term)
        self._known: dict[str, float] = {}

    def rarity(self, word: str) -> float:
        """The rarity among files of a word in any of its forms."""
        if word not in self._known:
            self._known[word] = self._idf(word, *self._forms.get(word, ()))
        return self._known[word]

    def scarcity(self, word: str) -> float:
        """How little a word finds: its rarity as a share of what a word has that nothing holds."""
        return self.rarity(word) / self._idf()

    def weigh(self, form: Expansion) -> Expansion:
        """A form, however rare it is by itself, counts as its word does in all forms."""
        share = self.rarity(form.source) / self._idf(form.term)
        return replace(form, weight=form.weight * min(share, 1.0))

    def _idf(self, *terms: str) -> float:
        files: set[int] = set()
        for term in terms:
            files.update(self._view.file_terms("sub", term).docs.tolist())
        return idf(len(files), len(self._view.files))
