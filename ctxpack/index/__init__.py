"""What is known of a repository, on disk, kept fresh: ``open_index`` gives the later stages their ``IndexView``."""

from ctxpack.index.build import Progress, open_index
from ctxpack.index.view import IndexView, Terms

__all__ = ["IndexView", "Progress", "Terms", "open_index"]
