"""The pages of the special areas, and their forms in the back office."""

from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from django.db.models import ProtectedError
from django.test import Client
from django.urls import reverse
from PIL import Image as Pillow
from wagtail.images.models import Image
from wagtail.test.utils.form_data import inline_formset

from catalog.goods.models import ProductTag
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.promotions.tests.builders import make_promotion
from content.models import CarouselSlide, SpecialArea
from content.tests.builders import make_area, make_slide
from content.tests.forms import area_form, draft, picture_row, slide_form, url_of
from content.tests.staff import in_each_language
from core.languages import CHINESE, ENGLISH
from core.pictures.renditions import make_renditions, rendition_spec
from core.tests.pages import html_of, names_on_cards
from core.tests.screens import only_refusals

# Markup of pages.
pytestmark = pytest.mark.django_db


def test_an_area_has_a_page_in_each_language(client: Client) -> None:
    tea = make_product(name_en="Green tea", name_zh="绿茶")
    area = make_area(tea, name_en="Tea house", name_zh="茶馆", text_en="Sip.", text_zh="品茗。")
    for prefix, name, text, product in (
        ("", "Tea house", "Sip.", "Green tea"),
        ("/zh-hans", "茶馆", "品茗。", "绿茶"),
    ):
        listed = html_of(client.get(f"{prefix}/areas"))
        assert f'href="{prefix}/areas/{area.pk}">{name}</a>' in listed
        page = html_of(client.get(f"{prefix}/areas/{area.pk}"))
        assert f"<h1>{name}</h1>" in page
        assert text in page
        assert f'href="{prefix}/shop/shopdetails/{tea.pk}">{product}</a>' in page


def test_an_unknown_area_is_not_found(client: Client) -> None:
    make_area(make_product(), pk=1)
    for path in ("/x", "/0", "/99999", "/1?page=x", "/1?page=0"):
        assert client.get(f"/areas{path}").status_code == 404, path


def test_a_page_past_the_end_shows_it(client: Client) -> None:
    area = make_area(make_product())
    response = client.get(f"/areas/{area.pk}?page=9")
    assert response.status_code == 200
    assert "There are no products on this page." in response.content.decode()
    assert '<meta name="robots" content="noindex">' in response.content.decode()


def test_a_slide_links_into_the_shop_only(editor: Client, subtests: pytest.Subtests) -> None:
    refusal = "Write a path of this shop that begins with a slash."
    for path in ("javascript:alert(1)", "//evil.example", "/\\evil.example", "https://evil.example", "/a b"):
        with subtests.test(msg=path), only_refusals():
            assert refusal in html_of(editor.post(url_of(CarouselSlide), slide_form(path=path)))
            assert not CarouselSlide.objects.exists()
    page = html_of(editor.post(url_of(CarouselSlide), slide_form(path="/a b")))
    assert refusal in page
    assert 'value="茶"' in page


def test_a_slide_needs_a_picture(editor: Client) -> None:
    with only_refusals():
        editor.post(url_of(CarouselSlide), slide_form(pictures=inline_formset([])))
    assert not CarouselSlide.objects.exists()


def test_a_rule_without_its_object_is_refused(editor: Client, subtests: pytest.Subtests) -> None:
    texts = {
        ENGLISH: "Choose which products the area shows.",
        CHINESE: "请选择专区商品所依据的品牌、分类、优惠活动或标签。",
    }
    for language in in_each_language(editor):
        for rule in ("brand", "category", "promotion", "tag"):
            with subtests.test(rule=rule, language=language), only_refusals():
                assert texts[language] in html_of(editor.post(url_of(SpecialArea), area_form(rule=rule)))
                assert not SpecialArea.objects.exists()
        page = html_of(editor.post(url_of(SpecialArea), area_form(rule="brand")))
        assert texts[language] in page
        assert 'value="Tea house"' in page


