"""Kinds, languages and traits."""

from __future__ import annotations

import codecs

import pytest

from ctxpack.discover import discover
from ctxpack.discover.reading import classify, sniff
from ctxpack.discover.traits import (
    is_completion,
    is_entry_point,
    is_on_structure,
    is_record,
    is_way_in,
    tells_structure,
)
from ctxpack.model import Kind, Trait
from ctxpack.parse.languages import language_of_name, language_of_shebang
from tests.unit.discover.making import Make, Wish

KINDS = {
    Kind.README: ["README.md", "readme", "docs/README.MD", "README.ru.md", "tests/README.md"],
    Kind.SPEC: ["docs/specs/search.md", "rfcs/0001-x.md", "EIPS/eip-20.md", "peps/pep-0008.rst", "a/auth.spec.md",
                "docs/adr/0001-use-x.md", "openapi.yaml"],
    Kind.WIKI: ["docs/wiki/home.md", "project.wiki/Home.md", "page.wiki"],
    Kind.RUNBOOK: ["runbooks/db.md", "ops/deploy-runbook.md", "docs/playbooks/x.md"],
    Kind.DOC: ["analysis/sales.ipynb", "docs/guide.rst", "docs/intro.txt", "CHANGELOG.md", "LICENSE", "doc/tool.1",
               "src/notes.md", "src/changes/changes.xml", "src/site/xdoc/index.xml"],
    Kind.CODE: ["a.py", "contest.py", "src/attest.go", "src/_pytest/python.py", "Lib/unittest/case.py", "setup.py",
                "latest.js", "src/testable/run.go",
                "web/index.html", "main.tf", "testing.py", "src/testing/tools.py", "src/parse.y",
                "src/Contests/List.cs",
                "g/Expr.g4", "web/list.jsp", "src/setup.py.in", "src/core/core.config.js",
                "src/app/app.config.ts", "src/templates/mail.txt"],
    Kind.TEST: ["features/search.feature", "features/step_definitions/search.rb", "features/step_definitions.rb",
                "tests/helpers.py", "test_a.py", "a_test.go", "src/a.spec.ts", "src/AppTest.java",
                "src/test/java/Base.java", "spec/a_spec.rb", "__tests__/a.js", "test/x.js", "tests/cfg.yaml",
                "t/t0001-init.sh", "src/b.test.tsx", "pkg/testdata/x.go", "conftest.py",
                "src/IntegrationTests/Maps/Nested.cs", "Tests/AppUITests/Start.swift",
                "internal/testutils/fields.go", "src/test-helpers/server.ts", "src/compile_fail/race.rs",
                "tests/playbooks/when.yml.md"],
    Kind.CONFIG: ["deploy/app.yaml.tpl", ".env.example",
                  "pyproject.toml", "Dockerfile", "Dockerfile.dev", ".github/workflows/ci.yml", "Makefile",
                  "package.json", "requirements-dev.txt", "CMakeLists.txt", "vite.config.ts", "docs/conf.py",
                  "app/settings.yaml", "pom.xml", "src/dune", "store.cabal", "rebar.config", "cpanfile", "DESCRIPTION"],
    Kind.CONVENTIONS: ["AGENTS.md", "CLAUDE.md", "sub/AGENTS.md", "CONTRIBUTING.rst", ".cursorrules", "CODEOWNERS",
                       ".github/copilot-instructions.md", ".cursor/rules/a.mdc", "docs/style-guide.md"],
    Kind.DEPENDENCY_MAP: ["docs/dependency-map.md", "dependencies.md", "deps.md", "api.deps.md",
                          "dependency_map.json"],
    Kind.DATA: ["data/x.csv", "locale/ru/LC_MESSAGES/django.po", "logo.svg", "fixtures/users.json", "dump.sql",
                "db/changelog.xml",
                "src/words.txt", "public/language/ru/admin/settings/chat.json", "pkg/testdata/x.json"],
}  # fmt: skip


@pytest.mark.parametrize(("path", "kind"), [(path, kind) for kind, paths in KINDS.items() for path in paths])
def test_kind(path: str, kind: Kind) -> None:
    assert classify(path, b"", {})[0] is kind


