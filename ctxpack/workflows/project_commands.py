"""Commands to set up, build, test and check a project, from its task runners, guides and CI files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ctxpack.discover.traits import is_workflow
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.workflows.layout import FoundText, Sources, toml_table
from ctxpack.workflows.shell_lines import Parts, ShellLine, ci_lines, shell_lines

PURPOSES = ("Set up", "Build", "Test", "Lint and format", "Run", "Documentation")
_MOST = 4  # commands of one purpose
_LONGEST = 110  # characters: a longer command is a script, not something to remember

_RUNNER, _BY_GUIDE, _BY_CI, _BY_HABIT = 0, 1, 2, 3

_WORDS = (
    (
        "Set up",
        (
            r"^(?:(?:python3? -m |uv )?pip3? install|uv (?:sync|venv)|npm (?:ci|install|i)\b|pnpm (?:i|install)\b"
            r"|yarn install|go install|cargo install|brew |apt|(?:pre-commit|prek) install|autoreconf"
            r"|git submodule update|bundle install|cpanm|opam install)"
        ),
    ),
    ("Test", r"^(?:prove\b|(?:bundle exec )?rake$)"),
    ("Build", r"^(?:\./configure|cmake (?:-[BS]|--build|\.)|(?:cargo|dotnet|go|swift) build\b)"),
    (
        "Lint and format",
        (
            r"\b(?:ruff|flake8|pylint|mypy|pyright|ty check|eslint|oxlint|golangci-lint|clippy|pre[- ]commit|prek|style"
            r"|prettier|black|isort|biome|stylelint|rubocop|shellcheck|yamllint|checkstyle|spotless|ktlint|vet|gofmt"
            r"|rustfmt|fmt|lint(?:ing|er|s)?|type ?check(?:s|ing)?|typing|tsc --noEmit|format(?:ting|ter)?|analyze"
            r"|clj-kondo|credo|detekt|dialyzer|hlint|luacheck|perlcritic|perltidy|php-cs-fixer|phpstan|psalm|solhint|stylua"
            r"|swiftlint|xref|check-unused|(?:terraform|tofu|pdk) validate)\b"
        ),
    ),
    (
        "Test",
        (
            r"\b(?:pytest|unittest|tox|nox|nextest|jest|vitest|mocha|ava|rspec|phpunit|ctest|bats|ginkgo|coverage"
            r"|busted|ct|eunit|proper|testthat|(?:run)?tests?|(?:\w+_)?specs?|pdk test)\b|\bmvnw?\b.{0,60}\bverify\b"
        ),
    ),
    ("Documentation", r"\b(?:sphinx-build|mkdocs|zensical|docs?|mdbook|typedoc|cargo doc)\b"),
    (
        "Set up",
        (
            r"\b(?:pip install|uv pip|poetry install|pdm install|hatch env|yarn$|bun install|go mod (?:download|tidy)"
            r"|bundle install|composer install|pub get|setup(?!\.py)|bootstrap|install|deps|venv)\b"
        ),
    ),
    (
        "Build",
        r"\b(?:build|compile|cargo check|cmake|meson|ninja|assemble|package|bundle|tsc|dist|wire|generate|make)\b",
    ),
    ("Run", r"\b(?:run|bootRun|serve|server|start|dev|watch|uvicorn|flask run)\b"),
)
"""Patterns of commands and target names, by purpose; the first match counts."""
_PURPOSE = tuple((purpose, lazy_pattern(pattern, re.IGNORECASE)) for purpose, pattern in _WORDS)
_TOOL = lazy_pattern(
    r"(?:\./)?(?:\w+=\S+ )*(?:make|just|task|cargo|go|npm|npx|pnpm|yarn|bun|node|deno|python3?|py|pip3?|uvx?|poetry|pdm"
    r"|hatch|tox|nox|pytest|ruff|mypy|black|pre-commit|prek|gradlew?|mvnw?|cmake|ctest|meson|ninja|bundle|rake|rspec"
    r"|autoreconf|git submodule|composer|dotnet|mix|sbt|swift|zig|bazel|ant|busted|cabal|clojure|cpanm|crystal|dart"
    r"|dune|flutter|forge|gleam|julia|lein|melos|nimble|opam|opm|perl|phpunit|prove|R CMD|rebar3|Rscript|shards|stack"
    r"|xcodebuild|alr|ct|dbt|dub|elm(?:-test)?|fpm|helm|lake|molecule|pdk|raco|spago|terraform|tofu|scripts?/\S+|bin/\S+|\./\S+)(?:\s|$)"
)
_UNFIT = lazy_pattern(
    r"\$|`|<<|\.\./|(?:^|[\s=])~/|/path/to|--upgrade pip\b|\bmake dist(?:check)?\b|^py -|\\$|&&.*&&.*&&|\becho\b|>>"
    r"|\bgit (?:config|clone|push|tag|remote)\b|https?://|github\.com/|--upload|secrets\.|(?:&&|\||;)\s*$"
    r"|\bdeploy|\bcomposer require\b|\bsdist\b|\btox -l\b|--(?:help|version|list)\b|\bcibuildwheel\b|\btwine\b"
)
_TARGET = lazy_pattern(r"^([A-Za-z][\w.-]*)\s*:(?!=)[^=]*?(?:##\s*(?P<about>.*))?$")
_RECIPE = lazy_pattern(r"^@?([a-z][\w-]*)(?:\s[^:=]*+)?:(?!=)")
_NAMED = lazy_pattern(
    r"(?:tox (?:\w+ )?-e|nox -[es]|just|task|(?:npm|pnpm|yarn|bun) run|hatch run|make) +(?P<names>[a-zA-Z].*)"
)
_QUOTED = lazy_pattern(r"'[^']*'|\"[^\"]*\"")
_TOOL_ALONE = lazy_pattern(
    r"(?:python3? -m )?pip3? install (?![^&|;]*(?:-e\b|-r\b|--editable|--requirement|(?:^| )['\"]?\.))"
    r"|cpanm (?!.*--installdeps)|npm (?:i|install) (?:-g|--global)\b|dotnet dev-certs\b"
)
_ELSEWHERE = lazy_pattern(r"windows|macos|osx|freebsd|android|wasm|cifuzz", re.IGNORECASE)
_PARTS = lazy_pattern(
    r"^\W*(?:(?:how to )?(?:build|develop|contribut|compil|hack)\w*|(?:run(?:ning)? )?(?:the |unit )?test(?:s|ing)\W*$)"
    r"|from source|^\W*local (?:development|set-?up)\b"
    r"|^\W*run(?:ning)? (?:(?:the |this )?(?:solution|project|app(?:lication)?|(?:web)?site|stack)"
    r"|(?:[\w.'-]{1,40} ){0,3}locally)\W*$",
    re.IGNORECASE,
)
"""Headings of a readme above instructions for working on the project."""
_SESSION = lazy_pattern(
    r"^@nox\.session\b(?P<arguments>(?:(?!\n(?:@nox\.session|def )).){0,2000})\ndef (?P<function>\w{1,80})",
    re.DOTALL | re.MULTILINE,
)
_SESSION_NAME = lazy_pattern(r"\bname=[\"'](?P<name>[\w.-]{1,80})")
_GUIDES = lazy_pattern(
    r"(?:building|testing|install|(?:\.github/|docs?/(?:(?!intro|tutorial)[\w-]+/){0,2})?"
    r"(?:contribut\w*|develop\w*|hacking))(?:\.\w+)?"
    r"|docs?/(?:[\w-]+/){0,2}(?:contributing|devel\w*)/(?:[\w-]+/)?[\w-]*(?:test|develop|setup|install|build)[\w-]*\.\w+",
    re.IGNORECASE,
)
_SCRIPTS = frozenset(
    ["test", "tests", "lint", "check", "format", "build", "install", "setup", "bootstrap", "serve", "docs", "docs-live"]
)
_NEEDS = (
    ("make", ("Makefile", "makefile", "GNUmakefile", "Makefile.am", "configure.ac", "Makefile.in")),
    ("(?:npm|yarn|pnpm) (?:run|test|start)", ("package.json",)),
    ("just", ("justfile", "Justfile", ".justfile")),
)
_SOLUTION = lazy_pattern(r"[^/\s]{1,100}\.slnx?")  # of .NET
_TEST_PROJECT = lazy_pattern(r"[^/]{0,100}Tests?[^/]{0,40}\.(?:cs|fs|vb)proj$")
_RELEASE = lazy_pattern(
    r"release|publish|deploy|stale|label|lock|docker|nightly|bench|scorecard|codeql|winget|translat|sponsor|notif|bump|redistribut|people|topic",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FoundCommand:
    """A command, its purpose, its source, and how certain that is: a task runner counts more than CI."""

    text: str
    purpose: str
    origin: FoundText
    rank: int
    about: str = ""


def commands(sources: Sources) -> dict[str, list[FoundCommand]]:
    """Find the commands by purpose, the most certain first."""
    found = [*_make(sources), *_just(sources), *_package(sources), *_composer(sources), *_python(sources)]
    found += _scripts(sources)
    found += [*_guides(sources), *_ci(sources), *_defaults(sources)]
    chosen: dict[str, list[FoundCommand]] = {purpose: [] for purpose in PURPOSES}
    seen: set[str] = set()
    for each in sorted(found, key=lambda one: (one.rank, bool(_TOOL_ALONE.match(one.text)))):
        key = " ".join(each.text.lower().split())
        is_default = each.rank >= _BY_HABIT and chosen[each.purpose]
        is_known = any(key == known or key.endswith(f" {known}") for known in seen)
        is_known = is_known or (each.rank == _BY_CI and _beginning(each) in map(_beginning, chosen[each.purpose]))
        if not is_known and len(chosen[each.purpose]) < _MOST and not is_default:
            seen.add(key)
            chosen[each.purpose].append(each)
    return {purpose: its for purpose, its in chosen.items() if its}


def _beginning(command: FoundCommand) -> tuple[str, ...]:
    """The tool and what it does: continuous integration runs the same with other options."""
    words = command.text.split()
    if words[0].startswith("./"):
        return (words[0],)
    return tuple(words[: 3 if words[1:2] in (["run"], ["-m"]) or words[0] in ("cd", "tox", "nox") else 2])


def _purpose(text: str) -> str:
    """The purpose of a command: by the targets that it names, else by all its words but the quoted ones."""
    bare = re.sub(r"^cd \S+ && ", "", text)
    if named := _NAMED.match(bare):
        targets = [
            each
            for each in re.split(r"[\s,]+", named["names"].partition("&&")[0])
            if re.fullmatch(r"[a-zA-Z][\w:-]*", each)
        ]
        by_folder = "Documentation" if re.match(r"cd docs?\b", text) else ""
        return next((found for each in targets if (found := _purpose_of_name(each))), by_folder)
    return _first_fit(_QUOTED.sub("", bare))


def _first_fit(text: str) -> str:
    return next((purpose for purpose, pattern in _PURPOSE if pattern.search(text)), "")


def _purpose_of_name(name: str) -> str:
    """The purpose of a target or script, by its name; empty for one that only removes what others made."""
    words = re.sub(r"[-_:.]", " ", name)
    return "" if re.search(r"\bclean\b", words) else _first_fit(words)


def _command(text: str, origin: FoundText, rank: int, name: str = "", about: str = "") -> Iterator[FoundCommand]:
    purpose = _purpose_of_name(name) if name else _purpose(text)
    if purpose and len(text) <= _LONGEST and not _UNFIT.search(text):
        yield FoundCommand(text, purpose, origin, rank, about)


def _make(sources: Sources) -> Iterator[FoundCommand]:
    path = next((name for name in ("Makefile", "makefile", "GNUmakefile") if sources.has(name)), "")
    lines = sources.lines(path) if path else []
    for number, line in enumerate(lines, 1):
        target = _TARGET.match(line)
        if target:
            recipe = (
                lines[number].strip().lstrip("@-") if number < len(lines) and lines[number].startswith("\t") else ""
            )
            above = (
                lines[number - 2].removeprefix("#").strip("# ")
                if number > 1 and lines[number - 2].startswith("#")
                else ""
            )
            about = target["about"] or above or ("" if _UNFIT.search(recipe) else recipe)
            about = re.sub(r"^@\w+\s+", "", about)  # the group that some list their targets by
            yield from _command(f"make {target[1]}", FoundText("", path, number), _RUNNER, target[1], about[:_LONGEST])


def _just(sources: Sources) -> Iterator[FoundCommand]:
    path = next((name for name in ("justfile", "Justfile", ".justfile") if sources.has(name)), "")
    for number, line in enumerate(sources.lines(path) if path else [], 1):
        if (recipe := _RECIPE.match(line)) and not line.startswith(("set", "alias", "_")):
            yield from _command(f"just {recipe[1]}", FoundText("", path, number), _RUNNER, recipe[1])


def _package(sources: Sources) -> Iterator[FoundCommand]:
    held = sources.json("package.json")
    scripts = toml_table(held, "scripts")
    locks = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}
    manager = str(held.get("packageManager", "")).partition("@")[0]
    manager = manager or next(
        (name for lock, name in locks.items() if (sources.view.state.root / lock).exists()), "npm"
    )
    if scripts:
        line = sources.line_of("package.json", '"scripts"')
        yield FoundCommand(f"{manager} install", "Set up", FoundText("", "package.json", line), _RUNNER)
    for name, body in sorted(scripts.items(), key=lambda script: ":" in script[0]):  # variants come last
        if isinstance(body, str) and not name.startswith(("pre", "post")):
            place = FoundText("", "package.json", sources.line_of("package.json", f'"{name}"'))
            text = (
                f"{manager} run {name}" if manager == "npm" and name not in ("test", "start") else f"{manager} {name}"
            )
            yield from _command(text, place, _RUNNER, name, body[:_LONGEST])


def _composer(sources: Sources) -> Iterator[FoundCommand]:
    for name, body in toml_table(sources.json("composer.json"), "scripts").items():
        about = body if isinstance(body, str) else body[0] if isinstance(body, list) and body else ""
        if not name.startswith(("pre-", "post-")):
            place = FoundText("", "composer.json", sources.line_of("composer.json", f'"{name}"'))
            yield from _command(f"composer {name}", place, _RUNNER, name, str(about)[:_LONGEST])


def _python(sources: Sources) -> Iterator[FoundCommand]:
    held = sources.toml("pyproject.toml")
    for tool, key, prefix in (
        ("poe", "tasks", "poe"),
        ("taskipy", "tasks", "task"),
        ("pdm", "scripts", "pdm run"),
        ("rye", "scripts", "rye run"),
    ):
        for name in toml_table(held, "tool", tool, key):
            yield from _command(f"{prefix} {name}", FoundText("", "pyproject.toml"), _RUNNER, name)
    for env, its in toml_table(held, "tool", "hatch", "envs").items():
        for name in toml_table(its, "scripts"):
            yield from _command(f"hatch run {env}:{name}", FoundText("", "pyproject.toml"), _RUNNER, name)
    if toml_table(held, "tool", "tox") or sources.has("tox.ini"):
        yield FoundCommand(
            "tox", "Test", FoundText("", "tox.ini" if sources.has("tox.ini") else "pyproject.toml"), _RUNNER
        )
    for name, its in toml_table(held, "tool", "tox", "env").items():
        about = str(its.get("description", "")) if isinstance(its, dict) else ""
        place = FoundText("", "pyproject.toml", sources.line_of("pyproject.toml", f"tool.tox.env.{name}"))
        yield from _command(f"tox -e {name}", place, _RUNNER, f"{name} {about}", about)
    text = "\n".join(sources.lines("noxfile.py"))
    for session in _SESSION.finditer(text):
        function, named = session["function"], _SESSION_NAME.search(session["arguments"])
        name = named["name"] if named else function
        place = FoundText("", "noxfile.py", text.count("\n", 0, session.start()) + 1)
        yield from _command(f"nox -s {name}", place, _RUNNER, f"{name} {function}")


def _scripts(sources: Sources) -> Iterator[FoundCommand]:
    """The programs of a scripts folder whose names tell their purpose."""
    for file in sources.files:
        folder, _, name = file.path.rpartition("/")
        stem = name.rpartition(".")[0] or name
        if folder in ("scripts", "script", "bin", "ci") and stem in _SCRIPTS and name in (stem, f"{stem}.sh"):
            said = "lint" if stem == "check" else stem
            yield from _command(f"{folder}/{name}", FoundText("", file.path), _RUNNER, said)


def _guides(sources: Sources) -> Iterator[FoundCommand]:
    """The commands in the code blocks of contributing guides, then those of the readme's parts about development."""
    guides = [file.path for file in sources.files if _GUIDES.fullmatch(file.path) and file.size]
    for path in sorted(guides, key=lambda path: (path.count("/"), path)):
        yield from _of_shell(sources, path, shell_lines(sources.lines(path), has_fences=not _is_restructured(path)))
    for path in ("README.md", "README.rst"):
        parts = Parts(_PARTS, sources.view.state.name)
        yield from _of_shell(
            sources, path, shell_lines(sources.lines(path), parts, has_fences=not _is_restructured(path))
        )


