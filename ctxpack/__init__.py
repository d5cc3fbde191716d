"""ctxpack picks the parts of a repository that a task needs, within a token budget, and says why."""

__version__ = "0.1.0"
