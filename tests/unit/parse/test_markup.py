"""Documents: headings of each markup, front matter, and sections as chunks."""

from __future__ import annotations

import pytest

from ctxpack.model import FrontMatter, ParsedFile
from ctxpack.parse import outline

BODY = "text\n\nmore\n\nlast\n\n"


def _headings(parsed: ParsedFile) -> list[tuple[int, tuple[str, ...]]]:
    return [(chunk.start_line, chunk.heading) for chunk in parsed.chunks]


def test_markdown_sections_have_heading_paths() -> None:
    text = f"intro\n\n# One #\n\n{BODY}## Two\n\n{BODY}Three\n=====\n\n{BODY}"
    assert _headings(outline(text, "markdown")) == [
        (1, ()),
        (3, ("One",)),
        (11, ("One", "Two")),
        (19, ("Three",)),
    ]


def test_a_heading_has_neither_badges_nor_addresses() -> None:
    text = f"# Clinic [![Build](https://a.b/c.svg)](https://a.b/c)\n\n{BODY}[Usage](#usage)\n=====\n\n{BODY}"
    assert _headings(outline(text, "markdown")) == [(1, ("Clinic",)), (9, ("Usage",))]


def test_markdown_ignores_headings_in_fences_and_comments() -> None:
    text = f"# One\n\n```sh\n# no\n```\n\n~~~~\n# no\n~~~\n# no\n~~~~\n\n<!--\n# no\n-->\n\n{BODY}# Two\n\n{BODY}"
    assert [heading for _, heading in _headings(outline(text, "markdown"))] == [("One",), ("Two",)]


def test_markdown_ignores_headings_in_fences_of_lists() -> None:
    text = (
        f"# One\n\n1. item\n\n    ```\n    out\nTable\n-----\n    ```\n\n> ```\n> # no\n> ```\n\n{BODY}# Two\n\n{BODY}"
    )
    assert [heading for _, heading in _headings(outline(text, "markdown"))] == [("One",), ("Two",)]


def test_a_list_or_table_before_a_rule_is_no_heading() -> None:
    text = "- item\n---\n\n| a | b |\n|---|---|\n"
    assert outline(text, "markdown").chunks[0].heading == ()


def test_short_sections_join_the_next_deeper_one() -> None:
    text = f"# One\n\n## Two\n\n{BODY}# Three\n\n{BODY}"
    assert _headings(outline(text, "markdown")) == [(1, ("One", "Two")), (11, ("Three",))]


def test_a_long_section_is_split_between_paragraphs_and_not_in_a_fence() -> None:
    paragraph = "word\n" * 30 + "\n"
    fence = "```\n" + "code\n\n" * 20 + "```\n\n"
    text = "# One\n\n" + paragraph * 2 + fence + paragraph
    lines = text.split("\n")
    chunks = outline(text, "markdown").chunks
    assert len(chunks) > 1
    for chunk in chunks:
        assert chunk.end_line - chunk.start_line < 80
        assert lines[chunk.start_line - 1 : chunk.end_line].count("```") in (0, 2)


def test_a_section_whose_few_lines_hold_much_is_split_between_them() -> None:
    rows = "".join(f"| option{number} | {'what it does ' * 40} |\n" for number in range(40))
    chunks = outline(f"# Options\n\n| Name | Use |\n|---|---|\n{rows}", "markdown").chunks
    assert [chunk.start_line for chunk in chunks][:3] == [1, 12, 19]
    assert {chunk.heading for chunk in chunks} == {("Options",)}
    assert len(outline(f"# Options\n\n{rows[:8_000]}", "markdown").chunks) == 1
    assert len(outline(f"# Options\n\n```\n{rows}```\n", "markdown").chunks) == 1


@pytest.mark.parametrize("opening", ["```sh\n", "~~~\n", ".. code-block:: sh\n\n", "As before\n"])
def test_a_long_section_is_not_split_before_what_its_last_paragraph_introduces(opening: str) -> None:
    text = "# One\n\n" + "word\n" * 30 + "\n" + "word\n" * 30 + "\nRun this:\n\n" + opening + "    code\n" * 30
    starts = [chunk.start_line for chunk in outline(text, "markdown").chunks]
    assert [text.split("\n")[start - 1] for start in starts] == ["# One", "Run this:"]


def test_restructuredtext_levels_follow_the_order_of_adornments() -> None:
    text = f"=====\nTitle\n=====\n\n{BODY}Part\n----\n\n{BODY}Sub\n~~~\n\n{BODY}Other\n-----\n\n{BODY}"
    assert [heading for _, heading in _headings(outline(text, "rst"))] == [
        ("Title",),
        ("Title", "Part"),
        ("Title", "Part", "Sub"),
        ("Title", "Other"),
    ]


def test_asciidoc_both_title_styles_outside_blocks() -> None:
    text = f"git-add(1)\n==========\n\nNAME\n----\n{BODY}----\n== no\n----\n\n{BODY}== Options\n\n{BODY}"
    assert [heading for _, heading in _headings(outline(text, "asciidoc"))] == [
        ("git-add(1)", "NAME"),
        ("git-add(1)", "Options"),
    ]


