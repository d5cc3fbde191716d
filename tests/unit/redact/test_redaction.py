from __future__ import annotations

import base64
import random
import re
from dataclasses import replace

import pytest

from ctxpack.model import Kind, Request, Scope
from ctxpack.redact import RedactedSecret, redact
from ctxpack.redact.redaction import is_summary, redact_fragments, redact_patch, redact_request, summary
from ctxpack.redact.rules import Rules
from ctxpack.settings.tables import AllowEntry
from tests.building import piece_of

_DICE = random.Random(11)  # noqa: S311


def _letters(count: int, alphabet: str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") -> str:
    """Made-up key material that begins with a letter and holds a digit; only tests put a prefix before it."""
    return "a7" + "".join(_DICE.choice(alphabet) for _ in range(count - 2))


HEX = "0123456789abcdef"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


@pytest.mark.parametrize(
    ("kind", "secret"),
    [
        ("aws-access-key", "AKIA" + "IOSFODNN7EXAMPLE"),
        ("github-token", "ghp_" + _letters(36)),
        ("github-token", "github_pat_" + _letters(82)),
        ("gitlab-token", "glpat-" + _letters(20)),
        ("slack-token", "xoxb-" + "123456789012-1234567890123-" + _letters(24)),
        ("slack-webhook", "hooks.slack.com/services/" + "T0AAAAAAA/B0AAAAAAA/" + _letters(24)),
        ("stripe-key", "sk_live_" + _letters(24)),
        ("google-key", "AIza" + _letters(35)),
        ("google-token", "GOCSPX-" + _letters(28)),
        ("anthropic-key", "sk-ant-api03-" + _letters(80)),
        ("openai-key", "sk-proj-" + _letters(60)),
        ("openai-key", "sk-" + _letters(48)),
        ("npm-token", "npm_" + _letters(36)),
        ("pypi-token", "pypi-AgEIcHlwaS5vcmc" + _letters(60)),
        ("jwt", "eyJ" + _letters(20) + ".eyJ" + _letters(40) + "." + _letters(43)),
        ("azure-key", "AccountKey=" + _letters(86) + "=="),
        ("azure-key", _letters(3) + "8Q~" + _letters(34)),
        ("twilio-key", "SK" + _letters(32, HEX)),
        ("sendgrid-key", "SG." + _letters(22) + "." + _letters(43)),
        ("telegram-token", "123456789:AA" + _letters(33)),
        ("huggingface-token", "hf_" + _letters(34)),
        ("databricks-token", "dapi" + _letters(32, HEX)),
        ("age-key", "AGE-SECRET-KEY-1" + _letters(58, UPPER).upper()),
        ("age-key", "AGE-SECRET-KEY-PQ-1" + _letters(58, UPPER).upper()),
        ("nats-seed", "SU" + _letters(56, UPPER).upper().replace("A7", "AB")),
    ],
)
@pytest.mark.parametrize("around", ["{}", "key = '{}'\n", "see ({}), and", 'f("{}")', "a: {} # note"])
def test_keys_of_providers_are_taken_out_wherever_they_stand(kind: str, secret: str, around: str) -> None:
    redacted = redact(around.format(secret))
    assert redacted.text == around.format(f"[REDACTED:{kind}]")
    assert redacted.findings == (RedactedSecret(kind, 1),)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('password = "hunter2!"', 'password = "[REDACTED:password]"'),
        ("PASSWORD='correcthorsebattery'", "PASSWORD='[REDACTED:password]'"),
        ('password: str = "s00pers3cret"', 'password: str = "[REDACTED:password]"'),
        ('"db_password": "Xk29!fk"', '"db_password": "[REDACTED:password]"'),
        ("config['password'] = 'Xk29!fk'", "config['password'] = '[REDACTED:password]'"),
        (r"{\"password\": \"Xk29fkq\"}", r"{\"password\": \"[REDACTED:password]\"}"),
        ("'password' => 'Xk29!fk',", "'password' => '[REDACTED:password]',"),
        ('secret := "9f86d081884c7d65"', 'secret := "[REDACTED:secret]"'),
        ("DB_PASSWORD=Xk29!fk", "DB_PASSWORD=[REDACTED:password]"),
        ("export API_KEY=a1b2c3d4e5", "export API_KEY=[REDACTED:api-key]"),
        ("MYSQL_PWD=hunter2x", "MYSQL_PWD=[REDACTED:password]"),
        ("  password: hunter2x", "  password: [REDACTED:password]"),
        ("- admin_password: admin123 # first login", "- admin_password: [REDACTED:password] # first login"),
        ("API_KEY: a1b2-c3d4-e5f6", "API_KEY: [REDACTED:api-key]"),
        ("clientSecret: `Xk29!fkQ`", "clientSecret: `[REDACTED:secret]`"),
        ("aws_secret_access_key = wJalrXUt/K7MD+bPxRfi", "aws_secret_access_key = [REDACTED:access-key]"),
        ("auth_token = 'Am81ywsJ69xObBnuJ2Fb'", "auth_token = '[REDACTED:token]'"),
        ("<password>Xk29!fk</password>", "<password>[REDACTED:password]</password>"),
        ('"Server=db;Uid=sa;Pwd=G0bl1n76;"', '"Server=db;Uid=sa;Pwd=[REDACTED:password];"'),
        ("пароль: x\npassword = 'Пароль2024'", "пароль: x\npassword = '[REDACTED:password]'"),
    ],
)
def test_passwords_in_assignments_are_taken_out(line: str, expected: str) -> None:
    assert redact(line).text == expected


