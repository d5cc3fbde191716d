"""What the path of a file shows: changelogs, guides, generated and vendored files, translations."""

# ruff: noqa: SIM905 -- tables of words
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from ctxpack.discover.editions import (
    PROSE_SUFFIXES,
    TRANSLATION_FOLDERS,
    TRANSLATION_SUFFIXES,
    edition_of,
    language_of_translation,
)
from ctxpack.light import lazy_pattern
from ctxpack.model import Trait
from ctxpack.parse.languages import is_example_name

_RECORD = lazy_pattern(
    r"(?i)(?:change|history|news|release(?![-_ ]?(?:check|guide|how|instr|polic|proc|step|workfl))"
    r"|(?:v?\d[\d.]{0,10}[-_])?upgrad(?:e|ing)(?:[-_](?:guide|notes))?\.)|\w{1,40}[-_.]changelog\b|\d{4}[-_.](?:changes|news)\b"
)
_RECORD_AT_THE_TOP = lazy_pattern(r"\w{1,40}[-_.](?:changes|history)\b", re.IGNORECASE)  # elsewhere a guide to changes
_FOLDER_OF_RECORDS = lazy_pattern(  # of what was, and of the lines that changes leave for the next changelog
    r"(?i)(?:\d{1,4}[-_. ]?|[_.])?(?:archived?|attic|obsolete|outdated|superseded)|\.changesets?|\.?changes"
    r"|changelogs?(?:[-_.](?:d|entries))?|_?news(?:fragments|\.d)|release[-_]?notes?"
)


def is_record(path: str) -> bool:
    """Whether a document is a changelog, by its name or that of its folder, or lies in an archive of documents."""
    folder, _, name = path.rpartition("/")
    if not folder and _RECORD_AT_THE_TOP.match(name):
        return True
    return _RECORD.match(name) is not None or _holds_records(folder)


@lru_cache(maxsize=65_536)
def _holds_records(folder: str) -> bool:
    folders = folder.split("/")
    return _RECORD.match(folders[-1]) is not None or any(map(_FOLDER_OF_RECORDS.fullmatch, folders))


_LICENCE_OR_CREDITS = lazy_pattern(
    r"(?i)(?:licen[cs]es?|copying|unlicense|notice|authors|contributors|backers|sponsors|thanks|code[-_]of[-_]conduct)"
    r"(?:[-.][\w-]+)??(?:\.(?:txt|md|rst))?|(?i:funding)\.ya?ml"
)


def is_licence_or_credits(path: str) -> bool:
    """Whether a file is a licence, which names all that one may do, or tells who helped or pays, or how to behave."""
    return _LICENCE_OR_CREDITS.fullmatch(path.rpartition("/")[2]) is not None


STYLE_SHEETS: Final = (".css", ".scss", ".sass", ".less", ".styl")
"""The endings of files that tell how a page looks."""


def is_style_sheet(path: str) -> bool:
    """Whether a file only tells how a page looks."""
    return path.lower().endswith(STYLE_SHEETS)


