"""The redaction rules of a run: secrets, personal data, the engines that find more of it, and an allow-list.

Engines find personal data without a fixed shape, such as the names of people: Presidio, and those of packages. One that
is configured must answer: if it is missing, fails or is too slow, there is no report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, cast

from ctxpack.errors import ConfigError, InternalError, did_you_mean
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.redact.shapes import SecretSpan
from ctxpack.settings import Settings
from ctxpack.settings.tables import AllowEntry
from ctxpack.system.plugins import plugins, resolve
from ctxpack.system.version import PII_PACKAGE

Finder = Callable[[str], Iterable[tuple[int, int, str]]]
"""Gives the personal data of a text: where it begins, where it ends (excluded), and what kind it is."""

PII_GROUP: Final = "ctxpack.pii"
ENGINES: Final[Mapping[str, str]] = {"presidio": "ctxpack.redact.rules:find_by_presidio"}
"""Name -> ``module:attribute``; the attribute is a ``Finder``. Packages add theirs as ``ctxpack.pii``."""

_NEEDED: Final = {"presidio": "presidio_analyzer"}
_SIGN_OF_KIND = lazy_pattern(r"[^a-z0-9]+")
_LONGEST_KIND: Final = 40
_MODELS: Final = {
    "en": ("en_core_web_lg", "en_core_web_md", "en_core_web_sm"),
    "ru": ("ru_core_news_lg", "ru_core_news_md", "ru_core_news_sm"),
}
_LEAST_SURE: Final = 0.5
_OF_THE_NETWORK: Final = ("EmailRecognizer", "UrlRecognizer")  # they fetch a list of suffixes; e-mail has a shape here
_UNTOLD: Final = frozenset({"DATE_TIME", "URL", "NRP", "LOCATION", "ORGANIZATION"})  # what code and prose are full of
_NO_MODEL: Final = "Presidio finds no names of people here: no model of spaCy is installed, such as en_core_web_sm."


@dataclass(frozen=True, slots=True)
class Engine:
    """A finder by its name, and the seconds it has for one text."""

    name: str
    find: Finder
    seconds: float

    def __call__(self, text: str) -> Iterator[SecretSpan]:
        """Yield what the finder finds. Raises InternalError where it fails, is too slow, or names no place."""
        for start, end, kind in self._answer(text):
            if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text)):
                raise InternalError(f"The engine {self.name} named a place outside the text.", hint=_HINT)
            name = _SIGN_OF_KIND.sub("-", str(kind).lower()).strip("-")[:_LONGEST_KIND]
            yield SecretSpan(start, end, name or "personal")

    def _answer(self, text: str) -> list[tuple[int, int, str]]:
        """Ask the finder in a thread that nobody waits for once its time is over."""
        answers: SimpleQueue[list[tuple[int, int, str]] | Exception] = SimpleQueue()

        def work() -> None:
            try:
                answers.put([(start, end, kind) for start, end, kind in self.find(text)])
            except Exception as error:  # noqa: BLE001 - whatever a stranger's package raises
                answers.put(error)

        Thread(target=work, name=f"ctxpack {self.name}", daemon=True).start()
        try:
            answer = answers.get(timeout=self.seconds)
        except Empty:
            raise InternalError(f"The engine {self.name} took longer than {self.seconds:g} s.", hint=_HINT) from None
        if isinstance(answer, Exception):  # its message may hold what it was to find
            raise InternalError(f"The engine {self.name} failed: {type(answer).__name__}.", hint=_HINT) from None
        return answer


_HINT = "Remove it from pii_engines, or fix it: without it personal data could stay in the report."


def engines_of(settings: Settings) -> tuple[Engine, ...]:
    """Return the engines that the settings name. Raises ConfigError for one that is not there."""
    return tuple(Engine(name, _finder(name), settings.pii_timeout) for name in settings.pii_engines)


def _finder(name: str) -> Finder:
    known = ENGINES if name in ENGINES else {each.name: each.target for each in plugins(PII_GROUP)}
    if name not in known:
        names = sorted({*ENGINES, *known})
        hint = did_you_mean(name, names) or f"There are {', '.join(names)}."
        raise ConfigError(f"There is no engine {name!r} for personal data.", hint=hint)
    try:
        if name in _NEEDED:
            resolve(f"{_NEEDED[name]}:__name__")
        return cast("Finder", resolve(known[name]))
    except ImportError as error:
        hint = f"Install it: pip install '{PII_PACKAGE}'." if name in ENGINES else "Install its package again."
        raise ConfigError(f"The engine {name} for personal data is not installed.", hint=hint) from error
    except AttributeError as error:
        raise ConfigError(f"The engine {name} for personal data is not where its package says it is.") from error


def engine_notes(settings: Settings) -> tuple[str, ...]:
    """Say what an engine cannot find as it is installed."""
    if not settings.pii or "presidio" not in settings.pii_engines:
        return ()
    return () if any(find_spec(name) for names in _MODELS.values() for name in names) else (_NO_MODEL,)


def find_by_presidio(text: str) -> Iterator[tuple[int, int, str]]:
    """Find with Microsoft Presidio: names of people too where a model of spaCy is installed. Nothing is downloaded."""
    analyzer, languages = _presidio()
    for language in languages:
        for each in analyzer.analyze(text=text, language=language, score_threshold=_LEAST_SURE):
            if each.entity_type not in _UNTOLD:
                yield each.start, each.end, each.entity_type


@lru_cache(maxsize=1)
def _presidio() -> tuple[Any, tuple[str, ...]]:
    """Presidio's analyzer over the models that are installed; an empty pipeline where a language has none."""
    import spacy
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

    loaded = {}
    for language, names in _MODELS.items():
        model = next((name for name in names if spacy.util.is_package(name)), "")
        loaded[language] = spacy.load(model) if model else spacy.blank(language)
    engine = SpacyNlpEngine(ner_model_configuration=NerModelConfiguration())
    engine.nlp = loaded
    languages = tuple(loaded)
    registry = RecognizerRegistry(supported_languages=list(languages))
    registry.load_predefined_recognizers(languages=list(languages), nlp_engine=engine)
    for name in _OF_THE_NETWORK:
        registry.remove_recognizer(name)
    return AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=list(languages)), languages


