from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from ctxpack.errors import NothingFoundError
from ctxpack.gather import Context, gather
from ctxpack.gather.long_texts import MAX_LINES, spans
from ctxpack.gather.strategies.search import gather_search
from ctxpack.model import Form, Request, Scope
from tests.unit.gather.conftest import MakeContext

UPLOADER = '''"""Uploads."""


class Uploader:
    """Sends batches."""

    def retry(self, batch):
        """Send a batch again."""
        return batch
'''
PAGE = """---
title: Retries
tags: [retry, support]
---

# Retries

{before}

<!--TAG:checklist-->
{text}
<!--/TAG:checklist-->

## Other

Nothing about it.
"""


def task(text: str) -> Request:
    return Request(Scope.TASK, text=text)


def assert_verbatim(context: Context) -> None:
    for piece in gather(context).fragments:
        source = piece.provenance
        if piece.form in {Form.FULL, Form.EXCERPT}:
            assert piece.text == context.view.files.lines(source.path, source.start_line, source.end_line) + "\n"


def test_a_candidate_becomes_a_piece_with_provenance(context: MakeContext) -> None:
    made = context({"uploader.py": UPLOADER, "other.py": "x = 1\n"}, task("retry of a batch in the uploader"))
    piece = next(each for each in gather_search(made) if each.provenance.path == "uploader.py")
    source = piece.provenance
    assert piece.strategy == "search"
    assert piece.value == 1 >= source.score > 0.9  # the best piece there is
    assert source.blob == made.view.files[made.view.files.numbers["uploader.py"]].blob
    assert source.commit == made.view.state.commit != ""
    assert source.modified == "2026-01-02"
    assert source.size == len(UPLOADER)
    assert source.reasons
    assert "retry" in source.keywords
    assert not source.dirty
    assert_verbatim(made)


def test_a_stable_pack_knows_no_commit_and_no_date(context: MakeContext) -> None:
    made = context({"uploader.py": UPLOADER}, task("retry"), stable=True)
    assert {(each.provenance.commit, each.provenance.modified) for each in gather(made).fragments} == {("", "")}


MAIL = "def send_email(address):\n    return address\n"


@pytest.mark.parametrize(("text", "is_there"), [("", False), ("where is an address of an email", True)])
def test_a_file_brings_no_namesakes_from_elsewhere(context: MakeContext, text: str, *, is_there: bool) -> None:
    files = {"user/email.py": MAIL, "admin/email.py": MAIL.replace("send", "show"), "tests/far/test_email.py": MAIL}
    linked = {"user/api.py": "from user.email import send_email\n\n\ndef email(x):\n    return send_email(x)\n"}
    pieces = gather_search(context(files | linked, Request(Scope.FILE, text=text, path="user/email.py")))
    found = {each.provenance.path for each in pieces}
    assert "user/api.py" in found  # it is linked, and stays
    assert ("admin/email.py" in found) == is_there


def test_beside_a_component_there_is_no_filler(context: MakeContext) -> None:
    weak = {f"part{number}.py": f"def other_{number}():\n    return 'uploader'\n" for number in range(30)}
    files = {"uploader.py": UPLOADER, **weak}
    made = context(files, Request(Scope.COMPONENT, name="uploader"))
    scores = [each.provenance.score for each in gather_search(made)]
    whole = [each.provenance.score for each in gather_search(replace(made, request=task("uploader")))]
    assert min(scores) >= max(0.15, max(scores) / 2)
    assert min(whole) < max(whole) / 2


def test_nothing_relevant_is_an_error(context: MakeContext) -> None:
    with pytest.raises(NothingFoundError):
        gather(context({"uploader.py": UPLOADER}, task("zebra crossing")))


