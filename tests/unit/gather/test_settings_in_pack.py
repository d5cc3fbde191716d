"""Where a setting is declared that packed code reads: the code has only its key, and the value is in another file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack import Request, Scope, load, pack
from ctxpack.gather.focus import options_named
from ctxpack.understand.request import understand_text
from tests.indexing import opened, write

OTHERS = {f"src/part{number}.ts": f"export function part{number}() {{ return {number} }}\n" for number in range(9)}
ASKED = "how long is the claim of a device valid"
LONG = (
    "the claim of a device has a limit, tell me what happens between the moment somebody scans its sticker and the "
    "moment both owners receive an answer by mail, including queues, workers and retries"
)
JAVA = """package claims;

public class DeviceClaims {
    @Value("${security.claim.duration}")
    private long valid;

    public boolean isClaimOfDeviceValid(long age) {
        return age < valid;
    }
}
"""
YAML = """ui:
  claim:
    duration: 1
security:
  jwt:
    duration: 2
  claim:
    # Whether to allow it
    allowed: true
    # In milliseconds
    duration: "${CLAIM_DURATION:86400000}"
other: 3
"""
FILLER = "".join(f"FILLER_{number}=1\n" for number in range(200))


def reasons_in(root: Path, text: str) -> list[tuple[str, str]]:
    """The path of each piece that declares a setting, and the reason."""
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    found = [each.provenance for each in run.pack.selection.fragments]
    return [(each.path, reason) for each in found for reason in each.reasons if reason.startswith("sets ")]


def function(call: str) -> str:
    return f"def check_claim_of_device(age):\n    return age < {call}\n"


def test_the_declaration_comes_with_its_comment_and_in_its_section(tmp_path: Path) -> None:
    root = write(tmp_path / "root", OTHERS | {"src/DeviceClaims.java": JAVA, "src/main/app.yml": YAML})
    run = pack(Request(Scope.TASK, text=ASKED), load(str(root), {"use_cache": False}))
    pieces = [each for each in run.pack.selection.fragments if each.provenance.path == "src/main/app.yml"]
    assert [(each.provenance.start_line, each.provenance.end_line) for each in pieces] == [(10, 11)]
    assert pieces[0].provenance.reasons == ("sets security.claim.duration",)


@pytest.mark.parametrize(
    ("path", "code", "declaring", "text", "key"),
    [
        ("claims.py", function('os.environ["CLAIM_DURATION"]'), ".env.example", "CLAIM_DURATION=5\n", "CLAIM_DURATION"),
        (
            "claims.py",
            function('os.getenv("CLAIM_DURATION", 5)'),
            ".env.example",
            "# CLAIM_DURATION=5\n",
            "CLAIM_DURATION",
        ),
        (
            "claims.py",
            function("settings.CLAIM_DURATION"),
            "app/settings/base.py",
            "CLAIM_DURATION = 5\n",
            "CLAIM_DURATION",
        ),
        (
            "claims.js",
            "export function checkClaimOfDevice(age) {\n  return age < process.env.CLAIM_DURATION\n}\n",
            ".env.sample",
            "CLAIM_DURATION=5\n",
            "CLAIM_DURATION",
        ),
        (
            "claims.rb",
            "def check_claim_of_device(age)\n  age < ENV.fetch('CLAIM_DURATION')\nend\n",
            "config/settings.yml",
            "CLAIM_DURATION: 5\n",
            "CLAIM_DURATION",
        ),
        (
            "claims.php",
            "<?php\n\nfunction checkClaimOfDevice($age) {\n    return $age < config('device.claim_duration');\n}\n",
            "app/Config/device.php",
            "<?php\n\nreturn [\n    'claim_duration' => 50,\n];\n",
            "device.claim_duration",
        ),
        (
            "claims.go",
            "package claims\n\nfunc checkClaimOfDevice(age int) bool {\n\treturn age < conf.Auth.ClaimDuration\n}\n",
            "conf/app.ini",
            "[other]\nname = 1\n\n[auth]\nCLAIM_DURATION = 5\n",
            "Auth.ClaimDuration",
        ),
        (
            "claims.go",
            'package claims\n\nfunc claimOfDevice(age int) bool {\n\treturn age < viper.GetInt("claim.duration")\n}\n',
            "conf/defaults.go",
            'package conf\n\nfunc setAll() {\n\tviper.SetDefault("claim.duration", 5)\n}\n',
            "claim.duration",
        ),
        (
            "templates/claims.yaml",
            "# the claim of a device\nkind: Deployment\nspec:\n  valid: {{ .Values.claim.duration }}\n",
            "src/values.yaml",
            "claim:\n  # in seconds\n  duration: 5\n",
            "claim.duration",
        ),
    ],
)
def test_a_setting_is_found_by_each_way_to_read_one(
    tmp_path: Path, path: str, code: str, declaring: str, text: str, key: str
) -> None:
    root = write(tmp_path / "root", OTHERS | {"src/Chart.yaml": "", f"src/{path}": code, declaring: text})
    assert (declaring, f"sets {key}") in reasons_in(root, ASKED)


@pytest.mark.parametrize(
    ("asked", "is_found"),
    [
        ("how long is the claim of a device kept", True),
        ("where does it check the claim of a device", True),
        ("where does it check the colour of a claim", False),  # one word of the key
        ("add a test of the claim of a device", False),
    ],
)
def test_a_field_of_settings_in_lower_case_needs_two_words_of_the_request(
    tmp_path: Path, asked: str, *, is_found: bool
) -> None:
    code = "export function check(age) {\n  // the claim of a device\n  return age < config.store.claim.deviceAge\n}\n"
    declared = "export class Defaults {\n  all = {\n    claim: {\n      deviceAge: 5,\n    },\n  }\n}\n"
    root = write(tmp_path / "root", OTHERS | {"src/claims.ts": code, "app/config.ts": FILLER + declared})
    assert (("app/config.ts", "sets store.claim.deviceAge") in reasons_in(root, asked)) is is_found


@pytest.mark.parametrize(
    ("path", "line", "asked"),
    [
        ("src/flags.go", '\tflags.Int64("batch-per-host", 6, "max parallel requests")', True),
        ("src/options.go", '\t// parallel requests of a batch\n\tBatch int `json:"batch"`', True),
        ("docs/options.md", "| `batch` | How many requests of it go out in parallel. | 6 |", True),
        ("docs/options.md", "* `--batch <int>` - How many requests of it go out in parallel.", True),
        ("docs/options.md", "* `the batch` of requests goes out in parallel.", False),
        ("src/config/defaults.py", "    parallel_requests_of_a_batch = 6", True),
        ("src/other.py", "    parallel_requests_of_a_batch = 6", False),  # which may be anything
        ("src/flags.go", '\tflags.Int64("parallel", 6, "of the pool")', False),
        ("changelogs/changelog.yaml", "    parallel: requests of a batch", False),
    ],
)
def test_the_line_that_declares_an_option_comes_alone(tmp_path: Path, path: str, line: str, *, asked: bool) -> None:
    others = "".join(f"\tname{number} := {number}\n" for number in range(50))
    client = "export function sendBatch(requests) {\n  // a batch of requests in parallel\n  return send(requests)\n}\n"
    files = {"src/client.ts": client, path: f"package x\n\nfunc x() {{\n{others}{line}\n{others}}}\n"}
    root = write(tmp_path / "root", OTHERS | files)
    text = "how many requests of a batch go out in parallel by default"
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    found = [
        each
        for each in run.pack.selection.fragments
        if "has most words of the request in one line" in each.provenance.reasons
    ]
    assert [(each.provenance.path, line in each.text) for each in found] == ([(path, True)] if asked else [])


@pytest.mark.parametrize(
    ("line", "comes"),
    [
        ("- **links** - `sendParcelBatch` or others.", False),
        ("- **most** - How many requests `sendParcelBatch` takes.", True),
    ],
)
def test_a_line_with_nothing_but_a_name_of_the_request_declares_no_option(
    tmp_path: Path, line: str, *, comes: bool
) -> None:
    others = "".join(f"- **part{number}** - of something.\n" for number in range(50))
    client = "export function sendParcelBatch(requests) {\n  // how many requests a batch has\n  return 6\n}\n"
    root = write(tmp_path / "root", OTHERS | {"src/client.ts": client, "docs/links.md": f"{others}{line}\n{others}"})
    text = "where does sendParcelBatch decide how many requests go into one batch"
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    reasons = [reason for each in run.pack.selection.fragments for reason in each.provenance.reasons]
    assert ("has most words of the request in one line" in reasons) == comes


@pytest.mark.parametrize("asked", ["which env var turns", "which setting turns", "what config option turns"])
def test_a_variable_that_is_asked_for_comes_from_a_document_and_from_code(tmp_path: Path, asked: str) -> None:
    fields = "".join(f'    Field{number} string `envconfig:"PARCEL_FIELD_{number}"`\n' for number in range(80))
    files = {
        "src/config.go": f"package config\n\ntype Config struct {{\n{fields}"
        '    NoReport bool `envconfig:"PARCEL_NO_USAGE_REPORT"`\n}\n',
        "src/report.go": "package config\n\n// sends the usage report\nfunc usageReport(conf Config) {}\n"
        '\nvar other = "PARCEL_TIMEOUT_USAGE"\n',
        "docs/variables.md": "# Variables\n\n"
        + "Words.\n\n" * 60
        + "## PARCEL_NO_USAGE_REPORT\n\nSends no usage report.\n",
    }
    root = write(tmp_path / "root", OTHERS | files)
    run = pack(
        Request(Scope.TASK, text=f"{asked} the usage report off this time"),
        load(str(root), {"use_cache": False}),
    )
    found = [each for each in run.pack.selection.fragments if "has the variable" in str(each.provenance.reasons)]
    assert not any("PARCEL_TIMEOUT_USAGE" in str(each.provenance.reasons) for each in found)
    assert {each.provenance.path for each in found} == {"docs/variables.md", "src/config.go"}
    assert all("PARCEL_NO_USAGE_REPORT" in each.text for each in found)


def test_code_that_reads_several_variables_comes_whole_with_the_one_that_is_meant(tmp_path: Path) -> None:
    asks = "".join(f"    if step({number}):\n        return None\n" for number in range(20))
    code = (
        f'def find():\n    if os.environ.get("PARCEL_LABEL"):\n        return False\n{asks}'
        '    return os.environ.get("SHIP_TERMINAL")\n'
    )
    label = "".join(f"def label_parcel_{number}(parcel, label):\n    gets(parcel, label)\n\n\n" for number in range(90))
    root = write(tmp_path / "root", OTHERS | {"src/printer.py": f"import os\n\n\n{code}", "src/label.py": label})
    asked = "which env vars say whether a parcel gets a label"
    run = pack(Request(Scope.TASK, text=asked), load(str(root), {"use_cache": False, "budget": "1500"}))
    (found,) = [each for each in run.pack.selection.fragments if "has the variable" in str(each.provenance.reasons)]
    assert found.text.rstrip().endswith(code.rstrip())


def test_a_variable_comes_where_it_gets_its_default_and_where_it_becomes_a_field(tmp_path: Path) -> None:
    def rows(form: str) -> str:
        return "".join(f"    {form.replace('#', str(number))}\n" for number in range(900))

    config = (
        f"const env = z.object({{\n{rows('OTHER_FIELD_#: z.string(),')}    PARCEL_WAIT_SEC: z.number(60),\n}})\n\n"
        f"const settings = env.transform((read) => ({{\n{rows('field#: read.OTHER_FIELD_#,')}"
        "    wait: read.PARCEL_WAIT_SEC,\n}))\n"
    )
    waiting = "// how long a parcel may wait, in seconds (sec)\nfunction parcelMayWait(sec) { return sec }\n"
    root = write(tmp_path / "root", OTHERS | {"src/config.ts": config, "src/wait.ts": waiting})
    asked = "which env var says how many seconds (sec) a parcel may wait"
    run = pack(Request(Scope.TASK, text=asked), load(str(root), {"use_cache": False}))
    found = [each for each in run.pack.selection.fragments if "has the variable" in str(each.provenance.reasons)]
    text = "".join(each.text for each in found)
    assert "PARCEL_WAIT_SEC: z.number(60)" in text
    assert "wait: read.PARCEL_WAIT_SEC" in text


@pytest.mark.parametrize(("count", "shown"), [(30, 30), (60, 4)])
def test_a_declared_list_comes_whole_unless_it_is_long(tmp_path: Path, count: int, shown: int) -> None:
    kinds = "".join(f"  - kind_{number}\n" for number in range(count))
    files = {
        "src/claims.php": "<?php\n\nfunction claimOfDevice($a) {\n    return $a < config('app.claim_duration');\n}\n",
        "config/app.php": "<?php\n\nreturn [\n    'claim_duration' => env('LONGEST_PERIOD', 50),\n];\n",
        "config/env.yml": f"{FILLER.replace('=', ': ')}LONGEST_PERIOD:\n{kinds}",
    }
    root = write(tmp_path / "root", OTHERS | files)
    run = pack(Request(Scope.TASK, text=ASKED), load(str(root), {"use_cache": False}))
    text = "".join(each.text for each in run.pack.selection.fragments if each.provenance.path == "config/env.yml")
    assert text.count("kind_") == shown


def test_a_variable_that_gives_a_setting_its_value_is_found_as_well(tmp_path: Path) -> None:
    files = {
        "src/claims.php": "<?php\n\nfunction claimOfDevice($a) {\n    return $a < config('app.claim_duration');\n}\n",
        "config/app.php": "<?php\n\nreturn [\n    'claim_duration' => env('LONGEST_PERIOD', 50),\n];\n",
        ".env.example": f"{FILLER}# In days\nLONGEST_PERIOD=50\n",
    }
    found = reasons_in(write(tmp_path / "root", OTHERS | files), ASKED)
    assert (".env.example", "sets LONGEST_PERIOD") in found


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("show the claim of a device in the list", function("settings.CLAIM_DURATION")),  # about no value
        (ASKED, function("settings.RETRY_COUNT")),  # of something else
        (ASKED, function("config.claim_duration")),  # which may be any object
        (ASKED, 'def check_claim_of_device(age):\n    return log(`age "${claimDuration}"`)\n'),  # a value
        (  # where a word is shared by chance
            LONG,
            function("settings.CLAIM_DURATION"),
        ),
    ],
)
def test_no_setting_comes_that_nobody_asked_for(tmp_path: Path, asked: str, code: str) -> None:
    declared = "CLAIM_DURATION = 5\nRETRY_COUNT = 3\n"
    files = {"src/claims.py": code, "app/settings.py": declared}
    assert reasons_in(write(tmp_path / "root", OTHERS | files), asked) == []


@pytest.mark.parametrize(
    "declared",
    [
        'public static final String WAIT_CONFIG = "parcel.wait.max.ms";',
        'public static final String WAIT_CONFIG =\n        "parcel.wait.max.ms";',
        'public static final String WAIT_CONFIG = PREFIX + "wait.max.ms";',
    ],
)
def test_a_key_leads_to_its_constant_and_what_gives_it_a_default_and_reads_it(tmp_path: Path, declared: str) -> None:
    others = "".join(f"    int field{number} = {number};\n" for number in range(900))
    files = {
        "src/Names.java": f'class Names {{\n    static final String PREFIX = "parcel.";\n    {declared}\n{others}}}\n',
        "src/Limits.java": f"import static x.Names.WAIT_CONFIG;\nclass Limits {{\n{others}    static Limits ALL = "
        "new Limits()\n        .define(WAIT_CONFIG, Type.INT, 300000);\n}\n",
        "src/Reader.java": f"class Reader {{\n{others}    Reader(Source source) {{\n"
        f"        this.patience = source.getInt(Names.WAIT_CONFIG);\n    }}\n{others}}}\n",
    }
    root = write(tmp_path / "root", OTHERS | files)
    text = "what is the default of parcel.wait.max.ms and what uses it"
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    held = {each.provenance.path: each.text for each in run.pack.selection.fragments}
    assert "WAIT_CONFIG =" in held["src/Names.java"]
    assert "Type.INT, 300000" in held["src/Limits.java"]
    assert "source.getInt(Names.WAIT_CONFIG)" in held["src/Reader.java"]


def test_a_dotted_name_that_is_no_key_leads_nowhere(tmp_path: Path) -> None:
    files = {"src/names.py": 'NAME = "parcel.wait.max.py"\nOTHER = NAME\n'}
    root = write(tmp_path / "root", OTHERS | files)
    text = "what is the default in parcel.wait.max.py or in parcel.wait.least"
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    assert not [each for each in run.pack.selection.fragments if "which names" in str(each.provenance.reasons)]


def test_a_constant_that_code_sets_itself_is_no_variable_of_the_environment(tmp_path: Path) -> None:
    files = {
        "src/style.py": 'STYLE_OF_REPORT = "dim"\n\n\ndef show(report):\n    return STYLE_OF_REPORT + report\n',
        "src/report.py": 'STYLE_FILE = os.environ["REPORT_STYLE_FILE"]\n\n\ndef style(report):\n    return report\n',
    }
    root = write(tmp_path / "root", OTHERS | files)
    run = pack(
        Request(Scope.TASK, text="which env var sets the style of the report"), load(str(root), {"use_cache": False})
    )
    reasons = {reason for each in run.pack.selection.fragments for reason in each.provenance.reasons}
    assert {each for each in reasons if each.startswith("has the variable")} == {"has the variable REPORT_STYLE_FILE"}


def test_a_variable_that_is_called_so_alone_is_not_meant(tmp_path: Path) -> None:
    docs = {"docs/env.md": "# Files\n\nWrite `MY_VAR` into `.env`.\n"}
    code = {"src/source.py": 'def source(env):\n    return env["MY_VAR"]\n'}
    asked = "how do i write my own source so that it comes after the env vars of a report"
    run = pack(Request(Scope.TASK, text=asked), load(str(write(tmp_path / "root", docs | code)), {"use_cache": False}))
    assert not [each for each in run.pack.selection.fragments if "has the variable" in str(each.provenance.reasons)]


def test_an_option_of_one_letter_leads_to_its_long_name(tmp_path: Path) -> None:
    others = "".join(f"# Part {number} does other things.\nx{number} = {number}\n" for number in range(60))
    cases = "".join(
        f'        elif arg in ("-{letter}", "--{letter * 3}"):\n            options.{letter} = "{letter * 9}"\n'
        for letter in "abcdefz"
    ).replace("zzz", "squeeze")
    files = {
        "src/cli.py": f"def parse(args):\n    for arg in args:\n        if not arg:\n            break\n{cases}",
        "src/pipe.py": f"{others}\ndef squeeze_parcel(parcel):\n    return parcel.zip()\n\n\n{others}",
    }
    root = write(tmp_path / "root", OTHERS | files)
    settings = load(str(root), {"use_cache": False})
    run = pack(Request(Scope.TASK, text="what does -z do?"), settings)
    packed = "\n".join(each.text for each in run.pack.selection.fragments)
    assert '("-z", "--squeeze")' in packed
    assert "def squeeze_parcel" in packed
    view = opened(root, tmp_path / "cache")
    query = understand_text("what does -z do?", view, settings)
    assert [(name, file.path, line) for name, file, line in options_named(query, view)] == [
        ("squeeze", "src/cli.py", 17)
    ]
    view.close()
