"""The names that a file defines for others."""

from __future__ import annotations

import pytest

from ctxpack.gather.uses import names_of, uses
from ctxpack.model import Request, Scope
from tests.unit.gather.conftest import MakeContext


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        (
            "a.rb",
            "class Shop\n  module Parts\n    class Lamp < Thing\n      def on\n      end\n    end\n  end\nend\n",
            "Lamp",
        ),
        ("a.rb", "class Shop\n  class Lamp\n  end\n\n  def open\n    1\n  end\nend\n", "Shop"),
        ("a.cs", "namespace A.B;\n\npublic class Lamp\n{\n}\n\npublic enum Size\n{\n    Small,\n}\n", "Lamp Size"),
        ("a.ex", "defmodule Shop.Lamp do\n  def turn(x) do\n    x\n  end\nend\n", "Lamp"),
        ("a.py", "class Form(Base):\n    class Meta:\n        size = 1\n", "Form"),
        (
            "a.rs",
            "impl Shop {\n    pub fn open_doors(&self) {}\n}\n\npub struct Lamp {\n    on: bool,\n}\n",
            "open_doors Lamp",
        ),
        ("a.rs", "pub struct Lamp {\n    on: bool,\n}\n\nimpl Lamp {\n    pub fn turn_on(&self) {}\n}\n", "Lamp"),
    ],
)
def test_the_names_of_a_file_are_what_stands_in_mere_wrappers(
    context: MakeContext, path: str, text: str, names: str
) -> None:
    assert names_of(context({path: text}, Request(Scope.FILE, path=path)), path) == tuple(names.split())


def test_the_names_of_a_place_end_with_the_first_that_others_use(context: MakeContext) -> None:
    inner = "".join(
        f"def {name}_it():\n    {called}\n\n\n"
        for name, called in zip("abcd", ("1", "a_it()", "b_it()", "c_it()"), strict=True)
    )
    files = {"shop.py": inner, "user.py": "from shop import c_it, d_it\n\nc_it(), d_it()\n"}
    asked = context(files, Request(Scope.FILE, path="shop.py", symbol="a_it"))
    assert names_of(asked, "shop.py") == ("a_it", "b_it", "c_it")


def test_a_use_within_a_function_comes_with_it_unless_it_is_long(context: MakeContext) -> None:
    def made(lines: int) -> str:
        rest = "".join(f"    check({number})\n" for number in range(lines))
        return f"def test_box():\n    class Box:\n        lid = Lid(1)\n\n{rest}"

    spans = {
        lines: [
            use.span for use in uses(context({"a.py": made(lines)}, Request(Scope.FILE, path="a.py")), "a.py", {"Lid"})
        ]
        for lines in (5, 90)
    }
    assert spans == {5: [(1, 9)], 90: [(3, 3)]}
