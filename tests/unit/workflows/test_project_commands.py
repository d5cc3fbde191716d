"""The commands of a project, from its CI files and, where nothing tells them, from its package files."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.workflows.layout import Sources
from ctxpack.workflows.project_commands import commands
from tests.indexing import Files, opened, write


def found_commands(tmp_path: Path, files: Files) -> dict[str, list[str]]:
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    found = {purpose: [each.text for each in its] for purpose, its in commands(Sources(view)).items()}
    view.close()
    return found


def workflow(*lines: str) -> Files:
    steps = "\n".join(f"      - run: {line}" for line in lines)
    return {".github/workflows/test.yml": f"jobs:\n  test:\n    steps:\n{steps}\n"}


@pytest.mark.parametrize(
    ("line", "purpose"),
    [
        ("prove -l t", "Test"),
        ("./rebar3 ct", "Test"),
        ("rebar3 eunit", "Test"),
        ("fpm test", "Test"),
        ("bundle exec rake parallel_spec", "Test"),
        ("terraform validate", "Lint and format"),
        ("dune test", "Test"),
        ("cabal test all", "Test"),
        ("forge test -vvv", "Test"),
        ("cpanm --installdeps .", "Set up"),
        ("flutter pub get", "Set up"),
        ("rebar3 dialyzer", "Lint and format"),
        ("dart analyze", "Lint and format"),
        ("stack build --fast", "Build"),
        ("./mvnw -B verify", "Test"),
        ("bundle exec rake", "Test"),
        ("swift build --build-tests -c debug", "Build"),
        ("mix deps.unlock --check-unused", "Lint and format"),
        ("python setup.py test", "Test"),
    ],
)
def test_tools_of_many_languages_are_known_in_ci(tmp_path: Path, line: str, purpose: str) -> None:
    assert found_commands(tmp_path, workflow(line)) == {purpose: [line]}


def test_a_tool_for_the_machine_that_checks_is_no_command_of_the_project(tmp_path: Path) -> None:
    tools = ("cpanm -n Test::Pod", "pip install tox", "npm i -g markdownlint-cli", "dotnet dev-certs https --clean")
    more = ("pip install audit && audit ./dist/*.whl", "composer require a/b --dev", "python setup.py check")
    assert found_commands(tmp_path, workflow(*tools, *more, "prove -l t")) == {"Test": ["prove -l t"]}


@pytest.mark.parametrize(
    ("heading", "is_read"),
    [
        ("Running the solution", True),
        ("Run locally", True),
        ("Local development", True),
        ("Run Petclinic locally", True),
        ("Running", False),  # of a library it tells its users
        ("Running a query", False),
    ],
)
def test_the_readme_tells_how_the_project_is_run(tmp_path: Path, heading: str, *, is_read: bool) -> None:
    readme = f"# Shop\n\n## {heading}\n\n```powershell\ndotnet run --project src/Shop.csproj\n```\n"
    found = found_commands(tmp_path, {"README.md": readme, "src/Shop.csproj": "<Project/>\n"})
    assert ("dotnet run --project src/Shop.csproj" in found.get("Run", [])) is is_read


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("rebar.config", "rebar3 eunit"),
        ("build.sbt", "sbt test"),
        ("dune-project", "dune test"),
        ("project.clj", "lein test"),
        ("Package.swift", "swift test"),
        ("pubspec.yaml", "dart test"),
        ("Makefile.PL", "prove -lr t"),
    ],
)
def test_a_package_file_tells_the_usual_commands(tmp_path: Path, path: str, test: str) -> None:
    assert found_commands(tmp_path, {path: "# a package\n"})["Test"] == [test]


def test_what_is_found_goes_before_what_is_usual(tmp_path: Path) -> None:
    files = {**workflow("rebar3 ct"), "rebar.config": "{deps, []}.\n"}
    assert found_commands(tmp_path, files) == {"Build": ["rebar3 compile"], "Test": ["rebar3 ct"]}


def test_a_session_of_nox_is_called_by_its_name(tmp_path: Path) -> None:
    sessions = (
        '@nox.session()\n@tox_parameters(\n    ["python"],\n    [VERSIONS],\n)\ndef tests(session):\n    ...\n',
        '@nox.session(python="3.12", name="pep8")\ndef lint(session):\n    ...\n',
        "@nox.session\ndef type_check(session):\n    ...\n",
    )
    found = found_commands(tmp_path, {"noxfile.py": "import nox\n\n\n" + "\n\n".join(sessions)})
    assert found == {"Test": ["nox -s tests"], "Lint and format": ["nox -s pep8", "nox -s type_check"]}


def test_what_only_removes_files_is_no_way_to_build_or_test(tmp_path: Path) -> None:
    makefile = "clean-build:\n\trm -rf build\n\nbuild:\n\tcc -o app app.c\n"
    assert found_commands(tmp_path, {"Makefile": makefile})["Build"] == ["make build"]


def test_scripts_of_composer_are_commands(tmp_path: Path) -> None:
    scripts = (
        '{\n  "scripts": {\n    "test": "phpunit",\n    "lint": ["phpcs"],\n    "post-update-cmd": "php x"\n  }\n}\n'
    )
    found = found_commands(tmp_path, {"composer.json": scripts})
    assert (found["Test"], found["Lint and format"]) == (["composer test"], ["composer lint"])
    assert "composer post-update-cmd" not in str(found)


def test_a_solution_of_dotnet_is_built_and_tested_as_usual(tmp_path: Path) -> None:
    files = {"Shop.sln": "Microsoft Visual Studio Solution File\n", "Shop.Tests/Shop.Tests.csproj": "<Project/>\n"}
    assert found_commands(tmp_path, files) == {"Build": ["dotnet build Shop.sln"], "Test": ["dotnet test Shop.sln"]}
