"""The place in a file that is asked for, and what a report shows of the rest of that file: its outline."""
