from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack import Pack, Request, Scope, load, pack
from tests.indexing import write

FILES = {
    "src/sender.py": "class Sender:\n    limit = 5\n\n    def send(self, batch):\n        return batch\n",
    "src/app.py": "from sender import Sender\n\n\ndef start():\n    return Sender().send([])\n",
} | {f"src/part{n}.py": f"def sender_of_{n}(send):\n    return send, 'defined {n}'\n" for n in range(20)}


def test_a_definition_comes_with_few_users_and_no_filler(tmp_path: Path) -> None:
    root = write(tmp_path / "root", FILES)
    run = pack(Request(Scope.TASK, text="where is Sender defined?"), load(str(root), {"use_cache": False}))
    paths = [each.provenance.path for each in run.pack.selection.fragments]
    assert "src/sender.py" in paths
    assert len(paths) <= 3


def test_a_class_of_which_only_a_method_was_ranked_comes_from_its_head(tmp_path: Path) -> None:
    body = "".join(f"    const step{number} = sender.send({number});\n" for number in range(12))
    users = {f"src/part{n}.ts": f"export const SenderPart{n} = 'defined {n}';\n" for n in range(20)}
    source = (
        "export function isSender(it: unknown): it is Sender {\n  return it instanceof Sender;\n}\n\n"
        "export class Sender extends Base {\n  public readonly code;\n\n"
        "  constructor(opts: {\n    message?: string;\n  }) {\n    super(opts.message);\n"
        "    this.name = 'Sender';\n  }\n}\n\n"
        f"export function start(sender: Sender) {{\n{body}}}\n"
    )
    made = packed(write(tmp_path / "root", users | {"src/sender.ts": source}), "where is Sender defined")
    (piece,) = (each for each in made.selection.fragments if each.provenance.path == "src/sender.ts")
    assert piece.text.startswith("export class Sender")
    assert piece.text.rstrip().endswith("}")
    assert len(made.selection.fragments) <= 3


def test_of_equal_definitions_the_one_comes_that_is_where_the_request_says(tmp_path: Path) -> None:
    variable = (
        'variable "grain_types" {\n  description = "What the mill grinds"\n  type = list(string)\n  default = []\n}\n'
    )
    used = 'resource "mill" "this" {\n  grain = var.grain_types\n}\n'
    files = {
        f"modules/{name}/{file}.tf": text
        for name in ("electric-mill", "water-mill", "wind-mill")
        for file, text in (("variables", variable), ("main", used))
    }
    root = write(tmp_path / "root", files)
    for name in ("electric", "water", "wind"):
        made = packed(root, f"where is the default of grain_types for the {name} mill")
        paths = [each.provenance.path for each in made.selection.fragments if each.text.startswith("variable")]
        assert paths[:1] == [f"modules/{name}-mill/variables.tf"]


COPIED = "".join(f"        check_{number} = limits.get('{number}')\n" for number in range(9))


def test_copies_of_code_all_come_where_the_request_is_about_them(tmp_path: Path) -> None:
    def link(name: str) -> str:
        return f"class {name}:\n    def validate(self, limits):\n{COPIED}        return limits\n"

    files = {"src/batch.py": link("BatchLink"), "src/stream.py": link("StreamLink"), "src/app.py": "APP = 1\n"}
    root = write(tmp_path / "root", files)
    paths = {path for path, _ in symbols(packed(root, "the limits check is copy-pasted in both links, fix it"))}
    assert {"src/batch.py", "src/stream.py"} <= paths


REPOSITORY = {
    "src/errors.py": "SHOULD_IGNORE = None\n\n\ndef ignore_error(error):\n    return False\n",
    "src/app.py": (
        "from errors import SHOULD_IGNORE\n\n\n"
        "def run():\n    if SHOULD_IGNORE is not None:\n        raise ValueError\n    return 1\n\n\n"
        "def ignore():\n    return 'should be ignored'\n"
    ),
    "src/elvish.py": "NAME = 'elvish'\n",
    "src/shells.py": "def shells():\n    return ['bash', 'Elvish']\n\n\ndef others():\n    return ['fish']\n",
    "tests/test_app.py": "def test_run():\n    assert SHOULD_IGNORE is None\n\n\ndef test_other():\n    assert 1\n",
    "docs/errors.md": "# Errors\n\nSHOULD_IGNORE decides which errors are ignored.\n\n# Others\n\nNone.\n",
    "CHANGES.md": "# Changes\n\n## 1.1\n\n- SHOULD_IGNORE is deprecated.\n\n## 1.0\n\n- First.\n",
} | {f"src/ignore{n}.py": f"def ignore_error_{n}():\n    return 'should ignore {n}'\n" for n in range(20)}


