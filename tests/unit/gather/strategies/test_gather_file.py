from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from ctxpack.errors import UsageError
from ctxpack.gather import gather
from ctxpack.gather.strategies.dependencies import dependency_maps, neighbouring_imports
from ctxpack.gather.strategies.document import gather_document
from ctxpack.gather.strategies.pages import gather_neighbours, gather_tags
from ctxpack.gather.strategies.tests import gather_tests
from ctxpack.gather.strategies.tests import tested_name as subject_of
from ctxpack.model import Form, Fragment, Request, Scope
from tests.unit.gather.conftest import MakeContext

FILES = {
    "README.md": "# Shop\n\nSells things.\n",
    "shop/README.md": "# The shop package\n\nHow it is built.\n",
    "shop/__init__.py": "",
    "shop/cart.py": (
        "from shop.prices import total\n\n\nclass Cart:\n"
        '    """What a customer wants."""\n\n    def price(self):\n        return total([])\n'
    ),
    "shop/prices.py": (
        'def total(items):\n    """The sum of all prices."""\n    return sum(items)\n\n\n'
        'def unused(items):\n    """Never asked for."""\n    return items\n'
    ),
    "shop/checkout.py": (
        "from shop.cart import Cart\n\n\ndef pay():\n    cart = Cart()\n    return cart.price()\n\n\n"
        "def other():\n    return 1\n"
    ),
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_price():\n    assert Cart().price() == 0\n",
    "tests/test_flow.py": "from shop.cart import Cart\n\n\ndef test_flow():\n    assert Cart()\n",
    "tests/test_prices.py": "from shop.prices import total\n\n\ndef test_total():\n    assert total([]) == 0\n",
    "docs/specs/cart.md": "---\ntags: [billing]\n---\n\n# Cart\n\nA cart holds items.\n",
    "docs/wiki/history.md": "# History\n\nOnce `shop/cart.py` was called basket.\n",
    "docs/wiki/money.md": "---\ntags: [billing]\n---\n\n# Money\n\nCents.\n",
}


def file(path: str) -> Request:
    return Request(Scope.FILE, path=path)


def reasons(pieces: Sequence[Fragment]) -> dict[str, str]:
    return {each.provenance.path: each.provenance.reasons[0] for each in pieces}


def test_a_file_that_fits_is_whole_and_required(context: MakeContext) -> None:
    (piece,) = gather_document(context(FILES, file("shop/cart.py")))
    assert (piece.form, piece.required) == (Form.FULL, True)
    assert piece.text == FILES["shop/cart.py"]


def test_a_long_file_is_an_outline_and_what_matches(context: MakeContext) -> None:
    body = "".join(
        f'def step_{number}(value):\n    """Step {number}."""\n    return value + {number}\n\n\n'
        for number in range(80)
    )
    request = Request(Scope.FILE, text="what does step_42 add", path="steps.py")
    pieces = gather_document(context({"steps.py": body}, request, budget=1500))
    outlines = [each for each in pieces if each.form is Form.OUTLINE]
    assert all(each.required for each in outlines)
    assert any("def step_20(value):  — Step 20." in each.text for each in outlines)
    assert sum(len(each.text) for each in outlines) < 1500 * 4 * 0.4
    assert any("step_42" in each.text for each in pieces if each not in outlines)
    spans = sorted((each.provenance.start_line, each.provenance.end_line) for each in pieces)
    assert all(one[1] < other[0] for one, other in pairwise(spans))


def test_a_file_that_is_not_read_names_the_rule(context: MakeContext) -> None:
    with pytest.raises(UsageError, match="is not read: "):
        gather_document(context(FILES | {"picture.bin": "\0\1\2\0" * 10}, file("picture.bin")))


def test_neighbours_are_pages_by_name_pages_that_mention_it_and_the_folders_readme(context: MakeContext) -> None:
    found = reasons(gather_neighbours(context(FILES, file("shop/cart.py"))))
    assert found == {
        "docs/specs/cart.md": "spec page with the same name",
        "docs/wiki/history.md": "mentions shop/cart.py",
        "shop/README.md": "the readme of its folder",
    }


def test_imported_files_are_outlined_by_what_is_used(context: MakeContext) -> None:
    pieces = {each.provenance.path: each for each in neighbouring_imports(context(FILES, file("shop/cart.py")))}
    assert pieces["shop/prices.py"].form is Form.OUTLINE
    assert pieces["shop/prices.py"].text == "    1  def total(items):  — The sum of all prices.\n"
    assert pieces["shop/prices.py"].provenance.reasons == ("imported by shop/cart.py",)


def test_importers_show_the_function_that_uses_it(context: MakeContext) -> None:
    pieces = {each.provenance.path: each for each in neighbouring_imports(context(FILES, file("shop/cart.py")))}
    used = pieces["shop/checkout.py"]
    assert "cart = Cart()" in used.text
    assert "def other" not in used.text
    assert used.provenance.symbol == "pay"
    assert used.provenance.reasons == ("imports shop/cart.py",)
    assert not any(path.startswith("tests/") for path in pieces)


