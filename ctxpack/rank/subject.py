"""What a request is about: code, documents, tests, uses of a name, a setting."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from ctxpack.discover.traits import is_record
from ctxpack.index import IndexView
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Kind, Lane, Query, SourceFile, Trait
from ctxpack.parse.languages.modules import shared_folders
from ctxpack.query.lookups import UseRequest, file_uses_to_find, is_about_all, uses_to_find
from ctxpack.query.precedents import quotes_of, wants_entry
from ctxpack.query.subtokens import STOPWORDS, find_words, is_identifier, split, stem_of
from ctxpack.query.understand import Aim, aims_of
from ctxpack.rank.signals.messages import names_around

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
# Who asks for a limit that holds before a test ends means a run of what the project does, as tools for load tests do.
_DURING_TEST = lazy_pattern(
    r"\b(?:before|until|till|when|while|after|if|once) (?:the|a|my|our) (?:\w{1,20} )?test (?:run )?"
    r"(?:aborts?|begins?|ends?|fails?|finishes|gives? up|is|runs?|starts?|stops?|times? out)\b",
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
    said = _DURING_TEST.sub(" ", text) if asks_for_setting(text) else text
    return bool(_TESTS.search(said)) and not _OWN_TESTS.search(said) and Aim.ONBOARD not in aims_of(text)


_MOST_ASKED_FOR, _MOST_CHANGED = 300, 60  # chunks with a name: who changes it in more means some, which ranking finds
_MOST_READ = 2_000  # chunks with the words of a path that are looked at


@dataclass(frozen=True, slots=True)
class FoundUses:
    """What the uses that a request asks for are called, and the numbers of the chunks that hold one; empty for others.

    For a file ``names`` are the ways in which others write its path, and its own path.
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
        held = (lookup.of_value and _of_product(held, view)) or held
        if len(held) > _MOST_ASKED_FOR:
            held = {number for name in lookup.names for number in _chunks_with_owner(name, held, text, view)}
        found = FoundUses(lookup.names, frozenset(held), frozenset(_chunks_with_parts(lookup, text, view) - held))
    counted: Collection[int] = found.chunks  # but not in tests, that repeat the name of an option
    if not lookup.is_sure and len(counted) <= _MOST_ASKED_FOR and all(map(is_identifier, lookup.names)):
        counted = _of_product(counted, view) or counted
    return found if 0 < len(counted) <= (_MOST_ASKED_FOR if lookup.is_sure else _MOST_CHANGED) else FoundUses()


def _of_product(chunks: Collection[int], view: IndexView) -> set[int]:
    """The chunks that are of no test, and of no example or the like."""
    files = {number: view.files[int(view.postings.chunk_file[number])] for number in chunks}
    return {number for number, file in files.items() if file.kind is not Kind.TEST and not file.traits}


def _chunks_with(name: str, view: IndexView) -> Collection[int]:
    """The chunks that hold a name; one of several words, as in Lisps, as it is written."""
    found = [set(view.postings.terms("word", word.lower()).docs.tolist()) for word in find_words(name)]
    held = set.intersection(*found) if found else set()
    if len(found) <= 1 or len(held) > _MOST_READ:
        return held if len(found) <= 1 else ()
    return {number for number in held if name in _text_of(number, view)}


def _chunks_with_owner(name: str, held: Collection[int], text: str, view: IndexView) -> set[int]:
    """The chunks that use a name behind its owner, as a text writes it (``store:find``), and its definition."""
    written = {match[0]: match[1] for match in re.finditer(rf"\b(\w{{1,80}}+)(?:\.|::?|#|->){re.escape(name)}\b", text)}
    used = {number for qualified in written for number in _chunks_with(qualified, view)}
    homes = [number for number in held if used and view.postings.chunk(number).symbol.rpartition(".")[2] == name]
    owners = {owner.lower() for owner in written.values()}
    files = view.postings.chunk_file
    return used.union(each for each in homes if stem_of(view.files[int(files[each])].path).lower() in owners)


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


# --- settings ---------------------------------------------------------------------------------------------------------

