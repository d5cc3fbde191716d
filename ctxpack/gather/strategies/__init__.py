"""The built-in strategies: one module each, with a function ``gather``; ``ctxpack.gather.registry`` names them."""
