import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from django.core.files.images import ImageFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from wagtail.images.models import Image

from catalog.browse.schemas import GoodsDetail
from catalog.goods.models import Product, ProductGroup, ProductPicture
from catalog.goods.nutrition import nutrition_panel
from catalog.goods.tests.builders import PANEL, charge, make_brand, make_category, make_product, make_products
from catalog.goods.writing import save_product, update_products
from catalog.promotions import offers
from catalog.promotions.tests.builders import make_promotion
from catalog.rates.models import ExchangeRate
from catalog.stock.models import StockLevel
from catalog.stock.tests.builders import make_location, stock
from core.pictures.renditions import make_renditions
from core.tests.pictures import picture

pytestmark = pytest.mark.django_db
LIST = "/api/v1/pc/goods/list"
BATCH = "/api/v1/pc/goods/batch"


def get(client: Client, path: str) -> dict[str, Any]:
    response = client.get(f"/api/v1/pc/{path}", headers={"token": "junk"})
    assert response.status_code == 200
    return dict(response.json())


def ask(client: Client, body: Any, path: str = LIST) -> dict[str, Any]:
    response = client.post(path, json.dumps(body), content_type="application/json")
    assert response.status_code == 200
    return dict(response.json())


def with_picture(product: Product) -> Product:
    product.picture = Image.objects.create(title="Leaf", file=ImageFile(BytesIO(picture()), "leaf.webp"))
    make_renditions(product.picture)
    save_product(product)
    return product


@pytest.fixture
def rice() -> Product:
    top = make_category(name_en="Grains", name_zh="粮油", unit_rule="per_kg")
    product = make_product(
        category=make_category(parent=top, name_en="Rice", name_zh="大米"),
        brand=make_brand(name_en="Golden Phoenix", name_zh="金凤牌"),
        sku="G040101",
        name_en="Jasmine Rice",
        name_zh="茉莉香米",
        pack="5 kg",
        net_weight=5000,
        price=Decimal("19.99"),
        origin="TH",
        is_self=True,
        is_advance=True,
        expected_on=date(2099, 1, 15),
        min_amount=2,
        limit_amount=9,
        description_en="Fragrant.",
        description_zh="香。",
    )
    charge(product, ("21.00", timedelta(days=30)), ("19.99", timedelta(days=1)))
    product.market_price = Decimal("21.00")
    level = stock(product, 30)
    StockLevel.objects.filter(pk=level.pk).update(reserved=4)
    return with_picture(product)


def expected_goods(rice: Product) -> dict[str, Any]:
    """The expected GoodsOut of `rice`, without the picture's URL."""
    return {
        "goodsId": rice.pk,
        "sku": "G040101",
        "goodsName": "茉莉香米",
        "goodsEnglishName": "Jasmine Rice",
        "brandId": rice.brand_id,
        "brandName": "金凤牌",
        "brandNameEn": "Golden Phoenix",
        "firstCategoryId": rice.category.parent_id,
        "goodsTypeId": rice.category_id,
        "memberPrice": 19.99,
        "marketPrice": 21.0,
        "goodsStockAmount": 26,
        "isSelf": "1",
        "isAdvance": "1",
        "expectedDate": "2099-01-15",
        "stockType": "2",
        "netWeight": 5000,
        "pack": "5 kg",
        "packZh": "5 kg",
        "unit": "bag",
        "unitZh": "袋",
        "unitPrice": 4.0,
        "unitPriceMeasure": "kg",
        "storage": "ambient",
        "gstFree": True,
        "isBulk": False,
        "minAmount": 2,
        "limitAmount": 9,
        "actionTypeId": None,
        "actionPrice": None,
    }


def test_a_list_has_every_field_of_a_product(client: Client, rice: Product) -> None:
    body = ask(client, {})
    assert (body["code"], body["msg"]) == (0, "")
    page = body["result"]
    assert set(page) == {"list", "total", "page", "size", "facets"}
    assert (page["total"], page["page"], page["size"]) == (1, 1, 24)
    (product,) = page["list"]
    assert product.pop("goodsImgUrl").startswith("/media/images/leaf")
    assert product == expected_goods(rice)
    assert page["facets"] == {
        "brands": [{"brandName": "金凤牌", "brandNameEn": "Golden Phoenix", "count": 1}],
        "categories": [
            {"classifyId": rice.category.parent_id, "count": 1},
            {"classifyId": rice.category_id, "count": 1},
        ],
        "stockTypes": [{"stockType": "2", "count": 1}],
    }


