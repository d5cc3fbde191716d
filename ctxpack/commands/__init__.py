"""Commands of the user's own: a command line that reads a prompt on standard input and prints an answer.

``words`` takes such a line apart, ``process`` runs it, ``groups`` ends it with everything that it has started.
"""
