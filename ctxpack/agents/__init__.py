"""What other programs read about ctxpack: registrations, a skill and a note for each agent, and a plug-in of both.

``registry`` knows the agents and their files, ``texts`` what is written; ``jsonc`` and ``parts`` put it into files that
belong to others and take it out again; ``setup`` plans the changes, ``plugin`` makes the folder of an Agent Plugin.
"""