def packed(root: Path, text: str) -> Pack:
    return pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False})).pack


def symbols(made: Pack) -> set[tuple[str, str]]:
    return {(each.provenance.path, each.provenance.symbol) for each in made.selection.fragments}


def test_every_use_of_a_name_comes_and_nothing_that_only_resembles_it(tmp_path: Path) -> None:
    root = write(tmp_path / "root", REPOSITORY)
    expected = {
        ("src/errors.py", "SHOULD_IGNORE"),
        ("src/app.py", "run"),
        ("tests/test_app.py", "test_run"),
        ("docs/errors.md", "Errors"),
    }
    texts = "where is SHOULD_IGNORE used?", "remove the deprecated SHOULD_IGNORE hook", "rename SHOULD_IGNORE to X"
    for text in texts:
        made = packed(root, text)
        assert {each for each in symbols(made) if each[1]} == expected
        assert "from errors import SHOULD_IGNORE" in "".join(each.text for each in made.selection.fragments)
        reasons = {each.provenance.reasons for each in made.selection.fragments}
        assert reasons == {("defines SHOULD_IGNORE",), ("uses SHOULD_IGNORE",)}
        assert made.notes == ()


def test_a_changelog_that_has_the_name_is_only_listed(tmp_path: Path) -> None:
    made = packed(write(tmp_path / "root", REPOSITORY), "remove SHOULD_IGNORE")
    assert "CHANGES.md" not in made.selection.paths
    assert "CHANGES.md" in {each.path for each in made.selection.omissions}


@pytest.mark.parametrize(
    ("text", "old_is_packed"), [("where is SHOULD_IGNORE used?", False), ("where is SHOULD_IGNORE used in 1.0?", True)]
)
def test_pages_for_an_older_version_are_only_listed(tmp_path: Path, text: str, *, old_is_packed: bool) -> None:
    pages = {f"docs/{version}/hooks.md": "# Hooks\n\nSet `SHOULD_IGNORE` to skip.\n" for version in ("1.0", "2.0")}
    made = packed(write(tmp_path / "root", REPOSITORY | pages), text)
    assert ("docs/1.0/hooks.md" in made.selection.paths) == old_is_packed
    assert "docs/2.0/hooks.md" in made.selection.paths or old_is_packed  # a copy of the other one


def test_the_definition_of_an_example_comes_behind_the_code_that_uses_the_name(tmp_path: Path) -> None:
    files = {"examples/small/app.py": "def skip_all(row):\n    return row\n", "src/run.py": "skip_all(read())\n"}
    made = packed(write(tmp_path / "root", files), "where is skip_all used")
    best = max(made.selection.fragments, key=lambda each: each.provenance.score)
    assert best.provenance.path == "src/run.py"


def test_a_plain_word_is_found_in_any_case_and_as_the_name_of_a_file(tmp_path: Path) -> None:
    made = packed(write(tmp_path / "root", REPOSITORY), "Let us drop elvish altogether: where is it wired in?")
    assert {each[0] for each in symbols(made)} == {"src/elvish.py", "src/shells.py"}
    assert ("src/shells.py", "shells") in symbols(made)


def test_what_goes_entirely_is_also_a_word_of_longer_names(tmp_path: Path) -> None:
    languages = {
        f"locale/{name}.json": '{\n  "a": "b",\n  "form.elvish_key": "Elvish"\n}\n' for name in ("de", "en", "fr")
    }
    files = {
        "src/form.py": "def save(row):\n    row.ElvishKey = read('elvish_key')\n    return row\n",
        "src/crowd.py": "def gather_elvishly(row):\n    return row\n",
    }
    root = write(tmp_path / "root", REPOSITORY | files | languages)
    made = packed(root, "Let us drop elvish altogether")
    assert {each[0] for each in symbols(made)} == {"src/elvish.py", "src/shells.py", "src/form.py"}
    (form,) = (each for each in made.selection.fragments if each.provenance.path == "src/form.py")
    assert form.provenance.reasons == ("uses ElvishKey and elvish_key",)
    listed = {(each.path, each.start_line, each.symbol) for each in made.selection.omissions}
    assert ("locale/en.json", 3, "form.elvish_key and 2 beside it") in listed
    assert not {"locale/de.json", "locale/fr.json"} & {path for path, *_ in listed}
    assert "src/form.py" not in packed(root, "where is `elvish` used?").selection.paths


