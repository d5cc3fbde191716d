from __future__ import annotations

import pytest

from ctxpack.query.expansions import FORM_WEIGHT, rephrase
from ctxpack.query.messages import as_code_says, condense_messages, speaks_of_copies, without_wish
from ctxpack.query.understand import query_of_text


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("ImportError: cannot import name 'Mode' from 'black'", ["Mode", "black"]),
        ("ModuleNotFoundError: No module named 'shop.prices'", ["shop.prices"]),
        ("AttributeError: 'NoneType' object has no attribute 'prefix'", ["prefix"]),
        ("TypeError: 'method' object is not subscriptable", ["method"]),
        ("TypeError: send() got an unexpected keyword argument 'retries'", ["send", "retries"]),
        ("TypeError: send() takes 2 positional arguments but 3 were given", ["send"]),
        ("NameError: name 'settings' is not defined", ["settings"]),
        ("cannot unpack non-iterable Batch object", ["Batch"]),
        ("Cannot read properties of undefined (reading 'token')", ["token"]),
        ("client.upload is not a function", ["client.upload"]),
        ("undefined method `deliver' for nil:NilClass", ["deliver"]),
        ("Call to a member function getName() on null", ["getName"]),
        ("cannot find type `Batch` in this scope", ["Batch"]),
        ("NullReferenceException: Object reference not set to an instance of an object.", []),
        ("InvalidOperationException: Collection was modified; enumeration operation may not execute.", []),
        ("The given key 'parcel' was not present in the dictionary.", ["parcel"]),
        ('Cannot invoke "Cart.total()" because "cart" is null', ["Cart.total()", "cart"]),
    ],
)
def test_a_message_is_reduced_to_what_it_names(message: str, names: list[str]) -> None:
    condensed = condense_messages(f"{message} when the uploader starts")
    assert condensed.split("when")[0].split() == [f"`{name}`" for name in names]
    assert condensed.endswith("when the uploader starts")


@pytest.mark.parametrize(
    "text",
    [
        "list index out of range",  # nothing else is left
        "KeyError: 'seaborn-colorblind'",
        "FileNotFoundError: [Errno 2] No such file or directory: 'a.toml'",
        "the import fails, cannot say why",
        "add support for names with spaces",
    ],
)
def test_what_is_no_message_or_nothing_but_one_stays(text: str) -> None:
    assert condense_messages(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("java.lang.Exception: No runnable methods", "No runnable methods"),
        ("java.util.ConcurrentModificationException in the queue", "ConcurrentModificationException in the queue"),
        ("System.IO.FileNotFoundException: the settings", "FileNotFoundException: the settings"),
        ("java.lang.Exception", "java.lang.Exception"),  # nothing else is left
        ("org.parcel.SendException: no address", "org.parcel.SendException: no address"),  # may be the project's
    ],
)
def test_errors_of_a_platform_lose_its_name(text: str, left: str) -> None:
    assert condense_messages(text).strip(": ") == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "panic: runtime error: index out of range [3] with length 3 goroutine 52 [running]: in send",
            "in send",
        ),
        ("it dies [signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x7f] in send", "it dies  in send"),
        ('Exception in thread "main" SendException: no address', "SendException: no address"),
        ("thread 'main' panicked at src/send.rs:3", "panicked at src/send.rs:3"),
        ("Uncaught (in promise) SendError: closed", "SendError: closed"),
        ("Unhandled exception: SendException: closed", "SendException: closed"),
        ("Internal Server Error: /parcels/late", "/parcels/late"),
        ("goroutine 52 [running]:\nmain.send()", "goroutine 52 [running]:\nmain.send()"),  # begins a stack
        ("an internal server error", "an internal server error"),
        ("uncaught errors of the sender", "uncaught errors of the sender"),
    ],
)
def test_what_any_crash_begins_with_is_left_out(text: str, left: str) -> None:
    assert condense_messages(text).strip() == left


def test_what_the_error_of_a_program_begins_with_is_left_out() -> None:
    assert condense_messages("parcel: error (at <stdin>:3): no address") == "parcel: no address"
    assert condense_messages("src/send.c:12:3: fatal error: no address") == "src/send.c:12:3: no address"
    assert condense_messages("I see an error: no address") == "I see an error: no address"


