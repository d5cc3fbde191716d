"""Imports resolved to files of the repository."""

from __future__ import annotations

import pytest

from ctxpack.parse import outline, resolve_imports
from ctxpack.parse.languages.modules import PathIndex, Repository, python_modules

CASES = [
    (
        "sql",
        "models/mart/fct_flour.sql",
        "SELECT a FROM {{ ref('stg_grain') }} JOIN {{ ref('mill', \"dim_stones\") }} JOIN {{ source('sacks') }}\n",
        ["models/staging/stg_grain.sql", "models/mart/dim_stones.py", "old/stg_grain.sql", "sacks.sql"],
        ["models/mart/dim_stones.py", "models/staging/stg_grain.sql"],
    ),
    (
        "yaml",
        "charts/mill/templates/web/deployment.yaml",
        'metadata:\n  labels: {{- include "mill.labels" . | nindent 4 }}\nspec:\n  replicas: {{ .Values.replicas }}\n',
        ["charts/mill/Chart.yaml", "charts/mill/values.yaml", "charts/mill/templates/_helpers.tpl", "values.yaml"],
        ["charts/mill/values.yaml"],
    ),
    ("yaml", "templates/a.yaml", "a:\n  b: {{ .Values.b }}\n", ["Chart.yaml", "values.yaml"], ["values.yaml"]),
    ("yaml", "templates/a.yaml", "a:\n  b: {{ .Values.b }}\n", ["values.yaml"], []),
    (
        "erlang",
        "deps/store/src/store_queue.erl",
        (
            '-module(store_queue).\n-include_lib("common/include/common.hrl").\n-behaviour(store_type).\n\n'
            "put(Key) ->\n    ok = store_db:put(Key),\n    lists:map(fun store_key:name/1, [Key]).\n"
        ),
        [
            "deps/common/include/common.hrl",
            "deps/store/src/store_db.erl",
            "deps/store/src/store_key.erl",
            "deps/store/src/store_type.erl",
            "deps/store/src/put.erl",
        ],
        [
            "deps/common/include/common.hrl",
            "deps/store/src/store_db.erl",
            "deps/store/src/store_key.erl",
            "deps/store/src/store_type.erl",
        ],
    ),
    (
        "ocaml",
        "src/rules/build.ml",
        "open! Import\n\nlet find t = Path.find t.paths (Engine.Target.name t)\nlet read = Store.read\n",
        [
            "src/engine/target.ml",
            "src/engine/path.ml",
            "src/rules/build.mli",
            "src/rules/import.ml",
            "src/rules/path.ml",
            "src/rules/path.mli",
            "test/cases/store.ml",
        ],
        ["src/engine/target.ml", "src/rules/build.mli", "src/rules/import.ml", "src/rules/path.ml"],
    ),
    (
        "hcl",
        "nodes.tf",
        'module "group" {\n  source = "./modules/group"\n}\nmodule "far" {\n  source = "far/away/aws"\n}\n',
        ["modules/group/main.tf", "modules/group/variables.tf", "modules/group/README.md", "far/away/aws/main.tf"],
        ["modules/group/main.tf", "modules/group/variables.tf"],
    ),
    (
        "puppet",
        "manifests/mod/proxy.pp",
        (
            "class site::mod::proxy inherits site::params {\n  include site::mod::core\n  site::mod { 'a': }\n"
            "  class { 'site': }\n  $text = epp('site/mod/proxy.conf.epp')\n}\n"
        ),
        [
            "manifests/init.pp",
            "manifests/mod.pp",
            "manifests/mod/core.pp",
            "manifests/params.pp",
            "manifests/vhost.pp",
            "templates/mod/proxy.conf.epp",
        ],
        [
            "manifests/init.pp",
            "manifests/mod.pp",
            "manifests/mod/core.pp",
            "manifests/params.pp",
            "templates/mod/proxy.conf.epp",
        ],
    ),
    (
        "elisp",
        "lisp/shop.el",
        "(eval-when-compile (require 'cl-lib))\n(require 'shop-base)\n",
        ["lisp/shop-base.el", "lisp/other.el"],
        ["lisp/shop-base.el"],
    ),
    (
        "elisp",
        "lisp/shop.el",
        "(require 'autoload)\n",
        ["modules/a/autoload.el", "modules/b/autoload.el"],
        [],
    ),
    (
        "nim",
        "src/shop/run.nim",
        'import std/[os, json], ../base\nfrom cart import total\nimport shop / [bank,\n  till]\ninclude "x"\n',
        ["src/base.nim", "src/shop/cart.nim", "src/shop/bank.nim", "src/shop/till.nim", "src/x.nim", "src/other.nim"],
        ["src/base.nim", "src/shop/bank.nim", "src/shop/cart.nim", "src/shop/till.nim", "src/x.nim"],
    ),
    (
        "racket",
        "shop/main.rkt",
        '#lang racket\n(require "base.rkt" racket/list)\n',
        ["shop/base.rkt", "shop/list.rkt"],
        ["shop/base.rkt"],
    ),
    (
        "clojure",
        "src/shop/core.clj",
        "(ns shop.core\n  (:require [shop.price-list :as prices]\n            [clojure.string :as str]))\n",
        ["src/shop/price_list.clj", "src/shop/other.clj"],
        ["src/shop/price_list.clj"],
    ),
    (
        "fortran",
        "app/main.f90",
        "program main\n  use, intrinsic :: iso_fortran_env\n  use Store, only: find\nend program\n",
        ["src/store.f90", "src/other.f90"],
        ["src/store.f90"],
    ),
    (
        "python",
        "src/app/main.py",
        "from app.store import x\nimport app.util.deep\nfrom . import sibling\n",
        [
            "src/app/__init__.py",
            "src/app/store.py",
            "src/app/util/deep.py",
            "src/app/sibling.py",
            "src/app/util/__init__.py",
        ],
        ["src/app/sibling.py", "src/app/store.py", "src/app/util/deep.py"],
    ),
    (
        "python",
        "pkg/a/b.py",
        "from ..c import d\nfrom pkg import e\nimport os\n",
        ["pkg/__init__.py", "pkg/a/__init__.py", "pkg/c/__init__.py", "pkg/c/d.py", "os/readme.md"],
        ["pkg/__init__.py", "pkg/c/d.py"],
    ),
    (
        "typescript",
        "web/a/main.ts",
        "import x from '../b';\nimport y from './c.js';\nimport z from 'react';\n",
        ["web/b/index.ts", "web/a/c.ts", "react/index.js"],
        ["web/a/c.ts", "web/b/index.ts"],
    ),
    ("javascript", "lib/a.js", "const b = require('.');\n", ["lib/index.js", "index.js"], ["lib/index.js"]),
    (
        "go",
        "cmd/main.go",
        'import (\n\t"fmt"\n\t"github.com/x/y/pkg/store"\n)\n',
        ["pkg/store/a.go", "pkg/store/a_test.go", "fmt/fmt.go"],
        ["pkg/store/a.go"],
    ),
    (
        "kotlin",
        "web/src/org/shop/Main.kt",
        "import org.shop.kinds.Kind.Companion.toKind\nimport org.shop.kinds.Other.Inner.Deep\nimport org.till.go\n",
        ["core/src/org/shop/kinds/Kind.kt", "core/src/org/shop/kinds/Other.java", "core/src/org/shop.kt"],
        ["core/src/org/shop/kinds/Kind.kt", "core/src/org/shop/kinds/Other.java"],
    ),
    (
        "rust",
        "core/src/net/mod.rs",
        "use crate::io::{read, write::Out};\nmod tcp;\nuse super::fs;\nuse core_util::x;\n",
        [
            "core/src/lib.rs",
            "core/src/io/mod.rs",
            "core/src/io/write.rs",
            "core/src/net/tcp.rs",
            "core/src/fs.rs",
            "core-util/src/lib.rs",
        ],
        ["core-util/src/lib.rs", "core/src/fs.rs", "core/src/io/mod.rs", "core/src/io/write.rs", "core/src/net/tcp.rs"],
    ),
    (
        "java",
        "src/main/java/a/b/Main.java",
        "import a.c.Store;\nimport static a.c.Util.x;\nimport java.util.List;\n",
        ["src/main/java/a/c/Store.java", "src/main/java/a/c/Util.java", "List.java"],
        ["src/main/java/a/c/Store.java", "src/main/java/a/c/Util.java"],
    ),
    (
        "c",
        "src/a.c",
        '#include "b.h"\n#include "lib/c.h"\n',
        ["src/b.h", "other/b.h", "include/lib/c.h"],
        ["include/lib/c.h", "src/b.h"],
    ),
    (
        "ruby",
        "lib/app.rb",
        "require 'app/store'\nrequire_relative 'app/x'\nautoload :Y, 'app/y'\n",
        ["lib/app/store.rb", "lib/app/x.rb", "lib/app/y.rb"],
        ["lib/app/store.rb", "lib/app/x.rb", "lib/app/y.rb"],
    ),
    (
        "php",
        "app/Http/A.php",
        "<?php\nuse App\\Models\\User;\nuse Vendor\\Mail;\n",
        ["app/Models/User.php", "x/Models/User.php", "other/Mail.php"],
        ["app/Models/User.php"],
    ),
    (
        "csharp",
        "src/Api/A.cs",
        "using Bit.Core.Data;\nusing Bit.Web.Test.Help;\nusing Bit.Far.Deep.Data;\nusing Microsoft.Extensions.Data;\n",
        ["src/Core/Data/B.cs", "test/Web.Test/Help/C.cs", "src/Deep/Data/D.cs", "src/Extensions/Data/E.cs"],
        ["src/Core/Data/B.cs", "test/Web.Test/Help/C.cs"],
    ),
    (
        "php",
        "resources/views/users/edit.blade.php",
        "<div>@include('users.parts.shortcut-control')</div>\n",
        ["resources/views/users/parts/shortcut-control.blade.php", "users/parts/shortcut-control.php"],
        ["resources/views/users/parts/shortcut-control.blade.php"],
    ),
    ("csharp", "src/A.cs", "using App.Data;\n", ["src/App/Data/B.cs", "src/App/Data/c.txt"], ["src/App/Data/B.cs"]),
    (
        "csharp",
        "src/B.cs",
        "using App.Core.Data.Models;\nusing System;\nusing System.Text;\nusing Microsoft.Net;\nusing System.IO.Own;\n",
        [
            "App.Core/Data/Models/M.cs",
            "App.Core/System/S.cs",
            "x/System/Text/T.cs",
            "x/Microsoft/Net/N.cs",
            "System.IO/Own/O.cs",
        ],
        ["App.Core/Data/Models/M.cs", "System.IO/Own/O.cs"],
    ),
    (
        "lua",
        "lua/a.lua",
        "require('m.x')\nrequire('m')\n",
        ["lua/m/x.lua", "lua/m/init.lua"],
        ["lua/m/init.lua", "lua/m/x.lua"],
    ),
    ("haskell", "src/A.hs", "import B.C\n", ["src/B/C.hs"], ["src/B/C.hs"]),
    (
        "elixir",
        "lib/app.ex",
        "alias App.{UserStore, HTTP}\n",
        ["lib/app/user_store.ex", "lib/app/http.ex"],
        ["lib/app/http.ex", "lib/app/user_store.ex"],
    ),
    (
        "elixir",
        "test/shop_web/user_test.exs",
        (
            "alias ShopWeb.UserController\nuse ShopWeb.ConnCase\nuse Ecto.Repo\n"
            "alias ShopWeb.Cart.Item\nuse ShopWeb.Api.Case\n"
        ),
        [
            "lib/shop_web/controllers/user_controller.ex",
            "test/support/conn_case.ex",
            "test/support/repo.ex",
            "lib/shop_web/live/cart/item.ex",
            "lib/other/live/cart/item.ex",
            "test/support/api/case.ex",
            "lib/shop_web.ex",
        ],
        [
            "lib/shop_web/controllers/user_controller.ex",
            "lib/shop_web/live/cart/item.ex",
            "test/support/api/case.ex",
            "test/support/conn_case.ex",
        ],
    ),
    ("bash", "bin/run.sh", 'source "$(dirname "$0")/lib/x.sh"\n', ["bin/lib/x.sh"], ["bin/lib/x.sh"]),
    ("zig", "src/a.zig", '@import("b/c.zig")\n', ["src/b/c.zig"], ["src/b/c.zig"]),
]