_GUIDES = lazy_pattern(r"(?i)contribut\w*|hacking|onboarding|develop(?:ing|ment|ers?)|get(?:ting)?[-_ ]?started")
_GUIDE = lazy_pattern(
    r"(?i)(?:how[-_ ]to[-_ ])?(?:contribut\w*|hacking|develop(?:ing|ment|ers?)?|build(?:ing)?|install(?:ing|ation)?"
    r"|onboarding|get(?:ting)?[-_ ]?started|quick[-_ ]?start|claude|(?:(?:unit|running|writing)[-_ ]?)?test(?:s|ing)?"
    r"|pull[-_ ]?requests?(?:[-_]template)?|code[-_ ]?review|set[-_ ]?up|agents|readme(?=.*test)|releasing"
    r"|release[-_ ](?:check|guide|how|instr|proc|step|workfl)\w{0,9})(?:[-._]\w+){0,3}"
)
_BUILD_FILE = lazy_pattern(
    r"(?i)(?:gnu)?makefile(?:\.am)?|justfile|taskfile\.ya?ml|noxfile\.py|tox\.ini|pytest\.ini|package\.json|pyproject\.toml"
    r"|setup\.cfg|cargo\.toml|composer\.json|phpunit\.xml(?:\.dist)?|(?:settings|build)\.gradle(?:\.kts)?|pom\.xml|rakefile"
    r"|gemfile|cmakelists\.txt|meson\.build|mix\.exs|go\.mod|build\.sbt|pubspec\.yaml|\.pre-commit-config\.yaml"
    r"|\.travis\.yml|\.gitlab-ci\.yml|azure-pipelines\.ya?ml|(?:docker-)?compose(?:\.\w+)?\.ya?ml|\w{1,40}\.(?:csproj|cabal|opam)"
    r"|cabal\.project|dune-project|package\.swift|rebar\.config|erlang\.mk|makefile\.pl|cpanfile"
    r"|build\.(?:bat|cake|cmd|fsx|ps1|sh|xml|zig)|psakefile\.ps1|appveyor\.ya?ml"
)
_FOLDERS_OF_DOCUMENTS: Final = frozenset({"doc", "docs", "documentation", "site", "website"})
_CHECKS = lazy_pattern(
    r"(?i)\.github/workflows/(?!.*(?:release|publish|deploy|docker|codeql|scorecard|stale|label))"
    r".*(?:test|check|lint|build|ci|pr|main|pull)|(?:[^/]{1,80}/){0,3}run[-_]?(?:all[-_]?)?tests?(?:\.\w{1,3})?$"
    r"|(?:[^/]{1,80}/)?(?:(?:all|unit|integration)[-_]?)?tests?(?:[-_]?all)?\.(?:sh|bat|cmd|ps1)$"
)
_WORKFLOW = lazy_pattern(
    r"\.github/workflows/[^/]+\.ya?ml|\.(?:gitlab-ci|travis)\.yml|\.circleci/config\.yml|azure-pipelines\.yml"
)


def is_workflow(path: str) -> bool:
    """Whether a file tells what continuous integration runs."""
    return _WORKFLOW.fullmatch(path) is not None


def is_way_in(path: str) -> bool:
    """Whether a file tells, by its name, how one builds, tests or contributes: guides, build files, checks, runners."""
    *folders, name = path.split("/")
    if _CHECKS.match(path):
        return True
    if _BUILD_FILE.fullmatch(name):
        return len(folders) <= 1 and _FOLDERS_OF_DOCUMENTS.isdisjoint(folders)
    if not name.lower().endswith((".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc")):
        return False
    is_guide = _GUIDE.fullmatch(name) or path.lower().startswith(("readme", "test/readme", "tests/readme"))
    return bool(is_guide) or any(map(_GUIDES.fullmatch, folders))


_CHORE = lazy_pattern(
    r"(?i)(?:.*/)?(?:(?:issue|pull_request|merge_request)_templates?\b|\.[a-z]{2,20}/(?:agents|commands|prompts|skills)/).*"
)


def is_chore(path: str) -> bool:
    """Whether a file is a form for an issue or a proposed change, or tells agents how to do something."""
    return _CHORE.fullmatch(path) is not None


_ENTRY_POINT = lazy_pattern(
    r"(?!(?:build|docs?)/)(?:[^/]{1,200}/){0,3}(?:main\.(?:go|rs|c|cpp|swift|zig)|__main__\.py|manage\.py|Program\.cs"
    r"|public/index\.php|src/bin/[\w-]{1,80}\.rs)|exe/[\w-]+"
)


def is_entry_point(path: str) -> bool:
    """Whether a program begins in a file of code, by its name."""
    return _ENTRY_POINT.fullmatch(path) is not None


_SHELL: Final = r"\.(?:bash|elv|fish|nu|ps1|sh|zsh)(?:\.[a-z]{1,5})?"
_COMPLETION = lazy_pattern(
    rf"(?i)(?:.*/)?(?:(?:[a-z]{{1,20}}[-_])?(?:auto)?completions?/(?:[^/]{{1,80}}{_SHELL}|_[\w-]{{1,80}})"
    rf"|(?:[\w-]{{1,80}}[-_])?completions?{_SHELL})"
)


def is_completion(path: str) -> bool:
    """Whether a file tells a shell how to complete a command line, and so repeats what the options of a program do."""
    return _COMPLETION.fullmatch(path) is not None


