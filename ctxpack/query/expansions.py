"""Words that a repository may use for what a request says: synonyms, translations, abbreviations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from ctxpack.model import Expansion
from ctxpack.query.thesaurus import Group, by_russian_stems, is_cyrillic, lemma, russian_stems, thesaurus

SYNONYM_WEIGHT = 0.35
TRANSLATION_WEIGHT = 0.8  # of the best translation; the others count as its synonyms
ABBREVIATION_WEIGHT = 0.5
USER_WEIGHT = 0.5  # the user knows the project's words
MAX_PER_WORD = 4

Option = tuple[str, str, float]  # term, origin, share of the word's weight


def expand(
    words: Mapping[str, float],
    *,
    extra: Mapping[str, tuple[str, ...]],
    is_known: Callable[[str], bool],
) -> tuple[Expansion, ...]:
    """What else to look for.

    ``words`` are the request's words, lower-case and in any form, with their weights. ``extra`` are the user's own
    synonyms, read from word to synonyms: they come before the built-in ones, and an empty tuple switches the word's
    built-in ones off. Only terms that ``is_known`` accepts survive, at most ``MAX_PER_WORD`` a word, which together
    never weigh more than the word. A term stands once, for the word that gives it most; heaviest first.
    """
    best: dict[str, Expansion] = {}
    for source, weight, options in _sources(words, extra):
        if weight <= 0:
            continue
        for expansion in _weigh(source, weight, _usable(options, words, is_known)):
            rival = best.get(expansion.term)
            if rival is None or (-expansion.weight, source) < (-rival.weight, rival.source):
                best[expansion.term] = expansion
    return tuple(sorted(best.values(), key=lambda expansion: (-expansion.weight, expansion.term)))


def _sources(
    words: Mapping[str, float], extra: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, float, Iterable[Option]]]:
    """Each word or phrase with its weight and everything it may stand for, best first."""
    extra = {key.lower(): synonyms for key, synonyms in extra.items()}
    for word in sorted(words):
        if not is_cyrillic(word):
            own = _own_english(word, extra)
            builtin: Iterable[Option] = () if own == () else _english(word)
            yield word, words[word], chain(_user(own), builtin)
    if any(is_cyrillic(word) for word in words):
        yield from _russian_sources(words, extra)
    for phrase in sorted(extra):
        parts = phrase.split()
        if len(parts) > 1 and not is_cyrillic(phrase) and all(part in words for part in parts):
            yield phrase, min(words[part] for part in parts), _user(extra[phrase])


def _own_english(word: str, extra: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """The user's synonyms of a word, or None if there is no entry for it."""
    key = lemma(word, extra.__contains__) if extra else ""
    return extra[key] if key else None


def _user(synonyms: tuple[str, ...] | None) -> list[Option]:
    return [(term.lower(), "synonym", USER_WEIGHT) for term in synonyms or ()]


def _english(word: str) -> Iterator[Option]:
    table = thesaurus()
    short = lemma(word, table.abbreviations.__contains__)
    for term in table.abbreviations.get(short, ()):
        yield term, "abbreviation", ABBREVIATION_WEIGHT
    groups = table.by_english.get(lemma(word, table.by_english.__contains__), ())
    for group in groups:
        yield from ((term, "synonym", SYNONYM_WEIGHT) for term in group.english)
    for group in groups:
        yield from ((term, "translation", SYNONYM_WEIGHT) for term in group.russian if " " not in term)


def _russian_sources(
    words: Mapping[str, float], extra: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, float, Iterable[Option]]]:
    stemmed: dict[str, str] = {}
    for word in sorted(words, key=lambda word: (-words[word], word)):
        for stem in russian_stems(word):
            stemmed.setdefault(stem, word)
    own = {russian_stems(key): synonyms for key, synonyms in extra.items() if is_cyrillic(key)}
    table = by_russian_stems()
    matching = (stems for stems in {**table, **own} if all(stem in stemmed for stem in stems))
    for stems in sorted(matching, key=lambda stems: (-len(stems), stems)):
        parts = [stemmed[stem] for stem in stems]
        groups = () if own.get(stems) == () else table.get(stems, ())
        yield " ".join(parts), min(words[part] for part in parts), chain(_user(own.get(stems)), _russian(groups))


def _russian(groups: tuple[Group, ...]) -> Iterator[Option]:
    """The best word of each group first, then their English synonyms, then the Russian ones."""
    for group in groups:
        yield group.english[0], "translation", TRANSLATION_WEIGHT
    for group in groups:
        yield from ((term, "translation", TRANSLATION_WEIGHT * SYNONYM_WEIGHT) for term in group.english[1:])
    for group in groups:
        yield from ((term, "synonym", SYNONYM_WEIGHT) for term in group.russian if " " not in term)


def _usable(options: Iterable[Option], words: Mapping[str, float], is_known: Callable[[str], bool]) -> list[Option]:
    found: dict[str, Option] = {}
    for option in options:
        if len(found) == MAX_PER_WORD:
            break
        term = option[0]
        if term not in words and term not in found and is_known(term):
            found[term] = option
    return list(found.values())


def _weigh(source: str, weight: float, options: list[Option]) -> Iterator[Expansion]:
    total = sum(share for _, _, share in options)
    scale = weight / max(1.0, total)
    for term, origin, share in options:
        yield Expansion(term, source, origin, round(share * scale, 4))
