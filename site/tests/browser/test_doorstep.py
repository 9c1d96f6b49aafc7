"""From order to doorstep: by van, by mail abroad and for pick-up, with what staff do in between."""

import io
import re
import urllib.request
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.browser.conftest import Axe, NewPage, Staff
from tests.browser.shops import Shop, eventually
from tests.browser.walk import Walk
from tests.browser.wire import PASSWORD, Goods, Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]

ID_CARD = "11010519491231002X"
SHANGHAI = {
    "contacts": "李伟",
    "contactPhone": "+8613812345678",
    "countryName": "China",
    "provinceName": "上海市",
    "cityName": "市辖区",
    "areaName": "黄浦区",
    "addressDetail": "南京东路1号",
    "zipCode": "200001",
}
PERTH = {
    "contacts": "Van Walker",
    "contactPhone": "+61412345678",
    "countryName": "Australia",
    "provinceName": "WA",
    "cityName": "",
    "areaName": "Northbridge",
    "addressDetail": "1 Walk Street",
    "zipCode": "6003",
}
# What staff press; `order` is at hand.
SHIP = """
from django.utils import timezone
from commerce.shipments.models import Carrier, ParcelState
from commerce.shipments.services import event_of, record_events, ship_parcel
carrier, _ = Carrier.objects.get_or_create(code="walk", defaults=dict(
    name_en="Walking Post", name_zh="步行邮政", tracking_link="https://post.example/{number}"))
shipment = ship_parcel(order=order, carrier=carrier, tracking_no="WP" + order.order_no[-8:])
record_events(shipment=shipment, events=[
    event_of(timezone.now(), ParcelState.in_transit, "已到达珀斯分拣中心", "Sorted in Perth")])
"""
PREPARE = """
from commerce.orders.moves import Move
from commerce.orders.services import move_order
from commerce.orders.status import OrderStatus
move_order(order=order, move=Move.prepare, seen=OrderStatus.paid)
"""
HAND_OVER = """
from commerce.orders.moves import Move
from commerce.orders.services import move_order
from commerce.orders.status import OrderStatus
move_order(order=order, move=Move.hand_over, seen=OrderStatus.ready, pickup_code=order.pickup_code)
"""
Address = Callable[[dict[str, str]], None]


def sold(wire: Wire, **facts: object) -> Goods:
    """Return a product that anyone can buy now and that has these facts."""
    for page in range(1, 6):
        for product in wire.call("POST", "/goods/list", {"stockType": "1", "size": 100, "page": page})[
            "list"
        ]:
            is_plain = (
                not product["limitAmount"] and product["minAmount"] == 1 and not product["actionTypeId"]
            )
            if is_plain and facts.items() <= product.items() and product["goodsStockAmount"] >= 20:
                found: Goods = product
                return found
    raise AssertionError(f"nothing with {facts}")


@pytest.fixture
def address(wire: Wire) -> Iterator[Address]:
    """Give the customer an address for the time of the test."""
    made: list[int] = []
    yield lambda fields: made.append(wire.call("POST", "/setting/deliveryAddress", fields)["addressId"])
    for pk in made:
        wire.call("DELETE", f"/setting/deliveryAddress/{pk}")


def pay_from_wallet(walk: Walk) -> str:
    """Pay at the payment step; returns the number of the order."""
    walk.pay_type("0").check()
    walk.field("pay.password").fill(PASSWORD)
    place = walk.words("checkout.placeAndPay", amount="")
    walk.page.get_by_role("button", name=re.compile(re.escape(place.strip()))).click()
    return walk.expect_paid()


def invoice_text(shop: Shop, order: dict[str, Any]) -> str:
    """Read the text of an order's invoice."""
    with urllib.request.urlopen(shop.url + order["invoiceUrl"], timeout=30) as answer:  # noqa: S310  our own
        assert answer.headers["Content-Type"] == "application/pdf"
        return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.read())).pages)


