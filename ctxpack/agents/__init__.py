"""What other programs read about ctxpack: registrations, a skill and a note for each agent, and a plug-in of both.

``registry`` knows the agents and their files, ``texts`` what is written; ``setup`` plans the changes of files that
belong to others, and ``jsonc`` those of JSON among them.
"""
