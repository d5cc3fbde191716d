"""What is there several times: documents in languages and versions, types beside code, asynchronous twins."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from ctxpack.light import lazy_pattern
from ctxpack.model import DOCUMENT_KINDS
from ctxpack.model.columns import FileTable

# ruff: noqa: SIM905 -- tables of words

LANGUAGE_CODES = frozenset(
    "ar az be bg bn bs ca cs da de el es et fa fi fr gl he hi hr hu hy id it ja ka kk ko lt lv mk mn ms nb nl no pl pt "
    "pt-br pt_br ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi yo zh zh-cn zh-tw zh-hans zh-hant zh_cn zh_tw".split()
)
PROSE_SUFFIXES = (".md", ".mdx", ".rst", ".adoc", ".txt", ".html")
TRANSLATION_FOLDERS = frozenset(
    "locale locales i18n l10n translations translation lang langs language languages intl _locales".split()
)
TRANSLATION_SUFFIXES = (".po", ".pot", ".xlf", ".xliff", ".arb")
_EDITED_FOLDERS = frozenset("doc docs documentation content site website guide guides manual book wiki pages".split())
_ENGLISH = lazy_pattern(r"en(?:[-_](?:us|gb))?")
_REGION = lazy_pattern(r"[a-z]{2}[-_](?:[a-z]{2}|hans|hant)")  # a language as it is written somewhere
_CODE = lazy_pattern(r"[a-z]{2,3}(?:[-_](?:[a-z]{2}|hans|hant))?")
_EDITION_NAME = lazy_pattern(r".+\.(?P<language>[a-z]{2}(?:[-_](?:[a-z]{2}|hans|hant))?)\.(?:md|mdx|rst|adoc|html)")
_FEWEST_LANGUAGES: Final = 3  # beside one another: then it is no chance that folders are named like languages
_SHARE_OF_NAMES: Final = 0.5  # of the documents of an edition, that another one has as well

Editions = Mapping[str, str]
"""Folder -> the language of the documents in it, where only a look at other folders shows that: ``_articles/fr``."""


def folders_of_editions(files: FileTable) -> Editions:
    """The folders of editions that neither their name nor that of the folder above shows: ``_articles/fr``, ``fr``.

    Three languages stand beside one another there, and most documents of each exist in another one.
    """
    parents = {
        "/".join(names[:at])
        for folder in files.folders[0]
        if not LANGUAGE_CODES.isdisjoint(folder.lower().split("/"))
        for names in [folder.split("/")]
        for at, name in enumerate(names)
        if name.lower() in LANGUAGE_CODES
    }
    if not parents:
        return {}
    documents: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    inside = _are_inside(files.folders[0], parents)
    for path in (files.paths.listed[number] for number in files.of_folders(inside).tolist()):
        names = path.split("/")
        for at in range(len(names) - 1) if path.lower().endswith(PROSE_SUFFIXES) else ():
            if (parent := "/".join(names[:at])) in parents:
                documents[parent][names[at]].add("/".join(names[at + 1 :]))
    return {folder: code for each in documents.items() for folder, code in _editions_of(*each)}


def files_of_editions(files: FileTable) -> list[tuple[int, str]]:
    """The documents in the folders of editions that are not in English, by their number, and their languages."""
    editions = folders_of_editions(files)
    if not editions:
        return []
    inside = _are_inside(files.folders[0], editions)
    found = ((number, edition_of(files.paths[number], editions)) for number in files.of_folders(inside).tolist())
    return [(number, language) for number, language in found if language]


def _are_inside(folders: Iterable[str], wanted: Container[str]) -> list[bool]:
    """Say of each folder whether it is wanted or lies in one that is; all lie in the root."""
    known = {"": "" in wanted}
    found = list[bool]()
    for folder in folders:
        for above in reversed([*_upwards(folder, known)]):
            known[above] = known[above.rpartition("/")[0]] or above in wanted
        found.append(known[folder])
    return found


def _editions_of(parent: str, names: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    """The editions among the folders of one, which have the names of their documents in common."""
    known = [name for name in names if name.lower() in LANGUAGE_CODES or name.lower() == "en"]
    if len(known) < _FEWEST_LANGUAGES:
        return
    counts = Counter(tail for name in known for tail in names[name])
    for name, tails in names.items():
        shared = sum(counts[tail] > (name in known) for tail in tails)
        if _CODE.fullmatch(name.lower()) and shared >= _SHARE_OF_NAMES * len(tails):
            yield f"{parent}/{name}" if parent else name, re.split("[-_]", name.lower())[0]


def edition_of(path: str, editions: Editions | None = None) -> str:
    """The language of a document that exists in several languages: ``hi`` for ``docs/hi/index.md``.

    Empty for what is no such edition, and for English. ``editions`` are those of ``folders_of_editions``.
    """
    lower = path.lower()
    if not lower.endswith(PROSE_SUFFIXES):
        return ""
    at = _language_folder(path, editions)
    if at is not None:
        language = re.split("[-_]", lower.split("/")[at])[0]
        return "" if language == "en" else language
    match = _EDITION_NAME.fullmatch(lower.rpartition("/")[2])
    return match["language"][:2] if match and match["language"] in LANGUAGE_CODES else ""


def _language_folder(path: str, editions: Editions | None) -> int | None:
    """The place of the folder in a path that tells the language of a document."""
    folders = path.split("/")[:-1]
    for at, folder in enumerate(folders):
        name = folder.lower()
        above = folders[at - 1].lower() if at else ""
        is_known = name in LANGUAGE_CODES or name == "en"
        if is_known and above in _EDITED_FOLDERS | TRANSLATION_FOLDERS:
            return at
        if editions and "/".join(folders[: at + 1]) in editions:
            return at
    return None


def in_language(path: str, language: str, editions: Editions | None = None) -> tuple[str, ...]:
    """The possible paths of the same document in another language; empty for a path without a language."""
    at = _language_folder(path, editions)
    if at is not None:
        folders = path.split("/")
        above, below = folders[:at], folders[at + 1 :]
        return (
            "/".join((*above, language, *below)),
            *((without_language(path, editions),) if language == "en" else ()),
        )
    match = _EDITION_NAME.fullmatch(path.lower())
    if match is None or match["language"] not in {*LANGUAGE_CODES, "en"}:
        return ()
    start, end = match.span("language")
    return (path[:start] + language + path[end:], *((path[:start] + path[end + 1 :],) if language == "en" else ()))


def without_language(path: str, editions: Editions | None = None) -> str:
    """The path of the same document outside the folder of a language; empty for one that is in none."""
    at = _language_folder(path, editions)
    folders = path.split("/")
    return "" if at is None else "/".join((*folders[:at], *folders[at + 1 :]))


def english_editions(path: str, editions: Editions | None = None) -> tuple[str, ...]:
    """The possible paths of the English edition of a document in no folder of a language, such as ``docs/en/a.md``."""
    if _language_folder(path, editions) is not None or not path.lower().endswith(PROSE_SUFFIXES):
        return ()
    parts, parents = path.split("/"), {folder.rpartition("/")[0] for folder in editions or ()}
    return tuple(
        "/".join((*parts[:at], "en", *parts[at:]))
        for at in range(len(parts))
        if "/".join(parts[:at]) in parents or (at and parts[at - 1].lower() in _EDITED_FOLDERS | TRANSLATION_FOLDERS)
    )


_TRANSLATED_README = lazy_pattern(r"readme[._-](?P<code>(?!en)[a-z]{2}(?:[-_][a-z]{2,4})?)(?P<suffix>\.\w{2,8})")
_COUNTRIES: Final = frozenset({"br", "cn", "jp", "kr"})  # after which people call a readme in their language


def originals_of_readme(path: str) -> tuple[str, ...]:
    """The possible paths of what a translated readme is a translation of, in its folder or the one above; else none."""
    folder, slash, name = path.rpartition("/")
    match = _TRANSLATED_README.fullmatch(name.lower())
    if match is None or not (language_of_translation(path) or match["code"] in _COUNTRIES):
        return ()
    original = name[: len("readme")] + name[match.start("suffix") :]
    above, line, _ = folder.rpartition("/")
    return (folder + slash + original, above + line + original)


def language_of_translation(path: str) -> str:
    """The language of a file of translations, by its name or its folders: ``uk`` for ``locale/uk_UA/app.po``."""
    *folders, name = path.lower().split("/")
    for part in (name, *reversed(folders)):
        language = re.split(r"[-_]", part)[0] if (part := _code_in(part)) not in LANGUAGE_CODES else part
        if language in LANGUAGE_CODES:
            return language
    return ""


# The end of a name without suffix, or of a folder: ``locale_sr-SP``, ``app.de``, ``values-pt-rBR``, ``it.lproj``.
_CODE_AT_END = lazy_pattern(r"(?:.*?[._-])??(?P<code>[a-z]{2}(?:[-_]r?(?:[a-z]{2}|hans|hant))?)(?:\.lproj)?")


def _code_in(name: str) -> str:
    """The code of a language, maybe with a region, at the end of a lower-case name; empty for none."""
    whole = name if name.endswith(".lproj") else name.rpartition(".")[0] or name
    match = next(filter(None, map(_CODE_AT_END.fullmatch, (whole, whole.partition(".")[0]))), None)
    return match["code"] if match else ""


def is_regional_copy(path: str, paths: Container[str]) -> bool:
    """Whether a file of translations is in the English of another region than one of the same name: ``en_GB``."""
    match = _REGIONAL.search(path)
    usual = ("en", "en-US", "en_US", "en-us") if match else ()
    return match is not None and any(f"{path[: match.start()]}{each}{path[match.end() :]}" in paths for each in usual)


_REGIONAL = lazy_pattern(r"(?<![A-Za-z])en[-_](?!us)[a-z]{2}(?![A-Za-z])", re.IGNORECASE)


def holds_english_messages(path: str) -> bool:
    """Whether a file of translations, such as ``locales/en.ts``, is where the messages are written in English."""
    *folders, name = path.lower().split("/")
    if name.endswith(TRANSLATION_SUFFIXES):
        return False  # they repeat the messages that the code holds
    return any(_ENGLISH.fullmatch(part) for part in (name.partition(".")[0], *folders))


# --- versions ---------------------------------------------------------------------------------------------------------

Version = tuple[int, ...]
_VERSION: Final = lazy_pattern(
    r"(?:(?P<stem>.+)[-_.])?(?:v|version[-_ ]?)(?P<number>\d{1,4}(?:[._]\d{1,4})*)(?:\.x)?", re.IGNORECASE
)
_DOTTED: Final = lazy_pattern(r"(?:(?P<stem>.+)[-_])?(?P<number>\d{1,4}(?:\.\d{1,4})+)(?:\.x)?")
_SPOKEN: Final = lazy_pattern(r"(?<![\w.])v?(\d{1,9}(?:[._]\d{1,9})*)(?!\w|\.\d)", re.IGNORECASE)
_DIGIT: Final = lazy_pattern(r"\d")
_INTERNET: Final = frozenset({(4,), (6,)})  # protocols, of which neither replaces the other
_PAST_RELEASES: Final = "versioned_docs/"
_UNRELEASED: Final = ("dev", "devel", "latest", "next", "nightly", "unreleased")
_LEAST_SHARE: Final = 1 / 3  # of the files of an older edition: what holds fewer has only been begun


def older_editions(folders: Mapping[str, int], documents: Iterable[str]) -> Mapping[str, Version]:
    """The folders and documents with an older version of their neighbours, each with its version.

    ``folders`` are those of all files, with the number that each holds itself. Where both ``v3`` and ``v4`` exist,
    ``v3`` is older, and so is ``docs-v3`` next to ``docs`` anywhere in the repository, and what ``versioned_docs``
    next to ``docs`` holds, as Docusaurus keeps the documents of past releases. Both ``1.7`` and ``1.8`` are older than
    ``dev`` next to them.
    """
    documents = list(documents)
    sizes = _sizes((folder, count) for folder, count in folders.items() if _DIGIT.search(folder))
    entries = [(f"{folder}/", folder) for folder in sizes]
    entries += [(path, path) for path in documents if _DIGIT.search(path)]
    sizes.update(documents)
    groups: dict[tuple[str, str], dict[Version, str]] = {}
    for _, entry in sorted(entries):  # of equal versions the last in this order counts
        named = _split_version(entry)
        if named is not None:
            parent, stem, version = named
            groups.setdefault((parent, stem), {})[version] = entry
    older = {entry: version for versions in groups.values() for version, entry in _replaced_entries(versions, sizes)}
    for (parent, _), versions in groups.items():
        above = parent.removesuffix(_PAST_RELEASES)
        if above != parent and any(f"{folder}/".startswith(f"{above}docs/") for folder in folders):
            older |= {entry: version for version, entry in versions.items()}
    for (parent, stem), versions in groups.items():
        newest, are_releases = max(versions), not stem and len(versions) > 1 and len(max(versions)) > 1
        ahead = tuple(f"{parent}{name}/" for name in _UNRELEASED if are_releases)
        held = sum(count for folder, count in folders.items() if f"{folder}/".startswith(ahead)) if ahead else 0
        if held and held >= _LEAST_SHARE * sizes[versions[newest]]:
            older[versions[newest]] = newest
    replaced = set(older.values())
    there: set[str] = set()  # the folders, and those above them
    for (parent, stem), versions in groups.items():
        again = {entry: version for version, entry in versions.items() if version in replaced} if stem else {}
        if again:
            for folder in () if there else folders:
                there.update([*_upwards(folder, there)])
            older |= again if f"{parent}{stem}" in sizes or f"{parent}{stem}" in there else {}
    return older


def _sizes(folders: Iterable[tuple[str, int]]) -> Counter[str]:
    """How many files each folder holds with those of the folders in it, from the number that each holds itself."""
    sizes = defaultdict[str, int](int)
    for folder, count in folders:
        for above in _upwards(folder):
            sizes[above] += count
    return Counter(sizes)


def _replaced_entries(versions: Mapping[Version, str], sizes: Mapping[str, int]) -> Iterator[tuple[Version, str]]:
    """The entries that the newest version replaces; none while it holds few files."""
    newest = max(versions)
    for version, entry in versions.items():
        is_replaced = version != newest and sizes[versions[newest]] >= _LEAST_SHARE * sizes[entry]
        if is_replaced and versions.keys() != _INTERNET:
            yield version, entry


def outdated_documents(files: FileTable) -> list[tuple[int, Version]]:
    """The files of editions that a newer one replaces, by their number, and the version of each."""
    documents = (files.paths[number] for number in files.of_classes(lambda each: each.kind in DOCUMENT_KINDS).tolist())
    older = older_editions(files.count_folders(), documents)
    return files_of_older_editions(files, older) if older else []


def files_of_older_editions(files: FileTable, older: Mapping[str, Version]) -> list[tuple[int, Version]]:
    """The files that belong to an older edition, by their number, and the version of each."""
    found = {number: older[path] for path in older if (number := files.find(path)) is not None}
    if len(found) == len(older):
        return sorted(found.items())  # none of them is a folder
    of_folder: dict[str, Version | None] = {}
    for folder in files.folders[0]:
        for above in reversed([*_upwards(folder, of_folder)]):
            outer = of_folder.get(above.rpartition("/")[0]) if above else None
            of_folder[above] = outer or older.get(above)
    versions = [of_folder[folder] for folder in files.folders[0]]
    for number in files.of_folders([version is not None for version in versions]).tolist():
        found[number] = versions[files.folders[1][number]] or found[number]
    return sorted(found.items())


def speaks_of(version: Version, text: str) -> bool:
    """Whether a text mentions a version, or the line of versions that it belongs to (``v20`` for 20.1)."""
    own = _without_zeros(version)
    spoken = _spoken_versions(text)
    return any(own == each or (is_line and own[: len(each)] == each) for each, is_line in spoken)


@lru_cache(maxsize=16)
def _spoken_versions(text: str) -> frozenset[tuple[Version, bool]]:
    """The numbers that may be versions, each with whether a ``v`` or a dot says that it is one."""
    found = ((tuple(map(int, re.split(r"[._]", match[1]))), match[0]) for match in _SPOKEN.finditer(text))
    return frozenset((_without_zeros(numbers), not written.isdecimal()) for numbers, written in found)


def _without_zeros(version: Version) -> Version:
    size = len(version)
    while size > 1 and not version[size - 1]:
        size -= 1
    return version[:size]


def _upwards(folder: str, known: Container[str] = ()) -> Iterator[str]:
    """A folder and those above it, up to one that is known; of the root's only the root, of others not the root."""
    if not folder and folder not in known:
        yield folder
    while folder and folder not in known:
        yield folder
        folder = folder.rpartition("/")[0]


