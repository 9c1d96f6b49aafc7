"""What refunds of lines and freight are worth, to the cent (docs/guarantees/money.md#refunds-of-orders)."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commerce.orders.models import Order, OrderLine
from commerce.refunds.worth import FreightPart, LineWish, allocate, price_refund
from core.errors import Err, ShopError
from core.money import CENT, ZERO, aud


# Rules without queries.
def make_line(pk: int = 1, units: int = 3, paid: str = "10.00", gst: str = "0.91") -> OrderLine:
    return OrderLine(pk=pk, amount=units, line_total=Decimal(paid) + 5, discount=Decimal(5), gst=Decimal(gst))


def make_order(freight: str = "7.90", gst: str = "0.72") -> Order:
    return Order(freight=Decimal(freight), freight_gst=Decimal(gst), status=2)


def count(line: OrderLine, units: int, amount: Decimal) -> None:
    line.refunded_units += units
    line.refunded_amount += amount


@settings(deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.integers(0, 5_000))
def test_all_units_of_a_line_give_back_what_was_paid_and_all_its_tax(parts: list[int], paid: int) -> None:
    line = make_line(units=sum(parts), paid=str(paid * CENT), gst=str(aud(paid * CENT / 11)))
    other = make_line(pk=2, units=1, paid="1.00", gst="0")
    order, gst, freight, freight_gst = make_order(), ZERO, ZERO, ZERO
    for part in parts:
        wishes = [LineWish(1, part), LineWish(2, 0, CENT)]
        priced = price_refund(order=order, lines=[line, other], wishes=wishes, freight=FreightPart.share)
        for each in priced.lines:
            assert ZERO <= each.gst <= each.amount
            count(each.line, each.units, each.amount)
        gst += priced.gst
        order.refunded_freight += priced.freight_amount
        freight += priced.freight_amount
        freight_gst += priced.freight_gst
    assert (line.refunded_amount, gst) == (line.in_money, line.gst)
    last = price_refund(
        order=order,
        lines=[line, other],
        wishes=[LineWish(2, 0, 1 - other.refunded_amount)],
        freight=FreightPart.share,
    )
    assert freight + last.freight_amount == order.freight
    assert freight_gst + last.freight_gst == order.freight_gst


def test_what_cannot_be_shared_goes_to_the_first_units() -> None:
    line, amounts = make_line(), []
    for _ in range(3):
        [each] = price_refund(
            order=make_order(), lines=[line], wishes=[LineWish(1, 1)], freight=FreightPart.none
        ).lines
        count(line, 1, each.amount)
        amounts.append(str(each.amount))
    assert amounts == ["3.34", "3.33", "3.33"]


def test_dollars_without_units_leave_less_for_the_units() -> None:
    line = make_line(units=2)
    line.refunded_amount = Decimal("7.00")
    [each] = price_refund(
        order=make_order(), lines=[line], wishes=[LineWish(1, 2)], freight=FreightPart.none
    ).lines
    assert each.amount == Decimal("3.00")


def test_what_makes_no_sense_or_was_not_paid_is_refused(subtests: pytest.Subtests) -> None:
    for wish, err in (
        (LineWish(1, 4), Err.refund_above_paid),
        (LineWish(1, 1, Decimal("3.35")), Err.refund_above_paid),
        (LineWish(1, 0, Decimal("10.01")), Err.refund_above_paid),
        (LineWish(1, -1), Err.parameter_error),
        (LineWish(1, 0, Decimal("-1")), Err.parameter_error),
        (LineWish(1, 0, Decimal("0.001")), Err.parameter_error),
        (LineWish(1, 1, None, 2), Err.parameter_error),
        (LineWish(9, 1), Err.parameter_error),
        (LineWish(1, 0), Err.nothing_to_refund),
    ):
        with subtests.test(wish=wish, err=err):
            with pytest.raises(ShopError) as refusal:
                price_refund(order=make_order(), lines=[make_line()], wishes=[wish], freight=FreightPart.none)
            assert refusal.value.err is err


def test_money_is_taken_from_payments_in_their_order() -> None:
    left = {7: Decimal("5.00"), 9: ZERO, 8: Decimal("20.00")}
    assert allocate(Decimal("6.50"), left) == {7: Decimal("5.00"), 8: Decimal("1.50")}
    with pytest.raises(ShopError) as refusal:
        allocate(Decimal("25.01"), left)
    assert refusal.value.err is Err.refund_above_paid
