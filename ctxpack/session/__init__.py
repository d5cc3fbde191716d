"""Conversations: the history of a chat, what is left of it when it grows too long, and how that is found again."""

from ctxpack.session.chat import ChatHistory, Trimmed, parse_history, trim
from ctxpack.session.memory import MAX_EXTRACT, RecallWeights, extract, message_digest, narrow_memory, recall, summarize
from ctxpack.session.storage import SessionStore, StoredSession

__all__ = [
    "MAX_EXTRACT", "ChatHistory", "RecallWeights", "SessionStore", "StoredSession", "Trimmed", "extract",
    "message_digest", "narrow_memory", "parse_history", "recall", "summarize", "trim",
]  # fmt: skip
