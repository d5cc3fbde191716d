"""What other programs read about ctxpack: registrations, a skill and a note for each agent, and a plug-in of both.

``catalogue`` knows the agents, their files and what is written there; ``setup`` plans the changes of files that
belong to others, and ``jsonc`` those of JSON among them.
"""