def test_the_words_of_a_message_are_no_terms_and_its_names_are_identifiers() -> None:
    query = query_of_text("ImportError: cannot import name 'Mode' from 'black'")
    assert set(query.terms) == {"mode", "black"}
    assert {"Mode", "black"} <= set(query.identifiers)


@pytest.mark.parametrize("key", ["ctrl-c", "Ctrl+C", "CTRL C", "Control-C", "^C"])
def test_ctrl_c_gets_the_names_that_code_has_for_it(key: str) -> None:
    assert as_code_says(f"{key} needs two presses") == f"{key} SIGINT interrupt needs two presses"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("who stops a read that takes too long", "who stops a read that timeout"),
        ("does the browser join it again", "does the browser join it again rejoin"),
        ("the client connects again", "the client connects again reconnect"),
        ("it opens a file and then again", "it opens a file and then again"),
        ("answer with my own error", "answer with custom error"),
        ("write your own middleware", "custom middleware"),
        ("register my own middleware", "register custom middleware"),
        ("we need our own placeholder", "we need custom placeholder"),
        ("we need the id, own placeholder for it", "we need the id, custom placeholder for it"),
        ("counts votes, comments, own posts", "counts votes, comments, own posts"),
        ("count only my own visits", "count only my own visits"),
        ("they sort it with their own copy of the list", "they sort it with their own copy of the list"),
        ("how do I stop the jobs from mailing me", "how do I prevent ignore the jobs from mailing me"),
        ("stop the job from the menu", "stop the job from the menu"),
        ("switch the second engine off", "the second engine disable"),
        ("which parcels get thrown away", "which parcels get discard"),
        ("it throws them away at night", "it them discard at night"),
        ("it throws an error far away", "it throws an error far away"),
        ("can users log in with a card", "can users login with a card"),
        ("nobody can log in. why?", "nobody can login. why?"),
        ("logged out after a minute", "logout after a minute"),
        ("behind a load balancer", "behind a load balancer proxy"),
        ("raise the frame rate", "raise the frame rate fps"),
        ("raise the max upload size", "increase the max upload size"),
        ("raise an error over the limit", "raise an error over the limit"),
        ("makes sure that a task runs once", "ensure that a task runs once"),
        ("leave that folder out of the site", "leave that folder out exclude of the site"),
        ("who says: did you mean this?", "who says: did you mean suggestion this?"),
        ("make a field read-only", "make a field read-only readonly immutable frozen"),
        ("poll every 10 seconds", "poll every 10 seconds interval"),
        ("output gets cut off after a line", "output gets cut off truncate after a line"),
        ("нужна переменная окружения", "нужна переменная окружения env environ"),
        ("fields of a child class", "fields of a child class subclass"),
    ],
)
def test_turns_of_speech_become_words_of_code(text: str, said: str) -> None:
    assert as_code_says(text) == said


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("add a type for durations, with tests and docs", "add a type for durations"),
        ("update the parser (incl. unit tests)", "the parser ()"),
        ("add a type for durations, tests & docs included", "add a type for durations"),
        ("добавь тип длительности с тестами", "добавь тип длительности"),
        ("add a mode to echo, keep it backwards compatible and update the changelog", "add a mode to echo"),
        ("reuse the table printer, no behaviour change.", "reuse the table printer."),
        ("write a short guide on how errors become responses", "how errors become responses"),
        ("no breaking changes", "no breaking changes"),
        ("make it faster, behaviour unchanged", "make it faster"),
        ("sort it first, no change in behaviour", "sort it first"),
        ("weigh it twice, public signatures unchanged", "weigh it twice"),
        ("weigh it twice, tests stay green", "weigh it twice"),
        ("weigh it twice, and third party scales that print must keep working", "weigh it twice"),
        ("взвешивать дважды, старый вызов не ломать", "взвешивать дважды"),
        ("взвешивать дважды, по умолчанию поведение как сейчас", "взвешивать дважды"),
        ("взвешивать дважды. Старые настройки с весом должны остаться рабочими", "взвешивать дважды. "),
        ("behaviour and caching must stay the same", " and caching"),
        ("stop after 3 errors, update the settings docs as well", "stop after 3 errors"),
        ("update the settings docs", "the settings docs"),
        ("the parser is copy-pasted in two classes, make it one helper", "the parser is   in two classes,  "),
        ("all the guards have the same retry code", " the guards retry "),
        ("the same copied text is pasted", "the same copied text is pasted"),
        ("update the docs of the parser", "the docs of the parser"),
        ("compare the parser with tests that fail", "compare the parser with tests that fail"),
        ("where is the page with docs on types", "where is the page with docs on types"),
    ],
)
def test_what_is_to_be_done_and_delivered_is_not_what_a_request_is_about(text: str, rest: str) -> None:
    assert without_wish(text) == rest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the check is copy-pasted in both links", True),
        ("duplicated logic in two commands", True),
        ("these handlers duplicate a lot of the same code", True),
        ("both middlewares carry the same loop", True),
        ("The html and json generators all carry the very same private code", True),
        ("dedupe the two", True),
        ("two almost identical parsers of the header", True),
        ("код скопирован в трёх командах один в один", True),
        ("Route and WebSocketRoute are nearly the same class", True),
        ("the three tasks are the same class three times", True),
        ("SvelteMap repeats the same block in has, get and set", True),
        ("the block exists three times, put it in one place", True),
        ("a runtime is 90% the same one-liners", True),
        ("both senders weigh it with their own copy of the same code", True),
        ("both senders carry an identical little helper, pull it into one place", True),
        ("identical retry logic in three senders", True),
        ("the same mail is sent three times", False),
        ("two parcels with identical numbers", False),
        ("copy the file to the clipboard", False),
        ("all have the same length", False),
        ("a duplicate key raises an error", False),
        ("each entry is duplicated in the output, three copies of it", False),
        ("each sender keeps its own copy of the list", False),
        ("дубликат ключа", False),
    ],
)
def test_what_is_there_several_times_is_told_from_what_copies(text: str, expected: bool) -> None:  # noqa: FBT001
    assert speaks_of_copies(text) is expected


