"""Reports of the back office: unused pictures, and dead links."""

import csv
import io
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLResolver, get_resolver
from django.utils import timezone
from openpyxl import load_workbook
from wagtail.admin.views.mixins import SpreadsheetExportMixin
from wagtail.contrib.redirects.models import Redirect
from wagtail.images.models import Image
from wagtail.models import Page
from wagtail.rich_text import RichText

from catalog.goods.models import Product, ProductPicture
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.goods.writing import delete_rows
from catalog.promotions.tests.builders import make_promotion
from content.dashboard.images import unused_images
from content.dashboard.links import EditorLink
from content.models import HomePage, InformationPage, SlidePicture
from content.tests.builders import make_area, make_slide
from content.tests.staff import staff
from core.tests.pictures import make_picture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

IMAGES, LINKS = "/admin/dashboard/reports/unused-images/", "/admin/dashboard/reports/broken-links/"


def page_of(*blocks: tuple[str, object], slug: str = "news", language: str = "en") -> InformationPage:
    """Publish a page of blocks."""
    home = HomePage.objects.get(locale__language_code=language)
    page = InformationPage(title="News", slug=slug, locale=home.locale)
    home.add_child(instance=page)
    page.body = list(blocks)
    page.save_revision().publish()
    return page


def described(picture: Image) -> Image:
    """Return the picture as the value of a block, with what it shows in words."""
    picture.contextual_alt_text, picture.decorative = "A dish", False
    return picture


def exported(client: Client, address: str) -> list[list[str]]:
    """Return the rows of an exported list, its head first."""
    return list(csv.reader(io.StringIO(client.get(address, {"export": "csv"}).getvalue().decode())))


# ── Pictures ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_picture_that_anything_uses_is_not_listed_as_unused() -> None:
    pictures = [make_picture() for _ in range(9)]
    product = make_product(picture=pictures[0])
    ProductPicture.objects.bulk_create([ProductPicture(product=product, picture=pictures[1])])
    make_category(picture=pictures[2])
    make_brand(picture=pictures[3])
    make_area(product, picture=pictures[4])
    slide = make_slide()
    slide.pictures.update(picture=pictures[5])
    make_promotion(picture=pictures[6])
    page_of(("picture", described(pictures[7])))
    Image.objects.exclude(pk__in=[picture.pk for picture in pictures]).delete()
    assert set(unused_images()) == {pictures[8]}


def test_a_picture_of_a_draft_is_not_listed_as_unused() -> None:
    page = page_of()
    picture, of_slide = make_picture(), make_picture()
    page.body = [("picture", described(picture))]
    page.save_revision()
    slide: Any = make_slide()
    slide.pictures = [SlidePicture(picture=of_slide, sort_order=0)]
    slide.save_revision()
    assert not unused_images().filter(pk__in=[picture.pk, of_slide.pk]).exists()
    page.get_latest_revision().publish()
    assert not unused_images().filter(pk=picture.pk).exists()


def test_the_report_of_pictures_links_to_them_and_can_be_exported(writer: Client) -> None:
    Image.objects.all().delete()
    mine = make_picture(uploaded_by_user=User.objects.get(username="writer"))
    html = writer.get(IMAGES).content.decode()
    assert f"/admin/images/{mine.pk}/" in html
    assert [row[0] for row in exported(writer, IMAGES)] == ["Title", "dish"]
    book: Any = load_workbook(io.BytesIO(writer.get(f"{IMAGES}?export=xlsx").getvalue()))
    assert book.active.max_row == 2


def test_no_cell_of_a_report_is_a_formula_or_breaks_the_file(writer: Client) -> None:
    Image.objects.all().delete()
    signs = ("=", "+", "-", "@", "＝")
    user = User.objects.get(username="writer")
    for sign in signs:
        make_picture(uploaded_by_user=user, title=f"{sign}HYPERLINK(1)\x0b")
    plain = {f"'{sign}HYPERLINK(1)\N{REPLACEMENT CHARACTER}" for sign in signs}
    _head, *rows = exported(writer, IMAGES)
    assert (len(rows), {row[0] for row in rows}) == (len(signs), plain)
    book: Any = load_workbook(io.BytesIO(writer.get(f"{IMAGES}?export=xlsx").getvalue()))
    cells = [book.active[f"A{place}"] for place in range(2, len(signs) + 2)]
    assert {(cell.value, cell.data_type) for cell in cells} == {(title, "s") for title in plain}


# ── Links ─────────────────────────────────────────────────────────────────────────────────────────────


def exported_lists(patterns: list[Any], prefix: str = "/") -> Iterator[str]:
    """Yield the addresses of lists and reports that can be exported."""
    for pattern in patterns:
        address = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from exported_lists(pattern.url_patterns, address)
            continue
        view = getattr(pattern.callback, "view_class", None)
        if view and issubclass(view, SpreadsheetExportMixin) and "<" not in address:
            options = pattern.callback.view_initkwargs
            yield from [address] if options.get("list_export", view.list_export) else []


def test_no_export_of_the_back_office_has_a_formula() -> None:
    evil = "=HYPERLINK(1)"
    boss = User.objects.create_superuser(evil, first_name=evil, last_name=evil)
    page = page_of()
    page.title = evil
    page.save_revision(user=boss).publish(user=boss)
    Redirect.objects.create(old_path="/a", redirect_link=evil)
    client = Client()
    client.force_login(boss)
    addresses = set(exported_lists(get_resolver().url_patterns))
    found = set()
    for address in addresses:
        cells = [cell for row in exported(client, address) for cell in row]
        assert not [cell for cell in cells if cell.startswith("=")], address
        book: Any = load_workbook(io.BytesIO(client.get(address, {"export": "xlsx"}).getvalue()))
        cells_of_book = [str(cell) for row in book.active.values for cell in row]
        assert not [cell for cell in cells_of_book if cell.startswith("=")], address
        if f"'{evil}" in cells:
            found.add(address)
    assert found >= {"/admin/reports/aging-pages/", "/admin/reports/site-history/", "/admin/redirects/"}
    assert {IMAGES, LINKS} <= addresses