@pytest.mark.parametrize(("language", "path", "text", "others", "expected"), CASES, ids=[case[1] for case in CASES])
def test_resolve(language: str, path: str, text: str, others: list[str], expected: list[str]) -> None:
    imports = {path: outline(text, language, path).imports}
    resolved = resolve_imports(imports, {path: language}, [path, *others], {})
    assert list(resolved.get(path, ())) == expected


def test_files_that_import_nothing_known_are_left_out() -> None:
    imports = {"a.py": outline("import os\n", "python").imports}
    assert resolve_imports(imports, {"a.py": "python"}, ["a.py"], {}) == {}


def test_the_order_of_the_paths_does_not_matter() -> None:
    paths = ["x/b.h", "y/b.h", "z/a.c"]
    imports = {"z/a.c": outline('#include "b.h"\n', "c").imports}
    results = {resolve_imports(imports, {"z/a.c": "c"}, order, {})["z/a.c"] for order in (paths, paths[::-1])}
    assert results == {("x/b.h",)}


def _found(path: str, name: str, *paths: str) -> str:
    return Repository(PathIndex(paths)).python_module(name, path)


def test_python_modules_knows_source_roots() -> None:
    modules = python_modules(
        ["src/app/__init__.py", "src/app/a.py", "tool.py", "lib/py/pkg/__init__.py", "lib/py/pkg/m.py"]
    )
    assert modules["app"] == modules["src.app"] == [("src/app/__init__.py", "")]
    assert modules["app.a"] == [("src/app/a.py", "")]
    assert modules["tool"] == [("tool.py", "")]
    assert modules["pkg.m"] == [("lib/py/pkg/m.py", "lib/py/")]
    assert modules["py.pkg.m"] == [("lib/py/pkg/m.py", "")]