_ARCHITECTURE = lazy_pattern(
    r"(?i)(?:\w{1,40}[-_ ])?(?:architecture|design|overview|internals|structure|life[-_ ]?cycle|code[-_ ]?base"
    r"|how[-_ ]it[-_ ]works)(?:[-_ ]\w{1,40})?\.(?:md|mdx|rst|txt|adoc)"
)
_GUIDE_AT_THE_TOP = lazy_pattern(
    r"(?i)(?:contributing|hacking|develop(?:ing|ment|ers?)|agents|claude|gemini)\.(?:md|markdown|rst|txt|adoc)"
)
_FOLDERS_OF_GUIDES: Final = frozenset({"", "docs", "doc", ".github", "dev", "dev/docs", "docs/dev", "docs/development"})


def tells_structure(path: str, deepest: int = 1) -> bool:
    """Whether a document tells, by its name, how a project is structured; guides for contributors only at the top."""
    above, _, name = path.rpartition("/")
    if is_guide(name):
        return above in _FOLDERS_OF_GUIDES
    return above.count("/") <= deepest and bool(_ARCHITECTURE.fullmatch(name))


_THING = r"(?:project|repo(?:sitory)?|code(?:[- ]?base)?|source|directory|folder|file|module|package|crate|workspace)"
_ON_STRUCTURE = lazy_pattern(
    r"\b(?:architectur(?:e|al)|internals|code[- ]?map|dependency map|data[- ]?flow|how it (?:all )?works"
    r"|(?:key|core|main) (?:concepts|abstractions|components|directories|folders|files|modules|packages)"
    rf"|{_THING}(?: code)? (?:structure|layout|overview|map|tree|snapshot|organi[sz]ation))\b"
    r"|^(?:\d{1,3}[.)]? )?(?:the )?"
    r"(?:structure|layout|overview|modules|packages|crates|directories|folders|code[- ]?base)"
    rf"(?: (?:in|of) (?:(?:the|this|our) )?(?:{_THING}\b|[`/]).{{0,80}})?$",
    re.IGNORECASE,
)


def is_guide(path: str) -> bool:
    """Whether a document is for those who work on the project, people or agents, by its name."""
    return _GUIDE_AT_THE_TOP.fullmatch(path.rpartition("/")[2]) is not None


def is_on_structure(headings: Iterable[str]) -> bool:
    """Whether a section of a guide tells how the project is structured, by its heading or one above it."""
    return any(map(_ON_STRUCTURE.search, headings))