def fault(address: str, language: str = "en") -> str:
    return EditorLink(address, language).fault


def test_links_that_lead_somewhere_have_no_fault() -> None:
    tomorrow = timezone.now() + timedelta(days=1)
    promotion = make_promotion(starts_at=tomorrow, ends_at=tomorrow + timedelta(days=1))
    product, area = make_product(), make_area(make_product())
    category, brand = make_category(), make_brand(name_en="Pagoda")
    for address in (
        "/home",
        "/zh-hans/home/about-us",
        "/home/about-us/help/",
        "/home/about-us/help#refunds",
        "#top",
        "/shop?word=rice",
        f"/shop?firstCategoryId={category.pk}",
        f"/shop?brandName={brand.name_en}",
        f"/shop/shopdetails/{product.pk}",
        f"/areas/{area.pk}",
        f"/promotions/{promotion.pk}",
        "/home/cart",
        "/download",
        "https://example.com/nowhere",
        "mailto:shop@example.com",
        "http://localhost:8000/home",
    ):
        assert fault(address) == "", address


def test_broken_links_have_their_reason() -> None:
    over = make_promotion(ends_at=timezone.now())
    product, area = make_product(on_sale=False), make_area(make_product(), live=False)
    english = InformationPage.objects.get(slug="help", locale__language_code="en")
    english.unpublish()
    for address, text in (
        ("/home/no-such-page", "There is no page at this address."),
        ("/home/about-us/help", "This page is not published."),
        ("/shop?firstCategoryId=4711", "There is no such category."),
        ("/shop?brandName=Unknown", "There is no such brand."),
        (f"/shop/shopdetails/{product.pk}", "These products are not on sale."),
        ("/shop/shopdetails/4711", "There is nothing at this address."),
        ("/shop/shopdetails/tea", "There is nothing at this address."),
        (f"/areas/{area.pk}", "This special area is not shown."),
        (f"/promotions/{over.pk}", "This promotion is over."),
        (f"/shop?promotion={over.pk}", "This promotion is over."),
        ("http://localhost:8000/home/no-such-page", "There is no page at this address."),
    ):
        assert fault(address) == text, address
    # The Chinese page is still there.
    assert fault("/home/about-us/help", "zh-hans") == ""


def test_a_moved_page_is_still_found_by_its_old_url(django_capture_on_commit_callbacks: object) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    page.slug = "questions"
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        page.save_revision().publish()
    assert fault("/home/about-us/help") == ""


def test_the_report_finds_links_wherever_editors_write_them(writer: Client) -> None:
    gone = page_of(slug="gone")
    gone.unpublish()
    text = RichText(
        f'<p><a linktype="page" id="{gone.pk}">to a draft</a> <a href="/home/nothing">x</a>'
        '<a linktype="page" id="4711">to a deleted page</a><a href="/home">fine</a></p>'
    )
    page = page_of(("text", text), ("question", {"question": "?", "answer": text}), slug="links")
    slide = make_slide(path="/shop?firstCategoryId=4711")
    make_slide(path="/home", title_en="Fine slide")
    over = make_promotion(name_en="Old offer", name_zh="旧活动", ends_at=timezone.now())
    area = make_area(rule="promotion", promotion=over, name_en="Offers")
    hidden, deleted = make_product(name_en="Hidden tea", on_sale=False), make_product()
    home = HomePage.objects.get(locale__language_code="zh-hans")
    picked = home.body.stream_block.child_blocks["picked_goods"].to_python(
        {"heading": "H", "goods": [hidden.pk, deleted.pk]}
    )
    home.body = [("picked_goods", picked)]
    home.save_revision().publish()
    delete_rows(Product.objects.filter(pk=deleted.pk))

    rows = exported(writer, LINKS)

    found = {(title, link) for title, _kind, link, _fault in rows[1:]}
    assert {
        ("News", "to a draft"),
        ("News", "/home/nothing"),
        ("News", "to a deleted page"),
        (str(slide), "/shop?firstCategoryId=4711"),
        ("Offers", "Old offer"),
    } <= found
    assert not {link for _title, link in found} & {"/home", "fine"}
    of_home = [row for row in rows if row[0] == home.title and "Chinese" in row[1]]
    assert sorted(row[3] for row in of_home) == [
        "These products are not on sale.",
        "What was chosen here has been deleted.",
    ]
    html = writer.get(LINKS).content.decode()
    assert f"/admin/pages/{page.pk}/edit/" in html
    assert f"/edit/{area.pk}/" in html


def test_drafts_and_what_has_ended_are_not_checked(writer: Client) -> None:
    make_slide(path="/home/nothing", live=False)
    make_slide(path="/home/nothing", expire_at=timezone.now() - timedelta(hours=1))
    page_of(("text", RichText('<a href="/home/nothing">x</a>'))).unpublish()
    assert "Every link leads somewhere." in writer.get(LINKS).content.decode()


def test_the_demonstration_has_no_broken_links(writer: Client) -> None:
    assert Page.objects.live().count() > 10
    assert exported(writer, LINKS)[1:] == []


def test_only_staff_who_may_change_its_objects_see_a_report() -> None:
    client = staff("writer", permissions=("access_admin",))
    menu = client.get("/admin/").content.decode()
    for address in (IMAGES, LINKS):
        response = client.get(address)
        assert (response.status_code, response["Location"]) == (302, "/admin/")
        assert address not in menu