def test_folders_called_test_are_judged_by_what_they_hold(repo: Make, settings: Wish) -> None:
    root = repo(
        dict.fromkeys(
            ["django/__init__.py", "django/test/__init__.py", "django/test/client.py", "testing/test_a.py",
             "testing/base.py", "numpy/__init__.py", "numpy/testing/__init__.py", "lib/x/test/test_y.py",
             "lib/x/test/support.py", "web/playwright/login.spec.ts", "web/playwright/setup.ts",
             "src/playwright/run.ts"],
            "",
        )
    )  # fmt: skip
    tests = [file.path for file in discover(settings(root)).files if file.kind is Kind.TEST]
    assert tests == ["lib/x/test/support.py", "lib/x/test/test_y.py", "testing/base.py", "testing/test_a.py",
                     "web/playwright/login.spec.ts", "web/playwright/setup.ts"]  # fmt: skip


def test_what_builds_a_package_within_the_product_is_configuration(repo: Make, settings: Wish) -> None:
    paths = [
        "src/mail/package.json",
        "src/mail/tailwind.config.js",
        "src/mail/src/look.config.js",
        "web/vite.config.ts",
    ]
    kinds = {file.path: file.kind for file in discover(settings(repo(dict.fromkeys(paths, "")))).files}
    assert kinds == dict.fromkeys(paths, Kind.CONFIG) | {"src/mail/src/look.config.js": Kind.CODE}


def test_templates_and_values_of_a_chart_are_its_code(repo: Make, settings: Wish) -> None:
    paths = ["c/mill/Chart.yaml", "c/mill/values.yaml", "c/mill/templates/a.yaml", "c/mill/templates/b/c.yaml",
             "c/mill/templates/_helpers.tpl", "c/mill/ci/values.yaml", "web/templates/a.yaml",
             "web/values.yaml"]  # fmt: skip
    files = discover(settings(repo(dict.fromkeys(paths, "a: 1\n")))).files
    code = [file.path for file in files if file.kind is Kind.CODE]
    assert code == ["c/mill/templates/a.yaml", "c/mill/templates/b/c.yaml", "c/mill/values.yaml"]


def test_tasks_and_values_of_a_role_are_its_code_and_what_tries_it_a_test(repo: Make, settings: Wish) -> None:
    code = ["roles/mill/defaults/main.yml", "roles/mill/handlers/main.yml", "roles/mill/tasks/main.yml",
            "roles/mill/tasks/part/wheel.yaml", "roles/mill/vars/Debian.yml"]  # fmt: skip
    tests = ["molecule/mill/converge.yml", "molecule/mill/molecule.yml"]
    others = ["roles/mill/meta/main.yml", "site.yml", "web/tasks/a.yml", "web/vars/b.yml"]
    files = discover(settings(repo(dict.fromkeys([*code, *tests, *others], "a: 1\n")))).files
    assert [file.path for file in files if file.kind is Kind.CODE] == code
    assert [file.path for file in files if file.kind is Kind.TEST] == tests


@pytest.mark.parametrize(("others", "kind"), [(2, Kind.CODE), (5, Kind.CONFIG)])
def test_terraform_beside_much_other_code_configures_it(repo: Make, settings: Wish, others: int, kind: Kind) -> None:
    paths = ["iac/main.tf", "iac/bucket.tf", *(f"src/part{number}.py" for number in range(others))]
    files = discover(settings(repo(dict.fromkeys(paths, "")))).files
    assert {file.kind for file in files if file.path.endswith(".tf")} == {kind}


def test_configured_kinds_come_first() -> None:
    assert classify("docs/specs/a.md", b"", {"wiki": ("docs/specs/",)})[0] is Kind.WIKI