def test_a_mixed_basket_comes_by_van_is_tracked_received_and_bought_again(
    new_page: NewPage,
    axe: Axe,
    shop: Shop,
    wire: Wire,
    staff: Staff,
    address: Address,
    language: str,
    viewport: str,
) -> None:
    address(PERTH)
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    frozen, dry = sold(wire, storage="frozen"), sold(wire, storage="ambient", gstFree=True)
    taxed = sold(wire, storage="ambient", gstFree=False)
    walk.check_out_all(wire, frozen, dry, taxed)

    # A window has to be chosen.
    walk.choose_address(PERTH["contacts"])
    windows = walk.times("wishes.window")
    expect(windows.first).to_be_visible()
    walk.button("checkout.toPayment").click()
    expect(page.get_by_role("alert")).to_contain_text(words("checkout.error.window"))
    group = windows.first.locator("xpath=ancestor::*[@role='radiogroup'][1]")
    expect(group).to_have_attribute("aria-invalid", "true")
    axe(page)
    # Another day has other windows.
    days = page.get_by_role("radiogroup", name=words("wishes.day"), exact=True).get_by_role("radio")
    days.last.check()
    chosen = walk.choose_time("wishes.window")
    walk.page.get_by_label(words("wishes.leaveAtDoor")).check()
    walk.field("wishes.soldOut").select_option("ask")
    walk.field("wishes.instructions").fill("Blue door, ring twice")
    walk.to_payment()
    # The page is left before it has got the carts without what was ordered.
    page.route("**/pc/shoppingCart?*", lambda route: route.abort())
    order_no = pay_from_wallet(walk)
    page.unroute("**/pc/shoppingCart?*")
    order = wire.order(order_no)
    assert (order["deliverySlot"], order["leaveAtDoor"]) == (chosen, True)
    assert (order["remark"], order["soldOutWish"]) == ("Blue door, ring twice", "ask")

    # Staff send it; the customer sees where it is, and reads it in a message too.
    staff(order_no, SHIP)
    walk.open("/home/account/logis")
    parcel = page.get_by_role("article", name=words("orders.parcelOf", number=1, count=1))
    expect(parcel.filter(has_text=f"WP{order_no[-8:]}")).to_contain_text(
        "已到达珀斯分拣中心" if language == "zh-hans" else "Sorted in Perth"
    )
    axe(page)
    walk.open(f"/home/account/orderdetails/{order_no}")
    expect(page.get_by_text(words("orders.next.shipped"))).to_be_visible()
    expect(page.get_by_text("Blue door, ring twice")).to_be_visible()
    axe(page)

    # The invoice has the order's own sums.
    order = wire.order(order_no)
    text = invoice_text(shop, order)
    for amount in (order["payAmount"], order["gst"] + order["freightGst"]):
        assert f"A${Decimal(amount):,.2f}" in text
    assert "Tax invoice" in text
    assert "税务发票" in text
    link = page.get_by_role("link", name=words("orders.invoice"))
    assert str(link.get_attribute("href")).startswith("/invoices/")

    # Receipt, and all of it once more.
    walk.button("orders.receive").click()
    walk.button("orders.receiveYes").click()
    expect(walk.button("orders.receive")).to_be_hidden()
    assert wire.order(order_no)["statusLabel"] == "Completed"
    walk.button("orders.buyAgainOf", orderNo=order_no).click()
    walk.expect_at("/home/cart")
    for product in (frozen, dry, taxed):
        expect(walk.stepper(words.name_of(product))).to_be_visible()
    # The page sends what it shows already.
    amounts = {product["goodsId"]: 1 for product in (frozen, dry, taxed)}
    eventually(lambda: wire.cart() == amounts, "not all is in the cart")
    walk.open("/home/account/reorder")
    expect(page.get_by_role("link", name=words.name_of(dry))).to_be_visible()
    axe(page)

    sent = shop.messages(order_no)
    parts = {
        "en": ["We have your order", "is paid", "is on its way"],
        "zh-hans": ["已收到", "已付款", "已发货"],
    }
    # The first one is not sent for an order that is paid before the next job.
    assert len(sent) in {2, 3}
    for message, part in zip(sent, parts[language][-len(sent) :], strict=True):
        assert part in message["subject"]
        assert f"{walk.prefix}/home/account/orderdetails/{order_no}" in message["text"]
    assert "/invoices/" in sent[-2]["text"]


