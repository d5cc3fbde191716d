"""A query meets a repository's vocabulary: other forms, synonyms and corrections of what was asked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ctxpack.index import IndexView
from ctxpack.model import Expansion, Query
from ctxpack.query.corrections import correct
from ctxpack.query.expansions import expand
from ctxpack.query.inflections import inflect
from ctxpack.settings import Settings


def prepare(query: Query, view: IndexView, settings: Settings) -> Query:
    """The query with what the repository may call the same thing; each term once, from its heaviest source."""
    words = {**query.terms, **query.words}
    found: list[Expansion] = list(inflect(query.terms, view.postings.with_prefix))
    if settings.use_synonyms:
        found += expand(words, extra=settings.synonyms, is_known=view.postings.is_known)
    if settings.use_typos:
        found += correct(query.terms, partial(view.postings.vocabulary, "sub"), view.postings.is_known)
    best: dict[str, Expansion] = {}
    for each in found:
        if each.term not in best or each.weight > best[each.term].weight:
            best[each.term] = each
    ranked = sorted(best.values(), key=lambda each: (-each.weight, each.term))
    return replace(query, expansions=(*query.expansions, *ranked))
