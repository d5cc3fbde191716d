"""Signals of how files and chunks are related: commits, imports, the class around a chunk, what it tells apart."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from ctxpack.discover.traits import is_record
from ctxpack.index import IndexView
from ctxpack.index.commit_log import message_tokens
from ctxpack.index.postings import among, idf
from ctxpack.light import lazy_pattern
from ctxpack.model import Kind
from ctxpack.query.precedents import kinds_to_implement, kinds_wanted, wants_one_more
from ctxpack.query.subtokens import STOPWORDS, english_stem, raw_words
from ctxpack.query.understand import Aim, aims_of
from ctxpack.rank.bm25 import ChunkScores, best_first, scores_of, unite
from ctxpack.rank.board import BestFiles, Board, Explained
from ctxpack.rank.signals import texts
from ctxpack.text import last_name

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores


_B = 0.5
_K1 = 1.2
_COMMON_SHARE = 0.2  # terms in more than this share of the messages say nothing
_COMMIT_VOTERS = 150
LARGEST_COMMIT = 30  # files; wider commits are sweeps
_HALF_LIFE_SECONDS = 2 * 365.25 * 86_400


def message_scores(board: Board, terms: Mapping[str, float]) -> Scores:
    """BM25 of each commit message against the stems of some weighted terms."""
    import numpy as np

    history = board.view.history
    scores = np.zeros(len(history))
    if not len(history):
        return scores
    lengths = history.messages.lengths[:].astype(np.float64)
    norms = _K1 * (1 - _B + _B * lengths / max(lengths.mean(), 1.0))
    for token, weight in _stems(terms).items():
        found = history.messages.find(token)
        if found is not None and len(found[0]) <= _COMMON_SHARE * len(history):
            docs, counts = found[0], found[1].astype(np.float64)
            scores[docs] += weight * idf(len(docs), len(history)) * (_K1 + 1) * counts / (counts + norms[docs])
    return scores


def votes(board: Board) -> Explained:
    """Score files by commits with messages similar to the title."""
    return _votes(board, message_scores(board, dict.fromkeys(board.title, 1.0)))


def votes_by_all(board: Board) -> Explained:
    """Score files by commits with messages similar to the whole request."""
    return _votes(board, message_scores(board, board.query.terms))


def _votes(board: Board, messages: Scores) -> Explained:
    """(score / best)^2 / sqrt(files) of the best commits, for each file they changed."""
    import numpy as np

    scores = np.zeros(len(board.view.files))
    if not len(messages) or not messages.max() > 0:
        return Explained(scores, {})
    history, numbers = board.view.history, board.view.history_numbers
    voters: Counter[int] = Counter()
    for commit in best_first(messages, _COMMIT_VOTERS).tolist():
        changed = history.files_of(commit)
        if messages[commit] <= 0 or not 0 < len(changed) <= LARGEST_COMMIT:
            continue
        places = numbers[changed]
        places = places[places >= 0]
        scores[places] += (messages[commit] / messages.max()) ** 2 / len(changed) ** 0.5
        voters.update(places.tolist())
    return Explained(scores, {file: _message_text(count) for file, count in voters.items()})


def _message_text(count: int) -> str:
    return f"{count} commits with similar messages changed it" if count > 1 else "a similar commit changed it"


def _stems(terms: Mapping[str, float]) -> dict[str, float]:
    """The stems of some terms in their order by name, each with the weight of its heaviest term."""
    found: dict[str, float] = {}
    for term in sorted(terms):
        for token in message_tokens(term):
            found[token] = max(found.get(token, 0.0), terms[term])
    return dict(sorted(found.items()))


def recency(board: Board) -> Scores:
    """.5^(age / 2 years) of the newest remembered commit of each file, against HEAD's date."""
    import numpy as np

    view = board.view
    history = view.history
    newest = np.zeros(len(view.files))
    places = view.history_numbers[history.files]
    times = np.repeat(history.times, np.diff(history.ends))
    np.maximum.at(newest, places[places >= 0], times[places >= 0])
    age = np.maximum(view.state.commit_time - newest, 0)
    return np.where(newest > 0, 0.5 ** (age / _HALF_LIFE_SECONDS), 0.0)


