"""Ask: a command answers from the best pieces, and gets the next ones where it says that something is missing."""

from ctxpack.workflows.ask import Ending, Round, ask

__all__ = ["Ending", "Round", "ask"]
