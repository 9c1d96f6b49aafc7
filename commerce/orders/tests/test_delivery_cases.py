"""What the server enforces of a delivery, by the cases that the islands' tests read as well.

See islands/stores/delivery-cases.test.ts and docs/product.md#checkout.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from commerce.accounts.schemas import AddressIn
from commerce.accounts.services import add_address
from commerce.accounts.tests.builders import make_customer
from commerce.delivery.boxes import is_po_box
from commerce.delivery.freight import Region
from commerce.delivery.shipping import ShippingType, check_agrees, read_shipping_type
from commerce.orders.models import Trade
from commerce.orders.schemas import OrderIn
from commerce.orders.tests.builders import Buyer, make_stocked, nothing_changes
from core.errors import ShopError

CASES: dict[str, list[dict[str, Any]]] = json.loads(
    Path(__file__).with_name("delivery_cases.json").read_text("utf-8")
)


def is_refused(act: Any, **arguments: Any) -> bool:
    """Return whether a rule refuses."""
    try:
        act(**arguments)
    except ShopError:
        return True
    return False


@pytest.mark.django_db
def test_an_address_is_stored_only_when_it_is_complete() -> None:
    customer = make_customer()
    for case in CASES["addresses"]:
        stored = customer.addresses.count()
        values = AddressIn(**case["address"]).values()
        refused = is_refused(add_address, customer=customer, values=values, make_default=False)
        assert (not refused, customer.addresses.count() - stored) == (
            case["complete"],
            int(case["complete"]),
        ), case["name"]


def test_a_pick_up_is_read_only_when_it_is_complete() -> None:
    for case in CASES["pickups"]:
        asked = {name: case[name] for name in ("shopId", "terminalDateTime")}
        order = OrderIn(transactionCode="T1", orderGoods=[], shippingType="3", **asked)
        assert is_refused(order.fulfilment) is not case["complete"], case["name"]


def test_a_way_of_delivery_has_one_code_that_agrees_with_its_country(subtests: pytest.Subtests) -> None:
    for case in CASES["shippingTypes"]:
        with subtests.test(case=case):
            if case["shippingType"] == "":
                assert is_refused(read_shipping_type, text="")
                continue
            code = read_shipping_type(case["shippingType"])
            assert (code == ShippingType.pickup) is (case["deliveryType"] == "pickup")
            if code != ShippingType.pickup:
                agreeing = [
                    kind
                    for kind in ShippingType
                    if not is_refused(check_agrees, shipping_type=kind, region=Region(case["country"]))
                ]
                assert agreeing == [code]


def test_a_po_box_is_recognised_by_the_street_line() -> None:
    for case in CASES["poBoxes"]:
        assert is_po_box(case["detail"]) is case["isBox"], case["detail"]


@pytest.mark.django_db
def test_what_must_stay_cold_is_not_sent_to_a_po_box() -> None:
    rice, tofu = make_stocked(), make_stocked(storage="chilled")
    buyer = Buyer()
    buyer.customer.addresses.update(address_detail="PO Box 12")
    with nothing_changes(but=[Trade]):
        refused = buyer.order((rice, 1), (tofu, 1))
    assert (refused["reason"], refused["fields"]) == ("address_error", {"deliveryAddressId": "address_error"})
    assert (refused["whyEn"], refused["why"]) == (
        "Chilled and frozen products need a street address, not a PO box or parcel locker.",
        "冷藏和冷冻商品需要街道地址，不能送到邮政信箱或快递柜。",
    )
    assert buyer.order((rice, 1))["code"] == 0
