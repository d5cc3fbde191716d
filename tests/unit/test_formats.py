"""The record of a format: every row says all, and readers, renderers and recognition follow it."""

from __future__ import annotations

import re

import pytest

from ctxpack.model.formats import FORMAT_NAMES, FORMATS, PROMPT_FORMATS, Format, format_of
from ctxpack.render import renderer
from ctxpack.settings.readers import format_name
from ctxpack.settings.tables import DEFAULT_MARKERS, context_entries


@pytest.mark.parametrize("format_", FORMATS, ids=FORMAT_NAMES)
def test_a_row_says_all_that_is_known_of_a_format(format_: Format) -> None:
    assert FORMAT_NAMES.count(format_.name) == 1
    assert format_of(format_.name) is format_
    assert renderer(format_.name)
    assert format_name(format_.name) == format_.name
    assert not format_.short or format_name(format_.short) == format_.name
    assert format_.beginning
    assert re.compile(format_.beginning).match(b"") is None
    assert format_.is_markdown == format_.name.startswith("markdown")
    assert format_.has_markers or not format_.is_markdown
    (entry,) = context_entries([{"path": "a", "request": "x", "format": format_.name}])
    assert entry.markers == (DEFAULT_MARKERS if format_.has_markers else None)


@pytest.mark.parametrize("format_", FORMATS, ids=FORMAT_NAMES)
def test_a_format_is_counted_as_one_that_models_read(format_: Format) -> None:
    assert not format_.counted_as or not format_of(format_.counted_as).counted_as
    assert bool(format_.counted_as) == (format_.name == "html")


def test_the_format_of_a_package_has_the_defaults() -> None:
    assert format_of("theirs") == Format("theirs")
    assert format_of("markdown-theirs").is_markdown
    assert PROMPT_FORMATS == ("markdown-narrative", "messages")


@pytest.mark.parametrize("written", ["", None, 5, [], {}])
def test_what_is_no_name_is_no_format(written: object) -> None:
    with pytest.raises(ValueError, match="one of markdown"):
        format_name(written)
