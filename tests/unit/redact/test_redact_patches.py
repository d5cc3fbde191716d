from __future__ import annotations

from ctxpack.model import Kind
from ctxpack.redact.redaction import redact_patch

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def test_secrets_go_from_added_removed_and_unchanged_lines() -> None:
    patch = f'@@ -1,2 +1,2 @@\n token = "{TOKEN}"\n-old = "{TOKEN}"\n+new = "{TOKEN}"\n'
    clean = redact_patch(patch, "a.py", Kind.CODE)
    assert TOKEN not in clean.text
    assert [line[:1] for line in clean.text.split("\n")] == [line[:1] for line in patch.split("\n")]
    assert [finding.line for finding in clean.findings] == [2, 3, 4]


def test_values_of_data_files_are_secrets_behind_their_marks() -> None:
    clean = redact_patch(
        "@@ -1 +1 @@\n-password: hunter2hunter2\n+password: correcthorsebattery9\n", "a.yaml", Kind.CONFIG
    )
    assert "hunter2" not in clean.text
    assert "horse" not in clean.text
    assert clean.text.startswith("@@ -1 +1 @@\n-password: [REDACTED:")


def test_a_key_that_only_one_side_has_whole_is_found() -> None:
    rows = [f"{number:02}" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY" for number in range(4)]
    patch = "\n".join([
        "@@ -1,5 +1,6 @@", " -----BEGIN RSA PRIVATE KEY-----", *(f"+{row}" for row in rows), "-nothing yet",
        " -----END RSA PRIVATE KEY-----", "",
    ])  # fmt: skip
    clean = redact_patch(patch, "k.txt", Kind.DATA)
    assert "QUJD" not in clean.text
    assert "-nothing yet" in clean.text
    assert clean.text.count("\n") == patch.count("\n")


def test_what_is_no_secret_stays_to_the_letter() -> None:
    patch = (
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ f\n a\n\n-b\n+c\n\\ No newline at end of file\n⋯ 1 hunk is not shown, +2\n"
    )
    assert redact_patch(patch, "x.py", Kind.CODE).text == patch
