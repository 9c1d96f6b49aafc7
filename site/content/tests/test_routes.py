"""Every page that editors write or that is about the shop, in both languages (docs/product.md#pages)."""

import re
from xml.etree import ElementTree

import pytest
from django.test import Client
from wagtail.test.utils.form_data import streamfield

from catalog.goods.tests.builders import make_product
from content import sitemaps
from content.models import HomePage, InformationPage
from content.models.information import is_reserved
from content.tests.builders import make_area
from content.tests.forms import page_form, url_below, url_of
from core.tests.pages import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

PAGES = {
    "/page": ("How to shop here", "购物指南"),
    "/home/about-us": ("About us and help", "关于我们与帮助"),
    "/home/about-us/information": ("About Eastbowl", "关于东碗"),
    "/home/about-us/delivery": ("Delivery and pick-up", "配送与自提"),
    "/home/about-us/payment": ("Payment and refunds", "付款与退款"),
    "/home/about-us/help": ("Questions and answers", "常见问题"),
    "/home/privacyPolicy": ("Privacy policy", "隐私政策"),
    "/home/terms": ("Terms of sale", "销售条款"),
    "/home/returns": ("Returns and refunds", "退换与退款"),
    "/home/contact": ("Contact us", "联系我们"),
    "/download": ("Add Eastbowl to your phone", "东碗超市手机版"),
}


def test_a_page_to_read_has_its_title_in_both_languages(client: Client) -> None:
    for path, titles in PAGES.items():
        for prefix, title in zip(("", "/zh-hans"), titles, strict=True):
            assert f"<h1>{title}</h1>" in html_of(client.get(prefix + path)), prefix + path


def test_the_second_url_is_not_found_without_the_page(client: Client) -> None:
    for page in InformationPage.objects.filter(slug="information"):
        page.delete()
    assert client.get("/home/about-us/information-zh").status_code == 404


def test_sign_redirects_to_the_registration_with_its_query(client: Client) -> None:
    location = client.get("/home/sign?redirect=/home/cart%3Fa=1")["Location"]
    assert location == "/home/login?redirect=%2Fhome%2Fcart%3Fa%3D1#register"


def test_the_download_page_shows_the_url_as_a_qr_code(client: Client) -> None:
    page = html_of(client.get("/zh-hans/download"))
    assert re.search(r'<div role="img" aria-label="[^"]*http://localhost:8000/zh-hans/home[^"]*"><svg', page)
    assert "style=" not in page


def test_the_shops_own_urls_are_reserved_and_others_free() -> None:
    for path in ("/shop", "/home/cart", "/home/login", "/zh-hans/shop", "/livez"):
        assert is_reserved(path), path
    assert not is_reserved("/home/news")


def test_an_editor_cannot_use_a_url_of_the_shop(editor: Client) -> None:
    for home in HomePage.objects.all():
        url = url_below(home)
        page = html_of(editor.post(url, page_form(slug="cart", title="My cart")))
        assert "The shop itself answers at this address; choose another slug." in page
        assert 'value="My cart"' in page
        assert not InformationPage.objects.filter(slug="cart").exists()
        assert editor.post(url, page_form()).status_code == 302
    assert InformationPage.objects.filter(slug="news").count() == 2


def test_scripts_in_rich_text_are_removed(editor: Client, client: Client) -> None:
    home = HomePage.objects.get(locale__language_code="en")
    evil = (
        '<p onclick="alert(1)">Hi <a href="javascript:alert(2)">there</a><script>alert(3)</script>'
        '<a href="/admin" onmouseover="alert(4)">ok</a></p>'
    )
    page = InformationPage(title="Evil", slug="evil", locale=home.locale)
    home.add_child(instance=page)
    page.body.append(("text", InformationPage.body.field.stream_block.child_blocks["text"].to_python(evil)))
    page.save()
    page.save_revision()
    # Once through the form, as an editor who opens and saves it would.
    raw = (
        '{"blocks":[{"key":"a","text":"there","type":"unstyled","depth":0,"inlineStyleRanges":[],'
        '"entityRanges":[{"offset":0,"length":5,"key":0}]}],'
        '"entityMap":{"0":{"type":"LINK","mutability":"MUTABLE","data":{"url":"javascript:alert(2)"}}}}'
    )
    editor.post(url_of(page), page_form(title="Evil", slug="evil", body=streamfield([("text", raw)])))
    html = html_of(client.get("/home/evil"))
    assert "there" in html
    assert "javascript:" not in html


def test_robots_names_the_sitemap_and_disallows_private_pages(client: Client) -> None:
    text = client.get("/robots.txt").content.decode()
    assert "Sitemap: http://localhost:8000/sitemap.xml" in text
    for path in ("/admin", "/home/account", "/zh-hans/home/account", "/home/cart"):
        assert f"Disallow: {path}\n" in text


def test_the_sitemap_lists_products_in_parts_in_both_languages(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitemaps, "PART", 2)
    products = [make_product() for _ in range(3)]
    hidden = make_product(on_sale=False)
    area = make_area(products[0])
    index = client.get("/sitemap.xml").content.decode()
    names = re.findall(r"<loc>http://localhost:8000(/[^<]+)</loc>", index)
    assert names == ["/sitemap-pages.xml", "/sitemap-goods-1.xml", "/sitemap-goods-2.xml"]
    for number in ("3", "0", "50001", "9" * 20, "9" * 5_000):
        assert client.get(f"/sitemap-goods-{number}.xml").status_code == 404
    found = []
    for name in names:
        xml = client.get(name).content
        ElementTree.fromstring(xml)  # noqa: S314 - our own
        found += re.findall(r"<loc>http://localhost:8000(/[^<]*)</loc>", xml.decode())
    for path in (
        "/home",
        "/shop",
        f"/areas/{area.pk}",
        *(f"/shop/shopdetails/{product.pk}" for product in products),
    ):
        assert {path, f"/zh-hans{path}"} <= set(found)
    assert f"/shop/shopdetails/{hidden.pk}" not in found
    assert len(found) == len(set(found))


def test_every_page_links_to_the_pages_to_read(client: Client) -> None:
    for prefix, title in (("", "Delivery and pick-up"), ("/zh-hans", "配送与自提")):
        page = html_of(client.get(f"{prefix}/shop"))
        assert re.search(rf'<a\s[^>]*href="{prefix}/home/about-us/delivery"[^>]*>\s*{title}\s*</a>', page)
        assert re.search(rf'<a\s[^>]*href="{prefix}/home/privacyPolicy"', page)
