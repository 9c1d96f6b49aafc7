"""The list page with the parameters of its URL, without script, in both languages."""

import re
from decimal import Decimal
from html import unescape

import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalog.goods.tests.builders import make_brand, make_category, make_product, make_products
from catalog.promotions.models import Promotion
from catalog.promotions.tests.builders import make_promotion
from catalog.stock.tests.builders import stock
from core.tests.pages import names_on_cards, shown

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def chips(html: str) -> dict[str, str]:
    """The chips of applied filters, each with the URL without it."""
    found = re.findall(r'<a class="chip active" href="([^"]+)">([^<]+)<', html)
    return {unescape(label): unescape(url) for url, label in found}


def sorts(html: str) -> list[tuple[str, bool]]:
    """The sort orders of the menu next to the chips, and whether each is the current one."""
    menu = html[html.index('<div class="sort push">') :]
    menu = menu[: menu.index("</details>")]
    return [(label, "active" in rest) for rest, label in re.findall(r"<li><a ([^>]+)>([^<]+)</a>", menu)]


@pytest.fixture
def prices() -> None:
    for price in ("1.00", "4.99", "5.00", "5.50", "9.00", "1200.00"):
        make_product(name_en=price, price=Decimal(price))


@pytest.mark.usefixtures("prices")
def test_a_price_range_includes_both_its_ends(client: Client, subtests: pytest.Subtests) -> None:
    for query, found, chip in [
        ("minPrice=5", {"5.00", "5.50", "9.00", "1200.00"}, "From A$5"),
        ("maxPrice=5", {"1.00", "4.99", "5.00"}, "Up to A$5"),
        ("minPrice=5&maxPrice=5.5", {"5.00", "5.50"}, "A$5 – A$5.50"),
        ("minPrice=9&maxPrice=5", {"5.00", "5.50", "9.00"}, "A$5 – A$9"),
        ("minPrice=$1,000", {"1200.00"}, "From A$1000"),
        ("minPrice=A$9&maxPrice=１０", {"9.00"}, "A$9 – A$10"),
        ("minPrice=0&maxPrice=1", {"1.00"}, "Up to A$1"),
    ]:
        with subtests.test(query=query, found=found, chip=chip):
            html = shown(client, f"/shop?{query}")
            assert set(names_on_cards(html)) == found
            assert chips(html) == {chip: "/shop"}


@pytest.mark.usefixtures("prices")
def test_an_invalid_price_is_ignored_with_a_message(client: Client, subtests: pytest.Subtests) -> None:
    for text in ["abc", "-1", "1e9", "NaN", "Infinity", "5..5", "9" * 40, "<b>"]:
        with subtests.test(text=text):
            html = shown(client, f"/shop?minPrice={text}&maxPrice=5")
            assert set(names_on_cards(html)) == {"1.00", "4.99", "5.00"}
            assert "The price filter was ignored" in html
            assert re.search(r'id="minPrice"[^>]+aria-invalid="true" aria-describedby="minPrice-error"', html)
            assert re.search(r'id="maxPrice"[^>]+value="5">', html)
            assert "<b>&" not in html


def test_valid_prices_show_no_message(client: Client) -> None:
    make_product()
    html = shown(client, "/shop?minPrice=&maxPrice=+&stockType=&storage=&promotion=")
    assert len(names_on_cards(html)) == 1
    assert "aria-invalid" not in html
    assert chips(html) == {}


def test_products_are_filtered_by_storage_and_bulk(client: Client) -> None:
    make_product(name_en="Ice", storage="frozen")
    make_product(name_en="Ice by the carton", storage="frozen", is_bulk=True)
    make_product(name_en="Rice by the carton", is_bulk=True)
    assert names_on_cards(shown(client, "/shop?storage=frozen")) == ["Ice", "Ice by the carton"]
    html = shown(client, "/shop?storage=frozen&bulk=1")
    assert names_on_cards(html) == ["Ice by the carton"]
    assert chips(html) == {"Frozen": "/shop?bulk=1", "Bulk buying": "/shop?storage=frozen"}
    assert '<input type="radio" name="storage" value="frozen" checked>' in html
    assert '<input type="checkbox" name="bulk" value="1" checked>' in html


