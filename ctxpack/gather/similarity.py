"""Similar names: stems of paths, and the files and definitions whose names resemble a component."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from ctxpack.discover.traits import is_chore
from ctxpack.index import IndexView
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Kind, Lane, SourceFile
from ctxpack.query.subtokens import english_stem, find_words, is_identifier, raw_words, split, stem_of
from ctxpack.text import last_name

_NOT_LETTER = lazy_pattern(r"[\W_]+")
_QUALIFIED = lazy_pattern(r"\w+(?:(?:\.|::|#|->)\w+)+(?:\(\))?")  # as languages and manuals write Uploader.send
_NAME = lazy_pattern(r"\w+")
_EXACT, _PART, _LIKE = 1.0, 0.7, 0.65  # how much a name is worth that is equal, holds the other, or is similar
_PRIVATE = 0.8  # of the worth, for a name that begins with an underscore
_ONLY_DATA = 0.4  # of the worth, for a folder or file without code and documents: seldom what a component means
_ONLY_TESTS = 0.75  # of the score, for what only tests have
_LEAST_PAGES = 2  # one of so many files is a page, in a folder without code that is no data
_CUTOFF = 80.0  # rapidfuzz's ratio, 0..100
_WORD_CUTOFF = 70.0  # the same of each word of a name of several, where it resembles another most
_ENDING = 2  # letters of a word, up to which it may be that of a file: worker.py
_SPREAD, _SPARE_WORD = 0.9, 0.08  # worth of a path with all words of a name, and what is lost with each further word
_MOST_SPREAD = 6  # files of such paths
_NEAR = 75.0  # the same ratio, for a name that is worth asking about
_SHORTEST = 4  # letters that a name must share to count as a part
_NEAREST = 3  # names that are given
_SPARE = 4  # names looked at for each that is given: equals are ordered by name
_MAX_MATCHES = 24  # of places, and of definitions
_MAX_HOMES = 6  # places where one name is defined
_MOST_READ = 300  # files, of which the words are read as they are written
_WITH_CAPITAL = lazy_pattern(r"\b[A-Z]\w{1,80}\b(?!(?:\.|::|\\)[A-Z])")  # no namespace of another
_ORDER = {"folder": 0, "file": 1, "definition": 2}


@dataclass(frozen=True, slots=True)
class Match:
    """A match of the name: ``what`` is folder, file or definition; ``chunks`` are the numbers of definitions."""

    name: str
    what: str
    score: float
    paths: tuple[str, ...]
    chunks: tuple[int, ...] = ()


def key_of(name: str) -> str:
    """The form of a name without case, separators and plural: ``Retry-Policies`` → ``retrypolicy``."""
    folded = name.casefold()
    bare = folded if folded.isalnum() else _NOT_LETTER.sub("", folded)
    if len(bare) > _SHORTEST and bare.endswith("ies"):
        return bare[:-3] + "y"
    return bare[:-1] if len(bare) > _SHORTEST - 1 and bare.endswith("s") and not bare.endswith("ss") else bare


def resembling(name: str, view: IndexView) -> tuple[Match, ...]:
    """Everything with a similar name, the most exact first; empty if there is nothing similar.

    A qualified name such as ``Uploader.send`` or ``uploads::Uploader::send`` means the definition alone, if there is.
    """
    if qualified := _match_qualified(name.strip(), view):
        return (qualified,)
    wanted = key_of(name.strip("/").rpartition("/")[2])
    if not wanted:
        return ()
    places = _places(view)
    definitions = _definitions(view)
    names = {(what, held): key_of(held) for what, held in places} | {("definition", d): key_of(d) for d in definitions}
    words = split_name(name)
    scores = _scores(wanted, words, sorted(set(names.values())))
    if len(wanted) < _SHORTEST:
        with_word = {names[each] for each in _with_word(wanted, places, view)}
        scores = {key: _part_score(wanted, key) for key in with_word} | scores
    found = [
        (scores[key] * _worth(view, held, places.get((what, held))), what, held)
        for (what, held), key in names.items()
        if key in scores
    ]
    found.sort(key=lambda item: (-item[0], _ORDER[item[1]], len(item[2]), item[2]))
    seen: Counter[bool] = Counter()
    kept = []
    for item in found:
        seen[item[1] == "definition"] += 1
        kept += [item] if seen[item[1] == "definition"] <= _MAX_MATCHES else []
    matches = [_weaker_in_tests(match, view) for match in (_match(view, places, *item) for item in kept) if match.paths]
    held = {path for match in matches if match.what == "file" for path in match.paths}
    spread = [match for match in _with_words_spread(words, view) if held.isdisjoint(match.paths)]
    return tuple(sorted([*matches, *spread], key=lambda match: -match.score))


def _weaker_in_tests(match: Match, view: IndexView) -> Match:
    """The match, of a lower score where only tests have it: what they are called after comes before them."""
    files = (view.files.get(path) for path in match.paths)
    is_test = all(file is not None and file.kind.lane is Lane.TESTS for file in files)
    return replace(match, score=match.score * _ONLY_TESTS) if is_test else match


def split_name(name: str) -> list[str]:
    """The words of a name, as keys."""
    return [key_of(part) for word in raw_words(name) for part in split(word)]


def _worth(view: IndexView, name: str, paths: Sequence[str] | None) -> float:
    """The factor of a match's score: lower for a private name, and for a place of data, of forms or with few pages."""
    worth = _PRIVATE if name.startswith("_") else 1.0
    if paths is None:
        return worth
    files = [file for path in paths if (file := view.files.get(path)) and file.size and not is_chore(path)]
    pages = sum(file.kind.lane is Lane.DOCS for file in files)
    is_part = any(file.kind is Kind.CODE for file in files) or len(paths) <= _LEAST_PAGES * pages
    return worth if is_part else worth * _ONLY_DATA


