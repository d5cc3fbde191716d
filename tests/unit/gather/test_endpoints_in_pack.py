"""What answers an endpoint of the request: its routes are written in many ways, and are mounted below others."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack import Request, Scope, load, pack
from tests.indexing import write

FILLING = "".join(f"func Other{number}() int {{ return {number} }}\n\n" for number in range(40))
OTHERS = {f"internal/part{number}.go": f"package internal\n\n{FILLING}" for number in range(9)}
ROUTES = 'package api\n\nfunc New(h *Handler) {\n\tmux.HandleFunc("PUT /v1/users/{userID}", h.updateAccount)\n}\n'


def reasons_of(root: Path, text: str) -> dict[str, tuple[str, ...]]:
    run = pack(Request(Scope.TASK, text=text), load(str(root), {"use_cache": False}))
    return {each.provenance.path: each.provenance.reasons for each in run.pack.selection.fragments}


def is_told(reasons: tuple[str, ...]) -> bool:
    return any("answers or calls" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("api/routes.go", ROUTES),
        ("src/server.js", "export function start(app) {\n  app.put('/v1/users/:id', (req, res) => res.send(1))\n}\n"),
        (
            "src/v1/users.ts",
            "@Controller('v1/users')\nexport class Members {\n  @Put(':id')\n  save() { return 1 }\n}\n",
        ),
        ("app/urls.py", 'V1 = "v1"\nurlpatterns = [\n    path("users/<int:pk>/", views.save_account),\n]\n'),
        ("app/old_urls.py", 'V1 = "v1"\nurlpatterns = [\n    url(r"^users/(?P<pk>\\d+)/$", save_account),\n]\n'),
        ("src/Api.java", '@RequestMapping("/v1")\nclass Api {\n  @PutMapping("/users/{id}")\n  void save() {}\n}\n'),
        ("Api/Members.cs", '[Route("v1")]\nclass Members {\n  [HttpPut("users/{id}")]\n  public void Save() {}\n}\n'),
        ("routes/api.php", "<?php\nRoute::put('v1/users/{user}', [AccountController::class, 'save']);\n"),
        ("config/routes.rb", "Rails.application.routes.draw do\n  put 'v1/users/:id', to: 'accounts#save'\nend\n"),
        ("src/app/v1/users/[id]/route.ts", "export async function PUT() {\n  return save()\n}\n"),
        ("src/routes/v1/users/[id]/+server.ts", "export async function PUT() {\n  return save()\n}\n"),
        ("pages/v1/users/[id].ts", "export default function handler(request) {\n  return save(request)\n}\n"),
        ("app/routes/v1.users.$id.tsx", "export async function action() {\n  return save()\n}\n"),
    ],
)
def test_the_code_behind_an_endpoint_comes(tmp_path: Path, path: str, code: str) -> None:
    root = write(tmp_path / "root", {**OTHERS, path: code})
    assert is_told(reasons_of(root, "PUT /v1/users/3 takes a minute")[path])


def test_the_handler_of_a_route_comes(tmp_path: Path) -> None:
    handler = "package api\n\nfunc (h *Handler) updateAccount(w Writer) {\n\th.store.Save()\n}\n"
    root = write(tmp_path / "root", {**OTHERS, "api/routes.go": ROUTES, "api/accounts.go": handler})
    assert is_told(reasons_of(root, "PUT /v1/users/3 takes a minute")["api/accounts.go"])


def test_of_handlers_of_one_name_the_one_beside_the_routes_or_in_the_named_file_comes(tmp_path: Path) -> None:
    go = "package {0}\n\nfunc (h *Handler) updateAccount(w Writer) {{\n\th.store.Save()\n}}\n"
    ruby = "class {0}Controller\n  def reset_all\n    clear\n  end\nend\n"
    files = {f"{name}/accounts.go": go.format(name) for name in ("api", "core", "mail", "store")}
    files |= {f"app/{name.lower()}_controller.rb": ruby.format(name) for name in ("Cards", "Decks", "Homes")}
    routes = 'Rails.application.routes.draw do\n  post "/games/end" => "decks#reset_all"\nend\n'
    root = write(tmp_path / "root", {**OTHERS, "api/routes.go": ROUTES, "config/routes.rb": routes, **files})
    found = reasons_of(root, "PUT /v1/users/3 takes a minute, and so does POST /games/end")
    served = {path for path, reasons in found.items() if is_told(reasons)}
    assert served == {"api/routes.go", "api/accounts.go", "config/routes.rb", "app/decks_controller.rb"}


@pytest.mark.parametrize(
    ("endpoint", "route", "other"),
    [
        ("POST /games/2fa_login", "post('/games/2fa_login', save)", "post('/games', save)"),
        ("GET /games/abc123", "get('/games/:id', save)", "get('/games/:id/cards', save)"),
        ("GET /company/reports/weekly", "get('/company/reports/:period', save)", "get('/games', save)"),
        ("GET /games/cards", "get('/games/cards.{_format}', save)", "get('/games/decks.{_format}', cards)"),
        ("GET /games/cards.json", "get('/games/cards', save)", "get('/games/decks', save)"),
        ("GET /games/cards", "get('/games/cards', save)", "get('/games/:id', save)"),
        (
            "DELETE /games/3",
            "[Route('/games/{id}', name: 'old', methods: ['DELETE'])]",
            "[Route('/games/{id}', name: 'new', methods: ['PATCH'])]",
        ),
    ],
)
def test_a_word_in_an_endpoint_is_told_from_what_is_filled_in(
    tmp_path: Path, endpoint: str, route: str, other: str
) -> None:
    files = {"src/server.php": f"<?php\n#{route}\n", "src/zserver.php": f"<?php\n#{other}\n"}
    found = reasons_of(write(tmp_path / "root", {**OTHERS, **files}), f"{endpoint} fails in the company games, cards")
    assert is_told(found["src/server.php"])
    assert not is_told(found.get("src/zserver.php", ()))


def test_a_route_comes_though_a_client_has_more_of_the_endpoint(tmp_path: Path) -> None:
    client = "export const save = () => request.put('/api/v1/users/status')\n"
    routes = 'package api\n\nfunc New(h *Handler) {\n\tr.PUT("/users/status", h.updateAccount)\n}\n'
    root = write(tmp_path / "root", {**OTHERS, "ui/client.ts": client, "internal/routes.go": routes})
    found = reasons_of(root, "PUT /api/v1/users/status takes a minute")
    assert is_told(found["ui/client.ts"])
    assert is_told(found["internal/routes.go"])


def test_of_a_long_table_of_routes_those_around_the_endpoint_come(tmp_path: Path) -> None:
    other = "".join(
        f'\tmux.HandleFunc("GET /v1/cards/part{number}/{{id}}", h.cards{number})\n' for number in range(200)
    )
    handler = "package api\n\nfunc (h *Handler) updateAccount(w Writer) {\n\th.store.Save()\n}\n"
    files = {"api/routes.go": ROUTES.replace("{\n", "{\n" + other, 1), "api/accounts.go": handler}
    root = write(tmp_path / "root", {**OTHERS, **files})
    run = pack(Request(Scope.TASK, text="PUT /v1/users/3 takes a minute"), load(str(root), {"use_cache": False}))
    origins = [each.provenance for each in run.pack.selection.fragments if each.provenance.path == "api/routes.go"]
    assert [(each.start_line, each.end_line) for each in origins] == [(194, 204)]


def test_what_is_read_by_a_name_is_no_route(tmp_path: Path) -> None:
    code = "def show_users(request):\n    limit = request.query.get('limit')\n    return limit\n"
    root = write(tmp_path / "root", {**OTHERS, "src/users.py": code})
    assert not any(map(is_told, reasons_of(root, "GET /v1/users/limit shows the wrong limit").values()))


def test_the_method_of_the_request_tells_routes_apart(tmp_path: Path) -> None:
    other = ROUTES.replace("PUT", "DELETE").replace("updateAccount", "removeAccount")
    root = write(tmp_path / "root", {**OTHERS, "api/a.go": other, "api/z.go": ROUTES})
    found = reasons_of(root, "curl -X PUT https://users.example.com/v1/users/3?x=1 fails")
    assert is_told(found["api/z.go"])
    assert not is_told(found.get("api/a.go", ()))


@pytest.mark.parametrize(
    "text",
    [
        "the update fails with /usr/lib/v1/users/3 in the log",
        "see https://docs.other.org/v1/users/3 on the update",
        "the update in api/v1/users/3.json fails",
        "update and/or remove the users",
    ],
)
def test_what_is_no_endpoint_of_a_server(tmp_path: Path, text: str) -> None:
    root = write(tmp_path / "root", {**OTHERS, "api/routes.go": ROUTES, "readme.md": "# Users\n\nUpdate the users.\n"})
    assert not any(map(is_told, reasons_of(root, text).values()))


def test_what_lies_behind_an_endpoint_is_not_measured_by_it(tmp_path: Path) -> None:
    files = {
        "src/app/v1/users/[id]/route.ts": "import { saveAccount } from '@/store'\n\n"
        "export async function PUT() {\n  return saveAccount()\n}\n",
        "src/store.ts": "export function saveAccount() {\n  return database.write()\n}\n",
    }
    root = write(tmp_path / "root", {**OTHERS, **files})
    assert files.keys() <= reasons_of(root, "PUT /v1/users/3 takes a minute to save the account").keys()


@pytest.mark.parametrize(
    ("endpoint", "files", "served"),
    [
        (
            "POST /parcels",
            {
                "config/routes.rb": "App.routes.draw do\n  resources :parcels, only: [:create, :show]\nend\n",
                "app/parcels_controller.rb": "class ParcelsController\n  def create\n    save\n  end\nend\n",
            },
            ("config/routes.rb", "app/parcels_controller.rb"),
        ),
        (
            "POST /parcels/7/seal",
            {
                "config/routes.rb": "App.routes.draw do\n  resources :parcels do\n    member do\n      post :seal\n"
                "    end\n  end\nend\n",
                "app/controllers/parcels_controller.rb": "class ParcelsController\n  def seal\n    close\n  end\nend\n",
            },
            ("config/routes.rb", "app/controllers/parcels_controller.rb"),
        ),
        (
            "POST /parcel",
            {
                "internal/router.go": 'package api\n\nfunc New(g *Engine, h *Handler) {\n\tp := g.Group("/parcel")\n'
                '\tp.GET("", h.listAll)\n\tp.POST("", h.addOne)\n}\n',
                "internal/handler.go": "package api\n\nfunc (h *Handler) addOne(c Context) {\n\th.save()\n}\n",
            },
            ("internal/router.go", "internal/handler.go"),
        ),
        (
            "POST /parcel",
            {
                "internal/router.go": 'package api\n\nfunc New(m *Mux) {\n\tm.Group("/parcel", func() {\n'
                '\t\tm.Post("", addOne)\n\t})\n}\n\nfunc addOne(c Context) {\n\tsave(c)\n}\n'
            },
            ("internal/router.go",),
        ),
        (
            "DELETE /api/parcels/4/",
            {
                "app/urls.py": 'router = DefaultRouter()\nrouter.register(r"parcels", ShipmentViewSet)\n',
                "app/views.py": "class ShipmentViewSet(ModelViewSet):\n    queryset = Shipment.objects.all()\n",
            },
            ("app/urls.py", "app/views.py"),
        ),
        (
            "PUT /parcels/4",
            {
                "routes/api.php": "<?php\nRoute::apiResource('parcels', ShipmentController::class);\n",
                "app/ShipmentController.php": "<?php\nclass ShipmentController {\n  function update() {\n  }\n}\n",
            },
            ("routes/api.php", "app/ShipmentController.php"),
        ),
        (
            "POST /parcels",
            {"src/parcels.controller.ts": "@Controller('parcels')\nclass Shipments {\n  @Post()\n  add() {}\n}\n"},
            ("src/parcels.controller.ts",),
        ),
        (
            "POST /parcels",
            {"src/Api.java": '@RequestMapping("/parcels")\npublic class Api {\n  @PostMapping\n  void add() {}\n}\n'},
            ("src/Api.java",),
        ),
        (
            "POST /Parcels",
            {"Api/ParcelsController.cs": "class ParcelsController : Base\n{\n    [HttpPost]\n    void Add() {}\n}\n"},
            ("Api/ParcelsController.cs",),
        ),
    ],
)
def test_routes_that_are_written_in_parts_lead_to_what_serves_them(
    tmp_path: Path, endpoint: str, files: dict[str, str], served: tuple[str, ...]
) -> None:
    found = reasons_of(write(tmp_path / "root", {**OTHERS, **files}), f"{endpoint} returns 422")
    assert [path for path in served if not is_told(found.get(path, ()))] == []


def test_of_a_long_table_of_routes_the_resource_comes(tmp_path: Path) -> None:
    others = "".join(f"  resources :cards{number}\n" for number in range(150))
    files = {
        "config/routes.rb": f"App.routes.draw do\n{others}  resources :parcels\nend\n",
        "app/parcels_controller.rb": "class ParcelsController\n  def create\n    save\n  end\nend\n",
    }
    root = write(tmp_path / "root", {**OTHERS, **files})
    run = pack(Request(Scope.TASK, text="POST /parcels returns 422"), load(str(root), {"use_cache": False}))
    origins = [each.provenance for each in run.pack.selection.fragments if each.provenance.path == "config/routes.rb"]
    assert [(each.start_line, each.end_line) for each in origins] == [(142, 153)]


def test_a_resource_does_not_serve_what_its_line_excludes(tmp_path: Path) -> None:
    files = {
        "config/routes.rb": "App.routes.draw do\n  resources :parcels, except: [:destroy]\nend\n",
        "app/controllers/parcels_controller.rb": "class ParcelsController\n  def destroy\n    save\n  end\nend\n",
    }
    root = write(tmp_path / "root", {**OTHERS, **files})
    assert not any(map(is_told, reasons_of(root, "DELETE /parcels/7 returns 404").values()))


def test_of_classes_called_alike_the_one_with_the_function_serves_a_resource(tmp_path: Path) -> None:
    files = {
        "config/routes.rb": "App.routes.draw do\n  resources :parcels\nend\n",
        "app/parcels_controller.rb": "class ParcelsController\n  def create\n    save\n  end\nend\n",
        "app/admin/parcels_controller.rb": "class Admin::ParcelsController\n  def review\n    mark\n  end\nend\n",
    }
    reasons = reasons_of(write(tmp_path / "root", {**OTHERS, **files}), "POST /parcels answers 422")
    assert is_told(reasons["app/parcels_controller.rb"])
    assert not is_told(reasons.get("app/admin/parcels_controller.rb", ()))