def test_a_dietary_filter_only_shows_products_whose_data_promise_it(
    client: Client, subtests: pytest.Subtests
) -> None:
    checked = {"allergens_checked": True}
    make_product(name_en="Unknown")
    make_product(name_en="Unchecked", allergens=["soy"])
    make_product(name_en="Free", diets=["vegan"], **checked)
    make_product(name_en="Traces", may_contain=["cashew", "gluten"], diets=["gluten_free"], **checked)
    make_product(name_en="Milk", allergens=["milk"], diets=["vegan", "halal"], **checked)
    make_product(name_en="Wheat", allergens=["wheat", "gluten"], diets=["vegetarian"], **checked)
    for query, names in {
        "suits=no_nuts": {"Free", "Milk", "Wheat"},
        "suits=no_milk": {"Free", "Traces", "Wheat"},
        "suits=vegan": {"Free"},
        "suits=vegetarian": {"Free", "Wheat"},
        "suits=gluten_free": set[str](),
        "suits=halal&suits=no_nuts": {"Milk"},
        "suits=no_seafood&minPrice=1&orderBy=price": {"Free", "Traces", "Milk", "Wheat"},
        "suits=unknown": {"Unknown", "Unchecked", "Free", "Traces", "Milk", "Wheat"},
    }.items():
        with subtests.test(query=query):
            assert set(names_on_cards(shown(client, f"/shop?{query}"))) == names
    html = shown(client, "/zh-hans/shop?suits=no_nuts&suits=halal")
    assert re.findall(r'name="suits" value="(\w+)" checked', html) == ["halal", "no_nuts"]
    assert 'href="/zh-hans/shop?suits=halal"' in html
    assert "gluten_free" not in html


def test_products_are_filtered_by_a_running_promotion(client: Client) -> None:
    item = make_product(name_en="Hotpot base")
    promotion = make_promotion((item, "2.00"), name_en="Hotpot week", name_zh="火锅周")
    make_product(name_en="Other")
    html = shown(client, f"/shop?promotion={promotion.pk}")
    assert names_on_cards(html) == ["Hotpot base"]
    assert chips(html) == {"Hotpot week": "/shop"}
    assert "<h1>Hotpot week</h1>" in html
    assert "<h1>火锅周</h1>" in shown(client, f"/zh-hans/shop?promotion={promotion.pk}")
    Promotion.objects.update(is_active=False)
    ended = shown(client, f"/shop?promotion={promotion.pk}")
    assert names_on_cards(ended) == []
    assert chips(ended) == {"Promotion": "/shop"}


def test_products_of_several_brands_are_shown_together(client: Client) -> None:
    for name in ("Ming", "Tang", "Song"):
        make_product(name_en=f"{name} tea", brand=make_brand(name_en=name))
    html = shown(client, "/shop?brandName=Ming&brandName=Tang")
    assert set(names_on_cards(html)) == {"Ming tea", "Tang tea"}
    assert chips(html) == {"Ming": "/shop?brandName=Tang", "Tang": "/shop?brandName=Ming"}


def test_every_chip_and_sort_keeps_all_other_filters(client: Client) -> None:
    brand = make_brand(name_en="Ming")
    product = make_product(name_en="Tea", brand=brand, price=Decimal(5), is_bulk=True)
    query = (
        f"word=tea&goodsTypeId={product.category_id}&brandName=Ming&minPrice=1&maxPrice=9"
        "&stockType=3&storage=ambient&bulk=1&orderBy=price&isAsc=true"
    )
    html = shown(client, f"/shop?{query}")
    assert names_on_cards(html) == ["Tea"]
    removed_by = {"A$1 – A$9": "minPrice|maxPrice", "Sold out": "stockType"}
    removed_by |= {"Room temperature": "storage", "Bulk buying": "bulk", "Ming": "brandName"}
    assert chips(html).keys() == removed_by.keys()
    for label, url in chips(html).items():
        remaining = "&".join(
            pair for pair in query.split("&") if not re.match(f"({removed_by[label]})=", pair)
        )
        assert url == f"/shop?{remaining}"


