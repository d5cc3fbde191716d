"""The face for agents: what other programs read about ctxpack, and the server that they call.

``catalogue`` knows the agents, their files and what is written there: registrations, a skill, a note, and a plug-in of
both; ``setup`` plans the changes of files that belong to others, and ``jsonc`` those of JSON among them.

``server`` speaks the Model Context Protocol, by pipes or by HTTP; ``tools`` declares what is offered; ``handler``
answers calls in threads that can be stopped: ``folders`` says which folders they may read, ``replies`` writes the
answers.
"""
