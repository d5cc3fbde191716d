"""Pages of HTML as a parser reads them: elements with their attributes, and the texts inside."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "link", "input"}


@dataclass(slots=True)
class Element:
    """An element of a page, its attributes, and what is in it in order: elements and texts."""

    name: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text inside."""
        return "".join(each if isinstance(each, str) else each.text for each in self.children)

    def all(self, name: str = "", **attributes: str) -> list[Element]:
        """The elements inside of a name, with the words of ``class_``, and with other attributes."""
        found = []
        for each in self.children:
            if isinstance(each, Element):
                wanted = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
                classes = set(wanted.pop("class", "").split())
                is_named = each.name == name or not name
                is_classed = classes <= set(each.attributes.get("class", "").split())
                if is_named and is_classed and wanted.items() <= each.attributes.items():
                    found.append(each)
                found += each.all(name, **attributes)
        return found

    def one(self, name: str = "", **attributes: str) -> Element:
        """The only such element."""
        (found,) = self.all(name, **attributes)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.top = Element("", {})
        self.open = [self.top]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {key: value or "" for key, value in attrs})
        self.open[-1].children.append(made)
        if tag not in _VOID:
            self.open.append(made)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> ends <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")


def read_page(text: str) -> Element:
    """The page of a text. Fails where an end tag does not end the innermost open element."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == [reader.top]
    return reader.top
