"""Workflows around packs: ask a model, evaluate, refresh files, explain an absence, diagnose an installation.

``ask`` reads ``answers`` round by round, ``evaluation`` takes ``commit_tasks``, ``refresh`` writes packs or the
``instructions`` for working on a repository, which come from its ``layout`` and ``project_commands``. ``why_not`` and
``diagnosis`` are on their own.
"""