@pytest.mark.parametrize(
    ("path", "trait"),
    [
        ("package-lock.json", Trait.LOCK),
        ("app/app.iml", Trait.GENERATED),
        (".idea/modules.xml", Trait.GENERATED),
        ("sub/Cargo.lock", Trait.LOCK),
        ("api_pb2.py", Trait.GENERATED),
        ("src/App.sln", Trait.GENERATED),
        (".rubocop_todo.yml", Trait.GENERATED),
        ("phpstan-baseline.neon", Trait.GENERATED),
        ("x/api.pb.go", Trait.GENERATED),
        ("dist/app.js", Trait.GENERATED),
        ("single_include/store/json.hpp", Trait.GENERATED),
        ("extras/store_amalgamated.hpp", Trait.GENERATED),
        ("_site/readme/index.html", Trait.GENERATED),
        ("docs/.generated/warnings.md", Trait.GENERATED),
        ("target/classes/app.properties", Trait.GENERATED),
        ("target/x86_64-unknown-linux-gnu/debug/out.rs", Trait.GENERATED),
        ("target/scala-2.13/App.scala", Trait.GENERATED),
        ("target/effective.xml", Trait.GENERATED),
        ("model.g.dart", Trait.GENERATED),
        ("vendor/a/b.go", Trait.VENDORED),
        ("pip/_vendor/x.py", Trait.VENDORED),
        ("external-crates/client/src/lib.rs", Trait.VENDORED),
        ("third_party_libs/zlib/inflate.c", Trait.VENDORED),
        ("docs/js/typeahead.jquery.js", Trait.VENDORED),
        ("gradlew", Trait.VENDORED),
        ("sub/mvnw.cmd", Trait.VENDORED),
        ("site/search/lunr.js", Trait.VENDORED),
        ("revdep/problems.md", Trait.GENERATED),
        ("tests/testthat/_snaps/sort.md", Trait.GENERATED),
        ("docs/docsets/Uploader.docset/Contents/index.html", Trait.GENERATED),
        ("deps/lua/src/lua.c", Trait.VENDORED),
        ("public/language/ru/admin/settings/chat.json", Trait.TRANSLATION),
        ("static/jquery-3.7.1.min.js", Trait.VENDORED),
        ("web/scripts/avatars-3.3.0.js", Trait.VENDORED),
        ("web/datatables.css", Trait.VENDORED),
        ("include/log/fmt/bundled/core.h", Trait.VENDORED),
        ("static/app.min.js", Trait.MINIFIED),
        ("examples/a.py", Trait.EXAMPLE),
        ("zip/example_test.go", Trait.EXAMPLE),
        ("zip/example_reader_test.go", Trait.EXAMPLE),
        ("man_examples_test.go", Trait.EXAMPLE),
        ("examples/README.md", Trait.EXAMPLE),
        ("docs_src/tutorial/a.py", Trait.EXAMPLE),
        ("benchmarks/a.py", Trait.EXAMPLE),
        ("benchmark/src/a.rs", Trait.EXAMPLE),
        ("src/benchmarks/a.rs", Trait.EXAMPLE),
        ("sandbox/lib/a.js", Trait.EXAMPLE),
        ("samples/shop/src/main/java/org/shop/Cart.java", Trait.EXAMPLE),
        ("example_packages/hello/app/main.f90", Trait.EXAMPLE),
        ("libs/cli/js-monorepo-example/app.ts", Trait.EXAMPLE),
        ("uv-examples/a.py", Trait.EXAMPLE),
        ("_examples/basic/basic.go", Trait.EXAMPLE),
        ("rayon-demo/src/main.rs", Trait.EXAMPLE),
        ("crates/core-bench/src/lib.rs", Trait.EXAMPLE),
        ("src/Store.Benchmarks/Put.cs", Trait.EXAMPLE),
        ("Store.Samples/Program.cs", Trait.EXAMPLE),
        ("tools/flow_examples/a.py", Trait.EXAMPLE),
        ("build/static/js/main.js", Trait.GENERATED),
        ("build/index.html", Trait.GENERATED),
        ("locale/ru/x.po", Trait.TRANSLATION),
        ("src/i18n/de.json", Trait.TRANSLATION),
        ("README.zh-CN.md", Trait.TRANSLATION),
    ],
)
def test_traits_of_paths(path: str, trait: Trait) -> None:
    assert trait in classify(path, b"", {})[2]


