"""Words and subtokens of a text, and stop words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Final

from ctxpack.light import lazy_pattern

_ENGLISH = """
a about above actually after again against ago all almost along already also although always am among an and another
any anybody anyhow anyone anything anyway apparently are aren around as aside at away b back basically be became
because become becomes been before being below besides between both but by c came can cannot cause causes certain
certainly clearly come comes could couldn currently d definitely despite did didn do does doesn doing don done down
due during e each easily either else elsewhere enough especially etc even ever every everyone everything everywhere
exactly except f few first following for former from further g give given gives go goes going gone got h had hadn
happen happened happening happens hardly has hasn have haven having he hello hence her here hers herself hi him
himself his how however i ie if in indeed inside instead into is isn it its itself j just k keep keeps kind know known
l last later least less let lets like likely ll look looked looking looks lot m made mainly make makes making many may
maybe me mean means meant mere merely might mine more moreover most mostly much must my myself n namely near nearly
need needed needs neither never nevertheless next no nobody none nor normally not nothing now nowhere o obviously of
off often oh ok okay on once one ones only onto or other others otherwise ought our ours ourselves out over own p
particular per perhaps please plus possible possibly presumably pretty probably properly put q quite r rather re
really regarding s said same saw say saying says second see seeing seem seemed seems seen self several shall she
should shouldn simply since so some somebody somehow someone something sometimes somewhat somewhere soon still such
sure t take taken tell than thank thanks that the their theirs them themselves then there therefore these they thing
things think this those though through throughout thus to together too took toward towards tried tries truly try
trying twice two u under unfortunately unless unlike until unto up upon us use used useful uses using usually v various
ve very via w want wanted wants was wasn way we well went were weren what whatever when whenever where whereas
wherever whether which while who whoever whole whom whose why will with within without won would wouldn x y yes yet
you your yours yourself z able across add appear appears e.g eg i.e vs
alot arent btw cant couldnt didnt doesnt dont dunno gonna gotta havent hey idk im isnt ive kinda lemme pls plz tho thx
wanna wasnt wont wouldnt
"""

_QUESTION = """
how what where when why which who whose does do is are work works working worked implementation implement implemented
implements logic code handled handles handling happen happens explain show find responsible located place places
"""

_TEMPLATE = """
description steps step reproduce reproducing reproduced reproduction reproducible expected actual expect expects
behavior behaviour behaviors version versions please issue issues bug bugs problem problems currently observed minimal
example examples snippet prerequisites searched regression suggest suggested traceback
"""

_RUSSIAN = """
а б без благодаря более больше будем будете будешь буду будут бы был была были было быть в вам вами вас ваш ввиду
вдобавок вдруг ведь везде весь видимо включая вместо внизу вновь во возле возможно вокруг вон вообще вот вплоть вроде
все всегда всего всей всеми всему всех вследствие всюду вся всякий всё вы где да давай давайте даже далее две двум
двух для до довольно должен должна должно должны другая другие другим других другое другой его ее ей ему если есть еще
ещё ею её ж же за затем зато зачем здесь здравствуйте и из или им имеет имеется имел именно иметь имеют имея ими иначе
иногда интересно интересует итак их к каждая каждого
каждое каждой каждому каждую каждые каждый каждым каждых кажется как какая какие каким какими каких каков какова
каково каковы какого какой каком какому какую кем ко когда кого ком кому конечно которая которое которой котором
которому которую которые который которым которыми которых кроме кстати кто куда ли либо лишь лучше ль любая любого
любое любой любом любую любые любым любых мало между менее меньше меня мимо мне много мной мною мог могла могли могу
могут можем может можете можно мой мы на наверно наверное над надо нам нами наподобие например нас насколько насчет
насчёт наш не него нее ней нельзя нем немного непонятно несколько несмотря нет нету нею неё ни нигде никак никакой
никогда никого никому никто ним них ничего ничем ничему ничто но ну нужен нужна нужно нужное нужную нужны нём о об обо
один одна однако одни одним одних одно одного одной одному оказалось оказывается около он она они оно опять от откуда
отсюда оттуда очень по под подскажи подскажите пожалуйста пока получается получилось помимо помоги помогите понятно
после посреди потом потому почему почти поэтому при привет придется придётся примерно приходится про просто против
прямо пусть ради раз ровно с сам сама самая сами самим самих самого самое самой самому самые самый себе себя сейчас
скажи скажите сквозь сколько слишком сможем сможет смочь снова со собой собою совершенно совсем согласно спасибо сразу
среди стал стала стали стало становится столько сюда так такая также такие таким такими таких такого такое такой
такому такую там те тебе тебя тем теми то тобой тогда того тоже той только том тому тот трех три трёх ту туда тут ты у
удалось уже хотел хотела хотели хотелось хотим хотите хоть хотя хотят хочет хочется хуже чего чей чем чему через что
чтобы чье чьего чьи чья чём эта эти этим этими этих это этого этой этом этому этот эту я является являлся являются
"""

_RUSSIAN_QUESTION = """
баг воспроизведение воспроизвести где делает делается делать делаю делают дело делу зачем значит как какая какие какой
когда код кто куда логика найди найдите находится находятся нужно объясни объясните ожидаемое ожидаемый ожидалось
означает описание опиши опишите отвечает отвечают откуда поведение покажи покажите почему проблема проблемы происходит
работа работает работал работали работать работают расскажи расскажите реализация реализован реализована реализовано
сделай сделал сделали сделать случае случай случая устроен устроена устроено устроены фактический фактическое хотелось
хочу что чём шаги
"""

_UKRAINIAN = """
або адже але без був була були було бути в вам вас ви вже він від вона вони воно все всі в де для до за зі й його її їх
із і коли але ми мене мені може можна має мають мій на над нам нас не немає ні о об один от по під після пише при про
потім потрібно та так також те ті тільки то того той тому треба ту у хто це цей ця ці чи чого чому щоб що як яка яке
який які якщо я зараз знаходиться працює зробити зроби поясни покажи знайди будь ласка дякую
"""

LIGHT_WORDS = frozenset(_TEMPLATE.split())
"""Issue-template words: noise in an issue, yet a title of two words may be about nothing else."""

QUESTION_WORDS = frozenset(_QUESTION.split())
"""Words of English questions that name nothing."""

_MISTYPED = """
adn agian alot aslo becasue becaus becuase befor beign coud coudl dosent doens dosnt hte hwo insted instaed jsut htat
shoud shoudl shuold somthing taht teh thier thsi tihs untill waht whcih whre whta wich wiht wihtout witht wnat
woud woudl wtih
"""  # words of these lists as they are typed in a hurry
ENGLISH = frozenset(_ENGLISH.split()) | frozenset(_MISTYPED.split()) | QUESTION_WORDS
RUSSIAN = frozenset(_RUSSIAN.split()) | frozenset(_RUSSIAN_QUESTION.split())
UKRAINIAN = frozenset(_UKRAINIAN.split())

STOPWORDS = ENGLISH | RUSSIAN | UKRAINIAN | LIGHT_WORDS
"""Everything above, lower-case. Whether the light words count is the caller's choice."""


