"""Conversations: the history of a chat, and the memory of messages that have no room."""
