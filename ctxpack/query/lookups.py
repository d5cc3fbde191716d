"""Requests that look one thing up: where a name is defined, where it is used, what a file holds or a commit changed."""

# ruff: noqa: E501 -- tables of patterns
from __future__ import annotations

import re
from itertools import dropwhile, takewhile
from typing import Final

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.query.mentions import SUFFIXES, TOP_DOMAINS
from ctxpack.query.subtokens import MIN_PART, SETTING_KEY, STOPWORDS, is_identifier, raw_words

_SORT: Final = r"(?:(?:class|function|method|type|struct|interface|trait|enum|constant|variable|macro|component) )?"
_SORT_IN_RUSSIAN: Final = r"(?:(?:класс|функци[яи]|метод|тип|структура|интерфейс|константа|переменная|модуль) )?"
_NAME: Final = r"[`'\"«]?(?P<name>[^\W\d][\w.:]*)(?:\(\))?[`'\"»]?"
_DEFINITIONS: Final = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:where|in (?:which|what) (?:file|module))(?:'s| is| was)? (?:the )?{_SORT}{_NAME} (?:defined|declared)",
        rf"(?:where is |find |show )?(?:the )?(?:definition|declaration) of (?:the )?{_SORT}{_NAME}",
        rf"(?:где|в каком (?:файле|модуле)) (?:определ[её]н[аоы]?|объявлен[аоы]?) {_SORT_IN_RUSSIAN}{_NAME}",
        rf"(?:где|в каком (?:файле|модуле)) {_SORT_IN_RUSSIAN}{_NAME} (?:определ[её]н[аоы]?|объявлен[аоы]?)",
    )
)


def name_to_define(text: str) -> str:
    """The name whose definition is all that a text asks for; empty if it asks for something else."""
    asked = text.strip().rstrip("?.! ")
    match = next((match for pattern in _DEFINITIONS if (match := pattern.fullmatch(asked))), None)
    return re.split(r"[.:]", match["name"].rstrip(".:"))[-1] if match else ""


@dataclass(frozen=True, slots=True)
class UseRequest:
    """Names whose uses a request asks for: those of code, or paths of files as written.

    ``is_sure``: it asks for uses in so many words, rather than for a change that has to be made wherever a name is used.
    ``of_value``: it asks what a name stands for, or which code sets or reads it.
    """

    names: tuple[str, ...] = ()
    is_sure: bool = False
    of_value: bool = False