def _is_restructured(path: str) -> bool:
    return path.endswith((".rst", ".txt"))


def _of_shell(sources: Sources, path: str, lines: Iterable[ShellLine], rank: int = _BY_GUIDE) -> Iterator[FoundCommand]:
    """The commands among some lines, each with the folder of the project in which it runs."""
    for each in lines:
        is_ours = not each.folder or bool(sources.below(each.folder))
        if not is_ours or not _TOOL.match(each.text) or _is_undefined(sources, each):
            continue
        text = f"cd {each.folder} && {each.text}" if each.folder else each.text
        yield from _command(text, FoundText("", path, each.number), rank)


def _is_undefined(sources: Sources, line: ShellLine) -> bool:
    """Whether a command is for ``make`` or a package script, but no file defines it."""
    needs = next((files for tool, files in _NEEDS if re.match(rf"{tool}\b", line.text)), ())
    at = f"{line.folder}/" if line.folder else ""
    if "package.json" in needs and not at:  # it may be put there first
        return not any(file.path.endswith("package.json") for file in sources.files)
    return bool(needs) and not any(sources.has(f"{at}{name}") for name in needs)


def _ci(sources: Sources) -> Iterator[FoundCommand]:
    """The commands that continuous integration runs, those for other systems last."""
    paths = [file.path for file in sources.files if is_workflow(file.path)]
    fit = [path for path in paths if not _RELEASE.search(path.rpartition("/")[2])]
    for path in sorted(fit, key=lambda path: (bool(_ELSEWHERE.search(path)), path)):
        for each in _of_shell(sources, path, ci_lines(sources.lines(path)), _BY_CI):
            if not _TOOL_ALONE.match(each.text):  # a tool for the machine that checks, not the project
                yield each


