"""Identity cards of recipients in China (docs/guarantees/customers.md#id-cards)."""

import json
import logging
from datetime import date, timedelta
from io import StringIO
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.test import Client
from time_machine import travel

from commerce.orders.id_cards import check_id_card, normal_form
from commerce.orders.models import Order, RecipientIdCard, Trade
from commerce.orders.requests import Delivery
from commerce.orders.services.id_cards import read_id_card, rotate_id_cards
from commerce.orders.tasks import purge_orders
from commerce.orders.tests.builders import (
    ID_CARD,
    Buyer,
    BuyerInChina,
    audit,
    make_stocked,
    nothing_changes,
    ordered,
)
from core.errors import ShopError
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

# No person's: the examples of the standard itself.
NUMBER, OTHER = ID_CARD, "440524188001010014"
TODAY = date(2026, 11, 26)


def test_a_number_whose_last_digit_fits_is_right(subtests: pytest.Subtests) -> None:
    for number in (NUMBER, OTHER):
        with subtests.test(number=number):
            check_id_card(number, today=TODAY)


def test_any_other_number_is_refused_without_repeating_it(subtests: pytest.Subtests) -> None:
    for number in (
        "",
        NUMBER[:-1],
        f"{NUMBER}0",
        "110105194912310021",
        "110105491231002",
        "10010519491231002X",
        "11010519490231002X",
        "11010520991231002X",
        "1101051949123100²X",
        "not a number at all",
    ):
        with subtests.test(number=number):
            with pytest.raises(ShopError) as refused:
                check_id_card(number, today=TODAY)
            assert refused.value.err.name == "id_card_error"
            assert not number or number not in repr(refused.value)


def test_a_number_may_be_typed_in_small_letters_and_groups() -> None:
    assert normal_form(" 110105 19491231 002x ") == NUMBER


def test_a_delivery_does_not_show_its_number() -> None:
    assert NUMBER not in repr(Delivery(1, 7, id_card=NUMBER))  # type: ignore[arg-type]


def test_an_order_to_china_needs_the_recipients_id_card(subtests: pytest.Subtests) -> None:
    buyer, product = BuyerInChina(), make_stocked()
    for number in (None, "", "110105194912310021"):
        with subtests.test(number=number), rolled_back():
            body = buyer.body((product, 1), idCard=number)
            with nothing_changes():
                answer = buyer.send("POST", "/order", body)
            assert (answer["reason"], answer["fields"]) == ("id_card_error", {"idCard": "id_card_error"})
            # The code may be used again.
            assert buyer.send("POST", "/order", body | {"idCard": NUMBER})["code"] == 0


def test_elsewhere_an_id_card_is_not_kept() -> None:
    order = make_order_with(Buyer(), idCard=NUMBER)
    assert not RecipientIdCard.objects.filter(order=order).exists()


def test_the_same_request_answers_the_same_order_and_another_number_does_not() -> None:
    buyer, product = BuyerInChina(), make_stocked()
    body = buyer.body((product, 1))
    first = buyer.send("POST", "/order", body)["result"]["orderNo"]
    assert buyer.send("POST", "/order", body | {"idCard": NUMBER.lower()})["result"]["orderNo"] == first
    assert buyer.send("POST", "/order", body | {"idCard": OTHER})["reason"] == "order_exists"


def test_the_number_is_in_no_answer_page_export_log_or_dump(
    boss: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    buyer = BuyerInChina()
    order = make_order_with(buyer)
    seen = [json.dumps(buyer.send("GET", f"/order/detailed/{order.order_no}"))]
    assert '"idCard": "**************002X"' in seen[0]
    page = boss.get(f"/admin/orders/inspect/{order.pk}/").content.decode()
    assert "**************002X" in page
    dump = StringIO()
    call_command("dumpdata", "--all", stdout=dump, exclude=["contenttypes", "auth.permission"])
    assert "**************002X" in dump.getvalue()
    export = b"".join(boss.get("/admin/orders/?export=csv"))
    assert any(record.name == "shop.request" for record in caplog.records)
    seen += [page, dump.getvalue(), export.decode(), caplog.text, *map(repr, map(vars, caplog.records))]
    assert not [text for text in seen if NUMBER in text or NUMBER[:17] in text]
    # What the code was claimed for cannot be guessed from the database: its key is outside.
    assert NUMBER not in Trade.objects.get().payload_hash


def test_staff_read_the_number_for_customs_by_a_command() -> None:
    order = make_order_with(BuyerInChina())
    shown = StringIO()
    call_command("id_card", order.order_no, stdout=shown)
    assert shown.getvalue().strip() == NUMBER
    with pytest.raises(CommandError):
        call_command("id_card", "S0")


def test_a_new_key_takes_over_what_former_keys_have_encrypted(settings: LazySettings) -> None:
    order = make_order_with(BuyerInChina())
    settings.ID_CARD_KEYS = ["a new key, with thirty-two characters", *settings.ID_CARD_KEYS]
    assert read_id_card(order_no=order.order_no) == NUMBER
    assert rotate_id_cards() == 1
    settings.ID_CARD_KEYS = settings.ID_CARD_KEYS[:1]
    assert read_id_card(order_no=order.order_no) == NUMBER


def test_an_id_card_is_gone_after_its_time_with_its_last_digits(settings: LazySettings) -> None:
    order = make_order_with(BuyerInChina())
    end = order.created_at + timedelta(days=settings.ID_CARD_DAYS)
    with travel(end - timedelta(hours=1), tick=False):
        purge_orders()
        assert RecipientIdCard.objects.exists()
    with travel(end, tick=False):
        purge_orders()
    assert not RecipientIdCard.objects.exists()
    assert Order.objects.filter(pk=order.pk).exists()


def test_the_audit_names_an_id_card_that_is_kept_too_long(capsys: pytest.CaptureFixture[str]) -> None:
    order = make_order_with(BuyerInChina())
    audit()
    RecipientIdCard.objects.update(delete_at=order.created_at - timedelta(days=3))
    with pytest.raises(SystemExit):
        audit()
    assert f"order {order}" in "".join(capsys.readouterr())


def make_order_with(buyer: Buyer, **kw: Any) -> Order:
    """Make an order of one unit through the API."""
    return ordered(buyer.order((make_stocked(), 1), **kw))
