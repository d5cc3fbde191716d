"""A request's text becomes a Query: weighted terms by part, identifiers, mentions, phrases, shape and intent.

The intent and how much is asked for at once choose some defaults.
"""

# ruff: noqa: E501 -- tables of patterns
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Final

from ctxpack.light import TextEnum, dataclass, field, lazy_pattern, replace
from ctxpack.model import Complexity, Intent, Lane, Mention, Part, Query, Request, Scope, Shape
from ctxpack.query.dictionary import LANGUAGES, is_cyrillic
from ctxpack.query.mentions import condense_frames, find_mentions, is_message, without_foreign_frames, without_frames
from ctxpack.query.messages import (
    ADDING,
    ALL_TO_EDIT,
    ASKED_OF_CHANGE,
    WORK_ADDS,
    as_code_says,
    condense_messages,
    speaks_of_copies,
    without_idle_words,
    without_wish,
)
from ctxpack.query.parts import is_headed, lighter_words, split_parts, weigh_words
from ctxpack.query.precedents import version_to_change, without_new_name
from ctxpack.query.subtokens import (
    MIN_PART,
    STOPWORDS,
    is_identifier,
    noise_of,
    options_of,
    raw_words,
    spell_numbers,
)


class Aim(TextEnum):
    """A purpose that decides which kinds of places answer. Finer than an intent, and several may hold at once."""

    HOW_TO = "how_to"  # a document's section, its example, the function to call
    EXPLAIN = "explain"  # documents tell it, code shows it
    WHERE = "where"  # the body that decides
    ONBOARD = "onboard"  # how one builds, tests and contributes
    REVIEW = "review"  # what the text names, who uses it, its tests
    CHANGE = "change"  # the places to change and their tests
    EVERYWHERE = "everywhere"  # each place that speaks of a thing, whatever its kind
    PIPELINE = "pipeline"  # the text speaks of builds, packages, checks
    RECORD = "record"  # the text speaks of releases and what they changed


def _pattern(english: str, russian: str) -> re.Pattern[str]:
    return lazy_pattern(rf"\b(?:{english})\b|\b(?:{russian})", re.IGNORECASE)


