"""A draft may lack any of its texts, numbers and choices: no preview of it fails."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from wagtail import blocks
from wagtail.images.blocks import ImageBlock
from wagtail.models import Page
from wagtail.test.utils.form_data import nested_form_data, querydict_from_html, rich_text
from wagtail_localize.models import Translation

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_brand, make_product
from content.carousels import CarouselBlock
from content.models import HomePage, InformationPage
from content.shoplinks import ShopPathBlock
from content.tests.builders import make_area, make_slide
from content.tests.staff import staff
from core.languages import CHINESE, ENGLISH
from core.tests.pages import html_of
from core.tests.pictures import make_picture
from core.tests.screens import only_refusals
from tests.combinations import choose

# Both databases store the same drafts, as JSON.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

# The values that the editor's scripts send besides the fields.
OF_SCRIPTS = re.compile("(^|-)(type|id|order|deleted|DELETE|ORDER|[A-Z_]+_FORMS)$|^loaded_revision")
# One field of each kind that drafts of these models may lack.
MAY_BE_EMPTY = {
    "carouselslide": {"title_en", "path", "tone"},
    "specialarea": {"name_zh", "tint", "rule"},
    "homepage": {"body-0-value-carousel", "body-5-value-goods_each", "body-6-value-count", "body-8-value"},
    "informationpage": {"intro", "body-0-value", "body-1-value-image", "body-2-value-answer"},
}


@pytest.fixture
def editor() -> Client:
    return staff("boss", "Moderators")


def sample(block: blocks.Block) -> Any:
    """Return what a form sends for a block with every field filled in; numbers are those of its scripts."""
    if isinstance(block, ImageBlock):
        return {"image": str(make_picture().pk), "alt_text": "A dish"}
    if isinstance(block, blocks.StructBlock):
        return {name: sample(child) for name, child in block.child_blocks.items()}
    if isinstance(block, blocks.StreamBlock):
        return rows([{"type": name, "value": sample(child)} for name, child in block.child_blocks.items()])
    if isinstance(block, blocks.ListBlock):
        return rows([{"value": sample(block.child_block)} for _place in range(block.meta.min_num)])
    if isinstance(block, blocks.RichTextBlock):
        return rich_text("<p>Words</p>", features=block.features)
    if isinstance(block, blocks.ChooserBlock):
        return str(Product.objects.values_list("pk", flat=True)[0])
    if isinstance(block, blocks.ChoiceBlock):
        return next(value for value, _label in block.field.choices if value)
    if isinstance(block, blocks.IntegerBlock | CarouselBlock):
        return str(block.get_default())
    return "/shop" if isinstance(block, ShopPathBlock) else "Words"


def rows(children: list[dict[str, Any]]) -> dict[str, Any]:
    numbered = {str(place): row | {"order": place, "deleted": ""} for place, row in enumerate(children)}
    return numbered | {"count": len(children)}


def filled_form(client: Client, url: str, row: Any) -> dict[str, Any]:
    """Return what the form of a page, slide or area sends, with its fields filled in."""
    is_page = isinstance(row, Page)
    form_id = "page-edit-form" if is_page else "w-editor-form"
    form: dict[str, Any] = querydict_from_html(client.get(url).content.decode(), form_id).dict()
    return form | nested_form_data({"body": sample(row.body.stream_block)}) if is_page else form


def without(form: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a form with a field cleared, as the editor's scripts send it."""
    return form | {name: rich_text("") if form[name].startswith("{") else ""}


def check_previews(client: Client, row: Any, paths: list[str], languages: list[str]) -> None:
    """Clear fields of a form, one at a time, save that draft, and open every preview of it.

    A third of the fields, and those that drafts may lack; with ALL_COMBINATIONS every field.
    """
    names = (
        ("wagtailadmin_pages:edit", "wagtailadmin_pages:preview_on_edit")
        if isinstance(row, Page)
        else map(row.snippet_viewset.get_url_name, ("edit", "preview_on_edit"))
    )
    url, preview = (reverse(name, args=[row.pk]) for name in names)
    form = filled_form(client, url, row)
    fields = [
        name
        for name, value in form.items()
        if isinstance(value, str) and value.strip() and not OF_SCRIPTS.search(name)
    ]
    must_save = MAY_BE_EMPTY[row._meta.model_name]
    thirds = [fields[place::3] for place in range(3)]
    tried = must_save.union(*choose(f"{row._meta.model_name} {languages}", thirds))
    saved = set()
    for name in filter(tried.__contains__, fields):
        draft = without(form, name)
        if client.post(preview, draft).json()["is_valid"]:
            for mode in [""] if isinstance(row, Page) else choose(name, languages):
                assert client.get(preview, {"mode": mode}).status_code == 200, name
        with only_refusals():
            answer = client.post(url, draft)
        if answer.status_code == 302:
            saved.add(name)
            for path in paths:
                for language in choose(name + path.rstrip("0123456789"), languages):
                    query = {"path": path, "language": language, "drafts": "on"}
                    shown = client.get("/admin/dashboard/preview/page/", query)
                    assert shown.status_code == 200, (name, path)
    assert saved >= must_save


@pytest.mark.slow
def test_a_slide_without_one_of_its_fields(editor: Client) -> None:
    slide = make_slide(text_en="Text", text_zh="正文")
    check_previews(editor, slide, ["/home"], [ENGLISH, CHINESE])


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["picked", "brand"])
def test_an_area_without_one_of_its_fields(editor: Client, rule: str) -> None:
    area = make_area(make_product(), text_en="Text", text_zh="正文", rule=rule, brand=make_brand())
    check_previews(editor, area, ["/home", "/areas", f"/areas/{area.pk}"], [ENGLISH, CHINESE])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "path", "language"),
    [(HomePage, "/home", ENGLISH), (InformationPage, "/home/privacyPolicy", CHINESE)],
)
def test_a_page_without_one_of_its_fields(editor: Client, model: Any, path: str, language: str) -> None:
    # Else the Chinese page has a form of sentences to translate.
    Translation.objects.update(enabled=False)
    make_area(make_product())
    make_slide()
    page = model.objects.get(slug=path.rsplit("/", 1)[1], locale__language_code=language)
    check_previews(editor, page, [path], [language])


def test_the_preview_of_an_area_shows_its_tile(editor: Client) -> None:
    area = make_area(make_product(), name_en="Tea house", name_zh="茶馆", tint="#2040F0")
    url = reverse(area.snippet_viewset.get_url_name("preview_on_edit"), args=[area.pk])
    form = filled_form(editor, reverse(area.snippet_viewset.get_url_name("edit"), args=[area.pk]), area)
    assert editor.post(url, form).json()["is_valid"]
    for mode, name, prefix in ((ENGLISH, "Tea house", ""), (CHINESE, "茶馆", "/zh-hans")):
        page = html_of(editor.get(url, {"mode": mode}))
        assert f'<h2> <a href="{prefix}/areas/{area.pk}">{name}</a> </h2>' in page
        assert 'class="area hue-' in page
