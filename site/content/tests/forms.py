"""What the forms of pages, slides and areas send, and where to."""

from typing import Any

from django.urls import reverse
from wagtail.models import Page
from wagtail.test.utils.form_data import inline_formset, nested_form_data, streamfield

from core.tests.pictures import make_picture


def url_of(target: Any, view: str = "", *args: object) -> str:
    """Return the URL of a view: by default of a row its form, of a model the form of a new row."""
    keys = [] if isinstance(target, type) else [target.pk]
    name = view or ("edit" if keys else "add")
    if isinstance(target, Page):
        return reverse(f"wagtailadmin_pages:{name}", args=[*keys, *args])
    # The screens of slides and areas are registered with the URLs.
    reverse("wagtailadmin_home")
    return reverse(target.snippet_viewset.get_url_name(name), args=[*keys, *args])


def url_below(page: Page) -> str:
    """Return the URL of the form of a new page to read below another one."""
    return reverse("wagtailadmin_pages:add", args=["content", "informationpage", page.pk])


def page_form(**kw: Any) -> dict[str, Any]:
    """Return what the form of a page to read sends to publish it."""
    form: dict[str, Any] = nested_form_data(
        {"title": "News 新闻", "slug": "news", "intro": "", "body": streamfield([]), "action-publish": "yes"}
        | kw
    )
    return form


def picture_row(**kw: str) -> dict[str, str]:
    """Return the row of a picture in the form of a slide."""
    texts = {"alt_en": "A cup of tea", "alt_zh": "一杯茶", "ORDER": "1"}
    return {"picture": str(make_picture().pk)} | texts | kw


def slide_form(**kw: Any) -> dict[str, Any]:
    """Return what the form of a slide sends to publish it."""
    form: dict[str, Any] = nested_form_data(
        {
            "title_en": "Tea",
            "title_zh": "茶",
            "text_en": "",
            "text_zh": "",
            "label_en": "Go",
            "label_zh": "去",
            "path": "/shop?word=tea",
            "carousel": "4",
            "sort": "1",
            "tone": "jade",
            "layout": "plate",
            "pictures": inline_formset([picture_row()]),
            "action-publish": "yes",
        }
        | kw
    )
    return form


def area_form(*ids: int, **kw: Any) -> dict[str, Any]:
    """Return what the form of an area of products picked in this order sends to publish it."""
    form: dict[str, Any] = nested_form_data(
        {
            "name_en": "Tea house",
            "name_zh": "茶馆",
            "text_en": "",
            "text_zh": "",
            "picture": str(make_picture().pk),
            "tint": "#E6F4E1",
            "checked": "on",
            "sort": "1",
            "rule": "picked",
            "brand": "",
            "category": "",
            "promotion": "",
            "tag": "",
            "picked": inline_formset([{"product": str(pk), "ORDER": "1"} for pk in ids]),
            "action-publish": "yes",
        }
        | kw
    )
    return form


def draft(form: dict[str, Any]) -> dict[str, Any]:
    """Return a form as it is sent to save a draft."""
    return {name: value for name, value in form.items() if name != "action-publish"}