def test_of_two_files_with_one_name_the_shallower_wins() -> None:
    modules = python_modules(["b/src/pkg/__init__.py", "b/setup.py", "pkg/__init__.py"])
    assert [each.path for each in modules["pkg"]] == ["pkg/__init__.py", "b/src/pkg/__init__.py"]


def test_the_folder_of_a_project_is_a_source_root_also_of_packages_without_a_file_of_their_own() -> None:
    files = ("libs/core/pyproject.toml", "libs/core/shop/types.py", "libs/till/src/till/a.py", "libs/till/setup.cfg")
    assert _found("libs/till/src/till/b.py", "shop.types", *files) == "libs/core/shop/types.py"
    assert _found("apps/main.py", "till.a", *files) == "libs/till/src/till/a.py"
    assert _found("apps/main.py", "a", *files) == ""
    assert _found("apps/main.py", "b", "shop/__init__.py", "shop/setup.py", "shop/b.py") == ""


def test_of_several_projects_the_own_one_answers() -> None:
    files = ("a/setup.py", "a/tests/util.py", "b/setup.py", "b/tests/util.py")
    assert _found("b/tests/test_x.py", "tests.util", *files) == "b/tests/util.py"
    assert _found("c/x.py", "tests.util", *files) == "a/tests/util.py"