@dataclass(frozen=True, slots=True)
class Rules:
    """What is redacted. ``engines`` search for personal data after the shapes of this package."""

    secrets: bool = True
    personal: bool = False
    engines: tuple[Engine, ...] = ()
    allowed: tuple[AllowEntry, ...] = ()

    @property
    def is_off(self) -> bool:
        """Whether nothing is redacted."""
        return not (self.secrets or self.personal)

    @property
    def digest(self) -> str:
        """What names these rules in the keys of caches."""
        engines = [each.name for each in self.engines]
        return (
            f"{self.secrets}"
            if self == Rules(self.secrets)
            else f"{self.secrets}:{self.personal}:{engines}:{self.allowed}"
        )

    def lets_through(self, found: str, kind: str, path: str) -> bool:
        """Return whether an entry of the allow-list is about what was found."""
        return any(_is_about(entry, found, kind, path) for entry in self.allowed)


SECRETS = Rules()


def rules_of(settings: Settings) -> Rules:
    """Return the rules of some settings. Raises ConfigError for an engine that is not there."""
    engines = engines_of(settings) if settings.pii else ()
    return Rules(settings.use_redaction, settings.pii, engines, settings.allow)


def rules_to_keep(settings: Settings) -> Rules:
    """Return the rules for what is kept beyond a run: secrets never are."""
    rules = rules_of(settings)
    return Rules(secrets=True, personal=rules.personal, engines=rules.engines)


def _is_about(entry: AllowEntry, found: str, kind: str, path: str) -> bool:
    return (
        (not entry.value or fnmatchcase(found, entry.value))
        and (not entry.kind or entry.kind == kind)
        and (not entry.path or fnmatchcase(path, entry.path))
    )
