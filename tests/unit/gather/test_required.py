"""What the user requires to be in the pack."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ctxpack.errors import NothingFoundError, UsageError
from ctxpack.gather import Context, gather
from ctxpack.model import Form, Fragment, Request, Scope
from tests.unit.gather.conftest import MakeContext

LONG = "".join(
    f'def step_{number}(value):\n    """Step {number}."""\n    return value + {number}\n\n\n' for number in range(200)
)
FILES = {
    "README.md": "# Shop\n\nSells things.\n",
    "shop/cart.py": "from shop.prices import total\n\n\ndef price():\n    return total([])\n",
    "shop/prices.py": 'def total(items):\n    """The sum of all prices."""\n    return sum(items)\n',
    "shop/steps.py": LONG,
    "shop/empty.py": "",
    "tests/test_prices.py": "from shop.prices import total\n\n\ndef test_total():\n    assert total([]) == 0\n",
    "docs/a.md": "# First\n\nOne.\n",
    "docs/more/b.md": "# Second\n\nTwo.\n",
    ".gitignore": "secret.py\n",
}  # fmt: skip
TASK = Request(Scope.TASK, text="sum of all prices")


def required(context: Context) -> list[Fragment]:
    return [each for each in gather(context).fragments if each.required and each.strategy == "required"]


def places(pieces: list[Fragment]) -> list[tuple[str, int, int]]:
    return [(each.provenance.path, each.provenance.start_line, each.provenance.end_line) for each in pieces]


@pytest.mark.parametrize(
    ("require", "expected"),
    [
        (("shop/cart.py",), [("shop/cart.py", 1, 5)]),
        (("./shop/cart.py",), [("shop/cart.py", 1, 5)]),
        (("shop/cart.py:4-5",), [("shop/cart.py", 4, 5)]),
        (("shop/cart.py:4",), [("shop/cart.py", 4, 4)]),
        (("shop/cart.py:1-2", "shop/cart.py:2-4"), [("shop/cart.py", 1, 4)]),
        (("shop/cart.py:1-2", "shop/cart.py"), [("shop/cart.py", 1, 5)]),
        (("shop/cart.py", "shop/cart.py:1-2"), [("shop/cart.py", 1, 5)]),
        (("docs",), [("docs/a.md", 1, 3), ("docs/more/b.md", 1, 3)]),
        (("docs/**/*.md",), [("docs/a.md", 1, 3), ("docs/more/b.md", 1, 3)]),
        (("docs/*.md",), [("docs/a.md", 1, 3)]),
        (("tests/",), [("tests/test_prices.py", 1, 5)]),
        (("shop/{cart,prices}.py",), [("shop/cart.py", 1, 5), ("shop/prices.py", 1, 3)]),
    ],
)
def test_files_lines_folders_and_globs(
    context: MakeContext, require: tuple[str, ...], expected: list[tuple[str, int, int]]
) -> None:
    made = context(FILES, TASK, require=require)
    pieces = required(made)
    assert places(pieces) == expected
    for piece in pieces:
        lines = made.lines(piece.provenance.path)[piece.provenance.start_line - 1 : piece.provenance.end_line]
        assert piece.text == "\n".join(lines) + "\n"
        assert piece.provenance.reasons[0] == "required by the settings"


@pytest.mark.parametrize("scope", [Scope.TASK, Scope.FILE, Scope.COMPONENT])
def test_every_scope_takes_what_is_required(context: MakeContext, scope: Scope) -> None:
    request = Request(scope, text="prices" if scope is Scope.TASK else "", path="shop/prices.py", name="prices")
    assert places(required(context(FILES, request, require=("docs/a.md",)))) == [("docs/a.md", 1, 3)]


def test_without_requirements_nothing_is_changed(context: MakeContext) -> None:
    assert not required(context(FILES, TASK))


def test_a_long_file_is_required_as_its_outline_around_what_is_asked_for(context: MakeContext) -> None:
    request = Request(Scope.TASK, text="what does step_42 add")
    made = context(FILES, request, require=("shop/steps.py",), budget=3_000)
    pieces = required(made)
    assert any("def step_42" in each.text and each.form is Form.FULL for each in pieces)
    assert sum(each.form is Form.OUTLINE for each in pieces) >= 2
    assert sum(len(each.text) for each in pieces) < 3_000 * 4
    tight = replace(made.settings, require=("shop/steps.py", "shop/cart.py"), budget=500)
    small = required(replace(made, settings=tight))
    assert [each.form for each in small if each.provenance.path == "shop/steps.py"] == [Form.OUTLINE]


def test_the_best_pieces_of_a_strategy_are_required_even_where_it_does_not_run_by_itself(context: MakeContext) -> None:
    files = {**FILES, "CONTRIBUTING.md": "# Style\n\nBe kind.\n"}
    found = gather(context(files, Request(Scope.FILE, path="shop/prices.py"), require=("tests", "conventions")))
    marked = {(each.strategy, each.provenance.path) for each in found.fragments if each.required}
    assert {("tests", "tests/test_prices.py"), ("conventions", "CONTRIBUTING.md")} <= marked
    assert "conventions" in found.strategies


def test_what_lies_in_a_piece_of_another_strategy_makes_that_one_required(context: MakeContext) -> None:
    files = FILES | {"README.md": "# Shop\n\nThe sum of all prices.\n"}
    made = context(files, TASK, strategies=("search",), require=("readme",))
    (readme,) = [each for each in gather(made).fragments if each.provenance.path == "README.md"]
    assert (readme.strategy, readme.required) == ("search", True)


def test_a_required_file_is_there_even_where_nothing_matches(context: MakeContext) -> None:
    request = Request(Scope.TASK, text="xyzzyqq")
    made = context(FILES, request, require=("docs/a.md",))
    found = gather(made)
    assert [each.provenance.path for each in found.fragments if each.strategy == "required"] == ["docs/a.md"]
    assert found.notes
    with pytest.raises(NothingFoundError):
        gather(replace(made, settings=replace(made.settings, require=("search",))))


@pytest.mark.parametrize(
    ("require", "said", "hint"),
    [
        ("shop/cat.py", "There is no file or strategy 'shop/cat.py', which is required.", "shop/cart.py"),
        ("cart.py", "There is no file or strategy 'cart.py', which is required.", "Did you mean shop/cart.py"),
        ("shop/cat.py:3", "There is no file or strategy 'shop/cat.py:3', which is required.", "shop/cart.py"),
        ("conventoins", "There is no file or strategy 'conventoins', which is required.", "conventions"),
        ("zzz/*.rb", "No file matches 'zzz/*.rb', which is required.", ""),
        ("shop/cart.py:4-9", "shop/cart.py has no lines 4 to 9.", "--require shop/cart.py:1-5"),
        ("shop/cart.py:3-2", "shop/cart.py has no lines 3 to 2.", "It has 5"),
        ("shop/cart.py:0", "shop/cart.py has no lines 0 to 0.", "It has 5"),
        ("shop/empty.py", "shop/empty.py is empty, so that nothing of it can be required.", ""),
        ("tests", "The strategy tests does not serve a task.", "ctxpack strategies"),
        ("tree", "There is no file or strategy 'tree', which is required.", ""),
    ],
)
def test_what_there_is_not_is_refused_with_what_is_near(
    context: MakeContext, require: str, said: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        gather(context(FILES, TASK, require=(require,)))
    assert str(caught.value) == said
    assert hint in caught.value.hint


def test_a_file_that_a_rule_hides_names_the_rule(context: MakeContext) -> None:
    made = context({**FILES, "logo.png": "\x00\x01\x02\x00"}, TASK, require=("logo.png",))
    with pytest.raises(UsageError, match=r"logo\.png is required but not read: binary"):
        gather(made)


def test_a_file_that_git_ignores_or_no_list_names_is_told_so(context: MakeContext) -> None:
    made = context(FILES, TASK, require=("secret.py",))
    (made.settings.root / "secret.py").write_text("x = 1\n")
    with pytest.raises(UsageError, match=r"secret\.py is required but not read: .*\.gitignore") as caught:
        gather(made)
    assert "--include" in caught.value.hint
    listed = replace(made.settings, require=("docs/c.md",), paths=("docs/a.md",))
    (made.settings.root / "docs/c.md").write_text("# Third\n")
    with pytest.raises(UsageError, match=r"docs/c\.md is required but not read: not among the listed files"):
        gather(replace(made, settings=listed))


def test_a_strategy_cannot_be_required_and_left_out(context: MakeContext) -> None:
    with pytest.raises(UsageError, match="The strategy readme is both required and left out"):
        gather(context(FILES, TASK, require=("readme",), disable=("readme",)))


def test_a_required_strategy_that_finds_nothing_is_told(context: MakeContext) -> None:
    request = Request(Scope.FILE, path="shop/steps.py")
    with pytest.raises(NothingFoundError, match="The strategy tests is required, but it found nothing"):
        gather(context(FILES, request, require=("tests",)))
