"""What the instructions say of projects of several kinds: commands that run, folders with a purpose, rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack

Make = Callable[[Mapping[str, str]], Path]

ENTRY = {"ctxpack.toml": "[[context]]\npath = 'AGENTS.md'\n", "README.md": "# Tool\n\nA tool.\n"}
MAIN = "int main(void) {\n    return 0;\n}\n"


@pytest.fixture
def written(ctxpack: Ctxpack, repository: Make) -> Callable[[Mapping[str, str]], str]:
    """What ``ctxpack refresh`` writes for a project of such files."""

    def write(files: Mapping[str, str]) -> str:
        root = repository({**ENTRY, **files})
        outcome = ctxpack("refresh", "--root", str(root))
        assert outcome.status == 0, outcome.err
        return (root / "AGENTS.md").read_text(encoding="utf-8")

    return write


Written = Callable[[Mapping[str, str]], str]


def part(text: str, heading: str) -> str:
    return text.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def steps(*commands: str) -> str:
    return "jobs:\n  check:\n    steps:\n" + "".join(f"      - run: {command}\n" for command in commands)


def test_what_only_the_machine_of_ci_runs_is_no_command(written: Written) -> None:
    ci = steps(
        "python -m pip install --upgrade pip", "pip install coveralls==3.0", "cmake -B ../build",
        "./ci/deploy-docs.sh", "python -m cibuildwheel --output-dir dist",
        "pip install -r a.txt &&",
        "ctest -j `nproc`", "make missing-test", "./tool -n '\"\" | test(\"\")'",
    )  # fmt: skip
    files = {".github/workflows/ci.yml": ci, "CMakeLists.txt": "project(t)\n", "src/a.c": MAIN}
    commands = part(written(files), "Commands")
    assert "`cmake -B build && cmake --build build` (CMakeLists.txt)" in commands
    assert "`ctest --test-dir build` (CMakeLists.txt)" in commands
    assert not any(
        word in commands for word in ("pip", "coveralls", "nproc", "deploy", "wheel", "missing", "./tool", "../")
    )


def test_a_command_says_the_folder_it_runs_in(written: Written) -> None:
    ci = "jobs:\n  web:\n    steps:\n      - run: npm test\n        working-directory: ui\n"
    guide = "# Contributing\n\n```sh\ncd docs\nmake html\n```\n"
    files = {".github/workflows/ci.yml": ci, "CONTRIBUTING.md": guide, "ui/package.json": "{}", "docs/Makefile": "h:\n"}
    commands = part(written(files), "Commands")
    assert "- Test:\n  - `cd ui && npm test` (.github/workflows/ci.yml:4)" in commands
    assert "- Documentation:\n  - `cd docs && make html` (CONTRIBUTING.md:5)" in commands


def test_the_targets_that_a_command_names_say_its_purpose(written: Written) -> None:
    guide = "# Contributing\n\n```sh\npre-commit install\ntox -e docs\ntox -e linting,py37\n./runtests.py\n```\n"
    files = {"CONTRIBUTING.md": guide, "tox.ini": "[tox]\n", ".pre-commit-config.yaml": "repos: []\n"}
    commands = part(written(files), "Commands")
    assert "- Set up:\n  - `pre-commit install`" in commands
    assert "- Test:\n  - `tox` (tox.ini)\n  - `./runtests.py`" in commands
    assert "- Lint and format:\n  - `tox -e linting,py37`" in commands
    assert "- Documentation:\n  - `tox -e docs`" in commands


def test_what_installs_the_project_comes_before_single_tools(written: Written) -> None:
    guide = "# Contributing\n\n```sh\npip install coverage\npip install -e .\ntox -l\n```\n"
    commands = part(written({"CONTRIBUTING.md": guide}), "Commands")
    assert "- Set up:\n  - `pip install -e .` (CONTRIBUTING.md:5)\n  - `pip install coverage`" in commands
    assert "tox" not in commands


def test_hooks_are_the_linters_where_nothing_else_is(written: Written) -> None:
    hooks = "repos:\n- repo: x\n  hooks:\n    - id: black\n    - id: flake8\n"
    text = written({".pre-commit-config.yaml": hooks})
    assert "`pre-commit run --all-files` (.pre-commit-config.yaml)" in part(text, "Commands")
    assert "- pre-commit: `.pre-commit-config.yaml`, runs black, flake8" in part(text, "Conventions")


def test_a_readme_says_how_to_build_from_source(written: Written) -> None:
    readme = "# Tool\n\n## Installation\n\n```sh\npip install tool\n```\n\n"
    readme += "### From source\n\n```sh\nautoreconf -i\nmake -j8\n```\n"
    commands = part(written({"README.md": readme, "configure.ac": "AC_INIT\n", "src/a.c": MAIN}), "Commands")
    assert "- Set up:\n  - `autoreconf -i` (README.md:12)" in commands
    assert "- Build:\n  - `make -j8` (README.md:13)" in commands
    assert "- Test:\n  - `make check` (configure.ac)" in commands
    assert "pip install" not in commands


def test_the_same_tool_in_ci_with_other_options_is_not_repeated(written: Written) -> None:
    guide = "# Contributing\n\n```sh\ncargo fmt -- --check\n```\n"
    files = {"CONTRIBUTING.md": guide, ".github/workflows/ci.yml": steps("cargo fmt --all -- --check")}
    commands = part(written(files | {"Cargo.toml": "[package]\nname = 't'\nedition = '2018'\n"}), "Commands")
    assert commands.count("cargo fmt") == 1


def test_the_main_folder_is_found_through_folders_that_only_lead_there(written: Written) -> None:
    core = "src/main/java/org/tool/core"
    files = {f"{core}/Part{at}.java": f"class Part{at} {{\n    int at = {at};\n}}\n" for at in range(5)}
    files |= {f"{core}/io/Reader.java": "class Reader {}\n", "src/extra/module.java": "class Module {}\n"}
    files[f"{core}/io/package-info.java"] = (
        "/**\n * Reads <b>parts</b> from {@link Reader}s. And more.\n */\npackage io;\n"
    )
    layout = part(written(files), "Layout")
    assert f"- `src/`\n  - `{core}/`: `io/`, `Part0.java`" in layout
    assert f"    - `{core}/io/`: Reads parts from `Reader`s\n" in layout
    assert "  - `src/extra/`: `module.java`" in layout


def test_folders_are_told_by_what_is_in_them(written: Written) -> None:
    files = {f"tool/part_{at}.py": f"def part_{at}():\n    return {at}\n" for at in range(4)}
    files |= {f"tool/models/m{at}.py": f"class Model{at}:\n    at = {at}\n" for at in range(9)}
    files |= {f"db/migrations/n{at}.py": f"def up_{at}():\n    return {at}\n" for at in range(30)}
    files |= {"build/.gitignore": "*\n", "checks/test_a.py": "def test_a():\n    assert True\n"}
    layout = part(written(files), "Layout")
    assert "- `tool/`: `models/`, `part_0.py`" in layout
    assert "  - `tool/models/`" in layout
    assert "- `checks/`: tests" in layout
    assert "build/" not in layout


def test_a_purpose_says_more_than_the_name_or_a_command(written: Written) -> None:
    files = {f"tool/part_{at}.py": f"def part_{at}():\n    return {at}\n" for at in range(4)}
    files |= {"tool/packages/ssl.py": "def wrap():\n    return 1\n", "plot_types/a.py": "def plot():\n    return 2\n"}
    files |= {"plot_types/README.md": "Plot types\n", "bench_it/README.md": "`node run.js` to run it all.\n"}
    files |= {"bench_it/run.js": "function run() { return 3; }\n"}
    layout = part(written(files), "Layout")
    assert "- `tool/packages/`: `ssl.py`" in layout
    assert "- `plot_types/`: `a.py`" in layout
    assert "- `bench_it/`: `run.js`" in layout


def test_scripts_come_before_their_variants(written: Written) -> None:
    scripts = ", ".join(f'"{name}": "vitest"' for name in ("test:a", "test:b", "test:c", "test:d", "test"))
    commands = part(written({"package.json": f'{{"scripts": {{{scripts}}}}}'}), "Commands")
    assert "- Test:\n  - `npm test`" in commands


def test_settings_of_editors_are_told_by_kind_of_files(written: Written) -> None:
    editor = "root = true\n[*]\nindent_size = 4\n\n[*.py]\nmax_line_length = 119\n\n[Makefile]\nindent_style = tab\n"
    conventions = part(written({".editorconfig": editor}), "Conventions")
    assert "`.editorconfig`, indent_size 4; `*.py` max_line_length 119; `Makefile` indent_style tab" in conventions


def test_settings_in_setup_cfg_are_told(written: Written) -> None:
    setup = "[options]\npython_requires = >=3.6\n\n[flake8]\nmax-line-length = 119\n\n[mypy]\nfiles = src\n"
    conventions = part(written({"setup.cfg": setup}), "Conventions")
    assert "- flake8: `setup.cfg`, lines of 119\n- mypy: `setup.cfg`\n- Python >=3.6 (setup.cfg)" in conventions


GUIDE = """\
Contributing
============

