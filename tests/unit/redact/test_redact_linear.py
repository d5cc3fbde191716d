"""Long texts of the beginnings of secrets: what is looked at behind each of them is bounded."""

from __future__ import annotations

import re

import pytest

from ctxpack.redact import redact
from ctxpack.redact.shapes import SHAPES


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.kind} {shape.starts[0]}")
def test_no_shape_of_a_key_looks_ahead_without_end(shape: object) -> None:
    """A repetition without an upper bound would be tried again at every beginning in the text."""
    pattern = str(shape.pattern)  # type: ignore[attr-defined]
    ahead = re.findall(r"\(\?=(.*?)\)", pattern)
    assert not [each for each in ahead if re.search(r"[*+]|,\}", re.sub(r"\[[^\]]*\]", "", each))]


@pytest.mark.parametrize("token", ["xoxb-" + "a" * 20 + "-123456789012", "sk-" + "aB" * 20 + "3" + "c" * 5])
def test_a_digit_far_behind_still_makes_a_key(token: str) -> None:
    assert token not in redact(f"key {token} end").text


@pytest.mark.parametrize("comment", ["", " # why", " ; why", "  # a \N{SNOWMAN}", ";"])
def test_a_bare_value_ends_before_a_comment(comment: str) -> None:
    assert redact(f"password = Sup3rS3cret!{comment}\n").text == f"password = [REDACTED:password]{comment}\n"
