"""What mkdocs asks while it builds the site: files beside docs/ that pages link to are part of the site too."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

PROJECT = Path(__file__).resolve().parent.parent
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "examples/github.yml", "examples/gitlab.yml")
UP = re.compile(r"(?<=\]\()\.\./")
DOWN = re.compile(r"(?<=\]\()docs/")


def on_files(files: Files, config: Any) -> Files:  # noqa: ANN401 - mkdocs declares no types
    """Add the files that lie beside docs/."""
    for name in BESIDE:
        files.append(File.generated(config, name, abs_src_path=str(PROJECT / name)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Return a page with the links between docs/ and what lies beside it as they are in the site."""
    return DOWN.sub("", UP.sub("", markdown))
