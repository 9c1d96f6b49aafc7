import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from commerce.accounts.models import Address
from commerce.delivery import freight
from commerce.delivery.freight import (
    MAX_PARCEL_GRAMS,
    MAX_PARCELS,
    FreightQuote,
    Region,
    split,
)
from commerce.delivery.models import FreightRule
from commerce.delivery.reasons import price_of
from commerce.delivery.regions import ANY_COUNCIL
from commerce.delivery.tests.builders import unsaved_rule as make_rule
from core.errors import Err, ShopError
from core.tests.refusals import refusal


def quote(
    region: Region,
    weights: Mapping[str, Sequence[tuple[int, int]]],
    rules: Iterable[FreightRule],
    *,
    amount: str = "50.00",
    day: date = date(2026, 7, 1),
) -> FreightQuote:
    return freight.quote(region, weights, rules, amount=Decimal(amount), day=day)


def test_a_region_is_read_from_its_parts(subtests: pytest.Subtests) -> None:
    for text, region in (
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
    ):
        with subtests.test(text=text, region=region):
            assert Region.from_wire(text) == region


def test_a_region_without_a_known_country_is_refused(subtests: pytest.Subtests) -> None:
    for text in ("", "  ", "-", "Atlantis-1000", "Australian-WA", "WA-6000", "\u202eAustralia"):
        with subtests.test(text=text), refusal(Err.address_error, {"address": "address_error"}):
            Region.from_wire(text)


def test_a_stored_address_is_the_region_the_freight_call_reads() -> None:
    address = Address(country_name="Germany", province_name="Baden-Württemberg", zip_code="70173")
    assert Region.of_address(address) == Region.from_wire("Germany-Baden-Württemberg-70173")


@pytest.mark.parametrize(
    ("text", "territory", "state", "code"),
    [
        ("Australia-NSW-Norfolk Island-2899", "Norfolk Island", "NSW", "2899"),
        ("Australia-NSW-Kingston-2899", "Norfolk Island", "NSW", "2899"),
        ("Australia-nsw-norfolk island", "Norfolk Island", "NSW", "2899"),
        ("Australia-Norfolk Island-2899", "Norfolk Island", "NSW", "2899"),
        ("Australia-2899", "Norfolk Island", "NSW", "2899"),
        ("Norfolk Island-Kingston-2899", "Norfolk Island", "NSW", "2899"),
        ("Norfolk Island", "Norfolk Island", "NSW", "2899"),
        ("Australia-WA-Christmas Island-6798", "Christmas Island", "WA", "6798"),
        ("Christmas Island-Flying Fish Cove", "Christmas Island", "WA", "6798"),
        ("Australia-WA-Home Island-6799", "Cocos (Keeling) Islands", "WA", "6799"),
        ("Australia-WA-West Island Cocos (Keeling) Islands", "Cocos (Keeling) Islands", "WA", "6799"),
        ("Cocos (Keeling) Islands-West Island-6799", "Cocos (Keeling) Islands", "WA", "6799"),
        ("Australia-TAS-Davis-7151", "Australian Antarctic Territory", "TAS", "7151"),
        ("Australia-TAS-Heard Island-7151", "Heard Island and McDonald Islands", "TAS", "7151"),
    ],
)
def test_an_external_territory_is_one_destination_however_it_is_entered(
    text: str, territory: str, state: str, code: str
) -> None:
    region = Region.from_wire(text)
    assert region == Region("Australia", state, territory, "", code, territory=territory)
    assert (region.export_country, region.is_abroad) == (territory, True)


def test_what_only_looks_like_a_territory_is_inside_australia(subtests: pytest.Subtests) -> None:
    for text in (
        "Australia-ACT-Jervis Bay-2540",
        "Australia-NSW-Lord Howe Island-2898",
        "Australia-TAS-Macquarie-7151",
        "Australia-TAS-7151",
        "Australia-VIC-Davis",
        "Australia-NSW-Casey-2000",
        "Australia-NSW-Norfolk Island-2000",
        "Australia-QLD-Norfolk-4000",
        "Australia",
    ):
        with subtests.test(text=text):
            region = Region.from_wire(text)
            assert (region.territory, region.is_abroad) == ("", False)
    assert Region.from_wire("New Zealand-Norfolk Island-2899").territory == ""