def test_an_area_by_tag_lists_the_products_that_have_it(client: Client) -> None:
    noodles, rice = make_product(name_en="Noodles"), make_product(name_en="Rice")
    hidden = make_product(name_en="Hidden", on_sale=False)
    for product in (noodles, hidden):
        product.tags.add("hotpot", "winter")
    rice.tags.add("winter")
    area = make_area(rule="tag", tag=ProductTag.objects.get(name="hotpot"))
    page = html_of(client.get(f"/areas/{area.pk}"))
    assert names_on_cards(page) == ["Noodles"]
    listed = client.get(f"/api/v1/pc/home/specialArea/goods/{area.pk}").json()["result"]
    assert [good["goodsId"] for good in listed["list"]] == [noodles.pk]
    rice.tags.add("hotpot")
    assert client.get(f"/api/v1/pc/home/specialArea/goods/{area.pk}").json()["result"]["total"] == 2


def test_a_tag_that_an_area_uses_cannot_be_deleted(client: Client) -> None:
    tag = ProductTag.objects.create(name="hotpot")
    make_area(rule="tag", tag=tag)
    with pytest.raises(ProtectedError):
        tag.delete()


def test_an_editor_publishes_an_area_by_each_rule(editor: Client) -> None:
    followed = {
        "brand": make_brand(),
        "category": make_category(),
        "promotion": make_promotion(),
        "tag": ProductTag.objects.create(name="hotpot"),
    }
    for rule, row in followed.items():
        form = area_form(rule=rule, **{rule: str(row.pk)})
        assert editor.post(url_of(SpecialArea), form).status_code == 302
    assert set(SpecialArea.objects.filter(live=True).values_list("rule", flat=True)) == set(followed)
    product = make_product()
    assert editor.post(url_of(SpecialArea), area_form(product.pk)).status_code == 302
    area = SpecialArea.objects.get(rule="picked")
    assert (area.live, area.picked.get().product) == (True, product)


def test_a_slide_needs_alternative_texts_to_be_published(editor: Client) -> None:
    texts = {
        ENGLISH: "Describe what the picture shows, or tick “decorative”.",
        CHINESE: "请写明图片内容，或勾选“仅作装饰”。",
    }
    half = slide_form(pictures=inline_formset([picture_row(alt_zh="")]))
    for language in in_each_language(editor):
        page = html_of(editor.post(url_of(CarouselSlide), half))
        assert page.count(texts[language]) >= 1
        assert 'value="A cup of tea"' in page
        assert not CarouselSlide.objects.exists()
    assert editor.post(url_of(CarouselSlide), draft(half)).status_code == 302
    slide = CarouselSlide.objects.get()
    assert not slide.live
    row = picture_row(alt_en="", alt_zh="", decorative="on", id=str(slide.pictures.get().pk))
    form = slide_form(pictures=inline_formset([row], initial=1))
    assert editor.post(url_of(slide), form).status_code == 302
    slide.refresh_from_db()
    assert (slide.live, slide.pictures.get().decorative) == (True, True)


def test_previews_are_in_both_languages(editor: Client) -> None:
    slide, area = make_slide(), make_area(make_product())
    for row, form, chinese in ((slide, slide_form(), "茶"), (area, area_form(make_product().pk), "茶馆")):
        url = url_of(row, "preview_on_edit")
        assert editor.post(url, form).json()["is_valid"]
        page = html_of(editor.get(url, {"mode": "zh-hans"}))
        assert chinese in page
        assert '<html lang="zh-Hans"' in page
        assert '<html lang="en-AU"' in html_of(editor.get(url, {"mode": "en"}))


def test_a_slide_shows_the_whole_picture_wherever_its_focal_point_is(editor: Client) -> None:
    sides = Pillow.new("RGB", (400, 200), "red")
    sides.paste("blue", (200, 0, 400, 200))
    file = BytesIO()
    sides.save(file, "PNG")
    picture = Image.objects.create(title="dish", file=ContentFile(file.getvalue(), "dish.png"))
    focus = {"focal_point_x": 10, "focal_point_y": 100, "focal_point_width": 20, "focal_point_height": 20}
    form = {"title": "dish", "tags": "", "description": "", "collection": picture.collection_id} | focus
    assert editor.post(reverse("wagtailimages:edit", args=[picture.pk]), form).status_code == 302
    picture.refresh_from_db()
    assert picture.has_focal_point()
    make_renditions(picture)
    shown = Pillow.open(picture.get_rendition(rendition_spec(256)).file).convert("RGB")
    assert shown.size == (256, 256)
    left, right = shown.getpixel((8, 128)), shown.getpixel((247, 128))
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    assert left[0] > 200 > 60 > left[2]
    assert right[2] > 200 > 60 > right[0]
