"""The written rules of a project and the settings of its linters: which of them hold for some files."""