def test_a_script_is_imported_by_its_bare_name_in_its_folder_only() -> None:
    assert _found("tools/check/main.py", "utils", "tools/utils.py", "setup.py") == "tools/utils.py"
    assert _found("shop/main.py", "utils", "tools/utils.py", "setup.py") == ""


def test_a_module_in_no_package_is_none_of_pythons_own() -> None:
    files = ("shop/typing.py", "shop/till/__init__.py", "typing.py", "queue/__init__.py")
    assert _found("shop/till/a.py", "typing", *files) == ""
    assert _found("shop/till/a.py", "shop.typing", *files) == "shop/typing.py"
    assert _found("shop/till/a.py", "queue", *files) == "queue/__init__.py"
    library = tuple(
        f"Lib/{name}.py" for name in ["ast", "bdb", "cgi", "cmd", "code", "csv", "dis", "glob", "gzip", "hmac"]
    )
    assert _found("Lib/pdb.py", "bdb", *library) == "Lib/bdb.py"


def test_a_name_that_a_module_gives_is_no_file_at_the_top() -> None:
    imports = {"pkg/a.py": outline("from .b import run\n", "python").imports}
    paths = ["pkg/a.py", "pkg/b.py", "run.py"]
    assert resolve_imports(imports, {"pkg/a.py": "python"}, paths, {}) == {"pkg/a.py": ("pkg/b.py",)}


def _imported(path: str, module: str, others: list[str], **declaring: str) -> list[str]:
    """What a file of TypeScript imports by one name, beside files that declare names: ``a__package`` is a/package."""
    texts = {f"{name.replace('__', '/').lstrip('/')}.json": text for name, text in declaring.items()}
    declared = {name: outline(text, "json", name).imports for name, text in texts.items()}
    imports = {path: outline(f"import {{ x }} from '{module}';\n", "typescript", path).imports}
    paths = [path, *others, *texts]
    return list(resolve_imports(imports, {path: "typescript"}, paths, declared).get(path, ()))


