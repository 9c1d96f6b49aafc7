from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commerce.accounts.models import Address
from commerce.delivery.freight import MAX_PARCEL_GRAMS, MAX_PARCELS, Parcel, Region, price_of, quote, split
from commerce.delivery.models import FreightRule
from core.errors import Err, ShopError


def make_rule(**kw: object) -> FreightRule:
    fields = {
        "storage": "ambient",
        "first_grams": 1000,
        "first_price": Decimal("9.90"),
        "step_grams": 500,
        "step_price": Decimal("2.50"),
    }
    return FreightRule(**fields | kw)


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("Australia", Region("Australia")),
        ("Australia-WA-Perth-6000", Region("Australia", "WA", "Perth", "", "6000")),
        ("Australia-WA-Perth-Northbridge-6003", Region("Australia", "WA", "Perth", "Northbridge", "6003")),
        (" Australia-6000 ", Region("Australia", "", "", "", "6000")),
        ("China-广东省-深圳市-南山区", Region("China", "广东省", "深圳市", "南山区", "")),
        ("Malaysia-Johor-Ayer Tawar 2-81920", Region("Malaysia", "Johor", "Ayer Tawar 2", "", "81920")),
        ("Guinea-Bissau-Bissau-1000", Region("Guinea-Bissau", "Bissau", "", "", "1000")),
        ("Guinea-Conakry", Region("Guinea", "Conakry")),
        ("Congo - Kinshasa-Goma", Region("Congo - Kinshasa", "Goma")),
        ("Japan-Tokyo-Chiyoda-100-0001", Region("Japan", "Tokyo", "Chiyoda", "", "100-0001")),
        ("USA-CA-Beverly Hills-90210-1234", Region("USA", "CA", "Beverly Hills", "", "90210-1234")),
        ("Canada-ON-Ottawa-K1A 0B1", Region("Canada", "ON", "Ottawa", "", "K1A 0B1")),
    ],
)
def test_a_region_is_read_from_its_parts(text: str, region: Region) -> None:
    assert Region.from_wire(text) == region


@pytest.mark.parametrize(
    "text", ["", "  ", "-", "Atlantis-1000", "Australian-WA", "WA-6000", "\u202eAustralia"]
)
def test_a_region_without_a_known_country_is_refused(text: str) -> None:
    with pytest.raises(ShopError) as refusal:
        Region.from_wire(text)
    assert refusal.value.err is Err.address_error
    assert refusal.value.fields == {"address": "address_error"}


def test_a_stored_address_is_the_region_the_freight_call_reads() -> None:
    address = Address(country_name="Germany", province_name="Baden-Württemberg", zip_code="70173")
    assert Region.of_address(address) == Region.from_wire("Germany-Baden-Württemberg-70173")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Australia-WA-Perth-6798", "island"),
        ("Australia-WA-Perth-6000", "state"),
        ("Australia-NSW-Sydney-2000", "country"),
        ("Germany-Baden-Württemberg-Stuttgart-70173", "hyphenated"),
        ("Germany-Bayern-80331", "world"),
        ("Japan-100-0001", "world"),
    ],
)
def test_the_most_specific_rule_wins(text: str, named: str) -> None:
    rules = {
        "world": make_rule(first_price=Decimal(40)),
        "country": make_rule(country="Australia", first_price=Decimal(12)),
        "state": make_rule(country="Australia", province="WA", first_price=Decimal(8)),
        "remote": make_rule(country="Australia", zip_prefix="67", first_price=Decimal(20)),
        "island": make_rule(country="Australia", zip_prefix="6798", first_price=Decimal(30)),
        "hyphenated": make_rule(country="Germany", province="Baden-Württemberg", first_price=Decimal(33)),
        "frozen": make_rule(storage="frozen", zip_prefix="6", first_price=Decimal(1)),
    }
    for order in (list(rules.values()), list(rules.values())[::-1]):
        assert (
            quote(Region.from_wire(text), {"ambient": [(500, 1)]}, order).freight == rules[named].first_price
        )


def test_a_province_is_matched_by_its_whole_name_only() -> None:
    rules = [make_rule(country="Australia", province="W", first_price=Decimal(1))]
    with pytest.raises(ShopError):
        quote(Region.from_wire("Australia-WA-6000"), {"ambient": [(500, 1)]}, rules)


@pytest.mark.parametrize(
    ("weight", "price"),
    [(1, "9.90"), (1000, "9.90"), (1001, "12.40"), (1500, "12.40"), (1501, "14.90"), (22_000, "114.90")],
)
def test_every_started_weight_step_is_charged(weight: int, price: str) -> None:
    assert price_of(make_rule(), weight) == Decimal(price)


def test_storage_kinds_are_sent_in_separate_parcels() -> None:
    rules = [make_rule(), make_rule(storage="frozen", first_price=Decimal("15.00"))]
    quoted = quote(Region("Australia"), {"frozen": [(400, 2)], "ambient": [(600, 1)]}, rules)
    assert quoted.parcels == [
        Parcel("ambient", 600, Decimal("9.90")),
        Parcel("frozen", 800, Decimal("15.00")),
    ]
    assert quoted.freight == Decimal("24.90")


def test_a_storage_kind_without_a_rule_is_refused() -> None:
    with pytest.raises(ShopError) as refusal:
        quote(Region("Australia"), {"ambient": [(600, 1)], "chilled": [(600, 1)]}, [make_rule()])
    assert refusal.value.err is Err.address_error
    assert refusal.value.fields == {"address": "address_error"}


@pytest.mark.parametrize(
    ("weights", "parcels"),
    [
        ([(5000, 4)], [20_000]),
        ([(12_000, 2)], [12_000, 12_000]),
        ([(25_000, 2)], [25_000, 25_000]),
        ([(1000, 4), (20_000, 1)], [22_000, 2000]),
        ([(22_000, 1), (1, 1)], [22_000, 1]),
        ([], []),
    ],
)
def test_parcels_are_filled_up_to_their_limit(weights: list[tuple[int, int]], parcels: list[int]) -> None:
    assert split(weights) == parcels


@given(st.lists(st.tuples(st.integers(1, 30_000), st.integers(1, 12)), max_size=12))
def test_parcels_hold_every_unit_and_stay_within_the_limit(weights: list[tuple[int, int]]) -> None:
    parcels = split(weights)
    assert sum(parcels) == sum(grams * units for grams, units in weights)
    heavy = {grams for grams, _ in weights if grams > MAX_PARCEL_GRAMS}
    assert all(0 < weight <= MAX_PARCEL_GRAMS or weight in heavy for weight in parcels)


def test_more_than_the_maximum_of_parcels_is_refused() -> None:
    for units in (MAX_PARCELS + 1, 2**31 - 1):
        with pytest.raises(ShopError) as refusal:
            split([(MAX_PARCEL_GRAMS, units)])
        assert refusal.value.err is Err.amount_above_limit