_LONGEST: Final = 60  # words: what is longer tells of more than the uses of a name
_LONGEST_ABOUT_IT: Final = 30  # words, where "it" stands for the name
_LONGEST_WITH_WORD: Final = 12  # words, where the name is a plain word: "a list that the command uses to check values"
_QUALITY: Final = (
    r"deprecated|old|unused|legacy|obsolete|dead|private|public|internal|global|current|existing|new|whole"
    r"|class|function|method|type|struct|interface|trait|enum|constant|variable|macro|component|module|package|file"
    r"|argument|arg|parameter|param|option|flag|setting|field|attribute|property|hook|helper|command|decorator|signal"
)
_QUALITY_IN_RUSSIAN: Final = (
    r"устаревш\w{2,3}|стар\w{2,3}|неиспользуем\w{2,3}|класс|функци[яию]|метод|тип|структур[ауы]|интерфейс|констант[ауы]"
    r"|переменн\w{2}|модуль|модуля|файл|аргумент|параметр|опци[яию]|флаг|настройк[ауи]|пол[ея]|свойств[оа]|команд[ауы]"
)
_WHAT: Final = rf"(?:(?:the|our|all|any|this|that|a|an) )?(?:(?:{_QUALITY}) ){{0,2}}"
_WHAT_IN_RUSSIAN: Final = rf"(?:(?:{_QUALITY_IN_RUSSIAN}) ){{0,2}}"
NAMED: Final = r"[`'\"«]?\.?(?P<name>[^\W\d](?:[\w.:]|-(?=[\w-])|#(?=[^\W\d])){1,80})(?:\(\))?[`'\"»]?"
FURTHER: Final = lazy_pattern(rf"(?:\(\))?[`'\"»]?(?:,|,? and|,? or| и)(?: the)? {NAMED}")
_USED: Final = r"(?:used|called|invoked|imported|referenced|referred to|instantiated|mentioned|wired(?: in| up)?)"
_USE: Final = r"(?:use|call|invoke|import|reference|refer to|instantiate|mention|depend on|rely on)"
_USES: Final = r"(?:uses|calls|invokes|imports|references|refers to|instantiates|mentions|depends on|relies on)"
_NOUN: Final = r"(?:usages?|uses|callers?|calls|call ?sites?|references|occurrences|mentions)"
_NOUN_TO: Final = r"(?:calls|references|(?:every|each|any) (?:call|reference))"  # "what it uses to check" asks for none
_NOUN_FOR: Final = r"(?:usages?|callers?|call ?sites?|occurrences)"  # "what it uses for a string" asks for no uses
_USED_IN_RUSSIAN: Final = (
    r"(?:использу[ею]тся|вызыва[ею]тся|применя[ею]тся|импортиру[ею]тся|упомина[ею]тся|подключа[ею]тся)"
)
_USE_IN_RUSSIAN: Final = r"(?:используе[тм]|вызывае[тм]|применяе[тм]|импортируе[тм]|упоминае[тм])"
_SURE: Final = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:who|what(?: else)?|which [\w ]{{1,30}}?) (?:{_USES}|{_USE}) {_WHAT}{NAMED}",
        rf"\bwhere (?:else )?(?:is|are|was|do we|does it|does the code) {_WHAT}{NAMED}(?: (?:{_QUALITY}))? (?:being |still |actually )?{_USED}\b",
        rf"\bwhere (?:else )?(?:do|does) (?:we|you|they|it|the [\w-]+) {_USE} {_WHAT}{NAMED}",
        rf"\b(?:all|every|each|find|list|show)\b[\w ]{{0,30}}? (?:places?|files?|code|functions?|modules?) (?:that|which|where (?:we|it)) (?:{_USES}|{_USE}) {_WHAT}{NAMED}",
        rf"\b(?:all|every|each|find|list|show)\b[\w ]{{0,30}}? (?:places?|files?|functions?|modules?) where {_WHAT}{NAMED} (?:is|are) {_USED}\b",
        rf"\b(?:{_NOUN} of|{_NOUN_TO} to|{_NOUN_FOR} for) {_WHAT}{NAMED}",
        rf"(?:\b(?:all|every|each)|(?:\A|[.,;:!?] )(?:please )?(?:find|list|show))\b[\w ]{{0,20}}? {NAMED} {_NOUN}\b",
        rf"\bгде (?:ещё |еще )?{_USED_IN_RUSSIAN} {_WHAT_IN_RUSSIAN}{NAMED}",
        rf"\bгде (?:ещё |еще )?{_WHAT_IN_RUSSIAN}{NAMED} {_USED_IN_RUSSIAN}",
        rf"\b(?:кто|что|где мы) (?:ещё |еще )?{_USE_IN_RUSSIAN} {_WHAT_IN_RUSSIAN}{NAMED}",
        rf"\b(?:все|всех|каждое|каждый) (?:мест\w*|вызов\w*|использовани\w*|упоминани\w*)(?:, где {_USED_IN_RUSSIAN})? {_WHAT_IN_RUSSIAN}{NAMED}",
    )
)
_HANDLED: Final = (
    r"(?:being |actually )?(?:set|read|assigned|checked|evaluated|parsed|handled|configured|updated|changed|modified|passed"
    r"|initiali[sz]ed|populated|written|respected|applied)"
)
_HANDLED_IN_RUSSIAN: Final = r"(?:зада[её]тся|читается|проверяется|устанавливается|обрабатывается|меняется)"
_VALUES: Final = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:default(?: value)?|initial value|value|values|meaning) (?:of|for) {_WHAT}{NAMED}",
        rf"\bwhere (?:is|are|do we|does it) {_WHAT}{NAMED} {_HANDLED}\b",
        rf"\b(?:what|how) (?:does|is|are) {_WHAT}{NAMED} [^.?!\n]{{0,40}}?\bwhere (?:is|does) (?:it|this|that) (?:get )?{_HANDLED}\b",
        rf"\b(?:значени[ея]|умолчани[ея])(?: по умолчанию)?(?: (?:у|для))? {_WHAT_IN_RUSSIAN}{NAMED}",
        rf"\bгде {_WHAT_IN_RUSSIAN}{NAMED} {_HANDLED_IN_RUSSIAN}",
        rf"\bгде {_HANDLED_IN_RUSSIAN} {_WHAT_IN_RUSSIAN}{NAMED}",
    )
)
_CONSTANT: Final = lazy_pattern(
    rf"(?:(?:what (?:does|is)|explain|что (?:делает|значит|такое)) )?{_WHAT}{NAMED}(?: (?:setting|option|variable|constant))?(?: (?:do|mean|control|for|used for))?"
    r"(?:[,:;?]? (?:[-–—] )?(?:what(?: (?:does|is)|'s) (?:it|this|that)(?: (?:do|mean|control|for|used for))?|(?:что|зачем) (?:это|она?|делает|значит|нуж\w{2,3})(?: (?:такое|делает|значит|нуж\w{2,3}))?))?[.?! ]*",
    re.IGNORECASE,
)
_COVER: Final = r"(?:covers?|tests?|exercises?|verif(?:y|ies)|покрыва[ею]т|проверя[ею]т)"
_TESTS_OF: Final = lazy_pattern(
    rf"\b(?:which|what|are there(?: any)?|какие) (?:[\w-]{{1,20}} )?(?:tests?|specs?|тесты) (?:(?:that|already|actually) )?(?:{_COVER}|{_USES}|{_USE}) {_WHAT}{NAMED}",
    re.IGNORECASE,
)
_USERS: Final = lazy_pattern(rf"\busers of {_WHAT}{NAMED}", re.IGNORECASE)  # "users of the site" are people
# "review f: who calls it?" asks for the uses of f, where nothing else is named.
_OF_IT: Final = lazy_pattern(
    rf"\b(?:who|what(?: else)?|which [\w ]{{1,30}}?) (?:{_USES}|{_USE}|{_COVER}) (?:it|this|that)\b|\bwhere (?:else )?(?:is|are) (?:it|this|that|they) (?:being |still |actually )?(?:{_USED}|tested|covered)\b"
    rf"|\b(?:кто|что|какие тесты|где) (?:ещё |еще )?(?:её|ее|его|он|она|это) (?:{_USE_IN_RUSSIAN}|{_USED_IN_RUSSIAN}|{_COVER})",
    re.IGNORECASE,
)
_CLOSING: Final = {"`": "`", "'": "'", '"': '"', "«": "»"}  # "remove `for = …`" is about no name
_ANY_NAME: Final = lazy_pattern(NAMED)
_SHOW: Final = lazy_pattern(
    rf"(?:(?:show|find|open|print|give|покажи|найди|открой)(?: me)? {_WHAT})?(?:[\w$]+(?:\.|::|->|#))*{NAMED}[.!?]?",
    re.IGNORECASE,
)
_CHANGES: Final = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\brename {_WHAT}{NAMED}",
        rf"\bchang(?:e|ing) the (?:signature|name|type|return (?:type|value)|arguments?|parameters?|defaults?|behaviou?r) of {_WHAT}{NAMED}",
        rf"\b(?:breaks?|happens?|affected|safe)\b[\w ]{{0,12}}? (?:if|when|to)\b[\w ]{{0,8}}? (?:change|remove|rename|delete|drop) {_WHAT}{NAMED}",
        rf"\b(?:remove|drop|delete|get rid of|deprecate|retire) {_WHAT}{NAMED}",
        rf"\b(?:переименовать|переименуй(?:те)?|переименуем) {_WHAT_IN_RUSSIAN}{NAMED}",
        rf"\b(?:удалить|удали(?:те)?|убрать|убери(?:те)?|выпилить|выпили(?:те)?|избавиться от) {_WHAT_IN_RUSSIAN}{NAMED}",
    )
)
_ENTIRELY: Final = lazy_pattern(
    r"\b(?:altogether|entirely|completely|everywhere|for good|every (?:place|use|usage|mention)|all (?:places|uses|usages|mentions)"
    r"|from the (?:whole )?(?:code|repo|project)\w*|везде|всюду|полностью|целиком|из (?:кода|проекта|репозитория))\b",
    re.IGNORECASE,
)
_SENTENCES: Final = lazy_pattern(r"(?<=[.?!;]) ")
_PATH: Final = r"[`'\"«]?(?P<path>(?:[\w@.+-]{1,100}/){0,20}[\w@+-][\w@.+-]{0,100}\.[A-Za-z]\w{0,8})(?!\w)[`'\"»]?"
_FILE: Final = r"(?:file|page|document|doc|module|script|template|chapter|article|image|stylesheet|component)"
_THE_FILE: Final = rf"(?:(?:the|our|this|that|old|legacy|unused|whole|{_FILE}) ){{0,4}}+"
_FILE_IN_RUSSIAN: Final = (
    r"(?:(?:этот|эту|старый|старую|весь|файл|файла|файле|страниц[ауы]|модуль|скрипт|шаблон|документ) ){0,3}+"
)
_LINKED: Final = r"(?:links?(?:ed)? (?:to|from)|points? (?:to|at)|imports?|includes?|uses?|references?|refers? to|requires?|loads?|reads?|sources?|embeds?)"
_LINKED_BY: Final = (
    r"(?:used|read|loaded|imported|included|linked|referenced|required|opened|parsed|mentioned|sourced|embedded)"
)
_FILE_USES: Final = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:who|what(?: else)?|which [\w ]{{1,30}}?|(?:places?|files?|pages?|modules?|code) (?:that|which)) {_LINKED} {_THE_FILE}{_PATH}",
        rf"\bwhere (?:else )?(?:is|are|do we|does it) {_THE_FILE}{_PATH} (?:being |still |actually )?{_LINKED_BY}\b",
        rf"\b(?:usages?|uses|users|importers?|imports|links|references|mentions) (?:of|to) {_THE_FILE}{_PATH}",
        rf"\bгде (?:ещё |еще )?(?:{_USED_IN_RUSSIAN}|{_HANDLED_IN_RUSSIAN}) {_FILE_IN_RUSSIAN}{_PATH}",
        rf"\bгде (?:ещё |еще )?{_FILE_IN_RUSSIAN}{_PATH} (?:{_USED_IN_RUSSIAN}|{_HANDLED_IN_RUSSIAN})",
        rf"\b(?:кто|что|какие \w+|где мы) (?:ещё |еще )?(?:{_USE_IN_RUSSIAN}|ссыла[ею]тся на|ведёт на|ведут на) {_FILE_IN_RUSSIAN}{_PATH}",
    )
)
_FILE_CHANGES: Final = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\brenam(?:e|ed|ing) {_THE_FILE}(?:from )?{_PATH}",
        rf"\brenam(?:e|ed|ing) (?:(?:the|our|this|that|a) )?{_FILE}(?: [\w'-]{{1,30}}+){{0,6}}? from {_PATH}",
        rf"\b(?:mov(?:e|ed|ing)|delet(?:e|ed|ing)|remov(?:e|ed|ing)|drop(?:ped|ping)?|get(?:ting)? rid of) {_THE_FILE}{_PATH}",
        rf"\b(?:переименова\w*|переименуй\w*|перенес\w*|перенёс\w*|перемести\w*|удали\w*|убра\w*|убери\w*) {_FILE_IN_RUSSIAN}(?:из )?{_PATH}",
    )
)