def test_long_definitions_come_with_each_of_their_uses(tmp_path: Path) -> None:
    lines = [f"    x{n} = {'SHOULD_IGNORE' if n in {5, 60, 110} else n}" for n in range(150)]
    root = write(tmp_path / "root", REPOSITORY | {"src/long.py": "def long():\n" + "\n".join(lines) + "\n"})
    made = packed(root, "where is SHOULD_IGNORE used?")
    text = "".join(each.text for each in made.selection.fragments if each.provenance.path == "src/long.py")
    assert text.count("SHOULD_IGNORE") == 3
    assert len(text.splitlines()) < 60


def test_few_lines_between_two_uses_come_with_them(tmp_path: Path) -> None:
    lines = [f"    x{n} = {'SHOULD_IGNORE' if n in {5, 35, 110} else n}" for n in range(150)]
    root = write(tmp_path / "root", REPOSITORY | {"src/settings.py": "def long():\n" + "\n".join(lines) + "\n"})
    pieces = packed(root, "where is SHOULD_IGNORE used?").selection.fragments
    spans = [
        (each.provenance.start_line, each.provenance.end_line)
        for each in pieces
        if each.provenance.path == "src/settings.py"
    ]
    assert spans == [(1, 43), (106, 118)]


def test_a_name_in_too_many_places_is_left_to_the_ranking(tmp_path: Path) -> None:
    many = {f"src/many{n}.py": "def f():\n    return SHOULD_IGNORE\n" for n in range(70)}
    made = packed(write(tmp_path / "root", REPOSITORY | many), "remove SHOULD_IGNORE")
    assert all("uses SHOULD_IGNORE" not in each.provenance.reasons for each in made.selection.fragments)


def test_a_name_that_occurs_nowhere_is_reported(tmp_path: Path) -> None:
    root = write(tmp_path / "root", REPOSITORY)
    for text in ("who calls ignore_every_error?", "where is ignore_every_error defined?"):
        assert any("Nowhere in the repository: ignore_every_error." in note for note in packed(root, text).notes)


def test_a_function_by_its_bare_name_comes_with_its_uses(tmp_path: Path) -> None:
    files = {f"src/part{n}.py": f"def ignore_{n}():\n    return {n}\n" for n in range(9)}
    made = packed(
        write(tmp_path / "root", files | {"src/user.py": "def user():\n    return ignore_3() + 1\n"}), "ignore_3"
    )
    assert symbols(made) == {("src/part3.py", "ignore_3"), ("src/user.py", "user")}


def test_a_task_about_one_file_is_a_request_for_it(tmp_path: Path) -> None:
    body = "".join(f"def part{n}(value):\n    return value + {n}\n\n\n" for n in range(60))
    root = write(tmp_path / "root", REPOSITORY | {"src/long.py": body, "lib/app.py": "x = 1\n"})
    made = packed(root, "explain src/long.py")
    first = made.selection.fragments[0]
    assert (first.provenance.path, first.strategy, first.text.count("def part")) == ("src/long.py", "document", 60)
    assert (made.request.scope, made.request.text) == (Scope.TASK, "explain src/long.py")
    for text in ("explain app.py", "explain ignore.py", "explain long.part3"):  # two of them, none, a method
        assert all(each.strategy != "document" for each in packed(root, text).selection.fragments)


PROJECT = {
    "README.md": "# Parcel\n\nSends parcels of data.\n",
    "CONTRIBUTING.md": "# Contributing\n\nRun the tests.\n",
    "docs/architecture.md": "# Architecture\n\nA queue and a sender.\n",
    "docs/design/colours.md": "# Colours\n\nBlue.\n",
    "pyproject.toml": "[project]\nname = 'parcel'\n",
    "parcel/__main__.py": "from parcel.queue import Queue\n\nQueue()\n",
    "parcel/queue.py": "from parcel.store import Store\n\n\nclass Queue:\n    store = Store()\n",
    "parcel/store.py": "class Store:\n    def read(self):\n        return 1\n",
    "parcel/start.py": "# where to start reading\nSTART = 1\n",
    "tests/test_queue.py": "from parcel.queue import Queue\n\n\ndef test_queue():\n    assert Queue()\n",
}


