"""Conversations: the history of a chat, what is left of it when it grows too long, and how that is found again."""

from ctxpack.session.history import History, parse_history
from ctxpack.session.recall import RecallWeights, narrowed, recall
from ctxpack.session.store import SessionStore, Stored
from ctxpack.session.summary import MAX_EXTRACT, covered, extract, remembered
from ctxpack.session.trim import Trimmed, trim

__all__ = [
    "MAX_EXTRACT", "History", "RecallWeights", "SessionStore", "Stored", "Trimmed", "covered", "extract", "narrowed",
    "parse_history", "recall", "remembered", "trim",
]  # fmt: skip