def test_the_sort_orders_are_offered_and_the_current_one_is_marked(client: Client) -> None:
    make_product(name_en="Tea")
    labels = ["Best selling", "Price, low to high", "Price, high to low", "Newest"]

    def used(path: str) -> list[str]:
        return [label for label, is_used in sorts(shown(client, path)) if is_used]

    assert [label for label, _ in sorts(shown(client, "/shop"))] == labels
    assert [label for label, _ in sorts(shown(client, "/shop?word=tea"))] == ["Best match", *labels]
    assert used("/shop") == used("/shop?orderBy=sales") == used("/shop?orderBy=relevance") == ["Best selling"]
    assert used("/shop?orderBy=price") == used("/shop?orderBy=price&isAsc=true") == ["Price, low to high"]
    assert used("/shop?orderBy=price&isAsc=false") == ["Price, high to low"]
    assert used("/shop?orderBy=new") == used("/shop?orderBy=new&isAsc=true") == ["Newest"]
    assert used("/shop?word=tea") == used("/shop?word=tea&orderBy=relevance") == ["Best match"]
    assert used("/shop?word=tea&orderBy=sales") == ["Best selling"]


def test_a_misspelling_is_corrected_with_a_message(client: Client) -> None:
    make_product(name_en="Oyster Sauce", name_zh="蚝油")
    html = shown(client, "/shop?word=oister+sauce")
    assert names_on_cards(html) == ["Oyster Sauce"]
    assert "No results for “oister sauce”. Showing results for <b>oyster sauce</b> instead." in html
    assert "Results for “oister sauce”" in html


def test_where_filters_leave_no_result_a_link_links_to_the_search_without_them(client: Client) -> None:
    make_product(name_en="Oyster Sauce", name_zh="蚝油", price=Decimal(5))
    html = shown(client, "/shop?word=oister+sauce&minPrice=50")
    assert names_on_cards(html) == []
    assert 'Did you mean <a class="link" href="/shop?word=oyster+sauce">oyster sauce</a>?' in html


def test_a_search_without_results_offers_other_ways(client: Client) -> None:
    category = make_product().category.parent
    assert category is not None
    html = shown(client, "/shop?word=zzzzqqqq")
    assert "No results for “zzzzqqqq”" in html
    assert "data-facet" not in html
    assert f'<a class="chip" href="/shop?firstCategoryId={category.pk}">{category.name_en}</a>' in html
    assert "0 products" in html
    assert "Search without filters" not in html
    filtered = shown(client, "/shop?word=zzzzqqqq&stockType=1")
    assert '<a class="btn" href="/shop?word=zzzzqqqq">Search without filters</a>' in filtered
    assert 'name="stockType" value="1" checked' in " ".join(filtered.split())


def test_the_filters_offer_nothing_that_would_find_nothing(client: Client) -> None:
    make_product(name_en="Ice", storage="frozen")
    html = " ".join(shown(client, "/shop").split())
    assert 'name="storage" value="frozen"' in html
    assert 'name="storage" value="chilled"' not in html
    chosen = " ".join(shown(client, "/shop?storage=chilled").split())
    assert 'name="storage" value="chilled" checked' in chosen


def test_the_search_text_is_no_filter_and_stays_when_all_filters_are_cleared(client: Client) -> None:
    make_product(name_en="Rice", storage="frozen")
    assert chips(shown(client, "/shop?word=rice")) == {}
    html = shown(client, "/shop?word=rice&storage=frozen")
    assert chips(html) == {"Frozen": "/shop?word=rice"}
    assert '<a class="more" href="/shop?word=rice">Clear all</a>' in html


def test_filters_without_results_can_be_cleared(client: Client) -> None:
    make_product(price=Decimal(5))
    html = shown(client, "/shop?minPrice=100")
    assert "No products match your filters" in html
    assert '<a class="btn" href="/shop">Clear all</a>' in html


def test_a_search_without_results_offers_categories_popular_searches_and_best_sellers(client: Client) -> None:
    sold, other = make_product(units_sold=9), make_product()
    shop = apps.get_model(settings.SHOP_SETTINGS_MODEL)
    shop.objects.update_or_create(defaults={"popular_searches_en": "rice, soy sauce，hotpot"})
    html = shown(client, "/shop?word=zzzz")
    assert "No results for “zzzz”" in html
    assert f"/shop?firstCategoryId={sold.top_category_id}" in html
    for word in ("rice", "soy%20sauce", "hotpot"):
        assert f'href="/shop?word={word}"' in html
    assert names_on_cards(html) == [sold.name_en, other.name_en]
    assert 'data-popular="rice,soy sauce,hotpot"' in html