_TSCONFIG = """{
  // as the compiler is told
  "compilerOptions": {
    "baseUrl": "./src",
    "paths": {
      "@env/*": ["environments/*", "other/*"],
      "~utils": ["../tools/utils.ts"],
      "@far/*": ["../../../far/*"]
    }
  }
}
"""


@pytest.mark.parametrize(
    ("path", "module", "expected"),
    [
        ("web/src/a/b.ts", "@env/prod", ["web/src/environments/prod.ts"]),
        ("web/src/a/b.ts", "~utils", ["web/tools/utils.ts"]),
        ("api/a.ts", "@env/prod", []),  # another project
        ("web/src/a/b.ts", "@core/store", ["web/src/app/core/store.ts"]),  # an alias that a bundler knows
        ("web/src/a/b.ts", "$lib/store", ["web/src/lib/store.ts"]),
        ("web/src/a/b.ts", "@angular/core", []),
        ("web/src/a/b.ts", "@far/store", []),  # outside the repository
    ],
)
def test_a_compiler_is_told_other_names_of_folders(path: str, module: str, expected: list[str]) -> None:
    others = [
        "web/src/environments/prod.ts",
        "web/tools/utils.ts",
        "web/src/app/core/store.ts",
        "web/src/lib/store.ts",
        "index.ts",
    ]
    assert _imported(path, module, others, web__tsconfig=_TSCONFIG) == expected


_PACKAGE = """{
  "author": {"name": "somebody"},
  "name": "@shop/till",
  "exports": {
    ".": {"types": "./dist/main.d.ts", "default": "./dist/node/main.js"},
    "./coins": "./lib/money.js",
    "./*": "./dist/*.js"
  },
  "imports": {"#inner/*": "./src/inner/*.ts", "#deep": {"node": "./no.js", "default": "./src/deep.js"}}
}
"""


@pytest.mark.parametrize(
    ("path", "module", "expected"),
    [
        ("app/a.ts", "@shop/till", ["packages/till/src/node/main.ts"]),  # what it is built of
        ("app/a.ts", "@shop/till/coins", ["packages/till/lib/money.js"]),
        ("app/a.ts", "@shop/till/notes", ["packages/till/src/notes.ts"]),
        ("app/a.ts", "@other/till", []),
        ("packages/till/src/a.ts", "#inner/x", ["packages/till/src/inner/x.ts"]),
        ("packages/till/src/a.ts", "#deep", ["packages/till/src/deep.ts"]),
        ("app/a.ts", "#deep", []),
    ],
)
def test_a_package_is_imported_by_its_own_name(path: str, module: str, expected: list[str]) -> None:
    inside = ["src/node/main.ts", "lib/money.js", "src/notes.ts", "src/inner/x.ts", "src/deep.ts"]
    others = [f"packages/till/{name}" for name in inside]
    assert _imported(path, module, others, packages__till__package=_PACKAGE) == expected


def test_a_package_without_entries_begins_where_packages_usually_do() -> None:
    package = '{"name": "till"}'
    assert _imported(
        "app/a.ts", "till", ["libs/till/src/index.ts", "libs/till/index.js"], libs__till__package=package
    ) == ["libs/till/src/index.ts"]
    assert _imported("app/a.ts", "till", ["libs/till/index.js"], libs__till__package=package) == ["libs/till/index.js"]


def test_a_package_of_tests_is_known_beside_it_only() -> None:
    package = '{"name": "react"}'
    others = ["tests/cases/one/index.js"]
    assert _imported("src/a.ts", "react", others, tests__cases__one__package=package) == []
    assert _imported("tests/a.ts", "react", others, tests__cases__one__package=package) == others


@pytest.mark.parametrize(
    "text", ["{", "[1]", '{"name": 3, "exports": [[]]}', '{"name": "a", "imports": {"#b": 1}}', "[" * 9_999]
)
def test_a_broken_package_declares_nothing_else(text: str) -> None:
    found = outline(text, "json", "a/package.json").imports
    assert [each.module for each in found] in ([], ["a"])
    assert outline('{"name": "a"}', "json", "a/other.json").imports == ()