@pytest.mark.parametrize(
    "request_",
    [
        Request(Scope.TASK, text="how is the project structured? where do I start reading?"),
        Request(Scope.TASK, text="обзор архитектуры"),
        Request(Scope.COMPONENT, name="."),
    ],
)
def test_an_overview_has_what_tells_of_the_project_and_its_central_code(tmp_path: Path, request_: Request) -> None:
    made = pack(request_, load(str(write(tmp_path / "root", PROJECT)), {"use_cache": False})).pack
    assert [each.provenance.path for each in made.selection.fragments] == [
        "README.md",
        "docs/architecture.md",
        "CONTRIBUTING.md",
        "pyproject.toml",
        "parcel/__main__.py",
        "parcel/queue.py",
        "parcel/store.py",
    ]
    assert "the whole project" in pack(Request(Scope.COMPONENT, name="."), load(str(tmp_path / "root"))).text


def test_what_a_header_declares_is_shown_where_it_is_done_and_large_files_beside_it(tmp_path: Path) -> None:
    large = "".join(f"int part{n}(int value) {{\n  return value + {n};\n}}\n\n" for n in range(100))
    root = write(
        tmp_path / "root",
        {
            "src/main.c": '#include "queue.h"\n\nint main(void) {\n  return push(1);\n}\n',
            "src/queue.h": "int push(int value);\n",
            "src/queue.c": '#include "queue.h"\n\nint push(int value) {\n  return value;\n}\n',
            "src/parts.c": large,
            "src/small.c": "int small(void) {\n  return 1;\n}\n",
            "scripts/count.py": "".join(f"def part{n}(value):\n    return value + {n}\n\n\n" for n in range(100)),
        },
    )
    found = [each.provenance for each in packed(root, "architecture overview").selection.fragments]
    assert [(each.path, *each.reasons) for each in found] == [
        ("src/main.c", "a program begins here"),
        ("src/parts.c", "much of the code is in it"),
        ("src/queue.c", "a file uses it"),
    ]


LOADED = {
    "README.md": "# Shop\n\nSells things.\n",
    "exe/shop": "#!/usr/bin/env ruby\nrequire 'shop'\n\nShop.start\n",
    "app/cart.rb": "class Cart\n  def total\n    1\n  end\nend\n",
    "app/audit.rb": "class Audit\n  def note\n    1\n  end\nend\n",
} | {f"app/part{n}.rb": f"class Part{n}\n  def run\n    Cart.new.total\n  end\nend\n" for n in range(3)}


def test_a_name_that_many_tests_repeat_is_still_changed_everywhere(tmp_path: Path) -> None:
    tests = {f"tests/test_part{n}.py": f"def test_part{n}():\n    assert wait(retryDelay={n})\n" for n in range(70)}
    product = {
        "src/wait.py": "def wait(retryDelay=1):\n    return retryDelay\n",
        "README.md": "# Wait\n\nSet retryDelay.\n",
    }
    made = packed(
        write(tmp_path / "root", tests | product), "rename retryDelay to delay, but keep the old name working"
    )
    reasons = {each.provenance.path: each.provenance.reasons for each in made.selection.fragments}
    assert product.keys() <= reasons.keys()
    assert len(reasons) == len(tests) + len(product)
    assert all("uses retryDelay" in each for each in reasons.values())


NAMESPACES = {
    "lib/shop.ex": "defmodule Shop do\n  def open, do: Shop.Cart.total()\nend\n",
    "lib/mix/shop.ex": "defmodule Mix.Shop do\n  def run, do: Shop.open()\nend\n",
    "lib/shop/cart.ex": "defmodule Shop.Cart do\n  def total, do: 1\nend\n",
    "lib/shop/from.ex": "defmodule Shop.From do\n  def at, do: Shop.open()\nend\n",
} | {
    f"lib/shop/part{n}.ex": f"defmodule Shop.Part{n} do\n  def from(cart), do: Shop.Cart.total(cart)\nend\n"
    for n in range(1)
}
PACKAGE = {
    f"store/{name}.go": "package store\n\nfunc F() int {\n\treturn 1\n}\n" for name in ("a", "b", "c", "store")
} | {
    "go.mod": "module example.com/shop\n",
    "cart/cart.go": "package cart\n\nfunc Total() int {\n\treturn 1\n}\n",
    "web/one.go": 'package web\n\nimport "example.com/shop/store"\n\nvar A = store.F()\n',
    "web/two.go": "package web\n\n"
    'import (\n\t"example.com/shop/cart"\n\t"example.com/shop/store"\n)\n\nvar B = cart.Total() + store.F()\n',
}


