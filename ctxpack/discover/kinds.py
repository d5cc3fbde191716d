"""The kind of a file, by its path and the files around it: is this a folder of tests, is this header C++."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Self

from ctxpack.discover.globs import compile_globs
from ctxpack.discover.traits import VENDOR_TOPS, foreign_folders, is_licence_or_credits, rendered_pages
from ctxpack.errors import ConfigError
from ctxpack.light import dataclass, lazy_pattern, values_of
from ctxpack.model import Kind
from ctxpack.parse.languages import LanguageRole, find_language, is_test_name, language_of_name


@dataclass(frozen=True, slots=True)
class FolderContents:
    """Folders by what they hold; ``""`` is the root."""

    test_folders: frozenset[str] = frozenset()  # a test by its own name lies in or below
    packages: frozenset[str] = frozenset()  # Python packages
    c_folders: frozenset[str] = frozenset()
    cpp_folders: frozenset[str] = frozenset()
    is_mostly_cpp: bool = False
    is_of_terraform: bool = True  # a good part of the code is; else Terraform only says where that runs
    foreign_folders: tuple[str, ...] = ()  # with the slash behind them: libraries of others, with their licences
    own_folders: tuple[str, ...] = ()  # likewise: called like those of others, but they hold the product
    rendered: frozenset[str] = frozenset()  # pages beside the documents that they were made of
    charts: frozenset[str] = frozenset()  # of Helm, which YAML and templates are the code of
    roles: frozenset[str] = frozenset()  # of Ansible, the same
    scenarios: frozenset[str] = frozenset()  # in which Molecule tries roles
    built: frozenset[str] = frozenset()  # with a package.json: what builds a package is beside it

    def is_cpp_near(self, folder: str) -> bool:
        """Return whether a header in ``folder`` is C++: its neighbours tell, else the whole repository."""
        if folder in self.cpp_folders:
            return True
        return folder not in self.c_folders and self.is_mostly_cpp

    def below_own_folder(self, path: str) -> str:
        """Return a path as it is seen from the folder of the product that is called like one of libraries, if any."""
        own = next(filter(path.startswith, self.own_folders), "")
        return path.removeprefix(own)

    def write(self) -> str:
        """Write this for the next run, which has the same paths."""
        values = values_of(self).items()
        return json.dumps({name: sorted(each) if isinstance(each, frozenset) else each for name, each in values})

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what ``write`` wrote."""
        given: dict[str, Any] = json.loads(text)
        for name, default in values_of(cls()).items():
            if not isinstance(default, bool):
                given[name] = frozenset(given[name]) if isinstance(default, frozenset) else tuple(given[name])
        return cls(**given)


_GOOD_PART = 0.5  # of the files in other languages
_MAIN_OF_ROLE: Final = ("main.yml", "main.yaml")
_TELLING: Final = ("__init__.py", "Chart.yaml", "package.json", "molecule.yml", *_MAIN_OF_ROLE)
_PARTS_OF_ROLE: Final = frozenset({"defaults", "handlers", "tasks", "vars"})


def survey(paths: Iterable[str]) -> FolderContents:
    """Look once over all paths."""
    tests: set[str] = set()
    c_folders: set[str] = set()
    cpp_folders: set[str] = set()
    holding: dict[str, set[str]] = {name: set() for name in _TELLING}
    balance = terraform = others = 0
    cpp_endings = tuple(f".{suffix}" for suffix in find_language("cpp").suffixes.split())
    known = tuple(paths)
    for path in known:
        folder, _, name = path.rpartition("/")
        if name in holding:
            holding[name].add(folder)
        elif name.endswith(".c"):
            c_folders.add(folder)
            balance -= 1
        elif name.lower().endswith(cpp_endings):
            cpp_folders.add(folder)
            balance += 1
        if (language := language_of_name(name)) == "hcl":
            terraform += 1
        elif find_language(language).role is LanguageRole.CODE:
            others += 1
        if folder not in tests and is_test_name(name):
            _add_with_parents(tests, folder)
    mains = (folder.rpartition("/") for name in _MAIN_OF_ROLE for folder in holding[name])
    own = _own_folders(known)
    return FolderContents(
        frozenset(tests),
        frozenset(holding["__init__.py"]),
        frozenset(c_folders),
        frozenset(cpp_folders),
        balance > 0,
        terraform >= _GOOD_PART * others,
        tuple(folder for folder in (*foreign_folders(known), *_libraries_of_headers(known)) if folder not in own),
        own,
        rendered_pages(known),
        charts=frozenset(holding["Chart.yaml"]),
        roles=frozenset(role for role, _, part in mains if part == "tasks"),
        scenarios=frozenset(holding["molecule.yml"]),
        built=frozenset(holding["package.json"]),
    )


