from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.system.disk import DamagedError
from ctxpack.system.tokens import (
    _LAID_OUT,
    _SIZE,
    LineCounter,
    TokenRanks,
    _load,
    _published_table,
    count_merged,
    counter,
    is_published,
    keep_vocabulary,
    prepare_vocabulary,
    read_vocabulary,
    table_of,
)
from tests.test_imports import loaded_by

SOURCE = Path(__file__).parent.parent.parent
EXACT = counter().count
TRICKY = (
    "\n", "\n\n", "\r\n", "\r", " ", "  ", "    ", "\t", "/", "//", " /", "'s", "'LL", "'", "_", "self", "HTTPServer",
    "x1", "1234567", "é", "Ünï", "привет", "ПРИВЕТ", "日本語", "—", "…", "🎉", "\u00a0", "\u2028", "\x1c", "\x00",
    "e\u0301", "ſ", "²", "Ⅷ", "ع", "<|endoftext|>", "====", "---", "#", ");", "{\n", "}\n", "\udc80", "©", "️", "!?",
)  # fmt: skip


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> TokenRanks:
    folder = tmp_path_factory.mktemp("vocabularies")
    counter("o200k_base", folder)
    found = read_vocabulary(folder)
    assert found is not None
    return found


def exact_only(vocabulary: TokenRanks) -> LineCounter:
    """A counter that fails where the vocabulary is not enough."""

    def refuse(text: str) -> int:
        raise AssertionError(text)

    return LineCounter(vocabulary, refuse)


TEXTS = st.lists(st.one_of(st.sampled_from(TRICKY), st.text(max_size=6)), max_size=40).map("".join)


@settings(max_examples=400, deadline=None)
@given(text=TEXTS)
def test_every_text_counts_as_many_tokens_as_splintr_says(vocabulary: TokenRanks, text: str) -> None:
    assert LineCounter(vocabulary, EXACT).count(text) == EXACT(text)


@settings(max_examples=200, deadline=None)
@given(text=st.text(st.characters(codec="ascii"), max_size=200))
def test_ascii_is_counted_without_splintr(vocabulary: TokenRanks, text: str) -> None:
    assert exact_only(vocabulary).count(text) == EXACT(text)


def test_sources_cut_anywhere_count_alike(vocabulary: TokenRanks) -> None:
    chance, mine = random.Random(7), LineCounter(vocabulary, EXACT)  # noqa: S311 - not for secrets
    for path in sorted([*SOURCE.glob("ctxpack/**/*.py"), *SOURCE.glob("*.md")]):
        text = path.read_text(encoding="utf-8")
        assert mine.count(text) == EXACT(text), path
        start, end = sorted(chance.choices(range(len(text) + 1), k=2))
        assert mine.count(text[start:end]) == EXACT(text[start:end]), (path, start, end)


def test_every_letter_of_latin_greek_and_cyrillic_is_counted_without_splintr(vocabulary: TokenRanks) -> None:
    mine = exact_only(vocabulary)
    blocks = (range(0x100, 0x250), range(0x386, 0x530), range(0x1E00, 0x1F00))
    letters = [each for block in blocks for each in map(chr, block) if each.isupper() or each.islower()]
    assert len(letters) > 900
    for letter in letters:
        for text in (
            letter,
            f"aZ{letter}b",
            f"A{letter}B{letter}c",
            f"x {letter}{letter}1",
            f"Я{letter}я'll {letter}\n",
        ):
            assert mine.count(text) == EXACT(text), text


def test_a_long_word_is_left_to_splintr(vocabulary: TokenRanks) -> None:
    asked: list[str] = []
    mine = LineCounter(vocabulary, lambda text: asked.append(text) or EXACT(text))  # type: ignore[func-returns-value]
    text = f"a\n{'xyz' * 200}\nb\n"
    assert mine.count(text) == EXACT(text)
    assert asked == [f"{'xyz' * 200}\n"]


def test_a_word_is_put_together_from_its_best_pairs(vocabulary: TokenRanks) -> None:
    for word in ("LOOKUP", "ctxpack", "привет", "a", "zzzzqqqq", "antidisestablishmentarianism"):
        assert count_merged(word.encode(), vocabulary) == EXACT(word)