def uses_to_find(text: str) -> UseRequest:
    """The names whose uses a text asks for: "who calls f", "default of g", "rename h"; none if it asks for another thing.

    A name is code-shaped or in marks, or a plain word where the text is short ("what uses redis") or says so clearly
    ("drop elvish altogether"). A function or constant alone asks for its definition and for who uses it.
    """
    asked = " ".join(text.split())
    if len(asked.split()) > _LONGEST:
        return UseRequest()
    bare = SETTING_KEY.sub(" ", asked)  # the last part of a key, such as ms, is no name
    meant = _code_names(bare) if len(asked.split()) <= _LONGEST_ABOUT_IT and _OF_IT.search(asked) else ()
    sure = meant if len(meant) == 1 else _named_in(asked, _SURE, plain=len(asked.split()) <= _LONGEST_WITH_WORD)
    if sure := sure or _named_in(asked, (_TESTS_OF, _USERS), plain=False):
        return UseRequest(sure, is_sure=True)
    if of_value := _named_in(bare, _VALUES, plain=False):
        return UseRequest(of_value, is_sure=True, of_value=True)
    constant = _CONSTANT.fullmatch(asked)
    if constant and (name := code_name_of(constant, asked)[0]) and name.isupper() and is_identifier(name):
        return UseRequest((name,), is_sure=True)
    shown = _SHOW.fullmatch(asked)
    if shown and (name := code_name_of(shown, asked)[0]) and is_identifier(name) and _is_no_class(name):
        return UseRequest((name,), is_sure=True)  # not a class: its parts matter more than its uses
    named = (name for each in _SENTENCES.split(asked) for name in _named_in(each, _CHANGES, plain=is_about_all(each)))
    return UseRequest(tuple(dict.fromkeys(named)))