_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp")
_OF_HEADERS = (*_HEADERS, ".c", ".cc", ".cpp", ".cxx", ".m", ".mm")
_BESIDE_PRODUCT = lazy_pattern(r"(?i)(?:^|/)(?:bench(?:mark)?|doc|example|sample|test)s?/")
_IN_LICENCES = ("icen", "ICEN", "opying", "OPYING")  # their names have one of these
_FEWEST_HEADERS = 2


def _libraries_of_headers(paths: Sequence[str]) -> Iterator[str]:
    """The folders whose code is headers alone and has a licence of its own beside that of the project.

    What is most of the code is the project itself, which may have only headers.
    """
    maybe = (path for path in paths if any(sign in path for sign in _IN_LICENCES) and not path.endswith(_HEADERS))
    licensed = {path.rpartition("/")[0] for path in maybe if is_licence_or_credits(path)}
    code = [path for path in paths if path.endswith(_OF_HEADERS)] if "" in licensed else []
    headers = Counter(path.rpartition("/")[0] for path in code if path.endswith(_HEADERS))
    for folder in sorted(f"{each}/" for each in licensed if each and headers[each] >= _FEWEST_HEADERS):
        within = [path for path in paths if path.startswith(folder)]
        if any(code_language(path) for path in within if not path.endswith(_HEADERS)):
            continue
        outside = [path for path in code if not path.startswith(folder) and not _BESIDE_PRODUCT.search(path)]
        if len(within) <= len(outside):
            yield folder


_FEWEST_PARTS, _OF_ONE_FAMILY, _FAMILY = 3, 0.5, 4  # folders, a share of them, letters that their names begin with
_MOST_OUTSIDE = 0.02  # of the files in its main language


def _own_folders(paths: Iterable[str]) -> tuple[str, ...]:
    """The folders called like one of libraries that hold the product.

    Most of their code is in a language that hardly any other code of the repository is in, and most parts of them are
    called alike, as parts of one product are and the libraries of others are not.
    """
    inside: dict[str, list[str]] = {}
    outside: list[str] = []
    for path in paths:
        top, slash, _ = path.partition("/")
        (inside.setdefault(f"{top}/", []) if slash and top in VENDOR_TOPS else outside).append(path)
    others = Counter(map(code_language, outside)) if inside else Counter[str]()
    return tuple(folder for folder, held in sorted(inside.items()) if _is_product(folder, held, others))


def _is_product(folder: str, paths: Iterable[str], others: Mapping[str, int]) -> bool:
    code = [(path, language) for path in paths if (language := code_language(path))]
    parts = {path.removeprefix(folder).partition("/")[0] for path, _ in code if path.count("/") > 1}
    if len(parts) < _FEWEST_PARTS:
        return False
    (main, count), *_ = Counter(language for _, language in code).most_common(1)
    (_, largest), *_ = Counter(part[:_FAMILY] for part in parts).most_common(1)
    return others.get(main, 0) <= _MOST_OUTSIDE * count and largest >= _OF_ONE_FAMILY * len(parts)


def code_language(path: str) -> str:
    """The language of a file of code, else ``""``."""
    language = language_of_name(path.rpartition("/")[2])
    return language if language and find_language(language).role is LanguageRole.CODE else ""


def _add_with_parents(folders: set[str], folder: str) -> None:
    while folder and folder not in folders:
        folders.add(folder)
        folder = folder.rpartition("/")[0]


# ruff: noqa: SIM905 -- tables of words


