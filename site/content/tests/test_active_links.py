"""Links to the current page have the class and the state of an active link."""

import re

import pytest
from django.test import Client

from content.templatetags.information import _LINKS
from core.tests.pages import html_of

pytestmark = pytest.mark.django_db


def active_links(html: str, part: str) -> list[str]:
    """Return the addresses of the active links in an element."""
    [element] = re.findall(rf"<{part}[ >].*?</{part}>", html, re.DOTALL)
    links = re.findall(r"<a\b[^>]*>", element, re.DOTALL)
    active = [link for link in links if 'aria-current="page"' in link]
    assert all(re.search(r'class="[^"]*\bactive"', link) for link in active)
    return [found[1] for link in active if (found := re.search(r'href="([^"]*)"', link))]


@pytest.mark.parametrize("prefix", ["", "/zh-hans"])
def test_each_link_of_the_footer_is_active_on_its_page_alone(
    client: Client, prefix: str, subtests: pytest.Subtests
) -> None:
    # The link to the app is next to the information pages, which this shop has none of.
    for path in sorted(_LINKS - {"/download"}):
        with subtests.test(path=path):
            html = html_of(client.get(f"{prefix}{path}"))
            assert active_links(html, "footer") == [f"{prefix}{path}"]
    html = html_of(client.get(f"{prefix}/areas"))
    assert active_links(html, "footer") == []


@pytest.mark.parametrize("prefix", ["", "/zh-hans"])
def test_the_header_marks_the_cart_and_the_account_on_their_pages(client: Client, prefix: str) -> None:
    account, cart = f"{prefix}/home/account/accountdetails", f"{prefix}/home/cart"
    assert active_links(html_of(client.get(cart)), "header") == [cart]
    assert active_links(html_of(client.get(f"{prefix}/home/account/wallet")), "header") == [account]


@pytest.mark.parametrize("prefix", ["", "/zh-hans"])
def test_the_short_address_of_an_order_redirects_to_its_page(client: Client, prefix: str) -> None:
    answer = client.get(f"{prefix}/order/S261129ABC")
    assert (answer.status_code, answer["Location"]) == (302, f"{prefix}/home/account/orderdetails/S261129ABC")
