"""The built-in strategies: functions ``gather_NAME``; ``ctxpack.gather.registry`` names them."""
