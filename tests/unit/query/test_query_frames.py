"""Stack frames in text."""

from __future__ import annotations

import pytest

from ctxpack.query.mentions import (
    FIRST_WEIGHT,
    clean_path,
    condense_frames,
    find_frames,
    frame_mentions,
    may_be_of_frame,
    without_foreign_frames,
)


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
        ("│ /home/x/src/a.py:12 in go                        │", ("/home/x/src/a.py", 12, "go")),
        ("│ C:\\x\\a.py:12 in <module>   │", ("/x/a.py", 12, "module")),
        ("  at ~/lib/x/a.py:809 in _check", ("/lib/x/a.py", 809, "_check")),
        ("   3  src/a.py:12 in go", ("src/a.py", 12, "go")),
        ("    at foo (src/a.js:10:5)", ("src/a.js", 10, "foo")),
        ("    at async Bar.baz (/u/b.ts:1:2)", ("/u/b.ts", 1, "baz")),
        ("    at src/c.mjs:3:4", ("src/c.mjs", 3, "")),
        ("\tat com.x.Y.m(Y.java:12)", ("com/x/Y.java", 12, "m")),
        ("\tat com.x.Z$In.<init>(Z.kt:7)", ("com/x/Z.kt", 7, "init")),
        ("   at A.B.C.Do(String s) in C:\\s\\C.cs:line 9", ("/s/C.cs", 9, "Do")),
        ("main.(*Srv).run(0x1)\n\t/app/main.go:12 +0x1d", ("/app/main.go", 12, "run")),
        ("main.go:12 +0x1d", ("main.go", 12, "")),
        ("x.org/web/v5.(*Mux).Use(...)\n\t/mod/web/v5@v5.2.3/mux.go:102\n", ("/mod/web/v5@v5.2.3/mux.go", 102, "Use")),
        ("   6: clap::parser::Parser::next\n             at ./src/p.rs:8:9", ("src/p.rs", 8, "next")),
        ("thread 'main' panicked at 'bad', src/p.rs:176:53", ("src/p.rs", 176, "")),
        ("\tfrom lib/b.rb:3:in `block in run'", ("lib/b.rb", 3, "run")),
        ("lib/b.rb:3:in 'block (2 levels) in Parcel#weigh'", ("lib/b.rb", 3, "weigh")),
        ("#0 /app/A.php(12): Foo\\Bar->baz()", ("/app/A.php", 12, "baz")),
        ("Error in /app/x.php on line 3", ("/app/x.php", 3, "")),
        ("#1  0x00401 in parse (s=0x0) at src/parse.c:44", ("src/parse.c", 44, "parse")),
        ("\tplugin/a.lua:143: in function <plugin/a.lua:128>", ("plugin/a.lua", 143, "")),
        ("\t...vim/lua/a/b.lua:7: in upvalue 'start'", ("lua/a/b.lua", 7, "start")),
        ("   at: _process (res://cars/camera.gd:25)", ("cars/camera.gd", 25, "_process")),
        ("res://cars/camera.gd:25 - Parse Error", ("cars/camera.gd", 25, "")),
        ("#0      Foo.bar (package:app/src/x.dart:12:5)", ("src/x.dart", 12, "bar")),
        ("main.(*Srv).run.func1(0x1)\n\t/app/main.go:12 +0x1d", ("/app/main.go", 12, "run")),
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


@pytest.mark.parametrize(
    ("frame", "path", "may_be"),
    [
        ("/usr/local/go/src/net/http/server.go", "web/server.go", False),
        ("/usr/lib/python3.11/asyncio/runners.py", "app/runners.py", False),
        ("java/util/ArrayList.java", "src/main/java/org/x/ArrayList.java", False),
        ("/home/me/app/web/server.go", "web/server.go", True),
        ("/srv/site-packages/parcel/net/send.py", "src/parcel/net/send.py", True),
        ("/app/main.py", "main.py", True),  # at the top of the repository
        ("server.go", "web/server.go", True),  # nothing is said of its folder
        ("/app/dist/queue.js", "src/queue.js", True),  # built from it
        ("org/x/net/Send.kt", "src/main/kotlin/Send.kt", True),
        ("/app/web/server.go", "web/servers.go", False),
    ],
)
def test_a_file_of_a_library_is_none_of_the_same_name(frame: str, path: str, may_be: bool) -> None:  # noqa: FBT001
    assert may_be_of_frame(path, frame) is may_be


def test_frames_of_libraries_are_left_out_unless_nothing_else_is_there() -> None:
    own, foreign = '\n  File "/app/send.py", line 3, in send', '\n  File "/usr/lib/python3.11/queue.py", line 7, in get'
    text = f"It fails:{foreign}{own}\nEmpty"
    left = without_foreign_frames(text, lambda name: ["src/app/send.py"] if name == "send.py" else ["net/queue.py"])
    assert as_tuple(left) == [("/app/send.py", 3, "send")]
    assert left.startswith("It fails:")
    assert left.endswith("Empty")
    assert without_foreign_frames(text, lambda name: ["net/queue.py"] if name == "queue.py" else []) == text


@pytest.mark.parametrize(
    ("stack", "left"),
    [
        (
            'Exception in thread "main" Broken\n\tat a.Queue.put(Queue.java:42)\nCaused by: Full\n\t... 12 more',
            "put Queue",
        ),
        ("   at Shop.<Main>$(String[] a) in /s/Program.cs:line 9\n   at System.Threading.Task.Execute()", "Program"),
        ("    at weigh (/a/scale.ts:31:19)\n    at async run (node:internal/process/queues:95:5)", "weigh scale"),
        (
            "stack backtrace:\n   0: rust_begin_unwind\n   2: scale::weigh\n     at ./src/scale.rs:31:19\n",
            "weigh scale",
        ),
        (
            "   1: core::fmt\n     at /rustc/9fc6b4/std.rs:6:5\n   2: scale::weigh\n     at ./src/scale.rs:31:19",
            "weigh scale",
        ),
    ],
)
def test_what_every_stack_has_says_nothing(stack: str, left: str) -> None:
    words = condense_frames(stack).split()
    assert set(left.split()) <= {*words}
    noise = "thread Caused more End System Task async internal rust_begin_unwind rustc core backtrace"
    assert not {*noise.split()} & {word.strip(":.") for word in words}


def test_the_line_of_code_below_a_foreign_frame_goes_with_it() -> None:
    stack = (
        'File "/usr/lib/pool.py", line 7, in fetch\n    answer = ask(\n             ^^^^\n'
        'File "/app/shop/scale.py", line 31, in weigh\n    return parcel.weight\nTypeError'
    )
    left = without_foreign_frames(stack, lambda name: ["shop/scale.py"] if name == "scale.py" else [])
    assert "answer" not in left
    assert "return parcel.weight" in left
