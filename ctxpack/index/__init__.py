"""The index of a repository, on disk and up to date: ``open_index`` gives the later stages their ``IndexView``."""

from ctxpack.index.build import open_index
from ctxpack.index.postings import Terms
from ctxpack.index.view import IndexView
from ctxpack.system.clock import Progress

__all__ = ["IndexView", "Progress", "Terms", "open_index"]
