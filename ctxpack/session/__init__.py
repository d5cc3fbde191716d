"""Conversations: ``conversation`` fits the history of a chat into a prompt; what has no room becomes ``memory``.

``storage`` keeps memories on disk.
"""