def test_what_a_file_uses_of_its_package_needs_no_import(context: MakeContext) -> None:
    files = {
        "shop/Cart.java": "package shop;\n\nclass Cart {\n    Basket basket;\n\n    void add() {\n    }\n}\n",
        "shop/Basket.java": "package shop;\n\nclass Basket {\n    int size;\n\n    void fill() {\n    }\n}\n",
        "shop/Till.java": "package shop;\n\nclass Till {\n    void pay(Cart cart) {\n        cart.add();\n    }\n}\n",
        "shop/Other.java": "package shop;\n\nclass Other {\n    int number;\n}\n",
        "far/Basket.java": "package far;\n\nclass Basket {\n    int far;\n}\n",
    }
    pieces = neighbouring_imports(context(files, file("shop/Cart.java")))
    assert {each.provenance.path: each.provenance.reasons for each in pieces} == {
        "shop/Basket.java": ("in its package, used by shop/Cart.java",),
        "shop/Till.java": ("in its package, uses shop/Cart.java",),
    }


def test_of_an_imported_folder_come_the_files_that_are_used(context: MakeContext) -> None:
    module = "module acme.org/shop\n\ngo 1.22\n"
    main = 'package main\n\nimport "acme.org/shop/prices"\n\nfunc main() {\n\tprices.Total()\n}\n'
    files = {
        f"prices/{name.lower()}.go": f"package prices\n\nfunc {name}() int {{\n\treturn 1\n}}\n"
        for name in ("Total", "Tax")
    }
    pieces = neighbouring_imports(context({"go.mod": module, "main.go": main, **files}, file("main.go")))
    assert [each.provenance.path for each in pieces] == ["prices/total.go"]


def test_the_test_by_the_name_of_the_file_also_comes_whole(context: MakeContext) -> None:
    checks = "".join(f"\n\ndef test_{number}():\n    assert {number}\n" for number in range(40))
    test = f"from shop.cart import Cart\n{checks}\n\ndef test_cart():\n    assert Cart()\n"
    pieces = gather_tests(context(FILES | {"tests/test_cart.py": test}, file("shop/cart.py")))
    mine = [each for each in pieces if each.provenance.path == "tests/test_cart.py"]
    assert [(each.form, each.text.count("def test_")) for each in mine] == [(Form.FULL, 1), (Form.FULL, 41)]
    assert mine[0].value > mine[1].value


def test_tests_by_name_come_before_tests_by_import(context: MakeContext) -> None:
    pieces = gather_tests(context(FILES, file("shop/cart.py")))
    assert reasons(pieces) == {
        "tests/test_cart.py": "test of shop/cart.py by its name",
        "tests/test_flow.py": "test that imports shop/cart.py",
    }
    assert pieces[0].value > pieces[1].value


def test_a_test_that_imports_a_file_for_something_else_is_left_out(context: MakeContext) -> None:
    other = {"tests/test_other.py": "from shop.cart import *\n\n\ndef test_other():\n    assert True\n"}
    pieces = gather_tests(context(FILES | other, file("shop/cart.py")))
    assert "tests/test_other.py" not in reasons(pieces)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("tests/test_queue.py", "queue"),
        ("queue_test.go", "queue"),
        ("src/queue.spec.ts", "queue"),
        ("src/test/java/QueueTest.java", "queue"),
        ("QueueTests.cs", "queue"),
        ("tests/TestQueue.php", "queue"),
        ("spec/queue_spec.rb", "queue"),
        ("latest.py", ""),
        ("contest.py", ""),
    ],
)
def test_what_a_test_is_about_by_name(path: str, name: str) -> None:
    assert subject_of(path) == name


def test_a_written_dependency_map_goes_before_a_computed_one(context: MakeContext) -> None:
    (computed,) = dependency_maps(context(FILES, file("shop/cart.py")))
    assert computed.text.splitlines() == [
        "shop/cart.py",
        "- imports → shop/prices.py",
        "- imported by ← shop/checkout.py, tests/test_cart.py, tests/test_flow.py",
    ]
    assert (computed.form, computed.provenance.reasons) == (Form.OUTLINE, ("computed from the imports",))


def test_a_dependency_map_that_names_the_file_is_taken(context: MakeContext) -> None:
    files = FILES | {"docs/dependency-map.md": "# Map\n\nshop/cart.py needs shop/prices.py\n"}
    (written,) = dependency_maps(context(files, file("shop/cart.py")))
    assert written.provenance.path == "docs/dependency-map.md"


@pytest.mark.parametrize(("scope", "count"), [(Scope.FILE, 1), (Scope.COMPONENT, 0)])
def test_a_computed_map_of_one_entry_is_only_for_who_asks_for_the_file(
    context: MakeContext, scope: Scope, count: int
) -> None:
    files = {"a.py": "import lonely\n", "lonely.py": "def alone():\n    return 1\n"}
    request = Request(scope, path="lonely.py", name="lonely")
    assert len(dependency_maps(context(files, request))) == count


