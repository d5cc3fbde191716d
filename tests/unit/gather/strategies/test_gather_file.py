from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from ctxpack.errors import UsageError
from ctxpack.gather import gather
from ctxpack.gather.strategies.dependencies import dependency_maps, neighbouring_imports, package_of, variable_names
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
    "docs/wiki/baskets.md": "# Baskets\n\nOnce `shop/cart.py` was called basket.\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.1\n\nRenamed `shop/cart.py`.\n",
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
        "docs/wiki/baskets.md": "mentions shop/cart.py",
        "shop/README.md": "the readme of its folder",
    }


def test_a_page_that_is_made_from_a_file_is_no_neighbour_of_it(context: MakeContext) -> None:
    head = '<!DOCTYPE html>\n<html>\n<head>\n<link href="../css/{}.css" rel="stylesheet">\n</head>\n<body>\n'
    page = "<h1>Cart</h1>\n<p>What a cart holds.</p>\n</body>\n</html>\n"
    files = {**FILES, "docs/made/cart.html": head.format("jazzy") + page, "docs/own/cart.html": head.format("x") + page}
    found = reasons(gather_neighbours(context(files, file("shop/cart.py"))))
    assert "docs/own/cart.html" in found
    assert "docs/made/cart.html" not in found


@pytest.mark.parametrize(("name", "is_found"), [("shop", True), ("billing", False)])
def test_a_page_with_the_name_of_the_project_is_about_no_folder(
    context: MakeContext, name: str, *, is_found: bool
) -> None:
    files = {
        "go.mod": "module example.org/billing/v2\n",
        f"pkg/{name}/accounts.go": "package a\n\nfunc Sum() {}\n",
        f"docs/{name}.md": "# Use\n\nHow to begin.\n",
    }
    found = reasons(gather_neighbours(context(files, file(f"pkg/{name}/accounts.go"))))
    assert (f"docs/{name}.md" in found) is is_found


def test_the_copies_of_a_page_are_no_neighbours_of_it(context: MakeContext) -> None:
    page = "# Carts\n" + "".join(f"\nA cart holds item {number}.\n" for number in range(20))
    made = f"This file is autogenerated from src/docs/cart.md.\n\n{page}"
    files = {
        "docs/cart.md": made,
        "src/docs/cart.md": page,
        "wiki/cart.md": "# Carts\n\nWhat customers want to keep.\n",
    }
    assert set(reasons(gather_neighbours(context(files, file("src/docs/cart.md"))))) == {"wiki/cart.md"}


def test_imported_files_are_outlined_by_what_is_used(context: MakeContext) -> None:
    pieces = {each.provenance.path: each for each in neighbouring_imports(context(FILES, file("shop/cart.py")))}
    assert pieces["shop/prices.py"].form is Form.OUTLINE
    assert pieces["shop/prices.py"].text == "    1  def total(items):  — The sum of all prices.\n"
    assert pieces["shop/prices.py"].provenance.reasons == ("imported by shop/cart.py",)


def test_of_an_imported_class_the_members_that_are_used_are_outlined(context: MakeContext) -> None:
    files = {
        "src/Store.php": (
            "<?php\nclass Store\n{\n    public function save(int $number): bool\n    {\n        return true;\n    }\n\n"
            "    public static function open(): self\n    {\n        return new self();\n    }\n\n"
            "    public function drop(): void\n    {\n        exit;\n    }\n}\n"
        ),
        "src/Till.php": (
            "<?php\nrequire 'Store.php';\nclass Till\n{\n    public function pay(): void\n    {\n"
            "        $store = Store::open();\n        $store->save(1);\n    }\n}\n"
        ),
    }
    (outline,) = neighbouring_imports(context(files, file("src/Till.php")))
    assert "public function save(int $number): bool" in outline.text
    assert "public static function open(): self" in outline.text
    assert "drop" not in outline.text


def test_a_service_is_used_where_its_variable_is_not_where_it_is_declared(context: MakeContext) -> None:
    files = {
        "src/alarm.service.ts": "export class AlarmService {\n  ring() {\n    return 1;\n  }\n}\n",
        "src/panel.ts": (
            "import { AlarmService } from './alarm.service';\n\nexport class Panel {\n"
            "  constructor(private alarmService: AlarmService) {\n    this.x = 1;\n  }\n\n"
            "  show() {\n    return 2;\n  }\n\n  press() {\n    this.alarmService.ring();\n  }\n\n"
            "  pressAgain() {\n    this.alarmService.ring();\n  }\n}\n"
        ),
    }
    for name, body in (("Shelf", "    return this.alarmService.ring();\n"), ("Wall", "    return 3;\n")):
        head = f"import {{ AlarmService }} from './alarm.service';\n\nexport class {name} {{\n"
        made = "  constructor(private alarmService: AlarmService) {\n    this.x = 1;\n  }\n\n"
        files[f"src/{name.lower()}.ts"] = f"{head}{made}  open() {{\n{body}  }}\n}}\n"
    pieces = neighbouring_imports(context(files, file("src/alarm.service.ts")))
    shown = [each.provenance.symbol for each in pieces]
    assert shown == ["Panel.press", "Panel.pressAgain", "Shelf.open", "Wall.constructor"]


