from decimal import Decimal

from core.money import aud, gst_share, spread


def test_half_a_cent_is_rounded_up() -> None:
    assert aud("0.125") == Decimal("0.13")
    assert aud("0.115") == Decimal("0.12")


def test_gst_is_one_eleventh_of_a_taxable_price_and_nothing_of_a_free_one() -> None:
    assert gst_share(Decimal("11.00"), gst_free=False) == Decimal("1.00")
    assert gst_share(Decimal("11.00"), gst_free=True) == Decimal("0.00")


def test_an_amount_is_spread_by_cost_to_the_cent_largest_remainders_first() -> None:
    rows: list[tuple[str, list[str], list[str | None]]] = [
        # A third each: the cent that is left goes to the first.
        ("1.00", ["2.00", "2.00", "2.00"], ["0.34", "0.33", "0.33"]),
        # Two equal remainders of different costs: quotients that are rounded would not be equal.
        ("70.28", ["20", "7.50", "10", "30", "22.50"], ["15.62", "5.86", "7.81", "23.42", "17.57"]),
        # All of it, and no part gets more than it costs.
        ("3.03", ["1.01", "0.01", "2.01"], ["1.01", "0.01", "2.01"]),
        ("0.01", ["1.00", "9.00"], [None, "0.01"]),
        ("0.00", ["1.00"], [None]),
    ]
    for amount, costs, shares in rows:
        found = spread(Decimal(amount), {place: Decimal(cost) for place, cost in enumerate(costs)})
        expected = {place: Decimal(share) for place, share in enumerate(shares) if share is not None}
        assert found == expected, amount
