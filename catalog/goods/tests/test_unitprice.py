from decimal import Decimal

import pytest

from catalog.goods.models import Category
from catalog.goods.unitprice import unit_price, unit_rule

Rule = Category.UnitRule


def with_rule(rule: str) -> Category:
    return Category(unit_rule=Rule.inherited, parent=Category(unit_rule=rule))


# Packs of real products, with their prices.
TABLE = [
    ("500 g", Rule.per_kg, "4.49", "8.98", "kg"),
    ("150 g", Rule.per_kg, "3.99", "26.60", "kg"),
    ("1 kg", Rule.per_kg, "7.99", "7.99", "kg"),
    ("2 kg", Rule.per_kg, "5.49", "2.75", "kg"),
    ("1 kg cut", Rule.per_kg, "3.99", "3.99", "kg"),
    ("1 kg box", Rule.per_kg, "24.99", "24.99", "kg"),
    ("500 g box", Rule.per_kg, "14.99", "29.98", "kg"),
    ("5 kg tray", Rule.per_kg, "29.99", "6.00", "kg"),
    ("1.8 kg", Rule.per_kg, "16.99", "9.44", "kg"),
    ("1 bunch", Rule.per_kg, "2.99", "2.99", "each"),
    ("1 each", Rule.per_kg, "2.49", "2.49", "each"),
    ("1 each, approx 900 g", Rule.per_kg, "3.49", "3.49", "each"),
    ("1 each, approx 1.2 kg", Rule.per_kg, "8.99", "8.99", "each"),
    ("Half, approx 1.5 kg", Rule.per_kg, "4.49", "4.49", "each"),
    ("Quarter, approx 2 kg", Rule.per_kg, "5.99", "5.99", "each"),
    ("2 pack", Rule.per_kg, "2.99", "1.50", "each"),
    ("6 pack", Rule.per_kg, "7.99", "1.33", "each"),
    ("12 pack", Rule.per_kg, "26.99", "2.25", "each"),
    ("500 mL", Rule.per_litre, "2.49", "4.98", "L"),
    ("1 L", Rule.per_litre, "3.20", "3.20", "L"),
    ("1 L x 10", Rule.per_litre, "19.90", "1.99", "L"),
    ("310 mL x 6", Rule.per_litre, "9.99", "5.37", "L"),
    ("550 mL x 12", Rule.per_litre, "9.99", "1.51", "L"),
    ("65 mL x 10", Rule.per_litre, "9.00", "13.85", "L"),
    ("150 g", Rule.per_litre, "24.90", "16.60", "100g"),
    ("20 bags, 40 g", Rule.per_litre, "6.90", "17.25", "100g"),
    ("38 g x 15", Rule.per_litre, "11.99", "2.10", "100g"),
    ("18 sachets, 540 g", Rule.per_litre, "11.49", "2.13", "100g"),
    ("5 kg", Rule.standard, "19.99", "0.40", "100g"),
    ("2.5 kg", Rule.standard, "8.49", "0.34", "100g"),
    ("280 g", Rule.standard, "5.49", "1.96", "100g"),
    ("105 g x 5", Rule.standard, "7.49", "1.43", "100g"),
    ("3.6 g x 9", Rule.standard, "3.99", "12.31", "100g"),
    ("12 pack, 700 g", Rule.standard, "6.99", "1.00", "100g"),
    ("50 sheets, 125 g", Rule.standard, "14.99", "11.99", "100g"),
    ("500 mL", Rule.standard, "3.99", "0.80", "100mL"),
    ("2.5 L", Rule.standard, "34.99", "1.40", "100mL"),
    ("207 mL", Rule.standard, "7.49", "3.62", "100mL"),
    ("80 mL x 8", Rule.standard, "12.99", "2.03", "100mL"),
    ("400 capsules", Rule.standard, "32.99", "8.25", "100each"),
    ("120 gummies", Rule.standard, "17.99", "14.99", "100each"),
    ("50 capsules", Rule.standard, "16.99", "33.98", "100each"),
    ("3 ply, 6 pack", Rule.standard, "9.99", "1.67", "each"),
    ("4 ply, 10 rolls", Rule.standard, "12.99", "1.30", "each"),
    ("1 set", Rule.standard, "49.99", "49.99", "each"),
    ("54 pack, up to 5 kg", Rule.number, "24.00", "44.44", "100each"),
    ("44 pack, 9-14 kg", Rule.number, "29.99", "68.16", "100each"),
    ("32 pack, 12-22 kg", Rule.number, "31.99", "1.00", "each"),
    ("80 pack", Rule.number, "4.00", "5.00", "100each"),
    ("240 mL", Rule.number, "19.99", "19.99", "each"),
]


def test_the_unit_price_is_that_of_the_industry_code(subtests: pytest.Subtests) -> None:
    for pack, rule, price, per_unit, measure in TABLE:
        with subtests.test(pack=pack, rule=rule, price=price, per_unit=per_unit, measure=measure):
            assert unit_price(pack, rule, Decimal(price)) == (Decimal(per_unit), measure)


def test_exempt_products_have_none(subtests: pytest.Subtests) -> None:
    for pack in ["Size 38", "One size", "180 x 35 cm", "38 x 40 cm", "20 L", "10 pairs"]:
        with subtests.test(pack=pack):
            assert unit_price(pack, Rule.exempt, Decimal("9.99")) is None


def test_a_pack_that_names_no_amount_counts_as_one_item(subtests: pytest.Subtests) -> None:
    for pack in ["Size 38", "One size", "180 x 35 cm", "0 g", "0 pack", "a", "25 cm"]:
        with subtests.test(pack=pack):
            assert unit_price(pack, Rule.standard, Decimal("9.99")) == (Decimal("9.99"), "each")


def test_more_than_forty_items_are_priced_by_the_hundred(subtests: pytest.Subtests) -> None:
    for items, measure in [(40, "each"), (41, "100each")]:
        with subtests.test(items=items, measure=measure):
            found = unit_price(f"{items} tablets", Rule.standard, Decimal("41"))
            assert found is not None
            assert found[1] == measure


def test_a_categorys_own_rule_takes_precedence_over_its_parents() -> None:
    above = Category(unit_rule=Rule.per_kg)
    assert unit_rule(Category(unit_rule=Rule.standard, parent=above)) == Rule.standard
    assert unit_rule(Category(parent=above)) == Rule.per_kg
    assert unit_rule(Category()) == Rule.inherited