@pytest.mark.parametrize(
    ("name", "forms"),
    [("AlarmService", ("alarmService", "alarm_service")), ("Alarm", ()), ("alarm_service", ()), ("", ())],
)
def test_variables_are_called_like_their_class(name: str, forms: tuple[str, ...]) -> None:
    assert variable_names(name) == forms


def test_what_implements_a_class_comes_in_outline_before_what_uses_it_most(context: MakeContext) -> None:
    java, use = "package shop;\n\nimport till.Store;\n\n", "    Store one;\n    Store two;\n    Store three;\n"
    methods = "    public void save() {\n        int x = 1;\n    }\n"
    files = {
        "src/main/java/till/Store.java": "package till;\n\npublic interface Store {\n    void save();\n}\n",
        "src/main/java/shop/A.java": f"{java}class A {{\n    Store one;\n}}\n",
        "src/main/java/shop/B.java": f"{java}// a class for Store\nclass B {{\n{use}}}\n",
        "src/main/java/shop/Z.java": f"{java}class Z\n    implements Store {{\n{methods}}}\n",
    }
    pieces = neighbouring_imports(context(files, file("src/main/java/till/Store.java")))
    assert [each.provenance.path.rpartition("/")[2] for each in pieces] == ["Z.java", "B.java", "A.java"]
    assert pieces[0].form is Form.OUTLINE
    assert pieces[0].provenance.reasons == ("extends or implements what src/main/java/till/Store.java defines",)


def test_a_package_lies_in_several_roots_of_sources(context: MakeContext) -> None:
    files = {
        "api/src/main/java/shop/Store.java": "package shop;\n\npublic interface Store {\n    void save();\n}\n",
        "core/src/main/java/shop/Disk.java": "package shop;\n\nclass Disk implements Store {\n    int x;\n}\n",
        "core/src/main/java/other/Disk.java": "package other;\n\nclass Disk implements Store {\n    int y;\n}\n",
    }
    pieces = neighbouring_imports(context(files, file("api/src/main/java/shop/Store.java")))
    assert [each.provenance.path for each in pieces] == ["core/src/main/java/shop/Disk.java"]
    assert package_of("core/src/main/java/shop/till") == package_of("core/src/test/java/shop/till") == "shop/till"
    assert package_of("lib/shop") == "lib/shop"


def test_what_imports_the_front_of_a_file_uses_it_where_it_has_its_names(context: MakeContext) -> None:
    walk = "import { open } from '../src/index';\n\n"
    files = {
        "src/keys.ts": "export function matchKey(a: string) {\n  return a;\n}\n",
        "src/index.ts": "export * from './keys';\nexport * from './doors';\n",
        "src/doors.ts": "export function open() {\n  return 1;\n}\n",
        "app/press.ts": "import { matchKey } from '../src/index';\n\nfunction press() {\n  return matchKey('a');\n}\n",
        "app/walk.ts": f"{walk}function walk() {{\n  return open();\n}}\n",
        "tests/press.test.ts": "import { matchKey } from '../src';\n\ntest('a', () => {\n  matchKey('a');\n});\n",
    }
    index = context(files, file("src/index.ts"))
    assert {"app/press.ts", "app/walk.ts"} <= set(reasons(neighbouring_imports(index)))
    assert set(reasons(gather_tests(index))) == {"tests/press.test.ts"}
    made = replace(index, request=file("src/keys.ts"))
    assert set(reasons(neighbouring_imports(made))) == {"app/press.ts"}
    assert set(reasons(gather_tests(made))) == {"tests/press.test.ts"}


def test_importers_show_the_function_that_uses_it(context: MakeContext) -> None:
    pieces = {each.provenance.path: each for each in neighbouring_imports(context(FILES, file("shop/cart.py")))}
    used = pieces["shop/checkout.py"]
    assert "cart = Cart()" in used.text
    assert "def other" not in used.text
    assert used.provenance.symbol == "pay"
    assert used.provenance.reasons == ("imports shop/cart.py",)
    assert not any(path.startswith("tests/") for path in pieces)