_CHANGED_BY: Final = 8  # of the best files, whose company is asked for
_IMPORTED_BY: Final = 5
_FEWEST_CHANGES: Final = 3  # a file that changed once did so in one company alone
_POPULARITY: Final = 0.3  # what everything imports is no news
_TEMPERATURE: Final = 1.0  # points below the best file over which a file's word falls to a third


def best_weights(best: BestFiles, count: int) -> dict[int, float]:
    """The best files, best first, and what each of them counts: 1 for the first."""
    import numpy as np

    files = best.first(count)
    weights = np.exp((best.total[files] - best.total[files[:1]]) / _TEMPERATURE)
    return dict(zip(files.tolist(), weights.tolist(), strict=True))


def changed_together(best: BestFiles) -> Explained:
    """For each file: the share of its changes that were made together with one of the best files.

    Commits of more than 30 files are passed over.
    """
    import numpy as np

    view, reasons, singles = best.board.view, dict[int, str](), dict[int, str]()
    history, scores = view.history, np.zeros(len(view.files))
    if not len(history):
        return Explained(scores, reasons)
    sizes = np.diff(history.ends)
    commits = np.repeat(np.arange(len(history)), sizes)
    files = view.history_numbers[history.files]
    counted = (sizes <= LARGEST_COMMIT)[commits] & (files >= 0)
    commits, files = commits[counted], files[counted]
    changes = np.maximum(np.bincount(files, minlength=len(scores)), _FEWEST_CHANGES)
    for file, weight in best_weights(best, _CHANGED_BY).items():
        its = np.zeros(len(history), bool)
        its[commits[files == file]] = True
        together = np.bincount(files[its[commits]], minlength=len(scores))
        together[file] = 0
        scores += weight * together / changes
        for other in np.flatnonzero(together > 1).tolist():
            reasons.setdefault(other, f"{together[other]} commits changed it together with {_name(view, file)}")
        for other in np.flatnonzero(together == 1).tolist():
            singles.setdefault(other, f"1 commit changed it together with {_name(view, file)}")
    return Explained(scores, {**singles, **reasons})


def imported_by_best(best: BestFiles) -> Explained:
    """For each file: the best files that import it, each divided by sqrt(its imports) and in-degree^.3."""
    import numpy as np

    view, reasons = best.board.view, dict[int, str]()
    scores = np.zeros(len(view.files))
    for file, weight in best_weights(best, _IMPORTED_BY).items():
        paths = view.graph.imports(view.files[file].path)
        targets = [view.files.numbers[path] for path in paths if path in view.files.numbers]
        for target in targets:
            scores[target] += weight / len(targets) ** 0.5 / max(view.files.in_degrees[target], 1) ** _POPULARITY
            reasons.setdefault(target, f"{_name(view, file)} imports it")
    return Explained(scores, reasons)


def _name(view: IndexView, file: int) -> str:
    return view.files[file].path.rpartition("/")[2]


_TEST_VOTERS = 15
_TEST_POPULARITY = 0.2  # what everything imports is no news


def test_votes(board: Board) -> Explained:
    """(score / best)^3 / sqrt(imports) / in-degree^.2 of the best test files, for each file they import."""
    import numpy as np

    view, reasons = board.view, dict[int, str]()
    scores = np.zeros(len(view.files))
    tests, scored = view.files.entries.of_classes(lambda each: each.kind is Kind.TEST), np.zeros(len(scores))
    scored[tests] = texts.by_subtokens(board)[tests]
    if not len(scored) or not scored.max() > 0:
        return Explained(scores, reasons)
    degrees = view.files.in_degrees
    for number in best_first(scored, _TEST_VOTERS).tolist():
        targets = [
            view.files.numbers[path]
            for path in view.graph.imports(view.files[number].path)
            if path in view.files.numbers
        ]
        for target in targets:
            share = (scored[number] / scored.max()) ** 3
            scores[target] += share / len(targets) ** 0.5 / max(degrees[target], 1) ** _TEST_POPULARITY
            reasons.setdefault(target, f"{_name(view, number)}, a test that matches, imports it")
    return Explained(scores, reasons)