@pytest.mark.parametrize(
    "path",
    [
        "src/app.py",
        "src/benchmark/executor.rs",
        "packages/js/src/sandbox/index.js",
        "app/experiments/flags.rb",
        "src/build/tool.py",
        "src/external-packages/list.ts",
        "external-dns/main.go",
        "build/validate-exports.ts",
        "Build/multiarch/create.ps1",
        "target/bin/setquota",
        "target/scripts/startup/setup.sh",
        "README.md",
        "app/i18n/loader.py",
        "sample.py",
        "src/main/java/org/acme/samples/Cart.java",
        "app/src/main/kotlin/demo/Main.kt",
        "core/src/main/proto/com/acme/samples/store.proto",
        "lib/mix/tasks/phx.gen.ex",
        "shop_example/till.py",
        "src/shop_example/till.py",
    ],
)
def test_ordinary_paths_have_no_traits(path: str) -> None:
    assert classify(path, b"", {})[2] == ()


@pytest.mark.parametrize(
    "head",
    [
        b"# Generated by Django 5.2 on 2025-01-01\n",
        b"// Code generated by protoc-gen-go. DO NOT EDIT.\n",
        b"/* This file was automatically generated by SWIG */\n",
        b"# @generated\n",
        b"/* A Bison parser, made by GNU Bison 3.0.4.  */\n",
        b'#line 2 "lexer.c"\n\n/* A lexical scanner generated by flex */\n',
        b"# AUTOGENERATED: do not edit by hand\n",
    ],
)
def test_generated_headers(head: bytes) -> None:
    assert sniff(head, "python", is_whole=True).traits == (Trait.GENERATED,)


@pytest.mark.parametrize(
    ("language", "head", "is_made"),
    [
        ("hcl", b'output "storage_bucket_tfer--flour_id" {\n  value = storage_bucket.tfer--flour.id\n}\n', True),
        ("typescript", b'const completion: Fig.Spec = {\n  name: "mill",\n', True),
        ("typescript", b"const completion: Row = {\n};\n// const completion: Fig.Spec\n", False),
        ("hcl", b'output "flour_id" {\n  value = storage_bucket.tfer--flour.id\n}\n', False),
        (
            "yaml",
            b"{{- /*\nGenerated from 'mill' group\nDo not change in-place!\n*/ -}}\n{{- if .Values.mill }}\n",
            True,
        ),
        ("yaml", b"{{- /* Sets up the mill */ -}}\n# Generated by the mill\n{{- if .Values.mill }}\na: 1\n", False),
        (
            "yaml",
            b"kind: Definition\nmetadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.21.0\n",
            True,
        ),
        ("yaml", b"kind: Task\nmetadata:\n  annotations:\n    note: controller-gen.kubebuilder.io/version\n", False),
    ],
)
def test_resources_that_a_program_wrote_are_generated(language: str, head: bytes, *, is_made: bool) -> None:
    assert (Trait.GENERATED in sniff(head, language, is_whole=True).traits) is is_made


@pytest.mark.parametrize(
    ("head", "is_made"),
    [
        (b'.\\" DO NOT MODIFY THIS FILE!  It was generated by help2man 1.49.\n.TH TOOL "1"\n', True),
        (b'\'\\" t\n.\\"     Title: tool\n.\\" Generator: DocBook XSL\n.TH TOOL 1\n', True),
        (b'.\\" Man page generated from reStructuredText\n.TH TOOL 1\n', True),
        (b'.ig\nThe MIT License (MIT)\n..\n.TH fzf 1 "Aug 2026"\n.SH NAME\nfzf - generated lists\n', False),
        (b'.\\" Copyright 2026\n.TH TOOL 1\n.SH NAME\ntool\n', False),
    ],
)
def test_pages_of_a_manual_are_generated_where_they_say_so(head: bytes, *, is_made: bool) -> None:
    kind, language, found = classify("man/man1/tool.1", head, {})
    assert (kind, language, found) == (Kind.DOC, "man", (Trait.GENERATED,) if is_made else ())


@pytest.mark.parametrize(
    ("head", "is_made"),
    [
        (b'<meta name="generator" content="Docutils 0.21">', True),
        (b'<script>localStorage.getItem("dokka-dark-mode")</script>', True),
        (b'<link rel="stylesheet" href="../css/jazzy.css" />', True),
        (b"<!-- Generated by javadoc (21) on Mon -->", True),
        (b'<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.5">', True),
        (b'<meta name="generator" content="mkdocs-{{ mkdocs_version }}">', False),
        (b'<meta name="generator" content="Hexo <%= version %>">', False),
        (b"<p>How javadoc and sphinx make pages</p>", False),
    ],
)
def test_pages_that_a_program_made_are_generated(head: bytes, *, is_made: bool) -> None:
    found = classify("docs/api/upload.html", b"<!doctype html>\n<html>\n" + head, {})[2]
    assert found == ((Trait.GENERATED,) if is_made else ())