def is_about_all(text: str) -> bool:
    """Whether a text says that every place is meant: "completely", "from the whole code"."""
    return _ENTIRELY.search(text) is not None


def file_uses_to_find(text: str) -> UseRequest:
    """The paths of files whose uses a text asks for: "who links to a.md", "I renamed b.py, what else has to change?".

    A dotted name of code (``app.run``) looks the same: whether there is such a file is not looked at.
    """
    asked = " ".join(text.split())
    for patterns, is_sure in ((_FILE_USES, True), (_FILE_CHANGES, False)):
        paths = (match["path"] for pattern in patterns for match in pattern.finditer(asked))
        if len(asked.split()) <= _LONGEST and (found := tuple(dict.fromkeys(paths))):
            return UseRequest(found, is_sure)
    return UseRequest()


def _named_in(text: str, patterns: tuple[re.Pattern[str], ...], *, plain: bool) -> tuple[str, ...]:
    """The names that the patterns find, as written, and those that follow them ("f and g")."""
    found: dict[str, None] = {}
    for pattern in patterns:
        for match in pattern.finditer(text):
            further: re.Match[str] | None = match
            while further:
                name, is_sure = code_name_of(further, text)
                is_word = plain and further is match and _says_something(name) and not _ENTIRELY.fullmatch(name)
                if is_sure or is_word:
                    found[name] = None
                further = FURTHER.match(text, further.end("name"))
    return tuple(found)


