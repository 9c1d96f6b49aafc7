"""Back-in-stock alerts: open to everyone, sent once, in the subscriber's language, ended by a link."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.core import mail
from django.test import Client
from django.utils import timezone

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.goods.writing import update_products
from catalog.search.models import FailedSearch
from catalog.stock.tests.builders import stock
from commerce.messaging.models import MAX_SUBJECT, Message
from commerce.messaging.services import deliver_due_messages
from commerce.messaging.tests.outbox import messages
from commerce.rate_limits.models import RateLimitCounter
from commerce.stock_alerts import services
from commerce.stock_alerts.models import StockAlert
from core.due_rows import MIN_WAIT_SECONDS
from core.tests.clocks import pass_seconds
from core.tests.failing import failing_for, refuse_as_busy
from core.tests.pages import html_of

pytestmark = pytest.mark.django_db(transaction=True)

CALL = "/api/v1/pc/stockNotice"


def ask(client: Client, product: Product, email: object = "mei@example.com", **headers: str) -> Any:
    body = json.dumps({"goodsId": product.pk, "email": email})
    return client.post(CALL, body, content_type="application/json", headers=headers)


def reason(answer: Any) -> str | None:
    key: str | None = answer.json().get("reason")
    return key


@pytest.fixture
def tea() -> Product:
    return make_product(name_en="Tea", name_zh="茶")


def test_staff_find_who_waits_by_the_pinyin_of_a_product(staff: Client, tea: Product) -> None:
    ask(staff, tea)
    ask(staff, make_product(name_en="Honey", name_zh="蜂蜜"), "other@example.com")
    found = staff.get("/admin/stock_alerts/results/", {"q": "cha"}).content.decode()
    assert "mei@example.com" in found
    assert "other@example.com" not in found


def test_each_subscriber_gets_one_email_when_the_product_is_back(client: Client, tea: Product) -> None:
    assert ask(client, tea, " Mei@Example.com ").json() == {"code": 0, "msg": "", "result": 1}
    assert services.send_due_alerts() == 0

    stock(tea, 3)
    assert (services.send_due_alerts(), services.send_due_alerts()) == (1, 0)

    [message] = messages()
    assert (message["to"], message["channel"]) == ("mei@example.com", "email")
    assert message["subject"] == "Back in stock: Tea"
    assert f"/shop/shopdetails/{tea.pk}\n" in message["text"]
    assert "/zh-hans" not in message["text"]


def test_an_alert_of_a_product_that_is_sold_out_again_waits_for_the_next_time(
    client: Client, tea: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "enqueue_after_commit", lambda *_: None)
    ask(client, tea)
    stock(tea, 3)
    assert services.send_due_alerts() == 1
    update_products(Product.objects.filter(pk=tea.pk), on_sale=False)
    deliver_due_messages()
    assert (list(messages()), Message.objects.count()) == ([], 0)
    assert StockAlert.objects.get().sent_at is None
    update_products(Product.objects.filter(pk=tea.pk), on_sale=True)
    assert services.send_due_alerts() == 1
    deliver_due_messages()
    assert [message["subject"] for message in messages()] == ["Back in stock: Tea"]


def test_a_wish_that_is_refused_as_busy_does_not_count(
    client: Client, tea: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as busy:
        busy.setattr(StockAlert.objects, "bulk_create", refuse_as_busy)
        assert reason(ask(client, tea)) == "shop_busy"
    assert not RateLimitCounter.objects.exists()
    assert reason(ask(client, tea)) is None


def test_the_email_is_in_the_subscribers_language(client: Client, tea: Product) -> None:
    ask(client, tea, lang="zh")
    stock(tea, 3)
    services.send_due_alerts()
    [message] = messages()
    assert "茶" in message["subject"]
    assert f"/zh-hans/shop/shopdetails/{tea.pk}\n" in message["text"]
    assert "reserved" not in message["text"]


@pytest.mark.parametrize("name", ["Tea " * 50, "Tea\nof the shop"])
def test_the_email_of_a_product_with_a_long_name_can_be_sent(client: Client, name: str) -> None:
    tea = make_product(name_en=name.strip())
    ask(client, tea)
    stock(tea, 3)
    assert services.send_due_alerts() == 1

    [message] = messages()
    assert message["subject"].startswith("Back in stock: Tea ")
    assert len(message["subject"]) <= MAX_SUBJECT
    assert "\n" not in message["subject"]


def test_asking_twice_gets_the_same_answer_and_one_alert(client: Client, tea: Product) -> None:
    assert ask(client, tea).content == ask(client, tea).content
    assert StockAlert.objects.count() == 1
    stock(tea, 3)
    assert services.send_due_alerts() == 1
    ask(client, tea)
    assert StockAlert.objects.count() == 2


def test_an_invalid_email_address_is_refused(client: Client, tea: Product, subtests: pytest.Subtests) -> None:
    for email in ("", "mei", "+61412345678", "mei@", "a" * 250 + "@b.au", "梅@example.com"):
        with subtests.test(email=email):
            answer = ask(client, tea, email)
            assert answer.json()["fields"] == {"email": "parameter_error"}
            assert (answer.status_code, StockAlert.objects.count()) == (200, 0)


def test_unknown_products_are_refused(client: Client) -> None:
    gone = make_product(on_sale=False)
    assert reason(ask(client, gone)) == "goods_off_shelf"
    gone.pk = 999_999
    assert reason(ask(client, gone)) == "goods_error"
    assert not StockAlert.objects.exists()


def test_one_email_address_has_a_daily_limit(client: Client) -> None:
    answers = [ask(client, make_product()) for _ in range(services.PER_EMAIL.maximum + 1)]
    assert [answer.status_code for answer in answers] == [200] * services.PER_EMAIL.maximum + [429]
    assert StockAlert.objects.count() == services.PER_EMAIL.maximum
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        assert ask(client, make_product()).status_code == 200


def test_one_client_has_a_daily_limit_of_email_addresses(client: Client, tea: Product) -> None:
    maximum = services.PER_NETWORK.maximum
    answers = [ask(client, tea, f"a{number}@example.com") for number in range(maximum + 1)]
    assert reason(answers[-1]) == "too_frequent"
    assert StockAlert.objects.count() == maximum


def test_products_no_longer_on_sale_send_no_alerts(client: Client, tea: Product) -> None:
    ask(client, tea)
    update_products(Product.objects.filter(pk=tea.pk), on_sale=False)
    stock(tea, 3)
    assert services.send_due_alerts() == 0


def link_of(message: dict[str, Any]) -> str:
    found = re.search(r"http\S+(/shop/notices/\S+)", message["text"])
    assert found
    return found[1]


def test_the_link_ends_every_alert_of_its_address_without_login(client: Client, tea: Product) -> None:
    rice, soap = make_product(), make_product()
    for product in (tea, rice, soap):
        ask(client, product)
    ask(client, rice, "other@example.com")
    stock(tea, 1)
    services.send_due_alerts()
    link = link_of(messages()[0])

    page = client.get(link)
    assert (page.status_code, page.cookies) == (200, {})
    assert "m***@example.com" in page.content.decode()
    assert "mei@example.com" not in page.content.decode()
    assert StockAlert.objects.filter(email="mei@example.com", sent_at=None).count() == 2

    strict = Client(enforce_csrf_checks=True)
    assert [strict.post(link).status_code for _ in range(2)] == [200, 200]
    assert not StockAlert.objects.filter(email="mei@example.com", sent_at=None).exists()
    assert StockAlert.objects.filter(email="other@example.com").exists()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_mail_program_ends_the_alerts_by_one_post_to_the_link_of_the_headers(
    client: Client, tea: Product, settings: LazySettings, lang: str
) -> None:
    settings.EMAIL_URL = "smtp://mail.example.com"
    for product in (tea, make_product()):
        ask(client, product, lang=lang)
    stock(tea, 1)
    services.send_due_alerts()
    [sent] = mail.outbox
    link = str(sent.extra_headers["List-Unsubscribe"])[1:-1]
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert link in sent.body
    path = link.removeprefix(settings.SITE_URL)
    assert client.get(path).status_code == 200
    assert StockAlert.objects.filter(sent_at=None).count() == 1

    mail_program = Client(enforce_csrf_checks=True)
    for _ in range(2):
        answer = mail_program.post(path, {"List-Unsubscribe": "One-Click"})
        assert (answer.status_code, answer.cookies) == (200, {})
    assert not StockAlert.objects.filter(sent_at=None).exists()
    # The row of the message has the link no longer.
    assert not Message.objects.exclude(unsubscribe_url="", text="").exists()


def test_a_link_that_the_shop_has_not_sent_ends_nothing(
    client: Client, tea: Product, subtests: pytest.Subtests
) -> None:
    ask(client, tea)
    for token in ("x", "bWVp:1abc:zzz", "%00"):
        with subtests.test(token=token):
            for path in (f"/shop/notices/{token}", f"/zh-hans/shop/notices/{token}"):
                assert client.post(path).status_code == 404
            assert StockAlert.objects.count() == 1


def test_the_form_works_without_script_in_both_languages(client: Client, tea: Product) -> None:
    strict = Client(enforce_csrf_checks=True)
    for prefix, language in (("", "en"), ("/zh-hans", "zh-hans")):
        path = f"{prefix}/shop/shopdetails/{tea.pk}"
        assert f'action="{path}/notice"' in html_of(client.get(path))
        answer = strict.post(f"{path}/notice", {"email": f"{language}@example.com"})
        assert (answer.status_code, answer.cookies) == (200, {})
        assert StockAlert.objects.get(email=f"{language}@example.com").language == language
        assert strict.post(f"{path}/notice", {"email": "no"}).status_code == 400
        assert strict.get(f"{path}/notice").status_code == 405
    assert strict.post("/shop/shopdetails/0/notice", {"email": "mei@example.com"}).status_code == 404


def test_products_in_stock_have_no_such_form(client: Client, tea: Product) -> None:
    stock(tea, 3)
    assert "data-stock-alert" not in html_of(client.get(f"/shop/shopdetails/{tea.pk}"))


def test_old_alerts_are_deleted(client: Client, tea: Product) -> None:
    ask(client, tea)
    stock(tea, 1)
    services.send_due_alerts()
    ask(client, make_product())
    services.delete_old_alerts()
    assert StockAlert.objects.count() == 2
    with time_machine.travel(timezone.now() + services.OPEN_FOR + timedelta(days=1)):
        services.delete_old_alerts()
    assert not StockAlert.objects.exists()


def test_an_alert_that_fails_stops_no_other_and_is_sent_later(
    client: Client, tea: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    rice = make_product(name_en="Rice")
    for product in (tea, rice):
        ask(client, product)
        stock(product, 3)
    bad = StockAlert.objects.get(product=tea)
    with monkeypatch.context() as patch:
        patch.setattr(services, "_send", failing_for(bad, services._send))
        assert services.send_due_alerts() == 1
    assert [message["subject"] for message in messages()] == ["Back in stock: Rice"]
    pass_seconds(monkeypatch, MIN_WAIT_SECONDS)
    assert services.send_due_alerts() == 1
    assert not StockAlert.objects.filter(sent_at=None).exists()


def test_requests_to_stock_a_product_are_counted_and_limited_by_network(
    client: Client, staff: Client
) -> None:
    def request(word: object) -> Any:
        return client.post("/api/v1/pc/stockRequest", {"word": word}, content_type="application/json")

    assert [request(word).json()["result"] for word in ("面包", "麵包", "0412 345 678", "")] == [1] * 4
    assert list(FailedSearch.objects.values_list("word", "count", "requests")) == [("面包", 0, 2)]
    assert "面包" in html_of(staff.get("/admin/failed_searches/"))
    for _ in range(services.REQUESTS_PER_NETWORK.maximum - 4):
        request("bread")
    assert reason(request("面包")) == "too_frequent"
    assert FailedSearch.objects.get(word="面包").requests == 2