def test_the_detail_has_more_fields_than_the_list(client: Client, rice: Product) -> None:
    product = get(client, f"goods/{rice.pk}")["result"]
    (big_picture,) = product.pop("images")
    assert "pad-640x640" in big_picture
    assert "pad-256x256" in product.pop("goodsImgUrl")
    top = rice.category.parent
    assert top is not None
    assert product == expected_goods(rice) | {
        "description": "香。",
        "descriptionEn": "Fragrant.",
        "ingredients": None,
        "ingredientsEn": None,
        "allergens": [],
        "allergensChecked": False,
        "mayContain": [],
        "diets": [],
        "nutrition": None,
        "directions": None,
        "directionsZh": None,
        "warnings": None,
        "warningsZh": None,
        "austNumber": None,
        "gtin": None,
        "origin": "泰国",
        "originEn": "Thailand",
        "bestBefore": None,
        "isExported": True,
        "classifyPath": [
            {"classifyId": top.pk, "classifyName": "粮油", "classifyEnglishName": "Grains"},
            {"classifyId": rice.category_id, "classifyName": "大米", "classifyEnglishName": "Rice"},
        ],
        "cartonSize": 1,
        "priceTiers": [],
        "promotions": [],
    }


def test_the_detail_has_the_facts_on_the_pack(client: Client, rice: Product) -> None:
    rice.ingredients_en, rice.ingredients_zh = "Rice, soy sauce.", "大米、酱油。"
    rice.allergens, rice.best_before, rice.pack_zh = ["soy", "wheat"], date(2027, 3, 1), "5 公斤"
    rice.nutrition = nutrition_panel(PANEL)
    rice.may_contain, rice.diets, rice.gtin = ["milk"], ["vegan"], "9300675024235"
    rice.directions_en, rice.warnings_zh = "Rinse.", "远离儿童。"
    save_product(rice)
    ProductPicture.objects.create(product=rice, picture=with_picture(make_product()).picture)
    product = get(client, f"goods/{rice.pk}")["result"]
    assert (product["ingredients"], product["ingredientsEn"]) == ("大米、酱油。", "Rice, soy sauce.")
    assert (product["allergens"], product["bestBefore"]) == (["soy", "wheat"], "2027-03-01")
    assert (product["pack"], product["packZh"]) == ("5 kg", "5 公斤")
    assert (product["mayContain"], product["diets"], product["gtin"]) == (
        ["milk"],
        ["vegan"],
        "9300675024235",
    )
    assert (product["directions"], product["warnings"]) == ("Rinse.", None)
    assert (product["directionsZh"], product["warningsZh"]) == (None, "远离儿童。")
    assert product["nutrition"] == {
        name: float(text) for name, text in PANEL.items() if name != "measure"
    } | {
        "measure": "g",
        "servings": None,
    }
    assert len(product["images"]) == 2


def test_a_product_without_picture_stock_or_unit_price_has_none(client: Client) -> None:
    product = make_product(category=make_category(unit_rule="exempt"))
    body = get(client, f"goods/{product.pk}")["result"]
    assert (body["goodsImgUrl"], body["images"], body["marketPrice"]) == (None, [], None)
    assert (body["goodsStockAmount"], body["stockType"]) == (0, "3")
    assert (body["unitPrice"], body["unitPriceMeasure"]) == (None, None)
    assert body["firstCategoryId"] == body["goodsTypeId"] == product.category_id
    assert len(body["classifyPath"]) == 1


def test_an_id_of_no_product_is_a_goods_error(client: Client, subtests: pytest.Subtests) -> None:
    for call in ["goods", "spec"]:
        for goods_id in ["0", "-1", "999", "x", "1.5", "9" * 30, "١", "%00", "1%27"]:
            with subtests.test(call=call, goods_id=goods_id):
                body = get(client, f"{call}/{goods_id}")
                assert (body["code"], body["reason"], body["result"]) == (1002, "goods_error", None)


def test_a_product_not_on_sale_is_refused_with_its_own_error(
    client: Client, subtests: pytest.Subtests
) -> None:
    product = make_product(on_sale=False)
    for call in ["goods", "spec"]:
        with subtests.test(call=call):
            assert get(client, f"{call}/{product.pk}")["reason"] == "goods_off_shelf"


def test_variants_are_products_of_one_product_group(client: Client) -> None:
    group = ProductGroup.objects.create(code="rice", name_en="Size", name_zh="规格")
    small = make_product(group=group, variant_en="5 kg", variant_zh="5公斤", net_weight=5000)
    large = make_product(group=group, pack="10 kg", net_weight=10000, price=Decimal("36.99"))
    make_product(group=group, on_sale=False)
    stock(large, 4)
    result = get(client, f"spec/{small.pk}")["result"]
    assert result == {
        "goodsId": small.pk,
        "specs": [
            {
                "specName": "规格",
                "specNameEn": "Size",
                "values": [
                    {
                        "goodsId": small.pk,
                        "value": "5公斤",
                        "valueEn": "5 kg",
                        "memberPrice": 4.49,
                        "goodsStockAmount": 0,
                        "goodsImgUrl": None,
                    },
                    {
                        "goodsId": large.pk,
                        "value": "10 kg",
                        "valueEn": "10 kg",
                        "memberPrice": 36.99,
                        "goodsStockAmount": 4,
                        "goodsImgUrl": None,
                    },
                ],
            }
        ],
    }