def _split_version(entry: str) -> tuple[str, str, Version] | None:
    """The folder of an entry, with its slash; its name without the version; the version."""
    folder, slash, name = entry.rpartition("/")
    if not _DIGIT.search(name):
        return None
    bare = re.sub(r"\.[A-Za-z]{2,5}$", "", name)
    match = _VERSION.fullmatch(bare) or _DOTTED.fullmatch(bare)
    if match is None:
        return None
    return folder + slash, (match["stem"] or "").lower(), tuple(map(int, re.split(r"[._]", match["number"])))


_FORMATTED = lazy_pattern(r"(?P<name>.+?)(?P<section>\.\d)?(?:\.(?:texi|texinfo|info))?")
_WRITTEN = ("org", "md", "markdown", "rst", "adoc", "asciidoc", "asc", "ronn", "pod", "scd", "txt")


def written_forms(path: str) -> tuple[str, ...]:
    """The files that a manual is made from if they exist: ``doc/a.md`` and ``doc/a.1.md`` for ``doc/a.1``."""
    match = _FORMATTED.fullmatch(path)
    if match is None or match["name"] == path:
        return ()
    names = (match["name"], match["name"] + (match["section"] or ""))
    return tuple(f"{name}.{ending}" for name in dict.fromkeys(names) for ending in _WRITTEN)


