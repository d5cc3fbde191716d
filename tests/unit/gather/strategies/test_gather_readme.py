from __future__ import annotations

import pytest

from ctxpack.gather.strategies.readme import gather_readme, main_readme
from ctxpack.model import Kind, Request, Scope, SourceFile
from tests.building import source_file
from tests.unit.gather.conftest import MakeContext

TASK = Request(Scope.TASK, text="words")
ASKED = ("readme",)
NEWCOMER = Request(Scope.TASK, text="I am new here: how do I run the tests?")
LONG = "[![badge](x)](y)\n\n# Name\n\nFirst paragraph.\n\n" + "A paragraph of words.\n\n" * 200


def source(path: str) -> SourceFile:
    return source_file(path, Kind.README, "markdown")


def test_the_head_is_cut_behind_a_paragraph_and_starts_behind_the_badges(context: MakeContext) -> None:
    (piece,) = gather_readme(context({"README.md": LONG}, NEWCOMER, budget=2000))
    assert piece.required
    assert piece.text.startswith("# Name\n\nFirst paragraph.\n")
    assert piece.text.endswith("A paragraph of words.\n")
    assert len(piece.text) <= 0.08 * 2000 * 4


def test_a_tiny_budget_leaves_the_first_paragraph_and_does_not_insist(context: MakeContext) -> None:
    (piece,) = gather_readme(context({"README.md": LONG}, TASK, budget=100, enable=ASKED))
    assert not piece.required
    assert piece.text == "# Name\n\nFirst paragraph.\n"


@pytest.mark.parametrize(
    ("text", "brief"),
    [
        (LONG, "# Name\n\nFirst paragraph.\n"),
        ("Name\n====\n\n[![badge](x)](y)\n\nOne\ntwo.\n\nThree.\n", "Name\n====\n\n[![badge](x)](y)\n\nOne\ntwo.\n"),
        (
            "# Name\n\n" + "A line of thirty characters, no.\n" * 20,
            "# Name\n\n" + "A line of thirty characters, no.\n" * 7,
        ),
        ("# Name\n\n" + "long " * 100, "# Name\n"),
        ("<p>\n\t&nbsp;\n\t<b>x</b>\n</p>\n\n# Name\n\nFirst.\n\nNext.\n", "# Name\n\nFirst.\n"),
    ],
)
def test_a_small_budget_holds_the_title_and_the_first_paragraph(context: MakeContext, text: str, brief: str) -> None:
    (piece,) = gather_readme(context({"README.md": text, "a.py": "words = 1\n"}, TASK, budget=600, enable=ASKED))
    assert piece.required
    assert piece.text == brief


def test_without_readme_or_wish_there_is_none(context: MakeContext) -> None:
    assert (
        gather_readme(context({"a.py": "words = 1\n", "README.md": "x\n"}, TASK, use_readme=False, enable=ASKED)) == ()
    )


@pytest.mark.parametrize(
    ("paths", "main"),
    [
        (("docs/README.MD", "a/README.md"), "docs/README.MD"),
        (("README.ru.md", "README.md"), "README.md"),
        (("README-EN.md", "README.md"), "README.md"),
        (("docs/README.md", "readme.rst"), "readme.rst"),
        (("ПРОЧТИ.md",), "ПРОЧТИ.md"),
        (("README_zh-CN.md", "docs/README.md"), "README_zh-CN.md"),
        (("src/README.md",), None),
    ],
)
def test_which_readme_is_the_main_one(paths: tuple[str, ...], main: str | None) -> None:
    found = main_readme([source(path) for path in paths])
    assert (found.path if found else None) == main


INTRODUCTION = "[![badge](x)](y)\n\n# Name\n\nName sends\nparcels\nto people.\n\nA paragraph of words.\n"


def test_the_readme_says_what_the_project_is_and_no_more(context: MakeContext) -> None:
    (piece,) = gather_readme(context({"README.md": INTRODUCTION}, TASK, budget=8000, enable=ASKED))
    assert piece.text == "Name sends\nparcels\nto people.\n"
    assert (piece.provenance.start_line, piece.provenance.end_line) == (5, 7)


@pytest.mark.parametrize("text", ["# Name\n\n" + "A line of words.\n" * 90, "# Name\n", "[![x](y)](z)\n"])
def test_what_says_nothing_or_too_much_of_it_stays_out(context: MakeContext, text: str) -> None:
    assert gather_readme(context({"README.md": text}, TASK, budget=8000, enable=ASKED)) == ()


def test_a_short_readme_comes_without_its_title(context: MakeContext) -> None:
    (piece,) = gather_readme(context({"README.md": "# Name\n\nOne line.\n"}, TASK, budget=8000, enable=ASKED))
    assert piece.text == "One line.\n"


def test_long_first_paragraphs_are_told_together(context: MakeContext) -> None:
    text = f"# Name\n\n{'Name sends parcels to people. ' * 8}\n\n{'It takes letters too. ' * 8}\n"
    (piece,) = gather_readme(context({"README.md": text}, TASK, budget=8000, enable=ASKED))
    assert piece.text.endswith("letters too. \n")


