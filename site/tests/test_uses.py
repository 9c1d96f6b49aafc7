"""Pictures and documents in use are counted by the rows that use them, and are not deleted."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import Model, ProtectedError
from django.test import Client
from django.urls import reverse
from wagtail.documents.models import Document
from wagtail.images.models import Image
from wagtail.models import ReferenceIndex

from catalog.goods.models import ProductPicture
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.promotions.tests.builders import make_promotion
from commerce.payments.models import PayType
from content.models import InformationPage, ShopSettings
from content.tests.builders import make_area, make_slide
from content.tests.staff import in_each_language, staff
from content.uses import columns_of, uses_of
from core.languages import CHINESE, ENGLISH
from core.tests.pages import html_of
from core.tests.pictures import make_picture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

PREVENTED = {
    ENGLISH: "references to this picture prevent it from being deleted",
    CHINESE: "仍被一处或多处引用，无法删除",
}


def make_document() -> Document:
    document: Document = Document.objects.create(
        title="Prices", file=ContentFile(b"a list", name="prices.txt")
    )
    return document


def changed(model: type[Model], **values: Any) -> Model:
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    model._default_manager.filter(pk=row.pk).update(**values)
    return row


def forget_index() -> None:
    """Empty Wagtail's index, which an import does not update."""
    ReferenceIndex.objects.all().delete()


def in_a_slide(picture: Image) -> Model:
    slide = make_slide()
    slide.pictures.update(picture=picture)
    return slide


def in_a_gallery(picture: Image) -> Model:
    product = make_product()
    ProductPicture.objects.bulk_create([ProductPicture(product=product, picture=picture)])
    return product


def on_a_page(*blocks: Any) -> Model:
    page: InformationPage = InformationPage.objects.get(slug="delivery", locale__language_code=ENGLISH)
    page.body = list(blocks)
    page.save_revision().publish()
    return page


USES: dict[str, Callable[[Image], Model]] = {
    "goods.product.picture": lambda picture: make_product(picture=picture),
    "goods.productpicture.picture": in_a_gallery,
    "goods.brand.picture": lambda picture: make_brand(picture=picture),
    "goods.category.picture": lambda picture: make_category(picture=picture),
    "promotions.promotion.picture": lambda picture: make_promotion(picture=picture),
    "payments.paytype.image": lambda picture: changed(PayType, image=picture),
    "content.specialarea.picture": lambda picture: make_area(make_product(), picture=picture),
    "content.slidepicture.picture": in_a_slide,
    "content.shopsettings.wechat_qr": lambda picture: changed(ShopSettings, wechat_qr=picture),
}


def test_every_column_that_refers_to_a_picture_is_counted() -> None:
    assert {f"{each.model._meta.label_lower}.{each.name}" for each in columns_of(Image)} == set(USES)
    assert columns_of(Document) == ()


def assert_kept(client: Client, app: str, *rows: Any) -> None:
    """Try to delete rows in every way of the back office; assert that all stay, with their uses."""
    before = [(type(row)._default_manager.get(pk=row.pk), len(uses_of([row]))) for row in rows]
    model = type(rows[0])._meta.label_lower.split(".")
    bulk = reverse("wagtail_bulk_action", args=[*model, "delete"])
    bulk += "?" + "&".join(f"id={row.pk}" for row in rows) + "&next=/admin/"
    urls = [reverse(f"{app}:{name}", args=[rows[0].pk]) for name in ("delete", "delete_multiple")]
    for url in (*urls, bulk):
        # A refused deletion ends the transaction of the test otherwise.
        with transaction.atomic():
            answer = client.post(url, headers={"X-Requested-With": "XMLHttpRequest"})
        assert answer.status_code in (302, 403), url
    after = [(type(row)._default_manager.get(pk=row.pk), len(uses_of([row]))) for row in rows]
    assert after == before


