"""Understand a request: ``request`` checks it and makes the query that is ranked.

For a diff, ``read`` brings what changed between two states of the repository, as git tells it: ``commits`` finds the
states and their messages, ``diff`` the files and texts, ``change`` holds them, ``definitions`` says what they touch.
"""
