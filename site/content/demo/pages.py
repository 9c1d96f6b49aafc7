"""The demonstration's editorial content: Eastbowl 东碗, its details and its two home pages."""

import json
from typing import Any
from uuid import uuid4

from django.db import transaction
from wagtail.models import Locale, Page, Site

from catalog.goods.models import Product
from content.demo.reading import load_reading
from content.demo.translating import translate
from content.demo.windows import load_windows, pictured
from content.models import HOME_CAROUSEL, HomePage, ShopSettings
from core.languages import CHINESE, ENGLISH

Text = tuple[str, str]

SHOP = {
    "name_en": "Eastbowl",
    "name_zh": "东碗超市",
    "tagline_en": "Groceries, health and beauty from across Asia, delivered in Australia and mailed abroad.",
    "tagline_zh": "亚洲食品、保健与美妆，澳洲配送，直邮海外。",
    "legal_name": "Eastbowl Demonstration Pty Ltd",
    "abn": "00 000 000 000",
    "address": "1 Demonstration Street, Perth WA 6000",
    "phone": "+61 8 5550 0000",
    "email": "help@eastbowl.example",
    "wechat": "eastbowl-demo",
    "bank_bank": "Demonstration Bank",
    "bank_holder": "Eastbowl Demonstration Pty Ltd",
    "bank_bsb": "000-000",
    "bank_number": "0000 0000",
    "popular_searches_en": "jasmine rice, dumplings, instant noodles, hotpot, fruit, milk formula, vitamins",
    "popular_searches_zh": "大米, 速冻水饺, 方便面, 火锅底料, 水果, 奶粉, 保健品",
}
# The title that Wagtail gives the first page of a new site.
WAGTAILS_OWN_TITLE = "Welcome to your new Wagtail site!"
TITLE: Text = ("Asian groceries, health and beauty", "亚洲食品、保健与美妆")
# Products under "Picked for this week", by their ids in the demonstration.
PICKED = [10101, 20201, 40101, 40404, 80101, 90101, 40401, 10403, 70105, 60108, 50401, 80402]
TILES: list[tuple[Text, Text, Text, str, int, str]] = [
    (
        ("Pick up in store", "到店自提"),
        ("Choose a store and a time at checkout.", "结算时选择门店与时间。"),
        ("Fill your basket", "去选购"),
        "/shop",
        1,
        "mint",
    ),
    (
        ("Mail Australia home", "把澳洲寄回家"),
        ("Honey, milk and vitamins by direct mail.", "蜂蜜、奶粉、保健品直邮到家。"),
        ("Shop gifts", "选购澳洲特产"),
        "/shop?firstCategoryId=9",
        904,
        "peach",
    ),
]
PROMISES: list[tuple[str, Text, Text]] = [
    ("truck", ("Delivery to your door", "送货到家"), ("See the cost before you pay", "付款前显示运费")),
    ("store", ("In-store pickup", "门店自提"), ("You choose the time", "时间由您选择")),
    (
        "credit-card",
        ("Pay your way", "多种支付"),
        ("Card, WeChat Pay, Alipay, wallet", "银行卡、微信、支付宝、钱包"),
    ),
    ("message-circle", ("Help in two languages", "双语服务"), ("English and Chinese", "中文与英文")),
]
ABOUT_THE_SHOP: Text = (
    "<h2>One shop, two kitchens</h2><p>Eastbowl brings Asian groceries, health products and beauty together"
    " in one basket, with every name in English and Chinese. New here? Read"
    ' <a href="/page">how to shop</a>, or buy <a href="/home/bulk">by the carton</a> and pay less.</p>',
    "<h2>一家店，两种厨房</h2><p>东碗把亚洲食品、保健与美妆放进同一个购物篮，商品名称中英对照。"
    '第一次来？请看<a href="/page">购物指南</a>，或<a href="/home/bulk">整箱选购</a>，更省一些。</p>',
)