_ADDS: Final = rf"{WORK_ADDS}|(?:\A|(?:i'm|i am|we're|we are|think of|thinking of|thinking about) )(?:adding|implementing|introducing|supporting|extending)"
_ASKS_OTHER: Final = r"(?! (?:i|we) (?:have|need) to (?:update|change|touch|edit))"
_DROP: Final = (  # an order: "packets drop", "was dropped" and "keeps dropping" tell what happens
    r"(?:(?<!.)|(?<=[.,;:!?] )|(?<=please )|(?<=\bto )|(?<=(?<!drag )and )|(?<=should )|(?<=must )|(?<=let's )|(?<=\bwe ))drop(?= \w| `)"
    r"|(?:(?<!.)|(?<=\bby )|(?<=\bconsider )|(?<=\bafter ))dropping"
)
_PATTERNS: Final[Mapping[Aim, re.Pattern[str]]] = {
    Aim.HOW_TO: _pattern(
        r"how (?:do|can|should|would|could|must) (?:i|we|you|one)|how to|(?:right|proper|best|recommended|correct) way"
        r"|(?:can|could|may) i|is there (?:a|any) way"
        rf"|what (?:do{_ASKS_OTHER}|should|must) (?:i|we)(?! (?:watch|look out|pay attention))|(?:i (?:need|want|would like|'d like)|(?<!.)(?:need|want|trying|looking)) to(?! (?:{ADDING})\b)|who do (?:i|we)|how(?=\?)",
        r"как (?:\w+ ){0,3}?\w+(?:ть|ти|чь|ться|тись)\b|хочу,? |можно ли|что (?:мне )?делать|нуж(?:ен|на|но|ны)\b",
    ),
    Aim.EXPLAIN: _pattern(
        rf"explain\w*|walk me through|how (?:does|is|are|did|come|do(?! (?:i|we|you|one)\b))|why|what (?:happens|is|are|does|do{_ASKS_OTHER}|was|order)"
        r"|in (?:what|which) order|(?:which (?:one|of them)?|who) ?(?:wins?|direction)|difference between|when the"
        r"|how (?:often|long|many|much|far) (?:does|do|is|are|will|am|must|should)"
        r"|what (?:exactly )?(?:triggers?|causes?|decides|determines|controls)",
        r"объясн\w+|почему|зачем|в каком порядке|чем отлича\w+"
        r"|что (?:важнее|происходит|случится|побеждает|станет|будет|получ\w+)"
        r"|как (?:именно |вообще |устроен|работа|обрабатыва|вычисля|разбира|провер|происход)\w*|откуда"
        r"|как (?:[^\s.?!]+ ){0,5}?(?:узна[её]т|понимает|реша[её]т|выбирает|находит|определяет|следит|отличает)\b",
    ),
    Aim.WHERE: _pattern(
        r"where(?:'s| is| are| does| do| did| in)?|which (?:file|function|class|module|method|list|table|place)s?|locate",
        r"где\b|в как(?:ом|их) (?:файл|мест|каталог|класс)\w*|откуда",
    ),
    Aim.ONBOARD: _pattern(
        r"(?:i'?m|i am) new|new here|new (?:to|on) (?:this|the) (?:code(?: ?base)?|project|repo|team)\w*|first (?:day|patch|contribution|time|pull request|pr|commit)|contribut(?:e|ing|ions?)"
        r"|(?:just )?cloned (?:this|the repo|it)|just cloned|getting started|get started|onboarding|set ?up (?:the|my|a) \w*(?:environment|project|checkout)"
        r"|(?:run|running|get) (?:(?:the|its|my|your|our|all|only|just|one|an?|single|specific|particular|individual|whole|full|unit|integration|functional|acceptance|end-to-end|e2e) ){0,4}tests?(?: suite)?|against (?:the|my)(?: local)? checkout|from source"
        r"|(?:build|compile|run|test)(?:ing)? (?:it|them|this|everything|all|the project) (?:locally|myself|on my machine)"
        r"|(?:checks?|workflows?|(?:ci|pipeline|workflow|which|what) jobs?) (?:run|must pass|have to pass|are run)|before (?:i )?(?:open|send|submit)(?:ting|ing)?|(?:checks?|run|tests?) (?:\w+ ){0,3}before (?:i )?push(?:ing)?|(?:must|should|ha(?:s|ve) to|needs? to) be in (?:the|a|my) (?:prs?|patch|pull request)",
        r"перв\w+ (?:день|раз|коммит|патч|пул+|pull|pr\b|вклад)|впервые|нович(?:ок|к)|новеньк\w+|с чего (?:мне )?начать|(?:собрать|запустить|развернуть|поднять) (?:всё |все |проект|у себя)"
        r"|прогнать (?:все )?тест\w*|запустить (?:(?:только|один|одиночный|отдельный|интеграционн\w+|юнит)[ -]){1,3}тест\w*|как (?:начать|участвовать)",
    ),
    Aim.REVIEW: _pattern(
        r"review(?:ing|ed|er)?|look over|before (?:the )?merg(?:e|ing)|(?:my|this|the|colleague'?s|'s) (?:change|patch|pr|diff)"
        r"|pull request|change under|who would break|(?:which|what) (?:tests|callers|comments)|PR(?=:| ?[\"'\u201c])|an? (?:contributor|colleague|coworker|teammate) (?:has |have )?[\"']?\w+(?:ed\b|s\b[\"'])|(?:someone|somebody|one of us) (?:has |have )?(?:just )?[\"']?(?:add|bump|chang|clean|delet|drop|improv|mov|optimi[sz]|refactor|remov|renam|replac|simplifi|swapp|switch|turn)ed\b"
        rf"|{ASKED_OF_CHANGE}|(?:ok|okay|safe|good|fine) to merge|(?:can|could|should) (?:it|this|that|we) (?:be merged|merge)|commit(?= [\"'\u201c])|PR (?:changes|adds|removes|moves|renames)",
        r"ревью|проверьте|(?:посмотри(?:те)?|глянь(?:те)?) (?:PR|пр\b|патч|правк|изменени)\w*|pull request",
    ),
    Aim.CHANGE: _pattern(
        rf"(?<![./-])(?:{ADDING})(?!\.\w|\(|-\w)|{_ADDS}|please (?:give(?! me| us)|make|let)|should be able to|it must|allow|give (?!(?:me|us) an? (?:\w+ ){{0,2}}(?:tour|walk-?through|overview|summary|idea|hint|list)\b).{{3,40}} an?"
        r"|(?:\A|(?:you|should|must|and) )make (?:the|it|this|our|sure|`?--\w[\w-]*)"
        r"|\A(?:accept|avoid|change|convert|disable|enable|expose|handle|hide|ignore|let|limit|log|move|prevent|raise|reduce"
        r"|replace|rework|skip|stop|switch|validate|warn)|(?:i|we)(?:'d| would| really){0,2} (?:like|love|want) (?:an?|one|that once|it to|the same|the \w+ to) |want(?=: )|(?:need|want|like) a way to"
        r"|(?:like|love|want|need) (?:an? |some )?(?:option|flag|setting|switch)|would be (?:nice|great|cool|good) (?:to|if)|please don't|make it use|(?:pull|factor) (?:\w+ ){1,4}?(?:out|into)|fold (?:\w+ ){1,4}?(?:into|together)|merge (?:them|these|those|the (?:two|three))|extract an?"
        r"|(?:common|shared|private|small) (?:[\w-]+ ){0,2}(?:helper|factory|base|method|function)(?= (?:for|of|to|in|so|on)\b|[,.;?])|make one (?:\w+ )?(?:out )?of|(?:put|have) it in one place|share one",
        r"хочется|хотелось бы|нуж(?:ен|на|ны) (?:фильтр|опци|настройк|флаг|параметр|способ)|вын(?:ес|ос)\w+|объедини\w+|добав\w+|реализ(?:уй|уйте|овать|уем)\b|(?<!как )(?<!как мне )(?<!как нам )(?<!как можно )сдела\w+|поддерж\w+|чтобы \w+ (?:понимал|умел|мог|был)\w*|расшир\w+",
    ),
    Aim.EVERYWHERE: _pattern(
        r"(?:every|all|each)(?: the| of the)? (?:places?|call sites?|usages?|uses|callers?|occurrences|declarations|generators?"
        rf"|tables?|files?)|{ALL_TO_EDIT}|everything|call sites?|{_DROP}|get rid of(?! (?:\w+ ){{0,2}}?(?:warning|message|notice|prompt)s?\b)|remove|rename[ds]?|refactor\w*|wired in|every table|deprecat\w+",
        r"все(?:х)? (?:мест|вызов|упоминани|использовани)\w*|везде|переименова\w+|удалить|убрать|рефактор\w*",
    ),
    Aim.PIPELINE: _pattern(
        r"ci|pipelines?|workflows?|github actions|make(?:file)? targets?|makefile|packag(?:e manager|ing)|build tags?"
        r"|builds?|lint(?:er|ing)?|pre-commit|dependenc(?:y|ies)|cargo features?|npm|pnpm|yarn|pip|poetry|dockerfiles?|dockeri[sz]\w+"
        r"|docker (?:images?|builds?|hub)|docker-compose(?= files?\b|\.ya?ml\b)|(?:in|inside|with|via|under|using) docker(?! compose)"
        r"|(?:build|publish|upload|binary|prebuilt)(?:s|es|ing)? (?:(?:the|an?|its|our) )?wheels?"
        r"|check(?:s|ed)? (?:is |are )?(?:red|failing)|red on|is red|package\.json|pyproject|formatt?ing|install(?:ed|ing)?",
        r"сборк\w+|собрать|пайплайн\w*|линтер\w*|зависимост\w+|установ\w+|проверк[аиу] \w+|слияни\w+",
    ),
    Aim.RECORD: _pattern(
        r"change ?logs?|release notes?|notes of the|(?:which|what|(?:in|since|of) (?:the|this|that)(?: \w+)?) releases?|since (?:version|when|v?\d)|upgrad\w+|migrat(?:e|ing|ion) (?:from|to)|(?:mov|switch)(?:ed|ing) (?:from|to) [\w.-]+ v?\d"
        r"|what(?:'s| is) new|which version|deprecated since|breaking changes?|news",
        r"(?:в|с|о|об|к|между) (?:\w+ )?релиз\w*|список изменений|журнал изменений|что (?:нового|изменилось|поменялось)|в какой версии|с какой версии"
        r"|(?:обновлени\w+|переход\w*|перейти|обновил\w+) (?:\w+ )?(?:до|на|с|со|между) (?:\w+ )?(?:верси\w+|v?\d)|нов\w+ верси\w+",
    ),
}