def test_the_rule_of_a_territory_wins_however_the_territory_is_entered(subtests: pytest.Subtests) -> None:
    own = make_rule(country="Norfolk Island", first_price=Decimal(40))
    state = make_rule(country="Australia", province="NSW", first_price=Decimal(14))
    code = make_rule(country="Australia", zip_from="2899", zip_to="2899", first_price=Decimal(30))
    world = make_rule(first_price=Decimal(50))
    for text in ("Australia-NSW-Norfolk Island-2899", "Norfolk Island-Kingston", "Australia-2899"):
        for rules, price in (([world, state, own], 40), ([world, state, code], 30), ([world, state], 14)):
            with subtests.test(text=text, price=price):
                assert quote(Region.from_wire(text), {"ambient": [(500, 1)]}, rules).freight == price
    sydney = Region("Australia", "NSW", "Sydney", "", "2000")
    assert quote(sydney, {"ambient": [(500, 1)]}, [own, state]).freight == 14


PLACES: dict[str, dict[str, str]] = {
    "one post code": {"country": "Australia", "zip_from": "6798", "zip_to": "6798"},
    "nine post codes": {"country": "Australia", "zip_from": "6791", "zip_to": "6799"},
    "ten post codes": {"country": "Australia", "zip_prefix": "679"},
    "two hundred post codes": {"country": "Australia", "zip_from": "6000", "zip_to": "6199"},
    "a hundred post codes of the north": {"country": "Australia", "zip_from": "0800", "zip_to": "0899"},
    "council in a prefix": {"country": "Australia", "council": "Perth", "zip_prefix": "6"},
    "prefix": {"country": "Australia", "zip_prefix": "6"},
    "state": {"country": "Australia", "province": "WA"},
    "country": {"country": "Australia"},
    "hyphenated": {"country": "Germany", "province": "Baden-Württemberg"},
    "council": {"country": "Australia", "council": "Swan"},
    "any council": {"country": "Australia", "council": ANY_COUNCIL},
    "Malaysian state": {"country": "Malaysia", "province": "Sabah"},
    "East Malaysia": {"country": "Malaysia", "zone": "east_malaysia"},
    "West Malaysia": {"country": "Malaysia", "zone": "west_malaysia"},
    "Malaysia": {"country": "Malaysia"},
    "world": {},
}


def test_the_most_specific_rule_wins(subtests: pytest.Subtests) -> None:
    for text, without, named in (
        ("Australia-WA-Home Island-6799", "", "nine post codes"),
        ("Australia-WA-Christmas Island-6798", "", "one post code"),
        ("Australia-WA-Christmas Island-6798", "one post code", "nine post codes"),
        ("Australia-WA-Somewhere-6790", "", "ten post codes"),
        ("Australia-WA-Perth-6000", "", "two hundred post codes"),
        ("Australia-WA-Perth-6199", "", "two hundred post codes"),
        ("Australia-WA-Perth-6200", "", "prefix"),
        ("Australia-WA-Perth-5999", "", "state"),
        ("Australia-NT-Darwin-0800", "", "a hundred post codes of the north"),
        ("Australia-NT-Darwin-800", "", "a hundred post codes of the north"),
        ("Australia-NT-Alice Springs-0899", "", "a hundred post codes of the north"),
        ("Australia-NT-0900", "", "country"),
        ("Australia-NSW-Sydney-2000", "", "country"),
        ("Australia-WA-Perth-6000", "two hundred post codes", "council in a prefix"),
        ("Australia-WA-Swan-Midland-6056", "two hundred post codes, prefix", "council"),
        ("Australia-WA-Midland-6056", "two hundred post codes, prefix, council", "any council"),
        ("Australia-WA-Albany-6330", "prefix", "state"),
        ("Germany-Baden-Württemberg-Stuttgart-70173", "", "hyphenated"),
        ("Germany-Bayern-80331", "", "world"),
        ("Japan-100-0001", "", "world"),
        ("Malaysia-Sabah-Kota Kinabalu-88000", "", "Malaysian state"),
        ("Malaysia-Sabah-Kota Kinabalu-88000", "Malaysian state", "East Malaysia"),
        ("Malaysia-Sarawak-93000", "", "East Malaysia"),
        ("Malaysia-Labuan", "", "East Malaysia"),
        ("Malaysia-87000", "", "East Malaysia"),
        ("Malaysia-Johor-Johor Bahru-80000", "", "West Malaysia"),
        ("Malaysia-Selangor-88000", "Malaysian state", "East Malaysia"),
        ("Malaysia-Atlantis", "", "Malaysia"),
        ("Singapore-018956", "", "world"),
    ):
        with subtests.test(text=text, without=without, named=named):
            left_out = without.split(", ")
            rules = {
                name: make_rule(**place, first_price=Decimal(number))
                for number, (name, place) in enumerate(PLACES.items(), 1)
                if name not in left_out
            }
            frozen = make_rule(storage="frozen", zip_prefix="6", first_price=Decimal(99))
            for order in ([*rules.values(), frozen], [frozen, *rules.values()][::-1]):
                quoted = quote(Region.from_wire(text), {"ambient": [(500, 1)]}, order)
                assert quoted.freight == rules[named].first_price, named


