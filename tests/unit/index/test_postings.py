from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ctxpack.index import arrays
from ctxpack.index.arrays import FieldPostings, build_postings
from ctxpack.index.terms import hash_keys, term_key

Documents = list[Mapping[str, int]]


def postings(documents: Documents) -> FieldPostings:
    terms = [term for document in documents for term in document]
    rows = [
        (n, doc, times) for n, (doc, times) in enumerate((d, t) for d, o in enumerate(documents) for t in o.values())
    ]
    keys, table = [term_key(term) for term in terms], np.asarray(rows, np.int64).reshape(-1, 3)
    return FieldPostings(**build_postings(keys, table, len(documents)))  # type: ignore[arg-type]


def found(made: FieldPostings, term: str) -> dict[int, int]:
    result = made.find(term)
    return {} if result is None else dict(zip(result[0].tolist(), result[1].tolist(), strict=True))


def test_only_listed_terms_are_in_the_vocabulary_and_all_are_found() -> None:
    rows = np.asarray([(0, 0, 1), (1, 1, 2), (2, 0, 3)], np.int64)
    made = FieldPostings(**build_postings([b"two", b"one", b"too"], rows, 2, lambda key: key != b"one"))  # type: ignore[arg-type]
    assert made.vocabulary() == ["too", "two"]
    assert made.with_prefix("") == [("too", 1), ("two", 1)]
    assert made.holding(np.asarray([False, True])).tolist() == [0, 0]
    assert made.holding(None).tolist() == [1, 1]
    assert [made.with_prefix(prefix) for prefix in ("tw", "s", "u")] == [[("two", 1)], [], []]
    assert made.vocabulary(made.beginning_with("to")) == ["too"]
    assert [found(made, term) for term in ("one", "too", "two", "three")] == [{1: 2}, {0: 3}, {0: 1}, {}]


def test_terms_with_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    term = b"caf\xe9".decode("utf-8", "surrogateescape")
    terms = [term, "café", "数据"]
    keys, rows = [term_key(each) for each in terms], np.asarray([(0, 0, 1), (1, 0, 2), (2, 0, 3)], np.int64)
    arrays.save_arrays(tmp_path / "file", build_postings(keys, rows, 1))
    made = FieldPostings(**arrays.load_arrays(tmp_path / "file"))
    assert [found(made, each) for each in terms] == [{0: 1}, {0: 2}, {0: 3}]
    assert sorted(made.vocabulary()) == sorted(terms)
    assert made.with_prefix("caf") == [("café", 1), (term, 1)]


def test_nothing_at_all() -> None:
    for made in (postings([]), postings([{}, {}])):
        assert made.find("word") is None
        assert made.with_prefix("") == []
        assert made.vocabulary() == []
        assert made.lengths.sum() == 0
    assert len(postings([{}, {}]).lengths) == 2


def test_counts_stop_at_a_byte_and_lengths_do_not() -> None:
    made = postings([{"often": 300, "once": 1}])
    assert found(made, "often") == {0: 255}
    assert made.lengths.tolist() == [301]


def test_rows_of_one_term_and_document_are_summed() -> None:
    rows = np.asarray([(0, 0, 200), (1, 0, 200), (0, 1, 3)], np.int64)
    made = FieldPostings(**build_postings([b"same", b"same"], rows, 2))  # type: ignore[arg-type]
    assert found(made, "same") == {0: 255, 1: 3}
    assert made.lengths.tolist() == [400, 3]


def test_holding_counts_living_documents_alone() -> None:
    made = postings([{"a": 1, "b": 1}, {"b": 5}, {"c": 1}])
    assert made.holding(np.asarray([True, False, False])).tolist() == [1, 1, 0]
    assert made.holding(np.asarray([True, True, True])).tolist() == [1, 2, 1]


def test_a_long_number_is_found_but_not_kept() -> None:
    card, account, short = "5500005555555559", "gb82west12345698765432", "12345678"
    made = postings([{card: 2}, {account: 1}, {short: 3}])
    assert [found(made, term) for term in (card, account, short)] == [{0: 2}, {1: 1}, {2: 3}]
    kept = made.terms.tobytes()
    assert b"55000055" not in kept
    assert b"123456987" not in kept
    assert short.encode() in kept


def test_many_terms_are_looked_up_at_once() -> None:
    made = postings([{"one": 1, "two": 2}, {"three": 1}])
    words = ["zero", "three", "one", "four", "two"]
    assert made.holds(hash_keys([term_key(word) for word in words])).tolist() == [False, True, True, False, True]
    assert postings([]).holds(hash_keys([b"one"])).tolist() == [False]