_ASKS_SETTING = lazy_pattern(
    r"\b(?:settings?|config\w*|limits?|defaults?|max(?:imum)?|min(?:imum)?|time-?outs?|intervals?"
    r"|environment variables?|how (?:long|many|much|often|big|large)|expir\w+"
    r"|(?:raise|increase|lower|reduce|extend|shorten) the"
    r"|where (?:is|are|do i|can i|does|should i)\b[^\n]{0,100}?\b(?:set|change|come from|configured|declared))\b"
    r"|\b(?:настро|лимит|по умолчанию|ограничен|максимальн|сколько|как (?:долго|часто)|тайм-?аут)",
    re.IGNORECASE,
)
_PATH = r"[A-Za-z_][\w-]{0,60}(?>(?:[.:]{1,2}[\w-]{1,60}){0,6})"
# Of one word only in capitals: in a template of a script ``"${bookId}"`` is a value.
_PLACEHOLDER = r"[A-Za-z_][\w-]{0,60}(?>(?:[.:]{1,2}[\w-]{1,60}){1,6})|[A-Z][A-Z0-9_]{1,60}+"
_READ = lazy_pattern(
    r"(?:\b(?:config|env|getenv|get_env|getProperty|getParameter|fetch_env!?|Getenv|LookupEnv)"
    r"|\b(?:viper|ko|config|conf|cfg|settings)\.(?:[gG]et\w{0,20}|String|Int|Int64|Bool|Duration|Float64)"
    r"|\b(?:environ|ENV|[cC]onfiguration)(?:\.(?:get|fetch))?)"
    rf"[(\[][ \t]{{0,4}}[\"'](?P<quoted>{_PATH})[\"']"
    rf"|[\"']\$\{{(?P<placeholder>{_PLACEHOLDER})[:}}]|%env\((?:\w{{1,20}}:){{0,3}}(?P<named>\w{{2,60}})\)%"
    r"|\benv\.(?P<variable>[A-Z]\w{2,60})|\.Values\.(?P<value>[a-z]\w{1,60}+(?>(?:\.\w{1,60}+){0,6}))"
    r"|\b(?i:settings|config|conf|cfg)\.(?:(?P<attribute>[A-Z]\w{1,60}+(?>(?:\.\w{2,60}+){0,5}))"
    r"|(?P<field>[a-z]\w{1,60}+(?>(?:\.\w{2,60}+){0,5})))"
    r"(?![\w(]|[ \t]{0,4}(?:=(?!=)|<<))"
)
_VARIABLE = lazy_pattern(r"(?:[\"']|\$\{)(?P<name>[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8})[\"':}]")
_OF_SETTINGS = lazy_pattern(
    r"(?:^|[/._-])(?:config|configuration|configs|conf|settings|defaults?|\.?env)(?=[/._-]|$)|(?:^|/)values\.yaml$",
    re.IGNORECASE,
)
# Words of keys that say nothing of which setting is meant.
COMMON_OF_KEYS = frozenset(
    (
        *("app", "application", "config", "default", "file", "files", "limit", "max", "maximum", "min", "number"),
        *("path", "server", "setting", "settings", "size", "time", "url", "value"),
    )
)
_ASKS_VARIABLE = lazy_pattern(
    r"\benv(?:ironment)?[- ]?var(?:iable)?s?\b|\bпеременн\w{2,3} (?:окружени|сред)\w{1,2}\b"
    r"|\b(?:which|what) (?:setting|config(?:uration)? (?:option|key|setting))\b",
    re.IGNORECASE,
)
_VARIABLE_NAME = lazy_pattern(r"(?<![\w$./-])[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8}(?!\w)")
_OWN_CONSTANT = lazy_pattern(  # to which code gives a value of its own, rather than one of the environment
    r"(?m)^[ \t]{0,40}(?:[A-Z]?[a-z]{2,20}[ \t]{1,4}){0,5}(?P<name>[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8})"
    r"(?:[ \t]?:[^=\n]{1,80})?[ \t]{1,20}:?=[ \t](?![^\n]{0,200}(?i:env|config|setting))"
)
_OF_VARIABLES = frozenset(("env", "environment", "var", "variable", "variables"))
_FEWEST_SAID = 2  # words of a request in the name of a variable
_SHORTEST_STEM, _LONGEST_ENDING = 4, 2  # letters of a word that another shares, and of its ending
_SHORT_KEY, _FEW_TERMS = 2, 12  # names of a key, terms of a request
_MOST_DECLARING = 200  # chunks that hold the last name of a key


@dataclass(frozen=True, slots=True)
class Declaration:
    """The line, from 1, of a file that gives a setting its value."""

    key: str
    file: SourceFile
    line: int


def asks_for_setting(text: str) -> bool:
    """Whether the title of a request is about a value that somebody sets, such as a limit or a default."""
    return _ASKS_SETTING.search(text.strip().partition("\n")[0]) is not None


def settings_read(text: str, query: Query) -> dict[str, int]:
    """The keys of settings that a text reads and the request has telling words of, with how many of its words.

    A key of one word, such as ``id``, says too little, and so does one word of a long request, of one that asks for no
    setting, or of a field in lower case, which any object may have.
    """
    is_clear = len(query.terms) <= _FEW_TERMS and asks_for_setting(query.text)
    found: dict[str, int] = {}
    for match in _READ.finditer(text):
        key, words = match[match.lastgroup or 0], split(match[match.lastgroup or 0])
        said = {term for term in query.terms if any(map(partial(_is_form, term), words))}
        least = 1 if is_clear and not match["field"] else 2
        if len(words) > 1 and said - COMMON_OF_KEYS and len(said) >= least:
            found[key] = len(said)
    return found


def asks_for_variable(text: str) -> bool:
    """Whether a request asks which environment variable does something."""
    return _ASKS_VARIABLE.search(text) is not None