def test_of_two_rules_for_the_same_place_and_day_the_one_that_began_last_wins() -> None:
    rules = [
        make_rule(pk=1, first_price=Decimal(1)),
        make_rule(pk=4, valid_from=date(2026, 6, 1), first_price=Decimal(4)),
        make_rule(pk=3, valid_from=date(2026, 7, 1), first_price=Decimal(2)),
        make_rule(pk=5, valid_from=date(2026, 7, 1), first_price=Decimal(3)),
    ]
    for order in (rules, rules[::-1]):
        assert quote(Region("Japan"), {"ambient": [(500, 1)]}, order).freight == 3
        assert quote(Region("Japan"), {"ambient": [(500, 1)]}, order, day=date(2026, 6, 30)).freight == 4


def test_a_rule_applies_from_its_first_to_its_last_day() -> None:
    summer = make_rule(valid_from=date(2026, 7, 1), valid_until=date(2026, 7, 31), first_price=Decimal(5))
    for day, price in [((6, 30), "9.90"), ((7, 1), "5"), ((7, 31), "5"), ((8, 1), "9.90")]:
        quoted = quote(Region("Japan"), {"ambient": [(500, 1)]}, [summer, make_rule()], day=date(2026, *day))
        assert quoted.freight == Decimal(price), day


def test_parcels_are_free_from_the_very_amount_of_their_rule(subtests: pytest.Subtests) -> None:
    rules = [make_rule(free_from=Decimal("80.00"), surcharge=Decimal("3.10"))]
    for amount, prices, missing in (
        ("79.99", ["118.00", "13.00"], "0.01"),
        ("80.00", ["0", "0"], "0"),
        ("80.01", ["0", "0"], "0"),
    ):
        with subtests.test(amount=amount, prices=prices, missing=missing):
            quoted = quote(
                Region("Japan"), {"ambient": [(MAX_PARCEL_GRAMS, 1), (400, 1)]}, rules, amount=amount
            )
            assert [parcel.freight for parcel in quoted.parcels] == [Decimal(price) for price in prices]
            assert quoted.missing_for_free == Decimal(missing)


def test_what_is_missing_for_free_freight_is_notified_only_where_all_parcels_can_be_free() -> None:
    ambient, frozen = {"ambient": [(500, 1)]}, {"frozen": [(500, 1)]}
    rules = [
        make_rule(free_from=Decimal("80.00")),
        make_rule(storage="frozen", free_from=Decimal("120.00"), first_price=Decimal(20)),
        make_rule(storage="chilled"),
    ]
    both = quote(Region("Japan"), ambient | frozen, rules, amount="90.00")
    assert [*(parcel.freight for parcel in both.parcels), both.missing_for_free] == [0, 20, 30]
    expected = [("ambient", Decimal(0), Decimal("9.90")), ("frozen", Decimal(30), Decimal(20))]
    assert [(each.storage, each.missing, each.saved) for each in both.free_from] == expected
    for weights in ({"chilled": [(500, 1)]}, ambient | {"chilled": [(500, 1)]}, {}):
        assert quote(Region("Japan"), weights, rules, amount="90.00").missing_for_free is None