def test_a_newcomer_reads_the_head(context: MakeContext) -> None:
    (piece,) = gather_readme(context({"README.md": INTRODUCTION}, NEWCOMER, budget=8000))
    assert piece.text.startswith("# Name\n\nName sends")


FOUND = {"README.md": INTRODUCTION, "parcels.py": "def send_parcel(address):\n    return address\n"}


@pytest.mark.parametrize(("strategies", "count"), [((), 0), (("search", "readme"), 1)])
def test_a_task_that_found_its_places_goes_without(
    context: MakeContext, strategies: tuple[str, ...], count: int
) -> None:
    task = Request(Scope.TASK, text="send_parcel loses the address")
    assert len(gather_readme(context(FOUND, task, budget=8000, strategies=strategies))) == count


@pytest.mark.parametrize("request_", [Request(Scope.COMPONENT, name="parcels"), Request(Scope.TASK, text="zebra")])
def test_where_nothing_fits_or_a_part_is_shown_it_is_told(context: MakeContext, request_: Request) -> None:
    (piece,) = gather_readme(context(FOUND, request_, budget=8000))
    assert "parcels\nto people." in piece.text


_SAYS = "Name sends parcels to people."


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        (f"> A sponsor: [Shop](x) — buy now.\n\n# Name\n\n{_SAYS}\n", _SAYS),
        (f"Advertisement.\n\n# Name\n\n> Sponsored by a shop.\n\n{_SAYS}\n", _SAYS),
        (f"<!---\nCopyright of Name.\n\nLicensed.\n-->\n\n# Name\n\n{_SAYS}\n", _SAYS),
        (f'<h1 align="center">\n  Name\n</h1>\n\n<p>\n  <i>{_SAYS}</i>\n</p>\n', f"  <i>{_SAYS}</i>"),
        (f'<p><img\n  src="x"\n  width="9"></p>\n\n# Name\n\n<p>{_SAYS}</p>\n\n## Use\n', f"<p>{_SAYS}</p>"),
        ("# Name\n\n## Start\n\nA detailed guide can be found at [a page](https://name.dev).\n", ""),
        (
            "# Name\n\nParcels are sent to people by\n[Name](x).\n\n## Use\n",
            "Parcels are sent to people by\n[Name](x).",
        ),
        (f"# Name\n\n{_SAYS}\n[Docs](x) | [Website](y)\n\n## Use\n", _SAYS),
        ("# Name\n\n[Docs](x) | [Website](y)\n\n```sh\nnpm install\n```\n", ""),
        (
            f"# Name\n\n## A kit that sends parcels\n\n![x](y)\n\n{_SAYS}\n",
            f"## A kit that sends parcels\n\n![x](y)\n\n{_SAYS}",
        ),
        (f"# Name\n\n{'Your sponsorship keeps us going. ' * 3}\n\n{_SAYS}\n", _SAYS),
        (f"# Name\n\nLocated at https://name.dev for all.\n\n{_SAYS}\n", _SAYS),
        (f'<h3> Gold sponsors </h3> <table> <a href="x">A shop</a>\n<p>It sells.</p>\n</table>\n\n{_SAYS}\n', _SAYS),
    ],
)
def test_the_readme_is_told_by_what_says_something(context: MakeContext, text: str, summary: str) -> None:
    pieces = gather_readme(context({"README.md": text}, TASK, budget=8000, enable=ASKED))
    assert "".join(each.text for each in pieces) == (f"{summary}\n" if summary else "")


_BADGE = ".. image:: https://example.org/badge.svg?style=flat\n    :target: https://example.org\n    :alt: A badge\n\n"


@pytest.mark.parametrize(
    "head",
    [
        ".. -*- mode: rst -*-\n\n.. _shop: https://shop.dev\n\n|Tests|_ |Cover|_\n\n.. |Tests| image:: https://a.b\n\n",
        f"####\nName\n####\n\n{_BADGE * 12}",
        "Name\n****\n\n..\n   A comment of words\n   in two lines.\n\n",
    ],
)
@pytest.mark.parametrize("budget", [600, 8000])
def test_comments_targets_and_badges_of_restructuredtext_tell_nothing(
    context: MakeContext, head: str, budget: int
) -> None:
    text = f"{head}{_SAYS}\n\nUse\n+++\n\nInstall it.\n"
    (piece,) = gather_readme(context({"README.rst": text, "a.py": "words = 1\n"}, TASK, budget=budget, enable=ASKED))
    assert piece.text.endswith(f"{_SAYS}\n")
    assert len(piece.text) < 120


def test_a_newcomer_reads_what_stands_below_many_badges(context: MakeContext) -> None:
    text = f"####\nName\n####\n\n{_BADGE * 20}{_SAYS}\n\nUse\n+++\n\nInstall it.\n"
    (piece,) = gather_readme(context({"README.rst": text}, NEWCOMER, budget=8000))
    assert piece.text.startswith(_SAYS)
    assert piece.text.endswith("Install it.\n")
