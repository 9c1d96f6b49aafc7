"""The chooser of every page of the shop, and the paths that editors write."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from wagtail.models import Locale

from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.promotions.tests.builders import make_promotion
from content.models import CarouselSlide, HomePage, InformationPage
from content.shoplinks import FIXED
from content.tests.builders import make_area
from content.tests.forms import url_of
from content.tests.staff import in_each_language

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

URL = "/admin/shop_links/"
# The parameters with which a rich text opens the chooser.
RICH_TEXT = "?allow_external_link=true&allow_email_link=true&allow_phone_link=true&allow_anchor_link=true"


def offered(editor: Client, word: str = "", url: str = URL) -> list[str]:
    """The paths that the chooser offers, in order."""
    answer = editor.post(url, {"q": word}) if word else editor.get(url)
    return re.findall(r'name="path" value="([^"]+)"', answer.json()["html"])


def test_the_chooser_offers_common_pages_before_a_search(editor: Client) -> None:
    top = make_category()
    area, promotion = make_area(make_product()), make_promotion()
    paths = offered(editor)
    for path in (
        *FIXED,
        "/home",
        "/home/about-us/delivery",
        f"/areas/{area.pk}",
        f"/promotions/{promotion.pk}",
        f"/shop?firstCategoryId={top.pk}",
    ):
        assert paths.count(path) == 1, path
    assert not any(path.startswith("/zh-hans") for path in paths)


def test_the_chooser_finds_each_kind_of_page_in_either_language(
    editor: Client, subtests: pytest.Subtests
) -> None:
    names = {"name_en": "Choy Sum", "name_zh": "菜心"}
    category = make_category(parent=make_category(), **names)
    brand, product = make_brand(**names), make_product(**names)
    area, promotion = make_area(product, **names), make_promotion(**names)
    home = HomePage.objects.get(locale__language_code="en")
    page = home.add_child(instance=InformationPage(title="Choy Sum", slug="choy", locale=home.locale))
    twin = page.copy_for_translation(Locale.objects.get(language_code="zh-hans"))
    twin.title = "菜心"
    twin.save_revision().publish()
    for language in in_each_language(editor):
        for word in ("choy", "菜心", "caixin"):
            with subtests.test(language=language, word=word):
                assert set(offered(editor, word)) >= {
                    f"/shop?goodsTypeId={category.pk}",
                    f"/shop?brandName={brand.name_en.replace(' ', '+')}",
                    f"/shop/shopdetails/{product.pk}",
                    f"/areas/{area.pk}",
                    f"/promotions/{promotion.pk}",
                    "/home/choy",
                }


def test_every_target_that_the_chooser_offers_answers_in_both_languages(editor: Client) -> None:
    make_category()
    make_area(make_product())
    make_promotion((make_product(), "1.00"))
    for path in offered(editor):
        for prefix in ("", "/zh-hans"):
            assert editor.get(prefix + path).status_code == 200, prefix + path


def test_the_chooser_shows_when_it_finds_nothing(editor: Client) -> None:
    texts = {"en": "No results for “zebra”", "zh-hans": "没有找到“zebra”"}
    for language in in_each_language(editor):
        assert texts[language] in editor.post(URL, {"q": "zebra"}).json()["html"]


def test_the_chooser_answers_any_word(editor: Client) -> None:
    for word in ("\0", "x" * 5000, "<script>", "' OR 1=1"):
        html = editor.post(URL, {"q": word}).json()["html"]
        assert "<script>" not in html, word


def test_the_chosen_target_is_returned_as_a_link(editor: Client) -> None:
    answer = editor.post(URL, {"path": "/brand", "name": "Brands"}).json()
    assert answer == {
        "step": "external_link_chosen",
        "result": {"url": "/brand", "title": "Brands", "prefer_this_title_as_link_text": False},
    }


def test_the_chooser_is_closed_to_shoppers(client: Client) -> None:
    assert client.get(URL).status_code == 302


def test_a_rich_text_offers_the_shops_pages_next_to_wagtails_kinds_of_links(editor: Client) -> None:
    page = editor.get(f"{reverse('wagtailadmin_choose_page')}{RICH_TEXT}&page_type=wagtailcore.page").json()
    kinds = re.search(r'<p class="link-types">(.+?)</p>', page["html"], re.S)
    assert kinds
    for name in ("external", "email", "phone", "anchor"):
        assert reverse(f"wagtailadmin_choose_page_{name}_link") in kinds[1]
    assert f"{URL}?" in kinds[1]
    chooser = editor.get(URL + RICH_TEXT).json()["html"]
    assert "<b>Page of the shop</b>" in chooser
    assert reverse("wagtailadmin_choose_page") in chooser
    # Wagtail's own chooser has the pages of the tree.
    assert "/home/about-us" not in offered(editor, url=URL + RICH_TEXT)


def test_path_fields_of_slides_and_tiles_open_the_chooser(editor: Client) -> None:
    home = HomePage.objects.get(locale__language_code="en")
    for url in (url_of(CarouselSlide), url_of(home)):
        page = editor.get(url).content.decode()
        assert "shop-path#choose" in page
        assert "js/admin/shop-path" in page