def test_a_product_without_a_product_group_has_no_specs(client: Client) -> None:
    product = make_product()
    assert get(client, f"spec/{product.pk}")["result"] == {"goodsId": product.pk, "specs": []}


def test_the_rate_is_five_without_a_time_until_one_is_fetched(client: Client) -> None:
    nothing = {"exchangeRate": 5.0, "base": "AUD", "quote": "CNY", "updateTime": None}
    assert get(client, "exchangeRate")["result"] == nothing
    as_of = datetime(2026, 11, 21, 1, 2, 3, tzinfo=UTC)
    ExchangeRate.objects.create(rate=Decimal("4.712345"), source="bank", as_of=as_of)
    result = get(client, "exchangeRate")["result"]
    assert result["exchangeRate"] == 4.712345
    assert datetime.fromisoformat(result["updateTime"]) == as_of


def test_the_tree_takes_no_query_for_each_picture(client: Client) -> None:
    leaf = with_picture(make_product()).picture
    queries = set()
    for _ in range(2):
        make_category(parent=make_category(picture=leaf), picture=leaf)
        tree = get(client, "home/classify")["result"]
        assert tree[-1]["classifyImgUrl"]
        assert tree[-1]["secondClassify"][0]["classifyImgUrl"]
        queries.add(queries_of(client, "/api/v1/pc/home/classify"))
    assert len(queries) == 1


def test_categories_are_a_tree_of_two_levels(client: Client) -> None:
    top = make_category(name_en="Fruit", name_zh="水果", sort=1)
    child = make_category(parent=top, name_en="Citrus", name_zh="柑橘")
    other = make_category(sort=2)
    tree = get(client, "home/classify")["result"]
    assert [branch["classifyId"] for branch in tree] == [top.pk, other.pk]
    assert tree[0] == {
        "classifyId": top.pk,
        "classifyPid": 0,
        "classifyName": "水果",
        "classifyEnglishName": "Fruit",
        "classifyImgUrl": None,
        "secondClassify": [
            {
                "classifyId": child.pk,
                "classifyPid": top.pk,
                "classifyName": "柑橘",
                "classifyEnglishName": "Citrus",
                "classifyImgUrl": None,
                "secondClassify": [],
            }
        ],
    }


def test_a_list_can_be_requested_without_a_body(client: Client) -> None:
    make_product()
    assert client.post(LIST, b"", content_type="application/json").json()["result"]["total"] == 1
    assert ask(client, None)["result"]["total"] == 1


def test_filters_apply_to_the_list(client: Client) -> None:
    lee, top = make_brand(name_en="Lee Kum Kee", name_zh="李锦记"), make_category()
    category = make_category(parent=top)
    cheap = make_product(name_en="Soy Sauce", brand=lee, category=category, price=Decimal("2"))
    dear = make_product(name_en="Oyster Sauce", brand=lee, category=category, price=Decimal("5"))
    make_product(name_en="Soy Milk")
    stock(dear, 1)

    def ids(**body: Any) -> list[int]:
        return [product["goodsId"] for product in ask(client, body)["result"]["list"]]

    both = [cheap.pk, dear.pk]
    assert ids(brandName="Lee Kum Kee") == both
    assert ids(brandName=["李锦记", "unknown"]) == both
    assert ids(goodsTypeId=category.pk) == ids(goodsTypeId=str(category.pk)) == both
    assert ids(firstCategoryId=top.pk, goodsTypeId="", stockType="", word="", brandName="") == both
    assert ids(word="soy", brandName="李锦记") == [cheap.pk]
    assert ids(stockType="1") == ids(stockType=1) == [dear.pk]
    assert ids(brandName="李锦记", orderBy="price") == both
    assert ids(brandName="李锦记", orderBy="price", isAsc=False) == both[::-1]
    assert ids(brandName="李锦记", orderBy="price", isAsc="false", isEnglishWebsite=True) == both[::-1]
    assert ids(brandName="李锦记", orderBy="new") == both[::-1]
    assert ids(brandName="李锦记", orderBy="anything", unknown={"a": 1}) == both


