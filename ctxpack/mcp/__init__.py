"""A server for agents that speaks the Model Context Protocol: a face above ``answer`` and the workflows.

``server`` speaks the protocol, by pipes or by HTTP; ``tools`` says what is offered; ``desk`` does what a call asks for
in threads that can be stopped, with ``arguments`` and ``folders`` to read what was asked, and ``replies`` to answer.
"""