def _code_names(text: str) -> tuple[str, ...]:
    """Every name of a text that is clearly one of code."""
    named = (code_name_of(match, text) for match in _ANY_NAME.finditer(text))
    return tuple(dict.fromkeys(name for name, is_sure in named if is_sure))


def code_name_of(match: re.Match[str], text: str) -> tuple[str, bool]:
    """The last part of a name, and whether it is clearly one of code."""
    *owners, name = re.split(r"[.:#]+", match["name"].rstrip(".:#"))
    before, after = text[match.start("name") - 1 : match.start("name")], text[match.end("name") : match.end("name") + 3]
    is_closed = before in _CLOSING and after.removeprefix("()").startswith(_CLOSING[before])
    is_qualified = bool(owners) and not name[:1].isdigit() and name not in SUFFIXES | TOP_DOMAINS  # not notes.md
    is_marked = before == "." or after[:1] == "(" or is_closed or is_qualified
    return name, bool(name) and (is_marked or is_identifier(name))


def _is_no_class(name: str) -> bool:
    return name.isupper() or not name.strip("_")[:1].isupper()


def _says_something(word: str) -> bool:
    return len(word) > MIN_PART and word.lower() not in STOPWORDS


_OBJECT: Final = lazy_pattern(
    r"\b(?:where(?:['’]s| is| are| do| does| did)|(?:is|are) there|(?:do|does) (?:it|we|you|this|that) (?:support|have)"
    r"|где(?: находится| лежит| описан\w{1,4}| реализован\w{0,3})?|есть ли)\s+((?:[\w'.-]{1,40}[ ]?){1,5})",
    re.IGNORECASE,
)


def asked_words(text: str) -> tuple[str, ...]:
    """The object of a question: the words after "where is the", up to the next stop word; lower-case."""
    found = _OBJECT.search(text)
    words = dropwhile(STOPWORDS.__contains__, map(str.lower, raw_words(found[1]))) if found else ()
    return tuple(takewhile(lambda word: word not in STOPWORDS, words))


_ABOUT_FILE: Final = lazy_pattern(
    r"(?:please |can you |could you )?"
    r"(?:(?:explain|describe|document|summari[sz]e|review|refactor|clean up|show|open|read|go through|walk me through"
    r"|what(?:'s| is) in|what does|how does|(?:write|add)(?: unit| some| more)* tests? for"
    r"|объясни(?:те)?|опиши(?:те)?|покажи(?:те)?|что (?:делает|в)|как (?:работает|устроен)|напиши(?:те)? тесты (?:для|к))"
    r"(?: me| мне)? (?:the |our )?(?:file |module |script |файле? |модул[ье] )?)?"
    r"[`'\"«]?(?P<path>(?:[\w@.+-]{1,100}/){0,20}[\w@+-][\w@.+-]{0,100}\.[A-Za-z]\w{0,8})[`'\"»]?"
    r"(?: (?:file|does|do|work|for me|in detail|подробно|делает))*[ ?.!]*",
    re.IGNORECASE,
)


