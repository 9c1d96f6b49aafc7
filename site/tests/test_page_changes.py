"""Changes in the back office show on cached pages in time, in both languages."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, cast

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks
from wagtail.contrib.redirects.models import Redirect
from wagtail.models import Site

from catalog.browse import snapshot
from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.goods.writing import save_brand, save_category, save_product
from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.services import take_quota
from catalog.promotions.tests.builders import make_promotion
from catalog.rates.models import ExchangeRate
from catalog.rates.services import end_override, set_override
from catalog.stock.models import Location
from catalog.stock.services import release, reserve, set_counted
from catalog.stock.tests.builders import stock
from config import settings as in_use
from config.page_cache.store import PAGES
from content import menu
from content.models import HOME_CAROUSEL, AreaGood, HomePage, InformationPage, ShopSettings
from content.tests.builders import make_area, make_slide
from core.tests.pages import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

START = datetime(2027, 3, 1, 9, 0, tzinfo=UTC)
SEEN_WITHIN = timedelta(seconds=5)
LANGUAGES = ("", "/zh-hans")


@pytest.fixture(autouse=True)
def _page_cache(settings: LazySettings) -> Iterator[None]:
    settings.PAGE_CACHE = True
    settings.SNAPSHOT_SECONDS = in_use.SNAPSHOT_SECONDS
    PAGES.clear()
    snapshot.invalidate()
    menu.invalidate()
    yield
    PAGES.clear()
    snapshot.invalidate()
    menu.invalidate()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    """A clock that stops until the test moves it, also for the age of snapshots."""
    monkeypatch.setattr(time, "monotonic", lambda: time.time())
    with time_machine.travel(START, tick=False) as travelled:
        yield travelled


@dataclass
class Reader:
    """A visitor without a session who reads pages repeatedly."""

    clock: time_machine.Traveller

    def __post_init__(self) -> None:
        self._client = Client(headers={"Host": "testserver"})

    def answer(self, path: str) -> HttpResponse:
        """Ask for a page."""
        return cast("HttpResponse", self._client.get(path))

    def read(self, path: str) -> str:
        """Read a page that exists."""
        response = self.answer(path)
        assert response.status_code == 200, path
        return html_of(response)

    def assert_changes(self, change: Callable[[], object], *pages: tuple[str, str, str]) -> None:
        """Read pages, change something, and read them again: first from the cache, then rendered again.

        Each page: its path, a text on it before, and one after; an empty text is not checked.
        """
        cached = {path: self.read(path) for path, _before, _after in pages}
        for path, before, after in pages:
            assert before in cached[path], path
            assert not after or after not in cached[path], path
        change()
        for path in cached:
            assert self.read(path) == cached[path], f"{path} was not read from the cache"
        self.clock.shift(SEEN_WITHIN)
        for path, before, after in pages:
            html = self.read(path)
            assert after in html, path
            assert not before or before not in html, path

    def assert_disappears(self, path: str, change: Callable[[], object]) -> None:
        """Read a page, change something, and expect the page to be gone in time."""
        cached = self.read(path)
        change()
        assert self.read(path) == cached, f"{path} was not read from the cache"
        self.clock.shift(SEEN_WITHIN)
        assert self.answer(path).status_code == 404

    def assert_appears(self, path: str, change: Callable[[], object]) -> None:
        """Miss a page, change something, and expect the page immediately: missing pages are not cached."""
        assert self.answer(path).status_code == 404
        change()
        assert self.answer(path).status_code == 200


@pytest.fixture
def reader(clock: time_machine.Traveller) -> Reader:
    return Reader(clock)


@pytest.fixture
def boss() -> Client:
    """Staff with every permission."""
    client = Client(headers={"Host": "testserver"})
    client.force_login(User.objects.create_superuser("boss", "boss@example.com", "secret"))
    return client


def make_tea(units: int = 50, **kw: object) -> Product:
    tea = make_product(**{"name_en": "Jasmine tea", "name_zh": "茉莉花茶", "price": Decimal("5.00")} | kw)
    if units:
        stock(tea, units)
    return tea


def publish(row: Any) -> None:
    row.save_revision().publish()


def changing(row: Any, save: Callable[[Any], object] = publish, **values: object) -> Callable[[], None]:
    """Return what changes a row, and publishes or saves it."""

    def change() -> None:
        for name, value in values.items():
            setattr(row, name, value)
        save(row)

    return change


def pages_of(tea: Product) -> list[str]:
    """The pages that show a product."""
    paths = ["/shop", f"/shop?goodsTypeId={tea.category_id}", f"/shop/shopdetails/{tea.pk}"]
    return [language + path for language in LANGUAGES for path in paths]


def test_the_settings_allow_no_more_than_five_seconds() -> None:
    assert SEEN_WITHIN.total_seconds() >= in_use.SNAPSHOT_SECONDS + in_use.PAGE_SECONDS


def test_public_pages_vary_by_the_content_coding_only(reader: Reader) -> None:
    tea = make_tea()
    pages = ["/home", "/shop", "/brand", "/promotions", "/home/bulk", "/areas", "/download", "/home/about-us"]
    for path in [*pages, f"/shop/shopdetails/{tea.pk}"]:
        for language in LANGUAGES:
            response = reader.answer(language + path)
            assert (path, response.status_code) == (path, 200)
            assert response.headers["Vary"] == "Accept-Encoding"
            assert response.headers["Cache-Control"].startswith("public, max-age=")
            assert not response.cookies


# ── Products ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_changed_price_and_name_show(reader: Reader) -> None:
    tea = make_tea()
    reader.assert_changes(
        changing(tea, save_product, price=Decimal("8.75"), name_en="Oolong"),
        *((path, "</small>5.00<", "</small>8.75<") for path in pages_of(tea)),
        *((path, "Jasmine tea", "Oolong") for path in pages_of(tea)),
    )


def test_sold_out_and_restocked_products_show(reader: Reader) -> None:
    tea = make_tea(3)
    location = Location.objects.get(fills_deliveries=True)

    def bought() -> None:
        reserve(location=location, units_by_product={tea.pk: 3}, reference="order-1")

    texts = {"": ("Only 3 left", "Sold out"), "/zh-hans": ("仅剩 3", "售罄")}
    pages = [(path, *texts["/zh-hans" if path.startswith("/zh") else ""]) for path in pages_of(tea)]
    # The list's filter names a stock type that the page of products does not.
    pages = [(path, left, "" if "shopdetails" not in path else out) for path, left, out in pages]
    reader.assert_changes(bought, *pages)
    assert '<button class="add" disabled>' in reader.read("/shop")
    back = [(path, after, before) for path, before, after in pages]
    reader.assert_changes(lambda: release(references=["order-1"]), *back)
    counted = [(path, left, "") for path, left, _out in pages]
    reader.assert_changes(lambda: set_counted(location=location, units_by_product={tea.pk: 0}), *counted)


def test_a_product_no_longer_on_sale_disappears(reader: Reader) -> None:
    tea = make_tea()
    make_product(category=tea.category)
    lists = [path for path in pages_of(tea) if "shopdetails" not in path]
    page = f"/shop/shopdetails/{tea.pk}"
    reader.read(page)
    reader.assert_changes(changing(tea, save_product, on_sale=False), *((path, page, "") for path in lists))
    assert reader.answer(page).status_code == 404


def test_changed_names_of_a_brand_and_a_category_show(reader: Reader) -> None:
    tea = make_tea()
    brand, category = tea.brand, tea.category
    old_brand, old_category = brand.name_en, category.name_en

    def change() -> None:
        brand.name_en, category.name_en = "Newbrand", "Newshelf"
        save_brand(brand)
        save_category(category)

    reader.assert_changes(
        change,
        ("/brand", old_brand, "Newbrand"),
        (f"/shop/shopdetails/{tea.pk}", f">{old_brand}</a>", ">Newbrand</a>"),
        (f"/shop?goodsTypeId={category.pk}", f"<h1>{old_category}</h1>", "<h1>Newshelf</h1>"),
    )


def test_a_changed_exchange_rate_shows(reader: Reader, boss: Client) -> None:
    tea = make_tea()
    staff = User.objects.get()
    ExchangeRate.objects.all().delete()
    pages = [*pages_of(tea), "/brand", "/zh-hans/promotions"]
    header = [(path, "¥5.00", "¥4.40") for path in pages]
    reader.assert_changes(lambda: set_override(rate=Decimal("4.4"), by=staff), *header)
    assert "≈ ¥22.00" in reader.read(pages[0])
    back = [(path, after, before) for path, before, after in header]
    reader.assert_changes(lambda: end_override(by=staff), *back)


# ── Promotions ────────────────────────────────────────────────────────────────────────────────────────


def test_an_offer_begins_and_ends_exactly_on_time(reader: Reader, clock: time_machine.Traveller) -> None:
    tea = make_tea()
    start, end = START + timedelta(seconds=1), START + timedelta(seconds=2)
    promotion = make_promotion((tea, "3.25"), starts_at=start, ends_at=end)
    paths = ("/shop", "/promotions", f"/shop/shopdetails/{tea.pk}")
    pages = [language + path for language in LANGUAGES for path in paths]
    own = [f"{language}/promotions/{promotion.pk}" for language in LANGUAGES]

    def is_shown() -> set[bool]:
        return {"</small>3.25<" in reader.read(page) for page in pages}

    assert is_shown() == {False}
    assert {reader.answer(page).status_code for page in own} == {404}
    clock.move_to(start)
    assert is_shown() == {True}
    assert {"</small>3.25<" in reader.read(page) for page in own} == {True}
    clock.move_to(end - timedelta(milliseconds=1))
    assert is_shown() == {True}
    clock.move_to(end)
    assert is_shown() == {False}
    assert {reader.answer(page).status_code for page in own} == {404}


def test_changes_of_an_offers_price_quota_and_switch_show(reader: Reader) -> None:
    tea = make_tea()
    promotion = make_promotion((tea, "3.25"))
    item = PromotionItem.objects.get()
    pages = [f"{language}/shop/shopdetails/{tea.pk}" for language in LANGUAGES]
    for change, before, after in (
        (changing(item, PromotionItem.save, price=Decimal("2.95")), "3.25", "2.95"),
        (changing(promotion, Promotion.save, is_active=False), "2.95", "5.00"),
        (changing(promotion, Promotion.save, is_active=True), "5.00", "2.95"),
        (lambda: take_quota({item.pk: 50}), "2.95", "5.00"),
    ):
        reader.assert_changes(change, *((path, f"</small>{before}<", f"</small>{after}<") for path in pages))


# ── What editors write ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("language", "locale"), [("", "en"), ("/zh-hans", "zh-hans")])
def test_a_changed_page_to_read_shows(reader: Reader, language: str, locale: str) -> None:
    page = InformationPage.objects.get(locale__language_code=locale, slug="delivery")
    path = f"{language}/home/about-us/delivery"
    page.intro = "Only thought of"
    page.save_revision()
    reader.clock.shift(SEEN_WITHIN)
    assert "Only thought of" not in reader.read(path)
    reader.assert_changes(changing(page, intro="Freshly written"), (path, "", "Freshly written"))
    # Its name is in the footer of every page too.
    title = page.title
    reader.assert_changes(
        changing(page, title="Brought home"),
        (path, f"<h1>{title}</h1>", "<h1>Brought home</h1>"),
        (f"{language}/shop", f">{title}</a>", ">Brought home</a>"),
    )
    reader.assert_disappears(path, page.unpublish)
    assert "Brought" not in reader.read(f"{language}/shop")
    reader.assert_appears(path, lambda: publish(page))


def test_a_changed_home_page_shows(reader: Reader) -> None:
    home = HomePage.objects.get(locale__language_code="en")
    title = "Pantry of two kitchens"
    reader.assert_changes(changing(home, seo_title=title), ("/home", "", f"<title>{title}"))
    reader.assert_disappears("/home", home.unpublish)


def test_a_changed_slide_shows(reader: Reader, clock: time_machine.Traveller) -> None:
    for page in HomePage.objects.all():
        page.body = json.dumps([{"type": "hero", "value": {"carousel": HOME_CAROUSEL, "tiles": []}}])
        page.save()
    slide = make_slide(title_en="Old tea", title_zh="旧茶")
    home = [("/home", "Old tea", "New tea"), ("/zh-hans/home", "旧茶", "新茶")]
    reader.assert_changes(changing(slide, title_en="New tea", title_zh="新茶"), *home)
    slide.title_en = "Only thought of"
    slide.save_revision()
    clock.shift(SEEN_WITHIN)
    assert "Only thought of" not in reader.read("/home")
    reader.assert_changes(slide.unpublish, *((path, after, "") for path, _before, after in home))


def test_a_changed_special_area_and_its_products_show(reader: Reader) -> None:
    tea, rice = make_tea(), make_product(name_en="Rice", name_zh="大米")
    area = make_area(tea, name_en="Tea room", name_zh="茶馆")
    own = f"/areas/{area.pk}"
    reader.assert_changes(
        changing(area, name_en="Hot pot", name_zh="火锅"),
        ("/areas", "Tea room", "Hot pot"),
        (own, "<h1>Tea room</h1>", "<h1>Hot pot</h1>"),
        (f"/zh-hans{own}", "<h1>茶馆</h1>", "<h1>火锅</h1>"),
    )
    reader.assert_changes(
        lambda: AreaGood.objects.create(area=area, product=rice, sort_order=9),
        (own, "", f"/shop/shopdetails/{rice.pk}"),
    )
    reader.assert_disappears(own, area.unpublish)
    assert "Hot pot" not in reader.read("/areas")


def test_an_area_disappears_at_its_end(reader: Reader, clock: time_machine.Traveller) -> None:
    area = make_area(make_tea(), expire_at=START + timedelta(seconds=1))
    own = f"/areas/{area.pk}"
    reader.read(own)
    clock.shift(SEEN_WITHIN)
    assert reader.answer(own).status_code == 404


def test_changed_settings_of_the_shop_show(reader: Reader) -> None:
    tea = make_tea()
    ShopSettings.objects.update(name_en="Oldname", name_zh="老店", phone="+61 8 1111 1111")
    new = {"name_en": "Newname", "name_zh": "新店", "phone": "+61 8 2222 2222"}
    names = {"": ("Oldname", "Newname"), "/zh-hans": ("老店", "新店")}
    pages = [*pages_of(tea), *(language + "/brand" for language in LANGUAGES)]
    reader.assert_changes(
        changing(ShopSettings.objects.get(), ShopSettings.save, **new),
        *((path, *names["/zh-hans" if path.startswith("/zh") else ""]) for path in pages),
        *((path, "1111 1111", "2222 2222") for path in pages),
    )


def test_the_footers_links_and_the_shops_settings_are_read_once_for_all_pages(
    reader: Reader, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    reader.read("/brand")
    reader.read("/zh-hans/brand")
    with django_assert_num_queries(0):
        reader.read("/download")
        reader.read("/zh-hans/download")


def test_a_changed_redirect_applies(reader: Reader) -> None:
    site = Site.objects.get()
    assert reader.answer("/old-page").status_code == 404
    lead = Redirect.objects.create(site=site, old_path="/old-page", redirect_link="/shop")
    assert reader.answer("/old-page")["Location"] == "/shop"
    lead.redirect_link = "/brand"
    lead.save()
    assert reader.answer("/old-page")["Location"] == "/brand"
    lead.delete()
    assert reader.answer("/old-page").status_code == 404


def test_the_former_url_of_a_page_redirects(
    reader: Reader,
    clock: time_machine.Traveller,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    page = InformationPage.objects.get(locale__language_code="en", slug="delivery")
    old, new = "/home/about-us/delivery", "/home/about-us/sending"
    cached = reader.read(old)

    def move(slug: str) -> None:
        page.slug = slug
        with django_capture_on_commit_callbacks(execute=True):
            page.save_revision().publish()

    move("sending")
    assert reader.read(old) == cached
    assert "<h1>Delivery" in reader.read(new)
    clock.shift(SEEN_WITHIN)
    assert reader.answer(old)["Location"] == new
    move("delivery")
    clock.shift(SEEN_WITHIN)
    assert "<h1>Delivery" in reader.read(old)


# ── Who is never shown a cached page ────────────────────────────────────────────────────────────────────────


def test_the_back_office_is_never_cached(reader: Reader, boss: Client) -> None:
    make_tea()
    before = len(PAGES.plain) + len(PAGES.queried)
    for client in (boss, Client(headers={"Host": "testserver"})):
        for path in ("/admin/", "/admin/pages/", "/admin/login/"):
            for _ in range(2):
                response = client.get(path)
                assert response.status_code in (200, 302)
                assert "public" not in response.headers.get("Cache-Control", "")
                assert "ETag" not in response.headers
    assert len(PAGES.plain) + len(PAGES.queried) == before


def test_previews_are_never_cached_nor_answered_from_the_cache(reader: Reader) -> None:
    page = InformationPage.objects.get(locale__language_code="en", slug="delivery")
    for path in ("/home", page.get_url()):
        reader.read(path)
    cached = len(PAGES.plain)
    page.intro = "Only a draft"
    for row in (make_slide(), make_area(make_tea()), page):
        for mode, _label in row.preview_modes:
            preview = row.make_preview_request(preview_mode=mode)
            assert preview.status_code == 200
            assert "public" not in preview.headers.get("Cache-Control", "")
    assert "Only a draft" in preview.content.decode()
    assert len(PAGES.plain) == cached
    assert "Only a draft" not in reader.read(page.get_url())


def test_an_editor_sees_the_change_immediately(reader: Reader, boss: Client) -> None:
    page = InformationPage.objects.get(locale__language_code="en", slug="delivery")
    path = "/home/about-us/delivery"
    cached = reader.read(path)
    page.intro = "Freshly written"
    page.save_revision().publish()
    assert "Freshly written" in boss.get(path).content.decode()
    # No one else gets what was rendered for them either.
    assert reader.read(path) == cached


def test_a_page_that_asks_for_a_login_is_never_cached(reader: Reader, boss: Client) -> None:
    page = InformationPage.objects.get(locale__language_code="en", slug="delivery")
    path = "/home/about-us/delivery"
    text = str(page.intro)
    assert text in reader.read(path)
    boss.post(reverse("wagtailadmin_pages:set_privacy", args=(page.pk,)), {"restriction_type": "login"})
    assert page.view_restrictions.count() == 1
    reader.clock.shift(SEEN_WITHIN)
    for _ in range(2):
        response = reader.answer(path)
        assert f'class="prose__intro">{text}' not in response.content.decode()
        assert "public" not in response.headers.get("Cache-Control", "")
        # The copy is gone too, which an outage would show.
        assert not len(PAGES.plain)
