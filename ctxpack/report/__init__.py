"""The report around the pieces: what is said beside them, what follows behind them, and the repository in a line."""
