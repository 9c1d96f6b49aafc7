"""A copy of one's data: everything the shop holds, no secret, only with the password, a few a day."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest
from django.apps import apps

from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import PASSWORD
from commerce.favourites.models import FavouriteList
from commerce.messaging.models import Message
from commerce.orders.tests.builders import ID_CARD, BuyerInChina, make_order, make_stocked, top_up
from commerce.orders.tests.builders import Buyer as BuyerAtHome
from commerce.payments.tests.builders import make_recharge, pay
from commerce.privacy.models import DataCopy
from commerce.privacy.personal_data import HOLDINGS
from commerce.privacy.services import copying
from commerce.privacy.tests.builders import staff
from commerce.stock_alerts.models import StockAlert
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

CALL = "/api/v1/pc/setting/myData"


def ask(buyer: BuyerAtHome, format: object = "json", password: object = PASSWORD, lang: str = "en") -> Any:
    body = json.dumps({"password": password, "format": format})
    return buyer.client.post(CALL, body, "application/json", headers={"lang": lang})


def copy_of(buyer: BuyerAtHome, **kw: Any) -> dict[str, Any]:
    result = ask(buyer, **kw).json()["result"]
    document: dict[str, Any] = json.loads(result["content"])
    return document


@pytest.fixture
def buyer() -> BuyerAtHome:
    """A customer who has used everything."""
    buyer = BuyerInChina()
    Customer.objects.filter(pk=buyer.customer.pk).update(nickname="<b>梅</b>")
    top_up(buyer.customer)
    tea = make_stocked(name_en="Jasmine <tea>", name_zh="茉莉花茶")
    order = make_order(buyer, (tea, 2))
    assert pay(buyer, order, "0", password=PASSWORD)["code"] == 0
    buyer.send("POST", "/shoppingCart", {"goodsId": tea.pk, "goodsAmount": 3})
    buyer.send("PUT", "/setting/consent", {"marketing": True})
    make_recharge(buyer)
    StockAlert.objects.create(product=tea, email=buyer.customer.account, language="en")
    return buyer


def test_the_copy_has_everything_and_no_secret(buyer: BuyerAtHome) -> None:
    answer = ask(buyer).json()["result"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-my-data\.json", answer["fileName"])
    document = json.loads(answer["content"])
    data, order = document["data"], document["data"]["orders"][0]
    assert document["account"] == data["profile"][0]["account"] == buyer.customer.account
    assert data["profile"][0]["hasPayPassword"] is True
    assert data["addresses"][0]["street"] == buyer.address.address_detail
    assert (order["recipient"], order["idCard"][-4:]) == ("Li Wei", ID_CARD[-4:])
    assert data["orderLines"][0]["product"] == "Jasmine <tea>"
    assert [line["amount"] for line in data["orderLines"]] == [2]
    assert data["payments"][0]["state"] == "Paid"
    assert Decimal(str(data["wallet"][0]["amount"])) == 500
    assert len(data["wallet"]) == 2
    assert [item["amount"] for item in data["carts"]] == [3]
    assert [change["agrees"] for change in data["consents"]] == [True]
    assert data["topUps"][0]["amount"] == 50
    assert data["stockNotices"][0]["product"] == "Jasmine <tea>"
    assert len(data["logins"]) == 1
    fresh = Customer.objects.get(pk=buyer.customer.pk)
    for secret in (ID_CARD, fresh.password, fresh.pay_password, "token_hash"):
        assert secret not in answer["content"]


def test_the_copy_to_read_is_a_page_in_the_language_of_the_reader(buyer: BuyerAtHome) -> None:
    chinese = ask(buyer, "html", lang="zh").json()["result"]["content"]
    english = ask(buyer, "html").json()["result"]["content"]
    assert '<html lang="zh-Hans">' in chinese
    assert '<html lang="en-AU">' in english
    for page in (chinese, english):
        assert "&lt;b&gt;梅&lt;/b&gt;" in page
        assert "<b>梅" not in page
        assert "Jasmine &lt;tea&gt;" in page
        # Nothing is loaded from anywhere.
        assert not re.search(r"<(script|img|link|iframe)\b|url\(", page)
    assert "Addresses" in english
    assert "Addresses" not in chinese
    sections = [section for holding in HOLDINGS for section in holding.sections]
    assert len(re.findall("<section", english)) == len(sections)
    assert len({section.key for section in sections}) == len(sections)


def test_the_copy_to_read_has_words_where_the_other_one_has_codes(buyer: BuyerAtHome) -> None:
    Customer.objects.filter(pk=buyer.customer.pk).update(language="zh-hans")
    FavouriteList.objects.create(customer=buyer.customer, name="")
    for lang, words in (
        ("en", ("Member", "中文", "Cart", "Favourites")),
        ("zh", ("普通会员", "购物车", "收藏夹")),
    ):
        page = ask(buyer, "html", lang=lang).json()["result"]["content"]
        cells = re.findall(r"<td>(.*?)</td>", page, re.DOTALL)
        assert {*words} <= {cell.strip() for cell in cells}
        assert not re.search(r"zh-hans|DirectMailCart|<td>\s*(1|20\d\d-\d\d-\d\d)\s*</td>", page)
    data = copy_of(buyer)["data"]
    assert (data["profile"][0]["level"], data["profile"][0]["language"]) == (1, "zh-hans")
    assert [item["cart"] for item in data["carts"]] == ["DirectMailCart"]


def test_it_is_noted_and_notified_to_the_customer(buyer: BuyerAtHome) -> None:
    Message.objects.all().delete()
    ask(buyer, lang="zh")
    assert DataCopy.objects.get().customer == buyer.customer
    [message] = Message.objects.all()
    assert message.to == buyer.customer.account
    assert "数据" in message.subject


def test_who_does_not_know_the_password_gets_nothing(subtests: pytest.Subtests) -> None:
    buyer = BuyerAtHome()
    for values, reason in (
        ({"password": "000000"}, "password_wrong"),
        ({"password": ""}, "password_wrong"),
        ({"password": None}, "parameter_error"),
        ({"format": "exe"}, "parameter_error"),
        ({"format": None}, "parameter_error"),
    ):
        with subtests.test(values=values, reason=reason), rolled_back():
            answer = ask(buyer, **values)
            found = (answer.status_code, answer.json()["reason"], answer.json()["result"])
            assert found == (200, reason, None)
            assert not DataCopy.objects.exists()
            assert not Message.objects.exists()


def test_guesses_count_as_those_of_a_login() -> None:
    buyer = BuyerAtHome()
    answers = [ask(buyer, password="000000") for _ in range(11)]
    assert [answer.status_code for answer in answers] == [200] * 10 + [429]
    # Nor does the right one help now.
    assert ask(buyer).status_code == 429
    assert not DataCopy.objects.exists()


def test_a_customer_has_a_few_copies_a_day() -> None:
    buyer = BuyerAtHome()
    maximum = copying.PER_CUSTOMER.maximum
    answers = [ask(buyer) for _ in range(maximum + 1)]
    assert [answer.status_code for answer in answers] == [200] * maximum + [429]
    assert DataCopy.objects.count() == maximum


def test_rows_are_read_by_pages_and_what_takes_too_long_is_refused(
    buyer: BuyerAtHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = copy_of(buyer)["data"]
    monkeypatch.setattr("commerce.accounts.personal.ROWS_PER_BATCH", 1)
    monkeypatch.setattr("commerce.orders.personal.ORDERS_PER_BATCH", 1)
    paged = copy_of(buyer)["data"]
    for noted_by_a_copy in ("copies", "messages"):
        whole.pop(noted_by_a_copy)
        paged.pop(noted_by_a_copy)
    assert paged == whole
    copies = DataCopy.objects.count()
    monkeypatch.setattr(copying, "MAX_SECONDS", -1)
    monkeypatch.setattr(copying.copy_of_data, "__kwdefaults__", {"seconds": -1})
    assert ask(buyer).json()["reason"] == "copy_too_large"
    assert DataCopy.objects.count() == copies


def test_staff_give_a_copy_to_a_customer_who_may_no_longer_log_in(buyer: BuyerAtHome) -> None:
    path = f"/admin/customers/{buyer.customer.pk}/copy/"
    helper = staff("helper", "handle_request")
    answer = helper.post(path, {"format": "json"})
    assert json.loads(answer.content)["account"] == buyer.customer.account
    assert answer["Content-Disposition"].startswith("attachment")
    assert DataCopy.objects.get().staff.username == "helper"  # type: ignore[union-attr]
    assert '<html lang="en-AU">' in helper.post(path, {"format": "html"}).content.decode()
    other = staff("other")
    assert other.post(path, {"format": "json"}).status_code == 302
    assert DataCopy.objects.count() == 2


def test_every_table_that_names_a_customer_belongs_to_a_holding() -> None:
    named = {
        model._meta.label
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Customer
    }
    assert {table for holding in HOLDINGS for table in holding.tables} == named