def test_the_vocabulary_is_kept_once_and_read_without_splintr(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from ctxpack.system.tokens import counter; "
        f"counter('o200k_base', Path({str(tmp_path)!r}))"
    )
    assert "splintr" in loaded_by(code)
    assert [path.name for path in tmp_path.iterdir()] == ["o200k_base.1.bin"]
    assert "splintr" not in loaded_by(f"{code}.count('def read(path): ...')")


def test_the_vocabulary_is_laid_out_once_for_several_folders(tmp_path: Path) -> None:
    asked: list[int] = []

    def token_of(rank: int) -> bytes:
        asked.append(rank)
        return b"%d" % rank

    for name in ("one", "two"):
        keep_vocabulary(tmp_path / name, token_of)
    assert len(asked) == len(set(asked)) > 100_000


def test_a_damaged_vocabulary_is_made_anew(tmp_path: Path) -> None:
    counter("o200k_base", tmp_path)
    place = tmp_path / "o200k_base.1.bin"
    whole = place.read_bytes()
    for damaged in (whole[:1000], b"", whole[:-1] + bytes([whole[-1] ^ 1])):
        place.write_bytes(damaged)
        assert read_vocabulary(tmp_path) is None
        counter.cache_clear()
        assert counter("o200k_base", tmp_path).count("hello world") == 2
        assert place.read_bytes() == whole


def test_only_the_published_vocabulary_is_kept(tmp_path: Path) -> None:
    keep_vocabulary(tmp_path, lambda rank: b"%d" % rank)
    assert list(tmp_path.iterdir()) == []
    assert not is_published([b"a", b"b"])


def test_the_table_is_told_by_its_digest_and_is_that_of_the_published_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = [_load("o200k_base").token(rank) for rank in range(_SIZE)]
    assert is_published(tokens)
    assert hashlib.sha256(table_of(tokens)).hexdigest() == _LAID_OUT
    monkeypatch.setattr("ctxpack.system.tokens.is_published", lambda _: pytest.fail("all was written again"))
    assert _published_table(lambda rank: tokens[rank]) == table_of(tokens)


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert counter("o200k_base", tmp_path / "file" / "folder").count("hello world") == 2


def test_a_table_that_is_too_short_is_damaged() -> None:
    with pytest.raises(DamagedError):
        TokenRanks(table_of([b"a", b"b"])[:-12])


def test_other_encodings_are_not_kept(tmp_path: Path) -> None:
    assert counter("cl100k_base", tmp_path).count("hello world") == 2
    assert list(tmp_path.iterdir()) == []


def test_another_interpreter_lays_the_vocabulary_out_before_it_is_needed(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from ctxpack.system.tokens import _interpreters, counter, prepare_vocabulary; "
        f"folder = Path({str(tmp_path)!r}); prepare_vocabulary(folder); process = _interpreters.get(folder); "
        "assert process is None or process.wait() == 0; counter('o200k_base', folder).count('def read(path): ...')"
    )
    assert "splintr" not in loaded_by(code)
    assert [path.name for path in tmp_path.iterdir()] == ["o200k_base.1.bin"]
    assert "subprocess" not in loaded_by(code), "it is there: no other interpreter is started"


def test_what_this_interpreter_has_loaded_no_other_one_loads(tmp_path: Path) -> None:
    EXACT("splintr is loaded")
    prepare_vocabulary(tmp_path)
    assert counter("o200k_base", tmp_path).count("hello world") == 2
    assert read_vocabulary(tmp_path) is not None


def test_while_another_interpreter_lays_it_out_this_one_does_not(tmp_path: Path) -> None:
    code = (
        "import time; from pathlib import Path; from ctxpack.system import tokens; "
        f"folder = Path({str(tmp_path)!r}); tokens.prepare_vocabulary(folder); first = tokens._interpreters[folder]; "
        "tokens.prepare_vocabulary(folder); assert tokens._interpreters[folder] is first or first.poll() == 0; "
        "tokens.keep_vocabulary = None; assert tokens.counter('o200k_base', folder).count('hello world') == 2; "
        "assert tokens._interpreters[folder].wait() == 0; assert tokens.read_vocabulary(folder) is not None"
    )
    loaded_by(code)