_LOCKS = frozenset(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb cargo.lock poetry.lock uv.lock "
    "pdm.lock pipfile.lock pixi.lock composer.lock gemfile.lock podfile.lock mix.lock pubspec.lock flake.lock go.sum "
    "packages.lock.json paket.lock gradle.lockfile .terraform.lock.hcl package.resolved module.bazel.lock deno.lock "
    "conda-lock.yml gopkg.lock cartfile.resolved stack.yaml.lock cabal.project.freeze rebar.lock".split()
)
_GENERATED_NAME = lazy_pattern(
    r".+(?:_pb2(?:_grpc)?\.pyi?|\.pb(?:\.\w+)?\.(?:go|cc|h|dart|swift)|\.g\.(?:dart|cs)|\.freezed\.dart|(?<!^buf)\.gen\.(?!exs?$)\w+"
    r"|[._](?:amalgamated|generated)\.\w+|\.designer\.cs|_string\.go|_mock\.go|\.snap|\.map|\.d\.ts\.map)"
    r"|zz_generated.+|.+\.(?:tsbuildinfo|iml|sln|pbxproj|vcxproj(?:\.filters)?)|\.rubocop_todo\.yml"
    r"|(?:detekt|eslint|lint|phpstan|psalm)-baseline\.\w+|\.secrets\.baseline"  # what a check lets pass for now
)
_MINIFIED_NAME = lazy_pattern(r".+[.-](?:min|bundle)\.(?:js|mjs|cjs|css|html)|.+\.packed\.js")
_VENDORED_NAME = lazy_pattern(
    r"(?:jquery|bootstrap|lodash|underscore|d3|angular|react(?:-dom)?|vue|moment|three|backbone|modernizr|select2"
    r"|popper|datatables|xregexp|normalize|font-?awesome|ckeditor|codemirror|elasticlunr|fastclick|handlebars|highlight\.pack|hogan"
    r"|html5shiv|jazzy(?:\.search)?|katex|knockout|leaflet|lunr|mathjax|mermaid|mustache|prettify|raphael|sizzle|swfobject"
    r"|swagger-ui|tinymce|typeahead(?:\.jquery)?|zepto)(?:[.-](?:v?\d[\w.]*|min|slim|bundle|all|full))*\.(?:js|css)"
    r"|[a-z][\w.-]{1,40}-v?\d{1,3}(?:\.\d{1,3}){1,2}(?:\.(?:min|slim|bundle|all|full|umd|esm))*\.(?:js|css)"
)
# What build tools write into a repository to be started without them: nobody reads or changes it.
_OF_BUILD_TOOLS = frozenset(
    "gradlew gradlew.bat mvnw mvnw.cmd mavenwrapperdownloader.java install-sh config.guess config.sub ltmain.sh "
    "depcomp versioneer.py ez_setup.py get-pip.py".split()
)
_VENDOR_FOLDERS = frozenset(
    "vendor vendors vendored _vendor _vendored bundled _bundled third_party third-party thirdparty 3rdparty 3rd_party "
    "node_modules bower_components extern externals pods carthage site-packages gtest gmock googletest "
    "googlemock".split()
)
VENDOR_TOPS: Final = frozenset({"deps", "external"})  # deeper, product code uses these words
_VENDOR_TOP = lazy_pattern(
    r"(?:external|extern|vendor(?:ed)?|third[-_]?party|3rd[-_]?party)"
    r"[-_](?:code|crates|dep(?:endencie)?s|gems|libs?|libraries|modules|packages|projects|sources|src)"
)
# What a project keeps of others, or its own parts beside the main one: the licences tell.
_MAYBE_VENDOR_FOLDER = lazy_pattern(
    r"(?i)(?:^|/)(?:contrib|dep(?:endencie)?s|external|submodules|subprojects)/(?=[^/]++/)"
)
_LICENCE = lazy_pattern(r"(?:un)?licen[cs]e(?:[-._][\w.-]{0,40})?|copying(?:[-._]\w{1,20})?", re.IGNORECASE)
_SEVERAL, _MOST, _FEWEST_PAGES = 2, 0.5, 3  # licences, a share of the files that lie below one, pages in a folder
_GENERATED_FOLDERS = frozenset(
    "dist build out _build _site generated .generated __generated__ gen autogen .next .idea target revdep "
    "amalgamated amalgamation single-header single_header single_include singleheader".split()  # of all sources one
)
_MAYBE_GENERATED_FOLDERS = frozenset("build out gen target".split())  # product code, too, uses these words
# What Maven, Cargo and sbt write below it, and a build for a platform; any other ``target`` is the project's own.
_IN_TARGET = lazy_pattern(
    r"classes|test-classes|generated-.+|maven-.+|[\w-]+-reports|site|apidocs|javadoc.*|jacoco.*|antrun|dependency.*|lib"
    r"|debug|release|doc|package|tmp|criterion|nextest|flycheck.*|rust-analyzer|\w+-\w+-\w+(?:-\w+)?"
    r"|scala-.+|streams|global-logging|task-temp-directory|resolution-cache|\..+"
)
# What builds write below it; else a ``build`` that is kept holds scripts that build: in all seven of 114 repositories.
_IN_BUILD = lazy_pattern(
    r"_?(?:artifacts|assets|bdist.*|cache|classes|cmakefiles|contracts|deps|dirhtml|distributions|docs|doctrees|generated"
    r"|html|intermediates|kotlin|libs?|outputs|reports|resources|static|temp\..+|tmp)"
)
_BUILT = (".html", ".css", ".map", ".class")  # right in it
_EXAMPLE_FOLDERS = frozenset(
    "example examples sample samples demo demos benchmark benchmarks bench benches playground playgrounds sandbox "
    "experiments _example _examples _samples _demo".split()  # with the underscore Go leaves them alone
)
_MAYBE_EXAMPLES = frozenset({"benchmark", "experiments", "sandbox"})  # below sources these are what the product does
_SOURCES = frozenset({"src", "lib", "app", "pkg", "internal"})
_OF_EXAMPLES = lazy_pattern(
    r"(?:example|sample|demo)s?[-_](?:packages?|apps?|applications?|projects?|programs?|plugins?|scripts?|sites?|code)"
    r"|[\w.-]{1,80}[-.](?:bench(?:es)?|(?:benchmark|demo|example|sample)s?)"
)
_MAYBE_OF_EXAMPLES = lazy_pattern(r"\w{1,80}_examples?")  # a package of a product where it is at the top or in:
_HOLDS_PACKAGES = frozenset({"src", "lib", "source", "python"})
_LESSON_FOLDERS = frozenset({"tutorial", "cookbook"})  # their code is an example, their prose is what explains
# Where the folders below are parts of a name.
_PACKAGES = lazy_pattern(r"(?:.*/)?src/\w+/(?:aidl|groovy|java|kotlin|proto|resources|scala)/")
_TRANSLATION_DATA = (".json", ".yml", ".yaml", ".properties", ".ftl", ".strings", ".ini", ".resx", ".resw")
_TRANSLATION_CODE = (".toml", ".php", ".ts", ".js", ".py", ".xml", ".go", ".rb", ".lua", ".dart")
_TRANSLATED_DATA = lazy_pattern(
    r"[\w.-]+\.(?!en)[a-z]{2}(?:-[a-z]{2,4})?\.res[xw]|[\w-]+_(?!en)[a-z]{2}(?:_[a-z]{2})?\.properties"
)
_OF_ONE_LANGUAGE = lazy_pattern(r"values-[a-z]{2}(?:-r[a-z]{2})?|[\w-]{2,10}\.lproj")
_TRANSLATED_README = lazy_pattern(r"readme[._-](?!en)[a-z]{2}(?:[-_][a-z]{2,4})?\.(?:md|rst|txt|adoc)")

