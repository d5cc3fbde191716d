"""What a diff changed: both sides of a file, its definitions, as much of its hunks as there is room for."""
