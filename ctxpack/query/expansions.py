"""Words that a repository may use instead of those of a request.

They are synonyms, translations, abbreviations, inflections, compounds and corrections of typing errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from ctxpack.light import dataclass, field, lazy_pattern
from ctxpack.model import Expansion
from ctxpack.query import slavic
from ctxpack.query.dictionary import (
    Thesaurus,
    Translation,
    dictionary_matches,
    has_russian,
    into_russian,
    is_cyrillic,
    lemma,
    of_russian,
    of_ukrainian,
    thesaurus,
    without_words_of_phrases,
)
from ctxpack.query.messages import opposites, turns_of_speech
from ctxpack.query.subtokens import STOPWORDS, english_stem

if TYPE_CHECKING:
    from Stemmer import Stemmer

SYNONYM_WEIGHT = 0.35
FIRST_SYNONYM_WEIGHT = 0.8  # so, and with six a word instead of four, of 270 requests .64 of the needed places, not .63
TRANSLATION_WEIGHT = 0.8  # of the best translation
OTHER_SENSE = 0.6  # of what the best translation weighs: a Russian word has several; measured against 0.35
# Of a word's weight, all its translations, where the repository has no prose in its language: the word itself finds
# nothing there. With 1.0 as elsewhere, of 45 requests put into Russian .66 of the needed places are in a pack, not .68.
ALL_SENSES = 1.6
DERIVED_WEIGHT = 0.5  # of a translation that was found by the root of the word alone
ABBREVIATION_WEIGHT = 0.5
USER_WEIGHT = 0.5  # the user knows the project's words
MAX_EXPANSIONS = 6

Vocabulary = Callable[[str, Callable[[str], bool]], Sequence[str]]
_OWN = "own"  # origin of the user's synonyms until they are weighed: they count however much the word finds
Option = tuple[str, str, float]  # term, origin, share of the word's weight


@dataclass(frozen=True, slots=True)
class ExpansionVocabulary:
    """The vocabulary of a repository, and how a request is written.

    ``scarcity`` is how little a word of the request finds by itself and in its other forms: 1 if it finds
    nothing, 0 where every file holds it. ``said`` are the words of the request in order, lower-case.
    """

    is_known: Callable[[str], bool]
    scarcity: Callable[[str], float] = field(default=lambda _: 1.0)
    is_ukrainian: bool = False  # the request's Cyrillic words
    said: tuple[str, ...] = ()
    with_prefix: Vocabulary = field(default=lambda _, __: ())  # the words that begin with a prefix and are wanted
    look_up: Callable[[Iterable[str]], None] = field(default=lambda _: None)  # finds at once which of some are known


def expand(
    words: Mapping[str, float], vocabulary: ExpansionVocabulary, *, extra: Mapping[str, tuple[str, ...]]
) -> tuple[Expansion, ...]:
    """What else to look for.

    ``words`` are the request's words, lower-case and in any form, with their weights. ``extra`` are the user's own
    synonyms, read from word to synonyms: they come before the built-in ones, and an empty tuple switches the word's
    built-in ones off. Only known terms survive, at most ``MAX_EXPANSIONS`` a word, which together never weigh more than
    the word; built-in synonyms weigh the less, the more the word itself finds, so that none counts more than its word.
    A term is returned once, for the word that gives it most; heaviest first.
    """
    best: dict[str, Expansion] = {}
    is_russian = has_russian(vocabulary.is_known)
    sources = [*_sources(words, extra, vocabulary, is_russian=is_russian)]
    vocabulary.look_up(term for _, _, options in sources for term, *_ in options)
    for source, weight, options in sources:
        if weight <= 0:
            continue
        scarcity = max(vocabulary.scarcity(word) for word in source.split())
        most = ALL_SENSES if is_cyrillic(source) and not is_russian else 1.0
        for expansion in _weigh(source, weight, scarcity, _usable_options(options, words, vocabulary.is_known), most):
            rival = best.get(expansion.term)
            if expansion.weight > 0 and (rival is None or _order(expansion) < _order(rival)):
                best[expansion.term] = expansion
    return tuple(sorted(best.values(), key=lambda expansion: (-expansion.weight, expansion.term)))


def _order(expansion: Expansion) -> tuple[float, int, str]:
    """The heaviest first; of equals a phrase comes before its words."""
    return -expansion.weight, -len(expansion.source.split()), expansion.source


def _sources(
    words: Mapping[str, float],
    extra: Mapping[str, tuple[str, ...]],
    vocabulary: ExpansionVocabulary,
    *,
    is_russian: bool,
) -> Iterator[tuple[str, float, list[Option]]]:
    """Each word or phrase with its weight and all its possible meanings, best first."""
    extra = {key.lower(): synonyms for key, synonyms in extra.items()}
    for word in sorted(words):
        if not is_cyrillic(word):
            own = _own_english(word, extra)
            builtin: Iterable[Option] = () if own == () else _english(word, is_russian=is_russian)
            yield word, words[word], [*_user(own), *builtin]
    cyrillic = sorted((word for word in words if is_cyrillic(word)), key=lambda word: (-words[word], word))
    if cyrillic:
        yield from _cyrillic_sources(cyrillic, words, extra, vocabulary, is_russian=is_russian)
    for phrase in sorted(extra):
        parts = phrase.split()
        if len(parts) > 1 and not is_cyrillic(phrase) and all(part in words for part in parts):
            yield phrase, min(words[part] for part in parts), _user(extra[phrase])


def _own_english(word: str, extra: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """The user's synonyms of a word, or None if there is no entry for it."""
    key = lemma(word, extra.__contains__) if extra else ""
    return extra[key] if key else None


