from __future__ import annotations

import importlib
import random

import pytest

from ctxpack.errors import UsageError
from ctxpack.system.tokens import ENCODINGS, counter, parse_budget


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("8k", 8_000),
        ("8K", 8_000),
        ("32000", 32_000),
        ("32_000", 32_000),
        ("32,000", 32_000),
        ("1M", 1_000_000),
        ("1m", 1_000_000),
        ("1.5k", 1_500),
        ("128K", 128_000),
        (" 4 k ", 4_000),
        ("0.5k", 500),
        ("1.2345k", 1_234),
    ],
)
def test_a_budget_is_read_as_people_write_it(text: str, tokens: int) -> None:
    assert parse_budget(text) == tokens


@pytest.mark.parametrize(
    "text", ["", "abc", "-5", "8kb", "k", "1..5k", "1e3", "1,5k", "nan", "8 000 k", "9" * 400, "٣٢"]
)
def test_what_is_no_number_of_tokens_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a number of tokens") as caught:
        parse_budget(text)
    assert "8k" in caught.value.hint


@pytest.mark.parametrize("text", ["0", "0k", "0.4"])
def test_an_empty_budget_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no token at all"):
        parse_budget(text)


def test_an_unknown_encoding_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="'p50k_base'") as caught:
        counter("p50k_base")
    assert all(name in caught.value.hint for name in ENCODINGS)


@pytest.mark.parametrize(
    ("encoding", "text", "tokens"),
    [
        ("o200k_base", "", 0),
        ("o200k_base", "hello world", 2),
        ("cl100k_base", "hello world", 2),
        ("o200k_base", "привет мир", 3),
        ("cl100k_base", "привет мир", 6),
    ],
)
def test_counts_are_those_of_the_encoding(encoding: str, text: str, tokens: int) -> None:
    assert counter(encoding).count(text) == tokens


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_special_token_in_a_source_text_is_plain_text(encoding: str) -> None:
    assert counter(encoding).count("<|endoftext|>") > 3


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_vocabulary_holds_every_text_and_counts_it_in_pieces(encoding: str) -> None:
    from splintr import Tokenizer

    tokenizer = Tokenizer.from_pretrained(encoding)
    text = "  def x(a):\n\treturn привет 重试 <s> <bos> <|im_end|> \x00 \u2028 e\u0301 😀\n\n"
    assert tokenizer.decode(tokenizer.encode_ordinary(text)) == text
    assert 10 < counter(encoding).count(text) <= len(text.encode())
    assert counter(encoding).count("") == 0


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("unit", [" ", "a", "1", "\n", "重"])
def test_every_vocabulary_counts_long_runs(encoding: str, unit: str) -> None:
    assert 0 < counter(encoding).count(unit * 200_000) <= 600_000


def test_lone_surrogates_are_counted() -> None:
    assert counter().count("caf\udce9.py") >= 3


@pytest.mark.parametrize("unit", [" ", "\n", "=", "a", "中", " \n", "ab1"])
def test_a_megabyte_of_the_same_is_counted(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert 0 < counter().count(text + "x") <= len(text) + 1


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
def test_counts_equal_tiktoken_on_the_same_vocabulary(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken
    from splintr import Tokenizer

    openai_public = importlib.import_module("tiktoken_ext.openai_public")
    size = {"o200k_base": 199_998, "cl100k_base": 100_256}[encoding]
    tokenizer = Tokenizer.from_pretrained(encoding)
    ranks = {tokenizer.decode_bytes([token]): token for token in range(size)}
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: ranks)  # its tables need a network
    reference = tiktoken.Encoding(**getattr(openai_public, encoding)())
    dice = random.Random(7)  # noqa: S311
    alphabet = [*" \n\t\r'\"{}()=+abZ019_-#éя中😀\u0301\u2028\x00İß", "'ll", "    ", "<|endoftext|>", "return", "слово"]
    for _ in range(2_000):
        text = "".join(dice.choice(alphabet) for _ in range(dice.randrange(1, 60)))
        assert counter(encoding).count(text) == len(reference.encode_ordinary(text)), text