_DECLARATIONS: Final[Mapping[str, tuple[str, ...]]] = {
    ".d.ts": (".js", ".mjs", ".cjs"),
    ".d.mts": (".mjs", ".js"),
    ".d.cts": (".cjs", ".js"),
    ".pyi": (".py",),
}


def repeated_declarations(files: FileTable) -> list[int]:
    """The files that declare the types of code in a file of their name, here or in another folder."""
    found = [
        (files.paths.listed[number].rpartition("/")[2], number) for number in files.ending_with(tuple(_DECLARATIONS))
    ]
    names = {path.rpartition("/")[2] for path in files.paths.listed} if found else set()
    return [number for name, number in found if not names.isdisjoint(_names_declared(name))]


def _names_declared(name: str) -> list[str]:
    """The names of the files that a file of declarations may be about: ``hooks.js`` for ``hooks.d.ts``."""
    ending = next(each for each in _DECLARATIONS if name.endswith(each))
    return [f"{name.removesuffix(ending)}{each}" for each in _DECLARATIONS[ending]]


_ASYNCHRONOUS: Final = lazy_pattern(r"(?:\A|(?<=/))(?:test_)?(?:_?async|asyncio|aio)/|_async(?=\.\w{1,5}\Z)")
_SYNCHRONOUS: Final = ("", "sync/", "_sync/")  # what is there instead


def asynchronous_twins(files: FileTable) -> list[int]:
    """The files called asynchronous, or in a folder so called, that are there without it: ``redis/asyncio/lock.py``."""
    parts = ("async/", "asyncio/", "aio/", "_async.")
    found = sorted({number for part in parts for number in files.paths.holding(part)})
    twins = ((number, _ASYNCHRONOUS.sub(each, files.paths.listed[number])) for number in found for each in _SYNCHRONOUS)
    return sorted({number for number, twin in twins if files.find(twin) not in {None, number}})