def _blocks(place: int) -> list[tuple[str, Any]]:
    """Return the home page's body in one language; `place`: the language's index in the texts above."""
    tiles = [
        {
            "title": title[place],
            "text": text[place],
            "link": {"label": label[place], "path": path},
            "picture": _picture(category, place),
            "tone": tone,
        }
        for title, text, label, path, category, tone in TILES
    ]
    has_pictures = all(tile["picture"] for tile in tiles)
    on_sale = set(Product.objects.filter(pk__in=PICKED).values_list("pk", flat=True))
    picked = [pk for pk in PICKED if pk in on_sale]
    promises = [
        {"symbol": symbol, "title": title[place], "text": text[place]} for symbol, title, text in PROMISES
    ]
    return [
        *([("hero", {"carousel": HOME_CAROUSEL, "tiles": _items(tiles)})] if has_pictures else []),
        ("category_rail", {"heading": ("Shop by category", "商品分类")[place]}),
        ("promotion", None),
        ("special_areas", {"heading": ("Special areas", "特色专区")[place]}),
        *(
            [("picked_goods", {"heading": ("Picked for this week", "本周精选")[place], "goods": picked})]
            if picked
            else []
        ),
        ("category_showcase", {"goods_each": 5}),
        ("popular_brands", {"heading": ("Popular brands", "热门品牌")[place], "count": 12}),
        ("promises", {"promises": _items(promises)}),
        ("text", ABOUT_THE_SHOP[place]),
    ]


def _picture(category_id: int, place: int) -> dict[str, Any] | None:
    """Return the picture of a category, with its name as alternative text; None without a picture."""
    for category in pictured([category_id]):
        name = (category.name_en, category.name_zh)[place]
        return {"image": category.picture_id, "alt_text": name, "decorative": False}
    return None


def _items(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the values of a list block with ids, which translations refer to."""
    return [{"type": "item", "value": value, "id": str(uuid4())} for value in values]


def _site_root(locale: Locale, title: str) -> Page:
    """Return the root page of a language; create it if it is missing."""
    site = Site.objects.filter(is_default_site=True).select_related("root_page").first()
    if site is None:
        tree = Page.get_first_root_node() or Page.add_root(title="Root", slug="root", locale=locale)
        root = tree.add_child(instance=Page(title=title, slug="shop", locale=locale))
        Site.objects.create(hostname="localhost", root_page=root, is_default_site=True, site_name=title)
        return root
    root = site.root_page
    if root.locale_id == locale.pk:
        if root.title == WAGTAILS_OWN_TITLE:
            root.title = title
            root.save_revision(log_action=True).publish()
        return root
    translated = root.get_translation_or_none(locale)
    if translated is None:
        translated = root.copy_for_translation(locale)
        translated.title = title
        translated.save_revision(log_action=True).publish()
    return translated


@transaction.atomic
def load_demo_content() -> None:
    """Create shop details, slides, special areas and home pages; existing ones stay unchanged."""
    english, _made = Locale.objects.get_or_create(language_code=ENGLISH)
    chinese, _made = Locale.objects.get_or_create(language_code=CHINESE)
    if not ShopSettings.objects.exists():
        ShopSettings.objects.create(**SHOP)
    load_windows()
    root = _site_root(english, SHOP["name_en"])
    _site_root(chinese, SHOP["name_zh"])
    if not HomePage.objects.exists():
        # All pages are created together, since editors may move or delete them afterwards.
        home = root.add_child(instance=_home(english, 0))
        home.save_revision(log_action=True).publish()
        translate(home, _home(english, 1))
        load_reading(root, home)


def _home(locale: Locale, place: int) -> HomePage:
    return HomePage(
        title=TITLE[place],
        slug="home",
        locale=locale,
        search_description=(SHOP["tagline_en"], SHOP["tagline_zh"])[place],
        body=json.dumps(
            [{"type": kind, "value": value, "id": str(uuid4())} for kind, value in _blocks(place)]
        ),
    )