def variables_meant(texts: Iterable[str], query: Query) -> list[str]:
    """The names of environment variables in some texts that most words of the request are in, the likeliest first.

    One word is enough only where a name has no other. A constant that code sets itself is no such variable.
    """
    ranks: dict[str, tuple[int, int]] = {}
    read = list(texts)
    own = {match["name"] for text in read for match in _OWN_CONSTANT.finditer(text)}
    own -= {name for text in read if own for name in variables_on(text)}
    for name in dict.fromkeys(
        match[0] for text in read for match in _VARIABLE_NAME.finditer(text) if match[0] not in own
    ):
        parts = [part for part in split(name) if part not in STOPWORDS and part not in _OF_VARIABLES]
        said = {word for part in parts for word in _said_as(part, query)} - _OF_VARIABLES
        if parts and len(said) >= min(len(parts), _FEWEST_SAID):
            ranks[name] = len(said), -len(parts)
    most = max((count for count, _ in ranks.values()), default=0)
    return sorted((name for name in ranks if ranks[name][0] == most), key=lambda name: (-ranks[name][1], name))


def _said_as(part: str, query: Query) -> Iterator[str]:
    """The words of a request that a part of a name is one of, or stands for."""
    yield from (term for term in query.terms if term == part)
    yield from (each.source for each in query.expansions if each.term == part)


def _is_form(word: str, other: str) -> bool:
    """Whether two words are the same but for their endings."""
    least = max(_SHORTEST_STEM, min(len(word), len(other)) - _LONGEST_ENDING)
    return word == other or (word[:least] == other[:least] and min(len(word), len(other)) >= _SHORTEST_STEM)


def variables_on(line: str) -> list[str]:
    """The environment variables from which a line of settings takes its value."""
    return list(dict.fromkeys(match["name"] for match in _VARIABLE.finditer(line)))


def find_declaration(key: str, reader: str, view: IndexView) -> Declaration | None:
    """The place that gives a setting its value; of several the one with most names of the key, next to its reader.

    Files of environment variables come first: they are what one edits.
    """
    found = list(_declarations(re.split(r"[.:]{1,2}", key), key, view))
    best = max(found, key=lambda each: (each[0], *_standing(each[1].file.path, reader)), default=None)
    return best[1] if best else None


def _standing(path: str, reader: str) -> tuple[bool, int, int]:
    """What sorts files that declare the same setting, the best last."""
    return ".env" in path, shared_folders(path, reader), -len(path)


def _declarations(names: Sequence[str], key: str, view: IndexView) -> Iterator[tuple[int, Declaration]]:
    """Each place that declares a key, with how many of its names the place has."""
    plain = [_plain(name) for name in names]
    is_telling = len(names) > _SHORT_KEY or len(split(names[-1])) > 1
    least = max(len(names) - is_telling, 1)  # the first may only be the object that holds all settings
    for number in _chunks_declaring(names[-1], view):
        file, chunk = view.files[int(view.postings.chunk_file[number])], view.postings.chunk(number)
        lines = view.files.all_lines(file.path)
        for at in range(chunk.start_line - 1, min(chunk.end_line, len(lines))):
            declared = _declared_on(lines, at, file.path) if plain[-1] in _plain(lines[at]) else ()
            ours = tuple(map(_plain, declared))
            length = next((n for n in range(len(plain), 0, -1) if ours[-n:] == tuple(plain[-n:])), 0)
            if length >= least:
                yield length, Declaration(key, file, at + 1)


def _chunks_declaring(name: str, view: IndexView) -> list[int]:
    """The chunks of files with settings that hold a name, in one of its spellings."""
    parts = [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)]
    held: set[int] = set()
    for spelling in dict.fromkeys((name.lower(), "".join(parts), "_".join(parts), "-".join(parts))):
        found = [set(view.postings.terms("word", word).docs.tolist()) for word in find_words(spelling)]
        held |= set.intersection(*found) if found else set()
    chosen = [number for number in held if holds_settings(view.files[int(view.postings.chunk_file[number])])]
    return sorted(chosen) if len(chosen) <= _MOST_DECLARING else []


def holds_settings(file: SourceFile) -> bool:
    """Whether a file may declare settings; one that says that a command made it may be the first draft of a project."""
    if not {Trait.LOCK, Trait.MINIFIED, Trait.TRANSLATION}.isdisjoint(file.traits):
        return False
    lane = file.kind.lane
    return lane is Lane.CONFIG or (lane is Lane.CODE and _OF_SETTINGS.search(file.path) is not None)


# A name and its value on a line, which may be commented out; a default that is given by a call.
_BY_NAME = lazy_pattern(
    r"[ \t]*(?:(?:#|//|;)[ \t]?)?(?:export |- |let |var |const )?"
    r"[\"']?(?P<name>[\w.-]{2,120})[\"']?[ \t]*(?:=>|:=|[:=])"
)
_BY_CALL = lazy_pattern(r"(?i:\w{0,20}default\w{0,20})\([\"'](?P<name>[\w.-]{2,120})[\"'],")


def _declared_on(lines: Sequence[str], at: int, path: str) -> tuple[str, ...]:
    """The names of the value that a line declares, those around it first; none where it declares nothing."""
    called = _BY_CALL.search(lines[at])
    match = called or _BY_NAME.match(lines[at])
    if match is None:
        return ()
    around = () if called else names_around(lines, at)
    return (stem_of(path), *around, *match["name"].split("."))


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()