def _user(synonyms: tuple[str, ...] | None) -> list[Option]:
    return [(term.lower(), _OWN, USER_WEIGHT) for term in synonyms or ()]


def _english(word: str, *, is_russian: bool) -> Iterator[Option]:
    table = thesaurus()
    short = lemma(word, table.abbreviations.__contains__)
    for term in table.abbreviations.get(short, ()):
        yield term, "abbreviation", ABBREVIATION_WEIGHT
    for term in _synonyms(word, table):
        yield term, "synonym", SYNONYM_WEIGHT
    if is_russian:
        base = lemma(word, lambda form: bool(into_russian(form)))
        yield from ((term, "translation", SYNONYM_WEIGHT) for term in into_russian(base))


def _synonyms(word: str, table: Thesaurus) -> Iterator[str]:
    """The synonyms of an English word, the likeliest first: in base form and in the plural, then what code calls it."""
    related = table.related.get(lemma(word, table.related.__contains__), ())
    groups = table.by_word.get(lemma(word, table.by_word.__contains__) or table.verb(word), ())
    for term in chain(related, *groups):
        yield term
        if term in related:
            yield f"{term}s"
    yield from table.said.get(lemma(word, table.said.__contains__), ())


def _cyrillic_sources(
    cyrillic: list[str],
    words: Mapping[str, float],
    extra: Mapping[str, tuple[str, ...]],
    vocabulary: ExpansionVocabulary,
    *,
    is_russian: bool,
) -> Iterator[tuple[str, float, list[Option]]]:
    own = {
        parts: extra[key] for key in sorted(extra) if is_cyrillic(key) and (parts := dictionary_matches(key, cyrillic))
    }
    for parts, synonyms in own.items():
        yield " ".join(parts), min(words[part] for part in parts), _user(synonyms)
    found = [*(of_ukrainian(cyrillic) if vocabulary.is_ukrainian else of_russian(cyrillic))]
    known = {word for each in found for word in each.sources}
    if not is_russian:  # there prose has the words themselves, and code what each of them means
        found = [*without_words_of_phrases(found, vocabulary.said)]
    borrowed = {word: slavic.loans(word, vocabulary.with_prefix) for word in cyrillic if word not in known}
    weights: dict[tuple[str, ...], float] = {}
    first: dict[tuple[str, ...], Translation] = {}
    found += [Translation((word,), terms) for word, terms in borrowed.items() if terms]
    for each in found:
        if own.get(each.sources) != ():
            weight = (min if is_russian else sum)(words[part] for part in each.sources)  # in English they are as many
            key = each.sources if is_russian else each.english[:1]  # two forms of a word are one that is said twice
            first.setdefault(key, each)
            weights[key] = math.log1p(math.expm1(weights.get(key, 0.0)) + math.expm1(weight))
    for key, each in first.items():
        is_prose = is_russian and not vocabulary.is_ukrainian
        yield " ".join(each.sources), weights[key], [*_translations(each, is_russian=is_prose)]


