"""What a request is for, how much it asks for at once, and the defaults that this chooses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ctxpack.model import Complexity, Intent, Lane, Mention, Query, Request, Scope, Shape

# ruff: noqa: E501 -- tables of patterns


class Aim(StrEnum):
    """A purpose that decides which kinds of places answer. Finer than an intent, and several may hold at once."""

    HOW_TO = "how_to"  # a document's section, its example, the function to call
    EXPLAIN = "explain"  # documents tell it, code shows it
    WHERE = "where"  # the body that decides
    ONBOARD = "onboard"  # how one builds, tests and contributes
    REVIEW = "review"  # what the text names, who uses it, its tests
    CHANGE = "change"  # the places to change and their tests
    EVERYWHERE = "everywhere"  # each place that speaks of a thing, whatever its kind
    TESTS = "tests"  # the text speaks of tests
    PIPELINE = "pipeline"  # the text speaks of builds, packages, checks
    RECORD = "record"  # the text speaks of releases and what they changed
    DOCUMENTS = "documents"  # the text asks for documents as well


def _pattern(english: str, russian: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})\b|\b(?:{russian})", re.IGNORECASE)


_PATTERNS: Final[Mapping[Aim, re.Pattern[str]]] = {
    Aim.HOW_TO: _pattern(
        r"how (?:do|can|should|would|could|must) (?:i|we|you|one)|how to|(?:right|proper|best|recommended|correct) way"
        r"|(?:can|could|may) i|is there (?:a|any) way|what (?:do|should|must) (?:i|we)|i (?:need|want|would like|'d like) to"
        r"|who do (?:i|we)",
        r"как (?:\w+ ){0,3}?\w+(?:ть|ти|чь|ться|тись)\b|хочу,? |можно ли|что (?:мне )?делать|нуж(?:ен|на|но|ны)\b",
    ),
    Aim.EXPLAIN: _pattern(
        r"explain\w*|walk me through|how (?:does|is|are|did|come)|why|what (?:happens|is|are|does|do|was|order)"
        r"|in (?:what|which) order|which (?:one|of them)? ?(?:wins?|direction)|difference between|when the",
        r"объясн\w+|почему|зачем|в каком порядке|чем отлича\w+|что (?:важнее|происходит|случится|побеждает)"
        r"|как (?:именно |вообще |устроен|работа|обрабатыва|вычисля|разбира|провер|происход)\w*|откуда",
    ),
    Aim.WHERE: _pattern(
        r"where(?:'s| is| are| does| do| did| in)?|which (?:file|function|class|module|method|list|table|place)s?|locate",
        r"где\b|в как(?:ом|их) (?:файл|мест|каталог|класс)\w*|откуда",
    ),
    Aim.ONBOARD: _pattern(
        r"(?:i'?m|i am) new|first (?:day|patch|contribution|time|pull request|pr|commit)|contribut(?:e|ing|ion|or)s?"
        r"|just cloned|getting started|get started|onboarding|set ?up (?:the|my|a) \w*(?:environment|project|checkout)"
        r"|(?:run|running|get) (?:the |its |all |one )?tests?(?: suite)?|against the checkout|from source"
        r"|before i (?:open|send|submit)",
        r"(?:перв\w+ (?:день|раз|коммит|патч))|впервые|новичок|(?:собрать|запустить|развернуть) (?:всё |все |проект|у себя)"
        r"|прогнать (?:все )?тест\w*|как (?:начать|участвовать)",
    ),
    Aim.REVIEW: _pattern(
        r"review(?:ing|ed|er)?|look over|before (?:the )?merg(?:e|ing)|(?:my|this|the|colleague'?s|'s) (?:change|patch|pr|diff)"
        r"|pull request|change under|who would break|(?:which|what) (?:tests|callers|comments)|PR:",
        r"ревью|проверьте|посмотрите (?:PR|пр\b|патч|изменени)\w*|pull request",
    ),
    Aim.CHANGE: _pattern(
        r"add|implement|introduce|support|extend|please (?:give|make|let)|should be able to|it must|allow|give .{3,40} an?",
        r"добав\w+|реализ(?:уй|уйте|овать|уем)\b|сдела\w+|поддерж\w+|чтобы \w+ (?:понимал|умел|мог|был)\w*|расшир\w+",
    ),
    Aim.EVERYWHERE: _pattern(
        r"(?:every|all|each)(?: the| of the)? (?:places?|call sites?|usages?|uses|callers?|occurrences|declarations|generators?"
        r"|tables?|files?)|everything|call sites?|drop(?:ped|ping)?|get rid of|remove|rename[ds]?|refactor\w*|wired in"
        r"|every table|deprecat\w+",
        r"все(?:х)? (?:мест|вызов|упоминани|использовани)\w*|везде|переименова\w+|удалить|убрать|рефактор\w*",
    ),
    Aim.TESTS: _pattern(r"tests?|tested|testing|test suite|coverage|fixtures?", r"тест\w*|покрыти\w*"),
    Aim.PIPELINE: _pattern(
        r"ci|pipelines?|workflows?|github actions|make(?:file)? targets?|makefile|packag(?:e manager|ing)|build tags?"
        r"|builds?|lint(?:er|ing)?|pre-commit|dependenc(?:y|ies)|cargo features?|npm|pnpm|yarn|pip|poetry|docker\w*|wheels?"
        r"|check(?:s|ed)? (?:is |are )?(?:red|failing)|red on|is red|package\.json|pyproject|formatt?ing|install(?:ed|ing)?",
        r"сборк\w+|собрать|пайплайн\w*|линтер\w*|зависимост\w+|установ\w+|проверк[аиу] \w+|слияни\w+",
    ),
    Aim.RECORD: _pattern(
        r"change ?logs?|release notes?|releases?|notes of the|since (?:version|when|v?\d)|upgrad\w+|migrat(?:e|ing|ion) (?:from|to)"
        r"|what(?:'s| is) new|which version|deprecated since|breaking changes?|news",
        r"релиз\w*|список изменений|журнал изменений|что нового|обновлени\w+|верси[ияю]\w*",
    ),
    Aim.DOCUMENTS: _pattern(
        r"docs?|documentation|documented|guides?|manual|readme|reference page|handbook|paragraph|tutorials?|wiki",
        r"документ\w*|описан\w*|стать\w+|инструкци\w+|руководств\w+",
    ),
}


def aims_of(text: str) -> frozenset[Aim]:
    """The aims of a request, by its words alone."""
    return frozenset(aim for aim, pattern in _PATTERNS.items() if pattern.search(text))


_SORT: Final = r"(?:(?:class|function|method|type|struct|interface|trait|enum|constant|variable|macro|component) )?"
_SORT_IN_RUSSIAN: Final = r"(?:(?:класс|функци[яи]|метод|тип|структура|интерфейс|константа|переменная|модуль) )?"
_NAME: Final = r"[`'\"«]?(?P<name>[^\W\d][\w.:]*)(?:\(\))?[`'\"»]?"
_DEFINITIONS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:where|in (?:which|what) (?:file|module))(?:'s| is| was)? (?:the )?{_SORT}{_NAME} (?:defined|declared)",
        rf"(?:where is |find |show )?(?:the )?(?:definition|declaration) of (?:the )?{_SORT}{_NAME}",
        rf"(?:где|в каком (?:файле|модуле)) (?:определ[её]н[аоы]?|объявлен[аоы]?) {_SORT_IN_RUSSIAN}{_NAME}",
        rf"(?:где|в каком (?:файле|модуле)) {_SORT_IN_RUSSIAN}{_NAME} (?:определ[её]н[аоы]?|объявлен[аоы]?)",
    )
)


def name_to_define(text: str) -> str:
    """The name of which a text asks for the definition alone; empty where it asks for something else."""
    asked = text.strip().rstrip("?.! ")
    match = next((match for pattern in _DEFINITIONS if (match := pattern.fullmatch(asked))), None)
    return re.split(r"[.:]", match["name"].rstrip(".:"))[-1] if match else ""


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

    ``floor`` is a part of the best score, below which a piece stays out (0 for none); ``max_files`` is a count of
    files, 0 for any; ``shares`` are lanes and soft shares of the budget, instead of the usual ones.
    """

    floor: float = 0.0
    max_files: int = 0
    shares: Mapping[str, float] = field(default_factory=dict)