@pytest.mark.parametrize(
    ("files", "users"),
    [
        (LOADED, {"app/cart.rb": "3 files name it"}),
        (NAMESPACES, {"lib/shop/cart.ex": "2 files name it", "lib/shop.ex": "a file names it"}),
        (
            PACKAGE,
            {"store/store.go": "2 files use it", "cart/cart.go": "a file uses it", "store/a.go": "2 files use it"},
        ),
    ],
)
def test_the_code_of_an_overview_is_what_others_import_or_name(
    tmp_path: Path, files: dict[str, str], users: dict[str, str]
) -> None:
    made = packed(write(tmp_path / "root", files), "give me a tour of the code")
    reasons = {each.provenance.path: each.provenance.reasons[0] for each in made.selection.fragments}
    central = [(path, reason) for path, reason in reasons.items() if "it" in reason.split()]
    assert central[: len(users)] == list(users.items())
    assert reasons.get("exe/shop", "a program begins here") == "a program begins here"


def test_of_a_long_guide_an_overview_has_how_one_works_on_the_code(tmp_path: Path) -> None:
    parts = [f"## Part {n}\n\n" + "Be kind to each other.\n" * 30 for n in range(6)]
    parts[4] += "Clone it, install the packages and run the tests.\n"
    files = {"README.md": "# Shop\n\nSells things.\n", "CONTRIBUTING.md": "# Contributing\n\n" + "\n".join(parts)}
    made = packed(write(tmp_path / "root", files), "new here, how is this repo organised and how do i run the tests?")
    assert any("run the tests" in each.text for each in made.selection.fragments)


def test_of_a_long_readme_an_overview_has_its_beginning_and_how_one_works_on_the_code(tmp_path: Path) -> None:
    parts = {
        name: f"## {name}\n\n" + f"Say what {name.lower()} is.\n" * 30
        for name in ("Usage", "Options", "Colours", "Speed")
    }
    readme = "# Shop\n\nSells things.\n\n" + "\n".join(parts.values()) + "\n## Running tests\n\nSay make check.\n"
    made = packed(
        write(tmp_path / "root", {"README.md": readme, "mix.exs": "defmodule Shop.MixProject do\nend\n"}),
        "i'm new here, how is this repo organised and how do i run the tests?",
    )
    texts = "\n".join(each.text for each in made.selection.fragments)
    assert "Sells things." in texts
    assert "Say make check." in texts
    assert "colours is" not in texts
    assert "declares the project" in {each for piece in made.selection.fragments for each in piece.provenance.reasons}


def test_an_overview_has_what_tells_how_the_project_is_tested(tmp_path: Path) -> None:
    fields = "".join(f'  "field{number}": {number},\n' for number in range(60))
    manifest = f'{{\n  "name": "shop",\n{fields}  "scripts": {{\n    "test": "run-all-tests"\n  }}\n}}\n'
    files = {"README.md": "# Shop\n\nSells things.\n", "package.json": manifest, "Makefile": "check:\n\tnpm test\n"}
    made = packed(write(tmp_path / "root", files), "i'm new to this repo, how is it structured?")
    found = {
        each.provenance.path: each for each in made.selection.fragments if "tested" in str(each.provenance.reasons)
    }
    assert found.keys() == {"package.json", "Makefile"}
    assert "run-all-tests" in found["package.json"].text


LINKS = {"docs/index.md", "docs/travel.md", "nav.yml"}
SITE = {
    "docs/leave.md": "# Leave\n\nHow to take leave.\n",
    "docs/index.md": "# Start\n\nSee [leave](leave.md).\n\n# More\n\nOne may leave at any time.\n",
    "docs/travel.md": "# Travel\n\nAs in [leave](../docs/leave#days).\n",
    "nav.yml": "pages:\n  - docs/leave/\n",
    "app/util.py": "def shorten(text):\n    return text[:9]\n",
    "app/pages.py": "from .util import shorten\n\n\ndef page(text):\n    return shorten(text)\n",
    "app/other.py": "def util():\n    return 'leave'\n",
    "CHANGES.md": "# Changes\n\n- util.py is new, alone.go too.\n",
    "alone.go": "package app\n\nfunc Alone() int { return 1 }\n",
} | {f"docs/other{n}.md": f"# Part {n}\n\nLeave it, page {n}.\n" for n in range(20)}


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        (
            "I renamed docs/leave.md to docs/time-off.md, what else must change?",
            {"docs/index.md", "docs/travel.md", "nav.yml"},
        ),
        ("who links to leave.md", {"docs/index.md", "docs/travel.md", "nav.yml"}),
        ("what imports app/util.py?", {"app/pages.py"}),
    ],
)
def test_every_use_of_a_file_comes_and_its_own_beginning(tmp_path: Path, text: str, paths: set[str]) -> None:
    made = packed(write(tmp_path / "root", SITE), text)
    first = made.selection.fragments[0].provenance
    assert (first.path, first.reasons) in {
        (path, ("its file has the name",)) for path in ("docs/leave.md", "app/util.py")
    }
    assert {each.provenance.path for each in made.selection.fragments} == {first.path, *paths}