def _match_qualified(name: str, view: IndexView) -> Match | None:
    if not _QUALIFIED.fullmatch(name):
        return None
    dotted = ".".join(_NAME.findall(name)[-2:])  # the index holds a definition as ``parent.name``
    found = _match(view, {}, _EXACT, "definition", dotted.lower())
    return replace(found, name=dotted) if found.paths else None


def nearest_names(name: str, view: IndexView) -> list[str]:
    """The names of folders, files and definitions that are most similar to a name, if any."""
    from rapidfuzz import fuzz, process

    first = key_of(name)[:1]  # the letter that is seldom mistyped
    names = sorted({held for _, held in _places(view)} | set(_definitions(view)))
    names = [held for held in names if key_of(held)[:1] == first]
    most = _NEAREST * _SPARE
    hits = process.extract(key_of(name), names, scorer=fuzz.ratio, processor=key_of, score_cutoff=_NEAR, limit=most)
    ranked = sorted(hits, key=lambda hit: (-hit[1], hit[0]))
    different = {key_of(hit[0]): hit[0] for hit in reversed(ranked)}
    return [hit[0] for hit in ranked if different[key_of(hit[0])] == hit[0]][:_NEAREST]


def _places(view: IndexView) -> dict[tuple[str, str], list[str]]:
    """Folders and file stems, each with the paths of the files."""
    found: dict[tuple[str, str], list[str]] = {}
    above: dict[str, list[list[str]]] = {"": []}
    for path in view.files.entries.paths:
        folder, _, name = path.rpartition("/")
        found.setdefault(("file", name.rpartition(".")[0] or name), []).append(path)
        if folder not in above:
            names = dict.fromkeys(folder.split("/"))
            above[folder] = [found.setdefault(("folder", each), []) for each in names]
        for members in above[folder]:
            members.append(path)
    return found


def _definitions(view: IndexView) -> list[str]:
    return sorted({name.lower() for part in view.postings.segments for name in part.definitions()})


def _scores(wanted: str, words: Sequence[str], keys: list[str]) -> dict[str, float]:
    """The scores of the keys that are the wanted one, hold it, or resemble it with each of its words."""
    from rapidfuzz import fuzz, process

    hits = process.extract(wanted, keys, scorer=fuzz.ratio, score_cutoff=_CUTOFF, limit=_MAX_MATCHES)
    scores = {
        key: _LIKE * ratio / 100
        for key, ratio, _ in hits
        if all(fuzz.partial_ratio(word, key) >= _WORD_CUTOFF for word in words if len(word) > _ENDING)
    }
    for key in keys:
        if key == wanted:
            scores[key] = _EXACT
        elif len(wanted) >= _SHORTEST and wanted in key:
            scores[key] = max(scores.get(key, 0.0), _part_score(wanted, key))
    return scores


def _part_score(wanted: str, key: str) -> float:
    """The score of a name that holds the wanted one: the higher, the more of it that is."""
    return _PART + (_EXACT - _PART) * len(wanted) / len(key) / 2


def _with_word(wanted: str, places: Iterable[tuple[str, str]], view: IndexView) -> Iterator[tuple[str, str]]:
    """The folders, files and definitions of which a word of the name is the wanted one: ``sse_hub``, ``SSEHub``.

    The letters of a short name stand in many others by chance.
    """
    yield from ((what, held) for what, held in places if has_words(held, wanted))
    for number in view.postings.terms("name", wanted).docs.tolist():
        name = last_name(view.postings.chunk(number).symbol)
        if has_words(name, wanted):
            yield "definition", name.lower()


