"""A query meets a repository's vocabulary: other forms, synonyms and corrections of what was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from ctxpack.index import IndexView
from ctxpack.model import Expansion, Query
from ctxpack.query.corrections import correct
from ctxpack.query.expansions import Vocabulary, expand
from ctxpack.query.inflections import inflect
from ctxpack.query.tokens import words
from ctxpack.query.ukrainian import is_ukrainian
from ctxpack.settings import Settings


def prepare(query: Query, view: IndexView, settings: Settings) -> Query:
    """The query with what the repository may call the same thing; each term once, from its heaviest source."""
    is_other = is_ukrainian(words(query.text))
    forms = inflect(query.terms, view.with_prefix, is_ukrainian=is_other)
    found: list[Expansion] = list(forms)
    if settings.use_synonyms:
        known = Vocabulary(view.is_known, _scarcity(view, forms), is_other)
        found += expand({**query.terms, **query.words}, known, extra=settings.synonyms)
    if settings.use_typos:
        understood = {each.source for each in found}
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
    return replace(query, expansions=(*query.expansions, *ranked))


def _scarcity(view: IndexView, forms: Iterable[Expansion]) -> Callable[[str], float]:
    """How little each word finds with its forms: its rarity among files as a share of what nothing has."""
    from ctxpack.rank.bm25 import idf

    total = len(view.files)
    of_word: dict[str, list[str]] = {}
    for form in forms:
        of_word.setdefault(form.source, []).append(form.term)

    def scarcity(word: str) -> float:
        files: set[int] = set()
        for term in (word, *of_word.get(word, ())):
            files.update(view.file_terms("sub", term).docs.tolist())
        return idf(len(files), total) / idf(0, total)

    return scarcity
