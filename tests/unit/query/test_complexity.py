from __future__ import annotations

import pytest

from ctxpack.model import Complexity
from ctxpack.query import query_of_text


@pytest.mark.parametrize(
    ("text", "complexity"),
    [
        ("Uploader.retry", Complexity.SIMPLE),
        ("where is the session cookie signed", Complexity.SIMPLE),
        ("Как работает загрузка?", Complexity.SIMPLE),
        ("why does retry_delay grow", Complexity.SIMPLE),
        ("why do retry_delay and upload_file differ", Complexity.MEDIUM),
        ("events are counted twice when send_with_retry loses an answer", Complexity.MEDIUM),
        ("events are counted twice when send_with_retry loses an answer?", Complexity.SIMPLE),
        ("one\ntwo", Complexity.MEDIUM),
        ("word " * 79, Complexity.MEDIUM),
        ("word " * 80, Complexity.COMPLEX),
        ("Title\n\none\n\ntwo", Complexity.MEDIUM),
        ("Title\r\n\r\none\r\n\r\ntwo\r\n\r\nthree", Complexity.COMPLEX),
        ("Fix this\nin app/a.py, app/b.py and app/c.py", Complexity.COMPLEX),
    ],
)
def test_complexity_is_that_of_the_text(text: str, complexity: Complexity) -> None:
    assert query_of_text(text).complexity is complexity
