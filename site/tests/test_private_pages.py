"""Private pages of editors, and lists that customers share: no list names them, and no cache has them."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Group, User
from django.test import Client
from wagtail.models import PageViewRestriction

from catalog.goods.tests.builders import make_product
from commerce.accounts.tests.builders import make_customer
from commerce.favourites.services import add_favourite, end_share, share_list
from config.page_cache.store import PAGES
from content.models import InformationPage
from core.languages import CHINESE, ENGLISH
from core.tests.pages import html_of
from core.tests.rows import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

SECOND = "/home/about-us/information-zh"
TEXT = "只有内部员工可以阅读。"
ADDRESSES = [SECOND, "/zh-hans/home/about-us/information"]
KINDS = [PageViewRestriction.PASSWORD, PageViewRestriction.LOGIN, PageViewRestriction.GROUPS]


@pytest.fixture(autouse=True)
def _page_cache(settings: LazySettings) -> Iterator[None]:
    settings.PAGE_CACHE = True
    PAGES.clear()
    yield
    PAGES.clear()


def browser() -> Client:
    """A browser, which names the host, so that its pages may be cached."""
    return Client(headers={"Host": "testserver"})


def member() -> Client:
    """A browser of staff in the group that may read."""
    user = User.objects.create_user("reader", "reader@example.com", "secret")
    user.groups.add(Group.objects.get_or_create(name="Readers")[0])
    client = browser()
    client.force_login(user)
    return client


def page_of(slug: str, language: str) -> InformationPage:
    page: InformationPage = InformationPage.objects.get(slug=slug, locale__language_code=language)
    return page


def make_private(page: InformationPage, kind: str = PageViewRestriction.LOGIN) -> None:
    restriction = PageViewRestriction.objects.create(page=page, restriction_type=kind, password="sesame")
    restriction.groups.add(Group.objects.get_or_create(name="Readers")[0])


def is_cached() -> bool:
    return len(PAGES.plain) > 0


def assert_in_no_cache(response: Any) -> None:
    assert "no-store" in response.headers["Cache-Control"]
    assert "public" not in response.headers["Cache-Control"]
    assert not is_cached()


@pytest.fixture
def page() -> InformationPage:
    page = page_of("information", CHINESE)
    page.intro = TEXT
    page.save_revision().publish()
    return page


def test_a_public_page_is_cached_at_both_addresses(page: InformationPage) -> None:
    for address in ADDRESSES:
        PAGES.clear()
        response = browser().get(address)
        assert TEXT in response.content.decode()
        assert "public" in response.headers["Cache-Control"]
        assert is_cached()
        assert browser().head(address).status_code == 200


def test_who_may_not_read_a_page_reads_it_at_no_address(
    page: InformationPage, subtests: pytest.Subtests
) -> None:
    for slug in ("information", "about-us"):
        for kind in KINDS:
            with rolled_back():
                make_private(page_of(slug, CHINESE), kind)
                for address in ADDRESSES:
                    with subtests.test(slug=slug, kind=kind, address=address):
                        for ask in (browser().get, browser().head):
                            response = ask(address)
                            is_asked = kind == PageViewRestriction.PASSWORD
                            assert response.status_code == (200 if is_asked else 302)
                            assert TEXT not in response.content.decode()
                            assert_in_no_cache(response)


def test_who_may_read_a_page_gets_it_past_every_cache(
    page: InformationPage, subtests: pytest.Subtests
) -> None:
    reader = member()
    for kind in (PageViewRestriction.LOGIN, PageViewRestriction.GROUPS):
        with rolled_back():
            make_private(page, kind)
            for address in ADDRESSES:
                with subtests.test(kind=kind, address=address):
                    for ask in (reader.head, reader.get):
                        response = ask(address)
                        assert response.status_code == 200
                        assert_in_no_cache(response)
                    assert TEXT in html_of(response)
                    assert '<html lang="zh-Hans"' in html_of(response)


def test_who_may_read_a_page_logs_in_where_staff_do_and_comes_back(page: InformationPage) -> None:
    make_private(page)
    client = browser()
    client.force_login(User.objects.create_superuser("manager"))
    for address in ADDRESSES:
        login = browser().get(address).headers["Location"]
        assert urlsplit(login).path == "/admin/login/"
        assert browser().get(login).status_code == 200
        assert client.get(client.get(login).headers["Location"]).status_code == 200


def test_editors_choose_who_reads_a_page_but_no_password_for_it(page: InformationPage) -> None:
    client = browser()
    client.force_login(User.objects.create_superuser("manager"))
    form = client.get(f"/admin/pages/{page.pk}/privacy/").json()["html"]
    assert 'value="login"' in form
    assert 'value="password"' not in form


@pytest.mark.parametrize("language", [ENGLISH, CHINESE])
def test_other_pages_and_the_sitemap_do_not_name_a_private_page(language: str) -> None:
    page = page_of("delivery", language)
    page.title, page.intro, page.show_in_menus = "Night shift", TEXT, True
    page.save_revision().publish()
    prefix = "" if language == ENGLISH else "/zh-hans"
    pages = [f"{prefix}{path}" for path in ("/shop", "/home/about-us", "/home/about-us/help")]
    own = f"{prefix}/home/about-us/delivery"
    for path in pages:
        assert "Night shift" in html_of(browser().get(path)), path
    assert f"8000{own}<" in browser().get("/sitemap-pages.xml").content.decode()
    PAGES.clear()
    make_private(page)
    for path in pages:
        html = html_of(browser().get(path))
        assert "Night shift" not in html
        assert TEXT not in html
        assert f'"{own}"' not in html
    assert f"8000{own}<" not in browser().get("/sitemap-pages.xml").content.decode()


def test_a_page_does_not_name_its_private_translation() -> None:
    path = "/home/about-us/delivery"
    other = '<link rel="alternate" hreflang="zh-Hans"'
    assert other in html_of(browser().get(path))
    PAGES.clear()
    make_private(page_of("delivery", CHINESE))
    assert other not in html_of(browser().get(path))


def test_a_list_that_a_customer_shares_is_in_no_cache_and_no_sitemap(subtests: pytest.Subtests) -> None:
    for prefix in ["", "/zh-hans"]:
        with subtests.test(prefix=prefix), rolled_back():
            customer, product = make_customer(), make_product(name_en="Rice", name_zh="Rice")
            add_favourite(customer=customer, list_id=0, product_id=product.pk)
            token = share_list(customer=customer, list_id=0, title="").share_token
            for ask in (browser().get, browser().head):
                response = ask(f"{prefix}/shared/{token}")
                assert response.status_code == 200
                assert_in_no_cache(response)
            assert "Rice" in html_of(browser().get(f"{prefix}/shared/{token}"))
            assert "/shared/" not in browser().get("/sitemap-pages.xml").content.decode()
            end_share(customer=customer, list_id=0)
            response = browser().get(f"{prefix}/shared/{token}")
            assert response.status_code == 404
            assert not is_cached()
