"""The signals: arrays over files or chunks, computed from a ``Board``."""
