"""Long texts of the beginnings of secrets: what is looked at behind each of them is bounded."""

from __future__ import annotations

import re

import pytest

from ctxpack.model import Kind
from ctxpack.redact import redact
from ctxpack.redact.redaction import redact_patch
from ctxpack.redact.shapes import _BEFORE_KEY, _BY_BEGINNING, SHAPES, KeyShape


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


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.kind} {shape.starts[0]}")
def test_every_beginning_of_a_key_is_looked_for(shape: KeyShape) -> None:
    """One pattern looks for the first characters of all of them."""
    assert all(_BEFORE_KEY.search(f"x {start}") for start in shape.starts)
    assert all((start, shape) in _BY_BEGINNING[start[:2]] for start in shape.starts)


def test_a_key_that_follows_another_one_is_found_by_the_second_look() -> None:
    signature, key = f"sig={'aB3' * 15}%3D", "AKIA2E0A8F3B244C9986"
    assert redact(f"x {signature}{key} y\n").text == "x [REDACTED:azure-signature][REDACTED:aws-access-key] y\n"


@pytest.mark.parametrize("sign", ["-", "+"])
def test_a_part_of_a_diff_may_hold_lines_of_one_side_only(sign: str) -> None:
    clean = redact_patch(f"{sign}password = 'hunter2xyz9'\n{sign}x = 1", "a.py", Kind.CODE)
    assert clean.text == f"{sign}password = '[REDACTED:password]'\n{sign}x = 1"