@pytest.mark.parametrize(
    ("test", "is_found"),
    [
        ("net/tests/sync_semaphore.rs", True),
        ("net/tests/semaphore_sync_owned.rs", True),
        ("net/src/sync/tests/batch_semaphore.rs", False),
        ("net/tests/semaphore_other.rs", False),
    ],
)
def test_a_test_may_be_called_by_folder_and_file(context: MakeContext, test: str, *, is_found: bool) -> None:
    files = {
        "net/src/sync/semaphore.rs": "pub fn acquire() {}\n",
        test: "fn one() {}\n",
        "x/tests/two.rs": "fn f() {}\n",
    }
    found = gather_tests(context(files, file("net/src/sync/semaphore.rs")))
    assert [each.provenance.path for each in found] == [test] * is_found


def test_the_words_of_a_test_may_stand_in_another_order(context: MakeContext) -> None:
    files = {"sync/batch_semaphore.rs": "fn f() {}\n", "sync/tests/semaphore_batch.rs": "fn one() {}\n"}
    found = gather_tests(context(files, file("sync/batch_semaphore.rs")))
    assert [each.provenance.path for each in found] == ["sync/tests/semaphore_batch.rs"]


def test_documents_that_share_a_tag(context: MakeContext) -> None:
    found = reasons(gather_tags(context(FILES, file("docs/specs/cart.md"))))
    assert found == {"docs/wiki/money.md": "shares the tag billing with docs/specs/cart.md"}


def test_no_piece_lies_within_an_earlier_one_and_reasons_are_joined(context: MakeContext) -> None:
    pieces = gather(context(FILES, file("shop/cart.py"))).fragments
    spans = [(each.provenance.path, each.form, each.provenance.start_line, each.provenance.end_line) for each in pieces]
    assert len(spans) == len(set(spans))
    itself = next(each for each in pieces if each.provenance.path == "shop/cart.py" and each.form is Form.FULL)
    assert len(itself.provenance.reasons) > 1
    assert all(0 <= each.value <= 1 and each.provenance.reasons for each in pieces)


def test_a_whole_file_is_not_called_after_its_last_definition(context: MakeContext) -> None:
    text = "".join(f"def cart_{number}(item):\n    return item\n\n\n" for number in range(9))
    pieces = gather(context({"cart.py": text}, file("cart.py"))).fragments
    assert [(each.provenance.path, each.provenance.symbol) for each in pieces] == [("cart.py", "")]


_STEPS = "".join(f"def step_{number}(value):\n    return value + {number}\n\n\n" for number in range(900))
LONG = {
    "shop/cart.py": (
        "from shop.prices import total\nfrom shop.rules import allow\n\n\n"
        "def charge(items):\n    return total(items)\n\n\n"
        "def pay_all(carts):\n    return [charge(each) for each in carts]\n\n\n"
        f"def refuse(item):\n    return allow(item)\n\n\n{_STEPS}"
    ),
    "shop/prices.py": FILES["shop/prices.py"],
    "shop/rules.py": "def allow(item):\n    return True\n",
    "shop/desk.py": "from shop import cart\n\n\ndef close():\n    return cart.pay_all([])\n",
    "shop/door.py": "from shop import cart\n\n\ndef enter():\n    return cart.refuse(0)\n",
    "tests/test_cart.py": (
        "from shop import cart\n\n\n"
        + "".join(f"def test_{name}():\n    assert cart.{name}([])\n\n\n" for name in ("refuse", "pay_all"))
        + "".join(f"ROW_{number} = {number}\n" for number in range(60))
    ),
}


def test_around_a_definition_of_a_long_file_is_what_leads_to_it_and_what_it_uses(context: MakeContext) -> None:
    made = context(LONG, Request(Scope.FILE, path="shop/cart.py", symbol="charge"))
    near = {each.provenance.path: each for each in neighbouring_imports(made)}
    assert set(near) == {"shop/prices.py", "shop/desk.py"}  # not rules and door: refuse is another matter
    assert {each.provenance.symbol for each in gather_tests(made)} == {"test_pay_all"}
    full = [each.provenance.symbol for each in gather_document(made) if each.form is not Form.OUTLINE]
    assert full == ["pay_all"]  # the definition itself comes with another strategy


def test_pages_about_a_file_are_those_of_the_newest_edition(context: MakeContext) -> None:
    pages = ("docs/cart.md", "docs/fr/cart.md", "versioned_docs/version-1.x/cart.md")
    made = context(LONG | dict.fromkeys(pages, "# Cart\n\nA cart holds items.\n"), file("shop/cart.py"))
    assert [each.provenance.path for each in gather_neighbours(made)] == ["docs/cart.md"]
