"""Stack frames in text."""

from __future__ import annotations

import pytest

from ctxpack.query.mentions import FIRST_WEIGHT, clean_path, find_frames, frame_mentions


def as_tuple(text: str) -> list[tuple[str, int, str]]:
    return [(frame.path, frame.line, frame.function) for frame in find_frames(text)]


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ('  File "src/a.py", line 7, in run', ("src/a.py", 7, "run")),
        ('  File "C:\\x\\a.py", line 7, in <module>', ("/x/a.py", 7, "module")),
        ("File ~/x/a.py:120, in f(args)", ("/x/a.py", 120, "f")),
        ("~/x/q.py in go(self)\n  89 \n---> 90   boom()\n", ("/x/q.py", 90, "go")),
        ("src/a.py:12: in go", ("src/a.py", 12, "go")),
        ("src/a.py:12: KeyError", ("src/a.py", 12, "")),
        ("    at foo (src/a.js:10:5)", ("src/a.js", 10, "foo")),
        ("    at async Bar.baz (/u/b.ts:1:2)", ("/u/b.ts", 1, "baz")),
        ("    at src/c.mjs:3:4", ("src/c.mjs", 3, "")),
        ("\tat com.x.Y.m(Y.java:12)", ("com/x/Y.java", 12, "m")),
        ("\tat com.x.Z$In.<init>(Z.kt:7)", ("com/x/Z.kt", 7, "init")),
        ("   at A.B.C.Do(String s) in C:\\s\\C.cs:line 9", ("/s/C.cs", 9, "Do")),
        ("main.(*Srv).run(0x1)\n\t/app/main.go:12 +0x1d", ("/app/main.go", 12, "run")),
        ("main.go:12 +0x1d", ("main.go", 12, "")),
        ("   6: clap::parser::Parser::next\n             at ./src/p.rs:8:9", ("src/p.rs", 8, "next")),
        ("thread 'main' panicked at 'bad', src/p.rs:176:53", ("src/p.rs", 176, "")),
        ("\tfrom lib/b.rb:3:in `block in run'", ("lib/b.rb", 3, "block in run")),
        ("#0 /app/A.php(12): Foo\\Bar->baz()", ("/app/A.php", 12, "baz")),
        ("Error in /app/x.php on line 3", ("/app/x.php", 3, "")),
        ("#1  0x00401 in parse (s=0x0) at src/parse.c:44", ("src/parse.c", 44, "parse")),
        ("    (app 1.0.0) lib/x.ex:12: App.run/2", ("lib/x.ex", 12, "App.run")),
    ],
)
def test_frame_of_each_language(text: str, frame: tuple[str, int, str]) -> None:
    path, line, function = frame
    assert as_tuple(f"before it\n{text}\nafter it")[0] in {frame, (path, line, function.rpartition(".")[2])}


@pytest.mark.parametrize(
    "text",
    [
        'File "<stdin>", line 1, in <module>',
        "    at node:internal/main.js:1:2",
        "             at /rustc/e0/core.rs:575:5",
        "look at home (for now)",
    ],
)
def test_frames_of_no_file_are_left_out(text: str) -> None:
    assert as_tuple(text) == []


def test_python_weighs_the_last_frame_most() -> None:
    lines = "".join(f'  File "{name}.py", line 1, in f\n    x\n' for name in "abc")
    mentions = frame_mentions(f"Traceback (most recent call last):\n{lines}KeyError: 1")
    assert [(m.text, m.weight) for m in mentions] == [("c.py", 1.0), ("b.py", 0.7), ("a.py", FIRST_WEIGHT)]
    assert all(m.kind == "frame" for m in mentions)


def test_other_languages_weigh_the_first_frame_most() -> None:
    mentions = frame_mentions("    at f (a.js:1:2)\n    at g (b.js:3:4)\n")
    assert [(m.text, m.line, m.function, m.weight) for m in mentions] == [
        ("a.js", 1, "f", 1.0),
        ("b.js", 3, "g", FIRST_WEIGHT),
    ]


def test_each_stack_has_its_own_weights_and_each_frame_its_best() -> None:
    stack = 'Traceback (most recent call last):\n  File "{}.py", line 1, in f\n  File "{}.py", line 1, in f\nE: 1\n'
    weights = {m.text: m.weight for m in frame_mentions(stack.format("a", "b") + stack.format("c", "a"))}
    assert weights == {"a.py": 1.0, "b.py": 1.0, "c.py": FIRST_WEIGHT}


def test_text_without_frames() -> None:
    assert frame_mentions("nothing happened at noon (sharp)") == ()


@pytest.mark.parametrize(
    ("path", "clean"),
    [
        ("src\\a\\b.py", "src/a/b.py"),
        ("./a//b.py", "a/b.py"),
        ("../../a.py", "a.py"),
        ("~/a.py", "/a.py"),
        ("D:\\a.py", "/a.py"),
        ("file:///home/a.js", "/home/a.js"),
        ("webpack-internal:///./src/a.js", "/./src/a.js"),
    ],
)
def test_clean_path(path: str, clean: str) -> None:
    assert clean_path(path) == clean