def test_filters_beyond_the_contract_apply_to_the_list(client: Client) -> None:
    cheap = make_product(price=Decimal("2.00"), storage="frozen", units_sold=3)
    carton = make_product(price=Decimal("5.00"), is_bulk=True, units_sold=2)
    dear = make_product(price=Decimal("5.01"), units_sold=1)
    running = make_promotion((dear, "4.00"))

    def ids(**body: Any) -> list[int]:
        return [product["goodsId"] for product in ask(client, body)["result"]["list"]]

    assert ids(minPrice=5) == [carton.pk, dear.pk]
    assert ids(minPrice="2", maxPrice="5.00") == [cheap.pk, carton.pk]
    assert ids(maxPrice=0) == []
    everything = [cheap.pk, carton.pk, dear.pk]
    assert ids(minPrice="", maxPrice=None, bulk="", storage="", promotion="") == everything
    assert ids(bulk=True) == [carton.pk]
    assert ids(storage="frozen") == [cheap.pk]
    assert ids(promotion=running.pk) == [dear.pk]


def test_products_with_and_without_offer_brand_picture_and_tiers_answer_all_fields(
    client: Client, rice: Product
) -> None:
    """That they keep to the schemas is checked in every test, see `_answers_keep_their_schemas`."""
    bare = make_product(category=make_category(unit_rule="exempt"))
    make_promotion((rice, "4.00"))
    page = ask(client, {})["result"]
    assert {row["goodsId"]: row["actionPrice"] for row in page["list"]} == {rice.pk: 4.0, bare.pk: None}
    for product in (rice, bare):
        body = get(client, f"goods/{product.pk}")["result"]
        assert set(body) == set(GoodsDetail.model_fields)


def test_pages_are_parts_of_the_list(client: Client) -> None:
    products = [make_product().pk for _ in range(5)]
    page = ask(client, {"page": "2", "size": "2"})["result"]
    assert [product["goodsId"] for product in page["list"]] == products[2:4]
    assert (page["total"], page["page"], page["size"]) == (5, 2, 2)
    past = ask(client, {"page": 9999})["result"]
    assert (past["list"], past["total"]) == ([], 5)


def queries_of(client: Client, path: str, body: Any = None) -> int:
    """Return how many queries a call takes, a POST where it is a list or a body is given."""
    with CaptureQueriesContext(connection) as queries:
        is_post = path == LIST or body is not None
        answer = client.post(path, body, "application/json") if is_post else client.get(path)
    assert answer.json()["code"] == 0
    return len(queries)


@pytest.mark.slow
def test_the_number_of_queries_does_not_grow_with_the_products(client: Client, rice: Product) -> None:
    """The category tree, the list and one product take as many queries at 10 as at 490 products."""
    group = ProductGroup.objects.create(code="rice", name_en="Size", name_zh="规格")
    paths = {
        # Six of them read the snapshot of all products, which a shop reads every two seconds.
        f"/api/v1/pc/goods/{rice.pk}": 8,
        f"/api/v1/pc/spec/{rice.pk}": 3,
        "/api/v1/pc/home/classify": 1,
        LIST: 6,
    }
    update_products(Product.objects.filter(pk=rice.pk), group=group)
    assert rice.picture is not None

    def fill(count: int) -> None:
        category, brand = make_category(parent=rice.category.parent), make_brand()
        made = make_products(count, category=category, brand=brand, picture=rice.picture)
        update_products(Product.objects.filter(pk__in=[product.pk for product in made[:2]]), group=group)
        place = make_location()
        for product in made[:3]:
            stock(product, 1, place)

    for count in (9, 480):
        fill(count)
        # One of the queries reads the promotions, which a process reads every two seconds.
        offers.invalidate()
        assert {path: queries_of(client, path) for path in paths} == paths


def test_a_guests_cart_reads_all_its_products_in_one_call(client: Client, rice: Product) -> None:
    tea = make_product(name_en="Tea", is_bulk=True, carton_size=6, price=Decimal("4.00"))
    gone = make_product(on_sale=False)
    body = {"goodsIds": [tea.pk, rice.pk, gone.pk, 999_999, tea.pk]}

    answered = ask(client, body, BATCH)["result"]["list"]

    sizes = [(row["goodsId"], row["cartonSize"]) for row in answered]
    assert sizes == [(tea.pk, 6), (rice.pk, rice.carton_size)]
    for row in answered:
        detail = get(client, f"goods/{row['goodsId']}")["result"]
        assert row == {name: detail[name] for name in row}


def test_a_batch_of_products_is_refused_whole(client: Client) -> None:
    for ids in (None, "1", [None], list(range(1, 202))):
        answer = ask(client, {"goodsIds": ids}, BATCH)
        assert (answer["code"], answer["result"]) == (1002, None), ids


def test_a_batch_takes_the_same_queries_however_many_products(client: Client) -> None:
    ids = [make_product().pk for _ in range(5)]
    queries_of(client, BATCH, {"goodsIds": ids})
    assert queries_of(client, BATCH, {"goodsIds": ids}) == queries_of(client, BATCH, {"goodsIds": ids[:1]})
