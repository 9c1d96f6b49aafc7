"""A list that its customer shares: everyone with the link sees it, until the link ends."""

import pytest
from django.test import Client

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product, make_products
from catalog.goods.writing import update_products
from catalog.stock.tests.builders import stock
from commerce.accounts.tests.builders import make_customer
from commerce.favourites.models import FavouriteList
from commerce.favourites.services import add_favourite, end_share, make_list, remove_list, share_list
from commerce.favourites.tests.test_api import Caller
from core.tests.pages import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

CHINESE = "/zh-hans"


def make_shared(title: str = "", count: int = 1) -> tuple[FavouriteList, list[Product]]:
    customer = make_customer(nickname="Mei Lin")
    row = make_list(customer=customer, name="Secret surprise")
    products = make_products(count)
    for product in products:
        add_favourite(customer=customer, list_id=row.pk, product_id=product.pk)
    return share_list(customer=customer, list_id=row.pk, title=title), products


def test_a_shared_list_is_a_page_in_both_languages_that_names_no_customer() -> None:
    row, [product] = make_shared()
    stock(product, 5)
    gone = make_product(name_en="Gone noodles")
    add_favourite(customer=row.customer, list_id=row.pk, product_id=gone.pk)
    update_products(Product.objects.filter(pk=gone.pk), on_sale=False)
    for prefix, name, heading in (
        ("", product.name_en, "A shared list"),
        (CHINESE, product.name_zh, "分享的清单"),
    ):
        response = Client().get(f"{prefix}/shared/{row.share_token}")
        page = html_of(response)
        assert response.status_code == 200
        assert f"<h1>{heading}</h1>" in page
        assert name in page
        assert '<meta name="robots" content="noindex">' in page
        assert "no-store" in response.headers["Cache-Control"]
        for secret in ("Mei Lin", row.customer.account, "Secret surprise", "Gone noodles"):
            assert secret not in page
        assert f'href="{CHINESE if not prefix else ""}/shared/{row.share_token}"' in page


def test_a_shared_list_has_its_title_and_pages() -> None:
    row, products = make_shared(title="<b>Our hotpot</b>", count=25)
    first, second = (html_of(Client().get(f"/shared/{row.share_token}?page={n}")) for n in (1, 2))
    assert "<h1>&lt;b&gt;Our hotpot&lt;/b&gt;</h1>" in first
    assert products[0].name_en not in first
    assert f">{products[0].name_en}</a>" in second
    assert f"/shared/{row.share_token}?page=2" in first
    assert Client().get(f"/shared/{row.share_token}?page=x").status_code == 404
    assert Client().post(f"/shared/{row.share_token}").status_code == 405


def test_an_ended_link_stops_working_immediately_and_a_new_one_is_made() -> None:
    row, _products = make_shared()
    old, path = row.share_token, "/shared/{}"
    assert Client().get(path.format(old)).status_code == 200
    new = share_list(customer=row.customer, list_id=row.pk, title="").share_token
    assert new != old
    assert Client().get(path.format(old)).status_code == 404
    assert Client().get(path.format(new)).status_code == 200
    end_share(customer=row.customer, list_id=row.pk)
    assert Client().get(path.format(new)).status_code == 404
    again = share_list(customer=row.customer, list_id=row.pk, title="").share_token
    remove_list(customer=row.customer, list_id=row.pk)
    assert Client().get(path.format(again)).status_code == 404


def test_no_other_token_shows_a_list(subtests: pytest.Subtests) -> None:
    customer = make_customer()
    row = make_list(customer=customer, name="Hotpot")
    for token in ("1", "None", "%00", "%E6%88%91", "a" * 43, "a" * 5000):
        with subtests.test(token=token):
            assert row.share_token is None
            for number in (token, str(row.pk)):
                assert Client().get(f"/shared/{number}").status_code == 404


def test_a_customer_reads_ends_and_renews_the_link_of_a_list() -> None:
    caller = Caller()
    shared = caller.ask("POST", "/0/share", {"title": " Hotpot for two "})["sharePath"]
    [row] = caller.ask("GET")["list"]
    assert (row["sharePath"], row["shareTitle"], row["listId"]) == (shared, "Hotpot for two", 0)
    assert Client().get(shared).status_code == 200
    wrong = caller.refusal("POST", "/0/share", {"title": "x" * 61})
    assert wrong == {"reason": "parameter_error", "title": "parameter_error"}
    assert Client().get(shared).status_code == 200
    assert caller.ask("POST", "/0/share", {})["sharePath"] != shared
    assert Client().get(shared).status_code == 404
    assert caller.ask("DELETE", "/0/share") == caller.ask("DELETE", "/0/share") == 1
    assert caller.ask("GET")["list"][0]["sharePath"] is None
