"""Conversations: the history of a chat, what is left of it when it grows too long, and how that is found again."""