_CONVENTIONS = lazy_pattern(
    r"(?:agents|claude|gemini|copilot-instructions|conventions|code_of_conduct|codeowners"
    r"|contributing.*|hacking|(?:code|coding)[-_]?(?:style|standards|conventions).*|style[-_]?guide.*|llms)"
    r"(?:\.local|\.override)?(?:\.(?:md|mdx|rst|txt|adoc))?"
    r"|\.(?:cursorrules|windsurfrules|clinerules|goosehints|aider\.conf\.yml)|.+\.mdc|.+\.instructions\.md"
)
_README = lazy_pattern(r"readme(?:[._-]\w+(?:[-_]\w+)?)?(?:\.(?:md|mdx|rst|txt|adoc|org|markdown|textile))?")
_MAP = lazy_pattern(
    r"(?:(?:.*[-_.])?dependency[-_ ]?(?:map|graph|tree)s?|(?:.*\.)?(?:dependencies|deps))\.(?:md|rst|adoc|mmd|dot|puml)"
    r"|dependency[-_ ]?(?:map|graph)s?\.(?:json|ya?ml|toml|txt)"
)
_SPEC = lazy_pattern(
    r"(?:.*[._-])?(?:spec|specs|specification|prd|trd|rfc|adr|design|requirements?)\.(?:md|mdx|rst|adoc|org)"
    r"|(?:rfc|adr|pep|eip|erc|kep|bip|dep|sip|jep)[-_]?\d+.*|(?:.*[._-])?(?:openapi|swagger)\.(?:ya?ml|json)"
)
_RUNBOOK = lazy_pattern(r".*(?:runbook|playbook).*")
_CONFIG = lazy_pattern(
    r"(?:requirements|constraints)[\w.-]*\.(?:txt|in)|cmakelists\.txt|(?:robots|humans)\.txt|dockerfile.*"
    r"|docker-compose.*|.+\.config\.[cm]?[jt]s|(?:gulp|grunt)file\.\w+|build\.gradle(?:\.kts)?|settings\.gradle.*"
    r"|.+\.sbt|tsconfig.*\.json|(?:package|composer|bower|deno|biome|turbo|lerna|nx|vercel|app)\.jsonc?"
    r"|pom\.xml|.+\.(?:csproj|props|targets|sln)|androidmanifest\.xml|manifest\.in|.+\.nix|jenkinsfile|rebar\.config.*|cpanfile"
)
_OF_SCRIPTS = lazy_pattern(r".+\.config\.[cm]?[jt]s")
_SPEC_FOLDERS = frozenset(
    "spec specs specification specifications rfc rfcs adr adrs decisions proposals design designs design-docs eips "
    "ercs peps keps bips enhancements requirements".split()
)
_FOLDER_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(_SPEC_FOLDERS, Kind.SPEC),
    **dict.fromkeys(("wiki", "wikis"), Kind.WIKI),
    **dict.fromkeys(("runbook", "runbooks", "playbook", "playbooks", "oncall", "on-call", "sop", "sops"), Kind.RUNBOOK),
}
_TEST_FOLDERS = frozenset(
    "tests __tests__ unittests unit-tests e2e cypress testsuite test-suite androidtest __mocks__ __snapshots__ "
    "integration-tests integration_tests regression-tests regression_tests regress step_definitions step_defs "
    "testutil testutils test-utils test_utils testhelper testhelpers test-helpers test_helpers testlib compile_fail "
    "compile-fail".split()
)
_MAYBE_TEST_FOLDERS = frozenset({"test", "testing", "spec", "specs", "t", "playwright"})
_CAMEL_TESTS = lazy_pattern(r"[A-Z]\w*[a-z\d]Tests")  # `IntegrationTests`, as C# and Swift write it
_SCENARIO = lazy_pattern(r".+\.feature|step_definitions\.\w+")  # of Cucumber
_FIXTURE_FOLDERS = frozenset({"fixtures", "__fixtures__", "testdata", "test-data", "test_data", "snapshots"})
_PRODUCT_ROOTS = frozenset({"src", "lib", "pkg", "sources", "internal", "app"})
_DOC_FOLDERS = frozenset({"doc", "docs", "documentation", "manual", "guide", "guides"})
_CONFIG_FOLDERS = frozenset({"config", "conf", "configs", "settings", ".github", ".vscode", ".circleci", ".config"})
_TEMPLATE_FOLDERS = frozenset({"template", "templates"})
_DATA_FOLDERS = frozenset({"data", "dataset", "datasets", "i18n", "locale", "locales", "lang", "language", "languages"})


