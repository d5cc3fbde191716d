"""The views on relevance, one module each: arrays over files or chunks, computed from a ``Board``."""
