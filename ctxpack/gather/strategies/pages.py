"""The strategies of pages: those about a file, its folder's readme, and documents that share a tag with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ctxpack.discover.editions import (
    edition_of,
    folders_of_editions,
    outdated_documents,
    speaks_of,
)
from ctxpack.discover.traits import is_record
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, line_count, lines_piece, whole_piece
from ctxpack.gather.long_texts import document_pieces, lines_to_compare
from ctxpack.gather.similarity import key_of
from ctxpack.gather.strategies.readme import main_readme
from ctxpack.gather.uses import names_of, uses
from ctxpack.index.view import Facts
from ctxpack.light import lazy_pattern
from ctxpack.model import Fragment, Kind, SourceFile, Trait
from ctxpack.parse.languages.modules import join_path
from ctxpack.parse.metadata import says_it_is_made
from ctxpack.query.dictionary import is_cyrillic
from ctxpack.query.subtokens import stem_of
from ctxpack.text import keywords_in
from ctxpack.understand.request import own_names

_PAGES = frozenset({Kind.SPEC, Kind.WIKI, Kind.DOC, Kind.RUNBOOK})
_SAME_NAME, _FOLDER_NAME, _MENTIONED, _FOLDER_README = 0.75, 0.5, 0.5, 0.45
_LOWER = 0.03  # value lost with each further page of a sort
_MAX_READ = 60  # pages that are looked into for the file's name
_MAX_BY_NAME, _MAX_MENTIONING = 4, 4
_MENTIONS = 2  # sections of one page


# What a page shows of another file: MkDocs in three ways, reStructuredText, mdBook, AsciiDoc, VitePress.
_INCLUDE = lazy_pattern(
    r"(?:\{!>?|\{\*|--8<--|\.\. literalinclude::|\{\{#(?:rustdoc_include|include|playground)|\binclude::|<<<)[ \t]{0,4}"
    r"[\"']?(?:@/)?(?P<path>[\w.-][\w./-]{0,200}\.\w{1,12})"
)
_PAGES_READ, _OF_A_PAGE, _LONGEST_SHOWN = 2, 2, 60  # pages, files of each, and lines of a file
_GOOD_PAGE, _AS_MUCH, _ALIKE = 0.75, 0.95, 0.5  # of the best score, of its page's, and of the lines of a file


def included_pieces(context: Context, pieces: Sequence[Fragment]) -> Iterator[Fragment]:
    """The short files of code that the best pages among some pieces show, which the text of a page only names."""
    best = max((each.provenance.score for each in pieces), default=0.0)
    pages = [each for each in pieces if each.provenance.kind.is_document and each.provenance.score >= _GOOD_PAGE * best]
    pages = [each for each in pages if _INCLUDE.search(each.text)]
    shown: dict[str, frozenset[str]] = {}
    for page in sorted(pages, key=lambda each: -each.provenance.score)[:_PAGES_READ]:
        origin, value = page.provenance, _AS_MUCH * page.value
        for file, words in _included_files(context, page)[:_OF_A_PAGE]:
            lines = lines_to_compare(context.lines(file.path))
            if any(len(lines & known) > _ALIKE * len(lines) for known in shown.values()):
                continue  # the same in another style
            shown[file.path] = lines
            why = f"{origin.path.rpartition('/')[2]} includes it"
            score, sure = _AS_MUCH * origin.score, origin.confidence
            yield whole_piece(
                context, file, Role("search", value, (why,), score=score, confidence=sure, keywords=words)
            )


def _included_files(context: Context, page: Fragment) -> list[tuple[SourceFile, tuple[str, ...]]]:
    """The short files that a piece of a page shows and that have words of the request, those with most first."""
    written = (match["path"] for match in _INCLUDE.finditer(page.text))
    paths = dict.fromkeys(_included_path(context, page.provenance.path, each) for each in written)
    files = [file for path in paths if (file := context.view.files.get(path)) is not None]
    short = [file for file in files if 0 < line_count(context, file.path) <= _LONGEST_SHOWN]
    held = [(file, keywords_in(context.view.files.text(file.path), context.wanted)) for file in short]
    return sorted(((file, words) for file, words in held if words), key=lambda each: -len(each[1]))


def _included_path(context: Context, page: str, written: str) -> str:
    """The file that a page means: from its own folder, else from the root, or a folder above that tools begin at."""
    files, bare = context.view.files, written.removeprefix("./")
    while bare.startswith("../"):
        bare = bare.removeprefix("../")
    folder = page.rpartition("/")[0]
    for path in (join_path(folder, written), bare):
        if path in files.numbers:
            return path
    numbers = files.with_suffix(bare) if "/" in bare else ()
    return files[numbers[0]].path if len(numbers) == 1 else ""


def gather_neighbours(context: Context) -> Sequence[Fragment]:
    """Pages by name first, then the sections that mention the file, then the folder's readme."""
    return [piece for file in context.subjects for piece in _of_file(context, file)]


