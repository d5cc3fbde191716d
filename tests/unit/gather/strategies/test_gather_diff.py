"""What a reviewer gets with a diff, and how a large diff is made to fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from ctxpack.gather import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.patches import Shown, fit_patches
from ctxpack.gather.strategies.affected import gather_callers, gather_mentions, limit_to_change
from ctxpack.gather.strategies.diff import gather_changes, gather_definitions, gather_history
from ctxpack.gather.strategies.tests import gather_tests
from ctxpack.index.opening import open_repository
from ctxpack.model import PATCH, Form, Fragment, Intent, Kind, Request, Scope, Trait
from ctxpack.pipeline import run_pack
from ctxpack.rank import Purpose, rank
from ctxpack.settings import Settings
from ctxpack.understand import request as understand
from ctxpack.understand.change import DiffLine, FileChange, Hunk
from ctxpack.understand.request import add_forms
from tests.indexing import commit, write

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        "from shop.prices import total_of\n\n\nclass Cart:\n"
        '    """What a customer wants."""\n\n    def add(self, item):\n        self.items.append(item)\n\n'
        "    def price(self):\n        first = 1\n        second = 2\n        third = 3\n        fourth = 4\n"
        "        fifth = 5\n        sixth = 6\n"
        "        return total_of(self.items)\n\n    def drop_all(self):\n        self.items.clear()\n"
    ),
    "shop/prices.py": "def total_of(items):\n    return sum(items)\n",
    "shop/checkout.py": (
        "from shop.cart import Cart\n\n\ndef pay():\n    cart = Cart()\n    return cart.price()\n\n\n"
        "def leave():\n    Cart().drop_all()\n\n\ndef other(shelf):\n    return shelf.price()\n"
    ),
    "tests/test_cart.py": (
        "from shop.cart import Cart\n\n\ndef test_price():\n    assert Cart().price() == 0\n\n\n"
        "def test_add():\n    Cart().add(1)\n" + "\n".join(f"# {number}" for number in range(60)) + "\n"
    ),
    "docs/specs/money.md": "# Money\n\nCents.\n\n## Sums\n\nThe sum is made by `total_of`, in cents.\n",
    "CHANGES.md": "# Changes\n\n- `total_of` is new.\n",
}


@contextmanager
def context(root: Path, revision: str = "", request: Request | None = None, **wishes: object) -> Iterator[Context]:
    settings = Settings(root=root, cache_dir=root.parent / "cache", **wishes)  # type: ignore[arg-type]
    asked = request or Request(Scope.DIFF, revision=revision)
    with ExitStack() as stack:
        view = stack.enter_context(open_repository(settings))
        change = understand.change_of(asked, settings, view)
        asked = understand.with_messages(asked, change)
        query = add_forms(understand.query_of(asked, change, view), view, settings)
        yield Context(asked, query, view, settings, rank(query, view, limit=40, purpose=Purpose.PACK), change)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    commit(folder, FILES, "Sell things\n\nCarts and prices.", date="2026-01-02T03:04:05Z")
    return folder


def edit(root: Path, path: str, old: str, new: str) -> None:
    text = (root / path).read_text()
    assert old in text
    write(root, {path: text.replace(old, new)})


def symbols(pieces: Sequence[Fragment]) -> dict[str, str]:
    return {each.provenance.symbol: each.provenance.reasons[0] for each in pieces}


def test_a_changed_function_is_whole_with_its_exact_boundaries(root: Path) -> None:
    edit(root, "shop/cart.py", "second = 2", "second = 22")
    with context(root) as its:
        (piece,) = gather_definitions(its)
    assert (piece.provenance.symbol, piece.provenance.start_line, piece.provenance.end_line) == ("Cart.price", 10, 17)
    assert piece.text.startswith("    def price(self):\n")
    assert (piece.form, piece.provenance.dirty, piece.layer) == (Form.FULL, True, "")


def test_what_the_diff_shows_whole_is_not_shown_again(root: Path) -> None:
    edit(root, "shop/prices.py", "sum(items)", "sum(items, 0)")
    with context(root) as its:
        assert gather_definitions(its) == []


def test_functions_come_from_the_end_of_a_range(root: Path) -> None:
    edit(root, "shop/cart.py", "second = 2", "second = 22")
    last = commit(root, {}, "Twenty-two")
    edit(root, "shop/cart.py", "second = 22", "second = 222")
    with context(root, "HEAD~1..HEAD") as its:
        (piece,) = gather_definitions(its)
    assert "second = 22\n" in piece.text
    assert (piece.provenance.commit, piece.provenance.dirty, piece.layer) == (last, False, piece.provenance.blob)


def test_a_deleted_function_is_as_it_was_where_the_diff_does_not_show_it(root: Path) -> None:
    body = "".join(f"    step_{number} = {number}\n" for number in range(300))
    first = commit(root, {"shop/long.py": f"def long_one():\n{body}\n\ndef short_one():\n    return 1\n"}, "Long")
    write(root, {"shop/long.py": "def short_one():\n    return 1\n"})
    with context(root, budget=800) as its:
        (piece,) = gather_definitions(its)
    assert (piece.provenance.symbol, piece.provenance.commit) == ("long_one", first)
    assert piece.provenance.reasons == ("deleted in this diff, shown as it was before",)
    with context(root) as its:
        assert gather_definitions(its) == []


def test_callers_of_a_method_are_those_that_mean_it(root: Path) -> None:
    edit(root, "shop/cart.py", "second = 2", "second = 22")
    with context(root) as its:
        assert symbols(gather_callers(its)) == {"pay": "uses a changed definition: price"}


def test_what_only_has_the_name_of_a_changed_definition_is_told_so_and_comes_last(root: Path) -> None:
    others = {
        "shop/basket.py": "class Basket:\n    def drop_all(self):\n        return 1\n",
        "shop/net.py": "class Net:\n    def drop_all(self):\n        return super().drop_all()\n",
    }
    commit(root, others)
    edit(root, "shop/cart.py", "self.items.clear()", "self.items = []")
    with context(root) as its:
        found = [(each.provenance.path, each.provenance.reasons[0]) for each in gather_callers(its)]
    assert found[-1] == ("shop/basket.py", "also defines the changed name: drop_all")
    assert {path for path, why in found if why.startswith("uses a changed")} == {"shop/net.py", "shop/checkout.py"}


def test_callers_of_what_is_gone_are_told_so(root: Path) -> None:
    edit(root, "shop/cart.py", "    def drop_all(self):\n        self.items.clear()\n", "")
    edit(root, "shop/prices.py", "def total_of", "def sum_of")
    with context(root) as its:
        found = symbols(gather_callers(its))
    assert found["leave"] == "uses a deleted definition: drop_all"
    assert found["Cart.price"] == "uses a deleted definition: total_of"


def test_tests_are_those_that_use_what_changed(root: Path) -> None:
    edit(root, "shop/cart.py", "second = 2", "second = 22")
    with context(root) as its:
        assert symbols(gather_tests(its)) == {"test_price": "test of shop/cart.py by its name"}


def test_a_test_that_only_imports_what_changed_is_no_test_of_it(root: Path) -> None:
    checks = "import shop\n\n\ndef test_{}():\n    assert shop.{}\n"
    changed = {"shop/__init__.py": '"""Sells."""\n__version__ = "1"\n\n\ndef label():\n    return "x"\n'}
    tests = {f"tests/test_{name}.py": checks.format(name, name) for name in ("label", "other")}
    commit(root, changed | tests)
    edit(root, "shop/__init__.py", '"1"', '"1.19.2"')
    with context(root) as its:
        assert symbols(gather_tests(its)) == {}
    edit(root, "shop/__init__.py", '"x"', '"y"')
    with context(root) as its:
        assert [piece.provenance.path for piece in gather_tests(its)] == ["tests/test_label.py"]


def test_of_changed_tests_what_they_test_comes_too(root: Path) -> None:
    code = "def label():\n    return 'x'\n\n\ndef unused():\n    return 2\n"
    test = "from shop.labels import label, unused\n\n\ndef test_label():\n    assert label()\n"
    commit(root, {"shop/labels.py": code, "tests/test_labels.py": test})
    edit(root, "tests/test_labels.py", "assert label()", "assert label() == 'x'")
    with context(root) as its:
        assert symbols(gather_tests(its)) == {"label": "tested by tests/test_labels.py"}
    edit(root, "tests/test_labels.py", "\n\ndef test_label():\n    assert label() == 'x'\n", "")
    with context(root) as its:  # the test is gone, and with it what it tested
        assert symbols(gather_tests(its)) == {}
    edit(root, "tests/test_labels.py", "unused\n", "unused\n\n\ndef test_label():\n    assert label() == 'x'\n")
    edit(root, "shop/labels.py", "'x'", "'y'")
    with context(root) as its:  # now it is shown as changed itself
        assert "label" not in symbols(gather_tests(its))


def test_what_is_generated_changes_no_definition(root: Path) -> None:
    commit(root, {"dist/bundle.js": "export function total_of(items) {\n  return 1;\n}\n"})
    edit(root, "dist/bundle.js", "1", "2")
    with context(root) as its:
        assert gather_callers(its) == ()


def test_the_numbers_of_a_version_are_no_words(root: Path) -> None:
    commit(root, {"shop/prices.py": "def total_of(items):\n    return sum(items, 19)\n"}, "Release v1.19.2 of prices")
    with context(root, "HEAD^!") as its:
        assert its.query.title_text == "Release   of prices"
        assert {"release", "prices"} <= set(its.query.words)
        assert "19" not in its.query.words
    commit(root, {"shop/prices.py": "def total_of(items):\n    return sum(items, 20)\n"}, "v1.20.0")
    with context(root, "HEAD^!") as its:
        assert its.query.title_text == "total_of"


def test_sections_that_mention_it_but_no_changelog(root: Path) -> None:
    edit(root, "shop/prices.py", "sum(items)", "sum(items, 0)")
    with context(root) as its:
        (piece,) = gather_mentions(its)
    assert (piece.provenance.path, piece.provenance.symbol) == ("docs/specs/money.md", "Money > Sums")
    assert piece.provenance.reasons == ("mentions total_of",)


def test_history_names_the_commits_behind_the_changed_lines(root: Path) -> None:
    edit(root, "shop/cart.py", "second = 2", "second = 22")
    commit(root, {}, "Twenty-two\n\nOne two is not enough.", date="2026-02-03T03:04:05Z")
    edit(root, "shop/cart.py", "        second = 22\n        third = 3\n", "        third = 33\n")
    with context(root) as its:
        (piece,) = gather_history(its)
        assert not gather_history(its_without_history(its))
    first, body, second = piece.text.splitlines()
    assert sorted([first[9:], second[9:]]) == ["2026-01-02 Sell things (1 line)", "2026-02-03 Twenty-two (1 line)"]
    assert body.startswith("    ")
    assert piece.provenance.reasons == ("commits that last changed these lines",)


def its_without_history(its: Context) -> Context:
    return Context(its.request, its.query, its.view, Settings(its.settings.root, its.settings.cache_dir,
                   use_history=False), its.candidates, its.change)  # fmt: skip


def test_history_of_a_file_is_its_last_commits(root: Path) -> None:
    commit(root, {"shop/prices.py": "def total_of(items):\n    return 0\n"}, "Free", date="2026-02-03T03:04:05Z")
    with context(root, request=Request(Scope.FILE, path="shop/prices.py")) as its:
        (piece,) = gather_history(its)
    assert [line[9:] for line in piece.text.splitlines()] == ["2026-02-03 Free", "2026-01-02 Sell things"]


def test_changes_beside_a_file_are_its_own_uncommitted_ones(root: Path) -> None:
    request = Request(Scope.FILE, path="shop/prices.py")
    with context(root, request=request) as its:
        assert gather_changes(its) == ()
    edit(root, "shop/prices.py", "sum(items)", "sum(items, 0)")
    edit(root, "shop/cart.py", "second = 2", "second = 22")
    with context(root, request=request) as its:
        (piece,) = gather_changes(its)
    assert (piece.provenance.path, piece.required, piece.layer) == ("shop/prices.py", False, PATCH)


def test_the_query_of_a_diff_is_its_messages_and_names_but_no_other_word_of_its_lines(root: Path) -> None:
    edit(root, "shop/cart.py", "second = 2", 'pass_word = "hunter2_hunter2"')
    with context(root) as its:
        words = set(its.query.words)
        assert its.query.intent is Intent.REVIEW
    assert {"cart", "price"} <= words
    assert not {"hunter2_hunter2", "pass_word"} & words
    commit(root, {}, "Cheaper carts")
    with context(root, "HEAD^!") as its:
        assert its.query.title_text == "Cheaper carts"


def test_a_whole_report_puts_the_change_first(root: Path) -> None:
    edit(root, "shop/cart.py", "second = 2", "second = 22")
    commit(root, {}, "Twenty-two\n\nOne two is not enough.")
    report = run_pack(Request(Scope.DIFF, revision="HEAD^!"), Settings(root=root, cache_dir=root.parent / "cache"))
    pieces = report.pack.selection.fragments
    assert [each.strategy for each in pieces[:3]] == ["changes", "changes", "definitions"]
    assert "One two is not enough." in pieces[0].text
    assert "@@ -9,7 +9,7 @@ Cart\n" in pieces[1].text
    assert report.text.startswith("# Context: HEAD^!: Twenty-two\n")
    assert {"pay", "test_price"} <= {each.provenance.symbol for each in pieces}


# --- what fits -------------------------------------------------------------------------------------------------------


def hunk(start: int, lines: int) -> Hunk:
    """A hunk that adds some lines between three lines of context."""
    around = [DiffLine(" ", f"around {number}", number, number) for number in range(start, start + 3)]
    added = [DiffLine("+", "added", start + 2, start + 2 + number) for number in range(1, lines + 1)]
    return Hunk((*around, *added))


def file(path: str, *hunks: Hunk, kind: Kind = Kind.CODE, **values: object) -> FileChange:
    added = sum(each.added for each in hunks)
    return FileChange(path, path, "M", kind, "python", added=added, hunks=hunks, **values)  # type: ignore[arg-type]


def cost(shown: Shown) -> int:
    """Ten for the piece, two for a hunk, one for a line, three for the remark about the rest."""
    return 10 + sum(2 + len(each.lines) for each in shown.hunks) + 3 * bool(shown.left_out)


def test_everything_is_whole_where_it_fits() -> None:
    files = [file("a.py", hunk(1, 5), hunk(50, 5)), file("b.py", hunk(1, 5))]
    shown, listed = fit_patches(files, 1_000, cost)
    assert all(each.is_whole for each in shown)
    assert not listed


def test_context_goes_before_hunks_and_hunks_before_files() -> None:
    files = [file("a.py", *(hunk(50 * place + 1, 20) for place in range(10)))]
    (without,), _ = fit_patches(files, 235, cost)
    assert (without.context, len(without.hunks)) == (0, 10)
    (some,), _ = fit_patches(files, 120, cost)
    assert (len(some.hunks), some.rest) == (4, "6 hunks are not shown, +120")
    assert fit_patches(files, 20, cost) == ([], files)


def test_a_hunk_that_is_too_long_does_not_hide_those_behind_it() -> None:
    (shown,), _ = fit_patches([file("a.py", hunk(1, 500), hunk(600, 5))], 60, cost)
    assert [each.added for each in shown.hunks] == [5]


def test_code_goes_before_tests_and_what_people_wrote_before_the_rest() -> None:
    files = [
        file("gen.py", hunk(1, 300), traits=(Trait.GENERATED,)),
        file("test_a.py", hunk(1, 300), kind=Kind.TEST),
        file("a.py", hunk(1, 300)),
    ]
    shown, listed = fit_patches(files, 500, cost)
    assert [each.file.path for each in shown] == ["a.py"]
    assert [each.path for each in listed] == ["gen.py", "test_a.py"]


@pytest.mark.parametrize("room", range(0, 1_200, 37))
def test_never_more_than_the_room(room: int) -> None:
    kinds = [Kind.CODE, Kind.TEST, Kind.DOC, Kind.CONFIG]
    files = [
        file(f"{at}.py", *(hunk(40 * n + 1, 1 + at * n % 17) for n in range(at)), kind=kinds[at % 4])
        for at in range(1, 9)
    ]
    shown, listed = fit_patches(files, room, cost)
    assert sum(map(cost, shown)) <= room
    assert {each.file.path for each in shown} | {each.path for each in listed} == {each.path for each in files}
    for each in shown:
        assert sum(part.added for part in (*each.hunks, *each.left_out)) == each.file.added


def test_beside_a_change_of_tests_alone_other_tests_are_no_matches(root: Path) -> None:
    tests = {f"tests/test_{name}.py": f"def test_{name}():\n    assert 1\n" for name in ("prices", "more")}
    commit(root, tests, "Tests")

    def kept(its: Context) -> list[Fragment]:
        assert its.change is not None
        file = next(each for each in its.view.files if each.path == "tests/test_more.py")
        piece = lines_piece(its, file, (1, 2), Role("search", 0.9, ()))
        return limit_to_change([piece], its.change, 8_000)

    edit(root, "tests/test_prices.py", "assert 1", "assert 2")
    with context(root) as its:
        assert kept(its) == []
    edit(root, "shop/prices.py", "sum(items)", "sum(items, 0)")
    with context(root) as its:
        assert len(kept(its)) == 1
