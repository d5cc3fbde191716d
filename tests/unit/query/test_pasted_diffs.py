"""hunks_in: the parts of a diff that a request holds."""

from __future__ import annotations

import pytest

from ctxpack.query.lines import PastedHunk, hunks_in

DIFF = """--- a/app/upload.py
+++ b/app/upload.py
@@ -10,3 +10,4 @@ def upload(batch):
     first
-    old
+    new
+    more
     last
"""
HUNK = PastedHunk("app/upload.py", 11, ("old", "new", "more"))


@pytest.mark.parametrize("after", ["", "- a point\n+ another\n", "```\n- a point\n", "\nSo much for it.\n"])
def test_what_stands_after_a_hunk_is_none_of_its_lines(after: str) -> None:
    assert hunks_in(f"look at this\n{DIFF}{after}") == [HUNK]


def test_each_part_of_each_file_is_a_hunk_of_its_own() -> None:
    second = "@@ -40 +41 @@\n-    x\n+    y\n"
    other = "diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1 +1,2 @@\n keep\n+added\n"
    found = hunks_in(DIFF + second + other)
    assert found == [HUNK, PastedHunk("app/upload.py", 40, ("x", "y")), PastedHunk("b.py", 2, ("added",))]


@pytest.mark.parametrize("text", ["", "the cache of @@ -1", "@@ -1 +1 @@\n-x\n+y\n", "+++ b/a.py\n-x\n+y\n"])
def test_without_a_file_or_a_hunk_there_is_none(text: str) -> None:
    assert hunks_in(text) == []