def _of_file(context: Context, file: SourceFile) -> Iterator[Fragment]:
    named = _by_name(context, file)[:_MAX_BY_NAME]
    words = (*names_of(context, file.path), *context.wanted)
    for page, value, reason in named:
        yield from document_pieces(context, page, Role("neighbours", value, (reason,)), wanted=words)
    yield from _mentions(context, file, {page.path for page, _, _ in named})
    folder = file.path.rpartition("/")[0]
    readme = main_readme(context.view.files.entries, _folders_upwards(folder)) if folder else None
    if readme is not None and readme.path != file.path:
        role = Role("neighbours", _FOLDER_README, ("the readme of its folder",))
        yield from document_pieces(context, readme, role)


def _by_name(context: Context, file: SourceFile) -> list[tuple[SourceFile, float, str]]:
    stem = key_of(stem_of(file.path))
    folder = key_of(file.path.rpartition("/")[0].rpartition("/")[2])
    if folder in map(key_of, (context.settings.root.name, *own_names(context.view))):
        folder = ""  # a page with the name of the project is about all of it
    found: list[tuple[SourceFile, float, str]] = []
    pages = (page for page in context.view.files.entries.of_kinds(_PAGES) if Trait.GENERATED not in page.traits)
    paths = [page.path for page in pages if page.path != file.path and key_of(stem_of(page.path)) in {stem, folder}]
    for page in without_copies(context, in_current_edition(context, paths), of=file):
        name = key_of(stem_of(page.path))
        if name and name == stem:
            found.append((page, _SAME_NAME, f"{page.kind} page with the same name"))
        elif name:
            found.append((page, _FOLDER_NAME, f"{page.kind} page with the name of its folder"))
    return sorted(found, key=lambda item: (-item[1], item[0].path))


def in_current_edition(context: Context, paths: Sequence[str]) -> list[SourceFile]:
    """The files without translations and older editions of pages, unless there is nothing else."""
    table, asked = context.view.files, f"{context.request.name} {context.request.path} {context.request.text}"
    older = {number for number, version in table.derive(outdated_documents) if not speaks_of(version, asked)}
    editions = table.derive(folders_of_editions)
    own = ("", "ru", "uk") if is_cyrillic(asked) else ("", "en")
    files = [file for path in paths if (file := table.get(path))]
    kept = [file for file in files if edition_of(file.path, editions) in own and table.numbers[file.path] not in older]
    return kept or files


_COPIED = 0.6  # of the lines of a page that tell, at least, for a copy of another


def without_copies(context: Context, files: Sequence[SourceFile], of: SourceFile | None = None) -> list[SourceFile]:
    """The files without the documents that repeat an earlier one or ``of``; what is made from a page is its copy."""
    known = [lines_to_compare(context.lines(of.path))] if of is not None and of.kind.is_document else []
    copies: set[str] = set()
    pages = [file for file in files if file.kind.is_document]
    for page in sorted(pages, key=lambda page: says_it_is_made(context.lines(page.path))):
        lines = lines_to_compare(context.lines(page.path))
        if any(len(lines & others) >= _COPIED * len(lines) for others in known if lines):
            copies.add(page.path)
        known.append(lines)
    return [file for file in files if file.path not in copies]


