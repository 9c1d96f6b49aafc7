"""Lists of favourites at the API (docs/wire.md#favourites)."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product, make_products
from catalog.goods.writing import update_products
from catalog.stock.tests.builders import stock
from commerce.accounts.services import issue_token
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import make_customer
from commerce.favourites import services
from commerce.favourites.models import Favourite, FavouriteList
from commerce.favourites.personal import PERSONAL

pytestmark = pytest.mark.django_db


class Caller(ApiClient):
    """A customer at the API."""

    def __init__(self) -> None:
        super().__init__(Client())
        self.customer = make_customer()
        self.token = issue_token(self.customer)

    def ask(self, method: str, path: str = "", body: Any = None) -> Any:
        """Return what a call answers; every refusal fails."""
        answer = self.call(method, f"favourites{path}", body).body
        assert answer["code"] == 0, answer
        return answer["result"]

    def refusal(self, method: str, path: str = "", body: Any = None) -> dict[str, Any]:
        """Return the reason of a refusal with its fields; asserts that nothing has changed."""
        before = rows()
        response = self.call(method, f"favourites{path}", body)
        assert response.status_code == 200
        assert response.body["code"] in (1, 1002), response.body
        assert rows() == before
        return {"reason": response.body["reason"], **response.body.get("fields", {})}

    def make(self, name: str) -> int:
        number: int = self.ask("POST", "", {"name": name})["listId"]
        return number

    def add(self, product: Product, list_id: int = 0) -> None:
        assert self.ask("POST", f"/{list_id}/goods", {"goodsId": product.pk}) == 1

    def goods(self, list_id: int = 0) -> list[int]:
        return [each["goodsId"] for each in self.ask("GET", f"/{list_id}/goods")["list"]]

    def lists(self, product: Product | None = None) -> list[tuple[int, str, int, bool]]:
        rows = self.ask("GET", f"?goodsId={product.pk}" if product else "")["list"]
        return [(row["listId"], row["name"], row["count"], row["hasGoods"]) for row in rows]


def rows() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (FavouriteList, Favourite)]


@pytest.fixture
def caller() -> Caller:
    return Caller()


def test_products_are_marked_once_each_and_the_newest_comes_first(caller: Caller) -> None:
    assert caller.lists() == [(0, "", 0, False)]
    assert caller.goods() == []
    assert rows() == [[], []]
    first, second = make_products(2)
    for product in (first, second, first):
        caller.add(product)
    assert caller.goods() == [second.pk, first.pk]
    assert caller.ask("GET", "/goodsIds") == {"goodsIds": [second.pk, first.pk]}
    assert caller.ask("DELETE", f"/0/goods/{second.pk}") == 1
    assert caller.ask("DELETE", f"/0/goods/{second.pk}") == 1
    assert caller.goods() == [first.pk]
    assert Caller().lists() == [(0, "", 0, False)]


def test_a_product_moves_between_lists_and_each_shows_whether_it_has_it(caller: Caller) -> None:
    product, other = make_products(2)
    hotpot = caller.make(" Hotpot ")
    party = caller.make("Party")
    caller.add(product)
    caller.add(other, hotpot)
    assert caller.lists(product) == [
        (0, "", 1, True),
        (hotpot, "Hotpot", 1, False),
        (party, "Party", 0, False),
    ]
    assert caller.ask("PUT", f"/0/goods/{product.pk}", {"toListId": hotpot}) == 1
    assert (caller.goods(), caller.goods(hotpot)) == ([], [product.pk, other.pk])
    # Where the other list has it already, it leaves this one.
    caller.add(product)
    assert caller.ask("PUT", f"/0/goods/{product.pk}", {"toListId": hotpot}) == 1
    assert caller.ask("PUT", f"/{hotpot}/goods/{product.pk}", {"toListId": hotpot}) == 1
    assert (caller.goods(), caller.goods(hotpot)) == ([], [product.pk, other.pk])
    assert caller.refusal("PUT", f"/{party}/goods/{product.pk}", {"toListId": 0}) == {"reason": "goods_error"}
    assert caller.ask("PUT", f"/{party}", {"name": "Feast"}) == 1
    assert caller.ask("DELETE", f"/{hotpot}") == 1
    assert caller.lists() == [(0, "", 0, False), (party, "Feast", 0, False)]
    assert not Favourite.objects.exists()


def test_a_list_has_todays_prices_and_shows_what_is_no_longer_on_sale(
    caller: Caller, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    products = make_products(30)
    for product in products:
        services.add_favourite(customer=caller.customer, list_id=0, product_id=product.pk)
    gone, sold = products[-1], products[-2]
    update_products(Product.objects.filter(pk=gone.pk), on_sale=False)
    update_products(Product.objects.filter(pk=sold.pk), price=Decimal("3.20"))
    stock(sold, 5)
    with django_assert_max_num_queries(6):
        page = caller.ask("GET", "/0/goods?size=20")
    assert [page[name] for name in ("total", "page", "size")] == [30, 1, 20]
    shown = {each["goodsId"]: each for each in page["list"]}
    assert len(shown) == 20
    assert (shown[gone.pk]["isOnSale"], shown[gone.pk]["goodsName"]) == (False, gone.name_zh)
    assert (shown[sold.pk]["isOnSale"], shown[sold.pk]["memberPrice"]) == (True, 3.2)
    assert shown[sold.pk]["goodsStockAmount"] == 5
    assert len(caller.ask("GET", "/0/goods?size=20&page=2")["list"]) == 10
    assert caller.ask("GET", "/0/goods?page=9") == {"list": [], "total": 30, "page": 9, "size": 24}
    # A product that is not on sale can be moved and removed, but not added again.
    assert caller.refusal("POST", f"/{caller.make('A')}/goods", {"goodsId": gone.pk}) == {
        "reason": "goods_off_shelf"
    }


def test_names_are_given_once_and_not_too_long(caller: Caller) -> None:
    hotpot = caller.make("Hotpot")
    for name in ("", "   ", "x" * 61):
        found = caller.refusal("POST", "", {"name": name})
        assert found == {"reason": "parameter_error", "name": "parameter_error"}
    taken = {"reason": "list_name_taken", "name": "list_name_taken"}
    assert caller.refusal("POST", "", {"name": "Hotpot"}) == taken
    party = caller.make("x" * 60)
    assert caller.refusal("PUT", f"/{party}", {"name": "Hotpot"}) == taken
    assert caller.ask("PUT", f"/{hotpot}", {"name": "Hotpot"}) == 1
    assert Caller().make("Hotpot")


def test_the_default_list_stays_and_unknown_lists_are_refused(
    caller: Caller, subtests: pytest.Subtests
) -> None:
    caller.add(make_product())
    refused = {"reason": "parameter_error"}
    for number in ("0", "x", "-1", "9" * 30, "999999"):
        with subtests.test(number=number):
            assert caller.refusal("PUT", f"/{number}", {"name": "Mine"}) == refused
            assert caller.refusal("DELETE", f"/{number}") == refused


def test_unknown_products_are_refused(caller: Caller) -> None:
    for number in (999_999, 0, "x"):
        assert caller.refusal("POST", "/0/goods", {"goodsId": number}) == {"reason": "goods_error"}
    assert caller.refusal("DELETE", "/0/goods/x") == {"reason": "goods_error"}
    found = caller.refusal("PUT", "/0/goods/1", {"toListId": -1})
    assert found == {"reason": "parameter_error", "toListId": "parameter_error"}


def test_lists_and_their_products_have_limits(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_FAVOURITES", 2)
    products = make_products(3)
    for number in range(services.MAX_LISTS - 1):
        services.make_list(customer=caller.customer, name=f"List {number}")
    assert caller.refusal("POST", "", {"name": "One more"}) == {"reason": "lists_full"}
    for product in products[:2]:
        caller.add(product)
    assert caller.refusal("POST", "/0/goods", {"goodsId": products[2].pk}) == {"reason": "lists_full"}
    caller.add(products[0])
    other = caller.lists()[1][0]
    caller.add(products[2], other)
    moved = caller.refusal("PUT", f"/{other}/goods/{products[2].pk}", {"toListId": 0})
    assert moved == {"reason": "lists_full"}


def test_another_customers_list_answers_like_a_missing_one(caller: Caller) -> None:
    other, product = Caller(), make_product()
    theirs = other.make("Hotpot")
    other.add(product, theirs)
    caller.add(product)
    refused = {"reason": "parameter_error"}
    assert caller.refusal("PUT", f"/0/goods/{product.pk}", {"toListId": theirs}) == refused
    for method, path, body in (
        ("GET", "/goods", None),
        ("POST", "/goods", {"goodsId": product.pk}),
        ("DELETE", f"/goods/{product.pk}", None),
        ("POST", "/share", {"title": "Mine"}),
        ("DELETE", "/share", None),
    ):
        assert caller.refusal(method, f"/{theirs}{path}", body) == refused


def test_favourites_are_handed_out_and_forgotten_with_their_customer(caller: Caller) -> None:
    product, other = make_product(sku="F1"), Caller()
    hotpot = caller.make("Hotpot")
    caller.add(product, hotpot)
    other.add(product)
    [[made], [marked]] = [list(section.rows(caller.customer)) for section in PERSONAL.sections]
    assert (made["list"], made["isShared"]) == ("Hotpot", False)
    assert (marked["list"], marked["sku"]) == ("Hotpot", "F1")
    PERSONAL.forget(caller.customer)
    assert not [row for section in PERSONAL.sections for row in section.rows(caller.customer)]
    assert other.goods() == [product.pk]