@dataclass(frozen=True, slots=True)
class _Place:
    """What a folder says about the files in it."""

    is_test: bool
    is_fixture: bool
    is_docs: bool
    is_config: bool
    is_data: bool
    is_of_chart: bool  # templates of Helm, of which those that begin with _ only help the others
    is_of_role: bool  # what a role of Ansible does, and with which values
    is_product: bool  # below src or the like, where nothing is built: core.config.js is code
    prose: Kind | None  # what prose is here


class Kinds:
    """Decides the kind of a file, and remembers the facts of each folder."""

    def __init__(self, patterns: Mapping[str, tuple[str, ...]], near: FolderContents) -> None:
        self._own = tuple((_kind(name), compile_globs(globs)) for name, globs in patterns.items())
        self._near = near
        self._places: dict[str, _Place] = {}

    def kind(self, path: str, language: str) -> Kind:
        """The kind of ``path``, whose language is known."""
        for own, globs in self._own:
            if globs.matching(path) is not None:
                return own
        folder, _, name = path.rpartition("/")
        place = self._place(folder)
        lower = name.lower()
        if find_language(language).is_prose:
            return _prose(lower, folder, language, place)
        if special := _special(lower):
            return special
        if place.is_test or is_test_name(name):
            is_code = find_language(language).role is LanguageRole.CODE
            return Kind.DATA if place.is_fixture and not is_code else Kind.TEST
        return self._of_infrastructure(folder, name, language, place) or _by_language(lower, folder, language, place)

    def _of_infrastructure(self, folder: str, name: str, language: str, place: _Place) -> Kind | None:
        """What says where other code runs is configuration, unless the repository is about that."""
        is_helper = name.startswith("_")
        if (place.is_of_chart and not is_helper) or (name == "values.yaml" and folder in self._near.charts):
            return Kind.CODE
        if place.is_of_role and language == "yaml":
            return Kind.CODE
        return Kind.CONFIG if language == "hcl" and not self._near.is_of_terraform else None

    def _place(self, folder: str) -> _Place:
        if folder not in self._places:
            new = [folder]
            while (above := new[-1].rpartition("/")[0]) and above not in self._places:
                new.append(above)
            for each in reversed(new):  # from the outermost inwards: a path may be deeper than calls may be
                self._places[each] = self._look(each)
        return self._places[folder]

    def _look(self, folder: str) -> _Place:
        if not folder:
            return _Place(False, False, False, False, False, False, False, False, None)  # noqa: FBT003 -- nothing holds at the root
        parent = folder.rpartition("/")[0]
        above = self._place(parent)
        name = folder.rpartition("/")[2].lower()
        is_fixture = above.is_fixture or name in _FIXTURE_FOLDERS
        return _Place(
            is_test=above.is_test or is_fixture or self._is_test_folder(folder, name),
            is_fixture=is_fixture,
            is_docs=above.is_docs or name in _DOC_FOLDERS,
            is_config=above.is_config or name in _CONFIG_FOLDERS,
            is_data=above.is_data or name in _DATA_FOLDERS,
            is_of_chart=above.is_of_chart or (name == "templates" and parent in self._near.charts),
            is_of_role=above.is_of_role or (name in _PARTS_OF_ROLE and parent in self._near.roles),
            is_product=(above.is_product or name in _PRODUCT_ROOTS) and folder not in self._near.built,
            prose=Kind.WIKI if name.endswith(".wiki") else _FOLDER_KINDS.get(name, above.prose),
        )

    def _is_test_folder(self, folder: str, name: str) -> bool:
        """Whether a folder holds tests: ``tests`` does; ``test`` inside product code needs a file named like a test."""
        if name in _TEST_FOLDERS or folder in self._near.scenarios:
            return True
        if name not in _MAYBE_TEST_FOLDERS:
            is_named = name.endswith((".tests", "-tests", "_tests", ".test")) or folder.endswith("src/test")
            return is_named or _CAMEL_TESTS.fullmatch(folder.rpartition("/")[2]) is not None
        if folder in self._near.test_folders:
            return True
        parents = folder.lower().split("/")[:-1]
        in_package = folder.rpartition("/")[0] in self._near.packages
        is_maven = parents[-1:] == ["src"]
        return name == "test" and (is_maven or not (in_package or _PRODUCT_ROOTS.intersection(parents)))