# Who is new and asks how something works wants no build files.
_NEWCOMER: Final = _pattern(
    r"(?:i'?m|i am) new|new here|new (?:to|on) (?:this|the) (?:code(?: ?base)?|project|repo|team)\w*|first (?:day|time)|just cloned",
    r"перв\w+ (?:день|раз)|впервые|нович(?:ок|к)|новеньк\w+",
)
_TO_PREPARE: Final = _pattern(
    r"install\w*|set ?up|build(?:ing)?|run(?:ning)?|lint\w*|checks?|environment|contribut\w*|pull requests?|prs?|patch(?:es)?"
    r"|commits?|branch|start|accounts?|sign in|equipment|laptops?|passwords?|laid out|write",
    r"собрать|(?:на)?писать|предложить|запус\w+|развернуть|установ\w+|прогнать|коммит\w*|патч\w*|пул+\w*|ветк\w+",
)


# Who asks which functions to read, or where a thing is registered, wants code, however new.
_TO_READ_CODE: Final = _pattern(
    r"functions?|classes|(?:to|be|i) touch(?:ed)?|regist(?:er|ered|ration)|declared?|wired|plugged|routed"
    r"|(?:which|what|list of) (?:places|files)",
    r"функци\w+|класс(?:ы|ах|ов)\b",
)
_ONE_TEST: Final = lazy_pattern(r"\btest (?:functions?|classes)\b", re.IGNORECASE)


