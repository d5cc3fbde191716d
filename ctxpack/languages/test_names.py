"""How test files are called: styles that languages share, and names without what marks them as tests."""

from __future__ import annotations

import re

BEFORE = r"tests?[_-].+"  # test_store.py
AFTER = r"(?:.*[_-])?(?:tests?|unittest)"  # store_test.go
SPEC = r".+[_-]spec"  # store_spec.rb
DOTTED = r".+\.(?:test|spec|cy|e2e|bench|test-d)"  # store.test.ts
CAMEL = r".*[a-z0-9](?:Tests?|IT|Specs?)"  # StoreTest.java

_MARK_BEHIND = r"(?:(?<=[a-z0-9])(?:Tests?|TestCase|Specs?|IT)|[._-](?:unit[._-])?(?:tests?|specs?))$"
_MARK_BEFORE = r"^(?:tests?[._-]|Test(?=[A-Z]))"


def without_test_mark(stem: str) -> str:
    """Return the stem of a test's name without what marks it as one: ``QueueTest`` → ``Queue``; itself if nothing."""
    return re.sub(f"{_MARK_BEHIND}|{_MARK_BEFORE}", "", stem) or stem