MAX_WORD = 80  # longer runs are hashes, base64 and minified names: nobody asks for them
_WORD = lazy_pattern(r"\w+")
_CASED = [chr(code) for first, last in ((0xC0, 0x24F), (0x370, 0x52F)) for code in range(first, last + 1)]
_UPPER = "A-Z" + "".join(filter(str.isupper, _CASED))  # Latin, Greek and Cyrillic
_LOWER = "a-z" + "".join(filter(str.islower, _CASED))
_PLURAL = rf"[{_UPPER}]{{2,}}s(?![{_LOWER}])"  # of an abbreviation: ``URLs`` is no ``UR`` with an ``Ls``
_PART = lazy_pattern(
    rf"{_PLURAL}|[{_UPPER}]+(?=[{_UPPER}][{_LOWER}])|[{_UPPER}]?[{_LOWER}]+\d*|[{_UPPER}]+\d*|\d+|[^\W\d_{_UPPER}{_LOWER}]+"
)
_ASCII_PART = lazy_pattern(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")
_IS_PLURAL = lazy_pattern(_PLURAL).fullmatch
_OF_UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_UNSPACED = lazy_pattern(_OF_UNSPACED)
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese: words are not separated, so pairs of characters replace them."""
is_one_part = lazy_pattern(rf"[{_UPPER}{_LOWER}][{_LOWER}]+|(?!{_OF_UNSPACED})[^\W\d_{_UPPER}{_LOWER}]{{2,}}").fullmatch
"""Whether a text is one word, and that one subtoken; not of all that are."""
MIN_PART = 2


find_words = _WORD.findall
"""Every word of a text as written, over-long ones included: what the index counts."""


def raw_words(text: str) -> list[str]:
    """The words of ``text`` as written, in order, without the over-long ones."""
    return [word for word in _WORD.findall(text) if len(word) <= MAX_WORD]


@lru_cache(maxsize=200_000)
def split(word: str) -> tuple[str, ...]:
    """The lower-case subtokens of one word as written; single characters and the s of ``URLs`` are dropped."""
    if word.islower() and word.isalpha():
        return (word,) if len(word) >= MIN_PART else ()
    if word.isascii():
        plain = word.replace("-", "_")
        if word.islower() and plain.replace("_", "").isalpha():  # most names of files, and a pattern takes long
            return tuple(part for part in plain.split("_") if len(part) >= MIN_PART)
        return tuple(_ascii_tokens(word))
    parts = (part[:-1] if _IS_PLURAL(part) else part for part in _PART.findall(word))
    return tuple(token for part in parts for token in _forms(part.lower()) if len(token) >= MIN_PART)


def _ascii_tokens(word: str) -> Iterator[str]:
    """Yield what ``split`` does of a word in ASCII: most are, and for them the patterns of all letters take long."""
    for part in _ASCII_PART.findall(word):
        token = (part[:-1] if part[-1] == "s" and _IS_PLURAL(part) else part).lower()
        if len(token) >= MIN_PART:
            yield token
        if token[-1].isdigit() and len(letters := token.rstrip("0123456789")) >= MIN_PART:
            yield letters


def _forms(part: str) -> tuple[str, ...]:
    """The part, and its letters alone where digits follow them; of scripts without spaces, each two characters."""
    if len(part) > MIN_PART and _UNSPACED.match(part):
        return tuple(part[at : at + MIN_PART] for at in range(len(part) - 1))
    letters = part.rstrip("0123456789")
    return (part,) if letters in ("", part) else (part, letters)


_LONG_NUMBER: Final = lazy_pattern(
    r"(?<![\w#.,-])(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,3}(?:_\d{3}){1,4}|\d{1,3}(?:[\u00a0\u202f]\d{3}){1,4}|\d{5,15})(?![\w-]|[.,]\d)"
)
_OPTION = lazy_pattern(r"(?<![\w-])--([A-Za-z]\w*(?:-\w+)+)")


def options_of(text: str) -> tuple[str, ...]:
    """The long options of a command line in a text that have several words, with the underscores of a name."""
    return tuple(dict.fromkeys(match[1].replace("-", "_") for match in _OPTION.finditer(text)))


def long_numbers_of(text: str) -> tuple[str, ...]:
    """The long numbers of a text, as digits alone: 1,800,000 is 1800000. Numbers of issues are left out."""
    return tuple(dict.fromkeys(_digits_of(match) for match in _LONG_NUMBER.finditer(text)))


# What somebody's records hold, and no code: as words "03" and "12" of a date lead to whatever has an example with them.
_MONTH: Final = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)"
_TIME: Final = r"\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|GMT|UTC|[+-]\d\d:?\d\d))?"
_VALUE: Final = lazy_pattern(
    rf"(?<![\w.:/-])(?:\d{{4}}-\d\d-\d\d(?:(?:T|, | ){_TIME})?|\d{{4}}/\d\d/\d\d(?:[ T-]{_TIME})?"
    # as syslog, web servers, mail, `date` and glog write them
    rf"|(?:\w{{3}},? )?{_MONTH} {{1,2}}\d{{1,2}} {_TIME}(?: \d{{4}})?|\d{{1,2}}/{_MONTH}/\d{{4}}:{_TIME}"
    rf"|(?:\w{{3}}, )?\d{{1,2}} {_MONTH} \d{{4}} {_TIME}|[EWIF]\d{{4}} {_TIME} {{1,8}}\d{{1,8}}"
    r"|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{4}|\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]m)?"
    r"|(?:\d{1,4}(?:d|h|m(?:in)?|s|ms)){2,5}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})(?![\w:/-])"
    r"(?:\]? {1,4}[\[(]?(?-i:ERR(?:OR)?|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE)(?![\w]))?",  # the level in a log
    re.IGNORECASE,
)


def spell_numbers(text: str) -> str:
    """The text with its long numbers as digits alone, without dates, times, durations and UUIDs.

    It also has each version between those of an upgrade: of one from 70 to 73 71 and 72.
    """
    return _with_versions_between(_LONG_NUMBER.sub(_digits_of, _VALUE.sub(" ", text)))


_VERSION: Final = r"(?:version |верси[ию] )?"
_UPGRADE: Final = lazy_pattern(
    rf"(?i)\b(?:upgrad|migrat|обнов|мигр)[^\n]{{0,100}}?\b(?:from|с) {_VERSION}(?P<mark>v?)(?P<old>\d{{2,4}})"
    rf"(?:\.[\dx]{{1,4}}){{0,3}} (?:to|until|на|до) {_VERSION}v?(?P<new>\d{{2,4}})(?![\d:])"
)
_MOST_VERSIONS: Final = 20


def _with_versions_between(text: str) -> str:
    match = _UPGRADE.search(text)
    between = range(int(match["old"]) + 1, int(match["new"])) if match else range(0)
    if not match or len(between) > _MOST_VERSIONS:
        return text
    spelled = " ".join(f"{match['mark']}{number}" for number in between)
    return f"{text[: match.end()]} {spelled}{text[match.end() :]}"


def _digits_of(number: re.Match[str]) -> str:
    return re.sub(r"\D", "", number[0])


def words(text: str) -> Iterator[str]:
    """The lower-case whole words of ``text``."""
    for word in raw_words(text):
        if len(word) >= MIN_PART:
            yield word.lower()


def subtokens(text: str) -> Iterator[str]:
    """The subtokens of ``text``, word by word."""
    for word in raw_words(text):
        yield from split(word)


def is_identifier(word: str) -> bool:
    """Whether a word looks like code: an inner capital, an underscore or a digit after a letter."""
    body = word.strip("_")
    if len(body) < MIN_PART + 1 or body.isdigit() or _IS_PLURAL(body):
        return False
    has_inner_capital = any(char.isupper() for char in body[1:]) and not body.isupper()
    return has_inner_capital or "_" in body or (body[0].isalpha() and any(char.isdigit() for char in body))


_NAMES = lazy_pattern(
    rf"[`'\"«“](?P<marked>[\w.$:-]{{2,80}})(?:\(\))?[`'\"»”]"
    rf"|(?<=[\w,;:)] )(?P<capitalised>[{_UPPER}][{_LOWER}]{{2,80}})(?!\w)|(?<!\w)(?P<capitals>[{_UPPER}]{{4,80}})(?!\w)"
)


def written_as_names(text: str) -> frozenset[str]:
    """The subtokens of words that a text writes as names.

    They are words in marks, wholly in capitals, or with a capital within a sentence; none where all is in capitals.
    """
    names = (match[match.lastgroup or 0] for match in _NAMES.finditer(text)) if not text.isupper() else ()
    return frozenset(token for name in names for token in subtokens(name))


SETTING_KEY: Final = lazy_pattern(r"(?<![\w/.@:-])[a-z][a-z0-9_-]{1,40}(?:\.[a-z0-9_-]{1,40}){2,8}(?![\w/(]|\.\w)")
"""A pattern of dotted keys: ``max.poll.interval.ms``."""

_EXAMPLES: Final = frozenset({"foo", "baz", "qux", "quux", "foobar", "lorem", "ipsum"})
_EXAMPLE_HOST: Final = lazy_pattern(r"(?<![\w-])example\.(?:com|org|net)(?![\w-])")  # reserved for examples
_FEWEST: Final = 2  # other words


_AFTER_LETTER: Final = lazy_pattern(r"(?<![\w-])[A-Za-z]-([a-z]{2,20})(?![\w-])")
_WHAT_TO: Final = lazy_pattern(r"(?i)\b(?:which|what|how many) (?:[\w-]{2,30} ){1,3}?to (keep)\b")
_BEFORE_PARTICIPLE: Final = lazy_pattern(r"(?i)(?<![\w-])(self)[- ][a-z]{2,20}(?:ed|ing)(?![\w-])")


def noise_of(text: str, *, is_short: bool) -> frozenset[str]:
    """The words of a request that are no topic; a short one may be about those of issue templates.

    Names for anything, such as foo or example.com, are none where enough else is said; ``bar`` only beside others. A
    word that a letter makes a name is one, ``v-once``, ``v-if``; so is the first half of one such as ``self-managed``.
    """
    said = {word.lower() for word in raw_words(text)}
    found = said & _EXAMPLES
    found |= {"bar"} & said if found else set()
    found |= said - {word.lower() for word in raw_words(_EXAMPLE_HOST.sub(" ", text))}
    noise = STOPWORDS - (LIGHT_WORDS - ENGLISH) if is_short else STOPWORDS
    noise -= {match[1] for match in _AFTER_LETTER.finditer(text)}
    noise -= {match[1].lower() for kept in (_BEFORE_PARTICIPLE, _WHAT_TO) for match in kept.finditer(text)}
    return noise | found if len(said - found - noise) >= _FEWEST else noise


_ROW: Final = lazy_pattern(
    r"(?<!\w)(?P<stem>[^\W\d_]\w{1,30}[_-]|[^\W\d_]{2,30}(?=\d))[a-z\d],? (?:and |or )?(?P=stem)[a-z\d](?!\w)"
)


def parts_of_row(text: str) -> frozenset[str]:
    """The subtokens of names that only their last letter or digit tells apart: ``tmp_a tmp_b``. They are examples."""
    return frozenset(part for match in _ROW.finditer(text) for word in raw_words(match[0]) for part in split(word))


_SHORTEST: Final = 3  # letters of a part


def spell_apart(words: Mapping[str, float], is_name: Callable[[str], bool]) -> Mapping[str, float]:
    """Find the names of two parts that words of the request are written as in code: ``gitignore``, ``git_ignore``."""
    found: dict[str, float] = {}
    for word in sorted(words):
        is_long = word.isascii() and word.isalpha() and len(word) >= 2 * _SHORTEST
        for at in range(_SHORTEST, len(word) - _SHORTEST + 1) if is_long else ():
            name = f"{word[:at]}_{word[at:]}"
            if name not in words and is_name(name):
                found[name] = words[word]
    return found


def spell_singular(words: Mapping[str, float], is_known: Callable[[str], bool]) -> Mapping[str, float]:
    """Put the singular in the place of each plural that the repository does not hold: it may have a ``SavePoint``.

    There a word has two parts, so that "savepoints" has no other form among the subtokens.
    """
    meant = {word: word[:-1] if _has_only_singular(word, is_known) else word for word in words}
    return {meant[word]: weight for word, weight in words.items() if meant[word] == word or meant[word] not in words}


def _has_only_singular(word: str, is_known: Callable[[str], bool]) -> bool:
    is_plural = word.isascii() and word.isalpha() and word.endswith("s") and len(word) > 2 * _SHORTEST
    return is_plural and not is_known(word) and is_known(word[:-1])


# what a file in each of many folders is called, in 1C and in charts of Helm too
_BARE = frozenset({"__init__", "index", "mod", "main", "readme", "module", "managermodule", "objectmodule", "values"})


@lru_cache(maxsize=20_000)
def stem_of(path: str) -> str:
    """The name of a file without its folder and its last ending; that of the folder for names such as ``index.ts``."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    return folder.removesuffix("/Ext").rpartition("/")[2] if folder and stem.lower() in _BARE else stem


def english_stem(word: str) -> str:
    """The stem of an English word, in lower case: ``fall`` of "falling". Source: the Snowball stemmer."""
    from Stemmer import Stemmer

    stem: str = Stemmer("english").stemWord(word)
    return stem


# --- quotations -------------------------------------------------------------------------------------------------------

_RUN: Final = 3  # words in a row that are compared
_ESCAPE: Final = lazy_pattern(r"\\[nrt]")  # in a string of code: a letter of no word
_HOLE: Final = lazy_pattern(  # of a template, or what is put between two strings
    r"%(?:\(\w{1,40}\))?[-+#0]?[\d.]{0,5}[lz]{0,2}[a-z]|[#$%]?\{(?!\s)[^{}\n]{0,80}\}|\\\([^()\n]{1,80}\)"
    r"|\$[a-z_][\w.]{0,60}|[\"'`]\s{0,9}+[.+][^\"'`\n]{1,100}+(?<=[.+ ])[\"'`]"
)
_MOST_FILLED: Final = 8  # words that a hole is filled with


def share_of_quotation(words: tuple[str, ...], text: str) -> float:
    """Return the share (0..1) of a quotation's runs of three words that a text contains.

    Also those of a template, such as ``user {name} not found``, and all that it is filled with between them.
    """
    lower, runs = text.lower(), _runs(words)
    if sum(word in lower for word in words) < _RUN:
        return 0.0
    said = _ESCAPE.sub(" ", lower)
    held = set(_runs(raw_words(said)))
    found = {at for at, run in enumerate(runs) if run in held}
    templates = _runs_around_holes([raw_words(part) for part in _HOLE.split(said)])
    for at, filled in product(range(len(runs)), range(1, _MOST_FILLED + 1)) if templates else ():
        ends = (
            words[at : at + 1] + words[at + filled + 1 : at + filled + 3],
            words[at : at + 2] + words[at + filled + 2 : at + filled + 3],
        )
        if any(map(templates.__contains__, ends)):
            found |= set(range(at, at + filled + 1))
    return len(found) / max(len(runs), 1)


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1)]


def _runs_around_holes(parts: Sequence[list[str]]) -> set[tuple[str, ...]]:
    """The runs of words with a hole after the first or the second word; the parts of a text are between its holes."""
    joined = (run for before, after in pairwise(parts) for run in _runs(before[-2:] + after[:2]) if before and after)
    return set(joined)
