"""Instructions for working on a repository: commands, layout, conventions and pitfalls, found in its files."""

from ctxpack.onboarding.document import write_instructions

__all__ = ["write_instructions"]
