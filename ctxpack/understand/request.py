"""Check a request, read the change it is about, and make the query that is ranked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from ctxpack.errors import CtxpackError, UsageError
from ctxpack.index import IndexView
from ctxpack.index.postings import idf
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import WHOLE_PROJECT, Expansion, Intent, Lane, Query, Request, Scope
from ctxpack.parse.metadata import read_project_names
from ctxpack.query.dictionary import is_cyrillic, thesaurus
from ctxpack.query.expansions import (
    FORM_WEIGHT,
    ExpansionVocabulary,
    correct,
    expand,
    inflect,
    join_words,
    rephrase,
)
from ctxpack.query.lookups import (
    commit_to_read,
    file_to_show,
    long_names,
    short_options_of,
    wants_overview,
    with_long_names,
)
from ctxpack.query.messages import turns_of_speech
from ctxpack.query.slavic import is_ukrainian
from ctxpack.query.subtokens import spell_apart, spell_singular, stem_of, words, written_as_names
from ctxpack.query.understand import Aim, PackDefaults, aims_of, defaults_of, query_of_text, with_translations
from ctxpack.redact.redaction import redact_request
from ctxpack.redact.rules import rules_of
from ctxpack.settings import Settings
from ctxpack.settings.tables import limit, personal, redaction, refusal
from ctxpack.system.clock import Timekeeper
from ctxpack.text import visible

if TYPE_CHECKING:
    from ctxpack.understand.change import Change

_TITLE_NAMES = 6  # where there is no commit message
_MESSAGES, _BRIEF = 8, 7  # commits whose messages are words to search for; digits of a hash


@dataclass(frozen=True, slots=True)
class Understood:
    """A request and what was understood of it.

    ``shown`` is the request as a report repeats it, ``request`` as strategies read it, both without secrets: a task
    that only names a file is a request for that file, one about the project as a whole for all of it, and one about a
    commit a request of its diff. ``change`` is what a request of a diff is about. ``notes`` say what was not found.
    """

    shown: Request
    request: Request
    query: Query
    change: Change | None = None
    notes: tuple[str, ...] = ()

    @property
    def defaults(self) -> PackDefaults:
        """The defaults of its pack."""
        return defaults_of(self.request, self.query)

    @property
    def text(self) -> str:
        """The text to search for."""
        return search_text(self.request)


def understand_request(request: Request, view: IndexView, settings: Settings) -> Understood:
    """Read the change a request is about, redact secrets in the request, and make its query.

    Raises UsageError and NothingFoundError for a change that does not exist.
    """
    rules = rules_of(settings)
    about, change, notes = _about_commit(request, settings, view)
    change = change or change_of(request, settings, view)
    shown, asked = redact_request(with_messages(about or request, change), rules, view.keeper)
    if about:
        shown, _ = redact_request(request, rules, view.keeper)
    shown = replace(shown, text=visible(shown.text))  # that of a diff holds messages of commits
    asked = _about_project(_about_file(asked, view))
    query = add_forms(query_of(asked, change, view), view, settings)
    return Understood(shown, asked, query, change, notes)


def _about_commit(
    request: Request, settings: Settings, view: IndexView
) -> tuple[Request | None, Change | None, tuple[str, ...]]:
    """The request of the diff of a commit, and the diff, where a task is about one; else None. Also notes."""
    is_task = request.scope is Scope.TASK and settings.paths is None
    is_review = Aim.REVIEW in aims_of(request.text)
    name = commit_to_read(request.text, is_review=is_review) if is_task else ""
    if not name and not (is_task and is_review):
        return None, None, ()
    from ctxpack.understand.commits import commit_of_author, revision_of

    notes: tuple[str, ...] = ()
    if not name:
        commit = commit_of_author(request.text, settings, view.history, view.keeper)
        if commit is None:
            return None, None, ()
        name, notes = commit.hash, (f"Of this author's commits {commit.hash} has most words of the request.",)
    asked = replace(request, scope=Scope.DIFF, revision=revision_of(name, view.history))
    if not asked.revision:
        return None, None, ()
    try:
        return asked, change_of(asked, settings, view), notes
    except CtxpackError:  # without git or so long a history the name is a word like others
        return None, None, (f"{name[:_BRIEF]} is no commit that is known here, so it was looked for as a word.",)


def _about_file(request: Request, view: IndexView) -> Request:
    """The request for a file, where a task is about one file as a whole; else the same request."""
    path = file_to_show(request.text) if request.scope is Scope.TASK else ""
    numbers = view.files.with_suffix(path.removeprefix("./")) if path else ()
    return Request(Scope.FILE, path=view.files[numbers[0]].path) if len(numbers) == 1 else request


def _about_project(request: Request) -> Request:
    """The request for the project as a whole, where a task asks for an overview of it; else the same request."""
    is_overview = request.scope is Scope.TASK and wants_overview(request.text)
    return Request(Scope.COMPONENT, name=WHOLE_PROJECT) if is_overview else request


def understand_text(text: str, view: IndexView, settings: Settings) -> Query:
    """Return the query of a text, with other words that the repository may use."""
    return add_forms(query_of_text(_with_long_options(text, view), partial(_paths_named, view)), view, settings)


# Words of what declares options, and how many files that hold most of them are read; letters of a request.
_OF_OPTIONS: Final = (
    "alias arg args argv cli command commands flag flags getopt help option options short usage version"
)
_MOST_OF_OPTIONS, _MOST_LETTERS, _LARGEST, _SAID_SHARE = 40, 3, 200_000, 0.3


def _with_long_options(text: str, view: IndexView) -> str:
    """The text with the long names, as the repository declares them, of its options of one letter."""
    letters, said = short_options_of(text), words(text)
    if not 0 < len(letters) <= _MOST_LETTERS:
        return text
    return with_long_names(text, long_names(letters, said, map(view.files.text, _files_of_options(view, said))))


def _files_of_options(view: IndexView, said: Iterable[str]) -> list[str]:
    """The paths of the files of code and documents that most likely declare the options meant, the likeliest first."""
    import numpy as np

    weights = {**dict.fromkeys(said, _SAID_SHARE), **dict.fromkeys(_OF_OPTIONS.split(), 1.0)}
    scores = np.zeros(len(view.files))
    for found, weight in ((view.postings.file_terms("sub", word).docs, its) for word, its in weights.items()):
        scores[found] += weight * idf(len(found), len(scores))
    files = (view.files[number] for number in np.argsort(-scores, kind="stable").tolist() if scores[number])
    own = (each for each in files if each.kind.lane in (Lane.CODE, Lane.DOCS) and not each.traits)
    return [each.path for each in islice((each for each in own if each.size <= _LARGEST), _MOST_OF_OPTIONS)]


def _paths_named(view: IndexView, name: str) -> list[str]:
    return [view.files[number].path for number in view.files.with_suffix(name)]


def check_request(request: Request, settings: Settings, keeper: Timekeeper | None = None) -> None:
    """Raise UsageError for mistakes that can be found before any work is done.

    That is an empty request, an unknown revision, and a file that is outside the root or not there.
    """
    _check_policies(settings)
    rules_of(settings)
    if request.scope is Scope.DIFF:
        from ctxpack.understand.commits import resolve_revisions

        resolve_revisions(request, settings, keeper)
        return
    asked = {Scope.FILE: request.path, Scope.COMPONENT: request.name}.get(request.scope, request.text)
    if not asked.strip():
        raise UsageError("The request is empty.", hint="Say what the task is, or name a file or a component.")
    if request.scope is not Scope.FILE:
        return
    places = settings.places
    if "\0" in request.path or not places.holds(places.of(request.path).resolve()):
        raise UsageError(
            f"{request.path} is outside the repository {places.description}.", hint="Name a file below its root."
        )
    place = places.of(request.path)
    if request.path not in settings.buffers and not place.is_file():
        what = "is a folder, not a file" if place.is_dir() else "does not exist"
        raise UsageError(f"{request.path} {what} in {places.description}.", hint="Name one file, relative to the root.")


def _check_policies(settings: Settings) -> None:
    """Raise UsageError for settings that a program changed against the policies they were loaded with."""
    most = limit(settings.policies, "budget")
    rules = (
        None if settings.use_redaction else redaction(settings.policies),
        None if settings.pii else personal(settings.policies),
        refusal(settings.policies, "formats", settings.format),
        most[1] if most and settings.budget > most[0] else None,
    )
    if rule := next((each for each in rules if each), None):
        raise UsageError(f"These settings are not allowed: {rule}.", hint="See what is in force: ctxpack doctor")


def search_text(request: Request) -> str:
    """The text to understand: that of the request, else the name of its file or component."""
    file = f"{request.symbol} {stem_of(request.path)}".strip()
    about = {Scope.FILE: file, Scope.COMPONENT: request.name}.get(request.scope, "")
    return "\n".join(part for part in (request.text, about) if part.strip())


def change_of(request: Request, settings: Settings, view: IndexView) -> Change | None:
    """Read the change of a request of a diff; None for other requests. Raises UsageError and NothingFoundError."""
    if request.scope is not Scope.DIFF:
        return None
    from ctxpack.understand.read import read_change

    return read_change(request, settings, view)


def with_messages(request: Request, change: Change | None) -> Request:
    """The request with the names of the compared states, and the commit messages as its text."""
    if change is None:
        return request
    messages = (f"{each.subject}\n\n{each.body}".strip() for each in change.messages[:_MESSAGES])
    return replace(request, name=change.title, text="\n\n".join((request.text, *messages)).strip())


def query_of(request: Request, change: Change | None, view: IndexView) -> Query:
    """The query of a request; for a diff with the names that it changed and that its lines use."""
    if change is None:
        return query_of_text(_with_long_options(search_text(request), view), partial(_paths_named, view))
    from ctxpack.understand.change import MOST_NAMES, changed_definitions, names_used, subject_said

    changed = changed_definitions(change, view)
    names = list(dict.fromkeys(each.symbol.qualified for each in changed if each.file.kind.lane is Lane.CODE))
    stems = list(dict.fromkeys(stem_of(each.path) for each in change.files))
    said = subject_said(request.text) or " ".join((names or stems)[:_TITLE_NAMES])
    used = " ".join(dict.fromkeys((*names[:MOST_NAMES], *names_used(change, view))))
    query = query_of_text("\n\n".join(part for part in (said, f"```\n{used}\n```" if used else "") if part))
    return replace(query, intent=Intent.REVIEW)


# As Lisps spell names; in English such words are few, and fewer are defined.
_HYPHENATED: Final = lazy_pattern(r"(?<![\w/.-])[^\W\d]\w*(?:-{1,2}[\w*]+){1,12}[!?]?(?![\w/-])")


def _hyphenated_names(query: Query, view: IndexView) -> dict[str, float]:
    """The words with hyphens that the repository defines as names, each with its weight."""
    words = dict.fromkeys(match[0] for match in _HYPHENATED.finditer(query.text))
    return {word: 1.0 for word in words if len(view.postings.terms("definition", word.lower()).docs)}


def add_forms(query: Query, view: IndexView, settings: Settings) -> Query:
    """Return the query with other words that the repository may use; each term once, from its heaviest source.

    The project's own name counts less.
    """
    query = weaken_own_name(query, view)
    parts = (query.terms, query.title, query.words)
    terms, title, spelt = (spell_singular(each, view.postings.is_known) for each in parts)
    query = replace(query, terms=terms, title=title, words=spelt)
    said = tuple(words(query.text))
    is_other = is_ukrainian(said)
    forms = inflect(query.terms, view.postings.with_prefix, is_ukrainian=is_other)
    pooled = _Pooled(view, forms)
    # Of a Russian word's ten forms each is rare. The few of an English one, pooled, gained nothing and lost an issue.
    found = [pooled.weigh(form) if is_cyrillic(form.term) else form for form in forms]
    if settings.use_synonyms:
        is_known, look_up = partial(_is_known, view), view.postings.look_up_everywhere
        known = ExpansionVocabulary(is_known, pooled.scarcity, is_other, said, view.own_words, look_up)
        view.postings.look_up("sub", (*query.terms, *query.words, *(each.term for each in forms)))
        others = expand({**query.terms, **query.words}, known, extra=settings.synonyms)
        found += [each for each in others if each.term not in _KEYWORDS or not _is_everywhere(view, each.term)]
        meant = frozenset(name for turn in turns_of_speech(query.text) for name in turn.names)
        found += rephrase(query.text, query.terms, lambda name: name in meant or is_known(name))
        found += _forms_of(found, meant, query, view)
        found = [each for each in found if each.term not in meant or is_known(each.term)]
        found += join_words(query.text, query.terms, is_known)
    if settings.use_typos:
        translated_words = {word for each in found if is_cyrillic(each.source) for word in each.source.split()}
        understood = translated_words | written_as_names(query.text)
        found += correct(
            query.terms, view.postings.vocabulary, lambda word: word in understood or view.postings.is_known(word)
        )
    best: dict[str, Expansion] = {}
    for each in found:
        if each.term not in best or each.weight > best[each.term].weight:
            best[each.term] = each
    ranked = sorted(best.values(), key=lambda each: (-each.weight, each.term))
    russian = [each for each in ranked if each.origin == "translation" and is_cyrillic(each.source) and not each.base]
    whole = with_translations(query.words, query.terms, russian)
    bare = _only_in_phrases(query.text, ranked, view)
    apart = spell_apart(query.words, lambda name: bool(len(view.postings.terms("word", name).docs)))
    return replace(
        query,
        terms={word: weight for word, weight in query.terms.items() if word not in bare},
        title=with_translations(query.title, query.terms, russian),
        words={**apart, **whole} if apart else whole,
        identifiers={**_hyphenated_names(query, view), **query.identifiers},
        expansions=(*query.expansions, *ranked),
    )


def _only_in_phrases(text: str, given: Iterable[Expansion], view: IndexView) -> frozenset[str]:
    """The Russian words that only a phrase, or a turn of speech, gives a meaning, and that the repository lacks."""
    sources = {each.source for each in given if is_cyrillic(each.source)}
    phrases = {*sources, *(text[turn.start : turn.end].lower() for turn in turns_of_speech(text))}
    within = (word for phrase in phrases if " " in phrase for word in phrase.split() if is_cyrillic(word))
    return frozenset(word for word in within if word not in sources and not _is_known(view, word))


def _forms_of(given: Iterable[Expansion], meant: frozenset[str], query: Query, view: IndexView) -> Iterator[Expansion]:
    """Forms of what Russian words and turns of speech mean: ``ignored`` besides ``ignore``, ``msg`` of message."""
    translated = {each.term for each in given if each.origin == "translation" and is_cyrillic(each.source)}
    wanted = (translated | meant) - query.terms.keys()
    bases = {each.term: each for each in given if each.term in wanted}
    found = inflect({term: each.weight for term, each in bases.items()}, view.postings.with_prefix)
    forms = [(form.source, form.term) for form in found]
    short = ((term, thesaurus().abbreviations.get(term, ())) for term in bases if term in translated)
    forms += [(term, each) for term, its in short for each in its if each not in bases]
    for source, term in forms:
        if term not in query.terms and _is_known(view, term):
            base = bases[source]
            joined = source if source in translated else ""  # as above, the forms of an English word stay apart
            yield replace(base, term=term, weight=round(base.weight * FORM_WEIGHT, 4), base=joined)


_KEYWORDS: Final = frozenset({"def", "fn", "func", "impl", "mod", "proc", "sub"})  # short forms of words elsewhere
_EVERYWHERE, _FEWEST_FILES = 0.3, 20  # of the files, and how many at least


def _is_everywhere(view: IndexView, term: str) -> bool:
    """Whether so many files hold a term that it is a word of their language."""
    return len(view.postings.file_terms("sub", term).docs) > max(_EVERYWHERE * len(view.files), _FEWEST_FILES)


def _is_known(view: IndexView, term: str) -> bool:
    """Whether a term occurs in a file or in its path."""
    return view.postings.is_known(term) or bool(len(view.postings.file_terms("path", term).docs))


class _Pooled:
    """The rarity of the words of a request together with their forms."""

    def __init__(self, view: IndexView, forms: Iterable[Expansion]) -> None:
        self._view = view
        self._forms: dict[str, list[str]] = {}
        for form in forms:
            self._forms.setdefault(form.source, []).append(form.term)
        self._known: dict[str, float] = {}

    def rarity(self, word: str) -> float:
        """The rarity among files of a word in any of its forms."""
        if word not in self._known:
            self._known[word] = self._idf(word, *self._forms.get(word, ()))
        return self._known[word]

    def scarcity(self, word: str) -> float:
        """The scarcity of a word: its rarity as a share of that of a word that occurs nowhere."""
        return self.rarity(word) / self._idf()

    def weigh(self, form: Expansion) -> Expansion:
        """The weight of a form: that of its word in all forms, however rare the form is."""
        share = self.rarity(form.source) / self._idf(form.term)
        return replace(form, weight=form.weight * min(share, 1.0))

    def _idf(self, *terms: str) -> float:
        holding = [self._view.postings.file_terms("sub", term).docs for term in terms]
        files = len(set().union(*(docs.tolist() for docs in holding))) if len(holding) > 1 else sum(map(len, holding))
        return idf(files, len(self._view.files))


# The name that a project gives itself says which repository is meant, and no place in it.
_OWN_NAME_SHARE: Final = 0.3  # of its weight: a file that is called like the project may still be meant
_NAME_LINES: Final = 60  # of a file, in which a name is looked for


def own_names(view: IndexView) -> frozenset[str]:
    """The names of a project, lower-case: of its package, or a readme title of one word."""
    return read_project_names(lambda path: view.files.lines(path, 1, _NAME_LINES) if view.files.get(path) else "")


def weaken_own_name(query: Query, view: IndexView) -> Query:
    """Reduce the weight of the project's own name in a query with other words."""
    names = own_names(view) & query.terms.keys() if len(query.terms) > 1 else frozenset[str]()

    def weaken(weights: Mapping[str, float]) -> dict[str, float]:
        return {word: weight * (_OWN_NAME_SHARE if word in names else 1) for word, weight in weights.items()}

    if not names:
        return query
    return replace(query, terms=weaken(query.terms), title=weaken(query.title), words=weaken(query.words))