def file_to_show(text: str) -> str:
    """The path that a text asks about and nothing else ("explain src/app.py"); empty for other texts.

    Whether there is such a file is not looked at: ``app.run`` may be a method.
    """
    match = _ABOUT_FILE.fullmatch(text.strip())
    return match["path"] if match else ""


_HASH: Final = r"(?P<hash>(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,40})(?![\w.-])"  # a number is none
# A hash elsewhere may be that of a build or an image; where a review is asked for, it is what to review.
_COMMIT: Final = lazy_pattern(
    rf"(?:\b(?:commit|revision|changeset|коммит\w{{0,3}})[ :#]{{0,3}}|/commit/)[`'\"(]?{_HASH}", re.IGNORECASE
)
_ANY_HASH: Final = lazy_pattern(rf"(?<![\w./@#-]){_HASH}")
_PULL: Final = lazy_pattern(r"(?<![\w&/#])(?P<number>#\d{1,6})(?![\w-])")
_LAST_COMMIT: Final = lazy_pattern(
    r"\b(?:(?:the|my|our|your) (?:last|latest|most recent) commit|HEAD|последн\w{2,3} коммит\w{0,2})\b"
    r"(?! (?:message|request|method|response|call|route|handler|tag|element|section)s?\b)"
)


def commit_to_read(text: str, *, is_review: bool) -> str:
    """The commit that a text is about, as git names it, or a pull request, as ``#12``; empty for a text without one.

    It is a commit named as such, by its hash. Of a review also a hash alone, the last commit, or the number of a pull
    request. Whether there is such a one is not looked at.
    """
    if match := _COMMIT.search(text) or (_ANY_HASH.search(text) if is_review else None):
        return match["hash"]
    if not is_review:
        return ""
    pull = _PULL.search(text)
    return pull["number"] if pull else "HEAD" if _LAST_COMMIT.search(text) else ""


