"""Understand a request: ``request`` checks it and makes the query that is ranked.

For a diff, ``read`` reads what changed between two states of the repository, by git: ``commits`` finds the states and
their messages, ``diff`` the files and texts; the result is a ``Change``, with the definitions that it touches.
"""
