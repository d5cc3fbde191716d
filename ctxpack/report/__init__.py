"""The report around the pieces.

``framing`` makes its head and tail, ``making`` the whole report and the pages that follow. For a prompt,
``conversation`` fits the history of a chat into it; what has no room becomes ``memory``.
"""
