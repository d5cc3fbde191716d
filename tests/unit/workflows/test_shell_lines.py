from __future__ import annotations

import re

from ctxpack.workflows.shell_lines import Parts, ci_lines, shell_lines

STEPS = """\
jobs:
  web:
    steps:
      - name: Set up
        run: |
          cd ui
          npm ci
      - name: Test
        working-directory: ./ui
        run: npm test
      - run: make lint
        working-directory: tools
      - run: make all
"""
README = """\
# Tool

```sh
pip install tool
```

## Building from source

```console
git clone https://example.org/me/tool.git
cd tool
make -j8  # on all cores
cd docs && make html
```

## Benchmarks

### Building them

```sh
git clone https://example.org/me/speed
make speed
```
"""


def test_each_line_of_ci_runs_in_the_folder_of_its_step() -> None:
    found = [(each.folder, each.text) for each in ci_lines(STEPS.splitlines()) if "m" in each.text]
    commands = [each for each in found if each[1].startswith(("npm", "make"))]
    assert commands == [("ui", "npm ci"), ("ui", "npm test"), ("tools", "make lint"), ("", "make all")]


def test_jobs_that_check_out_another_repository_run_nothing_of_this_one() -> None:
    text = """jobs:
  clients:
    steps:
      - uses: actions/checkout@v4
        with:
          repository: shop/shop-dotnet
      - run: dotnet test
  own:
    steps:
      - uses: actions/checkout@v4
        with:
          repository: ${{ github.repository }}
      - run: cargo test
"""
    assert [each.text for each in ci_lines(text.splitlines())] == ["cargo test"]


def test_a_readme_is_read_where_it_says_how_to_build_this_project() -> None:
    parts = Parts(re.compile("building", re.IGNORECASE), "tool")
    found = [(each.number, each.folder, each.text) for each in shell_lines(README.splitlines(), parts)]
    assert found[1:] == [(12, "", "make -j8"), (13, "docs", "make html")]


def test_prompts_are_read_in_restructured_text_whatever_looks_like_a_fence() -> None:
    lines = ["````name```` is a name", "", "    $ cd docs", "    $ make html", "", "Then", "", "    $ pytest"]
    found = [(each.folder, each.text) for each in shell_lines(lines, has_fences=False)]
    assert found == [("docs", "make html"), ("", "pytest")]


def test_blocks_of_shell_in_restructured_text_need_no_prompt() -> None:
    text = """\
Run the tests::

    pytest lib

.. code-block:: python

    make_it()

.. code-block:: sh

   cd docs
   make html

make a choice
"""
    found = [(each.folder, each.text) for each in shell_lines(text.splitlines(), has_fences=False)]
    assert found == [("", "pytest lib"), ("docs", "make html")]


def test_a_fence_inside_a_longer_one_closes_nothing() -> None:
    guide = ["````markdown", "```sh", "make no", "```", "````", "```sh", "make all", "```"]
    assert [line.text for line in shell_lines(guide)] == ["make all"]