def _translations(translation: Translation, *, is_russian: bool) -> Iterator[Option]:
    """The best translation first, then the other senses, then other Russian words for the best."""
    share = TRANSLATION_WEIGHT * (DERIVED_WEIGHT if translation.is_derived else 1)
    for place, term in enumerate(translation.english):
        yield term, "translation", share * (OTHER_SENSE if place else 1)
    if is_russian and not translation.is_derived:
        yield from ((term, "synonym", SYNONYM_WEIGHT) for term in into_russian(translation.english[0]))


def _usable_options(
    options: Iterable[Option], words: Mapping[str, float], is_known: Callable[[str], bool]
) -> list[Option]:
    found: dict[str, Option] = {}
    for option in options:
        if len(found) == MAX_EXPANSIONS:
            break
        term = option[0]
        if term not in words and term not in found and is_known(term):
            found[term] = option
    return list(found.values())


def _weigh(source: str, weight: float, scarcity: float, options: list[Option], most: float) -> Iterator[Expansion]:
    """Weigh the options of a word: all together at most ``most`` times the word; above 1 the first one stays whole."""
    if options and options[0][1:] == ("synonym", SYNONYM_WEIGHT):
        options = [(options[0][0], "synonym", FIRST_SYNONYM_WEIGHT), *options[1:]]
    total = sum(share for _, _, share in options)
    main = options[0][2] if options and most > 1 else 0.0
    scale = weight * min(1.0, (most - main) / (total - main)) if total > main else weight
    for place, (term, origin, share) in enumerate(options):
        if main and not place:
            yield Expansion(term, source, "synonym" if origin == _OWN else origin, round(share * weight, 4))
            continue
        if origin == _OWN:
            yield Expansion(term, source, "synonym", round(share * scale, 4))
        else:
            rest = scarcity if origin == "synonym" else 1.0
            yield Expansion(term, source, origin, round(share * scale * rest, 4))


FORM_WEIGHT: Final = 0.5  # of the word's own; a form is nearly, not quite, the word
_SHORTEST: Final = 3  # letters: log, die, pin; below that a stem says little
_SHORTEST_CYRILLIC: Final = 3  # код, имя, тип: their paradigm is checked, not a stem
_MAX_FORMS: Final = 6
_PREFIXED: Final = lazy_pattern(r"(?:re|un)([a-z]{4,})")  # "reparse" where a project only has "parse"
_MAX_CYRILLIC_FORMS: Final = 10  # a Russian noun has up to ten


_PAIR = lazy_pattern(r"(?<!\w)([^\W\d_]{3,24})([ -])(?=([^\W\d_]{2,24})(?!\w))")
_PARTICLES: Final = frozenset({"away", "back", "down", "off", "out", "over", "up"})


def join_words(text: str, terms: Mapping[str, float], is_known: Callable[[str], bool]) -> tuple[Expansion, ...]:
    """Find the pairs of words in a row that the repository also writes as one: ``builtin``, ``shutdown``."""
    found: dict[str, Expansion] = {}
    for match in _PAIR.finditer(text):
        first, second, is_one = match[1].lower(), match[3].lower(), match[2] == "-"
        is_phrasal = second in _PARTICLES and first in terms and not is_one  # "is shut down"
        source = first if is_phrasal else max(first, second, key=lambda word: terms.get(word, 0.0))
        weight = terms.get(source, 0.0) * (1.0 if is_one else FORM_WEIGHT)
        source = f"{first} {second}" if is_one else source  # own: "touch-up" is no "touch"
        belong = is_phrasal or is_one or (first in terms and second in terms)
        joined = (english_stem(first) if is_phrasal else first) + second
        if weight > 0 and belong and joined not in terms and joined not in found and is_known(joined):
            found[joined] = Expansion(joined, source, "compound", weight)
    return tuple(found.values())


