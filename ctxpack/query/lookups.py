"""Requests that look one thing up: where a name is defined, where it is used, or what is in a file."""

# ruff: noqa: E501 -- tables of patterns
from __future__ import annotations

import re
from typing import Final

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.query.tokens import MIN_PART, STOPWORDS, is_identifier, split

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
    """Names whose uses a request asks for.

    ``is_sure``: it asks for uses in so many words, rather than for a change that has to be made wherever a name is used.
    """

    names: tuple[str, ...] = ()
    is_sure: bool = False


_LONGEST: Final = 60  # words: what is longer tells of more than the uses of a name
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
_CALLED: Final = r"[`'\"«]?\.?(?P<name>[^\W\d][\w.:]{1,80})(?:\(\))?[`'\"»]?"
_FURTHER: Final = lazy_pattern(rf"(?:\(\))?[`'\"»]?(?:,|,? and|,? or| и)(?: the)? {_CALLED}")
_USED: Final = r"(?:used|called|invoked|imported|referenced|referred to|instantiated|mentioned|wired(?: in| up)?)"
_USE: Final = r"(?:use|call|invoke|import|reference|refer to|instantiate|mention|depend on|rely on)"
_USES: Final = r"(?:uses|calls|invokes|imports|references|refers to|instantiates|mentions|depends on|relies on)"
_NOUN: Final = r"(?:usages?|uses|users|callers?|calls|call ?sites?|references|occurrences|mentions)"
_USED_IN_RUSSIAN: Final = (
    r"(?:использу[ею]тся|вызыва[ею]тся|применя[ею]тся|импортиру[ею]тся|упомина[ею]тся|подключа[ею]тся)"
)
_USE_IN_RUSSIAN: Final = r"(?:используе[тм]|вызывае[тм]|применяе[тм]|импортируе[тм]|упоминае[тм])"
_SURE: Final = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:who|what(?: else)?|which [\w ]{{1,30}}?) (?:{_USES}|{_USE}) {_WHAT}{_CALLED}",
        rf"\bwhere (?:else )?(?:is|are|was|do we|does it|does the code) {_WHAT}{_CALLED}(?: (?:{_QUALITY}))? (?:being |still |actually )?{_USED}\b",
        rf"\bwhere (?:else )?(?:do|does) (?:we|you|they|it|the [\w-]+) {_USE} {_WHAT}{_CALLED}",
        rf"\b(?:all|every|each|find|list|show)\b[\w ]{{0,30}}? (?:places?|files?|code|functions?|modules?) (?:that|which|where (?:we|it)) (?:{_USES}|{_USE}) {_WHAT}{_CALLED}",
        rf"\b(?:all|every|each|find|list|show)\b[\w ]{{0,30}}? (?:places?|files?|functions?|modules?) where {_WHAT}{_CALLED} (?:is|are) {_USED}\b",
        rf"\b{_NOUN} (?:of|to|for) {_WHAT}{_CALLED}",
        rf"\b(?:all|every|each|find|list|show)\b[\w ]{{0,20}}? {_CALLED} {_NOUN}\b",
        rf"\bгде (?:ещё |еще )?{_USED_IN_RUSSIAN} {_WHAT_IN_RUSSIAN}{_CALLED}",
        rf"\bгде (?:ещё |еще )?{_WHAT_IN_RUSSIAN}{_CALLED} {_USED_IN_RUSSIAN}",
        rf"\b(?:кто|что|где мы) (?:ещё |еще )?{_USE_IN_RUSSIAN} {_WHAT_IN_RUSSIAN}{_CALLED}",
        rf"\b(?:все|всех|каждое|каждый) (?:мест\w*|вызов\w*|использовани\w*|упоминани\w*)(?:, где {_USED_IN_RUSSIAN})? {_WHAT_IN_RUSSIAN}{_CALLED}",
    )
)
_SHOW: Final = lazy_pattern(
    rf"(?:(?:show|find|open|print|give|покажи|найди|открой)(?: me)? {_WHAT})?(?:[\w$]+(?:\.|::|->|#))*{_CALLED}[.!?]?",
    re.IGNORECASE,
)
_CHANGES: Final = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\brename {_WHAT}{_CALLED}",
        rf"\bchang(?:e|ing) the (?:signature|name|type|return (?:type|value)|arguments?|parameters?|defaults?|behaviou?r) of {_WHAT}{_CALLED}",
        rf"\b(?:breaks?|happens?|affected|safe)\b[\w ]{{0,12}}? (?:if|when|to)\b[\w ]{{0,8}}? (?:change|remove|rename|delete|drop) {_WHAT}{_CALLED}",
        rf"\b(?:remove|drop|delete|get rid of|deprecate|retire) {_WHAT}{_CALLED}",
        rf"\b(?:переименовать|переименуй(?:те)?|переименуем) {_WHAT_IN_RUSSIAN}{_CALLED}",
        rf"\b(?:удалить|удали(?:те)?|убрать|убери(?:те)?|выпилить|выпили(?:те)?|избавиться от) {_WHAT_IN_RUSSIAN}{_CALLED}",
    )
)
_ENTIRELY: Final = lazy_pattern(
    r"\b(?:altogether|entirely|completely|everywhere|for good|every (?:place|use|usage|mention)|all (?:places|uses|usages|mentions)"
    r"|from the (?:whole )?(?:code|repo|project)\w*|везде|всюду|полностью|целиком|из (?:кода|проекта|репозитория))\b",
    re.IGNORECASE,
)