@pytest.mark.parametrize(
    "head",
    [
        b"<!-- This file is generated by scripts/messages.js. Do not edit! -->\n\n### no_room\n",
        b"---\ntitle: Parcels\n---\n# Parcels\n\n<!-- Code generated by gomarkdoc. DO NOT EDIT -->\n\nText\n",
        b"---\n# generated by https://example.org/docs\npage_title: Parcels\n---\n\n# Parcels\n",
        b"\n\n[comment]: # (This file is automatically generated)\n\nText\n",
        b"[Docs](../../index.md) / [shop](../index.md) / send\n\n# Function: send()\n\n> **send**(): `void`\n",
        b"[Docs](../index.md) / shop\r\n\r\n# shop\r\n\r\n## Index\r\n\r\n### Functions\r\n",
        b"# Variable: LIMIT\n\n> `const` **LIMIT**: `10` = `10`\n\nDefined in: [a.ts:3](a.ts)\n",
        b"**Docs of us** \xe2\x80\xa2 **Docs**\n\n***\n\n# Docs of us\n",
        b"## shop send\n\nSend it\n\n### Options inherited from parent commands\n\n```\n  --dry\n```\n",
        b"## shop send\n\n### SEE ALSO\n\n* [shop](shop.md)\t - A shop\n",
        b"<a name='Shop'></a>\n\n## Shop\n**Kind**: global class\n",
        b'# Protocol Documentation\n<a name="top"></a>\n\n## Table of Contents\n',
        b"# \\ShopApi\n\nAll URIs are relative to *http://localhost*\n",
        b"<!-- markdownlint-disable -->\n\n# <kbd>module</kbd> `shop`\n",
        b"//[shop](../index.md)/[org.shop](index.md)\n\n# Package org.shop\n",
        b'<a id="shop.store"></a>\n\n# shop.store\n\nKeeps parcels.\n',
        b'# <a id="Shop_Store"></a> Class Store\n\nNamespace: Shop\n',
        b"# store\n\n## Index\n\n- [func Open\\(path string\\)](<#Open>)\n",
        b"shop.store package\n==================\n\nSubmodules\n----------\n\n.. automodule:: shop.store\n",
    ],
)
def test_documents_that_a_program_wrote_are_generated(head: bytes) -> None:
    assert classify("docs/api/parcel.md", head, {})[2] == (Trait.GENERATED,)
    assert classify("README.md", head, {})[2] == ()


@pytest.mark.parametrize(
    "head",
    [
        b"# Parcels\n\nThis page is generated by hand. Do not edit it in a hurry.\n",
        b"<!-- START doctoc generated TOC -->\n<!-- DON'T EDIT THIS SECTION -->\n\n- [A](#a)\n",
        b"<!-- Do not edit below this line -->\n\nText\n",
        b"---\ntitle: How the code is generated by us\n---\n\nText\n",
        b"# Notices\n\n```md\n<!-- This file is generated by us -->\n```\n",
        b"<!-- {{ notice }} -->\n<!-- Code generated by {{ .Tool }}. DO NOT EDIT. -->\n",
        b"[Home](index.md) / Guide\n\n# Guide\n\nHow to send.\n",
        b"# Function: what it is\n\nA function gives back a value.\n",
        b"shop package\n============\n\nHow it is built.\n",
    ],
)
def test_documents_about_generation_are_not_generated(head: bytes) -> None:
    assert classify("docs/api/parcel.md", head, {})[2] == ()