def rephrase(text: str, terms: Mapping[str, float], is_known: Callable[[str], bool]) -> tuple[Expansion, ...]:
    """Find what the repository calls ``unknown`` or ``truncate`` and the text "does not know" or "cut off".

    For a word that the request does not count, such as "know", the other one stands alone and has the usual weight.
    """
    found: dict[str, Expansion] = {}
    usual = sum(terms.values()) / len(terms) if terms else 0.0
    turns = ((text[turn.start : turn.end], turn.names) for turn in turns_of_speech(text))
    meant = ((max(said.lower().split(), key=len), said, name) for said, names in turns for name in names)
    for word, phrase, term in chain(opposites(text), meant):
        weight = round(FORM_WEIGHT * terms[word] if word in terms else usual, 4)
        if weight > 0 and term not in terms and term not in found and is_known(term):
            found[term] = Expansion(term, word if word in terms else phrase, "synonym", weight)
    return tuple(found.values())


def inflect(
    words: Mapping[str, float], with_prefix: Vocabulary, *, is_ukrainian: bool = False
) -> tuple[Expansion, ...]:
    """The forms of each word, in the order of the words.

    ``with_prefix`` gives the vocabulary's terms that begin with a prefix and are wanted, the most frequent first.
    """
    found: dict[str, Expansion] = {}
    for word, weight in words.items():
        for form in _forms(word, words, with_prefix, is_ukrainian=is_ukrainian):
            rival = found.get(form)
            if rival is None or rival.weight < weight * FORM_WEIGHT:
                found[form] = Expansion(form, word, "inflection", weight * FORM_WEIGHT)
    return tuple(found.values())


def _forms(word: str, words: Mapping[str, float], with_prefix: Vocabulary, *, is_ukrainian: bool) -> Sequence[str]:
    shortest = _SHORTEST_CYRILLIC if is_cyrillic(word) else _SHORTEST
    if len(word) < shortest or not word.isalpha():
        return ()
    if not is_cyrillic(word):
        return _english_forms(word, words, with_prefix)
    if is_ukrainian:
        stem = slavic.stem(word)
        found = with_prefix(stem[:-1], lambda term: term not in words and slavic.stem(term) == stem)
    else:
        stems = slavic.russian_word_stems(word)
        found = with_prefix(
            slavic.prefix(word),
            lambda term: term not in words and not stems.isdisjoint(slavic.russian_word_stems(term)),
        )
        if not found and not with_prefix(word, lambda term: term == word):
            found = slavic.family(word, with_prefix)
    return found[:_MAX_CYRILLIC_FORMS]


def _english_forms(word: str, words: Mapping[str, float], with_prefix: Vocabulary) -> Sequence[str]:
    from Stemmer import Stemmer

    stemmer, irregular = Stemmer("english"), thesaurus().irregular
    base = thesaurus().base(word)
    keys = base, word, stemmer.stemWord(word), f"{stemmer.stemWord(word)}e"  # decid, of deciding
    others = next((irregular[key] for key in keys if key in irregular), ())
    found: dict[str, None] = {}
    of_number = word[:-1] if word.endswith("us") else f"{word}s" if word.endswith("u") else ""  # menus has no stem
    for form in (*others, base, of_number):
        if form and form not in words:
            found |= dict.fromkeys(with_prefix(form, form.__eq__))
    for stem in map(stemmer.stemWord, filter(None, (word, base))):
        found |= dict.fromkeys(with_prefix(_prefix(stem), partial(_is_form, words=words, stem=stem, stemmer=stemmer)))
    if not found and (prefixed := _PREFIXED.fullmatch(word)) and not with_prefix(word, word.__eq__):
        stem = stemmer.stemWord(prefixed[1])
        found |= dict.fromkeys(with_prefix(_prefix(stem), partial(_is_form, words=words, stem=stem, stemmer=stemmer)))
    own = stemmer.stemWord(word)
    return tuple(form for form in found if not thesaurus().are_strangers(word, form, own))[:_MAX_FORMS]


