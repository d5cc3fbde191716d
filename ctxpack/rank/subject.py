"""What a request is about (code, documents, tests), and the share of a pack that each lane may take."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from ctxpack.discover.traits import is_record
from ctxpack.index import IndexView
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Kind, Lane, Query
from ctxpack.query.lookups import UseRequest, file_uses_to_find, is_about_all, uses_to_find
from ctxpack.query.mentions import quotes_of
from ctxpack.query.precedents import wants_entry
from ctxpack.query.subtokens import find_words, is_identifier, stem_of
from ctxpack.query.understand import USUAL_DEFAULTS, Aim, PackDefaults, aims_of

_DOCUMENT_SHARE: Final = 0.9  # a repository of which this share of documents and code is documents holds nothing else
_DOCUMENTS = lazy_pattern(
    r"\b(docs?|documentation|document(?:ed|s|ing)?|typos?|sentences?|paragraphs?|readme|changelog|guides?"
    r"|tutorials?|manual|handbook|wiki|release notes|glossary|runbooks?|specification"
    r"|описани\w+|документ\w*|опечатк\w+|стать\w+|спецификаци\w+|инструкци\w+)\b",
    re.IGNORECASE,
)
_WORDING = lazy_pattern(r"\bwording\b", re.IGNORECASE)  # of a document, or of a message that is quoted
_EXAMPLES = lazy_pattern(
    r"\b(?:example|sample|demo|tutorial) (?:apps?|applications?|projects?|programs?|scripts?|plugins?|packages?|code)\b"
    r"|\bexamples?/|\b(?:the|your|our) (?:examples|tutorial|demo)\b"
    r"|\bпример\w{0,2} (?:приложени|проект|программ|кода)\w*|\b(?:приложени|проект|программ)\w+-пример\w*"
    r"|\bдемо-?(?:приложени|проект)\w+",
    re.IGNORECASE,
)
# Whoever asks how to test something of theirs wants to be told, not shown the tests of the project.
_OWN_TESTS = lazy_pattern(
    r"\bhow (?:do|can|should|would|could) (?:i|we|you|one) (?:unit[- ]?)?test\b|\bhow to (?:unit[- ]?)?test\b"
    r"|\b(?:need|want|try|trying|have|like) to (?:unit[- ]?|integration[- ]?)?test (?:an?|my|our|some|code)\b"
    r"|\bhow (?:do|can|should|would|could) (?:i|we) (?:fake|mock|stub|simulate)\b"
    r"|\bкак (?:мне |нам |лучше |правильно )?(?:про)?тестировать\b|\bпиш(?:у|ем) (?:юнит-)?тест\w*",
    re.IGNORECASE,
)
_TESTS = lazy_pattern(r"\b(tests?|testing|test suite|coverage|fixtures?|тест\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """What the request is about. Both may hold."""

    documents: bool  # the request asks for documents
    only_documents: bool  # the repository hardly holds anything else
    tests: bool
    examples: bool = False  # it is about an example, not only like one
    aims: frozenset[Aim] = frozenset()


def subject_of(query: Query, view: IndexView) -> Subject:
    """The subject of a request in a repository."""
    title = query.title_text or query.text
    kinds = view.files.entries.count_kinds()
    documents = sum(count for kind, count in kinds.items() if kind.is_document)
    aims = aims_of(query.text)
    aims = aims - {Aim.RECORD} if wants_entry(query.text) else aims  # what is past is not wanted
    return Subject(
        documents=bool(_DOCUMENTS.search(title) or (_WORDING.search(title) and not quotes_of(query.text))),
        only_documents=documents > _DOCUMENT_SHARE * (documents + kinds[Kind.CODE] + 1),
        tests=speaks_of_tests(title) and Aim.ONBOARD not in aims,  # who is new wants to run them
        examples=bool(_EXAMPLES.search(query.text)),
        aims=aims,
    )


def speaks_of_tests(text: str) -> bool:
    """Whether a request speaks of tests of the project anywhere, but not as one who only wants to run them."""
    return bool(_TESTS.search(text)) and not _OWN_TESTS.search(text) and Aim.ONBOARD not in aims_of(text)


# Chunks that hold a name: in more of them a request to change it means some, which the ranking finds.
_MOST_ASKED_FOR, _MOST_CHANGED = 300, 60
_MOST_READ = 2_000  # chunks with the words of a path that are looked at


@dataclass(frozen=True, slots=True)
class FoundUses:
    """What the uses that a request asks for are called, and the numbers of the chunks that hold one.

    For a file ``names`` are the ways in which others write its path, and its own path. Empty for other requests.
    """

    names: tuple[str, ...] = ()
    chunks: frozenset[int] = frozenset()
    in_longer: frozenset[int] = frozenset()  # further chunks, with a longer name of which one of the names is a word


def look_up_uses(text: str, view: IndexView) -> FoundUses:
    """Find the chunks that use the names or files whose uses a text asks for; none where none or too many do."""
    lookup = file_uses_to_find(text)
    found = _uses_of_files([view.files[at].path for path in lookup.names for at in _files_at(path, view)], view)
    if not found.chunks:
        lookup = uses_to_find(text)
        held = {number for name in lookup.names for number in _chunks_with(name, view)}
        found = FoundUses(lookup.names, frozenset(held), frozenset(_chunks_with_parts(lookup, text, view) - held))
    is_some = 0 < len(found.chunks) <= (_MOST_ASKED_FOR if lookup.is_sure else _MOST_CHANGED)
    return found if is_some else FoundUses()


def _chunks_with(name: str, view: IndexView) -> Collection[int]:
    """The chunks that hold a name; one of several words, as in Lisps, as it is written."""
    found = [set(view.postings.terms("word", word.lower()).docs.tolist()) for word in find_words(name)]
    held = set.intersection(*found) if found else set()
    if len(found) <= 1 or len(held) > _MOST_READ:
        return held if len(found) <= 1 else ()
    return {number for number in held if name in _text_of(number, view)}


def _chunks_with_parts(lookup: UseRequest, text: str, view: IndexView) -> set[int]:
    """The chunks in which plain names are words of others, if a text asks for every place; none where they are many."""
    names = [] if lookup.is_sure or not is_about_all(text) else [each for each in lookup.names if each.isalpha()]
    plain = [name.lower() for name in names if not is_identifier(name)]
    held = {number for name in plain for number in view.postings.terms("sub", name).docs.tolist()}
    return held if len(held) <= _MOST_ASKED_FOR else set()


def _text_of(number: int, view: IndexView) -> str:
    chunk = view.postings.chunk(number)
    return view.files.lines(view.files[int(view.postings.chunk_file[number])].path, chunk.start_line, chunk.end_line)


def _files_at(path: str, view: IndexView) -> tuple[int, ...]:
    """The file that a path means, which may lack its first folders; none if several may be meant."""
    wanted = path.removeprefix("./")
    if (number := view.files.numbers.get(wanted)) is not None:
        return (number,)
    found = view.files.with_suffix(wanted)
    return found if len(found) == 1 else ()


def _uses_of_files(paths: Sequence[str], view: IndexView) -> FoundUses:
    """Find the chunks in which one of some files is written as a path, a link or a module, and the first of its own.

    Where no other file names it, as in languages that import whole packages, there is nothing to find.
    """
    names: dict[str, None] = {}
    own: set[int] = set()
    users: dict[int, str] = {}
    for path in paths:
        spellings = _spellings_of(path)
        terms = [view.postings.terms("word", word.lower()).docs for word in find_words(stem_of(path))]
        holding = set.intersection(*(set(docs.tolist()) for docs in terms)) if terms else set()
        for number in sorted(holding) if len(holding) <= _MOST_READ else ():
            chunk, user = view.postings.chunk(number), view.files[int(view.postings.chunk_file[number])].path
            text = view.files.lines(user, chunk.start_line, chunk.end_line)
            if user != path and any(each in text for each in spellings):
                users[number] = user
        names |= dict.fromkeys((path, *spellings))
        own.update(view.postings.chunks_of(view.files.numbers[path])[:1])
    is_used = not all(map(is_record, users.values()))
    return FoundUses(tuple(names), frozenset(own.union(users))) if is_used else FoundUses()


def _spellings_of(path: str) -> tuple[str, ...]:
    """The ways in which other files write the path of one: as a file, a link without its ending, or a module."""
    folder, _, name = path.rpartition("/")
    bare = stem_of(path)  # of index.ts its folder
    above = folder.rpartition("/")[2] if name.startswith(f"{bare}.") else folder.rpartition("/")[0].rpartition("/")[2]
    modules = [f"{above}{mark}{bare}" for mark in ("/", ".", "::", "\\") if above]
    return tuple(
        dict.fromkeys(
            [name] * name.startswith(f"{bare}.")
            + modules
            + [f"./{bare}", f"../{bare}", f".{bare} import", f"import {bare}", f"mod {bare}"]
        )
    )


# Of the budget, until every lane has had its turn. Measured at 8,000 tokens on 30 Python issues: files that the fix
# changed are in 80 % of the packs instead of 77 %; documents below .6 would cost requests about documents more.
LANE_SHARES: Final[Mapping[str, float]] = {Lane.DOCS: 0.6, Lane.TESTS: 0.25, Lane.CONFIG: 0.2}


def lane_shares(
    query: Query, view: IndexView, given: Mapping[str, float], choice: PackDefaults = USUAL_DEFAULTS
) -> Mapping[str, float]:
    """Lane or kind -> share of the budget; the user's values come first; the subject of the request has no limit."""
    subject = subject_of(query, view)
    free = {Lane.DOCS} if subject.documents or subject.only_documents else set()
    free |= {Lane.TESTS} if subject.tests else set()
    return {lane: share for lane, share in {**LANE_SHARES, **choice.shares}.items() if lane not in free} | dict(given)
