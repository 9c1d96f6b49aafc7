"""The calls for carousels and special areas (docs/wire.md#catalogue)."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.promotions.tests.builders import make_promotion
from content.models import SpecialArea
from content.tests.builders import make_area, make_slide

pytestmark = pytest.mark.django_db


def answer(client: Client, path: str, **query: Any) -> Any:
    response = client.get(f"/api/v1/pc/home/{path}", query)
    assert response.status_code == 200
    body = response.json()
    assert (body["code"], body["msg"]) == (0, "")
    return body["result"]


def refused(client: Client, path: str, **query: Any) -> str:
    response = client.get(f"/api/v1/pc/home/{path}", query)
    assert response.status_code == 200
    body = response.json()
    assert (body["code"], body["result"]) == (1002, None)
    return str(body["reason"])


def test_a_slide_has_every_field_in_both_languages(client: Client) -> None:
    slide = make_slide()
    [found] = answer(client, "carouse/4")
    assert found == {
        "id": slide.pk,
        "imgUrl": found["imgUrl"],
        "title": slide.title_zh,
        "titleEn": slide.title_en,
        "link": slide.path,
    }
    assert found["imgUrl"].startswith("/media/")


def test_without_a_type_the_home_page_carousel_is_meant(client: Client) -> None:
    second, first, other = make_slide(sort=2), make_slide(sort=1), make_slide(carousel=7)
    assert [row["id"] for row in answer(client, "carouse")] == [first.pk, second.pk]
    assert [row["id"] for row in answer(client, "carouse/7")] == [other.pk]
    assert answer(client, "carouse/8") == []


def test_a_type_that_is_no_number_is_refused(client: Client) -> None:
    for kind in ("x", "0", "-4", "4.0", "９"):
        assert refused(client, f"carouse/{kind}") == "parameter_error", kind


def test_drafts_and_what_has_ended_are_not_shown(client: Client) -> None:
    past, soon = (timezone.now() + timedelta(seconds=seconds) for seconds in (-1, 60))
    shown = make_slide(expire_at=soon)
    make_slide(live=False)
    make_slide(expire_at=past)
    area = make_area(make_product(), expire_at=soon)
    make_area(make_product(), live=False)
    ended = make_area(make_product(), expire_at=past)

    assert [row["id"] for row in answer(client, "carouse")] == [shown.pk]
    assert [row["id"] for row in answer(client, "specialAreaList")] == [area.pk]
    assert refused(client, f"specialArea/goods/{ended.pk}") == "parameter_error"


def test_home_lists_the_checked_areas_and_the_full_list_has_all(client: Client) -> None:
    other, home = make_area(make_product(), checked=False), make_area(make_product())
    [found] = answer(client, "specialArea")
    assert found == {
        "id": home.pk,
        "mallGoodsClassifyName": home.name_zh,
        "mallGoodsClassifyNameEn": home.name_en,
        "imgUrl": found["imgUrl"],
        "checked": True,
    }
    assert [(row["id"], row["checked"]) for row in answer(client, "specialAreaList")] == [
        (other.pk, False),
        (home.pk, True),
    ]


def test_picked_products_are_in_the_editors_order_and_in_pages(client: Client) -> None:
    products = [make_product() for _ in range(3)]
    off_the_shelves = make_product(on_sale=False)
    area = make_area(products[2], off_the_shelves, products[0], products[1])

    first = answer(client, f"specialArea/goods/{area.pk}", size=2)
    second = answer(client, f"specialArea/goods/{area.pk}", size=2, page=2)

    ids = [row["goodsId"] for row in first["list"] + second["list"]]
    assert ids == [products[2].pk, products[0].pk, products[1].pk]
    assert (first["total"], second["total"], second["page"], second["size"]) == (3, 3, 2, 2)
    assert refused(client, f"specialArea/goods/{area.pk}", size=101) == "parameter_error"
    assert answer(client, f"specialArea/goods/{area.pk}", page=9999) == {
        "list": [],
        "total": 3,
        "page": 9999,
        "size": 24,
    }


def test_an_area_may_follow_a_brand_a_category_or_a_running_promotion(client: Client) -> None:
    brand, top = make_brand(), make_category()
    by_brand = make_product(brand=brand)
    by_category = make_product(category=make_category(parent=top))
    in_promotion, in_ended = make_product(), make_product()
    running = make_promotion((in_promotion, "1.00"))
    ended = make_promotion((in_ended, "1.00"), ends_at=timezone.now())
    rule = SpecialArea.Rule
    for area, expected in (
        (make_area(rule=rule.brand, brand=brand), [by_brand.pk]),
        (make_area(rule=rule.category, category=top), [by_category.pk]),
        (make_area(rule=rule.promotion, promotion=running), [in_promotion.pk]),
        (make_area(rule=rule.promotion, promotion=ended), []),
    ):
        page = answer(client, f"specialArea/goods/{area.pk}")
        assert [row["goodsId"] for row in page["list"]] == expected
        assert page["total"] == len(expected)


def test_without_an_id_the_first_area_is_meant(client: Client) -> None:
    assert refused(client, "specialArea/goods") == "parameter_error"
    make_area(make_product(), live=False, sort=1)
    make_area(make_product(), sort=3)
    shown = make_area(make_product(), make_product(), sort=2)
    assert answer(client, "specialArea/goods", size=1) == answer(
        client, f"specialArea/goods/{shown.pk}", size=1
    )
    assert answer(client, "specialArea/goods", size=1)["total"] == 2


def test_an_area_that_does_not_exist_is_refused(client: Client) -> None:
    for area_id in ("x", "0", "12345", "9" * 30):
        assert refused(client, f"specialArea/goods/{area_id}") == "parameter_error", area_id


def test_lists_take_the_same_queries_however_long(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        make_slide()
        make_area(make_product())
    # The first call makes the pictures' renditions.
    for path, queries in (("carouse", 4), ("specialAreaList", 3)):
        answer(client, path)
        with django_assert_max_num_queries(queries):
            answer(client, path)
