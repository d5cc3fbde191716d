"""The version of ctxpack: of the package, of reports, and of what is kept between runs; and its name in an index."""

from __future__ import annotations

import os
import sys

__version__ = "0.1.0"
DISTRIBUTION = "ctxpack-repo"
"""What pip calls the package. The name of the program and of the module is taken there, by a stranger."""
EMBEDDING_PACKAGE = "sentence-transformers>=5.1,<7"
MCP_PACKAGE = "mcp>=2.3,<3"
PII_PACKAGE = "presidio-analyzer>=2.2.354,<3"
TUI_PACKAGE = "textual>=6,<9"
"""What these extras install: named itself, wherever ctxpack was installed from."""


def install_command(package: str) -> str:
    """Return the command that installs a package where this one is: environments of uv have no pip of their own."""
    from importlib.util import find_spec

    if find_spec("pip") is None:
        return f'uv pip install --python "{sys.executable}" "{package}"'
    return f'"{sys.executable}" -m pip install "{package}"'


def installation() -> tuple[object, ...]:
    """Return what an installation changes: versions, and times of files and of folders of packages."""
    found: list[object] = [__version__, sys.version]
    package = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120 - as text, like all below
    for folder, _, names in sorted(os.walk(package)):
        for name in sorted(names):
            if name.endswith((".py", ".toml", ".tsv", ".txt", ".css", ".js")):
                facts = os.stat(f"{folder}/{name}")  # noqa: PTH116 - some hundred files before every report
                found.append((folder[len(package) :], name, facts.st_size, facts.st_mtime_ns))
    for folder in sys.path:
        if folder.endswith("-packages"):
            try:
                found.append((folder, os.stat(folder).st_mtime_ns))  # noqa: PTH116
            except OSError:  # a folder of the path that is not there brings no packages
                continue
    return tuple(found)


def write_version() -> bool:
    """Write it on standard output, without all that other commands load. Returns False where that cannot be done."""
    try:
        return os.write(1, f"ctxpack {__version__}\n".encode()) > 0
    except OSError:  # that is the answer
        return False
