"""A server for agents that speaks the Model Context Protocol: a face above ``answer`` and the workflows.

``server`` speaks the protocol, by pipes or by HTTP; ``tools`` declares what is offered; ``handler`` answers calls in
threads that can be stopped: ``folders`` says which folders they may read, ``replies`` writes the answers.
"""
