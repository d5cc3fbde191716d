"""Rerank: a command of the user's, such as a language model, puts the best candidates into a better order."""

from ctxpack.rerank.command import rerank, reranked_from

__all__ = ["rerank", "reranked_from"]