# A product may be called after a tool, and where a file lies tells nothing of what is asked.
_ADDRESS: Final = lazy_pattern(
    r"\b[a-z][a-z+.-]{0,20}+://[^\s)>\]\"'`]+|(?<![\w./@-])[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}/[^\s()\"'`]+",
    re.IGNORECASE,
)
_I: Final = r"(?:do|can|should|would|could) (?:i|we)"
_HOW_TO_ADD: Final = rf"how {_I} implement|(?:how|where) {_I} (?:add|introduce) (?:an? )?new|как (?:мне |нам )?добавить (?:ещ[её] )?нов\w+"


_PREPARING: Final = lazy_pattern(
    r"new(?:bie|comer)?|here|build\w{0,3}|built|compil\w{1,5}|run\w{0,4}|tests?|testing|suite|unit|integration|single|set"
    r"|setup|install\w{0,5}|start\w{0,3}|begin|local(?:ly)?|clon(?:e|ed)|checkout|source|scratch|project|repo(?:sitory)?|code"
    r"|code ?base|develop\w{0,6}|dev|environment|machine|laptop|contribut\w{0,5}|first|steps?|everything|lint\w{0,4}"
    r"|checks?|ci|pull|requests?|prs?|patch|commit|before|guide|instructions?|please|hi|hello|thanks"
    r"|собрать|собира\w+|сборк\w+|запус\w+|тест\w*|проект\w*|установ\w+|разверн\w+|поднять|локальн\w+|прогнать|начать"
    r"|нович\w+|новеньк\w+|код\w*|репозитор\w+|участв\w+|разработ\w+|окружени\w+|перв\w+|патч\w*|коммит\w*",
    re.IGNORECASE,
)


def prepares_only(text: str) -> bool:
    """Whether a request to build, run, test or contribute names nothing in particular that this is to be done with."""
    return all(word.lower() in STOPWORDS or _PREPARING.fullmatch(word) for word in raw_words(text))


@lru_cache(maxsize=64)
def aims_of(text: str) -> frozenset[Aim]:
    """The aims of a request, by its words alone."""
    framed = without_frames(text)
    said = _ADDRESS.sub(" ", framed)
    found = frozenset(aim for aim, pattern in _PATTERNS.items() if pattern.search(said))
    if re.search(rf"(?i)\b(?:{_HOW_TO_ADD})\b", said):
        found -= {Aim.HOW_TO}  # what is new in this repository is a change of it, and no use of it
    found -= {Aim.RECORD} if framed != text else frozenset()  # frames of an error after an upgrade tell where it is
    if Aim.ONBOARD not in found:
        return found
    if _TO_READ_CODE.search(_ONE_TEST.sub(" ", text)):
        return found - {Aim.ONBOARD}
    is_to_prepare = _TO_PREPARE.search(text) or _PATTERNS[Aim.ONBOARD].search(_NEWCOMER.sub(" ", text))
    return found if is_to_prepare else found - {Aim.ONBOARD}


