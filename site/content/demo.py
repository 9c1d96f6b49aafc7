"""The demonstration's editorial content: Eastbowl 东碗, its details and its two home pages."""

import json
from typing import Any

from django.db import transaction
from wagtail.models import Locale, Page, Site

from catalog.goods.models import Category, Product
from content.models import HomePage, ShopSettings
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
}
# What Wagtail calls the page that it starts every site with.
WAGTAILS_OWN_TITLE = "Welcome to your new Wagtail site!"
TITLE: Text = ("Asian groceries, health and beauty", "亚洲食品、保健与美妆")
# Goods shown under "Picked for this week", by the demonstration's ids.
PICKED = [10101, 20201, 40101, 40404, 80101, 90101, 40401, 10403, 70105, 60108, 50401, 80402]
# Slides: title, text, label, first-level category, the categories whose pictures lie on the plate, tone.
SLIDES: list[tuple[Text, Text, Text, int, list[int], str]] = [
    (
        ("Hotpot night, from one basket", "今晚打边炉，一篮搞定"),
        (
            "Thin-sliced meat, fresh greens and an aged chilli base, at your door or ready to pick up.",
            "薄切肉片、新鲜时蔬、陈酿火锅底料，送货到家或到店自提。",
        ),
        ("Shop hotpot", "选购火锅食材"),
        4,
        [17, 101, 5, 104, 405],
        "cobalt",
    ),
    (
        ("Market-fresh greens", "当日鲜蔬"),
        ("Leafy greens, roots and herbs for tonight’s wok.", "叶菜、根茎与香草，今晚就下锅。"),
        ("Shop vegetables", "选购蔬菜"),
        1,
        [101, 102, 103, 105, 104],
        "jade",
    ),
    (
        ("Quiet, clever skincare", "温和又聪明的护肤"),
        ("Ferments and ceramides from Japan and Korea.", "来自日本与韩国的发酵精华与神经酰胺。"),
        ("Shop beauty", "选购美妆"),
        13,
        [1302, 1301, 13, 1303, 1304],
        "plum",
    ),
]
TILES: list[tuple[Text, Text, Text, str, int, str]] = [
    (
        ("Pick up in store", "到店自提"),
        ("Choose a store and a time at checkout.", "结算时选择门店与时间。"),
        ("Fill your basket", "去选购"),
        "/shop",
        14,
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
    ("truck", ("Delivery to your door", "送货到家"), ("Freight shown before you pay", "付款前显示运费")),
    ("store", ("In-store pickup", "门店自提"), ("You choose the time", "时间由您选择")),
    (
        "credit-card",
        ("Pay your way", "多种支付"),
        ("Card, WeChat Pay, Alipay, wallet", "银行卡、微信、支付宝、钱包"),
    ),
    ("message-circle", ("Help in two languages", "双语服务"), ("English and Chinese", "中文与英文")),
]


def _pictures(category_ids: list[int]) -> list[int]:
    """Return the ids of the pictures of categories, in the given order, without gaps."""
    found = dict(Category.objects.filter(picture__isnull=False).values_list("pk", "picture_id"))
    return [found[pk] for pk in category_ids if pk in found]


def _blocks(place: int) -> list[tuple[str, Any]]:
    """Write the home page's body in one language; `place` is that language's place in the texts above."""
    slides = [
        {
            "title": title[place],
            "text": text[place],
            "link": {"label": label[place], "path": f"/shop?firstCategoryId={category}"},
            "pictures": _pictures(categories),
            "tone": tone,
        }
        for title, text, label, category, categories, tone in SLIDES
    ]
    tiles = [
        {
            "title": title[place],
            "text": text[place],
            "link": {"label": label[place], "path": path},
            "picture": next(iter(_pictures([category])), None),
            "tone": tone,
        }
        for title, text, label, path, category, tone in TILES
    ]
    has_pictures = all(slide["pictures"] for slide in slides) and all(tile["picture"] for tile in tiles)
    on_sale = set(Product.objects.filter(pk__in=PICKED).values_list("pk", flat=True))
    picked = [pk for pk in PICKED if pk in on_sale]
    promises = [
        {"symbol": symbol, "title": title[place], "text": text[place]} for symbol, title, text in PROMISES
    ]
    return [
        *([("hero", {"slides": slides, "tiles": tiles})] if has_pictures else []),
        ("category_rail", {"heading": ("Shop by category", "商品分类")[place]}),
        *(
            [("picked_goods", {"heading": ("Picked for this week", "本周精选")[place], "goods": picked})]
            if picked
            else []
        ),
        ("category_showcase", {"goods_each": 5}),
        ("promises", {"promises": promises}),
    ]


def _site_root(locale: Locale, title: str) -> Page:
    """Return the page under which a language's pages stand; made when it is missing."""
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
            root.save_revision().publish()
        return root
    translated = root.get_translation_or_none(locale)
    if translated is None:
        translated = root.copy_for_translation(locale)
        translated.title = title
        translated.save_revision().publish()
    return translated


@transaction.atomic
def load_demo_content() -> None:
    """Set up both languages, the shop's details and both home pages; what is there already stays as it is."""
    english, _made = Locale.objects.get_or_create(language_code=ENGLISH)
    chinese, _made = Locale.objects.get_or_create(language_code=CHINESE)
    if not ShopSettings.objects.exists():
        ShopSettings.objects.create(**SHOP)
    roots = [_site_root(english, SHOP["name_en"]), _site_root(chinese, SHOP["name_zh"])]
    homes = [HomePage.objects.child_of(root).first() for root in roots]
    if homes[0] is None:
        homes[0] = _add_home(roots[0], place=0)
    if homes[1] is None:
        _add_home(roots[1], place=1, translation_of=homes[0])


def _add_home(root: Page, *, place: int, translation_of: HomePage | None = None) -> HomePage:
    home = HomePage(
        title=TITLE[place],
        slug="home",
        locale=root.locale,
        search_description=(SHOP["tagline_en"], SHOP["tagline_zh"])[place],
        body=json.dumps([{"type": kind, "value": value} for kind, value in _blocks(place)]),
    )
    if translation_of:
        home.translation_key = translation_of.translation_key
    root.add_child(instance=home)
    home.save_revision().publish()
    return home