def test_a_file_that_only_a_changelog_names_is_searched_as_usual(tmp_path: Path) -> None:
    made = packed(write(tmp_path / "root", SITE), "delete alone.go")
    assert "alone.go" in made.selection.paths
    assert ("its file has the name",) not in {each.provenance.reasons for each in made.selection.fragments}


def test_a_test_that_is_a_block_of_a_call_comes_whole(tmp_path: Path) -> None:
    def case(name: str, line: str) -> str:
        return f'  it("{name}", () => {{\n    const box = open();\n\n    {line}\n    close(box);\n  }});\n\n'

    cases = [case(f"case {n}", "expect(send_one(box)).toBe(1);" if n in (5, 20) else "fill(box);") for n in range(30)]
    tests = 'describe("sending", () => {\n' + "".join(cases) + "});\n"
    code = "export function send_one(box) {\n  return box.size;\n}\n"
    root = write(tmp_path / "root", {"src/send.js": code, "test/send.test.js": tests})
    found = packed(root, "review send_one: which tests cover it?").selection.fragments
    texts = ["\n".join(each.text.splitlines()) for each in found if each.provenance.path == "test/send.test.js"]
    assert texts == [case(f"case {n}", "expect(send_one(box)).toBe(1);").rstrip("\n") for n in (5, 20)]


LISP = {
    "store.el": (
        ";;; store.el --- Keep things\n\n(require 'store-base)\n\n(defvar store-items nil)\n\n"
        '(defun store-get (key)\n  "Return what KEY stands for."\n  (assoc key store-items))\n\n'
        "(defun store-get-all ()\n  (mapcar #'cdr store-items))\n"
    ),
    "store-base.el": '(defgroup store-base nil\n  "Base.")\n',
    "app.el": "(defun app-run ()\n  (store-get 'a))\n\n(defun app-stop ()\n  (store-get-all))\n",
    "docs/get.md": "# Get\n\nThe store gets things, and what it gets is stored.\n",
}


def test_a_name_with_hyphens_is_a_name_where_it_is_defined(tmp_path: Path) -> None:
    root = write(tmp_path / "root", LISP)
    found = packed(root, "store-get forgets the last key").selection.fragments
    (piece,) = (each for each in found if each.provenance.path == "store.el" and "(defun store-get (" in each.text)
    assert "defines store-get" in piece.provenance.reasons
    assert symbols(packed(root, "who calls store-get")) == {("store.el", "store-get"), ("app.el", "app-run")}


def test_a_name_that_is_in_very_many_places_is_looked_up_with_its_owner(tmp_path: Path) -> None:
    others = {f"src/other{n}.erl": f"declare(Name) ->\n    other{n}:declare(Name).\n" for n in range(320)}
    users = {
        "src/queue.erl": "-spec declare(binary()) -> ok.\n\ndeclare(_Name) ->\n    ok.\n",
        "src/app.erl": "start() ->\n    queue:declare(<<>>).\n",
    }
    root = write(tmp_path / "root", others | users)
    assert symbols(packed(root, "who calls queue:declare")) == {("src/queue.erl", "declare"), ("src/app.erl", "start")}


def test_a_module_that_a_request_names_comes_whole(tmp_path: Path) -> None:
    steps = "".join(f"step{n}(State) ->\n    {{ok, State, {n * 1000}}}.\n\n" for n in range(90))
    files = {
        "src/keep_alive.erl": f"-module(keep_alive).\n-export([start/1]).\n\nstart(State) ->\n    State.\n\n{steps}",
        "src/reader.erl": "-module(reader).\n\nread(State) ->\n    keep_alive:start(State).\n",
    } | {f"src/other{n}.erl": f"-module(other{n}).\n\nrun(Timer) ->\n    Timer.\n" for n in range(20)}
    found = packed(write(tmp_path / "root", files), "how does keep_alive work").selection.fragments
    assert files["src/keep_alive.erl"].strip() in {each.text.strip() for each in found}