def test_parcels_in_one_van_pay_one_first_price_and_save_what_the_order_costs_less() -> None:
    rules = [
        make_rule(free_from=Decimal(80), surcharge=Decimal(1)),
        make_rule(storage="frozen", first_price=Decimal(20), free_from=Decimal(120)),
    ]
    perth, weights = (
        Region.from_wire("Australia-WA-Perth-6000"),
        {"ambient": [(2000, 1)], "frozen": [(500, 1)]},
    )

    def sums(amount: str, region: Region = perth) -> tuple[list[Decimal], list[tuple[str, Decimal]]]:
        quoted = quote(region, weights, rules, amount=amount)
        prices = [parcel.freight for parcel in quoted.parcels]
        return prices, [(each.storage, each.saved) for each in quoted.free_from]

    # Two steps of 2.50 without the first price of 9.90 and the surcharge.
    assert sums("10") == (
        [Decimal("5.00"), Decimal(20)],
        [("ambient", Decimal("5.00")), ("frozen", Decimal(20))],
    )
    assert sums("80") == ([Decimal(0), Decimal(20)], [("ambient", Decimal("5.00")), ("frozen", Decimal(20))])
    # The whole order is free; each alone would pay its first price.
    assert sums("120") == ([Decimal(0), Decimal(0)], [("ambient", Decimal("15.90")), ("frozen", Decimal(20))])
    assert sums("10", Region("Japan"))[0] == [Decimal("15.90"), Decimal(20)]
    along = quote(perth, weights, rules, amount="10").parcels[0]
    assert along.reason_en.endswith(": no base fee in the same van + 2 × A$2.50 for each further 0.5 kg")


def test_days_are_those_of_the_rule_but_not_for_what_the_van_brings() -> None:
    rules = [make_rule(days_from=1, days_to=3), make_rule(storage="frozen", days_from=2, days_to=2)]

    def days(region: str, *storages: str) -> list[tuple[int | None, int | None]]:
        quoted = quote(Region.from_wire(region), {storage: [(500, 1)] for storage in storages}, rules)
        return [(parcel.days_from, parcel.days_to) for parcel in quoted.parcels]

    assert days("Australia-WA-Perth-6000", "ambient") == [(1, 3)]
    assert days("Australia-WA-Perth-6000", "ambient", "frozen") == [(None, None)] * 2
    assert days("Australia-WA-Albany-6330", "ambient", "frozen") == [(1, 3), (2, 2)]


def test_a_remote_place_pays_a_surcharge_for_each_parcel() -> None:
    rules = [make_rule(surcharge=Decimal("6.00"))]
    quoted = quote(Region("Japan"), {"ambient": [(12_000, 2)]}, rules)
    # 9.90 + 22 × 2.50 + 6.00
    assert [parcel.freight for parcel in quoted.parcels] == [Decimal("70.90")] * 2


def test_nothing_is_sent_where_the_winning_rule_shows_it() -> None:
    excluded = make_rule(country="Australia", excluded=True, why_zh="不寄送", why_en="Not sent there")
    with pytest.raises(ShopError) as refusal:
        quote(Region("Australia"), {"ambient": [(1, 1)]}, [make_rule(), excluded])
    assert (refusal.value.err, refusal.value.why) == (Err.address_error, ("不寄送", "Not sent there"))
    perth = make_rule(country="Australia", council="Perth")
    inside = Region.from_wire("Australia-WA-Perth-6000")
    assert quote(inside, {"ambient": [(1, 1)]}, [excluded, perth]).freight == Decimal("9.90")


def test_every_dollar_is_explained_in_both_languages_everyone_who_reads(subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, Any], str, int, str, str]] = [
        (
            {"storage": "chilled", "country": "Australia", "council": ANY_COUNCIL, "first_grams": 5000},
            "Australia-WA-Perth-6000",
            3200,
            "冷藏，3.2 千克，寄往澳大利亚 珀斯都会区：首 5 千克 A$9.90",
            "Chilled, 3.2 kg to Australia, Perth metro: A$9.90 for the first 5 kg",
        ),
        (
            {"country": "Australia", "zip_from": "6798", "zip_to": "6799", "surcharge": Decimal("6.00")},
            "Australia-WA-Home Island-6799",
            1501,
            "常温，1.501 千克，寄往澳大利亚 邮编 6798–6799：首 1 千克 A$9.90 + 续重 2 × A$2.50（每 0.5 千克）"
            " + 偏远附加费 A$6.00",
            "Room temperature, 1.501 kg to Australia, postcodes 6798–6799: A$9.90 for the first 1 kg"
            " + 2 × A$2.50 for each further 0.5 kg + remote surcharge A$6.00",
        ),
        (
            {"country": "Malaysia", "zone": "east_malaysia", "free_from": Decimal("1050.00")},
            "Malaysia-Sabah-88000",
            20_000,
            "常温，20 千克，寄往东马来西亚：满 A$1,050.00 免运费",
            "Room temperature, 20 kg to East Malaysia: free from A$1,050.00",
        ),
        (
            {"first_price": Decimal("0.00")},
            "Japan-Tokyo",
            1000,
            "常温，1 千克，寄往其他地区：首 1 千克 A$0.00",
            "Room temperature, 1 kg to everywhere else: A$0.00 for the first 1 kg",
        ),
    ]
    for language, (rule, text, weight, zh, en) in product(("en", "zh-hans"), cases):
        with subtests.test(language=language, rule=rule), translation.override(language):
            weights = {rule.get("storage", "ambient"): [(weight, 1)]}
            [parcel] = quote(Region.from_wire(text), weights, [make_rule(**rule)], amount="1050.00").parcels
            assert (parcel.reason_zh, parcel.reason_en) == (zh, en)


