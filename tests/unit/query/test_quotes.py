from __future__ import annotations

import pytest

from ctxpack.query.mentions import quotes_of
from ctxpack.query.understand import query_of_text

STACK = """It dies:

Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/shop/prices.py", line 9, in seed_prices
    url = app.config["URL"]
RuntimeError: Working outside of application context.
"""


def test_what_an_error_says_and_what_stands_in_quotation_marks() -> None:
    assert quotes_of(STACK) == (("working", "outside", "of", "application", "context"),)
    assert quotes_of("where does 'Did you mean this?' come from") == (("did", "you", "mean", "this"),)
    assert quotes_of("it's the user's and that isn't ours") == ()


def test_each_sentence_of_a_message_is_one_quotation_without_what_it_was_given_to_say() -> None:
    said = "Error: No such option: --fox. Did you mean --foxes? I look for that list."
    assert quotes_of(said)[:2] == (("no", "such", "option"), ("did", "you", "mean"))
    assert quotes_of("it says 'Cannot find the theme. Using the default one.'") == (
        ("cannot", "find", "the", "theme"),
        ("using", "the", "default", "one"),
    )


def test_the_folders_and_the_words_of_every_stack_are_no_terms() -> None:
    query = query_of_text(STACK)
    assert {"prices", "seed", "outside", "context"} <= set(query.terms)
    assert not {"usr", "lib", "python3", "site", "packages", "recent", "line"} & set(query.terms)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[store]: it was opened before it was filled", "it was opened before it was filled"),
        ("ParcelStore: it was opened before it was filled", "it was opened before it was filled"),
        ("error[E042]: the parcel has no address", "the parcel has no address"),
        ("thread 'main' panicked at src/send.rs:3:5: the parcel has no address", "the parcel has no address"),
        ("thread 'main' panicked at 'the parcel has no address', src/send.rs:3", "the parcel has no address"),
    ],
)
def test_what_a_line_says_after_a_tag_or_a_name_or_in_a_panic_is_quoted(text: str, said: str) -> None:
    assert tuple(said.split()) in quotes_of(text)


@pytest.mark.parametrize(
    "text",
    ["[Bug]: the list is not sorted", "Steps: open the list and sort it", "why does `store.open(parcel, late)` fail"],
)
def test_titles_of_issues_and_code_in_marks_are_no_quotations(text: str) -> None:
    assert quotes_of(text) == ()