def uses_to_find(text: str) -> UseRequest:
    """The names whose uses a text asks for: "who calls f", "rename g to h"; none if it asks for something else.

    A name is code-shaped or in marks; a plain word counts where the text says so clearly ("drop elvish altogether").
    So is the name of a function or a constant alone: who asks for it wants the definition and who uses it.
    """
    asked = " ".join(text.split())
    if len(asked.split()) > _LONGEST:
        return UseRequest()
    if sure := _named_in(asked, _SURE, plain=True):
        return UseRequest(sure, is_sure=True)
    shown = _SHOW.fullmatch(asked)
    if shown and (name := _name_of(shown, asked)[0]) and is_identifier(name) and _is_no_class(name):
        return UseRequest(
            (name,), is_sure=True
        )  # classes are left to the ranking: their parts matter more than their uses
    return UseRequest(_named_in(asked, _CHANGES, plain=bool(_ENTIRELY.search(asked))))


def _named_in(text: str, patterns: tuple[re.Pattern[str], ...], *, plain: bool) -> tuple[str, ...]:
    """The names that the patterns find, as written, and those that follow them ("f and g")."""
    found: dict[str, None] = {}
    for pattern in patterns:
        for match in pattern.finditer(text):
            further: re.Match[str] | None = match
            while further:
                name, is_sure = _name_of(further, text)
                if is_sure or (plain and further is match and _says_something(name)):
                    found[name] = None
                further = _FURTHER.match(text, further.end("name"))
    return tuple(found)


def _name_of(match: re.Match[str], text: str) -> tuple[str, bool]:
    """The last part of a name, and whether it is clearly one of code."""
    name = re.split(r"[.:]+", match["name"].rstrip(".:"))[-1]
    is_marked = text[match.start("name") - 1] in "`'\"«." or text.startswith("(", match.end("name"))
    return name, bool(name) and (is_marked or is_identifier(name))


def _is_no_class(name: str) -> bool:
    return name.isupper() or not name.strip("_")[:1].isupper()


def _says_something(word: str) -> bool:
    return len(word) > MIN_PART and word.lower() not in STOPWORDS


_LIKE: Final = (
    r"(?:(?<!would )(?<!\bI )(?<!'d )(?<!looks )(?<!look )(?<!seems )(?<!feels )(?<!thing )\blike(?: in| for| with)?"
    r"|\b(?:similar(?:ly)? to|analogous(?:ly)? to|in analogy to|by analogy with|(?:the )?same (?:way )?as|modell?ed (?:on|after)"
    r"|along the lines of|in the style of|as (?:is done|we do|it is|there is) (?:for|in|with))"
    r"|\b(?:так же,? |так,? |такой же,? |такую же,? )?как (?:у |в |для |и (?:у |в )?)?|\bпо (?:аналогии с|образцу)|\bаналогично|\bнаподобие|\bвроде)"
)
_MODEL: Final = lazy_pattern(
    rf"{_LIKE} ?(?:(?:the|our|an?|existing|current|already|built-?in|one|that|of|for) ){{0,3}}"
    r"(?:(?P<option>--?[A-Za-z][\w-]{1,60})|[`'\"«](?P<marked>[^`'\"»\n]{2,60})[`'\"»]|(?P<name>[^\W\d][\w.:-]{1,60}))"
    r"(?P<noun> [^\W\d_]{3,30}\b(?!\())?",
    re.IGNORECASE,
)
_NO_MODEL: Final = frozenset(
    """
    all any anything before each every everything here it normal now ones other others so something that them there
    these this those usual what which другие всегда обычно остальные раньше такое это
    """.split()  # noqa: SIM905 -- a table of words
)


@dataclass(frozen=True, slots=True)
class ModelName:
    """What a request takes as a model for something new: a name as code spells it, or parts of names."""

    name: str = ""
    parts: tuple[str, ...] = ()


def models_of(text: str) -> tuple[ModelName, ...]:
    """What a text takes as a model: "add isThisDecade like isThisYear", "completions for nushell, like fish"."""
    found: dict[ModelName, None] = {}
    for match in _MODEL.finditer(" ".join(text.split())):
        said = match["option"] or match["marked"] or match["name"]
        name = re.split(r"[.:]+", said.strip("-.: ()"))[-1]
        if is_identifier(name) and not match["option"]:
            found[ModelName(name)] = None
        elif name.lower() not in _NO_MODEL and _says_something(name):
            noun = (match["noun"] or "").strip()
            further = split(noun) if noun and not match["option"] and _says_something(noun) else ()
            found[ModelName(parts=tuple(dict.fromkeys((*split(name), *further))))] = None
    return tuple(found)


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