def test_a_search_offers_the_categories_that_it_names(client: Client) -> None:
    fruit = make_category(name_en="Fresh Fruit", name_zh="时令水果")
    make_product(category=fruit)
    make_category(name_en="Dried Fruit", name_zh="水果干")
    html = shown(client, "/shop?word=fruit")
    link = re.search(rf'<a class="chip" href="/shop\?firstCategoryId={fruit.pk}">(.*?)</a>', html, re.DOTALL)
    assert link
    assert " ".join(re.sub("<.*?>", " ", link[1]).split()) == "Shop Fresh Fruit (1)"
    # A category without products is not offered.
    assert "Shop Dried Fruit" not in html
    assert "Shop Fresh Fruit" not in shown(client, "/shop?word=rice")


def test_a_page_past_the_end_is_empty_and_links_to_the_last_page(client: Client) -> None:
    many, one = make_category(), make_category()
    make_products(25, category=many)
    make_product(category=one)
    for category, pages, last in ((many, "2 pages", "&amp;page=2"), (one, "1 page", "")):
        path = f"/shop?firstCategoryId={category.pk}"
        html = shown(client, f"{path}&page=9999")
        assert names_on_cards(html) == []
        assert "No products on this page" in html
        assert f"This list has {pages}; there is no page 9999." in html
        assert f'<a class="btn" href="{path}{last}">To the last page</a>' in html
        assert '<meta name="robots" content="noindex">' in html


def test_a_category_has_its_name_as_title_and_a_breadcrumb(client: Client) -> None:
    top = make_category(name_en="Vegetables", name_zh="蔬菜")
    below = make_category(parent=top, name_en="Greens", name_zh="叶菜")
    make_product(category=below)
    html = shown(client, f"/shop?goodsTypeId={below.pk}")
    assert "<title>Greens · " in html
    assert '<h1>Greens</h1><p class="muted" lang="zh-Hans">叶菜</p>' in html
    crumbs = html[html.index('<ol class="crumbs">') : html.index("</ol>")]
    assert re.findall(r'<a href="([^"]+)">([^<]+)', crumbs) == [
        ("/home", "Home"),
        ("/shop", "Shop"),
        (f"/shop?firstCategoryId={top.pk}", "Vegetables"),
    ]
    assert '<li aria-current="page">' in crumbs
    assert f'<link rel="canonical" href="http://localhost:8000/shop?goodsTypeId={below.pk}">' in html
    assert "<title>叶菜 · " in shown(client, f"/zh-hans/shop?goodsTypeId={below.pk}")


def test_a_brand_has_a_list_of_its_own(client: Client) -> None:
    make_product(brand=make_brand(name_en="Lee Kum Kee", name_zh="李锦记"))
    html = shown(client, "/zh-hans/shop?brandName=Lee+Kum+Kee&utm_source=mail")
    assert "<title>李锦记 · " in html
    assert '<h1>李锦记</h1><p class="muted" lang="en-AU">Lee Kum Kee</p>' in html
    assert '<a href="/zh-hans/brand">' in html
    address = "http://localhost:8000/zh-hans/shop?brandName=Lee+Kum+Kee"
    assert f'<link rel="canonical" href="{address}">' in html
    noindex = '<meta name="robots" content="noindex">'
    assert noindex not in html
    assert noindex in shown(client, "/shop?brandName=Lee+Kum+Kee&stockType=3")
    assert noindex in shown(client, "/shop?brandName=Unknown")


def test_facts_on_the_pack_are_in_the_readers_language(client: Client) -> None:
    make_product(pack="12 bags", pack_zh="12 包")
    pack = re.compile(r'<span class="muted">[^<]*(12 .+?)</span>')
    assert pack.findall(shown(client, "/shop")) == ["12 bags"]
    assert pack.findall(shown(client, "/zh-hans/shop")) == ["12 包"]


def test_the_page_takes_as_many_queries_for_many_products(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(30):
        stock(make_product(is_bulk=True), 5)
    with django_assert_max_num_queries(22):
        assert len(names_on_cards(shown(client, "/shop?bulk=1&minPrice=1&orderBy=price"))) == 24
