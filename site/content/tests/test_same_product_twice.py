"""A product is in an area once: the form shows it next to the row. Products have the order of the form."""

import re
from typing import Any

import pytest
from django.test import Client
from wagtail.test.utils.form_data import inline_formset

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from content.models import SpecialArea
from content.tests.builders import make_area
from content.tests.forms import area_form, draft, url_of
from content.tests.staff import in_each_language

pytestmark = pytest.mark.django_db


def error_of(page: str, row: int) -> str:
    """Return the error next to the product of a row; empty if there is none."""
    found = re.search(rf'id="panel-child-\w+-{row}-child-product-errors".*?</div>', page, re.DOTALL)
    return found[0] if found else ""


def swapped(area: SpecialArea, **kw: Any) -> dict[str, Any]:
    first, second = area.picked.order_by("sort_order")
    rows = [
        {"id": str(first.pk), "product": str(second.product_id), "ORDER": "1"},
        {"id": str(second.pk), "product": str(first.product_id), "ORDER": "2"},
    ]
    return area_form(picked=inline_formset(rows, initial=2), **kw)


def products_of(area: SpecialArea) -> list[Product]:
    return [row.product for row in area.picked.order_by("sort_order")]


def test_a_product_that_is_chosen_twice_is_named_next_to_its_row(
    editor: Client, subtests: pytest.Subtests
) -> None:
    texts = {"en": "Green tea is already in this area.", "zh-hans": "本专区已有“绿茶”。"}
    tea, rice = make_product(name_en="Green tea", name_zh="绿茶"), make_product()
    form = area_form(tea.pk, rice.pk, tea.pk)
    for language in in_each_language(editor):
        for sent in (form, draft(form)):
            with subtests.test(language=language, is_draft=sent is not form):
                answer = editor.post(url_of(SpecialArea), sent)
                page = answer.content.decode()
                assert answer.status_code == 200
                assert page.count(texts[language]) == 1
                assert [texts[language] in error_of(page, row) for row in range(3)] == [False, False, True]
                assert 'value="Tea house"' in page
                assert not SpecialArea.objects.exists()


def test_a_product_that_is_chosen_twice_changes_nothing_in_an_area(editor: Client) -> None:
    tea = make_product()
    area = make_area(tea, name_en="Before")
    area.save_revision()
    assert editor.post(url_of(area), area_form(tea.pk, tea.pk)).status_code == 200
    area.refresh_from_db()
    assert (area.name_en, area.revisions.count(), products_of(area)) == ("Before", 1, [tea])


def test_two_products_of_an_area_change_places(editor: Client) -> None:
    tea, rice = make_product(), make_product()
    area = make_area(tea, rice)
    assert editor.post(url_of(area), swapped(area)).status_code == 302
    assert products_of(area) == [rice, tea]


def test_products_of_a_new_area_have_the_order_of_its_form(editor: Client) -> None:
    tea, rice, oil = make_product(), make_product(), make_product()
    places = ((tea, "3"), (rice, "1"), (oil, "2"))
    rows = [{"product": str(product.pk), "ORDER": place} for product, place in places]
    assert editor.post(url_of(SpecialArea), area_form(picked=inline_formset(rows))).status_code == 302
    area = SpecialArea.objects.get()
    assert products_of(area) == [rice, oil, tea]


def test_a_draft_in_which_products_have_changed_places_is_published_later(editor: Client) -> None:
    tea, rice = make_product(), make_product()
    area = make_area(tea, rice)
    assert editor.post(url_of(area), draft(swapped(area))).status_code == 302
    assert products_of(area) == [tea, rice]
    area.refresh_from_db()
    area.latest_revision.publish()
    assert products_of(area) == [rice, tea]


def test_products_of_an_area_are_moved_within_their_list(editor: Client) -> None:
    tea, rice, noodles = (make_product() for _ in range(3))
    area = make_area(tea, rice)
    rows = [
        {"id": str(pick.pk), "product": str(pick.product_id), "ORDER": place}
        for pick, place in zip(area.picked.all(), ("3", "2"), strict=True)
    ]
    rows.append({"product": str(noodles.pk), "ORDER": "1"})
    form = area_form(picked=inline_formset(rows, initial=2))
    assert editor.post(url_of(area), form).status_code == 302
    assert products_of(area) == [noodles, rice, tea]
    assert '"canOrder": true' in editor.get(url_of(area)).content.decode()
