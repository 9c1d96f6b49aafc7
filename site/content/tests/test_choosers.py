"""The window in which an editor picks goods."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from catalog.goods.tests.builders import make_product

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@example.com"))
    return client


def test_finds_goods_by_either_name_and_by_sku(editor: Client) -> None:
    make_product(name_en="Choy Sum", name_zh="菜心", sku="G010102")
    make_product(name_en="Honey", name_zh="蜂蜜", sku="G090101")
    for word in ("choy", "菜心", "G010102"):
        shown = editor.get("/admin/goods_chooser/results/", {"q": word}).content.decode()
        assert "Choy Sum" in shown
        assert "Honey" not in shown


def test_shows_all_goods_before_a_search(editor: Client) -> None:
    make_product(name_en="Choy Sum")
    make_product(name_en="Honey")
    shown = editor.get("/admin/goods_chooser/").json()["html"]
    assert "Choy Sum" in shown
    assert "Honey" in shown


def test_is_closed_to_shoppers(client: Client) -> None:
    assert client.get("/admin/goods_chooser/").status_code == 302
