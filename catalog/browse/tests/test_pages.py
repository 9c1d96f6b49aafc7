"""The list and the page of one product, read without script in both languages."""

import json
import re
from decimal import Decimal
from html import unescape

import pytest
from django.test import Client

from catalog.goods.models import ProductGroup
from catalog.goods.tests.builders import PANEL, make_brand, make_category, make_product
from catalog.stock.tests.builders import stock
from core.tests.pages import html_of, names_on_cards, shown, translated_texts

pytestmark = pytest.mark.django_db


def links(html: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'href="([^"]+)"', html)]


def test_list_shows_both_names_price_unit_price_and_stock(client: Client) -> None:
    product = make_product(name_en="Choy Sum", name_zh="菜心", price=Decimal("2.50"))
    stock(product, 7)

    html = shown(client, "/shop")

    assert "Choy Sum" in html
    assert '<p class="card__alt" lang="zh-Hans">菜心</p>' in html
    assert "<small>A$</small>2.50" in html
    assert "≈ ¥12.50" in html
    assert "A$0.50 / 100 g" in html
    assert "Only 7 left" in html


def test_list_in_chinese_shows_the_chinese_name_first(client: Client) -> None:
    stock(make_product(name_en="Choy Sum", name_zh="菜心"), 50)

    html = shown(client, "/zh-hans/shop")

    assert names_on_cards(html) == ["菜心"]
    assert '<p class="card__alt" lang="en-AU">Choy Sum</p>' in html
    assert 'href="/zh-hans/shop/shopdetails/' in html
    assert "有货" in html


def test_without_script_all_cards_share_one_form_that_opens_the_cart(client: Client) -> None:
    for name in ("Choy Sum", "Rice"):
        stock(make_product(name_en=name), 50)

    html = shown(client, "/shop")

    assert html.count('<form id="to-cart" action="/home/cart">') == 1
    assert html.count('<button class="add" form="to-cart"') == 2
    cards = re.findall(r"<article.*?</article>", html, re.DOTALL)
    assert [card for card in cards if "<form" in card] == []


def test_card_has_the_data_that_the_cart_needs(client: Client) -> None:
    product = make_product(
        price=Decimal("4.49"), is_advance=True, min_amount=2, limit_amount=6, name_zh="“菜”<b>"
    )
    stock(product, 9)

    html = shown(client, "/shop")

    found = re.search(r'<article class="card" data-product="([^"]+)"', html)
    assert found
    assert json.loads(unescape(found[1])) == {
        "goodsId": product.pk,
        "goodsName": "“菜”<b>",
        "goodsEnglishName": product.name_en,
        "goodsImgUrl": None,
        "goodsStockAmount": 9,
        "memberPrice": 4.49,
        "isSelf": "0",
        "isAdvance": "1",
        "expectedDate": None,
        "netWeight": 500,
        "storage": "ambient",
        "pack": "500 g",
        "packZh": "500 g",
        "unitPrice": 0.9,
        "unitPriceMeasure": "100g",
        "minAmount": 2,
        "limitAmount": 6,
    }


def test_sold_out_products_cannot_be_added(client: Client) -> None:
    make_product()
    html = shown(client, "/shop")
    assert '<button class="add" disabled>Sold out</button>' in html
    assert "Add to cart:" not in html


def test_filters_narrow_the_list_and_can_be_removed(client: Client) -> None:
    top, tang, ming = make_category(), make_brand(name_en="Tang"), make_brand(name_en="Ming", name_zh="明")
    wanted = make_product(name_en="Wanted", category=make_category(parent=top), brand=ming)
    make_product(name_en="Other brand", category=wanted.category, brand=tang)
    make_product(name_en="Other category", brand=ming)

    html = shown(client, f"/shop?firstCategoryId={top.pk}&brandName=明&stockType=3")

    assert names_on_cards(html) == ["Wanted"]
    assert f"/shop?firstCategoryId={top.pk}&stockType=3" in links(html)
    assert f"/shop?firstCategoryId={top.pk}&brandName=%E6%98%8E" in links(html)
    assert '<input type="checkbox" name="brandName" value="Ming" checked>' in html
    assert '<input type="radio" name="stockType" value="3" checked>' in html
    assert f'<input type="hidden" name="firstCategoryId" value="{top.pk}">' in html


def test_every_facet_link_links_to_products(client: Client) -> None:
    for number in range(3):
        make_product(category=make_category(parent=make_category(name_en=f"Aisle {number}")))
    tree = re.findall(r'<nav class="tree".*?</nav>', shown(client, "/shop"), re.S)[0]
    category_links = [link for link in links(tree) if "CategoryId" in link]
    assert len(category_links) == 3
    for link in category_links:
        assert len(names_on_cards(shown(client, link))) == 1