_THE: Final = r"(?:(?:the|this|your|our|whole|entire|overall|a|an|of|for|in) ){0,4}+"
_REPOSITORY: Final = rf"{_THE}(?:project|(?:mono)?repo(?:sitory)?|workspace|code ?base|source code|code)(?:'s)?"
_PROJECT: Final = rf"(?:{_REPOSITORY}|{_THE}(?:application|app|program|library|package|tool|system)(?:'s)?)"
_PLAN: Final = r"(?:overview|structure|architecture|layout|organi[sz]ation|design|big(?:ger)? picture|lay of the land)"
_PARTS: Final = rf"(?:{_THE}(?:main |different |various |single |important |key ){{0,2}}(?:packages|modules|crates|components|parts|pieces|sub-?projects|workspaces)(?: (?:of|in) {_REPOSITORY})?)"
_CONNECTED: Final = "(?:depend on|relate to|use|import|interact with|talk to|connect to) (?:each other|one another)|(?:fit|work|play|belong|hang) together"
_PROJECT_IN_RUSSIAN: Final = r"(?:(?:этот|этого|этом|этому|весь|всего|самого|в|о|об|по|про) ){0,4}(?:проект|репозитори|код|исходник|приложени|программ|библиотек|систем)\w{0,2}"
_PLAN_IN_RUSSIAN: Final = r"(?:обзор|структур\w|архитектур\w|устройство|экскурси\w|тур)"
_TOUR: Final = rf"{_THE}(?:(?:short|quick|brief|general|guided) ){{0,2}}(?:summary|(?:code )?tour|intro(?:duction)?|walk-?through|map)"
_TELL: Final = r"(?:explain|describe|summari[sz]e|understand|tell me about|(?:walk|talk|take|guide|show) (?:me|us) (?:through|around)|get (?:me )?up to speed (?:with|on))(?: to me)?"
_OVERVIEWS: Final = (
    rf"(?:(?:give|show|write|tell)(?: me)? )?(?:(?:an?|the|some|short|quick|brief|general|high[- ]level) ){{0,4}}+{_PLAN}(?: and {_PLAN})?"
    rf"(?: (?:of|to) {_THE}{_PLAN})?(?: (?:of|to|for) (?:{_PROJECT}|{_PARTS})| of how (?:it(?: all)?|this|everything|{_PROJECT}) works)?"
    rf"|(?:{_PROJECT}|architecture) {_PLAN}(?: {_PLAN})?"
    rf"|{_TELL} (?:{_REPOSITORY}|{_PARTS}|{_THE}{_PLAN}(?: (?:of|to|for) {_PROJECT})?|{_PROJECT} {_PLAN})(?: (?:to me )?(?:like|as if) i'?m new)?"
    rf"|(?:(?:give|show)(?: me)? )?(?:{_TOUR} (?:of|to|through) (?:{_PROJECT}|{_PARTS})|{_REPOSITORY} (?:tour|walk-?through|map)|{_THE}(?:guided |quick |short )?(?:code )?tour)|show (?:me|us) around(?: here)?"
)
_READ_FIRST: Final = r"(?:what|which (?:files|modules|parts|code)|where) (?:do|should|can|could|would) (?:i|we|one) (?:read|start|begin|look)(?:(?: at)? first| with| reading| looking| to read){0,2}"
_QUESTIONS: Final = (
    rf"how(?: is| are|'s) {_PROJECT} (?:structured|organi[sz]ed|laid out|built up|put together|set up)|what(?: is|'?s) (?:{_PROJECT}(?: (?:all )?(?:about|for))?|{_THE}{_PLAN}(?: of {_PROJECT})?)|what does {_PROJECT} do(?: (?:exactly|overall))?"
    rf"|what (?:are the|is in the) (?:main|most important|key|central) (?:parts|components|modules|packages|files|folders|pieces)(?: (?:of|in) {_PROJECT})?|how(?: do)? (?:they|{_PARTS}) (?:all )?(?:{_CONNECTED})|how does (?:it|this|everything)(?: all)? (?:{_CONNECTED})"
    rf"|how does {_PROJECT} work|what am i looking at|{_READ_FIRST}(?: {_REPOSITORY}| the sources)?"
    rf"|(?:where is everything|what(?: is|'?s| lives) (?:where|in which folder)|what (?:does each folder|do all the folders) (?:do|contain))(?: in {_REPOSITORY})?"
)
_IN_RUSSIAN: Final = (
    rf"как (?:(?:тут|здесь|у вас|вс[её]) ){{0,3}}(?:устроен|организован|построен|структурирован)\w?(?: {_PROJECT_IN_RUSSIAN}| тут| здесь)?"
    r"|(?:(?:опиши|объясни|расскажи|покажи|дай|проведи|сделай)(?:те)? )?(?:(?:мне|о|про|краткий|кратк\w{2}|общий|кратко|небольш\w{2,3}) ){0,4}"
    rf"(?:{_PLAN_IN_RUSSIAN}(?: {_PLAN_IN_RUSSIAN})?(?: {_PROJECT_IN_RUSSIAN})?)(?: новичку)?"
    r"|расскажи(?:те)? (?:мне )?(?:о|об|про) (?:этом? )?(?:проект|репозитори)\w{0,2}|(?:расскажи(?:те)?|объясни(?:те)?) как (?:тут |здесь )?вс[её] (?:тут |здесь )?устроено"
    rf"|что (?:это )?(?:за|делает) {_PROJECT_IN_RUSSIAN}|о чём {_PROJECT_IN_RUSSIAN}|(?:что (?:тут |здесь )?где|где (?:тут |здесь )?что) лежит(?: {_PROJECT_IN_RUSSIAN})?|какие (?:тут |здесь |в нём )?(?:основные|главные|ключевые|важные) (?:части|модули|компоненты|пакеты|папки|файлы)(?: {_PROJECT_IN_RUSSIAN})?"
    rf"|с чего (?:мне )?(?:лучше )?начать(?: (?:читать|чтение|изуч\w+|знакомство))?(?: (?:с )?{_PROJECT_IN_RUSSIAN})?"
)
_ABOUT_PROJECT: Final = tuple(lazy_pattern(each, re.IGNORECASE) for each in (_OVERVIEWS, _QUESTIONS, _IN_RUSSIAN))
_CLAUSE: Final = lazy_pattern(
    r" ?[,.;:?!]{1,9} ?| [-–—] | (?:and|и) (?=(?:how|what|which|where|explain|show|give|walk|как|что|где|какие|с чего)\b)"
)
_LONGEST_OVERVIEW: Final = 30  # words


def wants_overview(text: str) -> bool:
    """Whether a text asks what the project is, how it is structured, or where to begin, and beside at most to set it up."""
    asked = " ".join(text.split())
    polite = (_POLITE.sub("", clause) for clause in _CLAUSE.split(asked.lower()))
    clauses = [clause for clause in polite if clause and not _BESIDE.fullmatch(clause)]
    is_about = all(any(each.fullmatch(clause) for each in _ABOUT_PROJECT) for clause in clauses)
    return bool(clauses) and is_about and 1 < len(asked.split()) <= _LONGEST_OVERVIEW


