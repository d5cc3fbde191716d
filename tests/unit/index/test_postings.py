from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ctxpack.index import arrays, terms
from ctxpack.index.arrays import hold_arrays
from ctxpack.index.merge import join_rows
from ctxpack.index.postings import among
from ctxpack.index.segment import TextHits, TextPostings, arrays_of_text, counts_of
from ctxpack.index.terms import (
    FieldPostings,
    TermList,
    TermRows,
    build_postings,
    hash_keys,
    rows_of_hashes,
    term_key,
    vocabulary_of,
)
from tests.indexing import opened, write

Documents = list[Mapping[str, int]]


def arrays_of(documents: Documents) -> tuple[list[bytes], dict[str, NDArray[Any]]]:
    terms = [term for document in documents for term in document]
    rows = [
        (n, doc, times) for n, (doc, times) in enumerate((d, t) for d, o in enumerate(documents) for t in o.values())
    ]
    keys, table = [term_key(term) for term in terms], np.asarray(rows, np.int64).reshape(-1, 3)
    return keys, build_postings(keys, table, len(documents))


def postings(documents: Documents) -> FieldPostings:
    return FieldPostings(**hold_arrays(arrays_of(documents)[1]))


def vocabulary(documents: Documents) -> TermList:
    keys, made = arrays_of(documents)
    return TermList(**hold_arrays(terms_of(keys, made)))