@pytest.mark.parametrize(
    "line",
    [
        'password = ""',
        'password = "password"',
        "password = 'changeme'",
        'api_key = "your-api-key-here"',
        'API_KEY="<your key>"',
        "secret: ${{ secrets.TOKEN }}",
        "password: ${DB_PASSWORD}",
        "PASSWORD=$PASSWORD",
        "password = os.environ['DB_PASSWORD']",
        'password = os.environ["DB_PASSWORD_2"]',
        "password = getpass()",
        "password = getpass.getpass('Password: ')",
        "password = config.password2",
        "password = password2",
        'password: "Enter your password"',
        "password: string;",
        "secret: Sha256Hash",
        "def login(password: str, token: str = '') -> None:",
        "password = None",
        "token = Token.objects.get(key=key)",
        'token = "identifier"',
        'token_type = "bearer_token_type_1"',
        'pad_token = "<|endoftext|>"',
        'password_hash = "9f86d081884c7d659a2feaa0c55ad015"',
        "password = '$2b$12$KIXQ4'",
        'if password == "hunter2":',
        'label = "Password:"',
        '"password": "Passwort ändern"',
        '"forgot-password": "パスワードを忘れましたか？"',
        'password="****"',
        "show = !this.showPassword2",
        '"parse-passwd": "^1.0.0"',
        "password_file = /run/secrets/db_1",
        "secret: /run/secrets/db_1",
        "sha256 = 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKH=="',
        "id = 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "token: 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "https://example.com:8080/path?a=b@c",
        "https://user:pass@example.com",
        "https://user:password@example.com",
        "redis://[[username]:[password]]@localhost:6379/0",
        "postgres://{user}:{password}@{host}/db",
        "redis://:${PASSWORD}@cache",
        "Authorization: Bearer <token>",
        'Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString(auth))',
        "Authorization: Bearer my-made-up-token-123",
        "the bearer of this certificate-of-authority",
        "sk-folding-cube sk-some-very-long-css-class-name-for-a-spinner",
        "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
        'if text.startswith("-----BEGIN PRIVATE KEY-----") or text in known or other:',
        "commit 4ad15b2c9e4a3d9f0c4b1a2e7d8f6a5b3c2d1e0f",
    ],
)
def test_what_is_no_secret_stays(line: str) -> None:
    assert redact(line).text == line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("postgres://app:Xk29fk@db:5432/app", "postgres://app:[REDACTED:url-password]@db:5432/app"),
        ("redis://:Xk29fk@cache", "redis://:[REDACTED:url-password]@cache"),
        ("Authorization: Bearer 9f86d081884c7d659a2f", "Authorization: Bearer [REDACTED:bearer-token]"),
        ("'Authorization': 'Basic bG9naW46cGFzcw=='", "'Authorization': 'Basic [REDACTED:basic-auth]'"),
    ],
)
def test_credentials_of_protocols_are_taken_out(line: str, expected: str) -> None:
    assert redact(line).text == expected


def _pem(label: str) -> list[str]:
    body = base64.b64encode(bytes(range(200))).decode()
    return [
        f"-----BEGIN {label}-----",
        *(body[at : at + 64] for at in range(0, len(body), 64)),
        f"-----END {label}-----",
    ]


