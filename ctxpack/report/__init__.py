"""The report around the pieces: its head, its tail, the pages that follow, and the repository in a line."""
