"""The form of a product in the back office: pictures, prices and data besides its own fields."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalog.goods.models import Allergen, LevelPrice, PriceTier, Product, ProductPicture
from catalog.goods.tests.builders import PANEL, charge, form_values, make_product, price_for_level
from core.tests.pages import html_of
from core.tests.pictures import make_picture
from core.tests.rows import stored
from core.tests.screens import only_refusals

# Forms and pages.
pytestmark = pytest.mark.django_db

GOLD = 3


def save(staff: Client, product: Product, **kw: Any) -> Any:
    return staff.post(reverse("goods:edit", args=[product.pk]), form_values(product, **kw))


def errors(answer: Any) -> dict[str, list[str]]:
    assert answer.status_code == 200
    return dict(answer.context["form"].errors)


def test_pictures_level_prices_and_tiers_are_saved_with_the_product(staff: Client) -> None:
    product, first, second = make_product(), make_picture(), make_picture()
    answer = save(
        staff,
        product,
        **{
            "gallery-TOTAL_FORMS": 2,
            "gallery-0-picture": first.pk,
            "gallery-0-ORDER": 2,
            "gallery-1-picture": second.pk,
            "gallery-1-ORDER": 1,
            "level_prices-TOTAL_FORMS": 1,
            "level_prices-0-level": GOLD,
            "level_prices-0-price": "3.90",
            "price_tiers-TOTAL_FORMS": 1,
            "price_tiers-0-from_amount": 10,
            "price_tiers-0-price": "3.50",
        },
    )
    assert answer.status_code == 302
    pictures = ProductPicture.objects.filter(product=product).values_list("picture", flat=True)
    assert list(pictures) == [second.pk, first.pk]
    assert LevelPrice.objects.get(product=product).price == Decimal("3.90")
    assert PriceTier.objects.get(product=product).from_amount == 10


def test_a_list_entry_is_removed(staff: Client) -> None:
    product = make_product()
    row = price_for_level(product, GOLD, "3.00")
    lists = {
        "level_prices-TOTAL_FORMS": 1,
        "level_prices-INITIAL_FORMS": 1,
        "level_prices-0-id": row.pk,
        "level_prices-0-level": GOLD,
        "level_prices-0-price": "3.00",
        "level_prices-0-DELETE": "on",
    }
    assert save(staff, product, **lists).status_code == 302
    assert not LevelPrice.objects.exists()


def test_an_invalid_level_price_is_refused(staff: Client, subtests: pytest.Subtests) -> None:
    product = make_product()
    for level, price in [(1, "3.00"), (GOLD, "0"), (GOLD, "-1")]:
        with subtests.test(level=level, price=price):
            lists = {
                "level_prices-TOTAL_FORMS": 1,
                "level_prices-0-level": level,
                "level_prices-0-price": price,
            }
            with only_refusals():
                assert save(staff, product, price="9.99", **lists).status_code == 200
            assert not LevelPrice.objects.exists()
            assert Product.objects.get().price == Decimal("4.49")


def test_allergens_are_ticked_and_stored_as_codes(staff: Client) -> None:
    product = make_product()
    assert save(staff, product, allergens=["soy", "wheat"]).status_code == 302
    assert Product.objects.get().allergens == ["soy", "wheat"]
    page = staff.get(reverse("goods:edit", args=[product.pk])).content.decode()
    assert page.count('type="checkbox" name="allergens"') == len(Allergen)
    assert "allergens" in errors(save(staff, product, allergens=["gold"]))


def test_the_facts_of_the_label_are_saved_and_wrong_ones_refused(
    staff: Client, subtests: pytest.Subtests
) -> None:
    product = make_product()
    panel = {f"nutrition_{name}": text for name, text in PANEL.items()}
    facts = {"diets": ["vegan"], "gtin": "9300675024235", "aust_number": "AUST L 123456"}
    assert save(staff, product, **panel, **facts, allergens_checked="on").status_code == 302
    product = Product.objects.get()
    assert product.nutrition == PANEL
    assert (product.diets, product.gtin, product.allergens_checked) == (["vegan"], "9300675024235", True)
    page = html_of(staff.get(reverse("goods:edit", args=[product.pk])))
    assert re.search(r'name="nutrition_energy"[^>]* value="1540"', page)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("gtin", {"gtin": "9300675024236"}),
        ("gtin", {"gtin": "930067"}),
        ("aust_number", {"aust_number": "AUST X 1"}),
        ("diets", {"diets": ["vegan"], "allergens": ["milk"]}),
        ("diets", {"diets": ["gluten_free"], "may_contain": ["gluten"]}),
        ("nutrition", panel | {"nutrition_sugars": "80"}),
        ("nutrition", panel | {"nutrition_fat": ""}),
        ("nutrition", panel | {"nutrition_serving": "0"}),
        ("nutrition", panel | {"nutrition_energy": "much"}),
    ]
    for name, values in wrong:
        with subtests.test(values=values), only_refusals():
            answer = save(staff, product, **panel | values)
            assert list(answer.context_data["form"].errors) == [name]


def test_a_was_price_that_was_never_charged_is_refused_next_to_its_field(staff: Client) -> None:
    product = make_product(price=Decimal("8.00"))
    charge(product, ("10.00", timedelta(days=30)), ("8.00", timedelta(days=1)))
    assert "A$12" in errors(save(staff, product, market_price="12"))["market_price"][0]
    assert Product.objects.get().market_price is None
    assert save(staff, product, market_price="10").status_code == 302
    assert Product.objects.get().market_price == Decimal("10.00")


def test_the_prices_so_far_are_shown_and_cannot_be_sent(staff: Client) -> None:
    product = make_product(price=Decimal("8.00"))
    charge(product, ("10.25", timedelta(days=30)), ("8.00", timedelta(days=1)))
    page = staff.get(reverse("goods:edit", args=[product.pk])).content.decode()
    assert "<td>10.25</td>" in page
    assert 'name="price_changes' not in page
    staff.get(reverse("goods:add"))


def test_a_form_whose_new_picture_has_no_place_yet_comes_back_with_its_errors(
    staff: Client, subtests: pytest.Subtests
) -> None:
    product = make_product()
    for rows in [{}, {"gallery-0-ORDER": ""}, {"gallery-0-ORDER": "x", "gallery-0-DELETE": "on"}]:
        with subtests.test(rows=rows):
            answer = save(staff, product, price="-1", name_en="Typed", **{"gallery-TOTAL_FORMS": 1} | rows)
            assert list(errors(answer)) == ["price"]
            assert 'value="Typed"' in answer.content.decode()
            assert stored(product, "name_en") != "Typed"


def test_a_picture_without_a_place_is_saved(staff: Client) -> None:
    product, picture = make_product(), make_picture()
    rows = {"gallery-TOTAL_FORMS": 2, "gallery-1-picture": picture.pk}
    assert save(staff, product, **rows).status_code == 302
    assert [row.picture for row in product.gallery.all()] == [picture]


def test_staff_find_the_products_that_have_a_text_in_one_language_only(staff: Client) -> None:
    make_product(name_en="Whole", description_en="Crisp.", description_zh="香脆。")
    make_product(name_en="Bare")
    make_product(name_en="English alone", description_en="Crisp.", ingredients_zh="大米")
    make_product(name_en="Chinese alone", description_zh="香脆。")
    for language, names in (("zh", ["English alone"]), ("en", ["English alone", "Chinese alone"])):
        listed = staff.get(reverse("goods:index"), {"lacking": language}).context["object_list"]
        assert [product.name_en for product in listed] == names


def test_a_saved_product_links_to_its_page_while_it_is_on_sale(staff: Client) -> None:
    product = make_product()
    page = f"/shop/shopdetails/{product.pk}"
    save(staff, product)
    assert page in html_of(staff.get(reverse("goods:index")))
    save(staff, product, on_sale="")
    assert page not in html_of(staff.get(reverse("goods:index")))