@pytest.mark.parametrize("label", ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
def test_a_private_key_is_one_finding_and_keeps_its_lines(label: str) -> None:
    lines = _pem(label)
    redacted = redact("\n".join(["before", *lines, "after"]))
    blank = [""] * (len(lines) - 3)
    assert redacted.text.split("\n") == ["before", lines[0], "[REDACTED:private-key]", *blank, lines[-1], "after"]
    assert redacted.findings == (RedactedSecret("private-key", 3),)


def test_a_private_key_on_one_line_is_found() -> None:
    text = 'KEY = "' + "\\n".join(_pem("PRIVATE KEY")) + '"'
    assert redact(text).text == 'KEY = "-----BEGIN PRIVATE KEY-----[REDACTED:private-key]-----END PRIVATE KEY-----"'


def test_half_of_a_private_key_is_found() -> None:
    lines = _pem("EC PRIVATE KEY")
    first = redact("\n".join(lines[:3]) + "\n\nSome words (of prose) follow.\n").text
    assert first == f"{lines[0]}\n[REDACTED:private-key]\n\n\nSome words (of prose) follow.\n"
    last = redact("\n".join(["x = 1", *lines[-3:]])).text
    assert last == f"x = 1\n[REDACTED:private-key]\n\n{lines[-1]}"


def test_a_provider_key_inside_of_a_password_is_one_finding() -> None:
    text = 'password = "ghp_' + "a1" * 18 + '-and-more!"'
    assert redact(text).text == 'password = "[REDACTED:github-token]"'


def test_the_same_value_has_the_same_placeholder_whatever_name_it_is_given_to() -> None:
    lines = ('password = "Tr0ub4dor&3xyz9"', 'api_key = "k9Xz81LmQq7"', 'client_secret = "Tr0ub4dor&3xyz9"')
    clean = redact("\n".join(lines))
    values = [line.partition(" = ")[2] for line in clean.text.split("\n")]
    assert values == ['"[REDACTED:password]"', '"[REDACTED:api-key]"', '"[REDACTED:password]"']
    assert [each.kind for each in clean.findings] == ["password", "api-key", "password"]


def test_findings_name_their_lines_in_order() -> None:
    redacted = redact('a = 1\npassword = "hunter2!"\n\nkey = "AKIA' + 'IOSFODNN7EXAMPLE"\n')
    assert redacted.findings == (RedactedSecret("password", 2), RedactedSecret("aws-access-key", 4))


@pytest.mark.parametrize(
    "text",
    [
        "password" * 50_000,
        "token=" * 50_000,
        "://a:" * 50_000,
        "-----BEGIN PRIVATE KEY-----" * 5_000,
        "eyJa" * 50_000,
        "secret = " + " " * 200_000,
        "AKIA" * 50_000,
        "password: '" + "\\" * 200_000,
        "A" * 200_000 + "-----END PRIVATE KEY-----",
        'API_TOKEN = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz=="',
        f'API_TOKEN = "{"a_" * 200}=="',
        f'password = "{"a - " * 120}="',
    ],
)
def test_hostile_texts_take_linear_time(text: str) -> None:
    assert redact(text).text.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("password: yamlS3cret1", "password: [REDACTED:password]"),
        ("password: Sunshine  # of the demo", "password: [REDACTED:password]  # of the demo"),
        ("DB_PASSWORD=Abc123xyz\r", "DB_PASSWORD=[REDACTED:password]\r"),
        ("#DB_PASSWORD=Abc123xyz", "#DB_PASSWORD=[REDACTED:password]"),
        ("spring.datasource.password=hunter", "spring.datasource.password=[REDACTED:password]"),
        ("//registry.example/:_authToken=abcd1234efgh", "//registry.example/:_authToken=[REDACTED:token]"),
        ("{user: bob, password: s3cretA}", "{user: bob, password: [REDACTED:password]}"),
        ("password: c2Vjc" + "mV0dmFsdWU=", "password: [REDACTED:password]"),
    ],
)
def test_an_unquoted_value_is_a_secret_in_data_and_a_variable_in_code(line: str, expected: str) -> None:
    redacted = redact(line, is_data=True)
    assert redacted.text == expected
    assert redact(redacted.text, is_data=True).findings == ()
    assert redact("password = yamlS3cret1").findings == ()