@pytest.mark.parametrize(
    "text",
    ["ctrl-click does nothing", "control characters", "x^Class", "the C API", "its own file", "leave it as it is"],
)
def test_other_words_stay(text: str) -> None:
    assert as_code_says(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("HEAD requests return 405, fix it", "HEAD requests return 405 method not allowed, fix it"),
        ("the upload answers with 413", "the upload answers with 413 payload too large"),
        ("where is the 429 decided", "where is the 429 too many requests decided"),
        ("every 403 response", "every 403 forbidden response"),
        ("the server returns 302", "the server returns 302 redirect"),
        ("сервер отвечает 404", "сервер отвечает 404 not found"),
        ("getting 413 on upload", "getting 413 payload too large on upload"),
        ("for 404 / 405 it is skipped", "for 404 / 405 not found method not allowed it is skipped"),
        ("hitting 429s from there", "hitting 429s too many requests from there"),
        ("the status code is 413", "the status code is 413 payload too large"),
        ("it asks anew on 401", "it asks anew on 401 unauthorized"),
        ("a refresh on 401 once", "a refresh on 401 unauthorized once"),
        ("on 404 items it fails", "on 404 items it fails"),
        ("returns 404 or 405", "returns 404 or 405 not found method not allowed"),
        ("the length is 413", "the length is 413"),
        ("it waits for 408 seconds", "it waits for 408 seconds"),
        ("it returns 500", "it returns 500"),
        ("it returns 404 items", "it returns 404 items"),
        ("the 404.5 release", "the 404.5 release"),
        ("see line 404", "see line 404"),
        ("error 4041", "error 4041"),
    ],
)
def test_a_status_of_http_gets_its_name(text: str, said: str) -> None:
    assert as_code_says(text) == said


def test_a_long_request_keeps_its_own_words_and_gets_others_as_expansions() -> None:
    text = "on a slow connection the log of the last job that ran gets cut off in the middle of a line"
    assert as_code_says(text) == text
    (found,) = rephrase(text, {"cut": 2.0, "job": 1.0}, {"truncate"}.__contains__)
    assert (found.term, found.source, found.weight) == ("truncate", "cut", 2.0 * FORM_WEIGHT)


@pytest.mark.parametrize(
    ("text", "name"), [("the C# version", "csharp"), ("a C++ client", "cpp"), ("what F# needs", "fsharp")]
)
def test_a_language_called_by_a_letter_and_a_sign_is_looked_for(text: str, name: str) -> None:
    assert name in query_of_text(text).terms


def test_a_sign_behind_a_letter_may_be_no_language() -> None:
    assert as_code_says("see #c#d and abc#1, i += c++x") == "see #c#d and abc#1, i += c++x"
