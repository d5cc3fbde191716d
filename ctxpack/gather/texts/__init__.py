"""Which lines of a long text stand for it, and which few more make them readable."""