_FEW: Final = 6  # words: a topic. What is longer and no question tells of an event, and that has causes elsewhere
# Of 109 requests about documents the longest tenth has 80 words or more: these tell of several things.
_LONG: Final = 80  # words
_PARAGRAPHS: Final = 4  # a title and three more: each usually has a matter of its own
_PLACES: Final = 3  # paths, names or frames that the request points at


def complexity_of(
    text: str, shape: Shape, intent: Intent, mentions: Iterable[Mention], identifiers: Iterable[str]
) -> Complexity:
    """Simple: a symbol, a topic or a short question about one thing. Complex: long, in parts, or many places."""
    places, words = {mention.text for mention in mentions}, len(text.split())
    is_brief = words <= _FEW or intent is Intent.EXPLAIN or text.rstrip().endswith("?")
    if shape is Shape.SYMBOL or (shape is Shape.QUESTION and is_brief and len({*places, *identifiers}) <= 1):
        return Complexity.SIMPLE
    paragraphs = sum(bool(block.strip()) for block in text.replace("\r\n", "\n").split("\n\n"))
    is_complex = words >= _LONG or paragraphs >= _PARAGRAPHS or len(places) >= _PLACES
    return Complexity.COMPLEX if is_complex else Complexity.MEDIUM


@dataclass(frozen=True, slots=True)
class PackDefaults:
    """Defaults of a pack.

    Pieces below ``floor``, a part of the best score, stay out; those below ``filler`` unless they are among the best (0
    for none). ``max_files`` is a count of files, 0 for any; ``shares`` are lanes and soft shares of the budget, instead
    of the usual ones. ``aims`` tell which kinds of pieces are filler; ``keeps_copies`` that pieces which look alike are
    wanted, ``keeps_tail`` that the weak parts of files are.
    """

    floor: float = 0.0
    filler: float = 0.0
    max_files: int = 0
    shares: Mapping[str, float] = field(default_factory=dict)
    aims: frozenset[Aim] = frozenset()
    keeps_copies: bool = False
    keeps_tail: bool = False


USUAL_DEFAULTS: Final = PackDefaults()
_FIFTH: Final = 0.2  # of the best score: what says less helped none of 100 requests; with .3 two of them lost a place
_HALF: Final = 0.5  # of the best score: on 8 short requests every piece of a changed file scored more, most filler less
_USUAL_FILLER: Final = 0.35  # of the best score; of 472 requests 20 get more of what they need than with .5, five less
_TWO_FIFTHS: Final = 0.4  # of the best score, also of a request in Russian: code has only what its words mean
_DOCUMENTS: Final[Mapping[str, float]] = {Lane.DOCS: 0.75}
# Medium and complex requests, and short orders to change, mend or review something, need what surrounds a place: their best
# pieces stay. What scores much less and comes after these is filler; with half the best score for complex ones, 188
# changes lose 4 % of their files. The instructions by intent are in ``ctxpack.render.prompts``.
_USUAL_TASK: Final = PackDefaults(_FIFTH, _USUAL_FILLER)
_COMPLEX_TASK: Final = PackDefaults(_FIFTH, 0.3, keeps_tail=True)  # it tells of several things, one perhaps in passing
# A message alone: where it is said scores twice what only shares words with it; where it is nowhere, all is alike.
_MESSAGE_DEFAULTS: Final = PackDefaults(_HALF)
_CHOICES: Final[Mapping[tuple[Complexity, Intent], PackDefaults]] = {
    # One answer is wanted: what says half as much of it is filler, and no answer is spread over more files.
    (Complexity.SIMPLE, Intent.LOOKUP): PackDefaults(_HALF, max_files=12, shares=_DOCUMENTS),
    # A how or why: documents tell it, and code shows it, in more places. With half the score two of 29 lose their answer.
    (Complexity.SIMPLE, Intent.EXPLAIN): PackDefaults(_TWO_FIFTHS, max_files=20, shares=_DOCUMENTS),
} | {(Complexity.COMPLEX, intent): _COMPLEX_TASK for intent in Intent}


