"""Outlines: a line for each definition."""

from __future__ import annotations

from ctxpack.gather.outlines import outline_text
from ctxpack.model import Request, Scope
from tests.unit.gather.conftest import MakeContext


def outline(context: MakeContext, path: str, text: str, limit: int = 1_200) -> list[str]:
    made = context({path: text}, Request(Scope.FILE, path=path))
    return outline_text(made, path, limit).splitlines()


def test_of_a_constant_the_beginning_of_its_value_comes(context: MakeContext) -> None:
    (line,) = outline(context, "a.py", f'MESSAGE = (\n    "{"word " * 100}"\n)\n')
    assert line.startswith('    1  MESSAGE = ("word word')
    assert line.endswith("…")
    assert len(line) < 110


def test_functions_come_before_constants_where_not_all_fit(context: MakeContext) -> None:
    constants = "".join(f"LIMIT_{number} = {number}\n" for number in range(30))
    functions = "".join(f"\n\ndef step_{number}(x):\n    return x\n" for number in range(5))
    lines = outline(context, "a.py", constants + functions, limit=300)
    assert [line.split()[1] for line in lines].count("def") == 5
    assert lines[0] == "    1  LIMIT_0 = 0"
    assert lines[-1].endswith(" more")


def test_comments_within_a_signature_stay_out(context: MakeContext) -> None:
    text = (
        "class Answer(\n    /**\n     * The request (as sent).\n     */\n    val request: String,\n"
        "    // What came back.\n    val body: String, // as text\n) {\n    fun size() = 1\n}\n"
    )
    assert outline(context, "A.kt", text)[0] == "    1  class Answer(val request: String, val body: String, )"


def test_a_struct_that_is_named_behind_its_end_has_one_line(context: MakeContext) -> None:
    text = "/* A lamp. */\ntypedef struct lamp {\n    int on;\n} lamp;\n\ntypedef struct {\n    int x;\n} point;\n"
    assert outline(context, "a.c", text) == [
        "    2  typedef struct lamp  — A lamp.",
        "    6  typedef struct { … } point;",
    ]


def test_a_directive_is_no_documentation_of_the_next(context: MakeContext) -> None:
    text = "/* Errors. */\n#define OK 0\n#define FAILED 1\n\nint run(void) {\n    return OK;\n}\n"
    lines = outline(context, "a.c", text)
    assert lines[:2] == ["    2  #define OK 0  — Errors.", "    3  #define FAILED 1"]


def test_what_is_left_of_the_room_goes_to_the_next_inner_level(context: MakeContext) -> None:
    methods = "".join(f"    def step_{number}\n      {number}\n    end\n\n" for number in range(40))
    lines = outline(context, "a.rb", f"class Shop\n  class Lamp\n{methods}  end\nend\n", limit=300)
    assert lines[:3] == ["    1  class Shop", "    2      class Lamp", "    3          def step_0"]
    assert len(lines) > 8
    assert lines[-1].endswith(" more")


def test_names_with_dots_are_no_levels(context: MakeContext) -> None:
    text = "namespace A.B.C\n{\n    public class Lamp\n    {\n        void Turn()\n        {\n        }\n    }\n}\n"
    assert outline(context, "a.cs", text) == [
        "    1  namespace A.B.C",
        "    3      public class Lamp",
        "    5          void Turn()",
    ]


def test_tags_are_no_documentation(context: MakeContext) -> None:
    text = (
        "/// <inheritdoc />\npublic class Lamp\n{\n    /// <summary>\n"
        '    /// Turns the <see cref="Lamp"/> on.\n    /// </summary>\n    /// <param name="x">How far.</param>\n'
        "    void Turn(int x)\n    {\n    }\n}\n"
    )
    assert outline(context, "a.cs", text) == [
        "    2  public class Lamp",
        "    8      void Turn(int x)  — Turns the Lamp on.",
    ]
