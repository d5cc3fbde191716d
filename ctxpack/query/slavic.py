"""Russian and Ukrainian words: which of the two a text is, and the forms of a word by rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import Final

from ctxpack.light import lazy_pattern

_SHORTEST: Final = 3  # letters of a stem: below that too many words share one
PREFIX: Final = 3  # letters that all forms of a word and all words of its family have in common

_NOUN: Final = """
а ам ами ах ев ей ем еи е и ию ий ией иями иям иях ов ом ой ою о у ы ь ью ья ье ьи ью ьев ьей ьем ьям ьями ьях я ям ями
ях ю й
"""
_ADJECTIVE: Final = """
ый ий ой ая яя ое ее ого его ому ему ым им ом ем ую юю ей ою ею ые ие ых их ыми ими а о ы
"""
_VERB: Final = """
еть ел ела ело ели
ть л ла ло ли ет ешь ем ете ют ю й йте в вши вшись ит ишь им ите ят ат ить ил ила ило или и ив ивши я у ут уть ул ула
уло ули лю лят овать овал овала овало овали ует уешь уем уете уют уй уйте уя ую ьте
"""
_SHORT_PARTICIPLE: Final = lazy_pattern(r"(?<=[аея]н)(?:а|о|ы)?$")
_NAME_IN_MYA: Final = lazy_pattern(r"^(вре|и|пле|се|зна|бре|стре|пла)м(?:я|ен(?:и|ем|а|ам|ами|ах)?)$")
_IRREGULAR: Final = tuple(
    (lazy_pattern(pattern), frozenset(found), start)
    for pattern, found, start in (
        (r"^д(?:ень|н(?:я|ю|ем|е|и|ей|ям|ями|ях))$", ("nдень",), "д"),
        (r"^(?:ноль|нол[яюие]|нол(?:ем|ей)|нул[ьяюие]|нул(?:ем|ей|ям|ями|ях))$", ("nноль",), "н"),
        (r"^(?:ищ(?:у|ет|ем|ете|ут|и|ите)|иска(?:ть|л|ла|ли|ло|я))(?:с[яь])?$", ("vиска",), "и"),
        (r"^стек(?:а|у|ом|е|и|ов|ам|ами|ах)?$", ("nстек",), "сте"),  # not what flowed down
        (r"^(?:най(?:ти|д(?:у|ет|ем|ете|ут|и|ите))|наш(?:ел|ла|ли|ло))(?:с[яь])?$", ("vнайд",), "на"),
    )
)
# Verbs whose stem changes, as from ждёт to ждать: the stem of the present, that of the past, and the infinitive.
_PREFIXED_VERBS: Final = """
жд жда ждать; бер бра брать; зов зва звать; йд ше? йти; шл сла слать; пиш писа писать; каж каза казать
вяж вяза вязать; ед еха ехать; реж реза резать; пряч прята прятать; жм жа жать; ним|йм ня нять; пад па пасть
вед ве вести; нес нес нести; тр тер тереть; лез лез лезт[ьи]; стан ста стать; кро кры крыть; бь би бить; ль ли лить
влек|влеч влек влечь; висн вис виснуть; чезн чез чезнуть; мерзн мерз мерзнуть; гасн гас гаснуть; дохн дох дохнуть
никн ник никнуть; скач скака скакать; тек|теч тек течь; тухн тух тухнуть
"""
_BARE_VERBS: Final = """
жд жда ждать; бер бра брать; шл сла слать; пиш писа писать; реж реза резать; пряч прята прятать; жм жа жать
пад па пасть; вед ве вести; нес нес нести; лез лез лезть; раст рос расти; вырас вырос вырасти; возьм взя взять
начн нача начать; прим приня принять; умр умер умереть; помог|помож помог помочь; тек|теч тек течь
"""
_VERBS_OF_GIVING: Final = (
    "да|дам|дашь|даст|дад да дать; зда|здам|здашь|здаст|здад зда здать; съед|съем|съест съе съесть"
)
_VERBS_IN_IT: Final = """
держ держа держать; задерж задержа задержать; леж лежа лежать; молч молча молчать; слыш слыша слышать; сто стоя стоять
прогон прогна прогнать; догон догна догнать
"""
_VERB_PREFIX: Final = (
    "(?:воз|вос|во|вы|в|до|за|изо|ис|из|на|обо|об|ото|от|о|пере|подо|под|по|предо|пред|при|про|разо|раз|рас|со|с|у)"
)
_FLEETING_PREFIXES: Final = frozenset(("во", "изо", "обо", "ото", "подо", "предо", "разо", "со"))  # разберёт, разобрать
_PRESENT, _PRESENT_IN_IT = "у|ю|ешь|ет|ем|ете|ут|ют|и|ите|й|йте|ь|ьте", "у|ю|ишь|ит|им|ите|ят|ат|и"

# What forms of these verbs end with: most words do not, and need not be matched with each.
_ENDS: Final = "у;ю;шь;жь;чь;нь;зь;т;м;и;в;ай;ой;л;ла;ло;те;з;с;р;х;к;г"
_VERB_ENDS: Final = tuple(
    re.findall(r"\w+(?=\[|;|\n)", f"{_ENDS};{_PREFIXED_VERBS}{_BARE_VERBS}{_VERBS_OF_GIVING};{_VERBS_IN_IT}")
)


def _verb_pattern(row: str, prefix: str, endings: str) -> re.Pattern[str]:
    present, past, infinitive = row.split()
    ends = "л|ла|ло|ли|в|вши" if past[-1] in "аяеиы?" else "|ла|ло|ли|ши"
    forms = rf"(?:{present})(?:{endings})|{past}(?:{ends})|{infinitive}"
    return lazy_pattern(rf"^(?P<prefix>{prefix})(?:{forms})(?:с[яь])?$")


@lru_cache(maxsize=1)
def _changing_verbs() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """The infinitive, the letters that all forms begin with, and their pattern, of each verb whose stem changes."""
    made = []
    for table, prefix, endings in (
        (_PREFIXED_VERBS, _VERB_PREFIX, _PRESENT),
        (_BARE_VERBS, "", _PRESENT),
        (_VERBS_OF_GIVING, f"{_VERB_PREFIX}?", f"|{_PRESENT}|{_PRESENT_IN_IT}"),
        (_VERBS_IN_IT, "", _PRESENT_IN_IT),
    ):
        for row in filter(None, re.split(r"[;\n]", table)):
            present, past, infinitive = row.split()
            stems = (*present.split("|"), past, infinitive)
            same = takewhile(lambda letters: len(set(letters)) == 1, zip(*stems, strict=False))
            shared = "".join(letters[0] for letters in same)
            made.append((infinitive, shared, _verb_pattern(row, prefix, endings)))
    return tuple(made)


@lru_cache(maxsize=100_000)
def _changing_verb(word: str) -> tuple[str, str]:
    """The infinitive of a form of such a verb, and the letters that all its forms begin with; empty for others."""
    if not word.removesuffix("ся").removesuffix("сь").endswith(_VERB_ENDS):
        return "", ""
    for infinitive, shared, pattern in _changing_verbs():
        if match := pattern.match(word):
            prefix = match["prefix"]
            if prefix not in _FLEETING_PREFIXES:
                return prefix + infinitive, prefix + (shared if f"{prefix}о" not in _FLEETING_PREFIXES else "")
            return prefix[:-1] + infinitive, prefix[:-1]
    return "", ""


_VOWEL: Final = lazy_pattern(r"[аеиоуыэюя]")  # three letters without one are no stem
_FLEETING: Final = lazy_pattern(r"^(.{2,3}(?=.л)|.{2,}(?!.л))[оеьй]([гклмнрц])$")
"""A vowel that comes and goes before the last consonant, and the sign or the й in its place: ошибок and ошибк-а,
уровен-ь and уровн-я, писем and письм-о, настроек and настройк-а."""
_SOFT: Final = (("ж", ("з", "д")), ("ш", ("с",)), ("щ", ("ст", "т")), ("ч", ("т",)))
"""What consonants become before -у and -ен: загружу from загрузить, пропущен from пропустить."""


def _by_length(text: str) -> tuple[str, ...]:
    return tuple(sorted(set(text.split()), key=lambda ending: (-len(ending), ending)))


_ENDINGS: Final = (("n", _by_length(_NOUN)), ("a", _by_length(_ADJECTIVE)), ("v", _by_length(_VERB)))


def plain_letters(word: str) -> str:
    """A word in lower case, with ``ё`` as it is mostly written."""
    return word.lower().replace("ё", "е")


@lru_cache(maxsize=100_000)
def russian_word_stems(word: str) -> frozenset[str]:
    """The possible stems of a word, each with its part of speech in front; forms of one word share one."""
    word = plain_letters(word)
    special = _NAME_IN_MYA.match(word)
    if special:
        return frozenset((f"n{special[1]}мен",))
    for pattern, known, _ in _IRREGULAR:
        if pattern.match(word):
            return known
    infinitive, _ = _changing_verb(word)
    if infinitive:
        return frozenset((f"v{infinitive}",))
    found = {f"n{_without_fleeting(word)}", f"a{_without_fleeting(word)}"}
    bare = word[:-2] if word.endswith(("ся", "сь")) and len(word) > _SHORTEST + 2 else word
    for part, endings in _ENDINGS:
        body = bare if part != "n" else word
        for ending in endings:
            rest = body.removesuffix(ending)
            if rest != body and len(rest) >= _SHORTEST and (len(rest) > _SHORTEST or _VOWEL.search(rest)):
                found.update(f"{part}{stem}" for stem in _variants(part, rest, ending))
    if _SHORT_PARTICIPLE.search(bare) and len(bare) > _SHORTEST + 2:
        found.add(f"a{bare.rstrip('аоы')}н")
    return frozenset(found)


def _variants(part: str, stem: str, ending: str) -> tuple[str, ...]:
    if part != "v":
        return (_without_fleeting(stem),)
    if ending in ("у", "ю") and stem:
        softened = next((hard for soft, hard in _SOFT if stem.endswith(soft)), ())
        return (stem, *(stem[:-1] + hard for hard in softened))
    return (stem,)


def _without_fleeting(stem: str) -> str:
    stem = stem.removesuffix("ь")
    bare = _FLEETING.sub(r"\1\2", stem)
    return bare if _VOWEL.search(bare) else stem  # "стор" is not what "стрим" and "строгий" begin with


def prefix(word: str) -> str:
    """The letters that every form of a word begins with."""
    word = plain_letters(word)
    for pattern, _, start in _IRREGULAR:
        if pattern.match(word):
            return start
    _, shared = _changing_verb(word)
    if shared:
        return shared
    special = _NAME_IN_MYA.match(word)
    if special:
        return special[1] + "м"
    shortest = min(len(stem) for stem in russian_word_stems(word)) - 1
    is_short = shortest == _SHORTEST and len(word) <= 2 * _SHORTEST
    return word[: PREFIX - 1 if is_short else max(PREFIX, shortest - 2)]


# --- families -------------------------------------------------------------------------------------------------------

_SHORTEST_ROOT: Final = 4  # letters: strangers share less
_THEME: Final = "(?:ирова|ыва|ива|ева|ова|а|я|и|е|у)"
_CASES: Final = "(?:ый|ий|ой|ая|яя|ое|ее|ого|его|ому|ему|ым|им|ом|ем|ей|ею|ою|ую|юю|ые|ие|ых|их|ыми|ими|а|о|ы)?"
_DERIVED: Final = tuple(
    lazy_pattern(rf"^(?P<root>.{{{_SHORTEST_ROOT},}}?){pattern}$")
    for pattern in (
        rf"{_THEME}(?:ть|л|ла|ло|ли|ет|ют|ем|ете|ешь|й|йте|я|в)",  # verbs
        "(?:ит|ишь|им|ите|ят|ат|у|ю|ну|нуть|нул|нула|нули|нет|нут)",
        "(?:ыва|ива|ова|ева|а|я|е)ни(?:е|я|ю|ем|и|й|ям|ями|ях)",  # what is done
        "(?:иров|ов)?к(?:а|и|у|е|ой|ам|ами|ах)",
        "[ая]ци(?:я|и|ю|ей|й|ям|ями|ях)",
        rf"(?:ыва|ива|ова|ева|а|я|е)нн?{_CASES}",  # what it was done to
        rf"(?:ыва|ива|ова|ева|а|я|и|у|е)(?:ющ|ящ|ащ|вш|ем|им|м){_CASES}",
        "(?:ыва|ива|ова|ева|а|я|и)тел(?:ь|я|ю|ем|е|и|ей|ям|ями|ях)",  # who does it
        "(?:чик|щик)(?:а|у|ом|е|и|ов|ам|ами|ах)?",
    )
)
_HARDENED: Final = (("вл", "в"), ("бл", "б"), ("пл", "п"), ("мл", "м"), ("жд", "д"), ("ж", "з"), ("ш", "с"), ("щ", "т"))


@lru_cache(maxsize=50_000)
def root(word: str) -> str:
    """What verbs of both aspects share with their nouns and participles: обработка, обрабатывать, обработчик.

    ``""`` where a word has no ending of such a kind or so little is left that strangers share it.
    """
    word = plain_letters(word)
    word = word[:-2] if word.endswith(("ся", "сь")) else word
    roots = [match["root"] for pattern in _DERIVED if (match := pattern.match(word))]
    if not roots:
        return ""
    stem = min(roots, key=lambda root: (len(root), root))
    soft, hard = next((pair for pair in _HARDENED if stem.endswith(pair[0])), ("", ""))
    stem = stem[: len(stem) - len(soft)] + hard
    if len(stem) < _SHORTEST_ROOT:
        return ""
    return stem[:PREFIX] + stem[PREFIX:].replace("о", "а")


PERFECTIVE: Final = lazy_pattern(
    r"^(?:пере|под|про|при|раз|рас|от|за|по|вы|до|о|с|у)"
    r"(?=.{4,}(?:ова(?:ть|л|ла|ло|ли|н|на|но|ны|нн\w+|ни\w+)|ует|уют|уешь|уй|уйте|ую|уем)(?:с[яь])?$)"
)
"""What makes a perfective verb of a borrowed one: о-публиковать, за-регистрировать, от-сортировать."""


def roots(word: str) -> tuple[str, ...]:
    """The roots that a word may have, each without a final й: its own, and that without a perfective prefix."""
    word = plain_letters(word)
    bare = PERFECTIVE.sub("", word)
    found = (root(each).rstrip("й") for each in ((word,) if bare == word else (word, bare)))
    return tuple(dict.fromkeys(filter(None, found)))


def family(word: str, with_prefix: Callable[[str, Callable[[str], bool]], Sequence[str]]) -> Sequence[str]:
    """The words of a vocabulary that share a root of a Russian word: публикация for опубликовать.

    ``with_prefix`` gives the words that begin with a prefix and are wanted.
    """

    def share(root: str) -> Callable[[str], bool]:
        return lambda term: root in roots(term)

    return tuple(dict.fromkeys(term for each in roots(word) for term in with_prefix(each[:PREFIX], share(each))))


# Participles and nouns of action: сброшен of сбросить, записан of записать, вырезание of вырезать; слиты of слить.
_ACTION: Final = lazy_pattern(rf"^(?P<verb>.{{2,}}[аея])н(?:н?{_CASES}|и(?:е|я|ю|й|ем|и|ям|ями|ях))$")
_CLOSED: Final = lazy_pattern(rf"^(?P<verb>.+(?:кры|ня|жа|би|ли|нача))т{_CASES}$")


def verb_of(word: str) -> tuple[str, frozenset[str]]:
    """The letters that the verb of a participle or of a noun of action begins with, and its stems; none for others."""
    word = plain_letters(word)
    match = _ACTION.match(word) or _CLOSED.match(word)
    body = match["verb"] if match else ""
    bare = body.removesuffix("е")
    infinitive, _ = _changing_verb(f"{bare}ет" if bare != body else f"{body}ть")
    if infinitive:
        stems = russian_word_stems(infinitive)
    elif bare != body:
        hard = [f"{bare[:-1]}{hard}" for soft, hards in _SOFT if bare.endswith(soft) for hard in hards]
        hard += [bare.removesuffix(soft) + hard for soft, hard in _HARDENED if len(soft) > 1 and bare.endswith(soft)]
        stems = frozenset(f"v{stem}" for stem in (bare, *hard))
    else:
        stems = frozenset(stem for stem in russian_word_stems(f"{body}ть") if body and stem[0] == "v")
    return word[: max(PREFIX, len(body) - PREFIX)], stems


# --- loans ----------------------------------------------------------------------------------------------------------

# How the letters of a Russian word sound in English, and how English spells that: a loan is written by its sound.
_SOUNDS: Final = str.maketrans("абвгдежзийклмнопрстуфхчшщыэюя#", "abvgdeZziiklmnoprstufhcSSieuag", "ъь")
_SPELLINGS: Final = tuple(
    (lazy_pattern(pattern), sound)
    for pattern, sound in (
        ("tch|ch", "C"), ("sh", "S"), ("ph", "f"), ("th", "t"), ("wh|w", "v"), ("qu", "kv"), ("q|ck", "k"), ("x", "ks"),
        ("c(?=[eiy])", "s"), ("c", "k"), ("C", "c"), ("j|dg", "g"), ("oo|ou", "u"), ("ee|ea", "i"), ("y", "i"),
        (r"(?<=[^aeiou])e$", ""), (r"(.)\1", r"\1"),
    )
)  # fmt: skip
_SPELT: Final[Mapping[str, str]] = {  # the letters with which an English word may begin that sounds so
    "a": "aou", "c": "c", "e": "aei", "f": "fp", "g": "gjd", "i": "ieay", "k": "kcqx", "o": "oa", "s": "sc", "S": "s",
    "t": "t", "u": "uwyo", "v": "vw", "z": "z",
}  # fmt: skip
# All but the sounds that have one letter: a word without the same of those in the same order is not looked at further.
_SPELT_OTHERWISE: Final = str.maketrans("", "", "acefghijkoqstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_TWICE: Final = lazy_pattern(r"(.)\1")
_VOWELS: Final = lazy_pattern("[aeiou]+")
_LEAST_CONSONANTS, _SHORTEST_LOAN = 3, 4  # letters
_LIKENESS, _LIKENESS_OF_FEW = 80.0, 90.0  # rapidfuzz's ratio of the whole sounds, and for the fewest consonants
_DIPHTHONGS: Final = (("дж", "#"), ("ей", "а"), ("эй", "а"), ("ай", "и"), ("ау", "у"), ("ц", "тс"))
_INFINITIVE: Final = ("ть", "ться")
_MAX_LOANS: Final = 2


def loans(word: str, with_prefix: Callable[[str, Callable[[str], bool]], Sequence[str]]) -> tuple[str, ...]:
    """The English words of a vocabulary that a Russian word spells as they sound: ``podcast`` of "подкастов".

    The consonants are the same and the vowels alike. ``with_prefix`` gives the words that begin with a prefix and are
    wanted, the most frequent first.
    """
    from rapidfuzz import fuzz

    word = plain_letters(word)
    if word.endswith(_INFINITIVE):
        return ()
    stems = {word, *(each[1:] for each in russian_word_stems(word))}
    sounds = sorted({_sound_of_russian(each) for each in stems if len(each) >= _SHORTEST_LOAN})
    sounds = [sound for sound in sounds if len(_bones(sound)) >= _LEAST_CONSONANTS]
    if not sounds:
        return ()
    first = sounds[0][0]
    outlines = frozenset(map(_outline, sounds))

    @cache  # most words of a vocabulary are in many segments of an index
    def is_loan(term: str) -> bool:
        if len(term) < _SHORTEST_LOAN or not term.isalpha() or not term.isascii() or _outline(term) not in outlines:
            return False
        sound = _sound_of_english(term)
        bones = _bones(sound)
        least = _LIKENESS if len(bones) > _LEAST_CONSONANTS else _LIKENESS_OF_FEW
        is_begun = bones != sound and bool(_VOWELS.match(sound)) == bool(_VOWELS.match(first))
        return is_begun and any(_bones(own) == bones and fuzz.ratio(sound, own) >= least for own in sounds)

    found = (term for letter in _SPELT.get(first, first) for term in with_prefix(letter, is_loan))
    return tuple(found)[:_MAX_LOANS]


def _bones(sound: str) -> str:
    """The consonants of a sound."""
    return _VOWELS.sub("", sound)


def _outline(word: str) -> str:
    """The consonants of a word, or of a sound, that are always spelt alike."""
    return _TWICE.sub(r"\1", word.replace("ph", "f").replace("dg", "g").translate(_SPELT_OTHERWISE))


def _sound_of_russian(word: str) -> str:
    """How a Russian word sounds: a consonant once where it is written twice."""
    for letters, other in _DIPHTHONGS:
        word = word.replace(letters, other)
    return _TWICE.sub(r"\1", word.translate(_SOUNDS))


@lru_cache(maxsize=100_000)
def _sound_of_english(term: str) -> str:
    """The same for an English word, roughly."""
    for spelling, sound in _SPELLINGS:
        term = spelling.sub(sound, term)
    return term


_OWN_LETTERS: Final = frozenset("іїєґ")
_RUSSIAN_LETTERS: Final = frozenset("ыэёъ")
_COMMON_WORDS: Final = """
або але був була було бути від він вона вони воно має мають немає навіщо потім потрібно та також те треба це цей ця
ці чи чого чому щоб що якщо як який яка яке які де коли тільки можна зробити зроби додай додати якось поки після
"""
_COMMON_RUSSIAN_WORDS: Final = """
и или как что чтобы где если нет нужно надо это эта этот эти когда почему
"""
_COMMON: Final = frozenset(_COMMON_WORDS.split())
_COMMON_RUSSIAN: Final = frozenset(_COMMON_RUSSIAN_WORDS.split())
_ENDING: Final = lazy_pattern(
    r"(?:уванням|уванні|ування|ання|анням|анні|ення|енням|енні|ювати|увати|ити|ати|яти|іти|ами|ями|ові|еві|єві|ього"
    r"|ого|ьому|ому|ими|ній|ції|цій|ція|цію|цією|ується|ує|ують|ить|ять|ив|ила|или|ав|ала|али|ів|їв|ей|ий|ій|ою"
    r"|ею|єю|ам|ям|ах|ях|ом|ем|єм|им|их|а|я|и|і|ї|у|ю|о|е|є|ь|й)$"
)
_UKRAINIAN_FLEETING: Final = lazy_pattern(r"^(.{2,})[оеії]([гклмнрц])$")
_UKRAINIAN_SHORTEST: Final = 3  # letters of a stem


def is_ukrainian(words: Iterable[str]) -> bool:
    """Whether Cyrillic words of a request are Ukrainian rather than Russian: by letters and by common words."""
    score = 0
    for word in words:
        letters = set(word)
        score += bool(letters & _OWN_LETTERS) + (word in _COMMON)
        score -= bool(letters & _RUSSIAN_LETTERS) + (word in _COMMON_RUSSIAN)
    return score > 0


def stem(word: str) -> str:
    """A word without its ending: enough to look it up in a short list."""
    cut = _ENDING.sub("", word)
    return _UKRAINIAN_FLEETING.sub(r"\1\2", cut) if len(cut) >= _UKRAINIAN_SHORTEST else word
