"""Rules of the house that no other tool checks; they need no database."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import resolve
from django.utils.translation import override

from config.api import api
from config.management.commands.export_errors import FILE, exported

ROOT: Path = settings.BASE_DIR
SOURCES = sorted(
    file for folder in (ROOT / "site", ROOT / "catalog", ROOT / "commerce") for file in folder.rglob("*.py")
)
CODE = [file for file in SOURCES if not {"tests", "migrations"} & set(file.parts)]
# The one place where a price becomes a number of JSON.
WHERE_MONEY_LEAVES = {"site/core/wire.py"}

# CONTRACT 2 to 5, as far as the shop has them; {} stands for an id or a code.
CALLS = [
    "GET /v1/pc/exchangeRate",
    "GET /v1/pc/home/classify",
    "POST /v1/upload/oss/image",
    "POST /v1/pc/goods/list",
    "GET /v1/pc/goods/{}",
    "GET /v1/pc/spec/{}",
    "GET /v1/pc/shoppingCart",
    "POST /v1/pc/shoppingCart",
    "PUT /v1/pc/shoppingCart",
    "DELETE /v1/pc/shoppingCart/{}",
    "POST /v1/pc/shoppingcartUpdate",
    "POST /v1/pc/toTrade",
    "POST /v1/pc/common/freight",
    "POST /v1/pc/order",
    "POST /v1/pc/orderInfo",
    "GET /v1/pc/order/detailed/{}",
    "POST /v1/pc/order/pay",
    "GET /v1/pc/pay/result/{}",
    "PUT /v1/pc/order/cancel/{}",
    "GET /v1/pc/shops",
    "GET /v1/pc/payTypes",
    "GET /v1/pc/common/captcha",
    "POST /v1/pc/common/scc",
    "POST /v1/pc/common/sendCode",
    "POST /v1/pc/register",
    "POST /v1/pc/login",
    "POST /v1/pc/logout",
    "POST /v1/pc/resetPassword",
    "PUT /v1/pc/setting/login/password",
    "PUT /v1/pc/setting/pay/password",
    "GET /v1/pc/user/userInfo",
    "POST /v1/pc/setting/deliveryAddressNew",
    "POST /v1/pc/setting/deliveryAddress",
    "PUT /v1/pc/setting/deliveryAddress",
    "DELETE /v1/pc/setting/deliveryAddress/{}",
    "PUT /v1/pc/setting/deliveryAddress/default",
]

# SPEC 2, as far as the shop has them; the home page is Wagtail's.
PAGES = [
    "/",
    "/shop",
    "/shop/shopdetails/101",
    "/home/login",
    "/home/cart",
    "/home/createOrder",
    "/home/createOrder/delivery",
    "/home/createOrder/payType",
    "/home/account",
    "/home/account/accountdetails",
    "/home/account/orders",
    "/home/account/orderdetails/1",
    "/home/account/useraddress",
    "/home/account/password",
]


def module_of(file: Path) -> str:
    path = file.relative_to(ROOT).with_suffix("")
    parts = path.parts[1:] if path.parts[0] == "site" else path.parts
    return ".".join(part for part in parts if part != "__init__")


def test_site_is_no_package() -> None:
    assert not (ROOT / "site" / "__init__.py").exists()


def test_nothing_is_imported_as_site() -> None:
    wrong = re.compile(r"^\s*(import|from) site\b", re.MULTILINE)
    assert not [str(file) for file in SOURCES if wrong.search(file.read_text("utf-8"))]


def test_every_module_can_be_imported() -> None:
    for file in CODE:
        importlib.import_module(module_of(file))


def floats_in(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that make a float or a column of floats."""
    for node in ast.walk(tree):
        named = node.func if isinstance(node, ast.Call) else None
        name = named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
        if name in {"float", "FloatField"}:
            yield getattr(node, "lineno", 0)


def test_money_is_never_a_float() -> None:
    found = {
        str(file.relative_to(ROOT)): lines
        for file in CODE
        if (lines := list(floats_in(ast.parse(file.read_text("utf-8")))))
    }
    assert found.keys() <= WHERE_MONEY_LEAVES, found


def test_control_a_float_is_found() -> None:
    assert list(floats_in(ast.parse("price = models.FloatField()\nhalf = float(price)"))) == [1, 2]


def test_the_islands_know_every_error() -> None:
    assert FILE.read_text("utf-8") == exported()


@pytest.mark.parametrize("call", CALLS)
def test_every_call_of_the_contract_is_routed(call: str) -> None:
    method, path = call.split()
    operations = {
        (method, re.sub(r"{\w+}", "{}", path).removeprefix("/api"))
        for path, methods in api.get_openapi_schema()["paths"].items()
        for method in map(str.upper, methods)
    }
    assert (method, path) in operations


@pytest.mark.parametrize("path", [*PAGES, "/livez", "/readyz", "/api/docs", "/api/openapi.json", "/admin/"])
def test_every_page_is_routed(path: str) -> None:
    # Wagtail's own view takes every path that nothing else took.
    assert resolve(path).url_name != "wagtail_serve"


@pytest.mark.parametrize("path", PAGES[1:])
def test_every_page_is_routed_in_chinese(path: str) -> None:
    with override("zh-hans"):
        assert resolve(f"/zh-hans{path}").url_name != "wagtail_serve"


def test_control_an_unknown_page_is_left_to_wagtail() -> None:
    assert resolve("/home/nothing").url_name == "wagtail_serve"
