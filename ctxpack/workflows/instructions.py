"""Instructions for working on a repository: commands, layout, conventions and pitfalls, found in its files.

They are one text of Markdown within a token budget. Conventions and pitfalls come from settings of tools, from guides
and from what is generated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ctxpack.discover.traits import is_completion
from ctxpack.errors import BudgetError
from ctxpack.index.opening import mend_damage, open_repository
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Kind, SourceFile, Trait
from ctxpack.redact.redaction import redact
from ctxpack.redact.rules import rules_of
from ctxpack.settings import Settings
from ctxpack.settings.budget import counter_of
from ctxpack.text import FENCE_MARK, code, first_of, open_fences, printable
from ctxpack.workflows.layout import FoundText, Sources, as_nested_list, entry_points, layout, toml_table
from ctxpack.workflows.project_commands import FoundCommand, commands

_SHARES = (("## Commands", 0.4), ("## Layout", 0.75), ("## Conventions", 0.92), ("## Pitfalls", 1.0))
"""The sections, and the part of the budget that is used up with each at most."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """How to work on a repository; ``remarks`` report damage on disk."""

    text: str
    remarks: tuple[str, ...]


@mend_damage
def write_instructions(settings: Settings) -> Instructions:
    """Write how to work on a repository, in at most ``settings.budget`` tokens. Raises CtxpackError."""
    with open_repository(settings) as view:
        sources = Sources(view)
        found = commands(sources)
        begins = [
            f"Entry point: {f'{each.text} ({each.place})' if each.text else code(each.path)}"
            for each in entry_points(sources)
        ]
        sections = (
            [line for purpose, its in found.items() for line in _command_lines(purpose, its)],
            [*as_nested_list([*_without_repetition(sources, layout(sources))]), *(f"- {each}" for each in begins)],
            [f"- {each}" for each in conventions(sources)],
            [f"- {each}" for each in pitfalls(sources)],
        )
        remarks = view.remarks
    rules = rules_of(settings)
    clean = [[redact(printable(line), rules=rules).text for line in lines] for lines in sections]  # one line each
    return Instructions(_fit_sections(f"# Working on {printable(view.state.name)}\n", clean, settings), remarks)


_ALIKE = 4  # folders side by side that hold something of the same name: it says nothing of them
_MOST_PARTS = 24  # of such folders, named in one row


def _without_repetition(sources: Sources, rows: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The rows of a layout without those of folders that hold only what their neighbours hold too.

    Nor do these say anything of themselves. The row of the folder above them has their names.
    """
    held = {name: _entries(sources, name) for name, said in rows if name.count("/") > 1 and said.startswith("`")}
    groups = Counter((_above(name), entry) for name, entries in held.items() for entry in entries)
    telling = {
        name for name, own in held.items() if not own or min(groups[_above(name), each] for each in own) < _ALIKE
    }
    dull = held.keys() - telling
    for name, said in rows:
        parts = sorted({each[len(name) :].partition("/")[0] for each in dull if _above(each) == name})
        if parts and (said.startswith("`") or not said):
            yield name, first_of([code(f"{each}/") for each in _parts_of(sources, name)], _MOST_PARTS)
        elif name not in dull:
            yield name, said


def _above(folder: str) -> str:
    """The folder that holds one, each with its slash."""
    return folder[:-1].rpartition("/")[0] + "/"


def _entries(sources: Sources, folder: str) -> set[str]:
    """What a folder holds, without what is called like it."""
    own = folder[:-1].rpartition("/")[2]
    return {
        entry
        for file in sources.below(folder[:-1])
        if (entry := file.path[len(folder) :].partition("/")[0]).partition(".")[0] not in ("", own)
    }


def _parts_of(sources: Sources, folder: str) -> list[str]:
    rests = (file.path[len(folder) :] for file in sources.below(folder[:-1]))
    return sorted({rest.partition("/")[0] for rest in rests if "/" in rest})


def _command_lines(purpose: str, its: Sequence[FoundCommand]) -> list[str]:
    """The commands of a purpose, each with its source."""
    lines = [f"- {purpose}:"]
    for each in its:
        about = f": {each.about}" if each.about and each.about != each.text else ""
        lines.append(f"  - {code(each.text)} ({each.origin.place}){about}")
    return lines


def _fit_sections(title: str, sections: Sequence[Sequence[str]], settings: Settings) -> str:
    """Return the sections within their parts of the budget; what one does not use goes to the next."""
    count = counter_of(settings).count
    text = title
    for (heading, share), lines in zip(_SHARES, sections, strict=True):
        limit = int(settings.budget * share)
        added = f"\n{heading}\n\n"
        for line in lines:
            if count(f"{text}{added}{line}\n") > limit:
                break
            added += f"{line}\n"
        text += added if added != f"\n{heading}\n\n" else ""
    if count(text) > settings.budget:
        raise BudgetError(f"The instructions need more than {settings.budget} tokens.", hint="Raise the budget.")
    return text


