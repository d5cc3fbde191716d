"""Instructions for working on a repository: commands, layout, conventions and pitfalls, found in its files."""

from ctxpack.onboarding.document import instructions

__all__ = ["instructions"]
