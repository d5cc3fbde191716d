"""Put a marked part at the end of a text of somebody else, keep it current, and take it out again to the byte."""

from __future__ import annotations

from ctxpack.errors import UsageError
from ctxpack.light import dataclass


@dataclass(frozen=True, slots=True)
class MarkedPart:
    """A part of a file between two lines that nothing else has."""

    start: str
    end: str
    body: str

    def added(self, text: str | None, path: str) -> str:
        """Return a text with the part, at its place or at the end; None is a file that is made for it.

        Raises UsageError where the lines around it are not both there.
        """
        newline = "\r\n" if text and "\r\n" in text else "\n"
        own = newline.join([self.start, *self.body.splitlines(), self.end])
        if text is None:
            return f"{own}{newline}"
        around = self._around(text, path)
        if around is not None:
            head, tail = around
            return f"{head}{own}{tail}"
        return f"{text}{newline}{own}{newline}"  # one more line end: a blank line, where the text ends with one itself

    def removed(self, text: str, path: str) -> str | None:
        """Return the text without the part; None where the file was made for it. Raises UsageError."""
        around = self._around(text, path)
        if around is None:
            return text
        head, tail = around
        for newline in ("\r\n", "\n"):
            if tail.startswith(newline):
                tail = tail[len(newline) :]
                break
        if not head:
            return tail or None
        for newline in ("\r\n", "\n"):
            if head.endswith(newline):
                return head[: -len(newline)] + tail
        return head + tail

    def _around(self, text: str, path: str) -> tuple[str, str] | None:
        """What is before and behind the part; None where it is not there."""
        counts = (text.count(self.start), text.count(self.end))
        if counts == (0, 0):
            return None
        head, _, rest = text.partition(self.start)
        _, found, tail = rest.partition(self.end)
        if counts != (1, 1) or not found:
            raise UsageError(
                f"{path} must hold {self.start} once and {self.end} once behind it.",
                hint="Mend the two lines, or delete the part with both of them.",
            )
        return head, tail