@pytest.mark.parametrize(
    "head",
    [
        b"import generated\n",
        b"x = 'the report is generated by us'\n",
        b"# see regenerate\n",
        b"import re\n\nHEADER = '\\\n# This file is auto-generated by update.py. Do not edit.\n'\n",
        b"say('do not edit')\n",
        b"# Do not edit this file unless you are happy to maintain the changes yourself.\n",
        b"module Puma\n  # Every code.\n  # Generated with:\n  # curl codes\n  CODES = {}\n",
        b"class A {\n    /**\n     * Auto-generated by Eclipse.\n     */\n    static final long ID = 1L;\n}\n",
    ],
)
def test_words_about_generation_are_not_headers(head: bytes) -> None:
    assert sniff(head, "python", is_whole=True).traits == ()


@pytest.mark.parametrize(
    ("language", "head"),
    [
        (
            "puppet",
            b"# This file is generated automatically by Puppet - DO NOT EDIT\n<%- if $file { -%>\nfile <%= $file %>\n",
        ),
        ("go", b"// Code generated by {{ .Tool }}. DO NOT EDIT.\npackage {{ .Name }}\n"),
        ("go", b"// Code generated by mill. DO NOT EDIT.\n\n// This file wraps {{.Name}}.\npackage wraps\n"),
        ("rust", b"// Code generated by mill. DO NOT EDIT.\n{{range .Types}}\nstruct {{.}};\n{{end}}\n"),
    ],
)
def test_a_template_is_not_what_it_makes(language: str, head: bytes) -> None:
    assert sniff(head, language, is_whole=True).traits == ()


@pytest.mark.parametrize(
    ("head", "is_made"),
    [
        (b"var App = (() => {\n  var __defProp = Object.defineProperty;\n", True),
        (b'"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\n', True),
        (b"/******/ (() => { // webpackBootstrap\n", True),
        (b"export function define(exports) {\n  return exports;\n}\n", False),
    ],
)
def test_what_a_bundler_wrote_is_generated(head: bytes, is_made: bool) -> None:  # noqa: FBT001 -- a row of a table
    assert (Trait.GENERATED in sniff(head, "javascript", is_whole=True).traits) is is_made


def test_binary_and_utf_16() -> None:
    assert sniff(b"abc\0", "", is_whole=True).skip_reason == "binary"
    assert sniff(codecs.BOM_UTF16_LE + "hello".encode("utf-16-le"), "", is_whole=True).skip_reason == ""
    signature = b"-----BEGIN PGP SIGNATURE-----\n\niQIzBAABCAAdFiEE\n-----END PGP SIGNATURE-----\n"
    assert sniff(signature, "asciidoc", is_whole=True).skip_reason == "a PGP signature or key"
    assert sniff(b"= Verify\n\n" + signature, "asciidoc", is_whole=True).skip_reason == ""


@pytest.mark.parametrize(
    ("path", "top", "is_foreign"),
    [
        ("web/static/grid.js", "/*\n * Built of:\n *   Grid 2.3.8\n */\n\n/*! © Grid Ltd */\n", True),
        ("web/src/grid.js", "/*! Grid v2.3.8 | MIT License */\n", False),
        ("web/static/admin.js", "/*! The admin page. MIT License */\n", False),
        ("web/static/admin.js", "/**\n * @version 1.2.3\n * @license MIT\n */\n", False),
        ("web/static/admin.js", 'const version = "1.2.3";  /* MIT License */\n', False),
    ],
)
def test_a_release_of_a_library_among_the_scripts_of_a_site_is_vendored(
    path: str,
    top: str,
    is_foreign: bool,  # noqa: FBT001 -- a row of a table
    repo: Make,
    settings: Wish,
) -> None:
    root = repo({path: top + "let a = 1;\n" * 1_000})
    (file,) = discover(settings(root)).files
    assert (Trait.VENDORED in file.traits) is is_foreign


