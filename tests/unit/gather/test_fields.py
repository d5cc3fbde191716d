"""Fields of long declarations and options that a request names: lines among hundreds, which no rank brings."""

from __future__ import annotations

import pytest

from ctxpack.gather.fragments import asked_pieces
from ctxpack.index.view import Files
from ctxpack.model import ParsedFile, Request, Scope
from tests.unit.gather.conftest import MakeContext

OTHERS = {f"src/part{number}.ts": f"export function part{number}() {{ return {number} }}\n" for number in range(9)}
RUST = [f"    pub option_number_{number}: Option<bool>," for number in range(60)]
GO = [f"\tOptionNumber{number} bool" for number in range(60)]
SCRIPT = [f"  optionNumber{number}?: boolean" for number in range(60)]
C = [f"  long option_number_{number};" for number in range(60)]


def rust(name: str = "Options") -> str:
    field = [
        "    /// Highlights what is below the mouse.",
        "    #[serde(default)]",
        "    pub hover_tips: Option<bool>,",
    ]
    lines = (f"pub struct {name} {{", *RUST[:30], *field, *RUST[30:], "}", "")
    merge = (
        "impl Options {\n    fn merge(self) -> bool {\n        let hover_tips = self.hover_tips;\n        true\n    }\n"
    )
    return "\n".join(lines) + merge + "}\n"


@pytest.mark.parametrize(
    ("path", "text", "asked", "found"),
    [
        (
            "src/options.rs",
            rust() + "const HOVER_TIPS: bool = true;\n",
            "what is hover_tips for",
            [(32, 34, "Options")],
        ),
        ("src/options.rs", rust(), "view ignores --hover-tips", [(32, 34, "Options")]),
        (
            "src/options.go",
            "\n".join(
                [
                    "package options",
                    "",
                    "type Options struct {",
                    *GO,
                    "\t// HoverTips are shown.",
                    "\tHoverTips bool",
                    "}",
                ]
            ),
            "where is HoverTips evaluated",
            [(63, 66, "Options")],
        ),
        (
            "src/options.ts",
            "\n".join(["export interface Options {", *SCRIPT, "  hoverTips?: boolean", "}", ""]),
            "hoverTips is ignored after a reload",
            [(61, 63, "Options")],
        ),
        (
            "src/options.c",
            "\n".join(["struct options {", *C, "  long hover_tips;", "};", ""]),
            "hover_tips is not read",
            [(61, 63, "options")],
        ),
    ],
    ids=["rust", "an option in rust", "go", "typescript", "c"],
)
def test_the_line_that_declares_a_field_comes_with_what_stands_above_it(
    context: MakeContext, path: str, text: str, asked: str, found: list[tuple[int, int, str]]
) -> None:
    made = context(OTHERS | {path: text}, Request(Scope.TASK, text=asked))
    pieces = [each.provenance for each in asked_pieces(made)]
    assert [(each.start_line, each.end_line, each.symbol) for each in pieces] == found
    assert all(each.path == path and each.reasons[0].startswith("declares ") for each in pieces)


TOLD = 'class Options:\n    """Takes hover_tips if\n    they are shown."""\n\n' + "".join(
    f"    option_number_{number} = {number}\n" for number in range(60)
)


@pytest.mark.parametrize(
    ("files", "asked"),
    [
        ({"src/options.rs": "pub struct Options {\n    pub hover_tips: bool,\n}\n"}, "what is hover_tips for"),
        ({"src/options.rs": rust()}, "what are the tips for hover"),
        ({"src/options.py": TOLD}, "what is hover_tips for"),
        ({"src/options.py": TOLD.replace("they are", "those are the hover_tips, they are")}, "what is hover_tips for"),
        ({"src/options.rs": rust()}, "it dies:\n\n```\nprint(options.hover_tips)\nsend(options)\n```\n"),
        ({"src/options.rs": rust() + "fn hover_tips() -> bool {\n    true\n}\n"}, "what is hover_tips for"),
        ({f"src/options{number}.rs": rust(f"Options{number}") for number in range(5)}, "what is hover_tips for"),
    ],
    ids=["a short declaration", "words only", "a text", "a sentence", "pasted code", "a definition", "many types"],
)
def test_no_field_comes_where_ranking_finds_it_or_it_is_unclear_which(
    context: MakeContext, files: dict[str, str], asked: str
) -> None:
    assert asked_pieces(context(OTHERS | files, Request(Scope.TASK, text=asked))) == []