def defaults_of(request: Request, query: Query) -> PackDefaults:
    """The defaults of a request; those about a file, a component or a change have the usual ones."""
    if request.scope is not Scope.TASK:
        return USUAL_DEFAULTS
    aims, choice = aims_of(query.text), _CHOICES.get((query.complexity, query.intent), _USUAL_TASK)
    if version_to_change(query.text).name:
        choice = _USUAL_TASK  # short as it is, it wants many places
    elif is_message(query.text) and aims.isdisjoint((Aim.CHANGE, Aim.REVIEW)):  # of these a quotation says what is done
        choice = _MESSAGE_DEFAULTS
    elif is_cyrillic(query.text):
        choice = replace(choice, floor=min(choice.floor, _TWO_FIFTHS))
    return replace(choice, aims=aims, keeps_copies=speaks_of_copies(query.text))


IDENTIFIER_WEIGHTS: Final[Mapping[Part, float]] = {Part.TITLE: 1, Part.PROSE: 0.8, Part.CODE: 0.5, Part.TRACEBACK: 0.4}
_QUESTION_WORDS: Final = 16  # a request of at most this many words on one line is a question, not an issue
_PHRASE_LENGTH: Final = 3
_MAX_PHRASES: Final = 120
_MARKED = lazy_pattern(r"`([^`\n]{2,80})`|\b([A-Za-z_]\w+)\(")
_SENTENCE = lazy_pattern(r"(?<![a-z])(?:[a-z]{2,30} ){2}[a-z]{2}")  # "#: what this means" is no name
_DOLLAR_NAME = lazy_pattern(r"(?<![\w$])\$[A-Za-z_]\w+")  # part of the name in JavaScript: `store.$patch`
_ENDING_OF_FILE = lazy_pattern(  # of a user's file: "March.pdf" is nothing that code defines
    r"(?<=\w)\.(?:pdf|docx?|xlsx?|pptx?|csv|tsv|zip|rar|7z|t?gz|png|jpe?g|gif|webp|heic|mp[34]|avi|mov|wav|log|bak|tmp)\b"
    r"(?!\()",
    re.IGNORECASE,
)
# A capital within a sentence may be that of a class ("explain the Blueprint class"), not in "Content-Type".
_CAPITALISED = lazy_pattern(
    rf"(?<=[\w,;:)] )(?!(?:{'|'.join(LANGUAGES.values())})\b)[A-Z][a-z]{{2,}}\b(?![\w.]*\w|-[A-Z])"
)
_CAPITALISED_SHARE: Final = 0.6
_IN_SENTENCES: Final = frozenset((Part.TITLE, Part.PROSE))
_SYMBOL = lazy_pattern(r"[\w$]+(?:(?:\.|::|->|#|/)[\w$]+)*(?:\(\))?")

