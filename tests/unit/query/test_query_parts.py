"""split_parts: what of a request is title, prose, code, traceback."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.model import Part
from ctxpack.query.parts import MAX_TITLE, is_headed, lighter_words, said_in_passing, split_parts, without_purpose
from ctxpack.query.subtokens import STOPWORDS


def text_of(text: str, part: Part) -> str:
    return "\n".join(chunk for found, chunk in split_parts(text) if found is part)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("how does the cache expire", "how does the cache expire"),
        ("# Uploads fail\n\nbody", "Uploads fail"),
        ("## Title: Uploads fail\n\nbody", "Uploads fail"),
        ("#Title: Uploads fail\n\nbody", "Uploads fail"),
        ("**Title: Uploads fail**\n\n**Description:**\n\nbody", "Uploads fail"),
        ("### Title\n\nUploads fail\n\n### Description\n\nbody", "Uploads fail"),
        ("## Title:\n\nUploads fail\n", "Uploads fail"),
        ("INTERNALERROR in __repr__\nmore", "INTERNALERROR in __repr__"),
        ("Заголовок: Не работает кэш\n\nтекст", "Не работает кэш"),
        ("version", "version"),
        ("### Steps to reproduce", "### Steps to reproduce"),
    ],
)
def test_title_is_the_first_line_that_says_something(text: str, title: str) -> None:
    assert split_parts(text)[0] == (Part.TITLE, title)


def test_long_single_line_is_cut_at_its_first_sentence() -> None:
    text = "Uploads fail. " + "They fail whenever the disk is nearly full. " * 5
    parts = split_parts(text)
    assert parts[0] == (Part.TITLE, "Uploads fail.")
    assert parts[1][0] is Part.PROSE
    assert parts[1][1].startswith("They fail")


def test_long_line_without_sentence_is_cut_between_words() -> None:
    title = split_parts("word " * 60)[0][1]
    assert len(title) <= MAX_TITLE
    assert set(title.split()) == {"word"}


def test_long_first_line_of_a_longer_text_stays_whole() -> None:
    first = "Session.resolve_redirects copies the original request for all subsequent requests and then " + "x" * 50
    assert split_parts(first + "\n\nbody text")[0] == (Part.TITLE, first)


def test_title_ends_where_a_heading_follows_on_the_same_line() -> None:
    parts = split_parts("## Title: Resend fails #### Description: " + "The mail is not sent again. " * 10)
    assert parts[0] == (Part.TITLE, "Resend fails")
    assert "Description" not in parts[1][1]


def test_template_lines_are_no_part() -> None:
    text = (
        "Uploads fail\n<!-- please fill in -->\n- [x] I have searched\n### Describe the bug\nIt breaks.\n"
        "### Steps to reproduce:\n**Expected behavior**\nworks\n### Rust Version\n_No response_\n"
    )
    assert split_parts(text) == ((Part.TITLE, "Uploads fail"), (Part.PROSE, "It breaks.\nworks"))


def test_template_label_before_text_is_taken_off() -> None:
    assert text_of("Backups\n\n### Expected Behavior: keep seven of them", Part.PROSE) == "keep seven of them"


def test_fenced_code_is_code_and_fences_are_nothing() -> None:
    text = "Fails\n\n```python\nx = 1\n\nplain words inside\n```\nafter that it is gone"
    assert split_parts(text)[1:] == (
        (Part.CODE, "x = 1\nplain words inside"),
        (Part.PROSE, "after that it is gone"),
    )


def test_inner_fence_of_other_kind_does_not_close() -> None:
    assert "``` inner" in text_of("t\n\n~~~~\n``` inner\nb\n~~~~\nc", Part.CODE)


def test_unfenced_python_is_code() -> None:
    text = (
        "Decorator loses names\nConsider this case\nimport functools\nclass Test:\n\tdef hello(self):\n"
        '\t\treturn "hello"\nTest().hello()\nThis results in an exception that nobody wants to see.'
    )
    assert text_of(text, Part.CODE).startswith("import functools\nclass Test:")
    assert text_of(text, Part.CODE).endswith("Test().hello()")
    assert "Consider this case" in text_of(text, Part.PROSE)
    assert "This results in" in text_of(text, Part.PROSE)


def test_unfenced_braces_are_code() -> None:
    text = "Panic\nI ran this:\nfn main() {\n    let x = f();\n}\nand got nothing at all from it."
    assert text_of(text, Part.CODE) == "fn main() {\n    let x = f();\n}"


def test_one_line_of_code_in_prose_stays_prose() -> None:
    assert text_of("Title\nIn a.py is a command:\nmethod = str(method)\nwhich is wrong here", Part.CODE) == ""


@pytest.mark.parametrize("prompt", [">>> f(1)", "In [3]: f(1)"])
def test_prompt_is_code_even_alone(prompt: str) -> None:
    assert text_of(f"Title\nsome words before it\n{prompt}\nsome words after it", Part.CODE) == prompt


def test_indented_prose_before_code_stays_prose() -> None:
    text = "Title\n  an indented line of words\nx = 1\ny = 2\nz = 3\nand so it goes on"
    assert text_of(text, Part.CODE) == "x = 1\ny = 2\nz = 3"


def test_sentences_that_begin_like_code_are_prose() -> None:
    line = "return the value of the field to the caller"
    assert text_of(f"Title\n{line}\n{line}\n{line}", Part.CODE) == ""


def test_list_of_sentences_is_prose() -> None:
    text = (
        "Title\n\n1. Open the page\n2. Press the button\n3. See the error\n\n- one thing\n- other thing\n- third thing"
    )
    assert text_of(text, Part.CODE) == ""


def test_python_traceback_with_mangled_white_space() -> None:
    text = (
        'Crash\nThe page dies:\nTraceback (most recent call last):\n File "a.py", line 1, in f\n\tg()\n'
        ' File "b.py", line 2, in g\nraise X()\napp.errors.FieldMissing\n'
        "During handling of the above exception, another exception occurred:\n"
        'Traceback (most recent call last):\n File "c.py", line 3, in h\n\tx\nValueError: no\nThen it stops.'
    )
    found = text_of(text, Part.TRACEBACK)
    assert all(word in found for word in ("a.py", "raise X()", "FieldMissing", "c.py", "ValueError: no"))
    assert text_of(text, Part.PROSE) == "The page dies:\nThen it stops."


def test_traceback_inside_a_fence_is_a_traceback() -> None:
    stack = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nKeyError: 1'
    text = f"Crash\n```\n$ run\n{stack}\n```\nend"
    assert "a.py" in text_of(text, Part.TRACEBACK)
    assert text_of(text, Part.CODE) == "$ run"


@pytest.mark.parametrize(
    "stack",
    [
        "TypeError: x is undefined\n    at foo (src/a.js:10:5)\n    at async bar (src/b.js:1:1)",
        "java.lang.IllegalStateException: no\n\tat com.x.Y.m(Y.java:12)\n\tat com.x.Z.n(Z.java:3)\n\t... 12 more",
        "goroutine 1 [running]:\nmain.run(0x1)\n\t/app/main.go:12 +0x1d",
    ],
)
def test_stacks_of_other_languages(stack: str) -> None:
    text = f"Crash\nIt says\n{stack}\nand that was it."
    assert text_of(text, Part.TRACEBACK) == stack
    assert text_of(text, Part.PROSE) == "It says\nand that was it."


def test_long_log_is_a_traceback_but_one_line_is_not() -> None:
    line = "2024-01-02 10:11:12 server started"
    assert text_of(f"T\nwords\n{line}\nwords", Part.TRACEBACK) == ""
    assert text_of(f"T\nwords\n{line}\n{line}\n{line}\nwords", Part.TRACEBACK) == "\n".join([line] * 3)


def test_list_of_versions_weighs_like_code() -> None:
    assert "numpy 1.21.0" in text_of("T\nwords of prose\nnumpy 1.21.0\nscipy==1.7\nPython: 3.11.2\n", Part.CODE)


def test_text_that_begins_with_code_has_no_title() -> None:
    assert [part for part, _ in split_parts("def f(x):\n    return x\nprint(f(1))")] == [Part.CODE]


def test_nothing_gives_nothing() -> None:
    assert split_parts(" \n\t\n") == ()


def test_line_ends_of_windows_make_no_difference() -> None:
    text = "# Title\n\n```\nx = 1\n```\nwords"
    assert split_parts(text.replace("\n", "\r\n")) == split_parts(text)


SHAPES = """