def test_sorts_by_price_in_both_directions(client: Client) -> None:
    for name, price in (("Middle", "5.00"), ("Dear", "9.00"), ("Cheap", "1.00")):
        make_product(name_en=name, price=Decimal(price))
    assert names_on_cards(shown(client, "/shop?orderBy=price&isAsc=true")) == ["Cheap", "Middle", "Dear"]
    assert names_on_cards(shown(client, "/shop?orderBy=price&isAsc=false")) == ["Dear", "Middle", "Cheap"]


def test_numbered_pages_hold_every_product_once(client: Client) -> None:
    category = make_category(parent=make_category())
    made = {make_product(category=category).name_en for _ in range(50)}

    first = shown(client, "/shop?orderBy=new")
    pages = [first, shown(client, "/shop?orderBy=new&page=2"), shown(client, "/shop?orderBy=new&page=3")]

    assert [len(names_on_cards(html)) for html in pages] == [24, 24, 2]
    assert {name for html in pages for name in names_on_cards(html)} == made
    assert "/shop?orderBy=new&page=2" in links(first)
    assert "Showing 49–50 of 50" in pages[2]


def test_an_invalid_page_number_is_not_found(client: Client, subtests: pytest.Subtests) -> None:
    for number in ["0", "-1", "x", "1.5", "9" * 30, "١"]:
        with subtests.test(number=number):
            shown(client, f"/shop?page={number}", status=404)


def test_invalid_values_are_ignored(client: Client, subtests: pytest.Subtests) -> None:
    make_product(name_en="Still here")
    for query in [
        "goodsTypeId=x&firstCategoryId=-1",
        "goodsTypeId=" + "9" * 40,
        "stockType=9",
        "orderBy=password&isAsc=maybe",
        "word=%00%20",
        "brandName=%00",
        "utm_source=mail",
    ]:
        with subtests.test(query=query):
            assert names_on_cards(shown(client, f"/shop?{query}")) == ["Still here"]


