"""The search strategy: the ranker's candidates as pieces of a readable length."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ctxpack.discover.editions import (
    edition_of,
    english_editions,
    folders_of_editions,
    in_language,
    is_regional_copy,
    language_of_translation,
    originals_of_readme,
    without_language,
    written_forms,
)
from ctxpack.discover.traits import is_chore, is_completion, is_record
from ctxpack.errors import NothingFoundError
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, asked_pieces, line_count, lines_piece
from ctxpack.gather.long_texts import (
    WHOLE_LINES,
    bridge_gaps,
    head,
    is_head_of_imports,
    is_question,
    lines_to_compare,
    ranked_spans,
    reason_for_region,
    regions_of,
    says_little,
    unit,
)
from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Candidate, Form, Fragment, Lane, Scope, TagRegion, Trait
from ctxpack.parse.metadata import says_it_is_made
from ctxpack.query.dictionary import is_cyrillic, languages_in
from ctxpack.query.lines import hunks_in
from ctxpack.query.lookups import name_to_define
from ctxpack.query.slavic import is_ukrainian
from ctxpack.query.subtokens import stem_of
from ctxpack.query.subtokens import words as words_of
from ctxpack.query.understand import Aim, aims_of
from ctxpack.rank.evidence import is_doubted, is_located, is_named, reasons_of
from ctxpack.rank.signals.texts import CATALOGUES
from ctxpack.rank.subject import look_up_uses
from ctxpack.text import is_decoration, keywords_in, last_name, says_nothing

_TRANSLATIONS = lazy_pattern(r"\b(?:translat|locali[sz]|i18n|l10n|перев[оеё]д)", re.IGNORECASE)
_COMPLETIONS = lazy_pattern(r"complet|\b(?:shell|bash|zsh|fish|powershell|tab)\b|дополнени", re.IGNORECASE)
_MAY_INCLUDE = lazy_pattern(r"\{[!*]|--8<--|include::|\{\{#|<<<")  # a page, what it shows from another file
_QUOTED = "chunk quotation"  # the signal of text that the request quotes
_LINES_READ, _FOREIGN_SHARE = 60, 0.3  # of a document, and of its letters, to tell its script
_PLAIN = lazy_pattern(r"[A-Za-z]?[a-z]+")  # a word as well as a name
_FEW, _RARE = 10, 0.05  # files, and a share of all files, that may hold the name of a file if it says something
_STRONGEST, _FURTHER_PART = 3, 0.7  # reasons shown of a candidate; of the value, for parts of a chunk after its best
_SECONDARY_SHARE = 0.6  # of the value, where the request names a file or a component and search only adds to it
_BEST_SHARE, _LEAST = 0.5, 0.15  # of the best score, and a score: what is below is filler with a file or component
# Bytes of pieces where hardly anything fits, and further places to open. Of 252 places of 84 requests two more are in
# the packs than with 1,200, for 375 tokens where nothing fits.
_NEAREST, _MOST_LISTED = 4_800, 4
_HINT = "Try other words, or names from the code."
_WITH_SUBJECT = frozenset((Scope.FILE, Scope.COMPONENT))
_USERS, _USER_LINES = 2, 40  # pieces that use a name of which the definition is wanted, and their length
_COMPARED, _COPIED = 60, 0.8  # the best documents, and the share of size and lines that makes one a copy of another
_BETWEEN_USES = 24  # lines between two uses of a name, that come with them where room is left
_OTHER_REGION = 0.8  # of the value, for the regions of a document that the ranker did not name


def gather_search(context: Context) -> Sequence[Fragment]:
    """The pieces of the candidates; for a file or a component only those that are about it.

    Raises NothingFoundError for a task that nothing matches.
    """
    is_task = context.request.scope is Scope.TASK
    if is_task and (asked := look_up_uses(context.request.text, context.view)).chunks:
        from ctxpack.gather.uses import pieces_of_uses

        return bridge_gaps(context, pieces_of_uses(context, asked), _BETWEEN_USES)
    if is_task and not (context.candidates or context.further) and context.settings.paths is None:
        raise NothingFoundError("Nothing in the repository matches the request.", hint=_HINT)
    further = _pieces(replace(context, candidates=context.further), with_heads=False)
    listed = (replace(piece, required=False, is_listed=True) for piece in further)
    if is_task and is_doubted(context.candidates):
        return list(_nearest(chain(_pieces(context, with_heads=False), listed)))
    if is_task and (name := _wanted_definition(context)):
        return list(_definition(context, list(_pieces(context, with_heads=False)), name))
    found = bridge_gaps(context, list(_pieces(context)))
    if is_task:
        return [*asked_pieces(context), *found, *_pieces_linked(context, found), *listed]
    if context.change is not None:
        from ctxpack.gather.strategies.affected import limit_to_change

        return limit_to_change(found, context.change, context.settings.budget)
    floor = max(_LEAST, _BEST_SHARE * max((piece.provenance.score for piece in found), default=0.0))
    names = _telling_names(context)
    return [piece for piece in found if piece.provenance.score >= floor and not _is_chance(context, piece, names)]


def _pieces_linked(context: Context, found: Sequence[Fragment]) -> Iterator[Fragment]:
    """The tests of a diff that is in the text of the request; what pages that answer a question show of others."""
    if hunks_in(context.request.text):
        from ctxpack.gather.strategies.tests import tests_of_pasted_diff

        yield from tests_of_pasted_diff(context)
    pages = (each for each in found if each.provenance.kind.is_document) if is_question(context.request.text) else ()
    if any(_MAY_INCLUDE.search(each.text) for each in pages):
        from ctxpack.gather.strategies.pages import included_pieces

        yield from included_pieces(context, found)


def _nearest(pieces: Iterable[Fragment]) -> Iterator[Fragment]:
    """The first pieces unchanged, that a small budget holds; of the others few, for the list of omissions."""
    room, listed = _NEAREST, 0
    for at, piece in enumerate(pieces):
        size = len(piece.text.encode())
        room -= size if at else min(size, _NEAREST // 2)
        if not (piece.required or piece.is_listed) and (room >= 0 or not at):
            yield piece
        elif (listed := listed + 1) <= _MOST_LISTED:
            yield replace(piece, required=False, is_listed=True)


def _wanted_definition(context: Context) -> str:
    """The name, if the request only wants the definition of one and it was found; else empty."""
    name = name_to_define(context.request.text)
    return name if name and any(_is_part(each, name) for each in context.candidates) else ""


def _is_part(candidate: Candidate, name: str) -> bool:
    """Whether it is the definition of a name, or inside it: the head of a class may be no candidate, a method is."""
    return name in candidate.chunk.symbol.split(".")


def _definition(context: Context, pieces: Sequence[Fragment], name: str) -> Iterator[Fragment]:
    """All definitions of a name, and the first places that use it; the rest only for the list of omissions."""
    definitions = [piece for piece in pieces if name in map(last_name, piece.provenance.symbol.split(", "))]
    word = re.compile(rf"\b{re.escape(name)}\b")
    homes = [] if definitions else list(_homes(context, name))
    parts = [piece for piece in pieces if word.search(piece.provenance.symbol)] if not homes else []
    shown = definitions or homes or parts[:_USERS]
    paths = {piece.provenance.path for piece in shown}
    others = [piece for piece in pieces if piece not in shown and piece.provenance.path not in paths]
    users = [piece for piece in others if word.search(piece.text) and piece.text.count("\n") <= _USER_LINES][:_USERS]
    yield from homes
    for piece in pieces:
        is_shown = piece.required or piece in shown or piece in users
        yield piece if is_shown else replace(piece, is_listed=True)


def _homes(context: Context, name: str) -> Iterator[Fragment]:
    """The definitions of a name of which only parts were ranked, each once; of a long one, as far as the first part."""
    seen: set[tuple[str, int]] = set()
    for candidate in context.candidates:
        path, chunk = candidate.file.path, candidate.chunk
        symbols = context.view.exact(path).symbols if _is_part(candidate, name) else ()
        for each in symbols:
            is_home = last_name(each.qualified) == name and each.start_line <= chunk.start_line <= each.end_line
            if is_home and (path, each.start_line) not in seen:
                seen.add((path, each.start_line))
                is_short = each.end_line - each.start_line < WHOLE_LINES
                span = each.start_line, each.end_line if is_short else min(chunk.end_line, each.end_line)
                role = replace(_role(context, candidate, 1.0, candidate.keywords), symbol=each.qualified)
                yield lines_piece(context, candidate.file, span, role)


def _pieces(context: Context, *, with_heads: bool = True) -> Iterator[Fragment]:
    tagged: set[str] = set()
    seen: set[str] = set()
    parted: set[str] = set()  # files of which a part came
    language = _language(context.request.text)
    copies = _find_copies(context) | _find_completions(context)
    for candidate in context.candidates:
        path = candidate.file.path
        if path in copies or _is_other_edition(context, candidate, language):
            continue
        if _is_of_imports(context, candidate, is_first=path not in parted):
            continue
        parted.add(path)
        if path in tagged and candidate.file.kind.lane is Lane.DOCS:
            continue  # the regions represent the document
        if with_heads and path not in seen and context.request.scope is Scope.TASK:
            yield from head(context, candidate, len(seen))
            seen.add(path)
        if path in tagged:
            if not _is_in_region(context, candidate):
                yield from _parts(context, candidate)
        elif context.view.files.facts(path).tags:
            tagged.add(path)
            yield from _regions(context, candidate)
            if candidate.file.kind.lane is not Lane.DOCS and not _is_in_region(context, candidate):
                yield from _parts(context, candidate)
        else:
            yield from _parts(context, candidate)


def _is_of_imports(context: Context, candidate: Candidate, *, is_first: bool) -> bool:
    """Whether words are only in a head of imports, because names are long: no answer is there, nor a place to change.

    Beside a file or a component no head of another file comes, nor the list of what it exports. For a task that
    changes something only such as ``is_first`` of its file, and hardly holds anything else.
    """
    request, file, chunk = context.request, candidate.file, candidate.chunk
    if request.scope in _WITH_SUBJECT:
        is_list = chunk.symbol == "__all__" or is_head_of_imports(context, file, chunk)
        return is_list and file.path != request.path
    if request.scope is not Scope.TASK or file.kind.lane is not Lane.CODE:
        return False
    if is_question(request.text):
        return is_head_of_imports(context, file, chunk)
    return is_first and is_head_of_imports(context, file, chunk, only=True)


def _language(text: str) -> str:
    """The natural language of a text, among those in which documents have editions."""
    if not is_cyrillic(text):
        return "en"
    return "uk" if is_ukrainian(words_of(text)) else "ru"


def _is_other_edition(context: Context, candidate: Candidate, language: str) -> bool:
    """Whether a document also exists in the language of the request, or else in English; not where that names it.

    So does data of a third language, or one that repeats what code holds, unless the request is about translations.
    """
    path, is_data = candidate.file.path, not candidate.file.kind.is_document
    if is_data and (Trait.TRANSLATION not in candidate.file.traits or _TRANSLATIONS.search(context.request.text)):
        return False
    if is_located(candidate):
        return False
    if is_data:
        own, is_quoted = language_of_translation(path), any(each.signal == _QUOTED for each in candidate.evidence)
        is_other = own not in ({"", "en", language} if is_quoted or not path.endswith(CATALOGUES) else {"", "en"})
        return is_other or is_regional_copy(path, context.view.files.numbers)
    if any(each in context.view.files.numbers for each in originals_of_readme(path)):
        return language_of_translation(path)[:2] not in {language, *languages_in(context.request.text)}
    own = edition_of(path, context.view.files.derive(folders_of_editions))
    return own not in {language, *languages_in(context.request.text)} and _is_elsewhere(context, path, own, language)


def _is_elsewhere(context: Context, path: str, own: str, language: str) -> bool:
    """Whether a document, in its own language, exists in another one that fits better."""
    files, editions = context.view.files, context.view.files.derive(folders_of_editions)
    if not own and language == "en":
        english = english_editions(path, editions)
        return any(each in files.numbers for each in english) and _is_foreign(context, path)
    original = without_language(path, editions)
    if language != "en" and original in files.numbers and _is_foreign(context, original):
        return True  # what is written for everybody is written in the language of the request
    wanted = dict.fromkeys((language, "en")) if own else (language,)
    others = (each for other in wanted for each in in_language(path, other, editions) if each != path)
    return any(each in files.numbers for each in others)


def _is_foreign(context: Context, path: str) -> bool:
    """Whether a document is in another script than the Latin one."""
    text = context.view.files.lines(path, 1, _LINES_READ)
    letters = [letter for letter in text if letter.isalpha()]
    return sum(not letter.isascii() for letter in letters) > _FOREIGN_SHARE * len(letters)


def _find_copies(context: Context) -> set[str]:
    """The documents that nearly repeat a higher-ranked one, such as a guide in two folders; manuals with their source.

    One in a hidden folder, or made from another, is the copy. Documents that the request names are not included.
    """
    documents: dict[str, Candidate] = {}
    for candidate in context.candidates:
        if candidate.file.kind.is_document and len(documents) < _COMPARED:
            documents.setdefault(candidate.file.path, candidate)
    sizes = {path: candidate.file.size for path, candidate in documents.items()}
    alike = [path for path in sizes if any(_may_repeat(path, other, sizes) for other in sizes if other != path)]
    made = (path for path in documents if any(map(context.view.files.get, written_forms(path))))
    copies = {path for path in made if not is_located(documents[path])}
    originals: dict[str, frozenset[str]] = {}
    for path in sorted(alike, key=lambda path: ("/." in f"/{path}", says_it_is_made(context.lines(path)))):
        lines = lines_to_compare(context.lines(path))
        others = (known for other, known in originals.items() if _may_repeat(path, other, sizes))
        if any(len(lines & known) >= _COPIED * max(len(lines), len(known), 1) for known in others):
            copies |= set() if is_located(documents[path]) else {path}
        else:
            originals[path] = lines
    return copies


def _find_completions(context: Context) -> set[str]:
    """What tells shells the options of a program, but for the best match, where a request neither adds nor names it."""
    text = context.request.text
    further = () if _COMPLETIONS.search(text) or Aim.CHANGE in aims_of(text) else context.candidates[1:]
    return {each.file.path for each in further if is_completion(each.file.path) and not is_located(each)}


def _may_repeat(path: str, other: str, sizes: Mapping[str, int]) -> bool:
    """Whether a document is called like another, or is of its size: most are not even read."""
    size, its = sizes[path], sizes[other]
    return path.rpartition("/")[2] == other.rpartition("/")[2] or _COPIED * max(size, its) <= min(size, its)


def _is_chance(context: Context, piece: Fragment, names: frozenset[str]) -> bool:
    """Whether a piece of another file only matches the name of the requested file, without being about it.

    For a component that holds of changelogs, of forms for issues, and of what programs write.
    """
    request, path = context.request, piece.provenance.path
    if request.scope is not Scope.FILE or request.text.strip() or path == request.path:
        is_made = (file := context.view.files.get(path)) is not None and Trait.GENERATED in file.traits
        return request.scope is Scope.COMPONENT and (is_made or is_record(path) or is_chore(path))
    from ctxpack.gather.uses import contains_name

    return is_record(path) or not any(contains_name(piece.text, name) for name in names)


def _telling_names(context: Context) -> frozenset[str]:
    """What a text must contain to be about the requested file: its name, or a distinctive name that it defines.

    Also the name without suffix, where few files contain it.
    """
    path, view = context.request.path, context.view
    if context.request.scope is not Scope.FILE or view.files.get(path) is None:
        return frozenset()
    from ctxpack.gather.uses import names_of

    stem, most = stem_of(path), max(_FEW, _RARE * len(view.files))
    is_rare = len(view.postings.file_terms("word", stem.lower()).docs) <= most
    defined = (each for each in names_of(context, path) if not _PLAIN.fullmatch(each))
    return frozenset((path.rpartition("/")[2], *defined, *([stem] if is_rare else [])))


def _parts(context: Context, candidate: Candidate) -> Iterator[Fragment]:
    chunk = candidate.chunk
    whole = (chunk.start_line, min(chunk.end_line, line_count(context, candidate.file.path)))
    span, name = unit(context, candidate.file.path, whole, chunk.symbol or " > ".join(chunk.heading))
    is_located_alone = is_located(candidate) and candidate.file.path not in context.told_lines  # else a line is meant
    value, is_wanted = 1.0, is_located_alone or is_named(candidate, context.query, context.view)
    for part, words in ranked_spans(context, candidate.file.path, span, candidate.keywords):
        text = context.text(candidate.file.path, part)
        if says_nothing(text) or (candidate.file.language == "markdown" and is_decoration(text)):
            continue
        role = replace(_role(context, candidate, value, words), symbol=name)
        piece = lines_piece(context, candidate.file, part, role)
        if piece.form is Form.EXCERPT and says_little(context.lines(candidate.file.path), part):
            continue  # the head of a definition without any of its body
        yield replace(piece, is_named=is_wanted)
        value *= _FURTHER_PART


def _regions(context: Context, candidate: Candidate) -> Iterator[Fragment]:
    """The marked regions to show for a file, each with its own name and the score of the ranked lines in it."""
    path = candidate.file.path
    hits = [each for each in context.candidates if each.file.path == path]
    is_code = candidate.file.kind.lane is not Lane.DOCS
    for region in regions_of(context, path) or ():
        span = region.start_line, region.end_line
        if is_code and not region.name and line_count(context, path) > WHOLE_LINES:
            continue  # the code next to a short region is no document: what matches in it comes by itself
        best = next((each for each in hits if _meets(each, region)), None)
        words = keywords_in(context.text(path, span), (best or candidate).keywords)
        role = _role(context, best or candidate, 1.0 if best and region.name else _OTHER_REGION, words)
        name = region.name or role.symbol
        yield lines_piece(
            context,
            candidate.file,
            span,
            replace(role, reasons=(*role.reasons, reason_for_region(context, path, region)), symbol=name),
        )


def _meets(candidate: Candidate, region: TagRegion) -> bool:
    return candidate.chunk.start_line <= region.end_line and region.start_line <= candidate.chunk.end_line


def _is_in_region(context: Context, candidate: Candidate) -> bool:
    """Whether the ranked lines are within a region that is shown for its file."""
    chunk = candidate.chunk
    regions = regions_of(context, candidate.file.path) or ()
    return any(each.start_line <= chunk.start_line and chunk.end_line <= each.end_line for each in regions)


def _role(context: Context, candidate: Candidate, share: float, words: tuple[str, ...]) -> Role:
    chunk = candidate.chunk
    share_of_scope = 1.0 if context.request.scope is Scope.TASK else _SECONDARY_SHARE
    score = candidate.score * share_of_scope
    return Role(
        "search",
        candidate.value * share_of_scope * share,
        reasons_of(candidate, _STRONGEST),
        score=score * share,
        confidence=candidate.confidence,
        keywords=words,
        symbol=chunk.symbol or " > ".join(chunk.heading),
    )