_MOST = 8
_MOST_KINDS = 4  # of files whose editor settings are shown
_EDITOR = ("indent_style", "indent_size", "max_line_length")
_SHORTEST, _LONGEST = 30, 240  # characters of a rule
_TOOLS = (
    (r"\.?ruff\.toml", "ruff"),
    (r"\.flake8", "flake8"),
    (r"\.?mypy\.ini", "mypy"),
    (r"\.?rustfmt\.toml", "rustfmt"),
    (r"\.?clippy\.toml", "clippy"),
    (r"\.golangci\.\w+", "golangci-lint"),
    (r"\.eslintrc(?:\.\w+)?|eslint\.config\.\w+", "eslint"),
    (r"\.prettierrc(?:\.\w+)?", "prettier"),
    (r"biome\.jsonc?", "biome"),
    (r"\.clang-format", "clang-format"),
    (r"\.rubocop\.yml", "rubocop"),
    (r"\.pre-commit-config\.yaml", "pre-commit"),
    (r"\.editorconfig", "editor settings"),
)
_PYTHON = ("ruff", "black", "isort", "mypy", "pyright", "pylint", "flake8", "ty")
_FACT = lazy_pattern(
    r"^\s*\"?(line[-_]length|max_line_length|max_width|printWidth|indent_size|indent_style|edition)\"?\s*[:=]"
    r"\s*\"?(\w+)\"?,?\s*$"
)
_GUIDE = lazy_pattern(
    r"(?:(?:docs?|\.github|docs/(?!intro|tutorial)\w+)/)?(?:contribut\w*|development|hacking|style\w*|agents|claude"
    r"|copilot-instructions|cod(?:e|ing)[-_](?:style|conventions?|guidelines?))(?:\.\w+)?"
    r"|docs?/(?:[\w-]+/){0,2}(?:contributing|devel\w*)/(?:[\w-]+/)?cod(?:e|ing)[-_](?:style|conventions?|guid\w+)\.\w+",
    re.IGNORECASE,
)
_RULE = lazy_pattern(
    r"\b(?:must|should|(?<!could )(?<!can )always|(?<!not )(?<!not a )required?(?! by\b)|we use|use the|prefer"
    r"|please (?:use|add|include|run|write|keep|follow)|follows? (?:the|our|these|pep)|(?<!we )need to"
    r"|(?<!to )ensure|make sure|conventional commits"
    r"|должн\w+|следует|обязательно|используйте)\b",
    re.IGNORECASE,
)
_PITFALL = lazy_pattern(
    r"(?:^|[.;:,(—–] ?|\b(?:please|(?<!if )(?<!that )you|but|and|so|then|therefore) )\**(?:do not|don't)\b"
    r"|(?<!'ve )(?<!have )(?<!has )(?<!is )\bnever\b|(?<!to )\bavoid\b"
    r"|\b(?:must not|should not|shouldn't|be careful|beware|caution|warning|note that|not edit"
    r"|will fail|won't work|нельзя|не следует|осторожно|внимание)\b",
    re.IGNORECASE,
)
_NO_RULE = lazy_pattern(
    r"\bin this (?:file|document|guide|page)\b"
    r"|\b(?:above|below|bounty|sponsor\w*|maintainers? (?:will|should|may|can)|by (?:one of )?the maintainers|the team"
    r"|code of conduct|closed pull|duplication of effort|if you(?:'re| are) not familiar|familiar with)\b"
    r"|(?:would|could|may|might) (?:always|never)"
    r"|\b(?:it|they|this|that|these|you|suite|output|documentation)(?: too)? (?:\**should\**|would)\b"
    r"(?! (?:also )?(?:not|never|use|add|write|run|keep|include|update|follow|avoid|ensure|make sure|prefer))"
    r"|\bshould\** (?:be (?:available|greeted|merged|able)|pass|fail|see|now)\b"
    r"|\bone should not expect\b|\bthen,? (?:pass|fail)|\bfails? while\b"
    r"|\bauto-?generated file\b|^please edit the corresponding\b"
    r"|^(?:https?://|Once |(?:Make sure |Ensure )?(?:that )?(?:these|this|they|it) )",
    re.IGNORECASE,
)
"""Words of sentences about a process, an effect or another part of the text, which are not rules for code."""
_OF_CODE = lazy_pattern(
    r"\b(?:code|tests?|commit\w*|changelog|format\w*|lint\w*|typ(?:e|es|ing|ed)|doc(?:s|umentation|strings?)|branch\w*"
    r"|function\w*|import\w*|api|error\w*|names?|naming|generat\w*|depend\w*|style|pull request\w*"
    r"|files?|folder\w*|build\w*|feature\w*|код\w*|тест\w*)\b",
    re.IGNORECASE,
)
_LITERAL = lazy_pattern(r"^\s*\.\. (?:code-block|code|sourcecode|console|snippet|highlight)::|^(?!\s*\.\. ).*::\s*$")
_NOT_PROSE = lazy_pattern(rf"^\s*(?:#(?!\.\s)|{FENCE_MARK}|\||<|!\[|\.\. |=+$|-+$|\$ )")


