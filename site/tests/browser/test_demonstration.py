import io
import json
import os
import stat
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db.models import Model
from django.test import Client
from pytest_django import DjangoDbBlocker

from catalog.browse.listing import Filters, facets, listing
from catalog.goods.models import Brand, Category, Product
from catalog.goods.writing import update_products
from catalog.stock.models import StockLevel
from commerce.accounts.models import Address, Customer
from commerce.accounts.passwords import matches
from commerce.accounts.pay_hashes import pays_with
from commerce.delivery.freight import Region
from commerce.delivery.models import FreightRule, PickupShop
from commerce.delivery.services import quote_freight
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of
from config.demo.staff import load_staff
from content.models import HomePage
from core.errors import Err, ShopError
from tests import databases
from tests.browser.shops import copy_demonstration

# On SQLite only, with the shop that the first start has filled.
pytestmark = [pytest.mark.browser, pytest.mark.django_db]
MODELS: tuple[type[Model], ...] = (
    Category,
    Brand,
    Product,
    StockLevel,
    Customer,
    Address,
    LedgerEntry,
    FreightRule,
    PickupShop,
    HomePage,
    User,
)


@pytest.fixture
def data_dir(settings: LazySettings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture(scope="module")
def demonstration(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Path]:
    """The data folder of a demonstration, whose database the tests use."""
    own = tmp_path_factory.getbasetemp()
    folder = tmp_path_factory.mktemp("demonstration")
    with django_db_blocker.unblock():
        copy_demonstration(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own, folder)
        before = databases.use(str(folder / "shop.sqlite3"))
    yield folder
    with django_db_blocker.unblock():
        databases.use(before)


def load() -> str:
    out = io.StringIO()
    call_command("load_demo", stdout=out)
    return out.getvalue()


def rows() -> dict[str, list[dict[str, Any]]]:
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in MODELS}


def test_the_demonstration_is_complete_and_a_repeat_changes_nothing(
    demonstration: Path, settings: LazySettings, client: Client
) -> None:
    settings.DATA_DIR = demonstration
    _has_its_products()
    _has_its_customers()
    _delivers_products()
    _has_its_staff(demonstration, client)
    # Loading again keeps the changes of staff.
    update_products(Product.objects.filter(pk=10101), price=Decimal("1.00"), name_en="Ours")
    PickupShop.objects.filter(sort=0).update(is_open=False)
    before, passwords = rows(), (demonstration / "backoffice.json").read_bytes()
    again = load()
    assert rows() == before
    assert (demonstration / "backoffice.json").read_bytes() == passwords
    assert not any(password in again for password in json.loads(passwords).values())


def _has_its_products() -> None:
    assert (Category.objects.count(), Brand.objects.count(), Product.objects.count()) == (108, 140, 490)
    assert not Product.objects.filter(picture=None).exists()
    counts = facets(Filters()).stock_types
    assert counts["1"] > 450
    assert 5 <= counts["2"] <= 10
    assert 5 <= counts["3"] <= 15
    assert sum(1 <= product.available <= 6 for product in listing(Filters(stock_type="1"))) >= 15
    for flag in ({"is_self": True}, {"limit_amount__gt": 0}, {"min_amount__gt": 1}, {"group__isnull": False}):
        assert Product.objects.filter(**flag).exists()
    shops = PickupShop.objects.prefetch_related("hours")
    assert [len(shop.hours.all()) for shop in shops] == [7, 7]
    assert all(StockLevel.objects.filter(location=shop.location).count() > 200 for shop in shops)


def _has_its_customers() -> None:
    for account in ("demo@example.com", "demo2@example.com"):
        customer = Customer.objects.get(account=account)
        assert matches("888888", customer.password)
        assert pays_with("888888", customer.pay_password)
        assert balance_of(customer=customer, kind=LedgerAccount.Kind.wallet) == Decimal("500.00")
        assert customer.addresses.get().is_default


def _delivers_products() -> None:
    products = {
        kind: Product.objects.filter(storage=kind).first() for kind in ("ambient", "chilled", "frozen")
    }

    def freight(kind: str, region: Region) -> Decimal:
        product = products[kind]
        assert product is not None
        return quote_freight(region=region, units=[(product, 1)], amount=product.price).freight

    def assert_only_ambient(region: Region) -> None:
        assert freight("ambient", region) > 0
        for kind in ("chilled", "frozen"):
            with pytest.raises(ShopError) as refusal:
                freight(kind, region)
            assert refusal.value.err is Err.address_error
            assert refusal.value.why
            assert all(refusal.value.why)

    perth = Region("Australia", "WA", "", "Northbridge", "6003")
    albany = Region("Australia", "WA", "", "Albany", "6330")
    for kind in products:
        assert freight(kind, perth) < freight(kind, albany)
    remote = [("WA", "6798"), ("WA", "6799"), ("NT", "0870"), ("QLD", "4825"), ("NSW", "2898")]
    for state, code in [("NSW", "2000"), *remote]:
        region = Region("Australia", state, "", "", code)
        assert freight("ambient", region) > freight("ambient", albany)
        assert_only_ambient(region)
    sydney = freight("ambient", Region("Australia", "NSW", "", "", "2000"))
    assert all(freight("ambient", Region("Australia", zip_code=code)) > sydney for _, code in remote)
    malaysia = [Region("Malaysia", state) for state in ("Sabah", "Johor")]
    assert freight("ambient", malaysia[0]) > freight("ambient", malaysia[1])
    countries = ("China", "Hong Kong", "Taiwan", "New Zealand", "Singapore", "Japan", "USA", "Germany")
    for region in (*malaysia, *map(Region, countries)):
        assert_only_ambient(region)
    for address in Address.objects.all():
        assert freight("ambient", Region.of_address(address)) > 0


def _has_its_staff(data_dir: Path, client: Client) -> None:
    file = data_dir / "backoffice.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    passwords = json.loads(file.read_text("utf-8"))
    assert set(passwords) == {"editor", "manager"}
    for name, password in passwords.items():
        assert client.login(username=name, password=password)
        assert client.get("/admin/").status_code == 200
        for page in ("goods/", "export_limits/new/", "delivery_windows/new/", "pickup_exceptions/new/"):
            allowed = client.get(f"/admin/{page}").status_code
            assert allowed == (200 if name == "manager" else 302), page


def test_a_password_in_the_file_is_used_for_staff_created_again(data_dir: Path, client: Client) -> None:
    password = load_staff()["manager"]
    User.objects.filter(username="manager").delete()
    assert load_staff() == {}
    assert client.login(username="manager", password=password)


def test_a_lost_file_makes_new_passwords(data_dir: Path, client: Client) -> None:
    old = load_staff()
    (data_dir / "backoffice.json").unlink()
    new = load_staff()
    assert json.loads((data_dir / "backoffice.json").read_text("utf-8")) == new
    for name in old:
        assert not client.login(username=name, password=old[name])
        assert client.login(username=name, password=new[name])