@pytest.mark.parametrize(("length", "with_file"), [(80, True), (900, False)])
def test_a_small_marked_region_brings_its_document(context: MakeContext, length: int, *, with_file: bool) -> None:
    page = PAGE.format(before="Before.", text="retry " * (length // 6))
    made = context({"docs/retries.md": page, "a.py": UPLOADER}, task("retry"))
    pieces = [each for each in gather(made).fragments if each.provenance.path == "docs/retries.md"]
    spans_found = {(each.provenance.start_line, each.provenance.end_line) for each in pieces}
    assert ((11, 11) in spans_found) or with_file
    assert ((1, 16) in spans_found) == with_file
    assert pieces[0].provenance.tags == ("retry", "support", "checklist")
    reasons = [each.provenance.reasons[-1] for each in pieces]
    assert "marked region checklist" in reasons or with_file
    assert ("whole document, as its only marked region checklist is short" in reasons) == with_file


def test_long_chunks_are_cut_at_blank_lines_and_the_best_part_is_worth_most(context: MakeContext) -> None:
    filler = "\n".join(f"word{number} = {number}\n" if number % 10 == 0 else f"w{number} = 1" for number in range(400))
    text = f"def long():\n{filler}\n\nretry = 'the retry of batches'\n"
    made = context({"long.txt": text.replace("def long():", "long")}, task("retry batches"))
    pieces = list(gather_search(made))
    assert all(each.provenance.end_line - each.provenance.start_line < MAX_LINES for each in pieces)
    assert "retry" in max(pieces, key=lambda each: each.value).text
    assert_verbatim(made)


def test_a_part_of_a_definition_says_what_it_was_cut_from(context: MakeContext) -> None:
    body = "\n".join(f"        total_of_everything_before_it += {number}" for number in range(80))
    methods = "\n".join(f"    def part_{number}(self):\n        total = 0\n{body}\n" for number in range(3))
    head = "class Lantern:\n    wick = 1\n    oil = 2\n"
    made = context({"a.py": f"{head}\n{methods}"}, task("lantern wick part_1"))
    pieces = {each.provenance.symbol: each for each in gather_search(made)}
    assert (pieces["Lantern"].form, pieces["Lantern"].cut_from) == (Form.EXCERPT, (1, 252))
    assert (pieces["Lantern.part_1"].form, pieces["Lantern.part_1"].cut_from) == (Form.FULL, None)


def test_parts_cover_every_line_once() -> None:
    lines = ["x" if number % 7 else "" for number in range(1_000)]
    found = spans(lines, 11)
    assert found[0][0] == 11
    assert found[-1][1] == 1_010
    assert all(one[1] + 1 == other[0] for one, other in pairwise(found))
    assert all(end - start < MAX_LINES for start, end in found)
    assert all(not lines[end - 11].strip() for _, end in found[:-1])


STATEMENT = (
    "    total = add(\n        total,\n        0,\n    )\n    if total:\n        log(total)\n    else:\n        stop()"
)
BODIES = {  # and what a part may begin with
    "one function": (STATEMENT, ("    total = add(", "    if total:")),
    "functions without blank lines": ("@route\ndef step(a,\n    b):\n    # why\n    run(a)\n    return b", ("@route",)),
    "text in code": ('    text = """\nfree\n\ntext\n    """\n    say(text)', ('    text = """', "    say(text)")),
    "braces": ("  int f(int a) {\n    g(a)\n      .h();\n    return a;\n  }", ("  int f(int a) {",)),
}


@pytest.mark.parametrize("name", BODIES)
def test_no_part_begins_within_a_statement(name: str) -> None:
    body, beginnings = BODIES[name]
    lines = ["def long():", *(body.split("\n") * 200)]
    begun = [lines[start - 1] for start, _ in spans(lines, 1)[1:]]
    assert len(begun) > 1
    assert set(begun) <= set(beginnings)


def test_the_head_of_a_class_whose_body_is_elsewhere_is_no_piece(context: MakeContext) -> None:
    body = "\n".join(f"        total_of_everything_before_it += {number}" for number in range(80))
    methods = "\n".join(f"    def part_{number}(self):\n        total = 0\n{body}\n" for number in range(4))
    made = context({"a.py": f"class Semaphore(Base):\n{methods}"}, Request(Scope.TASK, text="semaphore base"))
    assert all(piece.provenance.end_line > 1 for piece in gather(made).fragments)


def test_a_traceback_names_its_frames_and_not_their_whole_file(context: MakeContext) -> None:
    body = "".join(f"    part_{at} = send_part({at})\n" for at in range(80))
    text = "\n\n".join(f"def {name}(parts):\n{body}    return parts\n" for name in ("send", "close", "count_parts"))
    asked = (
        "It breaks\n\nTraceback (most recent call last):\n"
        '  File "/srv/app/core/upload.py", line 3, in send\n    part_1 = send_part(1)\nValueError: no parts\n'
    )
    made = context({"core/upload.py": text, "other.py": "x = 1\n"}, task(asked))
    named = {piece.provenance.symbol: piece.is_named for piece in gather_search(made)}
    assert named["send"]
    assert len(named) > 1
    assert not any(named[name] for name in named if name != "send")