def terms_of(keys: Sequence[bytes], made: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    rows = FieldPostings(**hold_arrays(made)).rows()
    return vocabulary_of(keys, rows.hashes, rows.sizes)


def listed(made: TermList, prefix: str = "") -> list[tuple[str, int]]:
    terms, held = made.beginning_with(prefix)
    return list(zip(terms, held.tolist(), strict=True))


def found(made: FieldPostings, term: str) -> dict[int, int]:
    result = made.find(term)
    return {} if result is None else dict(zip(result[0].tolist(), result[1].tolist(), strict=True))


def test_only_listed_terms_are_in_the_vocabulary_and_all_are_found() -> None:
    rows = np.asarray([(0, 0, 1), (1, 1, 2), (2, 0, 3), (2, 1, 1)], np.int64)
    found_arrays = build_postings([b"two", b"one", b"too"], rows, 2)
    made = FieldPostings(**hold_arrays(found_arrays))
    terms = TermList(**hold_arrays(terms_of([b"two", b"too", b"two"], found_arrays)))
    assert listed(terms) == [("too", 2), ("two", 1)]
    assert [listed(terms, prefix) for prefix in ("tw", "to", "s", "u")] == [[("two", 1)], [("too", 2)], [], []]
    assert [found(made, term) for term in ("one", "too", "two", "three")] == [{1: 2}, {0: 3, 1: 1}, {0: 1}, {}]


def test_terms_with_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    term = b"caf\xe9".decode("utf-8", "surrogateescape")
    terms = [term, "café", "数据"]
    keys, rows = [term_key(each) for each in terms], np.asarray([(0, 0, 1), (1, 0, 2), (2, 0, 3)], np.int64)
    made = build_postings(keys, rows, 1)
    arrays.save_arrays(tmp_path / "file", made)
    arrays.save_arrays(tmp_path / "terms", terms_of(keys, made))
    stored = FieldPostings(**arrays.load_arrays(tmp_path / "file"))
    assert [found(stored, each) for each in terms] == [{0: 1}, {0: 2}, {0: 3}]
    held = TermList(**arrays.load_arrays(tmp_path / "terms"))
    assert sorted(listed(held)) == sorted((each, 1) for each in terms)
    assert listed(held, "caf") == [("café", 1), (term, 1)]


def test_of_many_terms_a_block_is_read(tmp_path: Path) -> None:
    documents: Documents = [{f"term{number:04}{letter}" * 2: 1 for letter in "ab"} for number in range(2_000)]
    keys, made = arrays_of(documents)
    arrays.save_arrays(tmp_path / "file", made)
    arrays.save_arrays(tmp_path / "terms", terms_of(keys, made))
    stored = FieldPostings(**arrays.load_arrays(tmp_path / "file"))
    held = TermList(**arrays.load_arrays(tmp_path / "terms"))
    for number, document in enumerate(documents):
        assert all(found(stored, term) == {number: 1} for term in document)
        assert listed(held, f"term{number:04}") == [(term, 1) for term in document]
    assert found(stored, "term") == {}
    assert len(listed(held, "term1")) == len(listed(held, "te")) / 2 == len(listed(held)) / 2 == 2_000
    assert listed(held, "term1999b" * 2 + "c") == listed(held, "a") == listed(held, "u") == []


def test_nothing_at_all() -> None:
    empty: tuple[Documents, ...] = ([], [{}, {}])
    for documents in empty:
        assert postings(documents).find("word") is None
        assert listed(vocabulary(documents)) == listed(vocabulary(documents), "w") == []
        assert postings(documents).lengths[:].tolist() == [0] * len(documents)


def test_counts_stop_at_a_byte_and_lengths_do_not() -> None:
    made = postings([{"often": 300, "once": 1}])
    assert found(made, "often") == {0: 255}
    assert made.lengths[:].tolist() == [301]


def test_rows_of_one_term_and_document_are_summed() -> None:
    rows = np.asarray([(0, 0, 200), (1, 0, 200), (0, 1, 3)], np.int64)
    made = FieldPostings(**hold_arrays(build_postings([b"same", b"same"], rows, 2)))
    assert found(made, "same") == {0: 255, 1: 3}
    assert made.lengths[:].tolist() == [400, 3]


def test_a_long_number_is_found_but_not_kept() -> None:
    card, account, short = "5500005555555559", "gb82west12345698765432", "12345678"
    documents: Documents = [{card: 2}, {account: 1}, {short: 3}]
    made = postings(documents)
    assert [found(made, term) for term in (card, account, short)] == [{0: 2}, {1: 1}, {2: 3}]
    kept = b" ".join(vocabulary(documents).all_terms())
    assert b"55000055" not in kept
    assert b"123456987" not in kept
    assert short.encode() in kept


def test_many_terms_are_looked_up_at_once() -> None:
    made = postings([{"one": 1, "two": 2}, {"three": 1}])
    words = ["zero", "three", "one", "four", "two"]
    places = made.places(hash_keys([term_key(word) for word in words]))
    assert [made.documents(place)[0].tolist() if place >= 0 else [] for place in places] == [[], [1], [0], [], [0]]
    assert postings([]).places(hash_keys([b"one"])) == [-1]


def test_a_few_of_many_terms_are_found_where_all_are_without_reading_all(monkeypatch: pytest.MonkeyPatch) -> None:
    made = postings([{f"w{number}": 1 for number in range(5_000)}])
    many = made.places(hash_keys([term_key(word) for word in ("w0", "none", "w4999")]))
    assert [place < 0 for place in many] == [False, True, False]
    monkeypatch.setattr(terms, "_FEW", 1)
    made.firsts.numbers  # noqa: B018 - read once
    monkeypatch.delattr(arrays.StoredArray, "__getitem__")
    assert made.places(hash_keys([term_key(word) for word in ("w0", "none", "w4999")])) == many


def test_numbers_among_others_are_found() -> None:
    assert among([3, 0, 9, 5], np.array([0, 3, 5], np.int64)).tolist() == [True, True, False, True]
    assert among([3], np.array([], np.int64)).tolist() == [False]
    assert among([], np.array([1], np.int64)).tolist() == []


def test_chunks_with_all_of_some_terms(tmp_path: Path) -> None:
    write(tmp_path / "r", {"a.py": "red = blue = 1\n", "b.py": "red = 2\n", "c.py": "blue = red = green = 3\n"})
    view = opened(tmp_path / "r", tmp_path / "cache")
    numbers = {view.files[file].path: n for n, file in enumerate(view.postings.chunk_file.tolist())}
    for wanted, names in ((("red", "blue", "red"), "ac"), (("green", "red"), "c"), (("green", "none"), ""), ((), "")):
        held = view.postings.chunks_with_all("sub", wanted).tolist()
        assert held == sorted(numbers[f"{name}.py"] for name in names)
    view.close()


def test_no_more_segments_are_read_than_show_that_a_word_is_common(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path / "r", {"a.py": "red = blue\n", "b.py": "red = red_one\n", "c.py": "red = 3\n"})
    opened(root, tmp_path / "cache").close()
    write(root, {"c.py": "red = green\n"})
    view, read, find = opened(root, tmp_path / "cache"), list[str](), TextPostings.find

    def see(its: TextPostings, term: str) -> TextHits | None:
        read.append(term)
        return find(its, term)

    monkeypatch.setattr(TextPostings, "find", see)
    held = view.postings
    assert [held.is_in_more_than(most, "word", "red") for most in (2, 3)] == [True, False]  # one chunk is gone
    assert [held.is_in_more_than(0, "word", word) for word in ("green", "one", "none")] == [True, False, False]
    assert held.is_in_more_than(0, "sub", "one")
    read.clear()
    assert held.is_in_more_than(0, "word", "red")
    assert read == ["red"]  # of two segments
    held.look_up("word", ["red"])
    assert [held.is_in_more_than(most, "word", "red") for most in (2, 3)] == [True, False]
    assert read == ["red"]
    view.close()


Held = dict[str, dict[int, tuple[int, int]]]


def text_rows(held: Held, first: int, stop: int) -> TermRows:
    """The rows of some documents, numbered from 0: how often each holds a term as a subtoken, and as a word."""
    keys = [term_key(term) for term in held]
    tables = [
        [
            (number, doc - first, counts[way])
            for number, its in enumerate(held.values())
            for doc, counts in its.items()
            if first <= doc < stop and counts[way]
        ]
        for way in (0, 1)
    ]
    return rows_of_hashes(hash_keys(keys), [np.array(table, np.int64).reshape(-1, 3) for table in tables], stop - first)


def text_postings(rows: TermRows) -> TextPostings:
    found = hold_arrays(arrays_of_text(rows))
    held = FieldPostings(**{name: found[f"held.{name}"] for name in FieldPostings.__match_args__})
    return TextPostings(held, found["rare"], found["rare_counts"], found["word_lengths"])


def texts() -> Held:
    """Terms with all counts, of which one is in more documents than a block counts and others fill some blocks."""
    held: Held = {"common": {doc: (doc % 90, doc % 40) for doc in range(1, 1_000)}}
    held |= {f"rare{n}": {n % 1_000: (300, 0)} for n in range(300)}
    held |= {f"often{n}": dict.fromkeys(range(n, 1000, n + 1), (1, n % 2)) for n in range(300)}
    held["both"] = {doc: (doc // 20, doc % 20) for doc in range(1, 400)}
    held["word"] = {3: (0, 31), 4: (0, 32), 5: (0, 255)}
    return {term: {doc: counts for doc, counts in its.items() if any(counts)} for term, its in held.items()}


def test_subtokens_and_words_of_a_text_are_kept_together() -> None:
    held, made = texts(), text_postings(text_rows(texts(), 0, 1_000))
    for term, its in held.items():
        hits = made.find(term)
        assert hits is not None
        subtokens, words = counts_of([hits])
        pairs = zip(subtokens.tolist(), words.tolist(), strict=True)
        expected = {doc: (min(counts[0], 255), counts[1]) for doc, counts in its.items()}
        assert dict(zip(hits.docs.tolist(), pairs, strict=True)) == expected
    assert made.find("none") is None
    for way, column in enumerate((made.held.lengths, made.word_lengths)):
        assert column[:].tolist() == [sum(its.get(doc, (0, 0))[way] for its in held.values()) for doc in range(1_000)]
    assert len(made.held.docs) == sum(map(len, held.values()))  # one entry for both


def test_texts_that_are_joined_are_those_of_all_documents() -> None:
    parts = [text_postings(text_rows(texts(), *span)).rows() for span in ((0, 10), (10, 10), (10, 600), (600, 1_000))]
    joined, whole = (
        arrays_of_text(join_rows(parts, (0, 10, 10, 600, 1_000))),
        arrays_of_text(text_rows(texts(), 0, 1_000)),
    )
    for name, array in whole.items():
        assert (joined[name].dtype, joined[name].tolist()) == (array.dtype, array.tolist()), name


def test_counts_of_several_segments_are_found_at_once() -> None:
    parts = [text_postings(text_rows(texts(), *span)) for span in ((0, 500), (500, 1_000))]
    hits = [hits for part in parts if (hits := part.find("common"))]
    subtokens, words = counts_of(hits)
    assert list(zip(subtokens.tolist(), words.tolist(), strict=True)) == list(texts()["common"].values())
    assert [column.tolist() for column in counts_of([])] == [[], []]