def _mentions(context: Context, file: SourceFile, known: set[str]) -> Iterator[Fragment]:
    """The sections with the path, the dotted name, or the file's name if it is unique."""
    name = file.path.rpartition("/")[2]
    dotted = file.path.rpartition(".")[0].replace("/", ".")
    names = {file.path} | ({dotted} if "." in dotted else set())
    names |= {name} if len(context.view.files.with_suffix(name)) == 1 else set()
    numbers = context.view.postings.file_terms("word", stem_of(file.path).lower()).docs.tolist()
    pages = [page for number in sorted(numbers) if (page := context.view.files[number]).kind in _PAGES]
    others = (page for page in pages if page.path not in {*known, file.path} and not is_record(page.path))
    read = list(islice(others, _MAX_READ))
    holding = [page for page in read if any(each in context.view.files.text(page.path) for each in names)]
    for place, page in enumerate(without_copies(context, holding, of=file)[:_MAX_MENTIONING]):
        for use in uses(context, page.path, names)[:_MENTIONS]:
            value = _MENTIONED - _LOWER * place
            role = Role("neighbours", value, (f"mentions {file.path}",), symbol=use.title)
            yield lines_piece(context, page, use.span, role)


def _folders_upwards(folder: str) -> tuple[str, ...]:
    """The folder and those above it, without the root."""
    parts = folder.split("/")
    return tuple("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))


_REGION, _DOCUMENT = 0.55, 0.5
_MAX_DOCUMENTS = 6


def gather_tags(context: Context) -> Sequence[Fragment]:
    """Regions with the tag's name, and documents with the tag in their front matter; most shared tags first."""
    return [piece for file in context.subjects for piece in _pieces_with_shared_tags(context, file)]


def tags_of(facts: Facts) -> tuple[str, ...]:
    """The tags of a file, from its front matter and its regions, lower-case."""
    named = (*facts.front_matter.tags, *(region.name for region in facts.tags))
    return tuple(dict.fromkeys(name.lower() for name in named))


def _pieces_with_shared_tags(context: Context, file: SourceFile) -> Iterator[Fragment]:
    own = tags_of(context.view.files.facts(file.path))
    if own:
        yield from pieces_with_tags(context, own, ("shares the {}", f" with {file.path}"), apart_from=file.path)


def pieces_with_tags(
    context: Context, names: Sequence[str], reason_parts: tuple[str, str], apart_from: str = ""
) -> Iterator[Fragment]:
    """The pieces with some tags (in lower case). ``reason_parts``: the reason with ``{}`` for tags, and its end."""
    sharing = [
        (tuple(tag for tag in names if tag in tags_of(facts)), other, facts)
        for other, facts in _files_with_tags(context, apart_from, names)
    ]
    ranked = sorted((each for each in sharing if each[0]), key=lambda each: (-len(each[0]), each[1].path))
    for shared, other, facts in ranked[:_MAX_DOCUMENTS]:
        named = f"{'tag' if len(shared) == 1 else 'tags'} {', '.join(shared)}"
        reason = reason_parts[0].format(named) + reason_parts[1]
        regions = [region for region in facts.tags if region.name.lower() in shared]
        for region in regions:
            role = Role("tags", _REGION, (reason,), symbol=region.name)
            yield lines_piece(context, other, (region.start_line, region.end_line), role)
        if not regions:
            yield from document_pieces(context, other, Role("tags", _DOCUMENT, (reason,)), wanted=shared)


def _files_with_tags(context: Context, apart_from: str, own: Sequence[str]) -> Iterator[tuple[SourceFile, Facts]]:
    """Files whose facts may contain a tag; most are excluded before anything is decoded."""
    for path, line in sorted(context.view.files.facts_of(context.view.files.entries.paths.listed).items()):
        other = context.view.files.get(path)
        if other is not None and path != apart_from and _may_hold(line.lower(), own):
            yield other, Facts.from_json(line)


def _may_hold(line: str, own: Sequence[str]) -> bool:
    return any(tag in line or not tag.isascii() for tag in own)