def test_minified_by_content() -> None:
    assert sniff(b"a=1;" * 2000, "javascript", is_whole=False).skip_reason.startswith("minified")
    assert sniff((b"a=1;" * 200 + b"\n") * 3, "javascript", is_whole=True).traits == (Trait.MINIFIED,)
    assert sniff(b"a" * 8000, "python", is_whole=True).skip_reason == ""
    assert sniff(b"long words " * 700, "markdown", is_whole=True).skip_reason == ""


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", "python"), ("a.tsx", "tsx"), ("A.CS", "csharp"), ("Module.bsl", "bsl"), ("main.os", "bsl"),
        ("Makefile", "make"), ("Dockerfile.dev", "dockerfile"), ("a.h", "c"), ("x.unknown", ""), ("noext", ""),
        ("a.mm", "objectivec"), ("a.rst", "restructuredtext"), (".gitignore", "ignore"), ("a.proto", "protobuf"),
        ("a.kts", "kotlin"), ("a.zig", "zig"), ("Cargo.lock", "toml"),
        ("zshrc.zsh-template", "bash"), ("config.php-dist", "php"),
        ("app.yaml.tpl", "yaml"),
        ("auth.ex.eex", "elixir"), ("show.html.erb", "html"), ("nginx.conf.j2", "html"), ("user.rb.tt", "ruby"),
        ("guide.html.md.erb", "markdown"), ("list.html.ep", "html"), ("store.schema", "erlang"), ("store.opam", "opam"),
    ],
)  # fmt: skip
def test_language_of_names(name: str, language: str) -> None:
    assert language_of_name(name) == language


@pytest.mark.parametrize(
    ("name", "head", "language"),
    [
        ("twice.m", b"% Doubles.\nfunction y = twice(x)\n", "matlab"),
        ("Cart.m", b'#import "Cart.h"\n\n@implementation Cart\n', "objectivec"),
        ("app_de.ts", b'<?xml version="1.0"?>\n<!DOCTYPE TS>\n', "xml"),
        ("app.ts", b"export const a = <T>(x: T) => x;\n", "typescript"),
        ("store.pp", b"unit Store;\n\ninterface\n", "pascal"),
        ("store.pp", b"class store {\n}\n", "puppet"),
        ("add.cl", b"__kernel void add(__global float *a) {\n", "c"),
        ("nat.v", b"Require Import Arith.\n\nTheorem plus_0 : forall n, n + 0 = n.\n", "coq"),
        ("counter.v", b"module counter(input clk);\nendmodule\n", "verilog"),
    ],
)
def test_a_name_of_several_languages_is_told_by_the_content(name: str, head: bytes, language: str) -> None:
    assert classify(f"src/{name}", head, {})[1] == language


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#!/usr/bin/env python3\n", "python"), (b"#!/bin/sh -e\n", "bash"), (b"#! /usr/bin/perl -w\n", "perl"),
        (b"#!/usr/bin/env -S node --no-warnings\n", "javascript"), (b"#!/opt/odd\n", ""), (b"plain", ""),
        (b"#!/usr/bin/python3.11\n", "python"),
    ],
)  # fmt: skip
def test_language_of_scripts(head: bytes, language: str) -> None:
    assert language_of_shebang(head) == language


def test_headers_take_the_language_of_their_neighbours(repo: Make, settings: Wish) -> None:
    root = repo(dict.fromkeys(["a/x.h", "a/x.cc", "b/y.h", "b/y.c", "inc/z.h", "w.cpp", "v.cpp"], ""))
    found = {file.path: file.language for file in discover(settings(root)).files if file.path.endswith(".h")}
    assert found == {"a/x.h": "cpp", "b/y.h": "c", "inc/z.h": "cpp"}


def test_text_that_is_written_in_restructuredtext(repo: Make, settings: Wish) -> None:
    root = repo({"docs/a.txt": "Title\n=====\n\nText.\n\n.. note:: hi\n", "docs/b.txt": "plain\n"})
    assert [file.language for file in discover(settings(root)).files] == ["restructuredtext", "text"]


RECORDS = (
    "CHANGELOG.md", "Pro-Changes.md", "docs/api_changelog.md", "docs/releases/1.0.txt",
    "99-archive/058-events/article.md", "docs/_archive/old.md", "UPGRADING.md", "docs/upgrade-guide.rst",
    "docs/8.0-Upgrade-Guide.md",
    ".changeset/pre/kind-apes-sing.md", "changelogs/unreleased/4-fix.yml", "newsfragments/12.bugfix.rst",
    "doc/changes/fixed/12.md", "guide/release-notes/2021/v21.12.md", "docs/2014-news.md", "docs/_newsfragments/7.rst",
)  # fmt: skip
OTHERS = (
    "docs/archives.md",
    "docs/2014-newsletter.md",
    "src/archiver/readme.md",
    "docs/guide.md",
    "docs/track-changes.md",
    "exchange.md",
    "upgraded.md",
    "doc/release-checklist.md",
    "RELEASE_GUIDE.md",
    "docs/release-process.md",
)