def conventions(sources: Sources) -> list[str]:
    """The configured tools with their line widths, and what guides ask for."""
    return [
        *_tools(sources),
        *_ini_tools(sources),
        *_versions(sources),
        *(_with_place(each) for each in _sentences(sources, _RULE, _PITFALL)),
    ]


def pitfalls(sources: Sources) -> list[str]:
    """What guides warn of, and which generated files must not be edited."""
    found = [_with_place(each) for each in _sentences(sources, _PITFALL, None)]
    if generated := _generated_code(sources.files):
        found.append(f"Generated, not to be edited by hand: {first_of([code(path) for path in generated], 4)}.")
    return found


def _generated_code(files: Sequence[SourceFile]) -> list[str]:
    """The generated code: folders of nothing else, and single files."""
    counts = Counter[tuple[str, bool]]()
    for file in files:
        for folder in _folders_above(file.path):
            counts[folder, Trait.GENERATED in file.traits] += 1
    found: dict[str, None] = {}
    for file in files:
        if Trait.GENERATED in file.traits and file.kind is Kind.CODE and not is_completion(file.path):
            whole = next((each for each in _folders_above(file.path) if not counts[each, False]), "")
            found[f"{whole}/" if whole and counts[whole, True] > 1 else file.path] = None
    return list(found)


def _folders_above(path: str) -> list[str]:
    """The folders that a file lies in, the outermost first."""
    return [path[:at] for at, letter in enumerate(path) if letter == "/"]


_ADMONITION = lazy_pattern(
    r"^(?:!!! \w{1,20} |\[!\w{1,20}\] ?"
    r"|(?:\*\*|__)(?:\W{0,4} ?)(?:caution|important|note|tip|warning)\b:?(?:\*\*|__):? ?)",
    re.IGNORECASE,
)
_QUOTED = lazy_pattern(r"^\s{0,8}(?:>\s?){1,4}")


def _with_place(found: FoundText) -> str:
    return f"{found.text} ({found.place})"


def _tools(sources: Sources) -> Iterator[str]:
    for file in sources.files:
        tool = next((name for pattern, name in _TOOLS if re.fullmatch(pattern, file.path)), "")
        if file.path == ".editorconfig":
            yield f"{tool}: {code(file.path)}{_editor_facts(sources.lines(file.path))}"
        elif file.path == ".pre-commit-config.yaml":
            yield f"{tool}: {code(file.path)}{_hooks(sources.lines(file.path))}"
        elif tool:
            facts = {match[1]: match[2] for line in sources.lines(file.path) if (match := _FACT.match(line))}
            yield f"{tool}: {code(file.path)}" + "".join(f", {name} {value}" for name, value in facts.items())
    held = toml_table(sources.toml("pyproject.toml"), "tool")
    for tool in _PYTHON:
        if tool in held:
            width = (
                held[tool].get("line-length", held[tool].get("line_length")) if isinstance(held[tool], dict) else None
            )
            strict = ", strict" if isinstance(held[tool], dict) and held[tool].get("strict") is True else ""
            yield f"{tool}: `pyproject.toml`" + (f", lines of {width}" if width else "") + strict


def _ini_tools(sources: Sources) -> Iterator[str]:
    """The tools with a section in ``setup.cfg`` or ``tox.ini``."""
    for path in ("setup.cfg", "tox.ini"):
        for section, facts in _sections(sources.lines(path)):
            if section in _PYTHON:
                width = facts.get("max-line-length") or facts.get("max_line_length") or facts.get("line_length")
                yield f"{section}: {code(path)}" + (f", lines of {width}" if width else "")


def _editor_facts(lines: Sequence[str]) -> str:
    """The widths and indents of all files, then of kinds of files where they are others."""
    texts: list[str] = []
    for section, held in _sections(lines):
        facts = {name: value for name, value in held.items() if name in _EDITOR and value != "ignore"}
        if facts and len(texts) < _MOST_KINDS:
            about = ", ".join(f"{name} {value}" for name, value in facts.items())
            texts.append(about if section == "*" else f"{code(section)} {about}")
    return f", {'; '.join(texts)}" if texts else ""