def _kind(name: str) -> Kind:
    try:
        return Kind(name)
    except ValueError as error:
        known = ", ".join(kind.value for kind in Kind)
        raise ConfigError(f'The kinds table names an unknown kind "{name}".', hint=f"Use one of: {known}.") from error


@lru_cache(maxsize=65_536)  # names repeat
def _special(lower: str) -> Kind | None:
    """The kinds that a name alone decides, whatever the folder."""
    if _CONVENTIONS.fullmatch(lower):
        return Kind.CONVENTIONS
    if _SCENARIO.fullmatch(lower):
        return Kind.TEST
    if _MAP.fullmatch(lower):
        return Kind.DEPENDENCY_MAP
    if lower.startswith(("openapi", "swagger")) and _SPEC.fullmatch(lower):
        return Kind.SPEC
    return None


def _prose(lower: str, folder: str, language: str, place: _Place) -> Kind:
    if place.is_fixture:
        return Kind.DATA
    if _README.fullmatch(lower):
        return Kind.README
    by_name = _special(lower) or (Kind.CONFIG if _CONFIG.fullmatch(lower) else None)
    if by_name is not None:
        return by_name
    if not language:
        return Kind.TEST if place.is_test else Kind.DATA
    return _kind_of_title(lower, language, place) or _prose_by_folder(lower, folder, language, place)


def _kind_of_title(lower: str, language: str, place: _Place) -> Kind | None:
    """What the title of a document says."""
    if language == "mediawiki" or place.prose is Kind.WIKI:
        return Kind.WIKI
    if _RUNBOOK.fullmatch(lower):
        return Kind.RUNBOOK
    return Kind.SPEC if _SPEC.fullmatch(lower) else None


def _prose_by_folder(lower: str, folder: str, language: str, place: _Place) -> Kind:
    if place.is_test and place.prose in (None, Kind.RUNBOOK):  # of Ansible, playbooks are code
        return Kind.TEST
    if place.prose is not None:
        return place.prose
    is_loose_text = lower.endswith((".txt", ".text", ".log")) and language == "text"
    if is_loose_text and folder.rpartition("/")[2].lower() in _TEMPLATE_FOLDERS:
        return Kind.CODE  # what the program writes: a mail, a script for a shell
    return Kind.DATA if is_loose_text and folder and not place.is_docs else Kind.DOC


def _by_language(lower: str, folder: str, language: str, place: _Place) -> Kind:
    if _CONFIG.fullmatch(lower) and not (place.is_product and _OF_SCRIPTS.fullmatch(lower)):
        return Kind.CONFIG
    if (language == "html" and place.is_docs) or (language == "xml" and _is_page_of_maven(lower, folder)):
        return Kind.DOC
    role = find_language(language).role
    if role in (LanguageRole.DATA, LanguageRole.STRUCTURE):
        is_placed = (place.is_config and not place.is_data) or not folder or lower.startswith(".")
        is_config = role is LanguageRole.STRUCTURE and is_placed
        return Kind.CONFIG if is_config and not lower.endswith((".geojson", ".jsonl")) else Kind.DATA
    if role is LanguageRole.CONFIG:
        return Kind.DATA if place.is_data and language == "yaml" else Kind.CONFIG
    if language == "sql" and ("dump" in lower or place.is_data):
        return Kind.DATA
    return Kind.CONFIG if place.is_docs and lower == "conf.py" else Kind.CODE


def _is_page_of_maven(lower: str, folder: str) -> bool:
    """Whether Maven makes a page of a site of a file: the changelog, or what is written in its markup."""
    return lower == "changes.xml" or folder.rpartition("/")[2] in {"xdoc", "xdocs"}
