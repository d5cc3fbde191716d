"""The readme strategy: what the project is, in its own words and in a few hundred tokens; and the overview of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ctxpack.discover.traits import is_entry_point, is_way_in, tells_structure
from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span
from ctxpack.gather.fragments import Role, line_count, lines_piece
from ctxpack.gather.long_texts import WHOLE_LINES, body_of, document_pieces, says_little
from ctxpack.gather.outlines import Room, outline_gaps
from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Fragment, Lane, Scope, SourceFile
from ctxpack.model.columns import FileTable
from ctxpack.query.understand import Aim, aims_of
from ctxpack.rank.evidence import is_doubted
from ctxpack.system.tokens import CHARACTERS_PER_TOKEN
from ctxpack.text import fence_after

_SHARE, _MOST = 0.02, 400  # of the budget, and tokens at most; with .05 small packs held 1 % less of what changed
_ROOMY, _TIGHT = 1_500, 600  # tokens of a budget: from the first a head, from the second its first words are required
_STRETCH = 3  # times as much room for a head of which a title and a badge are all
_BRIEF = 60  # tokens of these words
_SUMMARY = 150  # tokens of the paragraphs that say what the project is
_BETWEEN, _SENTENCE = 80, 5  # characters of pictures between them and their heading; words of one that says something
_VALUE = 0.3
_SCORE = 0.05  # an overview is read last: the relevant pieces come first
_NAME = lazy_pattern(
    r"(?:readme|read\.?me|прочти(?:меня)?|читайменя|прочитай(?:меня)?|lisezmoi|leiame|leame|léame|liesmich"
    r"|leggimi|自述文件|お読みください)(?P<language>[._-](?!md$)[a-z]{2}(?:[-_][a-z]+)?)?(?:\.(?:md|mdx|rst|txt|adoc|org|markdown))?"
)
_FOLDERS = ("", "docs", "doc", ".github")
README_REASON = "the project's readme"
_TITLE_WITHIN = 30  # lines in which a title is looked for: advertisements may stand above it
_DECORATION = lazy_pattern(
    r"\s*(?:\[!|\.\. (?:image|figure|\|)|:\w{1,20}:\s|---|\+\+\+|>[^\n]{0,300}\bsponsor)", re.IGNORECASE
)
_SPONSORS = lazy_pattern(r"\s*<h[1-6]\b[^\n]{0,300}\bsponsor", re.IGNORECASE)  # a table of them goes to a blank line
_RST_COMMENT = lazy_pattern(
    r"\.\.(?:\s(?!.{0,300}::(?:\s|$))|\s*$|\s_)"
)  # or a target of links; it ends with its indent
_PICTURE = lazy_pattern(r"!\[[^\]]{0,300}\]\([^)\n]{0,500}\)")
_LINK = lazy_pattern(
    r"<a\b[^<>]{0,500}>[^<>]{0,300}</a>|\[[^\]]{0,300}\](?:\([^)\n]{0,500}\)|\[[^\]\n]{0,100}\])|https?://[^\s)>]{1,500}"
    r"|(?<![\w|])\|[^\s|][^|\n]{0,80}\|_{0,2}(?![\w|])"  # a substitution in reStructuredText
)
_TAG = lazy_pattern(r"</?[a-z][^<>]{0,1000}>|&\w{2,8};", re.IGNORECASE)
_WORD = lazy_pattern(r"[^\W\d_]{2}")
_HEADING, _HEADING_END = lazy_pattern(r"\s*<h[12]\b", re.IGNORECASE), lazy_pattern(r"</h[12]>", re.IGNORECASE)
# A sentence that only says where something else is, and a paragraph that asks for money or tells news.
_POINTER = lazy_pattern(
    r"(?:please\s)?(?:see|visit|read|check\sout|go\sto|refer\sto|join|follow|located\s(?:at|on|in|here))\b"
    r"|[^.!?]{0,200}\b(?:can\sbe|is|are)\s(?:found|available|documented|hosted|described)\s(?:at|on|in|here|under)\b",
    re.IGNORECASE,
)
_ASIDE = lazy_pattern(r"\bsponsor|\bbackers?\b|\bdonat(?:e|ion)|\bnow\savailable\b", re.IGNORECASE)
_UNDERLINE = lazy_pattern(r"([=\-~^#*+\"':.])\1{2,}")
_UNDER_TITLE = lazy_pattern(r"={3,}|([#*+~^\"])\1{3,}")
_SENTENCE_END = lazy_pattern(r"[.!?]\s+(?=\w)")


def gather_readme(context: Context) -> Sequence[Fragment]:
    """The first paragraphs of the main readme; its whole introduction if the user is new to the project.

    A task with good matches goes without: of 74 such requests none needed a line of it. With a small budget
    it is the title and a paragraph.
    """
    settings = context.settings
    file = main_readme(context.view.files.entries) if settings.use_readme and _says_more(context) else None
    if file is None:
        return ()
    lines = context.lines(file.path)
    budget = settings.budget
    room = int(min(max(_SHARE * budget, _BRIEF), _MOST)) * CHARACTERS_PER_TOKEN
    if budget < _ROOMY:
        span = _brief(lines, _BRIEF * CHARACTERS_PER_TOKEN)
    elif Aim.ONBOARD in aims_of(context.request.text):
        span = _head(lines, room)
        span = _head(lines, _STRETCH * room) if span and says_little(lines, span) else span
    else:
        span = _summary(lines, _SUMMARY * CHARACTERS_PER_TOKEN)
    if span is None:
        return ()
    role = Role("readme", _VALUE, (README_REASON,), budget >= _TIGHT, score=_SCORE)
    return (lines_piece(context, file, span, role),)


def _says_more(context: Context) -> bool:
    """Whether an introduction helps: for onboarding, without good matches, or on request."""
    if context.request.scope is not Scope.TASK or not context.candidates or is_doubted(context.candidates):
        return True
    named = (*context.settings.enable, *context.settings.strategies)
    return "readme" in named or Aim.ONBOARD in aims_of(context.request.text)


def main_readme(files: Iterable[SourceFile], folders: Sequence[str] = _FOLDERS) -> SourceFile | None:
    """The readme of the first folder that has one; an untranslated readme comes before a translated one."""
    order = {folder: place for place, folder in enumerate(folders)}
    ranked: list[tuple[int, int, str, SourceFile]] = []
    if isinstance(files, FileTable):
        files = files.in_folders(lambda folder: folder in order or folder.lower() in order)
    for file in files:
        folder, _, name = file.path.rpartition("/")
        match = _NAME.fullmatch(name.lower()) if folder.lower() in order or folder in order else None
        if match:
            place = order[folder] if folder in order else order[folder.lower()]
            ranked.append((place, len(match["language"] or ""), file.path, file))
    return min(ranked, key=lambda item: item[:3])[3] if ranked else None


def _visible_lines(lines: Sequence[str]) -> list[str]:
    """What each line tells a reader, without comments, pictures, code, tags and rows of links; a heading as ``#``.

    A link alone on a line may be the end of a sentence.
    """
    found: list[str] = []
    is_heading, fence = False, ""
    kept = _without_comments(lines)
    visible = _PICTURE.sub(_line_ends, "\n".join(kept))
    texts = _TAG.sub(_line_ends, visible).split("\n")
    beside_links = _TAG.sub(_line_ends, _LINK.sub(_line_ends, visible)).split("\n")
    for line, text, beside in zip(kept, map(str.strip, texts), beside_links, strict=True):
        is_heading = is_heading or _HEADING.match(line) is not None
        was_code, fence = bool(fence), fence_after(fence, line)
        above = found[-1] if found else ""
        is_underline = above != "" and _UNDERLINE.fullmatch(text) is not None
        is_within = not above.startswith("#") and not above.endswith((".", "!", "?", ":"))  # a sentence
        goes_on = is_within and bool(_WORD.search(above) and _WORD.search(text))
        is_empty = _DECORATION.match(line) or not (goes_on or _WORD.search(beside))
        if was_code or fence or (is_empty and not is_underline):
            found.append("")
        else:
            found.append(f"# {text}" if is_heading and text else text)
        is_heading = is_heading and _HEADING_END.search(line) is None
    return found


def _line_ends(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _without_comments(lines: Sequence[str]) -> list[str]:
    """The lines, those of comments and of a table of sponsors empty."""
    found: list[str] = []
    is_comment = is_below_dots = is_aside = False
    for line in lines:
        is_aside = bool(_SPONSORS.match(line)) or (is_aside and bool(line.strip()))
        is_comment = is_comment or line.lstrip().startswith("<!--")
        is_below_dots = bool(_RST_COMMENT.match(line)) or (is_below_dots and (not line.strip() or line[0].isspace()))
        found.append("" if is_comment or is_below_dots or is_aside else line)
        is_comment = is_comment and "-->" not in line
    return found


def _title_of(told: Sequence[str]) -> int | None:
    """The line of the title of a readme, if it begins with one."""
    for at, text in enumerate(told[:_TITLE_WITHIN]):
        below = told[at + 1] if at + 1 < len(told) else ""
        if text.startswith("# ") or (text and _UNDER_TITLE.fullmatch(below)):
            return at
    return None


def _first_prose(told: Sequence[str]) -> int | None:
    title = _title_of(told)
    return title if title is not None else next((at for at, text in enumerate(told) if text), None)


def _beginning(lines: Sequence[str], told: Sequence[str], limit: int) -> int | None:
    """The line of the title; that of the first paragraph, where ``limit`` characters of badges follow a mere name."""
    start = _first_prose(told)
    first = None if start is None else _first_paragraph(told, start)
    if first is None or sum(map(len, lines[start:first])) <= limit:
        return start
    above = [text for text in told[start:first] if text and not _UNDERLINE.fullmatch(text)]
    return first if len(" ".join(above).lstrip("# ").split()) == 1 else start


def _brief(lines: Sequence[str], limit: int) -> Span | None:
    """The title and the first paragraph, or as many of its lines as ``limit`` characters hold; at least one line."""
    told = _visible_lines(lines)
    start = _beginning(lines, told, limit)
    if start is None:
        return None
    end, size = start + 1, 0
    for at in range(start, len(lines)):
        size += len(lines[at]) + 1
        if size > limit:
            break
        if not told[at]:
            continue
        end = at + 1
        if _ends_paragraph(told, at) and not _is_title(told, at):
            break
    return start + 1, end


def _summary(lines: Sequence[str], limit: int) -> Span | None:
    """The first paragraphs after the title, badges and pictures, until they have content; None if that is long.

    Those that only point elsewhere are passed over. A heading that is a sentence belongs to them.
    """
    told = _visible_lines(lines)
    first = _first_paragraph(told, _title_of(told) or 0)
    if first is None:
        return None
    start = end = _sentence_above(lines, told, first)
    for at in range(first, len(lines)):
        if sum(map(len, lines[start : at + 1])) + at - start >= limit:
            return None if end == start else (start + 1, end)
        if _is_title(told, at) or (end > start and not says_little(lines, (start + 1, end))):
            break
        if told[at] and _ends_paragraph(told, at):
            end = at + 1
    return (start + 1, end) if end > start else None


def _first_paragraph(told: Sequence[str], title: int) -> int | None:
    """Where the first paragraph after a title begins that says something itself."""
    at = title
    while at < len(told):
        is_underlined = at + 1 < len(told) and _UNDERLINE.fullmatch(told[at + 1]) is not None
        if not told[at] or is_underlined or _is_title(told, at):
            at += 1
            continue
        end = next(end for end in range(at, len(told)) if _ends_paragraph(told, end))
        if not _only_points(" ".join(told[at : end + 1])):
            return at
        at = end + 1
    return None


def _sentence_above(lines: Sequence[str], told: Sequence[str], first: int) -> int:
    """The line of a heading that is a sentence, if hardly anything stands below it; else that of the paragraph."""
    at = next((at for at in range(first - 1, -1, -1) if told[at]), None)
    if at is None or sum(map(len, lines[at + 1 : first])) > _BETWEEN:
        return first
    return at if told[at].startswith("#") and len(told[at].split()) > _SENTENCE else first


def _ends_paragraph(told: Sequence[str], at: int) -> bool:
    return at + 1 == len(told) or not told[at + 1]


def _only_points(text: str) -> bool:
    """Whether a paragraph asks for money or tells news, or is a sentence that only links to something else."""
    if _ASIDE.search(text):
        return True
    is_one = _SENTENCE_END.search(text) is None
    return is_one and _LINK.search(text) is not None and _POINTER.match(text) is not None


def _head(lines: Sequence[str], limit: int) -> Span | None:
    """From the first line of prose to the last end of a paragraph within ``limit`` characters; at least one line."""
    start = _beginning(lines, _visible_lines(lines), limit)
    if start is None:
        return None
    end, size, fence = start + 1, 0, ""
    for at in range(start, len(lines)):
        size += len(lines[at]) + 1
        fence = fence_after(fence, lines[at])
        if size > limit:
            break
        is_end = at + 1 == len(lines) or not lines[at + 1].strip()
        if is_end and lines[at].strip() and not fence and not _is_title(lines, at):
            end = at + 1
    return start + 1, end


def _is_title(lines: Sequence[str], at: int) -> bool:
    """Whether a line only announces what follows."""
    return lines[at].startswith("#") or _UNDERLINE.fullmatch(lines[at].strip()) is not None


# --- an overview of the project ---------------------------------------------------------------------------------------

# Values of what is in the overview of a project.
_PLANS, _MANIFEST, _RUNNER, _ENTRY, _CORE = 0.95, 0.8, 0.78, 0.75, 0.7
_RUNNERS = ("Makefile", "justfile", "Justfile", "Taskfile.yml", "tox.ini", "noxfile.py", "Rakefile")
# Words of the sections of a guide that tell how one works on the code, rather than how one reports a mistake.
_OF_A_GUIDE = ("clone", "install", "setup", "environment", "build", "run", "tests", "structure", "folder", "directory")
# The headings of such sections of a readme.
_OF_WORK = lazy_pattern(
    r"(?i)\b(?:tests?|testing|develop(?:ing|ment|ers?)|contribut\w+|hacking|build(?:ing)?|compil(?:e|ing)"
    r"|from source|architecture|structure|layout|get(?:ting)? started|разработк\w+|сборк\w+|тест\w*|запуск\w*)\b"
)
_MOST_SECTIONS = 3  # of them, and of the first
_MOST_PLANS, _MOST_ENTRIES, _MOST_CORE = 6, 4, 24  # files of each kind
_MANIFESTS = (
    *("pyproject.toml", "package.json", "go.mod", "Cargo.toml", "composer.json", "pom.xml", "build.gradle"),
    *("build.gradle.kts", "mix.exs", "Package.swift", "pubspec.yaml", "CMakeLists.txt", "meson.build", "setup.py"),
)
_MANIFEST_LINES = 40
_ENTRIES_SHARE = 0.25  # of the budget
_LOWER = 0.02  # value lost with each file of a kind
_CORE_LIMIT = 900  # characters of an outline


def _pieces_of_readme(context: Context, readme: SourceFile) -> Iterator[Fragment]:
    """The pieces of a readme for an overview: of a long one how it begins, and how one works on the code."""
    role = Role("component", 1.0, (README_REASON,), score=1.0)
    chunks = context.view.files.exact(readme.path).chunks
    has_title = len({chunk.heading[0] for chunk in chunks if chunk.heading}) == 1
    working = [chunk for chunk in chunks if any(map(_OF_WORK.search, chunk.heading[has_title:]))]
    if not working or line_count(context, readme.path) <= WHOLE_LINES:
        yield from document_pieces(context, readme, role)
        return
    first = [chunk for chunk in chunks if chunk not in working][:_MOST_SECTIONS]
    for place, chunk in enumerate((*working[:_MOST_SECTIONS], *first)):
        its = replace(role, value=role.value - _LOWER * place, symbol=" > ".join(chunk.heading))
        yield lines_piece(context, readme, (chunk.start_line, chunk.end_line), its)


def _scripts_of(context: Context, manifest: SourceFile) -> Iterator[Fragment]:
    """What a manifest tells to run, where that is further down than its beginning."""
    for chunk in context.view.files.exact(manifest.path).chunks if manifest.path.endswith(".json") else ():
        name = chunk.symbol or " > ".join(chunk.heading)
        if name.rpartition(" > ")[2] == "scripts" and chunk.start_line > _MANIFEST_LINES:
            role = Role("component", _RUNNER, ("tells how it is built and tested",), symbol=name)
            yield lines_piece(context, manifest, (chunk.start_line, chunk.end_line), role)


def project_overview(context: Context) -> Iterator[Fragment]:
    """The pieces of an overview: readme, what tells the structure, manifest, where programs begin, central code."""
    from ctxpack.gather.uses import most_used

    view, files, paths = context.view, context.view.files.entries, context.view.files.entries.paths.listed
    readme = main_readme(
        file for file in files.in_folders(lambda folder: folder.lower() in _FOLDERS) if not file.traits and file.size
    )
    documents = files.of_classes(lambda each: each.kind.lane is Lane.DOCS and not each.traits).tolist()
    told = (files[number] for number in documents if files.sizes[number] and tells_structure(paths[number]))
    plans = [file for file in told if file != readme]
    plans.sort(key=lambda file: (is_way_in(file.path), file.path.count("/"), file.path))
    if readme is not None:
        yield from _pieces_of_readme(context, readme)
    for place, file in enumerate(plans[:_MOST_PLANS]):
        why = "a guide for contributors" if is_way_in(file.path) else "tells how the project is structured"
        role = Role("component", _PLANS - _LOWER * place, (why,))
        yield from document_pieces(context, file, role, _OF_A_GUIDE if is_way_in(file.path) else None)
    for manifest in filter(None, map(view.files.get, _MANIFESTS)):
        last = min(line_count(context, manifest.path), _MANIFEST_LINES)
        yield lines_piece(context, manifest, (1, last), Role("component", _MANIFEST, ("declares the project",)))
        yield from _scripts_of(context, manifest)
    for runner in filter(None, map(view.files.get, _RUNNERS)):
        last = min(line_count(context, runner.path), _MANIFEST_LINES)
        yield lines_piece(context, runner, (1, last), Role("component", _RUNNER, ("tells how it is built and tested",)))
    own = files.of_classes(lambda each: each.kind.lane is Lane.CODE and not each.traits).tolist()
    code = [number for number in own if files.sizes[number]]
    entries = [*islice((number for number in code if is_entry_point(paths[number])), _MOST_ENTRIES)]
    room = Room(context, _ENTRIES_SHARE)
    for file in map(files.__getitem__, entries):
        role, span = Role("component", _ENTRY, ("a program begins here",)), body_of(context, file)
        if room.takes(file, span):
            yield lines_piece(context, file, span, role)
        else:
            yield from outline_gaps(context, file, (), (_CORE_LIMIT, role), within=span)
    central = most_used(context, [number for number in code if number not in entries], _MOST_CORE)
    for place, (file, (users, is_imported)) in enumerate(central.items()):
        do = "use" if is_imported else "name"
        why = f"{users} files {do} it" if users > 1 else f"a file {do}s it" if users else "much of the code is in it"
        yield from outline_gaps(context, file, (), (_CORE_LIMIT, Role("component", _CORE - _LOWER * place, (why,))))
