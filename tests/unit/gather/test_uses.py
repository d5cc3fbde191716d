"""The names that a file defines for others."""

from __future__ import annotations

import pytest

from ctxpack.gather.uses import names_of
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
    ],
)
def test_the_names_of_a_file_are_what_stands_in_mere_wrappers(
    context: MakeContext, path: str, text: str, names: str
) -> None:
    assert names_of(context({path: text}, Request(Scope.FILE, path=path)), path) == tuple(names.split())
