from __future__ import annotations

import pytest

from ctxpack.query.precedents import quotes_of
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


def test_a_number_or_a_path_ends_what_the_code_says_of_a_message() -> None:
    said = "it says «Damaged: 3 parcels without a label, e.g.: /srv/parcels/0412.box» and stops"
    assert ("parcels", "without", "a", "label", "e", "g") in quotes_of(said)


def test_a_fatal_event_is_no_message() -> None:
    assert quotes_of("Fatal crash when the last parcel is sent") == ()
    assert quotes_of("   1: parcel::send::weigh the parcel") == ()


def test_the_folders_and_the_words_of_every_stack_are_no_terms() -> None:
    query = query_of_text(STACK)
    assert {"prices", "seed", "outside", "context"} <= set(query.terms)
    assert not {"usr", "lib", "python3", "site", "packages", "recent", "line"} & set(query.terms)


def test_columns_and_frames_of_the_standard_library_are_no_terms() -> None:
    panic = (
        "thread 'main' panicked at src/send.rs:98:40:\nattempt to subtract with overflow\nstack backtrace:\n"
        "   2: core::panicking::panic_const::panic_const_sub_overflow\n"
        "   3: parcel::send::weigh\n             at ./src/send.rs:98:40"
    )
    query = query_of_text(panic)
    assert set(query.terms) == {"send", "weigh"}
    assert not query.identifiers


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[store]: it was opened before it was filled", "it was opened before it was filled"),
        ("ParcelStore: it was opened before it was filled", "it was opened before it was filled"),
        ("error[E042]: the parcel has no address", "the parcel has no address"),
        ("thread 'main' panicked at src/send.rs:3:5: the parcel has no address", "the parcel has no address"),
        ("thread 'main' panicked at 'the parcel has no address', src/send.rs:3", "the parcel has no address"),
        ("parcel: error (at <stdin>:3): the parcel has no address", "the parcel has no address"),
        ("I get parcel: fatal: the parcel has no address", "the parcel has no address"),
        ("parcel: (33) the parcel has no address", "the parcel has no address"),
        ("Fatal: the parcel has no address", "the parcel has no address"),
        ("Caused by:\n    0: the parcel has no address", "the parcel has no address"),
        ("  × it died\n  ╰─▶ the parcel has no address", "the parcel has no address"),
        ("src/send.c:12:3: error: the parcel has no address", "the parcel has no address"),
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


@pytest.mark.parametrize(
    "line",
    [
        "2026-03-04 08:12:55,101 ERROR the parcel has no address",
        "shop_app  | 2026/02/11 09:31:02.114233 send.go:29: the parcel has no address",
        '[2026-02-02T10:11:12.131313+01:00] app.ERROR: the parcel has no address {"parcel":3} []',
        "[2026-02-14 10:00:00] production.INFO: the parcel has no address",
        "2026-03-01 12:00:00.000  INFO 1 --- [   main] o.shop.Sender   : the parcel has no address",
        "2026-03-01 12:00:00,123 - shop.sender - ERROR - the parcel has no address",
        "2026-03-01T10:22:00.123 shop_send [ERROR] the parcel has no address",
        "[2026-03-04T10:00:00Z ERROR shop::send] the parcel has no address",
        "E, [2026-03-04T10:00:00.123456 #4711] ERROR -- : the parcel has no address",
        "E0304 10:00:00.123456       1 sender.go:114] the parcel has no address",
        "Mar  4 10:00:00 web01 shop[123]: the parcel has no address",
        "1287:M 04 Mar 2026 10:00:00.123 # the parcel has no address",
        "fail: Shop.Parcels.Sender[0]\n      the parcel has no address",
        "WARN[0003] the parcel has no address  parcel=3",
        "[error] the parcel has no address",
        "06-28 10:00:00.123 W/ParcelSender(1234): the parcel has no address",
        "06-28 10:00:00.123  1234  1256 E ParcelSender: the parcel has no address",
        "10:00:00.123 request_id=F1-x [warning] the parcel has no address",
    ],
)
def test_what_a_line_of_a_log_says_is_quoted_without_time_level_logger_and_fields(line: str) -> None:
    assert quotes_of(f"it stops after a while:\n{line}") == (("the", "parcel", "has", "no", "address"),)


def test_errors_of_a_log_are_quoted_before_the_rest() -> None:
    log = "10:00:00 [INFO] the shop was opened\n10:00:01 [ERROR] the parcel has no address"
    assert quotes_of(log)[0] == ("the", "parcel", "has", "no", "address")
    log = "06-28 10:00:00.1 D/Shop( 34): the shop was opened\n06-28 10:00:00.1 W/Shop( 34): the parcel has no address"
    assert quotes_of(log)[0] == ("the", "parcel", "has", "no", "address")


def test_what_json_escapes_is_quoted_and_no_time_nor_address_in_marks() -> None:
    text = '{"at": "2026-03-04T10:00:00Z", "url": "/shop/3", "error": "the parcel has no \\"home\\" address of its"}'
    assert quotes_of(text)[:2] == (("the", "parcel", "has", "no"), ("address", "of", "its"))


@pytest.mark.parametrize(
    "text",
    [
        "Add INFO lines to the sync of parcels",
        "404 page: show the search",
        "- the list: is not sorted",
        "[bug] the list is not sorted",
    ],
)
def test_a_sentence_with_a_level_or_a_number_is_no_log(text: str) -> None:
    assert quotes_of(text) == ()


def test_a_sentence_with_names_in_marks_is_quoted_as_a_whole_too() -> None:
    assert quotes_of("Error: parcel 'home' is missing. Did 'bob' send it?") == (
        ("parcel", "home", "is", "missing"),
        ("did", "bob", "send", "it"),
    )


def test_an_error_around_one_of_the_system_is_quoted_without_it_too() -> None:
    text = "Error: could not read the parcel: No such file or directory"
    assert quotes_of(text)[1:] == (("could", "not", "read", "the", "parcel"), ("no", "such", "file", "or", "directory"))


def test_what_a_runtime_says_of_a_value_is_not_quoted_as_a_whole() -> None:
    assert quotes_of("Error: called `Option::unwrap()` on a `None` value") == ()
    assert quotes_of("AttributeError: 'Parcel' object has no attribute 'home'") == (
        ("object", "has", "no", "attribute"),
    )


def test_what_a_command_typed_at_a_prompt_prints_is_quoted() -> None:
    asked = "now:\n$ parcel send -a\nsending 3 parcels\nparcels not sent: no address or road: Rome\n\nwhy is that"
    assert {("parcels", "not", "sent"), ("sending", "3", "parcels")} <= set(quotes_of(asked))
    assert quotes_of("ann@box:~/src$ ./send\nthe parcel has no address") == (("the", "parcel", "has", "no", "address"),)
    assert quotes_of("it costs 5 $ a month\nthe parcel has no address") == ()


def test_an_error_in_a_browser_that_nothing_caught_is_quoted() -> None:
    asked = "Uncaught (in promise) Error: path: /home/ann/box does not exist"
    assert ("path", "home", "ann", "box", "does", "not", "exist") in quotes_of(asked)
    assert ("the", "box", "is", "shut") in quotes_of("Uncaught Error: the box is shut")
