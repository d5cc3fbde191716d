"""Units: what a match stands for, whole and readable."""

from __future__ import annotations

import pytest

from ctxpack.gather.long_texts import (
    LARGER_FILE,
    SMALL_CLASS,
    SMALL_FILE,
    SMALL_WAY_IN,
    says_little,
    unit,
)
from ctxpack.gather.strategies.search import gather_search
from ctxpack.light import replace
from ctxpack.model import Complexity, Form, Mention, Request, Scope
from tests.unit.gather.conftest import MakeContext

TASK = Request(Scope.TASK, text="retry of a batch")
FILLER = "".join(f"FILLER_{number} = {'x' * 60!r}\n" for number in range(60))
BODY = "".join(f"        total += {number}\n" for number in range(SMALL_CLASS // 20))
RUST = "".join(f"    let total_{number} = {number};\n" for number in range(SMALL_CLASS // 20))


def test_a_small_file_comes_whole(context: MakeContext) -> None:
    text = "def send(batch):\n    return batch\n\n\ndef retry(batch):\n    return batch\n"
    made = context({"a.py": text, "b.py": text + FILLER}, TASK)
    assert unit(made, "a.py", (5, 6), "retry") == ((1, 6), "")
    assert unit(made, "b.py", (5, 6), "retry")[0] != (1, 66)
    assert len(text + FILLER) > SMALL_FILE


def test_a_larger_pack_takes_larger_files_whole(context: MakeContext) -> None:
    text = "def send(batch):\n    return batch\n\n\ndef retry(batch):\n    return batch\n"
    between = text + "x = 1\n" * ((SMALL_FILE + LARGER_FILE) // 12)
    beyond = between + "x = 1\n" * (LARGER_FILE // 6)
    first = context({"a.py": between, "b.py": beyond}, TASK)
    for budget, is_whole in ((4_000, False), (8_000, True), (100_000, True)):
        made = replace(first, settings=replace(first.settings, budget=budget))
        assert (unit(made, "a.py", (5, 6), "retry")[0][1] > 100) == is_whole
        assert unit(made, "b.py", (5, 6), "retry")[0] == (5, 6)


def test_the_best_files_come_whole_where_several_of_their_parts_match(context: MakeContext) -> None:
    part = (
        "def {0}_batch(batch):\n" + "".join(f"    {{0}}_{number} = batch + {number}\n" for number in range(40)) + "\n\n"
    )
    whole = "".join(part.format(name) for name in ("retry", "send_retry", "retry_again", "other"))
    first = context({"a.py": whole, "b.py": "x = 1\n"}, TASK)
    last = whole.count("\n")
    assert LARGER_FILE < len(whole) < 8_000
    for budget, is_whole in ((4_000, False), (8_000, True)):
        made = replace(first, settings=replace(first.settings, budget=budget))
        assert (unit(made, "a.py", (1, 41), "retry_batch")[0] == (1, last)) == is_whole
    assert first.central_files == {"a.py"}
    assert not replace(first, candidates=first.candidates[:2]).central_files
    assert not replace(first, query=replace(first.query, complexity=Complexity.COMPLEX)).central_files
    frame = Mention("a.py", "frame", 1.0, 3, "retry_batch")
    assert not replace(first, query=replace(first.query, mentions=(frame,))).central_files


def test_a_type_of_fields_comes_whole_where_most_of_it_is_asked_for(context: MakeContext) -> None:
    about = ("the retry of a batch", "a batch that is sent again", "the colour of a window", "the retry of a message")
    fields = (
        f"  // Decides on {about[at % 4]},\n  // while {'nothing else is done ' * 3}.\n  int field_{at} = {at};\n\n"
        for at in range(20)
    )
    text = "struct Options {\n" + "".join(fields) + "};\n\nint last() { return 1; }\n" + f"// {FILLER}"
    text = text.replace("\nFILLER", "\n// FILLER")
    made = context({"a.cpp": text, "b.py": "x = 1\n"}, TASK)
    few = replace(made, candidates=made.candidates[:2])
    span = made.candidates[0].chunk.start_line, made.candidates[0].chunk.end_line
    assert unit(made, "a.cpp", span, "Options.field")[0] == (1, 82)
    assert unit(few, "a.cpp", span, "Options.field")[0] == span


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("is BatchStore thread safe", {"a.py"}),
        ("add a limit to BatchStore so that it never holds too many of them", set[str]()),
    ],
)
def test_the_file_of_a_class_comes_whole_where_a_short_question_is_about_the_class(
    context: MakeContext, text: str, found: set[str]
) -> None:
    head = 'class BatchStore:\n    """Stores batches; it is thread safe."""\n\n'
    methods = (f"    def step_{number}(self):\n        return self.lock.step({number})\n\n" for number in range(60))
    files = {"a.py": head + "".join(methods), "b.py": "x = 1\n"}
    assert context(files, Request(Scope.TASK, text=text)).central_files == found


def test_a_function_comes_whole_where_one_within_it_matches(context: MakeContext) -> None:
    inner = "".join(f"        total = batch + {number}\n" for number in range(30))
    text = f"def outer(batch):\n    one = 1\n\n    def retry():\n{inner}\n    return retry\n\n\n{FILLER}"
    first = context({"a.py": text, "b.py": "x = 1\n"}, TASK)
    for budget, lines in ((1_000, (4, 34)), (8_000, (1, 36))):
        made = replace(first, settings=replace(first.settings, budget=budget))
        assert unit(made, "a.py", (4, 34), "outer.retry")[0] == lines


def test_build_files_come_whole_for_who_wants_to_build_and_test(context: MakeContext) -> None:
    rules = "".join(f"target-{number}:\n\techo {'x' * 40}\n\n" for number in range(SMALL_WAY_IN // 70))
    readme = "# Kit\n\n" + "".join(f"## Part {number}\n\nRun it {'often ' * 8}.\n\n" for number in range(60))
    asked = Request(Scope.TASK, text="I'm new here. How do I build it and run the tests before a pull request?")
    first = context({"Makefile": rules, "README.md": readme[: SMALL_WAY_IN - 100]}, TASK)
    spans = []
    for request in (asked, TASK):
        made = replace(first, request=request)
        spans.append([unit(made, path, (10, 11), "")[0] for path in ("Makefile", "README.md")])
    assert spans[0][0] == (1, rules.count("\n"))
    assert spans[1][0] != spans[0][0]
    assert spans[0][1] == spans[1][1]  # a readme says much else


def test_the_licence_that_code_begins_with_stays_out(context: MakeContext) -> None:
    licence = "/*\n * Copyright 2020 The Authors\n *\n * Licensed under the Apache License.\n */\n\n"
    lines = "#!/bin/sh\n# SPDX-License-Identifier: MIT\n# no warranty\n\nsend() {\n  retry\n}\n"
    code = "package a\n\nfunc retry() {\n}\n"
    region = f"\ufeff#region License Information\n\n{licence}#endregion License Information\n\n"
    files = {"a.go": licence + code, "b.go": licence + code + FILLER, "c.sh": lines, "d.go": "/* retry */\n" + code}
    files["g.cs"] = region + "class A {\n  void retry() {\n  }\n}\n"
    made = context(files | {"e.md": "# Copyright\n\nretry\n", "f.py": "# Copyright of all\n"}, TASK)
    assert unit(made, "a.go", (9, 10), "retry")[0] == (7, 10)
    assert unit(made, "b.go", (1, 10), "retry")[0] == (7, 10)
    assert unit(made, "c.sh", (5, 7), "send")[0] == (5, 7)
    assert unit(made, "d.go", (4, 5), "retry")[0] == (1, 5)
    assert unit(made, "g.cs", (12, 13), "retry")[0] == (11, 14)
    assert unit(made, "e.md", (3, 3), "")[0] == (1, 3)
    assert unit(made, "f.py", (1, 1), "")[0] == (1, 1)  # there is nothing else


def test_a_licence_in_a_fold_or_behind_the_first_line_of_a_script_stays_out(context: MakeContext) -> None:
    licence = "/*\n * Copyright 2020 The Authors\n */\n"
    folded = f"#region License Information\n\n{licence}\n#endregion License Information\n\n"
    other = "#region Fields\n\n/* Copyright of the retries */\nint first;\n\n#endregion\n\n"
    code = "class Retry\n{\n    int count;\n}\n"
    made = context({"a.cs": folded + code, "b.php": f"<?php\n\n{licence}\n{code}", "c.cs": other + code}, TASK)
    assert unit(made, "a.cs", (10, 12), "Retry")[0] == (9, 12)
    assert unit(made, "b.php", (8, 11), "Retry")[0] == (7, 10)
    assert unit(made, "c.cs", (8, 11), "Retry")[0] == (1, 11)


def test_a_small_class_comes_with_all_its_members_and_its_name(context: MakeContext) -> None:
    small = "class Small:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n\n\n"
    big = f"class Big:\n    def one(self):\n{BODY}\n    def two(self):\n{BODY}"
    made = context({"a.py": small + big + FILLER}, TASK)
    assert unit(made, "a.py", (5, 6), "Small.two") == ((1, 6), "Small")
    start = len(small.splitlines()) + 2
    end = start + len(BODY.splitlines())
    assert unit(made, "a.py", (start, end), "Big.one") == ((start, end), "Big.one")


def test_what_only_closes_an_enclosing_definition_stays_out(context: MakeContext) -> None:
    text = f"impl Big {{\n    fn one() {{\n{RUST}    }}\n\n    fn two() {{\n{RUST}    }}\n}}\n"
    made = context({"a.rs": text}, TASK)
    last = len(text.splitlines())
    start = last - len(RUST.splitlines()) - 2
    assert unit(made, "a.rs", (start, last), "Big.two")[0] == (start, last - 1)


def test_a_heading_comes_with_what_stands_below_it(context: MakeContext) -> None:
    filler = "Nothing to see.\n\n" * 200
    text = f"# Page\n\n{filler}\n## Retries\n\n### When\n\nAfter a second.\n\n## Other\n\n{filler}"
    made = context({"a.md": text}, TASK)
    lines = text.splitlines()
    at = lines.index("## Retries") + 1
    (start, end), _ = unit(made, "a.md", (at, at + 1), "Retries")
    assert start <= at
    assert end >= lines.index("After a second.") + 1
    assert not says_little(lines, (start, end))


def test_the_end_of_a_class_comes_without_that_of_the_module_around_it(context: MakeContext) -> None:
    from ctxpack.gather.fragments import Role, lines_piece
    from ctxpack.gather.long_texts import bridge_gaps

    made = context({"a.rb": f"module Outer\n  class Big\n    def one\n{RUST}    end\n  end\nend\n"}, TASK)
    file, last = made.view.files.get("a.rb"), len(RUST.splitlines()) + 4
    assert file is not None
    piece = lines_piece(made, file, (3, last), Role("search", 0.5, ("it matches",)))
    ends = [
        (each.provenance.start_line, each.provenance.end_line, each.cut_from) for each in bridge_gaps(made, [piece])
    ]
    assert ends[1:] == [(last + 1, last + 1, (2, last + 1)), (last + 2, last + 2, (1, last + 2))]


def test_lines_with_only_one_end_of_a_definition_are_an_excerpt(context: MakeContext) -> None:
    from ctxpack.gather.fragments import Role, lines_piece

    text = f"class Big:\n    def one(self):\n{BODY}\n    def two(self):\n{BODY}"
    made = context({"a.py": text}, TASK)
    file = made.view.files.get("a.py")
    assert file is not None
    head = lines_piece(made, file, (1, 5), Role("search", 0.5, ("it matches",)))
    assert (head.form, head.cut_from) == (Form.EXCERPT, (1, len(text.splitlines())))


_BANNER = "".join(
    f'<a href="https://example.com/{n}"><img src="https://example.com/source/{n}.svg" alt="retry"></a>\n&nbsp;\n'
    for n in range(9)
)


def test_banners_are_no_piece_whatever_their_addresses_say(context: MakeContext) -> None:
    text = "".join(f"Said about retry of a batch, part {number}, at some length.\n\n" for number in range(60))
    made = context({"README.md": f"{_BANNER}\n# Retry\n\n{text}", "a.py": "x = 1\n"}, TASK)
    assert any(each.chunk.start_line == 1 for each in made.candidates)
    assert min(piece.provenance.start_line for piece in gather_search(made)) > 18