USUAL_DEFAULTS: Final = PackDefaults()
_HALF: Final = 0.5  # of the best score: on 8 short requests every piece of a changed file scored more, most filler less
_DOCUMENTS: Final[Mapping[str, float]] = {Lane.DOCS: 0.75}

# Medium and complex requests keep the usual: each limit would cost them changed lines. So do short orders to change,
# mend or review something: they need what surrounds a place, however little of the request it says. The instructions
# by intent are in ``ctxpack.render.instructions``.
_CHOICES: Final[Mapping[tuple[Complexity, Intent], PackDefaults]] = {
    # One answer is wanted: what says half as much of it is filler, and no answer is spread over more files.
    (Complexity.SIMPLE, Intent.LOOKUP): PackDefaults(_HALF, 12, _DOCUMENTS),
    # A how or why: documents tell it, and code shows it, in more places than one.
    (Complexity.SIMPLE, Intent.EXPLAIN): PackDefaults(_HALF, 20, _DOCUMENTS),
}


def defaults_of(request: Request, query: Query) -> PackDefaults:
    """The defaults of a request; those about a file, a component or a change have the usual ones."""
    is_task = request.scope is Scope.TASK
    return _CHOICES.get((query.complexity, query.intent), USUAL_DEFAULTS) if is_task else USUAL_DEFAULTS
