"""What belongs to what: names that are alike, imports, uses, and dependency maps."""