@pytest.mark.parametrize(
    ("language", "text", "start"),
    [
        ("asciidoc", f"= Title\n\n{BODY}[#part]\n[[also]]\n== Part\n\n{BODY}", "[#part]"),
        ("markdown", f"# Title\n\n{BODY}(part)=\n## Part\n\n{BODY}", "(part)="),
        ("markdown", f'# Title\n\n{BODY}<a id="part"></a>\n\n## Part\n\n{BODY}', '<a id="part"></a>'),
        ("markdown", f"# Title\n\n{BODY}[link]\n\n## Part\n\n{BODY}", "## Part"),
    ],
)
def test_a_section_begins_with_the_anchor_above_its_heading(language: str, text: str, start: str) -> None:
    first, second = outline(text, language).chunks
    assert text.splitlines()[second.start_line - 1] == start
    assert first.end_line == second.start_line - 1


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (
            "---\ntitle: 'A: b'\ndescription: >\n  two\n  lines\ntags: [one, \"two\"]\ndate: 2026-01-02 # day\n---\n",
            FrontMatter("A: b", "two lines", ("one", "two"), "2026-01-02"),
        ),
        ("---\nTitle: X\ntags:\n  - a b\n- c\n---\n", FrontMatter("X", "", ("a b", "c"), "")),
        ("---\ntags: a, b\nkeywords: b, c\n---\n", FrontMatter("", "", ("a", "b", "c"), "")),
        (
            '+++\ntitle = "X"\ndate = 2026-01-02\n[taxonomies]\ntags = ["a"]\n+++\n',
            FrontMatter("X", "", ("a",), "2026-01-02"),
        ),
        ("+++\nbroken = \n+++\n", FrontMatter()),
        ("---\nno end\n", FrontMatter()),
        ("---\n: : [\n  - \n---\n", FrontMatter()),
        ("text\n---\ntitle: x\n---\n", FrontMatter()),
    ],
)
def test_front_matter(head: str, expected: FrontMatter) -> None:
    assert outline(f"{head}\n# One\n", "markdown").front_matter == expected


def test_front_matter_is_not_a_heading() -> None:
    parsed = outline(f"---\ntitle: X\n---\n\n# One\n\n{BODY}", "markdown")
    assert _headings(parsed) == [(1, ()), (5, ("One",))]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("org", f"#+title: A\n\n* One  :tag:other:\n{BODY}** TODO Two\n{BODY}*bold* text\n"),
        ("textile", f"intro\n\nh1. One\n{BODY}h2(#two). Two\n{BODY}"),
        ("mediawiki", f"intro\n\n= One =\n{BODY}== Two==\n{BODY}= no title\n"),
        ("tex", f"intro\n\n\\section{{One}}\n{BODY}\\subsection*[Short]{{Two}}\n{BODY}"),
        ("texinfo", f"intro\n@node One\n@chapter One\n{BODY}@section Two\n{BODY}"),
        ("pod", f"=encoding utf8\n\n=head1 C<One>\n\n{BODY}=head2 Two\n\n{BODY}=cut\n"),
        ("man", f'.TH A 1\n.\n.SH "One"\n{BODY}.SS Two\n{BODY}'),
    ],
)
def test_other_markups_have_heading_paths(language: str, text: str) -> None:
    assert [heading for _, heading in _headings(outline(text, language))] == [(), ("One",), ("One", "Two")]


HELP = (
    f"{'=' * 78}\nCOMMANDS{' ' * 40}*kit-commands*\n\n{BODY}"
    f":KitStart [name]{' ' * 40}*:KitStart*\n\n{BODY}"
    f"{' ' * 40}*kit-stop* *kit-end*\n\n{BODY}"
    f"{'-' * 78}\nOF ONE FILE\n\n{BODY}A *bold* word.\n"
)


@pytest.mark.parametrize(("head", "tail"), [("*kit.txt*  A kit.\n\n", ""), ("Kit\n\n", "\nvim:tw=78:ft=help:norl:\n")])
def test_a_help_file_has_sections_below_rules_and_beside_tags(head: str, tail: str) -> None:
    assert _headings(outline(f"{head}{HELP}{tail}", "text")) == [
        (1, ()),
        (3, ("COMMANDS",)),
        (6 + BODY.count("\n"), ("COMMANDS", ":KitStart [name]")),
        (8 + 2 * BODY.count("\n"), ("COMMANDS", "kit-stop")),
        (10 + 3 * BODY.count("\n"), ("COMMANDS", "OF ONE FILE")),
    ]


def test_other_text_has_no_sections() -> None:
    assert {heading for _, heading in _headings(outline(f"Kit\n\n{HELP}", "text"))} == {()}


def test_the_entries_of_a_manual_are_sections() -> None:
    entries = (
        ".It Ic automatic\\-rename Op Ic on",
        ".It Fl f Ar file",
        ".TP\n\\fB\\-\\-size\\fR N",
        ".SS \\f[CR]list\\f[R]",
    )
    text = f".Sh OPTIONS\n{BODY}" + "".join(f"{each}\n{BODY}" for each in entries)
    assert [heading[-1] for _, heading in _headings(outline(text, "man"))] == [
        "OPTIONS",
        "automatic-rename on",
        "-f file",
        "--size N",
        "list",
    ]
    table = f".Sh ALIASES\n{BODY}.It Li first Ta Li 1\n{BODY}"
    assert [heading for _, heading in _headings(outline(table, "man"))] == [("ALIASES",)]