def importer_count(board: Board) -> Scores:
    """ln(1 + in-degree)."""
    import numpy as np

    return np.log1p(board.view.files.in_degrees)


def chunks_in_named_classes(board: Board) -> ChunkScores:
    """For each chunk: an identifier of the request is the name of the class or section around it."""
    scores: defaultdict[int, float] = defaultdict(float)
    for name, weight in board.query.identifiers.items():
        as_written = board.view.postings.terms("definition", name).docs
        is_exact = len(as_written) or name.istitle()
        defining = as_written if is_exact else board.view.postings.terms("definition", name.lower()).docs
        by_path = sorted(defining.tolist(), key=lambda number: (board.view.postings.chunk_file[number], number))
        for number in by_path[:_MOST_CLASSES]:
            for inside in _chunks_inside(board, number, name):
                scores[inside] = max(scores[inside], weight / len(defining) ** 0.5)
    return scores_of(scores)


_MOST_CLASSES = 20  # a name with more definitions says nothing


def _chunks_inside(board: Board, number: int, name: str) -> list[int]:
    """The chunk of a definition called ``name`` and those inside it; none where it is a constant of another chunk."""
    view = board.view
    if name.lower() not in view.postings.chunk(number).symbol.lower().split("."):
        return []
    file_chunks = view.postings.chunks_of(int(view.postings.chunk_file[number]))
    inside = []
    for other in range(number, file_chunks.stop):
        parts = view.postings.chunk(other).symbol.lower().split(".")
        if name.lower() not in parts[:-1] and other != number:
            break
        inside.append(other)
    return inside


_DECLARING: Final = frozenset({"interface", "trait", "protocol"})
_ABSTRACT: Final = ("abstract", "abstractmethod", "notimplementederror")  # words of a class that others implement
# What a name has besides the words for the thing: ``IStorage``, ``BaseStorage``, ``StorageBackend``.
_BEFORE: Final = ("", "i", "abstract", "base")
_BEHIND: Final = (
    "", "adapter", "backend", "base", "driver", "extension", "handler", "interface", "plugin", "protocol", "provider",
    "spec", "trait", "type",
)  # fmt: skip


def declaring_chunks(board: Board) -> ChunkScores:
    """For each chunk: whether it declares what an own part has to implement, such as ``type Storage interface``."""
    postings, scores = board.view.postings, dict[int, float]()
    for name in postings.select_known("definition", _names_to_implement(board)):
        for number in postings.terms("definition", name).docs.tolist():
            if _is_declaration(board, number, name):
                scores[number] = 1.0
    return scores_of(scores)


def _names_to_implement(board: Board) -> list[str]:
    """The names that what somebody wants to implement may have: of "my own call adapter" ``calladapter``, too."""
    wanted = _with_translations(board, kinds_to_implement(board.query.text))
    pairs = ["".join(pair) for first, second in pairwise(wanted.values()) for pair in product(first, second)]
    bases = [*(form for forms in wanted.values() for form in forms), *pairs]
    return [f"{before}{base}{behind}" for base in bases for before in _BEFORE for behind in _BEHIND]


def _with_translations(board: Board, words: Iterable[str]) -> dict[str, list[str]]:
    """The forms of some words of the request; of one that code does not use, what it may mean there."""
    found = {word: [word] for word in words}
    for concept in board.concepts:
        if (word := concept.forms[0][0]) in found:
            found[word] = [term for term, _ in (concept.forms if word.isascii() else concept.further)]
    return found