def test_mail_to_shanghai_needs_the_id_card_and_has_no_tax(
    new_page: NewPage, axe: Axe, wire: Wire, address: Address, language: str, viewport: str
) -> None:
    address(SHANGHAI)
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    walk.check_out_all(wire, sold(wire, storage="ambient", gstFree=False))
    walk.choose_address(SHANGHAI["contacts"])
    walk.to_payment()
    number = page.get_by_label(words("wishes.idCard"), exact=True)
    walk.pay_type("0").check()
    number.fill("110105194912310021")
    walk.field("pay.password").fill(PASSWORD)
    place = page.get_by_role("button", name=re.compile(words("checkout.placeAndPay", amount="").strip()))
    place.click()
    expect(number).to_have_attribute("aria-invalid", "true")
    axe(page)
    number.fill(ID_CARD)
    order_no = pay_from_wallet(walk)
    order = wire.order(order_no)
    assert (order["gst"], order["freightGst"], order["shippingType"]) == (0, 0, 1)
    assert order["idCard"] == "*" * 14 + ID_CARD[-4:]
    walk.open(f"/home/account/orderdetails/{order_no}")
    expect(page.get_by_text(order["idCard"])).to_be_visible()
    stored = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert ID_CARD not in stored + page.content()


def test_a_pick_up_is_handed_over_for_its_code(
    new_page: NewPage, axe: Axe, shop: Shop, wire: Wire, staff: Staff, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    [product] = wire.plentiful(1)
    walk.check_out_all(wire, product)
    walk.radio("checkout.pickup").check()
    page.get_by_role("radiogroup", name=words("checkout.pickupAt")).get_by_role("radio").first.check()
    walk.choose_time("checkout.pickupTime")
    walk.to_payment()
    order_no = pay_from_wallet(walk)
    code = wire.order(order_no)["pickupCode"]

    staff(order_no, PREPARE)
    walk.open(f"/home/account/orderdetails/{order_no}")
    expect(page.get_by_text(words("orders.next.ready"))).to_be_visible()
    expect(page.get_by_text(code, exact=True)).to_be_visible()
    expect(page.locator("img[src^='data:image/svg']")).to_have_js_property("complete", True)
    axe(page)
    assert code in shop.messages(order_no)[-1]["text"]

    staff(order_no, HAND_OVER)
    page.reload()
    expect(page.get_by_text(code, exact=True)).to_be_hidden()
    assert wire.order(order_no)["statusLabel"] == "Completed"


def test_orders_are_found_by_product_and_the_pages_fit_the_narrowest_phone(
    new_page: NewPage, axe: Axe, wire: Wire, address: Address, language: str
) -> None:
    walk = Walk(new_page("narrowest", wire), language)
    page, words = walk.page, walk.words
    product = sold(wire, storage="ambient")
    address(PERTH)
    order_no = wire.place_order(product)
    walk.open("/home/account/orders")
    walk.field("orders.search").fill(words.name_of(product))
    walk.button("orders.find").click()
    expect(page.get_by_role("article", name=words("orders.order", orderNo=order_no))).to_be_visible()
    expect(walk.field("orders.search")).to_have_value(words.name_of(product))
    for path in (
        f"/home/account/orders?word={order_no}",
        f"/home/account/orderdetails/{order_no}",
        "/home/account/logis",
        "/home/account/reorder",
        "/home/account/claims",
        f"/home/account/claims/new/{order_no}",
    ):
        walk.open(path)
        expect(page.locator(".account__main h1")).to_be_visible()
        expect(page.locator(".account__main").locator(".skel, [aria-busy=true]")).to_have_count(0)
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    wire.call("PUT", f"/order/cancel/{order_no}")
