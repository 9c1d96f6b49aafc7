from decimal import Decimal

from core.money import aud, gst_share


def test_half_a_cent_is_rounded_up() -> None:
    assert aud("0.125") == Decimal("0.13")
    assert aud("0.115") == Decimal("0.12")


def test_gst_is_one_eleventh_of_a_taxable_price_and_nothing_of_a_free_one() -> None:
    assert gst_share(Decimal("11.00"), gst_free=False) == Decimal("1.00")
    assert gst_share(Decimal("11.00"), gst_free=True) == Decimal("0.00")