_COMPLETION_FOLDERS = frozenset("complete completion completions autocomplete".split())
_COMPLETION_NAME = lazy_pattern(r"_[\w-]+|.+\.(?:zsh|fish|bash|elv|nu|ps1|bash-completion)")
_COMPLETION_SCRIPT = lazy_pattern(
    r"(?:[\w.-]+[-_.])?(?:bash|zsh|fish|powershell|pwsh)[-_.]completions?\.(?:sh|bash|zsh|fish|ps1)"
)
_SNAPSHOT_FOLDERS = frozenset({"__snapshots__", "_snaps", "snapshots"})


def of_path(path: str) -> tuple[Trait, ...]:
    """The traits that the path shows, in the order of ``Trait``."""
    folder, _, name = path.rpartition("/")
    lower = name.lower()
    traits = list(_of_folder(folder, is_prose=lower.endswith(PROSE_SUFFIXES))) if folder else []
    traits += _of_name(lower)
    if _is_made(lower, folder):
        traits.append(Trait.GENERATED)
    if _is_translation(lower, folder) or edition_of(path):
        traits.append(Trait.TRANSLATION)
    return in_order(traits)


def foreign_folders(paths: Iterable[str]) -> tuple[str, ...]:
    """The folders such as ``contrib/`` of whose files at least half lie below licences of their own, several of them.

    ``contrib/`` may as well hold a project's own plug-ins, for which its own licence is enough.
    """
    inside: dict[str, list[str]] = {}
    for path in paths:
        if match := _MAYBE_VENDOR_FOLDER.search(path):
            inside.setdefault(path[: match.end()], []).append(path)
    return tuple(sorted(folder for folder, held in inside.items() if _is_licensed_apart(len(folder), held)))


def _is_licensed_apart(start: int, paths: Sequence[str]) -> bool:
    """Whether most of the paths below a folder whose name ends at ``start`` have licences of their own."""
    split = [path.rpartition("/") for path in paths]
    homes = {folder for folder, _, name in split if len(folder) > start and _LICENCE.fullmatch(name)}

    def is_below(folder: str) -> bool:
        while len(folder) > start and folder not in homes:
            folder = folder.rpartition("/")[0]
        return len(folder) > start

    return len(homes) >= _SEVERAL and sum(is_below(folder) for folder, _, _ in split) >= _MOST * len(paths)


_SOURCES_OF_PAGES = (".md", ".markdown", ".rst", ".adoc", ".asciidoc")
_PAGE = lazy_pattern(r"\.html?(?:-\w{1,40})?$")  # one alone may be what a document tells about, as a template is


def rendered_pages(paths: Iterable[str]) -> frozenset[str]:
    """The pages beside the documents that they were made of: several in a folder have each a document of their name."""
    known = frozenset(paths)
    pages: dict[str, list[str]] = {}
    for path in known:
        stem = _PAGE.sub("", path) if ".htm" in path else path
        if stem != path and any(f"{stem}{ending}" in known for ending in _SOURCES_OF_PAGES):
            pages.setdefault(path.rpartition("/")[0], []).append(path)
    return frozenset(page for found in pages.values() if len(found) >= _FEWEST_PAGES for page in found)