def test_a_picture_in_use_is_counted_and_is_not_deleted(subtests: pytest.Subtests) -> None:
    editor = staff("writer", "Editors", permissions=("delete_image",))
    manager = staff("boss", "Moderators")
    for name, use in USES.items():
        picture, unused = make_picture(), make_picture()
        row = use(picture)
        forget_index()
        with subtests.test(name):
            assert [each for each, _references in ReferenceIndex.get_grouped_references_to(picture)] == [row]
            assert "Used 1 time" in html_of(manager.get(reverse("wagtailimages:edit", args=[picture.pk])))
            delete = html_of(manager.get(reverse("wagtailimages:delete", args=[picture.pk])))
            assert "This picture is referenced 1 time." in delete
            assert "Yes, delete" not in delete
            usage = html_of(manager.get(reverse("wagtailimages:image_usage", args=[picture.pk])))
            assert "Used 0" not in usage
            for client in (manager, editor):
                assert_kept(client, "wagtailimages", picture, unused)
            with pytest.raises(ProtectedError), transaction.atomic():
                Image.objects.filter(pk__in=[picture.pk, unused.pk]).delete()
            assert Image.objects.filter(pk__in=[picture.pk, unused.pk]).count() == 2


def test_pictures_and_documents_in_texts_are_not_deleted(subtests: pytest.Subtests) -> None:
    manager = staff("boss", "Moderators")
    picture, document = make_picture(), make_document()
    shown = {"image": picture, "decorative": False, "alt_text": "A dish"}
    on_a_page(("picture", shown), ("text", f'<p><a linktype="document" id="{document.pk}">prices</a></p>'))
    for app, row in (("wagtailimages", picture), ("wagtaildocs", document)):
        with subtests.test(app):
            assert len(uses_of([row])) == 1
            assert_kept(manager, app, row)
    on_a_page(("text", "<p>Nothing</p>"))
    for row in (picture, document):
        row.delete()


def test_what_is_not_used_is_deleted_in_every_way() -> None:
    manager = staff("boss", "Moderators")
    for app, make in (("wagtailimages", make_picture), ("wagtaildocs", make_document)):
        rows: list[Any] = [make() for _ in range(4)]
        rows[0].tags.add("spicy")
        model = type(rows[0])
        for row, name in zip(rows[:2], ("delete", "delete_multiple"), strict=True):
            url = reverse(f"{app}:{name}", args=[row.pk])
            assert manager.post(url, headers={"X-Requested-With": "XMLHttpRequest"}).status_code in (200, 302)
        bulk = reverse("wagtail_bulk_action", args=[*model._meta.label_lower.split("."), "delete"])
        manager.post(f"{bulk}?id={rows[2].pk}&id={rows[3].pk}&next=/admin/")
        assert not model.objects.filter(pk__in=[row.pk for row in rows]).exists()


def test_lists_show_and_sort_by_the_real_count() -> None:
    manager = staff("boss", "Moderators")
    picture = make_picture(title="Often used")
    for _ in range(3):
        make_product(picture=picture)
    make_brand(picture=picture)
    forget_index()
    url = reverse("wagtailimages:index")
    for query in ("?layout=list", "?layout=list&ordering=-usage_count", "?layout=list&usage_count_min=4"):
        page = html_of(manager.get(url + query))
        assert "Used 4 times" in page, query
    assert html_of(manager.get(f"{url}?layout=list&usage_count_min=5")).count("Often used") == 0
    assert manager.get(f"{reverse('wagtaildocs:index')}?ordering=-usage_count").status_code == 200


def test_the_screen_shows_in_both_languages_why_a_picture_stays() -> None:
    manager = staff("boss", "Moderators")
    picture = make_picture()
    make_product(picture=picture)
    forget_index()
    for language in in_each_language(manager):
        page = html_of(manager.get(reverse("wagtailimages:delete", args=[picture.pk])))
        assert PREVENTED[language] in page