### Steps
```
~~~
x = 1
    return x
Some words here.
>>> f()
Traceback (most recent call last):
  File "a.py", line 1, in f
ValueError: x
    at f (a.js:1:2)
<!--
-->
\t
Title:
# A
ERROR: no
"""
LINES = st.sampled_from(SHAPES.split("\n"))


@given(st.lists(LINES, max_size=25).map("\n".join) | st.text(max_size=300))
def test_parts_are_lines_of_the_text(text: str) -> None:
    parts = split_parts(text)
    assert bool(parts) == bool(text.strip()) or "<!--" in text
    assert [part for part, _ in parts[1:] if part is Part.TITLE] == []
    assert all(chunk.strip() for _, chunk in parts)
    assert sum(len("".join(chunk.split())) for _, chunk in parts) <= len("".join(text.split()))


def test_a_title_stands_on_a_line_of_its_own() -> None:
    assert is_headed("Uploader fails\n\nIt is called twice.")
    assert not is_headed("I am new here. How do I run the tests?")


def test_a_command_typed_at_a_prompt_is_code_and_no_title() -> None:
    parts = split_parts("$ parcel send --to Rome\n\nno road leads there, why is that so")
    assert parts == ((Part.CODE, "$ parcel send --to Rome"), (Part.PROSE, "no road leads there, why is that so"))
    assert split_parts("it costs 5 $ a month")[0][0] is Part.TITLE


CURL = """\
uploads hang

### version

curl 8.9.1 (x86_64-pc-linux-gnu) libcurl/8.9.1 OpenSSL/3.0.13 zlib/1.3
Release-Date: 2024-07-31
Protocols: dict file ftp gopher http imap mqtt
Features: alt-svc brotli HSTS

Expected: it ends
"""
AWS = "aws-cli/2.1.29 Python/3.8.8 Linux/5.4.0 exe/x86_64 prompt/off\nit worked with curl 8.9 and zlib/1.3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mount dies\n\nrestic 0.16.4 compiled with go1.21.6 on linux/amd64\n", "mount dies"),
        ("mount dies\n\ngo version go1.21.6 linux/amd64\n", "mount dies"),
        ("restic 0.16.4 compiled with go1.21.6 dies", "restic 0.16.4 compiled with go1.21.6 dies"),
        (CURL, "uploads hang it ends"),
        (AWS, "it worked with curl 8.9 and zlib/1.3"),
        (f"```\n{CURL}```", "uploads hang"),
    ],
)
def test_what_a_program_was_built_with_is_left_out(text: str, said: str) -> None:
    found = " ".join(" ".join(chunk.split()) for _, chunk in split_parts(text))
    assert found.startswith(said)
    assert not {"gopher", "brotli", "OpenSSL", "Python", "amd64"} & set(found.replace("/", " ").split())


@pytest.mark.parametrize(
    ("text", "lighter"),
    [
        ("add a table to the report, so I can paste the rows into a comment", {"paste", "rows", "comment"}),
        ("add a table to the report so that users can paste the table", {"paste"}),
        ("нужна таблица в отчёте, чтобы я мог вставить её в письмо", {"вставить", "письмо"}),
        ("добавлена таблица, чтобы отличить письмо от отчёта", set[str]()),
        ("in order to paste the rows the report needs a table", set[str]()),
        ("Хочу, чтобы отчёт был таблицей", set[str]()),
        ("the report is thinned out so it does not choke", set[str]()),
        ("there are so many people in the report", set[str]()),
        ("the report is full, so we paste rows into a comment", set[str]()),
    ],
)
def test_what_somebody_will_do_with_what_is_wanted_counts_less(text: str, lighter: set[str]) -> None:
    told = {"paste", "rows", "comment", "table", "report", "вставить", "письмо", "отчёт", "таблицей", "choke", "many"}
    assert lighter_words(text) & told == lighter
    assert all(word not in without_purpose(text).split() for word in lighter)


@pytest.mark.parametrize(
    ("text", "passing"),
    [
        ("what decides how many labels get dropped when the chart is narrow", {"chart", "narrow"}),
        ("if a job fails, where is it put back", {"job", "fails"}),
        ("why does the narrow chart fail when it is narrow", set[str]()),
        ("where is it decided when the socket reconnects", set[str]()),
        ("tell me if it supports mongodb", set[str]()),
        ("i want to know if there is a socket", set[str]()),
        ("где прячутся подписи, когда график узкий? подписи длинные", {"график", "узкий"}),
    ],
)
def test_what_only_tells_when_something_happens_is_said_in_passing(text: str, passing: set[str]) -> None:
    assert said_in_passing(text) - STOPWORDS == passing


def test_the_calls_of_a_go_stack_are_no_prose() -> None:
    stack = (
        "goroutine 42 [running]:\nexample.org/shop/parcel.weigh(...)\n\t/app/parcel/weigh.go:88\n"
        "example.org/shop/parcel.(*Scale).Update(0xc0001)\n\t/app/parcel/scale.go:70 +0x1d4\n"
        "created by example.org/shop/parcel.New in goroutine 1\n\t/app/parcel/new.go:7 +0x1f"
    )
    text = f"panic: the scale is broken\n\n{stack}\n\nwhy? it was created by users"
    assert text_of(text, Part.PROSE) == "why? it was created by users"
    assert "parcel.weigh(...)" in text_of(text, Part.TRACEBACK)
