"""Private pages of editors, and lists that customers share: no list names them, and no cache has them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from wagtail.models import Locale, Page, PageViewRestriction

from catalog.goods.tests.builders import make_product
from commerce.accounts.tests.builders import make_customer
from commerce.favourites.services import add_favourite, end_share, share_list
from config.page_cache.store import BUSY_LIFE, PAGES, CachedPage
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


def _old(copy: CachedPage) -> CachedPage:
    """A copy that is only shown while the database is unreachable."""
    return replace(copy, created_at=copy.created_at - BUSY_LIFE, made_at=copy.made_at - BUSY_LIFE)


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


def restrictions_of(page: Page) -> list[tuple[str, list[str]]]:
    return [
        (each.restriction_type, sorted(each.groups.values_list("name", flat=True)))
        for each in page.view_restrictions.all()
    ]


def is_private(page: Page) -> bool:
    """Return True if visitors are asked to log in, and lists do not name the page."""
    PAGES.clear()
    url = page.get_url()
    is_named = f"8000{url}<" in browser().get("/sitemap-pages.xml").content.decode()
    is_shown = browser().get(url).status_code == 200
    assert is_named is is_shown
    return not is_shown


@pytest.mark.parametrize("language", [ENGLISH, CHINESE])
def test_a_restriction_is_set_changed_and_removed_in_all_languages(language: str) -> None:
    boss = browser()
    boss.force_login(User.objects.create_superuser("manager"))
    readers, writers = (Group.objects.get_or_create(name=name)[0].pk for name in ("Readers", "Writers"))
    page, other = (page_of("delivery", each) for each in sorted((ENGLISH, CHINESE), key=language.__ne__))
    below = [page_of("help", each) for each in (ENGLISH, CHINESE)]

    def choose(page: Page, **form: Any) -> None:
        url = reverse("wagtailadmin_pages:set_privacy", args=[page.pk])
        assert boss.post(url, form).json()["step"] == "set_privacy_done"

    for form, expected in (
        ({"restriction_type": "login"}, [("login", [])]),
        ({"restriction_type": "groups", "groups": [readers]}, [("groups", ["Readers"])]),
        ({"restriction_type": "groups", "groups": [writers]}, [("groups", ["Writers"])]),
        ({"restriction_type": "groups", "groups": [readers, writers]}, [("groups", ["Readers", "Writers"])]),
        ({"restriction_type": "login"}, [("login", ["Readers", "Writers"])]),
        ({"restriction_type": "none"}, []),
    ):
        choose(page, **form)
        for each in (page, other):
            assert [kind for kind, _groups in restrictions_of(each)] == [kind for kind, _groups in expected]
            if form["restriction_type"] == "groups":
                assert restrictions_of(each) == expected
            assert is_private(each) is bool(expected)
    # From the other language, and for the pages below.
    choose(page_of("about-us", language), restriction_type="login")
    assert all(is_private(each) for each in below)
    choose(page_of("about-us", other.locale.language_code), restriction_type="none")
    assert not any(is_private(each) for each in below)


@pytest.mark.parametrize("alias", [True, False])
def test_a_translation_that_is_made_later_is_private_too(alias: bool) -> None:
    above = page_of("about-us", ENGLISH)
    page = above.add_child(instance=InformationPage(title="Shifts", slug="shifts", locale=above.locale))
    make_private(page, PageViewRestriction.GROUPS)
    made = page.copy_for_translation(Locale.objects.get(language_code=CHINESE), alias=alias)
    if not alias:
        made.save_revision().publish()
    for each in (page, made):
        assert restrictions_of(each) == [("groups", ["Readers"])]
        assert is_private(each)
        assert member().get(each.get_url()).status_code == 200
        User.objects.all().delete()


def test_a_page_that_is_moved_below_a_private_one_is_private_in_all_languages() -> None:
    make_private(page_of("privacyPolicy", ENGLISH), PageViewRestriction.GROUPS)
    page, other = page_of("delivery", ENGLISH), page_of("delivery", CHINESE)
    page.move(page_of("privacyPolicy", ENGLISH), pos="last-child")
    outsider = browser()
    outsider.force_login(User.objects.create_user("outsider"))
    for each in (page_of("delivery", ENGLISH), other):
        assert is_private(each)
        assert outsider.get(each.get_url()).status_code == 302
        assert_in_no_cache(outsider.get(each.get_url()))
    assert TEXT not in html_of(browser().get("/zh-hans/home/about-us"))
    assert member().get(other.get_url()).status_code == 200


def test_a_deleted_page_leaves_its_translation_private() -> None:
    page, other = page_of("delivery", ENGLISH), page_of("delivery", CHINESE)
    make_private(page)
    page.delete()
    assert restrictions_of(other)
    assert is_private(other)


def test_restrictions_of_earlier_releases_are_copied_to_all_translations() -> None:
    page, other = page_of("delivery", ENGLISH), page_of("delivery", CHINESE)
    make_private(page, PageViewRestriction.GROUPS)
    copied = PageViewRestriction.objects.filter(page=other)
    PageViewRestriction.groups.through.objects.filter(pageviewrestriction__in=copied).delete()
    copied._raw_delete("default")
    # The page is private even before the upgrade's step.
    assert is_private(other)
    share = import_module("content.migrations.0002_private_pages").share
    for _run in range(2):
        share(apps, None)
        assert restrictions_of(other) == restrictions_of(page) == [("groups", ["Readers"])]


@pytest.mark.parametrize("end", [make_private, Page.unpublish])
def test_a_page_that_ends_has_no_copy_for_an_outage(end: Callable[[Any], Any]) -> None:
    page = page_of("delivery", ENGLISH)
    url = page.get_url()
    assert browser().get(url).status_code == 200
    [key] = PAGES.plain._values
    end(page)
    PAGES.plain._values[key] = (_old(PAGES.plain._values[key][0]), 1)
    assert browser().get(url).status_code in (302, 404)
    assert PAGES.get(key) is None


@pytest.mark.parametrize("private", [ENGLISH, CHINESE])
@pytest.mark.parametrize("language", [ENGLISH, CHINESE])
def test_other_pages_and_the_sitemap_do_not_name_a_private_page(language: str, private: str) -> None:
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
    make_private(page_of("delivery", private))
    for path in pages:
        html = html_of(browser().get(path))
        assert "Night shift" not in html
        assert TEXT not in html
        assert f'"{own}"' not in html
    assert f"8000{own}<" not in browser().get("/sitemap-pages.xml").content.decode()


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