def _defaults(sources: Sources) -> Iterator[FoundCommand]:
    """The usual commands of a language's package manager, where nothing else is found."""
    usual = {
        "Cargo.toml": (("cargo build", "Build"), ("cargo test", "Test"), ("cargo fmt --check", "Lint and format")),
        "go.mod": (("go build ./...", "Build"), ("go test ./...", "Test"), ("go vet ./...", "Lint and format")),
        "gradlew": (("./gradlew build", "Build"), ("./gradlew test", "Test")),
        "mvnw": (("./mvnw package", "Build"), ("./mvnw test", "Test")),
        "pom.xml": (("mvn package", "Build"), ("mvn test", "Test")),
        "CMakeLists.txt": (("cmake -B build && cmake --build build", "Build"), ("ctest --test-dir build", "Test")),
        "configure.ac": (
            ("autoreconf -i && ./configure && make", "Build"),
            ("make check", "Test"),
        ),
        ".pre-commit-config.yaml": (("pre-commit run --all-files", "Lint and format"),),
        "mix.exs": (("mix compile", "Build"), ("mix test", "Test")),
        "rebar.config": (("rebar3 compile", "Build"), ("rebar3 eunit", "Test")),
        "build.sbt": (("sbt compile", "Build"), ("sbt test", "Test")),
        "dune-project": (("dune build", "Build"), ("dune test", "Test")),
        "stack.yaml": (("stack build", "Build"), ("stack test", "Test")),
        "cabal.project": (("cabal build all", "Build"), ("cabal test all", "Test")),
        "project.clj": (("lein test", "Test"),),
        "Package.swift": (("swift build", "Build"), ("swift test", "Test")),
        "build.zig": (("zig build", "Build"), ("zig build test", "Test")),
        "fpm.toml": (("fpm build", "Build"), ("fpm test", "Test")),
        "dub.json": (("dub build", "Build"), ("dub test", "Test")),
        "shard.yml": (("shards install", "Set up"), ("crystal spec", "Test")),
        "gleam.toml": (("gleam build", "Build"), ("gleam test", "Test")),
        "lakefile.lean": (("lake build", "Build"),),
        "alire.toml": (("alr build", "Build"), ("alr test", "Test")),
        "foundry.toml": (("forge build", "Build"), ("forge test", "Test")),
        "pubspec.yaml": (("dart pub get", "Set up"), ("dart test", "Test"), ("dart analyze", "Lint and format")),
        "Project.toml": (("julia --project -e 'using Pkg; Pkg.test()'", "Test"),),
        "NAMESPACE": (("R CMD build .", "Build"), ("Rscript -e 'devtools::test()'", "Test")),
        "cpanfile": (("cpanm --installdeps .", "Set up"),),
        "Makefile.PL": (("perl Makefile.PL && make", "Build"), ("prove -lr t", "Test")),
        "composer.json": (("composer install", "Set up"),),
        "Gemfile": (("bundle install", "Set up"),),
        "pyproject.toml": (("python -m pip install -e .", "Set up"),),
    }
    for path, known in usual.items():
        if sources.has(path):
            for text, purpose in known:
                yield FoundCommand(text, purpose, FoundText("", path), _BY_HABIT)
    for solution in (file.path for file in sources.files if _SOLUTION.fullmatch(file.path)):
        yield FoundCommand(f"dotnet build {solution}", "Build", FoundText("", solution), _BY_HABIT)
        if any(_TEST_PROJECT.search(file.path) for file in sources.files):
            yield FoundCommand(f"dotnet test {solution}", "Test", FoundText("", solution), _BY_HABIT)
    if sources.has("pyproject.toml") and any(file.path.startswith("tests/test_") for file in sources.files):
        yield FoundCommand("python -m pytest", "Test", FoundText("", "pyproject.toml"), _BY_HABIT)
