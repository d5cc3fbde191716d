"""The index against naive models: postings against dicts, an updated index against one made afresh."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ctxpack.discover import discover
from ctxpack.index.arrays import hold_arrays
from ctxpack.index.known import known_files
from ctxpack.index.merge import join_rows
from ctxpack.index.opening import hold_indexes, rebuild_index
from ctxpack.index.terms import (
    FieldPostings,
    TermList,
    arrays_of_rows,
    build_postings,
    hash_keys,
    sealed_key,
    term_hash,
    term_key,
    vocabulary_of,
)
from ctxpack.index.words import _number_equal, _order_of, count_words
from ctxpack.model import Request, Scope
from ctxpack.pipeline import run_pack
from ctxpack.query.subtokens import MAX_WORD, MIN_PART, find_words, is_one_part, split, subtokens
from ctxpack.settings import Settings
from tests.indexing import commit, git, opened, snapshot, write
from tests.trying import examples

TERMS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=4) | st.sampled_from(
    ["a", "ab", "abc", "b\udcff", "b", "数据", "plumless", "buckeroo"]
)
DOCUMENTS = st.lists(st.dictionaries(TERMS, st.integers(1, 400), max_size=8), max_size=8)


@settings(max_examples=examples(40, 150), deadline=None)
@given(DOCUMENTS, TERMS)
def test_postings_answer_as_dicts_would(documents: list[dict[str, int]], asked: str) -> None:
    terms, made = sorted({term for document in documents for term in document}), _postings(documents)
    for term in {*terms, asked}:
        model = [(doc, min(counts[term], 255)) for doc, counts in enumerate(documents) if term in counts]
        found = made.find(term)
        assert model == ([] if found is None else list(zip(found[0].tolist(), found[1].tolist(), strict=True)))
    assert made.lengths[:].tolist() == [sum(counts.values()) for counts in documents]
    holding = {term: sum(term in counts for counts in documents) for term in terms}
    rows = made.rows()
    vocabulary = TermList(**hold_arrays(vocabulary_of(map(term_key, terms), rows.hashes, rows.sizes)))
    for prefix in ("", asked[:1], asked):
        listed, held = vocabulary.beginning_with(prefix)
        expected = {term: count for term, count in holding.items() if term.startswith(prefix)}
        assert dict(zip(listed, held.tolist(), strict=True)) == expected


_PIECES = st.sampled_from(
    [
        "123456789",
        *"aAbBsS1_9 \n.éИжßİ数ก—\u00a0٣\U0001d7d8",
        "URLs",
        "x" * 79,
        "ж" * 20,
        "parse_HTTPHeader2",
        "\ufffd",
        "Жук",
        "ßx",
        "שלום",
    ]
)


@settings(max_examples=examples(100, 1_000), deadline=None)
@given(st.lists(_PIECES | st.characters(categories=("L", "M", "N")), max_size=6).map("".join))
@example("İx")
@example("ſt")
def test_what_is_one_part_has_no_other(text: str) -> None:
    if is_one_part(text):
        assert find_words(text) == [text]
        assert split(text) == (text.lower(),)


CHUNKS = st.lists(
    st.lists(_PIECES, max_size=40).map("".join) | st.text(st.characters(codec="utf-8"), max_size=30), max_size=5
)


@settings(max_examples=examples(60, 400), deadline=None)
@given(CHUNKS)
@example(
    [
        "card5500005555555559x 123456789 a12345678 ж1234567890",
        "HTTPServer parseURLs IDs2 ABss aB1c A2s URLsX xURLs",
        "x" * 80 + " " + "y" * 81,
        "ж" * 70 + "数" * 90,
    ]
)
def test_words_are_counted_as_one_by_one(chunks: list[str]) -> None:
    texts = [chunk.replace("\r", " ") + "\n" for chunk in chunks]
    data = [text.encode() for text in texts]
    found = count_words(b"".join(data), np.cumsum([len(each) for each in data], dtype=np.int64) - 1)
    words: Counter[tuple[str, int]] = Counter()
    parts: Counter[tuple[str, int]] = Counter()
    for number, text in enumerate(texts):
        words.update((word.lower(), number) for word in find_words(text) if MIN_PART <= len(word) <= MAX_WORD)
        parts.update((token, number) for token in subtokens(text))
    for counted, model in ((found.words, words), (found.parts, parts)):
        held: Counter[tuple[int, int]] = Counter()
        for term, document, times in counted.rows.tolist():
            held[int(counted.hashes[term]), document] += times
        expected: Counter[tuple[int, int]] = Counter()
        for (word, document), times in model.items():
            expected[int(term_hash(word)), document] += times
        assert held == expected
    assert set(found.terms) == {term_key(part) for part, _ in parts}


@settings(max_examples=examples(40, 200), deadline=None)
@given(st.lists(st.binary(max_size=30)))
def test_terms_are_hashed_together_as_one_by_one(keys: list[bytes]) -> None:
    together = hash_keys(keys).tolist()
    assert together == [int(hash_keys([key])[0]) for key in keys]
    words = [key.decode("utf-8", "surrogateescape") for key in keys]
    assert list(map(term_hash, words)) == hash_keys(list(map(sealed_key, keys))).tolist()
    assert len(set(together)) == len(set(keys))
    assert [sealed_key(sealed_key(key)) for key in keys] == list(map(sealed_key, keys))


@given(st.lists(st.sampled_from([*range(6), *(number << 61 for number in range(8)), 5 << 61 | 1])))
def test_equal_hashes_have_one_number_even_where_their_first_bits_say_less(listed: list[int]) -> None:
    numbers, places = _number_equal(np.array(listed, np.uint64))
    assert [listed[place] for place in places.tolist()] == [
        listed[numbers.tolist().index(at)] for at in range(len(places))
    ]
    assert [listed[places[number]] for number in numbers.tolist()] == listed
    assert len(places) == len(set(listed))


@given(st.lists(st.sampled_from([0, 1, 2, 1 << 16, (1 << 16) + 1, 3 << 16])))
def test_more_numbers_than_two_bytes_hold_are_ordered_as_well(listed: list[int]) -> None:
    order = _order_of(np.array(listed, np.int64), 4 << 16).tolist()
    assert order == sorted(range(len(listed)), key=listed.__getitem__)


PATHS = ("app/retry.py", "app/cache.py", "tests/test_retry.py", "docs/retry.md", "notes.txt")
TEXTS = (
    "import app.cache\n\n\ndef retry_delay(tries):\n    return backoff(tries)\n",
    "class Cache:\n    def evict(self):\n        return None\n",
    "from app.retry import retry_delay\n\n\ndef test_retry_delay():\n    assert retry_delay(1)\n",
    "# Retry\n\nHow the retry backoff works.\n\n## Cache\n\nWhat the cache evicts.\n",
    "evict evict evict retries\n",
    "",
)
REQUESTS = ("retry backoff delay", "evict", "How does the cache evict entries?", "retrry")
PARTS = (("app/*.py",), ("docs/",), ("app/retry.py", "notes.txt"))

EDITS = st.tuples(st.just("write"), st.sampled_from(PATHS), st.integers(0, len(TEXTS) - 1))
DELETIONS = st.tuples(st.just("delete"), st.sampled_from(PATHS), st.just(0))
RENAMES = st.tuples(st.just("rename"), st.sampled_from(PATHS), st.integers(0, len(PATHS) - 1))
LOOKS = st.tuples(st.just("part"), st.just(""), st.integers(0, len(PARTS) - 1))
STEPS = st.lists(EDITS | DELETIONS | RENAMES | LOOKS, min_size=1, max_size=5)
START = dict(zip(PATHS, TEXTS, strict=False)) | {"keep.py": "def kept():\n    return retry\n"}


def _apply(root: Path, step: tuple[str, str, int]) -> None:
    action, path, choice = step
    if action == "write":
        write(root, {path: TEXTS[choice]})
    elif action == "delete":
        (root / path).unlink(missing_ok=True)
    elif action == "rename" and (root / path).exists():
        (root / PATHS[choice]).parent.mkdir(exist_ok=True)
        (root / path).replace(root / PATHS[choice])


def _holds(root: Path, part: tuple[str, ...]) -> bool:
    """Whether a part of the repository has a file."""
    return any(place.is_file() for pattern in part for place in root.glob(f"{pattern}*"))


@settings(max_examples=examples(6, 20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
@example([("delete", "docs/retry.md", 0), ("part", "", 1)])
@example([("write", "app/retry.py", 3), ("part", "", 0)])
def test_any_history_of_updates_answers_as_an_index_made_afresh(steps: list[tuple[str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, caches = write(Path(folder) / "root", START), (Path(folder) / f"cache{n}" for n in itertools.count())
        kept = next(caches)
        opened(root, kept).close()
        for step in steps:
            _apply(root, step)
            wishes = {"include": PARTS[step[2]]} if step[0] == "part" else {}
            if wishes and not _holds(root, PARTS[step[2]]):
                continue
            updated, fresh = opened(root, kept, **wishes), opened(root, next(caches), **wishes)
            assert snapshot(updated, REQUESTS) == snapshot(fresh, REQUESTS)
            updated.close()
            fresh.close()
        if steps[-1][0] != "part":
            return  # the last step has just been compared
        last, fresh = opened(root, kept), opened(root, next(caches))
        assert snapshot(last, REQUESTS) == snapshot(fresh, REQUESTS)
        last.close()
        fresh.close()


@settings(max_examples=examples(40, 100), deadline=None)
@given(st.lists(DOCUMENTS, min_size=1, max_size=4))
def test_joined_postings_are_those_of_all_documents(parts: list[list[dict[str, int]]]) -> None:
    bases = [0, *itertools.accumulate(map(len, parts))]
    made = arrays_of_rows(join_rows([_postings(part).rows() for part in parts], bases))
    whole = _postings([document for part in parts for document in part])
    for name, array in made.items():
        expected = getattr(whole, name)[:]
        assert array.dtype == expected.dtype, name
        assert array.tolist() == expected.tolist(), name


def _postings(documents: list[dict[str, int]]) -> FieldPostings:
    return FieldPostings(**hold_arrays(_arrays_of(documents)))


def _arrays_of(documents: list[dict[str, int]]) -> dict[str, NDArray[Any]]:
    terms = sorted({term for document in documents for term in document}, reverse=True)
    rows = [(terms.index(term), doc, times) for doc, counts in enumerate(documents) for term, times in counts.items()]
    keys, table = [term_key(term) for term in terms], np.asarray(rows, np.int64).reshape(-1, 3)
    return build_postings(keys, table, len(documents))


_NAMES = st.sampled_from(("one.py", "two.py", "docs/three.md"))
_STEPS = st.one_of(
    st.tuples(st.sampled_from(("write", "new")), _NAMES, st.integers(0, 99)),
    st.tuples(st.sampled_from(("delete", "commit", "branch", "back", "rebuild", "nothing")), _NAMES, st.just(0)),
)


def _take_step(root: Path, cache: Path, what: str, name: str, number: int) -> None:
    """Do to a repository what a user might between two requests."""
    if what in {"write", "new"}:
        text = f"def upload_{number}():\n    return upload\n"
        write(root, {name if what == "write" else f"new_{number}.py": text})
    elif what == "delete":
        (root / name).unlink(missing_ok=True)
    elif what == "commit":
        commit(root, {})
    elif what == "rebuild":
        rebuild_index(Settings(root=root, cache_dir=cache))
    elif what != "nothing":
        git(root, *(("checkout", "-qfB", "other", "HEAD") if what == "branch" else ("checkout", "-qf", "main")))


def _report(root: Path, cache: Path, number: int) -> tuple[str, tuple[str, ...]]:
    """The report of a request, once all that was written before is settled."""
    asked = Settings(root=root, cache_dir=cache, budget=3_000)
    found = discover(asked, known_files(asked), lambda: time.time_ns() + 60_000_000_000)
    run = run_pack(Request(Scope.TASK, text=f"how does upload {number} work"), asked, discovery=found)
    return run.text, tuple(candidate.file.path for candidate in run.candidates)


@settings(max_examples=examples(2, 40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_STEPS, min_size=1, max_size=4))
@example([("write", "one.py", 1), ("commit", "", 0), ("branch", "", 0), ("write", "one.py", 2), ("back", "", 0)])
def test_a_process_that_holds_its_index_answers_as_a_fresh_one(steps: list[tuple[str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, held = Path(folder) / "root", Path(folder) / "held"
        text = "def upload():\n    return two\n"
        commit(root, {"one.py": text, "two.py": text * 2, "docs/three.md": "# Upload\n\nBatches.\n", "four.py": text})
        hold_indexes(2)
        try:
            for at, step in enumerate([("nothing", "", 0), *steps]):
                _take_step(root, held, *step)
                expected = _report(root, Path(folder) / f"fresh{at}", at)
                for _ in range(3):  # made, opened and then held
                    assert _report(root, held, at) == expected
        finally:
            hold_indexes(0)