@pytest.mark.parametrize(
    ("path", "beside"),
    [
        (
            "models/mart/fct_flour.sql",
            {
                "models/staging/stg_grain.sql": "imported by models/mart/fct_flour.sql",
                "models/mart/fct_bread.sql": "imports models/mart/fct_flour.sql",
            },
        ),
        ("mill/templates/web.yaml", {"mill/values.yaml": "imported by mill/templates/web.yaml"}),
    ],
)
def test_models_and_templates_come_with_what_they_read_and_what_reads_them(
    context: MakeContext, path: str, beside: dict[str, str]
) -> None:
    model = "SELECT id, weight FROM {{{{ ref('{}') }}}}\n"
    files = {
        "models/staging/stg_grain.sql": "SELECT * FROM {{ source('mill', 'grain') }}\n",
        "models/mart/fct_flour.sql": model.format("stg_grain"),
        "models/mart/fct_bread.sql": model.format("fct_flour"),
        "mill/Chart.yaml": "name: mill\n",
        "mill/values.yaml": "stones:\n  count: 2\n",
        "mill/templates/web.yaml": "spec:\n  stones: {{ .Values.stones.count }}\n",
    }
    assert reasons(neighbouring_imports(context(files, file(path)))) == beside


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


def test_a_superclass_beside_the_file_needs_no_import(context: MakeContext) -> None:
    base = "class Shop\n  class Basket\n    def fill\n    end\n  end\nend\n"
    cart = "class Shop\n  class Cart < Basket\n    def add\n    end\n  end\nend\n"
    pieces = neighbouring_imports(context({"lib/basket.rb": base, "lib/cart.rb": cart}, file("lib/cart.rb")))
    assert reasons(pieces) == {"lib/basket.rb": "in its package, used by lib/cart.rb"}


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


def test_a_line_that_nothing_tests_comes_with_a_test_of_its_file(context: MakeContext) -> None:
    checks = "".join(f"\n\ndef test_{number}():\n    assert {number}\n" for number in range(40))
    test = f"from shop.cart import Cart\n{checks}\n\ndef test_cart():\n    assert Cart()\n"
    code = (
        "def hidden_part(items):\n    return 0\n\n\nclass Cart:\n    def price(self):\n        return hidden_part([])\n"
    )
    asked = Request(Scope.FILE, path="shop/cart.py", line=2)
    pieces = gather_tests(context(FILES | {"shop/cart.py": code, "tests/test_cart.py": test}, asked))
    mine = [each for each in pieces if each.provenance.path == "tests/test_cart.py"]
    assert "test_cart" in {each.provenance.symbol for each in mine}


def test_a_test_belongs_to_the_namesake_that_agrees_in_number(context: MakeContext) -> None:
    files = {
        f"lib/parser/{name}.rb": f"class {name.title()}\n  def run\n  end\nend\n" for name in ("option", "options")
    }
    files["spec/parser/option_spec.rb"] = "describe Option do\n  it { Option.new.run }\nend\n"
    files["spec/parser/options_spec.rb"] = "describe Options do\n  it { Options.new.run }\nend\n"
    assert set(reasons(gather_tests(context(files, file("lib/parser/options.rb"))))) == {"spec/parser/options_spec.rb"}


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


@pytest.mark.parametrize(
    ("text", "is_map"),
    [("cart --> prices", True), ("- cart: prices", True), ("Then run `shop cart` and see.", False)],
)
def test_a_page_on_dependencies_names_a_file_where_it_lists_it(
    context: MakeContext, text: str, *, is_map: bool
) -> None:
    files = FILES | {"docs/dependencies.md": f"# Dependencies\n\n{text}\n"}
    found = dependency_maps(context(files, file("shop/cart.py")))
    assert ("docs/dependencies.md" in reasons(found)) is is_map


def test_a_snapshot_is_no_second_test_of_a_file(context: MakeContext) -> None:
    files = {
        "R/sort.R": "sort_rows <- function(rows) {\n  rows\n}\n",
        "tests/testthat/test-sort.R": 'test_that("it sorts", {\n  expect_equal(sort_rows(1), 1)\n})\n',
        "tests/testthat/_snaps/sort.md": "# it sorts\n\n    sort_rows(0)\n",
    }
    assert set(reasons(gather_tests(context(files, file("R/sort.R"))))) == {"tests/testthat/test-sort.R"}


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


def test_in_a_test_what_the_file_defines_counts_before_words_of_its_name(context: MakeContext) -> None:
    filler = "".join(f"def test_other_{n}():\n    assert {n} == {n}\n\n\n" for n in range(20))
    test = (
        "from shop.source import Source\n\n\ndef tester():\n    source = 1\n    return source\n\n\n"
        f"def test_add():\n    assert Source()\n\n\n{filler}"
    )
    files = {"shop/source.py": "class Source:\n    size = 1\n", "tests/test_flow.py": test}
    assert {each.provenance.symbol for each in gather_tests(context(files, file("shop/source.py")))} == {"test_add"}