def _hooks(lines: Sequence[str]) -> str:
    """What runs before a commit."""
    names = dict.fromkeys(found[1] for line in lines if (found := re.match(r"\s*-\s+id:\s*([\w-]+)", line)))
    return f", runs {', '.join(list(names)[:_MOST])}" if names else ""


def _sections(lines: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The sections of a file of settings, each with its single-line values."""
    name, held = "", dict[str, str]()
    for line in [*lines, "[]"]:
        if section := re.match(r"\[(.*)\]\s*$", line):
            if name:
                yield name, held
            name, held = section[1], {}
        elif fact := re.match(r"([\w-]+)\s*[=:]\s*([^#;]+)", line):
            held[fact[1]] = fact[2].strip()


def _versions(sources: Sources) -> Iterator[str]:
    needs = toml_table(sources.toml("pyproject.toml"), "project").get("requires-python")
    if needs:
        yield f"Python {needs} (pyproject.toml)"
    options = dict(_sections(sources.lines("setup.cfg"))).get("options", {})
    if not needs and options.get("python_requires"):
        yield f"Python {options['python_requires']} (setup.cfg)"
    go = next((line for line in sources.lines("go.mod") if line.startswith("go ")), "")
    if go:
        yield f"Go {go.removeprefix('go ').strip()} (go.mod)"
    cargo = sources.toml("Cargo.toml")
    package = {**toml_table(cargo, "workspace", "package"), **toml_table(cargo, "package")}
    if isinstance(package.get("rust-version"), str):
        yield f"Rust {package['rust-version']} or newer, edition {package.get('edition', '')} (Cargo.toml)"
    elif isinstance(package.get("edition"), str):
        yield f"Rust edition {package['edition']} (Cargo.toml)"
    node = toml_table(sources.json("package.json"), "engines").get("node")
    if node:
        yield f"Node {node} (package.json)"


def _sentences(sources: Sources, wanted: re.Pattern[str], apart: re.Pattern[str] | None) -> list[FoundText]:
    """The sentences of guides that are about code and contain a wanted word."""
    found: list[FoundText] = []
    for file in sources.files:
        if not _GUIDE.fullmatch(file.path):
            continue
        for number, text in _paragraphs(sources.lines(file.path)):
            for each in re.split(r"(?<=[.!?])\s+(?=[A-ZА-Я`])", text):
                each = _plain(each)  # noqa: PLW2901
                if each.count("`") % 2 or any(each == known.text for known in found):
                    continue
                is_fit = _SHORTEST <= len(each) <= _LONGEST and wanted.search(each) and _OF_CODE.search(each)
                is_other = _NO_RULE.search(each) or (apart and apart.search(each)) or each.endswith((":", "?"))
                if is_fit and not is_other:
                    found.append(FoundText(each, file.path, number))
    return found[:_MOST]


def _plain(sentence: str) -> str:
    """A sentence without the marks of admonitions, and with reStructuredText and links within the page as Markdown."""
    bare = _ADMONITION.sub("", sentence)
    bare = re.sub(r"`([^`<]{1,200}?)\s{0,20}<[^>`]{0,400}>`__?", r"\1", bare)
    bare = re.sub(r":(pep|rfc):`(\d+)`", lambda found: f"{found[1].upper()} {found[2]}", bare)
    bare = re.sub(r":\w+:`~?([^`<]+?)(?:\s*<[^>`]*>)?`", r"`\1`", bare)
    bare = re.sub(r"(?<!`)`([^`]+)`__?(?!\w)", r"\1", bare)
    return re.sub(r"\[([^\]]{1,300})\]\((?:#|\.)[^)]{0,400}\)", r"\1", bare.replace("``", "`"))


def _paragraphs(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Paragraphs and items of lists with the line that each begins in; no code, tables or headings."""
    held: list[str] = []
    start, literal = 0, -1  # the indentation of what a literal block is deeper than
    for number, (line, is_code) in enumerate(zip([*lines, ""], open_fences(lines), strict=True), 1):
        depth = len(line) - len(line.lstrip())
        if literal >= 0 and line.strip() and depth <= literal:
            literal = -1
        line = _QUOTED.sub("", line)  # noqa: PLW2901 -- what is quoted in a guide is a note
        is_item = re.match(r"\s*(?:[-*+]|(?:\d+|#)[.)])\s+", line)
        is_apart = is_code or literal >= 0 or not line.strip() or bool(_NOT_PROSE.match(line))
        if held and (is_apart or is_item):
            yield start, " ".join(held)
            held = []
        if not is_apart:
            start = start if held else number
            held.append(re.sub(r"^\s*(?:[-*+]|(?:\d+|#)[.)])\s+(?:\[[ x]\]\s*)?", "", line).strip())
        if literal < 0 and _LITERAL.search(line):
            literal = depth