def _is_declaration(board: Board, number: int, name: str) -> bool:
    """Whether a chunk is an interface called so, or such a class that leaves something for others to implement."""
    import numpy as np

    chunk = board.view.postings.chunk(number)
    if chunk.kind != "class" or last_name(chunk.symbol).lower() != name:
        return chunk.kind in _DECLARING and last_name(chunk.symbol).lower() == name
    inside = np.array(_chunks_inside(board, number, name), np.int64)
    return any(among(inside, board.view.postings.terms("word", word).docs).any() for word in _ABSTRACT)


_TELLS_HOW: Final = lazy_pattern(
    r"(?:\d[\d.]{0,5} )?(?:how to )?"
    r"(?:add|creat|writ|register|implement|defin|develop|contribut|mak|extend|building)(?:e|ing|ting)?\b"
    r"|(?:как )?(?:добав|созда|напи)\w{1,8}|.{0,60}\b(?:custom|(?:your|an) own|сво(?:й|ю|их?|его|ей))\b",
    re.IGNORECASE,
)
_NO_KIND: Final = frozenset(("custom", "new", "own", "support", "your"))  # "add support for a new shell"
_ABOUT_KIND: Final = 0.5  # of the words of a heading that must say the kind
_WITHIN_GUIDE: Final = 0.9  # what a part of a guide counts
_MOST_GUIDES, _MOST_SECTIONS = 3, 6  # and the sections of each


def guiding_chunks(board: Board) -> ChunkScores:
    """For each chunk: whether it is a section on how to add one of a kind ("Writing a new backend"), or within one.

    None where nothing is to be added, nor for a pasted traceback.
    """
    text, postings = board.query.text, board.view.postings
    forms = _with_translations(board, kinds_wanted(text) or kinds_to_implement(text))
    aims = aims_of(text) - ({Aim.HOW_TO} if Aim.ONBOARD in aims_of(text) else set())  # how to begin
    is_failure = any(each.kind == "frame" for each in board.query.mentions)
    is_asked = not aims.isdisjoint({Aim.CHANGE, Aim.EVERYWHERE, Aim.HOW_TO}) or wants_one_more(text)
    if not forms or is_failure or not is_asked:
        return scores_of({})
    main_first = reversed(forms) if next(iter(forms)).isascii() else iter(forms)
    kinds = [kind for word in main_first if _NO_KIND.isdisjoint(kind := set(map(english_stem, forms[word])))]
    spelled = {form for each in forms.values() for word in each for form in (word, f"{word}s", word.removesuffix("s"))}
    named, _ = unite([postings.terms("name", form).docs for form in spelled])
    documents = board.view.files.entries.of_classes(lambda each: each.kind.is_document)
    likely = named[among(postings.chunk_file[named], documents)].tolist()
    shares = {number: share for number in likely if (share := _share_of_guide(board, number, kinds))}
    scores: dict[int, float] = {}
    in_order = sorted(shares, key=lambda number: (-shares[number], postings.chunk_file[number], number))
    for number in in_order[:_MOST_GUIDES]:
        heading, inside = postings.chunk(number).heading, postings.chunks_of(int(postings.chunk_file[number]))
        for at in range(number, min(number + _MOST_SECTIONS, inside.stop)):
            if postings.chunk(at).heading[: len(heading)] == heading:
                scores[at] = max(scores.get(at, 0.0), 1.0 if at == number else _WITHIN_GUIDE)
    return scores_of(scores)


def guiding_files(board: Board) -> Scores:
    """For each file: whether a section of it tells how to add one of a kind."""
    return board.files_max(board.derive(guiding_chunks))