#. Every function should have a test, see the `guide <https://example.org/guide>`_ and :pep:`8`.

Example of code that must be formatted::

    # you must never test this code line here, as it is an example

If you've never run the tests before, the output may surprise you.
Your code changes don't introduce bugs where they are tested well.
Run the tests to avoid errors in the code of others.
Don't edit the files of ``vendor``, which are generated.
The pull request should be merged by one of the maintainers.
Once the tests complete, the code should be formatted as well.
They should fail without the code of your patch and its tests.
"""


def test_rules_are_what_a_guide_asks_for_and_nothing_else(written: Written) -> None:
    text = written({"CONTRIBUTING.rst": GUIDE})
    rules, warnings = part(text, "Conventions"), part(text, "Pitfalls")
    assert rules.strip() == "- Every function should have a test, see the guide and PEP 8. (CONTRIBUTING.rst:4)"
    kept = "- Don't edit the files of `vendor`, which are generated. (CONTRIBUTING.rst:10)"
    assert warnings.replace("<!-- ctxpack:end -->", "").strip() == kept


def test_a_tutorial_is_no_guide(written: Written) -> None:
    text = "Your first patch\n================\n\nThe new function must return the name of the toast.\n"
    assert "toast" not in written({"docs/intro/contributing.txt": text})