@pytest.mark.parametrize("path", RECORDS + OTHERS)
def test_documents_that_record_what_was(path: str) -> None:
    assert is_record(path) is (path in RECORDS)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("CONTRIBUTING.md", True),
        ("README.unittests.rst", True),
        ("docs/internals/contributing/writing-code/unit-tests.txt", True),
        ("docs/testing.md", True),
        ("noxfile.py", True),
        ("dune-project", True),
        ("store.cabal", True),
        ("Makefile.PL", True),
        ("api/package.json", True),
        (".github/workflows/ci.yml", True),
        ("kit/test/runtests.py", True),
        ("run_tests.sh", True),
        ("tests/tests_all.sh", True),
        ("tests/README.md", True),
        ("docs/RELEASING.md", True),
        ("doc/release-checklist.md", True),
        ("docs/release-notes.md", False),
        ("scripts/unit-test.sh", True),
        ("kit/checks/test.sh", False),
        ("Package.swift", True),
        ("Build/build.ps1", True),
        ("build.cake", True),
        ("src/make/build.sh", False),
        ("kit/test/runtests_test.py", False),
        (".github/workflows/publish-release.yml", False),
        (".github/CODEOWNERS", False),
        ("docs/Makefile", False),  # builds the documents
        ("templates/new/site/package.json", False),
        ("packages/api/README.md", False),
        ("tests/test_ways.py", False),
        ("build/notes.md", False),
    ],
)
def test_ways_in_are_guides_build_files_and_checks(path: str, expected: bool) -> None:  # noqa: FBT001 -- a row of a table
    assert is_way_in(path) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("ARCHITECTURE.md", True),
        ("docs/design-overview.rst", True),
        ("docs/Lifecycle.md", True),
        ("doc/internals/internals.md", True),
        ("CONTRIBUTING.md", True),
        ("CLAUDE.md", True),
        ("sub/CONTRIBUTING.md", False),
        (".github/CONTRIBUTING.markdown", True),
        ("dev/docs/development.md", True),
        ("docs/guide/parts/architecture.md", False),
        ("docs/designers.md", False),
        ("src/design.py", False),
    ],
)
def test_documents_about_the_structure_are_known_by_their_names(path: str, expected: bool) -> None:  # noqa: FBT001
    assert tells_structure(path) is expected


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Architecture Notes", True),
        ("Project Structure", True),
        ("Structure in `/server/`", True),
        ("2. Overview", True),
        ("Core abstractions (`src/core`)", True),
        ("Packages", True),
        ("Organization Structure & Membership", False),
        ("Structure of a pull request", False),
        ("Overview of our process", False),
        ("Writing a module", False),
        ("Package Management", False),
    ],
)
def test_sections_of_a_guide_on_the_structure_are_known_by_their_headings(heading: str, *, expected: bool) -> None:
    assert is_on_structure(("Contributing", heading)) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("main.go", True),
        ("cmd/tool/main.go", True),
        ("pkg/__main__.py", True),
        ("a/b/c/d/main.rs", False),
        ("build/main.rs", False),  # it builds the program
        ("domain.go", False),
        ("exe/site", True),
        ("docs/exe/site", False),
        ("public/index.php", True),
        ("src/bin/server.rs", True),
        ("crates/tool/src/bin/check.rs", True),
        ("docs/code/idle/main.c", False),  # it shows something
    ],
)
def test_programs_begin_in_files_with_the_usual_names(path: str, expected: bool) -> None:  # noqa: FBT001
    assert is_entry_point(path) is expected


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("assets/completions/tool.fish.in", True),
        ("contrib/completion/_tool", True),
        ("extra/bash-completion/tool.bash", True),
        ("extras/tool-completion.zsh", True),
        ("src/completion/engine.py", False),
        ("completions.rs", False),
        ("scripts/install.sh", False),
    ],
)
def test_what_completes_a_command_line_is_told_by_its_name(path: str, *, is_one: bool) -> None:
    assert is_completion(path) is is_one