def _share_of_guide(board: Board, number: int, kinds: Sequence[set[str]]) -> float:
    """The share of the words of a heading that say a kind, where it tells how to add something; else 0.

    The first of ``kinds``, the main word, must be among them, if there are words for other things.
    """
    chunk, file = board.view.postings.chunk(number), board.view.files[int(board.view.postings.chunk_file[number])]
    telling = _TELLS_HOW.match(chunk.heading[-1]) if chunk.heading else None
    if not telling or is_record(file.path):
        return 0.0
    words = map(str.lower, raw_words(chunk.heading[-1][telling.end() :]))
    said = [english_stem(word) for word in words if word not in STOPWORDS and word not in _NO_KIND]
    share = sum(any(word in each for each in kinds) for word in said) / max(len(said), 1)
    return share if share == 1 or (share >= _ABOUT_KIND and not kinds[0].isdisjoint(said)) else 0.0


# The names that code tells apart: cases of a switch or match, what one value is compared with, items of a list or enum.
_CASE: Final = lazy_pattern(
    r"(?:case|when)[ \t]{1,9}[\"'`]?(?>(?:\w{1,60}(?:\.|::))?)\.?(?P<case>\w{2,60})[\"'`]?"
    r"[ \t]{0,9}(?:[:,({]|=>|->|then\b|$)"
    r"|(?>(?:\w{1,60}(?:\.|::))?)(?P<arm>\w{2,60})(?:\([\w, ]{0,60}\))?[ \t]{1,9}(?:=>|->)"
    r"|(?P<member>[A-Z]\w{1,60}) = [^,\n]{1,40},$"
)
_ITEM: Final = r"(?:[\"'`]\w{2,60}[\"'`]|(?>(?:\w{1,60}(?:\.|::))?)[A-Z]\w{1,60})"
_ITEMS: Final = lazy_pattern(rf"{_ITEM}(?>(?: ?[,|] ?{_ITEM}){{0,40}}),?$")
_ROW: Final = lazy_pattern(rf"{_ITEM}(?>(?: ?[,|] ?{_ITEM}){{3,40}})")
_LAST_NAME: Final = lazy_pattern(r"(\w{2,60})[\"'`]?(?= ?[,|]|$)")
_COMPARED: Final = lazy_pattern(r"(?P<value>[\w.?]{1,80}+) ?={2,3} ?[\"'`](?P<name>\w{2,60})[\"'`]")
_IMPORTING: Final = ("import", "from", "use", "using", "require", "export", "}")
FEWEST_CASES: Final = 4
"""Fewer are told apart by chance."""


def cases_in(text: str) -> list[tuple[str, frozenset[str]]]:
    """What some code tells apart: the line above its cases or items, or what is compared, and their names.

    They are in lower case, each kind of things by itself.
    """
    groups, compared, above = list[tuple[str, list[str]]](), dict[str, list[str]](), ""
    open_at: dict[int, tuple[str, list[str]]] = {}
    for line in filter(str.strip, text.split("\n")):
        said = line.strip()
        indent = len(line) - len(line.lstrip())
        open_at = {at: group for at, group in open_at.items() if at <= indent}
        if names := _names_told_apart(said):
            if indent not in open_at:
                open_at[indent] = (above, [])
                groups.append(open_at[indent])
            open_at[indent][1].extend(names)
        else:
            groups += [(said[: row.start()], _LAST_NAME.findall(row[0])) for row in _ROW.finditer(said)]
        for match in _COMPARED.finditer(said):
            compared.setdefault(match["value"], []).append(match["name"])
        above = said
    told = ((what, frozenset(map(str.lower, names))) for what, names in (*groups, *compared.items()))
    return [(what, names) for what, names in told if len(names) >= FEWEST_CASES and not what.startswith(_IMPORTING)]


def _names_told_apart(line: str) -> list[str]:
    """The name of the case on a line, or the items, if it has nothing else."""
    if case := _CASE.match(line):
        return [case[case.lastgroup or 0]]
    return _LAST_NAME.findall(line.rstrip(",")) if line.endswith((",", '"', "'")) and _ITEMS.match(line) else []