def in_order(traits: list[Trait]) -> tuple[Trait, ...]:
    """Each trait once, in the order of ``Trait``."""
    return tuple(trait for trait in Trait if trait in traits) if traits else ()


@lru_cache(maxsize=65_536)  # names repeat: __init__.py, django.po
def _of_name(lower: str) -> tuple[Trait, ...]:
    is_foreign = lower in _OF_BUILD_TOOLS or (lower.endswith((".js", ".css")) and _VENDORED_NAME.fullmatch(lower))
    found = {
        Trait.LOCK: lower in _LOCKS,
        Trait.GENERATED: _GENERATED_NAME.fullmatch(lower) or _COMPLETION_SCRIPT.fullmatch(lower),
        Trait.MINIFIED: _MINIFIED_NAME.fullmatch(lower),
        Trait.VENDORED: is_foreign,
        Trait.EXAMPLE: is_example_name(lower),
    }
    return tuple(trait for trait, is_so in found.items() if is_so)


@lru_cache(maxsize=65_536)
def _of_folder(folder: str, *, is_prose: bool) -> tuple[Trait, ...]:
    packages = _PACKAGES.match(f"{folder.lower()}/")
    names = (packages[0].rstrip("/") if packages else folder.lower()).split("/")
    traits: list[Trait] = []
    if names[0] in VENDOR_TOPS or _VENDOR_TOP.fullmatch(names[0]) or not _VENDOR_FOLDERS.isdisjoint(names):
        traits.append(Trait.VENDORED)
    is_own = names[0] == "target" and len(names) > 1 and not _IN_TARGET.fullmatch(names[1])
    is_own |= names[0] == "build" and (len(names) == 1 or not _IN_BUILD.fullmatch(names[1]))
    if any(
        name.endswith(".docset")
        or (name in _GENERATED_FOLDERS and (name not in _MAYBE_GENERATED_FOLDERS or (depth == 0 and not is_own)))
        for depth, name in enumerate(names)
    ):
        traits.append(Trait.GENERATED)
    sources = next((depth for depth, name in enumerate(names) if name in _SOURCES), len(names))
    shown = {*names[:sources], *frozenset(names[sources:]).difference(_MAYBE_EXAMPLES)}
    is_example = not _EXAMPLE_FOLDERS.isdisjoint(shown) or any(map(_OF_EXAMPLES.fullmatch, names))
    within = (name for above, name in pairwise(names) if above not in _HOLDS_PACKAGES)
    is_example |= any(map(_MAYBE_OF_EXAMPLES.fullmatch, within))
    if is_example or not (is_prose or _LESSON_FOLDERS.isdisjoint(names)):
        traits.append(Trait.EXAMPLE)
    return tuple(traits)


def _is_made(lower: str, folder: str) -> bool:
    """Whether a file repeats what code says: shell completions, snapshots of output, a built page."""
    names = frozenset(folder.lower().split("/"))
    if not _SNAPSHOT_FOLDERS.isdisjoint(names) or (names == {"build"} and lower.endswith(_BUILT)):
        return True
    return not _COMPLETION_FOLDERS.isdisjoint(names) and _COMPLETION_NAME.fullmatch(lower) is not None


def _is_translation(lower: str, folder: str) -> bool:
    if lower.endswith(TRANSLATION_SUFFIXES) or _TRANSLATED_README.fullmatch(lower):
        return True
    if lower.endswith((".resx", ".resw", ".properties")) and _TRANSLATED_DATA.fullmatch(lower):
        return bool(language_of_translation(lower)) or _in_translation_folder(folder)
    if lower.endswith((".xml", ".strings")) and _OF_ONE_LANGUAGE.fullmatch(folder.rpartition("/")[2].lower()):
        return True
    return lower.endswith(_TRANSLATION_DATA + _TRANSLATION_CODE) and _holds_translations(folder, lower)


@lru_cache(maxsize=65_536)
def _in_translation_folder(folder: str) -> bool:
    return not TRANSLATION_FOLDERS.isdisjoint(folder.lower().split("/"))


def _holds_translations(folder: str, lower: str) -> bool:
    """Whether a file holds translations; code in a folder named ``i18n`` needs a locale in its path too."""
    if not _in_translation_folder(folder):
        return False
    if lower.endswith(_TRANSLATION_DATA):
        return True
    words = (*folder.split("/"), lower.partition(".")[0])
    return any(re.fullmatch(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?", word) for word in words)
