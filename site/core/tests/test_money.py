from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from core.money import CENT, aud, gst_share, share_out

amounts = st.decimals(min_value=0, max_value=10_000, places=2)


def test_half_a_cent_is_rounded_up() -> None:
    assert aud("0.125") == Decimal("0.13")
    assert aud("0.115") == Decimal("0.12")


def test_gst_is_one_eleventh_of_a_taxable_price_and_nothing_of_a_free_one() -> None:
    assert gst_share(Decimal("11.00"), gst_free=False) == Decimal("1.00")
    assert gst_share(Decimal("11.00"), gst_free=True) == Decimal("0.00")


@given(amounts, st.lists(amounts, min_size=1, max_size=12))
def test_shared_out_parts_always_add_up_and_none_is_a_cent_off_its_share(
    total: Decimal, weights: list[Decimal]
) -> None:
    parts = share_out(total, weights)
    whole = sum(weights)
    assert sum(parts) == (total if whole else 0)
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part - (total * weight / whole if whole else 0)) < CENT


def test_equal_remainders_go_to_the_earlier_part() -> None:
    assert share_out(Decimal("0.02"), [Decimal(1)] * 3) == [Decimal("0.01"), Decimal("0.01"), Decimal("0.00")]