def test_search_word_is_shown_escaped(client: Client) -> None:
    html = shown(client, "/shop?word=%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert(1)" not in html
    assert "No results for “&lt;script&gt;" in html


def test_only_categories_and_brands_are_for_search_engines(client: Client) -> None:
    category = make_category()
    make_product(category=category)
    noindex = '<meta name="robots" content="noindex">'
    assert noindex not in shown(client, "/shop")
    assert noindex not in shown(client, f"/shop?firstCategoryId={category.pk}&utm_source=mail")
    assert noindex in shown(client, "/shop?stockType=3")
    assert noindex in shown(client, "/shop?word=good")


def test_canonical_url_has_neither_tracking_nor_filters(client: Client) -> None:
    category = make_category()
    make_product(category=category)
    path = f"shop?firstCategoryId={category.pk}"
    html = shown(client, f"/zh-hans/{path}&stockType=3&orderBy=new&utm_source=mail")
    assert f'<link rel="canonical" href="http://localhost:8000/zh-hans/{path}">' in html
    assert f'hreflang="en-AU" href="http://localhost:8000/{path}"' in html


def test_detail_shows_names_facts_and_unit_price_in_both_languages(client: Client) -> None:
    product = make_product(
        name_en="Honey", name_zh="蜂蜜", origin="AU", storage="frozen", price=Decimal("9.50")
    )
    stock(product, 90)

    english = shown(client, f"/shop/shopdetails/{product.pk}")
    chinese = shown(client, f"/zh-hans/shop/shopdetails/{product.pk}")

    assert "<h1>Honey</h1>" in english
    assert "A$1.90 / 100 g" in english
    assert "<td>Australia</td>" in english
    assert "Keep frozen" in english
    assert "GST-free" in english
    assert "<h1>蜂蜜</h1>" in chinese
    assert "每100克 A$1.90" in chinese
    assert "<td>澳大利亚</td>" in chinese


def test_the_page_has_the_facts_of_the_label_in_both_languages(client: Client) -> None:
    product = make_product(
        ingredients_en="Rice, buckwheat, <soy> sauce (wheat), preservative (E223), colour (1220).",
        ingredients_zh="大米、酱油（小麦）。",
        allergens=["wheat", "sulphites"],
        may_contain=["brazil_nut"],
        diets=["vegan", "gluten_free"],
        nutrition=PANEL,
        directions_en="Boil it.",
        warnings_zh="小心烫。",
        aust_number="AUST L 123456",
        gtin="9300675024235",
    )
    english = shown(client, f"/shop/shopdetails/{product.pk}")
    chinese = shown(client, f"/zh-hans/shop/shopdetails/{product.pk}")
    assert "Rice, buckwheat, &lt;soy&gt; sauce (<strong>wheat</strong>)," in english
    assert "preservative (<strong>E223</strong>), colour (1220)." in english
    assert "大米、酱油（<strong>小麦</strong>）。" in chinese
    assert ("<strong>Brazil nut</strong>" in english, "<strong>巴西坚果</strong>" in chinese) == (True, True)
    assert re.search(r"Energy</th>\s*<td class=\"n\">462 kJ</td>\s*<td class=\"n\">1,540 kJ</td>", english)
    assert re.search(r"– 糖</th>\s*<td class=\"n\">0.8 g</td>\s*<td class=\"n\">2.5 g</td>", chinese)
    assert ("Boil it." in english, "小心烫。" in chinese, "AUST L 123456" in english) == (True, True, True)
    assert "Vegetarian, Vegan, Gluten free" in english
    product = make_product(diets=["vegan"], allergens=["milk"])
    assert "Vegan" not in shown(client, f"/shop/shopdetails/{product.pk}")


def test_variants_are_links_to_each_other(client: Client) -> None:
    group = ProductGroup.objects.create(code="rice", name_en="Size", name_zh="规格")
    small = make_product(group=group, variant_en="1 kg", net_weight=1000)
    large = make_product(group=group, variant_en="5 kg", net_weight=5000)
    make_product(name_en="Alone")

    html = shown(client, f"/shop/shopdetails/{large.pk}")

    specs = re.findall(
        r'<a class="spec[^"]*" data-variant href="([^"]+)"(?: (aria-current="page"))?\s*>([^<]+)<', html
    )
    assert specs == [
        (f"/shop/shopdetails/{small.pk}", "", "1 kg"),
        (f"/shop/shopdetails/{large.pk}", 'aria-current="page"', "5 kg"),
    ]


def test_a_variant_without_a_name_shows_its_pack_in_the_language_of_the_page(client: Client) -> None:
    group = ProductGroup.objects.create(code="rice", name_en="Size", name_zh="规格")
    product = make_product(group=group, pack="bag", pack_zh="袋装")
    make_product(group=group)
    for path, pack in (("/shop", "bag"), ("/zh-hans/shop", "袋装")):
        html = shown(client, f"{path}/shopdetails/{product.pk}")
        assert re.search(rf'aria-current="page"\s*>\s*{pack}\s*<', html)


def test_products_of_the_same_category_are_recommended(client: Client) -> None:
    product = make_product()
    stock(make_product(name_en="Neighbour", category=product.category), 1)
    stock(make_product(name_en="Unrelated", category=make_category(parent=make_category())), 1)
    make_product(name_en="Sold out", category=product.category)
    assert names_on_cards(shown(client, f"/shop/shopdetails/{product.pk}")) == ["Neighbour"]


def test_an_unknown_product_is_not_found(client: Client, subtests: pytest.Subtests) -> None:
    for goods_id in ["0", "x", "-1", "1.5", "9" * 30, "１"]:
        with subtests.test(goods_id=goods_id):
            html = shown(client, f"/shop/shopdetails/{goods_id}", status=404)
            assert "Page not found" in html
            assert 'name="word"' in html


def test_products_not_on_sale_are_not_found(client: Client) -> None:
    product = make_product(on_sale=False)
    shown(client, f"/shop/shopdetails/{product.pk}", status=404)
    assert "页面不存在" in shown(client, f"/zh-hans/shop/shopdetails/{product.pk}", status=404)


def test_some_cards_come_alone_in_the_order_asked_for(client: Client) -> None:
    rice, tea, gone = make_product(name_zh="米"), make_product(name_zh="茶"), make_product(on_sale=False)
    asked = f"{tea.pk},x,{gone.pk},-1,{rice.pk},{tea.pk},{10**30},"
    response = client.get(f"/zh-hans/shop/cards?ids={asked}")
    html = html_of(response)
    assert names_on_cards(html) == ["茶", "米"]
    assert "<html" not in html
    assert "max-age" not in response.headers.get("Cache-Control", "")
    for nothing in ("", "?ids=", "?ids=x", "?ids=%00,%F0"):
        assert shown(client, f"/shop/cards{nothing}").strip() == ""
    many = [make_product().pk for _ in range(22)]
    html = shown(client, f"/shop/cards?ids={','.join(map(str, many))}")
    assert len(names_on_cards(html)) == 20


def test_translators_of_browsers_change_no_amounts(client: Client) -> None:
    tea = make_product(price=Decimal("26.80"))
    for path in ("/shop", f"/shop/shopdetails/{tea.id}"):
        texts = translated_texts(shown(client, path))
        assert len(texts) > 20, path
        assert [text for text in texts if re.fullmatch(r"[≈−]? ?(A\$|¥)?[0-9][0-9.,]*", text)] == [], path