def _with_words_spread(words: Sequence[str], view: IndexView) -> list[Match]:
    """The files that have all words of a name of several in their own and their folder's: ``models/user.rb``.

    Words count in any form and order: ``tsdb/compact.go`` is the "tsdb compaction".
    """
    stems = {english_stem(word) for word in words}
    if len(stems) == 1:
        return []
    found = []
    for path in view.files.entries.paths:
        lower = path.lower()
        if all(stem[:_SHORTEST] in lower for stem in stems):  # a cheap look
            folders, _, file = path.rpartition("/")
            folder = folders.rpartition("/")[2]
            own, above = ({english_stem(key) for key in split_name(part)} for part in (stem_of(file), folder))
            if stems <= own | above and stems & own and (entry := view.files.get(path)) and entry.kind is Kind.CODE:
                spare = len(own - stems) + (len(above - stems) if not stems <= own else 0)
                found.append(Match(f"{folder}/{stem_of(file)}", "file", _SPREAD - _SPARE_WORD * spare, (path,)))
    telling = [match for match in found if match.score >= _PART]
    return sorted(telling, key=lambda match: (-match.score, len(match.paths[0]), match.paths))[:_MOST_SPREAD]


def has_words(name: str, wanted: str) -> bool:
    """Whether one word of a name, or some in a row, are the wanted ones as a key: ``lora`` of ``lora_layer``."""
    parts = [each for word in raw_words(name) for each in split(word)]
    ends = range(1, len(parts) + 1)
    return any(key_of("".join(parts[start:end])) == wanted for end in ends for start in range(end))


def _match(view: IndexView, places: dict[tuple[str, str], list[str]], score: float, what: str, name: str) -> Match:
    if what != "definition":
        return Match(name, what, score, tuple(places[what, name]))
    chunks = view.postings.terms("definition", name).docs.tolist()
    homes = [(view.files[int(view.postings.chunk_file[number])], number) for number in chunks]
    lesser = {number for number in chunks if view.postings.chunk(number).kind == "namespace"}

    def rank(home: tuple[SourceFile, int]) -> tuple[bool, bool, bool, str, int]:
        file, number = home
        return number in lesser, file.kind.lane is not Lane.CODE, bool(file.traits), file.path, number

    homes.sort(key=rank)
    kept = homes[:_MAX_HOMES]
    return Match(name, what, score, tuple(dict.fromkeys(file.path for file, _ in kept)), tuple(n for _, n in kept))


def spellings_of(text: str, names: Collection[str]) -> set[str]:
    """The words of a text that are one of some names, in any case; a name of code only as written, if that occurs.

    Also the names of several words, such as paths, that occur in it as written.
    """
    spelled = _words_equal(text, {name.lower() for name in names})
    exact = {name.lower() for name in names if is_identifier(name) and name in spelled}
    paths = {name for name in names if not name.isidentifier() and name in text}
    return paths.union(word for word in spelled if word in names or word.lower() not in exact)


def _words_equal(text: str, wanted: Collection[str]) -> set[str]:
    """The words of a text that are in lower case among some; not all words are cut for it where the text is ASCII."""
    if not text.isascii():
        return {word for word in find_words(text) if word.lower() in wanted}
    found, lower = set[str](), text.lower()
    for name in wanted:
        at = lower.find(name) if find_words(name) == [name] else -1
        while at >= 0:
            begin, end = at, at + len(name)
            beside = f"{text[begin - 1 : begin] if begin else ''}{text[end : end + 1]}"
            if not find_words(beside):
                found.add(text[begin:end])
            at = lower.find(name, begin + 1)
    return found


def longer_names(text: str, names: Collection[str]) -> set[str]:
    """The words of a text that have one of some names as a word: ``PinboardToken`` and ``pinboard_token``."""
    keys = [key_of(name) for name in names]
    words = {word for word in find_words(text) if is_identifier(word)}
    return {word for word in words if any(key in word.lower() and has_words(word, key) for key in keys)}


def naming_counts(numbers: Sequence[int], view: IndexView) -> dict[int, int]:
    """How many of some files have the word that each is called by, if it defines what is called so; else none.

    Of several with one name it is that with the shortest path: which of them the others mean, a word does not tell. A
    name with a capital is no plain word: ``From`` in ``from.ex`` is not every ``from``.
    """
    among, counts, paths = frozenset(numbers), dict.fromkeys(numbers, 0), view.files.entries.paths.listed
    written, told = _words_written(numbers, view), set[str]()
    for number in sorted(numbers, key=lambda each: (paths[each].count("/"), len(paths[each]), each)):
        name = "".join(find_words(stem_of(paths[number]))).lower()
        defining = set() if name in told else set(view.postings.file_terms("definition", name).docs.tolist())
        if number in defining:
            told.add(name)
            holding = among & set(view.postings.file_terms("word", name).docs.tolist()) - defining
            own = {word for word in written.get(number, ()) if word.lower() == name}
            counts[number] = sum(not own or not own.isdisjoint(written[each]) for each in holding)
    return counts


def _words_written(numbers: Sequence[int], view: IndexView) -> dict[int, frozenset[str]]:
    """The words with a capital in each of some files, unless they are many to read."""
    if len(numbers) > _MOST_READ:
        return {}
    paths = view.files.entries.paths.listed
    return {number: frozenset(_WITH_CAPITAL.findall(view.files.text(paths[number]))) for number in numbers}
