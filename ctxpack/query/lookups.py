"""Requests that look one thing up: where a name is defined, where it is used, or what is in a file."""

# ruff: noqa: E501 -- tables of patterns
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.query.tokens import MIN_PART, STOPWORDS, is_identifier

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
_HANDLED: Final = (
    r"(?:being |actually )?(?:set|read|assigned|checked|evaluated|parsed|handled|configured|updated|changed|modified|passed"
    r"|initiali[sz]ed|populated|written|respected|applied)"
)
_HANDLED_IN_RUSSIAN: Final = r"(?:зада[её]тся|читается|проверяется|устанавливается|обрабатывается|меняется)"
_VALUES: Final = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:default(?: value)?|initial value|value|values|meaning) (?:of|for) {_WHAT}{_CALLED}",
        rf"\bwhere (?:is|are|do we|does it) {_WHAT}{_CALLED} {_HANDLED}\b",
        rf"\b(?:значени[ея]|умолчани[ея])(?: по умолчанию)?(?: (?:у|для))? {_WHAT_IN_RUSSIAN}{_CALLED}",
        rf"\bгде {_WHAT_IN_RUSSIAN}{_CALLED} {_HANDLED_IN_RUSSIAN}",
        rf"\bгде {_HANDLED_IN_RUSSIAN} {_WHAT_IN_RUSSIAN}{_CALLED}",
    )
)
_CONSTANT: Final = lazy_pattern(
    rf"(?:what (?:does|is)|explain|что (?:делает|значит|такое)) {_WHAT}{_CALLED}(?: (?:setting|option|variable|constant))?"
    r"(?: (?:do|mean|control|for|used for))?[.?! ]*",
    re.IGNORECASE,
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
    """The names whose uses a text asks for: "who calls f", "default of g", "rename h"; none if it asks for another thing.

    A name is code-shaped or in marks; a plain word counts where the text says so clearly ("drop elvish altogether").
    So is the name of a function or a constant alone: who asks for it wants the definition and who uses it.
    """
    asked = " ".join(text.split())
    if len(asked.split()) > _LONGEST:
        return UseRequest()
    if sure := _named_in(asked, _SURE, plain=True) or _named_in(asked, _VALUES, plain=False):
        return UseRequest(sure, is_sure=True)
    constant = _CONSTANT.fullmatch(asked)
    if constant and (name := _name_of(constant, asked)[0]) and name.isupper() and is_identifier(name):
        return UseRequest((name,), is_sure=True)
    shown = _SHOW.fullmatch(asked)
    if shown and (name := _name_of(shown, asked)[0]) and is_identifier(name) and _is_no_class(name):
        return UseRequest((name,), is_sure=True)  # not a class: its parts matter more than its uses
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


@dataclass(frozen=True, slots=True)
class Precedent:
    """What a change is to resemble: names as code writes them, lower-case words for one thing, or a list of words."""

    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


_EXISTING: Final = (
    r"(?:(?:the|our|this|that|an?|any|all|each|every|existing|other|current|present|old|usual|already|is|are|it|we|do|does|did|done"
    r"|have|has|had|handled?|written|implemented|for|with|of|in|to|used?) )*"
)
_ENGLISH_MODEL: Final = (
    r"\b(?:(?:exactly |just |much )?(?:the |in the )?same (?:way|style|manner|fashion|places?|pattern|lines|rules?)s? (?:as|like|that)"
    r"|similar(?:ly)? to|analogous(?:ly)? to|by analogy (?:to|with)|in line with|along the lines of|model(?:l)?ed (?:on|after)"
    r"|mirror(?:ing|s)?|alongside|next to|consistent with|equivalent to|same as|(?:exactly|just) like|just as"
    rf"|as (?:is |it is |we )?(?:already )?(?:done|do|have) (?:for|with)|like) {_EXISTING}"
)
_RUSSIAN_MODEL: Final = (
    r"\b(?:(?:точно )?так(?:ой|ая|ое|им)? же(?: образом)?,? как|аналогично|по аналогии со?|подобно|по образцу|по примеру"
    r"|наподобие|вроде|рядом со?) (?:(?:и|у|для|в|уже|это|сделано|существующ\w+|команд\w+|функци\w+|метод\w*|класс\w*) )*"
)
_RESEMBLING: Final = tuple(lazy_pattern(pattern, re.IGNORECASE) for pattern in (_ENGLISH_MODEL, _RUSSIAN_MODEL))
# May only mean "for example".
_LOOSE: Final = lazy_pattern(r"like (?!we |it is |is done |with |for |in )", re.IGNORECASE)
_NO_COMPARISON: Final = lazy_pattern(
    r"\b(?:would|'d|i|we|you|they|looks?|looked|feels?|seems?|sounds?|something|anything|things?|stuff|don't|not|more"
    r"|appears?|behaves?|acts?),?\s+$",
    re.IGNORECASE,
)
_MODEL_OPTION: Final = lazy_pattern(r"--?(?P<name>[A-Za-z][\w-]{1,60}+)(?! ones?\b)")
_MODEL_NAME: Final = lazy_pattern(_CALLED)
_MODEL_LIST: Final = lazy_pattern(r"[\w-]{1,40}+(?:, [\w-]{1,40}+){1,20}+(?:,? and [\w-]{1,40})?")
_PLAIN_WORD: Final = lazy_pattern(r"(?:--)?([A-Za-z]+(?:-[A-Za-z]+)*)")
_MOST_WORDS: Final = 3  # that tell what a precedent is
_FEWEST_MEMBERS: Final = 3
_LONGEST_CHANGE: Final = 120  # words: what is longer compares other things too


def precedent_of(text: str) -> Precedent:
    """What a text gives as the model of a change: "add f, done the same way as g"; empty where it gives none."""
    asked = " ".join(text.split())
    if len(asked.split()) > _LONGEST_CHANGE:
        return Precedent()
    names: dict[str, None] = {}
    for match in (match for pattern in _RESEMBLING for match in pattern.finditer(asked)):
        is_loose = bool(_LOOSE.match(match[0]))
        if is_loose and _NO_COMPARISON.search(asked[: match.start()]):
            continue
        names |= dict.fromkeys(_names_at(asked, match.end()))
        if names:
            continue
        listed = _MODEL_LIST.match(asked, match.end())
        members = tuple(re.split(r",? and |, ", listed[0].lower())) if listed else ()
        if len(members) >= _FEWEST_MEMBERS:
            return Precedent(members=members)
        if words := _description_at(asked, match.end(), is_loose=is_loose):
            return Precedent(words=words)
    return Precedent(tuple(names))


def _names_at(text: str, start: int) -> Iterator[str]:
    """The names of code or options that begin at a place of a text ("f and g")."""
    if option := _MODEL_OPTION.match(text, start):
        yield option["name"]
    further = _MODEL_NAME.match(text, start)
    while further and (found := _name_of(further, text))[1]:
        yield found[0]
        further = _FURTHER.match(text, further.end("name"))


def _description_at(text: str, start: int, *, is_loose: bool) -> tuple[str, ...]:
    """The words of a description, up to the next that says nothing; after a mere "like" two, or those of "the … one"."""
    found: list[str] = []
    end = start
    while len(found) < _MOST_WORDS and (match := _PLAIN_WORD.match(text, end)) and match[1].lower() not in STOPWORDS:
        found += match[1].lower().split("-")
        end = match.end() + text.startswith(" ", match.end())
        if end == match.end():
            break
    is_told = not is_loose or len(found) > 1 or re.match(r"ones?\b", text[end:])
    return tuple(found) if is_told else ()


@dataclass(frozen=True, slots=True)
class VersionChange:
    """A program or library of which another version is to be required, and the versions that a request names."""

    name: str = ""
    versions: tuple[str, ...] = ()


_CHANGES_VERSION: Final = lazy_pattern(
    r"\b(?:bump|upgrad|downgrad|drop|rais(?:e|ing)|lower|requir|migrat|mov(?:e|ing)|switch|updat|support|pin|minimum|minimal"
    r"|oldest|end[- ]of[- ]life|eol|обнов|перейти|переход|перевести|поднять|повысить|поддерж|минимальн)\w*\b",
    re.IGNORECASE,
)
_PROGRAM: Final = r"(?P<name>[A-Za-z][\w+#-]{0,40})"
_NUMBER: Final = r"v?(?P<version>\d+(?:\.\d+){0,3})(?![\w.]*\w)"
_LEAST: Final = r"(?:minimum|minimal|oldest|lowest|required|supported) (?:supported |required )?"
_TO: Final = rf"(?: from [\d.]+)?(?: to {_NUMBER})?"
_VERSIONS: Final = (
    lazy_pattern(
        rf"(?<![\w.-]){_PROGRAM}(?: (?:versions?|to|from|at least|до|на|с|верси\w+)){{0,3}}[ =><~^]{{1,3}}{_NUMBER}",
        re.IGNORECASE,
    ),
    lazy_pattern(rf"{_LEAST}{_PROGRAM} versions?{_TO}", re.IGNORECASE),
    lazy_pattern(rf"versions? of (?:the )?{_PROGRAM}{_TO}", re.IGNORECASE),
)
_FURTHER_NUMBER: Final = lazy_pattern(r"(?<![\w.])\d+\.\d+(?:\.\d+)?(?![\w.]*\w)")
_NOT_NAMED: Final = """
add at chapter code drop error from issue level line of option page phase port revision section status step support
supports to type version versions
"""
_NO_PROGRAM: Final = (STOPWORDS - {"go"}) | {*_NOT_NAMED.split()}
_LONGEST_ORDER: Final = 30  # words


def version_to_change(text: str) -> VersionChange:
    """The program of which a text wants another version ("drop Python 3.8"); nothing in other texts.

    Whether the repository requires one at all is not looked at.
    """
    asked = " ".join(text.split())
    if len(asked.split()) > _LONGEST_ORDER or not _CHANGES_VERSION.search(asked):
        return VersionChange()
    for match in (match for pattern in _VERSIONS for match in pattern.finditer(asked)):
        name = match["name"].lower()
        if name not in _NO_PROGRAM:
            numbers = _FURTHER_NUMBER.findall(asked)
            return VersionChange(name, tuple(dict.fromkeys([*filter(None, [match["version"]]), *numbers])))
    return VersionChange()


_ENTRY: Final = lazy_pattern(
    r"\b(?:change ?log|release notes?|news) (?:entry|entries|item|line|fragment)\b"
    r"|\b(?:add|write|needs?|with|update|mention|include|extend|plus|and|in) (?:[\w'-]+ ){0,4}(?:change ?log|release notes?)\b"
    r"|\bnotes (?:of|for) the (?:upcoming|next|coming|new) (?:release|version)"
    r"|\b(?:запись|строк\w+|пункт|добав\w+|допиши|обнови\w*|отрази\w*) (?:\w+ ){0,2}(?:в )?(?:changelog|чейнджлог\w*"
    r"|журнал\w* изменений|список изменений|списк\w+ изменений)",
    re.IGNORECASE,
)
_PAST: Final = lazy_pattern(r"\b(?:what|which|when|since|why|что|когда|почему)\b", re.IGNORECASE)


def wants_entry(text: str) -> bool:
    """Whether a text wants something written into the changelog, and does not ask what it says."""
    return bool(_ENTRY.search(text)) and not _PAST.match(text.strip())


_THE: Final = r"(?:(?:the|this|your|our|whole|entire|overall|a|an|of|for|in) ){0,4}+"
_REPOSITORY: Final = rf"{_THE}(?:project|repo(?:sitory)?|code ?base|source code|code)(?:'s)?"
_PROJECT: Final = rf"(?:{_REPOSITORY}|{_THE}(?:application|app|program|library|package|tool|system)(?:'s)?)"
_PLAN: Final = r"(?:overview|structure|architecture|layout|organi[sz]ation|design)"
_PROJECT_IN_RUSSIAN: Final = r"(?:(?:этот|этого|этом|весь|всего|самого|в|о|об|по|про) ){0,4}(?:проект|репозитори|код|исходник|приложени|программ|библиотек|систем)\w{0,2}"
_PLAN_IN_RUSSIAN: Final = r"(?:обзор|структур\w|архитектур\w|устройство)"
_OVERVIEWS: Final = (
    rf"(?:(?:give|show|write|tell)(?: me)? )?(?:(?:an?|the|some|short|quick|brief|general|high[- ]level) ){{0,4}}+{_PLAN}(?: and {_PLAN})?"
    rf"(?: (?:of|to) {_THE}{_PLAN})?(?: (?:of|to|for) {_PROJECT})?"
    rf"|(?:{_PROJECT}|architecture) {_PLAN}(?: {_PLAN})?"
    r"|(?:explain|describe|summari[sz]e|walk me through|understand)(?: to me)?"
    rf" (?:{_REPOSITORY}|{_THE}{_PLAN}(?: (?:of|to|for) {_PROJECT})?|{_PROJECT} {_PLAN})"
    rf"|(?:give me )?(?:{_THE}(?:short |quick |brief )?)(?:summary|tour|introduction|intro) (?:of|to) {_PROJECT}"
)
_QUESTIONS: Final = (
    rf"how(?: is| are|'s) {_PROJECT} (?:structured|organi[sz]ed|laid out|built up|put together|set up)"
    rf"|what(?: is|'s) {_PROJECT}(?: (?:all )?(?:about|for))?|what does {_PROJECT} do(?: (?:exactly|overall))?"
    r"|what (?:are the|is in the) (?:main|most important|key|central) (?:parts|components|modules|packages|files|folders|pieces)"
    rf"(?: (?:of|in) {_PROJECT})?"
    r"|where (?:do|should|can|could) (?:i|we|one) (?:start|begin)(?: (?:reading|looking|to read|with))?(?: (?:the )?(?:code|sources))?"
)
_OVERVIEWS_IN_RUSSIAN: Final = (
    rf"как (?:устроен|организован|построен|структурирован)\w? {_PROJECT_IN_RUSSIAN}"
    r"|(?:(?:опиши|объясни|расскажи|покажи|дай)(?:те)? )?(?:(?:мне|о|про|краткий|общий|кратко) ){0,4}"
    rf"(?:{_PLAN_IN_RUSSIAN}(?: {_PLAN_IN_RUSSIAN})?(?: {_PROJECT_IN_RUSSIAN})?)"
    r"|расскажи(?:те)? (?:мне )?(?:о|об|про) (?:этом? )?(?:проект|репозитори)\w{0,2}"
    rf"|что (?:это )?(?:за|делает) {_PROJECT_IN_RUSSIAN}|о чём {_PROJECT_IN_RUSSIAN}"
    rf"|с чего (?:лучше )?начать(?: (?:читать|чтение|изуч\w+|знакомство))?(?: (?:с )?{_PROJECT_IN_RUSSIAN})?"
)
_ABOUT_PROJECT: Final = tuple(
    lazy_pattern(pattern, re.IGNORECASE) for pattern in (_OVERVIEWS, _QUESTIONS, _OVERVIEWS_IN_RUSSIAN)
)
_CLAUSE: Final = lazy_pattern(r" ?[,.;:?!]{1,9} ?| (?:and|и) (?=(?:how|what|where|explain|как|что|с чего)\b)")
_LONGEST_OVERVIEW: Final = 30  # words


def wants_overview(text: str) -> bool:
    """Whether a text asks what the project is, how it is structured, or where to begin, and nothing more special."""
    asked = " ".join(text.split())
    if len(asked.split()) > _LONGEST_OVERVIEW:
        return False
    polite = (_POLITE.sub("", clause) for clause in _CLAUSE.split(asked.lower()))
    clauses = [clause for clause in polite if clause and not _GREETING.fullmatch(clause)]
    is_special = any(not any(each.fullmatch(clause) for each in _ABOUT_PROJECT) for clause in clauses)
    return bool(clauses) and not is_special and len(asked.split()) > 1


_POLITE: Final = lazy_pattern(
    r"^(?:please|can you|could you|i need|i want|пожалуйста|мне нуж\w{2,3}) +| +(?:please|пожалуйста|briefly|for me)$"
)
_GREETING: Final = lazy_pattern(
    r"(?:hi|hello|hey|please|thanks?(?: you)?|i'?m new(?: here| to (?:this|the) \w+)?|new here|привет|здравствуйте|пожалуйста"
    r"|спасибо|я (?:тут |здесь )?(?:новичок|впервые))"
)
