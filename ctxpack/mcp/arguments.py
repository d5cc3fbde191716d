"""The arguments of a call, checked against what the tool declares; what is wrong with one is told in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ctxpack.errors import UsageError, did_you_mean
from ctxpack.model import Places


class Arguments:
    """The arguments of one call of a tool, by name."""

    def __init__(self, tool: str, schema: Mapping[str, object], values: Mapping[str, object]) -> None:
        """Raise UsageError for an argument that the schema does not know."""
        properties = schema.get("properties")
        known = list(properties) if isinstance(properties, Mapping) else []
        for name in values:
            if name not in known:
                hint = did_you_mean(name, known) or f"It takes {', '.join(known)}."
                raise UsageError(f"{tool} has no argument {name!r}.", hint=hint)
        self.tool = tool
        self.values = {name: value for name, value in values.items() if value is not None}

    def text(self, name: str, *, required: bool = False) -> str:
        """Return a text, empty where none was given. Raises UsageError for anything else."""
        value = self.values.get(name, "")
        if not isinstance(value, str):
            raise UsageError(f"{name} must be a string, not {value!r}.")
        if required and not value.strip():
            raise UsageError(f"{self.tool} needs the argument {name}.", hint=f"Call it again with {name}.")
        return value

    def number(self, name: str, default: int, span: tuple[int, int]) -> int:
        """Return a whole number within ``span``. Raises UsageError for anything else."""
        value = self.values.get(name, default)
        if isinstance(value, float) and value.is_integer():  # JSON has one kind of number
            value = int(value)
        low, high = span
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise UsageError(f"{name} must be a whole number from {low:,} to {high:,}, not {value!r}.")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, empty where none was given. Raises UsageError for anything else."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
            raise UsageError(f"{name} must be a list of strings, not {value!r}.")
        return tuple(value)

    def path(self, places: Places) -> str:
        """Return the argument ``path`` as the stages write it. Raises UsageError for one outside the folder."""
        written = self.text("path", required=True)
        named = Path(written)
        place = named if named.is_absolute() else places.of(named.as_posix())
        found = None if "\0" in written else places.path_of(place.parent.resolve() / place.name)
        if found is None:  # a link at the end of a path has a name of its own
            raise UsageError(f"{written} is outside {places.told}.", hint="Paths are relative to directory.")
        return found