def test_of_many_types_that_have_the_field_the_named_one_comes(context: MakeContext) -> None:
    files = {f"src/options{number}.rs": rust(f"Options{number}") for number in range(5)}
    made = context(OTHERS | files, Request(Scope.TASK, text="what is hover_tips in Options3"))
    assert [each.provenance.symbol for each in asked_pieces(made)] == ["Options3"]


def test_of_types_of_one_name_the_one_in_the_best_file_comes(context: MakeContext) -> None:
    files = {"src/made.rs": rust(), "src/tips.rs": "// What is hover_tips for?\n" + rust()}
    pieces = asked_pieces(context(OTHERS | files, Request(Scope.TASK, text="what is hover_tips for in tips")))
    assert [each.provenance.path for each in pieces] == ["src/tips.rs"]


def test_a_file_that_only_uses_a_field_is_not_parsed(context: MakeContext, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed, exact = list[str](), Files.exact

    def record(files: Files, path: str) -> ParsedFile:
        parsed.append(path)
        return exact(files, path)

    users = {f"src/user{number}.rs": "fn show() {\n    draw(options.hover_tips);\n}\n" for number in range(9)}
    made = context({"src/options.rs": rust()} | users, Request(Scope.TASK, text="what is hover_tips for"))
    monkeypatch.setattr(Files, "exact", record)
    assert [each.provenance.path for each in asked_pieces(made)] == ["src/options.rs"]
    assert {*parsed} == {"src/options.rs"}


TABLE = [f'    {{"option-{number}", TEXT, C_OPTION_{number}}},' for number in range(60)]
CASES = [f"  case C_OPTION_{number}:\n    config->o{number} = value;\n    break;" for number in range(60)]
GETOPT = "\n".join(
    [
        "static const struct option aliases[] = {",
        *TABLE[:30],
        '    {"hover-tips", TEXT, C_HOVER_TIPS},',
        *TABLE[30:],
        "};",
        "/* --hover-tips is new */",
        "int set_option(int option, long value) {",
        "  switch(option) {",
        *CASES,
        "  case C_HOVER_TIPS: /* --hover-tips */",
        "    config->tips = value;",
        "    break;",
        "  }",
        "}",
        "",
    ]
)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("what is the default of --hover-tips", [(31, 33, "aliases"), (247, 250, "set_option")]),
        ("--hover-tips has no effect", [(31, 33, "aliases"), (247, 250, "set_option")]),
        ("no tips are shown on hover", []),
        ("--hover-tips does not work with --option-3 and --option-4", []),
        ("no tips are shown:\n\n    $ view --hover-tips a.txt\n    $ view --hover-tips b.txt\n", []),
    ],
)
def test_the_lines_that_name_an_option_come_to_the_end_of_what_they_begin(
    context: MakeContext, asked: str, found: list[tuple[int, int, str]]
) -> None:
    made = context(OTHERS | {"src/options.c": GETOPT}, Request(Scope.TASK, text=asked))
    pieces = [each.provenance for each in asked_pieces(made) if each.provenance.reasons[0].startswith("names --")]
    assert [(each.start_line, each.end_line, each.symbol) for each in pieces] == found


@pytest.mark.parametrize(
    ("path", "line", "asked"),
    [
        (
            "src/tips.kt",
            "val hoverDelay = TimeUnit.SECONDS.toMillis(5)",
            "tips come 5 seconds after the hover, where is that delay",
        ),
        ("src/tips.go", "var hoverDelay = 5 * time.Second", "why a 5 second delay of the hover"),
        ("src/tips.rs", "const HOVER_DELAY: Duration = Duration::from_secs(5);", "why a 5s delay of the hover"),
        ("src/tips.py", "HOVER_DELAY = timedelta(minutes=5)", "where is the 5 minute delay of the hover"),
        ("src/tips.js", "const hoverDelay = 5_000", "where is the hover delay of 5 sec"),
        ("src/tips.rb", "hover_delay = 5.minutes", "where is the hover delay of 5 min"),
    ],
)
def test_the_line_with_a_duration_and_most_words_of_the_request_comes(
    context: MakeContext, path: str, line: str, asked: str
) -> None:
    text = "\n".join([*C, f"other = {line.partition('=')[2]}", line, ""])
    for said, found in ((asked, [line]), (asked.replace("5", "7"), []), (asked.replace("hover", "page"), [])):
        pieces = asked_pieces(
            context({f"{len(said)}{len(found)}/{path}": text} | OTHERS, Request(Scope.TASK, text=said))
        )
        texts = [each.text for each in pieces if each.provenance.reasons[0].startswith("has ")]
        assert [each.strip().splitlines()[-1] for each in texts] == found