_INTENTS: Final[tuple[tuple[Intent, re.Pattern[str]], ...]] = (
    (Intent.REVIEW, lazy_pattern(rf"\b(?:review|audit|look over|ревью|проверь|{ASKED_OF_CHANGE})\b", re.IGNORECASE)),
    (
        Intent.TROUBLESHOOT,
        _pattern(
            r"fix|bug|error|exception|\w{1,60}(?:Error|Exception)(?=:)|crash\w*|fails?|failing|broken|wrong|incorrect\w*|regression|traceback|hang\w*",
            r"исправ\w+|ошибк\w+|пада\w+|слома\w+|не работает\b",
        ),
    ),
    (Intent.CHANGE, lazy_pattern(rf"\b(?:{_ADDS}|{_HOW_TO_ADD}|{ALL_TO_EDIT})\b", re.IGNORECASE)),
    (
        Intent.EXPLAIN,
        lazy_pattern(
            rf"\A\s*(?:(?![^\n]{{0,60}}\b(?:{ADDING})\b)[^\n]{{1,60}}[.!?:] )?(how|why|what|(?:at|by|from|in|on|under) (?:which|what)|whose|can i|explain|describe|where|как|почему|зачем|что|объясни|где)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Intent.CHANGE,
        _pattern(
            r"(?<!\ban )(?<!\bthe )(?<!\bthis )(?<!\bthat )(?<!\bevery )(?<!\beach )(?:add|implement|support|change|remove|rename|refactor|allow|make|introduce|update|improve)",
            r"добав\w+|реализ\w+|измен\w+|удал\w+|поддерж\w+",
        ),
    ),
)


def query_of_text(text: str, named: Callable[[str], Iterable[str]] | None = None) -> Query:
    """The query of a request's text, from the text alone; expansions are added where a vocabulary is at hand.

    ``named`` gives the paths of a repository whose last part is a name: frames of other files are left out.
    """
    own = without_foreign_frames(text, named) if named else text
    shape = _shape(text)
    wanted = without_wish(without_new_name(own, is_change=Aim.CHANGE in aims_of(text)))
    wanted = without_idle_words(wanted, to_contribute=Aim.ONBOARD in aims_of(wanted))
    wanted = spell_numbers(condense_messages(as_code_says(wanted)))
    parts = ((Part.TITLE, text.strip()),) if shape is Shape.SYMBOL else split_parts(wanted)
    is_short = len(raw_words(text)) <= _QUESTION_WORDS
    noise = frozenset[str]() if shape is Shape.SYMBOL else noise_of(text, is_short=is_short)
    weigh = partial(weigh_words, noise=noise, lighter=lighter_words(text))
    identifiers = _identifiers(parts, every_word=shape is Shape.SYMBOL)
    mentions = find_mentions(wanted)
    intent = next((intent for intent, pattern in _INTENTS if pattern.search(text)), Intent.LOOKUP)
    if intent is not Intent.REVIEW and any(mention.kind == "frame" for mention in mentions):
        intent = Intent.TROUBLESHOOT
    title_text = next((chunk for part, chunk in parts if part is Part.TITLE), "")
    title = weigh(((Part.TITLE, title_text),), whole=False)
    if shape is Shape.ISSUE and not is_headed(text):
        parts, title = tuple((Part.PROSE if part is Part.TITLE else part, chunk) for part, chunk in parts), {}
    parts = tuple((part, condense_frames(chunk)) for part, chunk in parts)
    return Query(
        text=text,
        title_text=title_text,
        shape=shape,
        intent=intent,
        terms=weigh(parts, whole=False),
        title=title,
        words=weigh(parts, whole=True),
        identifiers=identifiers,
        mentions=mentions,
        phrases=_phrases(parts),
        complexity=complexity_of(text, shape, intent, mentions, identifiers),
    )


def _shape(text: str) -> Shape:
    stripped = text.strip()
    if _SYMBOL.fullmatch(stripped):
        return Shape.SYMBOL
    is_short = len(stripped.splitlines()) <= 1 and len(stripped.split()) <= _QUESTION_WORDS
    return Shape.QUESTION if is_short else Shape.ISSUE


def _identifiers(parts: Iterable[tuple[Part, str]], *, every_word: bool) -> dict[str, float]:
    """Code-shaped words, words in backticks and called names, with the weight of the best part that has them.

    A word with a capital within a sentence counts for less.

    So are the options of a command line, as code spells them: ``dry_run`` for ``--dry-run``; and names with a dollar.
    """
    found: dict[str, float] = {}
    for part, text in parts:
        for option in options_of(text):
            found[option] = max(found.get(option, 0.0), IDENTIFIER_WEIGHTS[part])
        marks = (_ENDING_OF_FILE.sub(" ", match[1] or match[2]) for match in _MARKED.finditer(text))
        marks = (mark for mark in marks if not _SENTENCE.search(mark))
        marked = {word for mark in marks for word in raw_words(mark)}
        for word in raw_words(text):
            if every_word or ((is_identifier(word) or word in marked) and len(word) > MIN_PART):
                found[word] = max(found.get(word, 0.0), IDENTIFIER_WEIGHTS[part])
        for match in _DOLLAR_NAME.finditer(text):
            found[match[0]] = max(found.get(match[0], 0.0), IDENTIFIER_WEIGHTS[part])
        if part in _IN_SENTENCES:
            for match in (each for each in _CAPITALISED.finditer(text) if each[0].lower() not in STOPWORDS):
                found.setdefault(match[0], _CAPITALISED_SHARE * IDENTIFIER_WEIGHTS[part])
    return dict(sorted(found.items()))


def _phrases(parts: Iterable[tuple[Part, str]]) -> tuple[tuple[str, ...], ...]:
    """Distinct runs of three words in title, prose and traceback with at most one stop word, in order."""
    found: dict[tuple[str, ...], None] = {}
    for part, text in parts:
        if part is Part.CODE:
            continue
        tokens = [word.lower() for word in raw_words(text)]
        for start in range(len(tokens) - _PHRASE_LENGTH + 1):
            phrase = tuple(tokens[start : start + _PHRASE_LENGTH])
            if sum(word not in STOPWORDS for word in phrase) >= _PHRASE_LENGTH - 1:
                found[phrase] = None
    return tuple(found)[:_MAX_PHRASES]