def _is_form(term: str, *, words: Mapping[str, float], stem: str, stemmer: Stemmer) -> bool:
    return term not in words and stemmer.stemWord(term) == stem


def _prefix(stem: str) -> str:
    """What every form begins with: a final i or y of a stem changes between forms."""
    return stem[:-1] if stem[-1] in "iy" and len(stem) > _SHORTEST - 1 else stem


CorrectionVocabulary = Callable[[Callable[[str], bool], AbstractSet[str]], Sequence[str]]

MIN_LETTERS = 5  # one wrong letter in a shorter word makes another word
CUTOFF = 82.0  # rapidfuzz's ratio, 0..100: one wrong letter in six, one missing in five
RARITY_COST = 1.5  # points of ratio that a word loses for each tenfold place down the vocabulary
MAX_CORRECTIONS = 2
CORRECTION_SHARES = (0.7, 0.3)  # of the word's weight, best correction first
_NEAREST = 20


def correct(
    words: Mapping[str, float], vocabulary: CorrectionVocabulary, is_known: Callable[[str], bool]
) -> tuple[Expansion, ...]:
    """What misspelt words may have meant, at most ``MAX_CORRECTIONS`` a word, heaviest first.

    ``words`` are the request's words, lower-case. ``vocabulary`` gives the repository's words that are wanted and begin
    with one of some letters, lower-case and the most frequent first; it is only called when a word needs it. A word is
    suspicious if it has ``MIN_LETTERS`` letters and nothing else, and neither the repository (``is_known``) nor the
    built-in tables know it in any form.
    """
    suspicious = [word for word in sorted(words) if words[word] > 0 and _is_suspicious(word, is_known)]
    if not suspicious:
        return ()
    pool = vocabulary(_is_near(suspicious), {letter for word in suspicious for letter in word[:2]})
    found = [
        Expansion(term, word, "correction", round(share * words[word], 4))
        for word in suspicious
        for term, share in zip(_nearest(word, pool), CORRECTION_SHARES, strict=False)
        if term not in words
    ]
    return tuple(sorted(found, key=lambda item: (-item.weight, item.term, item.source)))


def _is_suspicious(word: str, is_known: Callable[[str], bool]) -> bool:
    if len(word) < MIN_LETTERS or not word.isalpha() or word in STOPWORDS or lemma(word, is_known):
        return False
    if not is_cyrillic(word):
        return not thesaurus().knows(word)
    return True


def _is_near(words: Sequence[str]) -> Callable[[str], bool]:
    """Whether any of ``words`` may have meant a word of the vocabulary, by its length."""
    shortest = min(len(word) for word in words) - 2
    longest = max(len(word) for word in words) + 2
    return lambda known: shortest <= len(known) <= longest


def _nearest(word: str, pool: Sequence[str]) -> list[str]:
    from rapidfuzz import fuzz, process

    hits = process.extract(word, pool, scorer=fuzz.ratio, score_cutoff=CUTOFF, limit=_NEAREST)
    ranked = sorted((RARITY_COST * math.log10(place + 1) - score, place) for _, score, place in hits)
    return list(_plausible(word, (pool[place] for _, place in ranked)))[:MAX_CORRECTIONS]


def _plausible(word: str, terms: Iterator[str]) -> Iterator[str]:
    """Those that begin as ``word`` does, or with its first two letters swapped."""
    for term in terms:
        if term.isalpha() and (term[0] == word[0] or term[:2] == word[1::-1]):
            yield term