@given(st.integers(1, 30_000), st.integers(1, 9000), st.integers(1, 3000), st.integers(0, 2000))
def test_the_amounts_of_a_reason_add_up_to_the_freight(
    weight: int, first: int, step: int, cents: int
) -> None:
    surcharge = Decimal(cents) / 100
    rule = make_rule(first_grams=first, step_grams=step, surcharge=surcharge.quantize(Decimal("0.01")))
    [parcel] = quote(Region("Japan"), {"ambient": [(weight, 1)]}, [rule]).parcels
    for reason in (parcel.reason_zh, parcel.reason_en):
        terms = re.findall(r"(?:(\d+) × )?A\$(\d+\.\d\d)", re.split("：|: ", reason)[1])
        assert sum(int(times or 1) * Decimal(price) for times, price in terms) == parcel.freight


def test_a_province_is_matched_by_its_whole_name_only() -> None:
    rules = [make_rule(country="Australia", province="W", first_price=Decimal(1))]
    with refusal(Err.address_error):
        quote(Region.from_wire("Australia-WA-6000"), {"ambient": [(500, 1)]}, rules)


def test_every_started_weight_step_is_charged(subtests: pytest.Subtests) -> None:
    for weight, price in (
        (1, "9.90"),
        (1000, "9.90"),
        (1001, "12.40"),
        (1500, "12.40"),
        (1501, "14.90"),
        (22_000, "114.90"),
    ):
        with subtests.test(weight=weight, price=price):
            assert price_of(make_rule(), weight).total == Decimal(price)


def test_storage_kinds_are_sent_in_separate_parcels() -> None:
    rules = [make_rule(), make_rule(storage="frozen", first_price=Decimal("15.00"))]
    quoted = quote(Region("Australia"), {"frozen": [(400, 2)], "ambient": [(600, 1)]}, rules)
    assert [(parcel.storage, parcel.weight, parcel.freight) for parcel in quoted.parcels] == [
        ("ambient", 600, Decimal("9.90")),
        ("frozen", 800, Decimal("15.00")),
    ]
    assert quoted.freight == Decimal("24.90")


def test_a_storage_kind_without_a_rule_is_refused() -> None:
    with refusal(Err.address_error, {"address": "address_error"}):
        quote(Region("Australia"), {"ambient": [(600, 1)], "chilled": [(600, 1)]}, [make_rule()])


def test_parcels_are_filled_up_to_their_limit(subtests: pytest.Subtests) -> None:
    for weights, parcels in (
        ([(5000, 4)], [20_000]),
        ([(12_000, 2)], [12_000, 12_000]),
        ([(25_000, 2)], [25_000, 25_000]),
        ([(1000, 4), (20_000, 1)], [22_000, 2000]),
        ([(22_000, 1), (1, 1)], [22_000, 1]),
        ([], []),
    ):
        with subtests.test(weights=weights, parcels=parcels):
            assert split(weights) == parcels


@given(st.lists(st.tuples(st.integers(1, 30_000), st.integers(1, 12)), max_size=12))
def test_parcels_hold_every_unit_and_stay_within_the_limit(weights: list[tuple[int, int]]) -> None:
    parcels = split(weights)
    assert sum(parcels) == sum(grams * units for grams, units in weights)
    heavy = {grams for grams, _ in weights if grams > MAX_PARCEL_GRAMS}
    assert all(0 < weight <= MAX_PARCEL_GRAMS or weight in heavy for weight in parcels)


def test_more_than_the_maximum_of_parcels_is_refused() -> None:
    for units in (MAX_PARCELS + 1, 2**31 - 1):
        with refusal(Err.amount_above_limit):
            split([(MAX_PARCEL_GRAMS, units)])
