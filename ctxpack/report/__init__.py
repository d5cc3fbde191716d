"""The report around the pieces.

``framing`` makes its head and tail, ``making`` the whole report and the pages that follow.
"""