@pytest.mark.parametrize(
    "line",
    [
        "password: ${DB_PASSWORD}", "password: <your password>", "password: changeme", "password: true",
        "password: null", "password: ./key.pem", "password = var.database", "password: Пароль",
        "secret: my-tls-secret", "token: gpt2", "max_tokens: 128000", "password:\n  type: string",
        "secrets: inherit",
    ],
)  # fmt: skip
def test_what_stands_in_the_place_of_a_value_stays_in_data(line: str) -> None:
    assert redact(line, is_data=True).text == line


@pytest.mark.parametrize(
    ("kind", "language", "leaks"),
    [
        (Kind.CONFIG, "yaml", False),
        (Kind.CODE, "yaml", False),
        (Kind.CONFIG, "helm", False),
        (Kind.TEST, "ini", False),
        (Kind.CONFIG, "", False),
        (Kind.CONFIG, "javascript", True),
        (Kind.CODE, "python", True),
    ],
)
def test_the_language_of_a_piece_says_whether_it_is_data(kind: Kind, language: str, *, leaks: bool) -> None:
    piece = piece_of("password: yamlS3cret1\n", "a", kind=kind, language=language)
    (clean,), removed = redact_fragments([piece])
    assert ("yamlS3cret1" in clean.text, not removed) == (leaks, leaks)


def test_one_sentence_tells_of_the_secrets_that_shown_pieces_lack() -> None:
    texts = {"a.yaml": "password: yamlS3cret1\nx: 1\npassword: yamlS3cret2\n", "b.yaml": "password: yamlS3cret3\n"}
    pieces = [piece_of(text, path, kind=Kind.CONFIG, language="yaml") for path, text in texts.items()]
    one, other = pieces
    _, removed = redact_fragments([one, one, other])
    assert summary(removed, [one, other]) == "Redacted: 3 × password in 2 files."
    assert summary(removed, [one]) == "Redacted: 2 × password in a.yaml."
    last = replace(one, provenance=replace(one.provenance, start_line=3))
    assert summary(removed, [last]) == "Redacted: 1 × password in a.yaml."
    assert summary(removed, []) == ""


def test_what_the_allow_list_lets_stay_is_told_unless_it_went_with_something_else() -> None:
    """By kind and place as well, and once, although what is near a mark is looked at again."""
    text = 'password = "kept-Zx81-hunter"\npassword = "gone-Qm72-hunter"\n'
    rules = Rules(allowed=(AllowEntry("an example", value="kept-*"),))
    pieces = [piece_of(text, "a.yaml", kind=Kind.CONFIG), piece_of(text[:30], "b.yaml", kind=Kind.CONFIG)]
    clean, removed = redact_fragments(pieces, rules)
    assert clean[0].text == 'password = "kept-Zx81-hunter"\npassword = "[REDACTED:password]"\n'
    assert summary(removed, pieces) == (
        "Redacted: 1 × password in a.yaml. Not redacted, by the allow-list: 2 × password in 2 files."
    )
    assert summary(removed, pieces[1:]) == "Not redacted, by the allow-list: 1 × password in b.yaml."
    assert is_summary(summary(removed, pieces[1:]))
    patch = "@@ -1 +1,2 @@\n" + "".join(f"+{line}\n" for line in text.splitlines())
    told = redact_patch(patch, "a.yaml", Kind.CONFIG, rules)
    assert ([each.line for each in told.findings], [each.line for each in told.kept]) == ([3], [2])
    whole = Rules(allowed=(AllowEntry("the name only", kind="password"),))
    gone = redact('password = "AKIA' + 'Q3EGRTYU7ZPLMN2X"', rules=whole)
    assert (gone.text, gone.kept) == ('password = "[REDACTED:aws-access-key]"', ())


def test_a_request_is_shown_with_marks_and_searched_without_its_secrets() -> None:
    request = Request(Scope.TASK, text="login fails with DB_PASSWORD=Abc123xyz set\npassword: yamlS3cret1\n")
    shown, asked = redact_request(request)
    assert "[REDACTED:password]" in shown.text
    assert not {"yamlS3cret1", "Abc123xyz"} & set(re.findall(r"\w+", shown.text + asked.text))
    assert "set" in asked.text
    assert "REDACTED" not in asked.text
    assert redact_request(request, Rules(secrets=False)) == (request, request)


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