_STRUCTURE: Final = lazy_pattern(
    r"\b(?:(?:how|what way) (?:does|do|is|are) .{1,60} (?:travels?|flows?|fits? together|laid out|structured|organi[sz]ed)"
    rf"|how .{{1,60}} (?:{_CONNECTED})"
    r"|how (?:does|do|did|can) .{1,60} (?:get|go|come|pass) from .{1,60} (?:to|into)|(?:tour|walk-?through) (?:of|through) (?:the|this|your|our) (?:code ?base|code|project|sources?)"
    r"|what way does .{1,40} go|(?:big|main|moving) (?:pieces|parts)|(?:give me|see|get|understand) the big(?:ger)? picture|data[- ]?flow|architecture|internals|under the hood"
    r"|what (?:do|should) i read|where (?:do|should) i (?:start|begin)|what lives (?:in which|where)|which (?:crate|module|package|folder|directory) (?:is which|does what)|(?:what is|what's) in which folder)\b"
    r"|\b(?:с чего (?:лучше )?начать|весь путь|какой путь проходит|как\w{0,2} .{1,40} (?:попадает|доходит|проходит) (?:от|из|с) .{1,40} (?:до|в|к)|архитектур\w+|внутренн\w+ устройств\w+|что где лежит)",
    re.IGNORECASE,
)


def wants_structure(text: str) -> bool:
    """Whether a text asks how the parts of a program work together, or where to begin to read, perhaps of one topic."""
    return len(text.split()) <= _LONGEST and bool(_STRUCTURE.search(text))


_POLITE: Final = lazy_pattern(
    r"^(?:(?:please|so|ok(?:ay)?|and|also|(?:can|could) (?:you|someone|anyone|i get)|help me(?: to)?|i (?:need|want|would like)(?: to)?|need(?: to)?|а|ну|пожалуйста|мне нуж\w{2,3}) +){1,4}| +(?:please|пожалуйста|briefly|for me)$"
)
_WHERE_NEW: Final = rf"(?: (?:here|today|yesterday|this week|last week|(?:to|on|in|at) {_THE}(?:\w+ )?(?:project|team|company|repo|code|code ?base|work)))"
_SETTING_UP: Final = r"how (?:do|can|should) (?:i|we) (?:get (?:it|this|everything|the \w+) (?:running|working|up)|(?:run|build|start|install|set up|test) (?:it|this|everything|the (?:tests|app|project|code|server)))(?: (?:and|up|locally|from source|on my machine|(?:(?:with|run) )?(?:the |its )?tests)){0,3}|как (?:(?:его|вс[её]|это|мне) ){0,2}(?:запустить|собрать|поднять|развернуть)(?: (?:его|вс[её]|проект|тесты|локально|у себя|и)){0,3}"
_BESIDE: Final = lazy_pattern(
    r"(?:hi|hello|hey)(?: (?:there|all|everyone|team))?|please|thanks?(?: you)?"
    rf"|(?:(?:i|we)(?:'?m|'?ve| am| have)? )?(?:(?:a|the|just|only|recently|brand) ){{0,3}}(?:new(?: (?:dev|developer|engineer|hire|starter|joiner|contributor|guy))?{_WHERE_NEW}{{0,2}}"
    rf"|new to {_THE}\w+|(?:joined|started|got added)(?: (?:the|this|your|a) (?:project|team|company|repo))?{_WHERE_NEW}{{0,2}}|cloned (?:it|this|{_REPOSITORY}))"
    rf"|(?:(?:it'?s|today is|this is) )?my first (?:day|week){_WHERE_NEW}{{0,2}}|{_SETTING_UP}"
    r"|(?:show|tell) me|(?:how does (?:an?|the) [\w -]{1,40} (?:get|go|travel) )?(?:from|от|с) .{1,60} (?:to|до|на) .{1,60}"  # the way
    r"|привет|здравствуйте|пожалуйста|спасибо|(?:покажи|расскажи|объясни|подскажи)(?:те)?|(?:я )?(?:(?:тут|здесь|только|что|недавно) ){0,3}"
    r"(?:новичок|новеньк\w{2}|впервые|приш[её]л|пришла|присоединил\w{2,3}|склонировал\w?)(?: (?:тут|здесь|(?:в|на|к) (?:проект|команд|компани)\w{0,2}|репозиторий|проект))?"
)
