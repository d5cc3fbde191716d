"""Languages: one record holds all facts of one language, one module the records of a family.

To add a language, add a record to its family (to ``OTHERS`` if only its suffix is known) and a snippet to the tests.
"""

from __future__ import annotations

from ctxpack.parse.languages.record import (
    Language,
    LanguageRole,
    find_language,
    is_example_name,
    is_test_name,
    language_of_name,
    language_of_shebang,
    languages,
    without_test_mark,
)

__all__ = [
    "Language", "LanguageRole", "find_language", "is_example_name", "is_test_name", "language_of_name",
    "language_of_shebang", "languages", "without_test_mark",
]  # fmt: skip
